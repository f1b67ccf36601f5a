"""Implements ``cutset export``: writes a model as a program that runs without Python, or as a function."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.commands.common import add_model, load_model
from cutset.api.files.exit_errors import UsageError
from cutset.api.files.result_files import file_of, writing

if TYPE_CHECKING:
    from cutset.api.model import Model


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_model(parser)
    parser.add_argument(
        "--c",
        metavar="DIR",
        type=Path,
        help="write C sources that compile with one command and need no Python into this folder",
    )
    parser.add_argument(
        "--mechanics",
        metavar="FUNCTION",
        action="append",
        default=[],
        help="with --c: write functions of the mechanism instead of the model: inverse, bias, forward, mass_matrix, "
        "pose:FRAME, jacobian:FRAME, velocity_transformation or constraint_jacobian; FRAME is a cut-frame such as "
        "r1:b; can be repeated",
    )
    parser.add_argument(
        "--fmi",
        type=int,
        choices=(2, 3),
        help="write an FMU of this version of FMI, for model exchange and co-simulation",
    )
    _add_controller(parser)
    _add_functions(parser)
    _add_fmu(parser)
    parser.add_argument(
        "--changeable",
        metavar="NAME",
        action="append",
        default=[],
        help="keep these parameters changeable although their values could be part of the code; * matches any text; "
        "those of the model itself always are; with --casadi or --jax these alone are; can be repeated",
    )


def _add_fmu(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="the FMU (default: MODEL.fmu)")
    parser.add_argument(
        "--platform",
        metavar="NAME",
        action="append",
        help="a platform of the FMU's libraries, such as x86_64-windows (default: this machine and, with ziglang, the "
        "usual ones); can be repeated",
    )
    parser.add_argument(
        "--input-clocks",
        action="store_true",
        help="FMI 3: samples are clocks that the importer ticks in event mode; otherwise the FMU ticks them itself",
    )
    parser.add_argument(
        "--across-inputs",
        metavar="CUT",
        action="append",
        default=[],
        help="a cut of the model whose across variables are inputs of the FMU, and its through variables outputs "
        "(default: the reverse); can be repeated",
    )
    parser.add_argument(
        "--stop",
        metavar="T",
        type=float,
        help="the stop time that the FMU proposes, in s (default: that of the model, or 1)",
    )


def _add_controller(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--controller",
        metavar="DIR",
        type=Path,
        help="write a model of samples alone as one small function in C, for a microcontroller, into this folder",
    )
    parser.add_argument(
        "--number",
        metavar="TYPE",
        default="float",
        help="with --controller: float, double, or fixed16 for integers with 16 binary places (default: float)",
    )


def _add_functions(parser: argparse.ArgumentParser) -> None:
    for kind, package in (("casadi", "CasADi"), ("jax", "JAX")):
        parser.add_argument(
            f"--{kind}",
            metavar="FILE",
            type=Path,
            help=f"write a file of Python that has the model as a function of {package}, and needs no Cutset",
        )
    parser.add_argument(
        "--outputs",
        metavar="NAME",
        action="append",
        default=[],
        help="with --casadi or --jax: a variable that is a result besides the derivatives (default: the outputs of "
        "the model); can be repeated",
    )
    parser.add_argument(
        "--residual",
        action="store_true",
        help="with --casadi or --jax: the unknowns of iterations are arguments, and residuals of equations the results",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the files and print where they are."""
    kinds = [kind for kind in ("c", "controller", "fmi", "casadi", "jax") if getattr(arguments, kind) is not None]
    if len(kinds) != 1:
        raise UsageError("say what to export: --c DIR, --controller DIR, --fmi 2 or 3, --casadi FILE or --jax FILE")
    of_fmus = arguments.output, arguments.platform, arguments.input_clocks, arguments.across_inputs
    if kinds != ["fmi"] and (any(of_fmus) or arguments.stop is not None):
        raise UsageError("-o, --platform, --input-clocks, --across-inputs and --stop belong to --fmi")
    if kinds != ["c"] and arguments.mechanics:
        raise UsageError("--mechanics belongs to --c")
    if kinds[0] in ("casadi", "jax"):
        return _write_function(arguments, kinds[0])
    if arguments.outputs or arguments.residual:
        raise UsageError("--outputs and --residual belong to --casadi and --jax")
    if kinds != ["controller"]:
        return _write_c(arguments) if kinds == ["c"] else _write_fmu(arguments)
    model: Model = load_model(arguments)
    with writing(arguments.controller, to="to "):
        model.export_controller(arguments.controller, arguments.number)
    return 0


def _write_function(arguments: argparse.Namespace, kind: str) -> int:
    model: Model = load_model(arguments)
    function = model.function(kind, arguments.outputs, arguments.changeable, arguments.residual)
    path = getattr(arguments, kind)
    with writing(path):
        function.write(path)
    return 0


def _write_c(arguments: argparse.Namespace) -> int:
    if arguments.c.is_file():
        raise UsageError(f"--c takes a folder for the files, but '{arguments.c}' is a file")
    if arguments.mechanics and arguments.changeable:
        raise UsageError("--changeable does not go with --mechanics, whose parameters are numbers in the code")
    model: Model = load_model(arguments)
    with writing(arguments.c, says=False, to="to "):
        if arguments.mechanics:
            paths = model.mechanics().export_c(arguments.c, arguments.mechanics)
        else:
            paths = model.export_c(arguments.c, arguments.changeable)
    print(f"wrote {len(paths)} files to {arguments.c}; README.md there says how to compile them")
    return 0


def _write_fmu(arguments: argparse.Namespace) -> int:
    model: Model = load_model(arguments)
    path = arguments.output or file_of(model.name, ".fmu")
    with writing(path):
        model.export_fmu(
            path,
            arguments.fmi,
            arguments.changeable,
            arguments.platform,
            arguments.stop,
            arguments.input_clocks,
            arguments.across_inputs,
        )
    return 0
