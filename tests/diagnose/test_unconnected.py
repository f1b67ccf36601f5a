"""What looks like a forgotten connection in a model that is right otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutset.api.command_line.command import main
from cutset.compiler.diagnose.reference import without_reference
from cutset.compiler.diagnose.unconnected import unconnected
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.flatten.connect import flatten
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.instantiate.names.library import load_library
from cutset.compiler.pipeline import compile_model

ROOT = Path(__file__).parents[2]
CLASSES = """
@electrical
model class Inertia
  cut A (phi / ta), B (phi2 / tb)
  main path P <A - B>
  local w
  phi = phi2
  der(phi) = w
  der(w) = ta + tb
end
model class Spring
  cut A (pa / t), B (pb / -t)
  main path P <A - B>
  pa - pb = t
end
model class Inside
  cut A (Va / i), B (Vb / -i)
  submodel (Resistor) r(R=1)
  submodel (Ground) lost
  connect A to r to B
end
"""


def notes(write_model, body: str) -> list[str]:
    path = write_model(f"{CLASSES}model M\n  submodel (Inertia) J1, J2\n  connect J1 to J2\n{body}end\n")
    model = flatten(instantiate(load_library(path, ()), None))
    return [label.text for label in unconnected(model)]


@pytest.mark.parametrize(("body", "found"), [
    ("  submodel (Inertia) J3\n", ["'J3' (Inertia) is not connected"]),
    ("  submodel (Inertia) c(4), J3\n", [
        "'c(1)', 'c(2)', 'c(3)' and 1 more (Inertia) are not "
        "connected", "'J3' (Inertia) is not connected"]),
    ("  submodel (Spring) s\n  connect J2 to "
     "s\n", ["'s' (Spring) has no flow: the cut B is not connected"]),
    ("  submodel (Inside) p\n  submodel (Ground) g\n  connect p:A at g, p:B at "
     "g\n", ["'p.lost' (Ground) is not connected"]),
])  # fmt: skip
def test_noted(write_model, body: str, found: list[str]) -> None:
    assert notes(write_model, body) == found


@pytest.mark.parametrize("body", [
    "  submodel (Inertia) J3\n  local x\n  x = J3.phi\n",  # an equation speaks of it
    "  submodel (Inertia) J3\n  connect J2 to J3\n",  # a free end of what has a balance of its own
    "  submodel (Inertia) J3\n  node n\n  connect J3:A at n\n",  # a node is an open terminal
])  # fmt: skip
def test_may_be_meant(write_model, body: str) -> None:
    assert notes(write_model, body) == []


def test_a_component_alone(write_model) -> None:
    path = write_model(f"{CLASSES}model M\n  submodel (Inertia) J\nend\n")
    assert unconnected(flatten(instantiate(load_library(path, ()), None))) == []


@pytest.mark.parametrize("path", sorted((ROOT / "models").rglob("*.mo")), ids=lambda path: path.stem)
def test_no_note_on_models_that_are_right(path: Path) -> None:
    library = load_library(path, ())
    for declared in library.objects:
        model = flatten(instantiate(library, declared.name))
        assert unconnected(model) == [] and without_reference(model) == []


def test_check_and_simulate_print_it(write_model, own_cache: Path, capsys) -> None:
    path = write_model(f"{CLASSES}model M\n  submodel (Inertia) J1, J2, J3\n  connect J1 to J2\nend\n")
    for words in (["check"], *2 * [["simulate", "--stop", "0", "--target", "python"]]):  # the second from the cache
        assert main([*words, str(path)]) == 0
        assert f"note: 'J3' (Inertia) is not connected ({path}:23:30)" in capsys.readouterr().out


def test_quantities_of_a_cut_belong_to_the_submodel_that_has_it(write_model) -> None:
    """`d1.joint.applied` is one of d1, in which nothing is connected to its cuts; there is no submodel d1.joint."""
    path = write_model("""
@mbssim
model class Drive "its parts are connected to nothing"
  submodel (IdealGear) gear(ratio=-99)
  submodel (CoulombFriction) friction(fc=10.9, d=3.92)
  cut motor, joint
  main path P <motor - joint>
end
model Arm
  submodel (Inertial) world
  submodel (Revolute) r1(n3=1)
  submodel (BodyRod) b1(r1=1, area=2e-4)
  submodel (Drive) d1
  submodel (Rotor) m1(J=0.001)
  connect world to r1 to b1, m1 to d1 to r1:ext
end
""")
    with pytest.raises(ModelError) as caught:
        compile_model(path, None)
    first = next(d for d in caught.value.diagnostics if d.code == "E402")
    assert (
        first.instance == "d1"
        and "'d1.joint.applied'" in first.message
        and "no equation of 'd1' (Drive)" in first.message
    )
