"""Keeps the names of one circuit: nodes, elements, parameters and units, and writes expressions with them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.robots.names import Names
from cutset.compiler.spice import messages
from cutset.compiler.spice.expressions import Tree, constant, expanded, literal, written
from cutset.compiler.spice.netlist import Circuit

# The constants 1 with a unit, by the names that they have in the text.
UNITS = {
    "V": "V", "A": "A", "Ohm": "Ohm", "F": "F", "H": "H", "sec": "s", "Hz": "Hz", "S": "S", "K": "K", "meter": "m",
    "perV": "1/V", "A2V2": "A/V2", "Fm": "F/m", "rad": "rad", "per_s": "1/s",
}  # fmt: skip
_PREFIXED = frozenset(("V", "A", "Ohm", "F", "H", "sec", "Hz", "S", "meter"))
_PREFIXES = {3 * k - 18: prefix for k, prefix in enumerate(("a", "f", "p", "n", "u", "m", "", "k", "M", "G", "T"))}
_CONSTANTS = {"pi": "pi", "echarge": "1.602176634e-19", "boltz": "1.380649e-23", "kelvin": "-273.15"}
AMBIENT = "T_ambient"
# What stands between the quotes of a name.
_QUOTED = re.compile(r"[A-Za-z0-9_+/.:#@$<>&~!\[\]-]+")


@dataclass
class Part:
    """A submodel: its class and values, and its nodes, each with its cut and the variable of its potential."""

    name: str
    kind: str
    values: list[str]
    pins: list[tuple[str, str, str]]
    current: str = "i"


@dataclass
class Scope:
    """The names of a circuit. `shared` are the parameters of this circuit that those in it use; `outer` those of
    circuits around it."""

    circuit: Circuit
    around: Scope | None = None
    names: Names = field(default_factory=Names)
    nodes: dict[str, str] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    units: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for name in (*UNITS, AMBIENT, "ground"):
            self.names.add(name)
        around = self.around
        while around is not None:
            for name in around.parameters.values():
                self.names.add(name)
            around = around.around
        for name in self.circuit.parameters:
            self.parameters[name] = self.names.add(name)
        for pin in self.circuit.pins:
            self.nodes[pin] = self.names.add(clean(self.circuit.nodes[pin]))

    def node(self, word: str) -> str:
        """The identifier of a node."""
        name = self.circuit.node(word)
        if name not in self.nodes:
            shown = self.circuit.nodes[name]
            has_quotes = _QUOTED.fullmatch(shown) and not re.fullmatch(r"\w+", shown)
            self.nodes[name] = f"'{shown}'" if has_quotes else self.names.add("gnd" if name == "0" else clean(shown))
        return self.nodes[name]

    def unit(self, name: str) -> str:
        """The constant 1 with this unit."""
        self.units.add(name)
        return name

    def name(self, name: str, span: Span) -> str:
        """A parameter, also of a circuit around this one. ModelError E161."""
        if name == "temper":
            self.share_ambient()
            return f"({AMBIENT}/{self.unit('K')} - 273.15)"
        if name in self.parameters:
            return self.parameters[name]
        around = self.around
        while around is not None:
            if name in around.parameters:
                around.shared.add(name)
                self.outer.add(around.parameters[name])
                return around.parameters[name]
            around = around.around
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        known = [each for circuit in self.circuit.outward() for each in circuit.parameters]
        raise ModelError([messages.unknown("parameter", name, known, span)])

    def share_ambient(self) -> str:
        """The temperature that the whole circuit has."""
        self.outer.add(AMBIENT)
        return AMBIENT

    def probe(self, kind: str, of: list[str], span: Span) -> str:
        """A voltage or a current, as a number. ModelError E160, E161."""
        if kind == "i" and len(of) == 1:
            return f"{self.current(of[0], span)}/{self.unit('A')}"
        if kind == "v" and len(of) in (1, 2):
            text = self.voltage(of, span)
            return "0" if text == "0" else f"{text}/{self.unit('V')}"
        raise ModelError([messages.wrong(f"'{kind}({', '.join(of)})'", "V(node), V(node, node) or I(element)", span)])

    def current(self, element: str, span: Span) -> str:
        """The current through an element from its first node to its second."""
        part = self.parts.get(element.lower())
        if part is None or not part.current:
            known = [name for name, each in self.parts.items() if each.current]
            raise ModelError([messages.unknown("element with two nodes and the name", element, known, span)])
        return f"{part.name}.{part.current}"

    def voltage(self, of: list[str], span: Span) -> str:
        """The potential of a node, or the voltage between two."""
        names = [self.circuit.node(each) for each in of]
        if len(names) == 1:
            return self._potential(names[0], span)
        if names[1] == "0" or names[0] == "0":
            text = self._potential(names[names[0] == "0"], span)
            return text if names[1] == "0" or text == "0" else f"(-{text})"
        for part in self.parts.values():
            between = [pin[2] for pin in part.pins]
            if part.current == "i" and sorted(between) == sorted(names):
                return f"{part.name}.u" if between == names else f"(-{part.name}.u)"
        return f"({self._potential(names[0], span)} - {self._potential(names[1], span)})"

    def _potential(self, node: str, span: Span) -> str:
        if node == "0":
            return "0"
        if node in self.circuit.pins:
            return f"V_{self.nodes[node]}"
        for part in self.parts.values():
            for _, variable, at in part.pins:
                if at == node:
                    return f"{part.name}.{variable}"
        known = [at for part in self.parts.values() for _, _, at in part.pins]
        raise ModelError([messages.unknown("node", node, known, span)])

    def tree(self, tree: Tree, span: Span) -> Tree:
        """The tree without calls of functions of the netlist; a number if it is one."""
        tree = expanded(tree, self.circuit.all_functions(), span)
        found = constant(tree)
        return tree if found is None or literal(tree) else Tree("number", plain(found))

    def value(self, tree: Tree, unit: str, span: Span, is_factor: bool = False) -> str:
        """The text of a value with a unit; a number has any. ModelError E161, E162."""
        tree = self.tree(tree, span)
        number = literal(tree)
        if not unit or number is not None:
            return readable(number, unit) if number and unit else written(tree, self, span, is_factor)
        return f"{written(tree, self, span, is_factor=True)}*{self.unit(unit)}"


def readable(number: str, unit: str) -> str:
    """A number with a prefix and its unit: 4.7e3, Ohm -> 4.7 kOhm; without them where there is no prefix for it."""
    if unit not in _PREFIXED:
        return number
    digits, _, exponent = number.partition("e")
    power = int(exponent or 0)
    if power % 3 or 0 < abs(float(digits)) < 0.1:
        own = Decimal(number)
        power = own.adjusted() // 3 * 3
        digits = f"{own.scaleb(-power):f}"
    return f"{digits} {_PREFIXES[power]}{UNITS[unit]}" if power in _PREFIXES and float(digits) else number


def plain(x: float) -> str:
    """A computed number."""
    return (
        str(int(x)) if x == int(x) and abs(x) < 1e6 else re.sub(r"e([+-]?)0*", r"e\1", f"{x:.15g}").replace("e+", "e")
    )


def clean(name: str) -> str:
    """A name with words for signs: in+ -> in_p."""
    return name.replace("+", "_p").replace("-", "_n").strip("_") or "n"
