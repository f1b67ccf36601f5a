"""The solution of a loop that a model states replaces its conditions, if these are conditions between coordinates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.api.translate.listeners import Results
from cutset.api.translate.translation import observe_file, options_of
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.sort.redundancy import Independent

SLIDER = """@mbs
model Slider
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) crank(n2=1, q0=0.3, qd0=5), pin(n2=1), wrist(n2=1)
  submodel (Prismatic) slide(n1=1{closing})
  submodel (Bar) throw(r1=0.1), rod(r1=0.35)
  submodel (Body) shaft(m=1, I22=0.1), piston(m=1)
  connect world to crank to throw to pin to rod to wrist, world to slide to wrist:b,
          piston at slide:b, shaft at crank:b
  local A, A1
  A = -asin(sin(crank.q)/3.5)
  A1 = -cos(crank.q)/(3.5*cos(A))
  closed [pin.q, wrist.q] = [A - crank.q, -A]
  closed slide.q = 0.1*cos(crank.q) + 0.35*cos(A)
  closed pin.qd = (A1 - 1)*crank.qd*{factor}
end
"""
Write = Callable[[str, str], Path]


def H(u: np.ndarray) -> np.ndarray:
    """The way of the slider."""
    return 0.1 * np.cos(u) + np.sqrt(0.35**2 - (0.1 * np.sin(u)) ** 2)


def slider(closing: str = ", closing=true", factor: str = "1") -> str:
    return SLIDER.format(closing=closing, factor=factor)


def test_a_ring_of_joints_has_no_system_of_equations_for_positions(write_model: Write) -> None:
    """What follows from the conditions of the joint that closes the ring is compared only. A rate of the model is used
    as it is, here a millionth too large."""
    model = cutset.load(write_model(slider(factor="(1 + 1e-6)"), "slider.mo"))
    assert not model.inspect()["nonlinear_systems"] and set(model.states) == {"crank.q", "crank.qd"}
    run = model.simulate(0.4, points=5, rtol=1e-9, target="python")
    u, A = run["crank.q"], -np.arcsin(np.sin(run["crank.q"]) / 3.5)
    assert np.allclose(run["pin.q"], A - u, atol=1e-12) and np.allclose(run["slide.q"], H(u))
    exact = (-np.cos(u) / (3.5 * np.cos(A)) - 1) * run["crank.qd"]
    assert np.allclose(run["pin.qd"] / exact - 1, 1e-6, atol=1e-9)


def test_other_joint_closes(write_model: Write) -> None:
    """`wrist` closes the ring: its angle is compared with the conditions, and a wrong one is found."""
    text = slider(", closing=false").replace("wrist(n2=1)", "wrist(n2=1, closing=true)")
    assert not cutset.load(write_model(text, "slider.mo")).inspect()["nonlinear_systems"]
    wrong = text.replace("[A - crank.q, -A]", "[A - crank.q, A]")
    with pytest.raises(ModelError, match=r"the solution for 'wrist.q' contradicts the loop"):
        cutset.load(write_model(wrong, "wrong.mo"))


def test_coordinates_that_are_not_free_leave_the_conditions(write_model: Write) -> None:
    """Here a and b are, by the first condition, as the coordinates of parts are in `mbsabs`."""
    text = "model M\n  local a, b, v, u, s\n  der(u) = 1\n  der(a) = s\n  a^2 + b^2 = 1\n  v*a = b\n"
    text += "  der(b) = s*u - v\n  der(v) = s + u\n  closed v = u\nend\n"
    results = Results("redundancy")
    observe_file(write_model(text, "bound.mo"), None, options_of([]), [results])
    system = results.of(Independent).system
    assert any("is not used: the conditions of the loop contain a, b" in note.text for note in system.notes)
    assert not any("closed" in e.origin.span.text for e in system.equations) and not system.solutions


def test_other_parameters_are_compared_again(write_model: Write) -> None:
    """A length that the solution takes from elsewhere is part of the code, as a run with another one would be wrong."""
    text = slider(", closing=false").replace("wrist(n2=1)", "wrist(n2=1, closing=true)")
    model = cutset.load(write_model(text, "slider.mo"))
    assert "rod.r1" in model.folded and "shaft.I22" not in model.folded
    with pytest.raises(ModelError, match="contradicts the loop"):
        model.simulate(0.1, parameters={"rod.r1": 0.4})
    free = text.replace("0.1*cos(crank.q) + 0.35*", "throw.r1*cos(crank.q) + rod.r1*").replace(
        "3.5", "(rod.r1/throw.r1)"
    )
    assert not {"rod.r1", "throw.r1"} & cutset.load(write_model(free, "free.mo")).folded.keys()


def test_other_problems_keep_the_conditions(write_model: Write) -> None:
    """In an inverse problem what is prescribed is an input; functions of all joints need no solution of a loop. A
    solution for a joint that closes a loop alone is compared only."""
    text = slider("")
    for old, new in (
        (", wrist(n2=1)", "\n  submodel (PlanarCutRevolute) close(n2=1)\n  submodel (JointForce) motor"),
        ("rod to wrist, world to slide to wrist:b", "rod, world to slide, close at (slide:b, rod:b)"),
        ("shaft at", "motor at crank:ext, shaft at"),
        ("[pin.q, wrist.q] = [A - crank.q, -A]", "[pin.q] = [A - crank.q]"),
        ("  local A, A1", "  input tau\n  motor.f = tau\n  local A, A1"),
    ):
        text = text.replace(old, new)
    model = cutset.load(write_model(text, "slider.mo"))
    times = np.linspace(0, 0.2, 5)
    run = model.inverse({"crank.q": (times, 0.3 + times**2)}, ["tau"], points=3, target="python")
    assert np.allclose(run["slide.q"], H(run["crank.q"]), atol=1e-9) and np.ptp(run["tau"]) > 1e-3
    assert model.mechanics(target="python").mass_matrix([0.3, -0.4, 0.1]).shape == (3, 3)
    ring = "".join(line for line in slider().splitlines(True) if "closed" not in line or "slide" in line)
    assert cutset.load(write_model(ring, "ring.mo")).inspect()["nonlinear_systems"]


def test_an_algebraic_loop(write_model: Write) -> None:
    text = "model M\n  local x, y, u\n  der(u) = 1\n  x + sin(y) = u\n  y + {} = 0\n  closed [x, y] = [u*0.5, 0]\nend\n"
    with pytest.raises(ModelError, match="contradicts"):
        cutset.load(write_model(text.format("cos(x)"), "m.mo"))
    text = (
        "model M\n  local x, y, u\n  der(u) = 1\n  x^3 + y = u\n  x^3 = y\n  closed [x, y] = [(u/2)^(1/3), u/2]\nend\n"
    )
    model = cutset.load(write_model(text, "n.mo"))
    assert not model.inspect()["nonlinear_systems"]
    assert model.simulate(2.0, initial={"u": 1.0}, target="python")["x"][-1] == pytest.approx(1.5 ** (1 / 3))


def test_a_run_ends_where_the_solution_contradicts_the_loop(write_model: Write) -> None:
    """It is right at all points near the start."""
    text = slider().replace("[A - crank.q, -A]", "[A - crank.q + 0.01*max(0, crank.q - 1.5), -A]")
    model = cutset.load(write_model(text, "slider.mo"))
    with pytest.raises(cutset.RunError, match="contradicts its loop") as caught:
        model.simulate(1.0)
    assert 1.4 < caught.value.result["crank.q"][-1] < 1.8
