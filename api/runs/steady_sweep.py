"""Finds an equilibrium at each point of a sweep, each from the one before: points -> a table."""

from __future__ import annotations

import math
import time

from cutset.api.runs.sweep import Keep, kept_of
from cutset.api.runs.sweep_points import Vary, points_of, spread
from cutset.api.show.sweep_table import Sweep
from cutset.api.translate.given_values import by_kind
from cutset.api.translate.parameter_values import in_own_unit
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.errors import RunError
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.sweep import Row, recorded

# Wrong names and settings are those of all points.
_OF_USAGE = frozenset(("E602", "E604", "E605", "E607"))


def steady_sweep(model: TranslatedModel, vary: Vary, keep: Keep, at: Experiment, target: str) -> Sweep:
    """What to `keep` of the equilibrium of each point, at the start time of `at` with its other values. The search
    starts from the equilibrium of the point before, without that from the start values. A point without an equilibrium
    is a row with its reason. RunError for names that the model does not have."""
    names, points = spread(model.translated.info, *points_of(vary))
    named, kept = kept_of(keep)
    units = model.translated.description.units
    points = tuple({name: in_own_unit(name, value, units) for name, value in point.items()} for point in points)
    info, rows, before = model.translated.info, list[Row](), dict[str, float]()
    for number, point in enumerate(points):
        began, reason, values = time.perf_counter(), "", (math.nan,) * len(kept)
        given = by_kind(info, point.items())
        parameters, inputs = {**at.parameters, **given["parameters"]}, {**at.inputs, **given["inputs"]}
        for start in ([before] if before else []) + [{}]:
            initial = {**at.initial, **start, **given["initial"]}
            try:
                found = model.steady(at.start, parameters=parameters, inputs=inputs, initial=initial, target=target)
            except RunError as error:
                if error.code in _OF_USAGE:
                    raise
                reason, before = " ".join(f"{error.code}: {error.message}".split()), {}
                continue
            values, reason = tuple(recorded(found, each) for each in kept), ""
            before = {name: float(found[name][-1]) for name in info.states}
            break
        rows.append(Row(number, values, "no rest" if reason else "completed", reason, time.perf_counter() - began))
    return Sweep(names, points, named, tuple(rows))
