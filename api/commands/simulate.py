"""``cutset simulate``: translate, run, and write, draw or print the result."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.commands.common import add_model, add_values, load_model, named_values
from cutset.endings import UsageError
from cutset.output import check_animation, check_picture, check_table, split_names, write_animation, write_picture, write_table

if TYPE_CHECKING:
    from cutset.runtime.result import Result
    from cutset.runtime.simulate import Experiment


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    add_model(parser)
    run_of = parser.add_argument_group("the run")
    run_of.add_argument("--stop", metavar="T", type=float, default=1.0, help="time at the end, in s (default: 1)")
    run_of.add_argument("--start", metavar="T", type=float, default=0.0, help="time at the start, in s (default: 0)")
    rows = run_of.add_mutually_exclusive_group()
    rows.add_argument("--points", metavar="N", type=int, help="outputs in all (default: 501)")
    rows.add_argument("--interval", metavar="DT", type=float, help="time between outputs, in s")
    run_of.add_argument("--method", metavar="M", default="auto", help="integration method (default: auto)")
    run_of.add_argument("--rtol", metavar="R", type=float, default=1e-6, help="relative tolerance (default: 1e-6)")
    run_of.add_argument("--atol", metavar="A", type=float, default=1e-8, help="absolute tolerance (default: 1e-8)")
    add_values(run_of)
    run_of.add_argument("--target", choices=("c", "python"), default="auto", help="default: c, where a compiler is")
    output = parser.add_argument_group("the result")
    output.add_argument("--outputs", metavar="GLOB", nargs="+", action="extend", help="names to write (default: all)")
    output.add_argument("-o", "--output", metavar="FILE", type=Path, help="write a table: .csv, .npz, .mat, .parquet")
    output.add_argument("--plot", metavar="NAME,...", type=split_names, help="draw these over time")
    output.add_argument("--save", metavar="PICTURE", type=Path, help="where to draw (default: MODEL.png)")
    output.add_argument("--animate", metavar="FILE", type=Path, help="write the motion in space: .html, .glb")
    output.add_argument("--stats", action="store_true", help="print sizes, times and the speed of the run")


def run(arguments: argparse.Namespace) -> int:
    """Do the run. A failing run still writes what it has, and gives 1."""
    if arguments.save is not None and arguments.plot is None:
        raise UsageError("--save needs --plot")
    if arguments.output is not None:
        check_table(arguments.output)
    if arguments.save is not None:
        check_picture(arguments.save)
    if arguments.animate is not None:
        check_animation(arguments.animate)
    _experiment(arguments)

    from cutset.progress import shown_progress

    model = load_model(arguments).with_values(dict(arguments.set))
    target = _target(arguments.target)
    model.build(target)
    with shown_progress(arguments.start, arguments.stop) as now:
        result = model.run(replace(_experiment(arguments), **named_values(model, arguments.set)), target, now)

    from cutset import report

    if arguments.output is not None:
        write_table(result, arguments.output, arguments.outputs)
    if arguments.plot is not None:
        write_picture({model.name: result}, arguments.plot, arguments.save or Path(f"{model.name}.png"))
    if arguments.animate is not None:
        write_animation(result, arguments.animate)
    if arguments.stats:
        report.print_facts(model.inspect())
        report.print_run(model, result, target)
    elif arguments.output is None and arguments.plot is None and arguments.animate is None:
        report.print_final_values(result, arguments.outputs or model.states or ["*"])
    return _end(result)


def _experiment(a: argparse.Namespace) -> Experiment:
    from cutset.runtime.simulate import Experiment

    return Experiment(a.stop, a.start, a.points, a.interval, a.method, a.rtol, a.atol)


def _target(target: str) -> str:
    from cutset.model import choose_target

    chosen = choose_target(target)
    if target == "auto" and chosen == "python":
        print("note: no C compiler was found; the model runs as Python code, which is slower", file=sys.stderr)
    return chosen


def _end(result: Result) -> int:
    from cutset.report import print_error
    from cutset.runtime.outcome import Outcome

    if result.ending is not None:
        print(f"the model ended the run at time {result.time[-1]:g}: {result.ending.text}")
    if result.failure is None:
        return 0 if _is_finite(result) else 1
    if result.outcome is Outcome.INTERRUPTED:
        print(f"interrupted at time {result.failure.time:g}", file=sys.stderr)
        return 130
    print_error(str(result.failure.error()))
    return 1


def _is_finite(result: Result) -> bool:
    """Says which variable has no finite value somewhere though the run went through."""
    from cutset.report import print_error

    failure = result.first_not_finite()
    if failure is not None:
        print_error(str(failure.error()))
    return failure is None
