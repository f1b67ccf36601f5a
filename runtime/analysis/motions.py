"""Finds the free motions of a linear model: matrix A -> eigenvalues, damping, participating states.

States that depend on each other in a cycle are a block; the eigenvalues of A are those of its blocks. A block is
balanced first, and a value that is small next to the balanced size is zero: so round-off is not taken for a motion, and
a slow part of a model not for round-off of a fast one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.interface import Vector

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
