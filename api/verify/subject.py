"""Translates a model in one way, evaluates it at points and runs it: a `Subject`, of which others are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from cutset.api.mechanics.force_paths import cuts_in_loops
from cutset.api.mechanics.frame_quantities import CutFrame, DriveCut, Place, inner_paths, is_frame, places_of
from cutset.api.model import Model, loaded
from cutset.api.translate.parameter_values import Setting
from cutset.api.translate.retranslation import weakly_started
from cutset.api.verify.balances import Element, elements_of, largest_violation
from cutset.api.verify.comparison import Curves, Difference, Table, stacked, table_of
from cutset.api.verify.energies import energy_violation, moving_parts, stores
from cutset.api.verify.given_states import evaluated_at
from cutset.api.verify.impulses import impulse_violation
from cutset.api.verify.instants import instant_violation
from cutset.api.verify.residuals import (
    equation_violation,
    shortest_period,
    slope_violation,
    start_violation,
    without_events,
)
from cutset.api.verify.restated.edits import Naming
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.options import Options
from cutset.compiler.sort.system import Start
from cutset.contract.names import rpartition, split
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result

LIBRARIES = ("mbs", "mbssim", "mbsabs", "mbsmat")
# The one whose elements have vectors in the inertial frame.
ABSOLUTE = "mbsabs"
# The variables of joints in loops that are unique even if the forces there are not.
_COORDINATES = ("q", "qd", "qdd")
# What formulations may distribute differently in loops with redundant constraints.
_FORCES = ("force", "torque")
# The relative and absolute tolerances of two runs by all equations. These methods keep the absolute one for forces too,
# whose rounding is larger than that of states.
OF_TWO_RUNS = (1e-5, 1e-7)
# Their limit on steps between two rows: one by all equations takes some ten times as long as others.
_STEPS_OF_ALL = 2000
# The rows of a run in which the equations of the model are checked, and those before events.
_CHECKED = 5


@dataclass(frozen=True)
class Point:
    """Start values, and the values of inputs."""

    initial: Mapping[str, float]
    inputs: Mapping[str, float]


@dataclass(frozen=True)
class Subject:
    """A translated model: the library of its mechanism (empty for none), its cut-frames and drive lines, its elements
    with cut-frames, the cuts in loops, the paths below which variables differ from library to library, the parts that
    store energy, the notes on start values, and how it is evaluated."""

    model: Model
    library: str
    cuts: Mapping[str, Place]
    elements: tuple[Element, ...]
    in_loops: frozenset[str]
    inner: frozenset[str]
    equations: tuple[FlatModel, EquationSystem] | None = None
    moving: Mapping[str, tuple[str, str]] | None = None
    told: tuple[str, ...] = ()
    target: str = "python"
    method: str = "auto"
    run_target: str = "auto"
    naming: Naming = field(default_factory=Naming)
    parameters: Mapping[str, float] = field(default_factory=dict)
    initial: Mapping[str, float] = field(default_factory=dict)

    def at(self, point: Point) -> Result:
        """The model at a point. RunError or NoValue if it has no solution there."""
        given = {self.naming.after(name): self.naming.factor(name) * x for name, x in point.initial.items()}
        if self._is_direct(point):
            return evaluated_at(self.model, given, point.inputs, self.target)
        # By any of its names: a translation may give a state another one.
        known = {*self.model.moving, *(n for n, slot in self.model.translated.info.names.items() if slot.array == "x")}
        initial = {**self.initial, **{name: value for name, value in given.items() if name in known}}
        return self.model.simulate(
            0.0, start=0.0, initial=initial, inputs=point.inputs, target=self.target, method=self.method,
            parameters=self.parameters,
        )  # fmt: skip

    def _is_direct(self, point: Point) -> bool:
        """True if a run from the point would need a translation of its own, because the model gives some start values
        weakly, and is not needed, because the point has all states."""
        names = {self.naming.after(name) for name in point.initial}
        weak = weakly_started(self.model.translated.info, names)
        return bool(weak) and self.method == "auto" and not self.parameters and names >= set(self.model.states)

    def takes(self, point: Point) -> bool:
        """True unless a run from the point would need a translation of its own."""
        names = {self.naming.after(name) for name in point.initial}
        return self._is_direct(point) or not weakly_started(self.model.translated.info, names)

    def runs(self, times: Vector) -> tuple[Result, Result]:
        """The motion by all equations at these times at two tolerances, from the model's own start. RunError if a run
        fails."""
        settings = {"max_steps": _STEPS_OF_ALL}
        coarse, fine = (self.run(times, rtol=each, atol=each, **settings) for each in OF_TWO_RUNS)
        return coarse, fine

    def run(self, times: Vector, **settings: Any) -> Result:
        """The motion at these times from the model's own start, with these settings of `simulate`. RunError if the run
        fails."""
        given: dict[str, Any] = {"method": self.method, "target": self.run_target} | settings
        given |= {"parameters": self.parameters, "initial": self.initial}
        return self.model.simulate(float(times[-1]), start=0.0, times=times, **given)

    def violation(self, results: Sequence[Result]) -> Difference | None:
        """The law of mechanics that the results violate most; None without a mechanism."""
        return largest_violation(self.elements, self.model.folded, results)

    def shortest_period(self, run: Result) -> float:
        """The shortest period of the waves in the equations along the run, in s; inf if there is none."""
        if self.equations is None:
            return np.inf
        return shortest_period(self.equations[0], {**self.model.parameters, **self.parameters}, run)

    def without_events(self) -> frozenset[str]:
        """The variables that may jump where no event is."""
        return without_events(self.equations[0]) if self.equations else frozenset()

    def laws(self, run: Result) -> list[Difference]:
        """What a run with many rows violates most: an equation of the model, a balance of charge, flux, momentum or
        energy over an event, the integral of a derivative. None of them without equations."""
        if self.equations is None:
            return []
        (flat, system), known = self.equations, {**self.model.parameters, **self.parameters}
        at_events = np.isin(run.time, run.time[1:][np.diff(run.time) == 0.0])
        rows, before = np.flatnonzero(~at_events), np.flatnonzero(~at_events[:-1] & at_events[1:])
        parts = [each[np.linspace(0, len(each) - 1, _CHECKED).astype(int)] for each in (rows, before) if len(each)]
        chosen = np.unique(np.concatenate(parts)) if parts else rows
        found = (
            equation_violation(flat, known, run, chosen.tolist()),
            start_violation(system, known, run, self.told),
            instant_violation(flat, known, run),
            impulse_violation(system, known, run),
            slope_violation(flat, run),
            None if self.moving is None else energy_violation(self.moving, self.elements, known, run),
        )
        return [each for each in found if each is not None]

    def table(self, results: Sequence[Result], other: Subject) -> Table:
        """All that must be equal in the other translation, a row for each result."""
        return stacked([self.quantities(result, other) for result in results])

    def curves(self, result: Result, times: Vector, other: Subject) -> Curves:
        """The same at these times."""
        rows = np.searchsorted(result.time, times + 1e-12 * abs(times[-1]), side="right") - 1
        instants = np.unique(result.time[1:][np.diff(result.time) == 0.0])
        return Curves(times, self.quantities(result, other).rows(rows), instants)

    def quantities(self, result: Result, other: Subject) -> Table:
        """The same in all rows of a result."""
        differs, shared = self.selection(other)
        names = self._names(result, other, shared)

        def unique(kind: str, cut: str) -> bool:
            return kind not in _FORCES or cut not in shared

        found = table_of(result, names, self.cuts if differs else {}, unique=unique)
        return replace(found, values=found.values / [self.naming.factor(name) for name in found.names])

    @cached_property
    def drives(self) -> frozenset[str]:
        """The variables in cuts of drive lines that are compared as forces."""
        return frozenset(n for each in self.cuts.values() if isinstance(each, DriveCut) for n in each.own())

    def selection(self, other: Subject) -> tuple[bool, frozenset[str]]:
        """What decides which quantities must be equal in the other translation: whether it has another library, and the
        cuts whose forces are not unique."""
        is_open = any(each.model.translated.info.open_systems for each in (self, other))
        return self.library != other.library, self.in_loops | other.in_loops if is_open else frozenset()

    def _names(self, result: Result, other: Subject, shared: frozenset[str]) -> dict[str, str]:
        """The variables to compare: their names in the model as it is written, with those in the result."""
        info = self.model.translated.info
        parameters = {*info.parameters, *info.folded}
        own = {self.naming.before(name): name for name in result.names() if name not in parameters}
        if self.library == other.library:
            return own
        differing = {name for each in self.cuts.values() if isinstance(each, CutFrame) for name in each.own()}
        differing |= self.drives & other.drives
        of_loops = frozenset(rpartition(cut, ":")[0] for cut in shared)
        absolute = ABSOLUTE in (self.library, other.library)
        return {
            name: column
            for name, column in own.items()
            if name not in differing and _means_the_same(name, self.inner, of_loops, absolute)
        }


@lru_cache(maxsize=100_000)
def _means_the_same(name: str, elements: frozenset[str], of_loops: frozenset[str], absolute: bool) -> bool:
    """True unless a variable depends on the formulation: the vectors inside an element of a mechanism in absolute
    coordinates, and all but the coordinates of an element whose forces are not unique."""
    while name.startswith("der(") and name.endswith(")"):
        name = name[4:-1]
    *path, last = split(name)
    around = {".".join(path[:k]) for k in range(1, len(path) + 1)}
    if around & of_loops:
        return last in _COORDINATES
    is_inside = around & elements or any(each.startswith(".".join(path) + ".") for each in elements)
    return not (absolute and last.endswith(")") and path and is_inside)


def subject_of(path: Path, name: str | None, options: Options, parameters: Mapping[str, Setting]) -> Subject:
    """The object of the file, translated with these options. ModelError, RunError as in `cutset.load`."""
    kept, flats, systems, told = list[Instance](), list[FlatModel](), list[EquationSystem](), list[str]()

    def keep(stage: str, result: object) -> None:
        if isinstance(result, Instance):
            kept.append(result)
        elif isinstance(result, FlatModel):
            flats.append(result)
        elif isinstance(result, EquationSystem):
            systems.append(result)
        elif isinstance(result, Start):
            told.extend(label.text for label in (*result.vain, *result.guesses))

    model = loaded(path, name, options, parameters, [keep])
    classes = [cut.cut_class for each in kept[0].walk() for cut in each.cuts if is_frame(cut) and cut.cut_class]
    library = Path(classes[0].span.source.name).stem if classes else ""
    known, places = library if library in LIBRARIES else "", places_of(kept[0])
    elements, in_loops = elements_of(kept[0], places), cuts_in_loops(kept[0], places.values())
    return Subject(model, known, places, elements, in_loops, inner_paths(kept[0]), (flats[0], systems[0]),
                   stores(kept[0]) or moving_parts(kept[0]), tuple(told))  # fmt: skip
