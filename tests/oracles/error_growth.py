"""How much an error of a linear DAE with varying coefficients may grow: coefficients, offsets -> a factor. Knows no
model.

The equations are differentiated as often as the offsets of J. D. Pryce (A simple structural analysis method for DAEs,
BIT 41 (2001), pp. 364-394) say, which gives the highest derivatives from the lower ones: an ordinary differential
equation of these, on the manifold that the equations of lower orders are. Its solutions at two times give what an error
at the first has become at the second.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.polynomial import chebyshev

_STEPS, _DEGREE, _EVERY = 600, 120, 10


def error_growth(
    coefficients: Callable[[np.ndarray], np.ndarray], sigma: np.ndarray, c: np.ndarray, d: np.ndarray, stop: float
) -> float:
    """The largest factor by which an error of the lower derivatives at any time has grown at any later one up to
    `stop`, in these or in the variables that follow from them. `coefficients(times)` are those of derivative k of
    variable v in equation e as [time, e, v, k]; `sigma` is the highest derivative of v in e, below 0 where it has
    none."""
    series = _derivatives(coefficients, stop, int(c.max()))
    highest, manifold = _highest(series, sigma, c, d)
    solutions = _integrated(_rates(highest, d), manifold, stop)
    followers = highest[:: 2 * _EVERY, d == 0]
    seen = np.concatenate([solutions, followers @ solutions], axis=1)
    largest = 1.0
    for k, here in enumerate(solutions):
        back = np.linalg.pinv(here, rcond=1e-12)
        largest = max(largest, float(np.linalg.norm(seen[k:] @ back, 2, axis=(1, 2)).max()))
    return largest


def _derivatives(coefficients: Callable[[np.ndarray], np.ndarray], stop: float, order: int) -> list[np.ndarray]:
    """The coefficients and their derivatives by time up to that order, at the ends and the middles of the steps."""
    nodes = np.cos(np.pi * (np.arange(_DEGREE + 1) + 0.5) / (_DEGREE + 1))
    values = coefficients(0.5 * (nodes + 1.0) * stop)
    # At these nodes the polynomials are orthogonal.
    fitted = 2.0 / len(nodes) * chebyshev.chebvander(nodes, _DEGREE).T @ values.reshape(len(nodes), -1)
    fitted[0] *= 0.5
    x = np.linspace(-1.0, 1.0, 2 * _STEPS + 1)
    every = (chebyshev.chebder(fitted, j, scl=2.0 / stop) for j in range(order + 1))
    return [chebyshev.chebval(x, e).T.reshape(len(x), *values.shape[1:]) for e in every]


def _highest(
    series: list[np.ndarray], sigma: np.ndarray, c: np.ndarray, d: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The highest derivatives in terms of the lower ones x, one matrix for each instant, and a basis of the x that the
    equations of lower orders allow at the start."""
    n, count = len(d), len(series[0])
    first = np.concatenate([[0], np.cumsum(d)])
    size = int(first[-1])
    lower, highest = np.zeros((count, n, size)), np.zeros((count, n, n))
    bound = [np.zeros(size)]
    for e in range(n):
        for order in range(c[e] + 1):
            row, lead = np.zeros((count, size)), np.zeros((count, n))
            for v, k, j in np.ndindex(n, 3, order + 1):
                if k <= sigma[e, v]:
                    derivative, share = k + order - j, comb(order, j) * series[j][:, e, v, k]
                    target = lead[:, v] if derivative == d[v] else row[:, first[v] + derivative]
                    target += share
            if order < c[e]:
                bound.append(row[0])
        lower[:, e], highest[:, e] = row, lead
    return -np.linalg.solve(highest, lower), np.linalg.svd(np.array(bound))[2][len(bound) - 1 :].T


def _rates(highest: np.ndarray, d: np.ndarray) -> np.ndarray:
    """The matrices of x' = A*x."""
    first, size = np.concatenate([[0], np.cumsum(d)]), highest.shape[2]
    rates = np.zeros((len(highest), size, size))
    for v, orders in enumerate(d):
        for k in range(orders):
            rates[:, first[v] + k] = highest[:, v] if k == orders - 1 else np.eye(size)[first[v] + k + 1]
    return rates


def _integrated(rates: np.ndarray, basis: np.ndarray, stop: float) -> np.ndarray:
    """The solutions that begin as the columns of the basis, by the classical method of Runge and Kutta."""
    h, x = stop / _STEPS, basis
    found = [x]
    for a, b, c in zip(rates[:-2:2], rates[1::2], rates[2::2], strict=False):
        k1 = a @ x
        k2 = b @ (x + 0.5 * h * k1)
        k3 = b @ (x + 0.5 * h * k2)
        x = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + c @ (x + h * k3))
        found.append(x)
    return np.array(found[::_EVERY])
