"""What leaves the system before it is sorted, and what must not."""

import pytest
from models_from_text import translate


def names_left(model) -> set[str]:
    return {str(u.node.data) for u in model.system.unknowns}


def test_signs_multiply_along_a_chain():
    model = translate("model M\n local a, b, c, d\n a = -b\n c = a\n 0 = c + d\n d = sin(time)\nend\n")
    assert len(names_left(model)) == 1
    v = model.values(time=1.0)
    assert v["a"] == v["c"] == -v["b"] == -v["d"]


def test_zeros_travel_as_far_as_they_fold():
    model = translate("model M\n local a, b, c, d\n a = 0\n b = a*time\n c = b + a\n d = cos(c) + time\nend\n")
    assert names_left(model) == {"d"}
    assert model.values(time=1.0)["d"] == 2.0


def test_a_parameter_expression_is_no_unknown():
    model = translate("model M\n parameter p = 2\n local a, b\n a = p^2\n b = a*time + 1/a\nend\n")
    assert names_left(model) == {"b"}
    assert model.values(time=1.0, parameters={"p": 3.0})["b"] == pytest.approx(9 + 1 / 9)


def test_a_named_derivative_takes_the_place_of_der():
    model = translate("model M\n local q(start=1), v(start=2), a\n v = der(q)\n a = der(v)\n a = -q\nend\n")
    assert model.program.info.states == ("q", "v")
    assert model.rates({"q": 3.0, "v": 4.0}) == {"q": 4.0, "v": -3.0}


def test_a_quantity_that_is_its_own_derivative_stays_an_equation():
    assert translate("model M\n local x\n x = der(x)\nend\n").rates({"x": 3.0}) == {"x": 3.0}
    turning = translate("model M\n local x, y\n x = der(y)\n y = -der(x)\nend\n").rates({"x": 3.0, "y": 5.0})
    assert turning == {"x": -5.0, "y": 3.0}
    negated = translate("model M\n local x, y, f\n der(x) = f\n der(y) = -f\n f + y = 0\nend\n")
    assert negated.rates({"x": 3.0, "y": 5.0}) == {"x": -5.0, "y": 5.0}
    exchange = translate("model M\n local x, y\n x = der(y)\n y = der(x)\nend\n").rates({"x": 3.0, "y": 5.0})
    assert exchange == {"x": 5.0, "y": 3.0}


@pytest.mark.parametrize("sign", ["", "-"])
def test_two_states_with_one_value_are_one(sign):
    model = translate(f"model M\n local x(start=2), y\n x = {sign}y\n der(x) + der(y)*3 = time\nend\n")
    (state,) = model.program.info.states
    factor = 4 if not sign else -2
    assert model.rates({state: 1.0}, time=8.0)[state] == pytest.approx(8.0 / factor)


@pytest.mark.parametrize(("sign", "slope"), [("", 2.0), ("-", -2.0)])
def test_derivatives_that_cannot_become_one_variable_stay_an_equation(sign, slope):
    text = f"model M\n local x, y, a, b\n a = der(x)\n b = der(y)\n b = der(a)\n x = {sign}y\nend\n"
    assert translate(text).rates({"x": 1.0, "a": 2.0}) == {"x": 2.0, "a": slope}


@pytest.mark.parametrize("sign", ["", "-"])
def test_second_derivatives_follow_their_variable(sign):
    model = translate(f"model M\n local x, y\n x = {sign}y\n der(der(x)) = 1 - der(y)\nend\n")
    s = -1.0 if sign else 1.0
    v = model.values(
        {n: {"x": 0.1, "y": s * 0.1}.get(n, 0.5 if "x" in n else s * 0.5) for n in model.program.info.states}
    )
    assert v["x"] == pytest.approx(0.1) and v["y"] == pytest.approx(s * 0.1)
    assert v["der(x,2)"] == pytest.approx(1 - s * 0.5)


def test_the_derivative_of_what_does_not_vary_is_zero():
    model = translate("model M\n parameter p = 3\n local x, v, y\n x = p\n v = der(x)\n y = der(v) + time\nend\n")
    assert model.values(time=2.0)["y"] == 2.0 and model.program.info.states == ()


def test_an_integrated_input_and_its_alias():
    model = translate("model M\n input u\n local a, x\n a = u\n der(x) = a\nend\n")
    assert names_left(model) == {"x", "der(x)"}


def test_start_values_move_to_what_stays():
    model = translate("model M\n local q(start=0.7), w\n w = -q\n der(w) = 1\nend\n")
    (_state,) = model.program.info.states
    assert model.values()["q"] == pytest.approx(0.7)


def test_a_derivative_with_another_sign_or_value_returns():
    model = translate("model M\n local q, v, w\n v = der(q)\n w = -v\n der(w) = q\nend\n")
    assert model.rates({"q": 2.0, "w": 3.0} if "w" in model.program.info.states else {"q": 2.0, "v": -3.0})["q"] == -3.0
    assert translate("model M\n parameter p=3\n local q, v\n v = der(q)\n v = p\nend\n").rates({"q": 1.0}) == {"q": 3.0}
    both = translate("model M\n local a, b, w\n w = der(a)\n w = der(b)\n w = time - b\nend\n")
    assert both.rates({"a": 1.0, "b": 2.0}, time=5.0) == {"a": 3.0, "b": 3.0}


def test_both_triangles_of_a_symmetric_matrix_have_names():
    text = """
model class Part
  parameter J(2,2)(symmetric) = [5, 3; 3, 6]
  local K(2,2)(symmetric)
  K = J*time
end
model M
  submodel (Part) p
end
"""
    v = translate(text).values(time=2.0)
    assert v["p.K(1,2)"] == v["p.K(2,1)"] == 6.0 and v["p.J(2,1)"] == 3.0
