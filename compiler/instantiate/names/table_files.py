"""Reads the tables that expressions name, table("pump.csv"): the text of a file, a column -> `TableFile`.

The files are comma-separated values: a line of numbers for each row, and perhaps a first line with names of columns.
Finds no files: the loader of the library does, in the folder of the model and on the library path only.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from difflib import get_close_matches

from cutset.compiler.expressions.array import MOST_ELEMENTS
from cutset.compiler.units.quantities import in_si_units
from cutset.contract.quick_dataclass import dataclass

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_SEPARATORS = ("\t", ";", ",")
_MOST_NAMES = 8


class BadTable(Exception):
    """The text is not a table, or lacks a column; the message continues a sentence about the file."""


@dataclass(frozen=True)
class TableFile:
    """The numbers of a matrix row by row, or of one of its columns, with the SI unit of this if its head has one."""

    shape: tuple[int, ...]
    numbers: tuple[float, ...]
    unit: str = ""


def read_table(text: str, column: str | None) -> TableFile:
    """The matrix in the text of a file, or the vector of one column. A column `p` with the head `p [bar]` is in SI
    units; named by all of its head it has the numbers of the file. BadTable."""
    first, names, entries = _lines(text)
    if not entries:
        raise BadTable("has no line of numbers")
    width = len(names or entries[0][1])
    if len(entries) * width > MOST_ELEMENTS:
        raise BadTable(f"has {len(entries) * width} numbers; the limit is {MOST_ELEMENTS}")
    rows = [_row(number, row, width, first) for number, row in entries]
    _check_end(text)
    if column is None:
        return TableFile((len(rows), width), tuple(x for row in rows for x in row))
    if column not in names:
        heads = [(k, in_si_units(name)) for k, name in enumerate(names)]
        measured = [(k, head) for k, head in heads if head[1] and head[0] == column]
        if len(measured) > 1:
            raise BadTable(f"has two columns with the name '{column}'")
        for k, (_, unit, factor, zero) in measured:
            return TableFile((len(rows),), tuple(factor * row[k] + zero for row in rows), unit)
        known = f"its columns are {', '.join(map(repr, names))}" if names else "its first line has no names of columns"
        raise BadTable(f"has no column '{column}': {known}")
    return TableFile((len(rows),), tuple(row[names.index(column)] for row in rows))


def read_row(text: str, row: str) -> dict[str, tuple[float | str, str]]:
    """The entries of the row with this name, which is in the first column, by the names of the other columns: numbers
    with their SI units, as far as the heads have units, and texts. BadTable."""
    first, names, entries = _lines(text)
    if not names:
        raise BadTable("has no names of columns in its first line")
    found = [(k, own) for k, own in entries if own[0] == row]
    if not found:
        known = [own[0] for _, own in entries]
        near = get_close_matches(row, known, 3) or known[:_MOST_NAMES]
        more = f" and {len(known) - len(near)} more" if len(known) > len(near) else ""
        raise BadTable(f"has no row '{row}': it has {', '.join(map(repr, near))}{more}")
    if len(found) > 1:
        raise BadTable(f"has two rows with the name '{row}', in lines {found[0][0]} and {found[1][0]}")
    _check_end(text)
    [(line, own)] = found
    _check_width(line, own, len(names), first)
    return {
        name: value for head, entry in zip(names[1:], own[1:], strict=True) for name, value in [_of(line, head, entry)]
    }


def _of(line: int, head: str, entry: str) -> tuple[str, tuple[float | str, str]]:
    name, unit, factor, zero = in_si_units(head)
    if not entry:
        raise BadTable(f"has no value of '{name}' in line {line}")
    if not _NUMBER.fullmatch(entry):
        return name, (entry, "")
    [number] = _row(line, [entry], 1, line)
    return name, (factor * number + zero, unit)


def _lines(text: str) -> tuple[int, list[str], list[tuple[int, list[str]]]]:
    """The number of the first line, the names of the columns, if it has them, and the entries of the other lines with
    their numbers. BadTable."""
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
        return first, [], entries
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadTable(f"has two columns with the name '{twice[0]}'")
    return first, names, entries[1:]


def _check_end(text: str) -> None:
    if not text.endswith(("\n", "\r")):
        raise BadTable("has a last line without an end, so that it may be cut off: if it is not, end the line")


def _check_width(number: int, entries: list[str], width: int, first: int) -> None:
    if len(entries) != width:
        raise BadTable(f"has {len(entries)} entries in line {number}, but {width} in line {first}")


def _row(number: int, entries: list[str], width: int, first: int) -> list[float]:
    _check_width(number, entries, width, first)
    for entry in entries:
        if not _NUMBER.fullmatch(entry) or not math.isfinite(float(entry)):
            raise BadTable(f"has '{entry[:40]}' in line {number}, which is not a finite number")
    return list(map(float, entries))
