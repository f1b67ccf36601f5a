"""What is taken out of constraints that depend on each other must be needed nowhere along a motion."""

from __future__ import annotations

import math

import pytest

from cutset.compiler.expressions.least_change import cofactors, complement, determinant, orthonormal
from cutset.compiler.sort.dependent_constraints import taken_out


def turning(start: float, end: float, places: int = 21) -> list[list[list[float]]]:
    """One dependence of two constraints that turns, its sign drawn anyhow."""
    angles = [start + (end - start) * k / (places - 1) for k in range(places)]
    return [[[(-1) ** (k // 2) * math.cos(a), (-1) ** (k // 2) * math.sin(a)]] for k, a in enumerate(angles)]


def least(dependences, shares) -> float:
    size = math.hypot(*shares)
    return min(abs(sum(x * y for x, y in zip(rows[0], shares, strict=False))) / size for rows in dependences)


@pytest.mark.parametrize(("start", "end", "gone"), [(-0.5, 0.9, 0), (0.6, 2.4, 1), (2.0, 3.8, 0)])
def test_a_whole_constraint_is_taken_out_where_it_is_needed_nowhere(start, end, gone):
    found = taken_out(turning(start, end), 10, [2, 2])
    assert (found.chosen, found.shares) == ((gone,), {})


def test_where_each_is_needed_somewhere_one_is_taken_out_in_parts():
    """The dependence goes through both axes: from 80 degrees before the first to 20 behind the second."""
    dependences = turning(math.radians(-30), math.radians(110))
    found = taken_out(dependences, 10, [2, 2])
    (gone,), ((other, share),) = found.chosen, found.shares.items()
    shares = [0.0, 0.0]
    shares[gone], shares[other] = 1.0, share[gone]
    assert least(dependences, shares) > 0.25  # the best direction is 70 degrees from either end: 0.34


def test_what_is_near_the_start_counts_where_nothing_is_good_everywhere():
    dependences = turning(-math.pi, math.pi, 41)
    found = taken_out(dependences, 20, [2, 2])
    shares = [found.shares[k][found.chosen[0]] if k in found.shares else float(k in found.chosen) for k in (0, 1)]
    assert least(dependences[12:29], shares) > 0.05


def test_a_velocity_is_taken_out_before_a_position():
    assert taken_out([[[0.6, 0.8]]] * 5, 2, [1, 2]).chosen == (0,)
    assert taken_out([[[0.6, 0.8]]] * 5, 2, [2, 1]).chosen == (1,)


def test_several_are_taken_out_together():
    rows = [[0.0, 1.0, 0.0, 0.0], [0.6, 0.0, 0.0, 0.8]]
    found = taken_out([rows] * 3, 1, [2, 2, 2, 2])
    assert set(found.chosen) == {1, 3}


def test_constraints_of_two_loops_are_decided_apart():
    """Each as if the other were not there, in whatever basis the dependences are given: as of the legs of a robot."""
    one, two = turning(math.radians(-60), math.radians(80)), turning(math.radians(20), math.radians(150))
    both = []
    for k, (a, b) in enumerate(zip(one, two, strict=True)):
        c, s = math.cos(0.7 * k), math.sin(0.7 * k)
        left, right = [*a[0], 0.0, 0.0], [0.0, 0.0, *b[0]]
        both.append([[c * x + s * y for x, y in zip(left, right, strict=True)],
                     [c * y - s * x for x, y in zip(left, right, strict=True)]])  # fmt: skip
    found, first, second = (taken_out(d, 10, [2] * len(d[0][0])) for d in (both, one, two))
    assert found.chosen == (*first.chosen, *(2 + i for i in second.chosen))
    shares = first.shares | {2 + k: {2 + d: x for d, x in of.items()} for k, of in second.shares.items()}
    assert {(k, d) for k, of in found.shares.items() for d in of} == {(k, d) for k, of in shares.items() for d in of}


def test_several_are_taken_out_in_parts():
    """Two dependences of four constraints, each turning in a plane of its own, one through the first axis, one through
    the second."""
    pairs = zip(
        turning(math.radians(-30), math.radians(110)), turning(math.radians(60), math.radians(-70)), strict=False
    )
    dependences = [[[*a[0], 0.0, 0.0], [0.0, 0.0, *b[0]]] for a, b in pairs]
    found = taken_out(dependences, 10, [2, 2, 2, 2])
    columns = [
        [float(k == d) if k in found.chosen else found.shares.get(k, {}).get(d, 0.0) for k in range(4)]
        for d in found.chosen
    ]
    minors = [
        determinant([[sum(x * y for x, y in zip(row, c, strict=False)) for c in orthonormal(columns)] for row in rows])
        for rows in dependences
    ]
    assert min(map(abs, minors)) > 0.1 and found.shares


def test_cofactors_are_the_slopes_of_the_determinant():
    rows = [[2.0, 1.0, 0.5], [0.0, 3.0, -1.0], [1.0, 1.0, 1.0]]
    for i, row in enumerate(cofactors(rows)):
        assert sum(x * y for x, y in zip(row, rows[i], strict=False)) == pytest.approx(determinant(rows))


def test_complement_and_determinant():
    vectors = [[1.0, 0.0, 0.0]]
    rest = complement(vectors, 3)
    assert len(rest) == 2 and all(abs(row[0]) < 1e-15 for row in rest)
    assert abs(determinant([*vectors, *rest])) == pytest.approx(1.0)
    assert determinant([[0.0, 2.0], [3.0, 1.0]]) == -6.0
    assert determinant([]) == 1.0


def test_those_of_many_constraints_are_as_independent_as_possible():
    """Seven of 60, of which the last ones hardly depend on others: too many sets to compare them all."""
    rows = [[0.0] * 60 for _ in range(7)]
    for k, row in enumerate(rows):
        row[5 * k], row[5 * k + 1], row[53 + k] = 0.8, 0.6, 1e-9
    assert taken_out([rows] * 3, 1, [2] * 60).chosen == tuple(5 * k for k in range(7))
