"""Checks files for editors, as `cutset check` does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.api.translate.translation import check_file
from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.options import Options, pairs
from cutset.compiler.pipeline import check_library
from cutset.lsp.findings import Findings, Progress

if TYPE_CHECKING:
    from cutset.lsp.session import Session


class EditorCheck:
    """The check of a file with the library path of a session, which the editor may extend, and its trees."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __call__(self, path: str, unsaved: Mapping[Path, str], progress: Progress) -> Findings:
        """The errors of the file, or the notes of its objects."""
        session = self._session
        options = Options(library_path=session.library_path, cache=session.cache, unsaved=pairs(unsaved))
        return checked(path, options, progress)


def checked(path: str, options: Options, progress: Progress) -> Findings:
    """The errors of the file, or the notes of its objects."""
    looked_at: set[str] = set()
    library: Library | None = None
    instantiated = 0
    early: dict[object, Diagnostic] = {}  # instances of one class have the same errors

    def listen(stage: str, result: object) -> None:
        nonlocal library, instantiated
        progress.proceed()
        if isinstance(result, Library):
            library = result
            looked_at.update(map(str, result.looked_at))
        if stage == "errors" and isinstance(result, tuple):
            known = len(early)
            early.update({(each.code, each.message, each.span): each for each in result})
            if len(early) > known:
                progress.early(Findings(path, tuple(early.values()), frozenset(looked_at)))
        if stage == "instantiate" and library is not None:
            instantiated += 1
            if instantiated == len(library.objects) and progress.shows_errors and _declares_no_errors(library):
                progress.sound()
            if instantiated == 1:
                progress.rest()

    try:
        found = check_file(Path(path), None, options, [listen], progress.proceed)
    except ModelError as error:
        return Findings(path, tuple(error.diagnostics), frozenset(looked_at))
    looked_at.update(map(str, found.declared.looked_at))
    notes = [Diagnostic("", label.text, label.span, severity="note") for file in found.objects for label in file.loose]
    remarks = [Diagnostic("", remark, severity="note") for file in found.objects for remark in file.remarks]
    return Findings(path, (*notes, *remarks), frozenset(looked_at))


def _declares_no_errors(library: Library) -> bool:
    try:
        check_library(library)
    except ModelError:
        return False
    return True
