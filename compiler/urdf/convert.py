"""Turns the text of a URDF file into the text of a model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cutset.compiler.diagnostics import Source, visible
from cutset.compiler.urdf.names import counted
from cutset.compiler.urdf.read_robot import read_robot
from cutset.compiler.urdf.robot import Robot
from cutset.compiler.urdf.shapes import is_drawn
from cutset.compiler.urdf.write_model import Settings, write_model


@dataclass(frozen=True)
class Converted:
    """The text of a model, and `dropped`: what could not be carried over, a sentence each."""

    text: str
    dropped: tuple[str, ...]


def converted(path: Path, text: str, settings: Settings | None = None) -> Converted:
    """The robot of a URDF file as a model. ModelError E150 to E155."""
    settings = settings or Settings()
    robot = read_robot(Source(str(path), text), settings.any_inertia)
    return Converted(write_model(robot, settings, path), _dropped(robot))


def _dropped(robot: Robot) -> tuple[str, ...]:
    found = list(robot.dropped)
    meshes = sum(1 for link in robot.links.values() for shape in link.shapes if not is_drawn(shape))
    if meshes:
        found.append(f"{counted(meshes, 'mesh')}: animations draw bodies and joints instead; comments name the files")
    impossible = [name for name, link in robot.links.items() if link.inertial and not link.inertial.possible]
    if impossible:
        names = visible(", ".join(impossible[:8])) + (", ..." if len(impossible) > 8 else "")
        found.append(f"no body has the inertia of {names}: used as given (any_inertia=true)")
    limited = sum(1 for joint in robot.joints if joint.effort or joint.velocity)
    if limited:
        found.append(
            f"limits of effort and velocity of {counted(limited, 'joint')}: named in the documentation of the joints"
        )
    return tuple(found)
