"""Reads texts of measures, `rise_time(C1.u, from=1 ms)`, and applies them to results."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from cutset.api.files.result_table import Table
from cutset.api.runs.expressions import expression, wrong
from cutset.api.translate.parameter_values import in_own_unit
from cutset.compiler.units.suggestions import quotient
from cutset.runtime.errors import RunError, unknown_name, unknown_variable
from cutset.runtime.interface import Vector
from cutset.runtime.results.measures import Curve, Step
from cutset.runtime.results.trajectories import Trajectories

_SPAN = ("from", "to")
_STEP = ("base", "top")
_EDGES = ("rise", "fall", "both")
# Which crossings of the second curve a delay counts: those after the first one, or all.
_COUNTS = ("after", "all")
_WHOLE = frozenset(("n", "to_n", "harmonics"))
# The unit of the value of an option that is not a level of the curve.
_UNITS = {"from": "s", "to": "s", "at": "s", "f": "Hz"} | dict.fromkeys(("low", "high", "within"), "1")

Options = Mapping[str, Any]


@dataclass(frozen=True)
class _Kind:
    """What a measure computes of its curve, the unit of it ('same': that of the curve, 'size': that of a difference of
    its values, 'over time': times seconds), and its options beside from and to."""

    value: Callable[[Curve, Options], float]
    unit: str
    options: tuple[str, ...] = ()


def _edge_time(direction: Any) -> Callable[[Curve, Options], float]:
    return lambda c, o: Step.of(c, o.get("base"), o.get("top")).time(o.get("low", 0.1), o.get("high", 0.9), direction)


def _phase(curve: Curve, o: Options) -> float:
    n = o.get("n", 1)
    return float(np.angle(curve.harmonics(n, o.get("f"))[n]))


KINDS: dict[str, _Kind] = {
    "max": _Kind(lambda c, o: c.highest(), "same"),
    "min": _Kind(lambda c, o: c.highest(-1.0), "same"),
    "mean": _Kind(lambda c, o: c.mean(), "same"),
    "rms": _Kind(lambda c, o: c.rms(), "si"),
    "peak_to_peak": _Kind(lambda c, o: c.highest() - c.highest(-1.0), "size"),
    "integral": _Kind(lambda c, o: c.integral(), "over time"),
    "value": _Kind(lambda c, o: float(c.between(np.array([o["at"]]))[0]) if "at" in o else float(c.y[-1]), "same",
                   ("at",)),
    "crossing": _Kind(lambda c, o: c.crossing(o["level"], o.get("edge", "both"), o.get("n", 1)), "s",
                      ("level", "edge", "n")),
    "rise_time": _Kind(_edge_time("rise"), "s", (*_STEP, "low", "high")),
    "fall_time": _Kind(_edge_time("fall"), "s", (*_STEP, "low", "high")),
    "overshoot": _Kind(lambda c, o: Step.of(c, o.get("base"), o.get("top")).overshoot(), "", _STEP),
    "settling_time": _Kind(lambda c, o: Step.of(c, o.get("base"), o.get("top")).settling_time(o.get("within", 0.02)),
                           "s", (*_STEP, "within")),
    "period": _Kind(lambda c, o: c.period(o.get("level")), "s", ("level",)),
    "frequency": _Kind(lambda c, o: 1.0 / c.period(o.get("level")), "Hz", ("level",)),
    "harmonic": _Kind(lambda c, o: float(abs(c.harmonics(o.get("n", 1), o.get("f"))[o.get("n", 1)])), "size",
                      ("f", "n")),
    "phase": _Kind(_phase, "rad", ("f", "n")),
    "thd": _Kind(lambda c, o: c.distortion(o.get("harmonics", 9), o.get("f")), "", ("f", "harmonics")),
    # From crossing n of the level by the first curve to that of `to_level` by the second: number `to_n` after it, or of
    # all.
    "delay": _Kind(lambda c, o: 0.0, "s", ("level", "edge", "n", "to_level", "to_edge", "to_n", "counts")),
    # Of the first curve, where the second crosses the level.
    "value_when": _Kind(lambda c, o: 0.0, "same", ("level", "edge", "n")),
}  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """A measured value, as people see it: in `unit`, empty if it has none or is that of an expression."""

    value: float
    unit: str


@dataclass(frozen=True)
class Measure:
    """A measure of a curve: an instance is a function of the result, for a sweep."""

    text: str
    kind: str
    curves: tuple[str, ...]
    options: tuple[tuple[str, str], ...]

    def __call__(self, run: Trajectories) -> float:
        """The value, in the unit of the variable or in SI units. RunError E667 if the curve has none."""
        options = {name: self._option(name, value, run) for name, value in self.options}
        curves = [_curve(each, run).part(options.get("from"), options.get("to")) for each in self.curves]
        if self.kind == "delay":
            return _delay(curves[0], curves[1], options)
        if self.kind in ("crossing", "value_when") and "level" not in options:
            raise wrong(self.text, "it needs a level: crossing(x, level=0.5), value_when(x, y, level=0.5)")
        if self.kind == "value_when":
            at = curves[1].crossing(options["level"], options.get("edge", "both"), options.get("n", 1))
            return float(curves[0].between(np.array([at]))[0])
        return KINDS[self.kind].value(curves[0], options)

    def unit(self, run: Trajectories) -> str:
        """The unit of the value; empty if it has none or is that of an expression."""
        own, of = KINDS[self.kind].unit, run.description.units.get(self.curves[0], "")
        if own == "over time":
            return of and quotient(of, "1/s")
        return of if own in ("same", "si", "size") else own

    def shown(self, run: Trajectories) -> Measured:
        """The value in the unit in which the model shows the variable."""
        value, unit, of = self(run), KINDS[self.kind].unit, run.description
        name = self.curves[0]
        if unit not in ("same", "size") or name not in of.displays:
            return Measured(value, self.unit(run))
        display = of.displays[name]
        zero = display.zero if unit == "same" else 0.0
        return Measured((value - zero) / display.factor, display.unit)

    def _option(self, name: str, text: str, run: Trajectories) -> Any:
        if name.endswith("edge"):
            if text not in _EDGES:
                raise wrong(self.text, f"{name} is one of: {', '.join(_EDGES)}")
            return text
        if name == "counts":
            if text not in _COUNTS:
                raise wrong(self.text, f"counts is one of: {', '.join(_COUNTS)}")
            return text
        curve = self.curves[-1 if name.startswith("to_") or self.kind == "value_when" else 0]
        unit = _UNITS.get(name, "") or run.description.units.get(curve, "")
        value = in_own_unit(name, text, {name: unit})
        try:
            number = int(value) if name in _WHOLE else float(value)
        except ValueError:
            number = math.nan
        least = {"harmonics": 2, "n": 1}.get(name, -math.inf) if KINDS[self.kind].options[:1] == ("f",) else -math.inf
        if not math.isfinite(number) or number < least:
            raise wrong(self.text, f"{name} cannot be '{text}'")
        return number


def measure(run: Trajectories, text: str) -> float:
    """The value of a measure of a result, or of a table that was read from a file: `measure(run, "rise_time(C1.u)")`.
    docs/use/results.md lists them. It is in the unit of the variable; times are in s. RunError E605 for a text that is
    no measure, E667 if the curve has no such value."""
    return measure_of(text)(run)


def measure_of(text: str) -> Measure:
    """The measure of a text. RunError E605 for one that is none."""
    found = re.fullmatch(r"\s*(\w+)\s*\((.*)\)\s*", text, re.DOTALL)
    if found is None or found[1] not in KINDS:
        raise RunError("E605", *unknown_name("measure", found[1] if found else text, KINDS))
    parts = [part.strip() for part in split_arguments(found[2])]
    named = [re.fullmatch(r"(\w+)\s*=\s*([^=].*)", part, re.DOTALL) for part in parts]
    curves = tuple(part for part, option in zip(parts, named, strict=True) if option is None)
    options = tuple((option[1], option[2]) for option in named if option is not None)
    known = (*_SPAN, *KINDS[found[1]].options)
    unknown = [name for name, _ in options if name not in known]
    if unknown:
        raise RunError("E605", *unknown_name(f"option of {found[1]}", unknown[0], known))
    if len(curves) != (count := 2 if found[1] in ("delay", "value_when") else 1) or not all(curves):
        raise wrong(text, f"{found[1]} is of {'two curves' if count == 2 else 'one curve'}")
    return Measure(text.strip(), found[1], curves, options)


def is_measure(text: str) -> bool:
    """True for the text of a measure, right or wrong."""
    return re.match(rf"\s*({'|'.join(KINDS)})\s*\(", text) is not None


def split_arguments(text: str) -> list[str]:
    """The parts between commas outside of parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _delay(one: Curve, other: Curve, o: Options) -> float:
    level = o["level"] if "level" in o else 0.5 * (one.highest() + one.highest(-1.0))
    to = o["to_level"] if "to_level" in o else 0.5 * (other.highest() + other.highest(-1.0))
    begin = one.crossing(level, o.get("edge", "both"), o.get("n", 1))
    after = -math.inf if o.get("counts") == "all" else begin
    return other.crossing(to, o.get("to_edge", "both"), o.get("to_n", 1), after) - begin


def _curve(text: str, run: Trajectories) -> Curve:
    """The curve of an expression. UnknownName for an unknown variable, RunError E605 for a text that is none."""
    unknown = partial(unknown_variable, known=run.names(), nodes=run.description.nodes)
    found = expression(text, lambda name: name in run and run[name].ndim == 1, unknown)
    if isinstance(run, Table):  # else it interpolates all columns
        run = Table({name: column for name in ("time", *found.names) if (column := run.column(name)) is not None})

    def values(of: Trajectories) -> Vector:
        return np.full(of.time.shape, found([of[name] for name in found.names]), dtype=float)

    return Curve(text, run.time, values(run), lambda times: values(run.at(times)))
