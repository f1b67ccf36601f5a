"""Does the studies of the workbench in a child process: sweep, linearization, equilibrium, verification, fit."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from cutset.api.command_line.json_reports import motions_report
from cutset.runtime.analysis.frequency_response import decibels, degrees, frequencies_of
from cutset.runtime.analysis.linearize import Linearization
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result
from cutset.server.frames import Message
from cutset.server.messages import plain
from cutset.server.session import Session
from cutset.server.worker import Channel

_MOST_RUNS = 10_000
_MOST_FITS = 400


class Studies:
    """Each method answers the request of its name."""

    def __init__(self, session: Session, channel: Channel):
        self._session, self._channel = session, channel

    def sweep(self, settings: Mapping[str, Any], vary: Mapping[str, Sequence[float]], keep: Sequence[str]) -> Message:
        """The table of a sweep: its columns and rows; None for a number that is not finite."""
        runs = math.prod(map(len, vary.values()))
        if runs > _MOST_RUNS:
            raise RunError("E605", f"a sweep of {runs} runs is too long to wait for: the limit is {_MOST_RUNS}",
                           "vary fewer values, or use 'cutset sweep'")  # fmt: skip
        given = self._session.experiment(settings)
        table = self._session.model.sweep(
            vary,
            list(keep),
            given.stop,
            start=given.start,
            points=given.points,
            method=given.method,
            rtol=given.rtol,
            atol=given.atol,
            parameters={name: value for name, value in given.parameters.items() if name not in vary},
            initial={name: value for name, value in given.initial.items() if name not in vary},
            workers=1,
        )
        columns, *rows = table.table()
        return Message({"columns": columns, "rows": plain(rows)})

    def linearize(self, settings: Mapping[str, Any], time: float | None, input_name: str, output_name: str) -> Message:
        """Eigenvalues and motions at a time of the run, or at an equilibrium if `time` is None; and the frequency
        response from an input to an output, if both are given."""
        given = self._session.experiment(settings)
        model = self._session.model
        point: Result = (
            model.steady(given.start, parameters=given.parameters, initial=given.initial)
            if time is None
            else model.simulate(
                time,
                start=given.start,
                points=2,
                method=given.method,
                parameters=given.parameters,
                initial=given.initial,
            )
        )
        found = point.linearize([output_name] if output_name else ())
        response = _response(found, input_name) if input_name and output_name else None
        return Message({"motions": motions_report(found)}, response or [])

    def steady(self, settings: Mapping[str, Any], time: float) -> Message:
        """The values of the states and the given variables at an equilibrium."""
        given = self._session.experiment(settings)
        found = self._session.model.steady(time, parameters=given.parameters, initial=given.initial)
        units = found.description.units
        rows = [[name, float(found[name][-1]), units.get(name, "")] for name in self._session.model.states]
        return Message({"rows": rows})

    def verify(self, settings: Mapping[str, Any]) -> Message:
        """The comparison of all ways to compute the saved model."""
        from cutset.api.verify.verification import verify

        given = self._session.experiment(settings)
        found = verify(self._session.file, self._session.model.name, stop=given.stop, points=1,
                       parameters=given.parameters, library_path=self._session.options.library_path)  # fmt: skip
        rows = [{**plain(asdict(row)), "passed": row.passed} for row in found.rows]
        return Message({"passed": found.passed, "rows": rows})

    def fit(
        self, settings: Mapping[str, Any], table_file: str, columns: Mapping[str, str], find: Sequence[str]
    ) -> Message:
        """The values of the parameters `find` with which variables fit best, in the sense of least squares, to the
        columns of a CSV file with a column `time`: `columns` maps the variables to them. Each variable is scaled by the
        spread of its data."""
        from scipy.optimize import least_squares

        given = self._session.experiment(settings)
        model = self._session.model
        data = _table(Path(table_file), ["time", *columns.values()])
        start = np.array([given.parameters.get(name, model.parameters[name]) for name in find], dtype=float)
        scale = np.where(start != 0.0, np.abs(start), 1.0)
        times = data["time"]
        spread = {name: float(np.std(data[column])) or 1.0 for name, column in columns.items()}

        def result_of(x: Vector) -> Result:
            own = {**given.parameters, **dict(zip(find, (x * scale).tolist(), strict=True))}
            experiment = replace(given, stop=float(times[-1]), start=min(given.start, float(times[0])), points=None,
                                 times=tuple(times.tolist()), parameters=own)  # fmt: skip
            return model.run(experiment).completed()

        def residuals(x: Vector) -> Vector:
            at = result_of(x).at(times)
            parts = [(at[name] - data[column]) / spread[name] for name, column in columns.items()]
            found = np.concatenate(parts)
            self._channel.news({"error": float(np.sqrt(np.mean(found**2)))})
            return found

        found = least_squares(residuals, start / scale, diff_step=1e-4, max_nfev=_MOST_FITS)
        values = dict(zip(find, (found.x * scale).tolist(), strict=True))
        at = result_of(found.x).at(times)
        errors = {name: float(np.sqrt(np.mean((at[name] - data[c]) ** 2))) for name, c in columns.items()}
        return Message({"values": values, "errors": errors, "runs": int(found.nfev)})


def _response(found: Linearization, input_name: str) -> list[Vector]:
    """Angular frequencies in rad/s, the magnitude in dB and the phase in degrees."""
    if input_name not in found.inputs:
        hint = f"use one of {', '.join(found.inputs)}" if found.inputs else "declare an input in the model"
        raise RunError("E605", f"'{input_name}' is not an input of the linear model", hint)
    omega = frequencies_of(found.eigenvalues)
    response = found.response(omega)[0, found.inputs.index(input_name)]
    return [omega, decibels(response), degrees(response)]


def _table(path: Path, names: Sequence[str]) -> dict[str, Vector]:
    """Columns of a CSV file. RunError E605 if one is missing or is not numbers."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            head, *rows = list(csv.reader(file))
        places = [head.index(name) for name in names]
        found = {name: np.array([float(row[k]) for row in rows]) for name, k in zip(names, places, strict=True)}
    except (OSError, ValueError, IndexError) as error:
        hint = "the first line names the columns, and one of them is 'time'"
        raise RunError("E605", f"'{path}' is not a table with the columns {', '.join(names)}: {error}", hint) from error
    if not len(found["time"]):
        raise RunError("E605", f"'{path}' has no rows")
    return found
