"""Checks the text in the editor in a child process: messages as one types, layout, words for completion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cutset.api.show.classes import standard_libraries, visible_in
from cutset.api.translate.listeners import Enough, Loose, Remarks
from cutset.api.translate.translation import collected, options_of
from cutset.compiler.diagnostics import Diagnostic, ModelError, Source
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.observer import Observer
from cutset.compiler.options import Options
from cutset.compiler.pipeline import check_library, compile_model, read_library
from cutset.compiler.syntax.format import format_text
from cutset.compiler.syntax.read import read_text
from cutset.contract.functions import FUNCTIONS
from cutset.runtime.errors import RunError
from cutset.server.folder import by_place
from cutset.server.frames import Message
from cutset.server.messages import place_of, reported
from cutset.server.navigation import SHIPPED, Navigation
from cutset.server.worker import Call, Channel
from cutset.stdlib import FOLDER

# The time in s without a request before the long part of a check of a text that changes.
_REST = 0.15
_FOLDER = Path(FOLDER)
_NONE: Mapping[str, str] = MappingProxyType({})


def calls(channel: Channel, library_path: Iterable[str]) -> Mapping[str, Call]:
    """The requests by name."""
    checker, navigation = _Checker(channel, library_path), Navigation(library_path)
    return {
        **{name: getattr(checker, name) for name in _Checker.NAMES},
        **{name: getattr(navigation, name) for name in Navigation.NAMES},
    }


class _Checker:
    """Each method in NAMES answers the request of its name. `unsaved` has the texts of other files in the editor, which
    count instead of those on the disk."""

    NAMES = ("check", "format", "names", "library")

    def __init__(self, channel: Channel, library_path: Iterable[str]):
        self._channel = channel
        self._options = options_of(tuple(Path(folder) for folder in library_path), in_editor=True)

    def check(self, file: str, text: str, unsaved: Mapping[str, str] = _NONE, is_typing: bool = False) -> Message:
        """All messages about the text of a file. Messages of the first stages are sent as news as soon as they are
        known. A further request ends the check: `is_complete` is false."""
        mistakes: list[Diagnostic] = []
        remarks: list[dict[str, Any]] = []
        try:
            with self._channel.overtakable(), collected(mistakes):
                self._examine(Path(file), self._options_with(text, unsaved), is_typing, mistakes, remarks)
        except (Enough, KeyboardInterrupt):
            return Message({"messages": [], "remarks": [], "is_complete": False})
        messages = [reported(each) for each in mistakes]
        return Message({"messages": messages, "remarks": remarks, "is_complete": True})

    def _examine(
        self, file: Path, options: Options, is_typing: bool, mistakes: list[Diagnostic], remarks: list[dict[str, Any]]
    ) -> None:
        library = read_library(file, options)
        front = _Front(self._channel, library, options, mistakes, is_typing)
        for each in library.objects:
            loose, notes = Loose(), Remarks()
            with collected(mistakes):
                compile_model(file, each.name, options, Observer([front, loose, notes]), library)
            remarks += [{"text": label.text, "place": place_of(label.span)} for label in loose.found]
            if mistakes:
                front.tell(())
        check_library(library, options)

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


class _Front:
    """A listener that tells the page when names, types and units turn out to have no errors, long before the equations
    are solved; then it lets a user who types go on."""

    def __init__(
        self, channel: Channel, library: Library, options: Options, mistakes: list[Diagnostic], is_typing: bool
    ):
        self._channel, self._library, self._options = channel, library, options
        self._mistakes, self._is_typing = mistakes, is_typing
        self._instantiated = self._reported = 0

    def __call__(self, stage: str, result: object) -> None:
        """Take the result of a stage. Enough if another request arrives soon, before the long stages."""
        if stage == "errors" and isinstance(result, tuple):
            self.tell(result)
        if stage != "instantiate":
            return
        self._instantiated += 1
        if self._instantiated == len(self._library.objects) and not self._mistakes and self._declares_no_errors():
            with self._channel.undisturbed():
                self._channel.news({"is_sound": True})
        if self._is_typing and self._instantiated == 1 and self._channel.wait(_REST):
            raise Enough

    def tell(self, mistakes: Iterable[Diagnostic]) -> None:
        """Tell the page of these messages and those before, if there are more than it knows."""
        found = [reported(each) for each in (*self._mistakes, *mistakes)]
        if len(found) > self._reported:
            self._reported = len(found)
            with self._channel.undisturbed():
                self._channel.news({"messages": found})

    def _declares_no_errors(self) -> bool:
        try:
            check_library(self._library, self._options)
        except ModelError:
            return False
        return True
