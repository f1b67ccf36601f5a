"""The papers' own examples as whole plans, and properties that hold for every system."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cutset.compiler.structure.analyze import analyze
from cutset.compiler.structure.binding import Binding, choices, why_a_state, why_no_state
from cutset.compiler.structure.pantelides import pantelides
from cutset.compiler.structure.plan import Incidence
from cutset.compiler.structure.starts import plan_start
from cutset.compiler.structure.verify import check_plan

# Mattsson and Soederlind 1993, the linear example of section 2: u are known functions of time.
LINEAR = ["x1, x2", "x1, x2, x3", "x1, der x3, x4", "der der x1, der der x2, der der x3, der x4"]
PENDULUM = ["der der x, F, x", "der der y, F, y", "x, y"]


def test_linear_example_of_mattsson_and_soederlind(system) -> None:
    model = system(LINEAR, order="x1 x2 x3 x4")
    assert pantelides(model.incidence).orders == (2, 2, 1, 0)
    plan = analyze(model.incidence)
    check_plan(model.incidence, plan)
    # Two of the seven derivatives are integrated, five are dummies.
    assert model.names(plan.states, plan.derivative) == ["x1", "der x1"]
    assert len(plan.dummies) == 5
    assert plan.equations == ((0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 1))
    found = [
        (tuple(plan.equations[i] for i in block), set(model.names([plan.matching[i] for i in block], plan.derivative)))
        for block in plan.blocks
    ]
    assert found == [
        (((0, 0),), {"x2"}),
        (((1, 0),), {"x3"}),
        (((0, 1),), {"der x2"}),
        (((1, 1),), {"der x3"}),
        (((2, 0),), {"x4"}),
        (((3, 0), (0, 2), (1, 2), (2, 1)), {"der x4", "der der x1", "der der x2", "der der x3"}),
    ]


def test_pendulum_of_mattsson_and_soederlind(system) -> None:
    # Section 4: with x as the state y' and y'' are dummies; the position, the speed, and the rest follow one after the
    # other.
    model = system(PENDULUM, order="x y")
    plan = analyze(model.incidence)
    check_plan(model.incidence, plan)
    names = [model.names([plan.matching[i] for i in block], plan.derivative) for block in plan.blocks]
    assert names[:2] == [["y"], ["der y"]]
    assert set(names[2]) == {"der der x", "der der y", "F"}
    assert [[plan.equations[i] for i in block] for block in plan.blocks] == [
        [(2, 0)],
        [(2, 1)],
        [(0, 0), (1, 0), (2, 2)],
    ]


# --- why a variable is a state or none -----------------------------------------------------------------


def number(model, *names: str) -> tuple[int, ...]:
    return tuple(sorted(model.number[name] for name in names))


def test_choices_of_the_pendulum(system) -> None:
    model = system(PENDULUM, order="x y")
    plan = analyze(model.incidence)
    speeds = {model.number["der x"], model.number["der y"]}
    assert [set(rows[2]) for rows in choices(model.incidence, plan)] == [speeds, set(number(model, "x", "y"))]


INERTIAS = ["der a, f", "der b, f, g", "der c, g, h", "der d, h", "a, b", "b, c"]


def test_one_constraint_keeps_one_of_two(system) -> None:
    model = system([*INERTIAS, "h, d"], order="a b c d")
    plan = analyze(model.incidence)
    a, b = number(model, "a", "b")
    # Both wanted: the constraint between them cannot leave both.
    assert why_no_state(model.incidence, plan, b, {a, b}) == Binding((4,), (a, b))
    assert Binding((4,), (a, b)).free == 1


def test_a_chain_of_constraints_keeps_one_of_three(system) -> None:
    model = system([*INERTIAS, "h, d"], order="a b c d")
    plan = analyze(model.incidence)
    a, b, c = number(model, "a", "b", "c")
    found = why_no_state(model.incidence, plan, c, {a, c})
    assert found == Binding((4, 5), (a, b, c))
    assert found.free == 1


def test_what_nobody_wants_is_bound_by_all_that_hangs_together(system) -> None:
    model = system([*INERTIAS, "h, d"], order="a b c d")
    plan = analyze(model.incidence)
    (dummy, *_) = [v for v in number(model, "a", "b", "c") if v not in plan.states]
    assert why_no_state(model.incidence, plan, dummy, set()).equations == (4, 5)


def test_what_no_equation_binds_has_to_be_a_state(system) -> None:
    model = system([*INERTIAS, "h, d"], order="a b c d")
    plan = analyze(model.incidence)
    assert why_a_state(model.incidence, plan, model.number["d"]) == Binding((), ())


def test_a_state_is_left_because_others_are_determined(system) -> None:
    model = system([*INERTIAS, "h, d"], order="a b c d", preference={"b": 1})
    plan = analyze(model.incidence)
    b = model.number["b"]
    assert b in plan.states
    assert why_a_state(model.incidence, plan, b) == Binding((4, 5), number(model, "a", "b", "c"))


def test_who_keeps_a_speed_keeps_the_position(system) -> None:
    # Nothing binds x; a constraint on the way would only be looked for at the order of the highest state.
    model = system(["der x, v", "der v, x"], order="x v")
    plan = analyze(model.incidence)
    assert why_a_state(model.incidence, plan, model.number["x"]) == Binding((), ())


def test_a_position_that_is_bound_on_both_orders(system) -> None:
    model = system(PENDULUM, order="x y")
    plan = analyze(model.incidence)
    x, y, u, v = (model.number[n] for n in ("x", "y", "der x", "der y"))
    assert why_a_state(model.incidence, plan, u) == Binding((2,), (u, v))
    assert why_a_state(model.incidence, plan, x) == Binding((2,), (u, v))
    assert why_no_state(model.incidence, plan, y, {x, y}) == Binding((2,), (x, y))
    assert why_no_state(model.incidence, plan, v, {u, v}) == Binding((2,), (u, v))


@st.composite
def constrained(draw: st.DrawFn) -> Incidence:
    """n integrated variables, some of them bound by constraints that are always regular together."""
    n = draw(st.integers(2, 7))
    k = draw(st.integers(1, n - 1))
    order = draw(st.integers(1, 2))
    derivative = [-1] * (n * (order + 1))
    for v in range(n * order):
        derivative[v] = v + n
    first_force = len(derivative)
    derivative += [-1] * k
    rows = []
    for c in range(k):
        others = draw(st.sets(st.integers(0, n - 1), max_size=3))
        rows.append(sorted({c} | others))
    # Each force moves what its constraint binds, so that it can be found from the constraint.
    motion = [sorted({order * n + v} | {first_force + c for c in range(k) if v in rows[c]}) for v in range(n)]
    preference = draw(st.lists(st.integers(-2, 2), min_size=len(derivative), max_size=len(derivative)))
    return Incidence(tuple(map(tuple, [*motion, *rows])), tuple(derivative), tuple(preference))


@given(constrained())
def test_bindings_explain_the_plan(incidence: Incidence) -> None:
    plan = analyze(incidence)
    check_plan(incidence, plan)
    for v in range(len(incidence.derivative)):
        if plan.derivative[v] < 0:
            continue
        if v in plan.states:
            found = why_a_state(incidence, plan, v)
            # All that the equations determine is counted, and the state is one too many.
            assert found.free >= 1 or found == Binding((), ())
        else:
            wanted = {*plan.states, v}
            found = why_no_state(incidence, plan, v, wanted)
            assert v in found.variables
            # Fewer of them may be states than are wanted.
            assert len(wanted & set(found.variables)) > found.free


@given(constrained())
def test_the_plan_does_not_depend_on_the_order_of_equations(incidence: Incidence) -> None:
    turned = Incidence(incidence.rows[::-1], incidence.derivative, incidence.preference)
    plan, other = analyze(incidence), analyze(turned)
    last = len(incidence.rows) - 1
    assert plan.states == other.states
    assert plan.dummies == other.dummies
    assert {(e, k) for e, k in plan.equations} == {(last - e, k) for e, k in other.equations}


# --- the start --------------------------------------------------------------------------------------------


def test_a_start_takes_the_first_candidates() -> None:
    # x + y = 0 is given; of x = 1 and y = 2 the first one counts.
    found = plan_start([[0, 1]], [[0], [1]], 1, 2)
    assert (found.chosen, found.refused, found.matching) == ((0,), (), (1, 0))
    assert found.blocks == ((1,), (0,))


def test_a_start_refuses_what_is_determined() -> None:
    found = plan_start([[0, 1]], [[0], [1], [2]], 2, 3)
    assert found.refused == ((1, (0,)),)
    assert (found.matching, found.blocks) == ((), ())


def test_a_start_names_all_that_determine_a_variable() -> None:
    # 0 and 1 give 2 by the row; what speaks of 2 is too much. The fourth has nothing to do with it.
    found = plan_start([[0, 1, 2]], [[0], [1], [3], [2]], 4, 4)
    assert found.refused == ((3, (0, 1)),)


def test_a_start_solves_what_hangs_together() -> None:
    found = plan_start([[0, 1], [0, 1, 2]], [[2]], 0, 3)
    assert found.chosen == (0,)
    assert found.blocks == ((2,), (0, 1))
