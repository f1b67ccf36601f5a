"""Compiles an MJCF file by MuJoCo, without what only its viewer needs. Imports MuJoCo."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.mjcf import messages
from cutset.compiler.mjcf.files import Files
from cutset.compiler.mjcf.poses import four, triple
from cutset.compiler.mjcf.shapes import References

_OLDEST = (3, 3, 7)


@dataclass(frozen=True)
class Compiled:
    """MuJoCo's `model` of a file (an MjModel), `notes`: missing meshes, warnings of MuJoCo, and the frames of meshes
    that refpos and refquat give."""

    model: Any
    notes: tuple[str, ...]
    references: References


def compiled(path: Path, files: Files) -> Compiled:
    """The model of the file. ModelError E156, E157, E159."""
    first = files.roots[0].span
    try:
        mujoco: Any = import_module("mujoco")
    except ImportError:
        raise ModelError([messages.no_mujoco(first)]) from None
    version = mujoco.__version__
    if tuple(int(part) for part in re.findall(r"\d+", version)[:3]) < _OLDEST:
        raise ModelError([messages.too_old(version, first)])
    with _quiet(mujoco) as notes:
        try:
            spec = mujoco.MjSpec.from_file(str(path.absolute()))
            spec.compiler.fusestatic = False  # before 4.0 fused inertias were wrong: google-deepmind/mujoco#2982
            _remove_textures(spec)
            notes += _remove_missing_meshes(spec, files, path)
            model = spec.compile()
        except (ValueError, mujoco.FatalError) as error:
            raise ModelError([_rejected(str(error), files)]) from None
    return Compiled(model, tuple(dict.fromkeys(notes)), _references(model, spec))


def _references(model: Any, spec: Any) -> References:
    given = {mesh.name: (triple(mesh.refpos), four(mesh.refquat)) for mesh in spec.meshes}
    numbers = {model.mesh(i).name: i for i in range(model.nmesh)}
    return {
        numbers[name]: (place, turn)
        for name, (place, turn) in given.items()
        if name in numbers and (any(place) or any(turn[1:]))
    }


@contextmanager
def _quiet(mujoco: Any) -> Iterator[list[str]]:
    """Collects MuJoCo's warnings: it prints them, and writes them into a file in the current folder, unless a function
    takes them; some versions issue them as warnings of Python, too."""
    found: list[str] = []
    texts: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(texts.append)
    try:
        with warnings.catch_warnings(record=True) as issued:
            warnings.simplefilter("always")
            yield found
    finally:
        mujoco.set_mju_user_warning(before)
    texts += [str(each.message) for each in issued]
    found += [f"MuJoCo warns: {' '.join(text.split())}" for text in texts]


def _rejected(text: str, files: Files) -> Diagnostic:
    """MuJoCo names a line, but no file."""
    line = re.search(r"line (\d+)", text)
    source = files.roots[0].span.source
    span = files.roots[0].span
    lines = source.text.splitlines()
    if line and len(files.roots) == 1 and 0 < int(line[1]) <= len(lines):
        number, found = int(line[1]), lines[int(line[1]) - 1]
        span = Span(source, number, len(found) - len(found.lstrip()) + 1, number, len(found.rstrip()) + 1)
    reason = " ".join(re.sub(r"^(XML )?Error: |\bElement name '', |, line \d+|line \d+", "", text).split())
    return messages.rejected(reason, span)


def _remove_textures(spec: Any) -> None:
    for material in spec.materials:
        for k in range(len(material.textures)):
            material.textures[k] = ""
    for texture in list(spec.textures):
        spec.delete(texture)


def _remove_missing_meshes(spec: Any, files: Files, path: Path) -> list[str]:
    """Remove geoms whose mesh files are missing, unless they determine inertias: ModelError E159."""
    names = {each.resolve() for each in files.named}
    missing = {}
    for mesh in spec.meshes:
        places = [path.absolute().parent / folder / mesh.file for folder in ("", spec.meshdir)]
        known = mesh.file in spec.assets or any(each.resolve() in names or each.is_file() for each in places)
        if mesh.file and not known:
            missing[mesh.name] = mesh
    if not missing:
        return []
    notes = []
    for geom in list(spec.geoms):
        if geom.meshname in missing:
            file = missing[geom.meshname].file
            if not geom.parent.explicitinertial and geom.parent.name != "world":
                span = next((e.span for e in files.all("mesh") if e.attributes.get("file") == file), None)
                raise ModelError([messages.no_mesh(file, geom.parent.name, span)])
            spec.delete(geom)
    for mesh in missing.values():
        notes.append(f"the mesh '{mesh.file}', which does not exist")
        spec.delete(mesh)
    return notes
