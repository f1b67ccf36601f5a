"""Answers the requests of the page about a model: what it contains, its runs, curves, animation, equations, studies."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from cutset.api.command_line.json_reports import motions_report
from cutset.api.translate.parameter_values import in_own_unit
from cutset.compiler.diagnostics import visible
from cutset.runtime.analysis.frequency_response import decibels, degrees, frequencies_of
from cutset.runtime.analysis.linearize import Linearization
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.results.result import Result
from cutset.runtime.results.selection import shown_names
from cutset.runtime.results.shown_rows import shown_curves
from cutset.runtime.targets.binding import finite_number
from cutset.server.frames import Message
from cutset.server.messages import plain
from cutset.server.session import Session
from cutset.server.worker import Call, Channel, calls_of

_MOST_EVENTS = 2000
_MOST_REASONS = 50
_OF_COMPONENT = ("name", "class_name", "place", "documentation", "class_documentation")
_OF_VARIABLE = ("name", "kind", "alias_of", "type", "unit", "value", "start", "min", "max", "documentation", "display")


def calls(channel: Channel, library_path: Iterable[str]) -> Mapping[str, Call]:
    """The requests by name."""
    session = Session(channel, library_path)
    return calls_of(_Calls(session), Studies(session, channel))


class _Calls:
    """Each method answers the request of its name."""

    def __init__(self, session: Session):
        self._session = session

    def open(
        self, file: str, text: str, name: str | None, unsaved: Mapping[str, str] = MappingProxyType({})
    ) -> Message:
        """Translate the model and name what a run of it needs."""
        model = self._session.open(file, text, name, unsaved)
        return Message(
            {
                "name": model.name,
                "parameters": plain(model.parameters),
                "folded": list(model.folded),
                "shown": list(shown_names(model.translated.info, model.moving)),
                "inputs": list(model.inputs),
                "has_scene": bool(model.description.elements),
                "settings": {name: getattr(model.experiment, name) for name in ("stop", "method", "rtol", "atol")},
                "facts": model.inspect(),
            }
        )

    def listing(self) -> Message:
        """All components and variables, with documentation."""
        model = self._session.model
        components = [
            {name: plain(getattr(each, name)) for name in _OF_COMPONENT}
            | {"cuts": [{"name": cut.name, "variables": list(cut.variables)} for cut in each.cuts]}
            for each in model.components()
        ]
        variables = [[plain(getattr(each, name)) for name in _OF_VARIABLE] for each in model.variables()]
        return Message({"components": components, "fields": _OF_VARIABLE, "variables": variables})

    def run(
        self,
        settings: Mapping[str, Any],
        number: int | None,
        curves: Sequence[Mapping[str, Any]],
        scene_rows: int,
    ) -> Message:
        """Run the model, and return what the page shows of it at once: curves, and the animation with at most
        `scene_rows` rows (0: none)."""
        number, result = self._session.run(self._session.experiment(settings), number)
        shown, arrays = _curves(result, curves)
        scene = [_scene(result, scene_rows)] if scene_rows else []
        data = {"run": _summary(number, result), "curves": shown, "has_scene": bool(scene)}
        return Message(data, [*arrays, *scene])

    def curves(self, run: int, curves: Sequence[Mapping[str, Any]]) -> Message:
        """Curves of a result, each request with `names`, `start`, `stop` and `width` in pixels."""
        shown, arrays = _curves(self._session.result(run), curves)
        return Message({"curves": shown}, arrays)

    def events(self, run: int) -> Message:
        """The first events of a result, and the times of events over its whole span, close ones once."""
        result = self._session.result(run)
        shown = [
            {
                "time": event.time,
                "kinds": list(event.kinds),
                "relations": dict(event.relations),
                "discrete": plain(event.discrete),
                "states": plain(event.states),
            }
            for event in result.events[:_MOST_EVENTS]
        ]
        times = np.array([event.time for event in result.events])
        width = float(result.time[-1] - result.time[0]) or 1.0
        places = np.round((times - result.time[0]) * (_MOST_EVENTS / width))
        return Message({"count": len(result.events), "events": shown}, [times[np.unique(places, return_index=True)[1]]])

    def why(self, name: str) -> Message:
        """How a variable, or each element of an array, is determined."""
        reasons = self._session.model.why(name)[:_MOST_REASONS]
        return Message({"reasons": [asdict(each) for each in reasons]})

    def equations(self, component: str) -> Message:
        """The equations of a component as formulas."""
        from cutset.server.equations import equations_in  # SymPy takes a second to load

        return Message({"equations": equations_in(self._session.model, component)})

    def diagram(self, blocks: bool, submodel: str, depth: int | None) -> Message:
        """The picture of a submodel, or the blocks, as SVG."""
        return Message({"svg": self._session.model.diagram(blocks, submodel, depth)})

    def drop(self, runs: Sequence[int]) -> Message:
        """Forget results."""
        self._session.drop(runs)
        return Message({})

    def table(self, run: int, names: Sequence[str]) -> Message:
        """Variables of a result as comma-separated values: the text that `simulate -o FILE.csv` writes."""
        import io

        text = io.StringIO()
        result = self._session.result(run)
        result._write_csv(text, list(names) or None)
        return Message({"text": text.getvalue()})


def _curves(result: Result, requests: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[Vector]]:
    """The names of each, and the arrays: times, then a column for each name, in the units in which people see them."""
    found = [shown_curves(result, **each) for each in requests]
    of = result.description
    shown = [
        of.shown(name, array) for names, arrays in found for name, array in zip(("time", *names), arrays, strict=True)
    ]
    return [{"names": names, "units": [of.shown_unit(name) for name in names]} for names, _ in found], shown


def _scene(result: Result, rows: int) -> Any:
    """The bytes of the animation's JSON."""
    from cutset.runtime.animation.drawing import scene_of
    from cutset.runtime.animation.page import data_of

    return np.frombuffer(data_of(scene_of(result.description, result, rows, with_forces=False)).encode(), np.uint8)


def _summary(number: int, result: Result) -> dict[str, Any]:
    """The outcome of a run. The user knows why one was interrupted, and that its result is not complete."""
    was_canceled = result.outcome is Outcome.INTERRUPTED
    return {
        "number": number,
        "rows": len(result.time),
        "outcome": result.outcome.name.lower(),
        "ended_by": None if result.ending is None else visible(result.ending.text),
        "stop": float(result.time[-1]),
        "error": None if result.failure is None or was_canceled else visible(str(result.failure.error())),
        "notes": [] if was_canceled else [visible(str(note)) for note in result.notes],
        "statistics": plain(asdict(result.statistics)),
    }


# --- studies --------------------------------------------------------------------------------------


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
        own = self._session.own(settings)
        for kind in ("parameters", "initial"):
            own[kind] = {name: value for name, value in own.get(kind, {}).items() if name not in vary}
        table = self._session.model.sweep(vary, list(keep), workers=1, **own)
        columns, *rows = table.table()
        return Message({"columns": columns, "rows": plain(rows)})

    def linearize(self, settings: Mapping[str, Any], time: float | None, input_name: str, output_name: str) -> Message:
        """Eigenvalues and motions at a time of the run, or at an equilibrium if `time` is None; and the frequency
        response from an input to an output, if both are given."""
        given, model = self._session.experiment(settings), self._session.model
        own = self._session.own({**settings, "stop": time, "points": 2})
        point: Result = (
            model.steady(given.start, parameters=given.parameters, initial=given.initial)
            if time is None
            else model.simulate(**own)
        )
        found = point.linearize([output_name] if output_name else ())
        response = _response(found, input_name) if input_name and output_name else None
        return Message({"motions": motions_report(found)}, response or [])

    def steady(self, settings: Mapping[str, Any], time: float) -> Message:
        """The values of the states and the given variables at an equilibrium."""
        given = self._session.experiment(settings)
        found = self._session.model.steady(time, parameters=given.parameters, initial=given.initial)
        of = found.description
        states = self._session.model.states
        rows = [[name, of.shown(name, float(found[name][-1])), of.shown_unit(name)] for name in states]
        return Message({"rows": rows})

    def number(self, name: str, text: str) -> Message:
        """The number that a text such as "10 kOhm" is in the unit of a variable. RunError E605 if it is none."""
        value = in_own_unit(name, text, self._session.model.description.units)
        return Message({"number": finite_number(f"'{name}'", value)})

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
