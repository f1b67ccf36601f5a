"""A value for a name n whose elements n1, n2, ... are parameters."""

from __future__ import annotations

import pytest

import cutset
from cutset.compiler.diagnostics import ModelError

PARTS = """model class Part
  parameter n1 = 0, n2 = 5 "two elements"
  parameter A11 = 0, A12 = 0, A21 = 0, A22 = 0 "a matrix"
  parameter S11 = 0, S21 = 0, S22 = 0 "a symmetric one"
  parameter x1 = 0, x2 = 0
  parameter v(2) = [0, 0], v1 = 7, v2 = 8
  terminal x
  local n
  n = n1 + 10*n2 + 100*A12 + 1000*A21 + 1e4*S21 + 1e5*v(2)
end
model class (Part) More
  parameter n3 = 0
end
"""


def _start(write_model, body: str) -> cutset.Result:
    return cutset.load(write_model(f"{PARTS}model M\n  parameter p = 2\n{body}\nend\n")).simulate(0.0, target="python")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("n=[1, 2]", 21),
        ("n=[p, 2*p]", 42),
        ("A=[0, 1; 2, 0]", 2150),
        ("S=[0, 3; 3, 0]", 30050),
        ("v=[0, 1]", 100050),  # a parameter itself: not v1, v2
        ("n=[1, 1], A=[1, 1; 1, 1]", 1111),
    ],
)
def test_elements_get_the_values(write_model, given, expected):
    run = _start(write_model, f"  submodel (Part) a({given}, x=0)")
    assert run["a.n"][0] == expected


def test_a_terminal_gets_its_equation(write_model):
    run = _start(write_model, "  submodel (Part) a(x=time + 3)")
    assert (run["a.x"][0], run["a.n"][0]) == (3, 50)


def test_a_subclass_with_a_further_element_needs_it(write_model):
    assert _start(write_model, "  submodel (More) a(n=[1, 2, 3], x=0)")["a.n"][0] == 21
    with pytest.raises(ModelError) as caught:
        _start(write_model, "  submodel (More) a(n=[1, 2], x=0)")
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [
        ("E217", "'n' is a vector (3), but its value is a vector (2)")
    ]


@pytest.mark.parametrize(
    ("given", "codes"), [("n=[1, 2], n=[1, 2]", ["E224", "E224"]), ("A1=[1, 2]", []), ("x=[1, 2]", ["E217"])]
)
def test_what_cannot_be_given(write_model, given, codes):
    """A1 is the first row of A; x is a variable, for which a value is an equation."""
    if not codes:
        assert _start(write_model, f"  submodel (Part) a({given}, x=0)")["a.n"][0] == 250
        return
    with pytest.raises(ModelError) as caught:
        _start(write_model, f"  submodel (Part) a({given})")
    assert [d.code for d in caught.value.diagnostics] == codes


def test_arrays_of_submodels(write_model):
    run = _start(write_model, "  submodel (Part) a(3)(n=[1, 2; 3, 4; 5, 6], x=0), b(2)(n=[7, 8], x=0)")
    assert [run[f"a({k}).n"][0] for k in (1, 2, 3)] == [21, 43, 65]
    assert [run[f"b({k}).n"][0] for k in (1, 2)] == [87, 87]
    with pytest.raises(ModelError) as caught:
        _start(write_model, "  submodel (Part) a(3)(n=[1, 2; 3, 4], x=0)")
    assert {d.code for d in caught.value.diagnostics} == {"E239"}


def test_types_of_elements(write_model):
    with pytest.raises(ModelError) as caught:
        _start(write_model, "  submodel (Part) a(n=[true, false], x=0)")
    assert {d.code for d in caught.value.diagnostics} == {"E280"}
