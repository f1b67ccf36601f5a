"""Reads a robot in MJCF: the text of a file -> links, joints, actuators and constraints.

MuJoCo's compiler, in C, reads the file, which nobody has checked: so it runs in a process of its own. Its result is
kept in the disk cache, under the contents of all files involved.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from cutset.compiler.diagnostics import Span
from cutset.compiler.mjcf.child_process import robot_of
from cutset.compiler.mjcf.files import Files, read_files
from cutset.compiler.robots.robot import Robot
from cutset.contract.cache import DiskCache
from cutset.contract.plain_records import plain_of, record_of

# A change of these invalidates the records in the disk cache.
_READERS = Path(__file__).parent, Path(__file__).parent.with_name("robots")


def read_robot(
    path: Path, text: str, allowed: Sequence[Path] = (), store: DiskCache | None = None
) -> tuple[Robot, tuple[Path, ...]]:
    """The robot of an MJCF file, which names files in its folder or in those of `allowed` only; and these
    files. It is kept in `store`. ModelError E150, E156 to E159."""
    files = read_files(path, text, allowed)
    span = files.roots[0].span
    name = "" if store is None else _record(path, text, files)
    found = None if store is None else store.get(name)
    if found is not None:
        try:
            return record_of(Robot, json.loads(found), {Span: span}), files.named
        except ValueError:
            pass  # written by another version
    robot = robot_of(path, text, allowed, files)
    if store is not None:
        store.put(name, json.dumps(plain_of(robot, Span)).encode())
    return robot, files.named


def _record(path: Path, text: str, files: Files) -> str:
    """The name of the record: of the versions of both compilers, and of the path and content of all files."""
    try:
        of_compiler = version("mujoco")
    except PackageNotFoundError:
        of_compiler = ""
    digest = sha256(f"{of_compiler}\n{path.absolute()}\n{text}".encode("utf-8", "replace"))
    for each in [*sorted(files.named), *(file for folder in _READERS for file in sorted(folder.glob("*.py")))]:
        content = sha256(each.read_bytes()).hexdigest()
        digest.update(f"\n{each}\n{content}".encode("utf-8", "surrogatepass"))
    return f"{digest.hexdigest()[:32]}.robot"
