"""Writes models and sweeps as HTML for notebooks. All text is escaped; nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from cutset.runtime.counted import counted
from cutset.runtime.description import Description

# Longer tables are folded, and end with a count.
_MOST_ROWS, _FOLDED = 200, 12


def model_html(
    title: str,
    parameters: Mapping[str, Any],
    states: Sequence[str],
    of: Description,
) -> str:
    """The model's title, and tables of its parameters and states with units and documentation."""

    def facts(name: str) -> tuple[str, str]:
        return of.shown_unit(name), of.documentation.get(name, "")

    shown = {name: of.shown(name, value) for name, value in parameters.items()}
    rows = [(name, _number(value), *facts(name)) for name, value in shown.items()]
    parts = [_table("parameter", ("name", "value", "unit", ""), rows)]
    parts.append(_table("state", ("name", "unit", ""), [(name, *facts(name)) for name in states]))
    return f"<div><p>{escape(title)}</p>{''.join(parts)}</div>"


def sweep_html(title: str, lines: Iterable[Sequence[Any]]) -> str:
    """The table of a sweep: the first of the `lines` are its column names."""
    names, *rows = lines
    return f"<div><p>{escape(title)}</p>{_rows(names, [list(map(_number, row)) for row in rows])}</div>"


def _table(what: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table under its count, folded if it is long; nothing without rows."""
    if not rows:
        return ""
    is_open = " open" if len(rows) <= _FOLDED else ""
    return f"<details{is_open}><summary>{counted(len(rows), what)}</summary>{_rows(heads, rows)}</details>"


def _rows(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(str(word))}</th>" for word in heads)
    lines = ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[:_MOST_ROWS]]
    more = len(rows) - _MOST_ROWS
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>" + (f"<p>and {more} more</p>" if more > 0 else "")


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
