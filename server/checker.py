"""Checks the text in the editor in a child process: messages as one types, layout, words for completion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cutset.api.show.classes import standard_libraries, visible_in
from cutset.api.translate.editor_checks import checked
from cutset.api.translate.listeners import Enough
from cutset.api.translate.translation import options_of
from cutset.compiler.diagnostics import Source
from cutset.compiler.options import Options
from cutset.compiler.pipeline import read_library
from cutset.compiler.syntax.format import format_text
from cutset.compiler.syntax.read import read_text
from cutset.contract.functions import FUNCTIONS
from cutset.lsp.findings import Findings
from cutset.runtime.errors import RunError
from cutset.server.folder import by_place
from cutset.server.frames import Message
from cutset.server.messages import reported
from cutset.server.navigation import SHIPPED, Navigation
from cutset.server.worker import Call, Channel, calls_of
from cutset.stdlib import FOLDER

# The time in s without a request before the long part of a check of a text that changes.
_REST = 0.15
_FOLDER = Path(FOLDER)
_NONE: Mapping[str, str] = MappingProxyType({})


def calls(channel: Channel, library_path: Iterable[str]) -> Mapping[str, Call]:
    """The requests by name."""
    return calls_of(_Checker(channel, library_path), Navigation(library_path))


class _Checker:
    """Each method answers the request of its name. `unsaved` has the texts of other files in the editor, which
    count instead of those on the disk."""

    def __init__(self, channel: Channel, library_path: Iterable[str]):
        self._channel = channel
        self._options = options_of(tuple(Path(folder) for folder in library_path), in_editor=True)

    def check(self, file: str, text: str, unsaved: Mapping[str, str] = _NONE, is_typing: bool = False) -> Message:
        """All messages about the text of a file. Messages of the first stages are sent as news as soon as they are
        known. A further request ends the check: `is_complete` is false."""
        try:
            with self._channel.overtakable():
                found = checked(file, self._options_with(text, unsaved), _Progress(self._channel, is_typing))
        except (Enough, KeyboardInterrupt):
            return Message({"messages": [], "is_complete": False})
        errors = [reported(each) for each in found.messages if each.severity == "error"]
        return Message({"messages": errors, "is_complete": True})

    def _options_with(self, text: str, unsaved: Mapping[str, str]) -> Options:
        return replace(self._options, text=text or "\n", unsaved=by_place(unsaved))

    def format(self, file: str, text: str) -> Message:
        """The text in the standard layout."""
        return Message({"text": format_text(Source(file, text))})

    def names(self, file: str, text: str, unsaved: Mapping[str, str] = _NONE) -> Message:
        """What the text of a file can use: classes, functions and types with their parameters and documentation, the
        functions of the language, the libraries, and the objects of the file."""
        library = read_library(Path(file), self._options_with(text, unsaved))
        functions = [{"name": f.name, "use": f.doc[0], "documentation": f.doc[1]} for f in FUNCTIONS.values() if f.name]
        return Message(
            {
                "declared": [asdict(each) for each in visible_in(library)],
                "functions": functions,
                "libraries": list(standard_libraries()),
                "objects": [each.name for each in library.objects],
            }
        )

    def library(self, place: str) -> Message:
        """The text of a file of the standard library, named as in the places of declarations. RunError E605 for another
        file."""
        for path in standard_libraries().values():
            if place == f"{SHIPPED}/{path.relative_to(_FOLDER).as_posix()}":
                return Message({"text": read_text(path)})
        raise RunError("E605", f"'{place}' is not a file of the standard library", "open it from the list of files")


class _Progress:
    """Tells the page of errors, and of their end, as soon as they are known; lets a user who types go on."""

    shows_errors = True

    def __init__(self, channel: Channel, is_typing: bool):
        self._channel, self._is_typing = channel, is_typing

    def proceed(self) -> None:
        """Go on: another request interrupts the check."""

    def sound(self) -> None:
        """Tell that names, types and units have no errors."""
        self._tell({"is_sound": True})

    def early(self, findings: Findings) -> None:
        """Tell of these errors."""
        self._tell({"messages": [reported(each) for each in findings.messages]})

    def rest(self) -> None:
        """Enough if another request arrives soon."""
        if self._is_typing and self._channel.wait(_REST):
            raise Enough

    def _tell(self, news: Mapping[str, Any]) -> None:
        with self._channel.undisturbed():
            self._channel.news(news)
