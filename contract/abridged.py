"""Shortens lists of words for messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def abridged(words: Sequence[str], most: int, comma: str = ", ") -> str:
    """The first `most` words, and the number of the others: `a, b and 7 more`."""
    others = len(words) - most
    return comma.join(words[:most]) + (f" and {others} more" if others > 0 else "")


def quoted(names: Iterable[object], most: int = 6) -> str:
    """The first `most` names in quotes, and the number of the others: `'a', 'b' and 7 more`."""
    return abridged([f"'{name}'" for name in names], most)
