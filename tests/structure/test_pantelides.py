"""How often each equation is differentiated: the paper's examples, and Pryce's dual problem on random systems."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from cutset.compiler.structure.pantelides import pantelides
from cutset.compiler.structure.plan import Incidence, Singularity, StructurallySingular

PENDULUM = ["der x, w", "der y, z", "der w, T, x", "der z, T, y", "x, y"]
REACTOR = ["C, der C, R", "T, der T, R, Tc", "C, T, R", "C"]


def test_pendulum_of_the_paper(system) -> None:
    # Pantelides 1988, pp. 222-225.
    model = system(PENDULUM, order="x y w z")
    result = pantelides(model.incidence)
    assert result.orders == (1, 1, 0, 0, 2)
    created = range(len(model.incidence.derivative), len(result.derivative))
    assert model.names(created, result.derivative) == ["der der x", "der der y"]


def test_reactor_of_the_paper(system) -> None:
    # Pantelides 1988, pp. 225-228: an exothermic reactor whose concentration is prescribed.
    model = system(REACTOR, order="C T")
    result = pantelides(model.incidence)
    assert result.orders == (1, 0, 1, 2)
    assert model.names(result.matching, result.derivative) == ["der R", "Tc", "der T", "der der C"]


def test_nothing_to_do_for_index_one(system) -> None:
    model = system(["der x, y", "x, y"])
    result = pantelides(model.incidence)
    assert result.orders == (0, 0)
    assert result.derivative == model.incidence.derivative


def test_derivative_that_stands_in_no_equation() -> None:
    # x is prescribed; its derivative exists because somebody asked for it.
    result = pantelides(Incidence(rows=((0,),), derivative=(1, -1), preference=(0, 0)))
    assert result.orders == (1,)
    assert result.matching == (1,)


def test_redundant_constraint_does_not_differentiate_for_ever() -> None:
    # Three constraints for two positions; the fourth equation cannot determine both forces.
    rows = ((0, 1), (0, 1), (0, 1), (2, 3, 4, 5))
    incidence = Incidence(rows, derivative=(4, 5, -1, -1, -1, -1), preference=(0,) * 6)
    with pytest.raises(StructurallySingular) as raised:
        pantelides(incidence)
    assert raised.value.singularity == Singularity((0, 1, 2), (0, 1), (3,), (2, 3))


def test_too_few_equations() -> None:
    with pytest.raises(StructurallySingular) as raised:
        pantelides(Incidence(rows=((1, 2, 3),), derivative=(3, -1, -1, -1), preference=(0,) * 4))
    assert raised.value.singularity == Singularity((), (), (0,), (0, 1, 2))


FORBIDDEN = -1e6


@st.composite
def signatures(draw: st.DrawFn) -> tuple[numpy.ndarray, Incidence]:
    """A random signature matrix (highest order of unknown j in equation i) and its incidence."""
    n = draw(st.integers(1, 6))
    entry = st.sampled_from([FORBIDDEN, FORBIDDEN, 0, 0, 1, 2])
    sigma = numpy.array(draw(st.lists(st.lists(entry, min_size=n, max_size=n), min_size=n, max_size=n)))
    number: dict[tuple[int, int], int] = {}
    for j in range(n):
        for k in range(int(max(sigma[:, j].max(), 0)) + 1):
            number[j, k] = len(number)
    derivative = tuple(number.get((j, k + 1), -1) for j, k in number)
    rows = [[number[j, int(s)] for j, s in enumerate(row) if s != FORBIDDEN] for row in sigma]
    return sigma, Incidence(tuple(map(tuple, rows)), derivative, (0,) * len(number))


@given(signatures())
def test_orders_are_the_smallest_of_pryces_offsets(case) -> None:
    # Pryce, BIT 41 (2001), pp. 364-394: c_i are the smallest with d_j - c_i >= sigma_ij, equal on a best assignment.
    sigma, incidence = case
    rows, columns = linear_sum_assignment(sigma, maximize=True)
    if sigma[rows, columns].min() == FORBIDDEN:
        with pytest.raises(StructurallySingular):
            pantelides(incidence)
        return
    offsets = numpy.zeros(len(sigma))
    while True:
        orders_of_unknowns = (sigma + offsets[:, None]).max(axis=0)
        larger = orders_of_unknowns[columns] - sigma[rows, columns]
        if (larger == offsets).all():
            break
        offsets = larger
    assert pantelides(incidence).orders == tuple(offsets)


def test_long_chain_of_integrators_behind_a_constraint() -> None:
    # x0 is prescribed and x(i+1) = der x(i): equation i must be differentiated n - i times.
    n = 60
    rows = [(0,)] + [(2 * i + 1, 2 * i + 2) for i in range(n)]
    derivative = [2 * (v // 2) + 1 if v % 2 == 0 and v < 2 * n else -1 for v in range(2 * n + 1)]
    result = pantelides(Incidence(tuple(rows), tuple(derivative), (0,) * len(derivative)))
    assert result.orders == tuple(n - i for i in range(n + 1))
