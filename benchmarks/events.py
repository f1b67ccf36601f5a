"""Measures models with events: Cutset's loop in C and scipy's solve_ivp, which calls the same compiled code.

    python benchmarks/events.py [--markdown FILE] [--quick]

In Cutset events are settled in C too; the other side settles them in Python. The second table has models with many
events: what an event costs in C beside the derivatives, and other programs with the same model, where they are
installed and can run it: solve_ivp, MuJoCo (the arm), Rumoca (the pulses). Times are CPU time of the measuring thread,
the best of repetitions in which the programs take turns.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from sheets import Sheet, report
from sidebyside import per_repetition, times

from cutset.compiler.pipeline import Options, compile_model, emit
from cutset.runtime import solvers
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.results.result import Result
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.run import Run, Settings
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.solvers.method import Method
from cutset.runtime.solvers.part import DONE, STEP_TOO_SMALL, Part
from cutset.runtime.targets.build import build
from cutset.runtime.targets.c_records import address, numbers_at

_MODELS = Path(__file__).parents[1] / "tests" / "cases" / "models"
_OWN = Path(__file__).parent / "models"
# A relation changes at this distance after its crossing, relative to the size of its sides.
_BEHIND = 1e-13


@dataclass(frozen=True)
class Subject:
    """A model, its run, and a method of Cutset with the most similar one of scipy."""

    file: str
    name: str
    stop: float
    ours: str
    of_scipy: str


SUBJECTS = (
    Subject("shafts.mo", "CoupledClutches", 1.5, "dopri5", "RK45"),
    Subject("rectifier.mo", "Rectifier", 0.1, "cvode-bdf", "BDF"),
)


# Models with many events: file, name, stop time, method, and the part of the run that solve_ivp does; 0 where RK45 does
# not finish a fiftieth of the run in minutes.
MANY = (
    (_MODELS / "shafts.mo", "CoupledClutches", 1.5, "auto", 1.0),
    (_OWN / "pulses.mo", "Pulses", 1.0, "auto", 0.01),
    (_OWN / "converter.mo", "Converter", 0.01, "auto", 0.0),
    (_OWN / "digital_arm.mo", "DigitalArm", 1.0, "auto", 0.05),
    (_OWN / "digital_arm.mo", "DigitalArm", 1.0, "rk4", 0.05),
)
# The pulses for Rumoca.
_PULSES = """model M
  Real x(start=0, fixed=true), u;
equation
  u = if mod(time, 1e-4) < 0.3*1e-4 then 1.0 else 0.0;
  0.01*der(x) = u - x;
end M;
"""


def by_solve_ivp(solver: str, part: Part) -> int:
    """Integrate the part by ``scipy.integrate.solve_ivp``. Its event functions start with the sign that they keep and
    end just after zero, so that a past event is not found again."""
    model, evaluations, n = part.model, 0, len(part.info.crossings)
    signs, u, held = numbers_at(part.data.watch.side, n), part.inputs, (part.values, part.modes)

    def f(t: float, x: Vector) -> Vector:
        nonlocal evaluations
        evaluations += 1
        return model.derivatives(float(t), x, u.at(t), *held)

    def differences(t: float, x: Vector) -> Vector:
        return signs * model.crossings(float(t), x, u.at(t), *held)

    margins = numbers_at(part.data.watch.margin, n)
    base = np.minimum(differences(part.t, part.x), 0.0) - _BEHIND * (margins / (8.0 * sys.float_info.epsilon) + 1.0)
    watched = [_event(differences, k, base[k]) for k in range(n)]
    more = {"jac": partial(_jacobian, part)} if solver == "BDF" and model.info.has_jacobian else {}
    found = solve_ivp(
        *(f, (part.t, float(part.times[-1])), part.x.copy()),
        method=solver, rtol=part.control.rtol, atol=part.atol, dense_output=True, events=watched, **more,
    )  # fmt: skip
    reached = part.times[part.times < found.t[-1]] if found.status == 1 else part.times
    crossed = [float(-sign) if len(at) else 0.0 for sign, at in zip(signs, found.t_events or [], strict=False)]
    report = part.report
    if len(reached):
        part.out[: len(reached)] = found.sol(reached).T
    numbers_at(part.data.watch.crossed, n)[: len(crossed)] = crossed
    part.x[:], part.method, part.data.evaluations = found.y[:, -1], solver, evaluations
    report.t, report.reached, report.steps = float(found.t[-1]), len(reached), len(found.t) - 1
    report.crossed = any(crossed)
    return DONE if found.status >= 0 else STEP_TOO_SMALL


def _event(differences: Callable[[float, Vector], Vector], k: int, base: float) -> Callable[[float, Vector], float]:
    def event(t: float, x: Vector) -> float:
        return float(differences(t, x)[k] - base)

    event.terminal = True  # type: ignore[attr-defined]
    event.direction = -1.0  # type: ignore[attr-defined]
    return event


def _jacobian(part: Part, t: float, x: Vector) -> Vector:
    return part.model.jacobian(float(t), x, part.inputs.at(t), part.values, part.modes)


def measured(subject: Subject, rounds: int) -> list[list[str]]:
    """One row for each side."""
    model = build(emit(compile_model(_MODELS / subject.file, subject.name, Options()), "c"), "c")
    peer = Method(f"solve_ivp {subject.of_scipy}", "", partial(by_solve_ivp, subject.of_scipy))
    runs = {subject.ours: partial(_run, model, subject, subject.ours)}
    runs[peer.name] = partial(_run, model, subject, peer.name)
    solvers.METHODS = {**solvers.METHODS, peer.name: peer}
    results = {name: run() for name, run in runs.items()}
    for name in model.info.states:
        ours, theirs = (result[name][-1] for result in results.values())
        assert abs(ours - theirs) <= 1e-3 * (abs(ours) + 1e-2), (name, ours, theirs)
    seconds = per_repetition({name: times(run) for name, run in runs.items()}, rounds)
    rows, slowest = [], seconds[peer.name]
    rate = results[peer.name].statistics.steps / slowest
    for name, result in results.items():
        steps, events, time = result.statistics.steps, sum(result.statistics.events.values()), seconds[name]
        assert result.outcome is Outcome.COMPLETED, (name, result.outcome)
        row = [
            subject.name,
            name,
            f"{time * 1e3:.1f} ms",
            str(steps),
            str(events),
            f"{steps / time:.0f}",
            f"{events / time:.0f}",
        ]
        rows.append([*row, f"{steps / time / rate:.1f}", f"{slowest / time:.1f}"])
    return rows


def _run(model: CompiledModel, subject: Subject, method: str) -> Result:
    return simulate(model, Experiment(stop=subject.stop, method=method))


def of_one_event(file: Path, name: str, stop: float, method: str, part: float, rounds: int) -> list[str]:
    """The row of a model with many events, whose outputs are few."""
    model = build(emit(compile_model(file, name, Options()), "c"), "c")
    settings = Experiment(stop=stop, method=method, points=11, max_step=1e-3 if method == "rk4" else math.inf)
    in_c: list[float] = []
    run = partial(_timed, in_c, partial(simulate, model, settings))
    result = run()
    assert result.outcome is Outcome.COMPLETED, (name, result.outcome)
    cost = result.statistics
    n, last, values = cost.evaluations, result.last, result.fixed_values
    arrays = last.x.copy(), last.u.copy(), values.c, last.modes.copy(), values.w.copy(), np.zeros(model.info.n_rates)
    evaluate = partial(model.functions.repeat, n, stop, *map(address, arrays))
    seconds = per_repetition({"run": times(run), "evaluations": times(evaluate)}, rounds)
    events = sum(cost.events.values())
    return [
        name,
        method,
        f"{seconds['run'] * 1e3:.2f} ms",
        str(events),
        str(n),
        f"{(min(in_c) - seconds['evaluations']) / events * 1e6:.1f} us",
        f"{stop / seconds['run']:.1f}",
        f"{_by_peer(model, settings, part) * 1e3:.0f} ms" if part else "",
        _others(name, result, stop, rounds),
    ]


def _timed(seconds: list[float], run: Callable[[], Result]) -> Result:
    """The result of a run; `seconds` receives the CPU time that it spent in C."""
    whole, spent = Run.start, 0.0

    def timed(memory: Run, settings: Settings) -> int:
        nonlocal spent
        begin = time.thread_time()
        try:
            return whole(memory, settings)
        finally:
            spent += time.thread_time() - begin

    Run.start = timed  # type: ignore[method-assign]
    try:
        result = run()
    finally:
        Run.start = whole  # type: ignore[method-assign]
    seconds.append(spent)
    return result


def _by_peer(model: CompiledModel, settings: Experiment, part: float) -> float:
    """The CPU time in s of a run by solve_ivp, from that of a part of it."""
    peer = Method("solve_ivp RK45", "", partial(by_solve_ivp, "RK45"))
    solvers.METHODS = {**solvers.METHODS, peer.name: peer}
    begin = time.thread_time()
    result = simulate(model, replace(settings, stop=part * settings.stop, method=peer.name, max_step=math.inf))
    assert result.outcome is Outcome.COMPLETED, result.outcome
    return (time.thread_time() - begin) / part


def _others(name: str, result: Result, stop: float, rounds: int) -> str:
    """The CPU times of other programs with this model; empty if none is installed and can run it."""
    if name == "DigitalArm" and find_spec("mujoco"):
        from mujoco_peer import MuJoCoRun

        told = []
        for integrator in ("Euler", "RK4"):
            arm = MuJoCoRun(integrator, stop)
            seconds = per_repetition({integrator: times(arm.run)}, rounds)[integrator]
            for joint, angle in arm.last.items():
                assert abs(angle - result[joint][-1]) < 1e-4, (joint, angle, result[joint][-1])
            told.append(f"MuJoCo {integrator} {seconds * 1e3:.1f} ms")
        return ", ".join(told)
    if name == "Pulses" and find_spec("rumoca"):
        import rumoca

        begin = time.thread_time()
        model = rumoca.Session().loads(_PULSES, model="M")
        found = model.simulate((0.0, stop), dt=stop / 10, config=rumoca.SimConfig(rtol=1e-6, atol=1e-8))
        assert abs(found["x"][-1] - result["x"][-1]) < 1e-4
        return f"Rumoca {(time.thread_time() - begin) * 1e3:.0f} ms"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repetitions")
    return report(parser, lambda options, compiler: (sheets(3 if options.quick else 21), []))


def sheets(repetitions: int) -> list[Sheet]:
    columns = [
        "model",
        "method",
        "CPU time",
        "events",
        "evaluations",
        "an event beside them, in C",
        "times real time",
        "solve_ivp",
        "others",
    ]
    rows = [of_one_event(*subject, repetitions) for subject in MANY]
    note = "11 output times; the steps of rk4 and of MuJoCo are 1 ms long; solve_ivp from a part of the run."
    return [sheet(repetitions), Sheet("Models with many events", columns, rows, note)]


def sheet(repetitions: int) -> Sheet:
    rows = [row for subject in SUBJECTS for row in measured(subject, repetitions)]
    columns = [
        "model",
        "steps by",
        "CPU time",
        "steps",
        "events",
        "steps / s",
        "events / s",
        "steps / s, ratio",
        "run, ratio",
    ]
    return Sheet(
        "Runs with events",
        columns,
        rows,
        "Tolerance 1e-6 relative, 1e-8 absolute; 501 output times; ratios to solve_ivp.",
    )


if __name__ == "__main__":
    sys.exit(main())
