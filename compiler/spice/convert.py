"""Turns the text of a netlist into the text of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cutset.compiler.diagnostics import Source, Span
from cutset.compiler.spice.commands import read_commands
from cutset.compiler.spice.lines import read_lines
from cutset.compiler.spice.netlist import read_netlist
from cutset.compiler.spice.scope import Scope
from cutset.compiler.spice.write_model import write_model


@dataclass(frozen=True)
class Imported:
    """The text of a model, `losses`: what could not be carried over, and `remarks`: what to type for each command; a
    sentence each. `scope` has the names of its nodes and elements."""

    text: str
    losses: tuple[str, ...]
    remarks: tuple[str, ...]
    scope: Scope


def import_text(path: Path, text: str, allowed: Sequence[Path] = (), file: str = "") -> Imported:
    """The model of a netlist, which can include files in its folder or below, or in those of `allowed`; `file` is the
    name that the model will have. ModelError E160 to E163."""
    lines = read_lines(path, text, allowed)
    circuit = read_netlist(lines.statements, Span(Source(str(path), text), 1, 1, 1, 1))
    commands = read_commands(circuit)
    found = write_model(circuit, lines.title, path, commands)
    remarks = commands.remarks(found.scope, file or f"{path.stem}.mo")
    return Imported(found.text, (*found.losses, *commands.losses), tuple(remarks), found.scope)
