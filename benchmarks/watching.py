"""Measures the cost of monitoring a dynamic choice of states: segments of runs with the monitor and without it.

    python benchmarks/watching.py [--markdown FILE] [--quick]

Each model is run up to its first change of states, or to its end. The segment is then integrated repeatedly, with the
crossings that monitor the choice and without them, in turns. Times are CPU time of the measuring thread, the best of
repetitions; `part` is the additional time relative to the segment without the monitor.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from ctypes import byref
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import numpy as np
from sheets import Sheet, report
from sidebyside import per_repetition, times

from cutset.compiler.pipeline import Options, compile_model, emit
from cutset.runtime import solvers
from cutset.runtime.interface import CompiledModel, Vector
from cutset.runtime.outcome import Outcome
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.solvers import cvode
from cutset.runtime.solvers.c_constants import tableau_in_c
from cutset.runtime.solvers.c_loops import c_run
from cutset.runtime.solvers.method import Method, Problem, Segment, SegmentResult
from cutset.runtime.targets.build import build
from cutset.runtime.targets.c_records import Control, address

_ROOT = Path(__file__).parents[1]
_MODELS, _CASES = _ROOT / "models", _ROOT / "tests" / "cases" / "models"
METHODS = ("dopri5", "cvode-adams", "cvode-bdf")
# The fraction of the time to the first change of states.
_BEFORE = 0.95


@dataclass(frozen=True)
class Subject:
    """A model with a dynamic choice of states, and its run."""

    path: Path
    name: str
    stop: float


SUBJECTS = (
    Subject(_MODELS / "cartesian_pendulum.mo", "CartesianPendulum", 2.0),
    Subject(_MODELS / "cartesian_double_pendulum.mo", "CartesianDoublePendulum", 2.0),
    Subject(_MODELS / "four_bar.mo", "FourBar", 2.0),
    Subject(_CASES / "pendulum.mo", "Pendulum", 2.0),
    Subject(_CASES / "slider_crank.mo", "SliderCrank", 10.0),
    Subject(_CASES / "car_axis.mo", "CarAxis", 3.0),
    Subject(_CASES / "line_force.mo", "LineForceWithTwoMasses", 3.0),
    Subject(_CASES / "squeezer.mo", "Squeezer", 0.1),
    Subject(_CASES / "loops.mo", "Fourbar1", 5.0),
    Subject(_CASES / "loops.mo", "Fourbar2", 5.0),
    Subject(_CASES / "loops.mo", "Engine1a", 2.0),
    Subject(_CASES / "loops.mo", "Wheel", 5.0),
    Subject(_CASES / "loops.mo", "Windows", 5.0),
)


def measured(subject: Subject, method: str, rounds: int) -> list[str]:
    """One row."""
    model = build(emit(compile_model(subject.path, subject.name, Options()), "c"), "c")
    problem, segment = _first_stretch(model, subject, method)
    without = replace(problem, model=replace(model, info=replace(model.info, crossings=())))  # type: ignore[type-var]
    assert all(model.info.relations[k].at_ends for k in model.info.crossings), subject.name
    unwatched = replace(segment, scales=segment.scales[:0])
    runs = {"with": _repeated(problem, segment, method), "without": _repeated(without, unwatched, method)}
    pieces = {name: run() for name, run in runs.items()}
    assert all(result.outcome is Outcome.COMPLETED and not result.crossed for result in pieces.values()), subject.name
    seconds = per_repetition({name: times(run) for name, run in runs.items()}, rounds)
    steps = pieces["with"].counts.steps
    part = seconds["with"] / seconds["without"] - 1.0
    return [
        f"{subject.name} {method}",
        str(steps),
        f"{seconds['without'] / steps * 1e6:.2f} us",
        f"{100.0 * part:.1f} %",
    ]


def _first_stretch(model: CompiledModel, subject: Subject, method: str) -> tuple[Problem, Segment]:
    """The first segment of a run, which ends before the first change of states, if there is one."""
    own, seen = solvers.METHODS[method], []

    def integrate(problem: Problem, segment: Segment) -> SegmentResult:
        guesses = problem.values.w.copy()
        result = _by(own, problem, segment)
        seen.append((replace(problem, values=replace(problem.values, w=guesses)), segment, result))
        return result

    solvers.METHODS = {**solvers.METHODS, "recorded": Method("recorded", "", integrate)}
    try:
        simulate(model, Experiment(subject.stop, points=2, method="recorded", rtol=1e-8, atol=1e-10))
    finally:
        solvers.METHODS = {name: method for name, method in solvers.METHODS.items() if name != "recorded"}
    problem, segment, result = seen[0]
    end = segment.start + _BEFORE * (result.t - segment.start)
    return problem, replace(segment, times=segment.times[:1] * 0.0 + end)


def _repeated(problem: Problem, segment: Segment, method: str) -> Callable[[], SegmentResult]:
    """Integrate the segment, each time from the same guesses and with a new memory."""
    memory = problem.memory
    kept = problem.values.w, memory.sizes, memory.crossing_sizes
    return partial(_integrated, problem, segment, method, [(array, array.copy()) for array in kept])


def _integrated(problem: Problem, segment: Segment, method: str, kept: list[tuple[Vector, Vector]]) -> SegmentResult:
    for array, numbers in kept:
        array[:] = numbers
    problem.memory.pace = 0.0
    return _by(solvers.METHODS[method], problem, segment)


def _by(method: Method, problem: Problem, segment: Segment) -> SegmentResult:
    """The segment by a method in C, alone."""
    if method.tableau is None:
        assert method.family is not None, method.name
        return cvode.integrate(method.family, problem, segment)
    with c_run(problem, segment) as run:
        work = np.empty((len(method.tableau.rows) + 6) * len(segment.x))
        limits = segment.max_step, problem.nearest, problem.max_steps
        control = Control(problem.rtol, address(problem.atol), *limits, False)
        arguments = len(run.times), address(run.times), address(run.out), address(work), byref(run.report)
        start = segment.start, address(run.x)
        run.functions.explicit(byref(run.data), byref(control), byref(tableau_in_c(method.tableau)), *start, *arguments)
    return run.result(Outcome.COMPLETED, method.name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repetitions")
    return report(parser, lambda options, compiler: ([sheet(5 if options.quick else 101)], []))


def sheet(rounds: int) -> Sheet:
    rows = [measured(subject, method, rounds) for subject in SUBJECTS for method in METHODS]
    columns = ["model and method", "steps", "CPU time of a step without the watch", "part"]
    note = (
        "Tolerance 1e-8 relative, 1e-10 absolute; up to the first change of states. Without crossings a stretch takes "
        "some 10 us more to set up."
    )
    return Sheet("The watch over the choice of states", columns, rows, note)


if __name__ == "__main__":
    sys.exit(main())
