"""``python -m tests.oracles.many_loops --first 0 --count 50``: random loops of up to 20 bodies in all multibody
libraries and in the oracle of trees with conditions, which have to agree in the accelerations of all joints and in the
motion and the forces at all cuts, as far as these are determined. Prints each loop as it goes, so that many can be run
in pieces."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from oracles.cut_quantities import Mechanism, Values, differences, largest, mechanism
from oracles.random_loops import RandomLoop, random_loop
from oracles.translated import relative_error

import cutset

LIBRARIES = ("mbs", "mbssim", "mbsabs", "mbsmat")
# How far start values may be from those that the text gives.
APART = 1e-7


@dataclass(frozen=True)
class Compared:
    """For each kind of quantities the largest difference, in parts of its largest value; `accelerations` are those of
    the joints, against the oracle too. `condition` is that of the equations of the oracle."""

    apart: dict[str, float]
    condition: float

    @property
    def is_right(self) -> bool:
        """True if all is equal but rounding."""
        return max(self.apart.values()) < 1e-9 * max(1.0, 1e-3 * self.condition)


def accelerations(loop: RandomLoop, found: Mechanism, target: str) -> tuple[np.ndarray, Values]:
    """Those of the joints at the start, and the quantities of all cuts. RunError if the model does not start."""
    run = found.model.simulate(0.0, target=target)
    for names, values in ((loop.tree.positions, loop.q), (loop.tree.velocities, loop.qd)):
        for name, x in zip(names, values, strict=True):
            if not abs(run[name][0] - x) < APART * max(1.0, abs(x)):
                raise AssertionError(f"{name} starts at {run[name][0]} instead of {x}")
    return np.array([run[f"der({name})"][0] for name in loop.tree.velocities]), found.values(run)


def compared(
    loop: RandomLoop, folder: Path, libraries: Sequence[str] = LIBRARIES, target: str = "python"
) -> Iterator[tuple[str, Compared | str]]:
    """Each library with how far it is from the oracle and from the first one, or why it does not run."""
    expected = loop.accelerations()
    first: tuple[Values, Mechanism] | None = None
    for library in libraries:
        file = folder / f"{library}_loop.mo"
        file.write_text(loop.text.replace("@mbssim", f"@{library}"), encoding="utf-8")
        try:
            model = mechanism(file)
            qdd, values = accelerations(loop, model, target)
        except (cutset.ModelError, cutset.RunError, AssertionError) as error:
            yield library, f"{type(error).__name__}: {str(error).splitlines()[0]}"
            continue
        apart = {"accelerations": relative_error(qdd, expected)}
        if first is None:
            first = values, model
        else:
            is_open = model.has_open_forces or first[1].has_open_forces or loop.is_redundant
            without = model.in_loops | first[1].in_loops if is_open else frozenset[str]()
            apart |= differences(first[0], values, without)
        yield library, Compared(apart, loop.condition)


def _told(result: Compared | str) -> str:
    if isinstance(result, str):
        return result
    return f"{max(result.apart.values()):.0e}" if result.is_right else f"is WRONG: {result}"


def main() -> int:
    """Exit code 1 where the libraries are apart, or one does not run."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.many_loops", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="how many loops")
    parser.add_argument("--first", type=int, default=0, help="number of the first loop")
    parser.add_argument("--most", type=int, default=20, help="joints of the largest mechanisms")
    parser.add_argument(
        "--joints", action="store_true", help="close the loops by joints, of which the compiler chooses"
    )
    parser.add_argument("--libraries", nargs="+", default=list(LIBRARIES), help="libraries to compare")
    arguments = parser.parse_args()
    wrong, refused, redundant, right = 0, 0, 0, list[dict[str, float]]()
    for number in range(arguments.first, arguments.first + arguments.count):
        began, loop = time.process_time(), random_loop(number, arguments.most)
        loop = loop.by_joints() if arguments.joints else loop
        redundant += loop.is_redundant
        kinds = "+".join(c.kind for c in loop.closings)
        print(f"{number} ({kinds}, {len(loop.tree.places)} joints, {loop.freedom} free", end="", flush=True)
        print(f"{', redundant' if loop.is_redundant else ''}):", end="", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for library, result in compared(loop, Path(folder), arguments.libraries):
                refused += isinstance(result, str)
                wrong += isinstance(result, Compared) and not result.is_right
                print(f" {library} {_told(result)};", end="", flush=True)
                if isinstance(result, Compared) and result.is_right:
                    right.append(result.apart)
        print(f" {time.process_time() - began:.0f} s", flush=True)
    print(f"{arguments.count} loops ({redundant} redundant) in {len(arguments.libraries)} libraries: ", end="")
    print(f"{len(right)} agree, {wrong} are wrong, {refused} do not run; those that agree are at most apart by")
    print("\n".join(f"  {kind:13} {apart:.1e}" for kind, apart in largest(right).items()))
    return 1 if wrong or refused else 0


if __name__ == "__main__":
    sys.exit(main())
