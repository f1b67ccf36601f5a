"""Runs the language server: requests of an editor -> answers of the other modules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from cutset.lsp import completion, hints, hover, layout, outline, rename, report, signature, tokens
from cutset.lsp.checks import Check, Checker
from cutset.lsp.session import Session, path_of_uri, uri_of


class CutsetServer(LanguageServer):
    """The server of a session with all its features; `check` checks a file as the command does."""

    def __init__(self, version: str, session: Session, check: Check) -> None:
        # Texts come as a whole: pygls counts lines differently from editors if a text has other line separators.
        super().__init__("cutset", version, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.session = session
        self.loop: asyncio.AbstractEventLoop | None = None
        self.checker = Checker(self.session, check, self._show)
        _documents(self)
        _others(self)
        for method, (answer, needed) in _OF_FILES.items():
            _add(self, method, answer, needed)

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


# The requests about a file that take no more than its names: method -> the answer, and the parameters that it needs.
_OF_FILES: dict[str, tuple[Callable[..., Any], Sequence[str]]] = {
    types.TEXT_DOCUMENT_HOVER: (hover.hover, ["position"]),
    types.TEXT_DOCUMENT_DEFINITION: (hover.definition, ["position"]),
    types.TEXT_DOCUMENT_TYPE_DEFINITION: (hover.type_definition, ["position"]),
    types.TEXT_DOCUMENT_REFERENCES: (hover.references, ["position", "context"]),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (hover.highlights, ["position"]),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (outline.document_symbols, []),
    types.TEXT_DOCUMENT_COMPLETION: (completion.completion, ["position"]),
    types.TEXT_DOCUMENT_SIGNATURE_HELP: (signature.signature_help, ["position"]),
    types.TEXT_DOCUMENT_PREPARE_RENAME: (rename.prepare_rename, ["position"]),
    types.TEXT_DOCUMENT_RENAME: (rename.rename, ["position", "new_name"]),
    types.TEXT_DOCUMENT_FOLDING_RANGE: (outline.folding_ranges, []),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (tokens.semantic_tokens, []),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: (tokens.semantic_tokens, ["range"]),
    types.TEXT_DOCUMENT_INLAY_HINT: (hints.inlay_hints, ["range"]),
}
_OPTIONS: dict[str, Any] = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=[".", ":", "@", "(", ",", " "]),
    types.TEXT_DOCUMENT_SIGNATURE_HELP: types.SignatureHelpOptions(trigger_characters=["(", ","]),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: tokens.LEGEND,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: tokens.LEGEND,
}


def _add(server: CutsetServer, method: str, answer: Callable[..., Any], needed: Sequence[str]) -> None:
    @server.feature(method, _OPTIONS.get(method))
    def _answer(params: Any) -> Any:
        index = server.session.index(_path(params))
        if index is None:
            return None
        try:
            found = answer(server.session, index, *(getattr(params, name) for name in needed))
        except rename.CannotRename as error:
            raise JsonRpcInvalidParams(str(error)) from error
        if isinstance(found, types.CompletionList) and not server.takes_snippets():
            for item in found.items:
                if item.insert_text_format == types.InsertTextFormat.Snippet:
                    item.insert_text = item.insert_text_format = None
        return found


def _others(server: CutsetServer) -> None:
    @server.feature(types.WORKSPACE_SYMBOL)
    def _workspace_symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        return outline.workspace_symbols(server.session, params.query)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def _format(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        return layout.formatting(server.session, _path(params))

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def _actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return report.code_actions(server.session, _path(params), params.range, server.checker.findings())
