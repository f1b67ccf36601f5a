"""Runs tests: a case -> its outcome, with a sentence for each expectation that does not hold."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cutset.api.files.exit_errors import CommandFailed, UsageError
from cutset.api.testing.cases import Case, Expected
from cutset.api.translate.parameter_values import in_own_unit
from cutset.compiler.diagnostics import ModelError, visible
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.results.trajectories import Trajectories

if TYPE_CHECKING:
    from cutset.api.files.result_table import Table
    from cutset.api.model import Model
    from cutset.runtime.results.result import Result


@dataclass(frozen=True)
class Outcome:
    """What became of a test: its `problems` (none if it passed), and its duration in s."""

    case: Case
    problems: tuple[str, ...]
    seconds: float

    @property
    def passed(self) -> bool:
        """True if every expectation holds."""
        return not self.problems


def outcome_of(case: Case, update: bool = False) -> Outcome:
    """Run a test. With `update`, its reference is written anew instead of compared. CommandFailed if that fails."""
    start = time.perf_counter()
    try:
        problems = tuple(_problems(case, update))
    except ModelError as error:
        problems = _expected_failure(case, error.diagnostics[0].code, _first(error))
    except RunError as error:
        problems = _expected_failure(case, error.code, f"{error.code}: {error.message}")
    return Outcome(case, problems, time.perf_counter() - start)


def _first(error: ModelError) -> str:
    first, more = error.diagnostics[0], len(error.diagnostics) - 1
    also = "" if not more else " (and 1 more error)" if more == 1 else f" (and {more} more errors)"
    return f"{first.code}: {first.message}{also}; see cutset check"


def _expected_failure(case: Case, code: str, text: str) -> tuple[str, ...]:
    if case.fails is None:
        return (text,)
    return () if code == case.fails else (f"expected to fail with {case.fails}, but {text}",)


def _problems(case: Case, update: bool) -> Iterator[str]:
    from cutset.api.files.result_table import read

    model, values = _loaded(case)
    settings, reference = {**case.settings, **values}, None
    writes = update and case.reference is not None
    if case.reference is not None and not writes:
        if not case.reference.exists():
            yield f"the reference {case.reference} does not exist; write it with cutset test --update"
            return
        reference = read(case.reference)
        settings = _at_times_of(reference, settings)
    run = model.simulate(**settings)
    if case.fails is not None:
        yield f"expected to fail with {case.fails}, but it ran to its end"
    for expected in case.expected:
        yield from _difference(run, expected, case.tolerance)
    for condition in case.holds:
        yield from _broken(model, condition, settings)
    if reference is not None:
        yield from _outside(run, reference, case)
    if writes:
        _write(run, case)
    if case.verify:
        yield from _unverified(case)


def _loaded(case: Case) -> tuple[Model, dict[str, Any]]:
    """The model with its values, and the arguments of `Model.simulate` for them."""
    from cutset.api.files.input_tables import columns_of, table
    from cutset.api.model import load
    from cutset.api.translate.given_values import by_kind, elements, named

    try:
        model = load(
            case.model, case.object, library_path=case.include, instead=case.instead, allow_external=case.external
        )
    except ModelError:
        numbers = {name: value for name, value in case.values.items() if isinstance(value, int | float | list)}
        if not numbers:
            raise
        # A model that is wrong with its own values may be right with those of the test.
        model = load(
            case.model, case.object, library_path=case.include, instead=case.instead, allow_external=case.external,
            parameters=numbers,
        )  # fmt: skip
    info, units = model.translated.info, model.translated.description.units
    values = elements(info, named(info, list(case.values.items())))
    settings: dict[str, Any] = dict(by_kind(info, values.items()))
    for path in case.inputs:
        settings["inputs"] = columns_of(info, table(path), units) | dict(settings["inputs"])
    return model.with_values(values), settings


def _at_times_of(reference: Table, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with the output times of the reference, and with its start and stop where the test gives none."""
    times = np.unique(reference.time)
    span = {"start": float(times[0]), "stop": float(times[-1])}
    found = {key: value for key, value in (span | dict(settings)).items() if key not in ("points", "interval")}
    return found | {"times": times[(times > found["start"]) & (times < found["stop"])]}


def _difference(run: Result, expected: Expected, tolerance: float) -> Iterator[str]:
    from cutset.api.runs.sweep import measured_of
    from cutset.runtime.runs.sweep import recorded, variable_of

    measure, variable, of = measured_of(expected.quantity), variable_of(expected.quantity), run.description.units
    units = {variable: of.get(variable) or of.get(f"{variable}(1)") or of.get(f"{variable}(1,1)", "")}
    where, span = expected.quantity, 0.0
    if isinstance(measure, str):
        span = float(np.ptp(run[variable]))
    if expected.time is not None:
        if variable != expected.quantity or not isinstance(measure, str):
            raise RunError("E605", f"'{expected.quantity}' is over the whole run; it has no value at one time")
        found, where = np.asarray(run.at(expected.time)[variable]), f"{variable} at time {expected.time:g}"
    elif isinstance(measure, str):
        found = np.asarray(run[variable][-1] if variable == expected.quantity else recorded(run, expected.quantity))
    else:
        found, units = np.asarray(measure(run)), {variable: measure.unit(run)}
    several = [expected.value] if isinstance(expected.value, float | str) else expected.value
    numbers = [in_own_unit(variable, each, units) for each in several]
    value = np.asarray(numbers[0] if isinstance(expected.value, float | str) else numbers)
    if found.shape != value.shape:
        yield f"{where} has {found.size} elements, and {value.size} are expected"
        return
    allowed = tolerance * max(span, float(np.abs(value).max())) if expected.within is None else expected.within
    distance = float(np.abs(found - value).max())
    if not distance <= allowed:
        yield f"{where} = {_shown(found)}, expected {_shown(value)}: {distance:.3g} apart, allowed {allowed:.3g}"


def _shown(values: Any) -> str:
    return f"{values:.9g}" if values.ndim == 0 else "[" + ", ".join(f"{each:.9g}" for each in values.ravel()) + "]"


def _broken(model: Model, condition: str, settings: Mapping[str, Any]) -> Iterator[str]:
    """A sentence if the condition does not hold through the whole run."""
    run = model.simulate(**settings, until=f"not ({condition})")
    if run.ending is not None:
        yield f"{condition} holds no longer at time {run.time[-1]:.9g}"


def _outside(run: Result, reference: Table, case: Case) -> Iterator[str]:
    names = [name for name in reference.select(case.compare) if name in run]
    if not names:
        yield f"no variable of {case.reference} matches {', '.join(case.compare)}"
    if run.ending is not None and run.time[-1] < reference.time[-1]:
        yield f"the model ended the run at {run.time[-1]:.9g}, before the end of {case.reference}"
    part = reference.at([t for t in reference.time if run.time[0] <= t <= run.time[-1]])
    for each in distances(run, part, names, case.tube, [event.time for event in run.events]):
        if each.excess > 0.0:
            yield f"{each} (the tube around {case.reference})"


def _write(run: Result, case: Case) -> None:
    from cutset.api.files.result_files import check_writable, write_table

    assert case.reference is not None
    try:
        case.reference.parent.mkdir(parents=True, exist_ok=True)
        check_writable(case.reference, "table")
    except (UsageError, OSError) as error:
        raise CommandFailed(f"cannot write the reference of test '{case.name}': {error}") from error
    write_table(run, case.reference, list(case.compare))


def _unverified(case: Case) -> Iterator[str]:
    from cutset.api.verify.verification import verify

    numbers = {name: value for name, value in case.values.items() if isinstance(value, int | float | list)}
    found = verify(
        case.model, case.object, library_path=case.include, allow_external=case.external, parameters=numbers,
        instead=dict(case.instead), stop=case.settings.get("stop"),
    )  # fmt: skip
    for row in found.rows:
        if not row.passed:
            yield f"verify: {row.way}: {row.problem or 'differs'}; see cutset verify"


def write_junit(outcomes: Sequence[Outcome], path: Path) -> None:
    """Write one test suite with a test case for each outcome. OSError if the file cannot be written."""
    from xml.etree.ElementTree import Element, ElementTree, SubElement

    failures = sum(not each.passed for each in outcomes)
    counts = {"tests": str(len(outcomes)), "failures": str(failures), "errors": "0"}
    suite = Element("testsuite", {"name": "cutset test", **counts, "time": f"{sum(e.seconds for e in outcomes):.3f}"})
    for each in outcomes:
        name = {"classname": visible(str(each.case.file)), "name": visible(each.case.name)}
        case = SubElement(suite, "testcase", {**name, "time": f"{each.seconds:.3f}"})
        if each.problems:
            text = visible("\n".join(each.problems))
            SubElement(case, "failure", {"message": visible(each.problems[0])}).text = text
    ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


# --- the distance from a reference ----------------------------------------------------------------

# A variable may differ from the reference by a part of its range. Beside an event, instants may differ by one row.

Rows = NDArray[np.intp]
Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Distance:
    """How far a variable leaves its tube at most: `found` at `time`, outside of `least` to `most`."""

    name: str
    time: float
    found: float
    least: float
    most: float

    @property
    def excess(self) -> float:
        """How far outside of the tube; at most 0 inside, infinite for what is not finite."""
        excess = max(self.least - self.found, self.found - self.most)
        return excess if np.isfinite(excess) else np.inf

    def __str__(self) -> str:
        side = f"below {self.least:.9g}" if self.found < self.least else f"above {self.most:.9g}"
        return f"{self.name} = {self.found:.9g} at time {self.time:.9g}, {side}"


def times_of(reference: Trajectories) -> Vector:
    """The instants of the reference, each once."""
    return np.unique(reference.time)


def distances(
    run: Trajectories, reference: Trajectories, names: Sequence[str], part: float, events: Iterable[float]
) -> list[Distance]:
    """For each variable the row that is farthest outside of its tube, which is `part` of the variable's range wide on
    both sides of the reference. Beside `events`, and where the reference has two rows at one instant, the tube takes in
    the rows before and after."""
    times = times_of(reference)
    first, last = (np.searchsorted(reference.time, times, side) for side in ("left", "right"))
    jumps = np.flatnonzero(last - first > 1)
    wide = _near(times, np.concatenate([np.fromiter(events, float), times[jumps]]))
    values = run.at(times)
    return [_farthest(name, times, values[name], reference[name], first, last - 1, wide, part) for name in names]


def _near(times: Vector, events: Vector) -> Marks:
    """True for the rows before and after an event."""
    wide = np.zeros(len(times), dtype=bool)
    places = np.searchsorted(times, events)
    for shift in (-1, 0):
        wide[np.clip(places + shift, 0, len(times) - 1)] = True
    return wide


def _farthest(
    name: str, times: Vector, found: Vector, expected: Vector, first: Rows, last: Rows, wide: Marks, part: float
) -> Distance:
    least, most = (pick(expected[first], expected[last]) for pick in (np.minimum, np.maximum))
    before, after = np.arange(len(times)) - 1, np.arange(len(times)) + 1
    neighbors = np.clip(before, 0, None), np.clip(after, None, len(times) - 1)
    lowest = np.minimum(least, np.minimum(least[neighbors[0]], least[neighbors[1]]))
    highest = np.maximum(most, np.maximum(most[neighbors[0]], most[neighbors[1]]))
    room = part * (np.ptp(expected) or np.abs(expected).max(initial=0.0))
    least, most = np.where(wide, lowest, least) - room, np.where(wide, highest, most) + room
    outside = np.maximum(least - found, found - most)
    row = int(np.argmax(np.where(np.isfinite(outside), outside, np.inf)))
    return Distance(name, *(float(each[row]) for each in (times, found, least, most)))
