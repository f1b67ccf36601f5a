"""What looks unintended in a mechanism is said, and what is said on purpose is not."""

import pytest
from oracles.massless_chains import mechanism

import cutset
from cutset.compiler.diagnose.mechanisms import unintended
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.flatten.connect import flatten
from cutset.compiler.instantiate.instantiate import instantiate
from cutset.compiler.instantiate.names.library import load_library

ARM = (
    "@{library}\nmodel M\nsubmodel (Inertial) world({world})\nsubmodel (Revolute) j1(n2=1{start}), j2(n2=1)\nsubmodel "
    "(Bar) r(r1=1)\n"
    "submodel (Body) b1(m={m}, r1=0.5, I22=0.1), b2(m={m}, r1=0.5, I22=0.1)\n{more}"
    "connect world to j1 to r to j2 to b2, b1 at j1:b\nend\n"
)
DRIVES = "submodel (JointForce) d1, d2\nconnect d1 at {first}:ext, d2 at {second}:ext\nd1.f = 1\nd2.f = 2\n"


def said(write_model, library="mbs", world="ng3=-1", start="", m="1", more=""):
    text = (
        ARM.replace("{library}", library)
        .replace("{world}", world)
        .replace("{start}", start)
        .replace("{m}", m)
        .replace("{more}", more)
    )
    return [label.text for label in unintended(flatten(instantiate(load_library(write_model(text)))))]


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
def test_no_weight(write_model, library):
    (text,) = said(write_model, library, world="g=9.8")
    assert (
        text
        == "gravity has no direction in 'world', so bodies have no weight: give a direction such as ng3=-1, or set g=0"
    )
    assert not said(write_model, library)
    assert not said(write_model, library, world="g=0")
    assert not said(write_model, library, world="g=9.8", m="0")


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
def test_two_drives_on_one_joint_and_none_on_another(write_model, library):
    two = DRIVES.replace("{first}", "j1").replace("{second}", "j1")
    assert said(write_model, library, more=two) == [
        "'d1', 'd2' (JointForce) all drive 'j1:ext', and nothing is connected to 'j2:ext'"
    ]
    assert not said(write_model, library, more=DRIVES.replace("{first}", "j1").replace("{second}", "j2"))
    # Each joint has something, or the two are of different kinds.
    assert not said(write_model, library, more=two + "submodel (JointSpring) s(c=1)\nconnect s at j2:ext\n")
    assert not said(
        write_model,
        library,
        more=two.replace("(JointForce) d1, d2", "(JointForce) d1\nsubmodel (JointSpring) d2(c=1)").replace(
            "d2.f = 2\n", ""
        ),
    )
    assert (
        len(
            said(
                write_model,
                library,
                more="submodel (RotationalFlange) d1, d2\nconnect d1:a at j1:ext, d2:a at j1:ext\n",
            )
        )
        == 1
    )


@pytest.mark.parametrize(
    ("start", "is_said"),
    [
        (", q0=90", True),
        (", q0=-180", True),
        (", q0 = 1e2", True),
        (", q0=6.28", False),
        (", q0=1.5", False),
        (", q0=90*0.0174533", False),
        (", qd0=90", False),
    ],
)
def test_degrees(write_model, start, is_said):
    texts = said(write_model, start=start)
    assert bool(texts) == is_said
    if start == ", q0=90":
        assert texts == ["'j1.q0' is 90 rad, more than a turn: if you mean degrees, write 1.5708"]


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
def test_inertia_of_no_body(write_model, library):
    """An error, or a note where the model takes it."""
    given = "submodel (Body) disc(m=1, I11=0.1, I22=0.1, I33=0.5{any})\nconnect disc at j2:b\n"
    with pytest.raises(ModelError, match="no rigid body has this inertia"):
        said(write_model, library, more=given.replace("{any}", ""))
    (text,) = said(write_model, library, more=given.replace("{any}", ", any_inertia=true"))
    assert text == "no body can have the inertia of 'disc'; it is accepted because of any_inertia=true"
    assert not said(
        write_model, library, more=given.replace("{any}", ", any_inertia=true").replace("I33=0.5", "I33=0.2")
    )


@pytest.mark.parametrize("library", ["mbs", "mbssim"])
def test_inertia_of_no_body_runs(write_model, library):
    """A pendulum whose inertia about its axis counts alone; the switch is set from outside."""
    text = (
        f"@{library}\nmodel M\nsubmodel (Inertial) i(ng2=-1)\nsubmodel (Revolute) r(n3=1)\n"
        "submodel (Body) m(m=2, r1=0.5, I11=0.1, I22=0.1, I33=0.5)\nconnect i to r to m\nend\n"
    )
    model = cutset.load(write_model(text), parameters={"m.any_inertia": 1})
    (place,) = [k for k, state in enumerate(model.states) if state == "r.qd"]
    assert model.evaluate(0.0, [0.0, 0.0], target="python")[place] == pytest.approx(-2 * 9.81 * 0.5 / (0.5 + 2 * 0.25))


MEASURED_LOOP = """@mbs
model Door
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j(n3=1)
  submodel (Body) m(m=20, r1=0.4, r3=1, I11=5, I22=6, I33=1)
  submodel (Bar) up(r3=2), frame(r3=2.1)
  submodel (CutForce) load
  submodel (CutRevolute) upper(n3=1)
  connect i to j to up, m at j:b, i to frame to load, upper at (load:b, up:b)
end
"""


def test_motion_passes_through_a_sensor(write_model):
    """Both cuts of a CutForce have the same variables: the loop is closed there, not without a base."""
    with pytest.raises(ModelError) as raised:
        cutset.load(write_model(MEASURED_LOOP))
    assert [d.code for d in raised.value.diagnostics] == ["E423"]


@pytest.mark.parametrize(
    ("library", "joint", "shape"),
    [
        ("mbs", "Cylindrical", "alone"),
        ("mbssim", "Spherical", "alone"),
        ("mbsabs", "Revolute", "alone"),
        ("mbsabs", "Spherical", "alone"),
        ("mbsabs", "Universal", "end"),
        ("mbsmat", "Revolute", "alone"),
    ],
)
def test_a_chain_without_mass_is_told_where_to_put_a_body(library, joint, shape):
    with pytest.raises(ModelError) as raised:
        cutset.loads(mechanism(library, joint, shape))
    (found,) = raised.value.diagnostics
    assert (found.code, found.hint) == ("E409", "connect a body at j:b, or further outward")
    assert found.message.startswith("joint 'j' moves no mass") and found.message.endswith("it moves only 'b'")


@pytest.mark.parametrize("library", ["mbs", "mbsabs"])
def test_a_value_that_is_given_to_a_variable_is_named(library):
    text = (
        f"@{library}\nmodel M\n  submodel (Inertial) i(ng2=-1)\n  submodel (Spherical) j(w=[1, 0, 0])\n"
        "  submodel (Body) b(m=1, r1=0.3, I11=0.1, I22=0.1, I33=0.1)\n  connect i to j to b\nend\n"
    )
    with pytest.raises(ModelError, match="3 equations too many") as raised:
        cutset.loads(text)
    (found,) = raised.value.diagnostics
    assert "that the value given to 'w' could determine" in found.message and found.span.line == 4
    assert "'w' is a variable, not a parameter" in found.hint
