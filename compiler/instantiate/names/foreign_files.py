"""Finds the files of external functions beside the models that declare them: functions -> `ForeignFile`. Runs nothing.

A file must be in the folder of the model's file or in a folder of the library path, as included files must be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.read import Unreadable, read_text
from cutset.contract.quick_dataclass import dataclass

# What "c:..." and "python:..." may name.
C_TARGET = re.compile(r"c:(\w[\w.-]*/)*\w[\w.-]*\.c", re.ASCII)
PYTHON_TARGET = re.compile(r"python:([A-Za-z_]\w*)(\.[A-Za-z_]\w*)+", re.ASCII)
_QUOTED_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"(\w[\w./-]*)"', re.ASCII | re.MULTILINE)
# The limit on files that a C file includes.
_MOST_HEADERS = 200


@dataclass(frozen=True)
class ForeignFile:
    """The file of an external function: for C the texts of it (first) and of the files that it includes, with the
    names that they have relative to it; for Python only the path of the module, or of its package; for an FMU its
    `names` of parameters, inputs and outputs."""

    path: Path
    texts: tuple[tuple[str, str], ...] = ()
    names: tuple[tuple[str, ...], ...] = ()


@dataclass
class Search:
    """The search for the files of one library, with what it has found: the texts of files by path, and the paths where
    a file was not found."""

    library_path: tuple[Path, ...]
    diagnostics: list[Diagnostic]
    texts: dict[Path, str]
    absent: list[Path]

    def find(self, function: tree.Function, folder: Path) -> ForeignFile | None:
        """The file of an external function that a file in this folder declares; None, and a diagnostic, for one in C
        that is missing, and None for a Python function that is not beside the model."""
        target, roots = function.external, (folder, *self.library_path)
        if C_TARGET.fullmatch(target):
            return self._c_file(function, target.removeprefix("c:"), roots)
        found = PYTHON_TARGET.fullmatch(target)
        if found is None:
            return None
        module = found[1]
        path, _ = self.inside(roots, (f"{module}.py", f"{module}/__init__.py"))
        return None if path is None else ForeignFile(path)

    def required(self, name: str, roots: Sequence[Path], span: Span) -> Path | None:
        """The path of a file of this name; None after a diagnostic."""
        path, outside = self.inside(roots, (name,))
        if path is None:
            message = class_messages.include_outside(name, span)
            if not outside and ".." not in Path(name).parts and not Path(name).is_absolute():
                message = class_messages.file_not_found(name, span, map(str, roots))
            self.diagnostics.append(message)
        return path

    def _c_file(self, function: tree.Function, name: str, roots: Sequence[Path]) -> ForeignFile | None:
        path = self.required(name, roots, function.span)
        if path is None:
            return None
        try:
            return ForeignFile(path, tuple(self._with_headers(path)))
        except Unreadable as error:
            self.diagnostics.append(class_messages.file_unreadable(name, str(error), function.span))
            return None

    def _with_headers(self, path: Path) -> Iterator[tuple[str, str]]:
        """The file and all files beside it that it includes, by their names relative to its folder. Unreadable if one
        cannot be read."""
        folder, waiting, seen = path.parent, [path], {path}
        while waiting:
            current = waiting.pop(0)
            text = self.texts[current] = read_text(current)
            yield current.relative_to(folder).as_posix(), text
            for name in _QUOTED_INCLUDE.findall(text):
                header, _ = self.inside((current.parent,), (name,))
                if header is not None and header not in seen and header.is_relative_to(folder):
                    seen.add(header)
                    waiting.append(header)
            if len(seen) > _MOST_HEADERS:
                raise Unreadable(f"it includes more than {_MOST_HEADERS} files")

    def inside(self, roots: Sequence[Path], names: Sequence[str]) -> tuple[Path | None, bool]:
        """The first of these files that is inside its root, and whether one was found outside."""
        outside = False
        for root in roots:
            for name in names:
                candidate = root / name
                if not is_file(candidate):
                    self.absent.append(candidate)
                elif candidate.resolve().is_relative_to(root.resolve()):
                    return candidate, outside
                else:
                    outside = True
        return None, outside


def is_file(path: Path) -> bool:
    """True for a regular file; False also for a path that cannot be looked at."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
