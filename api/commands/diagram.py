"""Implements ``cutset diagram``: draws the submodels and connections of a model, or its blocks of equations, as SVG."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.commands.common import add_model, options_for, verifiers
from cutset.api.files.result_files import check_writable, writing
from cutset.runtime.whole_files import write_whole, written_whole

if TYPE_CHECKING:
    from cutset.compiler.observer import Listener


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_model(parser)
    parser.add_argument(
        "--blocks", action="store_true",
        help="draw the incidence of equations and unknowns in the order of evaluation, with the blocks and the "
             "iteration variables",
    )  # fmt: skip
    parser.add_argument(
        "--bonds", action="store_true",
        help="draw connections as bonds, with half arrows and the strokes of causality; needs a model with a solution",
    )  # fmt: skip
    parser.add_argument("--submodel", metavar="NAME", default="", help="draw only this submodel, such as arm.r1")
    parser.add_argument(
        "--depth", metavar="N", type=int, help="show at most N levels of submodels (default: all, up to 1000 submodels)"
    )
    parser.add_argument(
        "-o", "--output", "--save", metavar="FILE", type=Path,
        help="file to write: .svg, or .pdf for a paper (default: the name of FILE with .svg)",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Write the picture."""
    from cutset.api.diagram.draw import draw_blocks, draw_submodels
    from cutset.api.files.standard_input import PLACE, given_text, is_standard_input
    from cutset.api.translate.translation import observe_file
    from cutset.runtime.optional_packages import need_package

    is_text = is_standard_input(arguments)
    file = PLACE if is_text else arguments.file
    path = arguments.output or Path("stdin.svg" if is_text else file.with_suffix(".svg").name)
    check_writable(path, "diagram")
    is_pdf = path.suffix.lower() == ".pdf"
    if is_pdf:
        need_package("cairosvg", "diagrams as PDF", "; or write .svg, which needs no package")
    options = replace(options_for(arguments), text=given_text(arguments))

    def observe(listener: Listener) -> None:
        observe_file(file, arguments.model, options, [*verifiers(arguments), listener])

    shown = arguments.submodel, arguments.depth, arguments.bonds
    picture = draw_blocks(observe) if arguments.blocks else draw_submodels(observe, *shown)
    with writing(path):
        if is_pdf:
            from cairosvg import svg2pdf

            with written_whole(path) as place:
                svg2pdf(bytestring=picture.encode(), write_to=str(place))
        else:
            write_whole(path, picture)
    return 0
