"""Turns robots in URDF and MJCF into texts of models. Prints nothing; what cannot be carried over is a warning."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.compiler.diagnostics import Diagnostic, ModelError, Source
from cutset.compiler.syntax.read import Unreadable, is_robot_file, read_text

if TYPE_CHECKING:
    from cutset.compiler.robots.convert import Converted
    from cutset.compiler.robots.write_model import Settings

LIBRARIES = ("mbssim", "mbs", "mbsabs", "mbsmat")


class NotImported(UserWarning):
    """A part of a robot that has no counterpart in its model."""


def import_robot(
    path: str | os.PathLike[str],
    *,
    library: str = "mbssim",
    floating: bool = False,
    stops: bool = True,
    any_inertia: bool = False,
    gears: bool = False,
    library_path: Iterable[str | os.PathLike[str]] = (),
) -> str:
    """The text of a model of the robot in a URDF or MJCF file, for the multibody library `library`. The root link of
    URDF is fixed, or moves freely if `floating`; with `stops`, the limits of joints are compliant stops. `tau` is the
    input of the model: the force or torque of each joint; or `ctrl`: the control of each actuator of MJCF.
    With `gears`, `tau` acts at the motors, before the gears of URDF's transmissions.
    `any_inertia` accepts inertias that are negative about an axis. An MJCF file can name files in its folder and in
    those of `library_path`; it is read by the package mujoco. Warns (NotImported) of each part without a counterpart.
    ModelError with all errors of the file, ValueError for an unknown library, and for MJCF with `floating`."""
    if library not in LIBRARIES:
        raise ValueError(f"library must be one of {', '.join(LIBRARIES)}, not {library!r}")
    folders = tuple(map(Path, library_path))
    text, dropped = imported(Path(path), library, floating, stops, any_inertia, gears, folders)
    for each in dropped:
        warnings.warn(each, NotImported, stacklevel=2)
    return text


def imported(
    path: Path,
    library: str = "mbssim",
    floating: bool = False,
    stops: bool = True,
    any_inertia: bool = False,
    gears: bool = False,
    folders: tuple[Path, ...] = (),
) -> tuple[str, tuple[str, ...]]:
    """The text in the standard layout, and what could not be carried over. ModelError, ValueError."""
    from cutset.compiler.robots.write_model import Settings
    from cutset.compiler.syntax.format import format_text

    found = _converted(path, Settings(library, floating, stops, any_inertia, gears), folders)
    return format_text(Source(str(path), found.text)), found.dropped


def _converted(path: Path, settings: Settings | None = None, folders: tuple[Path, ...] = ()) -> Converted:
    from cutset.compiler.robots.convert import converted, is_urdf

    try:
        text = read_text(path)
        if settings is not None and settings.floating and not is_urdf(path, text):
            raise ValueError("floating is for URDF: an MJCF file itself says which bodies move freely")
        return converted(path, text, settings, folders)
    except FileNotFoundError:
        raise ModelError([Diagnostic("E201", f"there is no file '{path}'", hint="check the path")]) from None
    except Unreadable as error:
        hint = "give a URDF or MJCF file"
        raise ModelError([Diagnostic("E150", f"'{path}' is not a robot file: {error}", hint=hint)]) from None


def warn_of_losses(path: Path, folders: tuple[Path, ...] = ()) -> None:
    """Warn of what is lost if the file is a robot; a wrong one gives no warning."""
    if not is_robot_file(path):
        return
    try:
        dropped = _converted(path, None, folders).dropped
    except ModelError:
        return
    for each in dropped:
        warnings.warn(each, NotImported, stacklevel=3)
