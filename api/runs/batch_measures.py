"""Measures the runs of a batch: trajectories at the output times -> a number of each run for each measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from cutset.api.files.result_table import Table
from cutset.api.runs.expressions import expression
from cutset.api.runs.measures import Measure, is_measure, measure_of
from cutset.contract.metadata import ModelInfo
from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError, unknown_variable
from cutset.runtime.interface import Vector

# Measures that are those of whole columns: of a variable, between the rows of which it is straight.
_OF_ROWS: Mapping[str, Callable[[Vector], Vector]] = {
    "max": lambda columns: columns.max(axis=1),
    "min": lambda columns: columns.min(axis=1),
}


def split_outputs(outputs: str | Iterable[str] | None) -> tuple[list[str] | None, list[Measure]]:
    """The patterns of variables, None for the default, and the measures. RunError E605 for a wrong measure."""
    if outputs is None:
        return None, []
    given = [outputs] if isinstance(outputs, str) else list(outputs)
    return [each for each in given if not is_measure(each)], [measure_of(each) for each in given if is_measure(each)]


def measured_variables(info: ModelInfo, measures: Sequence[Measure]) -> tuple[str, ...]:
    """The variables of the measures. UnknownName for another name."""
    unknown = partial(unknown_variable, known=info.names)
    known = {*info.names, *info.folded}.__contains__
    each = (
        name for measure in measures for curve in measure.curves for name in expression(curve, known, unknown).names
    )
    return tuple(dict.fromkeys(each))


def measured(
    measures: Sequence[Measure], times: Vector, names: Sequence[str], values: Vector
) -> tuple[dict[str, Vector], list[str]]:
    """For each measure a number of each run (runs,), from the trajectories of these variables (runs, n_times, n); nan
    for a run that did not arrive, and for one without such a value, of which the notes tell. RunError for a measure
    that no run can have."""
    found, notes = dict[str, Vector](), list[str]()
    arrived = np.isfinite(values).all(axis=(1, 2))
    for measure in measures:
        curve = measure.curves[0]
        if measure.kind in _OF_ROWS and not measure.options and curve in names:
            found[measure.text] = _OF_ROWS[measure.kind](values[:, :, names.index(curve)])
            continue
        results, reasons = np.full(len(values), np.nan), Counter[str]()
        for run in np.flatnonzero(arrived).tolist():
            try:
                results[run] = measure(Table({"time": times, **dict(zip(names, values[run].T, strict=True))}))
            except RunError as error:
                if error.code != "E667":
                    raise
                reasons[error.message] += 1
        if reasons:
            first, total = reasons.most_common(1)[0][0], sum(reasons.values())
            notes.append(f"{measure.text} has no value in {counted(total, 'run')}: {first}")
        found[measure.text] = results
    return found, notes
