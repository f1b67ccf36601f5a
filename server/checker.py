"""Checks the text in the editor in a child process: messages as one types, layout, words for completion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from cutset.classes import standard_libraries, visible_in
from cutset.compiler.diagnostics import Diagnostic, ModelError, Source
from cutset.compiler.pipeline import check_library, compile_model, read_library
from cutset.compiler.syntax.format import format_text
from cutset.contract.functions import FUNCTIONS
from cutset.observer import Enough, Loose, Observer, Remarks
from cutset.server.frames import Message
from cutset.server.messages import place_of, reported
from cutset.server.worker import Call, Channel
from cutset.translation import collected, options_of


def calls(channel: Channel, library_path: Iterable[str]) -> Mapping[str, Call]:
    """The requests by name."""
    checker = _Checker(channel, library_path)
    return {name: getattr(checker, name) for name in _Checker.NAMES}


class _Checker:
    """Each method in NAMES answers the request of its name."""

    NAMES = ("check", "format", "names")

    def __init__(self, channel: Channel, library_path: Iterable[str]):
        self._channel = channel
        self._options = options_of(tuple(Path(folder) for folder in library_path), many_files=True)

    def check(self, file: str, text: str) -> Message:
        """All messages about the text of a file. Messages of the first stages are sent as news as soon as they are
        known. If another request waits, the check ends early: `is_complete` is false."""
        options = replace(self._options, text=text or "\n")
        mistakes: list[Diagnostic] = []
        remarks: list[dict[str, Any]] = []
        try:
            library = read_library(Path(file), options)
            for each in library.objects:
                self._leave_for_others()
                loose, notes = Loose(), Remarks()
                with collected(mistakes):
                    compile_model(Path(file), each.name, options, Observer([self._after_stage, loose, notes]))
                remarks += [{"text": label.text, "place": place_of(label.span)} for label in loose.found]
                self._tell(mistakes)
            with collected(mistakes):
                check_library(library, options)
        except ModelError as error:
            mistakes += error.diagnostics
        except Enough:
            return Message({"messages": [], "remarks": [], "is_complete": False})
        messages = [reported(each) for each in mistakes]
        return Message({"messages": messages, "remarks": remarks, "is_complete": True})

    def format(self, file: str, text: str) -> Message:
        """The text in the standard layout."""
        return Message({"text": format_text(Source(file, text))})

    def names(self, file: str, text: str) -> Message:
        """What the text of a file can use: classes, functions and types with their parameters and documentation, the
        functions of the language, the libraries, and the objects of the file."""
        library = read_library(Path(file), replace(self._options, text=text or "\n"))
        functions = [{"name": f.name, "use": f.doc[0], "documentation": f.doc[1]} for f in FUNCTIONS.values() if f.name]
        return Message(
            {
                "declared": [asdict(each) for each in visible_in(library)],
                "functions": functions,
                "libraries": list(standard_libraries()),
                "objects": [each.name for each in library.objects],
            }
        )

    def _after_stage(self, stage: str, result: object) -> None:
        self._leave_for_others()

    def _leave_for_others(self) -> None:
        """Enough if another request waits."""
        if self._channel.waiting:
            raise Enough

    def _tell(self, mistakes: list[Diagnostic]) -> None:
        if mistakes:
            self._channel.news({"messages": [reported(each) for each in mistakes]})
