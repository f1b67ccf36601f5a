"""Incidence in, StructuralPlan out: the two types of the structural stage. Integers only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Incidence:
    """Which unknowns stand in which equation.

    rows[e]        variables of equation e, ascending; known quantities do not appear at all
    derivative[v]  the variable that is the time derivative of v, or -1; derivative[v] > v is not required
    preference[v]  how much v wants to be a state (0 neutral; larger: rather; smaller: rather not)
    """

    rows: tuple[tuple[int, ...], ...]
    derivative: tuple[int, ...]
    preference: tuple[int, ...]


@dataclass(frozen=True)
class Slopes:
    """of[e][v]: how equation e changes with its variable v at a random point of a prime field; equations that are not
    there are known by their incidence alone."""

    prime: int
    of: Mapping[int, Mapping[int, int]]


@dataclass(frozen=True)
class StructuralPlan:
    """What is to be done; doing it is the next stage.

    derivative    the input's, extended by the variables that differentiation creates (numbered on from its end)
    equations     (e, k): equation e differentiated k times; the original ones first, in order
    states        variables that are integrated
    derivatives   derivatives[i] is the derivative of states[i]
    dummies       derivatives that become algebraic unknowns (Mattsson and Soederlind 1993)
    matching      matching[i] is the variable that equations[i] determines
    blocks        strongly connected components: positions in `equations`, in the order of evaluation
    """

    derivative: tuple[int, ...]
    equations: tuple[tuple[int, int], ...]
    states: tuple[int, ...]
    derivatives: tuple[int, ...]
    dummies: tuple[int, ...]
    matching: tuple[int, ...]
    blocks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Singularity:
    """No complete matching exists. The coarse Dulmage-Mendelsohn parts of the equations as they were given:
    equations too many with their variables, variables too many (that not all can be determined) with the equations
    they stand in. A variable stands for its whole derivative chain, by the lowest member."""

    over_equations: tuple[int, ...]
    over_variables: tuple[int, ...]
    under_equations: tuple[int, ...]
    under_variables: tuple[int, ...]


class StructurallySingular(Exception):
    """Raised by the analysis; the caller turns indices into names."""

    def __init__(self, singularity: Singularity):
        self.singularity = singularity
        super().__init__("structurally singular")
