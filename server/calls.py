"""Answers the requests of the page about a model: what it contains, its runs, curves, animation, equations, studies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

import numpy as np

from cutset.compiler.diagnostics import visible
from cutset.runtime.results.result import Result
from cutset.runtime.results.shown_rows import shown_rows
from cutset.server.frames import Message
from cutset.server.messages import plain
from cutset.server.session import Session
from cutset.server.studies import Studies
from cutset.server.worker import Call, Channel, calls_of

_MOST_EVENTS = 2000
_MOST_REASONS = 50
_OF_COMPONENT = ("name", "class_name", "place", "documentation", "class_documentation")
_OF_VARIABLE = ("name", "kind", "alias_of", "unit", "value", "start", "min", "max", "documentation")


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
                "states": list(model.states),
                "inputs": list(model.inputs),
                "has_scene": bool(model.description.elements),
                "settings": {name: getattr(model.experiment, name) for name in ("stop", "method", "rtol", "atol")},
                "facts": model.inspect(),
            }
        )

    def listing(self) -> Message:
        """All components and variables, with documentation."""
        model = self._session.model
        components = [{name: plain(getattr(each, name)) for name in _OF_COMPONENT} for each in model.components()]
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
        parts = [_curves(result, each) for each in curves]
        scene = _scene(result, scene_rows) if scene_rows else None
        arrays = [array for part in parts for array in part[1]]
        data = {"run": _summary(number, result), "curves": [part[0] for part in parts], "has_scene": scene is not None}
        return Message(data, [*arrays, *([] if scene is None else [scene])])

    def curves(self, run: int, curves: Sequence[Mapping[str, Any]]) -> Message:
        """Curves of a result, each request with `names`, `start`, `stop` and `width` in pixels."""
        result = self._session.result(run)
        parts = [_curves(result, each) for each in curves]
        return Message({"curves": [part[0] for part in parts]}, [array for part in parts for array in part[1]])

    def events(self, run: int) -> Message:
        """The events of a result."""
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
        return Message({"count": len(result.events), "events": shown})

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


def _curves(result: Result, request: Mapping[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """The names, and the arrays: times, then a column for each name."""
    names = [name for name in request["names"] if name in result]
    time = np.asarray(result.time, dtype=float)
    columns = [np.asarray(result[name], dtype=float) for name in names]
    start = time[0] if request.get("start") is None else float(request["start"])
    stop = time[-1] if request.get("stop") is None else float(request["stop"])
    rows = shown_rows(time, columns, start, stop, int(request["width"]))
    return {"names": names}, [time[rows], *(column[rows] for column in columns)]


def _scene(result: Result, rows: int) -> Any:
    """The bytes of the animation's JSON."""
    from cutset.runtime.animation.drawing import scene_of
    from cutset.runtime.animation.page import data_of

    return np.frombuffer(data_of(scene_of(result.description, result, rows, with_forces=False)).encode(), np.uint8)


def _summary(number: int, result: Result) -> dict[str, Any]:
    """The outcome of a run."""
    return {
        "number": number,
        "rows": len(result.time),
        "outcome": result.outcome.name.lower(),
        "ended_by": None if result.ending is None else visible(result.ending.text),
        "error": None if result.failure is None else visible(str(result.failure.error())),
        "notes": [visible(str(note)) for note in result.notes],
        "statistics": plain(asdict(result.statistics)),
    }
