"""A prescribed motion that jumps ends the run at that instant; what is continuous, or moves no state, goes on."""

import numpy as np
import pytest

import cutset

JOINT = (
    "@{library}\nmodel M\nsubmodel (Inertial) w(ng3=-1)\nsubmodel ({joint}) a({axis}=1)\nsubmodel (Revolute) "
    "b(n2=1)\nsubmodel (Bar) r(r1=0.3)\n"
    "submodel (Body) m(m=1, r1=0.5, I22=0.1)\nsubmodel (Motion) mo\nconnect w to a to r to b to m, mo at "
    "a:ext\nmo.q_ref = {reference}\nend\n"
)
LINE = (
    "@{library}\nmodel M\nsubmodel (Position) mo\nsubmodel ({mass})\nsubmodel (SpringDamper) s(c=10, d=1)\n"
    "connect mo to x to s to y\nmo.{way} = {reference}\nend\n"
)
MODELS = {
    "mbs, revolute": JOINT.replace("{library}", "mbs").replace("{joint}", "Revolute").replace("{axis}", "n2"),
    "mbssim, revolute": JOINT.replace("{library}", "mbssim").replace("{joint}", "Revolute").replace("{axis}", "n2"),
    "mbs, prismatic": JOINT.replace("{library}", "mbs").replace("{joint}", "Prismatic").replace("{axis}", "n1"),
    "mbssim, prismatic": JOINT.replace("{library}", "mbssim").replace("{joint}", "Prismatic").replace("{axis}", "n1"),
    "rotational": LINE.replace("{library}", "rotational")
    .replace("{way}", "phi")
    .replace("{mass}", "Inertia) x(J=1), y(J=1"),
    "translational": LINE.replace("{library}", "translational")
    .replace("{way}", "s")
    .replace("{mass}", "Mass) x(m=1), y(m=1"),
}
REFERENCES = {
    "if time < 0.5 then 0 else 1": True,
    "if time < 0.5 then 0 else 0.7*(time - 0.5)": True,  # the velocity jumps, and others are states
    "if time < 0.5 then 0 else 0.7*(time - 0.5)^2": False,
    "if sin(3*time) > 0.9 then 0.2 else 0": True,
    "0.1*sin(3*time)": False,
}


def failure(path) -> str:
    """What ends the run, '' where it reaches its end."""
    try:
        cutset.load(path).simulate(1.0, target="python")
    except cutset.RunError as error:
        return str(error)
    return ""


# All motions of two models, and a jump and a smooth motion of the others.
FEW = ("if time < 0.5 then 0 else 1", "0.1*sin(3*time)")
MOTIONS = [(m, r) for m in MODELS for r in REFERENCES if m in ("mbs, revolute", "rotational") or r in FEW]


@pytest.mark.parametrize(("model", "reference"), MOTIONS)
def test_prescribed_motion(write_model, model, reference):
    said = failure(write_model(MODELS[model].replace("{reference}", reference)))
    assert bool(said) == REFERENCES[reference]
    if said:
        instant = str(np.arcsin(0.9) / 3)[:7] if "sin" in reference else "0.5"
        assert "E641" in said and "jumps from" in said and "mo." in said and f"at time {instant}" in said


def test_a_corner_goes_on_where_nothing_else_moves(write_model):
    text = JOINT.replace("{library}", "mbs").replace("{joint}", "Revolute").replace("{axis}", "n2")
    text = (
        text.replace("submodel (Revolute) b(n2=1)\n", "")
        .replace(" to b to m", " to m")
        .replace("{reference}", "if time < 0.5 then 0 else 0.7*(time - 0.5)")
    )
    run = cutset.load(write_model(text)).simulate(1.0, target="python")
    np.testing.assert_allclose(run["a.q"][-1], 0.35)


def test_a_reference_that_is_held_jumps(write_model):
    """Its value changes at samples."""
    text = MODELS["rotational"].replace(
        "mo.phi = {reference}",
        "local held (start=0)\nwhen sample(0.1, 0.25) then\nnew(held) = 2*time\nendwhen\nmo.phi = held",
    )
    said = failure(write_model(text))
    assert "E641" in said and "at time 0.1" in said
    soft = (
        text.replace("(Position) mo", "(SoftPosition) mo")
        .replace("mo.phi =", "mo.phi_ref =")
        .replace("Inertia) x", "FreeInertia) x")
    )
    assert not failure(write_model(soft))


def test_a_blow_that_is_written_goes_on(write_model):
    """The states are restarted at the instant: the model says what happens."""
    text = (
        'model M\nlocal s (unit="m"), v (unit="m/s"), x (unit="m", start=0), w (unit="m/s", start=0)\n'
        'constant c (unit="1/s2") = 4, d (unit="1/s") = 1, one (unit="m") = 1\n'
        "s = if time < 0.5 then 0*one else one\nv = der(s)\nder(x) = w\nder(w) = d*v - c*x\n"
        "when time >= 0.5 then\ninit(w) = -1\nendwhen\nend\n"
    )
    assert not failure(write_model(text))
