"""What an equation says is a number is used as one in products of matrices, and in nothing else."""

from __future__ import annotations

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.text import text


def right_sides(model: str, left: str) -> list[str]:
    """The texts of the right side of the equation whose left side begins with the variable `left`."""
    (found,) = [e for e in translate(model).instance.equations if text(e.left.elements[0]).startswith(left)]
    return [text(e) for e in found.right.elements]


def test_large_products_leave_out_what_vanishes():
    model = """
      model M
        local T(3,3), C(3,3), y(3), z(3)
        y = T*[time; 1; 1]
        C = T*[2, time, 0; 0, 1, 0; 0, 0, time]
        T = [0, 1, 0; cos(time), 0, 0; 0, 0, 1]
        z = T(:,1) + T(:,2)
      end
    """
    assert right_sides(model, "C") == ["0", "1", "0", "2*T(2,1)", "time*T(2,1)", "0", "0", "0", "time"]
    assert right_sides(model, "y")[0] == "T(1,3) + T(1,2) + time*T(1,1)"
    assert right_sides(model, "z")[0] == "T(1,1) + T(1,2)"
    assert translate(model).values(time=2.0)["C(2,2)"] == pytest.approx(2 * -0.4161468365471424)


def test_definitions_may_go_in_circles():
    model = """
      model M
        local A(3,3), B(3,3), C(3,3)
        A = B*[1, 2, 3; 4, 5, 6; 7, 8, 9]
        B = 0*A*A + [0, 0, 0; 0, 0, 1; time, 0, 0]
        C = A*B
      end
    """
    found = translate(model).values(time=5.0)
    assert [found[f"C({i},{k})"] for i in (1, 2, 3) for k in (1, 2, 3)] == [0, 0, 0, 45, 0, 8, 75, 0, 10]


def test_what_is_defined_twice_is_no_number():
    model = """
      model M
        local V(3,3), W(3,3)
        V = identity(3)
        V = 2*identity(3)
        W = skew([time, 1, time])*V
      end
    """
    with pytest.raises(ModelError) as caught:
        translate(model)
    assert "V(1,1)" in str(caught.value)


def test_a_mistake_in_a_definition_is_told_once():
    model = """
      model M
        local V(3,3), W(3,3)
        W = skew([time, 1, time])*V
        V = nobody*identity(3)
      end
    """
    with pytest.raises(ModelError) as caught:
        translate(model)
    assert [d.code for d in caught.value.diagnostics] == ["E211"]


def test_a_matrix_is_symmetric_by_what_the_numbers_make_of_it():
    model = """
      model M
        parameter m = 2.5, p = 0.5
        local r(3), S(3,3)(symmetric), N(3,3)(symmetric)
        r = [p, 0, 1.5]
        S = m*skew(r)*skew(r)
        N = skew(r + r)*skew(r)*m
      end
    """
    found = translate(model).values()
    assert [found[f"S({i},{i})"] for i in (1, 2, 3)] == pytest.approx([-2.5 * 2.25, -2.5 * 2.5, -2.5 * 0.25])
    assert found["S(1,3)"] == found["S(3,1)"] == pytest.approx(2.5 * 0.75)
    assert found["N(1,3)"] == pytest.approx(2 * 2.5 * 0.75) and found["N(1,2)"] == 0
