"""Writes the state of a run as bytes and reads it again. Decides nothing about the run.

The bytes are JSON text, in which every number is exact. They contain no code. Another process that has translated the
same model can read them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.contract.model_json import model_json
from cutset.runtime.errors import RunError
from cutset.runtime.events.event_state import EventState
from cutset.runtime.runs.event_memory import OF_CROSSING, empty_history
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.solvers.memory import Memory
from cutset.runtime.solvers.method import Problem

_FORMAT = "cutset state 2"
_PLAIN = ("x", "m", "conditions", "truths", "scales")
# The folder of a place in JSON, which is "folder/file.mo:line:column".
_FOLDER = re.compile(r'"[^"\n]*[/\\](?=[^"/\\\n]+\.mo:\d+:\d+")')


def fingerprint(info: ModelInfo) -> str:
    """The same for two models only if they are translated from the same equations, in whatever folder."""
    anywhere = tuple(replace(external, path="") for external in info.externals)
    text = _FOLDER.sub('"', model_json(replace(info, externals=anywhere)))
    return hashlib.sha256(text.encode()).hexdigest()


def to_bytes(snapshot: Snapshot, model: str) -> bytes:
    """The snapshot without its settings and input functions; `model` is the fingerprint of its model. RunError E658 for
    a controller whose state cannot be saved."""
    problem, state = snapshot.problem, snapshot.state
    history, info = problem.inputs.history, problem.model.info
    told = {
        "format": _FORMAT,
        "model": model,
        "latest_event": state.latest_event,
        "care": state.tightening,
        "origin": snapshot.origin,
        "state": _of_state(state),
        "parameters": problem.values.p.tolist(),
        "inputs": problem.inputs.constant.tolist(),
        "driven": [info.inputs[k] for k in problem.inputs.functions],
        "guesses": problem.values.w[: info.n_guesses].tolist(),
        "chatter": {"history": state.history.reshape(-1, OF_CROSSING).tolist(), "calm": state.calm},
        "memory": problem.memory.data(),
        "history": None if history is None else history.data(),
        "controllers": [] if problem.controllers is None else problem.controllers.data(),
    }
    return json.dumps(told).encode()


def from_bytes(data: bytes, problem: Problem, model: str) -> Snapshot:
    """The snapshot in `data`, with the settings and input functions of the problem, whose model has this fingerprint.
    RunError E605 if the data are not a state, or that of another model."""
    told = _read(data, model)
    info = problem.model.info
    if told["parameters"] != problem.values.p.tolist():
        hint = "give the parameters with which the state was saved"
        raise RunError("E605", "the saved state has other values of parameters", hint)
    history = problem.inputs.history
    inputs = replace(problem.inputs, constant=np.array(told["inputs"]), history=None)
    if history is not None:
        inputs = replace(inputs, history=history.with_data(told["history"]))
    w = problem.values.w.copy()
    w[: info.n_guesses] = told["guesses"]
    controllers = None if problem.controllers is None else problem.controllers.with_data(told["controllers"])
    values, memory = replace(problem.values, w=w, controllers=controllers), Memory.from_data(told["memory"])
    problem = replace(problem, values=values, inputs=inputs, memory=memory)
    return Snapshot(problem, _state_of(info, told), told["origin"])


def start_of(data: bytes, info: ModelInfo, model: str) -> tuple[float, dict[str, float], tuple[str, ...]]:
    """The time of a state, the constant inputs, and the names of those that followed functions or tables. RunError E605
    as `from_bytes`."""
    told = _read(data, model)
    driven = tuple(told["driven"])
    constant = {name: value for name, value in zip(info.inputs, told["inputs"], strict=True) if name not in driven}
    return told["state"]["t"], constant, driven


def _read(data: bytes, model: str) -> Mapping[str, Any]:
    told: Any = None
    with suppress(ValueError, TypeError):
        told = json.loads(data)
    if not isinstance(told, dict) or told.get("format") != _FORMAT:
        raise RunError("E605", "these bytes are not a saved state", "give what Simulator.state() has returned")
    if told["model"] != model:
        hint = (
            "restore it with the model, the options (such as until) and the version of Cutset with which it was saved"
        )
        raise RunError("E605", "the saved state belongs to another model", hint)
    found: Mapping[str, Any] = told
    return found


def _of_state(state: EventState) -> dict[str, Any]:
    return {
        "t": state.t,
        **{name: getattr(state, name).tolist() for name in _PLAIN},
        "samples": state.samples.reshape(-1, 2).tolist(),
        "at_crossing": [[k, float(state.at[k]), reach] for k, reach in enumerate(state.reach.tolist()) if reach >= 0.0],
        "hysteresis": [[i // 2, float(i % 2), width] for i, width in enumerate(state.widths.tolist()) if width >= 0.0],
    }


def _state_of(info: ModelInfo, told: Mapping[str, Any]) -> EventState:
    own, n = told["state"], len(info.relations)
    x, m, conditions, truths, scales = (np.array(own[name], dtype=float) for name in _PLAIN)
    at, reach, widths, history = np.zeros(n), np.full(n, -1.0), np.full(2 * n, -1.0), empty_history(info)
    for k, value, distance in own["at_crossing"]:
        at[k], reach[k] = value, distance
    for k, value, width in own["hysteresis"]:
        widths[2 * k + int(value)] = width
    for row, numbers in zip(history, told["chatter"]["history"], strict=True):  # of earlier versions there are fewer
        row[: len(numbers)] = numbers
    samples, calm = np.array(own["samples"], dtype=float).ravel(), told["chatter"]["calm"]
    rules, known = (samples, scales, at, reach, widths), (told["latest_event"], told["care"])
    return EventState(own["t"], x, m, conditions, truths, *rules, history.ravel(), (calm[0], calm[1]), *known)
