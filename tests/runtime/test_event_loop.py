"""The loop of events in C: rows, inputs that fail, and runs that are resumed."""

import numpy as np
import pytest

import cutset
from cutset.runtime.outcome import Outcome

PWM = "model M\n  local x (start=0), u\n  u = if mod(time, 1e-3) < 3e-4 then 1 else 0\n  0.01*der(x) = u - x\nend\n"
STIFF = """model M
  local x (start=0), y (start=0), n (start=0)
  when sample(0, 0.05) then
    new(n) = n + 1
  endwhen
  der(x) = -1e5*(x - sin(3*time)) + (if y > 0.5 then 1 else 0)
  der(y) = if n < 12 then 1 else -1
end
"""
ROUTED = """model M
  local x (start=1), v (start=0), n (start=0), late
  input F
  late = if n > 3 then 1 else 0
  der(x) = v
  der(v) = F - 9.81
  when x <= 0 then
    init(v) = -0.7*v
    new(n) = n + 1
  endwhen
end
"""


def test_an_input_that_fails_ends_the_run(write_model):
    model = cutset.load(write_model(ROUTED))

    def force(t):
        if t > 1.0:
            raise OverflowError("no force")
        return 0.0

    run = model.run(cutset.Experiment(2.0, inputs={"F": force}, max_step=0.1))
    assert run.outcome is Outcome.INPUT_FAILED and "OverflowError: no force" in str(run.failure.error())
    assert 0.9 < run.time[-1] <= 1.0


def test_more_rows_than_fit(write_model):
    """The 2,400 events of a square wave have two rows each; its mean is 0.3."""
    run = cutset.load(write_model(PWM)).simulate(1.2, points=2)
    assert len(run.time) > 4000 and run.statistics.events == {"time": 2400}
    assert np.trapezoid(run["u"], run.time) == pytest.approx(0.36)


def test_a_run_in_pieces_is_the_run_in_one(write_model):
    """A run that is resumed continues the loop's memory."""
    model = cutset.load(write_model(STIFF))
    whole = model.simulate(0.9, method="rk4", interval=1e-2, max_step=1e-5)
    piece = model.simulate(0.42, method="rk4", interval=1e-2, max_step=1e-5).resume(0.9)
    assert piece.time[-1] == 0.9
    assert np.abs(whole["y"][-1] - piece["y"][-1]) < 1e-9 and whole["n"][-1] == piece["n"][-1]


@pytest.mark.parametrize(("start", "notes"), [(35, 1), (25, 0)])
def test_a_when_that_is_true_from_start_to_end_is_named(start, notes, write_model):
    """Its body never runs; that of the second one is false at the start."""
    text = (
        f"model M\n  local T (start={start}), n (start=0)\n  der(T) = 1\n  when T > 30 then\n    new(n) = n + 1\n"
        "  endwhen\n  when time > 0 then\n    init(T) = T + 1\n  endwhen\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(6.0, points=3)
    assert run["n"][-1] == 1 - notes and len(run.notes) == notes
    assert all("model.mo:4:3 is true from the start to the end" in note for note in run.notes)
