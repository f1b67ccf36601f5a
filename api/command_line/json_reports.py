"""Describes runs and checks as plain data, for --json."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutset.compiler.diagnostics import Diagnostic
from cutset.runtime.analysis.frequency_response import decades
from cutset.runtime.results.result import Result
from cutset.runtime.results.trajectories import Trajectories

if TYPE_CHECKING:
    from cutset.api.show.sweep_table import Sweep
    from cutset.runtime.analysis.linearize import Linearization


def run_report(name: str, result: Result, names: Iterable[str]) -> dict[str, Any]:
    """The facts of a run: the outcome, the start, final, smallest and largest values of these variables, the
    statistics, notes, and the message of a failure. A value that is not finite is None."""
    units = result.description.units
    variables = {}
    for each in names:
        values = result[each]
        numbers = {"start": values[0], "final": values[-1], "min": values.min(), "max": values.max()}
        variables[each] = {"unit": units.get(each, ""), **{key: _finite(x) for key, x in numbers.items()}}
    return {
        "model": name,
        "outcome": result.outcome.name.lower(),
        "start": _finite(result.time[0]),
        "stop": _finite(result.time[-1]),
        "variables": variables,
        "statistics": {key: _plain(value) for key, value in asdict(result.statistics).items()},
        "notes": list(map(str, result.notes)),
        "ended_by": None if result.ending is None else result.ending.text,
        "error": None if result.failure is None else str(result.failure.error()),
    }


def sweep_report(name: str, sweep: Sweep) -> dict[str, Any]:
    """The runs of a sweep: its point, its values (None for one that is not finite), how it ended, and why it failed."""
    runs = []
    for point, row in zip(sweep.points, sweep.rows, strict=True):
        values = {kept: _finite(value) for kept, value in zip(sweep.kept, row.values, strict=True)}
        runs.append({"point": dict(point), "values": values, "outcome": row.outcome, "reason": row.reason or None})
    of_all = sweep.statistics.items()
    statistics = {kept: {**asdict(each), "deviation": _finite(each.deviation)} for kept, each in of_all}
    return {"model": name, "failed": len(sweep.failed), "runs": runs, "statistics": statistics}


def noise_report(linear: Linearization, low: float, high: float) -> dict[str, Any]:
    """The noise of each output: its rms value, that referred to the input, shares of submodels, and both densities at
    frequencies in Hz."""
    power, at = linear.noise_power(low, high), linear.noise(decades(low, high, 20))
    found = {}
    for k, name in enumerate(linear.outputs):
        shares = {source: _finite(share[k]) for source, share in power.shares.items()}
        of_all = {"rms": _finite(power.rms[k]), "sources": shares, "density": at.density[k].tolist()}
        more = {} if power.referred is None or at.referred is None else {
            "referred_rms": _finite(power.referred[k]), "referred_density": at.referred[k].tolist()
        }  # fmt: skip
        found[name] = of_all | more
    return {"frequency": at.frequency.tolist(), "outputs": found}


def columns_report(table: Trajectories) -> dict[str, Any]:
    """The number of rows in a result, and of each variable its unit, range and documentation."""
    of = table.description
    variables = {}
    for name in table:
        values = table[name]
        least, most = (values.min(), values.max()) if len(values) else (math.nan, math.nan)
        facts = {"unit": of.units.get(name, ""), "min": _finite(least), "max": _finite(most)}
        variables[name] = {**facts, "documentation": of.documentation.get(name, "")}
    return {"rows": len(table.time), "variables": variables}


def diagnostics_report(diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """Code, title, hint and place of each message; lines and columns count from 1, and a place can be missing."""
    found = []
    for each in diagnostics:
        span = each.span
        place = {} if span is None else {"file": str(Path(span.source.name)), "line": span.line, "column": span.column}
        found.append({"code": each.code, "message": each.message, "hint": each.hint, **place})
    return found


def _finite(x: Any) -> float | None:
    value = float(x)
    return value if math.isfinite(value) else None


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else value


def motions_report(found: Linearization) -> list[dict[str, Any]]:
    """The motions of a linear model: eigenvalue, how often it occurs, frequency, damping, shares of the states."""
    return [
        {
            "eigenvalue": [motion.eigenvalue.real, motion.eigenvalue.imag],
            "count": motion.count,
            "frequency": motion.frequency,
            "damping": motion.damping,
            "states": dict(motion.states),
        }
        for motion in found.motions
    ]
