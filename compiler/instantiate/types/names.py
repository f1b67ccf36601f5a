"""Names in expressions, read as they are written."""

from __future__ import annotations

from cutset.compiler.syntax import tree


def dotted(e: tree.Reference) -> str:
    """`a.b` of a.b, without indices."""
    return ".".join(part.name for part in e.parts)


def called(e: tree.Reference) -> tuple[str, tuple[tree.Expression, ...]]:
    """Name and arguments of what is written f(x); of anything else ('', ())."""
    last = e.parts[-1]
    return (last.name, last.arguments) if len(e.parts) == 1 and last.arguments is not None else ("", ())
