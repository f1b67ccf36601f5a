"""What a model consists of: components and variables, in Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.api.show.listing import ListedVariable

TEXT = """
type Angle (nominal=2) "an angle"
type Mode = (Free, Stuck)
cut class Pin (V (unit="V") / i (unit="A")) "a pin"

model class Plate "what holds a charge"
  constant two = 2 "a number"
  parameter C (unit="F", min=0, max=9) = 1e-3*two "capacity"
  cut (Pin) A (Va / i) "positive", B (Vb / -i)
  parameter u0 (unit="V") = two/1000
  local u (start=u0)
  u = Va - Vb
  C*der(u) = i
end

model class Zero
  main cut (Pin) A (V / i)
  V = 0
end

model Box "all kinds"
  submodel (Plate) left "on the left", right(2)(C=[1, 2])
  submodel (Zero) zero
  parameter (Mode) mode = Mode.Stuck
  parameter hot = true
  input w
  local (Angle) phi, psi (nominal=3), T(2,2)(symmetric), g
  der(phi) = w + (if hot and mode == Mode.Free then 1 else 0)*1
  psi = -phi
  g = left.C*3
  T = [1, phi; phi, time]
  connect left:B at zero, right(k):B at zero for k = 1..2
end
"""


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> cutset.Model:
    path = tmp_path_factory.mktemp("box") / "box.mo"
    path.write_text(TEXT)
    return cutset.load(path)


def of(model: cutset.Model, name: str) -> ListedVariable:
    (found,) = model.variables(name)
    return found


def test_components_come_with_what_is_around_them_first(box: cutset.Model) -> None:
    found = box.components()
    assert [c.name for c in found] == ["", "left", "right(1)", "right(2)", "zero"]
    assert [c.depth for c in found] == [0, 1, 1, 1, 1]
    assert (found[1].class_name, found[1].documentation, found[1].class_documentation) == (
        "Plate", "on the left", "what holds a charge",
    )  # fmt: skip
    assert found[0].class_documentation == "all kinds"
    assert found[1].place.endswith("box.mo:22:20")
    assert [(c.name, c.cut_class, c.documentation) for c in found[1].cuts] == [
        ("A", "Pin", "positive"), ("B", "Pin", "a pin"),
    ]  # fmt: skip


def test_kinds(box: cutset.Model) -> None:
    kinds = {v.name: v.kind for v in box.variables()}
    assert kinds["phi"] == kinds["left.u"] == "state"
    assert kinds["w"] == "input"
    assert kinds["left.C"] == kinds["mode"] == "parameter"
    assert kinds["left.two"] == "constant"
    assert kinds["T(2,2)"] == "algebraic"
    assert set(box.translated.info.names) <= set(kinds)
    assert all(kinds[name] == "state" for name in box.states)


def test_what_is_one_with_another(box: cutset.Model) -> None:
    assert (of(box, "psi").kind, of(box, "psi").alias_of) == ("alias", "-phi")
    assert (of(box, "T(2,1)").kind, of(box, "T(2,1)").alias_of) == ("alias", "T(1,2)")
    g = of(box, "g")
    assert (g.kind, g.value) == ("fixed", 0.006)
    assert "left.C" in g.alias_of


def test_what_is_declared(box: cutset.Model) -> None:
    capacity = of(box, "left.C")
    assert (capacity.value, capacity.unit, capacity.min, capacity.max) == (0.002, "F", 0.0, 9.0)
    assert capacity.documentation == "capacity"
    assert of(box, "right(2).C").value == 2.0
    assert of(box, "left.u").start == 0.002
    assert (of(box, "phi").type, of(box, "phi").nominal) == ("Angle", 2.0)
    assert of(box, "psi").nominal == 3.0
    assert (of(box, "mode").value, of(box, "hot").value) == ("Stuck", True)


def test_documentation_of_types_cuts_and_classes_of_cuts(box: cutset.Model) -> None:
    assert of(box, "phi").documentation == "an angle"
    assert of(box, "left.Va").documentation == "cut A: positive"  # of the cut, not of each of its variables
    assert of(box, "left.Vb").documentation == of(box, "left.i").documentation == "a pin"


def test_patterns(box: cutset.Model) -> None:
    assert [v.name for v in box.variables("left.C", "ps?")] == ["psi", "left.C"]
    with pytest.raises(cutset.RunError, match=r"there is no variable 'lefd.C'") as raised:
        box.variables("lefd.C")
    assert (raised.value.code, raised.value.hint) == ("E602", "did you mean 'left.C'?")


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tank.mo"
    path.write_text('model Tank "of water"\n  local h (start=2) "level"\n  der(h) = -h\nend\n')
    assert main(["inspect", str(path), "--components", "--variables"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == ["Tank", f"{path}:1:7", "of", "water"]
    assert lines[3:] == [["h", "state", "2", "level"], ["der(h)", "derivative"]]
    assert main(["inspect", str(path), "--json", "--variables", "h"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["equations"] == 1 and "components" not in facts
    assert [(v["name"], v["kind"], v["start"]) for v in facts["variables"]] == [("h", "state", 2.0)]
    assert main(["inspect", str(path), "--variables", "level"]) == 2


GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("path", sorted(GOLDEN.rglob("*.mo")), ids=lambda path: path.stem)
def test_every_name_once_and_none_forgotten(path: Path) -> None:
    model = cutset.load(path)
    names = [v.name for v in model.variables()]
    assert len(names) == len(set(names))
    assert set(model.translated.info.names) <= set(names)
    kinds = {v.name: v.kind for v in model.variables()}
    assert [name for name, kind in kinds.items() if kind == "state"] == sorted(model.states, key=names.index)
    assert all(v.alias_of for v in model.variables() if v.kind in ("alias", "fixed"))


def test_a_model_translated_again_lists_its_own_values(tmp_path: Path) -> None:
    path = tmp_path / "rows.mo"
    path.write_text("model Rows\n  parameter n = 2\n  local x(n)\n  for k = 1..n do\n    x(k) = k\n  endfor\nend\n")
    model = cutset.load(path)
    changed = model.with_values({"n": 3.0})
    assert [v.name for v in model.variables("x*")] == ["x(1)", "x(2)"]
    assert [v.name for v in changed.variables("x*")] == ["x(1)", "x(2)", "x(3)"]
    assert of(changed, "n").value == 3.0


def test_a_text_that_is_gone(tmp_path: Path) -> None:
    """A loaded model keeps it."""
    path = tmp_path / "gone.mo"
    path.write_text("model Gone\n  local x\n  der(x) = 1\nend\n")
    model = cutset.load(path)
    expected = model.components()
    path.unlink()
    assert model.components() == expected
