"""Estimates the states and parameters of a model from measured values: Kalman filters over steps of a simulator.

EKF: the extended filter, with differences in the directions of the states. UKF: the unscented filter of Julier and
Uhlmann (Proc. IEEE 92, 2004, (12) to (15)), whose points have equal weights but for the one in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from cutset.api.translated_model import TranslatedModel
from cutset.runtime.errors import RunError, require_names, unknown_variable
from cutset.runtime.interface import Vector
from cutset.runtime.runs.simulator import Simulator
from cutset.runtime.runs.snapshot import Snapshot
from cutset.runtime.targets.binding import finite_number

KINDS = ("ekf", "ukf")
# Of the EKF, in deviations, and at least in parts of a value.
_DIFFERENCE, _LEAST = 1e-2, 1e-6
# The square of the distance of the points of the UKF, in deviations, if the weight of the middle stays positive.
_SPREAD = 3.0
_LARGEST = 1e100


class Estimator:
    """A Kalman filter, made by `Model.estimator`, for n estimated quantities: the states of the model, and parameters.

    `names` are those of the quantities, `mean` (n,) their estimates, `covariance` (n, n) of their errors; `time` is
    that of the last measurement, in s.
    """

    def __init__(
        self,
        kind: str,
        sim: Simulator,
        names: Sequence[str],
        measured: Mapping[str, float],
        noise: Mapping[str, float],
        start: Mapping[str, float],
        sample: float,
    ):
        self.names, self.measured = tuple(names), tuple(measured)
        self._is_extended, self._sim, self._sample = kind == "ekf", sim, sample
        self.mean = np.array([sim[name] for name in names])
        self.covariance = np.diag([start.get(name, 0.0) ** 2 for name in names])
        self._noise = np.diag([noise.get(name, 0.0) ** 2 for name in names])
        self._deviations = np.array(list(measured.values()))
        self._sizes = np.array([max(abs(value), 1.0) * _LEAST for value in self.mean])

    @property
    def time(self) -> float:
        """The time of the estimates in s."""
        return self._sim.time

    def __getitem__(self, name: str) -> float:
        """The estimate of a quantity; the value of any other variable that follows from them."""
        return self._sim[name]

    def deviation(self, name: str) -> float:
        """The standard deviation of the error of a variable."""
        _, spread, _ = self._moments(lambda: self._values([name]))
        return float(np.sqrt(max(spread[0, 0], 0.0)))

    def step(
        self, measured: Mapping[str, float], inputs: Mapping[str, float] | None = None, dt: float | None = None
    ) -> Mapping[str, float]:
        """Go on by `dt`, by default the time between samples, with these inputs, which stay; then correct by what is
        measured there. A value that is missing or nan is skipped. The innovations by name: measured minus expected.
        RunError E602 for an unknown name, and as in `Simulator.step`."""
        for name, value in measured.items():
            if value is None or value == value:
                finite_number(f"the measured value of '{name}'", value)
        require_names("measured variable", measured, self.measured)
        before = self._sim.snapshot(), self.mean, self.covariance
        try:
            return self._step(measured, inputs, self._sample if dt is None else dt)
        except (RunError, np.linalg.LinAlgError) as error:
            self._sim.take(before[0])
            self.covariance = before[2]
            self._set(before[1])
            if isinstance(error, RunError):
                raise
            hint = "give larger deviations of what is measured"
            raise RunError("E605", "the covariance of the measured values is singular", hint) from error

    def _step(
        self, measured: Mapping[str, float], inputs: Mapping[str, float] | None, dt: float
    ) -> Mapping[str, float]:
        self._predict(dt, inputs)
        given = [measured.get(name, np.nan) for name in self.measured]
        used = np.flatnonzero(np.isfinite(given))
        if not len(used):
            return {}
        names = [self.measured[k] for k in used]
        expected, spread, cross = self._moments(lambda: self._values(names))
        total = spread + np.diag(self._deviations[used] ** 2)
        gain = np.linalg.solve(total, cross.T).T
        innovation = np.array(given)[used] - expected
        # The symmetric form keeps the covariance from losing its sign by rounding.
        self.covariance = self.covariance - gain @ cross.T - cross @ gain.T + gain @ total @ gain.T
        self.covariance = 0.5 * (self.covariance + self.covariance.T)
        self._set(self.mean + gain @ innovation)
        return dict(zip(names, innovation.tolist(), strict=True))

    def _predict(self, dt: float, inputs: Mapping[str, float] | None) -> None:
        given, ends = dict(inputs or {}), []

        def after() -> Vector:
            self._sim.step(dt, given)
            ends.append(self._sim.snapshot())
            return self._values(self.names)

        mean, spread, _ = self._moments(after, moves=True)
        self.covariance = spread + self._noise * dt
        self._sim.take(ends[0])
        self._set(mean)

    def _moments(self, f: Callable[[], Vector], moves: bool = False) -> tuple[Vector, Vector, Vector]:
        """Of what f() reads from the simulator: expected value, covariance, and covariance of the quantities with it.
        The first call of f is at the estimates. It `moves` if it advances the simulator."""
        here, n = self._sim.snapshot() if moves else None, len(self.names)
        middle = f()
        if self._is_extended:
            sizes = np.maximum(_DIFFERENCE * np.sqrt(np.diag(self.covariance)), self._sizes)
            pairs = self._both_ways(f, here, np.diag(sizes))
            slopes = (pairs[0] - pairs[1]).T / (2.0 * sizes)
            return middle, slopes @ self.covariance @ slopes.T, self.covariance @ slopes.T
        square = max(_SPREAD, n)
        root = _root(self.covariance) * np.sqrt(square)
        pairs = np.concatenate(self._both_ways(f, here, root))
        mean = (1.0 - n / square) * middle + pairs.sum(axis=0) / (2.0 * square)
        off = pairs - mean
        spread = off.T @ off / (2.0 * square) + (1.0 - n / square) * np.outer(middle - mean, middle - mean)
        return mean, spread, np.concatenate([root.T, -root.T]).T @ off / (2.0 * square)

    def _both_ways(self, f: Callable[[], Vector], here: Snapshot | None, columns: Vector) -> Vector:
        """f at the estimates plus and minus each column: shape (2, n, l)."""
        found = []
        for sign in (1.0, -1.0):
            for column in columns.T:
                if here is not None:
                    self._sim.take(here)
                self._put(self.mean + sign * column)
                found.append(f())
        if here is None:
            self._put(self.mean)
        return np.array(found).reshape(2, len(self.names), -1)

    def _values(self, names: Iterable[str]) -> Vector:
        return np.array([self._sim[name] for name in names])

    def _set(self, mean: Vector) -> None:
        self.mean = mean
        self._put(mean)

    def _put(self, values: Vector) -> None:
        self._sim.set(dict(zip(self.names, values.tolist(), strict=True)))


def _root(covariance: Vector) -> Vector:
    """A symmetric root of a matrix that is positive up to rounding."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T)


def estimator_of(
    model: TranslatedModel,
    kind: str,
    measured: Mapping[str, float],
    noise: Mapping[str, float],
    start: Mapping[str, float],
    sample: float,
    simulator: Callable[[TranslatedModel], Simulator],
) -> Estimator:
    """As `Model.estimator`."""
    if kind not in KINDS:
        raise RunError("E605", f"there is no kind '{kind}' of estimators", f"the kinds are: {', '.join(KINDS)}")
    if not measured:
        raise RunError("E605", "nothing is measured", 'name it with its deviation: measured={"load.phi": 2e-3}')
    for given in (measured, noise, start):
        for name, value in given.items():
            least = 0.0 if given is not measured else math.ulp(0.0)
            if not least <= finite_number(f"the deviation of '{name}'", value) <= _LARGEST:
                raise RunError("E605", f"the deviation of '{name}' is {value:g}", "give a positive standard deviation")
    if not finite_number("the time between samples", sample) > 0.0:
        raise RunError("E605", f"the time between samples must be positive, not {sample!r}")
    wanted = dict.fromkeys((*noise, *start))
    model = model.unfolded(wanted)
    info = model.translated.info
    require_names("state or parameter", wanted, (*info.states, *info.parameters))
    for name in measured:
        if name not in info.names:
            raise unknown_variable(name, tuple(info.names))
    if not (info.states or wanted):
        raise RunError("E605", "the model has no states", "name the parameters to estimate in `uncertain`")
    names = (*info.states, *(name for name in wanted if name not in info.states))
    return Estimator(kind, simulator(model), names, measured, noise, start, sample)
