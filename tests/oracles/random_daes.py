"""Random nonlinear DAEs of index 1 to 3 whose solutions are known: as a text for the translator, and as numbers for the
checks.

Each variable is a + b*sin(c*t + d). Random equations of the variables and their derivatives are written down, and their
value along the solution is subtracted, so that the solution satisfies them exactly. Only those are kept whose solution
is determined: the Jacobian of the differentiated equations by the highest derivatives (J. D. Pryce, A simple structural
analysis method for DAEs, BIT 41 (2001), pp. 364-394) is regular along the whole solution, and a small error stays
small: no solver could follow the solution otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from oracles.error_growth import error_growth
from scipy.optimize import linear_sum_assignment

STOP = 6.0
_TIMES = np.linspace(0.0, STOP, 121)
_NONE = -(10**6)
# What is regular enough, and how much an error may grow.
_REGULAR, _GROWTH = 0.03, 100.0
# With {} for the arguments; {} is a variable or a derivative.
_OF_ONE = ("{}", "sin({})", "cos({})", "(2*{} + {}^3)", "sqrt(1 + {}^2)", "{}^2", "exp(0.4*{})", "tanh({})")
_OF_TWO = ("cos({} - {})", "sin({} + {})", "{}*{}", "{}/(2 + {}^2)")
_FACTORS = ("(2 + sin({}))", "{}", "cos({})", "(1 + {}^2)", "exp(0.3*{})")


@dataclass(frozen=True)
class Term:
    """factor times `shape` of the derivatives (variable, order) in `leaves`."""

    factor: float
    shape: str
    leaves: tuple[tuple[int, int], ...]

    def text(self, name) -> str:
        """In the language, with name(variable, order) for the leaves."""
        parts = self.shape.split("{}")
        # A shape of one leaf may name it twice.
        leaves = self.leaves if len(self.leaves) == len(parts) - 1 else self.leaves * (len(parts) - 1)
        if self.shape == "{}/(2 + {}^2)":
            leaves = self.leaves
        return f"{self.factor}*" + "".join(
            p + (name(*leaf) if leaf else "") for p, leaf in zip(parts, (*leaves, None), strict=False)
        )


@dataclass(frozen=True)
class RandomDAE:
    """`text` declares the model `M` with the variables `names`; `values(t)` are their values. `index` is the structural
    one; `turning` tells whether some choice of states is regular at the start and singular at a later time."""

    text: str
    names: tuple[str, ...]
    waves: np.ndarray
    index: int
    turning: bool

    def values(self, t: np.ndarray) -> np.ndarray:
        """One column for each variable."""
        a, b, c, d = self.waves.T
        return a + b * np.sin(np.multiply.outer(t, c) + d)


def random_dae(seed: int) -> RandomDAE:
    """The first that is determined, of those that the seed draws: of index 1 every fifth time, else 2 or 3, and such
    that choices turn singular two times of three."""
    rng = np.random.default_rng(seed)
    index, turning = int(rng.choice([1, 2, 2, 3, 3])), rng.random() < 0.67
    while True:
        n = int(rng.integers(3, 7))
        c, d = _offsets(rng, n, index)
        equations = [_equation(rng, e, int(c[e]), d) for e in range(n)]
        waves = np.stack(
            [rng.uniform(-1.5, 1.5, n), rng.uniform(0.4, 1.3, n), rng.uniform(0.5, 3.0, n), rng.uniform(0, 6.28, n)], 1
        ).round(3)
        found = _Analysis(equations, n, waves)
        if (
            found.index == index
            and found.is_determined()
            and (index == 1 or not turning or found.turns())
            and found.is_stable()
        ):
            return RandomDAE(_text(equations, waves), tuple(f"z{k}" for k in range(n)), waves, index, found.turns())


def _offsets(rng: np.random.Generator, n: int, index: int) -> tuple[np.ndarray, np.ndarray]:
    """How often each equation is to be differentiated, and the highest derivative of each variable; equation k may
    determine variable k."""
    while True:
        c, d = rng.integers(0, min(index, 2) + 1, n), rng.integers(0, 3, n)
        if (d >= c).all() and d.sum() > c.sum() and c.max() + int(d.min() == 0) == index:
            return c, d


def _equation(rng: np.random.Generator, e: int, c: int, d: np.ndarray) -> list[Term]:
    """An equation with derivatives of these orders, or lower ones."""
    n, terms = len(d), [_term(rng, d, e, int(d[e] - c))]
    for _ in range(int(rng.integers(1, 4))):
        v = int(rng.integers(n))
        if d[v] >= c:
            order = int(d[v] - c)
            terms.append(_term(rng, d, v, order if rng.random() < 0.7 else int(rng.integers(order + 1))))
    return terms


def _term(rng: np.random.Generator, d: np.ndarray, v: int, order: int) -> Term:
    """Of the derivative of variable v; a variable that an equation may have beside it has at least as high
    derivatives."""
    factor = float(rng.choice([1, 2, -1, 0.5, 3, round(rng.uniform(-1.5, 1.5), 2)]))
    beside = [u for u in range(len(d)) if u != v and d[u] - d[v] + order >= 0]
    other = (int(rng.choice(beside)), 0) if beside else None
    if order:
        if other is None or rng.random() < 0.6:
            return Term(factor, "{}", ((v, order),))
        return Term(factor, str(rng.choice(_FACTORS)) + "*{}", (other, (v, order)))
    if other is None or rng.random() < 0.6:
        return Term(factor, str(rng.choice(_OF_ONE)), ((v, 0),))
    return Term(factor, str(rng.choice(_OF_TWO)), ((v, 0), other))


# --- the text ----------------------------------------------------------------------------------------------


def _text(equations: list[list[Term]], waves: np.ndarray) -> str:
    highest = _highest(equations, len(waves))
    lines = ["model M"]
    for k, (a, b, c, d) in enumerate(waves.tolist()):
        lines.append(f"  local z{k}(start={a + b * math.sin(d)!r})")
        if highest[k] > 0:
            lines.append(f"  local v{k}(start={b * c * math.cos(d)!r})")
        if highest[k] > 1:  # equations that are not linear in them have more than one solution
            lines.append(f"  local a{k}(start={-b * c * c * math.sin(d)!r})")
    lines += [f"  v{k} = der(z{k})" for k in range(len(waves)) if highest[k] > 0]
    lines += [f"  a{k} = der(v{k})" for k in range(len(waves)) if highest[k] > 1]
    for terms in equations:
        left = " + ".join(term.text(_name) for term in terms)
        right = " + ".join(term.text(lambda v, order: _wave(waves[v].tolist(), order)) for term in terms)
        lines.append(f"  {left} = {right}")
    return "\n".join([*lines, "end\n"])


def _name(v: int, order: int) -> str:
    return (f"z{v}", f"v{v}", f"a{v}")[order]


def _wave(wave: list[float], order: int) -> str:
    a, b, c, d = wave
    if order == 0:
        return f"({a} + {b}*sin({c}*time + {d}))"
    return f"({b * c}*cos({c}*time + {d}))" if order == 1 else f"({-b * c * c}*sin({c}*time + {d}))"


def _highest(equations: list[list[Term]], n: int) -> list[int]:
    highest = [0] * n
    for terms in equations:
        for term in terms:
            for v, order in term.leaves:
                highest[v] = max(highest[v], order)
    return highest


# --- whether the solution is determined ---------------------------------------------------------------------


class _Analysis:
    """Equations and waves -> offsets of both, the Jacobians along the solution."""

    def __init__(self, equations: list[list[Term]], n: int, waves: np.ndarray):
        self._equations, self._n, self._waves = equations, n, waves
        self.index = self._c.max() + int(self._d.min() == 0) if self._offsets() else 0

    def _function(self, terms: list[Term]):
        """The left side, of an array of (variable, order) and times."""
        text = " + ".join(term.text(lambda v, order: f"z[{v}, {order}]") for term in terms).replace("^", "**")
        names = {name: getattr(np, name) for name in ("sin", "cos", "sqrt", "exp", "tanh")}
        return eval(f"lambda z: {text}", names)  # the text is our own

    def is_determined(self) -> bool:
        """Are there states, and is it regular along the whole solution?"""
        if self._d.max() > 3 or self._d.sum() == self._c.sum():
            return False
        self._functions = [self._function(terms) for terms in self._equations]
        self._by = self._slopes(_TIMES)
        if not np.isfinite(self._by).all():
            return False
        jacobian = self._jacobian()
        scale = np.abs(jacobian).max(axis=(1, 2))
        least = np.linalg.svd(jacobian, compute_uv=False)[:, -1]
        signs = np.sign(np.linalg.det(jacobian))
        is_regular = (least > _REGULAR * np.maximum(scale, 1.0)).all() and (signs == signs[0]).all()
        return bool(is_regular)

    def is_stable(self) -> bool:
        """Can a solver follow the solution?"""
        return error_growth(self._slopes, self._sigma, self._c, self._d, STOP) < _GROWTH

    def _offsets(self) -> bool:
        """Pryce's c and d, the smallest; False where the equations are structurally singular."""
        n = self._n
        sigma = np.full((n, n), _NONE)
        for e, terms in enumerate(self._equations):
            for term in terms:
                for v, order in term.leaves:
                    sigma[e, v] = max(sigma[e, v], order)
        rows, columns = linear_sum_assignment(sigma, maximize=True)
        if (sigma[rows, columns] == _NONE).any():
            return False
        c = np.zeros(n, int)
        for _ in range(4 * n):
            d = (sigma + c[:, None]).max(axis=0)
            c, before = d[columns] - sigma[rows, columns], c
            if (c == before).all():
                break
        else:
            return False
        self._sigma, self._c, self._d = sigma, c, d
        return True

    def _jets(self, times: np.ndarray) -> np.ndarray:
        """(variable, order, time): the values along the solution."""
        a, b, c, d = self._waves.T
        phase = np.multiply.outer(c, times) + d[:, None]
        zeroth = a[:, None] + b[:, None] * np.sin(phase)
        first, second = (b * c)[:, None] * np.cos(phase), -(b * c * c)[:, None] * np.sin(phase)
        return np.stack([zeroth, first, second], 1)

    def _slopes(self, times: np.ndarray) -> np.ndarray:
        """(time, equation, variable, order): by complex steps."""
        jets, n = self._jets(times).astype(complex), self._n
        found = np.zeros((len(times), n, n, 3))
        for v in range(n):
            for order in range(3):
                shifted = jets.copy()
                shifted[v, order] += 1e-30j
                for e, function in enumerate(self._functions):
                    if self._sigma[e, v] >= order:
                        found[:, e, v, order] = function(shifted).imag / 1e-30
        return found

    def _jacobian(self) -> np.ndarray:
        """Of each equation by the derivatives that are highest in it when it is differentiated."""
        found = np.zeros((len(_TIMES), self._n, self._n))
        for e in range(self._n):
            for v in range(self._n):
                order = self._d[v] - self._c[e]
                if 0 <= order <= 2 and self._sigma[e, v] == order:
                    found[:, e, v] = self._by[:, e, v, order]
        return found

    def turns(self) -> bool:
        """Whether on some order of derivatives a choice of variables that are no states is regular at the start and
        changes its sign."""
        jacobian = self._jacobian()
        for below in range(1, max(self._c) + 1):
            rows = [e for e in range(self._n) if self._c[e] >= below]
            columns = [v for v in range(self._n) if self._d[v] >= below]
            for chosen in combinations(columns, len(rows)):
                determinant = np.linalg.det(jacobian[:, rows][:, :, list(chosen)])
                if abs(determinant[0]) > 1e-3 and determinant.min() < -1e-3 and determinant.max() > 1e-3:
                    return True
        return False
