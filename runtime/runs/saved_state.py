"""Writes the state of a run as bytes and reads it again. Decides nothing about the run.

The bytes are JSON text, in which every number is exact. They contain no code. Another process that has translated the
same model can read them.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.contract.model_json import model_json
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector
from cutset.runtime.runs.event_memory import OF_CROSSING, empty_history, first_sizes
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.targets.c_records import Tally

_FORMAT = "cutset state 2"
_PLAIN = ("x", "m", "conditions", "truths", "scales")
# Where a model has proved stiff, as ``struct cutset_tally`` names it.
_STIFFNESS = {
    "border": "stiff",
    "gentle": "gentle",
    "segments": "segments",
    "stiff": "stiff_segments",
    "trust": "trust",
    "left": "left",
}
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
    tally, info, part = snapshot.tally, snapshot.model.info, snapshot.part
    since = None if math.isnan(tally.stiff_since) else tally.stiff_since
    data = {
        "format": _FORMAT,
        "model": model,
        "latest_event": tally.latest_event,
        "care": tally.tightening,
        "origin": snapshot.origin,
        "state": _of_state(snapshot),
        "parameters": part("p").tolist(),
        "inputs": snapshot.inputs.constant.tolist(),
        "driven": [info.inputs[k] for k in snapshot.inputs.functions],
        "guesses": part("w")[: info.n_guesses].tolist(),
        "chatter": {
            "history": part("history").reshape(-1, OF_CROSSING).tolist(),
            "calm": [tally.calm_step, tally.calm_until],
        },
        "memory": {
            "stiffness": {
                **{name: getattr(tally, of_c) for name, of_c in _STIFFNESS.items()},
                **{"since": since, "implicit": snapshot.implicit},
            },
            "pace": snapshot.pace,
            "sizes": [part("guess_sizes").tolist(), part("crossing_sizes").tolist()],
        },
        "history": None if snapshot.history is None else snapshot.history.data(),
        "controllers": [] if snapshot.controllers is None else snapshot.controllers.data(),
    }
    return json.dumps(data).encode()


def from_bytes(data: bytes, like: Snapshot, model: str) -> Snapshot:
    """The snapshot in `data`, with the settings and input functions of one like it, whose model has this fingerprint.
    RunError E605 if the data are not a state, or that of another model."""
    read, info = _read(data, model), like.model.info
    if read["parameters"] != like.part("p").tolist():
        hint = "give the parameters with which the state was saved"
        raise RunError("E605", "the saved state has other values of parameters", hint)
    memory, own = read["memory"], read["state"]
    stiffness, (guesses, crossings) = memory["stiffness"], memory["sizes"]
    known = {of_c: stiffness[name] for name, of_c in _STIFFNESS.items()}
    since = math.nan if stiffness["since"] is None else stiffness["since"]
    calm_step, calm_until = read["chatter"]["calm"]
    tally = Tally(calm_step, calm_until, read["latest_event"], read["care"], stiff_since=since, **known)
    found = like.changed(
        **_parts_of(info, read),
        guess_sizes=math.nan if guesses is None else guesses,
        crossing_sizes=first_sizes(info) if crossings is None else crossings,
    )
    found.part("w")[: info.n_guesses] = read["guesses"]
    found.part("u")[: len(info.inputs)] = read["inputs"]
    controllers = None if like.controllers is None else like.controllers.with_data(read["controllers"])
    if found.history is not None:
        found.history.set_data(read["history"])
        found.part("delay_windows")[:] = read["history"]["window"]
    run = {"origin": read["origin"], "implicit": stiffness["implicit"], "controllers": controllers}
    return replace(found, tally=tally, t=own["t"], acted=False, pace=memory["pace"], **run)


def start_of(data: bytes, info: ModelInfo, model: str) -> tuple[float, dict[str, float], tuple[str, ...]]:
    """The time of a state, the constant inputs, and the names of those that followed functions or tables. RunError E605
    as `from_bytes`."""
    read = _read(data, model)
    driven = tuple(read["driven"])
    constant = {name: value for name, value in zip(info.inputs, read["inputs"], strict=True) if name not in driven}
    return read["state"]["t"], constant, driven


def _read(data: bytes, model: str) -> Mapping[str, Any]:
    read: Any = None
    with suppress(ValueError, TypeError):
        read = json.loads(data)
    if not isinstance(read, dict) or read.get("format") != _FORMAT:
        raise RunError("E605", "these bytes are not a saved state", "give what Simulator.state() has returned")
    if read["model"] != model:
        hint = (
            "restore it with the model, the options (such as until) and the version of Cutset with which it was saved"
        )
        raise RunError("E605", "the saved state belongs to another model", hint)
    found: Mapping[str, Any] = read
    return found


def _of_state(snapshot: Snapshot) -> dict[str, Any]:
    moment = {name: snapshot.part(f"now.{name}").tolist() for name in (*_PLAIN, "at", "reach", "widths")}
    at, reach, widths = (moment.pop(name) for name in ("at", "reach", "widths"))
    return {
        "t": snapshot.t,
        **moment,
        "samples": snapshot.part("now.samples").reshape(-1, 2).tolist(),
        "at_crossing": [[k, at[k], distance] for k, distance in enumerate(reach) if distance >= 0.0],
        "hysteresis": [[i // 2, float(i % 2), width] for i, width in enumerate(widths) if width >= 0.0],
    }


def _parts_of(info: ModelInfo, read: Mapping[str, Any]) -> dict[str, Vector]:
    own, n = read["state"], len(info.relations)
    found = {f"now.{name}": np.array(own[name], dtype=float) for name in _PLAIN}
    at, reach, widths, history = np.zeros(n), np.full(n, -1.0), np.full(2 * n, -1.0), empty_history(info)
    for k, value, distance in own["at_crossing"]:
        at[k], reach[k] = value, distance
    for k, value, width in own["hysteresis"]:
        widths[2 * k + int(value)] = width
    for row, numbers in zip(history, read["chatter"]["history"], strict=True):  # of earlier versions there are fewer
        row[: len(numbers)] = numbers
    samples = np.array(own["samples"], dtype=float).ravel()
    rules = {"now.samples": samples, "now.at": at, "now.reach": reach, "now.widths": widths}
    return {**found, **rules, "history": history.ravel()}
