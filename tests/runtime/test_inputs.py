"""Inputs of runs that go on by themselves."""

from __future__ import annotations

import math

import cutset
from cutset.api.files.input_tables import input_signals
from cutset.runtime.given.inputs import resolve_inputs


def test_a_copy_has_a_window_of_its_own() -> None:
    info = cutset.loads("model M\n  input u\n  local y\n  y = u\nend\n").translated.info
    inputs = resolve_inputs(info, input_signals(info, {"u": ([0.0, 1.0, 2.0], [0.0, 3.0, 1.0])}))
    inputs.enter(0.5, math.isclose)
    copy = inputs.copied()
    copy.enter(1.5, math.isclose)
    assert copy.window.tolist() == [1.5, math.inf] and inputs.window.tolist() == [0.5, 1.0]
