"""Directions in the multibody libraries: one that is given in part has zeros for the rest, and one that is missing is
named."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import cutset
from cutset.compiler.diagnostics import ModelError, Source
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.print import print_expression

STDLIB = Path(__file__).parents[2] / "stdlib"
FILES = sorted((STDLIB / "multibody").glob("*.mo"))


def directions():
    """For each class with parameters such as n1, n2, n3 of unit 1: where, the name, and the defaults of the three."""
    for path in FILES:
        for declared in parse(Source(path.name, path.read_text(encoding="utf-8"))).classes:
            found: dict[str, dict[str, str]] = {}
            for member in declared.members:
                if not (isinstance(member, tree.VariableDeclaration) and member.kind == "parameter"):
                    continue
                for item in member.items:
                    if item.name.startswith("scale"):
                        continue  # sizes of a mesh, no direction
                    is_number = any(a.name == "unit" and getattr(a.value, "value", "") == "1" for a in item.attributes)
                    if is_number and item.name[-1] in "123" and item.value is not None:
                        found.setdefault(item.name[:-1], {})[item.name[-1]] = print_expression(item.value)
            for name, values in found.items():
                if sorted(values) == ["1", "2", "3"]:
                    yield f"{path.parent.name}/{path.stem}.{declared.name}", name, values


def test_a_default_direction_gives_way_to_one_that_is_given_in_part():
    found = list(directions())
    assert len(found) > 20
    for where, name, values in found:
        for k, value in values.items():
            others = sorted({"1", "2", "3"} - {k})
            allowed = ("0", f"if {name}{others[0]} == 0 and {name}{others[1]} == 0 then 1 else 0")
            assert value in allowed, f"{where}: {name}{k} = {value}"


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
def test_fixed_turns_about_the_axis_that_is_given(write_model, library):
    given = ["n1=1", "n2=1", "n3=2", "n1=1, n2=1", "n1=0.3, n3=-2", "n3=0, n2=-1", ""]
    axes = [[1, 0, 0], [0, 1, 0], [0, 0, 2], [1, 1, 0], [0.3, 0, -2], [0, -1, 0], [0, 0, 1]]
    fixed = ", ".join(f"f{k}({axis}{', ' * bool(axis)}angle=0.7, r1=0.1)" for k, axis in enumerate(given))
    chain = " to ".join(f"f{k}" for k in range(len(given)))
    text = (
        f"@{library}\nmodel M\nsubmodel (Inertial) i(ng3=-1)\nsubmodel (Fixed) {fixed}\nsubmodel (Revolute) j(n2=1)\n"
        f"submodel (Body) b(m=1, r1=0.5)\nconnect i to {chain} to j to b\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(0.0)
    for k, axis in enumerate(axes):
        n = np.array(axis, float) / np.linalg.norm(axis)
        # T carries vectors of frame a into frame b.
        expected = Rotation.from_rotvec(-0.7 * n).as_matrix()
        T = [[run[f"f{k}.T({row},{column})"][0] for column in (1, 2, 3)] for row in (1, 2, 3)]
        np.testing.assert_allclose(T, expected, atol=1e-14)


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
@pytest.mark.parametrize(
    ("axis", "expected"), [("", [0, 1, 0]), (", n1=2", [1, 0, 0]), (", n1=1, n2=1", [0.5**0.5, 0.5**0.5, 0])]
)
def test_a_wheel_turns_about_the_axis_that_is_given(write_model, library, axis, expected):
    text = (
        f"@{library}\nmodel W\nsubmodel (Inertial) i(ng3=-1)\nsubmodel (FreeCardan) free(q03=0.3)\n"
        f"submodel (RollingWheel) wheel(radius=0.3{axis})\nsubmodel (Body) body(m=2, I11=0.12, I22=0.12, I33=0.12)\n"
        "connect i to free, wheel at free:b, body at free:b\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(0.0)
    np.testing.assert_allclose([run[f"wheel.e({k})"][0] for k in (1, 2, 3)], expected, atol=1e-14)


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
@pytest.mark.parametrize(
    ("element", "missing"),
    [
        ("CutRevolute", "the axis has no direction"),
        ("CutPrismatic", "the axis has no direction"),
        ("PlanarCutRevolute", "the normal of the plane has no direction"),
        ("CutUniversal", "the first axis has no direction"),
        ("JointRRP", "the slider has no direction"),
    ],
)
def test_a_direction_that_is_missing_is_named(write_model, library, element, missing):
    given = "(n2=1, r11=1, r21=1)" if element == "JointRRP" else ""
    text = (
        f"@{library}\nmodel M\nsubmodel (Inertial) i(ng3=-1)\nsubmodel (Revolute) j(n2=1), k(n2=1)\nsubmodel (Bar) "
        "p(r1=1), q(r1=1)\n"
        f"submodel (Body) b(m=1, r1=0.5), c(m=1, r1=0.5)\nsubmodel ({element}) close{given}\n"
        "connect i to j to p to k to q, b at p:b, c at q:b, close:a at q:b, close:b at i\nend\n"
    )
    with pytest.raises(ModelError) as caught:
        cutset.load(write_model(text))
    assert {d.code for d in caught.value.diagnostics} == {"E340"}
    assert missing in caught.value.diagnostics[0].message


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
@pytest.mark.parametrize("second", ["nb1=1, nb3=-2", "nb1=-0.5, nb3=1"])
def test_a_universal_joint_with_parallel_axes_is_named(write_model, library, second):
    text = (
        f"@{library}\nmodel M\nsubmodel (Inertial) i(ng2=-1)\nsubmodel (Universal) u(na1=1, na3=-2, {second})\n"
        "submodel (Body) m(m=1, r2=-1, I11=0.1, I22=0.1, I33=0.1)\nconnect i to u to m\nend\n"
    )
    with pytest.raises(ModelError) as caught:
        cutset.load(write_model(text))
    (said,) = caught.value.diagnostics
    assert "axes na and nb are parallel" in said.message and said.instance == "u"
