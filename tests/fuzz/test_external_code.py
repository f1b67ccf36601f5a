"""A model cannot make anybody run Python code that the user has not allowed."""

from __future__ import annotations

import sys

import pytest

from cutset.api.command_line.command import main
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import Options, check_library, compile_model, read_library

MODULE = "cutset_fuzz_code_of_a_model"
MODEL = f"""
external function f(x) "python:{MODULE}.f"
model class C
  local y
  y = f(time)
end
model M
  submodel (C) c
end
"""


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A model whose function stands beside it, and in a folder where Python looks for modules."""
    (tmp_path / f"{MODULE}.py").write_text("raise SystemExit('this code was run')")
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "model.mo"
    file.write_text(MODEL)
    return file


@pytest.mark.parametrize(
    "words",
    [["check"], ["simulate", "--stop", "1"], ["inspect"], ["translate", "--target", "python", "-o", "out"], ["fmt"]],
)
def test_no_command_imports_what_a_model_names(words, path, monkeypatch, capsys):
    monkeypatch.chdir(path.parent)
    code = main([words[0], str(path), *words[1:]])
    assert MODULE not in sys.modules and "this code" not in "".join(capsys.readouterr())
    assert code == (0 if words == ["fmt"] else 1)


def test_translation_imports_nothing_even_where_it_is_allowed(path):
    with pytest.raises(ModelError) as refused:
        compile_model(path, None)
    assert [d.code for d in refused.value.diagnostics] == ["E297"]
    assert compile_model(path, None, Options(allow_external=True)).info.externals
    assert MODULE not in sys.modules


def test_a_library_is_checked_without_its_code(path):
    path.write_text(MODEL.partition("model M")[0])
    with pytest.raises(ModelError):
        check_library(read_library(path))
    assert MODULE not in sys.modules


@pytest.mark.parametrize(
    "target",
    ["os", "os.system", "python:os", "python:.os.system", "python:..os.system", "python:os..system",
    "python:os.system()",
     "python:os.system;x", "python:os. system", " python:os.system", "python:os.system ", "python:\u043es.system",
     "python:os/system", "python:os.1", "Python:os.system", "python:os:system", "c:os.system"],
)  # fmt: skip
def test_a_target_is_a_dotted_name(target, path):
    path.write_text(MODEL.replace(f"python:{MODULE}.f", target))
    with pytest.raises(ModelError) as refused:
        compile_model(path, None, Options(allow_external=True))
    assert refused.value.diagnostics[0].code == "E286"
