"""The derivative of an input is given as the input is, wherever it comes from."""

import pytest
from models_from_text import translate

import cutset
from cutset.compiler.diagnostics import ModelError

GIVEN = {"w": 2.0, "der(w)": 3.0, "der(w,2)": 5.0, "u(1)": 7.0, "der(u(1))": 11.0, "u(2)": 0.0, "der(u(2))": 13.0}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("input w; local y, z\n  y = der(w)\n  der(z) = y + w", {"y": 3.0, "der(z)": 5.0}),
        ("input w; local y\n  y = der(w, 2) - 2*der(w*w)", {"y": -19.0}),
        ("input u(2); local z(2), s\n  z = der(2*u) + u\n  s = der(u'*u)", {"z(1)": 29.0, "z(2)": 26.0, "s": 154.0}),
        ("input w; local x, v, q\n  x = w\n  v = der(x)\n  q = -der(w)", {"v": 3.0, "q": -3.0, "x": 2.0}),
        ("input w; local x, v\n  x = 2*w\n  v = der(x, 2) + der(w)", {"v": 13.0}),
    ],
)
def test_values(text, expected):
    values = translate(f"model M\n  {text}\nend\n").values(inputs=GIVEN)
    assert {name: values[name] for name in expected} == expected


def test_in_a_submodel():
    text = (
        "model class C\n  input u\n  output y\n  y = der(u)\nend\nmodel M\n  input w\n  submodel (C) c(u = -w)\nend\n"
    )
    translated = translate(text)
    assert translated.values(inputs=GIVEN)["c.y"] == -3.0
    assert set(translated.program.info.inputs) == {"w", "der(w)"}


def test_it_is_not_determined_by_an_equation():
    with pytest.raises(ModelError, match=r"error\[E401\].*'der\(w\) = 1' has no unknown"):
        translate("model M\n  input w\n  local x\n  x = w\n  der(w) = 1\nend\n")


def test_a_run_is_given_the_derivative_too(write_model):
    model = cutset.load(
        write_model("model M\n  input u, w(2)\n  local y, z(2)\n  y = der(u, 2) + u\n  z = der(w)\nend\n")
    )
    assert model.simulate(inputs={"u": 3.0}, points=2)["y"].tolist() == [3.0, 3.0]
    for inputs, missing in (
        ({"u": lambda t: t * t}, r"der\(u\)"),
        ({"u": lambda t: t * t, "der(u)": lambda t: 2 * t}, r"der\(u,2\)"),
        ({"w(2)": lambda t: t}, r"der\(w\(2\)\)"),
    ):
        with pytest.raises(cutset.RunError, match=f"E605(.|\n)*'{missing}' is not given"):
            model.simulate(inputs=inputs)
    given = {"u": lambda t: t * t, "der(u)": lambda t: 2 * t, "der(u,2)": 2.0}
    assert model.simulate(inputs=given, points=2)["y"].tolist() == [2.0, 3.0]
