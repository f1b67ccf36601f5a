"""The first value of an equation that is undefined ends the run, at its time and its place, whoever asks for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cutset

# Each is undefined from t = 0.5 on, in the line of the comment.
UNDEFINED = {
    "a variable that no rate needs": "der(x) = -1; y = log(x - 0.5) {}",
    "a quotient": "der(x) = -1; y = 1/max(x - 0.5, 0) {}",
    "within max": "der(x) = -1; der(y) = max(sqrt(x - 0.5), 0.1) {}",
    "within min": "der(x) = -1; der(y) = min(0.1, sqrt(x - 0.5)) {}",
    "within sign": "der(x) = -1; der(y) = noevent(sign(1 + sqrt(x - 0.5))) {}",
    "a side of a relation": "der(x) = -1; y = if sqrt(x - 0.5) > 2 then 1 else 0 {}",
    "a condition without event": "der(x) = -1; der(y) = noevent(if sqrt(x - 0.5) > 2 then 1 else 0) {}",
    "an active branch": "der(x) = -1; y = if x < 0.7 then sqrt(x - 0.5) else 0 {}",
    "within a function": "der(x) = -1; y = f(x - 0.5) {}",
    "without states": "x = 1 - time; y = asin(1.5 - x) {}",
    "equations without a solution": "der(x) = -1; y^2 + 0.25*y^4 = x - 0.5 {}",
    "overflow": "der(x) = -1; y = exp(710 + 100*(0.5 - x) - 0.217288) {}",
}
FUNCTION = """
function f(z) result r
  r := max(sqrt(z), 0.1)
end
"""


def load(folder: Path, equations: str) -> cutset.Model:
    lines = "\n  ".join(equations.replace(" {}", "").split("; "))
    path = folder / "model.mo"
    path.write_text(f"{FUNCTION}\nmodel M\n  local x (start=1), y (start=1)\n  {lines}\nend\n")
    return cutset.load(path)


def places(message: str) -> bool:
    """Whether it names the second equation."""
    return "model.mo:9:3" in message


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("name", UNDEFINED)
def test_the_first_undefined_value_ends_the_run(tmp_path: Path, name: str, target: str) -> None:
    model = load(tmp_path, UNDEFINED[name])
    for points in (2, 30):
        with pytest.raises(cutset.RunError) as raised:
            model.simulate(1.0, points=points, target=target)
        error = raised.value
        assert error.code in ("E614", "E617", "E633")
        assert float(str(error).split("at time ")[1].split("\n")[0].rstrip(",")) == pytest.approx(0.5, abs=2e-3)
        assert places(str(error)), str(error)


@pytest.mark.parametrize("method", ["dopri5", "cvode-bdf", "cvode-adams", "ida", "radau", "rk4"])
@pytest.mark.parametrize("name", ["a variable that no rate needs", "within max"])
def test_with_every_method(tmp_path: Path, name: str, method: str) -> None:
    with pytest.raises(cutset.RunError, match=r"at time 0\.(5|4999)") as raised:
        load(tmp_path, UNDEFINED[name]).simulate(1.0, points=5, method=method)
    assert raised.value.code == ("E614" if name == "within max" else "E617") and places(str(raised.value))


def test_an_inactive_branch_may_be_undefined(tmp_path: Path) -> None:
    for equations in (
        "der(x) = -1; y = if x > 0.7 then sqrt(x - 0.5) else 0 {}",
        "der(x) = -1; der(y) = noevent(if x > 0.5 then sqrt(x - 0.5) else 0) {}",
    ):
        run = load(tmp_path, equations).simulate(1.0)
        assert run.failure is None and np.isfinite(run["y"]).all()


def test_from_python_at_a_point(tmp_path: Path) -> None:
    model = load(tmp_path, UNDEFINED["a variable that no rate needs"])
    assert model.evaluate(0.0, [1.0]) == pytest.approx([-1.0])
    for ask in (
        lambda: model.evaluate(0.0, [0.25]),
        lambda: model.steady(initial={"x": 0.25}),
        lambda: model.simulate(0.0, initial={"x": 0.25}),
    ):
        with pytest.raises(cutset.RunError) as raised:
            ask()
        assert "y = nan" in str(raised.value) and places(str(raised.value))


@pytest.mark.parametrize("stop", [0.0, 1.0])
def test_a_rate_that_is_undefined_at_the_start(tmp_path: Path, stop: float) -> None:
    """A run that ends where it begins says the same."""
    model = load(tmp_path, UNDEFINED["within max"])
    with pytest.raises(cutset.RunError, match=r"E613.*at time 0") as raised:
        model.simulate(stop, initial={"x": 0.25})
    assert "der(y) = nan" in str(raised.value) and places(str(raised.value))


def test_a_parameter_that_divides_what_no_rate_needs(tmp_path: Path) -> None:
    path = tmp_path / "model.mo"
    path.write_text("model M\n  parameter R = 2\n  local x (start=1), y\n  der(x) = -1\n  y = x/(R*R)\nend\n")
    with pytest.raises(cutset.RunError):
        cutset.load(path).simulate(0.5, parameters={"R": 0.0})
    path.write_text("model M\n  parameter R = 2\n  local x (start=1), y\n  der(x) = -1\n  R*y = x\nend\n")
    assert cutset.load(path).simulate(0.5)["y"][-1] == pytest.approx(0.25)
    with pytest.raises(cutset.RunError):
        cutset.load(path).simulate(0.5, parameters={"R": 0.0})


def test_in_a_sweep(tmp_path: Path) -> None:
    model = load(tmp_path, UNDEFINED["a variable that no rate needs"])
    sweep = model.sweep({"x": [1.0, 2.0]}, ["x"], 1.0, workers=1)
    assert [row.outcome for row in sweep.rows][1] == "completed" and len(sweep.failed) == 1
    assert "no finite value" in sweep.rows[0].reason


CIRCUIT = (
    "@electrical\nmodel M\nsubmodel (Ground) g\nsubmodel (ClosingSwitch) S(Ron=0, Goff=0)\nnode a, b, n\n"
    "connect g at n, "
)
# At 1 s a switch or a valve leaves an element without an equation: what the message names.
SWITCHED = {
    "an inductor": (
        CIRCUIT + "V at (a, n), S at (a, b), L at (b, n)\n"
        "submodel (VConst) V(V=10)\nsubmodel (Inductor) L(L=1)\nS.closed = time < 1\nend\n",
        ("E614: 'S.s' has no value once S switches: before, it has followed from 'L.i'", "time < 1"),
    ),
    "capacitors": (
        CIRCUIT + "C1 at (a, n), S at (a, b), C2 at (b, n)\n"
        "submodel (Capacitor) C1(C=1, u0=2), C2(C=3)\nS.closed = time > 1\nend\n",
        ("E614: 'S.s' has no value once S switches: before, it has followed from 'C1.u', 'C2.u'", "time > 1"),
    ),
    "valves": (
        "model M\nlocal o1 (start=1), o2 (start=1), p, q\nq = o1*(3 - p)\nq = o2*(p - 1)\n"
        "when time > 0.5 then\nnew(o1) = 0\nendwhen\nwhen time > 1 then\nnew(o2) = 0\nendwhen\nend\n",
        ("E617: 'p' is not determined: o1 = 0, o2 = 0", "time > 1"),
    ),
}


@pytest.mark.parametrize("target", ["c", "python"])
@pytest.mark.parametrize("name", SWITCHED)
def test_what_switches_off_is_named_with_what_it_cuts_off(write_model, name, target):
    text, parts = SWITCHED[name]
    with pytest.raises(cutset.RunError) as raised:
        cutset.load(write_model(text)).simulate(2.0, target=target)
    said = str(raised.value).replace("error[", "").replace("]", "")
    assert "at time 1.0" in said and all(part in said for part in parts), said


def test_an_ideal_amplifier_that_feeds_a_capacitor_is_named(write_model):
    """The output charges the capacitor until the input is zero: then it would have to stay between its limits."""
    text = (
        "@electrical\nmodel M\nsubmodel (VCosine) V(V=1, f=0.1)\nsubmodel (OpAmpLimited) A\n"
        "submodel (Resistor) R(R=1)\nsubmodel (Capacitor) C(C=1)\nsubmodel (Ground) g\nnode p, o, c, n\n"
        "connect V at (p, n), A at (p, c, o), R at (o, c), C at (c, n), g at n\nend\n"
    )
    with pytest.raises(cutset.RunError, match=r"'A.s' has no value once A switches"):
        cutset.load(write_model(text)).simulate(1.0)


@pytest.mark.parametrize("method", ["auto", "rk4"])
def test_an_ideal_comparator_jumps(write_model, method):
    """An amplifier without feedback: every output solves its equations where its input is zero, as at the start."""
    text = (
        "@electrical\nmodel M\nsubmodel (VSine) V(V=1, f=50)\nsubmodel (OpAmpLimited) A\nsubmodel (Resistor) R(R=1)\n"
        "submodel (Capacitor) C(C=0.1)\nsubmodel (Ground) g\nnode p, o, c, n\n"
        "connect V at (p, n), A at (p, n, o), R at (o, c), C at (c, n), g at n\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(0.1, method=method)
    inside = np.abs(run["V.u"]) > 1e-9
    assert np.array_equal(run["A.V3"][inside], 15.0 * np.sign(run["V.u"][inside]))
    u, half = 0.0, np.exp(-0.01 / 0.1)
    for k in range(10):
        u = (-1.0) ** k * 15.0 * (1.0 - half) + u * half
    assert run["C.u"][-1] == pytest.approx(u, abs=1e-4)


def test_a_function_without_value_blames_no_switch(write_model):
    text = "model M\nlocal x (start=1), y\nder(x) = 1\ny = if time < 1 then x else log(-x)\nend\n"
    with pytest.raises(cutset.RunError, match="check this equation") as raised:
        cutset.load(write_model(text)).simulate(2.0)
    assert "once" not in str(raised.value)


@pytest.mark.parametrize("target", ["c", "python"])
def test_at_zero_flow_an_enthalpy_is_not_determined(write_model, target):
    """Two tanks: the mixed enthalpy of the pipe is that of either, and free as long as nothing flows."""
    text = (
        "model M\nlocal p (start=1), q (start=1), m, H, h, E (start=0)\nm = p - q\n"
        "H = if m >= 0 then m*100 else m*50\nH = m*h\nder(p) = -m + (if time > 1 then 1 else 0)\nder(q) = m\n"
        "der(E) = m*h\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(4.0, target=target)
    assert run["h"][0] == 0.0 and run["h"][-1] == pytest.approx(100.0)
    np.testing.assert_allclose(run["E"][-1], 100 * (run["q"][-1] - 1), rtol=1e-6)
    assert any("where m is zero, the equations leave 'h' undetermined" in note for note in run.notes)


@pytest.mark.parametrize(
    "mixing",
    [
        "(if m >= 0 then m*300 else m*h) = (if m >= 0 then m*h else m*400)",
        "max(m, 0)*(300 - h) + max(-m, 0)*(400 - h) = 0",
        "(abs(m) + m)/2*(300 - h) = (abs(m) - m)/2*(h - 400)",
        "h*(max(m, 0) + max(-n, 0)) = 300*max(m, 0) + 400*max(-n, 0)",
    ],
)
def test_what_flows_mix_is_not_determined_where_none_flows(write_model, mixing):
    text = (
        f"model M\n  local m, n, h\n  m = sin(6*time)\n  n = if time > 0.2 then m else sin(6*time)\n  {mixing}\nend\n"
    )
    run = cutset.load(write_model(text)).simulate(1.0, points=21)
    flows = np.abs(run["m"]) > 1e-6
    np.testing.assert_allclose(run["h"][flows], np.where(run["m"] > 0.0, 300.0, 400.0)[flows])
    assert run["h"][0] == 0.0 and any("undetermined: the run uses zero" in note for note in run.notes)
