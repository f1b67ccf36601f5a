"""Random starts of four-bars against closed forms, in each order of the joints. ``python
tests/sort/test_random_four_bars.py 500`` runs many."""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
from collections import Counter
from itertools import permutations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import pytest
from oracles.four_bars import JOINTS, FourBar, random_four_bar

import cutset
from cutset.runtime.errors import RunError

ORDERS = list(permutations(JOINTS))
# One angle is written, two or three, that agree or not; from some guesses the loop turns many times.
SEEDS = (1, 8, 13, 58)
HELD = re.compile(r"'(\w)\.q' starts at ([-\d.e]+)")

Started = tuple[tuple[float, ...], tuple[float, ...]]


def started(bar: FourBar, order: tuple[str, ...], folder: Path) -> Started | RunError:
    """Angles and speeds of the joints at the start."""
    path = folder / "FB.mo"
    path.write_text(bar.text(order))
    try:
        run = cutset.load(path).simulate(0.0)
    except RunError as error:
        return error
    q, qd = ([float(run[f"{name}.{what}"][0]) for name in JOINTS] for what in ("q", "qd"))
    return tuple(q), tuple(qd)


def refusal(bar: FourBar, error: RunError) -> str:
    """'' where it is right to refuse: no position closes the loop with the value that is held, or values contradict
    each other."""
    if error.code == "E644" and not bar.agree:
        return ""
    held = HELD.findall(str(error))
    if error.code != "E633" or len(held) != 1:
        return f"refused: {error}"
    (name, value) = held[0]
    if name not in bar.angles or abs(bar.angles[name] - float(value)) > 1e-5:
        return f"{name} is held at {value}, which nobody has written"
    return f"refused, though it closes with {name} = {value}" if bar.assemblies(name, bar.angles[name]) else ""


def verdict(bar: FourBar, start: Started | RunError) -> str:
    """'' where the start is right."""
    if isinstance(start, RunError):
        return refusal(bar, start)
    q, qd = dict(zip(JOINTS, start[0], strict=False)), dict(zip(JOINTS, start[1], strict=False))
    kept = [name for name, angle in bar.angles.items() if abs(q[name] - angle) < 1e-9]
    if len(kept) < (len(bar.angles) if bar.agree else 1):
        return f"{sorted(q.items())} where {bar.angles} is written"
    if bar.open_by(start[0]) > 1e-9:
        return f"open by {bar.open_by(start[0]):.1e}"
    if any(abs(q[name] - bar.angles.get(name, 0.0)) > 2 * math.pi for name in JOINTS):
        return f"turned too far: {sorted(q.items())}"
    if any(abs(qd[name] - speed) > 1e-9 for name, speed in bar.speeds.items()):
        return f"{sorted(qd.items())} where {bar.speeds} is written"
    ways, most = bar.turning(start[0]), max(start[1], key=abs)
    along = most / ways[start[1].index(most)]
    return (
        ""
        if all(abs(v - along * w) < 1e-7 for v, w in zip(start[1], ways, strict=False))
        else f"the speeds {start[1]} open the loop"
    )


def same(one: Started | RunError, other: Started | RunError) -> bool:
    """Up to whole turns."""
    if isinstance(one, RunError) or isinstance(other, RunError):
        return isinstance(one, RunError) and isinstance(other, RunError) and one.code == other.code
    turned = [abs(math.remainder(p - q, 2 * math.pi)) for p, q in zip(one[0], other[0], strict=False)]
    return max(turned) < 1e-7 and max(abs(v - w) for v, w in zip(one[1], other[1], strict=False)) < 1e-6


def faults(seed: int, folder: Path) -> list[str]:
    bar = random_four_bar(seed)
    orders = [ORDERS[seed % 6], ORDERS[(seed + 1 + seed // 6 % 5) % 6]]
    starts = [started(bar, order, folder) for order in orders]
    wrong = [said for said in (verdict(bar, start) for start in starts) if said]
    return wrong if wrong or same(*starts) else [f"{orders}: {starts}"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_four_bar_begins_where_it_can(seed: int, tmp_path: Path) -> None:
    assert faults(seed, tmp_path) == []


def main() -> int:
    """Exit code 1 where a start is refused or wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    kinds: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.count):
            wrong = faults(seed, Path(folder))
            kinds["wrong" if wrong else "right"] += 1
            for said in wrong:
                print(f"{seed}: {random_four_bar(seed)}: {said}", flush=True)
    print(dict(kinds))
    return 1 if kinds["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
