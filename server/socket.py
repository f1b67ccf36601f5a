"""Serves one page of the workbench over its socket: requests in JSON, answers as messages of `cutset.server.frames`.

A request has an `id`, a `call`, its arguments `given`, and, if it is about a model, the file of the `model` or `aside`:
true for the process beside the runs. An answer is 4 bytes, the id, 4 bytes, what it is (see `Answer`), and the message.
A process answers one request after the other; `cancel` ends one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from cutset.server.children import Child, Ended
from cutset.server.folder import Changed, Folder, Refused, mark_of, write_at_once
from cutset.server.frames import Answer, Message, encoded, failure
from cutset.server.pool import Pool

# A page waits for a few answers; more are a fault or an attack.
_MOST_AT_ONCE = 64
_OF_CHECKER = frozenset(
    {"check", "format", "library", "completion", "hover", "definition", "references", "rename"}
    | {"palette", "picture", "fitting", "part", "hand"}
)
_OF_MODEL = frozenset(
    {"open", "listing", "run", "curves", "events", "why", "equations", "diagram", "drop", "table"}
    | {"sweep", "linearize", "steady", "verify", "fit", "number"}
)


class Socket:
    """The connection to one page."""

    def __init__(self, websocket: WebSocket, folder: Folder, model: str, pool: Pool):
        self._websocket, self._folder, self._model, self._pool = websocket, folder, model, pool
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._calls: Mapping[str, Callable[..., Mapping[str, Any]]] = {
            "project": self._project, "files": self._files, "read": self._read, "write": self._write,
            "marks": self._marks, "workspace": self._workspace, "save_workspace": self._save_workspace,
        }  # fmt: skip

    async def serve(self) -> None:
        """Answer until the page is closed; then cancel what is in progress for it."""
        await self._websocket.accept()
        try:
            while True:
                await self._take(await self._websocket.receive_text())
        except (WebSocketDisconnect, KeyError):  # KeyError: a message of bytes, which no page sends
            pass
        finally:
            for task in self._tasks.values():
                task.cancel()
            with suppress(RuntimeError):
                await self._websocket.close(1008)

    async def _take(self, text: str) -> None:
        """Start to answer a request; ignore what is none."""
        try:
            request = json.loads(text)
            number, call, given = int(request["id"]), str(request["call"]), dict(request.get("given", {}))
            model, is_aside = str(request.get("model", "")), bool(request.get("aside"))
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            return
        if call == "cancel":
            if number in self._tasks:
                self._tasks[number].cancel()
        elif not 0 <= number < 2**32 or number in self._tasks or len(self._tasks) >= _MOST_AT_ONCE:
            await self._fail(number % 2**32, "too many requests at once")
        else:
            task = asyncio.create_task(self._answer(number, call, given, None if is_aside else model))
            self._tasks[number] = task
            task.add_done_callback(lambda _: self._tasks.pop(number, None))
            await asyncio.sleep(0)  # it starts: a task that is canceled before would not answer

    async def _answer(self, number: int, call: str, given: dict[str, Any], model: str | None) -> None:
        try:
            if call in self._calls:
                await self._send(number, Answer.RESULT, encoded(Message(self._calls[call](**given))))
            else:
                await self._forward(number, call, given, model)
        except asyncio.CancelledError:
            with suppress(RuntimeError, WebSocketDisconnect):
                await self._fail(number, "canceled", "canceled")
        except Changed as error:
            await self._fail(number, str(error), "changed")
        except (Refused, TypeError) as error:
            await self._fail(number, str(error))
        except Ended:
            text = "the process that computed this has ended; it is started again by the next request"
            await self._fail(number, text, "ended")

    async def _forward(self, number: int, call: str, given: dict[str, Any], model: str | None) -> None:
        """Let a child process answer."""
        child: Child
        for name in ("file", "table_file"):
            if name in given:
                self._folder.place(str(given[name]))
        for name in given.get("unsaved", ()):
            self._folder.place(str(name))
        if call in _OF_CHECKER:
            child = self._pool.checker
        elif call in _OF_MODEL and model is None:
            child = self._pool.aside
        elif call in _OF_MODEL and model is not None:
            self._folder.place(model)
            child = self._pool.of_model(model)
        else:
            raise Refused(f"there is no request '{call}'")

        async def receive(kind: int, body: bytes) -> None:
            await self._send(number, kind, body)

        await child.ask(call, given, receive)

    async def _send(self, number: int, kind: int, body: bytes) -> None:
        await self._websocket.send_bytes(number.to_bytes(4, "little") + kind.to_bytes(4, "little") + body)

    async def _fail(self, number: int, message: str, kind: str = "refused") -> None:
        await self._send(number, Answer.ERROR, encoded(failure(kind, message)))

    def _project(self) -> Mapping[str, Any]:
        return {
            "folder": self._folder.path.name,
            "path": str(self._folder.path),
            "files": self._folder.files(),
            "model": self._model,
        }

    def _files(self) -> Mapping[str, Any]:
        return {"files": self._folder.files()}

    def _read(self, file: str) -> Mapping[str, Any]:
        text = self._folder.read(file)
        return {"text": text, "mark": mark_of(text)}

    def _write(self, file: str, text: str, mark: str | None = None) -> Mapping[str, Any]:
        self._folder.write(file, text, mark)
        return {"mark": mark_of(text)}

    def _marks(self, files: Sequence[str]) -> Mapping[str, Any]:
        return {"marks": self._folder.marks(map(str, files[:_MOST_AT_ONCE]))}

    def _workspace(self, file: str) -> Mapping[str, Any]:
        return {"workspace": read_workspace(self._folder, file)}

    def _save_workspace(self, file: str, workspace: object) -> Mapping[str, Any]:
        write_workspace(self._folder, file, workspace)
        return {}


# --- workspace ------------------------------------------------------------------------------------

# A workspace can come from anyone with the model, so only its form and size are trusted here; the page checks the rest.


MOST_BYTES = 1_000_000
SUFFIX = ".workspace.json"


def path_of(model: str) -> str:
    """The relative path of the workspace of a model file: `rc.workspace.json` for `rc.mo`."""
    return model.rpartition(".")[0] + SUFFIX


def read_workspace(folder: Folder, model: str) -> dict[str, Any] | None:
    """The workspace of a model file; None if there is none, or one that cannot be read. Refused for a file outside the
    folder."""
    folder.place(model)
    place = folder.place(path_of(model))
    try:
        if place.stat().st_size > MOST_BYTES:
            return None
        found = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def write_workspace(folder: Folder, model: str, content: object) -> None:
    """Write the workspace of an existing model file. Refused if it is not an object, too large, or cannot be
    written."""
    if not isinstance(content, dict):
        raise Refused("a workspace must be an object")
    if not folder.place(model).is_file():
        raise Refused(f"there is no model file '{model}'")
    text = json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if len(text.encode()) > MOST_BYTES:
        raise Refused(f"the workspace is too large: the limit is {MOST_BYTES} bytes")
    write_at_once(folder.place(path_of(model)), text)
