"""Linearizes a model about a point -> matrices A, B, C, D with names, eigenvalues and damping. Integrates nothing.

    der(x) = A*x + B*u,  y = C*x + D*u  for small deviations x, u, y from the point

Values that are held between events (relations, discrete variables, delayed values) are constant here too.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cutset.contract.abridged import quoted
from cutset.contract.metadata import ModelInfo, Slot
from cutset.contract.names import SOURCE, density_of, disturbance_name, rpartition
from cutset.runtime.analysis.explain import explain
from cutset.runtime.analysis.noise import Noise, NoisePower, NoiseSources
from cutset.runtime.analysis.singular_point import Point
from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError, unknown_variable
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.whole_files import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# The first difference step, relative to the size of a variable; each further step is half of the one before.
_STEP = 2e-3
_HALVINGS = 3
# Smaller steps for inputs, whose usual sizes are not known, count if their error is less by this factor.
SCALES = (1.0, 1e-3, 1e-6, 1e-9)
_CLEARLY = 0.1
# The relative error of elements of A, as a fraction of the largest: symbolic derivatives, and differences.
_ROUNDING = 1e-13
_ROUNDING_OF_DIFFERENCES = 1e-10


@dataclass(frozen=True, eq=False, repr=False)
class Linearization:
    """The matrices A (n, n), B (n, k), C (l, n), D (l, k) about `point`, with the names of the n states, k inputs and l
    outputs; `u` (k,) are the inputs and `y` (l,) the outputs at the point. Parameters may be inputs, the last ones.
    With an `interval` in s the model gives the states at the next sample in place of their derivatives. `rounding` is
    the error of elements of A as a fraction of the largest. `notes` say what the matrices leave out,
    `sources` are those of noise, if the model was translated for that."""

    point: Point
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: Vector
    B: Vector
    C: Vector
    D: Vector
    u: Vector = field(default_factory=lambda: np.zeros(0))
    y: Vector = field(default_factory=lambda: np.zeros(0))

    rounding: float = _ROUNDING
    notes: tuple[str, ...] = ()
    sources: NoiseSources | None = None
    interval: float = 0.0

    def __repr__(self) -> str:
        names = (self.states, "state"), (self.inputs, "input"), (self.outputs, "output")
        sizes = ", ".join(counted(len(of), noun) for of, noun in names)
        return f"<Linearization at time {self.point.t:g}: {sizes}>"

    @cached_property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """The eigenvalues of A in 1/s, the slowest first; of a sampled model those of the z-plane, the largest
        first."""
        if self.interval:
            found = np.linalg.eigvals(self.A).astype(complex)
            found[np.abs(found) < self.rounding] = 0.0
            return found[np.argsort(-np.abs(found), kind="stable")]
        return eigenvalues_of(self.motions)

    @cached_property
    def motions(self) -> tuple[Motion, ...]:
        """The natural motions: one for each real eigenvalue and each conjugate pair, the slowest first; one for all
        zero eigenvalues. RunError E605 for a sampled model."""
        if self.interval:
            raise RunError("E605", "a sampled model has no natural motions", "look at its eigenvalues in the z-plane")
        return motions_of(self.A, self.states, self.rounding)

    def response(self, omega: Vector) -> NDArray[np.complex128]:
        """The frequency response from the inputs to the outputs, G = C*inv(j*omega*I - A)*B + D, at N angular
        frequencies in rad/s: shape (l, k, N). Its absolute values are the gains, its angles the phases; nan where
        j*omega is an eigenvalue of A. Of a sampled model that from samples to samples, with exp(j*omega*interval)."""
        from cutset.runtime.analysis.frequency_response import response_of

        s = 1j * np.atleast_1d(np.asarray(omega, dtype=float))
        return response_of(self.A, self.B, self.C, self.D, np.exp(s * self.interval) if self.interval else s)

    def bode(self, omega: Vector | None = None) -> Figure:
        """The Bode plot: gain in dB and phase in degrees from each input to each output, over the frequency in Hz.
        `omega` are angular frequencies in rad/s; by default from well below the slowest motion to well above the
        fastest. RunError E605 without inputs or outputs."""
        from cutset.runtime.analysis.frequency_response import bode_figure, frequencies_of

        fastest = np.pi / self.interval if self.interval else 0.0
        default = np.geomspace(1e-4 * fastest, fastest, 300) if fastest else frequencies_of(self.eigenvalues)
        at = default if omega is None else np.asarray(omega, dtype=float)
        return bode_figure(self.response(at), at, self.inputs, self.outputs)

    def noise(self, frequency: Vector) -> Noise:
        """The noise of the outputs at these frequencies in Hz, also referred to the source with `ac` or the only input.
        RunError E605 for a model without noise, `Model.small_signal(noise=True)`, and without outputs."""
        if self.sources is None or not self.outputs:
            hint = "simulate model.small_signal(noise=True), and name outputs; resistors and junctions make noise"
            raise RunError("E605", "the linear model has no sources of noise, or no outputs", hint)
        f = np.atleast_1d(np.asarray(frequency, dtype=float))
        by_source, gain = self.sources.densities(self.A, self.C, 2.0 * np.pi * f)
        total = np.sum(list(by_source.values()), axis=0)
        if gain is None and len(self.inputs) == 1:
            gain = np.abs(self.response(2.0 * np.pi * f)[:, 0]) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            return Noise(f, total, by_source, None if gain is None else total / gain)

    def noise_power(self, low: float, high: float) -> NoisePower:
        """The noise of the outputs from `low` to `high`, in Hz; errors as `noise`, and E605 for no such band."""
        from cutset.runtime.analysis.noise import power_over

        return power_over(self.noise, low, high)

    def opened(self, signal: str) -> Linearization:
        """The model without what returns to a signal that is disturbed and an output here: what reads it reads an input
        with its name, in place of `disturbance(signal)`, and the output is what would return. RunError E605 if it is
        not both, E637 if it determines itself without delay."""
        if self.interval:
            raise RunError("E605", "no loop of a sampled model can be opened", "open that of the model by linearize")
        own = disturbance_name(signal)
        if own not in self.inputs or signal not in self.outputs:
            hint = f'linearize model.disturbed("{signal}") with the output "{signal}"'
            raise RunError("E605", f"no loop can be opened at '{signal}', which is no disturbed output", hint)
        j, i = self.inputs.index(own), self.outputs.index(signal)
        whole, n = np.block([[self.A, self.B], [self.C, self.D]]), len(self.A)
        column, row, corner = whole[:, n + j], whole[n + i].copy(), 1.0 + self.D[i, j]
        if abs(corner) <= self.rounding * max(1.0, abs(self.D[i, j])):
            hint = "open the loop at another signal"
            raise RunError("E637", f"'{signal}' determines itself at once, so that no loop can be opened there", hint)
        row[n + j] -= 1.0
        whole = whole - np.outer(column, row) / corner
        whole[:, n + j] = column / corner
        inputs = tuple(signal if name == own else name for name in self.inputs)
        a, b, c, d = whole[:n, :n], whole[:n, n:], whole[n:, :n], whole[n:, n:]
        return replace(self, inputs=inputs, A=a, B=b, C=c, D=d)

    def to_control(self) -> Any:
        """The model as a `control.StateSpace` with names; `/` replaces the dots, which python-control reserves.
        RunError
        E605 if python-control is not installed, or if the model has no inputs, since it takes no such systems."""
        try:
            import control  # pyright: ignore[reportMissingImports]
        except ImportError as error:
            hint = "install it: pip install control"
            raise RunError("E605", "python-control is not installed", hint) from error
        if not self.inputs:
            hint = "declare the external signal as an input: input u"
            raise RunError("E605", "python-control does not accept systems without inputs", hint)
        names = {kind: [name.replace(".", "/") for name in own] for kind, own in self._names().items()}
        return control.ss(self.A, self.B, self.C, self.D, self.interval, **names)

    def to_npz(self, path: str | os.PathLike[str]) -> None:
        """Write A, B, C, D, the values of states, inputs and outputs at the point (x, u, y), and their names, for
        ``numpy.load``."""
        _check_extension(path, ".npz", "to_npz")
        texts = {kind: np.array(names, dtype=str) for kind, names in self._names().items()}
        with written_whole(path) as place:
            np.savez(place, allow_pickle=False, **self._numbers(), **texts)

    def to_mat(self, path: str | os.PathLike[str]) -> None:
        """Write the same for MATLAB's ``load``: vectors are columns, names are cell arrays of strings, as ``ss`` takes
        them."""
        from scipy.io import savemat  # slow to import

        _check_extension(path, ".mat", "to_mat")
        cells = {kind: np.array(names, dtype=object).reshape(-1, 1) for kind, names in self._names().items()}
        columns = {name: value.reshape(-1, 1) for name, value in self._numbers().items() if np.ndim(value) == 1}
        with written_whole(path) as place:
            savemat(place, self._numbers() | columns | cells)

    def _numbers(self) -> dict[str, Any]:
        point = {"time": self.point.t, "x": self.point.x, "u": self.u, "y": self.y}
        return {"A": self.A, "B": self.B, "C": self.C, "D": self.D, **point}

    def _names(self) -> dict[str, tuple[str, ...]]:
        return {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}


def _check_extension(path: str | os.PathLike[str], extension: str, what: str) -> None:
    if os.path.splitext(path)[1].lower() != extension:
        raise RunError(
            "E605", f"'{os.fspath(path)}' is not a file name for {what}", f"use a name that ends in '{extension}'"
        )


def linearize(
    model: CompiledModel,
    values: Values,
    point: Point,
    outputs: Sequence[str] = (),
    parameters: Mapping[str, float] = MappingProxyType({}),
    bound: Callable[[Mapping[str, float]], Values] | None = None,
) -> Linearization:
    """Linearize the model about a point of a run, with its values. `outputs` are names of variables. `parameters` are
    further inputs, with their values; `bound` gives the values of the model for others.

    A is exact if the model provides its derivatives; otherwise A, like B, C and D, comes from central differences
    extrapolated to step zero. UnknownName for an unknown output, RunError E637 if a derivative is not finite.
    """
    info = model.info
    densities = [name for each in info.inputs if (name := density_of(each))]
    driven = [each for each in info.inputs if rpartition(each)[2].startswith(SOURCE)]
    slots = [_slot(model, name) for name in (*outputs, *densities)]
    n, k = len(info.states), len(info.inputs)

    def all_of(x: Vector, u: Vector, values: Values = values) -> Vector:
        """The derivatives of the states, followed by the outputs."""
        dx = model.derivatives(point.t, x, u, values, point.modes)
        return np.concatenate([dx, _outputs(model, values, Point(point.t, x, u, point.modes), slots)])

    def with_parameters(z: Vector) -> Vector:
        assert bound is not None, "parameters can change"
        return all_of(point.x, point.u, bound(dict(zip(parameters, z.tolist(), strict=True))))

    x, u, p = point.x, point.u, np.array(list(parameters.values()))
    exact = _exact(model, values, point)
    if exact is not None and not slots:
        by_states = exact
    else:
        by_states = slopes(lambda z: all_of(z, u), x, np.maximum(np.abs(x), values.n), n)
        by_states[:n] = by_states[:n] if exact is None else exact
    by_inputs = slopes(lambda z: all_of(x, z), u, np.maximum(np.abs(u), 1.0), k, SCALES)
    parts = [by_states, by_inputs]
    if parameters:
        parts.append(slopes(with_parameters, p, np.where(p == 0.0, 1.0, np.abs(p)), len(p)))
    whole = np.hstack(parts)
    rows = [*(f"der({name})" for name in info.states), *outputs, *densities]
    columns = [*info.states, *info.inputs, *parameters]
    require_finite(whole, rows, columns, point.t)
    at = _outputs(model, values, point, slots)
    if not np.isfinite(at).all():
        raise explain(model, values, Outcome.VARIABLE_NOT_FINITE, point, None).error()
    last, own = n + len(outputs), n + k - len(densities) - len(driven)
    by_all = np.hstack([whole[:last, n:own], whole[:last, n + k :]])
    a, b, c, d = whole[:n, :n], by_all[:n], whole[n:last, :n], by_all[n:]
    rounding = _ROUNDING_OF_DIFFERENCES if exact is None else _ROUNDING
    inputs = *info.inputs[: own - n], *parameters
    noisy = tuple(rpartition(name)[0] or info.name for name in densities)
    by_sources = whole[:n, own : n + k], whole[n:last, own : n + k]
    sources = NoiseSources(tuple(driven), noisy, *by_sources, at[len(outputs) :]) if noisy else None
    return Linearization(
        point, tuple(info.states), inputs, tuple(outputs), a, b, c, d, np.array([*u[: own - n], *p]),
        at[: len(outputs)], rounding, _left_out(info), sources,
    )  # fmt: skip


def require_finite(whole: Vector, rows: Sequence[str], columns: Sequence[str], time: float) -> None:
    """RunError E637 if a derivative is not finite."""
    wrong = [f"{rows[i]} by {columns[j]}" for i, j in np.argwhere(~np.isfinite(whole)).tolist()]
    if wrong:
        hint = "linearize at another time, where the model is smooth"
        raise RunError("E637", f"the model has no finite derivatives at this point, at time {time!r}", hint, wrong[:12])


def _left_out(info: ModelInfo) -> tuple[str, ...]:
    if not info.delays:
        return ()
    those = quoted(info.delays, 4)
    return (f"delayed values are constant in the linear model, whose motions therefore lack their effect: {those}",)


def slopes_of(model: CompiledModel, values: Values, point: Point) -> Vector:
    """The derivatives of dx/dt by the states: shape (n, n); exact if the model provides them, else extrapolated
    differences. Undefined elements are nan or inf."""
    exact = _exact(model, values, point)
    if exact is not None:
        return exact
    x, sizes = point.x, np.maximum(np.abs(point.x), values.n)
    return slopes(lambda z: model.derivatives(point.t, z, point.u, values, point.modes), x, sizes, len(x))


def _exact(model: CompiledModel, values: Values, point: Point) -> Vector | None:
    if not model.info.has_jacobian or not len(point.x):
        return None
    exact = model.jacobian(point.t, point.x, point.u, values, point.modes)
    return exact if np.isfinite(exact).all() else None


def _slot(model: CompiledModel, name: str) -> Slot:
    slot = model.info.names.get(name)
    if slot is None:
        raise unknown_variable(name, model.info.names)
    return slot


def _outputs(model: CompiledModel, values: Values, point: Point, slots: Sequence[Slot]) -> Vector:
    if not slots:
        return np.zeros(0)
    t, x, u, m = np.array([point.t]), point.x, point.u, point.modes
    y = model.variables(t, x[None, :], u[None, :], values, m[None, :])[0]
    arrays = {"y": y, "x": x, "u": u, "m": m, "p": values.p}
    return np.array([slot.sign * arrays[slot.array][slot.index] for slot in slots])


def slopes(
    f: Callable[[Vector], Vector], z: Vector, sizes: Vector, columns: int, scales: Sequence[float] = (1.0,)
) -> Vector:
    """The derivatives of f by the first elements of z: shape (n, columns). Smaller scales of the steps count where they
    are clearly better: a step that is small for one model is large for another."""
    found = []
    for j in range(columns):
        best, least = _column(f, z, j, scales[0] * float(sizes[j]))
        for scale in scales[1:]:
            slopes, error = _column(f, z, j, scale * float(sizes[j]))
            better = error < _CLEARLY * least
            best, least = np.where(better, slopes, best), np.where(better, error, least)
        found.append(best)
    return np.array(found).T if found else np.zeros((len(f(z)), 0))


def _column(f: Callable[[Vector], Vector], z: Vector, j: int, size: float) -> tuple[Vector, Vector]:
    """The derivatives by element j, and estimates of their errors. Central differences with a step and its halves are
    extrapolated (L. F. Richardson 1911); the result is the entry of the table that differs least from the one before
    it. The least difference may be an accident; the error is the largest of those between the last entries."""
    table: list[Vector] = []
    best, least, error = np.zeros(0), np.zeros(0), np.zeros(0)
    for halving in range(_HALVINGS + 1):
        h, above, below = _STEP * size / 2**halving, z.copy(), z.copy()
        above[j] += h
        below[j] -= h
        with np.errstate(invalid="ignore", over="ignore"):
            row: list[Vector] = [(f(above) - f(below)) / (above[j] - below[j])]
            for order, coarser in enumerate(table, start=1):
                row.append(row[-1] + (row[-1] - coarser) / (4.0**order - 1.0))
            if halving == 0:
                best, least = row[0].copy(), np.full(len(row[0]), np.inf)
            for coarse, fine in itertools.pairwise(row):
                change = np.abs(fine - coarse)
                better = change < least
                best[better], least = fine[better], np.where(better, change, least)
            last = [*row[1:], *table[-1:]]
            error = np.max(np.abs(np.diff(last, axis=0)), axis=0) if len(last) > 1 else least
        table = row
    return best, np.where(np.isfinite(best + error), error, np.inf)


# --- motions --------------------------------------------------------------------------------------

# States that depend on each other in a cycle are a block; the eigenvalues of A are those of its blocks. A block is
# balanced first, and a value that is small next to the balanced size is zero: so round-off is not taken for a motion,
# and a slow part of a model not for round-off of a fast one.


# States with a smaller participation are not named.
_PART = 0.1


@dataclass(frozen=True)
class Motion:
    """An eigenvalue in 1/s (of a conjugate pair, the one with positive imaginary part), the angular frequency of the
    undamped motion in rad/s, the damping ratio (1: aperiodic, negative: unstable), and the states with the largest
    participation, each from 0 to 1.

    All zero eigenvalues are one motion: `count` is their number, `damping` is None, and the participations are those in
    all of them together, since only these are unique.
    """

    eigenvalue: complex
    frequency: float
    damping: float | None
    states: tuple[tuple[str, float], ...]
    count: int = 1


def motions_of(a: Vector, names: Sequence[str], rounding: float) -> tuple[Motion, ...]:
    """One motion for each real eigenvalue of a (n, n) and each conjugate pair, the slowest first. `names` (n,) are the
    states, `rounding` is the error of the elements of `a` as a fraction of the largest."""
    found: list[Motion] = []
    none = Motion(0j, 0.0, None, (), 0)
    for states in _blocks(a):
        own = [names[int(i)] for i in states]
        block = a[np.ix_(states, states)]
        zeros, moving = _zeros(block, own, rounding), _moving(block, own, rounding)
        if zeros is not None:
            none = replace(none, states=none.states + zeros.states, count=none.count + zeros.count)
        found += moving
    ordered = sorted(found, key=lambda m: (m.frequency, m.eigenvalue.real))
    at = {name: i for i, name in enumerate(names)}
    none = replace(none, states=tuple(sorted(none.states, key=lambda named: (-round(named[1], 6), at[named[0]]))))
    return (none, *ordered) if none.count else tuple(ordered)


def eigenvalues_of(motions: Sequence[Motion]) -> NDArray[np.complex128]:
    """All eigenvalues, with their multiplicity and conjugates, the slowest first."""
    values = [
        v for m in motions for v in [m.eigenvalue] * m.count + ([m.eigenvalue.conjugate()] if m.eigenvalue.imag else [])
    ]
    return np.asarray(sorted(values, key=lambda v: (abs(v), v.real, v.imag)), dtype=complex)


def _blocks(a: Vector) -> Iterator[NDArray[np.int64]]:
    from scipy.sparse.csgraph import connected_components  # slow to import

    if len(a):
        count, label = connected_components(a != 0.0, directed=True, connection="strong")
        order = np.argsort(label, kind="stable")
        yield from np.split(order, np.searchsorted(label[order], np.arange(1, count)))


def _balanced(block: Vector, rounding: float) -> tuple[Vector, float]:
    """The block scaled by units of its states so that its elements are of similar size, and the size that counts as
    zero."""
    from scipy.linalg import matrix_balance

    block = matrix_balance(block, permute=False)[0]
    return block, rounding * float(np.linalg.norm(block, 2))


def _zeros(block: Vector, names: Sequence[str], rounding: float) -> Motion | None:
    """The participations are the diagonal of the projector on the invariant subspace of zero: for one eigenvalue the
    participation factors of Perez-Arriaga, Verghese and Schweppe (1982)."""
    block, zero = _balanced(block, rounding)
    right, left = _belonging_to_zero(block, zero), _belonging_to_zero(block.T, zero)
    count = right.shape[1]
    if not count:
        return None
    try:
        parts = np.abs(np.einsum("ij,ji->i", right, np.linalg.solve(left.T @ right, left.T)))
    except (np.linalg.LinAlgError, ValueError):  # the two differ: A is too near to another matrix for its rounding
        parts = np.sum(right * right, axis=1)
    return Motion(0j, 0.0, None, _named(names, parts * count / parts.sum()), count)


def _belonging_to_zero(block: Vector, zero: float) -> Vector:
    """An orthonormal basis (columns) of the vectors that a power of the block maps to zero: null spaces of the block,
    and of the rest without them (V. N. Kublanovskaya 1966; G. H. Golub, J. H. Wilkinson 1976)."""
    found, around = np.zeros((len(block), 0)), np.eye(len(block))
    while len(block):
        _, sizes, rows = np.linalg.svd(block)
        rank = int(np.sum(sizes > zero))
        if rank == len(block):
            break
        found, rest = np.hstack([found, around @ rows[rank:].T]), rows[:rank].T
        block, around = rest.T @ block @ rest, around @ rest
    return found


def _moving(block: Vector, names: Sequence[str], rounding: float) -> list[Motion]:
    """All motions except those at zero, which have the smallest eigenvalues."""
    block, zero = _balanced(block, rounding)
    values, right = np.linalg.eig(block)
    # The inverse would not give left eigenvectors if the block has too few eigenvectors.
    parts = np.abs(right * np.linalg.pinv(right).T)
    parts = parts / np.maximum(parts.sum(axis=0), 1e-300)
    order = np.argsort(np.abs(values), kind="stable")[_belonging_to_zero(block, zero).shape[1] :]
    found = [(complex(values[i]), parts[:, i]) for i in order.tolist()]
    return [_motion(value, _named(names, own), zero) for value, own in found if value.imag >= 0.0]


def _motion(value: complex, states: tuple[tuple[str, float], ...], zero: float) -> Motion:
    # The real part of an undamped oscillation is round-off of either sign.
    real = 0.0 if abs(value.real) <= zero else value.real
    value = complex(real, value.imag)
    return Motion(value, abs(value), -real / abs(value) if value else None, states)


def _named(names: Sequence[str], parts: Vector) -> tuple[tuple[str, float], ...]:
    order = np.argsort(-parts.round(6), kind="stable")
    return tuple((names[int(i)], float(parts[i])) for i in order if parts[i] >= _PART)
