"""Presents a model whose unknowns are all in x as one that solves its equations. Integrates nothing.

Wherever it is evaluated, the unknowns that are not integrated are first made consistent with the others. Events and the
start need that: these unknowns jump with the held values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cutset.contract.metadata import ModelInfo
from cutset.runtime.errors import Fault, RunError
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.solvers.consistent_point import ConsistentPoint
from cutset.runtime.targets.controllers import Controllers
from cutset.runtime.targets.engine import Engine
from cutset.runtime.targets.externals import Faults
from cutset.runtime.targets.newton import Care
from cutset.runtime.targets.scripted import Script, engine_of


@dataclass(frozen=True, eq=False)
class UnreducedModel(CompiledModel):
    """`CompiledModel` for such a model; `inner` evaluates it as it is, as integration methods need it. `faults` has
    those of evaluations by C. `begin` holds all values at the start, if they are known."""

    info: ModelInfo
    target: str
    faults: Faults
    inner: CompiledModel
    point: ConsistentPoint
    begin: Vector | None = None

    @property
    def engine(self) -> Engine:
        """As `CompiledModel.engine`, of the model as it is."""
        return self.inner.engine

    def bind(self, given: Mapping[str, float]) -> Values:
        """As `CompiledModel.bind`."""
        return self.inner.bind(given)

    def start(self, t: float, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.start`, with all unknowns consistent."""
        begins, n = self.inner.start(t, u, values, modes), len(self.info.states)
        x = begins[:n] if self.begin is None else self.begin
        return np.concatenate([self.point.near(t, x, u, values, modes), begins[n:]])

    def time_events(self, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.time_events`."""
        return self.inner.time_events(values, modes)

    def derivatives(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.derivatives`; 0 for the unknowns that are not integrated, nan if they have no values."""
        found = self.inner.derivatives(t, self.point.near(t, x, u, values, modes), u, values, modes)
        first = len(found) - self.info.n_algebraic
        found[first:] = np.where(np.isfinite(found[first:]), 0.0, np.nan)
        return found

    def slopes(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.slopes`, of the residuals."""
        return self.inner.slopes(t, x, u, values, modes)

    def jacobian(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.jacobian`, of the residuals."""
        return self.inner.jacobian(t, x, u, values, modes)

    def crossings(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.crossings`."""
        return self.inner.crossings(t, self.point.near(t, x, u, values, modes), u, values, modes)

    def variables(
        self, t: Vector, x: Vector, u: Vector, values: Values, modes: Vector, guesses: Vector | None = None
    ) -> Vector:
        """As `CompiledModel.variables`."""
        rows = zip(t.tolist(), x, u, modes, strict=True)
        near = [self.point.near(time, row, given, values, held) for time, row, given, held in rows]
        return self.inner.variables(t, np.array(near).reshape(x.shape), u, values, modes, guesses)

    def updates(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector, acting: Vector) -> Vector:
        """As `CompiledModel.updates`, with all unknowns consistent after the event. RunError E605 if a restart moves
        the states of a stabilized model away from their constraints, and the others cannot follow."""
        info, before = self.info, self.point.near(t, x, u, values, modes)
        found = self.inner.updates(t, before, u, values, modes, acting)
        discrete, states = len(info.discrete), slice(len(info.discrete), len(info.discrete) + len(x))
        held = np.concatenate([modes[: len(info.relations)], found[:discrete]])
        restarted = (found[states] != before) & np.isfinite(before)  # without values before, nothing is restarted
        found[states] = self.point.after(t, found[states], before, u, values, held)
        if restarted.any() and np.isnan(found[states][restarted]).any():
            names = [name for name, is_one in zip(info.states, restarted, strict=True) if is_one]
            raise RunError("E605", *_not_restarted(names, t))
        return found

    def delayed(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """As `CompiledModel.delayed`."""
        return self.inner.delayed(t, self.point.near(t, x, u, values, modes), u, values, modes)

    def left_open(self) -> int:
        """As `CompiledModel.left_open`."""
        return self.inner.left_open()

    def fresh_controllers(self) -> Controllers | None:
        """As `CompiledModel.fresh_controllers`."""
        return self.inner.fresh_controllers()

    def use(self, controllers: Controllers | None) -> None:
        """As `CompiledModel.use`."""
        self.inner.use(controllers)

    def fault(self) -> Fault | None:
        """As `CompiledModel.fault`."""
        seen = self.faults.take()
        return self.inner.fault() or seen


class SolvingScript(Script):
    """The same model with these values as C calls it, see scripted.py."""

    def __init__(self, model: UnreducedModel, values: Values):
        self._model, self.info, self.care = model, model.info, Care()
        self._values, self.faults = values, model.faults

    def use(self, controllers: Controllers | None) -> None:
        """As `Script.use`."""
        self._values = replace(self._values, controllers=controllers)

    def write(self, name: str, t: float | None, arrays: list[Vector]) -> None:
        """As `Script.write`, for the functions of a start and of events."""
        inner = self._model.inner
        inner.fault()  # clear that of earlier points
        self._write(name, t, arrays)
        self.faults.note(inner.fault())

    def _write(self, name: str, t: float | None, arrays: list[Vector]) -> None:
        model, time, (*given, w, out) = self._model, t or 0.0, arrays
        bound = {"bindings": "p", "constants": "c", "starts": "s", "nominals": "n"}
        if name in bound:
            (w if name == "bindings" else out)[:] = getattr(self._values, bound[name])
            return
        if name == "time_events":
            out[:] = model.time_events(self._values, w).ravel()
            return
        values = replace(self._values, w=w)
        if name == "start":
            u, _, m, _ = given
            out[:] = model.start(time, u, values, m)
            return
        x, u, _, m, *acting = given
        if name == "variables":
            out[:] = model.variables(np.array([time]), x[None, :], u[None, :], values, m[None, :])[0]
            return
        functions: dict[str, Callable[..., Vector]] = {
            "derivatives": model.derivatives,
            "updates": model.updates,
            "crossings": model.crossings,
            "delayed": model.delayed,
        }
        out[:] = np.ravel(functions[name](time, x, u, values, m, *acting))


def solving_engine(model: CompiledModel, values: Values) -> Engine:
    """What runs the model, which has these values, so that all unknowns are consistent wherever it is evaluated."""
    return engine_of(SolvingScript(model, values)) if isinstance(model, UnreducedModel) else model.engine


def _not_restarted(names: Sequence[str], t: float) -> tuple[str, str]:
    """The message and the hint for states whose restart the constraints do not allow."""
    which = ", ".join(f"'{name}'" for name in names)
    return (
        f"the constraints determine {which}, which the event at time {t} restarts",
        "take another method, such as bdf",
    )


def solving(model: CompiledModel, begin: Mapping[str, float] | None = None) -> CompiledModel:
    """The model itself, unless it has unknowns that are not integrated; `begin` has their values at the start."""
    info = model.info
    if not info.n_algebraic:
        return model
    known = None if begin is None else np.array([begin.get(name, 0.0) for name in info.states])
    faults = Faults(replace(info, externals=()))  # the model calls its own
    return UnreducedModel(info, model.target, faults, model, ConsistentPoint(model), known)


def integrated(model: CompiledModel) -> CompiledModel:
    """The model as an integration method evaluates it."""
    return model.inner if isinstance(model, UnreducedModel) else model
