"""Units of models: each rule right and wrong, what is inferred, ten wrong models, and that the libraries are clean."""

import sys
from pathlib import Path

import pytest
from chain import chain_text

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.instantiate import instantiate as stage
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.instantiate.names.library import load_library

ROOT = Path(__file__).parents[3]
PARAMETERS = """
  parameter m (unit="kg") = 1, l (unit="m") = 1, t (unit="s") = 1, U (unit="V") = 1, I (unit="A") = 1
  parameter phi (unit="rad") = 1, w (unit="rad/s") = 1, n (unit="1") = 1, mm (unit="mm") = 1, f (unit="N") = 1
  parameter area (unit="m2") = 1, a (unit="m/s2") = 1, r(3) (unit="m") = [1, 2, 3], torque (unit="N.m") = 1
"""


@pytest.fixture
def mistakes(write_model):
    """mistakes(text) -> (code, underlined text) of each diagnostic of the units in it."""

    def find(text: str) -> list[tuple[str, str]]:
        try:
            instantiate(load_library(write_model(text)))
        except ModelError as error:
            return [(d.code, d.span.text) for d in error.diagnostics]
        return []

    return find


@pytest.fixture
def equation(mistakes):
    """The mistakes of one equation over PARAMETERS, with local x, y, z."""

    def find(text: str, declarations: str = "local x, y, z") -> list[tuple[str, str]]:
        return mistakes(f"model M\n{PARAMETERS}\n  {declarations}\n  {text}\nend\n")

    return find


RIGHT = [
    "x = m*a + f", "f = m*a", "torque = f*l", "l^2 = area", "l = sqrt(area)", "l = area^0.5", "l = area^(1/2)",
    "n = sin(phi) + cos(w*t) + "
    "tan(n)", "phi = atan2(l, 2*l)", "phi = asin(l/sqrt(area))", "n = exp(-n/2)", "x = exp(-t/t)",
    "l = abs(-l) + min(l, 2*l, 1) + max(r) + norm(r) + sum(r)", "area*n = norm(cross(r, r))", "n = sign(l)",
    "area = "
    "r'*r", "x = if l > 2 and not t < 1 then l else 0", "l = mod(l, l)", "y = 10*sin(2*time)", "U = 10*sin(2*time)",
    "U = "
    "10*exp(-time)", "U = 3*(1 + cos(phi))", "t = time - 1", "U = 5", "der(x) = l", "l = der(x, 2)*t^2", "x = floor(n)",
    "f*l/torque = "
    "1", "phi = w*t", "w = phi/t", "[x, y, z] = [l, m, t]", "[x, y, z] = r", "x = 2^n", "x = (l/l)^n", "x = l^n",
    "x = 0*l + 1", "[l, t] = [1, 2]", "x = r(2) + l", "[x, y] = r(1..2)", "r' = r'", "r = r/norm(r)*l",
    "torque/phi = "
    "f*l", "x = size(r, 1)", "identity(3)*r = r", "U = I*x", "phi = 1 + time*w", "w = 1/t", "x = n*time + t",
    "(1 + 2*x)*l = m", "x = 20 degC - 5 degC", "x = 20 degC + 5 K",
]  # fmt: skip
WRONG = [
    ("f = m*l", "E242", "m*l"),
    ("x = m + l", "E243", "l"),
    ("x = time/l + time", "E243", "time"),
    ("x = l*time + time", "E243", "time"),
    ("x = 2*f - 3*m*a - torque", "E243", "torque"),
    ("x = sqrt(area) + area", "E243", "area"),
    ("x = area^0.5 - area", "E243", "area"),
    ("n = sin(l)", "E246", "l"),
    ("n = exp(2*t)", "E246", "2*t"),
    ("phi = asin(l)", "E246", "l"),
    ("x = 2^l", "E246", "l"),
    ("x = atan2(l, t)", "E244", "t"),
    ("x = max(l, t, 1)", "E244", "t"),
    ("x = mod(l, t)", "E244", "t"),
    ("x = if l > t then 1 else 2", "E244", "t"),
    ("x = if l == 1 then U else I", "E245", "I"),
    ("x = if l > 1 then l elseif l > 0 then area else 0", "E245", "area"),
    ("U = 5*l^2", "E242", "5*l^2"),
    ("x = 20 degC + 5 degC", "E243", "5 degC"),
    ("x = 2*20 degC", "E243", "20 degC"),
    ("x = -(20 degC)/2", "E243", "(20 degC)"),
    ("U = sin(w*time)", "E242", "sin(w*time)"),
    ("l = time", "E242", "time"),
    ("l = mm", "E242", "mm"),
    ("x = l + 1000*mm", "E243", "1000*mm"),
    ("r = cross(r, r)", "E242", "cross(r, r)"),
    ("r = [l, t, l]", "E242", "t"),
    ("x = r(2) + t", "E243", "t"),
    ("x = norm(r) + t", "E243", "t"),
    ("[l, t] = r(1..2)", "E242", "t"),
    ("x = -(l + t)*2", "E243", "t"),
    ("der(x) = l + t", "E243", "t"),
    ("l = n*t", "E242", "n*t"),
]


@pytest.mark.parametrize("text", RIGHT)
def test_right(equation, text):
    assert equation(text) == []


@pytest.mark.parametrize(("text", "code", "span"), WRONG)
def test_wrong(equation, text, code, span):
    assert equation(text) == [(code, span)]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("x = U\n  x = I", "I"),
        ("x = I\n  y = x\n  z = y\n  z = U", "U"),
        ("z = U\n  y = z\n  x = y\n  x = I", "I"),
        ("x*l = area\n  x = t", "t"),
        ("l/x = w*l\n  x = m", "m"),
        ("der(x) = a\n  x = l", "l"),
        ("sqrt(x) = l\n  x = l", "l"),
        ("abs(-x) = l\n  x = t", "t"),
        ("x = if y > l then 1 else 2\n  y = t", "t"),
        ("1 = sin(x*t)\n  x = l", "l"),
        ("x = U/2\n  x = I", "I"),
    ],
)
def test_units_are_inferred(equation, text, span):
    """The unit that one equation forces is wrong in another."""
    assert [found[1] for found in equation(text)] == [span]


@pytest.mark.parametrize(
    "text",
    ["x*y = U\n  x = y", "x = [l; t]\n  x = [t; l]", "x(1) = l\n  x(2) = t", "y = x(2)\n  y = l\n  z = x(1)\n  z = t",
     "x = [l; 0]\n  x = [0; t]", "der(y) = -y\n  y = sin(y)", "y + sin(z) = time\n  y = z", "x = [l, t]*2\n  y = 5"],
)  # fmt: skip
def test_what_stays_open_is_no_mistake(equation, text):
    found = equation(text, "local x(2), y, z" if "[" in text or "(1)" in text or "(2)" in text else "local x, y, z")
    assert [code for code, _ in found if code.startswith("E24")] == []


ELECTRICAL = "@electrical\nmodel M\n  submodel (Ground) g\n  node n\n  connect g at n\n"
MECHANICAL = """@mbssim
model M
  submodel (Inertial) i
  submodel (Revolute) r(n1=1)
  submodel (Body) b(m=1, I11=1)
  connect i to r, b at r:b
"""
TEN_WRONG = [
    (ELECTRICAL + '  parameter c (unit="F") = 1\n  submodel (Resistor) R(R = c)\n', "E247"),
    (ELECTRICAL + '  parameter U (unit="V") = 1\n  submodel (IConst) S(I = U/2)\n', "E247"),
    (ELECTRICAL + "  submodel (Resistor) R(R = 1), Q(R = 1)\n  local x\n  x = R.u + Q.i\n", "E243"),
    (ELECTRICAL + "  submodel (Resistor) R(R = 1)\n  local x\n  x = R.u\n  x = R.i\n", "E242"),
    (ELECTRICAL + '  main cut p (T (unit="K") / q)\n  submodel (Resistor) R(R = 1)\n  connect p at R:A\n', "E248"),
    (
        ELECTRICAL + '  parameter k (unit="V.s/rad") = 1\n  submodel (Emf) E(k = k)\n  submodel (Resistor) R(R = k)\n',
        "E247",
    ),
    (MECHANICAL + "  cut c (x, xd, xdd / f)\n  connect c at r:ext\n  f = x\n", "E242"),
    (MECHANICAL + "  cut c (x, xd, xdd / f)\n  connect c at r:ext\n  f = 5*(x + xd)\n", "E243"),
    (MECHANICAL + '  parameter len (unit="mm") = 1\n  submodel (Bar) q(r1 = len)\n', "E247"),
    (MECHANICAL + "  submodel (Prismatic) p(n1=1)\n  connect p:ext at r:ext\n", "E248"),
]


@pytest.mark.parametrize(("text", "code"), TEN_WRONG)
def test_ten_wrong_models(mistakes, text, code):
    assert [found[0] for found in mistakes(text + "end\n")] == [code]


def test_the_way_out_of_a_scale(equation):
    assert equation("x = l + k*mm", 'constant k (unit="m/mm") = 0.001\n  local x') == []


def test_units_travel_through_cuts_without_body_and_a_chain(mistakes):
    """From one end of twenty elements without units to the other, where the two that disagree meet."""
    text = (
        """
@electrical
model class Wire
  cut A (V / i), B (W / -i)
  main cut c [A, B]
  main path p <A - B>
  V = W
end
model class Box
  cut out
  submodel (Ground) g
  connect g:A at out
end
model M
  submodel (Box) box
  submodel (Wire) """
        + ", ".join(f"w{k}" for k in range(20))
        + """
  local x (unit="K")
  x = w19.W
  connect box:out to """
        + " to ".join(f"w{k}" for k in range(20))
        + "\nend\n"
    )
    assert mistakes(text) == [("E242", "W")]


def test_a_mistake_of_a_class_is_told_once(mistakes):
    parts = ", ".join(f"s{k}(a = {k})" for k in range(9))
    of_class = 'model class S\n  parameter a (unit="m")\n  local x (unit="s")\n  x = a\nend\n'
    text = f"{of_class}model M\n  submodel (S) {parts}\nend\n"
    assert mistakes(text) == [("E242", "a")]


def test_an_instance_that_is_connected_to_itself(mistakes):
    text = """
@electrical
model class Loop
  cut A (x / f), B (y / g)
  x*y = z
  local z
end
model M
  submodel (Loop) s
  submodel (Ground) n
  connect s:A at s:B, n at s:A
end
"""
    assert mistakes(text) == []


@pytest.mark.parametrize("path", sorted((ROOT / "models").glob("*.mo")), ids=lambda p: p.stem)
def test_models_are_clean(path):
    library = load_library(path)
    for declared in library.objects:
        instantiate(library, declared.name)


def test_many_bodies_cost_little(write_model, monkeypatch):
    """Of the calls of instantiation at most 15 % are allowed; 5 % are usual."""
    calls = [0, 0]  # of all, of the check of units
    inside = [False]
    real = stage.check_units

    def counted(*arguments):
        inside[0] = True
        found = real(*arguments)
        inside[0] = False
        return found

    def count(_frame, event, _argument):
        if event == "call":
            calls[inside[0]] += 1

    monkeypatch.setattr(stage, "check_units", counted)
    library = load_library(write_model(chain_text(30)))
    sys.setprofile(count)
    try:
        instantiate(library)
    finally:
        sys.setprofile(None)
    assert calls[1] < 0.15 * sum(calls)


def test_many_equations_in_the_worst_order(mistakes):
    """Each equation waits for the next: still one pass through each that a new unit concerns."""
    count = 2000
    names = ", ".join(f"x{k}" for k in range(count))
    chain = "\n".join(f"  x{k} = x{k + 1}" for k in range(count - 1))
    text = f'model M\n  local {names}\n  local y (unit="m"), z (unit="s")\n{chain}\n  x{count - 1} = y\n  x0 = z\nend\n'
    assert len(mistakes(text)) == 1
