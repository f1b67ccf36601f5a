"""Models from a text, and models and their results in pickles."""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path

import pytest

import cutset

DECAY = "model Decay\n  parameter k = 2, offset = 0\n  local x (start=1)\n  der(x) = -k*x + offset\nend\n"


def test_a_text_is_a_model() -> None:
    model = cutset.loads(DECAY)
    assert model.name == "Decay" and model.simulate(1.0)["x"][-1] == pytest.approx(math.exp(-2), rel=1e-5)
    changed = model.simulate(1.0, parameters={"offset": 2.0})  # part of the code: translated again
    assert changed["x"][-1] == pytest.approx(1.0, abs=1e-6)
    assert model.components()[0].place == "<text>:1:7" and str(model.equations()[0].lhs)
    ended = model.simulate(5.0, until="x < 0.5")
    assert ended.time[-1] == pytest.approx(math.log(2) / 2, abs=1e-6)


def test_a_text_includes_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part.mo").write_text("model class Part\n  local y\n  y = 3\nend\n", encoding="utf-8")
    text = "@part\nmodel Whole\n  submodel (Part) p\nend\n"
    with pytest.raises(cutset.ModelError, match="E201"):
        cutset.loads(text)
    assert cutset.loads(text, library_path=[tmp_path]).simulate(0.0)["p.y"][0] == 3
    monkeypatch.chdir(tmp_path)
    assert cutset.loads(text, "Whole").simulate(0.0)["p.y"][0] == 3


def test_an_unknown_setting_is_an_error() -> None:
    with pytest.raises(TypeError, match="no argument 'librarypath'"):
        cutset.loads(DECAY, librarypath=[])  # type: ignore[call-arg]


def test_two_texts_are_two_models() -> None:
    other = DECAY.replace("k = 2", "k = 3")
    assert [cutset.loads(text).parameters["k"] for text in (DECAY, other, DECAY)] == [2, 3, 2]


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "E206"), ("model M\nend\0\n", "E202"), ("x" * 2_000_001, "E202"), ("model M\n\ud800\nend\n", "E202"),
     ("model M\n  local x\n  x = y\nend\n", "E211"), ("\x1b[31m", "E101")],
)  # fmt: skip
def test_a_wrong_text_is_refused(text: str, code: str) -> None:
    with pytest.raises(cutset.ModelError, match=rf"error\[{code}\]") as raised:
        cutset.loads(text)
    assert "\x1b" not in str(raised.value) and "\0" not in str(raised.value)


def test_a_text_is_a_string() -> None:
    with pytest.raises(TypeError, match="text must be a string"):
        cutset.loads(Path("model.mo"))


def test_a_pickled_model_is_translated_again(write_model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_model(DECAY)
    monkeypatch.chdir(path.parent)
    kept = [pickle.dumps(model) for model in (cutset.load(path.name), cutset.loads(DECAY))]
    kept.append(pickle.dumps(cutset.loads(DECAY).with_values({"offset": 1.0})))
    monkeypatch.chdir(tmp_path.parent)
    ends = [pickle.loads(each).simulate(1.0)["x"][-1] for each in kept]
    assert ends[0] == ends[1] == pytest.approx(math.exp(-2), rel=1e-5)
    assert pickle.loads(kept[2]).simulate(1.0, parameters={"offset": 2.0})["x"][-1] == pytest.approx(1.0, abs=1e-6)
    path.unlink()
    assert pickle.loads(kept[0]).simulate(1.0)["x"][-1] == ends[0]  # it keeps its text


def test_a_state_belongs_to_the_model_in_any_folder(tmp_path: Path) -> None:
    for folder, text in (("a", DECAY), ("b", DECAY), ("c", DECAY.replace("-k*x", "-k*x^2"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.mo").write_text(text, encoding="utf-8")
    a, b, c = (cutset.load(tmp_path / folder / "m.mo") for folder in "abc")
    state = a.simulate(1.0).state()
    assert b.simulate(2.0, start_from=state)["x"][-1] == pytest.approx(math.exp(-4), rel=1e-4)
    with pytest.raises(cutset.RunError, match="another model"):
        c.simulate(2.0, start_from=state)


def test_a_copy_of_a_model_is_the_same_model() -> None:
    model = cutset.loads(DECAY)
    assert copy.deepcopy(model).simulate(1.0)["x"][-1] == copy.copy(model).simulate(1.0)["x"][-1]


def test_a_failed_run_has_its_result() -> None:
    model = cutset.loads("model M\n  local x (start=1)\n  der(x) = x^2\nend\n")
    with pytest.raises(cutset.RunError) as raised:
        model.simulate(2.0)
    result = raised.value.result
    assert result.time[-1] < 1.001 and result["x"][0] == 1 and result.failure is not None


def test_ctrl_c_is_a_keyboard_interrupt_with_the_result() -> None:
    def course(time: float) -> float:
        if time > 0.5:
            raise KeyboardInterrupt
        return 0.0

    model = cutset.loads("model M\n  input u\n  local x (start=1)\n  der(x) = u - x\nend\n")
    for method, target in (("dopri5", "c"), ("dopri5", "python"), ("cvode-bdf", "c"), ("cvode-bdf", "python")):
        with pytest.raises(cutset.Interrupted, match="interrupted") as raised:
            model.simulate(2.0, inputs={"u": course}, max_step=0.1, method=method, target=target)
        assert isinstance(raised.value, KeyboardInterrupt) and not isinstance(raised.value, cutset.RunError)
        assert 0.2 < raised.value.result.time[-1] <= 0.5


def test_read(tmp_path: Path) -> None:
    run = cutset.loads(DECAY).simulate(1.0, points=5)
    run.to_csv(tmp_path / "run.csv")
    assert (cutset.read(tmp_path / "run.csv")["x"] == run["x"]).all() and list(cutset.read(str(tmp_path / "run.csv")))
    for name in ("none.csv", "run.txt"):
        with pytest.raises(cutset.RunError, match="E605"):
            cutset.read(tmp_path / name)
