"""Equations to be looked at: those that speak of what has gone, short ones first."""

from __future__ import annotations

from itertools import permutations

import pytest
from models_from_text import translate

from cutset.compiler.expressions.pool import Pool
from cutset.compiler.flatten.equation_index import EquationIndex

pool = Pool()
X = [pool.variable(f"x{k}") for k in range(20)]


def test_equations_with_few_variables_come_first() -> None:
    work = EquationIndex()
    for k, size in enumerate((12, 2, 7, 3, 4)):
        work.note(k, X[:size])
    assert work.by_size(range(5)) == [[1, 3], [4], [2], [0]]


def test_the_size_is_that_noted_last() -> None:
    work = EquationIndex()
    work.note(0, X[:12])
    work.note(1, X[:4])
    work.note(0, X[:1])
    assert work.by_size([0, 1]) == [[0], [1]]


def test_users_are_told_once_and_in_order() -> None:
    work = EquationIndex()
    work.note(4, X[:2])
    work.note(2, X[1:3])
    work.measure(3, X[:3])
    assert work.users(X[:2]) == [2, 4]
    assert work.users(X[:2]) == []
    assert work.users([X[2]]) == [2]


EQUATIONS = ("y = a*b*e*d + p*c + d", "d = a*c*b", "a = 0", "c = b", "b = 2*p", "e = y*c + d", "der(x) = -x*e + y")


@pytest.mark.parametrize("order", list(permutations(range(len(EQUATIONS))))[::251])
def test_what_is_found_in_a_round_reaches_all_equations_in_any_order(order) -> None:
    lines = "\n  ".join(EQUATIONS[k] for k in order)
    text = f"model M\n  parameter p = 3\n  local a, b, c, d, e, y, x(start=1)\n  {lines}\nend\n"
    translated = translate(text)
    assert len(translated.system.equations) == 1
    assert {alias.name for alias in translated.system.aliases} == {"a", "b", "c", "d", "e", "y"}
    values = translated.values()
    assert (values["y"], values["e"], values["der(x)"]) == (18.0, 108.0, 18.0 - 108.0)
