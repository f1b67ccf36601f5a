"""Sets of states: which constraints belong together, what may be chosen."""

from __future__ import annotations

from cutset.compiler.structure.analyze import analyze
from cutset.compiler.structure.state_sets import StateSet, state_levels, state_sets

PENDULUM = ["der x, w", "der y, z", "der w, T, x", "der z, T, y", "x, y"]


def sets(model) -> tuple[StateSet, ...]:
    return state_sets(model.incidence, analyze(model.incidence))


def test_pendulum(system) -> None:
    # der x is w itself, so that the derivatives up to the second one stand in the model.
    model = system(["der der x, T, x", "der der y, T, y", "x, y"], order="x y")
    x, y = model.number["x"], model.number["y"]
    assert sets(model) == (StateSet((2,), 2, (x, y), (), (y,)),)


def test_pendulum_whose_speeds_have_equations_of_their_own(system) -> None:
    # x' = w and y' = z are differentiated once, and bind the further derivatives w' and z'.
    model = system(PENDULUM, order="x y w z")
    x, y = model.number["x"], model.number["y"]
    (found,) = sets(model)
    assert (found.equations, found.order, found.candidates, found.others) == ((4,), 2, (x, y), ())


def test_only_what_has_all_derivatives_in_the_model_is_chosen_from(system) -> None:
    # Differentiated three times. The second derivative of y has a name of its own, that of x stands in the model.
    model = system(["der der der x, T, x", "der y, z", "der z, u", "der u, T, y", "x, y"], order="x y z u")
    (found,) = sets(model)
    assert found.order == 3
    assert (found.candidates, found.others) == ((model.number["x"],), (model.number["y"],))


def test_speeds_that_may_be_chosen_themselves_leave_no_set(system) -> None:
    # Two speeds for one equation: which is free depends on more than the positions.
    model = system(["der x, w, p", "der y, z", "der w, T, x", "der z, T, y", "der p, T", "x, y"], order="x y w z p")
    assert sets(model) == ()
    speeds, places = state_levels(model.incidence, analyze(model.incidence))
    n = model.number
    # The constraint and what gives the derivatives of its variables, then the constraint alone.
    assert (
        len(speeds.equations) > 1
        and {n["w"], n["z"], n["p"]} <= set(speeds.candidates)
        and len(speeds.dummies) == len(speeds.equations)
    )
    assert places.equations == (5,) and places.candidates == (n["x"], n["y"]) and len(places.dummies) == 1


def test_nothing_to_choose_without_constraints(system) -> None:
    assert sets(system(["der x, y", "x, y"])) == ()


def test_nothing_to_choose_where_all_is_prescribed(system) -> None:
    assert sets(system(["der der q, tau", "q"], order="q")) == ()


def test_constraints_that_share_a_variable_belong_together(system) -> None:
    model = system(
        ["der a, f", "der b, f, g", "der c, g", "der d, h", "der e, h", "a, b", "b, c", "d, e"], order="a b c d e"
    )
    n = model.number
    first, second = sets(model)
    assert first.equations == (5, 6) and first.candidates == (n["a"], n["b"], n["c"]) and first.order == 1
    assert len(first.dummies) == 2
    assert second.equations == (7,) and second.candidates == (n["d"], n["e"]) and len(second.dummies) == 1


def test_a_chain_of_constraints_is_one_set(system) -> None:
    # Found from its middle: the group grows to both ends.
    model = system(["b, c", "a, b", "c, d", "der a, f", "der b, f, g", "der c, g, h", "der d, h"], order="a b c d")
    (found,) = sets(model)
    assert found.equations == (0, 1, 2)


def test_an_intermediate_variable_is_no_candidate(system) -> None:
    # z stands for what a and b have in common; nothing but differentiation gives it a derivative.
    model = system(["der a, f", "der b, f", "z, a", "z, b"], order="a b z")
    n = model.number
    (found,) = sets(model)
    assert found.candidates == (n["a"], n["b"])
    assert found.others == (n["z"],)


def test_a_binding_of_speeds_that_meets_one_of_positions_is_left_alone(system) -> None:
    # Of the speeds fewer are free than of the positions.
    model = system(
        ["der x, u", "der y, v", "der z, w", "der u, f", "der v, f, g", "der w, g", "x, y, z", "u, v, w"],
        order="x y z u v w",
    )
    plan = analyze(model.incidence)
    assert dict(plan.equations)[6] == 2 and dict(plan.equations)[7] == 1
    assert state_sets(model.incidence, plan) == ()
