"""Verifies a model: translates and evaluates it in independent ways, and compares all that must be equal.

A mechanism is translated with each multibody library, which are formulations of different papers: Newton's and Euler's
laws (mbs), articulated bodies (mbssim), absolute coordinates (mbsabs) and velocity transformation (mbsmat). Every model
is also evaluated without optimizations, in C and in Python, and by all its equations at once, with states (bdf) and
without a choice of states (ggl).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Unpack

from cutset.api.model import Model
from cutset.api.runs.evaluation_time import seconds_at_start
from cutset.api.runs.settings import takes
from cutset.api.translate.translation_options import LoadSettings, translation_options
from cutset.api.verify.comparison import Difference
from cutset.api.verify.given_states import NoValue
from cutset.api.verify.in_parallel import in_parallel
from cutset.api.verify.reference_motion import Elsewhere, ReferenceMotion
from cutset.api.verify.restated.ways import Restated, Restating
from cutset.api.verify.subject import LIBRARIES, Subject, subject_of
from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.options import Options, pairs
from cutset.runtime.errors import RunError
from cutset.runtime.outcome import Outcome
from cutset.runtime.solvers import OF_ALL_EQUATIONS

# The methods of the default way that are compared with it.
_METHODS, _MORE_METHODS = ("dopri5", "cvode-bdf"), ("tsit5", "bs32", "cvode-adams", "ida", "radau")
# What a parameter that entries are given is multiplied by.
_CHANGED = 1.02
# In a quick verification models with fewer names have values tried one by one, so many.
_SMALL, _ALONE, _THOROUGH = 150, 12, 60


@dataclass(frozen=True)
class Way:
    """A way to translate and evaluate the model. `library` replaces that of the model, if it is not empty; `runs` and
    `at_points` tell where it is compared."""

    name: str
    library: str = ""
    target: str = "python"
    run_target: str = "auto"
    method: str = "auto"
    without: tuple[str, ...] = ()
    runs: bool = False
    at_points: bool = True


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
    edits: tuple[str, ...] = ()

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
    among them, and the stop time of the runs in s. `undetermined` quantities are not compared from a time on, because
    tolerances that are a tenth and a thousandth of the model's give different values."""

    model: str
    rows: tuple[Compared, ...]
    points: int
    stop: float
    undetermined: tuple[int, float] = (0, 0.0)

    @property
    def passed(self) -> bool:
        """True if all ways agree."""
        return all(row.passed for row in self.rows)


@takes(LoadSettings)
def verify(
    path: str | os.PathLike[str],
    name: str | None = None,
    *,
    stop: float | None = None,
    points: int = 3,
    seed: int = 1,
    thorough: bool = False,
    tell: Callable[[str], object] = lambda way: None,
    **settings: Unpack[LoadSettings],
) -> Verification:
    """Compute the model in all ways, say it otherwise, and compare: all variables at the start and at `points` random
    points near it, and along the motion from 0 to `stop` (in s; 0 for none; None for 1 s, or the model's own stop if
    that is earlier), with one of bounded steps and a thousandth of the tolerance; runs by bdf and ggl end after about
    40 events. If `thorough`, each kind of edits of the text alone, more values that runs give, and all entries. The
    settings are those of `load`; `tell` is called with the name of each way before it begins. ModelError if
    the model is wrong, RunError if it does not start or run as it is written."""
    options = translation_options(settings)
    translate = partial(subject_of, Path(path), name, parameters=settings.get("parameters") or {})
    written = Way("as written", runs=True)
    tell(written.name)
    reference = translate(options)
    if stop is None:
        stop = min(1.0, max(0.0, reference.model.experiment.stop))
    motion = ReferenceMotion(reference, points, seed, stop)
    label = f"{written.name} ({reference.library})" if reference.library else written.name
    sizes = _sizes(label, reference.model, stop > 0.0)
    own = replace(sizes, in_runs=motion.own_difference())
    ways = [way for way in _ways(reference, thorough) if way.at_points or stop > 0.0]
    tasks: dict[str, Callable[[], list[Compared]]] = {
        "equations and laws": lambda: [replace(own, laws=motion.own_violation())]
    }
    tasks |= {
        way.name: partial(_computed, way, _options(options, reference.library, way), translate, motion, stop > 0.0)
        for way in ways
    }
    restating = Restating(Path(path), options, translate, motion, reference, _reason)
    if thorough and stop > 0.0:
        tasks["through all entries"] = lambda: list(_entered(motion, reference))
    tasks |= _restated(restating, reference, stop > 0.0, seed, thorough)
    # What takes longest begins first: the ways that another library or all equations compute.
    long = {way.name for way in ways if way.library or way.method in OF_ALL_EQUATIONS}
    found = in_parallel({name: tasks[name] for name in sorted(tasks, key=lambda name: name not in long)}, tell)
    rows = chain.from_iterable(found[name] for name in tasks)
    return Verification(reference.model.name, tuple(rows), len(motion.points), stop, motion.undetermined())


def _computed(
    way: Way, options: Options, translate: Callable[[Options], Subject], motion: ReferenceMotion, runs: bool
) -> list[Compared]:
    try:
        subject = translate(options) if way.library or way.without else motion.subject
    except ModelError as error:
        return [Compared(way.name, problem=_reason(error), is_refused=True)]
    other = replace(subject, target=way.target, method=way.method, run_target=way.run_target)
    return [_compared(way, other, motion, runs)]


def _entered(motion: ReferenceMotion, reference: Subject) -> Iterator[Compared]:
    """Runs through all entries, which are given a value of a parameter and a start value that the text does not have,
    if the model runs with them."""
    model = reference.model
    values = {name: value for name, value in model.parameters.items() if value and name not in model.folded}
    given = {name: _CHANGED * value for name, value in list(values.items())[:1]}
    started = motion.started(_CHANGED)
    for parameters, starts in ((given, started), (given, {}), ({}, started), ({}, {})):
        try:
            found = list(motion.through_entries(parameters, starts))
        except RunError:
            continue
        for name, each in found:
            yield Compared(name, problem=_reason(each)) if isinstance(each, Exception) else Compared(name, in_runs=each)
        return


def _restated(
    restating: Restating, reference: Subject, runs: bool, seed: int, thorough: bool
) -> dict[str, Callable[[], list[Compared]]]:
    """The ways in which the text says the same otherwise."""
    tasks: dict[str, Callable[[], list[Compared]]] = {
        "said otherwise": lambda: list(map(_row, restating.wordings(seed, together=not thorough)))
    }
    if runs:
        few = _ALONE if len(reference.model.translated.info.names) < _SMALL else 0
        few = _THOROUGH if thorough else few
        tasks["values given by a run"] = lambda: list(
            map(_row, (*restating.values(seed, few), *restating.starts(seed, few)))
        )
    return tasks


def _row(found: Restated) -> Compared:
    sizes = Compared(found.way) if found.subject is None else _sizes(found.way, found.subject.model, False)
    return replace(
        sizes, at_points=found.at_points, in_runs=found.in_runs, problem=found.problem,
        edits=tuple(map(str, found.edits)),
    )  # fmt: skip


def _options(options: Options, library: str, way: Way) -> Options:
    exchanged = pairs(dict(options.instead) | {library: way.library}) if way.library else options.instead
    return replace(options, instead=exchanged, passes=LatePasses().without(way.without))


def _ways(reference: Subject, thorough: bool) -> list[Way]:
    """The ways for a model, which depend on its library and on whether it has constraints."""
    library = reference.library
    ways = [
        Way("without optimizations", without=("reciprocals", "sincos", "loops", "factors")),
        Way("compiled", target="auto"),
        *(Way(f"by {method}", method=method, runs=True, at_points=False) for method in _METHODS),
        Way("all equations (bdf)", method="bdf", runs=True),
    ]
    if thorough:
        ways += [Way(f"by {method}", method=method, runs=True, at_points=False) for method in _MORE_METHODS]
        ways.append(Way("in Python", run_target="python", runs=True, at_points=False))
        ways.append(Way("in extended precision", target="extended"))
    if reference.model.translated.statistics.differentiated_equations:
        ways.append(Way("stabilized (ggl)", method="ggl", runs=True))
    return ways + [Way(other, other, runs=True) for other in LIBRARIES if library and other != library]


def _compared(way: Way, subject: Subject, motion: ReferenceMotion, runs: bool) -> Compared:
    row = Compared(way.name)
    try:
        row = _sizes(way.name, subject.model, way.runs and runs)
        if way.at_points:
            at_points, laws = motion.at_points(subject)
            row = replace(row, at_points=at_points, laws=laws)
        times = motion.times_of(way.method)
        return replace(row, in_runs=motion.in_runs(subject), stop=float(times[-1])) if way.runs and runs else row
    except (RunError, NoValue, Elsewhere) as error:
        # Where redundant constraints leave forces undetermined, not all unknowns follow from all equations.
        is_open = way.method in OF_ALL_EQUATIONS and bool(subject.model.translated.info.open_systems)
        cause = "some of the constraints are redundant: " if is_open else ""
        # A method for smooth models may take too many steps.
        is_slow = way.method != "auto" and isinstance(error, RunError) and error.code == Outcome.TOO_MANY_STEPS.code
        return replace(row, problem=cause + _reason(error), is_refused=is_open or is_slow)


def _sizes(way: str, model: Model, is_timed: bool) -> Compared:
    count = model.translated.statistics
    sizes = [torn for _, torn in (*count.linear_systems, *count.nonlinear_systems)]
    seconds = seconds_at_start(model.build("auto")) if is_timed else math.nan
    return Compared(way, count.states, max(sizes, default=0), count.mul_div + count.add_sub, seconds)


def _reason(error: Exception) -> str:
    """What is wrong, in one line, with the code that `cutset explain` takes."""
    first = error.diagnostics[0] if isinstance(error, ModelError) else error
    return f"{first.message} ({first.code})" if isinstance(first, RunError | Diagnostic) else str(error)
