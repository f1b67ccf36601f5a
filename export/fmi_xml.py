"""Builds the parts of model descriptions that both versions of FMI share, and writes XML. Decides nothing.

Names, units and documentation come from the text of a model, which is not trusted: the library escapes them, and
characters that XML cannot hold are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree as ET

from cutset.contract.names import inflow_name
from cutset.export.fmi_facts import BASE_UNITS, ModelFacts, Terminal, TypeFact, UnitFact
from cutset.export.fmi_variables import FmiVariable
from cutset.runtime.description import Shown

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BREAKS = re.compile(r"[\t\r\n]+")
# The names that the structured convention of the standard allows.
_PART = r"(?:[A-Za-z_][A-Za-z_0-9]*|'[A-Za-z0-9!#$%&()*+,\-.\/:;<>=?@\[\]^_{}|~ ]+')(?:\[[0-9]+(?:,[0-9]+)*\])?"
_STRUCTURED = re.compile(rf"(?:{_PART}(?:\.{_PART})*|der\({_PART}(?:\.{_PART})*(?:,[0-9]+)?\))")
_REAL_ATTRIBUTES = (("min", "minimum"), ("max", "maximum"), ("nominal", "nominal"))


def element(parent: ET.Element, tag: str, attributes: Mapping[str, object]) -> ET.Element:
    """A new child; attributes that are None or empty are left out, numbers and truth values are written as XML does."""
    written = {key: written_value(value) for key, value in attributes.items() if value not in (None, "")}
    return ET.SubElement(parent, tag, written)


def written_value(value: object) -> str:
    """The text of an attribute, without characters that XML cannot hold."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = repr(value) if isinstance(value, float) else str(value)
    return _BREAKS.sub(" ", _FORBIDDEN.sub("\ufffd", text))


def document(root: ET.Element) -> bytes:
    """The text of an XML file."""
    ET.indent(root)
    text: str = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def naming_convention(variables: Iterable[FmiVariable]) -> str:
    """'structured' if all names have the form that the standard gives them, else 'flat'."""
    names = (name for v in variables for name in (v.name, *(alias for alias, _ in v.aliases)))
    return "structured" if all(_STRUCTURED.fullmatch(name) for name in names) else "flat"


def add_units(root: ET.Element, variables: Iterable[FmiVariable], units: Mapping[str, UnitFact]) -> None:
    """Add the definitions of the units that occur, with those in which their quantities are shown."""
    used: dict[str, dict[str, Shown]] = {}
    for variable in (v for v in variables if v.unit and v.type.kind == "r"):
        used.setdefault(variable.unit, {}).update({variable.display.unit: variable.display} if variable.display else {})
    definitions = ET.SubElement(root, "UnitDefinitions") if used else root
    for text, displays in sorted(used.items()):
        unit = element(definitions, "Unit", {"name": text})
        fact = units.get(text)
        if fact is not None:
            powers = {name: power for name, power in zip(BASE_UNITS, fact.exponents, strict=True) if power}
            powers |= {"rad": fact.angle} if fact.angle else {}
            element(unit, "BaseUnit", {**powers, **({"factor": fact.factor} if fact.factor != 1.0 else {})})
        for name, shown in sorted(displays.items()):
            offset = {"offset": -shown.zero / shown.factor} if shown.zero else {}
            element(unit, "DisplayUnit", {"name": name, "factor": 1 / shown.factor, **offset})


def enumerations(variables: Iterable[FmiVariable]) -> dict[TypeFact, str]:
    """The name of each enumeration that occurs; those of the same name are numbered."""
    found: dict[TypeFact, str] = {}
    for variable in variables:
        kind = variable.type
        if kind.kind == "e" and kind not in found:
            count = sum(other.name == kind.name for other in found)
            found[kind] = f"{kind.name}_{count + 1}" if count else kind.name
    return found


def value_attributes(variable: FmiVariable, types: Mapping[TypeFact, str]) -> dict[str, object]:
    """The unit, the range and the start value as attributes of the element of a type."""
    kind = variable.type.kind
    found: dict[str, object] = {}
    if kind == "e":
        found["declaredType"] = types[variable.type]
    if kind == "r":
        found |= {
            "unit": variable.unit,
            "displayUnit": variable.display.unit if variable.unit and variable.display else "",
        }
        found |= {name: getattr(variable, field) for name, field in _REAL_ATTRIBUTES}
    if variable.start is not None:
        starts: dict[str, object] = {"r": variable.start, "b": variable.start != 0.0}
        found["start"] = starts.get(kind, int(variable.start) if kind in "ie" else None)
    return found


def terminals_text(facts: ModelFacts, variables: Iterable[FmiVariable]) -> bytes | None:
    """The text of terminalsAndIcons.xml; None if the model has no cuts."""
    known = {name for v in variables for name in (v.name, *(alias for alias, _ in v.aliases))}
    shown = [t for t in facts.terminals if any(name in known for _, name in (*t.across, *t.through))]
    if not shown:
        return None
    root = ET.Element("fmiTerminalsAndIcons", {"fmiVersion": "3.0"})
    terminals = ET.SubElement(root, "Terminals")
    for terminal in shown:
        _add_terminal(terminals, terminal, known)
    return document(root)


def _add_terminal(parent: ET.Element, terminal: Terminal, known: set[str]) -> None:
    attributes = {"name": terminal.name, "matchingRule": "plug", "terminalKind": terminal.kind}
    made = element(parent, "Terminal", {**attributes, "description": terminal.documentation})
    for members, kind in ((terminal.across, "signal"), (terminal.through, "inflow")):
        for member, name in members:
            if name in known:
                element(
                    made,
                    "TerminalMemberVariable",
                    {"variableName": name, "memberName": member, "variableKind": kind},
                )
    for member, name in terminal.carried:
        streams = {"outStreamMemberName": member, "outStreamVariableName": name}
        if name in known and (into := inflow_name(name)) in known:
            streams |= {"inStreamMemberName": inflow_name(member), "inStreamVariableName": into}
            element(made, "TerminalStreamMemberVariable", streams)
