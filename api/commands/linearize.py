"""Implements ``cutset linearize``: matrices, eigenvalues and damping of a model about a point of a run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.command_line.report import print_json, print_linearization, print_noise
from cutset.api.commands.common import add_model, add_values, load_with_values
from cutset.api.commands.problem import add_problem, load_at_rest, load_over
from cutset.api.files.exit_errors import UsageError
from cutset.api.files.result_files import check_writable, split_names, write_bode, write_matrices
from cutset.compiler.units.quantities import Misfit, split_quantity, value_in

if TYPE_CHECKING:
    from cutset.api.model import Model
    from cutset.runtime.analysis.linearize import Linearization


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_model(parser)
    parser.add_argument(
        "--time",
        "--at",
        metavar="T",
        type=float,
        default=0.0,
        help="simulate from 0 to this time, then linearize there, in s (default: 0)",
    )
    parser.add_argument(
        "--steady", action="store_true", help="linearize at an equilibrium, with time held at T; no run"
    )
    add_values(parser)
    add_problem(parser)
    parser.add_argument(
        "--outputs", metavar="GLOB,...", action="extend", type=split_names, default=[],
        help="variables for the rows of C and D",
    )  # fmt: skip
    parser.add_argument(
        "--inputs", metavar="NAME,...", action="extend", type=split_names, default=[],
        help="variables to which further inputs, disturbance(NAME), are added, for what reads them",
    )  # fmt: skip
    parser.add_argument(
        "--open", metavar="NAME,...", action="extend", type=split_names, default=[],
        help="variables at which a loop is opened: what reads them reads an input, and an output is what returns",
    )  # fmt: skip
    parser.add_argument(
        "--sampled", metavar="T", type=float,
        help="the model from sample to sample, T s apart: its states include the discrete variables",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write the matrices and their names: .npz or .mat"
    )
    parser.add_argument(
        "--bode", metavar="FILE", type=Path, help="draw gain and phase from the inputs to the --outputs over frequency"
    )
    parser.add_argument(
        "--noise", metavar="FROM:TO", type=_band,
        help="print the noise of the --outputs between two frequencies, in Hz: densities, rms values, where it comes "
             "from; referred to the source with ac, too",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print only one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Run to the point, and print the matrices there."""
    check_writable(arguments.output, "linear model")
    check_writable(arguments.bode, "picture")
    found, model = _linearized(arguments)
    if arguments.output is not None:
        write_matrices(found, arguments.output, says=not arguments.json)
    if arguments.bode is not None:
        write_bode(found, arguments.bode, says=not arguments.json)
    if arguments.json:
        _print_json(found, arguments.noise)
    else:
        print_linearization(found)
        if arguments.noise is not None:
            print_noise(found, model.description, *arguments.noise)
    return 0


def _linearized(arguments: argparse.Namespace) -> tuple[Linearization, Model]:
    arguments.perturbed = "ac" if arguments.noise is None else "noise"
    model, values = load_with_values(arguments)
    if arguments.inputs or arguments.open:
        model = model.disturbed(*arguments.inputs, *arguments.open)
    if arguments.sampled is not None:
        if arguments.steady or arguments.open or arguments.noise:
            raise UsageError("--sampled goes with --time, and not with --steady, --open and --noise")
        model, values = load_over(model, values, arguments, 0.0, arguments.time + arguments.sampled)
        return model.discrete(arguments.sampled, arguments.outputs, arguments.time, **values), model
    if arguments.steady:
        model, values, _ = load_at_rest(model, values, arguments, arguments.time)
        point = model.steady(arguments.time, **values)
    else:
        model, values = load_over(model, values, arguments, 0.0, arguments.time)
        point = model.simulate(arguments.time, points=2, **values)
    arrays = model.translated.info.arrays
    opened = [each for signal in arguments.open for each in arrays.get(signal, (signal,))]
    found = point.linearize([*arguments.outputs, *opened])
    for name in opened:
        found = found.opened(name)
    return found, model


def _band(text: str) -> tuple[float, float]:
    try:
        low, high = (value_in(each, "Hz") if split_quantity(each) else float(each) for each in text.split(":"))
    except (ValueError, Misfit):
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form 10Hz:1MHz") from None
    return low, high


def _print_json(found: Linearization, band: tuple[float, float] | None) -> None:
    from cutset.api.command_line.json_reports import motions_report, noise_report

    names = {"time": found.point.t, "states": found.states, "inputs": found.inputs, "outputs": found.outputs}
    matrices = {name: getattr(found, name).tolist() for name in "ABCD"}
    noise = {} if band is None else {"noise": noise_report(found, *band)}
    eigenvalues = [[value.real, value.imag] for value in found.eigenvalues.tolist()]
    own = (
        {"interval": found.interval, "eigenvalues": eigenvalues}
        if found.interval
        else {"motions": motions_report(found)}
    )
    print_json({**names, **matrices, **own, "notes": found.notes, **noise})
