"""Lists the settings of a run that a model can give, `experiment (stop=10, rtol=1e-8)`, and checks their values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

# The names of the integration methods; `runtime/solvers` has the methods.
METHODS = (
    "auto", "dopri5", "tsit5", "bs32", "rk4", "cvode-bdf", "cvode-adams", "ida", "bdf", "ggl", "radau",
)  # fmt: skip
# Results are held in memory: this many rows of 100 states take about 8 GB.
MOST_OUTPUTS = 10_000_000
# Of these a run has one at most: each gives the output times.
OUTPUT_TIMES = frozenset({"points", "interval"})

Value = float | str


class Setting(NamedTuple):
    """A setting of a run: whether it is a time in s, what its value must be, and the check of that."""

    is_time: bool
    expected: str
    fits: Callable[[Value], bool]


def _number(fits: Callable[[float], bool]) -> Callable[[Value], bool]:
    return lambda value: not isinstance(value, str) and math.isfinite(value) and fits(value)


def _whole(least: int, most: float = math.inf) -> Callable[[Value], bool]:
    return _number(lambda value: value == int(value) and least <= value <= most)


_FINITE, _POSITIVE = _number(lambda value: True), _number(lambda value: value > 0.0)

SETTINGS: Mapping[str, Setting] = {
    "start": Setting(True, "a time in s", _FINITE),
    "stop": Setting(True, "a time in s", _FINITE),
    "points": Setting(False, f"a whole number from 2 to {MOST_OUTPUTS:.0e}", _whole(2, MOST_OUTPUTS)),
    "interval": Setting(True, "a time in s greater than 0", _POSITIVE),
    "method": Setting(False, f"one of the strings {', '.join(METHODS)}", lambda value: value in METHODS),
    "rtol": Setting(False, "a number greater than 0", _POSITIVE),
    "atol": Setting(False, "a number greater than 0", _POSITIVE),
    "max_steps": Setting(False, "a whole number of at least 1", _whole(1)),
    "max_step": Setting(True, "a time in s greater than 0", _POSITIVE),
}


def contradiction(values: Mapping[str, Value]) -> tuple[str, str, str]:
    """The setting that does not fit another one, why, and what to change; empty strings if all fit. Each value fits
    its setting."""
    start, stop = float(values.get("start", 0.0)), float(values.get("stop", 1.0))
    if stop < start:
        later = "stop" if "stop" in values else "start"
        return later, f"the run stops at {stop:g} s, before it starts at {start:g} s", "give a later 'stop'"
    if values.keys() >= OUTPUT_TIMES:
        return "interval", "'points' and 'interval' both give the output times", "remove one of them"
    if "interval" in values and (stop - start) / float(values["interval"]) > MOST_OUTPUTS:
        return "interval", f"too many output times: the limit is {MOST_OUTPUTS:.0e}", "give a longer 'interval'"
    return "", "", ""
