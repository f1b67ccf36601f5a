"""Writes the messages about netlists."""

from __future__ import annotations

from collections.abc import Iterable

from cutset.compiler.diagnostics import Diagnostic, Span, did_you_mean, visible


def outside(file: str, span: Span) -> Diagnostic:
    """A file is named that a netlist must not read."""
    hint = "move the file into the folder of the netlist, or name the folder that contains it: -I FOLDER"
    return Diagnostic("E163", f"'{visible(file)}' is outside the folder of the netlist", span, hint)


def no_file(file: str, span: Span) -> Diagnostic:
    """An included file is missing."""
    return Diagnostic("E163", f"there is no file '{visible(file)}'", span, "correct the name, or add the file")


def unreadable(file: str, reason: str, span: Span) -> Diagnostic:
    """An included file is no text."""
    return Diagnostic("E163", f"'{visible(file)}' is not a netlist: {reason}", span, "name a text file")


def too_many(number: int, span: Span) -> Diagnostic:
    """Files include each other, or too many files are included."""
    return Diagnostic("E163", f"the netlist includes more than {number} files", span, "include fewer files, each once")


def section(name: str, span: Span) -> Diagnostic:
    """A section of a library is chosen."""
    hint = "copy the section into a file of its own, and include that file"
    return Diagnostic("E163", f"the section '{visible(name[:40])}' of a library cannot be included alone", span, hint)


def wrong(what: str, expected: str, span: Span) -> Diagnostic:
    """A statement is not as it must be."""
    return Diagnostic("E160", visible(what), span, f"write {expected}")


def unknown(what: str, name: str, known: Iterable[str], span: Span) -> Diagnostic:
    """A name that nothing declares."""
    hint = did_you_mean(name, list(known)) or f"declare the {what}, include the file that has it, or correct its name"
    return Diagnostic("E161", f"there is no {what} '{visible(name[:60])}'", span, hint)


def not_imported(what: str, hint: str, span: Span) -> Diagnostic:
    """A part without a counterpart, without which the circuit would be another one."""
    return Diagnostic("E162", f"{visible(what)} cannot be imported", span, hint)
