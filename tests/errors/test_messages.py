"""Each message has a model that brings it about, and its full text is what stands beside the model."""

import re
from pathlib import Path

import pytest

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import compile_model

HERE = Path(__file__).parent
MODELS = sorted([*(HERE / "models").glob("*.mo"), *(HERE / "unsolvable").glob("*.mo")])
ROOT = HERE.parent.parent


@pytest.mark.parametrize("model", MODELS, ids=lambda p: p.stem)
def test_message(model, agrees, monkeypatch):
    monkeypatch.chdir(model.parent)
    with pytest.raises(ModelError) as caught:
        compile_model(Path(model.name), None)
    agrees(str(caught.value).replace(str(ROOT), "ROOT") + "\n", model.with_suffix(".txt"))


def test_every_code_has_a_model():
    """All E2xx to E5xx codes; E1xx are those of tests/syntax, and some need more than a text to come about: E315 to
    E319 need options, and tests/flatten has them."""
    posed = {f"E{number}" for number in range(315, 320)}
    codes = set()
    for file in ROOT.glob("compiler/**/*messages.py"):
        codes |= set(re.findall(r'"(E[2-5]\d\d)"', file.read_text()))
    shown = set(re.findall(r"\[(E\d\d\d)\]", "".join(p.read_text() for p in HERE.glob("*/*.txt"))))
    assert codes - shown - posed == {"E202", "E207", "E235", "E298", "E299"}


def test_a_code_belongs_to_one_file():
    codes = [
        code
        for file in ROOT.glob("compiler/**/*messages.py")
        for code in {*re.findall(r'"(E\d\d\d)"', file.read_text())}
    ]
    repeated = {code for code in codes if codes.count(code) > 1}
    assert not repeated


def test_missing_and_unreadable_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"error\[E201\]: there is no file 'nowhere.mo'"):
        compile_model(Path("nowhere.mo"), None)
    Path("latin.mo").write_bytes(b"model M\n { \xe9 }\nend\n")
    with pytest.raises(ModelError, match=r"error\[E202\]: .* it is not UTF-8"):
        compile_model(Path("latin.mo"), None)
    Path("folder.mo").mkdir()
    with pytest.raises(ModelError, match=r"error\[E202\]"):
        compile_model(Path("folder.mo"), None)


def test_unknown_object(write_model):
    path = write_model("model Alpha\n  local x\n  x = 1\nend\n")
    with pytest.raises(ModelError, match=r"error\[E207\].*'Alfa'(.|\n)*did you mean 'Alpha'"):
        compile_model(path, "Alfa")


def test_two_hundred_levels(write_model):
    classes = [f"model class C{k}\n  submodel (C{k + 1}) s\nend\n" for k in range(300)]
    text = "\n".join([*classes, "model class C300\n  local x\n  x = 1\nend\n", "model M\n  submodel (C0) s\nend\n"])
    with pytest.raises(ModelError, match=r"error\[E235\]"):
        compile_model(write_model(text), None)


def test_includes_stay_inside(tmp_path, write_model):
    (tmp_path / "secret.mo").write_text("model class S\nend\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "link.mo").symlink_to(tmp_path / "secret.mo")
    for name in ('"../secret.mo"', f'"{tmp_path}/secret.mo"', "link"):
        path = inner / "model.mo"
        path.write_text(f"@{name}\nmodel M\n  submodel (S) s\nend\n")
        with pytest.raises(ModelError, match=r"error\[E203\]"):
            compile_model(path, None)
