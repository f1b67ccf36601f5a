"""Measures the cost of monitoring a dynamic choice of states: segments of runs with the monitor and without it.

    python benchmarks/watching.py [--markdown FILE] [--quick]

Each model is run up to its first change of states, or to its end. The segment is then integrated repeatedly, with the
crossings that monitor the choice and without them, in turns. Times are CPU time of the measuring thread, the best of
repetitions; `part` is the additional time relative to the segment without the monitor.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from sheets import Sheet, report
from sidebyside import per_repetition, times

from cutset.compiler.pipeline import Options, compile_model, emit
from cutset.runtime.outcome import Outcome
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.targets.build import build
from cutset.runtime.targets.engine import Memories

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
    assert all(model.info.relations[k].at_ends for k in model.info.crossings), subject.name
    settings = Experiment(subject.stop, points=2, method=method, rtol=1e-8, atol=1e-10)
    instants = [event.time for event in simulate(model, settings).events if event.time > 0.0]
    settings = replace(settings, stop=_BEFORE * min(instants, default=subject.stop))
    without = replace(model, info=replace(model.info, crossings=()), memories=Memories())
    runs = {"with": partial(simulate, model, settings), "without": partial(simulate, without, settings)}
    pieces = {name: run() for name, run in runs.items()}
    assert all(run.outcome is Outcome.COMPLETED and not run.statistics.events for run in pieces.values()), subject.name
    seconds = per_repetition({name: times(run) for name, run in runs.items()}, rounds)
    steps = pieces["with"].statistics.steps
    part = seconds["with"] / seconds["without"] - 1.0
    return [
        f"{subject.name} {method}",
        str(steps),
        f"{seconds['without'] / steps * 1e6:.2f} us",
        f"{100.0 * part:.1f} %",
    ]


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
