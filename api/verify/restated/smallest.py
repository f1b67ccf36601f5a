"""Finds a smallest set of edits that changes a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cutset.api.verify.restated.edits import Edit

# Larger sets are not reduced further.
_MOST = 5


def smallest(edits: Sequence[Edit], changes: Callable[[Sequence[Edit]], bool]) -> tuple[Edit, ...]:
    """A subset that `changes` a number, as the whole does, and of which each edit is needed. The last edit of the
    shortest sequence that does so is needed; bisection finds it, then the one before it, and so on."""
    needed, rest = list[Edit](), list(edits)
    while rest and len(needed) < _MOST and not (needed and changes(needed)):
        none, enough = 0, len(rest)
        while enough - none > 1:
            middle = (none + enough) // 2
            none, enough = (none, middle) if changes([*rest[:middle], *needed]) else (middle, enough)
        needed.insert(0, rest[enough - 1])
        rest = rest[: enough - 1]
    return tuple(needed) if not rest or changes(needed) else (*rest, *needed)
