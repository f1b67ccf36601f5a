"""Turns motions into nonlinear programs by direct collocation: a model at points -> unknowns, equations, an objective.

The states are polynomials in each interval, which satisfy the equations of the model at Radau or Gauss-Legendre points
(L. T. Biegler: Nonlinear Programming, SIAM 2010, chapter 10). The equations are those of `Model.function`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import casadi
import numpy as np

from cutset.api.runs.motion_problem import Condition, Objective, Quantities, called
from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector

# A program with fewer operations at all points is written out in scalars, which is faster.
_MOST_EXPANDED = 200_000


class Program:
    """The unknowns of a nonlinear program with their bounds and first values, and its equations, low <= g <= high."""

    def __init__(self) -> None:
        self.symbols: list[Any] = []
        self.low, self.high, self.first = np.zeros(0), np.zeros(0), np.zeros(0)
        self.rows: list[Any] = []
        self.sides: list[tuple[Vector, Vector]] = []

    def unknowns(self, first: Vector) -> tuple[Any, Any]:
        """A matrix of unknowns with these first values, and their places among all."""
        rows, columns = first.shape
        symbol = casadi.MX.sym(f"v{len(self.symbols)}", rows, columns)
        places = len(self.first) + np.arange(first.size).reshape(columns, rows).T
        self.symbols.append(casadi.vec(symbol))
        self.first = np.concatenate([self.first, first.T.ravel()])
        self.low = np.concatenate([self.low, np.full(first.size, -np.inf)])
        self.high = np.concatenate([self.high, np.full(first.size, np.inf)])
        return symbol, places

    def bound(self, places: Any, low: float, high: float) -> None:
        """Keep unknowns within limits, too."""
        at = np.ravel(places)
        self.low[at], self.high[at] = np.maximum(self.low[at], low), np.minimum(self.high[at], high)
        self.first[at] = np.clip(self.first[at], self.low[at], np.maximum(self.low[at], self.high[at]))

    def require(self, value: Any, low: float = 0.0, high: float = 0.0) -> None:
        """Add equations low <= value <= high."""
        value = casadi.vec(value)
        self.rows.append(value)
        self.sides.append((np.full(value.numel(), low), np.full(value.numel(), high)))

    def sides_of_equations(self) -> tuple[Vector, Vector]:
        """The least and the greatest value of each equation."""
        low, high = zip((np.zeros(0), np.zeros(0)), *self.sides, strict=True)
        return np.concatenate(low), np.concatenate(high)


@dataclass(frozen=True, eq=False)
class Grid:
    """The points of a phase: its start, `degree` collocation points in each interval and, unless the last of them is
    there (`ends`), its end. Inputs are linear or held in each interval."""

    intervals: int
    degree: int
    points: str
    held: bool

    @property
    def ends(self) -> bool:
        """Whether the end of an interval is a collocation point."""
        return self.points == "radau"

    @property
    def parts(self) -> Vector:
        """The times of the points (n_points,), as parts of the duration."""
        inner = np.array(casadi.collocation_points(self.degree, self.points))
        found = (np.arange(self.intervals)[:, None] + inner).ravel() / self.intervals
        return np.concatenate([[0.0], found, [] if self.ends else [1.0]])

    @property
    def nodes(self) -> Vector:
        """The times of the values of an input, as parts of the duration."""
        return np.arange(self.intervals + (0 if self.held else 1)) / self.intervals

    def of_inputs(self) -> Vector:
        """The weights of the values of an input at the nodes (n_nodes, n_points)."""
        if not self.held:
            return np.stack([np.interp(self.parts, self.nodes, row) for row in np.eye(len(self.nodes))])
        last = np.repeat(np.arange(self.intervals), self.degree)
        places = np.concatenate([[0], last, [] if self.ends else [self.intervals - 1]]).astype(int)
        return np.eye(self.intervals)[:, places]

    def matrices(self) -> tuple[Vector, Vector, Vector, Vector, Vector]:
        """The slopes at the points by the starts of intervals, and by the values there; the ends by both; the weights
        of an integral in parts of an interval."""
        *own, weights = map(np.array, casadi.collocation_coeff(casadi.collocation_points(self.degree, self.points)))
        each = np.eye(self.intervals)
        of_starts, of_points, starts, ends = (np.kron(each, part) for m in own for part in (m[:1], m[1:]))
        return of_starts, of_points, starts, ends, np.tile(weights.ravel(), self.intervals)


@dataclass(frozen=True, eq=False)
class Motion:
    """One phase of a program: its time, its columns of states, inputs and outputs at the points, the places of its
    states, those of its inputs at the nodes, and of its duration."""

    grid: Grid
    duration: Any
    times: Any
    x: Any
    u: Any
    y: Any
    states: Any
    inputs: Any
    length: Any


class Collocation:
    """A program of phases one after the other. `p` are the free parameters, `r` the references, `time` the start."""

    def __init__(self, quantities: Quantities, p: Vector):
        self.quantities, self.program = quantities, Program()
        self.p, self.free = self.program.unknowns(p.reshape(-1, 1))
        self.time, self.r = casadi.MX.sym("t0"), casadi.MX.sym("r", len(quantities.references))
        self.motions: list[Motion] = []

    def add(self, grid: Grid, first: float, start: tuple[Vector, Vector, Vector], modes: Vector) -> Motion:
        """Add a phase that begins where the one before ends, with these held modes. First values are its duration,
        states (n, n_points), inputs (n, n_nodes) and solutions of iterations (n, n_points)."""
        program, begin = self.program, self.time + sum(m.duration for m in self.motions)
        duration, length = program.unknowns(np.array([[first]]))
        parts, n = grid.parts, grid.intervals * grid.degree
        (x, states), (u, inputs), (z, _) = map(program.unknowns, start)
        t, at_points = begin + duration * parts.reshape(1, -1), casadi.mtimes(u, casadi.DM(grid.of_inputs()))
        rates, rest, y = self._point(modes).map(len(parts))(t, x, z, at_points, self.p)
        if start[2].size:
            program.require(rest)
        of_starts, of_points, starts, ends, _ = map(casadi.DM, grid.matrices())
        inner = slice(1, 1 + n)
        if grid.ends:
            begins = x[:, list(range(0, n, grid.degree))]
        else:
            more, _ = program.unknowns(start[0][:, 1 : n : grid.degree][:, 1:])
            begins = casadi.horzcat(x[:, 0], more)
            after = casadi.mtimes(begins, starts) + casadi.mtimes(x[:, inner], ends)
            program.require(after - casadi.horzcat(more, x[:, -1]))
        slopes = casadi.mtimes(begins, of_starts) + casadi.mtimes(x[:, inner], of_points)
        program.require(slopes - duration / grid.intervals * rates[:, inner])
        if self.motions:
            program.require(x[:, 0] - self.motions[-1].x[:, -1])
        self.motions.append(Motion(grid, duration, t, x, at_points, y, states, inputs, length))
        return self.motions[-1]

    def _point(self, modes: Vector) -> Any:
        """(t, x, z, u, p) -> the derivatives of the states, the residuals of iterations, y."""
        f = self.quantities.function
        of: Any = f.function
        n = {name: len(own) for name, own in f.names.items()}
        symbols = {name: casadi.MX.sym(name, n[name]) for name in ("t", "x", "z", "u", "p")}
        own = {**symbols, "dx": casadi.DM.zeros(n["dx"]), "m": casadi.DM(modes)}
        r, y = of(*(own[name] for name in f.arguments))
        whole = casadi.Function("point", list(symbols.values()), [-r[: n["dx"]], r[n["dx"] :], y])
        return whole.expand() if of.is_a("SXFunction") else whole

    def values(self, motion: Motion, of: Any, columns: Any = slice(None), terms: Sequence[Any] = ()) -> Any:
        """The values of an expression at points of a phase: a row."""
        at = {"t": motion.times, "x": motion.x, "u": motion.u, "y": motion.y}
        at = {name: matrix[:, columns] for name, matrix in at.items()}
        count = at["t"].shape[1]
        at |= {name: casadi.repmat(value, 1, count) for name, value in (("p", self.p), ("r", self.r))}
        found = casadi.MX(of(self.quantities.values(of.names, terms, **at), called))
        return found if found.shape[1] == count else casadi.repmat(found, 1, count)

    def keep(self, motion: Motion, condition: Condition, columns: Any = slice(None)) -> None:
        """Keep the condition at these points of a phase: all, the start 0 or the end -1."""
        names, text, program = self.quantities.function.names, condition.of.text, self.program
        low, high = condition.low, condition.high
        if text in names["x"]:
            places = motion.states[names["x"].index(text), columns]
        elif text in names["u"]:
            places = motion.inputs[names["u"].index(text), columns]
        else:
            return program.require(self.values(motion, condition.of, columns), low, high)
        program.bound(places, low, high)
        if np.any(program.low[places] > program.high[places]):
            raise RunError("E605", f"{condition} contradicts another condition of '{text}'", "change one of them")
        return None

    def objective(self, objective: Objective) -> Any:
        """The value of an objective."""
        terms = [self._term(kind, of) for kind, of in objective.terms]
        return self.values(self.motions[-1], objective.whole, -1, terms)

    def solver(self, objective: Any, **options: Any) -> Callable[..., Any]:
        """The function of CasADi, with IPOPT, that solves the program: solver(x0, p=[time, r], lbx, ubx, ...). RunError
        E605 if the objective depends on nothing that is free, or if there are more equations than unknowns."""
        own, of = self.program, cast(Any, self.quantities.function.function)
        x, g = casadi.vertcat(*own.symbols), casadi.vertcat(*own.rows)
        if not casadi.depends_on(objective, x):
            hint = "name inputs, states, free parameters or time in it"
            raise RunError("E605", "the objective does not depend on anything that is free", hint)
        low, high = own.sides_of_equations()
        excess = int(np.sum(low == high)) - int(np.sum(own.low < own.high))
        if excess > 0:
            hint = "leave out conditions that follow from others, or free inputs, parameters, start values or the time"
            raise RunError("E605", f"the motion has {counted(excess, 'condition')} more than unknowns", hint)
        points = sum(len(m.grid.parts) for m in self.motions)
        is_small = of.is_a("SXFunction") and points * of.n_instructions() < _MOST_EXPANDED
        settings = {"print_time": False, "error_on_fail": False, "show_eval_warnings": False, "expand": is_small}
        settings["ipopt"] = {"print_level": 0, "sb": "yes", **options}
        problem = {"x": x, "p": casadi.vertcat(self.time, self.r), "f": objective, "g": g}
        solver: Callable[..., Any] = casadi.nlpsol("motion", "ipopt", problem, settings)
        return solver

    def evaluated(self, z: Any, time: float, values: Sequence[Any]) -> list[Vector]:
        """The numbers of values for a solution."""
        of = casadi.Function("values", [casadi.vertcat(*self.program.symbols), self.time], list(values))
        return [np.array(each) for each in of.call([z, time])]

    def _term(self, kind: str, of: Any) -> Any:
        if kind == "max":
            most, _ = self.program.unknowns(np.zeros((1, 1)))
            for motion in self.motions:
                self.program.require(self.values(motion, of) - most, -np.inf)
            return most
        whole: Any = 0.0
        for motion in self.motions:
            weights = casadi.DM(motion.grid.matrices()[-1])
            values = self.values(motion, of, slice(1, 1 + weights.numel()))
            whole += motion.duration / motion.grid.intervals * casadi.mtimes(values, weights)
        return whole / sum(m.duration for m in self.motions) if kind == "mean" else whole
