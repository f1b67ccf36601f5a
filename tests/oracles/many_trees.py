"""``python -m tests.oracles.many_trees --first 0 --count 50``: random trees of up to 30 bodies, `mbs` against the other
libraries, an oracle and Pinocchio (if it is installed), in accelerations and cut forces; and how far `mbs` is torn.
Prints each tree as it goes, so that many can be run in pieces."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from oracles.cut_quantities import FORCES, Mechanism, Values, differences, largest, mechanism
from oracles.pinocchio_trees import pinocchio_motion
from oracles.random_trees import ALL, RandomTree, one_joint, random_tree
from oracles.translated import random_state, relative_error, tree_accelerations

STATES = 3
# Joints of several freedoms have systems of their own, for their rates and torques; these are no larger than that.
OF_A_JOINT = 24
HAS_PINOCCHIO = find_spec("pinocchio") is not None


# The relative change of the states that shows how rounding grows.
CHANGE = 1e-10
OTHERS = ("mbssim", "mbsabs", "mbsmat")
EPSILON = float(np.finfo(float).eps)


# These solve for the accelerations of the joints by the pivots of the mass matrix. Its condition is up to the square of
# the growth of errors where a joint has nearly lost a freedom (three angles at 90 degrees): there they have half of the
# digits that the others have, which eliminate between forces and motions of the bodies.
BY_MASS_MATRIX = ("mbssim", "mbsmat")


@dataclass(frozen=True)
class Apart:
    """How far ways are apart at a state: the accelerations of the joints in parts of the largest, and the other
    quantities by kind, `cuts`. `growth` says how much larger relative changes of these are than those of the states;
    `condition` is that of the mass matrix scaled to a unit diagonal, 1 for ways that do not factorize it."""

    accelerations: float
    cuts: dict[str, float]
    growth: float
    condition: float = 1.0

    @property
    def largest(self) -> float:
        """The largest of all differences."""
        return max([self.accelerations, *self.cuts.values()])

    @property
    def is_right(self) -> bool:
        """True if all is equal but rounding."""
        return self.largest < max(1e-9 * max(1.0, 1e-3 * self.growth), EPSILON * self.condition)


@dataclass(frozen=True)
class Comparison:
    """`torn` of the `freedoms` of a tree in the systems that are larger than a joint; and how far each way is from
    `mbs` at each of the states."""

    freedoms: int
    torn: int
    ways: tuple[tuple[str, Apart], ...]

    @property
    def apart(self) -> float:
        """The largest difference in the accelerations of the joints."""
        return max(each.accelerations for _, each in self.ways)

    @property
    def cuts(self) -> dict[str, float]:
        """The largest differences at the cuts, by kind."""
        return largest([each.cuts for _, each in self.ways])

    @property
    def wrong(self) -> tuple[tuple[str, Apart], ...]:
        """Those that are further from `mbs` than rounding explains."""
        return tuple((name, each) for name, each in self.ways if not each.is_right)


def tree_number(number: int, most: int = 30, loads: bool = False) -> RandomTree:
    """Chains, bushes and what is between them; of one axis, of simple joints, of all joints, in turns; the first ones
    after 1000 are each joint on its own."""
    if 1000 <= number < 1000 + len(ALL):
        return one_joint(ALL[number - 1000], number, loads=loads)
    rng = np.random.default_rng([15, number])
    joints, depth = int(rng.integers(1, most + 1)), float(rng.choice((0.0, 0.5, 0.9, 1.0)))
    if number % 3 == 0:
        kinds: tuple[str, ...] = ("Revolute",)
        return random_tree(number, joints, "mbssim", False, kinds, depth=depth, axis=(0.0, 0.0, 1.0), loads=loads)
    if number % 3 == 1:
        forces, rotors = bool(rng.integers(2)), bool(rng.integers(2))
        return random_tree(number, joints, forces=forces, rotors=rotors, depth=depth, loads=loads)
    return random_tree(number, 1 + joints // 3, kinds=ALL, depth=depth, loads=loads)


def comparison(
    tree: RandomTree, folder: Path, target: str = "python", others: Sequence[str] = ("mbssim",)
) -> Comparison:
    """Translates the tree with `mbs` and with the others and evaluates them at random states."""
    found: list[Mechanism] = []
    for library in ("mbs", *others):
        file = folder / f"{library}_tree.mo"
        file.write_text(tree.text.replace("@mbssim", f"@{library}"), encoding="utf-8")
        found.append(mechanism(file))
    models = [each.model for each in found]
    torn = sum(system["torn"] for system in models[0].inspect()["linear_systems"] if system["size"] > OF_A_JOINT)
    has_loads = "(CutForce)" in tree.text
    assert "mbssim" not in others or models[1 + others.index("mbssim")].inspect()["linear_systems"] == []
    rng, ways = np.random.default_rng(len(tree.text)), list[tuple[str, Apart]]()
    for _ in range(STATES):
        q, qd = random_state(tree, rng)
        names = (*tree.positions, *tree.velocities)
        values, *others_values = (_quantities(each, dict(zip(names, (*q, *qd), strict=True)), target) for each in found)
        changed = [x * (1 + CHANGE * rng.choice((-1, 1))) for x in (*q, *qd)]
        near = _quantities(found[0], dict(zip(names, changed, strict=True)), target)
        growth = max(differences(values, near).values()) / CHANGE
        first, *rest = (tree_accelerations(model, tree, q, qd, target=target) for model in models)
        mass, force = tree.tree.equations(q, qd)
        expected, condition = np.linalg.solve(mass, force), _condition(mass)
        for name, accelerations, theirs in zip(others, rest, others_values, strict=True):
            apart = relative_error(first, accelerations), differences(values, theirs), growth
            ways.append((name, Apart(*apart, condition if name in BY_MASS_MATRIX else 1.0)))
        cuts = differences(values, _loads(tree, q, qd, expected)) if has_loads else {}
        ways.append(("oracle", Apart(relative_error(first, expected), cuts, growth, condition)))
        if HAS_PINOCCHIO:
            theirs, forces = pinocchio_motion(tree.tree, q, qd, tree.places)
            cuts = differences(values, _as_values(forces)) if has_loads else {}
            ways.append(("Pinocchio", Apart(relative_error(first, theirs), cuts, growth)))
    return Comparison(len(tree.velocities), torn, tuple(ways))


def _quantities(mechanism: Mechanism, states: Mapping[str, float], target: str) -> Values:
    """The quantities of all cuts; mbsabs chooses some states in the run, which then follow from the start values."""
    if states.keys() >= set(mechanism.model.states):
        return mechanism.at(states, target)
    return mechanism.values(mechanism.model.simulate(0.0, initial=states, target=target))


def _condition(mass: np.ndarray) -> float:
    scale = 1.0 / np.sqrt(np.diag(mass))
    return float(np.linalg.cond(mass * scale * scale[:, None]))


def _loads(tree: RandomTree, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> Values:
    """The oracle's forces and torques on the sensors of the joints."""
    return _as_values(
        {
            place.name: tree.tree.cut_force(q, qd, qdd, place.joint, place.parent, np.array(place.point))
            for place in tree.places
        }
    )


def _as_values(forces: dict[str, tuple[np.ndarray, np.ndarray]]) -> Values:
    pairs = {name: zip(FORCES, both, strict=True) for name, both in forces.items()}
    return {(kind, f"l{name}:a"): vector for name, both in pairs.items() for kind, vector in both}


def _told(found: Comparison) -> str:
    apart = largest([{name: each.largest} for name, each in found.ways])
    return ", ".join(f"{name} {each:.0e}" for name, each in apart.items())


def main() -> int:
    """Exit code 1 where a tree is torn further than it has freedoms, or the libraries are apart."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.many_trees", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="how many trees")
    parser.add_argument("--first", type=int, default=0, help="number of the first tree; from 1000: each joint alone")
    parser.add_argument("--most", type=int, default=30, help="joints of the largest trees")
    parser.add_argument("--others", nargs="+", default=list(OTHERS), help="libraries to compare with mbs")
    parser.add_argument("--no-loads", action="store_true", help="without sensors of the cut forces of all joints")
    arguments = parser.parse_args()
    wrong, worst, cuts = 0, 0.0, list[dict[str, float]]()
    for number in range(arguments.first, arguments.first + arguments.count):
        began, tree = time.process_time(), tree_number(number, arguments.most, not arguments.no_loads)
        with tempfile.TemporaryDirectory() as folder:
            found = comparison(tree, Path(folder), others=arguments.others)
        worst = max(worst, found.apart)
        cuts.append(found.cuts)
        is_wrong = found.torn > found.freedoms or bool(found.wrong)
        wrong += is_wrong
        told = f"is WRONG: {found.torn} torn, {found.wrong}" if is_wrong else _told(found)
        print(f"{number} ({found.freedoms} freedoms): {told}, {time.process_time() - began:.0f} s", flush=True)
    print(f"{arguments.count} trees, {wrong} wrong; the accelerations are at most {worst:.1e} apart, at the cuts:")
    print("\n".join(f"  {kind:12} {apart:.1e}" for kind, apart in largest(cuts).items()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
