"""Words that messages of this stage have in common."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_NAMES = 20


def some(names: Sequence[str]) -> str:
    """The first of the names, and how many there are more."""
    more = [f"and {len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else []
    return ", ".join([*names[:_MOST_NAMES], *more])


def circle(names: Sequence[str]) -> str:
    """The names one behind the other; the middle of a long circle is left out."""
    shown = names if len(names) <= _MOST_NAMES else [*names[:6], f"({len(names) - 8} more)", *names[-2:]]
    return " > ".join(shown)
