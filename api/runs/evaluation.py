"""Evaluates a model at points: derivatives of the states, other variables, matrices. Integrates nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

import numpy as np

from cutset.api.runs.settings import StepSettings
from cutset.api.translate.given_values import array_of
from cutset.api.translate.parameter_values import Setting
from cutset.api.translated_model import TranslatedModel
from cutset.compiler.options import Options
from cutset.contract.names import disturbance_name
from cutset.runtime.errors import RunError, require_names, unknown_name
from cutset.runtime.given.inputs import derivative_of, resolve_inputs
from cutset.runtime.interface import CompiledModel, Values, Vector, all_finite
from cutset.runtime.outcome import Outcome
from cutset.runtime.results.selection import select
from cutset.runtime.runs.many_points import HeldAtPoints, rates_at
from cutset.runtime.targets.binding import finite_number
from cutset.runtime.targets.c_model import CModel

if TYPE_CHECKING:
    from cutset.api.runs.estimator import Estimator
    from cutset.runtime.analysis.linearize import Linearization

# A number, or one for each point; the numbers of one point, or a row for each.
Times = float | Sequence[float] | Vector
Rows = Sequence[float] | Sequence[Sequence[float]] | Vector


class PointFunctions(TranslatedModel):
    """What a `Model` computes at points. Inputs are 0 by default; relations agree with the point, and discrete
    variables have their start values."""

    @cached_property
    def _at_points(self) -> dict[str, _Points]:
        return {}

    def evaluate(
        self,
        time: Times,
        states: Rows,
        inputs: Rows | None = None,
        parameters: Mapping[str, Setting] | None = None,
        target: str = "auto",
    ) -> Vector:
        """The derivatives of the states at one point: shape (n,), for `states` (n,) and `inputs` in the orders of these
        properties. For example ``model.evaluate(0.0, [1.0])``. At N points: (N, n), for `states` (N, n), and `time`
        (N,) and `inputs` (N, n_inputs), or the same for all; scalar `parameters` may be arrays (N,).

        ValueError for arrays of the wrong shape, RunError if a result is not finite.
        """
        n = len(states) if np.ndim(states) == 2 else 0
        columns = {name: value for name, value in (parameters or {}).items() if n and np.shape(value) == (n,)}
        columns = {name: value for name, value in columns.items() if name not in self.translated.info.arrays}
        if columns:
            return self._with_columns(time, states, inputs, parameters or {}, columns, target)
        return self._points(parameters, target).derivatives(time, states, inputs)

    def _with_columns(
        self, time: Times, states: Any, inputs: Any, given: Mapping[str, Any], columns: Mapping[str, Any], target: str
    ) -> Vector:
        """The derivatives at points of which each has values of parameters of its own."""
        first, found = {**given, **{name: column[0] for name, column in columns.items()}}, list[Vector]()
        model, compiled, _ = self._free(columns).bound(first, target)
        t, x, u = model._points(first, target).point(time, np.asarray(states, dtype=float), inputs)
        for k in range(len(x)):
            own = compiled.bind(model._numbers({**given, **{name: column[k] for name, column in columns.items()}}))
            found.append(_Points(compiled, own).derivatives(float(t[k]), x[k], u[k]))
        return np.stack(found)

    def _free(self, names: Iterable[str]) -> Self:
        """The model in which these parameters can change. RunError E602 for an unknown one, E604 for one that decides
        on the structure."""
        info = self.translated.info
        for name in names:
            slot = info.names.get(name)
            if name not in self.folded and (slot is None or slot.array != "p"):
                raise RunError("E602", *unknown_name("parameter", name, [*info.parameters, *info.folded]))
        model = self.unfolded(names)
        for name in sorted(model.folded.keys() & set(names)):
            raise RunError("E604", f"'{name}' cannot vary: it decides on the equations", "leave it out")
        return model

    def outputs(
        self,
        time: Times,
        states: Rows,
        inputs: Rows | None = None,
        names: str | Iterable[str] = "*",
        parameters: Mapping[str, Setting] | None = None,
        target: str = "auto",
    ) -> dict[str, Any]:
        """The variables whose names match one of the patterns `names`, by name: numbers at one point, arrays (N,) at N
        points. Arguments and errors as in `evaluate`, UnknownName for a pattern without a match; a variable may have no
        finite value."""
        return self._points(parameters, target).outputs(time, states, inputs, names)

    def linearize(
        self,
        time: float,
        states: Sequence[float] | Vector,
        inputs: Sequence[float] | Vector | None = None,
        outputs: str | Iterable[str] = (),
        parameters: Mapping[str, Setting] | None = None,
        target: str = "auto",
        by: Sequence[str] = (),
    ) -> Linearization:
        """The matrices of the model linearized about one point, with the variables that match `outputs` as its outputs,
        and the parameters `by` as further inputs: see `Linearization`. Errors as in `outputs`, RunError E637 if a
        derivative is not finite, E602 or E604 for a parameter that cannot vary."""
        model, given = self._free(by), self._numbers(parameters or {})
        points, known = model._points(parameters, target), model.parameters
        at = {name: given.get(name, known[name]) for name in by}
        return points.linearization(time, states, inputs, outputs, at, given)

    def discrete(
        self,
        interval: float,
        outputs: str | Iterable[str] = (),
        time: float = 0.0,
        parameters: Mapping[str, Setting] | None = None,
        **settings: Unpack[StepSettings],
    ) -> Linearization:
        """The linear model from sample to sample, `interval` s apart, about the point of a run at `time`, with the
        variables that match `outputs`. Its states are those of the model and the discrete variables, controllers
        included; inputs are constant between samples. RunError as in `simulator`, E637 if a derivative is not
        finite."""
        from cutset.api.files.controllers import samples_of
        from cutset.api.runs.discrete import TOLERANCE, discrete
        from cutset.api.runs.stepping import simulator_of

        settings.setdefault("rtol", TOLERANCE)
        sim = simulator_of(self, self._numbers(parameters or {}), "auto", settings)
        if not sim.time <= finite_number("time", time):
            raise RunError("E605", f"the time must not be before the start, {sim.time:g} s", "give a later time")
        if time > sim.time:
            sim.step(time - sim.time)
        chosen = select([outputs] if isinstance(outputs, str) else outputs, tuple(sim.info.names))
        _, compiled, values = self.bound(parameters or {}, "auto")
        return discrete(sim, interval, chosen, samples_of(compiled.info, compiled, values))

    def estimator(
        self,
        kind: Literal["ekf", "ukf"],
        measured: Mapping[str, float],
        noise: Mapping[str, float],
        sample: float,
        uncertain: Mapping[str, float] | None = None,
        parameters: Mapping[str, Setting] | None = None,
        **settings: Unpack[StepSettings],
    ) -> Estimator:
        """A Kalman filter, the extended or the unscented one, for the states of the model and the parameters that
        `noise` or `uncertain` names. `measured` has the standard deviations of the measured variables, `noise` those by
        which states and parameters wander in 1 s (in their units per square root of s), `uncertain` those of the values
        at the start; others are exact there. `sample` is the time between samples in s, the settings are those of
        `simulator`. RunError E602, E607 for wrong names, E604 for a parameter that cannot vary, E605."""
        from cutset.api.runs.estimator import estimator_of
        from cutset.api.runs.stepping import simulator_of

        given = self._numbers(parameters or {})
        return estimator_of(
            self,
            kind,
            measured,
            noise,
            uncertain or {},
            sample,
            lambda model: simulator_of(model, given, "auto", settings),
        )

    def disturbed(self, *signals: str) -> Self:
        """The model with a further input, zero in runs, for each of these variables: `disturbance(x)` is added to x
        for all that reads x, but not for what determines it. Linear models of its runs have it as an input. The gain of
        the loop through c.u is ``model.disturbed("c.u").steady().linearize(["c.u"]).opened("c.u")``. RunError E602 for
        an unknown variable, E605 for a parameter."""
        info = self.translated.info
        names = [each for signal in signals for each in info.arrays.get(signal, (signal,))]
        for name in names:
            if name in self.folded or (name in info.names and info.names[name].array == "p"):
                raise RunError("E605", f"'{name}' is a parameter", "give it as `by` of linearize")
        require_names("variable", names, info.names)
        for name in names:
            if name in info.states:
                hint = f"disturb what reads it, with an equation such as y = {name}"
                raise RunError("E605", f"'{name}' is a state, which its own equation reads", hint)
        model = self.retranslated(Options(disturbed=tuple(names)))
        if any(derivative_of(disturbance_name(name)) in model.inputs for name in names):
            raise RunError("E605", "the model would need the derivative of a disturbance", "disturb another variable")
        return model

    def _points(self, parameters: Mapping[str, Setting] | None, target: str) -> _Points:
        if parameters:
            return _Points(*self.bound(parameters, target)[1:])
        if target not in self._at_points:
            self._at_points[target] = _Points(*self.bound({}, target)[1:])
        return self._at_points[target]


class _Points:
    """A compiled model with values of its parameters. Each evaluation starts from the same guesses, so that it does not
    depend on the ones before."""

    def __init__(self, compiled: CompiledModel, values: Values):
        self._compiled, self._values, self._info = compiled, values, compiled.info
        self._guesses = values.w[: compiled.info.n_guesses].copy()
        self._no_inputs = resolve_inputs(compiled.info, {}).at(0.0)
        self._has_modes = bool(compiled.info.n_modes)
        self._no_modes = np.zeros(0)
        self._held = None
        if compiled.info.relations:
            self._held = HeldAtPoints(compiled, values)

    def derivatives(self, time: Times, states: Rows, inputs: Rows | None) -> Vector:
        t, x, u = self.point(time, states, inputs)
        if x.ndim == 2:
            return self._of_all(t, x, u)
        m = self._modes(t, x, u)
        dx = self._compiled.derivatives(t, x, u, self._values, m)
        # The sum of squares is finite unless a number is not, or very large.
        if not math.isfinite(dx.dot(dx)) or self._info.n_guards:
            self._check(t, x, u, m, dx)
        return dx

    def outputs(self, time: Times, states: Rows, inputs: Rows | None, names: str | Iterable[str]) -> dict[str, Any]:
        chosen = select([names] if isinstance(names, str) else names, tuple(self._info.names))
        t, x, u = self.point(time, states, inputs)
        if x.ndim == 1:
            return {
                name: float(values[0])
                for name, values in self._variables(np.array([t]), x[None, :], u[None, :], chosen)
            }
        return dict(self._variables(t, x, u, chosen))

    def linearization(
        self,
        time: float,
        states: Rows,
        inputs: Rows | None,
        outputs: str | Iterable[str],
        by: Mapping[str, float],
        given: Mapping[str, float],
    ) -> Linearization:
        from cutset.runtime.analysis.linearize import linearize
        from cutset.runtime.analysis.singular_point import Point

        chosen = select([outputs] if isinstance(outputs, str) else outputs, tuple(self._info.names))
        t, x, u = self.point(time, states, inputs)
        if x.ndim != 1:
            raise ValueError(f"states: expected one point, not an array of the shape {x.shape}")
        at = Point(t, x, u, self._modes(t, x, u))
        return linearize(
            self._compiled, self._values, at, chosen, by, lambda own: self._compiled.bind({**given, **own})
        )

    def point(self, time: Times, states: Rows, inputs: Rows | None) -> tuple[Any, Vector, Vector]:
        """The arrays of one point, or of several: time (N,), states (N, n), inputs (N, n_inputs)."""
        self._values.w[: len(self._guesses)] = self._guesses
        try:
            x = np.ascontiguousarray(states, dtype=float)
        except (TypeError, ValueError):
            x = np.zeros(0)
        if x.ndim == 2 and x.shape[-1] == len(self._info.states) and np.isfinite(x).all():
            return self._rows(time, x, inputs)
        if x.shape != (len(self._info.states),) or not math.isfinite(x.dot(x)):
            x = array_of("states", states, self._info.states)  # type: ignore[arg-type]
        u = self._no_inputs if inputs is None else array_of("inputs", inputs, self._info.inputs)  # type: ignore[arg-type]
        t = time if type(time) is float and math.isfinite(time) else finite_number("time", time)  # type: ignore[arg-type]
        return t, x, u

    def _rows(self, time: Times, x: Vector, inputs: Rows | None) -> tuple[Vector, Vector, Vector]:
        shapes = {"time": (len(x),), "inputs": (len(x), len(self._no_inputs))}
        given = {"time": time, "inputs": self._no_inputs if inputs is None else inputs}
        found = {}
        for what, value in given.items():
            try:
                found[what] = np.ascontiguousarray(np.broadcast_to(np.asarray(value, dtype=float), shapes[what]))
            except (TypeError, ValueError):
                raise ValueError(
                    f"{what}: expected the shape {shapes[what]} or that of one point, not {value!r}"
                ) from None
            if not np.isfinite(found[what]).all():
                raise ValueError(f"{what}: expected finite numbers")
        return found["time"], x, found["inputs"]

    def _modes(self, t: float, x: Vector, u: Vector) -> Vector:
        return self._modes_of_all(np.array([t]), x, u).reshape(-1) if self._has_modes else self._no_modes

    def _of_all(self, t: Vector, x: Vector, u: Vector) -> Vector:
        m = self._modes_of_all(t, x, u)
        if isinstance(self._compiled, CModel):
            dx = rates_at(self._compiled, t, x, u, self._values, m, self._guesses)
            wrong = np.flatnonzero(~np.isfinite(dx).all(axis=1))[:1].tolist()
        else:
            dx, wrong = np.empty((len(x), self._info.n_rates)), list(range(len(x)))
        for k in wrong:
            self._values.w[: len(self._guesses)] = self._guesses
            dx[k] = self._compiled.derivatives(float(t[k]), x[k], u[k], self._values, m[k])
            self._check(float(t[k]), x[k], u[k], m[k], dx[k])
        return dx

    def _modes_of_all(self, t: Vector, x: Vector, u: Vector) -> Vector:
        if self._held is not None:
            return self._held.at(t, x, u)
        discrete = self._values.s[len(self._info.states) :][: len(self._info.discrete)]
        return np.tile(discrete, (len(t), 1))

    def _variables(self, t: Vector, x: Vector, u: Vector, names: Sequence[str]) -> Iterable[tuple[str, Vector]]:
        m = self._modes_of_all(t, x, u)
        guesses = np.tile(self._guesses, (len(t), 1))
        y = self._compiled.variables(t, x, u, self._values, m, guesses)
        p = np.tile(self._values.p, (len(t), 1))
        arrays = {"x": x, "y": y, "u": u, "m": m, "p": p}
        for name in names:
            slot = self._info.names[name]
            yield name, slot.sign * arrays[slot.array][:, slot.index]

    def _check(self, t: float, x: Vector, u: Vector, m: Vector, dx: Vector) -> None:
        """RunError, with the reason, if a derivative or a guarded number is not finite."""
        if not all_finite(self._info, dx, self._values):
            from cutset.runtime.analysis.explain import explain
            from cutset.runtime.analysis.singular_point import Point

            raise explain(self._compiled, self._values, Outcome.NOT_FINITE, Point(t, x, u, m), None).error()
