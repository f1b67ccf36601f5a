"""state = always, prefer, avoid, never: what is preferred is kept, or it is said what stands against it."""

from __future__ import annotations

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError

GEAR = """
model Gear
  local w1 ({w1}), w2 ({w2}), t1, t2
  2*der(w1) = 1 - t1
  3*der(w2) = t2
  w1 = 4*w2
  t2 = 4*t1
end
"""

# Two arms of different length on one drive, with the elements of the library of recursive mechanisms.
ARMS = """
@mbssim
model class Drive
  cut a (q1({first}), v1, a1 / u1), b (q2({second}), v2, a2 / u2)
  main cut both [a, b]
  local phi({drive}), t1, t2
  parameter J = 2
  J*der(phi, 2) = -t1 - t2
  u1 = -4*t1
  u2 = -2*t2
  phi = 4*q1
  phi = 2*q2
end
model Arms
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) r1(n2=1), r2(n2=1)
  submodel (Body) m1(m=1, r3=0.25), m2(m=1, r3=0.2)
  submodel (Bar) b(r1=1)
  submodel (Drive) drive
  connect i to r1 to m1, i to b to r2 to m2, r1:ext at drive:a, r2:ext at drive:b
end
"""

# A crank and a slider, joints and bodies written out: two angles and a way, bound by the loop.
CRANK = """
model class Disc
  main cut shaft (phi / tau)
  parameter J = 1
  J*der(phi, 2) = tau
end
model Crank
  submodel (Disc) crank
  local a({a}), b({b}), x({x}), h, f1, f2
  parameter r = 1, l = 3
  a = crank.phi
  x = r*cos(a) + l*cos(b)
  h = r*sin(a) + l*sin(b)
  h = 0
  crank.tau = r*sin(a)*f1 - r*cos(a)*f2
  0.1*der(b, 2) = l*sin(b)*f1 - l*cos(b)*f2
  der(x, 2) = f1 - x
  connect crank at n
  node n
end
"""


def states(text: str) -> tuple[str, ...]:
    return translate(text).program.info.states


def refusal(text: str) -> list:
    with pytest.raises(ModelError) as raised:
        translate(text)
    return list(raised.value.diagnostics)


@pytest.mark.parametrize(
    ("w1", "w2", "state"),
    [
        ("state=prefer", "start=0", "w1"),
        ("start=0", "state=prefer", "w2"),
        ("state=avoid", "fixed=false", "w2"),
        ("fixed=false", "state=avoid", "w1"),
        ("state=always", "state=prefer", "w1"),
        ("state=prefer", "state=always", "w2"),
        ("state=never", "state=avoid", "w2"),
        ("state=avoid", "state=never", "w1"),
        ("state=never", "state=always", "w2"),
    ],
)
def test_preferences_are_kept(w1: str, w2: str, state: str) -> None:
    assert states(GEAR.format(w1=w1, w2=w2)) == (state,)


def test_always_twice_names_the_gear() -> None:
    (found,) = refusal(GEAR.format(w1="state=always", w2="state=always"))
    assert found.code == "E512"
    assert "'w2' cannot be a state together with 'w1'" in found.message
    assert [label.span.text for label in found.labels] == ["w1 = 4*w2"]


def test_never_twice_names_the_gear() -> None:
    (found,) = refusal(GEAR.format(w1="state=never", w2="state=never"))
    assert found.code == "E513"
    assert [label.span.text for label in found.labels] == ["w1 = 4*w2"]


@pytest.mark.parametrize("kept", ["first", "second", "drive"])
@pytest.mark.parametrize("word", ["always", "prefer"])
def test_one_of_three_angles_of_a_mechanism(kept: str, word: str) -> None:
    # The joint angle is the same quantity, by another name.
    name = {"first": "r1.q", "second": "r2.q", "drive": "drive.phi"}
    preferences = {w: f"state={word}" if w == kept else "fixed=false" for w in name}
    found = states(ARMS.format(**preferences))
    assert len(found) == 2
    assert name[kept] in found


def test_never_and_avoid_in_a_mechanism() -> None:
    assert "drive.phi" in states(ARMS.format(first="state=never", second="state=avoid", drive="fixed=false"))
    assert "r2.q" in states(ARMS.format(first="state=never", second="state=avoid", drive="state=never"))


def test_two_of_three_angles_of_a_mechanism_are_too_many() -> None:
    (found,) = refusal(ARMS.format(first="state=always", second="fixed=false", drive="state=always"))
    assert found.code == "E512"
    assert [label.span.text for label in found.labels] == ["phi = 4*q1"]


def test_all_angles_of_a_mechanism_never() -> None:
    found = refusal(ARMS.format(first="state=never", second="state=never", drive="state=never"))
    assert [d.code for d in found] == ["E513"]
    assert {label.span.text for label in found[0].labels} == {"phi = 4*q1", "phi = 2*q2"}


@pytest.mark.parametrize("kept", ["a", "b", "x"])
def test_the_crank_slider_has_the_state_that_is_asked_for(kept: str) -> None:
    preferences = {w: "state=always" if w == kept else "fixed=false" for w in "abx"}
    found = states(CRANK.format(**preferences))
    assert len(found) == 2
    assert {"a": "crank.phi", "b": "b", "x": "x"}[kept] in found


def test_the_crank_slider_has_one_degree_of_freedom() -> None:
    (found,) = refusal(CRANK.format(a="state=always", b="state=always", x="fixed=false"))
    assert found.code == "E512"
    assert [label.span.text for label in found.labels] == ["h = r*sin(a) + l*sin(b)"]


def test_a_chain_of_derivatives_is_asked_as_a_whole() -> None:
    # der(x) is to be a state, so x is one, too: nothing can be said of x alone.
    (found,) = refusal("model M\n local x(state=never), v\n v = der(x)\n der(v) = -x\nend\n")
    assert found.code == "E513"
    assert found.labels == ()


def test_what_is_not_integrated() -> None:
    found = refusal("model M\n local y(state=always), z(state=always), x\n der(x) = y\n y = sin(time)\n z = 3\nend\n")
    assert [d.code for d in found] == ["E514", "E514"]
    assert [label.span.text for label in found[1].labels] == ["z = 3"]


def test_two_names_of_one_quantity() -> None:
    (found,) = refusal("model M\n local x(state=always), y(state=never)\n der(x) = -x\n y = -x\nend\n")
    assert found.code == "E515"


def test_elements_of_a_vector() -> None:
    assert states(
        "model M\n local x(2)(state=always), y(2)\n der(x) = -y\n y = 2*x\n der(y(1)) = w\n local w\nend\n"
    ) == ("x(1)", "x(2)")


def test_three_angles_of_a_mechanism_always() -> None:
    found = refusal(ARMS.format(first="state=always", second="state=always", drive="state=always"))
    assert [d.code for d in found] == ["E512", "E512"]
    assert [d.labels[0].text for d in found] == [
        "constrains 'r1.q', 'drive.phi', in drive",
        "constrains 'r2.q', 'drive.phi', in drive",
    ]


def test_each_equation_binds_what_stands_in_it() -> None:
    equations = "  a = 2*b + sin(time)\n  b = 3*c + cos(time)\n"
    text = (
        "model M\n  local a(state=always), b, c(state=always), f, g\n  der(a) = f\n  der(b) = g\n"
        f"  der(c) = 1 - f - g\n{equations}end\n"
    )
    with pytest.raises(ModelError) as caught:
        translate(text)
    message = str(caught.value)
    assert "constrains 'a', 'b'" in message and "constrains 'b', 'c'" in message


@pytest.mark.parametrize(
    "text",
    [
        "model M\n  local d ({0}, start=0), x (start=1)\n  der(x) = -x\n  when x < 0.5 then\n    new(d) = 1\n  "
        "endwhen\nend\n",
        "model M\n  input d ({0})\n  local x (start=1)\n  der(x) = d\nend\n",
    ],
    ids=["discrete", "input"],
)
def test_what_is_no_unknown_is_never_a_state(text: str) -> None:
    with pytest.raises(ModelError, match=r"error\[E514\]: 'd' has state=always"):
        translate(text.format("state=always"))
    translate(text.format("state=never"))
