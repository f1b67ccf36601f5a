"""Answers what can be written at a place, what a name is, where it is declared and used, and renames it.

The code is that of the language server.

Lines and characters count from 0, characters in UTF-16, as in the page and in the protocol of editors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cutset.compiler.diagnostics import visible
from cutset.runtime.errors import RunError
from cutset.server.frames import Message
from cutset.stdlib import FOLDER

if TYPE_CHECKING:
    from lsprotocol.types import CompletionItem, Location, Range

    from cutset.compiler.options import Options
    from cutset.lsp.session import FileIndex, Session

# As the places of declarations name the folder of the standard library.
SHIPPED = "(the standard library)"
_FOLDER = Path(FOLDER)
_NONE: Mapping[str, str] = MappingProxyType({})
_MOST_PLACES = 500


class Navigation:
    """Each method answers the request of its name, about the name at a position of the text of a file.
    `unsaved` has the texts of other files in the editor. Its folder is the working directory."""

    def __init__(self, options: Options):
        self._options = options
        self._folder = Path.cwd().resolve()

    @cached_property
    def _session(self) -> Session:
        from cutset.lsp.session import Session  # it loads the protocol, which nothing else of the workbench needs

        session = Session(self._options.cache, self._options.library_path)
        session.folders = [str(self._folder)]
        return session

    def completion(
        self, file: str, text: str, line: int, character: int, unsaved: Mapping[str, str] = _NONE
    ) -> Message:
        """The `options` that can be written at the position, as the editor of the page takes them."""
        from cutset.lsp.completion import completion

        index = self._take(file, text, unsaved)
        items = completion(self._session, index, _position(line, character)).items if index else []
        return Message({"options": [_option(item) for item in items]})

    def hover(self, file: str, text: str, line: int, character: int, unsaved: Mapping[str, str] = _NONE) -> Message:
        """The `lines` that tell what the name is, its declaration first; none for other places."""
        from cutset.lsp.hover import hover

        index = self._take(file, text, unsaved)
        found = hover(self._session, index, _position(line, character)) if index else None
        return Message({"lines": [line for line in _plain(found and found.contents).split("\n") if line]})

    def definition(
        self, file: str, text: str, line: int, character: int, unsaved: Mapping[str, str] = _NONE
    ) -> Message:
        """The `place` of the declaration, or of the first line of an included file; None if the name has none."""
        from cutset.lsp.hover import definition

        index = self._take(file, text, unsaved)
        found = definition(self._session, index, _position(line, character)) if index else None
        return Message({"place": None if found is None else self._place_at(found)})

    def references(
        self, file: str, text: str, line: int, character: int, unsaved: Mapping[str, str] = _NONE
    ) -> Message:
        """All `places` in the folder and the standard library that use the `name`, the declaration among them."""
        from lsprotocol.types import ReferenceContext

        from cutset.lsp.hover import references, symbol_at

        index, at = self._take(file, text, unsaved), _position(line, character)
        symbol = symbol_at(index, at) if index else None
        found = references(self._session, index, at, ReferenceContext(True)) if index else []
        places = [place for each in found if (place := self._place_at(each)) is not None]
        return Message({"name": symbol.name if symbol else "", "places": places[:_MOST_PLACES], "count": len(places)})

    def rename(
        self,
        file: str,
        text: str,
        line: int,
        character: int,
        unsaved: Mapping[str, str] = _NONE,
        new_name: str | None = None,
    ) -> Message:
        """The `changes` of files that give the name another one; without a new name only the `name` that can change.
        RunError E605 if it cannot."""
        from cutset.lsp.rename import CannotRename, prepare_rename, rename
        from cutset.lsp.session import path_of_uri

        index, at = self._take(file, text, unsaved), _position(line, character)
        try:
            prepared = prepare_rename(self._session, index, at) if index else None
            edit = rename(self._session, index, at, new_name) if prepared and index and new_name is not None else None
        except CannotRename as error:
            raise RunError("E605", visible(str(error)), "choose another name") from error
        if prepared is None:
            raise RunError("E605", "there is no name here that can change", "put the cursor on a name of this folder")
        changes = {
            self._own(path_of_uri(uri)): [{**span_of(each.range), "text": each.new_text} for each in edits]
            for uri, edits in ((edit.changes or {}) if edit else {}).items()
        }
        return Message({"name": prepared.placeholder, "changes": changes})

    def _take(self, file: str, text: str, unsaved: Mapping[str, str]) -> FileIndex | None:
        """The names of a file, whose text and those of others the session then knows."""
        self._session.texts = {}
        for name, each in {**unsaved, file: text}.items():
            self._session.open(self._path(name), each)
        return self._session.index(self._path(file))

    def _path(self, file: str) -> str:
        within = file.removeprefix(f"{SHIPPED}/")
        return str(self._folder / file if within == file else _FOLDER / within)

    def _own(self, path: str) -> str:
        """The name of a file in the folder. RunError E605 for others: the page does not write them."""
        name = self._name(path)
        if name is None or name.startswith(SHIPPED):
            raise RunError("E605", f"'{visible(path)}' uses the name, and is outside the folder that was opened",
                           "open a folder that contains both")  # fmt: skip
        return name

    def _name(self, path: str) -> str | None:
        """The name of a file as the page knows it; None for a file that it cannot show."""
        for folder, before in ((self._folder, ""), (_FOLDER, f"{SHIPPED}/")):
            if Path(path).resolve().is_relative_to(folder) and Path(path).is_relative_to(folder):
                return before + Path(path).relative_to(folder).as_posix()
        return None

    def _place_at(self, location: Location) -> dict[str, Any] | None:
        from cutset.lsp.session import path_of_uri

        path = path_of_uri(location.uri)
        name = self._name(path)
        if name is None:
            return None
        lines = (self._session.text(path) or "").split("\n")
        line = location.range.start.line
        return {"file": name, **span_of(location.range), "text": visible(lines[line] if line < len(lines) else "")}


def _position(line: int, character: int) -> Any:
    from lsprotocol.types import Position

    return Position(max(0, int(line)), max(0, int(character)))


def _option(item: CompletionItem) -> dict[str, Any]:
    """Parentheses, which a snippet has, are written by the user here."""
    written = item.label if item.insert_text_format else item.insert_text or item.label
    return {"label": item.label, "apply": written, "sortText": item.sort_text, "detail": visible(item.detail or ""),
            "info": _plain(item.documentation)}  # fmt: skip


def _plain(markdown: Any) -> str:
    """The text of the language server as it is read."""
    return visible(re.sub(r"\\(.)|```(?:cutset)?|`", r"\1", markdown.value)) if markdown else ""


def span_of(of: Range) -> dict[str, int]:
    """A range as the page knows it."""
    return {
        "line": of.start.line,
        "character": of.start.character,
        "end_line": of.end.line,
        "end_character": of.end.character,
    }
