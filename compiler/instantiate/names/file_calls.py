"""Finds the calls that name files, table("pump.csv") and mesh("arm.stl"): a parsed file -> its references.

Their arguments are strings, so that a function or variable of the same name is something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from cutset.compiler.syntax import tree

# The functions of files, and how many strings they take at most.
_MOST = {"table": 2, "mesh": 1}


def function_of_file(e: tree.Reference) -> str:
    """The name of the function for table("FILE"), table("FILE", "COLUMN") and mesh("FILE"), else ""."""
    part = e.parts[0]
    given = part.arguments or ()
    is_named = len(e.parts) == 1 and 1 <= len(given) <= _MOST.get(part.name, 0)
    return part.name if is_named and all(isinstance(argument, tree.Text) for argument in given) else ""


def calls_of(name: str, contents: tree.SyntaxTree) -> Iterator[tree.Reference]:
    """All calls of this function with strings in the file, in the order of the text."""
    written = re.search(rf'{name}\s*\(\s*"', contents.source.text)  # a pattern that begins with letters is fast
    waiting: list[object] = [contents] if written else []
    while waiting:
        each = waiting.pop()
        if isinstance(each, tree.Reference) and function_of_file(each) == name:
            yield each
        elif isinstance(each, tuple):
            waiting += reversed(each)
        elif is_dataclass(each):
            parts = [getattr(each, field.name) for field in fields(each) if field.name not in ("span", "source")]
            waiting += reversed(parts)


def words_of(e: tree.Reference) -> tuple[str, str | None]:
    """The file of a call, and its second string, the column of a table."""
    words = [argument.value for argument in e.parts[0].arguments or () if isinstance(argument, tree.Text)]
    return words[0], words[1] if len(words) == 2 else None
