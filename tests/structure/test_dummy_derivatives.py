"""Which derivatives become dummies: preferences, the Cauer filter, mechanisms."""

from __future__ import annotations

from cutset.compiler.structure.dummy_derivatives import StateSelection, select_states
from cutset.compiler.structure.pantelides import pantelides

# A low-pass filter of third order: u1 and u3 over the two grounded capacitors, u2 over the bridging one.
CAUER = [
    "der u1, i1", "der u2, i2", "der u3, i3", "u1, u2, u3",
    "ir, u1", "ir, i1, i2, il", "der il, ul", "ul, u1, u3", "i2, il, i3, io", "io, u3",
]  # fmt: skip
PENDULUM = ["der der x, F, x", "der der y, F, y", "x, y"]


def selected(model) -> tuple[list[str], list[str]]:
    """States and dummies, by name."""
    differentiation = pantelides(model.incidence)
    selection = select_states(model.incidence, differentiation)
    derivative = differentiation.derivative
    return model.names(selection.states, derivative), model.names(selection.dummies, derivative)


def test_no_dummies_for_index_one(system) -> None:
    model = system(["der x, y", "x, y"])
    assert select_states(model.incidence, pantelides(model.incidence)) == StateSelection((0,), (), ())


def test_capacitor_loop(system) -> None:
    states, dummies = selected(system(CAUER, order="u1 u2 u3"))
    assert states == ["u1", "u3", "il"]
    # The voltage that stands in fewest equations goes.
    assert dummies == ["der u2"]


def test_capacitor_loop_with_a_preference(system) -> None:
    states, dummies = selected(system(CAUER, order="u1 u2 u3", preference={"u2": 1, "u1": 1}))
    assert states == ["u1", "u2", "il"]
    assert dummies == ["der u3"]


def test_smaller_preference_is_rather_a_dummy(system) -> None:
    states, _ = selected(system(CAUER, order="u1 u2 u3", preference={"u1": -1}))
    assert states == ["u2", "u3", "il"]


def test_planar_pendulum_in_cartesian_coordinates(system) -> None:
    states, dummies = selected(system(PENDULUM, order="x y"))
    # Alike in all else, the larger number goes, on both levels.
    assert states == ["x", "der x"]
    assert dummies == ["der y", "der der y"]


def test_preference_holds_for_position_and_velocity(system) -> None:
    states, dummies = selected(system(PENDULUM, order="x y", preference={"y": 1}))
    assert states == ["y", "der y"]
    assert dummies == ["der x", "der der x"]


def test_only_a_variable_whose_derivative_is_no_state_can_cease_to_be_one(system) -> None:
    # der x must not be a state, so neither can x, however much it wants to.
    states, _ = selected(system(PENDULUM, order="x y", preference={"x": 1, "der x": -3}))
    assert states == ["y", "der y"]


def test_variable_of_more_constraints_stays_a_state(system) -> None:
    # Two loops of capacitors share u3: it is in both constraints, so it stays, whatever its number and although
    # the others stand in more equations.
    model = system(
        ["der u1, i1", "der u2, i2", "der u3, i3", "der u4, i4", "der u5, i5", "u1, u2, u3", "u3, u4, u5",
         "i1, i2, u1, u2, u4, u5", "i2, i3, i4, u1, u2, u4, u5", "i4, i5, u1, u2, u4, u5"],
        order="u1 u2 u4 u5 u3",
    )  # fmt: skip
    states, dummies = selected(model)
    assert "u3" in states
    assert dummies == ["der u2", "der u5"]


def test_prescribed_motion_has_no_states(system) -> None:
    # Inverse dynamics: the angle is known, the torque is sought.
    states, dummies = selected(system(["der der q, tau", "q"], order="q"))
    assert states == []
    assert dummies == ["der q", "der der q"]


def test_lower_equations_determine_what_is_no_state(system) -> None:
    model = system(PENDULUM, order="x y")
    selection = select_states(model.incidence, pantelides(model.incidence))
    number = model.number
    assert selection.matching == (((2, 0), number["y"]), ((2, 1), number["der y"]))
