"""A run that ends with absurd values says so."""

import numpy as np
import pytest

import cutset

MODEL = """model M
  parameter x0 = 1, far = 0
  local x (start=x0), y (nominal=1e9), z
  der(x) = 40*x
  der(y) = 1e13
  der(z) = 1
  when time > 0.5 and far > 0 then
    init(z) = 1e20
  endwhen
end
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("growth") / "m.mo"
    path.write_text(MODEL)
    return cutset.load(path)


def test_a_state_that_grows_is_named(model):
    (note,) = model.simulate(1.0, target="python").notes
    assert note.startswith("the state 'x' grew to ") and "more than 1e12 times its nominal value" in note
    assert model.simulate(0.5, target="python").notes == ()


def test_what_is_meant_so_is_not(model):
    assert model.simulate(0.1, parameters={"x0": 1e14}, target="python").notes == ()
    names = [note.split("'")[1] for note in model.simulate(1.0, parameters={"far": 1.0}, target="python").notes]
    assert names == ["x"]


SMALL = """model S
  parameter e = 0, k = 1
  local x (start=k), y (start=0), z (start=0), front(20) (start=0), lost (start=0), mark (start=0)
  der(x) = 100*(time - 1)*x
  der(y) = 20*y + 1e-12
  der(z) = 20*e
  der(front(1)) = 1 - 2*front(1) + front(2)
  for i = 2..19 do
    der(front(i)) = front(i - 1) - 2*front(i) + front(i + 1)
  endfor
  der(front(20)) = front(19) - front(20)
  der(lost) = 20*lost + e
  der(mark) = if time > 1 then 2*(mark + 1) else 0
end
"""


@pytest.mark.parametrize("method", ["auto", "cvode-bdf", "tsit5"])
def test_states_that_grew_from_below_their_tolerance_are_right_or_named(write_model, method):
    """A decay to 2e-22 and new growth, a growth from 0; not what a source drives, nor what begins late."""
    run = cutset.load(write_model(SMALL)).simulate(2.0, method=method, points=200)
    told = "".join(note for note in run.notes if note.startswith("states that grew from below"))
    assert "'x' (from " in told or run["x"][-1] == pytest.approx(1.0, rel=1e-4)
    assert not [name for name in ("y", "front", "mark", "lost") if f"'{name}" in told]
    assert run["y"][-1] == pytest.approx(1.1769263e4, rel=1e-4)  # 5e-14*(exp(40) - 1)
    well = cutset.load(write_model(SMALL)).simulate(2.0, method=method, atol=1e-30, rtol=1e-8, points=200)
    assert well["x"][-1] == pytest.approx(1.0, rel=1e-3) and well["y"][-1] == pytest.approx(1.1769263e4, rel=1e-3)
    assert not well.notes


GROWN = """model G
  parameter rate = 2
  local x (start=0), dip (start=1), v (start=0), w (start=0), late (start=0)
  der(x) = rate*x + 1e-6
  der(dip) = (time - 5)*dip
  der(v) = w
  der(w) = 0.6*w - 9*v + 1e-6*exp(-time)
  der(late) = 3*late + (if time > 3 then 1e-7 else 0)
end
"""
# Of v: by partial fractions, with the poles 0.3 +- i*w.
_GROWN = {"x": 5e-7 * np.expm1(24.0), "dip": np.exp(-60.0 + 72.0), "late": 1e-7 / 3.0 * np.expm1(27.0)}


def _swing(t: float) -> float:
    pole = 0.3 + 1j * np.sqrt(8.91)
    return 1e-6 * (np.exp(-t) / 10.6 + 2.0 * (np.exp(pole * t) / ((pole + 1.0) * (2j * pole.imag))).real)


@pytest.fixture(scope="module")
def grown():
    return cutset.loads(GROWN)


@pytest.mark.parametrize("method", ["auto", "tsit5", "cvode-bdf", "ida"])
def test_states_that_grow_by_themselves_from_below_their_tolerance_are_right(grown, method):
    """From 0 by a small source, from a dip, swinging, and by a source that comes later."""
    run = grown.simulate(12.0, method=method, points=30)
    for name, end in {**_GROWN, "v": _swing(12.0)}.items():
        largest = max(abs(end), abs(run[name]).max())
        assert abs(run[name][-1] - end) < 100 * (1e-6 * largest + 1e-8), name
    assert not run.notes


def test_a_sweep_has_the_numbers_of_runs_that_are_repeated(grown):
    swept = grown.sweep({"rate": [2.0, 2.2]}, ["x"], stop=12.0, workers=1)
    for rate, end in zip((2.0, 2.2), swept["x"], strict=True):
        assert end == grown.simulate(12.0, parameters={"rate": rate})["x"][-1]
        assert end == pytest.approx(1e-6 / rate * np.expm1(12.0 * rate), rel=1e-5)


CALLED = """external controller source(t) result u "python:source.Source"
model E
  local x (start=0), u (start=1e-6)
  der(x) = 2*x + u
  when time > 11 then
    new(u) = source(time)
  endwhen
end
"""
SOURCE = """class Source:
    def __call__(self, t):
        return 1e-6
"""


def test_a_run_that_is_not_repeated_names_the_state(write_model):
    """It calls a controller, which would go on from what it has done."""
    path = write_model(CALLED)
    (path.parent / "source.py").write_text(SOURCE)
    (note,) = cutset.load(path, allow_external=True).simulate(12.0, method="cvode-bdf").notes
    assert "grew from below" in note and "'x' (from " in note
