"""Known quantities become inputs, and the equations of those that are found are opened."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.options import Options

# Two shafts with one load: the torque of the source, and the damper's, act on it.
SHAFT = """
cut class Flange (phi / tau)
model class Load
  cut (Flange) A (phi(start=0.5) / tau)
  parameter J = 2
  local w (start=0.25)
  der(phi) = w
  J*der(w) = tau
end
model class Damper
  cut (Flange) A (phi / tau)
  tau = 3*der(phi)
end
model class Drive
  cut (Flange) A (phi / -tau)
  terminal tau
end
"""
ALONE = f"{SHAFT}\nmodel M\n  submodel (Load) l\nend\n"
DRIVEN = (
    f"{SHAFT}\nmodel M\n  submodel (Load) l\n  submodel (Drive) s\n  input u\n  s.tau = 2*time + u\n"
    "  connect l:A at s:A\nend\n"
)
DAMPED = f"{SHAFT}\nmodel M\n  submodel (Load) l\n  submodel (Damper) d\n  connect l:A at d:A\nend\n"
TURNED = DRIVEN.replace("s.tau = 2*time + u", "2*time + u = s.tau")
CONTROLLED = DRIVEN.replace("s.tau = 2*time + u", "s.tau = u + 5*(1 - l.phi)")
GENERATED = (
    "model class Gen\n  terminal y\n  local v\n  v = 2 + 0*time\n  y = v\nend\n"
    "model M\n  submodel (Gen) g\n  local x\n  der(x) = g.y\nend\n"
)
JOINED = (
    "model class Gen\n  cut out (y)\n  local v\n  der(v) = 1\n  y = v\nend\n"
    "model class Tank\n  cut in (y)\n  local x\n  der(x) = y\nend\n"
    "model M\n  submodel (Gen) g\n  submodel (Tank) t\n  connect g:out at t:in\nend\n"
)
IMPLICIT = (
    "model class Tank\n  terminal f\n  local x\n  der(x) = f\nend\n"
    "model M\n  submodel (Tank) t\n  t.f = time + sin(t.f)\nend\n"
)
TOGETHER = "model M\n  input a, b\n  local x, y\n  der(x) = a + b\n  der(y) = 2*a + 2*b\nend\n"
SIGNALS = "model M\n  input u(2)\n  local x(2)\n  der(x) = u - x\nend\n"


def posed(text: str, known: str, find: str = ""):
    return translate(text, options=Options(known=tuple(known.split()), find=tuple(find.split())))


# phi = 1.5, w = 7, der(w) = 11
MOTION = {"l.phi": 1.5, "der(l.phi)": 7.0, "der(l.phi,2)": 11.0}


@pytest.mark.parametrize(
    ("text", "known", "find", "given", "expected"),
    [
        (ALONE, "l.phi", "", MOTION, {"l.tau": 22.0, "added(l.tau)": 22.0, "l.w": 7.0}),
        (DAMPED, "l.phi", "", MOTION, {"l.tau": 22.0, "d.tau": 21.0, "added(l.tau)": 43.0}),
        (DAMPED, "l.phi", "d.tau", MOTION, {"l.tau": 22.0, "d.tau": 21.0, "added(d.tau)": 43.0}),
        (DRIVEN, "l.phi", "s.tau", {**MOTION, "u": 4.0}, {"l.tau": 22.0, "s.tau": 22.0, "added(s.tau)": 18.0}),
        (TURNED, "l.phi", "s.tau", {**MOTION, "u": 4.0}, {"l.tau": 22.0, "s.tau": 22.0, "added(s.tau)": 18.0}),
        (CONTROLLED, "l.phi", "s.tau", MOTION, {"l.tau": 22.0, "s.tau": 22.0, "added(s.tau)": 24.5}),
        (CONTROLLED, "l.phi", "", MOTION, {"l.tau": 22.0, "s.tau": -2.5, "added(l.tau)": 24.5}),
        (GENERATED, "x", "g.y", {"x": 1.0, "der(x)": 7.0}, {"g.y": 7.0, "g.v": 2.0, "added(g.y)": 5.0}),
        (JOINED, "t.x", "t.y", {"t.x": 1.0, "der(t.x)": 7.0}, {"t.y": 7.0, "g.y": 0.0, "added(t.y)": 7.0}),
        (DRIVEN, "l.phi", "u", MOTION, {"l.tau": 22.0, "s.tau": 22.0, "u": 22.0}),
        (DRIVEN, "l.w", "u", {"l.w": 7.0, "der(l.w)": 11.0}, {"l.tau": 22.0, "u": 22.0}),
        (DRIVEN, "l.w", "", {"l.w": 7.0, "der(l.w)": 11.0}, {"l.tau": 22.0, "u": 22.0}),
        (SIGNALS, "x(1) x(2)", "", {"x(1)": 1.0, "x(2)": 2.0, "der(x(1))": 5.0}, {"u(1)": 6.0, "u(2)": 2.0}),
        (SIGNALS, "x(2)", "u(2)", {"x(2)": 2.0, "der(x(2))": 5.0, "u(1)": 4.0}, {"u(2)": 7.0, "der(x(1))": 4.0}),
    ],
)  # fmt: skip
def test_values(text, known, find, given, expected):
    translated = posed(text, known, find)
    assert set(translated.program.info.inputs) >= set(given)
    values = translated.values(inputs=given)
    assert {name: values[name] for name in expected} == pytest.approx(expected)


def test_a_coordinate_and_a_speed_leave_a_state():
    translated = posed(DRIVEN, "l.w", "u")
    assert translated.program.info.states == ("l.phi",)


def test_start_values_of_what_is_known_have_no_effect():
    """The load starts at other values than the motion; two shafts on the other side have further ones."""
    other = "model class Other\n  cut (Flange) A (phi(start=9) / tau)\n  tau = 0\nend\n"
    more = other.replace("Other", "More").replace("9", "7")
    text = (
        f"{SHAFT}{other}{more}\nmodel M\n  submodel (Load) l\n  submodel (Other) o\n  submodel (More) m\n"
        "  connect l:A at o:A, l:A at m:A\nend\n"
    )
    info = posed(text, "l.phi").program.info
    assert (info.start_checks, info.states) == ((), ())


def test_an_initial_equation_about_what_is_known_is_not_used():
    text = "model M\n  input u\n  local x\n  der(x) = u\n  initial\n    x = 3\n  endinitial\nend\n"
    (remark,) = posed(text, "x").program.info.remarks
    assert "the initial equation 'x = 3' is not used" in remark


SYMMETRIC = "model M\n  input a\n  local x, S(2,2)(symmetric)\n  S = [a, time; time, x]\n  der(x) = S(1,2)\nend\n"


def test_an_element_of_a_symmetric_matrix():
    values = posed(SYMMETRIC, "x", "S(2,1)").values(inputs={"x": 1.0, "der(x)": 6.0})
    assert (values["S(1,2)"], values["added(S(1,2))"]) == (6.0, 6.0)


RESTARTING = (
    "model M\n  input u\n  local x (start=1)\n  der(x) = u\n  when x < 0.5 then\n    init(x) = 1\n  endwhen\nend\n"
)
DISCRETE = (
    "model M\n  input u\n  local x, n (start=0)\n  der(x) = u\n  when x > 1 then\n    new(n) = n + 1\n  endwhen\nend\n"
)


@pytest.mark.parametrize(
    ("text", "known", "find", "said"),
    [
        (DRIVEN, "l.psi", "", r"E315.*'l.psi' cannot be known: the model has no variable(.|\n)*did you mean 'l.phi'"),
        (DRIVEN, "l.J", "", r"E315.*'l.J' cannot be known: it is a parameter(.|\n)*with --set"),
        (DRIVEN, "l.phi", "l.J", r"E315.*'l.J' cannot be found: it is a parameter"),
        (DRIVEN, "der(l.phi)", "", r"E315.*it is a derivative(.|\n)*name the variable itself"),
        (DRIVEN, "u", "s.tau", r"E315.*'u' cannot be known: it is an input of the model already(.|\n)*with --set"),
        (RESTARTING, "x", "u", r"E315.*'x' cannot be known: it restarts at events"),
        (DISCRETE, "n", "u", r"E315.*'n' cannot be known: it is discrete"),
        (DISCRETE, "x", "n", r"E316.*'n' cannot be found: it is discrete"),
        (DRIVEN, "l.phi", "l.w", r"E316.*'l.w' cannot be found: it is local to its class"),
        (DRIVEN, "l.phi", "s.phi", r"E316.*'s.phi' cannot be found: it is an across variable"),
        (DAMPED, "l.phi l.w", "l.tau d.tau", r"E316.*'d.tau' cannot be found(.|\n)*the same as that of 'l.tau'"),
        (IMPLICIT, "t.x", "t.f", r"E316.*'t.f' cannot be found"),
        (TOGETHER, "x y", "", r"E319(.|\n)*not determined: 'a', 'b'"),
        (DRIVEN, "l.phi", "u s.tau", r"E317.*1 quantity is known, and 2 quantities are to be found"),
        (DRIVEN, "l.phi l.w", "u", r"E317(.|\n)*known: 'l.phi', 'l.w'(.|\n)*find one quantity for each"),
        (DRIVEN, "", "u", r"E317.*0 quantities are known"),
        (ALONE, "l.w", "", r"E318.*instead of 'l.w'"),
        (DRIVEN, "l.phi l.w", "", r"E31[789]"),
        (SIGNALS, "x(1)", "", r"E318(.|\n)*what can be found: 'u\(1\)', 'u\(2\)'"),
        (
            SIGNALS,
            "x(1)",
            "u(2)",
            r"E319.*'x\(1\)', does not determine 'u\(2\)'(.|\n)*not determined: 'u\(2\)', 'x\(2\)'",
        ),
        (DRIVEN, "l.phi s.phi", "u l.tau", r"E319(.|\n)*with 'l.phi', 's.phi' known, one equation(.|\n)*no unknown"),
    ],
)
def test_what_cannot_be_solved(text, known, find, said):
    with pytest.raises(ModelError, match=said):
        posed(text, known, find)
