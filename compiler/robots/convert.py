"""Turns the text of a robot file, in URDF or MJCF, into the text of a model."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutset.compiler.diagnostics import Source, visible
from cutset.compiler.robots.meshes import Placing, with_hulls, with_meshes
from cutset.compiler.robots.names import counted
from cutset.compiler.robots.packages import Packages
from cutset.compiler.robots.robot import Robot
from cutset.compiler.robots.write_model import Settings, write_model
from cutset.contract.cache import DiskCache

_ROBOT = re.compile(r"\s*(<\?.*?\?>\s*|<!--.*?-->\s*)*<robot\b", re.DOTALL)


@dataclass(frozen=True)
class Converted:
    """The text of a model, `dropped`: what could not be carried over, a sentence each, `files`: the other files
    that were read, and `absent`: where a mesh was looked for in vain."""

    text: str
    dropped: tuple[str, ...]
    files: tuple[Path, ...]
    absent: tuple[Path, ...] = ()


def is_urdf(path: Path, text: str) -> bool:
    """True for a robot in URDF, false for one in MJCF: files named .xml can be either."""
    return path.suffix.lower() == ".urdf" or _ROBOT.match(text) is not None


def converted(
    path: Path,
    text: str,
    settings: Settings | None = None,
    allowed: Sequence[Path] = (),
    placing: Placing | None = None,
    packages: Mapping[str, Path] | None = None,
    store: DiskCache | None = None,
    corners: Callable[[Path], Any] | None = None,
) -> Converted:
    """The robot of a file as a model; it can name others in its folder, or in those of `allowed`. Its meshes have the
    names that `placing` gives them, or are comments. `packages` are the folders of ROS packages by name; the paths of
    ROS in the environment have further ones. What is read of MJCF is kept in `store`. `corners` reads the
    corners of a mesh that collides, or raises BadMesh. ModelError E150 to E159."""
    settings = settings or Settings()
    if is_urdf(path, text):
        from cutset.compiler.urdf.read_robot import read_robot

        robot, files = read_robot(Source(str(path), text), settings.any_inertia), tuple[Path, ...]()
    else:
        from cutset.compiler.mjcf.convert import read_robot as read_mjcf

        robot, files = read_mjcf(path, text, allowed, store)
    known, notes, paths = Packages(path, packages or {}, allowed, os.environ), tuple[str, ...](), tuple[Path, ...]()
    if corners is not None:
        found = with_hulls(robot, path, allowed, known, corners)
        robot, notes, paths = found.robot, found.notes, found.paths
    dropped = (*_dropped(robot, settings), *notes)
    if placing is None:
        dropped = (*dropped, *_comments(robot))
    else:
        found = with_meshes(robot, path, allowed, known, placing)
        robot, dropped, paths = found.robot, (*dropped, *found.notes), (*paths, *found.paths)
    absent = tuple(each for each in paths if not each.is_file())
    meshes = tuple(each for each in paths if each.is_file())
    return Converted(write_model(robot, settings, path), dropped, (*files, *meshes), absent)


def _comments(robot: Robot) -> list[str]:
    meshes = sum(1 for link in robot.links.values() for shape in link.shapes if shape.kind == "mesh")
    return [f"{counted(meshes, 'mesh')}: the text has no folder for them; comments name the files"] if meshes else []


def _dropped(robot: Robot, settings: Settings) -> tuple[str, ...]:
    found = list(robot.dropped)
    colliding = sum(1 for each in robot.colliders if each.normal is None)
    if colliding and settings.contacts != "all":
        what = "each other" if settings.contacts == "planes" else "planes, --contacts all also those with each other"
        option = "all" if settings.contacts == "planes" else "planes"
        found.append(f"contacts of {counted(colliding, 'shape')}: --contacts {option} writes those with {what}")
    taken = {joint.name for joint in robot.joints}
    shared = [name for name, link in robot.links.items() if name in taken and not link.between]
    if shared:
        first = visible(shared[0])
        found.append(
            f"{counted(len(shared), 'name')} that a {robot.part} shares with a joint: {first} is the joint, and "
            f"{first}_{robot.part} the {robot.part}"
        )
    impossible = [name for name, link in robot.links.items() if link.inertial and not link.inertial.possible]
    if impossible:
        names = visible(", ".join(impossible[:8])) + (", ..." if len(impossible) > 8 else "")
        found.append(f"no body has the inertia of {names}: used as given (any_inertia=true)")
    geared = sum(1 for each in robot.transmissions if each.ratio not in (None, 1))
    if geared and not settings.gears:
        found.append(
            f"gear ratios of {counted(geared, 'transmission')}: tau acts at the joints; --gears writes the gears"
        )
    several = [each.name for each in robot.transmissions if each.ratio is None]
    if several:
        found.append(f"transmissions of several joints or motors: {visible(', '.join(several[:8]))}")
    limited = sum(1 for joint in robot.joints if joint.effort or joint.velocity)
    if limited:
        found.append(
            f"limits of effort and velocity of {counted(limited, 'joint')}: named in the documentation of the joints"
        )
    return tuple(found)
