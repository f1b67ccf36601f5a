"""Keeps the state of a session: open documents, workspace folders, and what was computed of their files."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol.types import Location, PositionEncodingKind, Range
from pygls.uris import from_fs_path, to_fs_path

from cutset.compiler.collection import collection_paused
from cutset.compiler.diagnostics import Source, Span
from cutset.compiler.instantiate.names.library import load_tolerant
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.cache import TreeCache
from cutset.compiler.syntax.parse import parse_tolerant
from cutset.compiler.syntax.read import Unreadable, is_robot_file, read_text
from cutset.lsp.resolve import Occurrence, resolve
from cutset.lsp.scan import Scan
from cutset.lsp.symbols import Key, Lookup, Symbol, path_of
from cutset.lsp.text import Lines, unified
from cutset.stdlib import FOLDER

# More files of a workspace are not searched.
_MOST_FILES = 5000
_SKIPPED = frozenset({"node_modules", "__pycache__", "build", "dist", "out"})
_State = tuple[int, int] | str | None
# The state of a file that may have changed after it was read: no state equals it, so that the file is read again.
_UNSETTLED: _State = (-1, -1)
# The clock of a file system is behind that of the processor by at most this, in ns.
_CLOCKS = 20_000_000


@dataclass
class FileIndex:
    """The names of a file: its scan, the library that it includes, and its occurrences."""

    scan: Scan
    lookup: Lookup
    occurrences: list[Occurrence]
    states: Mapping[str, _State]
    lines: Lines
    includes: Mapping[Span, Source]
    by_line: dict[int, list[Occurrence]] = field(default_factory=dict)

    @property
    def contents(self) -> tree.SyntaxTree:
        """The tree of what is valid."""
        return self.scan.contents

    @property
    def path(self) -> str:
        """The absolute path of the file."""
        return path_of(self.scan.source)

    def included(self, include: tree.Include) -> Source | None:
        """The file of an include; None if it was not found."""
        return self.includes.get(include.span)

    def at(self, line: int, column: int) -> Occurrence | None:
        """The occurrence at a place, also just behind its last letter."""
        found = [o for o in self.by_line.get(line, ()) if o.span.column <= column <= o.span.end_column]
        return next((o for o in found if column < o.span.end_column), found[0] if found else None)


class Session:
    """The open texts by path, the folders of the workspace, and indices of files."""

    def __init__(self, cache: TreeCache | None = None, library_path: tuple[Path, ...] = ()) -> None:
        self.cache = cache or TreeCache(None)
        self.library_path = library_path
        self.encoding: PositionEncodingKind = PositionEncodingKind.Utf16
        self.texts: dict[str, str] = {}
        self.folders: list[str] = []
        self.standard = FOLDER
        self._indices: dict[str, FileIndex] = {}
        self._contents: dict[str, tree.SyntaxTree] = {}

    # --- documents ---

    def open(self, path: str, text: str) -> None:
        """Take a text of an editor for the file, also after each change."""
        self.texts[path] = unified(text)

    def close(self, path: str) -> None:
        """Take the file from the disk again."""
        self.texts.pop(path, None)
        self._indices.pop(path, None)

    def unsaved(self) -> dict[Path, str]:
        """The open texts by their resolved paths, as the compiler takes them."""
        return {Path(os.path.realpath(path)): text for path, text in self.texts.items()}

    def text(self, path: str) -> str | None:
        """The text of a file, of the editor if it is open; None if it cannot be read."""
        if path in self.texts:
            return self.texts[path]
        try:
            return read_text(Path(path))
        except (OSError, Unreadable):
            return None

    def lines(self, path: str) -> Lines | None:
        """The lines of a file; None if it cannot be read."""
        text = self.text(path)
        return None if text is None else Lines(text, self.encoding)

    def contents(self, path: str) -> tree.SyntaxTree | None:
        """The tree of a file alone, of what is valid in it; None if it cannot be read."""
        text = self.text(path)
        if text is None:
            return None
        known = self.cache.latest(path) or self._contents.get(path)
        if known is None or known.source.text != text:
            known = self._contents[path] = parse_tolerant(Source(path, text))[0]
        return known

    # --- indices ---

    def index(self, path: str) -> FileIndex | None:
        """The names of a file; None if it cannot be read, or is the import of a robot."""
        known = self._indices.get(path)
        if known is not None and all(self.state(each) == state for each, state in known.states.items()):
            return known
        if is_robot_file(Path(path)):
            return None
        with collection_paused():
            made = self._made(path)
        if made is None:
            self._indices.pop(path, None)
        else:
            self._indices[path] = made
        return made

    def _made(self, path: str) -> FileIndex | None:
        began = time.time_ns()
        library = load_tolerant(Path(path), self.library_path, self.cache, self.unsaved())
        if library is None:
            return None
        scan = Scan(library.source, library.contents)
        lookup = Lookup(library)
        occurrences = resolve(lookup, scan.contents)
        states = self.states(map(path_of, library.names), began)
        states |= {os.path.abspath(absent): None for absent in library.absent}
        index = FileIndex(
            scan, lookup, occurrences, states, Lines(library.source.text, self.encoding), library.included
        )
        for each in occurrences:
            index.by_line.setdefault(each.span.line, []).append(each)
        return index

    def states(self, paths: Iterable[str], began: int, texts: Mapping[str, str] | None = None) -> dict[str, _State]:
        """The states of files that were read after `began`, in ns. A file that has changed on the disk since then may
        have been read before: it counts as changed at the next look."""
        found = {path: self.state(path, texts) for path in paths}
        return {path: _UNSETTLED if _is_since(state, began) else state for path, state in found.items()}

    def state(self, path: str, texts: Mapping[str, str] | None = None) -> _State:
        """What tells whether a file has changed: the text of an editor (in `texts`, by default the latest), time of the
        last change and size on the disk, None if there is no file."""
        texts = self.texts if texts is None else texts
        if path in texts:
            return texts[path]
        try:
            found = os.stat(path)
        except (OSError, ValueError):
            return None
        changed = max(found.st_mtime_ns, found.st_ctime_ns)
        return (changed, found.st_size) if stat.S_ISREG(found.st_mode) else None

    # --- the workspace ---

    def is_shipped(self, path: str) -> bool:
        """True for files of the standard library, which a user does not change."""
        return path.startswith(self.standard + os.sep)

    def files(self, with_standard: bool = False) -> Iterator[str]:
        """The open files and the model files below the folders of the workspace, each once; also those of the standard
        library if they are asked for."""
        seen: set[str] = set()
        for path in (
            *self.texts,
            *self._on_disk(self.folders),
            *self._on_disk([self.standard] if with_standard else []),
        ):
            real = os.path.realpath(path)
            if real not in seen and len(seen) < _MOST_FILES:
                seen.add(real)
                yield path

    def _on_disk(self, folders: list[str]) -> Iterator[str]:
        for folder in folders:
            for parent, inner, names in os.walk(folder):
                inner[:] = sorted(name for name in inner if name not in _SKIPPED and not name.startswith("."))
                yield from (os.path.join(parent, name) for name in sorted(names) if name.endswith(".mo"))

    def references(self, wanted: Symbol) -> Iterator[tuple[str, Occurrence]]:
        """All occurrences of a symbol with the paths of their files: in the workspace, the file that declares it, and
        the standard library for symbols of it."""
        own = path_of(wanted.source)
        word = re.compile(rf"(?<!\w){re.escape(wanted.name)}(?!\w)")
        paths = dict.fromkeys((own, *self.files(with_standard=self.is_shipped(own))))
        seen: set[str] = set()
        for path in paths:
            real = os.path.realpath(path)
            text = None if real in seen else self.text(path)
            seen.add(real)
            if text is None or not word.search(text):
                continue
            index = self.index(path)
            for each in index.occurrences if index else ():
                if same(each.symbol.key, wanted.key):
                    yield path, each

    # --- places ---

    def location(self, span: Span) -> Location | None:
        """The location of a span; None if its file cannot be shown."""
        path = path_of(span.source)
        if is_robot_file(Path(path)) or not path.endswith(".mo"):
            return None
        return Location(uri_of(path), self.range(span))

    def start_of(self, source: object) -> Location | None:
        """The first character of a file."""
        return self.location(Span(source, 1, 1, 1, 1)) if isinstance(source, Source) else None

    def range(self, span: Span) -> Range:
        """The range of a span in the text that it was made from."""
        index = self._indices.get(path_of(span.source))
        if index is not None and index.scan.source is span.source:
            return index.lines.range_of(span)
        return Lines(span.source.text, self.encoding).range_of(span)


def _is_since(state: _State, began: int) -> bool:
    return isinstance(state, tuple) and state[0] >= began - _CLOCKS


def same(one: Key, other: Key) -> bool:
    """True if both identify one symbol."""
    return one == other or (one[1:] == other[1:] and os.path.realpath(one.path) == os.path.realpath(other.path))


def uri_of(path: str) -> str:
    """The URI of a file."""
    return from_fs_path(path) or ""


def path_of_uri(uri: str) -> str:
    """The absolute path of a file; empty for a document that is in no file."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return os.path.abspath(path) if path else ""
