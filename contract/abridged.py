"""Shortens lists of words for messages."""

from __future__ import annotations

from collections.abc import Sequence


def abridged(words: Sequence[str], most: int, comma: str = ", ") -> str:
    """The first `most` words, and the number of the others: `a, b and 7 more`."""
    others = len(words) - most
    return comma.join(words[:most]) + (f" and {others} more" if others > 0 else "")
