"""Verifies a model: translates and evaluates it in independent ways, and compares all that must be equal.

A mechanism is translated with each multibody library, which are formulations of different papers: Newton's and Euler's
laws (mbs), articulated bodies (mbssim), absolute coordinates (mbsabs) and velocity transformation (mbsmat). Every model
is also evaluated without optimizations, in C and in Python, and by all its equations at once, with states (bdf) and
without a choice of states (ggl).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cutset.balances import elements_of
from cutset.comparison import Difference
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.instantiate.instance import Instance
from cutset.evaluation_time import seconds_at_start
from cutset.force_paths import cuts_in_loops
from cutset.frame_quantities import inner_paths, is_frame, places_of
from cutset.given_states import NoValue
from cutset.model import Model, load
from cutset.parameter_values import Setting
from cutset.reference_motion import Elsewhere, ReferenceMotion, Subject
from cutset.runtime.errors import RunError
from cutset.runtime.solvers import OF_ALL_EQUATIONS

LIBRARIES = ("mbs", "mbssim", "mbsabs", "mbsmat")


@dataclass(frozen=True)
class Way:
    """A way to translate and evaluate the model. `library` replaces that of the model, if it is not empty; `runs` is
    False if only values at points are compared."""

    name: str
    library: str = ""
    target: str = "python"
    method: str = "auto"
    without: tuple[str, ...] = ()
    runs: bool = False


@dataclass(frozen=True)
class Compared:
    """What one way found: sizes of the translation, the time in s of one evaluation in C (nan if it was not compiled),
    the largest difference to the model as it is written at points and in runs (None if nothing was compared), the law
    of mechanics that its values violate most (None without a mechanism), why something could not be compared (empty
    if all was), and the stop time of its runs in s (0 for none). `is_refused`: this way does not translate the model.
    """

    way: str
    states: int = 0
    largest_system: int = 0
    operations: int = 0
    seconds: float = math.nan
    at_points: Difference | None = None
    in_runs: Difference | None = None
    laws: Difference | None = None
    problem: str = ""
    is_refused: bool = False
    stop: float = 0.0

    @property
    def wrong(self) -> tuple[Difference, ...]:
        """What is more than allowed."""
        return tuple(d for d in (self.laws, self.at_points, self.in_runs) if d is not None and d.is_wrong)

    @property
    def passed(self) -> bool:
        """True if nothing differs and nothing failed."""
        return (self.is_refused or not self.problem) and not self.wrong


@dataclass(frozen=True)
class Verification:
    """The result of `verify`: the model as it is written first, then the other ways; the number of points, the start
    among them, and the stop time of the runs in s."""

    model: str
    rows: tuple[Compared, ...]
    points: int
    stop: float

    @property
    def passed(self) -> bool:
        """True if all ways agree."""
        return all(row.passed for row in self.rows)


def verify(
    path: str | os.PathLike[str],
    name: str | None = None,
    *,
    stop: float | None = None,
    points: int = 3,
    seed: int = 1,
    library_path: Iterable[str | os.PathLike[str]] = (),
    allow_external: bool = False,
    parameters: Mapping[str, Setting] | None = None,
    instead: Mapping[str, str] | None = None,
    tell: Callable[[str], object] = lambda way: None,
) -> Verification:
    """Compute the model in all ways and compare: all variables at the start and at `points` random points near it, and
    the motion from 0 to `stop` (in s; 0 for none; None for 1 s, or the model's own stop if that is earlier) at two
    tolerances; runs by bdf and ggl end after about 40 events. The further arguments are those of `load`;
    `tell` is called with the name of each way before it begins. ModelError if the model is wrong, RunError if it does
    not start or run as it is written."""
    options = {"library_path": tuple(library_path), "allow_external": allow_external, "parameters": parameters}
    exchanged = dict(instead or {})
    written = Way("as written", runs=True)
    tell(written.name)
    reference = _translated(Path(path), name, written, exchanged, options)
    if stop is None:
        stop = min(1.0, max(0.0, reference.model.experiment.stop))
    motion = ReferenceMotion(reference, points, seed, stop)
    label = f"{written.name} ({reference.library})" if reference.library else written.name
    rows = [replace(_sizes(label, reference.model, stop > 0.0), laws=motion.own_violation())]
    for way in _ways(reference):
        tell(way.name)
        replaced = exchanged | ({reference.library: way.library} if way.library else {})
        try:
            subject = (
                _translated(Path(path), name, way, replaced, options)
                if way.library or way.without
                else replace(reference, target=way.target, method=way.method)
            )
        except ModelError as error:
            rows.append(Compared(way.name, problem=_reason(error), is_refused=True))
        else:
            rows.append(_compared(way, subject, motion, stop > 0.0))
    return Verification(reference.model.name, tuple(rows), len(motion.points), stop)


def _ways(reference: Subject) -> list[Way]:
    """The ways for a model, which depend on its library and on whether it has constraints."""
    library = reference.library
    ways = [
        Way("without optimizations", without=("reciprocals", "sincos", "loops")),
        Way("compiled", target="auto"),
        Way("all equations (bdf)", method="bdf", runs=True),
    ]
    if reference.model.translated.statistics.differentiated_equations:
        ways.append(Way("stabilized (ggl)", method="ggl", runs=True))
    return ways + [Way(other, other, runs=True) for other in LIBRARIES if library and other != library]


def _translated(
    path: Path, name: str | None, way: Way, instead: Mapping[str, str], options: Mapping[str, Any]
) -> Subject:
    kept: list[Instance] = []

    def keep(stage: str, result: object) -> None:
        if isinstance(result, Instance):
            kept.append(result)

    model = load(path, name, listeners=[keep], instead=instead, without=way.without, **options)
    classes = [cut.cut_class for each in kept[0].walk() for cut in each.cuts if is_frame(cut) and cut.cut_class]
    library = Path(classes[0].span.source.name).stem if classes else ""
    known, places = library if library in LIBRARIES else "", places_of(kept[0])
    elements, in_loops = elements_of(kept[0], places), cuts_in_loops(kept[0], places.values())
    return Subject(model, known, places, elements, in_loops, inner_paths(kept[0]), way.target, way.method)


def _compared(way: Way, subject: Subject, motion: ReferenceMotion, runs: bool) -> Compared:
    row = Compared(way.name)
    try:
        row = _sizes(way.name, subject.model, way.runs and runs)
        at_points, laws = motion.at_points(subject)
        row = replace(row, at_points=at_points, laws=laws)
        return replace(row, in_runs=motion.in_runs(subject), stop=motion.stop_of(way.method)) if way.runs else row
    except (RunError, NoValue, Elsewhere) as error:
        # Where redundant constraints leave forces undetermined, not all unknowns follow from all equations.
        is_open = way.method in OF_ALL_EQUATIONS and bool(subject.model.translated.info.open_systems)
        cause = "some of the constraints are redundant: " if is_open else ""
        return replace(row, problem=cause + _reason(error), is_refused=is_open)


def _sizes(way: str, model: Model, is_timed: bool) -> Compared:
    count = model.translated.statistics
    sizes = [torn for _, torn in (*count.linear_systems, *count.nonlinear_systems)]
    seconds = seconds_at_start(model.build("auto")) if is_timed else math.nan
    return Compared(way, count.states, max(sizes, default=0), count.mul_div + count.add_sub, seconds)


def _reason(error: ModelError | RunError | NoValue | Elsewhere) -> str:
    """What is wrong, in one line, with the code that `cutset explain` takes."""
    if isinstance(error, NoValue | Elsewhere):
        return str(error)
    first = error.diagnostics[0] if isinstance(error, ModelError) else error
    return f"{first.message} ({first.code})"
