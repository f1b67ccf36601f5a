"""Answers the browser: the page and its files over HTTP, and requests over one socket."""

from __future__ import annotations

import asyncio
import html
import json
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol

from cutset.contract.quick_dataclass import dataclass
from cutset.lsp.words import words
from cutset.runtime.bundled import bundle
from cutset.server.folder import Folder
from cutset.server.guard import Guard, content_security_policy
from cutset.server.pool import Pool
from cutset.server.socket import Socket

_KINDS = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Opened:
    """What the user opened: the folder, the model file in it ('' for none), and further folders for includes."""

    folder: Folder
    model: str
    library_path: Sequence[str] = ()


def application(opened: Opened, token: str, port: int) -> ASGIApp:
    """The program that serves this folder to a page at this port, whose address has the token."""
    pool = Pool(opened.folder.path, opened.library_path)
    # No request reaches any other file of this machine.
    texts = {each.name: each.read_bytes() for each in bundle().iterdir() if each.is_file()}

    async def page(request: Request) -> Response:
        nonce = secrets.token_urlsafe(16)
        text = texts["index.html"].decode().replace("@@NONCE@@", nonce)
        text = text.replace("@@WORDS@@", html.escape(json.dumps(words())))
        headers = {"content-security-policy": content_security_policy(nonce, port)}
        return Response(text, media_type="text/html", headers=headers)

    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        kind = _KINDS.get(Path(name).suffix)
        if name not in texts or kind is None:
            return PlainTextResponse("there is no such file\n", 404)
        return Response(texts[name], media_type=kind)

    async def socket(websocket: WebSocket) -> None:
        await Socket(websocket, opened.folder, opened.model, pool).serve()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await pool.start(opened.model)
        try:
            yield
        finally:
            await pool.end()

    routes = [Route("/", page), Route("/assets/{name}", asset), WebSocketRoute("/socket", socket)]
    return Guard(Starlette(routes=routes, lifespan=lifespan), token, port)


# --- connections: a new one closes the oldest one, so that no program can take all of them --------

# A browser needs a socket and six connections for files.
MOST_CONNECTIONS = 64
_numbers = count()


class LimitedProtocol(H11Protocol):
    """A connection over HTTP. A socket, to which one can be upgraded, is not closed by new connections."""

    number = -1
    is_ended = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, and close the oldest one if there are too many."""
        super().connection_made(transport)
        self.number = next(_numbers)
        plain = [each for each in self.connections if isinstance(each, LimitedProtocol) and not each.is_ended]
        if len(plain) > MOST_CONNECTIONS:
            oldest = min(plain, key=lambda each: each.number)
            oldest.is_ended = True  # it is in `connections` until the loop has closed it
            oldest.transport.abort()
