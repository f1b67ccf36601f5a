"""``python -m tests.oracles.common_names --first 0 --count 100 [FILE ...]``: every variable that two multibody
libraries share by name, at the start and at the end of a short run of random trees with random drive lines, or of the
files. Prints the names that differ."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

import cutset

sys.path.insert(0, str(Path(__file__).parents[1]))

from oracles.random_trees import random_tree

LIBRARIES = ("mbs", "mbssim", "mbsmat", "mbsabs")
STOP = 0.05


def driven_tree(number: int) -> str:
    """A tree in the text of mbs whose joints have drive lines of all elements, some stuck, locked or moved."""
    rng = np.random.default_rng([37, number])
    tree = random_tree(number, int(rng.integers(1, 5)), "mbs", forces=bool(rng.integers(2)))
    lines, actions = [], []
    for joint in tree.joints:
        lines += _drive_line(rng, joint, actions)
    return tree.text.replace("\nend\n", "\n" + "\n".join((*lines, *actions)) + "\nend\n")


def _drive_line(rng: np.random.Generator, joint: str, actions: list[str]) -> list[str]:
    """Elements at the joint and behind a gear or a shaft; at most one of them can hold it."""
    lines, points, holds = list[str](), [f"{joint}:ext"], False

    def add(kind: str, parameters: str = "") -> str:
        name = f"{joint}_{kind}{len(lines)}".lower()
        lines.append(f"  submodel ({kind}) {name}{parameters}")
        return name

    for kind in rng.choice(("IdealGear", "ShaftSpring", "none"), rng.integers(0, 3)):
        if kind == "none":
            continue
        given = f"(ratio={rng.uniform(-5, 5):.3f})" if kind == "IdealGear" else f"(c={rng.uniform(1, 50):.3f}, d=0.2)"
        name = add(kind, given)
        lines.append(f"  connect {name}:B at {points[-1]}")
        points.append(f"{name}:A")
        lines.append(f"  connect {add('Rotor', f'(J={rng.uniform(0.01, 0.5):.3f})')} at {points[-1]}")
    for kind in rng.choice(tuple(ELEMENTS), rng.integers(1, 4)):
        if kind in HOLDING and (holds or rng.random() < 0.3):
            continue
        holds = holds or kind in HOLDING
        name = add(kind, ELEMENTS[kind].format(*rng.uniform(0.1, 2, 3)))
        # A shaft between a Motion and the joint would need the derivatives of the joint's acceleration.
        at = points[0] if kind in ("Motion", "Lock") else points[rng.integers(len(points))]
        lines.append(f"  connect {name} at {at}")
        if kind == "Motion":
            actions.append(f"  {name}.q_ref = {rng.uniform(-1, 1):.3f}*time + {rng.uniform(-1, 1):.3f}*time^2")
        if kind == "JointForce":
            actions.append(f"  {name}.f = {rng.uniform(-3, 3):.3f}")
        if kind == "Brake":
            actions.append(f"  {name}.engaged = {rng.integers(2)}")
    return lines


HOLDING = ("CoulombFriction", "Brake", "Lock", "Motion")
ELEMENTS = {
    "Rotor": "(J={:.3f})", "JointSpring": "(c={:.3f}, q_rest={:.3f})", "JointDamper": "(d={:.3f})",
    "JointSpringDamper": "(c={:.3f}, d={:.3f}, q_rest={:.3f})", "JointForce": "", "Motion": "", "Lock": "",
    "CoulombFriction": "(fc={:.3f}, d={:.3f}, peak=1.2)", "Brake": "(fc={:.3f})",
    "JointStop": "(q_min=-0.01, q_max=0.02, c={:.3f}, d={:.3f})",
}  # fmt: skip


def differing(
    file: Path, own: str = "mbs", others: tuple[str, ...] = LIBRARIES[1:], target: str = "auto"
) -> tuple[int, list[str]]:
    """How many names the libraries share with `own`, which the file includes, and those whose values differ."""
    first = _run(file, {}, target)
    shared, wrong = 0, list[str]()
    for library in others:
        run = _run(file, {own: library}, target)
        names = _shared(first, run)
        shared += len(names)
        for name in names:
            a, b = np.asarray(first[name], float), np.asarray(run[name], float)
            size = max(1.0, abs(a).max(), abs(b).max())
            if not (abs(a - b).max() <= 1e-6 * size):
                wrong.append(f"{library}: {name} = {b[0]:g} to {b[-1]:g}, not {a[0]:g} to {a[-1]:g}")
    return shared, wrong


def _shared(first: cutset.Result, other: cutset.Result) -> list[str]:
    """The scalars of both; an array of another shape is another quantity, such as the force `fa` of mbsabs beside the
    wrench `fa` of the others."""
    arrays = [{name: array.shape for name, array in run.arrays.items()} for run in (first, other)]
    theirs = set(other.names())
    unlike = {name for name in arrays[0] if arrays[0][name] != arrays[1].get(name, arrays[0][name])}
    return [name for name in first.names() if name in theirs and name.rpartition("(")[0] not in unlike]


def _run(file: Path, instead: dict[str, str], target: str) -> cutset.Result:
    model = cutset.load(file, instead=instead or None)
    return model.simulate(STOP, points=2, rtol=1e-10, atol=1e-12, target=target)


def main() -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    total = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        texts = {str(n): driven_tree(n) for n in range(arguments.first, arguments.first + arguments.count)}
        texts = {str(file): "" for file in arguments.files} or texts
        for name, text in texts.items():
            file = Path(folder) / "tree.mo" if text else Path(name)
            if text:
                file.write_text(text, encoding="utf-8")
            own = next(x for x in ("mbssim", "mbsmat", "mbsabs", "mbs") if f"@{x}" in file.read_text())
            try:
                shared, found = differing(file, own, tuple(x for x in LIBRARIES if x != own))
            except (cutset.ModelError, cutset.RunError) as failed:
                shared, found = 0, [str(failed).splitlines()[0]]
            total, wrong = total + shared, wrong + bool(found)
            print(f"{name}: {shared} names shared" + "".join(f"\n  {each}" for each in found), flush=True)
    print(f"{len(texts)} models, {total} names shared, {wrong} models differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
