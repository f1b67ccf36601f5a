"""File name -> Library: the file, what it includes, and their classes by name.

Reads no file outside the folder of the model, the library path and the standard library: models are untrusted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from cutset.compiler.diagnostics import Diagnostic, ModelError, Source, Span
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.algorithms.messages import function_name_taken
from cutset.compiler.instantiate.pending import pending
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.tree import Class, Function, Include, SyntaxTree


@dataclass(frozen=True)
class Library:
    """All classes and objects by name, all functions; `objects` are those of the file itself, in the order of the
    text."""

    source: Source
    classes: Mapping[str, Class]
    objects: tuple[Class, ...]
    functions: Mapping[str, Function]

    def __str__(self) -> str:
        return "\n".join(f"{'object' if c.is_object else 'class'} {name}" for name, c in self.classes.items())


def load_library(path: Path, library_path: tuple[Path, ...] = ()) -> Library:
    """Reads `path` and, each once, all that is included. Raises ModelError with the errors of all files."""
    loader = _Loader(library_path)
    root = loader.read(path, None, (path.parent,))
    loader.read_includes()
    if loader.diagnostics:
        raise ModelError(loader.diagnostics)
    assert root is not None
    return Library(root.source, loader.classes, tuple(c for c in root.classes if c.is_object), loader.functions)


class _Loader:
    """Files still to be read, and what was found so far."""

    def __init__(self, library_path: tuple[Path, ...]):
        self.diagnostics: list[Diagnostic] = []
        self.classes: dict[str, Class] = {}
        self.functions: dict[str, Function] = {}
        self._seen: set[Path] = set()
        self._waiting: list[tuple[Include, Path]] = []
        standard = Path(str(resources.files("cutset.stdlib")))
        self._library_path = (*library_path, standard)

    def read(self, path: Path, span: Span | None, allowed: tuple[Path, ...]) -> SyntaxTree | None:
        """Parses one file and takes its classes over; None (and a diagnostic) where that fails."""
        self._seen.add(path.resolve())
        try:
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            self.diagnostics.append(messages.file_not_found(str(path), span, map(str, allowed)))
            return None
        except (OSError, UnicodeDecodeError) as error:
            reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else (error.strerror or str(error))
            self.diagnostics.append(messages.file_unreadable(str(path), reason, span))
            return None
        try:
            tree = parse(Source(str(path), text))
        except ModelError as error:
            self.diagnostics += error.diagnostics
            return None
        self.diagnostics += pending(tree)
        for declared in tree.classes:
            first = self.classes.setdefault(declared.name, declared)
            if first is not declared:
                self.diagnostics.append(messages.class_twice(declared.name, declared.span, first.span))
        for function in tree.functions:
            known = self.functions.setdefault(function.name, function)
            if known is not function:
                self.diagnostics.append(function_name_taken(function.name, function.span, known.span))
        self._waiting += [(include, path.parent) for include in tree.includes]
        return tree

    def read_includes(self) -> None:
        """Follows includes until none is left; a circle ends because every file is read once."""
        while self._waiting:
            include, folder = self._waiting.pop(0)
            path = self._find(include, folder)
            if path is not None and path.resolve() not in self._seen:
                self.read(path, include.span, (folder,))

    def _find(self, include: Include, folder: Path) -> Path | None:
        roots = (folder, *self._library_path)
        outside = False
        for root in roots:
            for name in (include.name, include.name + ".mo"):
                candidate = root / name
                if not _is_file(candidate):
                    continue
                if candidate.resolve().is_relative_to(root.resolve()):
                    return candidate
                outside = True
        if outside or Path(include.name).is_absolute() or ".." in Path(include.name).parts:
            self.diagnostics.append(messages.include_outside(include.name, include.span))
        else:
            self.diagnostics.append(messages.file_not_found(include.name, include.span, [str(r) for r in roots]))
        return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
