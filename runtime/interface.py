"""What the solvers see of a model: functions of numpy arrays. The metadata is in `cutset.contract.metadata`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Fault:
    """Why a function of the model had no value: the code of the error, what happened, and further facts."""

    code: str
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Values:
    """What stays fixed during one run: parameters p, constants c, starts s, the nominal values n of the states, all of
    them positive; and the scratch memory w, whose guesses go on changing."""

    p: Vector
    c: Vector
    s: Vector
    w: Vector
    n: Vector


def all_finite(info: ModelInfo, dx: Vector, values: Values) -> bool:
    """Whether the derivatives have values, and with them all that was evaluated for these."""
    first = info.n_guesses
    return bool(np.isfinite(dx).all() and np.isfinite(values.w[first : first + info.n_guards]).all())


def shown_states(info: ModelInfo, modes: Vector) -> tuple[str, ...]:
    """The names of the states for messages: one that is chosen in the run is called by the variable that it is at
    present."""
    names, held = list(info.states), modes[len(info.relations) :]
    for k, chosen in info.picked:
        names[k] = next((name for name, number in chosen if held[number] == 1.0), names[k])
    return tuple(names)


class CompiledModel(Protocol):
    """A model that can be evaluated. Nothing here raises for arithmetic: what cannot be computed is inf or nan. All
    results are new arrays."""

    @property
    def info(self) -> ModelInfo: ...

    @property
    def target(self) -> str:
        """'c' or 'python'."""
        ...

    def bind(self, given: Mapping[str, float]) -> Values:
        """The values of one run; `given` holds parameters by name. RunError for a name that is no parameter and
        for a parameter expression that is not finite, FoldedParameter for one whose value stands in the code."""
        ...

    def start(self, t: float, u: Vector, values: Values, modes: Vector) -> Vector:
        """The states at the start, with what is held and the inputs at that instant, and behind them for each of
        `ModelInfo.start_conditions` what is left of it and how large its terms are: shape (n_begins,)."""
        ...

    def instants(self, values: Values, modes: Vector) -> Vector:
        """(instant, sign of the slope) of each relation of `ModelInfo.instants`: shape (n, 2)."""
        ...

    def derivatives(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """dx/dt: shape (n_states,)."""
        ...

    def careful_derivatives(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> tuple[Vector, bool]:
        """The same with the solutions of nonlinear systems that lie near their guesses, on the same branch; and whether
        there are such."""
        ...

    def slopes(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The derivatives of dx/dt by x in the places of `ModelInfo.jacobian`, row by row; only where
        `has_jacobian`."""
        ...

    def jacobian(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The same as a whole matrix: shape (n_states, n_states)."""
        ...

    def crossings(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """Left minus right side of each relation of `ModelInfo.crossings`."""
        ...

    def variables(
        self, t: Vector, x: Vector, u: Vector, values: Values, modes: Vector, guesses: Vector | None = None
    ) -> Vector:
        """The other unknowns, and behind them what events need, at n points: t (n,), x (n, n_states), u (n, n_inputs),
        modes (n, n_modes); gives (n, n_results). `guesses` (n, n_guesses) are what the iterations begin with at each;
        where None, they begin with what they have found before."""
        ...

    def updates(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector, acting: Vector) -> Vector:
        """The discrete variables, the states and what each of `ModelInfo.rivals` gives after an event; acting[k] is 1
        where branch k acts, else 0."""
        ...

    def delayed(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """(what is delayed, by what time) of each of `ModelInfo.delays`: shape (n, 2)."""
        ...

    def left_open(self) -> int:
        """Which of `ModelInfo.open_systems` have left something open in an evaluation since this was asked last: bit k
        for the k-th, the last bit for all from the 31st on."""
        ...

    def fault(self) -> Fault | None:
        """Why a function of the model had no value in an evaluation since this was asked last. It may have been in a
        branch that was not taken: only where a result is not finite it is the reason."""
        ...
