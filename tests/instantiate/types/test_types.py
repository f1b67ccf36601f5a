"""Types of variables: what they hand on, what is inferred, and which values fit."""

import pytest
from models_from_text import translate

import cutset
from cutset.compiler.diagnostics import ModelError

HEAD = """
type Mode = (Free, Stuck)
type Angle (unit="rad", start=0.25)
model class Part
  parameter (Mode) mode = Mode.Stuck
  parameter n = 2
  terminal (Angle) phi
  phi = 1
end
model M
  submodel (Part) s
"""


def codes(lines: str) -> list[str]:
    """The codes of the messages on a model that declares x (Real), b (Boolean), n (Integer) and m (Mode)."""
    declared = "  local x\n  local (Boolean) b\n  local (Integer) n\n  local (Mode) m\n"
    try:
        translate(HEAD + declared + "\n".join(f"  {line}" for line in lines.split("; ")) + "\nend\n")
    except ModelError as error:
        return [d.code for d in error.diagnostics]
    return []


def test_values_of_enumerations_are_numbers_from_one():
    text = (
        HEAD
        + """
      parameter (Mode) base = Mode.Stuck, k = if base == Mode.Free then Mode.Stuck else Mode.Free
      output y, z
      y = if k < s.mode then 10 else 20
      z = if k == Mode.Free then 1 else 2
    end
    """
    )
    values = translate(text).values()
    assert values["s.mode"] == 2 and values["y"] == 10 and values["z"] == 1


def test_a_submodel_hides_an_enumeration():
    text = HEAD + "  submodel (Part) Mode(n = 7)\n  local y\n  y = Mode.n\nend\n"
    assert translate(text).values()["y"] == 7


def test_attributes_come_from_the_type():
    text = HEAD + "  local (Angle) a, c (start=3)\n  der(a) = 0\n  der(c) = 0\nend\n"
    found = {v.name: v for v in translate(text).instance.variables}
    assert [found[name].start.elements[0].data for name in ("a", "c")] == [0.25, 3] and found["c"].unit == "rad"


def test_types_that_are_left_out():
    text = (
        HEAD
        + """
      parameter p = true, q = 3 > 2
      local e(2), f, g
      e = [time > 1, p]
      f = if p then Mode.Free else Mode.Stuck
      g = if p then 1 else 0
    end
    """
    )
    root = translate(text).instance
    types = {item.name: str(item.type) for item in (*root.parameters, *root.variables)}
    assert types == {"p": "Boolean", "q": "Boolean", "e": "Boolean", "f": "Mode", "g": "Real"}


@pytest.mark.parametrize(
    "lines",
    [
        "x = n; n = 2; b = x > 1 and not x > 5 or b == true; m = s.mode",
        "x = if m > Mode.Free then n/2 else 2*n; n = floor(x) + 3^2; b = m <> Mode.Stuck; m = if b then s.mode else "
        "Mode.Free",
        "x = max(n, 2.5); n = max(1, 3) + size([1, 2], 1); b = true; m = Mode.Free; for k = 1..2 do; b = k > 1; endfor",
    ],
)
def test_what_fits(lines):
    """The third has too many equations, which the next stages find."""
    assert [code for code in codes(lines) if code.startswith("E2")] == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("x = b + 1", "E276"),
        ("x = sin(m)", "E276"),
        ("x = -b", "E276"),
        ("b = x and x > 1", "E276"),
        ("b = not n", "E276"),
        ("b = b < true", "E276"),
        ("der(n) = 1", "E276"),
        ("x = if n then 1 else 2", "E277"),
        ("b = m == n", "E278"),
        ("x = if b then 1 else m", "E278"),
        ("b = 1", "E279"),
        ("x = s.mode", "E279"),
        ("n = x", "E279"),
        ("x + 0.5 = n", "E279"),
        ("m = Mode.Loose", "E275"),
        ("submodel (Part) t(n = true)", "E280"),
        ("submodel (Part) t(mode = 1)", "E280"),
        ("parameter (Integer) k = 1/2", "E280"),
        ("parameter (Boolean) k = n", "E221"),
        ("local (Mode) o (start=2)", "E280"),
        ("submodel (Part) t if s.n", "E277"),
    ],
)
def test_what_does_not_fit(line, code):
    assert code in codes(line)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("input (Integer) k\n local x(start=0)\n der(x) = k", 2.0),
        ("input (Integer) k\n local x\n 2*x = k", 1.0),
        ("input (Integer) k\n local x, y\n x + y = k\n y = 3*time", -1.0),
        ("input (Integer) k\n local x\n -x = k", -2.0),
        ("input (Integer) k\n local x\n k = 4*x", 0.5),
        ("local (Integer) n(2)\n local x(start=0)\n n = [floor(2.5*time), 3]\n 2*der(x) = n(2)", 1.5),
    ],
)
def test_an_integer_is_accepted_wherever_a_real_is(lines, expected):
    model = cutset.loads(f"model M\n {lines}\nend\n")
    assert model.simulate(1.0, inputs={"k": 2} if model.inputs else None)["x"][-1] == pytest.approx(expected)
