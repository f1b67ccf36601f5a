"""Finds the folders of ROS packages: a name -> a folder.

Robots are not trusted: only folders that the user names, by an option or in the environment, and the folders above the
robot's file are looked at.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_MANIFEST_NAME = re.compile(r"<name>\s*([^<\s]+)\s*</name>")
_MOST_BYTES = 100_000  # of a package.xml
VARIABLES = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH")


class Packages:
    """The packages that a robot's file sees. `given` are the folders of packages by name, `folders` those that contain
    packages, or are one, `environment` has the paths of ROS."""

    def __init__(self, robot: Path, given: Mapping[str, Path], folders: Sequence[Path], environment: Mapping[str, str]):
        self._robot, self._given, self._folders = robot.absolute(), given, folders
        self._paths = {name: [Path(p) for p in environment.get(name, "").split(os.pathsep) if p] for name in VARIABLES}
        self._found: dict[str, Path | None] = {}

    def folder(self, name: str) -> Path | None:
        """The folder of the package, None if it is not found."""
        if name not in self._found:
            fits = _NAME.fullmatch(name) and name not in (".", "..")
            self._found[name] = next(self._places(name), None) if fits else None
        return self._found[name]

    def looked_through(self) -> str:
        """The places where packages are looked for, in words."""
        folders = [f"-I {folder}" for folder in self._folders]
        paths = [
            f"{name} ({os.pathsep.join(map(str, self._paths[name])) if self._paths[name] else 'not set'})"
            for name in VARIABLES
        ]
        return ", ".join(["--package", *folders, *paths, f"the folders above {self._robot.name}"])

    def _places(self, name: str) -> Iterator[Path]:
        if name in self._given:
            yield self._given[name]
        for folder in (*self._folders, *self._paths["ROS_PACKAGE_PATH"]):
            yield from _in(folder, name)
        for prefix in self._paths["AMENT_PREFIX_PATH"]:
            if (prefix / "share" / name).is_dir():
                yield prefix / "share" / name
        for folder in self._robot.parents:
            if folder.name == name or _manifest_name(folder) == name:
                yield folder


def _in(folder: Path, name: str) -> Iterator[Path]:
    """The package in this folder, in a folder of it, or the folder itself."""
    if folder.name == name or _manifest_name(folder) == name:
        yield folder
    for place in (folder / name, folder / "src" / name):
        if place.is_dir():
            yield place
    try:
        below = sorted(each for each in folder.iterdir() if each.is_dir())
    except OSError:
        return
    for each in below:
        # Repositories hold several packages, and a package can have another name than its folder.
        if (each / name).is_dir() or _manifest_name(each) == name:
            yield each / name if (each / name).is_dir() else each


def _manifest_name(folder: Path) -> str:
    """The name of the package in its package.xml, "" without one."""
    try:
        with open(folder / "package.xml", encoding="utf-8", errors="replace") as file:
            found = _MANIFEST_NAME.search(file.read(_MOST_BYTES))
    except (OSError, ValueError):
        return ""
    return found[1] if found else ""
