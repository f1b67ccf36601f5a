"""number("group") numbers constants in the order of the submodels, count("group") tells how many numbers there are."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

TEXT = """
cut class Line (x(count("dof")) / f(count("dof")))
model class Joint
  constant (Integer) k = number("dof"), n = count("dof")
  cut (Line) a (x / f), b (x / -g)
  terminal y
  y = 10*k + n
  for i = 1..n do
    f(i) - g(i) = if i == k then x(k) else 0
  endfor
end
model class Two
  cut (Line) a, b
  submodel (Joint) second, first
  connect a to first:a, first:b to second:a, second:b to b
end
model class Ground
  main cut (Line) a (x / f)
  constant triple(3) = number("other"), more = number("other"), n = count("other")
  terminal z(4)
  z = [triple; more + n/10]
  for i = 1..count("dof") do
    x(i) = i
  endfor
end
model Top
  submodel (Ground) g
  submodel (Two) t(2)
  submodel (Joint) absent if false
  connect g to t(1):a, t(1):b to t(2):a
end
"""


def errors(text: str) -> list:
    with pytest.raises(ModelError) as caught:
        translate(text)
    return list(caught.value.diagnostics)


def test_submodels_are_numbered_in_the_order_of_the_text():
    values = translate(TEXT).values()
    names = ("t(1).second", "t(1).first", "t(2).second", "t(2).first")
    assert [values[f"{name}.y"] for name in names] == [14.0, 24.0, 34.0, 44.0]
    assert [values[f"g.f({k})"] for k in (1, 2, 3, 4)] == [-1.0, -2.0, -3.0, -4.0]


def test_each_group_has_its_own_numbers_and_an_array_takes_several():
    values = translate(TEXT).values()
    assert [values[f"g.z({k})"] for k in (1, 2, 3, 4)] == [1.0, 2.0, 3.0, 4.4]


def test_a_group_without_numbers_counts_as_one_because_it_is_a_dimension():
    assert translate('model M\nlocal x(count("none"))\nx(1) = time + 2\nend\n').values()["x(1)"] == 2.0


def test_functions_of_values_may_have_these_names():
    text = (
        "function count(x) result y\ny := 2*x\nend\nfunction number(x) result y\ny := 3*x\nend\n"
        "model M\nlocal a\na = count(1 + time) + number(2)\nend\n"
    )
    assert translate(text).values()["a"] == 8.0


def test_a_number_belongs_to_a_constant():
    (error,) = errors('model M\nlocal x\nx = number("dof") + time\nend\n')
    assert error.code == "E343" and 'constant k = number("dof")' in error.hint
    (error,) = errors('model M\nlocal x\nparameter k = number("dof")\nx = k + time\nend\n')
    assert error.code == "E343"


def test_a_count_cannot_decide_how_many_there_are():
    text = (
        'model class J\nconstant k = number("dof")\nterminal y\ny = k\nend\n'
        'model M\nsubmodel (J) one, others(count("dof"))\nend\n'
    )
    (error,) = errors(text)
    assert error.code == "E343" and "depends on itself" in error.message


def test_a_function_knows_no_model():
    text = 'function f(x) result y\ny := x*count("dof")\nend\nmodel M\nlocal a\na = f(time)\nend\n'
    (error,) = errors(text)
    assert error.code == "E293" and "pass the number" in error.hint
