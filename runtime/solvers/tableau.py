"""The data of an explicit Runge-Kutta method. Takes no step."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Tableau:
    """A method by its Butcher tableau.

    order   of the solution; with an estimate of the error, that is of the order below it
    rows    (node, weights of the stages before) of each stage behind the first, and last of the next state, whose node
            is 1: there the first stage of the next step is evaluated, which is the last one of this
    error   weights of the estimated error, over all these stages; () for steps of equal length from output to output
    bump    weights of the highest term of the continuous extension; () for the cubic of Hermite
    """

    name: str
    about: str
    order: int
    rows: tuple[tuple[float, tuple[float, ...]], ...]
    error: tuple[float, ...] = ()
    bump: tuple[float, ...] = ()
