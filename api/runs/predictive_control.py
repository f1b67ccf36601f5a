"""Makes predictive controllers of a model: an objective over a horizon -> inputs for a state, in Python and as C."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import casadi
import numpy as np
from scipy.linalg import expm

from cutset.api.runs.collocation import Collocation, Grid
from cutset.api.runs.motion_problem import Condition, Objective, Quantities, called
from cutset.contract.version import __version__
from cutset.export.c_folder import c_name
from cutset.runtime.errors import RunError, require_names
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result
from cutset.runtime.targets.binding import finite_number
from cutset.runtime.whole_files import write_whole

# Collocation points in a sample of a nonlinear controller.
_DEGREE = 3
_QP = {
    "print_time": False, "error_on_fail": False, "print_header": False, "print_iter": False, "print_info": False
}  # fmt: skip
# The place of the inputs among the matrices of unknowns of a collocation, after parameters, duration and states.
_OF_INPUTS = 3
_IPOPT = {"mu_init": 1e-3, "max_iter": 200, "tol": 1e-6}
# A solution may miss its equations by this part of their sizes.
_MISSES = 1e-5
# A sample and a horizon; limits and conditions at the end; states and inputs.
_Mesh = tuple[float, int]
_Kept = tuple[list[Condition], list[Condition]]
_Point = tuple[Vector, Vector]
# Operators whose second derivatives are zero although their slopes change.
_CORNERS = {casadi.OP_FABS, casadi.OP_FMIN, casadi.OP_FMAX, casadi.OP_SIGN, casadi.OP_IF_ELSE_ZERO, casadi.OP_FLOOR,
            casadi.OP_CEIL, casadi.OP_FMOD, casadi.OP_LT, casadi.OP_LE}  # fmt: skip
_WRAPPER = """
/* The inputs u ({inputs}) for the states x ({states}) at a time in s{and_references}; nan if there are none.
   It keeps its plan, from which the next call starts. Made by Cutset {version}. */
void {name}(const double *x, double time{argument}, double *u)
{{
    static double plan[{size}] = {{{first}}}, w[{sz_w}];
    static casadi_int iw[{sz_iw}];
    static const double *arg[{sz_arg}];
    static double *res[{sz_res}];
    static int memory = -1;
    double next[{size}];
    int i;
    if (memory < 0) memory = {name}_step_checkout();
    arg[0] = x; arg[1] = &time; arg[2] = {references}; arg[3] = plan;
    res[0] = u; res[1] = next;
    {name}_step(arg, res, iw, w, memory);
    if (u[0] == u[0])
        for (i = 0; i < {size}; i++) plan[i] = next[i];
}}
"""


class PredictiveController:
    """A controller: ``controller(x)`` are the inputs by name for the states x, in the order of `Model.states`, to be
    held for `sample` s. It minimizes the objective over `horizon` samples from there on. `references` are the values of
    names that the objective and the limits use; a call may give others, which stay. The plan of a call is where the
    next one starts its search."""

    def __init__(self, model: Any, sample: float, references: Mapping[str, float], step: Any, first: Vector):
        self.sample, self.inputs, self.references, self._states = sample, model.inputs, dict(references), model.states
        self._step, self._first, self._plan = step, first, first

    def __call__(self, x: Sequence[float] | Vector, time: float = 0.0, **references: float) -> dict[str, float]:
        """The inputs for the states `x` at a time. RunError E668 if no inputs keep the limits, E602 for an unknown
        reference; ValueError for an array of the wrong size."""
        if np.shape(x) != (len(self._states),):
            raise ValueError(f"x has {len(self._states)} elements, not the shape {np.shape(x)}")
        for name, value in (*zip(self._states, x, strict=True), ("time", time), *references.items()):
            finite_number(f"the value of '{name}'", value)
        require_names("reference", references, self.references)
        self.references.update(references)
        u, plan = self._step(x, time, list(self.references.values()), self._plan)
        if not np.isfinite(np.array(u)).all():
            self._plan = self._first
            hint = "give limits that can be kept from each state, or weigh them in the objective"
            at = ", ".join(f"{name} = {value:.6g}" for name, value in zip(self._states, x, strict=True))
            raise RunError("E668", f"the controller finds no inputs that keep its limits from {at}", hint)
        self._plan = plan
        return dict(zip(self.inputs, np.array(u).ravel().tolist(), strict=True))

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the controller as a file in C, which needs nothing else: the function NAME(x, time, references, u), in
        which NAME is that of the file; without references it has no such argument."""
        path = Path(path)
        name, own = c_name(path.stem), bool(self.references)
        given = [casadi.MX.sym(f"a{k}", self._step.size1_in(k)) for k in range(4)]
        step = casadi.Function(f"{name}_step", given, self._step(*given))
        generator = casadi.CodeGenerator(path.name)
        generator.add(step)
        sizes = {each: max(1, getattr(step, each)()) for each in ("sz_arg", "sz_res", "sz_iw", "sz_w")}
        wrapper = _WRAPPER.format(
            name=name, version=__version__, size=len(self._first), **sizes,
            first=", ".join(map(repr, self._first.tolist())),
            inputs=", ".join(self.inputs), states=", ".join(self._states), references="references" if own else "0",
            argument=", const double *references" if own else "",
            and_references=f" with references ({', '.join(self.references)})" if own else "",
        )  # fmt: skip
        write_whole(path, f"#include <math.h>\n{generator.dump()}{wrapper}")
        return path


def predictive_controller(
    model: Any, minimize: str, mesh: _Mesh, kind: str, limits: Any, end: Any, references: Mapping[str, float], at: Any
) -> PredictiveController:
    """As `Model.mpc`; a mesh is a sample and a horizon."""
    make, (sample, horizon) = _MAKERS.get(kind), mesh
    if make is None:
        raise RunError("E605", f"kind must be 'linear' or 'nonlinear', not {kind!r}")
    if not (isinstance(horizon, int) and horizon >= 1 and 0.0 < sample < np.inf):
        raise RunError("E605", "a horizon is a number of samples, at least 1, and a sample a time greater than 0 s")
    for name, value in references.items():
        finite_number(f"the value of '{name}'", value)
    q = Quantities(model, (), references)
    goal, kept = q.objective(minimize), (q.conditions(limits, "limit"), q.conditions(end, "end"))
    if isinstance(at, Result):
        x, u = (np.array([float(at[name][-1]) for name in names]) for names in (model.states, model.inputs))
    else:
        inputs = {name: value for name, value in at.items() if name in model.inputs}
        first = model.simulator(initial={n: v for n, v in at.items() if n not in inputs}, inputs=inputs)
        x, u = first.x, first.u
    return PredictiveController(model, sample, references, *make(q, goal, kept, mesh, (x, u)))


def _nonlinear(q: Quantities, goal: Objective, kept: _Kept, mesh: _Mesh, at: _Point) -> tuple[Any, Vector]:
    """The function (x, t, r, plan) -> (u, next plan), by collocation, and the first plan."""
    (sample, horizon), f = mesh, q.function
    whole, grid = sample * horizon, Grid(horizon, _DEGREE, "radau", True)
    columns = len(grid.parts)
    modes = np.array(f.modes(0.0, *at), dtype=float)
    z = np.tile(np.array(f.defaults["z"]).reshape(-1, 1), (1, columns))
    program = Collocation(q, np.zeros(0))
    first = np.tile(at[0][:, None], columns), np.tile(at[1][:, None], horizon), z
    motion, own = program.add(grid, whole, first, modes), program.program
    own.bound(motion.length, whole, whole)
    for each in kept[0]:
        decides = casadi.depends_on(program.values(motion, each.of, 0), own.symbols[_OF_INPUTS])
        program.keep(motion, each, slice(0 if decides else 1, None))
    for each in kept[1]:
        program.keep(motion, each, -1)
    solver = program.solver(program.objective(goal), **_IPOPT)
    x, t, r = casadi.MX.sym("x", len(at[0])), casadi.MX.sym("t"), casadi.MX.sym("r", len(q.references))
    plan, (low, high) = casadi.MX.sym("plan", len(own.first)), own.sides_of_equations()
    least, most = casadi.MX(own.low), casadi.MX(own.high)
    least[motion.states[:, 0].tolist()] = x
    most[motion.states[:, 0].tolist()] = x
    answer = solver(x0=plan, p=casadi.vertcat(t, r), lbx=least, ubx=most, lbg=low, ubg=high)
    later = np.arange(len(own.first))
    later[motion.states] = motion.states[:, np.minimum(np.arange(columns) + _DEGREE, columns - 1)]
    later[motion.inputs] = motion.inputs[:, np.minimum(np.arange(horizon) + 1, horizon - 1)]
    u = _kept(answer, motion.inputs[:, 0], (least, low), (most, high))
    return casadi.Function("step", [x, t, r, plan], [u, answer["x"][later.tolist()]]), own.first


def _kept(answer: Mapping[str, Any], places: Any, low: Sequence[Any], high: Sequence[Any]) -> Any:
    """The inputs, at their places among the unknowns; nan if a bound or an equation is missed."""
    u, values = answer["x"][places.tolist()], casadi.vertcat(answer["x"], answer["g"])
    over = casadi.fmax(casadi.vertcat(*low) - values, values - casadi.vertcat(*high))
    missed = casadi.mmax(over / (1.0 + casadi.fabs(values)))
    return casadi.if_else(missed < _MISSES, u, casadi.DM.nan(u.numel()))


def _linear(q: Quantities, goal: Objective, kept: _Kept, mesh: _Mesh, at: _Point) -> tuple[Any, Vector]:
    """The same by the model that is linearized at a point: a quadratic program of states and inputs."""
    (sample, horizon), model, names = mesh, q.model, q.function.names
    (n, k), outputs = (len(at[0]), len(at[1])), names["y"]
    linear = model.linearize(0.0, *at, outputs=outputs)  # type: ignore[attr-defined]
    rate = model.evaluate(0.0, *at)  # type: ignore[attr-defined]
    level = model.outputs(0.0, *at, outputs)  # type: ignore[attr-defined]
    rates = np.hstack([linear.A, linear.B, (rate - linear.A @ at[0] - linear.B @ at[1])[:, None]])
    step = expm(sample * np.vstack([rates, np.zeros((k + 1, n + k + 1))]))[:n]
    free, t0, r = casadi.SX.sym("z", (n + k) * horizon + n), casadi.SX.sym("t"), casadi.SX.sym("r", len(q.references))
    stages = casadi.reshape(free[:-n], n + k, horizon)
    x, u = casadi.horzcat(stages[:n, :], free[-n:]), stages[n:, :]

    def values(of: Any, stage: int, terms: Sequence[Any] = ()) -> Any:
        own, at_stage = x[:, stage], u[:, min(stage, horizon - 1)]
        base = np.array([level[name] for name in outputs])
        y = base + linear.C @ (own - at[0]) + linear.D @ (at_stage - at[1])
        found = q.values(of.names, terms, t=t0 + stage * sample, x=own, u=at_stage, y=y, p=casadi.SX(0, 1), r=r)
        return casadi.SX(of(found, called))

    terms = [sum(values(of, stage) for stage in range(horizon)) * (sample if kind == "integral" else 1.0 / horizon)
             for kind, of in goal.terms]  # fmt: skip
    objective = values(goal.whole, horizon, terms)
    curvature = casadi.hessian(objective, free)[0]
    is_quadratic = not casadi.symvar(curvature) and all(kind != "max" for kind, _ in goal.terms)
    is_quadratic = is_quadratic and curvature.nnz() > 0 and _is_smooth(objective)
    if not is_quadratic or np.linalg.eigvalsh(np.array(casadi.DM(curvature))).min() < -_MISSES:
        hint = "write it with squares, such as integral(x^2 + 0.1*F^2), or give kind='nonlinear'"
        raise RunError("E605", "the objective of a linear controller must be quadratic, with a least value", hint)
    # What the present state decides alone cannot be kept.
    rows = [(value, c.low, c.high) for c in kept[0] for stage in range(horizon + 1)
            if casadi.depends_on(value := values(c.of, stage), free[n:])]  # fmt: skip
    rows += [(values(c.of, horizon), c.low, c.high) for c in kept[1]]
    gaps = step @ casadi.vertcat(stages, np.ones((1, horizon))) - x[:, 1:]
    rows += [(gap, 0.0, 0.0) for gap in casadi.vertsplit(casadi.vec(gaps))]
    g, low, high = casadi.vertcat(*(g for g, _, _ in rows)), [low for _, low, _ in rows], [high for _, _, high in rows]
    problem = {"x": free, "p": casadi.vertcat(t0, r), "f": objective, "g": g}
    solver = casadi.qpsol("quadratic", "qrqp", problem, _QP)
    symbols = [casadi.MX.sym(name, size) for name, size in (("x", n), ("t", 1), ("r", len(q.references)))]
    plan, infinite = casadi.MX.sym("plan", free.numel()), np.full((n + k) * horizon, np.inf)
    least, most = (casadi.vertcat(symbols[0], side * infinite) for side in (-1.0, 1.0))
    answer = solver(x0=plan, p=casadi.vertcat(*symbols[1:]), lbx=least, ubx=most, lbg=low, ubg=high)
    later = casadi.vertcat(answer["x"][n + k :], answer["x"][-n - k :])
    u = _kept(answer, n + np.arange(k), (least, low), (most, high))
    first: Vector = np.tile(np.concatenate(at), horizon + 1)[: len(infinite) + n]
    return casadi.Function("step", [*symbols, plan], [u, later]), first


def _is_smooth(value: Any) -> bool:
    """False if a value has corners, whose second derivatives are zero."""
    f = casadi.Function("f", casadi.symvar(value), [value])
    return not _CORNERS & {f.instruction_id(k) for k in range(f.n_instructions())}


_MAKERS = {"linear": _linear, "nonlinear": _nonlinear}
