"""Vectors and matrices for scalar parameters of multibody classes: Body(r=[...], I=[...]), Revolute(n=[...])."""

from __future__ import annotations

from pathlib import Path

import pytest
from multibody_pairs import LIBRARIES, assert_same, at_start, vectors

import cutset
import cutset.stdlib
from cutset.compiler.instantiate.names.library import load_library
from cutset.compiler.syntax import tree

STDLIB = Path(cutset.stdlib.__file__).parent
# Values for these are equations, because the joint has variables of this name: their start values remain scalars.
VARIABLES = {
    ("Free", "x"),
    ("Free", "v"),
    ("Free", "w"),
    ("Spherical", "w"),
    ("Turning", "w"),
    ("MbsEulerParameters", "w"),
    ("MbsBall", "w"),
    ("MbsFreeMotion", "x"),
    ("MbsFreeMotion", "v"),
}

BY_ELEMENTS = """@mbs
model M
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n3=1, q0=0.2, qd0=1), j2(n1=1, q0=-0.4, qd0=2), j3(n1=0.6, n2=-0.8, q0=0.3)
  submodel (Bar) b1(r3=0.5), b2(r1=0.1, r2=-1)
  submodel (Fixed) turned(n1=1, angle=0.7, r2=0.2)
  submodel (Body) m1(m=1, r3=0.2, I11=0.1, I22=0.1, I33=0.1),
                  m2(m=2, r1=0.1, r3=-0.2, I11=0.3, I22=0.4, I33=0.5, I21=0.05, I32=-0.02)
  submodel (BodyBox) box(r1=0.3, w2=1, width=0.1, height=0.05)
  submodel (Universal) u(na1=1, nb2=1, q01=0.1, q02=0.2)
  connect i to j1 to b1 to turned to j2 to b2 to j3 to box to u to m2, m1 at j1:b
end
"""
BY_VECTORS = """@mbs
model M
  parameter d(3)(unit="m") = [0.1, -1, 0]
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Revolute) j1(n=[0, 0, 1], q0=0.2, qd0=1), j2(n=[1, 0, 0], q0=-0.4, qd0=2), j3(n=[0.6, -0.8, 0], q0=0.3)
  submodel (Bar) b1(r=[0, 0, 0.5]), b2(r=d)
  submodel (Fixed) turned(n=[1, 0, 0], angle=0.7, r=[0, 0.2, 0])
  submodel (Body) m1(m=1, r=[0, 0, 0.2], I=0.1*identity(3)),
                  m2(m=2, r=[0.1, 0, -0.2], I=[0.3, 0.05, 0; 0.05, 0.4, -0.02; 0, -0.02, 0.5])
  submodel (BodyBox) box(r=[0.3, 0, 0], w=[0, 1, 0], width=0.1, height=0.05)
  submodel (Universal) u(na=[1, 0, 0], nb=[0, 1, 0], q0=[0.1, 0.2])
  connect i to j1 to b1 to turned to j2 to b2 to j3 to box to u to m2, m1 at j1:b
end
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_vectors_are_their_elements(library, write_model):
    names = ["j1.qdd", "j2.qdd", "j3.qdd", "u.first.qdd", "u.second.qdd"]
    assert_same(
        at_start(write_model(BY_VECTORS), names, library),
        at_start(write_model(BY_ELEMENTS.replace("model M", "model N")), names, library),
    )


@pytest.mark.parametrize("library", LIBRARIES)
def test_start_values_of_bodies_without_joints(library, write_model):
    """x0, v0 and w0, since x, v and w are variables; angle follows the rule of vectors."""
    text = (
        "@mbs\nmodel M\n  submodel (Inertial) i\n  submodel (Free) f{given}\n  submodel (Body) m(m=1, I=identity(3))\n"
    )
    text += "  {rest}\nend\n"
    rest = "submodel (Spherical) s{w}\n  submodel (Body) n(m=1, I=identity(3))\n  connect i to f to m, f:b to s to n"
    at_once = {"given": "(x0=[1, 2, 3], v0=[4, 5, 6], w0=[7, 8, 9], angle=[0.1, 0.2, 0.3])", "w": "(w0=[1, 2, 3])"}
    one_by_one = {
        "given": "(x1=1, x2=2, x3=3, v1=4, v2=5, v3=6, w1=7, w2=8, w3=9, angle1=0.1, angle2=0.2, angle3=0.3)",
        "w": "(w1=1, w2=2, w3=3)",
    }
    first, second = (
        write_model(text.format(given=each["given"], rest=rest.format(w=each["w"])), f"{k}.mo")
        for k, each in enumerate((at_once, one_by_one))
    )
    names = vectors("f.x", "f.v", "f.w", "s.w", "f.p", "m.ra")
    found = at_start(first, names, library)
    assert_same(found, at_start(second, names, library))
    assert found[:12].tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3]


@pytest.mark.parametrize("library", LIBRARIES[:3])
def test_the_operations_are_those_of_the_elements(library, write_model):
    """Zeros and ones of a vector vanish from the code as those of scalars do. The numbers of a vector that is itself a
    parameter do not: here b2, which has three elements of a parameter of the model."""
    facts = []
    for text in (BY_ELEMENTS, BY_VECTORS.replace("r=d", "r=[0.1, -1, 0]")):
        model = cutset.load(write_model(text), instead={"mbs": library})
        facts.append((model.inspect()["operations"], model.folded))
    assert facts[0] == facts[1]


def _parameters(classes: dict[str, tree.Class], name: str) -> dict[str, str]:
    """The variables that a class has, with those of its superclasses: name -> kind."""
    line = [classes[name]]
    for item in line:  # grows during the loop
        line += [classes[above.name] for above in item.supers if above.name in classes]
    declared = [m for item in line for m in item.members if isinstance(m, tree.VariableDeclaration)]
    return {item.name: member.kind for member in declared for item in member.items}


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_vector_of_a_class_can_be_given_at_once(library):
    """No class has something else that would receive the value."""
    named = load_library(STDLIB / f"{library}.mo").all_names
    classes = {name: c for name, c in named.items() if isinstance(c, tree.Class)}
    found = 0
    for name in classes:
        kinds = _parameters(classes, name)
        scalars = {n for n, kind in kinds.items() if kind == "parameter"}
        for first in scalars:
            for length in (1, 2):
                named, others = first[:-length], first.removesuffix("1" * length) + "2" * length
                if first.endswith("1" * length) and others in scalars:
                    found += 1
                    assert kinds.get(named, "local") == "local" or (name, named) in VARIABLES, (name, named)
    assert found > 60


def test_an_array_of_submodels_takes_a_row_for_each(write_model):
    text = """@mbs
model Chain
  parameter D(2,3)(unit="m") = [0, 0, 1; 0.3, 0, 0.5]
  submodel (Inertial) i(ng=[0, 0, -1])
  submodel (Revolute) j(2)(n=[0, 1, 0], q0=[0, 0.5])
  submodel (Bar) b(2)(r=D)
  submodel (PointMass) m(m=1)
  connect i to j(1) to b(1) to j(2) to b(2) to m
end
"""
    run = cutset.load(write_model(text)).simulate(0.0)
    assert [run[f"b({k}).r({i})"][0] for k in (1, 2) for i in (1, 2, 3)] == [0, 0, 1, 0.3, 0, 0.5]
    assert [run[name][0] for name in ["j(1).n(2)", "j(2).n(2)", "j(1).q", "j(2).q", *vectors("i.ng")]] == [
        1, 1, 0, 0.5, 0, 0, -1,
    ]  # fmt: skip


def test_other_values_of_a_run_replace_elements(write_model):
    model = cutset.load(write_model(BY_VECTORS))
    changed = model.simulate(0.0, parameters={"b1.r3": 0.25, "j1.n3": -1})
    assert (changed["b1.r(3)"][0], changed["j1.n(3)"][0]) == (0.25, -1)
