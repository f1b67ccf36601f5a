"""Tearing: known patterns, and on random blocks that the sequence is explicit and nothing is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutset.compiler.structure.tearing import Tearing, tear


def assert_explicit(rows, solvable, tearing: Tearing) -> None:
    known = set(tearing.tearing_variables)
    assert len(known) == len(tearing.tearing_variables) == len(tearing.residual_equations)
    for equation, variable in tearing.sequence:
        assert variable in solvable[equation]
        assert variable not in known
        assert set(rows[equation]) - {variable} <= known
        known.add(variable)
    assert known == set(range(len(rows)))
    used = [equation for equation, _ in tearing.sequence]
    assert sorted([*used, *tearing.residual_equations]) == list(range(len(rows)))


def arrow(n: int) -> list[list[int]]:
    return [[0, i] if i else list(range(n)) for i in range(n)]


def tridiagonal(n: int) -> list[list[int]]:
    return [[k for k in (i - 1, i, i + 1) if 0 <= k < n] for i in range(n)]


def ring(n: int) -> list[list[int]]:
    return [sorted({i, (i + 1) % n}) for i in range(n)]


def full(n: int) -> list[list[int]]:
    return [list(range(n)) for _ in range(n)]


@pytest.mark.parametrize(
    ("rows", "torn"), [(arrow(20), 1), (tridiagonal(20), 1), (ring(20), 1), (full(20), 19), (tridiagonal(1), 0)]
)
def test_patterns(rows: list[list[int]], torn: int) -> None:
    tearing = tear(rows, rows)
    assert_explicit(rows, rows, tearing)
    assert len(tearing.tearing_variables) == torn


def test_arrow_in_detail() -> None:
    assert tear(arrow(4), arrow(4)) == Tearing((0,), (0,), ((1, 1), (2, 2), (3, 3)))


def test_an_equation_of_one_variable_comes_first() -> None:
    rows = [[0, 1], [0, 1, 2], [1]]
    assert tear(rows, rows) == Tearing((), (), ((2, 1), (0, 0), (1, 2)))


def test_look_ahead_beats_most_incidences() -> None:
    # Variable 5 stands in most equations and gives 6, but after variable 0 everything follows one by one.
    rows = [[0, 1], [1, 2], [0, 2, 5], [0, 3, 5], [3, 4, 5], [1, 4, 5], [5, 6]]
    tearing = tear(rows, rows)
    assert_explicit(rows, rows, tearing)
    assert tearing.tearing_variables == (0,)


def test_nothing_is_solved_where_it_is_not_safe() -> None:
    rows = ring(5)
    tearing = tear(rows, [[] for _ in rows])
    assert tearing == Tearing((0, 1, 2, 3, 4), (0, 1, 2, 3, 4), ())


def test_what_no_equation_gives_is_torn_first() -> None:
    # No equation gives 0 or 1; with both known the rest follows. Looking ahead alone would tear 2 before.
    rows = [[0, 3], [1, 3], [0, 1, 2], [3], [2, 4]]
    solvable = [[], [], [2], [3], [2, 4]]
    tearing = tear(rows, solvable)
    assert_explicit(rows, solvable, tearing)
    assert tearing.tearing_variables == (0, 1)


def test_what_is_torn_first_is_known_at_once() -> None:
    """Frictions between masses in a row. Force f(k) and relative acceleration r(k) follow from the path parameter s(k),
    each mass from the forces beside it, and the residuals are local. One s after the other, r(k) would give mass k + 1,
    and forces would add up along the row."""
    n = 5
    s, f, r, a = (range(first, first + n) for first in (0, n, 2 * n, 3 * n))
    last = 4 * n
    masses = [*a, last]
    frictions = [[s[k], f[k]] for k in range(n)] + [[s[k], r[k]] for k in range(n)]
    balances = [[masses[k], *f[max(k - 1, 0) : k + 1]] for k in range(n + 1)]
    relatives = [[r[k], masses[k], masses[k + 1]] for k in range(n)]
    rows = [*frictions, *balances, *relatives]
    solvable = [row[1:] for row in frictions] + [row[:1] for row in balances] + relatives
    tearing = tear(rows, solvable)
    assert_explicit(rows, solvable, tearing)
    assert tearing.tearing_variables == tuple(s)
    assert tearing.residual_equations == tuple(range(3 * n + 1, 4 * n + 1))


def test_most_incidences_where_nothing_follows_at_once() -> None:
    rows = [[0, 3, 4], [1, 3, 4], [0, 1, 2, 5], [1, 3, 4], [2, 4, 5], [2, 3, 5]]
    tearing = tear(rows, rows)
    assert_explicit(rows, rows, tearing)
    assert tearing.tearing_variables == (3, 2)


def test_equation_of_one_variable_needs_no_guess() -> None:
    rows = [[0, 1], [0]]
    assert tear(rows, rows) == Tearing((), (), ((1, 0), (0, 1)))


def test_second_equation_for_the_same_variable_is_a_residual() -> None:
    rows = [[0], [0], [1, 2]]
    assert tear(rows, rows) == Tearing((1,), (1,), ((0, 0), (2, 2)))


def test_what_follows_from_later_choices_is_not_torn() -> None:
    # 1 has most incidences and is torn first; with 2 and 0 it follows.
    rows = [[0, 1, 3, 4], [0, 1, 2, 4], [1, 2, 3], [1, 2, 3], [0, 2, 4]]
    tearing = tear(rows, rows)
    assert_explicit(rows, rows, tearing)
    assert tearing.tearing_variables == (2, 0)


@st.composite
def random_blocks(draw: st.DrawFn):
    n = draw(st.integers(1, 10))
    others = draw(st.lists(st.sets(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n))
    rows = [sorted(o | {i}) for i, o in enumerate(others)]
    solvable = [sorted(draw(st.sets(st.sampled_from(row)))) for row in rows]
    return rows, solvable


@given(random_blocks(), st.sets(st.integers(0, 9)))
def test_random_blocks(block, preferred) -> None:
    rows, solvable = block
    assert_explicit(rows, solvable, tear(rows, solvable, first=[v for v in preferred if v < len(rows)]))
    tearing = tear(rows, solvable)
    assert_explicit(rows, solvable, tearing)
    assert tearing == tear(rows, solvable)
    for variable in tearing.tearing_variables:
        assert not follows(rows, solvable, variable, set(tearing.tearing_variables) - {variable})


def follows(rows, solvable, variable: int, known: set[int]) -> bool:
    """Whether the variable can be had from the known ones, one equation after the other."""
    while variable not in known:
        unknown = [set(row) - known for row in rows]
        given = {v for e, rest in enumerate(unknown) if len(rest) == 1 for v in rest & set(solvable[e])}
        if not given:
            return False
        known = known | given
    return True


@pytest.mark.parametrize(
    ("rows", "torn"), [(arrow(1000), 1), (tridiagonal(1000), 1), (ring(1000), 1), (full(300), 299)]
)
def test_large_blocks(rows: list[list[int]], torn: int) -> None:
    tearing = tear(rows, rows)
    assert_explicit(rows, rows, tearing)
    assert len(tearing.tearing_variables) == torn


def test_a_chain_of_guesses_is_not_carried_along():
    """x(k+1) = x(k) + s(k), y(k) = s(k), and y(k) tied to x(k): each residual has to speak of near guesses alone."""
    n = 12
    x, s, y = (lambda k: k), (lambda k: n + k), (lambda k: 2 * n + k)
    rows = [sorted({x(k), y(k), *([y(k - 1)] if k else [])}) for k in range(n)]  # x(k) = y(k) - y(k-1)
    rows += [[s(k), y(k)] for k in range(n)]
    rows += [sorted({s(k), x(k), *([x(k + 1)] if k + 1 < n else [])}) for k in range(n)]
    solvable = [*([x(k), y(k)] for k in range(n)), *([y(k)] for k in range(n)), *([x(k)] for k in range(n))]
    tearing = tear(rows, solvable)
    assert set(tearing.tearing_variables) == {s(k) for k in range(n)}
    depends = {v: {v} for v in tearing.tearing_variables}
    for equation, variable in tearing.sequence:
        depends[variable] = set().union(*(depends[v] for v in rows[equation] if v != variable))
    assert max(len(set().union(*(depends[v] for v in rows[e]))) for e in tearing.residual_equations) <= 3


def test_what_is_torn_first_stays_unless_it_follows_from_others() -> None:
    # Of a chain any one gives all; the second one that is asked for follows from the first.
    rows = ring(6)
    tearing = tear(rows, rows, first=(4, 2))
    assert_explicit(rows, rows, tearing)
    assert len(tearing.tearing_variables) == 1 and tearing.tearing_variables[0] in (2, 4)
    assert tear(rows, rows).tearing_variables == (0,)
    rows, solvable = [[0, 1], [0, 1, 2], [2], [2, 3]], [[0, 1], [0, 2], [], [2, 3]]
    assert_explicit(rows, solvable, tear(rows, solvable, first=(3, 2)))
