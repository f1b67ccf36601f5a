"""``python -m tests.oracles.many_trees``: random trees of up to 30 bodies, `mbs` against `mbssim` or other libraries,
and how far `mbs` is torn."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from oracles.random_trees import ALL, RandomTree, random_tree
from oracles.translated import random_state, relative_error, tree_accelerations

import cutset

STATES = 3
# Joints of several freedoms have systems of their own, for their rates and torques; these are no larger than that.
OF_A_JOINT = 24


@dataclass(frozen=True)
class Comparison:
    """`torn` of the `freedoms` of a tree in the systems that are larger than a joint; `apart` are the libraries, in
    parts of the largest acceleration, at the worst of the states."""

    freedoms: int
    torn: int
    apart: float


def tree_number(number: int, most: int = 30) -> RandomTree:
    """Chains, bushes and what is between them; of one axis, of simple joints, of all joints, in turns."""
    rng = np.random.default_rng([15, number])
    joints, depth = int(rng.integers(1, most + 1)), float(rng.choice((0.0, 0.5, 0.9, 1.0)))
    if number % 3 == 0:
        return random_tree(number, joints, depth=depth, axis=(0.0, 0.0, 1.0), kinds=("Revolute",), forces=False)
    if number % 3 == 1:
        return random_tree(number, joints, depth=depth, forces=bool(rng.integers(2)), rotors=bool(rng.integers(2)))
    return random_tree(number, 1 + joints // 3, depth=depth, kinds=ALL)


def comparison(
    tree: RandomTree, folder: Path, target: str = "python", others: Sequence[str] = ("mbssim",)
) -> Comparison:
    """Translates the tree with `mbs` and with the others and evaluates them at random states."""
    models = []
    for library in ("mbs", *others):
        file = folder / f"{library}_tree.mo"
        file.write_text(tree.text.replace("@mbssim", f"@{library}"), encoding="utf-8")
        models.append(cutset.load(file))
    torn = sum(system["torn"] for system in models[0].inspect()["linear_systems"] if system["size"] > OF_A_JOINT)
    assert "mbssim" not in others or models[1 + others.index("mbssim")].inspect()["linear_systems"] == []
    rng, apart = np.random.default_rng(len(tree.text)), 0.0
    for _ in range(STATES):
        q, qd = random_state(tree, rng)
        first, *rest = (tree_accelerations(model, tree, q, qd, target=target) for model in models)
        apart = max(apart, *(relative_error(first, each) for each in rest))
    return Comparison(len(tree.velocities), torn, apart)


def main() -> int:
    """Exit code 1 where a tree is torn further than it has freedoms, or the libraries are apart."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.many_trees", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="how many trees")
    parser.add_argument("--first", type=int, default=0, help="number of the first tree")
    parser.add_argument("--most", type=int, default=30, help="joints of the largest trees")
    parser.add_argument("--others", nargs="+", default=["mbssim"], help="libraries to compare with mbs")
    arguments = parser.parse_args()
    wrong, worst = 0, 0.0
    for number in range(arguments.first, arguments.first + arguments.count):
        tree = tree_number(number, arguments.most)
        with tempfile.TemporaryDirectory() as folder:
            found = comparison(tree, Path(folder), others=arguments.others)
        worst = max(worst, found.apart)
        if found.torn > found.freedoms or not found.apart < 1e-9:
            wrong += 1
            print(f"{number}: {found}", flush=True)
    print(f"{arguments.count} trees, {wrong} wrong; the libraries are at most {worst:.1e} apart")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
