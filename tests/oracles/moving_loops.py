"""``python -m tests.oracles.moving_loops --library mbsabs --first 0 --count 60``: random loops of up to four bodies
that move for 0.4 s, closed by the elements that close loops and by joints. Both have to move as those of mbs that are
closed by elements, at dead points of coordinates, too; there is one note of each joint that closes a loop. Prints the
loops that differ."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from oracles.random_loops import JOINTS, random_loop

import cutset

# A coordinate of a joint of the tree, or of a joint in it, or its derivative.
_COORDINATE = re.compile(r"j\d+\.([a-z]+\.)*qd?")
# In units of the largest value of a coordinate, at least 1.
APART = 1e-5


def difference(seed: int, folder: Path, library: str) -> float:
    """The largest between the motions, relative to the size of a coordinate. RunError; AssertionError if a note is
    missing."""
    loop = random_loop(seed, 4)
    by_joints = loop.by_joints()
    times = np.linspace(0.0, 0.4, 41)
    motions = []
    for text, own in ((loop.text, "mbs"), (loop.text, library), (by_joints.text, library)):
        path = folder / f"m{len(motions)}.mo"
        path.write_text(text.replace("@mbssim", f"@{own}"), encoding="utf-8")
        run = cutset.load(path).simulate(0.4, times=times, rtol=1e-9, atol=1e-10, method="tsit5")
        motions.append({name: run.at(times)[name] for name in run.names() if _COORDINATE.fullmatch(name)})
    notes = sum("closes the loop" in note for note in run.notes)
    assert notes == sum(c.kind in JOINTS for c in by_joints.closings), f"{notes} notes"
    known = set(motions[0]).intersection(*motions[1:])
    return max(
        float(np.abs(other[name] - motions[0][name]).max() / max(1.0, np.abs(motions[0][name]).max()))
        for name in known for other in motions[1:]
    ) if known else 0.0  # fmt: skip


def main() -> int:
    """Compare the loops of the command line; 1 if some differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.moving_loops", description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--library", default="mbsabs")
    options = parser.parse_args()
    wrong = 0
    for seed in range(options.first, options.first + options.count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = difference(seed, Path(folder), options.library)
                words = f"{found:.1e}" if found > APART else ""
            except (cutset.ModelError, cutset.RunError, AssertionError) as error:
                words = str(error).splitlines()[0]
        wrong += bool(words)
        print(f"{seed}: {words}" if words else f"{seed}", flush=True)
    print(f"{options.count} loops, {wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
