"""Terminals bound in brackets, and defaults of those that are used nowhere else."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

TEXT = """
model class Motor
  default load = 3
  terminal load
  input v
  default v = 24 + offset
  parameter offset = 0.5
  default extra(2) (unit="m") = [1, 2]
  output y
  y = load + v + extra(1) + extra(2) + 0*time
end
"""


def model(body: str, text: str = TEXT):
    return translate(f"{text}model M\n{body}\nend\n")


def errors(body: str, text: str = TEXT) -> dict[str, str]:
    with pytest.raises(ModelError) as caught:
        model(body, text)
    return {d.code: d.hint for d in caught.value.diagnostics}


@pytest.mark.parametrize(
    ("body", "y"),
    [
        ("submodel (Motor) m", 30.5),
        ("submodel (Motor) m(load = 10)", 37.5),
        ("submodel (Motor) m(v = 2*k, offset = 100)\n local k\n k = 2", 10.0),
        ("submodel (Motor) m(extra = 0)", 27.5),
        ("submodel (Motor) m\n m.load + m.v = 7\n m.v = 1", 10.0),
        ("submodel (Motor) m\n local e\n e = m.load + 1\n e = 3", 29.5),
        ("submodel (Motor) m\n der(m.load) = 1", 27.5),
    ],
)
def test_a_default_holds_where_nothing_outside_uses_the_terminal(body, y):
    assert model(body).values(time=1.0)["m.y"] == pytest.approx(y)


def test_each_instance_decides_for_itself():
    body = "submodel (Motor) m(3)(load = [1, 2, 3]), n(2)\n n(2).load = 100\n for k = 1..2 do\n m(k).v = k\n endfor"
    values = model(body).values(time=1.0)
    found = [values[f"{name}.y"] for name in ("m(1)", "m(2)", "m(3)", "n(1)", "n(2)")]
    assert found == [5.0, 7.0, 30.5, 30.5, 127.5]


def test_models_around_by_several_levels():
    body = "submodel (Drive) d"
    text = TEXT + "model class Drive\n submodel (Motor) m\n terminal w\n w = m.y\n m.load = 5\nend\n"
    assert model(body, text).values(time=0.0)["d.w"] == 32.5


def test_what_the_class_itself_says_does_not_count():
    """Also of what it contains: the inner submodel is bound to the terminal."""
    text = """
model class Inner
  input u
  output y
  y = 2*u
end
model class Outer
  default u = 4
  submodel (Inner) i(u = u)
  output y
  y = i.y + 0*time
end
"""
    assert model("submodel (Outer) o", text).values()["o.y"] == 8.0
    assert model("submodel (Outer) o(u = 1)", text).values()["o.y"] == 2.0


def test_a_terminal_in_a_cut_is_determined_by_connections():
    text = """
model class Sink
  cut A (V)
  default V = 5
  terminal w
  w = V + 0*time
end
model class Source
  cut A (V)
  V = 1
end
"""
    assert model("submodel (Sink) s", text).values()["s.w"] == 5.0
    assert model("submodel (Sink) s\n submodel (Source) g\n connect s:A to g:A", text).values()["s.w"] == 1.0


def test_subclasses_give_new_defaults():
    text = TEXT + "model class (Motor) Other\n  default load = 13\nend\n"
    assert model("submodel (Other) m", text).values(time=1.0)["m.y"] == 40.5


def test_an_object_has_nothing_around_it():
    assert translate("model M\n  default x = 3\n  local y\n  y = x + 0*time\nend\n").values()["y"] == 3.0


def test_the_origin_is_shown():
    instance = model("submodel (Motor) m(v = 1)").instance
    assert [e.default_of for i in instance.walk() for e in i.equations if e.default_of] == [
        "default of m.load",
        "default of m.extra",
    ]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("default load = 3", "default load", "E266"),
        ("default load = 3", "default offset = 3", "E267"),
        ("default load = 3", "default load = 3, load = 4", "E210"),
        ("default load = 3", 'default load (unit="m") = 3', "E210"),
        ("default load = 3", "default load = [1, 2]", "E217"),
        ("default load = 3", "default load = lod", "E211"),
        ("[1, 2]", 'k\n  parameter k(2) (unit="kg") = [1, 2]', "E247"),
    ],
)
def test_messages_of_defaults(old, new, code):
    assert old in TEXT
    assert errors("submodel (Motor) m", TEXT.replace(old, new)).keys() == {code}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("submodel (Motor) m(load = lod)", "E211"),
        ("submodel (Motor) m(load = [1, 2])", "E217"),
        ("submodel (Motor) m(2)(load = [1, 2, 3])", "E239"),
        ("submodel (Motor) m(load = 1, load = 2)", "E224"),
        ("submodel (Motor) m(loda = 1)", "E223"),
        ('parameter k (unit="kg") = 1\n submodel (Motor) m(extra = [k, k])', "E247"),
        ("input v\n default v = 3\n submodel (Motor) m", "E268"),
    ],
)
def test_messages_of_bindings(body, code):
    assert errors(body).keys() == {code}
