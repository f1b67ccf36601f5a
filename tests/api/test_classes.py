"""What there is in a library, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cutset.api.command_line.command import main
from cutset.api.show.classes import standard_libraries

TEXT = """
@parts
type Mode = (Free, Stuck) "of a brake"
cut class Pin (V / i) "a pin. It says more"
function square(x) result y "the second power"
  y := x^2
end
model class (Part) Wire "A wire. It is long"
  cut (Pin) B (W / -j)
  cut Both [A, B]
  W = V
  i = j
end
model class Cable
  cut (Pin) C(3) (V / i)
  main cut W [C(1..2), C(3)]
end
model class Loose
  cut c (x, . / f)
end
model Top
end
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "parts.mo").write_text("model class Part\n  main cut A (V / i)\nend\n")
    (tmp_path / "wires.mo").write_text(TEXT)
    return str(tmp_path / "wires.mo")


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, list[dict[str, str]]]:
    assert main(["classes", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_all_that_a_file_declares(file: str, capsys) -> None:
    found = listed(capsys, file)[file]
    assert [tuple(each.values())[:4] for each in found] == [
        ("Mode", "type", "Free, Stuck", "of a brake"),
        ("Pin", "cut class", "V / i", "a pin."),
        ("square", "function", "x", "the second power"),
        ("Wire", "class", "A, B (Pin), Both [A, B]", "A wire."),
        ("Cable", "class", "C(3) (Pin), W [C(1..2), C(3)]", ""),
        ("Loose", "class", "c", ""),
        ("Top", "object", "", ""),
    ]
    assert found[0]["place"] == f"{file}:3:6"


def test_parameters_of_a_class(tmp_path: Path, capsys) -> None:
    (tmp_path / "mass.mo").write_text(
        'type Mass (unit="kg", min=0)\ntype (Mass) Heavy (min=100)\n'
        'model class Body\n  parameter (Heavy) m "mass. Of all of it", g (unit="m/s2") = 9.81, k = 1e-3, r(3) '
        '(unit="m") = [0, 0, 1]\nend\n'
        'model class (Body) Ball\n  parameter m = 7, w (unit="N") = m*g, n (unit="1") = 2\nend\n'
    )
    found = listed(capsys, str(tmp_path / "mass.mo"))[str(tmp_path / "mass.mo")]
    assert [tuple(each.values()) for each in found[-1]["parameters"]] == [
        ("m", "kg", "7", "mass."),
        ("g", "m/s2", "9.81", ""),
        ("k", "kg", "0.001", ""),
        ("r(3)", "m", "[0, 0, 1]", ""),
        ("w", "N", "m*g", ""),
        ("n", "1", "2", ""),
    ]
    assert main(["classes", str(tmp_path / "mass.mo")]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for line in (
        "m parameter in kg mass.",
        "m parameter = 7 kg mass.",
        "k parameter = 0.001 kg",
        "w parameter = m*g in N",
        "n parameter = 2",
    ):
        assert line in lines, line


def test_parts_of_a_library_and_files_that_only_include(tmp_path: Path, capsys) -> None:
    whole = listed(capsys, "mbssim")
    assert {"mbssim", "mbssim/joints", "mbssim/drives"} <= set(whole)
    shared = {name for name in whole if name.partition("/")[0] != "mbssim"}
    assert {"multibody/joints", "multibody/drives", "multibody/contact_laws"} < shared
    assert {name.partition("/")[0] for name in shared} == {"multibody"}
    assert list(listed(capsys, "mbssim/joints")) == ["mbssim/joints"]
    assert list(listed(capsys, "sources")) == ["sources"]
    (tmp_path / "choice.mo").write_text("@mbssim as mbs\n")
    chosen = listed(capsys, str(tmp_path / "choice.mo"))
    joints = {each["name"]: each for each in chosen["multibody/joints"]}
    assert [p["name"] for p in joints["mbs.Revolute"]["parameters"]] == ["closing", "n1", "n2", "n3", "q0", "qd0"]


def test_parts_that_a_library_shares_with_another_are_its_own(tmp_path: Path, capsys) -> None:
    for name, text in (
        ("arm/drives", "model class Lock\nend\n"),
        ("arm", '@"arm/drives"\nmodel class Joint\nend\n'),
        ("leg", '@"arm/drives"\nmodel class Knee\nend\n'),
        ("robot", "@arm\nmodel class Robot\nend\n"),
    ):
        (tmp_path / f"{name}.mo").parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.mo").write_text(text)
    found = {}
    for name in ("leg", "robot"):
        of_files = listed(capsys, str(tmp_path / f"{name}.mo"))
        found[name] = [each["name"] for own in of_files.values() for each in own]
    assert found == {"leg": ["Knee", "Lock"], "robot": ["Robot"]}


def test_for_people(file: str, capsys) -> None:
    assert main(["classes", file, "electrical"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["Wire", "class", "A,", "B", "(Pin),", "Both", "[A,", "B]", "A", "wire."] in lines
    assert ["electrical"] in lines and any(line[:2] == ["Resistor", "class"] for line in lines)


def test_the_whole_standard_library(capsys) -> None:
    found = listed(capsys)
    assert list(found) == list(standard_libraries())
    assert all(each["documentation"] for declared in found.values() for each in declared if each["kind"] == "class"), (
        "a class that is not documented"
    )


def test_a_library_in_a_folder(file: str, capsys) -> None:
    folder = str(Path(file).parent)
    assert list(listed(capsys, "parts", "-I", folder)) == ["parts"]
    assert list(listed(capsys, "wires.mo", "-I", folder)) == ["wires.mo"]


@pytest.mark.parametrize("name", ["electrcal", "x" * 5000, "@nothing", ""])
def test_a_library_that_is_not_there(name: str, capsys) -> None:
    assert main(["classes", name]) == 2
    assert "there is no file and no library" in capsys.readouterr().err


def test_words_find_classes_by_name_and_documentation(file: str, capsys) -> None:
    found = listed(capsys, "damper", "joint")
    assert {each["name"] for each in found["multibody/drives"]} == {"JointDamper", "JointSpringDamper", "JointStop"}
    assert "electrical" not in found
    found = listed(capsys, file, "second")
    assert [each["name"] for each in found[file]] == ["square"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [("motor", "DCMachine"), ("electric motor", "DCMachine"), ("drum", "IdealGearR2T"), ("pulley", "IdealGearR2T"),
     ("winch", "IdealGearR2T"), ("battery", "VConst"), ("bearing friction", "BearingFriction")],
)  # fmt: skip
def test_words_of_other_programs_find_classes(words: str, expected: str, capsys) -> None:
    assert main(["classes", *words.split()]) == 0
    assert f" {expected} " in capsys.readouterr().out


def test_few_classes_show_their_parameters(capsys) -> None:
    assert main(["classes", "IdealDiode"]) == 0
    assert "Ron" in capsys.readouterr().out
    assert main(["classes", "switch"]) == 0
    assert "Ron" not in capsys.readouterr().out


def test_a_wrong_file(tmp_path: Path, capsys) -> None:
    (tmp_path / "wrong.mo").write_text("model class A\n  local (\nend\n@nowhere\n")
    assert main(["classes", str(tmp_path / "wrong.mo")]) == 1
    assert "error[E" in capsys.readouterr().err
    (tmp_path / "empty.mo").write_text("{ nothing }\n")
    assert main(["classes", str(tmp_path / "empty.mo")]) == 0
    assert "declares nothing" in capsys.readouterr().out
