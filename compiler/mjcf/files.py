"""Reads the XML of an MJCF file and of those that it includes, and checks which files they name.

MuJoCo's compiler opens every file that a model names, so all of them must be in the folder of the model, or in one
that the user allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutset.compiler.diagnostics import Diagnostic, ModelError, Source
from cutset.compiler.mjcf import messages
from cutset.compiler.robots.elements import Element, read_elements, read_root
from cutset.compiler.syntax.read import Unreadable, read_text

_MOST_FILES = 200
_FOLDERS = ("meshdir", "texturedir", "assetdir")


@dataclass(frozen=True)
class Files:
    """The root elements of the main file and of the included ones, and every existing file that they name."""

    roots: tuple[Element, ...]
    named: tuple[Path, ...]

    def all(self, name: str) -> Iterator[Element]:
        """The elements of this name, at any depth, in the order of the text."""
        return (each for root in self.roots for each in root.walk() if each.name == name)


def read_files(path: Path, text: str, allowed: Sequence[Path] = ()) -> Files:
    """The elements. ModelError E150, E156, E158, E159."""
    reader = _Reader(path.absolute(), allowed)
    root = read_root(Source(str(path), text), "mujoco", messages.not_mjcf)
    reader.include(root, path.absolute().parent)
    reader.check()
    if reader.errors:
        raise ModelError(reader.errors)
    return Files(tuple(root for root, _ in reader.roots), tuple(dict.fromkeys(reader.named)))


class _Reader:
    def __init__(self, path: Path, allowed: Sequence[Path]):
        self._folder = path.parent
        self._allowed = [each.resolve() for each in (path.parent, *allowed)]
        self.roots: list[tuple[Element, Path]] = []
        self.named: list[Path] = []
        self.errors: list[Diagnostic] = []

    def include(self, root: Element, folder: Path) -> None:
        """Add a file, and all that it includes."""
        waiting = [(root, folder)]
        while waiting:
            root, folder = waiting.pop()
            self.roots.append((root, folder))
            for element in root.walk():
                if element.name != "include":
                    continue
                if len(self.roots) + len(waiting) > _MOST_FILES:
                    self.errors.append(messages.too_many(_MOST_FILES, element.span))
                    return
                found = self._included(element, folder)
                if found is not None:
                    waiting.append(found)

    def _included(self, element: Element, folder: Path) -> tuple[Element, Path] | None:
        name = element.attributes.get("file", "")
        places = [each / name for each in dict.fromkeys((self._folder, folder))]
        if not self._inside(places, name, element):
            return None
        path = next((each for each in places if each.is_file()), None)
        if path is None:
            self.errors.append(messages.no_file(name, element.span))
            return None
        self.named.append(path)
        try:
            return read_elements(Source(str(path), read_text(path))), path.parent
        except Unreadable as error:
            self.errors.append(messages.rejected(f"{name}: {error}", element.span))
        except ModelError as error:
            self.errors += error.diagnostics
        return None

    def _inside(self, places: Sequence[Path], name: str, element: Element) -> bool:
        inside = all(any(each.resolve().is_relative_to(root) for root in self._allowed) for each in places)
        if not inside:
            self.errors.append(messages.outside(name, element.span))
        return inside

    def check(self) -> None:
        """Check every file that is named: MuJoCo may look for it in any of these folders."""
        elements = [(element, folder) for root, folder in self.roots for element in root.walk()]
        given = [element.attributes[key] for element, _ in elements for key in _FOLDERS if key in element.attributes]
        for element, folder in elements:
            if element.name == "include":
                continue
            for key, name in element.attributes.items():
                if not (key.startswith("file") or key in _FOLDERS):
                    continue
                bases = dict.fromkeys((self._folder, folder))
                places = [base / each / name for base in bases for each in ("", *given)]
                if self._inside(places if key not in _FOLDERS else [base / name for base in bases], name, element):
                    self.named += [each for each in dict.fromkeys(places) if each.is_file()]
