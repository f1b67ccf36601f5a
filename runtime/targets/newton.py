"""Solves a system of nonlinear equations of a model in Python: by newton.h or, without a compiler, by plain Newton.

Exceptions of a residual pass through to the caller.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from ctypes import c_double
from dataclasses import dataclass
from typing import Any

import numpy as np

from cutset.runtime.targets.c_functions import scripted_functions
from cutset.runtime.targets.c_records import ResidualsCallback, address
from cutset.runtime.targets.linear_systems import solve
from cutset.runtime.targets.toolchain import find_compiler

_Numbers = list[Any]
# Writes the residuals at a point, followed by their derivatives row by row.
_Residuals = Callable[[_Numbers, _Numbers], None]
# Of plain Newton: the limits on steps, and on halvings of one; when a step is rounding, relative to the unknowns.
_STEPS, _HALVINGS, _ROUNDING = 100, 40, 1e-14


@dataclass(frozen=True)
class Failed:
    """A system of n equations without a solution that was found: its `first` guess, the place `guess` of the guess in
    w, and `x`, which begins with the states or their start values, and the held values; evaluate(x, z, r) writes the
    residuals and their derivatives."""

    n: int
    guess: int
    first: _Numbers
    x: _Numbers
    modes: _Numbers
    evaluate: Callable[[_Numbers, _Numbers, _Numbers], None]


class Unsolved(Exception):
    """A system was not solved although the states are finite."""

    def __init__(self, failed: Failed):
        self.failed = failed
        super().__init__(failed.guess)


@dataclass
class Care:
    """`careful`: solve systems only on the branch of the guess, in steps that are not damped (1) or are (2). `lost`:
    set to the number of its message if a system was not solved so. `stops`: raise Unsolved at the first system, at
    finite states, that is not solved at all. `beyond`: set to True if a value was computed beyond a crossing."""

    careful: int = 0
    lost: int = 0
    stops: bool = False
    beyond: bool = False

    def finite(self, value: float) -> bool:
        """True for a number. Else the present values of relations replace the held ones."""
        found = math.isfinite(value)
        self.beyond |= not found
        return found


def newton(
    n: int,
    f: Callable[..., None],
    t: float,
    x: Sequence[float],
    u: Sequence[float],
    c: Sequence[float],
    m: Sequence[float],
    w: Any,
    guess: int,
    z: int,
    fault: int,
    care: Care,
) -> bool:
    """Solve f = 0, n equations, from the guess w[guess : guess + n]; f(t, x, u, c, m, w, z, r) writes the residuals at
    z followed by their derivatives row by row. The orientation of the branch (0: not known yet) and the nominal values
    follow the guess in w. The solution is written to w[z : z + n] and to the guess; if none is found, returns False and
    w[z : z + n] is nan. `fault` is the number of its message. Unsolved if `care.stops`."""
    kind: Any = type(t)  # numpy floats stay numpy floats, on which callers rely
    first = [w[guess + i] for i in range(n)]

    def residuals(at: _Numbers, r: _Numbers) -> None:
        f(t, x, u, c, m, w, list(map(kind, at)), r)

    def attempt() -> bool:
        return _plainly(n, residuals, given) if _newton_in_c() is None else _in_c(n, residuals, given, care.careful)

    given = np.array(w[guess : guess + 2 * n + 1], dtype=float)
    found = attempt()
    if not found and care.careful != 1:  # as in C, with the present values of relations
        beyond, care.beyond, w[guess + n] = care.beyond, False, kind(math.nan)
        residuals(first, [0.0] * (n + n * n))
        found = care.beyond and attempt()
        care.beyond, w[guess + n] = beyond, kind(given[n])
    if not found and care.careful:
        care.lost = fault
    elif not found and care.stops and all(map(math.isfinite, x)):
        raise Unsolved(Failed(n, guess, first, list(x), list(m), lambda x, z, r: f(t, x, u, c, m, w, z, r)))
    solution = list(map(kind, given[:n].tolist())) if found else [kind(math.nan)] * n
    if found and kind is np.longdouble:
        solution = _corrected(n, residuals, solution) or solution
    w[z : z + n] = solution
    if found:
        w[guess : guess + n] = solution
        w[guess + n] = kind(given[n])
    return found


@functools.cache
def _newton_in_c() -> Callable[..., int] | None:
    """The function; None without a compiler."""
    return None if find_compiler() is None else scripted_functions().scripted_newton


def _in_c(n: int, residuals: _Residuals, given: Any, careful: int) -> bool:
    """Solve the system, as a model in C would; `given` are the guess, its orientation and the nominal values, of which
    the first two become those of the solution."""
    solve_in_c, failed, size = _newton_in_c(), list[BaseException](), n + n * n
    assert solve_in_c is not None, "there is a compiler"
    unknowns, numbers = c_double * n, c_double * size

    def call(at: int, result: int) -> None:
        r: _Numbers = [0.0] * size if not failed else [math.nan] * size
        try:
            if not failed:
                residuals(unknowns.from_address(at)[:], r)
        except BaseException as error:  # no exception can pass through C
            failed.append(error)
            r = [math.nan] * size
        numbers.from_address(result)[:] = list(map(float, r))

    work = np.empty(2 * n * n + 14 * n)
    found = solve_in_c(n, ResidualsCallback(call), address(given), address(work), careful)
    if failed:
        raise failed[0]
    return bool(found)


def _plainly(n: int, residuals: _Residuals, given: Any) -> bool:
    """The same by steps that are halved until the residuals fall."""
    z = trial = given[:n].tolist()
    for _ in range(_STEPS):
        step, before = _step(n, residuals, z)
        if not all(map(math.isfinite, step)):
            return False
        for _ in range(_HALVINGS):
            trial = [a + b for a, b in zip(z, step, strict=True)]
            if _step(n, residuals, trial)[1] <= before:
                break
            step = [0.5 * each for each in step]
        z = trial
        if all(abs(b) <= _ROUNDING * (abs(a) + abs(k)) for a, b, k in zip(z, step, given[n + 1 :], strict=True)):
            given[:n] = z
            return True
    return False


def _step(n: int, residuals: _Residuals, z: _Numbers) -> tuple[_Numbers, Any]:
    """The step of Newton's method from z, and the size of the residuals there; nan if there is none."""
    r: _Numbers = [0.0] * (n + n * n)
    residuals(z, r)
    step, size = [-each for each in r[:n]], max(map(abs, r[:n]))
    solve(n, n, n, r[n:], step)
    return step, size


def _corrected(n: int, residuals: _Residuals, z: _Numbers) -> _Numbers | None:
    """The solution in a precision beyond that of C; None if it has no derivatives."""
    for _ in range(2):
        step, _ = _step(n, residuals, z)
        if not all(map(math.isfinite, step)):
            return None
        z = [a + b for a, b in zip(z, step, strict=True)]
    return z
