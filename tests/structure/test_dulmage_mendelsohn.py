"""Singular and non-square systems: which equations are too many, which variables are not determined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutset.compiler.structure.dulmage_mendelsohn import find_singularity, require_regular
from cutset.compiler.structure.matching import UNMATCHED, maximum_matching
from cutset.compiler.structure.plan import Singularity, StructurallySingular


def test_regular() -> None:
    assert find_singularity([[0, 1], [1]], [0, 1]) is None
    assert find_singularity([], []) is None


def test_two_equations_for_one_variable_and_none_for_another() -> None:
    # Equations 0 and 1 both determine 2; then 2 is known in equation 2, and 0 and 1 share it.
    assert find_singularity([[2], [2], [0, 1, 2]], [0, 1, 2]) == Singularity((0, 1), (2,), (2,), (0, 1))


def test_what_is_raised_says_what_it_is_and_holds_the_parts() -> None:
    singularity = Singularity((0, 1), (2,), (2,), (0, 1))
    error = StructurallySingular(singularity)
    assert error.singularity == singularity
    assert str(error) == "structurally singular"


def test_one_equation_too_many() -> None:
    assert find_singularity([[0], [0, 1], [1], [2]], [0, 1, 2]) == Singularity((0, 1, 2), (0, 1), (), ())


def test_one_equation_too_few() -> None:
    assert find_singularity([[0], [1, 2]], [0, 1, 2]) == Singularity((), (), (1,), (1, 2))


def test_equation_without_variables_and_variable_without_equations() -> None:
    assert find_singularity([[], [0]], [0, 7]) == Singularity((0,), (), (), (7,))


@given(st.lists(st.sets(st.integers(0, 7), max_size=3).map(sorted), max_size=8))
def test_parts(rows: list[list[int]]) -> None:
    singularity = find_singularity(rows, range(8))
    pairs = sum(owner != UNMATCHED for owner in maximum_matching(rows, 8))
    if singularity is None:
        assert pairs == len(rows) == 8
        return
    over, under = set(singularity.over_equations), set(singularity.under_variables)
    # Too many equations: they have no other variables, and as many are too many as cannot be matched at all.
    assert {v for e in over for v in rows[e]} == set(singularity.over_variables)
    assert len(over) - len(singularity.over_variables) == len(rows) - pairs
    # Too many variables: they stand in no other equations.
    assert {e for e, row in enumerate(rows) if under & set(row)} == set(singularity.under_equations)
    assert len(under) - len(singularity.under_equations) == 8 - pairs
    assert not over & set(singularity.under_equations)


def test_a_variable_and_its_derivative_are_one_unknown(system) -> None:
    # der(x) = 1, x = t: as many equations as numbers, but one chain only.
    model = system(["der x", "x"])
    with pytest.raises(StructurallySingular) as raised:
        require_regular(model.incidence)
    assert raised.value.singularity == Singularity((0, 1), (0,), (), ())


def test_regular_with_chains(system) -> None:
    require_regular(system(["der x, y", "x"]).incidence)
