"""The loop of events in C gives the same runs as Python, bit by bit, and leaves little to it."""

import hybrids
import numpy as np
import pytest
from chattering_models import draw as chattering
from crossing_models import draw as crossing
from hybrids import run

import cutset
from cutset.runtime import run as runs
from cutset.runtime import simulate as simulating
from cutset.runtime.errors import RunError
from cutset.runtime.outcome import Outcome
from cutset.runtime.python_run import from_start
from cutset.runtime.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")

METHODS = ["auto", "dopri5", "rk4", "cvode-bdf", "cvode-adams", "ida"]
MODELS = [
    "ball",
    "thermostat",
    "rectifier",
    "counter",
    "cascade",
    "square",
    "moving_instant",
    "relay",
    "restless_later",
]


def after_the_start(memory, *settings):
    """A run whose start is a call of its own, instead of one call from the start to the stop."""
    return from_start(memory.model, *settings)


def both(simulated, monkeypatch):
    """The runs with the loop, and without it."""
    first = simulated()
    with monkeypatch.context() as patch:
        patch.setattr(simulating, "_in_one_call", after_the_start)
        patch.setattr(runs, "applies", lambda problem, method: False)
        return first, simulated()


def assert_same(one, other):
    assert_same_run(one, other)
    # The other one settles all events in Python, but for a sample at the start.
    assert other.statistics.events_in_python >= sum(other.statistics.events.values()) - 1


def assert_same_run(one, other):
    assert np.array_equal(one.time, other.time)
    for name in one.names():
        assert np.array_equal(one[name], other[name], equal_nan=True), name
    assert one.outcome is other.outcome
    a, b = one.statistics, other.statistics
    assert (a.method, a.steps, a.evaluations, a.error_test_failures) == (
        *(b.method, b.steps, b.evaluations, b.error_test_failures),
    )
    assert a.events == b.events
    if one.failure is not None:
        assert str(one.failure.error()) == str(other.failure.error())


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("method", METHODS)
def test_runs_are_the_same(name, method, monkeypatch):
    files = getattr(hybrids, name)(*([0.7] if name == "ball" else []))
    one, other = both(lambda: run(files, "c", stop=1.9, points=40, method=method), monkeypatch)
    assert_same(one, other)
    if one.failure is None:
        assert one.statistics.events_in_python <= 1


def result_of(model, **settings):
    try:
        return model.simulate(**settings)
    except RunError as error:
        return str(error)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("draw", [crossing, chattering])
def test_random_models(number, draw, write_model, monkeypatch):
    """Crossings at known instants, and relations that come to rest at their crossing."""
    model = cutset.load(write_model(draw(number).text))
    method = METHODS[number]
    one, other = both(lambda: result_of(model, stop=3.0, points=30, method=method), monkeypatch)
    if isinstance(one, str):
        assert one == other
    else:
        assert_same(one, other)


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
# With switch and diode off, no current is possible through the inductor: the equations are singular between both.
CHOPPER = """@electrical
model M
  submodel (VConst) V(V=12)
  submodel (ClosingSwitch) s(Ron=0.02, Goff=0)
  submodel (IdealDiode) d(Ron=0.02, Goff=0)
  submodel (Inductor) L(L=1e-2, i0={i0})
  submodel (Resistor) R(R=2)
  submodel (Ground) g
  node p, n, a, o
  connect V at (p, n), g at n, s at (p, a), d at (n, a), L at (a, o), R at (o, n)
  s.closed = time > 0.01 and mod(time, 1e-3) < 4e-4
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


@pytest.mark.parametrize(
    "text, stop, count",
    [(PWM, 0.2, 400), (STIFF, 0.2, 5), (CHOPPER.format(i0=0), 0.02, 20), (CHOPPER.format(i0=1), 0.02, 20)],
    ids=["instants", "stiff", "starts without current", "starts with current"],
)
def test_python_settles_no_event(text, stop, count, write_model, monkeypatch):
    model = cutset.load(write_model(text))
    one, other = both(lambda: model.simulate(stop, points=11), monkeypatch)
    assert_same(one, other)
    assert one.statistics.events_in_python == 0 and sum(one.statistics.events.values()) >= count


def test_inputs_that_are_functions(write_model, monkeypatch):
    model = cutset.load(write_model(ROUTED))
    force = {"F": lambda t: np.sin(40.0 * t)}
    assert_same(*both(lambda: model.simulate(2.0, inputs=force), monkeypatch))


def test_an_input_that_fails_ends_the_run(write_model):
    model = cutset.load(write_model(ROUTED))

    def force(t):
        if t > 1.0:
            raise OverflowError("no force")
        return 0.0

    run = model.run(cutset.Experiment(2.0, inputs={"F": force}, max_step=0.1))
    assert run.outcome is Outcome.INPUT_FAILED and "OverflowError: no force" in str(run.failure.error())
    assert 0.9 < run.time[-1] <= 1.0


def test_more_rows_than_fit(write_model, monkeypatch):
    model = cutset.load(write_model(PWM))
    one, other = both(lambda: model.simulate(1.2, points=2), monkeypatch)
    assert len(one.time) > 4000
    assert_same(one, other)


def test_a_run_in_pieces_is_the_run_in_one(write_model):
    """A run that is resumed continues the loop's memory."""
    model = cutset.load(write_model(STIFF))
    whole = model.simulate(0.9, method="rk4", interval=1e-2, max_step=1e-5)
    piece = model.simulate(0.42, method="rk4", interval=1e-2, max_step=1e-5).resume(0.9)
    assert piece.time[-1] == 0.9
    assert np.abs(whole["y"][-1] - piece["y"][-1]) < 1e-9 and whole["n"][-1] == piece["n"][-1]
