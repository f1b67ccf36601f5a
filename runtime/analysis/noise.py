"""Computes the noise of a linear model: white sources, their frequency responses -> spectral densities and powers.

All densities are one-sided: in V2/Hz for a voltage in V. The sources are independent of each other.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from cutset.runtime.analysis.frequency_response import response_of
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector

_PRECISION = 1e-9


@dataclass(frozen=True, eq=False)
class NoiseSources:
    """The inputs at sources of small signals, `driven`, and the submodels with noise, one for each source of it:
    columns of B (n, k) and D (l, k), in this order; and the densities of the noise."""

    driven: tuple[str, ...]
    names: tuple[str, ...]
    B: Vector
    D: Vector
    density: Vector

    def densities(self, a: Vector, c: Vector, omega: Vector) -> tuple[Mapping[str, Vector], Vector | None]:
        """The densities at the outputs, (l, N) for each submodel, of the model with the matrices A and C; and the
        square of the gain from the source of small signals, if there is one."""
        gains = np.abs(response_of(a, self.B, c, self.D, np.array(1j * omega, dtype=np.complex128))) ** 2
        found: dict[str, Vector] = {}
        for k, name in enumerate(self.names):
            own = gains[:, len(self.driven) + k] * self.density[k]
            found[name] = found[name] + own if name in found else own
        return found, gains[:, 0] if len(self.driven) == 1 else None


@dataclass(frozen=True, eq=False)
class Noise:
    """The noise at `frequency` (N,) in Hz: the densities (l, N) at the outputs, those of each submodel in `by_source`,
    and `referred` to the source of small signals, by the gain from there to each output; None without one."""

    frequency: Vector
    density: Vector
    by_source: Mapping[str, Vector]
    referred: Vector | None


@dataclass(frozen=True, eq=False)
class NoisePower:
    """The noise between two frequencies: its rms values (l,) at the outputs, the share (l,) of each submodel in their
    squares, and the rms values `referred` to the source of small signals; None without one."""

    rms: Vector
    shares: Mapping[str, Vector]
    referred: Vector | None


def power_over(at: Callable[[Vector], Noise], low: float, high: float) -> NoisePower:
    """The noise from `low` to `high`, in Hz; RunError E605 unless 0 < low < high."""
    if not 0.0 < low < high < np.inf:
        what = f"noise cannot be measured from {low:g} Hz to {high:g} Hz"
        raise RunError("E605", what, "give two frequencies above 0, the lower one first")
    from scipy.integrate import quad_vec  # slow to import

    first = at(np.array([low]))
    names = list(first.by_source)

    def densities(logarithm: float) -> Vector:
        f = np.exp(logarithm)
        found = at(np.array([f]))
        rows = [found.by_source[name] for name in names] + ([] if found.referred is None else [found.referred])
        weighted: Vector = np.stack([row[:, 0] for row in rows]) * f
        return weighted

    # Parts are integrated one by one, so that a narrow peak is not missed.
    edges = np.linspace(np.log(low), np.log(high), 2 + int(4.0 * np.log10(high / low)))
    parts = [quad_vec(densities, a, b, epsabs=0.0, epsrel=_PRECISION)[0] for a, b in itertools.pairwise(edges)]
    squares = np.sum(parts, axis=0)
    own = squares[: len(names)]
    total = own.sum(axis=0)
    shares = {name: own[k] / np.where(total > 0.0, total, 1.0) for k, name in enumerate(names)}
    return NoisePower(np.sqrt(total), shares, None if first.referred is None else np.sqrt(squares[-1]))
