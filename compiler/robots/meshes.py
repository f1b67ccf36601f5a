"""Finds the mesh files of a robot: shapes of links -> shapes with the names that a model gives these files, or hulls.

Robots are not trusted: a mesh must be in the folder of the robot's file, in one that the user allows, or in a ROS
package that is found. Opens no mesh itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TypeVar

from cutset.compiler.robots.colliders import hull_of_mesh
from cutset.compiler.robots.names import counted, shown
from cutset.compiler.robots.packages import Packages
from cutset.compiler.robots.robot import Collider, DrawnMesh, Robot, Shape
from cutset.compiler.robots.rotations import Triple
from cutset.contract.mesh_file import FORMATS, BadMesh, checked_mesh

_MOST_NOTES = 8
_Made = TypeVar("_Made")


class Placing(Protocol):
    """Names the files of meshes as a model can use them."""

    def __call__(self, path: Path, scale: Triple, own_colors: bool) -> Sequence[DrawnMesh]:
        """The meshes that draw this file, stretched by `scale`; without `own_colors` the colors in it have no meaning.
        BadMesh."""


class InPlace:
    """The files stay where they are; `paths` has them by the names that the model uses."""

    def __init__(self) -> None:
        self.paths: dict[str, Path] = {}
        self._names: dict[Path, str] = {}

    def __call__(self, path: Path, scale: Triple, own_colors: bool) -> Sequence[DrawnMesh]:
        """The file itself, by a name that is unique. BadMesh."""
        if path not in self._names:
            checked_mesh(path)
            name = free_name(path.stem, path.suffix.lower(), self.paths)
            self._names[path], self.paths[name] = name, path
        return (DrawnMesh(self._names[path], scale, (), own_colors),)


def file_name(name: str) -> str:
    """The name with letters, digits, dashes and underscores only."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:60] or "mesh"


def free_name(stem: str, suffix: str, taken: Container[str]) -> str:
    """The name of a file like `stem` that is not taken."""
    base = file_name(stem)
    names = (f"{base}{'' if number == 1 else f'_{number}'}{suffix}" for number in count(1))
    return next(name for name in names if name not in taken)


@dataclass(frozen=True)
class Placed:
    """The robot with meshes that a model can name, notes on the others, and the `paths` of all, existing or not."""

    robot: Robot
    notes: tuple[str, ...]
    paths: tuple[Path, ...]


def with_meshes(robot: Robot, path: Path, allowed: Sequence[Path], packages: Packages, place: Placing) -> Placed:
    """The robot of the file `path`, its meshes named by `place`."""
    search = _Search(path.absolute(), [path.absolute().parent, *allowed], packages)
    links = {
        name: replace(link, shapes=tuple(search.drawn(each, place) for each in link.shapes)) if link.shapes else link
        for name, link in robot.links.items()
    }
    return Placed(replace(robot, links=links), tuple(search.all_notes()), tuple(dict.fromkeys(search.paths)))


def with_hulls(
    robot: Robot, path: Path, allowed: Sequence[Path], packages: Packages, corners: Callable[[Path], Any]
) -> Placed:
    """The robot of the file `path` with the convex hulls of its meshes that collide, and without those that cannot be
    read; `corners` reads the rows of coordinates of a file, or raises BadMesh."""
    search = _Search(path.absolute(), [path.absolute().parent, *allowed], packages)
    found = [each if each.mesh is None else search.hull(each, each.mesh, corners) for each in robot.colliders]
    kept = [each for each in found if each is not None]
    at = {k: number for number, k in enumerate(k for k, each in enumerate(found) if each is not None)}
    touching = tuple(
        replace(each, first=at[each.first], second=at[each.second])
        for each in robot.touching
        if each.first in at and each.second in at
    )
    has = replace(robot, colliders=tuple(kept), touching=touching)
    return Placed(has, tuple(search.all_notes()), tuple(dict.fromkeys(search.paths)))


class _Search:
    def __init__(self, robot: Path, allowed: Sequence[Path], packages: Packages):
        self._robot, self._packages = robot, packages
        self._allowed = [folder.resolve() for folder in allowed]
        self._without: dict[str, int] = {}  # how many meshes of packages that are not found
        self._notes: dict[str, None] = {}
        self.paths: list[Path] = []

    def all_notes(self) -> list[str]:
        notes = list(self._notes)
        if len(notes) > _MOST_NOTES:
            notes[_MOST_NOTES:] = [f"{len(notes) - _MOST_NOTES} more meshes"]
        for package, number in self._without.items():
            notes.append(
                f"{counted(number, 'mesh')} of the package '{shown(package)}', which is not found; looked through "
                f"{self._packages.looked_through()}; name its folder: --package {shown(package)}=FOLDER"
            )
        return notes

    def drawn(self, shape: Shape, place: Placing) -> Shape:
        if shape.kind != "mesh":
            return shape
        meshes = self._made(shape, lambda path: place(path, shape.scale, shape.own_colors)) or ()
        return replace(shape, drawn=tuple(replace(mesh, color=mesh.color or shape.color) for mesh in meshes))

    def hull(self, collider: Collider, mesh: Shape, corners: Callable[[Path], Any]) -> Collider | None:
        vertices = self._made(mesh, corners)
        notes = list[str]()
        name, scale = shown(Path(mesh.file).name), mesh.scale
        found = None if vertices is None else hull_of_mesh(name, collider.link, mesh.pose, vertices * scale, notes)
        self._notes |= dict.fromkeys(notes)
        return found

    def _made(self, shape: Shape, make: Callable[[Path], _Made]) -> _Made | None:
        """What is made of the file of a mesh; None, and a note, if it cannot be read."""
        try:
            path = self._path(shape.file)
            return None if path is None else make(path)
        except BadMesh as error:
            place = f" ({self._robot.name}:{shape.span.line})" if shape.span else ""
            self._notes[f"the mesh {shown(shape.file)}{place}: {error}"] = None
            return None

    def _path(self, file: str) -> Path | None:
        """The existing file; None if its package is not found."""
        roots = self._allowed
        if not file:
            raise BadMesh("it has no file from which it can be drawn")
        if file.startswith("package://"):
            package, _, inside = file.removeprefix("package://").partition("/")
            folder = self._packages.folder(package)
            if folder is None:
                self._without[package] = self._without.get(package, 0) + 1
                return None
            path, roots = folder / inside, [folder.resolve()]
        elif re.match(r"[a-z]+://", file) and not file.startswith("file://"):
            raise BadMesh("only package:// and names of files can be read")
        else:
            path = self._robot.parent / file.removeprefix("file://")
        try:
            real = path.resolve()
            if not any(real.is_relative_to(root) for root in roots):
                raise BadMesh("it is outside the folder of the robot; name a folder that contains it: -I FOLDER")
            self.paths.append(path)
            if not path.is_file():
                raise BadMesh("it does not exist")
        except (OSError, ValueError, RuntimeError) as error:
            raise BadMesh("it cannot be looked at") from error
        if path.suffix.lower() not in FORMATS:
            raise BadMesh(f"its format is none of {', '.join(FORMATS)}")
        return path
