"""Refuses requests that do not come from the user's own page: an ASGI middleware. Knows no model.

Another page in the same browser, or another program on this machine, knows the address of the server, but not the token
in it. A page elsewhere whose name resolves to this machine (DNS rebinding) sends its own name as Host.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# No request to a page or a file has a body; messages go through the socket, which has a limit of its own.
MOST_BODY_BYTES = 0
_FIXED_HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def content_security_policy(nonce: str, port: int) -> str:
    """What the page may load: only files of this server, and styles that have the nonce."""
    hosts = " ".join(f"ws://{host}" for host in _hosts(port))
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; font-src 'self'; "
        f"img-src 'self' data: blob:; connect-src 'self' {hosts}; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


@dataclass(frozen=True)
class Guard:
    """Passes a request to `app` if it names this server as Host, comes from no other origin, and its path starts with
    the token, which `app` does not see. Others get 400, 403 or 413, a socket is closed."""

    app: ASGIApp
    token: str
    port: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused:
            await _refuse(refused, scope, receive, send)
            return
        inner = dict(scope)
        inner["root_path"] = ""
        inner["path"] = scope["path"][len(self.token) + 1 :]
        inner["raw_path"] = inner["path"].encode()
        await self.app(inner, receive, _with_headers(send) if scope["type"] == "http" else send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the reason, if the request is refused."""
        headers = Headers(scope=scope)
        own = {f"http://{host}" for host in _hosts(self.port)}
        if headers.getlist("host") not in [[host] for host in _hosts(self.port)]:
            return 400, "this server is reached by its own address only"
        if any(origin not in own for origin in headers.getlist("origin")):
            return 403, "requests from other pages are refused"
        first = scope["path"][1:].partition("/")[0]
        if not hmac.compare_digest(first.encode(), self.token.encode()):
            return 403, "the address must have the token that 'cutset open' printed"
        if _body_length(headers) > MOST_BODY_BYTES:
            return 413, "the request is too large"
        return None


def _hosts(port: int) -> Iterable[str]:
    return (f"127.0.0.1:{port}", f"localhost:{port}")


def _body_length(headers: Headers) -> int:
    """The announced length; a body of unknown length counts as too long."""
    if "transfer-encoding" in headers:
        return MOST_BODY_BYTES + 1
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() and len(length) < 20 else MOST_BODY_BYTES + 1


async def _refuse(why: tuple[int, str], scope: Scope, receive: Receive, send: Send) -> None:
    status, reason = why
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": reason})
        return
    await PlainTextResponse(reason + "\n", status, headers={**_FIXED_HEADERS, "connection": "close"})(
        scope, receive, send
    )


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _FIXED_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
        await send(message)

    return sending
