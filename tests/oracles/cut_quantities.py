"""Compares the motion and the forces at all cuts of a mechanism in two libraries: models -> the largest differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import cutset
from cutset.api.mechanics.force_paths import cuts_in_loops
from cutset.api.mechanics.frame_quantities import Place, places_of
from cutset.api.verify.given_states import evaluated_at
from cutset.compiler.instantiate.instance import Instance
from cutset.runtime.results.result import Result

# Kinds of quantities with one scale each: the largest value at any cut.
KINDS = {
    "rotation": "position", "position": "position", "angular velocity": "velocity", "velocity": "velocity",
    "angular acceleration": "acceleration", "acceleration": "acceleration", "force": "force", "torque": "torque",
}  # fmt: skip
FORCES = ("force", "torque")
Values = Mapping[tuple[str, str], np.ndarray]


@dataclass(frozen=True, eq=False)
class Mechanism:
    """A translated model, its cut-frames and those in loops."""

    model: cutset.Model
    places: Mapping[str, Place]
    in_loops: frozenset[str]

    @property
    def has_open_forces(self) -> bool:
        """True if redundant constraints leave forces undetermined."""
        return bool(self.model.translated.info.open_systems)

    def at(self, states: Mapping[str, float], target: str = "auto") -> Values:
        """The quantities of all cuts at these values of all states."""
        return self.values(evaluated_at(self.model, states, {}, target))

    def values(self, result: Result) -> Values:
        """The quantities of all cuts in the last row."""
        return {
            (kind, name): vector[-1] for name, place in self.places.items() for kind, vector in place.quantities(result)
        }


def mechanism(path: Path, instead: Mapping[str, str] | None = None) -> Mechanism:
    """The last object of the file. ModelError if it has errors."""
    kept: list[Instance] = []
    model = cutset.load(
        path, listeners=[lambda stage, result: kept.append(result) if isinstance(result, Instance) else None],
        instead=instead,
    )  # fmt: skip
    places = places_of(kept[0])
    return Mechanism(model, places, cuts_in_loops(kept[0], places.values()))


def differences(first: Values, other: Values, without: frozenset[str] = frozenset()) -> dict[str, float]:
    """For each kind of quantities the largest difference at a cut that both have, in parts of the largest value of the
    kind at any cut of the first; forces at the cuts `without` are left out."""
    found: dict[str, float] = {}
    scales: dict[str, float] = {}
    for (kind, name), vector in first.items():
        group = KINDS.get(kind)
        if group is None or (kind in FORCES and name in without):
            continue
        scales[group] = max(scales.get(group, 0.0), float(np.abs(vector).max()))
        if (kind, name) not in other:
            continue
        apart = np.abs(other[kind, name] - vector).max()
        found[group] = max(found.get(group, 0.0), float(apart if np.isfinite(apart) else np.inf))
    return {group: apart / scales[group] if scales[group] else apart for group, apart in found.items()}


def largest(found: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The largest difference of each kind."""
    total: dict[str, float] = {}
    for each in found:
        for kind, apart in each.items():
            total[kind] = max(total.get(kind, 0.0), apart)
    return total
