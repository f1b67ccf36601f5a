"""The constants of an algorithm that is written in C and in Python are the same in both."""

import re
from pathlib import Path

import pytest

from cutset.runtime import jumps
from cutset.runtime.solvers import branches, crossings

JUMPS = {"JUMPS", "JUMP_RATE", "PROPORTIONAL", "UNSEEN", "ACCURATE", "CLOSE", "STALLED", "LEAST"}
JUMPS |= {"RELATIVE", "ABSOLUTE", "MOST_JUMP_STEPS", "MOST_DECISIONS"}
CROSSINGS = {"FADED", "SMOOTH", "FAST", "SLOW", "FINEST", "ALL_ARMED", "NOT_ARMED"}
CROSSINGS |= {"MOST_HIDDEN", "TOUCHING", "SMALLEST"}
_HEADERS = Path(__file__).parents[2] / "runtime" / "c"
_NUMBER = r"(\w+) = ([0-9.e/ -]+)"


def constants_of(header: str) -> dict[str, float]:
    """The names and values of `static const double` and of `enum`."""
    text = (_HEADERS / header).read_text(encoding="utf-8")
    declared = re.findall(r"static const double (\w+ = [^;]+);|enum \{([^}]+)\};", text)
    pairs = re.findall(_NUMBER, "\n".join(name or names for name, names in declared))
    return {name: _value(words) for name, words in pairs}


def _value(words: str) -> float:
    number, _, divisor = words.partition("/")
    return float(number) / float(divisor or 1)


@pytest.mark.parametrize(
    ("module", "header", "names"),
    [
        (branches, "branches.h", {"NEAR", "BENT", "MOVED", "TRIES", "SHORTEST", "TRIES_ALONE", "SHORTEST_ALONE"}),
        (crossings, "crossings.h", CROSSINGS),
        (jumps, "jumps.h", JUMPS),
    ],
)
def test_both_have_the_same(module, header, names):
    in_c = constants_of(header)
    assert set(in_c) == names
    assert {name: getattr(module, f"_{name}") for name in names} == in_c
