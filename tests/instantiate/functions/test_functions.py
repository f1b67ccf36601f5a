"""Functions at translation and in a run are one: same values, same derivatives, whichever way they are taken."""

from __future__ import annotations

import random
import textwrap
from pathlib import Path

import numpy as np
import pytest
from models_from_text import translate

from cutset import load
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.instantiate.functions import calls

SATURATION = """
function limited(x(:), most) result z(size(x, 1))
  for k = 1..size(x, 1) do
    if x(k) > most then
      z(k) := most
    elseif x(k) < -most then
      z(k) := -most
    else
      z(k) := x(k)
    endif
  endfor
end
"""
ROOT = """
function root(x) result y
  local before
  y := 1
  before := 0
  while abs(y - before) > 1e-13*y do
    before := y
    y := 0.5*(y + x/y)
  endwhile
end
"""


@pytest.fixture(params=["inlined", "generated"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Functions executed at translation where that can be, or all of them generated."""
    if request.param == "generated":
        monkeypatch.setattr(calls.DeclaredFunctions, "_is_opaque", lambda self, function: True)
    return request.param


def model(functions: str, body: str) -> str:
    return functions + "\nmodel M\n" + textwrap.indent(textwrap.dedent(body), "  ") + "end\n"


def test_branches_and_vectors(way) -> None:
    translated = translate(
        model(SATURATION, "local z(3), s (start=0.3)\nder(s) = 1\nz = limited([s, 2*s, -3*s], 0.5)\n")
    )
    values = translated.values({"s": 0.3})
    assert [values[f"z({k})"] for k in (1, 2, 3)] == [0.3, 0.5, -0.5]
    assert ("f0(" in str(translated.program)) == (way == "generated")


def test_what_is_known_at_translation_is_a_number(way) -> None:
    text = """
    function factorial((Integer) n) result f
      if n <= 1 then
        f := 1
      else
        f := n*factorial(n - 1)
      endif
    end
    """
    translated = translate(model(textwrap.dedent(text), "constant n = factorial(5)\nlocal x, y(n/60)\nx = n\ny = 0\n"))
    assert translated.values()["x"] == 120.0 and not translated.program.user_functions


def test_a_size_from_a_parameter_makes_it_structural(way) -> None:
    text = "function first(x(:), n) result y(n)\n  y := x(1..n)\nend\n"
    translated = translate(model(text, "parameter n = 2\nlocal y(2), s\nder(s) = 1\ny = first([s, 2, 3], n)\n"))
    assert translated.values({"s": 7.0})["y(1)"] == 7.0
    assert translated.program.info.folded == {"n": 2.0}


def test_a_loop_over_values_is_differentiated(way) -> None:
    translated = translate(model(ROOT, "local s, a, d\nder(s) = 3\na = root(s)\nd = der(root(s))\n"))
    values = translated.values({"s": 2.0})
    assert values["a"] == pytest.approx(2**0.5, rel=1e-14)
    assert values["d"] == pytest.approx(3 / (2 * 2**0.5), rel=1e-12)


def test_the_second_derivative(way) -> None:
    translated = translate(model(ROOT, "local s, d\nder(s) = 3\nd = der(root(s), 2)\n"))
    assert translated.values({"s": 2.0})["d"] == pytest.approx(-9 / 4 * 2**-1.5, rel=1e-10)


def test_a_given_derivative_is_taken() -> None:
    text = """
    function cube(x, (Integer) n) result y (derivative=cube_der)
      y := x^3 + n
    end
    function cube_der(x, (Integer) n, dx) result dy
      dy := 300*x^2*dx
    end
    """
    translated = translate(model(textwrap.dedent(text), "local s, d\nder(s) = 1\nd = der(cube(s, 4))\n"))
    assert translated.values({"s": 2.0})["d"] == 1200.0


BEAD = """
local x (start=0.6), y, vx, vy, F
der(x) = vx
der(y) = vy
der(vx) = -F*x
der(vy) = F - 9.81
"""


def test_index_reduction_goes_through_a_function(way) -> None:
    """A bead on the parabola y = x^2/2."""
    wire = (
        "function wire(c(:), x) result y\n  y := 0\n  for k = 1..size(c, 1) do\n    y := y + c(k)*x^k\n  endfor\nend\n"
    )
    plain = translate(model("", BEAD + "y = x*x/2\n"))
    written = translate(model(wire, BEAD + "y = wire([0, 0.5], x)\n"))
    assert len(written.sorted_system.states) == 2
    assert written.sorted_system.differentiated == plain.sorted_system.differentiated > 0
    at = {str(s.data): value for s, value in zip(plain.sorted_system.states, (0.4, 1.7), strict=False)}
    assert written.rates(at) == pytest.approx(plain.rates(at), rel=1e-12)


def test_the_pendulum_swings_as_it_does_without_functions(way, write_model) -> None:
    text = """
    function height(phi, l) result h
      h := -l*cos(phi)
    end
    model P
      local phi (start=1), h, w, v
      h = height(phi, 2)
      w = der(phi)
      v = der(h)
      der(w) = -9.81/2*sin(phi)
    end
    """
    run = load(write_model(textwrap.dedent(text))).simulate(1.0)
    np.testing.assert_allclose(run["v"], 2 * np.sin(run["phi"]) * run["w"], rtol=1e-9, atol=1e-9)


# --- random functions ------------------------------------------------------------------------------


class Writer:
    """A random function of x, y, and the same in Python."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.known = ["x", "y"]
        self.lines: list[str] = []
        self.python: list[str] = []

    def expression(self, depth: int = 2) -> str:
        r = self.rng
        if depth == 0:
            return r.choice([*self.known, f"{r.uniform(0.2, 2):.2f}"])
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        return r.choice(
            [f"({a} + {b})", f"({a} - {b})", f"{a}*{b}", f"sin({a})", f"cos({a})", f"({a})/(1.5 + cos({b}))"]
        )

    def assign(self, name: str, indent: int) -> None:
        e = self.expression()
        self.lines.append("  " * indent + f"{name} := {e}")
        self.python.append("    " * indent + f"{name} = {e}")
        if name not in self.known:
            self.known.append(name)

    def block(self, indent: int) -> None:
        kind, c = self.rng.randrange(3), self.expression(1)
        deep = indent + 1
        if kind == 0:
            self.lines.append("  " * indent + f"if {c} > 0.3 then")
            self.python.append("    " * indent + f"if {c} > 0.3:")
            self.assign(self.rng.choice(["z", "a"]), deep)
            self.lines.append("  " * indent + "else")
            self.python.append("    " * indent + "else:")
            self.assign("a", deep)
            self.lines.append("  " * indent + "endif")
        elif kind == 1:
            self.lines.append("  " * indent + "for k = 1..3 do")
            self.python.append("    " * indent + "for k in (1, 2, 3):")
            self.assign("z", deep)
            self.lines.append("  " * deep + "z := 0.3*z + k*x")
            self.python.append("    " * deep + "z = 0.3*z + k*x")
            self.lines.append("  " * indent + "endfor")
        else:
            self.lines += ["  " * indent + line for line in ("b := abs(a) + 2", "while b > 1 do", "  b := b/2")]
            self.python += ["    " * indent + line for line in ("b = abs(a) + 2", "while b > 1:", "    b = b/2")]
            self.assign("z", deep)
            self.lines.append("  " * indent + "endwhile")

    def texts(self, with_while: bool) -> tuple[str, str]:
        for name in ("z", "a", "b"):
            self.assign(name, 1)
        for _ in range(3):
            before = len(self.lines), len(self.python)
            self.block(1)
            if not with_while and "while" in "".join(self.lines[before[0] :]):
                del self.lines[before[0] :], self.python[before[1] :]
        self.assign("b", 1)
        body = "\n".join(self.lines)
        function = f"function f(x, y) result z\n  local a, b\n{body}\n  z := z + 0.5*a + b\nend\n"
        return function, "def f(x, y):\n" + "\n".join(self.python) + "\n    return z + 0.5*a + b\n"


def derivative_by_differences(f, x: float, y: float, dx: float, dy: float) -> float:
    h = 1e-5
    return (f(x + h * dx, y + h * dy) - f(x - h * dx, y - h * dy)) / (2 * h)


@pytest.mark.parametrize("with_while", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_random_functions(seed: int, with_while: bool, way: str) -> None:
    text, python = Writer(seed).texts(with_while)
    namespace: dict = {"sin": np.sin, "cos": np.cos, "abs": abs}
    exec(python, namespace)
    f = namespace["f"]
    translated = translate(
        model(text, "local x, y, z, d\nder(x) = 0.7\nder(y) = -1.3\nz = f(x, y)\nd = der(f(x, y))\n")
    )
    rng = random.Random(seed)
    for _ in range(3):
        x, y = rng.uniform(-1, 1), rng.uniform(-1, 1)
        values = translated.values({"x": x, "y": y})
        assert values["z"] == pytest.approx(f(x, y), rel=1e-10, abs=1e-10), text
        slope = derivative_by_differences(f, x, y, 0.7, -1.3)
        again = derivative_by_differences(lambda a, b: f(a + 3e-6, b), x, y, 0.7, -1.3)
        if abs(slope - again) < 1e-3 * (1 + abs(slope)):  # no jump nearby
            assert values["d"] == pytest.approx(slope, rel=1e-4, abs=1e-4), text


# --- what is refused, tables, places of calls -----------------------------------------------------


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (
            "  r := x\n" + "  while r < x do\n" * 17 + "  r := r + 1\n" + "  endwhile\n" * 17,
            "nesting of more than 16 loops",
        ),
        ("  r := x\n  if x > 0 then\n" + "  elseif x > 1 then\n  r := 2\n" * 80 + "  endif\n", "branches and loops"),
    ],
)
def test_what_cannot_stand_in_a_function(body, what):
    with pytest.raises(ModelError) as caught:
        translate(model(f"function f(x) result r\n{body}end\n", "local y\ny = f(time)\n"))
    (said,) = caught.value.diagnostics
    assert said.code == "E293" and what in said.message


def test_a_long_line_of_calls_is_not_said_to_call_itself():
    lines = [f"function f{k}(x) result r\n  r := f{k + 1}(x)\nend\n" for k in range(60)]
    with pytest.raises(ModelError) as caught:
        translate(model("".join(lines) + "function f60(x) result r\n  r := x\nend\n", "local y\ny = f0(time)\n"))
    (said,) = caught.value.diagnostics
    assert said.code == "E292" and "nested too deeply" in said.message


TABLE = """
function force(x, n) result F
  local s = 0
  F := 0
  while s < n do
    s := s + 1
    F := F + interp1(x*s, [0, 0; 1, 1; 2, 4])
  endwhile
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("n", ["2", "2 + 0*time"])
def test_a_table_in_a_function_and_its_slope(tmp_path: Path, target: str, n: str) -> None:
    """Written out where the number of rounds is known, else in a function of the program and in that of its
    gradient."""
    path = tmp_path / "m.mo"
    path.write_text(model(TABLE, f"local F, w\nF = force(time, {n})\nw = der(F)\n"), encoding="utf-8")
    run = load(path).simulate(stop=0.8, points=9, target=target)
    t = run.time
    x, y = np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 4.0])
    assert np.allclose(run["F"], np.interp(t, x, y) + np.interp(2 * t, x, y), rtol=1e-12)
    off = abs(t - 0.5) > 1e-6
    assert np.allclose(run["w"][off], np.where(t < 0.5, 3.0, 7.0)[off], rtol=1e-12)


def test_a_table_of_parameters_in_a_function() -> None:
    text = "function force(x, ys(:)) result F\n  F := interp1(x, [0, 1], ys)\nend\n"
    translated = translate(model(text, "parameter a = 3\nlocal F\nF = force(0.5, [1, a])\n"))
    assert translated.values()["F"] == 2.0 and translated.values(parameters={"a": 5.0})["F"] == 3.0


@pytest.mark.parametrize("word", ["delay(x, 1)", "new(x)", "init(x)", "der(x)", "time"])
def test_what_belongs_to_a_model_has_a_message_of_its_own(word: str) -> None:
    with pytest.raises(ModelError) as error:
        translate(model(f"function f(x) result y\n  y := {word}\nend\n", "local a\na = f(1)\n"))
    (found,) = error.value.diagnostics
    assert found.code == "E293" and any(
        words in str(found.hint) for words in ("argument", "pass the", "returns a value")
    )


def test_calls_stand_wherever_values_do() -> None:
    library = (
        "function up(x, (Integer) n) result y\n  y := x + n\nend\nfunction size3((Integer) n) result (Integer) m\n"
    )
    library += "  m := n + 1\nend\nfunction pos(x) result (Boolean) b\n  b := x > 0\nend\n"
    text = """
    @library as lib
    model class C
      parameter a = lib.up(1, 2)
      terminal y
      y = a
    end
    model M
      parameter k = lib.up(2, 1)
      submodel (C) c(a=lib.up(k, 1)), d if lib.pos(k)
      submodel (C) e(lib.size3(1))
      local x(lib.size3(2)), s (start=lib.up(1, 1)), z(2)
      der(s) = -lib.up(s, 1)
      if lib.pos(-k) then
        x = zeros(3)
      else
        x = ones(3)
      endif
      for j = 1..lib.size3(1) do
        z(j) = lib.up(j, j)
      endfor
    end
    """
    values = translate(textwrap.dedent(text), library=library).values({"s": 3.0})
    wanted = {"c.y": 4.0, "d.y": 3.0, "e(2).y": 3.0, "x(3)": 1.0, "z(2)": 4.0}
    assert {name: values[name] for name in wanted} == wanted
    rest = 'when lib.pos(1 - s) then\n    new(m) = lib.up(m, 1)\n  endwhen\n  assert lib.pos(s + 9), "low"\n'
    rest += "  initial\n    init(s) = lib.up(1, 2)\n  endinitial\n"
    translated = translate(f"@library as lib\nmodel M\n  local s, m\n  der(s) = -1\n  {rest}end\n", library=library)
    for line in ("mode(0) is state 1 - s > 0", "mode(1) is state s + 9 > 0", "when mode(0)", "assert mode(1)"):
        assert line in str(translated.system)
