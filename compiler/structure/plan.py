"""Defines the input and the result of the structural stage, Incidence and StructuralPlan. Integers only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Incidence:
    """Which unknowns occur in which equation.

    rows[e]        variables of equation e, ascending; known quantities do not occur at all
    derivative[v]  the variable that is the time derivative of v, or -1; derivative[v] > v is not required
    preference[v]  larger values make v a state first, smaller ones last; 0 is neutral
    """

    rows: tuple[tuple[int, ...], ...]
    derivative: tuple[int, ...]
    preference: tuple[int, ...]


@dataclass(frozen=True)
class Slopes:
    """of[e][v]: the derivative of equation e by its variable v at a random point of a prime field; other equations are
    known by their incidence only."""

    prime: int
    of: Mapping[int, Mapping[int, int]]


@dataclass(frozen=True)
class StructuralPlan:
    """The decisions of the structural stage, which later stages carry out.

    derivative    the input's, extended by the variables that differentiation creates (numbered after its end)
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
    """Proof that no complete matching exists: the coarse Dulmage-Mendelsohn parts of the original equations. These are
    an overdetermined part, equations with their too few variables, and an underdetermined part, variables with their
    too few equations. A variable stands for its entire derivative chain, by the lowest member."""

    over_equations: tuple[int, ...]
    over_variables: tuple[int, ...]
    under_equations: tuple[int, ...]
    under_variables: tuple[int, ...]


class StructurallySingular(Exception):
    """No complete matching exists; the caller turns the indices into names."""

    def __init__(self, singularity: Singularity):
        self.singularity = singularity
        super().__init__("structurally singular")
