"""Finds optimal motions of a model, and checks them by a run with events: a problem -> an `Optimum`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import casadi
import numpy as np

from cutset.api.files.input_tables import InputTable
from cutset.api.runs.collocation import Collocation, Grid, Start
from cutset.api.runs.motion_problem import Condition, Phase, Quantities, span
from cutset.api.runs.settings import OptimizeSettings
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError, unknown_name
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
_EXCEEDS, _RTOL = 1e-3, 1e-8
_QUIET = {"print_time": False, "error_on_fail": False}
_POINTS, _INPUTS = ("radau", "legendre"), ("linear", "hold")
_HINT = "change a condition that is missed, or give a guess nearer to the solution: a run, or values of states"
_MOST_MISSED = 4


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
    run: Result | None
    differences: Mapping[str, float]
    notes: tuple[str, ...]

    @property
    def stop(self) -> float:
        """The time at the end in s."""
        return float(self.times[-1])

    def __getitem__(self, name: str) -> Vector:
        """The values of a variable at the collocation points. RunError E607 for one that is not in the problem."""
        if name not in self.values:
            hint = "the run has it: best.run[...]" if name in self.run else ""
            what, other = unknown_name("variable of the problem", name, tuple(self.values))
            raise RunError("E607", what, hint or other)
        return self.values[name]

    def __repr__(self) -> str:
        free = "".join(f", {name} = {value:.6g}" for name, value in self.parameters.items())
        name = max(self.differences, key=lambda n: self.differences[n], default="")
        far = f"; the run differs by {self.differences[name]:.2g} at most, in {name}" if name else ""
        return f"<Optimum: {self.objective:.6g} in {self.stop:.6g} s{free}; {self.status}{far}>"


def optimize(model: TranslatedModel, minimize: str, settings: OptimizeSettings) -> Optimum:
    """As `Model.optimize`."""
    return _Problem(model, minimize, settings).solved()


class _Problem:
    """What is given, read."""

    def __init__(self, model: TranslatedModel, minimize: str, settings: OptimizeSettings):
        self.given = model._numbers(settings.get("parameters") or {})
        self.model, self.own, self.guess = model.with_values(self.given), settings, settings.get("guess")
        self.free = _free(self.model, settings.get("free") or (), self.given)
        self.quantities = q = Quantities(self.model, self.free)
        self.objective = q.objective(minimize)
        self.phases = _phases(model, settings)
        self.starts = q.conditions(_states_in(self.model, settings.get("start")), "start")
        self.ends = [q.conditions(_states_in(self.model, phase.end), "end") for phase in self.phases]
        self.ends[-1] += q.conditions(_states_in(self.model, settings.get("end")), "end")
        limits = settings.get("limits") or {}
        self.limits = [q.conditions({**limits, **phase.limits}, "limit") for phase in self.phases]
        periodic = settings.get("periodic") or ()
        self.periodic = select(periodic, model.states) if periodic else ()
        self.time = model.experiment.start
        self.first = self._first_states()
        for name in self.first:
            q.expression(name)

    def _first_states(self) -> dict[str, float]:
        """The states at the start of a run of the model."""
        first = replace(self.model.experiment, stop=self.time, points=None, interval=None, times=None, parameters=self.given)
        run = self.model.run(first).completed()
        return {name: float(run[name][-1]) for name in self.model.states}

    def solved(self) -> Optimum:
        """The solution, checked."""
        program = Collocation(self.quantities, np.array([value for _, value, _ in self.free.values()], dtype=float))
        for place, (low, _, high) in zip(program.free.ravel(), self.free.values(), strict=True):
            program.program.bound(place, low, high)
        durations, modes = [span(phase.duration) for phase in self.phases], []
        whole = sum(guess for _, guess, _ in durations)
        begin = 0.0
        for k, (phase, (low, guess, high)) in enumerate(zip(self.phases, durations, strict=True)):
            start = self._start(phase, guess, begin / whole, guess / whole)
            motion = program.add(self._grid(phase), start)
            program.program.bound(motion.length, low, high)
            for each in self.limits[k]:
                program.keep(motion, each)
            for each in self.ends[k]:
                program.keep(motion, each, -1)
            begin += guess
            modes.append(start.modes)
        self._fix_start(program)
        goal = program.objective(self.objective)
        options = {"print_level": 0, "sb": "yes", "max_iter": self.own.get("iterations") or 500}
        solver = program.program.solver(goal, program.time, "ipopt", {**_QUIET, "ipopt": options})
        return self._checked(program, solver, modes)

    def _grid(self, phase: Phase) -> Grid:
        own = self.own
        count, degree = phase.intervals or own.get("intervals") or 20, own.get("degree") or 3
        points, interpolation = own.get("points") or "radau", own.get("interpolation") or "linear"
        for what, value, known in (("points", points, _POINTS), ("interpolation", interpolation, _INPUTS)):
            if value not in known:
                raise RunError("E605", f"{what} must be one of {', '.join(known)}, not {value!r}")
        for what, number in (("intervals", count), ("degree", degree)):
            if not isinstance(number, int) or not 1 <= number <= (9 if what == "degree" else 100_000):
                raise RunError("E605", f"{what} must be a whole number from 1, the degree at most 9, not {number!r}")
        return Grid(count, degree, points, interpolation == "hold")

    def _fix_start(self, program: Collocation) -> None:
        """The conditions at the start: those that are given, else the states of a run there."""
        named, first, last = {c.of.text for c in self.starts}, program.motions[0], program.motions[-1]
        for name, value in self.first.items():
            if name not in named and name not in self.periodic:
                program.keep(first, Condition(self.quantities.expression(name), value, value), 0)
        for each in self.starts:
            program.keep(first, each, 0)
        for name in self.periodic:
            k = self.model.states.index(name)
            program.program.require(last.x[k, -1] - first.x[k, 0], 0.0, 0.0, f"{name} is periodic")

    def _start(self, phase: Phase, duration: float, begin: float, part: float) -> Start:
        """First values of a phase that takes this part of the motion from `begin` on."""
        f, grid = self.quantities.function, self._grid(phase)
        at, p = begin + part * grid.parts, [value for _, value, _ in self.free.values()]
        x = np.array([self._guessed(name, at) for name in f.names["x"]]).reshape(-1, len(at))
        u = np.array([self._guessed(name, begin + part * grid.nodes) for name in f.names["u"]])
        u = u.reshape(-1, len(grid.nodes))
        times, z = self.time + duration / part * at, np.zeros((0, len(at)))
        modes = np.array(f.modes(float(times[0]), x[:, 0], u[:, 0], p or None), dtype=float)
        for name, value in phase.modes.items():
            if name not in f.names["m"]:
                raise RunError("E602", *unknown_name("mode", name, f.names["m"]))
            modes[f.names["m"].index(name)] = finite_number(f"the mode '{name}'", float(value))
        if f.names["z"]:
            given = {**self.given, **dict(zip(self.free, p, strict=True))}
            found = self.model.outputs(times, x.T, (u @ grid.of_inputs()).T, f.names["z"], parameters=given)
            z = np.array([found[name] for name in f.names["z"]])
        return Start(duration, x, u, np.where(np.isfinite(z), z, 0.0), modes)

    def _guessed(self, name: str, at: Vector) -> Vector:
        """The guess of a state or an input at parts of the motion."""
        guess = self.guess.run if isinstance(self.guess, Optimum) else self.guess
        if isinstance(guess, Result):
            return np.interp(guess.time[0] + at * (guess.time[-1] - guess.time[0]), guess.time, guess[name])
        if isinstance(guess, Mapping) and name in guess:
            values = np.atleast_1d(np.asarray(guess[name], dtype=float))
            return np.interp(at, np.linspace(0.0, 1.0, len(values)), values) if len(values) > 1 else values[0] + 0 * at
        first = _middle(name, self.starts, self.first.get(name, 0.0))
        found: Vector = first + (_middle(name, self.ends[-1], first) - first) * at
        return found

    def _checked(self, program: Collocation, solver: Any, modes: Sequence[Vector]) -> Optimum:
        """The solution, with a run. RunError E668 if there is none."""
        own = program.program
        low, high = own.sides_of_equations()
        found = solver(x0=own.first, p=self.time, lbx=own.low, ubx=own.high, lbg=low, ubg=high)
        stats, z = solver.stats(), np.array(found["x"]).ravel()
        said, steps = stats["return_status"], int(stats["iter_count"])
        if said not in _FOUND:
            notes = list(dict.fromkeys(own.missed(np.array(found["g"]).ravel())))[:_MOST_MISSED]
            why = _FAILED.get(said, said.replace("_", " ").lower())
            raise RunError("E668", f"no optimal motion was found in {counted(steps, 'iteration')}: {why}", _HINT, notes)
        motions, names = program.motions, self.quantities.function.names
        evaluate = casadi.Function(
            "points", [casadi.vertcat(*own.symbols), program.time], [casadi.vertcat(m.times, m.y) for m in motions]
        )
        others = [np.array(each) for each in evaluate.call([z, self.time])]
        rows = [np.vstack([each, z[m.states], z[m.inputs] @ m.grid.of_inputs()])
                for each, m in zip(others, motions, strict=True)]  # fmt: skip
        whole, shown = np.hstack(rows), ("time", *names["y"], *names["x"], *names["u"])
        values = dict(zip(shown, whole, strict=True))
        times = [each[0, 0] + (each[0, -1] - each[0, 0]) * m.grid.nodes for each, m in zip(rows, motions, strict=True)]
        columns = np.hstack([z[m.inputs] for m in motions]).T
        kind = "hold" if motions[0].grid.held else "linear"
        inputs = {name: InputTable(np.concatenate(times), columns[:, k : k + 1], None, kind)
                  for k, name in enumerate(names["u"])}  # fmt: skip
        free = dict(zip(self.free, z[program.free].ravel().tolist(), strict=True))
        start = {name: float(values[name][0]) for name in names["x"]}
        spans = [(float(each[0, 0]), float(each[0, -1])) for each in rows]
        run, notes = self._run(inputs, free, start, values["time"])
        far = {} if run is None else _differences(run, values, names["x"])
        notes += [] if run is None else self._doubts(run, free, far, values, spans)
        return Optimum(
            float(found["f"]), _FOUND[said], steps, inputs, free, start, values["time"], values, run, far, tuple(notes)
        )

    def _run(
        self, inputs: Mapping[str, InputTable], free: Mapping[str, float], start: Mapping[str, float], times: Vector
    ) -> tuple[Result | None, list[str]]:
        """The run with the solution, and what is to be said of it."""
        discrete = {n: v for n, v in self.phases[0].modes.items() if n in self.model.translated.info.discrete}
        try:
            return self.model.simulate(
                float(times[-1]), start=self.time, inputs=inputs, parameters={**self.given, **free},
                initial={**start, **discrete}, times=np.unique(times)[1:-1], rtol=_RTOL, atol=_RTOL * 1e-2,
            ), []  # fmt: skip
        except RunError as error:
            return error.result, [f"a run with this solution fails: {error.message}"]

    def _doubts(
        self, run: Result, free: Mapping[str, float], far: Mapping[str, float], values: Mapping[str, Vector],
        spans: Sequence[tuple[float, float]],
    ) -> list[str]:  # fmt: skip
        """What a run shows of the solution: states that differ, and limits that it exceeds."""
        notes = []
        for name, difference in far.items():
            if difference > _DIFFERS * max(float(np.ptp(values[name])), _RTOL):
                notes.append(f"'{name}' differs from that of a run by {difference:.3g}: take more intervals, and give "
                             "phases if a mode changes on the way")  # fmt: skip
        for (begin, end), limits in zip(spans, self.limits, strict=True):
            rows = (run.time >= begin) & (run.time <= end)
            for each in limits:
                known = {**self.model.parameters, **free}
                own = each.of([known[n] if n in known else run[n][rows] for n in each.of.names])
                over = np.maximum(each.low - own, own - each.high)
                k = int(np.argmax(over))
                size = max(abs(side) for side in (each.low, each.high) if np.isfinite(side))
                if over[k] > _EXCEEDS * max(size, _RTOL):
                    at = run.time[rows][k]
                    notes.append(f"between the points {each.of.text} is {own[k]:.6g} at {at:.6g} s: limit {each}")
        return notes


def _differences(run: Result, values: Mapping[str, Vector], states: Sequence[str]) -> dict[str, float]:
    """The greatest difference of each state between a run and the solution."""
    inside = values["time"] <= run.time[-1]
    rows = run.at(values["time"][inside])
    return {name: float(np.abs(rows[name] - values[name][inside]).max()) for name in states}


def _middle(name: str, conditions: Sequence[Condition], otherwise: float) -> float:
    """A value within the condition of a variable."""
    for each in conditions:
        if each.of.text == name:
            sides = [side for side in (each.low, each.high) if np.isfinite(side)]
            return float(np.clip(otherwise, min(sides), max(sides))) if len(sides) == 2 else otherwise
    return otherwise


def _states_in(model: TranslatedModel, given: Any) -> Mapping[str, Any]:
    """The conditions that are given: by name, or the states at the end of a run."""
    if isinstance(given, Optimum):
        given = given.run
    if isinstance(given, Result):
        return {name: float(given[name][-1]) for name in model.states}
    return given or {}


def _free(model: TranslatedModel, given: Any, values: Mapping[str, float]) -> dict[str, tuple[float, float, float]]:
    """Least, first and most value of each free parameter. RunError E602 for a name that is none."""
    found = {}
    known = {**model.parameters, **values}
    for name in [given] if isinstance(given, str) else given:
        if name not in known:
            raise RunError("E602", *unknown_name("parameter", name, tuple(known)))
        domain = model.translated.domains.get(name)
        own = given[name] if isinstance(given, Mapping) else (domain.minimum, domain.maximum) if domain else (None,) * 2
        low, high = (sign * np.inf if side is None else finite_number(f"a limit of '{name}'", side)
                     for sign, side in zip((-1.0, 1.0), own, strict=True))  # fmt: skip
        if not low < high:
            raise RunError("E605", f"the range of '{name}', {low:g} to {high:g}, is none", "give (least, most)")
        found[name] = low, float(np.clip(known[name], low, high)), high
    return found


def _phases(model: TranslatedModel, settings: OptimizeSettings) -> list[Phase]:
    """The phases of a motion, or the one of which it consists."""
    phases, stop = list(settings.get("phases") or ()), settings.get("stop")
    if not phases:
        start, own = model.experiment.start, model.experiment.stop if stop is None else stop
        sides = own if isinstance(own, tuple | list) else (own, own)
        return [Phase(tuple(None if side is None else side - start for side in sides), settings.get("modes") or {})]
    if stop is not None or settings.get("modes"):
        raise RunError("E605", "phases have durations and modes of their own", "leave out stop and modes")
    return phases
