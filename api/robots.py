"""Turns robots in URDF into texts of models. Prints nothing; what cannot be carried over is a warning."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.compiler.diagnostics import Diagnostic, ModelError, Source
from cutset.compiler.syntax.read import Unreadable, is_robot_file, read_text

if TYPE_CHECKING:
    from cutset.compiler.urdf.convert import Converted
    from cutset.compiler.urdf.write_model import Settings

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
) -> str:
    """The text of a model of the robot in a URDF file, for the multibody library `library`. The root link is fixed, or
    moves freely if `floating`; with `stops`, the limits of joints are compliant stops. `tau` is the input of the model:
    the force or torque of each joint. `any_inertia` accepts inertias that are negative about an axis. Warns
    (NotImported) of each part without a counterpart. ModelError with all errors of the file, ValueError for an unknown
    library."""
    if library not in LIBRARIES:
        raise ValueError(f"library must be one of {', '.join(LIBRARIES)}, not {library!r}")
    text, dropped = imported(Path(path), library, floating, stops, any_inertia)
    for each in dropped:
        warnings.warn(each, NotImported, stacklevel=2)
    return text


def imported(
    path: Path, library: str = "mbssim", floating: bool = False, stops: bool = True, any_inertia: bool = False
) -> tuple[str, tuple[str, ...]]:
    """The text in the standard layout, and what could not be carried over. ModelError."""
    from cutset.compiler.syntax.format import format_text
    from cutset.compiler.urdf.write_model import Settings

    found = _converted(path, Settings(library, floating, stops, any_inertia))
    return format_text(Source(str(path), found.text)), found.dropped


def _converted(path: Path, settings: Settings | None = None) -> Converted:
    from cutset.compiler.urdf.convert import converted

    try:
        return converted(path, read_text(path), settings)
    except FileNotFoundError:
        raise ModelError([Diagnostic("E201", f"there is no file '{path}'", hint="check the path")]) from None
    except Unreadable as error:
        hint = "give a URDF file"
        raise ModelError([Diagnostic("E150", f"'{path}' is not a URDF file: {error}", hint=hint)]) from None


def warn_of_losses(path: Path) -> None:
    """Warn of what is lost if the file is a robot; a wrong one gives no warning."""
    if not is_robot_file(path):
        return
    try:
        dropped = _converted(path).dropped
    except ModelError:
        return
    for each in dropped:
        warnings.warn(each, NotImported, stacklevel=3)
