"""Finds optimal motions of a model, and checks them by a run with events: a problem -> an `Optimum`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi
import numpy as np

from cutset.api.files.input_tables import InputTable
from cutset.api.runs.collocation import Collocation, Grid, Motion
from cutset.api.runs.motion_problem import Condition, Phase, Quantities, limits_of, span
from cutset.api.runs.settings import OptimizeSettings
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError, UnknownName, require_names, unknown_name
from cutset.runtime.given.table_signals import Interpolation
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result
from cutset.runtime.results.selection import select
from cutset.runtime.targets.binding import finite_number

# How a solver of CasADi says that it has found a solution, or why it has not.
_FOUND = {"Solve_Succeeded": "optimal", "Solved_To_Acceptable_Level": "optimal to a coarser tolerance"}
_FAILED = {
    "Infeasible_Problem_Detected": "no motion near the guess satisfies all conditions",
    "Restoration_Failed": "no motion near the guess satisfies all conditions",
    "Maximum_Iterations_Exceeded": "it has not converged",
    "Diverging_Iterates": "the objective has no least value: it falls without limit",
    "Invalid_Number_Detected": "the model has no value at a point of the motion",
}
# A run differs from its solution if a state does by this part of its range, and so for limits.
_DIFFERS = 1e-2
_EXCEEDS, _EDGE, _RTOL = 1e-3, 1e-3, 1e-8
_POINTS, _INPUTS = ("radau", "legendre"), ("linear", "hold")
_HINT = "change the conditions that are missed or the limits, or give a guess nearer to a solution: a run, or states"
_FINER = "take more intervals, and give phases if a mode changes on the way"
# A condition is missed by more than this.
_MISSED = 1e-4


@dataclass(frozen=True, eq=False, repr=False)
class Optimum:
    """An optimal motion. `status` says how the solver ended, `iterations` how many it took.

    `inputs` are tables that `simulate(inputs=...)` takes, `parameters` the free ones, `start` the states at the start,
    `stop` the time at the end. `times` (n,) are those of the collocation points, `best["x"]` has the values there of
    states and of the variables in the problem. `run` is the run of the model with these inputs, parameters and start,
    with events; `differences` are the greatest ones of the states between it and the solution. `notes` say what to
    doubt.
    """

    objective: float
    status: str
    iterations: int
    inputs: Mapping[str, InputTable]
    parameters: Mapping[str, float]
    start: Mapping[str, float]
    times: Vector
    values: Mapping[str, Vector]
    run: Result
    differences: Mapping[str, float]
    notes: tuple[str, ...]

    @property
    def stop(self) -> float:
        """The time at the end in s."""
        return float(self.times[-1])

    def __getitem__(self, name: str) -> Vector:
        """The values of a variable at the collocation points. UnknownName for one that is not in the problem."""
        if name not in self.values:
            what, hint = unknown_name("variable in the problem", name, tuple(self.values))
            raise UnknownName("E607", what, "the run has it: best.run[...]" if name in self.run else hint)
        return self.values[name]

    def __repr__(self) -> str:
        free = "".join(f", {name} = {value:.6g}" for name, value in self.parameters.items())
        name = max(self.differences, key=lambda n: self.differences[n], default="")
        far = f"; the run differs by {self.differences[name]:.2g} at most, in {name}" if name else ""
        return f"<Optimum: {self.objective:.6g} in {self.stop:.6g} s{free}; {self.status}{far}>"


def optimize(model: Any, minimize: str, settings: OptimizeSettings) -> Optimum:
    """As `Model.optimize`."""
    return _Problem(model, minimize, settings).solved()


class _Problem:
    """What is given, read."""

    def __init__(self, model: Any, minimize: str, settings: OptimizeSettings):
        self.given = model._numbers(settings.get("parameters") or {})
        self.model, self.own, self.time = model.with_values(self.given), settings, model.experiment.start
        guess = settings.get("guess")
        self.guess = guess.run if isinstance(guess, Optimum) else guess
        # Given parameters that are not part of the code are unknowns, too, with equal limits.
        self.free = {name: (v, v, v) for name, v in self.given.items() if name not in self.model.folded}
        self.free |= _free(self.model, settings.get("free") or (), self.given)
        self.quantities = q = Quantities(self.model, self.free)
        self.objective, self.phases = q.objective(minimize), _phases(model, settings)
        starts, *ends = (
            q.conditions(_states_in(model.states, each), what)
            for each, what in ((settings.get("start"), "start"), *((phase.end, "end") for phase in self.phases))
        )
        ends[-1] += q.conditions(_states_in(model.states, settings.get("end")), "end")
        limits = settings.get("limits") or {}
        self.ends, self.limits = ends, [q.conditions({**limits, **phase.limits}, "limit") for phase in self.phases]
        periodic = settings.get("periodic")
        self.periodic = select(periodic, model.states) if periodic else ()
        self.first = dict(zip(model.states, self.model.simulator(self.given).x.tolist(), strict=True))
        others = self.first.keys() - {each.of.text for each in starts} - set(self.periodic)
        self.starts = starts + q.conditions({name: self.first[name] for name in sorted(others)}, "start")

    def solved(self) -> Optimum:
        """The solution, checked. RunError E668 if there is none."""
        program = self._program()
        for motion, end in zip(program.motions, self.ends, strict=True):
            for each in end:
                program.keep(motion, each, -1)
        found, said, steps = self._solution(program, program.objective(self.objective))
        if said in _FOUND:
            return self._checked(program, found, (_FOUND[said], steps))
        why = f"{counted(steps, 'iteration')}: {_FAILED.get(said, said.replace('_', ' ').lower())}"
        raise RunError("E668", f"no optimal motion was found in {why}", _HINT, self._nearest())

    def _solution(self, program: Collocation, objective: Any) -> tuple[Any, str, int]:
        """The solution of a program, what the solver says of it, and the iterations."""
        solver: Any = program.solver(objective, max_iter=self.own.get("iterations", 500))
        own, (low, high) = program.program, program.program.sides_of_equations()
        found = solver(x0=own.first, p=self.time, lbx=own.low, ubx=own.high, lbg=low, ubg=high)
        return found, solver.stats()["return_status"], int(solver.stats()["iter_count"])

    def _nearest(self) -> list[str]:
        """The conditions at the end that the motion nearest to them misses, within the limits."""
        program = self._program()
        ends = [(program.values(m, each.of, -1), each)
                for m, end in zip(program.motions, self.ends, strict=True) for each in end]  # fmt: skip
        gaps = [casadi.fmax(0.0, casadi.fmax(each.low - value, value - each.high)) for value, each in ends]
        goal = casadi.sumsqr(casadi.vertcat(*gaps))
        if not casadi.symvar(goal):
            return []
        found, said, _ = self._solution(program, goal)
        if said not in _FOUND:
            return ["no motion was found from the start within the limits, even with any end"]
        values = [float(each[0, 0]) for each in program.evaluated(found["x"], self.time, [value for value, _ in ends])]
        return [f"the nearest end within the limits has {each.of.text} = {value:.4g}, for {each}"
                for value, (_, each) in zip(values, ends, strict=True)
                if not each.low - _MISSED <= value <= each.high + _MISSED]  # fmt: skip

    def _program(self) -> Collocation:
        """The motion with all conditions but those at the ends of phases."""
        program = Collocation(self.quantities, np.array([value for _, value, _ in self.free.values()], dtype=float))
        own, begin = program.program, 0.0
        for place, (low, _, high) in zip(program.free.ravel(), self.free.values(), strict=True):
            own.bound(place, low, high)
        spans = [span(phase.duration) for phase in self.phases]
        whole = sum(guess for _, guess, _ in spans)
        scale = (self.guess.time[-1] - self.guess.time[0]) / whole if isinstance(self.guess, Result) else 1.0
        for phase, (low, guess, high), limits in zip(self.phases, spans, self.limits, strict=True):
            duration = float(np.clip(scale * guess, low, high))
            motion = self._added(program, phase, duration, (begin / whole, guess / whole))
            own.bound(motion.length, low, high)
            for each in limits:
                program.keep(motion, each)
            begin += guess
        first, last = program.motions[0], program.motions[-1]
        for each in self.starts:
            program.keep(first, each, 0)
        for name in self.periodic:
            k = self.model.states.index(name)
            own.require(last.x[k, -1] - first.x[k, 0], 0.0, 0.0)
        return program

    def _grid(self, phase: Phase) -> Grid:
        own = self.own
        count, degree = own.get("intervals", 20) if phase.intervals is None else phase.intervals, own.get("degree", 3)
        points, interpolation = own.get("points", "radau"), own.get("interpolation", "linear")
        for what, value, known in (("points", points, _POINTS), ("interpolation", interpolation, _INPUTS)):
            if value not in known:
                raise RunError("E605", f"{what} must be one of {', '.join(known)}, not {value!r}")
        for what, number, most in (("intervals", count, 100_000), ("degree", degree, 9)):
            if not isinstance(number, int) or not 1 <= number <= most:
                raise RunError("E605", f"{what} must be a whole number from 1 to {most}, not {number!r}")
        return Grid(count, degree, points, interpolation == "hold")

    def _added(self, program: Collocation, phase: Phase, duration: float, place: tuple[float, float]) -> Motion:
        """Add a phase of which the guess begins at a part of the whole motion, and takes a part of it."""
        f, grid = self.quantities.function, self._grid(phase)
        at, p = place[0] + place[1] * grid.parts, [value for _, value, _ in self.free.values()]
        x = np.array([self._guessed(name, at) for name in f.names["x"]]).reshape(-1, len(at))
        nodes = place[0] + place[1] * grid.nodes
        u = np.array([self._guessed(name, nodes) for name in f.names["u"]]).reshape(-1, len(nodes))
        times, z = self.time + duration / place[1] * at, np.zeros((0, len(at)))
        modes = np.array(f.modes(float(times[0]), x[:, 0], u[:, 0], p or None), dtype=float)
        require_names("mode", phase.modes, f.names["m"])
        for name, value in phase.modes.items():
            modes[f.names["m"].index(name)] = finite_number(f"the mode '{name}'", float(value))
        if f.names["z"]:
            given = {**self.given, **dict(zip(self.free, p, strict=True))}
            found = self.model.outputs(times, x.T, (u @ grid.of_inputs()).T, f.names["z"], parameters=given)
            z = np.array([found[name] for name in f.names["z"]])
        return program.add(grid, duration, (x, u, np.where(np.isfinite(z), z, 0.0)), modes)

    def _guessed(self, name: str, at: Vector) -> Vector:
        """The guess of a state or an input at parts of the motion."""
        guess = self.guess
        if isinstance(guess, Result):
            places, values = (guess.time - guess.time[0]) / (guess.time[-1] - guess.time[0]), guess[name]
        elif isinstance(guess, Mapping) and name in guess:
            values = np.atleast_1d(np.asarray(guess[name], dtype=float))
            places = np.linspace(0.0, 1.0, len(values))
        else:
            first = _within(name, self.starts, self.first.get(name, 0.0))
            places, values = np.array([0.0, 1.0]), np.array([first, _within(name, self.ends[-1], first)])
        found: Vector = np.interp(at, places, values)
        return found

    def _checked(self, program: Collocation, found: Any, ended: tuple[str, int]) -> Optimum:
        """The solution, with a run."""
        motions, z, names = program.motions, np.array(found["x"]).ravel(), self.quantities.function.names
        tables = program.evaluated(z, self.time, [casadi.vertcat(m.times, m.y, m.x, m.u) for m in motions])
        shown = ("time", *names["y"], *names["x"], *names["u"])
        values = dict(zip(shown, np.hstack(tables), strict=True))
        spans = [(float(each[0, 0]), float(each[0, -1])) for each in tables]
        times = np.concatenate([a + (b - a) * m.grid.nodes for (a, b), m in zip(spans, motions, strict=True)])
        columns = np.hstack([z[m.inputs] for m in motions])
        kind: Interpolation = "hold" if motions[0].grid.held else "linear"
        inputs = {name: InputTable(times, column[:, None], None, kind)
                  for name, column in zip(names["u"], columns, strict=True)}  # fmt: skip
        free = dict(zip(self.free, z[program.free].ravel().tolist(), strict=True))
        start = {name: float(values[name][0]) for name in names["x"]}
        run, notes = self._run(inputs, free, start, values["time"])
        inside = values["time"] <= run.time[-1]
        at = run.at(values["time"][inside])
        far = {name: float(np.abs(at[name] - values[name][inside]).max()) for name in names["x"]}
        notes += [
            f"'{name}' differs from that of a run by {far[name]:.3g}: {_FINER}"
            for name in far
            if far[name] > _DIFFERS * max(float(np.ptp(values[name])), _RTOL)
        ] + self._exceeded(run, free, spans)
        own = {name: value for name, value in free.items() if self.free[name][0] < self.free[name][2]}
        best = float(found["f"]), *ended, inputs, own, start
        return Optimum(*best, values["time"], values, run, far, tuple(notes))

    def _run(self, inputs: Any, free: Mapping[str, float], start: Any, times: Vector) -> tuple[Result, list[str]]:
        """The run with the solution, or up to its failure, and what is to be said of that."""
        discrete = {n: v for n, v in self.phases[0].modes.items() if n in self.model.translated.info.discrete}
        at = np.unique(times)
        rows = np.interp(np.arange(0.0, len(at) - 0.9, 0.25), np.arange(len(at)), at)  # also between the points
        settings = {
            "start": self.time, "inputs": inputs, "parameters": {**self.given, **free},
            "initial": {**start, **discrete}, "times": rows[1:-1], "rtol": _RTOL, "atol": 1e-2 * _RTOL,
        }  # fmt: skip
        try:
            return self.model.simulate(float(times[-1]), **settings), []
        except RunError as error:
            if error.result is None:
                raise
            return error.result, [f"a run with this solution fails: {error.message}"]

    def _exceeded(self, run: Result, free: Mapping[str, float], spans: Sequence[tuple[float, float]]) -> list[str]:
        """The limits that the run does not keep."""
        notes, known = [], {**self.model.parameters, **free}
        for (begin, end), limits in zip(spans, self.limits, strict=True):
            edge = _EDGE * (end - begin)
            rows = np.flatnonzero((run.time > begin + edge) & (run.time < end - edge))
            for each in limits if len(rows) else ():
                at = {name: run.time if name == "time" else run[name] for name in each.of.names if name not in known}
                own = each.of([at[name][rows] if name in at else known[name] for name in each.of.names]) + 0.0 * rows
                over = np.maximum(each.low - own, own - each.high)
                k, size = int(np.argmax(over)), max(abs(side) for side in (each.low, each.high) if np.isfinite(side))
                if over[k] > _EXCEEDS * max(size, _RTOL):
                    where = f"{each.of.text} is {own[k]:.6g} at {run.time[rows[k]]:.6g} s"
                    notes.append(f"between the points {where}, beyond its limit {each}")
        return notes


def _within(name: str, conditions: Sequence[Condition], value: float) -> float:
    """The value nearest to this one that fulfills the conditions of a variable."""
    for each in conditions:
        if each.of.text == name:
            value = float(np.clip(value, each.low, each.high))
    return value


def _states_in(states: Sequence[str], given: Any) -> Mapping[str, Any]:
    """The conditions that are given: by name, or the states at the end of a run."""
    given = given.run if isinstance(given, Optimum) else given
    return {name: float(given[name][-1]) for name in states} if isinstance(given, Result) else given or {}


def _free(model: TranslatedModel, given: Any, values: Mapping[str, float]) -> dict[str, tuple[float, float, float]]:
    """Least, first and most value of each free parameter. RunError E602 for a name that is none."""
    found, known = {}, {**model.parameters, **values}
    names = [given] if isinstance(given, str) else given
    require_names("parameter", names, known)
    for name in names:
        domain = model.translated.domains.get(name)
        own = given[name] if isinstance(given, Mapping) else (domain.minimum, domain.maximum) if domain else (None,) * 2
        low, high = limits_of(name, own, "range", {})
        found[name] = low, float(np.clip(known[name], low, high)), high
    return found


def _phases(model: Any, settings: OptimizeSettings) -> list[Phase]:
    """The phases of a motion, or the one of which it consists."""
    phases, stop = list(settings.get("phases") or ()), settings.get("stop")
    if not phases:
        start, own = model.experiment.start, model.experiment.stop if stop is None else stop
        low, high = own if isinstance(own, tuple | list) else (own, own)
        ends = None if low is None else low - start, None if high is None else high - start
        return [Phase(ends, settings.get("modes") or {})]
    if stop is not None or settings.get("modes"):
        raise RunError("E605", "phases have durations and modes of their own", "leave out stop and modes")
    return phases
