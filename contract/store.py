"""Defines what a cache on disk offers to those who fill it."""

from __future__ import annotations

from typing import Protocol


class Store(Protocol):
    """Content by name: missing or damaged content is None, and `put` returns False if it cannot be written."""

    def get(self, name: str) -> bytes | None:
        """The content stored under the name, or None."""
        ...

    def put(self, name: str, content: bytes) -> bool:
        """Store the content; False if that fails."""
        ...
