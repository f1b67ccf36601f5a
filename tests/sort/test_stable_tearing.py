"""Chains of explicit equations are cut where rounding errors grow, and only there."""

import math

from cutset.compiler.sort.stable_tearing import limit_error_growth
from cutset.compiler.structure.tearing import Tearing


def chain(n, middle):
    """x(k) - middle*x(k+1) + x(k+2) = 0, x(0) = 1 and x(n-1) = 0: with x(0) and x(1) all others follow one by one."""
    rows = [{k: 1.0, k + 1: -middle, k + 2: 1.0} for k in range(n - 2)]
    rows += [{0: 1.0}, {n - 1: 1.0}]
    return rows, Tearing((1, 0), (n - 2, n - 1), tuple((k, k + 2) for k in range(n - 2)))


def follows(rows, tearing):
    """Whether each of the sequence has all but its own from before, and everything comes up once."""
    known = set(tearing.tearing_variables)
    for equation, variable in tearing.sequence:
        assert set(rows[equation]) - {variable} <= known and variable not in known
        known.add(variable)
    used = sorted([*tearing.residual_equations, *(e for e, _ in tearing.sequence)])
    return known == set(range(len(rows))) and used == list(range(len(rows)))


def test_errors_that_grow_are_cut():
    """Each step multiplies an error by 2 + sqrt(3), or nearly: a factor of a million takes some ten steps."""
    rows, given = chain(120, 4.0)
    found = limit_error_growth(rows, given)
    assert found is not given and follows(rows, found)
    torn = sorted(found.tearing_variables[2:])
    assert found.tearing_variables[:2] == (1, 0) and list(found.residual_equations) == sorted(found.residual_equations)
    assert 6 <= len(torn) <= 30
    gaps = [b - a for a, b in zip([1, *torn], [*torn, 119], strict=False)]
    assert max(gaps) <= 16


def test_units_of_measurement_play_no_part():
    rows, given = chain(120, 4.0)
    scaled = [{k: a * 10.0 ** ((k % 7) - 3) * 10.0 ** (e % 5) for k, a in row.items()} for e, row in enumerate(rows)]
    found = limit_error_growth(scaled, given)
    assert abs(len(found.tearing_variables) - len(limit_error_growth(rows, given).tearing_variables)) <= 6


def test_errors_that_shrink_are_let_be():
    n = 200
    rows = [{k: 0.5, k + 1: -1.0} for k in range(n - 1)] + [{n - 1: 1.0, 0: 2.0}]
    given = Tearing((0,), (n - 1,), tuple((k, k + 1) for k in range(n - 1)))
    assert limit_error_growth(rows, given) is given


def test_rotations_let_no_error_grow():
    """x(k) turned by an angle after the other: a bound of each error by itself would be 1e12 in the end."""
    n, rows, sequence = 100, [], []
    for k in range(n):
        c, s = math.cos(0.3 + k), math.sin(0.3 + k)
        sequence += [(len(rows), 2 * k + 2), (len(rows) + 1, 2 * k + 3)]
        rows += [{2 * k: c, 2 * k + 1: s, 2 * k + 2: -1.0}, {2 * k: -s, 2 * k + 1: c, 2 * k + 3: -1.0}]
    rows += [{0: 1.0, 2 * n: 0.5}, {1: 1.0, 2 * n + 1: 0.5}]
    given = Tearing((0, 1), (2 * n, 2 * n + 1), tuple(sequence))
    assert limit_error_growth(rows, given) is given
