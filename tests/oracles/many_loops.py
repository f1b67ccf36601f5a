"""``python -m tests.oracles.many_loops``: random loops of up to 20 bodies in all multibody libraries, which have to
agree in the accelerations of all joints and in the load of the joint that closes the loop."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from oracles.multibody import Joint
from oracles.random_trees import random_tree
from oracles.translated import relative_error

import cutset

LIBRARIES = ("mbs", "mbssim", "mbsabs", "mbsmat")
# What closes a loop, and the conditions that it imposes.
CLOSING = {"RodSphericalSpherical": 1, "CutSpherical": 3, "CutUniversal": 4, "CutRevolute": 5}
LOAD = tuple(f"load.{what}({k})" for what in ("f", "tau") for k in (1, 2, 3))
# How long the first library runs from the home position to the state that is compared, in s.
MOVED = 0.1


@dataclass(frozen=True)
class RandomLoop:
    """`text` declares the object `RandomTree` for mbssim, closed in its home position; `joints` are its coordinates
    without .q, of one degree of freedom each; `closing` is the class of the joint that closes the loop."""

    text: str
    joints: tuple[str, ...]
    closing: str


def loop_number(number: int, most: int = 20) -> RandomLoop:
    """A chain with branches, whose tip is held where it is in the home position."""
    rng = np.random.default_rng([17, number])
    fewest = 3 + number % 3
    tree = random_tree(
        1000 + number, int(rng.integers(fewest, max(fewest, most) + 1)), depth=0.9, rotors=number % 2 == 0
    )
    last, on_the_way = len(tree.tree.joints) - 1, 0
    at = last
    while at >= 0:
        on_the_way, at = on_the_way + 1, tree.tree.joints[at].parent
    fitting = [kind for kind, conditions in CLOSING.items() if conditions < on_the_way]
    kind = str(rng.choice(fitting or ["RodSphericalSpherical"]))
    joint = tree.tree.joints[last]
    assert isinstance(joint, Joint)
    tip = rng.normal(size=3)
    place = tree.tree.point(np.zeros(len(tree.joints)), last, (tip[0], tip[1], tip[2]))
    more = [f"  submodel (Bar) tip({_numbers('r', tip)})", f"  connect {tree.joints[last]}:b to tip"]
    return RandomLoop(_closed(tree.text, kind, place, rng, more), tree.joints, kind)


def _closed(text: str, kind: str, place: np.ndarray, rng: np.random.Generator, more: Sequence[str]) -> str:
    """The tree with a joint between a bar of the inertial system and the tip. All frames are parallel there."""
    axis, other = rng.normal(size=3), rng.normal(size=3)
    other -= axis * (axis @ other) / (axis @ axis)
    if kind == "RodSphericalSpherical":
        away = rng.normal(size=3)
        place, given = place + away, f"length={float(np.linalg.norm(away))!r}"
    elif kind == "CutUniversal":
        given = f"{_numbers('na', axis)}, {_numbers('nb', other)}"
    else:
        given = _numbers("n", axis) if kind == "CutRevolute" else ""
    lines = [
        *more,
        f"  submodel (Bar) ground({_numbers('r', place)})",
        "  submodel (CutForce) load",
        f"  submodel ({kind}) closing" + (f"({given})" if given else ""),
        "  connect i:a to ground to load, closing at (load:b, tip:b)",
    ]
    return text.replace("\nend\n", "\n" + "\n".join(lines) + "\nend\n")


def _numbers(name: str, vector: np.ndarray) -> str:
    return ", ".join(f"{name}{k}={float(x)!r}" for k, x in enumerate(vector, 1))


def apart(loop: RandomLoop, folder: Path, libraries: Sequence[str] = LIBRARIES, target: str = "c") -> dict[str, float]:
    """For each library but the first, how far it is from that one where this has moved from the home position: in parts
    of the largest acceleration or load. Without libraries that close the loop in another way from the same states."""
    file = folder / "loop.mo"
    file.write_text(loop.text.replace("@mbssim", f"@{libraries[0]}"), encoding="utf-8")
    names = [*(f"{name}.qdd" for name in loop.joints), *LOAD]
    first, found = None, {}
    initial: dict[str, float] = {}
    for library in libraries:
        model = cutset.load(file, instead={libraries[0]: library} if library != libraries[0] else {})
        if first is None:
            run = model.simulate(stop=MOVED, points=2, rtol=1e-10, atol=1e-10, target=target)
            # A joint that the loop locks has no start values.
            moves = [name for name in loop.joints if abs(run[f"{name}.qd"]).max() > 1e-9]
            initial = {f"{name}.{x}": float(run[f"{name}.{x}"][-1]) for name in moves for x in ("q", "qd")}
            first = np.array([run[name][-1] for name in names])
            continue
        given = {name: initial[name] for name in model.states if name in initial} or initial
        run = model.simulate(stop=0.0, initial=given, target=target)
        if any(abs(run[name][0] - x) > 1e-6 for name, x in initial.items() if name.endswith(".q")):
            continue  # closed in another way, from the same states
        other, n = np.array([run[name][0] for name in names]), len(loop.joints)
        parts = [(other[:n], first[:n])] + ([(other[n:], first[n:])] if first[n:].any() else [])
        found[library] = max(relative_error(a, b) for a, b in parts)
    return found


def main() -> int:
    """Exit code 1 where the libraries are apart, or one does not run."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.many_loops", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="how many loops")
    parser.add_argument("--first", type=int, default=0, help="number of the first loop")
    parser.add_argument("--most", type=int, default=20, help="joints of the largest mechanisms")
    parser.add_argument("--libraries", nargs="+", default=list(LIBRARIES), help="libraries to compare with the first")
    arguments = parser.parse_args()
    wrong, other, worst = 0, 0, 0.0
    for number in range(arguments.first, arguments.first + arguments.count):
        loop = loop_number(number, arguments.most)
        try:
            with tempfile.TemporaryDirectory() as folder:
                found = apart(loop, Path(folder), arguments.libraries, target="python")
        except (cutset.ModelError, cutset.RunError) as error:
            wrong += 1
            print(f"{number} ({loop.closing}, {len(loop.joints)} joints): {str(error).splitlines()[0]}", flush=True)
            continue
        other += len(found) < len(arguments.libraries) - 1
        worst = max([worst, *found.values()])
        if not max(found.values(), default=0.0) < 1e-9:
            wrong += 1
            print(f"{number} ({loop.closing}, {len(loop.joints)} joints): {found}", flush=True)
    print(f"{arguments.count} loops, {wrong} wrong, {other} closed in another way by a library")
    print(f"the libraries are at most {worst:.1e} apart")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
