"""Makes faults in lines of libraries and of C: a line -> what is done, and the line with it."""

from __future__ import annotations

import re
from collections.abc import Iterator


def changed_equation(line: str) -> Iterator[tuple[str, str]]:
    """The line of a library with another sign, without a term, a factor or a start value."""
    if re.match(r"  \w+(\(.*\))? = ", line) and not line.startswith("  assert"):
        for at in re.finditer(r" [+-] ", line):
            yield "sign", line[: at.start()] + (" - " if "+" in at[0] else " + ") + line[at.end() :]
        for at in re.finditer(r" [+-] [\w'*().]+$", line):
            yield "term", line[: at.start()]
        for at in re.finditer(r"\b[A-Za-z]\w*\*", line):
            yield "factor", line[: at.start()] + line[at.end() :]
    for at in re.finditer(r", start=\w+", line):
        yield "start", line[: at.start()] + line[at.end() :]


_IN_C = {" < ": " <= ", " > ": " >= ", " <= ": " < ", " >= ": " > ", " == ": " != ", " != ": " == ", " && ": " || ",
         " || ": " && ", " + ": " - ", " - ": " + ", " * ": " + "}  # fmt: skip


def changed_c(line: str) -> Iterator[tuple[str, str]]:
    """The line of C with another operator."""
    if line.startswith("  ") and not line.lstrip().startswith(("*", "/", "#")):
        for at in re.finditer(r" ([<>+*-]|[<>=!]=|&&|\|\|) (?!\*)", line.partition("/*")[0]):
            yield "operator", line[: at.start()] + _IN_C[at[0]] + line[at.end() :]
