"""Turns robots in URDF and MJCF into texts of models. Prints nothing; what cannot be carried over is a warning."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.compiler.diagnostics import Diagnostic, ModelError, Source
from cutset.compiler.syntax.read import Unreadable, is_robot_file, read_text
from cutset.contract.cache import user_cache
from cutset.contract.quick_dataclass import dataclass

if TYPE_CHECKING:
    from cutset.compiler.robots.convert import Converted
    from cutset.compiler.robots.meshes import Placing
    from cutset.compiler.robots.write_model import Settings

LIBRARIES = ("mbssim", "mbs", "mbsabs", "mbsmat")
CONTACTS = ("none", "planes", "all")


@dataclass(frozen=True)
class Folders:
    """Where a robot can name files besides its own folder: the `allowed` folders, and ROS packages by name."""

    allowed: tuple[Path, ...] = ()
    packages: Mapping[str, Path] = field(default_factory=dict)


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
    meshes: str | os.PathLike[str] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    is_class: bool = False,
    contacts: str = "none",
) -> str:
    """The text of a model of the robot in a URDF or MJCF file, for the multibody library `library`. The root link of
    URDF is fixed, or moves freely if `floating`; with `stops`, the limits of joints are compliant stops. `tau` is the
    input of the model: the force or torque of each joint; or `ctrl`: the control of each actuator of MJCF.
    With `gears`, `tau` acts at the motors, before the gears of URDF's transmissions. With `is_class` the robot is a
    class, for models that contain it. `contacts` are "none", those of its shapes with "planes" (in URDF the plane z = 0
    of the inertial system), or "all", also those with each other.
    `any_inertia` accepts inertias that are negative about an axis. The file can name others in its folder and in
    those of `library_path`; MJCF is read by the package mujoco. With `meshes`, a folder next to the file of the
    model, the meshes that are drawn are written there as STL files. `packages` are the folders of ROS packages by
    name, for package://NAME/...; others are found in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, `library_path`, and above the
    file. Warns (NotImported) of each part without a counterpart. ModelError with all errors of the file, ValueError for
    an unknown library, and for MJCF with `floating`, OSError if a mesh cannot be written."""
    if library not in LIBRARIES:
        raise ValueError(f"library must be one of {', '.join(LIBRARIES)}, not {library!r}")
    if contacts not in CONTACTS:
        raise ValueError(f"contacts must be one of {', '.join(CONTACTS)}, not {contacts!r}")
    from cutset.api.mechanics.robot_meshes import MeshFolder
    from cutset.compiler.robots.write_model import Settings

    folders = Folders(tuple(map(Path, library_path)), {name: Path(each) for name, each in (packages or {}).items()})
    placing = None if meshes is None else MeshFolder(Path(meshes))
    settings = Settings(library, floating, stops, any_inertia, gears, is_class, contacts)
    text, dropped = imported(Path(path), settings, folders, placing)
    if placing is not None:
        placing.write()
    for each in dropped:
        warnings.warn(each, NotImported, stacklevel=2)
    return text


def imported(
    path: Path, settings: Settings, folders: Folders, placing: Placing | None = None
) -> tuple[str, tuple[str, ...]]:
    """The text in the standard layout, and what could not be carried over. `placing` names the meshes, which are
    comments without it. ModelError, ValueError."""
    from cutset.compiler.syntax.format import format_text

    found = _converted(path, settings, folders, placing)
    return format_text(Source(str(path), found.text)), found.dropped


def _converted(path: Path, settings: Settings | None, folders: Folders, placing: Placing | None) -> Converted:
    from cutset.compiler.robots.convert import converted, is_urdf

    try:
        text = read_text(path)
        if settings is not None and settings.floating and not is_urdf(path, text):
            raise ValueError("floating is for URDF: an MJCF file itself says which bodies move freely")
        reader: Callable[[Path], object] | None = None
        if settings is not None and settings.contacts != "none":
            from cutset.api.mechanics.robot_meshes import corners

            reader = corners
        return converted(path, text, settings, folders.allowed, placing, folders.packages, user_cache(), reader)
    except FileNotFoundError:
        raise ModelError([Diagnostic("E201", f"there is no file '{path}'", hint="check the path")]) from None
    except Unreadable as error:
        hint = "give a URDF or MJCF file"
        raise ModelError([Diagnostic("E150", f"'{path}' is not a robot file: {error}", hint=hint)]) from None


def warn_of_losses(path: Path, folders: tuple[Path, ...] = ()) -> None:
    """Warn of what is lost if the file is a robot; a wrong one gives no warning."""
    for each in losses_of(path, folders):
        warnings.warn(each, NotImported, stacklevel=3)


def losses_of(path: Path, folders: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """What is lost if the file is a robot, a sentence each; nothing of a wrong one."""
    if not is_robot_file(path):
        return ()
    from cutset.compiler.robots.meshes import InPlace

    try:
        return _converted(path, None, Folders(folders), InPlace()).dropped
    except ModelError:
        return ()
