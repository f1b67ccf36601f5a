"""Varies parameters within their tolerances: a model -> points for a sweep, at random or at their limits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cutset.api.runs.sampling import sample, uniform
from cutset.api.show.sweep_table import Sweep
from cutset.api.translate.parameter_values import Setting, in_own_unit
from cutset.api.translated_model import TranslatedModel
from cutset.compiler.units.quantities import split_quantity
from cutset.compiler.units.symbols import OFFSETS
from cutset.contract.tolerance import Tolerance
from cutset.runtime.description import Description
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.interface import Vector
from cutset.runtime.results.selection import element_of, matching

# All corners of so many parameters are computed: with the nominal values these are 257 points.
MOST_OF_CORNERS = 8

Points = list[Mapping[str, Setting]]


@dataclass(frozen=True, eq=False)
class Tolerances:
    """The tolerances of parameters of a model, with the other values `given` for its runs on `target`."""

    model: TranslatedModel
    given: Mapping[str, Setting]
    of: Mapping[str, Tolerance]
    target: str

    def points(self, shares: Vector) -> Points:
        """The values at shares (n, k) of the k tolerances, from -1 to 1. A value that is computed from others lies
        about what these make of it."""
        known, names = self._values({}), list(self.of)
        # Together up, together down, and each by another share: a ratio does not change if both its parts do alike.
        tried = [dict.fromkeys(names, 1.0), dict.fromkeys(names, -1.0), {n: math.cos(k) for k, n in enumerate(names)}]
        computed = {
            name
            for k, name in enumerate(names)
            if any(self._value(name, names[:k], moves, known) != known[name] for moves in tried)
        }
        found: Points = []
        for row in shares.tolist():
            point: dict[str, Setting] = {}
            for name, share in zip(names, row, strict=True):
                own = self._values(point)[name] if name in computed else known[name]
                point[name] = own + share * self.of[name].width(own)
            found.append(point)
        return found

    def _value(
        self, name: str, others: Sequence[str], shares: Mapping[str, float], known: Mapping[str, float]
    ) -> float:
        """The value, if the others were at these shares of their tolerances."""
        moved = {other: known[other] + shares[other] * self.of[other].width(known[other]) for other in others}
        return self._values(moved)[name]

    def _values(self, point: Mapping[str, Setting]) -> dict[str, float]:
        return self.model.values_with({**self.given, **point}, self.target)


def tolerances_of(
    model: TranslatedModel, given: Mapping[str, Setting], more: Mapping[str, Setting], target: str
) -> Tolerances:
    """Those that the model gives to its parameters, and `more` by names or patterns: "5 %", "50 Ohm" or a number in the
    unit of the parameter. RunError E602 for an unknown name, E605 for what is no tolerance, or if there is none."""
    description, info = model.translated.description, model.translated.info
    known, found = [*info.parameters, *info.folded], dict(description.tolerances)
    for pattern, text in more.items():
        names = [name for name in known if matching(pattern, [name]) or element_of(name)[0] == pattern]
        if not names:
            raise RunError("E602", *unknown_name("parameter", pattern, known))
        found |= {name: _tolerance(name, text, description) for name in names}
    if not found:
        hint = "write R = 1 kOhm +- 5 % in the model, or give --tolerance R=5% (in Python: tolerances={'R': '5 %'})"
        raise RunError("E605", "no parameter of the model has a tolerance", hint)
    order = {name: k for k, name in enumerate(known)}
    return Tolerances(
        model, given, {name: found[name] for name in sorted(found, key=lambda n: order.get(n, -1))}, target
    )


def _tolerance(name: str, text: Setting, of: Description) -> Tolerance:
    written = split_quantity(text) if isinstance(text, str) else None
    is_share = written is not None and written[1] == "%"
    # A share of a temperature that people see in degC would depend on the zero of its scale.
    has_zero = name in of.displays and of.displays[name].zero != 0.0
    refused = written is not None and (written[1] in OFFSETS or (is_share and has_zero))
    size = float(written[0]) / 100.0 if is_share and written else in_own_unit(name, text, of.units)
    if refused or not isinstance(size, float | int) or not (math.isfinite(size) and size > 0.0):
        hint = "give a share of the value, '5 %', or a positive difference with its unit, '50 Ohm', '2 K'"
        raise RunError("E605", f"the tolerance of '{name}' cannot be '{text}'", hint)
    return Tolerance(float(size), is_share)


def monte_carlo(tolerances: Tolerances, runs: int, seed: int) -> Points:
    """Values for this number of runs, uniformly distributed within the tolerances, independently of each other, by a
    Latin hypercube. Errors as `sample`."""
    drawn = sample(dict.fromkeys(tolerances.of, uniform(-1.0, 1.0)), runs, seed=seed)
    return tolerances.points(np.stack([drawn[name] for name in tolerances.of], axis=1))


def worst_case(tolerances: Tolerances, sweep: Callable[[Points], Sweep]) -> Sweep:
    """The runs at the nominal values, which are the first row, and at all corners of the tolerances. For more than
    MOST_OF_CORNERS parameters: with one parameter at a time at each of its limits, and then, for each result, with all
    of them at the limits that raise it and at those that lower it."""
    k = len(tolerances.of)
    if k <= MOST_OF_CORNERS:
        corners = np.array(list(itertools.product((-1.0, 1.0), repeat=k)))
        return sweep(tolerances.points(np.vstack([np.zeros((1, k)), corners])))
    first = sweep(tolerances.points(np.vstack([np.zeros((1, k)), np.eye(k), -np.eye(k)])))
    directions = [np.sign(np.nan_to_num(first[name][1 : k + 1] - first[name][k + 1 :])) for name in first.numbers]
    chosen = np.unique(np.array([sign * each for each in directions for sign in (-1.0, 1.0)]).reshape(-1, k), axis=0)
    second = sweep(tolerances.points(chosen + 0.0))
    rows = [*first.rows, *(replace(row, number=len(first) + row.number) for row in second.rows)]
    return replace(first, points=(*first.points, *second.points), rows=tuple(rows))
