"""Reads the terminals of an FMU, and writes them as cuts of its class: groups of inputs and outputs that are connected.

A flow into the FMU is a through variable, all other members are across variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree import ElementTree

from cutset.contract.fmu_archive import Damaged

_FLOWS = {"inflow": "", "outflow": "-"}


@dataclass(frozen=True)
class Terminal:
    """A terminal: its name, and (name, kind) of each of its variables."""

    name: str
    members: tuple[tuple[str, str], ...]


def terminals_of(text: bytes | None) -> list[Terminal]:
    """The terminals in terminalsAndIcons.xml; nested ones belong to the bus around them and are left out. Damaged."""
    if text is None:
        return []
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise Damaged(f"its terminalsAndIcons.xml has errors: {error}") from error
    found = []
    for terminal in root.iterfind("./Terminals/Terminal"):
        members = terminal.iterfind("./TerminalMemberVariable")
        pairs = tuple((m.get("variableName", ""), m.get("variableKind", "")) for m in members)
        if terminal.find("./Terminal") is None and pairs:
            found.append(Terminal(terminal.get("name", ""), pairs))
    return found


def cut_of(own: str, terminal: Terminal, reals: Mapping[str, str]) -> str | None:
    """The declaration of the cut with this name; `reals` are the names that inputs and outputs have in the class. None
    if a member is no input or output: nobody could connect it."""
    if any(name not in reals for name, _ in terminal.members):
        return None
    across = [reals[name] for name, kind in terminal.members if kind not in _FLOWS]
    through = [_FLOWS[kind] + reals[name] for name, kind in terminal.members if kind in _FLOWS]
    listed = ", ".join(across) + (f" / {', '.join(through)}" if through else "")
    return f"  cut {own} ({listed.strip()})"
