"""Reads the statements of a netlist: statements -> circuits with elements, models, parameters and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.spice import messages
from cutset.compiler.spice.expressions import Function, Tree, parse
from cutset.compiler.spice.lines import Statement

_ASSIGNED = re.compile(r"([A-Za-z_]\w*)\s*=\s*")
_FUNCTION = re.compile(r"\.func\s+(\w+)\s*\(([^()]*)\)\s*=?\s*(.+)$", re.IGNORECASE)
_INITIAL = re.compile(r"v\s*\(\s*([^()\s]+)\s*\)\s*=\s*(\{[^{}]*\}|'[^']*'|[^\s,]+)", re.IGNORECASE)
_EXPRESSION = re.compile(r"[{'].*[}']|[\w.+\-µ]+$")
_GROUND = frozenset(("0", "gnd"))
_MOST_LEVELS = 30


@dataclass(frozen=True)
class Element:
    """A component: its first letter, its name as it is written, the words after it, and those of the form key=value."""

    name: str
    kind: str
    shown: str
    words: tuple[str, ...]
    values: dict[str, str]
    statement: Statement

    @property
    def span(self) -> Span:
        """Its place."""
        return self.statement.span


@dataclass(frozen=True)
class Device:
    """A .model: the parameters of a kind of devices."""

    name: str
    kind: str
    shown: str
    values: dict[str, Tree]
    span: Span
    circuit: Circuit


@dataclass(eq=False)
class Circuit:
    """The netlist, or a .subckt in it. Names are in lower case; `nodes` has those of nodes as they are written."""

    name: str
    span: Span
    pins: tuple[str, ...] = ()
    parent: Circuit | None = None
    elements: dict[str, Element] = field(default_factory=dict)
    devices: dict[str, Device] = field(default_factory=dict)
    circuits: dict[str, Circuit] = field(default_factory=dict)
    parameters: dict[str, Tree] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    initial: dict[str, Tree] = field(default_factory=dict)
    commands: list[Statement] = field(default_factory=list)
    nodes: dict[str, str] = field(default_factory=dict)

    def outward(self) -> Iterator[Circuit]:
        """This circuit, and those around it."""
        circuit: Circuit | None = self
        while circuit is not None:
            yield circuit
            circuit = circuit.parent

    def all_functions(self) -> dict[str, Function]:
        """The functions that are known here."""
        return {name: each for circuit in reversed([*self.outward()]) for name, each in circuit.functions.items()}

    def node(self, word: str) -> str:
        """The node of this name; "0" is the ground."""
        name = word.lower()
        self.nodes.setdefault(name, word)
        return "0" if name in _GROUND else name


def read_netlist(statements: tuple[Statement, ...], span: Span) -> Circuit:
    """The whole circuit, which stands in `span`. ModelError with all errors of the statements, E160 and E162."""
    top = circuit = Circuit("", span)
    errors: list[Diagnostic] = []
    for statement in statements:
        try:
            circuit = _read(statement, circuit)
        except ModelError as error:
            errors += error.diagnostics
    if circuit is not top:
        what = f"the subcircuit '{circuit.name}' has no end"
        errors.append(messages.wrong(what, ".ends after its elements", circuit.span))
    elif not top.elements and not errors:
        errors.append(messages.wrong("the netlist has no elements", "elements such as R1 a b 1k after the title", span))
    if errors:
        raise ModelError(errors)
    return top


def _read(statement: Statement, circuit: Circuit) -> Circuit:
    """Take a statement; the circuit to which the next one belongs."""
    word = statement.text.split(None, 1)[0].lower()
    if word[0] != ".":
        element = _element(statement)
        if element.name in circuit.elements:
            raise ModelError([messages.wrong(f"'{element.shown}' is given twice", "another name", element.span)])
        circuit.elements[element.name] = element
    elif word == ".subckt":
        return _subcircuit(statement, circuit)
    elif word == ".ends":
        if circuit.parent is None:
            raise ModelError([messages.wrong(".ends ends no subcircuit", "a .subckt before it", statement.span)])
        return circuit.parent
    elif word == ".model":
        device = _device(statement, circuit)
        circuit.devices[device.name] = device
    elif word in (".param", ".params"):
        for name, text in _assignments(statement.text.split(None, 1)[1:], statement.span):
            circuit.parameters[name] = parse(text, statement.span)
    elif word == ".func":
        name, function = _function(statement)
        circuit.functions[name] = function
    elif word == ".ic":
        if _INITIAL.sub("", statement.text).split()[1:]:
            raise ModelError([messages.wrong(".ic has other words", ".ic V(node)=value ...", statement.span)])
        circuit.initial |= {circuit.node(n): parse(v, statement.span) for n, v in _INITIAL.findall(statement.text)}
    elif word == ".global":
        hint = "give the subcircuits a pin for this node"
        raise ModelError([messages.not_imported("a node that all subcircuits share", hint, statement.span)])
    else:
        circuit.commands.append(statement)
    return circuit


def parts_of(words: list[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The words without the signs between them, and those of the form key=value."""
    plain: list[str] = []
    values: dict[str, str] = {}
    words = [word for word in words if word not in "(),"]
    at = 0
    while at < len(words):
        if at + 2 < len(words) and words[at + 1] == "=":
            values[words[at].lower()] = words[at + 2]
            at += 3
        else:
            if words[at] != "=":
                plain.append(words[at])
            at += 1
    return tuple(plain), values


def _element(statement: Statement) -> Element:
    words = statement.words
    if not words or not words[0][0].isalpha():
        what = f"'{statement.text[:40]}' is no element and no command"
        raise ModelError([messages.wrong(what, "an element such as R1 a b 1k", statement.span)])
    plain, values = parts_of(words[1:])
    return Element(words[0].lower(), words[0][0].lower(), words[0], plain, values, statement)


def _subcircuit(statement: Statement, parent: Circuit) -> Circuit:
    plain, values = parts_of(statement.words[1:])
    pins = [word for word in plain[1:] if word.lower() not in ("params:", "optional:")]
    if not plain or not pins:
        expected = ".subckt NAME NODE ..., then the elements, and .ends"
        raise ModelError([messages.wrong("a subcircuit needs a name and nodes", expected, statement.span)])
    if len([*parent.outward()]) > _MOST_LEVELS:
        what = f"subcircuits are more than {_MOST_LEVELS} deep in each other"
        raise ModelError([messages.wrong(what, ".ends after each", statement.span)])
    circuit = Circuit(plain[0], statement.span, parent=parent)
    circuit.pins = tuple(circuit.node(word) for word in pins)
    if len(set(circuit.pins)) < len(pins) or "0" in circuit.pins:
        what = f"two pins of the subcircuit '{plain[0]}' are one node, or one is the ground"
        raise ModelError([messages.wrong(what, "different nodes", statement.span)])
    circuit.parameters |= {name: parse(text, statement.span) for name, text in values.items()}
    parent.circuits[plain[0].lower()] = circuit
    return circuit


def _device(statement: Statement, circuit: Circuit) -> Device:
    plain, values = parts_of(statement.words[1:])
    if len(plain) != 2:
        what = "a model needs a name, a type, and parameters with values"
        raise ModelError([messages.wrong(what, ".model DX D(IS=1e-14)", statement.span)])
    trees = {name: parse(text, statement.span) for name, text in values.items() if _EXPRESSION.match(text)}
    return Device(plain[0].lower(), plain[1].lower(), plain[0], trees, statement.span, circuit)


def _assignments(rest: list[str], span: Span) -> Iterator[tuple[str, str]]:
    text = rest[0] if rest else ""
    starts = [*_ASSIGNED.finditer(text)]
    if not starts or text[: starts[0].start()].strip():
        raise ModelError([messages.wrong("a parameter needs a value", ".param NAME=VALUE", span)])
    for start, end in zip(starts, [*(each.start() for each in starts[1:]), len(text)], strict=True):
        yield start[1].lower(), text[start.end() : end].strip().rstrip(",")


def _function(statement: Statement) -> tuple[str, Function]:
    found = _FUNCTION.match(statement.text)
    if found is None:
        raise ModelError([messages.wrong("a function needs a body", ".func f(x) {2*x}", statement.span)])
    arguments = tuple(each.strip().lower() for each in found[2].split(",") if each.strip())
    return found[1].lower(), Function(arguments, parse(found[3], statement.span))
