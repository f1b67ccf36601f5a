"""Makes the points of a sweep: lists of values, points or a sample -> the values of each run by scalar name."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence, Sized

import numpy as np

from cutset.api.runs.sampling import Sample
from cutset.api.translate.given_values import elements
from cutset.api.translate.parameter_values import Setting
from cutset.contract.metadata import ModelInfo
from cutset.runtime.errors import RunError

_MOST_POINTS = 1_000_000

Points = Sequence[Mapping[str, Setting]]
Vary = Mapping[str, Sequence[Setting]] | Points | Sample


def points_of(vary: Vary) -> tuple[tuple[str, ...], tuple[Mapping[str, Setting], ...]]:
    """The names and the points: all combinations of the values of each name, or the points as listed. RunError E605 if
    there are none or too many, or if the points have different names."""
    if isinstance(vary, Sample):
        vary = vary.points()
    if isinstance(vary, str) or not isinstance(vary, Iterable):
        raise RunError("E605", f"vary must be lists of values by name, such as {{'R.R': [1.0, 2.0]}}, not {vary!r}")
    if isinstance(vary, Mapping):
        names = tuple(vary)
        for name, values in vary.items():
            if isinstance(values, str) or not isinstance(values, Sized):
                raise RunError("E605", f"the values of '{name}' must be a list, not {values!r}")
        if math.prod(len(vary[name]) for name in names) > _MOST_POINTS:
            raise RunError(
                "E605", f"the sweep has more than {_MOST_POINTS} points", "vary fewer names, or use larger steps"
            )
        points = [dict(zip(names, values, strict=True)) for values in itertools.product(*vary.values())]
    else:
        points = [dict(point) for point in vary]
        names = tuple(points[0]) if points else ()
    if not points or not names:
        raise RunError("E605", "the sweep has no points", "give each name at least one value")
    if any(set(point) != set(names) for point in points):
        raise RunError(
            "E605", "the points of the sweep must all have the same names", f"the first has {', '.join(names)}"
        )
    return names, tuple(points)


def spread(
    info: ModelInfo, names: tuple[str, ...], points: tuple[Mapping[str, Setting], ...]
) -> tuple[tuple[str, ...], tuple[Mapping[str, Setting], ...]]:
    """Names and points with scalars in place of vectors. RunError E605 if points have other elements."""
    if not any(isinstance(value, list | tuple | np.ndarray) for point in points for value in point.values()):
        return names, points
    split = tuple(elements(info, point) for point in points)
    if any(set(point) != set(split[0]) for point in split):
        raise RunError("E605", "the points of the sweep must all have the same elements of vectors")
    return tuple(split[0]), split
