"""Implements ``cutset import``: writes a robot in URDF or MJCF, or a netlist of SPICE, as the text of a model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.command_line.report import print_error, print_json
from cutset.api.commands.common import add_include
from cutset.api.files.exit_errors import CommandFailed, UsageError
from cutset.api.mechanics.robots import CONTACTS, LIBRARIES
from cutset.api.netlists import SUFFIXES, imported_netlist
from cutset.compiler.robots.meshes import file_name
from cutset.compiler.robots.names import counted
from cutset.runtime.whole_files import write_whole

if TYPE_CHECKING:
    from cutset.api.mechanics.robot_meshes import MeshFolder


def add(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="the robot, a URDF file or an MJCF file, or the netlist of SPICE"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write the model to FILE (default: print it)")
    parser.add_argument(
        "--library", choices=LIBRARIES, default="mbssim", help="the multibody library of the model (default: mbssim)"
    )
    parser.add_argument(
        "--floating",
        action="store_true",
        help="let the root link of URDF move freely; otherwise it is fixed to the ground",
    )
    parser.add_argument(
        "--no-stops", action="store_true", help="write no stops for the limits of joints; they are documented only"
    )
    parser.add_argument(
        "--gears", action="store_true", help="let forces act at the motors, before the gears of URDF's transmissions"
    )
    parser.add_argument(
        "--class", action="store_true", dest="is_class", help="write a class, for models that contain the robot"
    )
    parser.add_argument(
        "--contacts", choices=CONTACTS, default="none",
        help="write the contacts of its shapes with planes, in URDF with the ground z = 0, or all, also those with "
             "each other (default: none)",
    )  # fmt: skip
    parser.add_argument(
        "--no-meshes", action="store_true", help="write no meshes; with -o they are STL files in a folder beside FILE"
    )
    parser.add_argument(
        "--package", metavar="NAME=DIR", type=_package, action="append", default=[],
        help="the folder of a ROS package, for package://NAME/...",
    )  # fmt: skip
    parser.add_argument("--any-inertia", action="store_true", help="accept inertias that are negative about an axis")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print only one JSON object: what was written, and what was not; needs -o",
    )
    add_include(parser)


def _package(text: str) -> tuple[str, Path]:
    name, equals, folder = text.partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form NAME=DIR")
    if not Path(folder).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder '{folder}'")
    return name.strip(), Path(folder)


def run(arguments: argparse.Namespace) -> int:
    """Write the model and its meshes; print on standard error what could not be carried over."""
    from cutset.api.mechanics.robot_meshes import MeshFolder
    from cutset.api.mechanics.robots import Folders, imported
    from cutset.compiler.robots.write_model import Settings

    a = arguments
    if a.json and a.output is None:
        raise UsageError("--json needs -o FILE for the model")
    out: Path | None = a.output
    if out is not None and not out.name:
        raise UsageError(f"cannot write a model to '{out}': give the name of a file, as '-o robot.mo'")
    if a.file.suffix.lower() in SUFFIXES:
        return _run_netlist(a, out)
    meshes = None if out is None or a.no_meshes else MeshFolder(out.with_name(f"{file_name(out.stem)}_meshes"))
    folders = Folders(tuple(a.include), dict(a.package))
    settings = Settings(a.library, a.floating, not a.no_stops, a.any_inertia, a.gears, a.is_class, a.contacts)
    try:
        text, dropped = imported(a.file, settings, folders, meshes)
    except ValueError as error:
        raise CommandFailed(f"--{error}") from error
    _tell(a, dropped)
    if not _write(out, text, meshes):
        return 0
    if a.json:
        written = [] if meshes is None else [str(meshes.folder / name) for name in meshes.files]
        print_json({"output": str(out), "meshes": written, "not_imported": list(map(str, dropped))})
        return 0
    count = len(meshes.files) if meshes is not None else 0
    print(f"wrote {out}" + (f" and {counted(count, 'mesh')} in {meshes.folder}" if meshes and count else ""))
    return 0


def _tell(arguments: argparse.Namespace, dropped: Sequence[str], remarks: Sequence[str] = ()) -> None:
    for each in dropped if not arguments.json else ():
        print_error(f"note: not imported: {each}")
    for each in remarks if not arguments.json else ():
        print_error(f"note: {each}")


def _write(out: Path | None, text: str, meshes: MeshFolder | None = None) -> bool:
    """Write the model and its meshes, or print the model: false. CommandFailed."""
    if out is None:
        print(text, end="")
        return False
    try:
        if meshes is not None:
            meshes.write()
        write_whole(out, text)
    except OSError as error:
        raise CommandFailed(f"cannot write {error.filename or out}: {error.strerror or error}") from error
    return True


def _run_netlist(arguments: argparse.Namespace, out: Path | None) -> int:
    """The same for a netlist, which has no options of robots."""
    a = arguments
    given = {"--library": a.library != "mbssim", "--floating": a.floating, "--no-stops": a.no_stops,
             "--gears": a.gears, "--class": a.is_class, "--contacts": a.contacts != "none", "--no-meshes": a.no_meshes,
             "--package": a.package, "--any-inertia": a.any_inertia}  # fmt: skip
    for option in (name for name, is_given in given.items() if is_given):
        raise UsageError(f"{option} is for robots: leave it out for a netlist")
    found = imported_netlist(a.file, a.include, "" if out is None else out.name)
    _tell(a, found.losses, found.remarks)
    if not _write(out, found.text):
        return 0
    if a.json:
        print_json({"output": str(out), "not_imported": found.losses, "remarks": found.remarks})
    else:
        print(f"wrote {out}")
    return 0
