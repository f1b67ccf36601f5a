"""Defines what the solvers use of a model: functions of numpy arrays. The metadata is in `cutset.contract.metadata`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import Fault
from cutset.runtime.targets.controllers import Controllers
from cutset.runtime.targets.engine import Engine
from cutset.runtime.targets.externals import Faults
from cutset.runtime.targets.pattern import dense

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Values:
    """The values that are fixed during one run: parameters p, constants c, start values s, nominal values n of the
    states (all positive); and the work memory w, in which the guesses of iterations change. `controllers` are those of
    the run."""

    p: Vector
    c: Vector
    s: Vector
    w: Vector
    n: Vector
    controllers: Controllers | None = None

    @cached_property
    def addresses(self) -> tuple[int, int]:
        """The addresses of the numbers of c and w, for functions in C."""
        return self.c.ctypes.data, self.w.ctypes.data


def all_finite(info: ModelInfo, dx: Vector, values: Values) -> bool:
    """True if the derivatives, and all guarded variables computed with them, are finite."""
    first = info.n_guesses
    return bool(np.isfinite(dx).all() and np.isfinite(values.w[first : first + info.n_guards]).all())


def shown_states(info: ModelInfo, modes: Vector) -> tuple[str, ...]:
    """The names of the states for messages. A state chosen in the run has the name of the variable that it is now."""
    names, held = list(info.states), modes[len(info.relations) :]
    for k, chosen in info.picked:
        names[k] = next((name for name, number in chosen if held[number] == 1.0), names[k])
    return tuple(names)


class CompiledModel(ABC):
    """A model that can be evaluated. Arithmetic raises no exception: an undefined result is inf or nan. All results are
    new arrays."""

    # The metadata; 'c', 'python' or 'extended'; what calls functions outside of the code, and their faults.
    info: ModelInfo
    target: str
    faults: Faults
    # The same model with all its equations and unknowns, for the method bdf, if it was translated for that.
    unreduced: CompiledModel | None = None

    @property
    @abstractmethod
    def engine(self) -> Engine:
        """What runs the model. RunError E608 if it needs a compiler and there is none."""

    def _evaluate(
        self, name: str, size: int, values: Values, t: float, before: Sequence[Vector], after: Sequence[Vector]
    ) -> Vector:
        """The result of a function of time, of these arrays before and after the constants, and of the work memory, in
        which the guesses change."""
        raise NotImplementedError

    @abstractmethod
    def bind(self, given: Mapping[str, float]) -> Values:
        """The values of one run; `given` holds parameters by name. RunError for an unknown parameter and for a
        parameter expression that is not finite, FoldedParameter for a parameter whose value is part of the code."""

    def start(self, t: float, u: Vector, values: Values, modes: Vector) -> Vector:
        """The states at the start, for these held values and inputs; then for each of `ModelInfo.start_conditions` its
        residual and the size of its terms: shape (n_begins,)."""
        return self._evaluate("start", self.info.n_begins, values, t, (u,), (modes, values.s))

    @abstractmethod
    def time_events(self, values: Values, modes: Vector) -> Vector:
        """(instant, sign of the slope) of each relation of `ModelInfo.time_events`: shape (n, 2)."""

    def derivatives(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """dx/dt, or the outputs of a function: shape (n_rates,)."""
        return self._evaluate("derivatives", self.info.n_rates, values, t, (x, u), (modes,))

    def slopes(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The nonzero derivatives of dx/dt by x at the places of `ModelInfo.jacobian`, row by row; only if the model
        `has_jacobian`."""
        return self._evaluate("jacobian", sum(map(len, self.info.jacobian)), values, t, (x, u), (modes,))

    def jacobian(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The Jacobian of dx/dt by x: shape (n_states, n_states)."""
        return dense(self.info, self.slopes(t, x, u, values, modes))

    def crossings(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The crossing functions, left minus right side of each relation of `ModelInfo.crossings`."""
        return self._evaluate("crossings", len(self.info.crossings), values, t, (x, u), (modes,))

    @abstractmethod
    def variables(
        self, t: Vector, x: Vector, u: Vector, values: Values, modes: Vector, guesses: Vector | None = None
    ) -> Vector:
        """The other unknowns, followed by the values that events need, at n points: t (n,), x (n, n_states), u (n,
        n_inputs), modes (n, n_modes) -> (n, n_results). `guesses` (n, n_guesses) start the iterations at each point; if
        None, each iteration starts from its last solution."""

    def updates(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector, acting: Vector) -> Vector:
        """The discrete variables, the states and the value of each of `ModelInfo.competing_restarts` after an event;
        acting[k] is 1 if branch k acts, else 0."""
        return self._evaluate("updates", self.info.n_updates, values, t, (x, u), (modes, acting))

    def delayed(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """(the value to delay, the delay time) of each of `ModelInfo.delays`: shape (n, 2)."""
        return self._evaluate("delayed", 2 * len(self.info.delays), values, t, (x, u), (modes,)).reshape(-1, 2)

    @abstractmethod
    def left_open(self) -> int:
        """Which of `ModelInfo.open_systems` left unknowns undetermined since the last call: bit k for system k, the
        last bit for all systems from the 31st on."""

    def fresh_controllers(self) -> Controllers | None:
        """The controllers of a new run; None if the model has none. RunError E625 if one cannot be made."""
        return self.faults.fresh_controllers()

    def use(self, controllers: Controllers | None) -> None:
        """Let `bind` call these controllers, those of a run; all other functions call those of the values."""
        self.faults.use(controllers)

    @abstractmethod
    def fault(self) -> Fault | None:
        """Why a function of the model had no value since the last call, or None. It may have been evaluated in a branch
        that was not taken, so it explains only results that are not finite."""
