"""Reads what an optimal motion shall be: texts of objectives and limits -> expressions of a model, and their values.

`Quantities` collects the variables that the texts name, and has the model as a function of these at one point.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from cutset.api.runs.expressions import Expression, expression, wrong
from cutset.api.runs.functions import ModelFunction, model_function
from cutset.api.runs.measures import KINDS, split_arguments
from cutset.api.translate.given_values import array_names
from cutset.api.translate.parameter_values import in_own_unit
from cutset.api.translated_model import TranslatedModel
from cutset.contract.functions import FUNCTIONS
from cutset.runtime.errors import RunError, UnknownName, unknown_variable
from cutset.runtime.given.inputs import derivative_of
from cutset.runtime.results.selection import is_pattern, matching
from cutset.runtime.targets.binding import finite_number

_INF = float("inf")
# The measures of a motion that have derivatives, and how to write others by them.
_TERMS = ("integral", "mean", "max")
_INSTEAD = {"rms": "sqrt(mean(x^2))", "min": "-max(-x) ", "value": "x, the value at the end"}
_MEASURE = re.compile(rf"(?<![\w.)])({'|'.join(KINDS)})\s*\(")


@dataclass(frozen=True)
class Phase:
    """A part of a motion in which the relations and discrete variables of the model hold their values.

    `duration` is in s, or the range (least, most) of a free one. `modes` are held values by the texts of relations and
    names of discrete variables, as `ModelFunction.names["m"]` has them; others are those at the first point of the
    phase in the guess. `limits` and `end` are as those of `Model.optimize`, for this phase; `intervals` are its own.
    """

    duration: float | tuple[float | None, float | None]
    modes: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)
    end: Mapping[str, Any] = field(default_factory=dict)
    intervals: int | None = None


@dataclass(frozen=True)
class Condition:
    """Least and most of an expression."""

    of: Expression
    low: float
    high: float

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.of.text} = {self.low:g}"
        sides = f"{self.low:g} <= " if self.low > -_INF else "", f" <= {self.high:g}" if self.high < _INF else ""
        return f"{sides[0]}{self.of.text}{sides[1]}"


@dataclass(frozen=True)
class Objective:
    """What is least: `whole` is an expression of values at the end and of the `terms`, which it names '0', '1', ...:
    each an integral, a mean or a maximum over the motion."""

    whole: Expression
    terms: tuple[tuple[str, Expression], ...]


class Quantities:
    """The quantities of a problem, and the model as a function of them. `free` are parameters that it can change,
    `references` names that are none of the model."""

    def __init__(self, model: TranslatedModel, free: Iterable[str] = (), references: Iterable[str] = ()):
        info = model.translated.info
        self.model, self.free, self.references = model, tuple(free), tuple(references)
        if not info.states:
            raise RunError("E605", f"the model {info.name} has no states, so it has no motion", "use steady or sweep")
        derived = [name for name in info.inputs if derivative_of(name) in info.inputs]
        if info.delays or derived or info.picked:
            which = "has delays" if info.delays else "chooses its states in a run"
            which = f"needs the derivative of its input '{derived[0]}'" if derived else which
            hint = "make that derivative the input, and integrate it" if derived else "leave that out of the model"
            raise RunError("E655", f"the motion of a model that {which} cannot be optimized", hint)
        self._names: dict[str, None] = {}

    def expression(self, text: str, terms: int = 0) -> Expression:
        """The expression of a text, of variables, parameters, `time`, references, and terms of an objective.
        UnknownName for another name, RunError E605 for a text that is none."""
        info = self.model.translated.info
        own = {*info.names, *self.model.parameters, *self.references, "time"} | {f"'{k}'" for k in range(terms)}

        def unknown(name: str) -> UnknownName:
            nodes = self.model.description.nodes
            return unknown_variable(name, tuple(info.names), nodes)

        found = expression(text, own.__contains__, unknown)
        self._names |= dict.fromkeys(found.names)
        return found

    def conditions(self, given: Mapping[str, Any], what: str) -> list[Condition]:
        """Those of names, patterns, vectors and expressions. A number is the value, for limits that of the size. Errors
        as of `expression`, RunError E605 for a range that is none."""
        found = []
        for text, value in given.items():
            names = self._matched(text)
            values = np.asarray(value, dtype=object).ravel() if array_names(self._info, text) else [value] * len(names)
            parts = values if len(values) == len(names) else [value] * len(names)
            for name, part in zip(names, parts, strict=True):
                sides = limits_of(name, part, what, self.model.description.units)
                if what != "limit" or sides != (-_INF, _INF):
                    found.append(Condition(self.expression(name), *sides))
        return found

    def objective(self, text: str) -> Objective:
        """The objective of a text. Errors as of `expression`, RunError E605 for a measure without a derivative."""
        whole, at, terms = "", 0, list[tuple[str, Expression]]()
        while found := _MEASURE.search(text, at):
            inside = _inside(text, found.end())
            if found[1] in ("max", "min") and len(split_arguments(inside)) > 1:
                whole, at = whole + text[at : found.end()], found.end()
                continue
            if found[1] not in _TERMS:
                hint = f"write {_INSTEAD.get(found[1], 'integral(x), mean(x), max(x), or a value at the end')}"
                raise RunError("E605", f"the objective '{text}' has no derivative: {found[1]}", hint)
            whole, at = f"{whole}{text[at : found.start()]}'{len(terms)}'", found.end() + len(inside) + 1
            terms.append((found[1], self.expression(inside)))
        return Objective(self.expression(whole + text[at:], len(terms)), tuple(terms))

    @cached_property
    def function(self) -> ModelFunction:
        """The residual form of the model, whose outputs are the other variables in all expressions so far."""
        info = self._info
        known = {*info.states, *info.inputs, *self.free, *self.model.parameters, *self.references, "time"}
        outputs = [name for name in self._names if name not in known and not name.startswith("'")]
        return model_function(self.model, "casadi", outputs or list(info.states), self.free, True)

    def values(self, names: Iterable[str], terms: Iterable[Any], **at: Any) -> list[Any]:
        """The values of names: columns of t, x, u, p, r (references) and y of the function, and the terms."""
        places = {
            name: (key, k)
            for key, own in (("y", self.function.names["y"]), ("r", self.references), ("p", self.free),
                             ("u", self.function.names["u"]), ("x", self.function.names["x"]), ("t", ("time",)))
            for k, name in enumerate(own)
        }  # fmt: skip
        found, terms = [], list(terms)
        for name in names:
            if name in places:
                key, k = places[name]
                found.append(at[key][k, :] if key != "t" else at[key])
            else:
                found.append(terms[int(name[1:-1])] if name.startswith("'") else self.model.parameters[name])
        return found

    @property
    def _info(self) -> Any:
        return self.model.translated.info

    def _matched(self, text: str) -> list[str]:
        """The names of a vector or of a pattern, or the expression itself."""
        if parts := array_names(self._info, text):
            return list(parts)
        try:
            self.expression(text)
        except RunError:
            if not is_pattern(text) or not (found := matching(text, self._info.names)):
                raise
            return found
        return [text]


def limits_of(name: str, given: Any, what: str, units: Mapping[str, str]) -> tuple[float, float]:
    """Least and most of what is given: a pair, in which None is no limit, or a number. RunError E605 for a range that
    is none."""
    sides = list(given) if isinstance(given, tuple | list) else [given, given]
    low, high = (
        sign * _INF if side is None else finite_number(f"the {what} of '{name}'", in_own_unit(name, side, units))
        for sign, side in zip((-1.0, 1.0), sides if len(sides) == 2 else ["", ""], strict=True)
    )
    if what == "limit" and not isinstance(given, tuple | list) and given is not None:
        low = 0.0 - high
    if low > high:
        raise RunError("E605", f"the {what} of '{name}', {given!r}, contains no value", "give (least, most)")
    return low, high


def _inside(text: str, start: int) -> str:
    """The text from there to the parenthesis that closes before it opens."""
    depth = 1
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return text[start:at]
    raise wrong(text, "close all parentheses")


def called(name: str, arguments: Any) -> Any:
    """The value of a function of symbols. RunError E605 for one without a derivative."""
    from cutset.export.symbolic.of_casadi import CasadiPackage
    from cutset.export.symbolic.shared import operations

    op = "fabs" if name == "abs" else name
    if FUNCTIONS[op].jumps:
        raise RunError("E605", f"'{name}' has no derivative, so it can be in no objective or limit", "leave it out")
    return operations(CasadiPackage(), {each: row.numpy for each, row in FUNCTIONS.items()})[op](*arguments)


def span(given: Any) -> tuple[float, float, float]:
    """Least, first guess and most of a duration. RunError E605 for one that is not positive."""
    sides = given if isinstance(given, tuple | list) and len(given) == 2 else (given, given)
    low = finite_number("the least duration", 1e-3 if sides[0] is None else sides[0])
    high = _INF if sides[1] is None else finite_number("the greatest duration", sides[1])
    if not 0.0 <= low <= high or high == 0.0:
        raise RunError("E605", f"a duration must be a time greater than 0 s, or a range, not {given!r}")
    low = max(low, 1e-6 * high) if high < _INF else low
    return low, max(1.0, 2.0 * low) if high == _INF else 0.5 * (low + high), high
