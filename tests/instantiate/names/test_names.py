"""What may be declared again, and which names may be the same."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

BASE = """
model class Top
  parameter k = 2
  cut A (V / i)
  node n
  local x
  submodel (Leaf) s
  main path P <A - A>
  V = 0
  x = k + time
end
model class Leaf
  local y
  y = 1
end
model class Other
  main cut O (W / j)
  W = 1
end
"""


def errors(text: str) -> list[tuple[str, str]]:
    with pytest.raises(ModelError) as caught:
        translate(BASE + text)
    return [(d.code, d.message) for d in caught.value.diagnostics]


def test_a_diamond_counts_once():
    text = BASE + (
        "model class (Top) Left\n  parameter k = 5\n  terminal l\n  l = x\nend\n"
        "model class (Top) Right\n  terminal r\n  r = 2*x\nend\n"
        "model class (Left, Right, Other) Both\n  terminal b\n  b = l + r\nend\n"
        "model M\n  submodel (Both) b\nend\n"
    )
    model = translate(text)
    assert model.values(time=1.0)["b.b"] == 18.0
    assert [len(i.equations) for i in model.instance.walk() if i.path == "b"] == [6]


@pytest.mark.parametrize(
    ("member", "words"),
    [
        ("local x", "variable 'x'"),
        ("terminal x", "variable 'x'"),
        ("constant k = 3", "variable 'k'"),
        ("parameter x = 3", "variable 'x'"),
        ("terminal V", "variable 'V'"),
        ("submodel (Leaf) s", "submodel 's'"),
        ("cut A (V2 / i2)", "cut, node or path 'A'"),
        ("node A", "cut, node or path 'A'"),
        ("cut n (V2 / i2)", "cut, node or path 'n'"),
        ("path P <A - A>", "cut, node or path 'P'"),
        ("path n <A - A>", "cut, node or path 'n'"),
        ("parameter k = 3, k = 4", "variable 'k'"),
    ],
)
@pytest.mark.parametrize("beside", [False, True])
def test_what_a_class_inherits_is_not_declared_again(member, words, beside):
    """In a subclass, and in a second superclass."""
    if beside:
        text = f"model class Second\n  {member}\nend\nmodel class (Top, Second) Sub\nend\n"
    else:
        text = f"model class (Top) Sub\n  {member}\nend\n"
    found = errors(text + "model M\n  submodel (Sub) s\nend\n")
    assert {code for code, _ in found} == {"E210"} and words in found[0][1]


def test_two_superclasses_do_not_share_parameters_or_variables_of_cuts():
    text = "model class Second\n  parameter k = 3\n  cut B (V / j)\nend\nmodel class (Top, Second) Sub\nend\n"
    found = errors(text + "model M\n  submodel (Sub) s\nend\n")
    assert found == [("E210", "the variable 'k' is declared twice"), ("E210", "the variable 'V' is declared twice")]


def test_a_cut_may_name_what_its_class_inherits():
    text = "model class (Top) Sub\n  cut B (V / -i)\n  main cut C [A, B]\nend\nmodel M\n  submodel (Sub) s\nend\n"
    assert translate(BASE + text).values()["s.V"] == 0.0


def test_a_class_parameter_and_a_variable_of_a_cut():
    text = (
        "model class Sub (class V = Leaf)\n  cut A (V)\n  submodel (V) v\n  V = 3\nend\nmodel M\n  submodel (Sub) s\n"
        "end\n"
    )
    assert translate(BASE + text).values()["s.V"] == 3.0


@pytest.mark.parametrize(
    "text",
    ["model class (Top, Other) Sub\n  main cut D [A, O]\nend\n", "model class (Top) Sub\n  main path R <A - A>\nend\n"],
)
def test_one_main(text):
    assert [code for code, _ in errors(text + "model M\n  submodel (Sub) s\nend\n")] == ["E269"]


def test_one_name_in_every_space():
    """A class, a submodel, a parameter and a cut of one name; `same = same` means what is around."""
    text = """
model class same
  parameter same = 1
  cut same (V)
  terminal y
  V = same
  y = same
end
model M
  parameter same = 5
  submodel (same) same(same = same)
  submodel (same) other(same = 2*same)
  node n
  local x
  connect other:same at n
  x = same.y + same + other.same
end
"""
    assert translate(text).values()["x"] == 20.0


@pytest.mark.parametrize(
    ("body", "code", "hint"),
    [
        ("submodel (Tp) t", "E205", "did you mean 'Top'?"),
        ("submodel (Top) first\n  local q\n  q = frst.x", "E213", "did you mean 'first'?"),
        ("local speed\n  speed = 2*sped", "E211", "did you mean 'speed'?"),
        ("submodel (Other) o\n  local q\n  q = o.w", "E212", "did you mean 'W'?"),
        ("submodel (Top) t(K = 1)", "E223", "did you mean 'k'?"),
        (
            "submodel (Other) o\n  node corner\n  connect o at cornr",
            "E230",
            "did you mean 'corner'? Otherwise declare it: node cornr",
        ),
        ("submodel (Other) o\n  node n\n  connect o:o at n", "E231", "did you mean 'O'?"),
        ("local q\n  q = sine(time)", "E215", "did you mean 'sin'?"),
    ],
)
def test_the_nearest_name_is_proposed(body, code, hint):
    with pytest.raises(ModelError) as caught:
        translate(f"{BASE}model M\n  {body}\nend\n")
    assert [(d.code, d.hint) for d in caught.value.diagnostics] == [(code, hint)]
