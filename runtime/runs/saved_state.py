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

from cutset.contract.metadata import ModelInfo
from cutset.contract.model_json import model_json
from cutset.runtime.errors import RunError
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.targets.c_records import Tally, work_memory

_FORMAT = "cutset state 3"
# What the run has counted and continues with, see ``struct cutset_tally``.
_COUNTED = (
    *("calm_step", "calm_until", "latest_event", "tightening"),
    *("stiff", "gentle", "steep", "segments", "stiff_segments", "left", "trust", "stiff_since"),
)
_OF_RUN = ("t", "origin", "pace", "implicit")
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
    info, part = snapshot.model.info, snapshot.part
    parts = ["guess_sizes", "crossing_sizes", "history", *(f"now.{name}" for name, *_ in work_memory("cutset_moment"))]
    data = {
        "format": _FORMAT,
        "model": model,
        **{name: getattr(snapshot, name) for name in _OF_RUN},
        "tally": {name: getattr(snapshot.tally, name) for name in _COUNTED},
        "parts": {name: part(name).tolist() for name in parts},
        "parameters": part("p").tolist(),
        "inputs": snapshot.inputs.constant.tolist(),
        "driven": [info.inputs[k] for k in snapshot.inputs.functions],
        "guesses": part("w")[: info.n_guesses].tolist(),
        "delays": None if snapshot.history is None else snapshot.history.data(),
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
    found = like.changed(**read["parts"])
    found.part("w")[: info.n_guesses] = read["guesses"]
    found.part("u")[: len(info.inputs)] = read["inputs"]
    controllers = None if like.controllers is None else like.controllers.with_data(read["controllers"])
    if found.history is not None:
        found.history.set_data(read["delays"])
        found.part("delay_windows")[:] = read["delays"]["window"]
    run = {name: read[name] for name in _OF_RUN}
    return replace(found, tally=Tally(**read["tally"]), acted=False, controllers=controllers, **run)


def start_of(data: bytes, info: ModelInfo, model: str) -> tuple[float, dict[str, float], tuple[str, ...]]:
    """The time of a state, the constant inputs, and the names of those that followed functions or tables. RunError E605
    as `from_bytes`."""
    read = _read(data, model)
    driven = tuple(read["driven"])
    constant = {name: value for name, value in zip(info.inputs, read["inputs"], strict=True) if name not in driven}
    return read["t"], constant, driven


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
