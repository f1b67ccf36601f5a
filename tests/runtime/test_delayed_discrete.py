"""Delays of discrete variables: of all types, in equations, in conditions and in actions."""

from __future__ import annotations

import numpy as np

import cutset

MODEL = """
type Mode = (A, B)
model Delayed
  local n (start=0), p (start=0)
  local (Boolean) b (start=false), c
  local (Integer) k (start=0), kk
  local (Mode) m (start=Mode.A), mm
  when sample(0.1, 0.1) then
    new(n) = n + 1
    new(b) = not b
    new(k) = k + 1
    new(m) = if m == Mode.A then Mode.B else Mode.A
  endwhen
  kk = delay(k, 0.25)
  c = delay(b, 0.25)
  mm = delay(m, 0.25)
  when delay(b, 0.25) then
    new(p) = p + 1
  endwhen
end
"""
ONLY_EVENTS = """
model OnlyEvents
  local n (start=0), q (start=0)
  when sample(0.1, 0.1) then
    new(n) = n + 1
    new(q) = delay(NEW, 0.25)
  endwhen
end
"""


def test_each_type_comes_later(write_model):
    run = cutset.load(write_model(MODEL)).simulate(stop=1, times=np.arange(0.03, 1.0, 0.05))
    past = np.maximum(np.floor((run["time"] + 1e-9 - 0.25) * 10), 0)  # between events
    inner = np.abs(run["time"] * 20 - np.round(run["time"] * 20)) > 0.1
    for name, expected in {"kk": past, "c": past % 2, "mm": 1 + past % 2, "p": np.ceil(past / 2)}.items():
        assert np.allclose(run[name][inner], expected[inner], atol=1e-9), name


def test_in_actions_alone_the_past_of_the_next_value_is_that_of_the_value(write_model):
    for written in ("n", "new(n)"):
        run = cutset.load(write_model(ONLY_EVENTS.replace("NEW", written))).simulate(stop=0.65)
        assert (run["n"][-1], run["q"][-1]) == (6, 3)
