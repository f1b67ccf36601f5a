"""Conditions of the start that follow from each other are met, those that contradict each other are refused. A large
run:
``python -m tests.sort.test_random_starts FIRST COUNT``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

import cutset
from tests.oracles.random_starts import RandomStart, random_start

REFUSED = {"E504", "E509", "E644", "E313", "E633", "E635"}


def failure_of(seed: int, wrong: bool, folder: Path) -> str:
    """What is wrong with the start of a random model; empty where nothing is."""
    drawn = random_start(seed, wrong)
    path = folder / "start.mo"
    path.write_text(drawn.text)
    try:
        run = cutset.load(path).simulate(0.0)
    except cutset.ModelError as error:
        codes = {d.code for d in error.diagnostics}
        return "" if wrong and codes <= REFUSED else str(error)
    except cutset.RunError as error:
        return "" if wrong and error.code in REFUSED else str(error)
    return "the contradiction is not seen" if wrong else off(drawn, run)


def off(drawn: RandomStart, run: cutset.Result) -> str:
    for condition, value, _ in drawn.conditions:
        found = sum(a * float(run[name][0]) for name, a in condition.items())
        if abs(found - value) > 1e-6 * (1.0 + abs(value)):
            return f"{condition} is {found} instead of {value}"
    left_away = len(drawn.conditions) - drawn.rank
    said = sum("is redundant" in note or "is given twice" in note for note in run.notes)
    return "" if said == left_away else f"{said} notes, and {left_away} conditions that follow from others"


@pytest.mark.parametrize("seed", range(8))
def test_what_follows_from_others_is_met(seed, tmp_path):
    assert failure_of(seed, False, tmp_path) == ""


@pytest.mark.parametrize("seed", range(4))
def test_what_contradicts_others_is_refused(seed, tmp_path):
    assert failure_of(seed, True, tmp_path) == ""


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        for number in range(first, first + count):
            for contradicts in (False, True):
                told = failure_of(number, contradicts, Path(name))
                bad += bool(told)
                if told:
                    print(f"{number}{' (contradicts)' if contradicts else ''}: {told.splitlines()[0]}", flush=True)
    print(f"{2 * count} models, {bad} wrong")
