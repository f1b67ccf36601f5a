"""Attributes of parameters and variables: what reaches the instance, and what is compared."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError


def test_attributes_reach_the_variables():
    text = """
    type Pressure (unit="Pa", min=0, nominal=1e5)
    model M
      constant most = 4
      parameter (Pressure) p0 (max=2*most) = 3, top = 5
      local (Pressure) p(2) (start=p0, max=[most, 7]), free
      local x (start=1, fixed=false), y (start=1, fixed)
      der(p) = 0
      free = x + y
      der(x) = 1
      der(y) = 1
    end
    """
    root = translate(text.replace("x + y", "2*p(1)")).instance
    found = {item.name: item for item in (*root.parameters, *root.variables)}
    numbers = {name: [e.data for e in found[name].maximum.elements] for name in ("p0", "p")}
    assert numbers == {"p0": [8], "p": [4, 7]}
    assert [e.data for e in found["p"].minimum.elements] == [0, 0]
    assert [e.data for e in found["p"].nominal.elements] == [1e5, 1e5] and found["top"].maximum is None
    assert [found[name].fixed for name in ("x", "y", "p")] == [False, True, None]


def test_an_attribute_written_again_takes_the_place_of_the_inherited_one():
    text = """
    model class Base
      parameter p (unit="m", min=0) = 1
    end
    model class (Base) Sub
      parameter p (unit="rad/m") = {value}
    end
    model M
      submodel (Sub) s
    end
    """
    (found,) = translate(text.format(value=2)).instance.children[0].parameters
    assert found.unit == "rad/m" and [e.data for e in found.minimum.elements] == [0]
    with pytest.raises(ModelError, match="less than its min"):
        translate(text.format(value=-2))


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("parameter p (min=0, max=2) = 2", set()),
        ("parameter p (min=0, max=2) = 2.1", {"E282"}),
        ("parameter q = 3, p (max=2) = q", {"E282"}),
        ("parameter p (max=q) = 3, q = 2", {"E282"}),
        ("parameter p(2) (max=[1, 2]) = [1, 2]", set()),
        ("parameter p(2) (max=[1, 2]) = [2, 1]", {"E282"}),
        ("parameter p (nominal=1) = 2", {"E281"}),
        ("input u (start=1)", {"E281"}),
        ("constant c (state=prefer) = 2", {"E281"}),
        ("parameter (Boolean) b (max=true) = true", {"E281"}),
        ("parameter p (min=2, max=1)= 2", {"E282"}),
    ],
)
def test_limits(line, codes):
    try:
        translate(f"model M\n  {line}\n  local x\n  x = 1\nend\n")
        found = set()
    except ModelError as error:
        found = {d.code for d in error.diagnostics}
    assert found == codes
