"""Checks the text in the editor in a child process: messages as one types, layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cutset.api.show.classes import standard_libraries
from cutset.api.translate.editor_checks import checked
from cutset.api.translate.listeners import Enough
from cutset.api.translate.translation import options_of
from cutset.compiler.diagnostics import Source
from cutset.compiler.options import Options
from cutset.compiler.syntax.format import format_text
from cutset.compiler.syntax.read import read_text
from cutset.lsp.findings import Findings
from cutset.runtime.errors import RunError
from cutset.server.building import Building
from cutset.server.folder import by_place
from cutset.server.frames import Message
from cutset.server.messages import reported
from cutset.server.navigation import SHIPPED
from cutset.server.worker import Call, Channel, calls_of
from cutset.stdlib import FOLDER

# The time in s without a request before the long part of a check of a text that changes.
_REST = 0.15
_FOLDER = Path(FOLDER)
_NONE: Mapping[str, str] = MappingProxyType({})


def calls(channel: Channel, library_path: Iterable[str]) -> Mapping[str, Call]:
    """The requests by name."""
    options = options_of(tuple(Path(folder) for folder in library_path), in_editor=True)
    return calls_of(_Checker(channel, options), Building(options))


class _Checker:
    """Each method answers the request of its name. `unsaved` has the texts of other files in the editor, which
    count instead of those on the disk."""

    def __init__(self, channel: Channel, options: Options):
        self._channel, self._options = channel, options

    def check(self, file: str, text: str, unsaved: Mapping[str, str] = _NONE, is_typing: bool = False) -> Message:
        """All messages about the text of a file, and its objects. Messages of the first stages are sent as news as soon
        as they are known. A further request ends the check: `is_complete` is false."""
        try:
            with self._channel.overtakable():
                options = replace(self._options, text=text or "\n", unsaved=by_place(unsaved))
                found = checked(file, options, _Progress(self._channel, is_typing))
        except (Enough, KeyboardInterrupt):
            return Message({"messages": [], "is_complete": False})
        errors = [reported(each) for each in found.messages if each.severity == "error"]
        tree = self._options.cache.latest(file) if self._options.cache else None
        objects = [each.name for each in tree.classes if each.is_object] if tree else []
        return Message({"messages": errors, "objects": objects, "is_complete": True})

    def format(self, file: str, text: str) -> Message:
        """The text in the standard layout."""
        return Message({"text": format_text(Source(file, text))})

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
