"""Defines the data of an explicit Runge-Kutta method. Takes no step."""

from __future__ import annotations

from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Tableau:
    """A method by its Butcher tableau.

    order   of the solution; the error estimate is of one order less
    rows    (node, weights of the stages before) of each stage after the first, and last of the next state, with node 1:
            the first stage of the next step is evaluated there, which is also the last stage of this step
    error   weights of the error estimate, over all these stages; () for equal steps from output to output
    bump    weights of the highest term of the continuous extension; () for cubic Hermite interpolation
    """

    name: str
    about: str
    order: int
    rows: tuple[tuple[float, tuple[float, ...]], ...]
    error: tuple[float, ...] = ()
    bump: tuple[float, ...] = ()
