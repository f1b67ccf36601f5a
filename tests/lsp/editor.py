"""Plays an editor: starts `cutset lsp` and talks to it."""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path, to_fs_path

PATIENCE = 120.0


class Editor:
    """An editor with a server of its own; `shown` holds the diagnostics of each file, and how often they came."""

    def __init__(self, folder: Path, capabilities: types.ClientCapabilities | None = None, *words: str) -> None:
        self.shown: dict[str, list[types.Diagnostic]] = {}
        self.counts: dict[str, int] = {}
        self._came = threading.Condition()
        self._versions: dict[str, int] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._client = LanguageClient("editor", "1")

        @self._client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _show(params: types.PublishDiagnosticsParams) -> None:
            path = to_fs_path(params.uri)
            assert path is not None
            with self._came:
                self.shown[path] = list(params.diagnostics)
                self.counts[path] = self.counts.get(path, 0) + 1
                self._came.notify_all()

        command = [
            sys.executable,
            "-c",
            "from cutset.api.command_line.command import main; raise SystemExit(main())",
            "lsp",
            *words,
        ]
        self._await(self._client.start_io(*command))
        uri = from_fs_path(str(folder))
        assert uri is not None
        self.initialized = self.ask(
            types.INITIALIZE,
            types.InitializeParams(
                capabilities=capabilities or types.ClientCapabilities(),
                workspace_folders=[types.WorkspaceFolder(uri, folder.name)],
            ),
        )
        self.tell(types.INITIALIZED, types.InitializedParams())

    def _await(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    def ask(self, method: str, params: Any) -> Any:
        """The answer to a request."""

        async def send() -> Any:
            return await self._client.protocol.send_request_async(method, params)

        return self._await(send())

    def tell(self, method: str, params: Any) -> None:
        """Send a notification."""

        async def send() -> None:
            self._client.protocol.notify(method, params)

        self._await(send())

    def open(self, path: Path, text: str | None = None) -> None:
        """Open a file, with another text than on the disk if one is given."""
        self._versions[str(path)] = 1
        item = types.TextDocumentItem(uri_of(path), "cutset", 1, path.read_text("utf-8") if text is None else text)
        self.tell(types.TEXT_DOCUMENT_DID_OPEN, types.DidOpenTextDocumentParams(item))

    def type(self, path: Path, text: str) -> None:
        """Change the text of an open file."""
        self._versions[str(path)] += 1
        document = types.VersionedTextDocumentIdentifier(self._versions[str(path)], uri_of(path))
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.tell(types.TEXT_DOCUMENT_DID_CHANGE, types.DidChangeTextDocumentParams(document, changes))

    def close(self, path: Path) -> None:
        """Close a file."""
        self.tell(types.TEXT_DOCUMENT_DID_CLOSE, types.DidCloseTextDocumentParams(document(path)))

    def diagnostics(self, path: Path, *, after: int = 0) -> list[types.Diagnostic]:
        """The diagnostics of a file, when they have come more than `after` times."""
        with self._came:
            assert self._came.wait_for(lambda: self.counts.get(str(path), 0) > after, PATIENCE), f"none for {path}"
            return self.shown[str(path)]

    def wait_for(self, path: Path, condition: Any) -> list[types.Diagnostic]:
        """The diagnostics of a file, when they meet a condition."""
        with self._came:
            met = self._came.wait_for(lambda: str(path) in self.shown and condition(self.shown[str(path)]), PATIENCE)
            assert met, self.shown.get(str(path))
            return self.shown[str(path)]

    def at(self, method: str, path: Path, line: int, character: int) -> Any:
        """The answer to a request about a position."""
        params: Any = types.METHOD_TO_TYPES[method][2]
        return self.ask(method, params(document(path), types.Position(line, character)))

    def process_id(self) -> int:
        """The process of the server."""
        process = self._client._server
        assert process is not None
        return process.pid

    def quit(self) -> int | None:
        """End the server; its exit code."""
        self.ask(types.SHUTDOWN, None)
        self.tell(types.EXIT, None)
        process = self._client._server
        assert process is not None
        code: int | None = self._await(process.wait())
        self._await(self._client.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        return code


def uri_of(path: Path) -> str:
    """The URI of a file."""
    uri = from_fs_path(str(path))
    assert uri is not None
    return uri


def document(path: Path) -> types.TextDocumentIdentifier:
    """The identifier of a file."""
    return types.TextDocumentIdentifier(uri_of(path))
