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
from cutset.runtime.chatter import Chatter
from cutset.runtime.errors import RunError
from cutset.runtime.event_state import EventState
from cutset.runtime.interface import Vector
from cutset.runtime.relations import AtCrossing
from cutset.runtime.snapshot import Snapshot
from cutset.runtime.solvers.memory import Memory

_FORMAT = "cutset state 2"
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
    history = problem.inputs.history
    told = {
        "format": _FORMAT,
        "model": model,
        "latest_event": snapshot.latest_event,
        "care": snapshot.tightening,
        "origin": snapshot.origin,
        "state": _of_state(state),
        "parameters": problem.values.p.tolist(),
        "inputs": problem.inputs.constant.tolist(),
        "driven": [problem.model.info.inputs[k] for k in problem.inputs.functions],
        "guesses": problem.values.w[: problem.model.info.n_guesses].tolist(),
        "chatter": snapshot.chatter.data(),
        "memory": problem.memory.data(),
        "history": None if history is None else history.data(),
        "controllers": [] if problem.controllers is None else problem.controllers.data(),
    }
    return json.dumps(told).encode()


def from_bytes(data: bytes, into: Snapshot, model: str) -> Snapshot:
    """The snapshot in `data`, with the settings and input functions of `into`, which belongs to a model with this
    fingerprint. RunError E605 if the data are not a state, or that of another model."""
    told = _read(data, model)
    info, problem = into.problem.model.info, into.problem
    if told["parameters"] != problem.values.p.tolist():
        hint = "give the parameters with which the state was saved"
        raise RunError("E605", "the saved state has other values of parameters", hint)
    history = problem.inputs.history
    inputs = replace(problem.inputs, constant=np.array(told["inputs"]), history=None)
    if history is not None:
        inputs = replace(inputs, history=history.with_data(told["history"]))
    w = problem.values.w.copy()
    w[: info.n_guesses] = told["guesses"]
    chatter = Chatter.from_data(info, told["chatter"])
    controllers = None if problem.controllers is None else problem.controllers.with_data(told["controllers"])
    values, memory = replace(problem.values, w=w, controllers=controllers), Memory.from_data(told["memory"])
    return Snapshot(
        replace(problem, values=values, inputs=inputs, memory=memory),
        _state_of(told["state"]),
        chatter,
        told["latest_event"],
        told["care"],
        told["origin"],
    )


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
        **{name: getattr(state, name).tolist() for name in ("x", "m", "conditions", "truths", "samples", "scales")},
        "at_crossing": [[k, *here] for k, here in state.at_crossing.items()],
        "hysteresis": [[k, *pair] for k, own in state.hysteresis.items() for pair in own.items()],
    }


def _state_of(told: Mapping[str, Any]) -> EventState:
    hysteresis: dict[int, dict[float, float]] = {}
    for k, value, width in told["hysteresis"]:
        hysteresis.setdefault(k, {})[value] = width
    at_crossing = {k: AtCrossing(value, distance) for k, value, distance in told["at_crossing"]}
    x, m, conditions, truths, scales = (
        np.array(told[name], dtype=float) for name in ("x", "m", "conditions", "truths", "scales")
    )
    samples: Vector = np.array(told["samples"], dtype=float).reshape(-1, 2)
    return EventState(told["t"], x, m, conditions, truths, samples, scales, None, at_crossing, hysteresis)
