"""Classes of which an instance says what they consist of."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

CONTROLS = """
model class PI
  parameter k = 2
  terminal u
  u = k*time
end
model class PID
  parameter k = 3, d = 1
  terminal u
  u = k*time + d
end
model class Axis (class Control = PI)
  parameter gain = 10
  submodel (Control) c(k = gain)
  terminal u
  u = c.u
end
"""


def errors(text: str, **files: str) -> dict[str, str]:
    with pytest.raises(ModelError) as caught:
        translate(text, **files)
    return {d.code: d.hint for d in caught.value.diagnostics}


def test_instances_of_one_class_with_different_classes():
    model = translate(
        CONTROLS
        + """
model class Two (class Control = PI, class Second)
  submodel (Axis) own(Control = Control), second(Control = Second, gain = 100), plain
  submodel (Control) list(2)(k = [5, 6])
end
model class (Axis) Axis2 (class Control = PID)
end
model M
  submodel (Axis) a, b(Control = PID), c(Control = PI, gain = 7)
  submodel (Two) two(Control = PID, Second = PI)
  submodel (Axis2) d, e(Control = PI)
end
"""
    )
    values = model.values(time=1.0)
    found = [values[f"{name}.u"] for name in ("a", "b", "c", "d", "e")]
    assert found == [10.0, 11.0, 7.0, 11.0, 10.0]
    assert [values[f"two.{n}.u"] for n in ("own", "second", "plain", "list(1)", "list(2)")] == [
        11.0,
        100.0,
        10.0,
        6.0,
        7.0,
    ]
    classes = {i.path: i.class_name for i in model.instance.walk()}
    assert (classes["b"], classes["b.c"], classes["d"]) == ("Axis(Control = PID)", "PID", "Axis2(Control = PID)")


def test_files_decide_what_a_given_class_means():
    """A default is that of the library, a class that is given that of the model."""
    text = "@controls as lib\nmodel class PID\n  parameter k\n  terminal u\n  u = -k\nend\n" + (
        "model M\n  submodel (lib.Axis) a(Control = PID), b(Control = lib.PID), c\nend\n"
    )
    values = translate(text, controls=CONTROLS).values(time=1.0)
    assert [values[f"{name}.u"] for name in "abc"] == [-10.0, 11.0, 10.0]


def test_a_class_parameter_hides_a_class_only_where_it_is_declared():
    text = """
model class X
  terminal y
  y = 1
end
model class Y
  terminal y
  y = 2
end
model class Base
  submodel (X) base
end
model class (Base) Sub (class X = Y)
  submodel (X) sub
end
model M
  submodel (Sub) s
end
"""
    values = translate(text).values()
    assert (values["s.base.y"], values["s.sub.y"]) == (1.0, 2.0)


def test_a_class_may_contain_itself_with_another_class():
    text = (
        CONTROLS
        + "model class Wrap (class W = PI)\n  submodel (W) w\nend\nmodel M\n  submodel (Wrap) a(W = Wrap)\nend\n"
    )
    assert translate(text).values(time=1.0)["a.w.w.u"] == 2.0
    endless = text.replace("submodel (W) w\n", "submodel (Wrap) w(W = W)\n")
    assert errors(endless).keys() == {"E208"}


def test_units_of_instances_with_different_classes():
    part = 'model class P{0}\n  terminal y (unit="{0}")\n  y = 1\nend\n'
    text = (
        part.format("m")
        + part.format("kg")
        + """
model class Holder (class P = Pm)
  submodel (P) p
  terminal z
  z = p.y
end
model M
  submodel (Holder) a, b(P = Pkg)
  local s (unit="m")
  s = UNIT.z
end
"""
    )
    assert translate(text.replace("UNIT", "a"))
    assert errors(text.replace("UNIT", "b")).keys() == {"E242"}


AXIS = CONTROLS + "model class Needs (class Motor)\n  submodel (Motor) m\nend\nmodel Object\nend\n"


@pytest.mark.parametrize(
    ("body", "code", "hint"),
    [
        ("submodel (Needs) n", "E258", "give a class at the submodel, in parentheses: (Motor = ...)"),
        ("submodel (Axis) a(Control = 3)", "E259", "write the name of a class: Control = ..."),
        ("submodel (Axis) a(Control = PI(2))", "E259", "write the name of a class: Control = ..."),
        ("submodel (Axis) a(Control = PIX)", "E205", "did you mean 'PI'?"),
        ("submodel (Axis) a(Control = Object)", "E209", "declare it as a class: model class Object"),
        ("submodel (Axis) a(Contrl = PID)", "E223", "did you mean 'Control'?"),
        ("submodel (Axis) a(Control = PI, Control = PI)", "E224", "remove one"),
        ("submodel (Axis) a(Control = Needs)", "E223", "it has: Motor"),
    ],
)
def test_messages(body, code, hint):
    found = errors(f"{AXIS}model M\n  {body}\nend\n")
    assert found[code] == hint and found.keys() <= {code, "E212", "E223"}


def test_the_class_given_is_shown_where_it_lacks_a_parameter():
    text = (
        CONTROLS + "model class Bare\n  terminal u\n  u = 1\nend\nmodel M\n  submodel (Axis) a(Control = Bare)\nend\n"
    )
    with pytest.raises(ModelError) as caught:
        translate(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E223" and "'Bare' has no parameter 'k'" in diagnostic.message
    assert diagnostic.labels[0].span.text == "Bare"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("model class A (class C = PI)\n  local x\n  x = C\nend\n", "E260"),
        ("model class (C) A (class C = PI)\nend\n", "E261"),
        ("model class A (class C = PI)\n  parameter C = 2\nend\n", "E210"),
        ("model class A (class C = PI, class C = PID)\nend\n", "E210"),
        ("model class A (class C = PI)\n  submodel (CC) x\nend\n", "E205"),
    ],
)
def test_messages_of_declarations(text, code):
    found = errors(f"{CONTROLS}{text}model M\n  submodel (A) a\nend\n")
    assert found.keys() == {code}


def test_an_object_takes_its_defaults():
    text = CONTROLS + "model M (class C = PID)\n  submodel (C) c\nend\n"
    assert translate(text).values(time=1.0)["c.u"] == 4.0
    assert errors(text.replace(" = PID)", ")"))["E258"] == "give it a default: class C = ..."
