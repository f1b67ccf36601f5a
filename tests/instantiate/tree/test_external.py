"""What a model declares as internal, all that it consists of can use as external."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

TEXT = """
model class Body
  external g (unit="m/s2"), T, R(2,2)
  parameter m = 3, weight = m*g
  terminal w, t, r(2)
  w = weight + 0*time
  t = 2*T
  r = R*[1; 2]
end
model class Group
  submodel (Body) b, c(2)(m = [1, 2])
end
model class Moon
  internal g = 1.5
  submodel (Group) inner
end
model World
  internal g (unit="m/s2") = 10, R(2,2) = [1, 2; 3, 4]
  internal T (start=1)
  submodel (Group) a
  submodel (Moon) moon
  der(T) = -T
end
"""


def errors(text: str) -> list:
    with pytest.raises(ModelError) as caught:
        translate(text)
    return list(caught.value.diagnostics)


def test_the_nearest_model_around_counts():
    model = translate(TEXT)
    values = model.values({"T": 5.0})
    assert (values["a.b.w"], values["a.c(2).w"], values["moon.inner.b.w"]) == (30.0, 20.0, 4.5)
    assert values["a.b.t"] == values["moon.inner.c(1).t"] == 10.0
    assert (values["a.b.r(1)"], values["a.b.r(2)"]) == (5.0, 11.0)


def test_it_is_one_quantity_with_several_names():
    model = translate(TEXT)
    values = model.values({"T": 5.0})
    assert values["a.b.T"] == values["moon.inner.c(2).T"] == values["T"] == 5.0
    assert model.program.info.states == ("T",)
    assert "a.b.g" not in model.program.info.parameters


def test_the_internal_parameter_is_changed_for_all():
    values = translate(TEXT).values({"T": 5.0}, parameters={"g": 20.0, "moon.g": 2.0})
    assert (values["a.b.w"], values["moon.inner.b.w"]) == (60.0, 6.0)
    given = TEXT.replace("(Moon) moon", "(Moon) moon(g = 2)")
    assert translate(given).values({"T": 5.0})["moon.inner.b.w"] == 6.0


def test_conditions_may_use_it():
    text = """
model class Part
  external n
  terminal x(n)
  x = ones(n)
  submodel (Extra) e if n > 2
end
model class Extra
  terminal y
  y = 1
end
model M
  internal n = 3
  submodel (Part) p
end
"""
    assert "p.e.y" in translate(text).values() and "p.x(3)" in translate(text).values()
    assert "p.e.y" not in translate(text.replace("n = 3", "n = 2")).values()


def test_a_subclass_gives_a_new_default():
    text = TEXT.replace("model World", "model class (Moon) Mars\n  internal g = 4\nend\nmodel World").replace(
        "(Moon) moon", "(Mars) moon"
    )
    assert translate(text).values({"T": 1.0})["moon.inner.b.w"] == 12.0
    text = text.replace("internal g = 4", "parameter g = 4")
    assert translate(text).values({"T": 1.0})["moon.inner.b.w"] == 12.0


def test_units_travel():
    part = 'model class P\n  external g\n  local x (unit="kg")\n  x = g\nend\n'
    text = part + 'model M\n  internal g (unit="m") = 2\n  submodel (P) p\nend\n'
    assert {d.code for d in errors(text)} == {"E242"}
    (unit,) = errors(text.replace("external g\n", 'external g (unit="mm")\n').replace('(unit="kg")', ""))
    assert unit.code == "E265" and unit.instance == "p" and len(unit.labels) == 2


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("internal T", "local T", "E263", "internal T"),
        ("internal T (start=1)", "local S\n  S = 1\n  internal Tt", "E263", "did you mean 'Tt'?"),
        ("R(2,2)\n  parameter m", "R(3)\n  parameter m", "E264", "dimensions"),
        ("external g (unit=", "external g (start=3, unit=", "E262", "internal"),
        ("T, R(2,2)\n", "T = 3, R(2,2)\n", "E262", "internal"),
        ("internal g = 1.5", "internal g = moon", "E211", ""),
        ("(Group) a", "(Group) a(g = 3)", "E223", ""),
        ("weight = m*g", "weight = m*g*T", "E221", ""),
        ("internal g = 1.5", "internal g = time", "E221", ""),
    ],
)
def test_messages(old, new, code, words):
    assert old in TEXT
    found = errors(TEXT.replace(old, new))
    assert code in {d.code for d in found}
    assert words in next(d.hint for d in found if d.code == code)
    assert not {d.code for d in found} - {code, "E211"}


def test_an_object_has_nothing_around_it():
    (only,) = errors("model M\n  external g\n  local x\n  x = g\nend\n")
    assert only.code == "E263" and "declare it here" in only.hint


def test_an_external_has_the_type_of_the_internal():
    text = """
    model class Part
      external on
      external (Integer) g
      local x, z
      x = if on then 1 else 2
      z = g + on
    end
    model M
      internal (Boolean) on
      internal g = 9.5
      submodel (Part) p
      on = time > 1
    end
    """
    with pytest.raises(ModelError) as caught:
        translate(text)
    assert [d.code for d in caught.value.diagnostics] == ["E280", "E276"]
