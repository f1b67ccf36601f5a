"""Computes and draws the frequency response of a linear model: matrices -> gains and phases over frequency."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cutset.contract.names import label
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FREQUENCIES = 300
# The default frequencies go so far beyond the slowest and the fastest motion.
_BEYOND = 100.0
# Slower motions are integrators, up to rounding.
_STANDING = 1e-9
# More curves than this are not told apart.
_MOST_CURVES = 40


def frequencies_of(eigenvalues: NDArray[np.complex128]) -> Vector:
    """Angular frequencies in rad/s, in equal ratios, from well below the slowest motion to well above the fastest."""
    sizes = [float(size) for size in np.abs(eigenvalues) if size > _STANDING]
    low, high = (min(sizes) / _BEYOND, max(sizes) * _BEYOND) if sizes else (1.0 / _BEYOND, _BEYOND)
    return np.geomspace(low, high, _FREQUENCIES)


def decades(low: float, high: float, each: int) -> Vector:
    """Frequencies from the low to the high one in equal ratios, some `each` decade."""
    return np.geomspace(low, high, 1 + max(1, round(each * math.log10(high / low))))


def response_of(a: Vector, b: Vector, c: Vector, d: Vector, points: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """C*inv(s*I - A)*B + D at N points s, for l outputs and k inputs: shape (l, k, N); nan at a pole."""
    unit = np.eye(len(a))
    found = np.empty((*d.shape, len(points)), dtype=complex)
    for i, s in enumerate(points.tolist()):
        try:
            found[:, :, i] = c @ np.linalg.solve(s * unit - a, b) + d
        except np.linalg.LinAlgError:
            found[:, :, i] = np.nan
    return found


def decibels(response: NDArray[np.complex128]) -> Vector:
    """20*log10 of the gain; -inf for 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(20.0 * np.log10(np.abs(response)))


def degrees(response: NDArray[np.complex128]) -> Vector:
    """The phase in degrees without jumps along the last axis."""
    return np.degrees(np.unwrap(np.angle(response)))


def bode_figure(
    response: NDArray[np.complex128], omega: Vector, inputs: Sequence[str], outputs: Sequence[str]
) -> Figure:
    """The gain in dB and the phase in degrees over the frequency in Hz, a curve from each input to each output; arrays
    as in `response_of`. RunError E605 if there is nothing to draw, or too much."""
    from matplotlib.ticker import MaxNLocator  # matplotlib is slow to import

    from cutset.runtime.shown_figure import ShownFigure

    _check(inputs, outputs)
    drawn = ShownFigure(figsize=(8.0, 6.0), layout="constrained")
    gain, phase = drawn.subplots(2, 1, sharex=True)
    hertz = omega / (2.0 * np.pi)
    for i, output in enumerate(outputs):
        for k, source in enumerate(inputs):
            gain.plot(hertz, decibels(response[i, k]), label=label(f"{source} to {output}"), linewidth=1.4)
            phase.plot(hertz, degrees(response[i, k]), linewidth=1.4)
    gain.set_xscale("log")
    gain.set_ylabel("gain [dB]")
    phase.set_ylabel("phase [deg]")
    phase.yaxis.set_major_locator(MaxNLocator(nbins=8, steps=[1, 1.5, 3, 4.5, 9, 10]))
    phase.set_xlabel("frequency [Hz]")
    for axis in (gain, phase):
        axis.grid(True, which="both", alpha=0.3)
    drawn.legend(loc="outside right upper", fontsize="small")
    return drawn


def _check(inputs: Sequence[str], outputs: Sequence[str]) -> None:
    curves = len(inputs) * len(outputs)
    if not inputs:
        raise RunError("E605", "a frequency response needs an input, and the model has none", "declare one: input u")
    if not outputs:
        raise RunError("E605", "a frequency response needs outputs", "name them with --outputs (in Python: outputs)")
    if curves > _MOST_CURVES:
        hint = f"name fewer outputs; at most {_MOST_CURVES} pairs are drawn"
        raise RunError("E605", f"a frequency response from each input to each output has {curves} curves", hint)
