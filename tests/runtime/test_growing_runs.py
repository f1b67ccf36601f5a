"""A run that ends with absurd values says so."""

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
def test_states_that_grew_from_below_their_tolerance_are_named(write_model, method):
    """A decay and new growth, a growth from 0; not what a source drives, nor what begins late."""
    run = cutset.load(write_model(SMALL)).simulate(2.0, method=method, points=200)
    assert abs(run["x"][-1] - 1.0) > 0.1 or abs(run["y"][-1] / 1.1769263e4 - 1.0) > 0.1  # exp(0), 5e-14*(exp(40) - 1)
    told = [note for note in run.notes if note.startswith("states that grew from below")]
    assert len(told) == 1 and "'x' (from " in told[0] and ("'y' (from " in told[0] or run["y"].max() < 1e-6)
    assert "front" not in told[0] and "'mark'" not in told[0] and "'lost'" not in told[0]
    well = cutset.load(write_model(SMALL)).simulate(2.0, method=method, atol=1e-30, rtol=1e-8, points=200)
    assert well["x"][-1] == pytest.approx(1.0, rel=1e-3) and well["y"][-1] == pytest.approx(1.1769263e4, rel=1e-3)
    assert not well.notes
