"""Holds the rows that a run stores. Computes nothing."""

from __future__ import annotations

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.interface import Vector


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The n stored rows of a run; an event has two rows with the same time.

    t        times (n,)
    x        states (n, n_states)
    u        inputs (n, n_inputs)
    modes    relations and discrete variables (n, n_modes)
    guesses  iteration variables of nonlinear systems (n, n_guesses): where to start when a row is evaluated again;
             without them an iteration could diverge or find another solution
    """

    t: Vector
    x: Vector
    u: Vector
    modes: Vector
    guesses: Vector
