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
