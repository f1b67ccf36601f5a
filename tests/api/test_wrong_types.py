"""What is of a wrong type is told in words of ours, never by an error from inside."""

import pytest

import cutset
from cutset.runtime.errors import RunError, UnknownName

TEXT = """model M
  input u
  parameter a = 2, v(2) = [1, 2]
  local x (start=1)
  der(x) = -a*x + u + v(1)
end
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.mo"
    path.write_text(TEXT)
    return cutset.load(path)


@pytest.mark.parametrize("name", [3, None, 1.5])
def test_names_are_texts(model, name):
    run = model.simulate(1.0, target="python")
    with pytest.raises(UnknownName, match="a name must be a string"):
        run[name]
    with pytest.raises(UnknownName, match="a name must be a string"):
        run[["x", name]]
    assert name not in run and list(run) == list(run.names())


def test_names_of_columns(model, tmp_path):
    run = model.simulate(1.0, target="python")
    for names in (3, [3], [None]):
        for call in (run.select, lambda names: run.to_csv(tmp_path / "x.csv", names)):
            with pytest.raises((TypeError, UnknownName), match="must be a"):
                call(names)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"parameters": {1: 2}}, "there is no parameter 1"),
        ({"parameters": [1]}, "by name"),
        ({"parameters": "a=2"}, "by name"),
        ({"initial": {1: 1}}, "1"),
        ({"initial": "x"}, "by name"),
        ({"inputs": {2: 1}}, "there is no input 2"),
        ({"inputs": 3}, "by name"),
        ({"points": 3.5}, "points must be a number of output times, not 3.5"),
        ({"points": "3"}, "points must be a finite number, not '3'"),
        ({"interval": []}, "interval must be a finite number"),
        ({"inputs": {"u": lambda t: None}}, "the input 'u' returned None, at time 0.0"),
        ({"inputs": {"u": lambda t: "1"}}, "the input 'u' returned '1', at time 0.0"),
        ({"inputs": {"u": lambda t: [1, 2]}}, r"the input 'u' returned \[1, 2\], at time 0.0"),
        ({"inputs": {"u": lambda t: 1j if t > 0.5 else 0}}, "the input 'u' returned 1j, at time 0"),
        ({"target": 3}, "there is no target '3'"),
    ],
)
@pytest.mark.parametrize("target", ["auto", "python"])
def test_settings_of_a_run(model, settings, words, target):
    with pytest.raises(RunError, match=words):
        model.simulate(1.0, **{"target": target, **settings})


@pytest.mark.parametrize("states", ["x", None, [None], [[[1.0]]], [[1.0, 2.0]], {"x": 1}, [1, 2]])
def test_states_of_an_evaluation(model, states):
    with pytest.raises(ValueError, match=r"states: expected finite numbers for x, not"):
        model.evaluate(0.0, states)


def test_sweeps(model):
    for vary, words in (
        ({"a": 3}, "must be a list"),
        (3, "must be lists of values by name"),
        ({1: [1]}, "there is no"),
        ("a", "by name"),
    ):
        with pytest.raises(RunError, match=words):
            model.sweep(vary, ["x"])
    for keep in ("x", [3]):
        with pytest.raises(TypeError, match="keep must be a list of names"):
            model.sweep({"a": [1.0]}, keep)
    for workers in (0, "2", 1.5):
        with pytest.raises(RunError, match="workers must be a number of processes"):
            model.sweep({"a": [1.0]}, ["x"], workers=workers)


def test_files(model, tmp_path):
    for path in (3, None, ["m.mo"]):
        with pytest.raises(TypeError, match="path must be the path of a file"):
            cutset.load(path)
    for folders in (3, "folder", tmp_path):
        with pytest.raises(TypeError, match="library_path must be a list of folders"):
            cutset.load(tmp_path / "m.mo", library_path=folders)
