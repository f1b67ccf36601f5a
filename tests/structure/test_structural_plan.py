"""The whole stage: plans keep their promises, on the papers' examples, random systems and large ones."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutset.compiler.structure.analyze import analyze
from cutset.compiler.structure.chains import extended_rows, integrals, lowest_members
from cutset.compiler.structure.plan import Incidence, StructurallySingular, StructuralPlan
from cutset.compiler.structure.verify import InternalError, check_plan

PENDULUM = ["der x, w", "der y, z", "der w, T, x", "der z, T, y", "x, y"]


def blocks_by_name(model, plan: StructuralPlan) -> list[list[str]]:
    return [model.names([plan.matching[i] for i in block], plan.derivative) for block in plan.blocks]


def test_pendulum_of_first_order(system) -> None:
    # Pantelides 1988, pp. 222-225; the states are a position and its derivative.
    model = system(PENDULUM, order="x y w z")
    plan = analyze(model.incidence)
    check_plan(model.incidence, plan)
    assert plan.equations == ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (1, 1), (4, 1), (4, 2))
    assert model.names(plan.states, plan.derivative) == ["x", "der x"]
    assert model.names(plan.derivatives, plan.derivative) == ["der x", "der der x"]
    # Position, velocities, then one loop of accelerations and the force.
    assert blocks_by_name(model, plan)[:-1] == [["w"], ["y"], ["der y"], ["z"]]
    assert set(blocks_by_name(model, plan)[-1]) == {"der der x", "der der y", "der w", "der z", "T"}


def test_explicit_system_keeps_the_order_of_its_equations(system) -> None:
    model = system(["der x, a", "a, x", "der y, b", "b, y, a"], order="x y")
    plan = analyze(model.incidence)
    check_plan(model.incidence, plan)
    assert plan.blocks == ((1,), (0,), (3,), (2,))
    assert plan.matching == tuple(model.number[name] for name in ("der x", "a", "der y", "b"))


def test_derivative_that_stands_in_no_equation() -> None:
    incidence = Incidence(rows=((0,),), derivative=(1, -1), preference=(0, 0))
    plan = analyze(incidence)
    check_plan(incidence, plan)
    assert plan == StructuralPlan(
        derivative=(1, -1), equations=((0, 0), (0, 1)), states=(), derivatives=(), dummies=(1,),
        matching=(0, 1), blocks=((0,), (1,)),
    )  # fmt: skip


def test_derivative_numbered_before_its_variable() -> None:
    incidence = Incidence(rows=((0, 1), (1, 2)), derivative=(-1, 0, -1), preference=(0, 0, 0))
    plan = analyze(incidence)
    check_plan(incidence, plan)
    assert (plan.states, plan.derivatives) == ((1,), (0,))


def test_nothing() -> None:
    plan = analyze(Incidence((), (), ()))
    assert plan == StructuralPlan((), (), (), (), (), (), ())


def test_no_equation_for_a_variable_that_stands_nowhere() -> None:
    with pytest.raises(StructurallySingular) as raised:
        analyze(Incidence(rows=((0,),), derivative=(-1, -1), preference=(0, 0)))
    assert raised.value.singularity.under_variables == (1,)


def test_rows_of_differentiated_equations() -> None:
    # 0 -> 1 -> 2, 3 -> 4
    derivative = (1, 2, -1, 4, -1)
    assert integrals(derivative) == [-1, 0, 1, -1, 3]
    assert lowest_members(derivative) == [0, 0, 0, 3, 3]
    assert extended_rows([(0, 3)], derivative, [(0, 0), (0, 1)]) == ((0, 3), (0, 1, 3, 4))
    assert extended_rows([(0,)], derivative, [(0, 0), (0, 1), (0, 2)])[2] == (0, 1, 2)


@st.composite
def systems(draw: st.DrawFn) -> Incidence:
    """Random chains up to second order in random equations, as many as chains."""
    number: dict[tuple[int, int], int] = {}
    n = draw(st.integers(1, 8))
    for j in range(n):
        for k in range(1 + draw(st.sampled_from([0, 0, 1, 2]))):
            number[j, k] = len(number)
    derivative = tuple(number.get((j, k + 1), -1) for j, k in number)
    variables = st.sets(st.integers(0, len(number) - 1), min_size=1, max_size=4).map(lambda s: tuple(sorted(s)))
    rows = draw(st.lists(variables, min_size=n, max_size=n))
    preference = draw(st.lists(st.integers(-1, 1), min_size=len(number), max_size=len(number)))
    return Incidence(tuple(rows), derivative, tuple(preference))


@given(systems())
def test_promises_on_random_systems(incidence: Incidence) -> None:
    try:
        plan = analyze(incidence)
    except StructurallySingular:
        return
    check_plan(incidence, plan)
    assert plan == analyze(incidence)
    # One state less for each differentiation, one more for each derivative that it creates.
    chained = sum(d != -1 for d in plan.derivative)
    assert len(plan.states) == chained - (len(plan.equations) - len(incidence.rows))


def mass_chain(n: int) -> Incidence:
    """n masses, held together by rigid rods: position, velocity, acceleration, and a force each; index 3."""
    rows, derivative = [], []
    for i in range(n):
        q, acceleration, force = 4 * i, 4 * i + 2, 4 * i + 3
        derivative += [q + 1, q + 2, -1, -1]
        rows.append((acceleration, force) + ((force + 4,) if i < n - 1 else ()))
        rows.append((q - 4, q) if i else (force,))
    return Incidence(tuple(tuple(sorted(row)) for row in rows), tuple(derivative), (0,) * len(derivative))


def test_a_thousand_constraints_of_index_three() -> None:
    incidence = mass_chain(1000)
    plan = analyze(incidence)
    check_plan(incidence, plan)
    assert len(plan.states) == 2
    assert len(plan.dummies) == 2 * 999


def test_fifty_thousand_equations_in_a_chain() -> None:
    # Without recursion: every equation needs the one after it.
    n = 50_000
    rows = (*tuple((i, i + 1) for i in range(n - 1)), (n - 1,))
    incidence = Incidence(rows, (-1,) * n, (0,) * n)
    plan = analyze(incidence)
    assert plan.blocks == tuple((i,) for i in reversed(range(n)))


def with_(**changes):
    """A change of a plan, each new value computed from the plan."""
    return lambda plan: dataclasses.replace(plan, **{name: value(plan) for name, value in changes.items()})


# Each breaks one promise of the pendulum's plan.
BROKEN = [
    ("the given equations come first", with_(equations=lambda p: p.equations[::-1])),
    ("no equation occurs twice", with_(equations=lambda p: (*p.equations, (4, 2)))),
    ("with (e, k) also (e, k-1) is there", with_(equations=lambda p: (*p.equations, (3, 2)))),
    ("the derivatives that were given stay", with_(derivative=lambda p: (5, 4, *p.derivative[2:]))),
    ("each state has its derivative", with_(derivatives=lambda p: p.derivatives[::-1])),
    ("a derivative is that of a state or a dummy", with_(dummies=lambda p: p.dummies[1:])),
    ("every equation determines a variable", with_(matching=lambda p: p.matching[1:])),
    ("that stands in it", with_(matching=lambda p: (p.matching[1], p.matching[0], *p.matching[2:]))),
    ("no variable is determined twice", with_(matching=lambda p: (*p.matching[:2], 7, 7, *p.matching[4:]))),
    ("exactly the variables that are no states", with_(matching=lambda p: (4, *p.matching[1:]))),
    ("the blocks are a permutation", with_(blocks=lambda p: p.blocks[1:])),
    ("positions ascend within a block", with_(blocks=lambda p: (*p.blocks[:-1], p.blocks[-1][::-1]))),
    ("a block uses states, its own and earlier unknowns", with_(blocks=lambda p: p.blocks[::-1])),
]


@pytest.mark.parametrize(("promise", "change"), BROKEN, ids=[promise for promise, _ in BROKEN])
def test_check_notices_a_broken_promise(system, promise: str, change) -> None:
    model = system(PENDULUM, order="x y w z")
    with pytest.raises(InternalError, match=re.escape(promise)):
        check_plan(model.incidence, change(analyze(model.incidence)))


def test_check_looks_at_every_equation_of_a_block() -> None:
    """The first of the block stays within it, the second needs what is known later."""
    incidence = Incidence(((0, 1), (0, 1, 2), (2,)), (-1,) * 3, (0,) * 3)
    plan = analyze(incidence)
    assert plan.blocks == ((2,), (0, 1))
    with pytest.raises(InternalError, match="a block uses states, its own and earlier unknowns"):
        check_plan(incidence, dataclasses.replace(plan, blocks=plan.blocks[::-1]))
