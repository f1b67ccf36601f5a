"""Runs the language server: requests of an editor -> answers of the other modules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from cutset.lsp import completion, hints, hover, layout, outline, rename, report, signature, tokens
from cutset.lsp.checks import Check, Checker
from cutset.lsp.session import Session, path_of_uri, uri_of

T = TypeVar("T")
_TRIGGERS = [".", ":", "@", "(", ",", " "]


class CutsetServer(LanguageServer):
    """The server of a session with all its features; `check` checks a file as the command does."""

    def __init__(self, version: str, session: Session, check: Check) -> None:
        # Texts come as a whole: pygls counts lines differently from editors if a text has other line separators.
        super().__init__("cutset", version, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.session = session
        self.loop: asyncio.AbstractEventLoop | None = None
        self.checker = Checker(self.session, check, self._show)
        for add in (_documents, _navigation, _writing, _views):
            add(self)

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


def _navigation(server: CutsetServer) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def _hover(params: types.HoverParams) -> types.Hover | None:
        return hover.hover(session, _path(params), params.position)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def _definition(params: types.DefinitionParams) -> types.Location | None:
        return hover.definition(session, _path(params), params.position)

    @server.feature(types.TEXT_DOCUMENT_TYPE_DEFINITION)
    def _type_definition(params: types.TypeDefinitionParams) -> types.Location | None:
        return hover.type_definition(session, _path(params), params.position)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def _references(params: types.ReferenceParams) -> list[types.Location]:
        return hover.references(session, _path(params), params.position, params.context.include_declaration)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def _highlights(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        return hover.highlights(session, _path(params), params.position)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def _symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        return outline.document_symbols(session, _path(params))

    @server.feature(types.WORKSPACE_SYMBOL)
    def _workspace_symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        return outline.workspace_symbols(session, params.query)


def _writing(server: CutsetServer) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))
    def _completion(params: types.CompletionParams) -> types.CompletionList:
        found = completion.completion(session, _path(params), params.position)
        if not server.takes_snippets():
            for item in found.items:
                if item.insert_text_format == types.InsertTextFormat.Snippet:
                    item.insert_text = item.insert_text_format = None
        return found

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
    def _signature(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        return signature.signature_help(session, _path(params), params.position)

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def _prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        return _renaming(lambda: rename.prepare_rename(session, _path(params), params.position))

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def _rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        return _renaming(lambda: rename.rename(session, _path(params), params.position, params.new_name))

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def _format(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        return layout.formatting(session, _path(params))

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def _actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return report.code_actions(session, _path(params), params.range, server.checker.findings())


def _renaming(answer: Callable[[], T]) -> T:
    try:
        return answer()
    except rename.CannotRename as error:
        raise JsonRpcInvalidParams(str(error)) from error


def _views(server: CutsetServer) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def _folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        return outline.folding_ranges(session, _path(params))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, tokens.LEGEND)
    def _tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        return tokens.semantic_tokens(session, _path(params))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, tokens.LEGEND)
    def _tokens_of_range(params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
        return tokens.semantic_tokens(session, _path(params), params.range)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def _hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        return hints.inlay_hints(session, _path(params), params.range)
