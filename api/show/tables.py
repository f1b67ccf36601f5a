"""Prints tables on standard output: aligned text for files and pipes, by rich on a terminal. Computes nothing."""

from __future__ import annotations

import sys
from itertools import zip_longest

from cutset.compiler.diagnostics import visible

# Longer lines are folded.
_WIDEST = 10_000


class Table:
    """A title, which may be empty, the heads of the columns, and rows of cells, which may have several lines. Columns
    whose head begins with "time" are aligned to the right."""

    def __init__(self, title: str, *heads: str):
        # Names in results and texts of published sizes come from files that others may have written.
        self.title, self.heads = visible(title), tuple(map(visible, heads))
        self.rows: list[tuple[str, ...]] = []

    def add_row(self, *cells: str) -> None:
        """Add a row; missing cells are empty."""
        self.rows.append((*map(visible, cells), *[""] * (len(self.heads) - len(cells))))

    def print(self) -> None:
        """Print the table. Rich costs more time than a short run, and a file or a pipe does not need it."""
        lines = None if sys.stdout.isatty() else self._lines()
        if lines is None:
            self._print_by_rich()
        else:
            print("\n".join(lines))

    def _lines(self) -> list[str] | None:
        """The lines; None if characters may be wider than others, or if a line has to be folded."""
        cells = [[cell.split("\n") for cell in row] for row in ([self.heads] if any(self.heads) else []) + self.rows]
        widths = [
            max((len(line) for cell in column for line in cell), default=0) for column in zip(*cells, strict=True)
        ]
        width = sum(widths) + 2 * len(widths)
        texts = (self.title, *self.heads, *(cell for row in self.rows for cell in row))
        if width > _WIDEST or len(self.title) > width or not all(text.isascii() for text in texts):
            return None
        columns = [(str.rjust if head.startswith("time") else str.ljust) for head in self.heads]
        lines = [self.title] if self.title else []
        for row in cells:
            for parts in zip_longest(*row, fillvalue=""):
                aligned = (f" {align(part, n)} " for align, part, n in zip(columns, parts, widths, strict=True))
                lines.append("".join(aligned).rstrip())
        return lines

    def _print_by_rich(self) -> None:
        from rich.console import Console
        from rich.table import Table as RichTable

        table = RichTable(
            title=self.title or None, title_justify="left", title_style="bold", show_header=any(self.heads), box=None
        )
        for head in self.heads:
            table.add_column(head, justify="right" if head.startswith("time") else "left", overflow="fold")
        for row in self.rows:
            table.add_row(*row)
        if sys.stdout.isatty():
            Console(highlight=False, markup=False).print(table)
            return
        # A file or a pipe gets full lines, without the padding of columns.
        console = Console(width=_WIDEST, highlight=False, markup=False)
        with console.capture() as captured:
            console.print(table)
        print("\n".join(line.rstrip() for line in captured.get().splitlines()))
