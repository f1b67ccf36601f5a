"""Limits the connections of the server: a new one closes the oldest one, so that no program can take all of them."""

from __future__ import annotations

import asyncio
from itertools import count

from uvicorn.protocols.http.h11_impl import H11Protocol

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
