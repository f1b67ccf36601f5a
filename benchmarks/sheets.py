"""Prints tables of results for the terminal and as Markdown, with the facts of the machine. Measures nothing."""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.console import Console
from rich.table import Table

from cutset.runtime.targets.toolchain import Compiler, find_compiler

_PACKAGES = ("numpy", "scikit-sundae", "pin", "casadi", "mujoco", "rumoca")


@dataclass(frozen=True)
class Sheet:
    """A table: the first column names the row, the others hold numbers as text; `note` explains them."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    def rich(self) -> Table:
        """The table for the terminal."""
        table = Table(title=self.title, caption=self.note or None, title_justify="left", caption_justify="left")
        for k, column in enumerate(self.columns):
            table.add_column(column, justify="right" if k else "left")
        for row in self.rows:
            table.add_row(*row)
        return table

    def markdown(self) -> str:
        """Title, table and note, each a paragraph."""
        lines = ["| " + " | ".join(cells) + " |" for cells in (self.columns, *self.rows)]
        lines.insert(1, "| --- |" + " ---: |" * (len(self.columns) - 1))
        return "\n\n".join(part for part in (f"**{self.title}**", "\n".join(lines), self.note) if part)


def report(
    parser: argparse.ArgumentParser,
    measured: Callable[[argparse.Namespace, Compiler], tuple[Sequence[Sheet], Sequence[str]]],
) -> int:
    """Run a benchmark; returns its exit code. Sheets and remarks are printed on the terminal, the sheets as Markdown on
    standard output or into the file of --markdown. `measured` receives the arguments and the C compiler, which is
    required."""
    parser.add_argument(
        "--markdown",
        metavar="FILE",
        type=Path,
        help="write the tables to this new file, or between the lines <!-- tables of NAME.py --> and "
        "<!-- end of tables --> of an old one; else to standard output",
    )
    options = parser.parse_args()
    compiler = find_compiler()
    if compiler is None:
        print("there is nothing to measure without a C compiler", file=sys.stderr)
        return 1
    sheets, remarks = measured(options, compiler)
    console, facts = Console(stderr=True, width=None if sys.stderr.isatty() else 150), machine(compiler)
    for sheet in sheets:
        console.print(sheet.rich())
    console.print(facts, *remarks, sep="\n")
    text = "\n\n".join([facts, *(sheet.markdown() for sheet in sheets)]) + "\n"
    if options.markdown:
        before = options.markdown.read_text(encoding="utf-8") if options.markdown.exists() else ""
        page = with_tables(before, Path(sys.argv[0]).name, text) if before else text
        if page is None:
            print(text, f"{options.markdown} has no place for these tables", sep="\n", file=sys.stderr)
            return 1
        options.markdown.write_text(page, encoding="utf-8")
    else:
        print(text)
    return 0


def with_tables(page: str, script: str, tables: str) -> str | None:
    """The page with these tables in the place reserved for the script; None if there is no such place."""
    begin, end = f"<!-- tables of {script} -->\n", "<!-- end of tables -->"
    if begin not in page:
        return None
    before, after = page.split(begin, 1)
    return f"{before}{begin}\n{tables}\n{end}{after.split(end, 1)[1]}"


def machine(compiler: Compiler) -> str:
    """One sentence: processor, cores, compiler and flags, versions, date."""
    packages = [f"{name} {found}" for name in _PACKAGES if (found := _version(name))]
    parts = [
        f"{processor()}, {os.cpu_count()} cores",
        f"{_compiler_version(compiler)}, `{' '.join(compiler.flags)}`",
        f"Python {platform.python_version()}, {', '.join(packages)}",
        date.today().isoformat(),
    ]
    return "; ".join(parts) + "."


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def processor() -> str:
    """Its name, family and model."""
    facts = Path("/proc/cpuinfo")
    found = facts.exists() and dict(re.findall(r"^([^\t\n]+)\t*: (.*)$", facts.read_text(), re.MULTILINE))
    if not found or "model name" not in found:
        return platform.processor() or platform.machine()
    numbers = (found.get("cpu family"), found.get("model"))
    return f"{found['model name']} (family {numbers[0]}, model {numbers[1]})"


def _compiler_version(compiler: Compiler) -> str:
    shown = subprocess.run([*compiler.command, "--version"], capture_output=True, text=True, check=False).stdout
    return shown.splitlines()[0] if shown else compiler.command[0]
