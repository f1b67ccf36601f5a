"""Steps give the trajectory of one run; states can be saved, restored and changed."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys

import numpy as np
import pieces
import pytest

import cutset
from cutset.runtime.errors import RunError

COUNTER = """
model Counter "a sampled integrator on a continuous lag"
  parameter T (unit="s") = 0.01, lag = 0.1
  input e
  local x (start=0), I (start=0), n (start=0), high (start=0), both
  when sample(0, T) then
    new(I) = I + T*e
    new(n) = n + 1
  endwhen
  when x > 0.5 then
    new(high) = high + 1
  endwhen
  lag*der(x) = I - x
  both = x + I
end
"""
FINE = {"rtol": 1e-9, "atol": 1e-12}


@pytest.fixture
def counter(write_model):
    return cutset.load(write_model(COUNTER))


@pytest.mark.parametrize(("seed", "target"), [(1, "c"), (2, "c"), (4, "python"), (21, "c"), (27, "python")])
def test_steps_of_random_length_are_the_run_in_one(seed, target, tmp_path):
    assert pieces.difference_in_steps(seed, tmp_path, target) == ""


def test_steps_of_constant_length_agree_to_rounding(counter):
    settings = {"method": "rk4", "max_step": 1e-3, "inputs": {"e": 1.0}}
    whole, sim = counter.simulate(0.3, interval=1e-3, **settings), counter.simulator(**settings)
    for _ in range(300):
        sim.step(1e-3)
    assert sim.get("x", "n") == pytest.approx((whole["x"][-1], whole["n"][-1]), rel=1e-12)
    assert sim.events == whole.statistics.events


SWITCHED = """
model Switched
  input u
  local x (start=0), v (start=0), n (start=0)
  der(x) = v
  der(v) = (if u > 0.5 then 3 else -2) - v
  when u > 0.5 then
    new(n) = n + 1
  endwhen
end
"""


@pytest.mark.parametrize("method", ["dopri5", "rk4", "cvode-bdf"])
def test_steps_are_those_from_saved_states(method, write_model):
    """Relations follow the inputs that change between steps."""
    model, rng = cutset.load(write_model(SWITCHED)), random.Random(5)
    plans = [
        (rng.uniform(0.001, 0.1), {"u": rng.choice((0.0, 1.0))} if rng.random() < 0.6 else None) for _ in range(60)
    ]

    def stepped(are_saved):
        sim = model.simulator(method=method, max_step=1e-2)
        rows = []
        for dt, inputs in plans:
            if are_saved:
                sim.restore(sim.state())
            sim.step(dt, inputs)
            rows.append((sim.time, *sim.get("x", "v", "n", "u")))
        return np.array(rows), sim

    (fast, sim), (slow, other) = stepped(False), stepped(True)
    assert fast[-1, 3] > 5 and sim.events == other.events
    assert np.array_equal(fast, slow) and sim.state() == other.state()


def test_a_step_in_c_that_fails_changes_nothing(write_model):
    lines = ["  input a", "  local x (start=1), y (start=0)", "  der(x) = a*x^2", "  der(y) = if a > 2 then 1 else 0"]
    sim = cutset.load(write_model("\n".join(["model M", *lines, "end\n"]))).simulator(inputs={"a": 0.1})
    sim.step(0.5)
    sim.step(0.5)
    before = sim.state()
    with pytest.raises(RunError):
        sim.step(1.0, {"a": 3.0})
    assert sim.state() == before and sim["a"] == 0.1
    sim.step(0.1)
    assert sim["y"] == 0.0


def test_states_and_inputs_are_arrays(counter):
    sim = counter.simulator(inputs={"e": lambda t: 2.0 * t})
    sim.step(0.25)
    assert sim.x.tolist() == [sim["x"]] and sim.u.tolist() == [0.5] == [sim["e"]]
    sim.step(0.1, {"e": 3.0})
    assert sim.u.tolist() == [3.0] == [sim["e"]] and sim["both"] == sim["x"] + sim["I"]


def test_inputs_stay_until_they_are_given_again(counter):
    sim = counter.simulator(**FINE)
    sim.step(0.105, {"e": 2.0})
    sim.step(0.1)
    assert sim["I"] == pytest.approx(0.01 * 2.0 * 20)
    sim.step(0.1, {"e": lambda t: 0.0})
    assert sim["I"] == pytest.approx(0.4) and sim["both"] == pytest.approx(sim["x"] + sim["I"])


def test_a_restored_state_continues_equally(counter):
    sim = counter.simulator(inputs={"e": 3.0})
    sim.step(0.234)
    kept = sim.state()
    assert isinstance(kept, bytes)
    sim.step(0.5)
    once = sim.get("x", "I", "n", "high")
    sim.restore(kept)
    assert sim.time == 0.234
    sim.step(0.5)
    assert sim.get("x", "I", "n", "high") == once


PROGRAM = """
import sys, cutset
sim = cutset.load(sys.argv[1]).simulator()
sim.restore(open(sys.argv[2], "rb").read())
sim.step(0.5)
print(repr(sim.get(*sys.argv[3:])))
"""


@pytest.mark.parametrize("seed", [3, 11])
def test_another_process_continues_equally(seed, tmp_path):
    """Models with delays, held values, guesses of iterations and samples."""
    model = pieces.model(seed, tmp_path)
    sim = model.simulator()
    sim.step(0.77)
    (tmp_path / "state").write_bytes(sim.state())
    sim.step(0.5)
    names = [name for name in model.states if not name.startswith("$")]
    command = [sys.executable, "-c", PROGRAM, str(next(tmp_path.glob("*.mo"))), str(tmp_path / "state"), *names]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    wanted = sim.get(*names)
    assert np.array_equal(np.array(eval(found), ndmin=1), np.array(wanted, ndmin=1))


def test_states_and_parameters_can_be_set(counter):
    sim = counter.simulator(**FINE)
    sim.set({"x": 0.8, "lag": 0.5, "I": 0.1})
    assert sim.get("x", "lag", "I", "high") == (0.8, 0.5, 0.1, 1.0)
    sim.step(0.25)
    assert sim["x"] == pytest.approx(0.1 + 0.7 * np.exp(-0.5), rel=1e-7)
    sim.set({"e": 4.0})
    assert sim["e"] == 4.0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda sim: sim.step(0.0), "E605"),
        (lambda sim: sim.step(float("nan")), "E605"),
        (lambda sim: sim.step(0.1, {"f": 1.0}), "E602"),
        (lambda sim: sim.step(0.1, {"x": 1.0}), "E604"),
        (lambda sim: sim.set({"both": 1.0}), "E604"),
        (lambda sim: sim.set({"nothing": 1.0}), "E602"),
        (lambda sim: sim.set({"x": float("inf")}), "E605"),
        (lambda sim: sim.set({"x": 0.9, "lag": 0.0}), "E666"),
        (lambda sim: sim["nothing"], "E607"),
        (lambda sim: sim.restore(b"\x80\x04nonsense"), "E605"),
        (lambda sim: sim.restore(b'{"format": "cutset state 3", "model": ""}'), "E605"),
    ],
)
def test_what_is_wrong_changes_nothing(change, code, counter):
    sim = counter.simulator(inputs={"e": 1.0})
    sim.step(0.1)
    before = sim.state()
    with pytest.raises(RunError) as error:
        change(sim)
    assert error.value.code == code and sim.state() == before


def test_the_time_of_a_delay_does_not_change():
    sim = cutset.loads("model M\n  parameter T = 0.5, k = 2\n  local y\n  y = k*delay(time, T)\nend").simulator()
    sim.step(1.0)
    sim.set({"k": 3.0})
    assert sim["y"] == pytest.approx(1.5)
    with pytest.raises(RunError, match=r"E605.*cannot change from 0.5 to 0.25 s"):
        sim.set({"k": 4.0, "T": 0.25})
    sim.step(1.0)
    assert sim["y"] == pytest.approx(4.5) and sim["T"] == 0.5


def test_a_step_that_fails_changes_nothing(write_model):
    model = cutset.load(write_model("model M\n  local x (start=1)\n  der(x) = x^2\nend\n"))
    sim = model.simulator()
    sim.step(0.5)
    before = sim.state()
    with pytest.raises(RunError):
        sim.step(1.0)
    assert sim.state() == before and sim["x"] == pytest.approx(2.0, rel=1e-5)


def test_the_model_ends_the_run(write_model):
    text = 'model M\n  local x (start=0)\n  der(x) = 1\n  terminate x > 0.5, "far enough"\nend\n'
    sim = cutset.load(write_model(text)).simulator()
    assert sim.step(1.0) == pytest.approx(0.5, abs=1e-6) and sim.terminated == "far enough"
    with pytest.raises(RunError, match="has ended the run"):
        sim.step(1.0)


def test_a_pickled_simulator_continues_equally(counter):
    sim = counter.simulator({"lag": 0.2}, inputs={"e": 3.0})
    sim.step(0.234)
    sim.set({"lag": 0.3, "T": 0.02, "x": 0.1})
    sim.step(0.1, {"e": 2.0})
    other = pickle.loads(pickle.dumps(sim))
    for each in (sim, other):
        each.step(0.5)
    assert (other.time, *other.get("x", "I", "n", "lag", "e")) == (sim.time, *sim.get("x", "I", "n", "lag", "e"))


@pytest.mark.parametrize("seed", range(3))
def test_values_set_in_c_are_those_of_a_new_start(seed):
    """States, held values, inputs and parameters of random hybrid models, to the last bit of the whole state."""
    rng = random.Random(seed)
    parts = [
        pieces.PARTS[each] for each in (rng.choice(["ball", "hysteresis", "stick"]), rng.choice(["loop", "sampled"]))
    ]
    text = SWITCHED.replace("der(v) = (if u > 0.5 then 3 else -2)", "der(v) = (if u > 0.5 then push else -2)")
    text = text.replace("  input u\n", "  parameter push = 3\n  input u\n").replace("\nend\n", "")
    text += "".join(part.format(n=k, a=0.31, b=0.27, c=0.83) for k, part in enumerate(parts)) + "\nend\n"
    model = cutset.loads(text)
    fast, slow = model.simulator(max_step=0.02), model.simulator(max_step=0.02)
    slow._run.change = lambda *_: False
    names = [*model.states, *model.translated.info.discrete, "u", "push"]
    for _ in range(12):
        given = {name: rng.uniform(-0.5, 1.5) for name in rng.sample(names, 2)}
        dt = rng.uniform(0.001, 0.2)
        for sim in (fast, slow):
            sim.set(given)
            sim.step(dt)
        assert fast.state() == slow.state() and fast["push"] == slow["push"] and fast.events == slow.events


def test_bdf_has_no_steps(counter):
    with pytest.raises(RunError, match="step by step"):
        counter.simulator(method="bdf")


def test_outputs_are_those_of_the_model(write_model) -> None:
    text = "model M\n  output y, z(2)\n  local x (start=1)\n  der(x) = -x\n  y = 2*x\n  z = [x, -x]\nend\n"
    sim = cutset.load(write_model(text)).simulator()
    sim.step(1.0)
    x = sim["x"]
    assert sim.outputs == {"y": 2.0 * x, "z(1)": x, "z(2)": -x}
