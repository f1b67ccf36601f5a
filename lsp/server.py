"""Runs the language server: requests of an editor -> answers of the other modules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from cutset.lsp import completion, hints, hover, layout, outline, rename, report, signature, tokens
from cutset.lsp.checks import Check, Checker
from cutset.lsp.session import Session, path_of_uri, uri_of

T = TypeVar("T")
_Answer = Callable[[Any], Any]
_OPTIONS: Mapping[str, Any] = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=[".", ":", "@", "(", ",", " "]),
    types.TEXT_DOCUMENT_SIGNATURE_HELP: types.SignatureHelpOptions(trigger_characters=["(", ","]),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: tokens.LEGEND,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: tokens.LEGEND,
}


class CutsetServer(LanguageServer):
    """The server of a session with all its features; `check` checks a file as the command does."""

    def __init__(self, version: str, session: Session, check: Check) -> None:
        # Texts come as a whole: pygls counts lines differently from editors if a text has other line separators.
        super().__init__("cutset", version, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.session = session
        self.loop: asyncio.AbstractEventLoop | None = None
        self.checker = Checker(self.session, check, self._show)
        _documents(self)
        _answers(self)

    def _show(self, path: str, found: list[types.Diagnostic]) -> None:
        """Publish diagnostics; called in the thread of the checker."""
        loop = self.loop
        if loop is not None and not loop.is_closed():
            params = types.PublishDiagnosticsParams(uri=uri_of(path), diagnostics=found)
            loop.call_soon_threadsafe(self.text_document_publish_diagnostics, params)

    def takes_snippets(self) -> bool:
        """True if the editor can insert snippets."""
        document = self.client_capabilities.text_document
        item = document.completion.completion_item if document and document.completion else None
        return bool(item and item.snippet_support)


def _path(params: Any) -> str:
    return path_of_uri(params.text_document.uri)


def _documents(server: CutsetServer) -> None:
    @server.feature(types.INITIALIZE)
    def _initialize(params: types.InitializeParams) -> None:
        session = server.session
        server.loop = asyncio.get_running_loop()
        session.encoding = types.PositionEncodingKind(server.workspace.position_encoding or "utf-16")
        given = params.initialization_options
        options = given if isinstance(given, dict) else {}
        folders = options.get("libraryPath", ())
        if isinstance(folders, list):
            session.library_path += tuple(Path(each) for each in folders if isinstance(each, str))
        session.folders = [path for uri in server.workspace.folders if (path := path_of_uri(uri))]

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def _folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        server.session.folders = [path for uri in server.workspace.folders if (path := path_of_uri(uri))]

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def _open(params: types.DidOpenTextDocumentParams) -> None:
        _take(server, _path(params), params.text_document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def _change(params: types.DidChangeTextDocumentParams) -> None:
        _take(server, _path(params), server.workspace.get_text_document(params.text_document.uri).source)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def _save(params: types.DidSaveTextDocumentParams) -> None:
        server.checker.changed(_path(params))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _close(params: types.DidCloseTextDocumentParams) -> None:
        server.session.close(_path(params))
        server.checker.changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _watched(params: types.DidChangeWatchedFilesParams) -> None:
        server.checker.changed()

    @server.feature(types.SHUTDOWN)
    def _shutdown(*_: Any) -> None:
        server.checker.stop()


def _take(server: CutsetServer, path: str, text: str) -> None:
    if path.endswith(".mo"):
        server.session.open(path, text)
        server.checker.changed(path)


def _answers(server: CutsetServer) -> None:
    """Add the features that answer about a file: at a position of it, about all of it, or about a range of lines."""
    session = server.session

    def at(answer: Callable[..., Any]) -> _Answer:
        return lambda params: _renaming(lambda: answer(session, _path(params), params.position))

    def of_file(answer: Callable[..., Any]) -> _Answer:
        return lambda params: answer(session, _path(params))

    def within(answer: Callable[..., Any]) -> _Answer:
        return lambda params: answer(session, _path(params), params.range)

    def references(params: types.ReferenceParams) -> list[types.Location]:
        return hover.references(session, _path(params), params.position, params.context.include_declaration)

    def renamed(params: types.RenameParams) -> types.WorkspaceEdit | None:
        return _renaming(lambda: rename.rename(session, _path(params), params.position, params.new_name))

    def completed(params: types.CompletionParams) -> types.CompletionList:
        found = completion.completion(session, _path(params), params.position)
        if not server.takes_snippets():
            for item in found.items:
                if item.insert_text_format == types.InsertTextFormat.Snippet:
                    item.insert_text = item.insert_text_format = None
        return found

    answers: Mapping[str, _Answer] = {
        types.TEXT_DOCUMENT_HOVER: at(hover.hover),
        types.TEXT_DOCUMENT_DEFINITION: at(hover.definition),
        types.TEXT_DOCUMENT_TYPE_DEFINITION: at(hover.type_definition),
        types.TEXT_DOCUMENT_REFERENCES: references,
        types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: at(hover.highlights),
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: of_file(outline.document_symbols),
        types.WORKSPACE_SYMBOL: lambda params: outline.workspace_symbols(session, params.query),
        types.TEXT_DOCUMENT_COMPLETION: completed,
        types.TEXT_DOCUMENT_SIGNATURE_HELP: at(signature.signature_help),
        types.TEXT_DOCUMENT_PREPARE_RENAME: at(rename.prepare_rename),
        types.TEXT_DOCUMENT_RENAME: renamed,
        types.TEXT_DOCUMENT_FORMATTING: of_file(layout.formatting),
        types.TEXT_DOCUMENT_CODE_ACTION: lambda params: report.code_actions(
            session, _path(params), params.range, server.checker.findings()
        ),
        types.TEXT_DOCUMENT_FOLDING_RANGE: of_file(outline.folding_ranges),
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: of_file(tokens.semantic_tokens),
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: within(tokens.semantic_tokens),
        types.TEXT_DOCUMENT_INLAY_HINT: within(hints.inlay_hints),
    }
    for method, answer in answers.items():
        server.feature(method, _OPTIONS.get(method))(answer)


def _renaming(answer: Callable[[], T]) -> T:
    try:
        return answer()
    except rename.CannotRename as error:
        raise JsonRpcInvalidParams(str(error)) from error
