"""Files of classes only: each class is checked by itself."""

from pathlib import Path

import pytest

from cutset.api.command_line.command import main
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.pipeline import check_library, read_library

LIBRARY = """
model class Half
  parameter k, n
  local x(n), y
  x(1) = k
  y = given/(k - n)
end
model class (Half) Whole
  local given
  local z
  z = x(n) + {}
end
"""


def test_classes_that_are_right(write_model):
    assert check_library(read_library(write_model(LIBRARY.format("y")))).classes == ("Half", "Whole")


def test_every_class_is_looked_at(write_model):
    path = write_model(LIBRARY.format("u") + "model class Other\n  local v\n  v = w\nend\n")
    with pytest.raises(ModelError) as caught:
        check_library(read_library(path))
    assert [(d.code, d.instance) for d in caught.value.diagnostics] == [("E211", "Whole"), ("E211", "Other")]


def test_the_command_checks_classes(write_model, capsys):
    path = write_model("model class A\n  local x\n  x = 1\nend\n")
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: 1 class, no errors\n"
    assert main(["simulate", str(path)]) == 1
    assert "E206" in capsys.readouterr().err
    empty = write_model("# nothing\n", "empty.mo")
    assert main(["check", str(empty)]) == 1
    assert "E206" in capsys.readouterr().err


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "stdlib").glob("*.mo")), ids=lambda path: path.stem
)
def test_the_standard_library_is_right(path):
    """Each class by itself, in the units that it declares."""
    assert check_library(read_library(path))


def test_units_of_classes_are_checked(write_model):
    text = 'model class A\n  parameter R (unit="Ohm"), m (unit="kg")\n  local x (unit="V")\n  x = R*m\nend\n'
    with pytest.raises(ModelError, match="E242"):
        check_library(read_library(write_model(text)))


def test_a_file_of_functions_and_types_is_checked_too(write_model, capsys):
    text = 'type Angle (unit="rad")\ncut class Pin (V / i)\nfunction f((Angle) x) result z\n  z := x\nend\n'
    assert main(["check", str(write_model(text))]) == 0
    assert capsys.readouterr().out.endswith(": 1 function, 1 type and 1 cut class, no errors\n")
    text += "function g(x, (Boolean) b) result z\n  z := x + b\nend\nfunction h(x) result z\n  z := y\nend\n"
    text += 'function k(x (unit="m")) result z (unit="s")\n  z := x\nend\n'
    with pytest.raises(ModelError) as caught:
        check_library(read_library(write_model(text)))
    assert [d.code for d in caught.value.diagnostics] == ["E276", "E288", "E242"]


def test_external_functions_of_classes_are_allowed_on_demand(write_model, capsys):
    text = 'external function drag(v) result F "python:aero.drag"\nmodel class D\n  local x\n  x = drag(time)\nend\n'
    path = str(write_model(text))
    assert main(["check", path]) == 1 and "E297" in capsys.readouterr().err
    assert main(["check", path, "--allow-external"]) == 0


def test_many_files_are_checked_as_few(tmp_path, monkeypatch, capsys):
    """In processes of their own: the same words in the same order, and the mistakes of all."""
    monkeypatch.chdir(tmp_path)
    wrong = {3, 8}
    for k in range(10):
        text = f"model class C{k}\n  local x\n  x = {'y' if k in wrong else k}\nend\n"
        Path(f"c{k}.mo").write_text(text + (f"model M\n  submodel (C{k}) c\nend\n" if k in (3, 5) else ""))
    names = [f"c{k}.mo" for k in range(10)]
    assert main(["check", *names]) == 1
    said = capsys.readouterr().err
    assert [line.strip() for line in said.splitlines() if "-->" in line] == ["--> c3.mo:3:7", "--> c8.mo:3:7"]
    right = [name for k, name in enumerate(names) if k not in wrong]
    assert main(["check", *right, "--without", "loops"]) == 0
    together = capsys.readouterr().out
    told = [line.removesuffix(" no errors")[:-1] for line in together.splitlines() if line.endswith(" no errors")]
    assert told == [*(f"c{k}.mo: 1 class" for k in (0, 1, 2, 4)), "M", *(f"c{k}.mo: 1 class" for k in (6, 7, 9))]


def test_what_cannot_start_processes_checks_in_turn(tmp_path, monkeypatch, capsys):
    def none(*arguments):
        raise OSError("no more processes")

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", none)
    for k in range(9):
        (tmp_path / f"c{k}.mo").write_text(f"model class C{k}\n  local x\n  x = {k}\nend\n")
    assert main(["check", *(str(tmp_path / f"c{k}.mo") for k in range(9)), "--without", "loops"]) == 0
    assert capsys.readouterr().out.count("1 class, no errors") == 9
