"""Types of arguments, results and variables of functions: what they hand on, and which values fit."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

HEAD = """
type Angle (unit="rad", min=-1, max=7)
type Mode = (Free, Stuck)
"""


def codes(text: str) -> list[str]:
    try:
        translate(HEAD + text)
    except ModelError as error:
        return [d.code for d in error.diagnostics]
    return []


def body(statement: str) -> list[str]:
    """The codes of a function with that statement, which is not called."""
    declared = (
        "function f((Integer) n, (Boolean) b, (Mode) m, (Angle) phi, x) result (Mode) r\n  local (Integer) k\n"
        "  local z(2)\n"
    )
    return codes(f"{declared}  r := m\n  {statement}\nend\nmodel M\n  local a\n  a = 1\nend\n")


def call(expression: str) -> list[str]:
    declared = (
        "function f((Integer) n, (Mode) m, (Angle) phi) result (Boolean) r\n  r := n > phi and m == Mode.Free\nend\n"
    )
    variables = "local x\n  local (Integer) n\n  local (Boolean) b\n  x = 1\n  n = 2"
    return codes(f"{declared}model M\n  {variables}\n  b = {expression}\nend\n")


def test_values_of_enumerations_and_booleans_go_through_functions():
    text = (
        HEAD
        + """
    function other((Mode) m) result (Mode) r
      r := if m == Mode.Free then Mode.Stuck else Mode.Free
    end
    function open((Mode) m, x) result z
      z := x > 1 and m == Mode.Stuck
    end
    model M
      local (Mode) m
      local b, c
      m = other(other(other(Mode.Free)))
      b = if open(m, 2) then 1 else 0
      c = if open(other(m), 2) then 1 else 0
    end
    """
    )
    values = translate(text).values()
    assert (values["m"], values["b"], values["c"]) == (2, 1, 0)


@pytest.mark.parametrize("statement", ["k := n + 1", "k := floor(x)", "r := if b then Mode.Free else m", "z(n) := k",
                                       "assert b or x > 1, \"t\"", "while m == Mode.Free do; k := 2; endwhile",
                                       "for j = 1..n do; k := j; endfor", "z := [phi, n]"])  # fmt: skip
def test_right_bodies(statement):
    assert body(statement.replace("; ", "\n")) == []


@pytest.mark.parametrize("statement, code", [
    ("k := x", "E280"), ("k := n/2", "E280"), ("k := b", "E280"), ("r := 1", "E280"), ("z := [b, b]", "E280"),
    ("r := if n then m else m", "E277"), ("assert x, \"t\"", "E277"), ("while n do; k := 2; endwhile", "E277"),
    ("if phi then; k := 1; endif", "E277"), ("k := n + m", "E276"), ("z(b) := 1", "E276"), ("r := Mode.Fre", "E275"),
    ("local (Modus) l", "E274"), ("for j = b..2 do; k := j; endfor", "E276"),
])  # fmt: skip
def test_wrong_bodies(statement, code):
    assert body(statement.replace("; ", "\n")) == [code]


def test_right_calls():
    assert call("f(n, Mode.Free, x)") == call("f(2, Mode.Stuck, 2*n)") == []


@pytest.mark.parametrize("expression, code", [
    ("f(x, Mode.Free, "
     "x)", "E280"), ("f(n, 1, x)", "E280"), ("f(n, Mode.Free, b)", "E280"), ("b and f(n, true, x)", "E280"),
    ("f(n, Mode.Free, "
     "7.5)", "E282"), ("f(n, Mode.Free, "
                       "-2)", "E282"), ("f(1.5, Mode.Free, 1)", "E287"), ("f(3/2, Mode.Free, 1)", "E280"),
])  # fmt: skip
def test_wrong_calls(expression, code):
    assert code in call(expression)


def test_a_result_without_a_type_has_that_of_its_value():
    text = "function f(x) result r\n  r := x > 1\nend\nmodel M\n  local a\n  a = f(time)\nend\n"
    assert codes(text) == ["E279"]


def test_the_unit_of_a_type_counts_in_a_function():
    text = 'function f((Angle) phi) result r\n  r := phi\nend\nmodel M\n  local a (unit="m")\n  a = f(1)\nend\n'
    assert codes(text) == ["E242"]
    text = 'function f((Angle) phi) result r (unit="m")\n  r := phi\nend\nmodel M\n  local a\n  a = f(1)\nend\n'
    assert codes(text) == ["E242"]


def test_a_named_type_has_a_derivative():
    text = (
        HEAD
        + """
    function square((Angle) phi) result y(derivative=slope)
      y := phi^2
    end
    function slope((Angle) phi, dphi) result dy
      dy := 2*phi*dphi
    end
    model M
      local w
      w = der(square(2*time))
    end
    """
    )
    assert translate(text).values(time=1.0)["w"] == pytest.approx(8.0)
