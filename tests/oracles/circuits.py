"""Circuits in closed form: matrix exponentials of state equations written down by hand."""

from __future__ import annotations

import numpy as np

CAUER_NAMES = ("C1.u", "C3.u", "C5.u", "L1.i", "L2.i")


def linear_response(a: np.ndarray, b: np.ndarray, x0: np.ndarray, times: np.ndarray) -> np.ndarray:
    """x at `times` (from 0) of x' = a*x + b, one row each; a must be regular, with different eigenvalues."""
    rest = -np.linalg.solve(a, b)
    return rest + free_response(a, x0 - rest, times)


def free_response(a: np.ndarray, x0: np.ndarray, times: np.ndarray) -> np.ndarray:
    """x at `times` (from 0) of x' = a*x, one row each; a must have different eigenvalues."""
    values, vectors = np.linalg.eig(a)
    shares = np.linalg.solve(vectors, x0)
    return x0 + (np.expm1(np.outer(times, values)) * shares @ vectors.T).real


def cauer_low_pass() -> tuple[np.ndarray, np.ndarray]:
    """a, b of the low-pass filter under 1 V, states in the order of CAUER_NAMES.

    Kirchhoff's current law at the three nodes between the resistors, with the bridging capacitors c2, c4:
    capacity * u' = current into each node; then L*i' = u of each inductor.
    """
    l1, l2, c1, c3, c5 = 1.304, 0.8586, 1.072, 1.682, 0.7262
    c2, c4 = 1 / (1.704992**2 * l1), 1 / (1.179945**2 * l2)
    capacity = np.array([[c1 + c2, -c2, 0.0], [-c2, c2 + c3 + c4, -c4], [0.0, -c4, c4 + c5]])
    into_nodes = np.array([[-1.0, 0, 0, -1, 0], [0, 0, 0, 1, -1], [0, 0, -1, 0, 1]])
    inductors = np.array([[1 / l1, -1 / l1, 0, 0, 0], [0, 1 / l2, -1 / l2, 0, 0]])
    a = np.vstack([np.linalg.solve(capacity, into_nodes), inductors])
    b = np.concatenate([np.linalg.solve(capacity, [1.0, 0.0, 0.0]), [0.0, 0.0]])
    return a, b


def step_response(times: np.ndarray, t0: float = 1.0) -> np.ndarray:
    """The low-pass filter from rest under a step of 1 V at t0."""
    a, b = cauer_low_pass()
    return linear_response(a, b, np.zeros(5), np.maximum(np.asarray(times) - t0, 0.0))
