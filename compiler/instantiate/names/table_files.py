"""Reads the tables that expressions name, table("pump.csv"): the text of a file, a column -> `TableFile`.

The files are comma-separated values: a line of numbers for each row, and perhaps a first line with names of columns.
Finds no files: the loader of the library does, in the folder of the model and on the library path only.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from cutset.compiler.expressions.array import MOST_ELEMENTS
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass

_CALL = re.compile(r'\btable\s*\(\s*"')
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_SEPARATORS = ("\t", ";", ",")


class BadTable(Exception):
    """The text is not a table, or lacks a column; the message continues a sentence about the file."""


@dataclass(frozen=True)
class TableFile:
    """The numbers of a matrix row by row, or of one of its columns."""

    shape: tuple[int, ...]
    numbers: tuple[float, ...]


def is_table_call(e: tree.Reference) -> bool:
    """True for table("FILE") and table("FILE", "COLUMN")."""
    part = e.parts[0]
    given = part.arguments or ()
    is_named = len(e.parts) == 1 and part.name == "table" and len(given) in (1, 2)
    return is_named and all(isinstance(argument, tree.Text) for argument in given)


def table_calls(contents: tree.SyntaxTree) -> Iterator[tree.Reference]:
    """All calls of `table` with strings in the file, in the order of the text."""
    waiting: list[object] = [contents] if _CALL.search(contents.source.text) else []
    while waiting:
        each = waiting.pop()
        if isinstance(each, tree.Reference) and is_table_call(each):
            yield each
        elif isinstance(each, tuple):
            waiting += reversed(each)
        elif is_dataclass(each):
            parts = [getattr(each, field.name) for field in fields(each) if field.name not in ("span", "source")]
            waiting += reversed(parts)


def words_of(e: tree.Reference) -> tuple[str, str | None]:
    """The file and the column of a call of `table`."""
    words = [argument.value for argument in e.parts[0].arguments or () if isinstance(argument, tree.Text)]
    return words[0], words[1] if len(words) == 2 else None


def read_table(text: str, column: str | None) -> TableFile:
    """The matrix in the text of a file, or the vector of one column. BadTable."""
    lines = [(k, line) for k, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")]
    if not lines:
        raise BadTable("is empty")
    separator = next((s for s in _SEPARATORS if s in lines[0][1]), ",")
    reader = csv.reader((line for _, line in lines), delimiter=separator, skipinitialspace=True)
    try:
        entries = [(k, [entry.strip() for entry in row]) for (k, _), row in zip(lines, reader, strict=False)]
    except csv.Error as error:
        raise BadTable(f"cannot be read ({error})") from error
    first, names = entries[0]
    if all(map(_NUMBER.fullmatch, names)):
        names = []
    else:
        entries = entries[1:]
    if not entries:
        raise BadTable("has no line of numbers")
    width = len(names or entries[0][1])
    if len(entries) * width > MOST_ELEMENTS:
        raise BadTable(f"has {len(entries) * width} numbers; the limit is {MOST_ELEMENTS}")
    rows = [_row(number, row, width, first) for number, row in entries]
    if column is None:
        return TableFile((len(rows), width), tuple(x for row in rows for x in row))
    if column not in names:
        known = f"its columns are {', '.join(map(repr, names))}" if names else "its first line has no names of columns"
        raise BadTable(f"has no column '{column}': {known}")
    return TableFile((len(rows),), tuple(row[names.index(column)] for row in rows))


def _row(number: int, entries: list[str], width: int, first: int) -> list[float]:
    if len(entries) != width:
        raise BadTable(f"has {len(entries)} entries in line {number}, but {width} in line {first}")
    for entry in entries:
        if not _NUMBER.fullmatch(entry) or not math.isfinite(float(entry)):
            raise BadTable(f"has '{entry[:40]}' in line {number}, which is not a finite number")
    return list(map(float, entries))
