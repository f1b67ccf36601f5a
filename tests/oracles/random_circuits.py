"""Random linear circuits: the text of a model, and the same elements for the modified nodal analysis."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from oracles.modified_nodal import Circuit, Element

_ROUND = ["1", "1", "2", "0.5"]
_PASSIVE = ["Resistor"] * 6 + ["Capacitor"] * 5 + ["Inductor"] * 5 + ["Conductor", "Short"]
_SOURCES = ["VSine", "VConst", "ISine", "IConst"]
_TWO_PORTS = ["IdealTransformer"] * 2 + ["Transformer"] * 3 + ["Gyrator", "VCV", "VCC", "CCV", "CCC"]
_OF = {
    "Resistor": "R",
    "Conductor": "G",
    "Capacitor": "C",
    "Inductor": "L",
    "VConst": "V",
    "IConst": "I",
    "VSine": "V",
    "ISine": "I",
}


@dataclass(frozen=True)
class RandomCircuit:
    """`text` has one object; `circuit` is the same by nodal analysis."""

    text: str
    circuit: Circuit


class Maker:
    """Collects the elements of a random circuit."""

    def __init__(self, seed: int, coupling: Sequence[str]):
        self.coupling = [Fraction(k) for k in coupling]
        self.random = random.Random(seed)
        self.elements: list[Element] = []
        self.nodes = self.random.randint(2, 5)

    def add(self, kind: str, nodes: Sequence[int]) -> None:
        self.elements.append(Element(f"e{len(self.elements)}", kind, tuple(nodes), self._parameters(kind)))

    def value(self) -> Fraction:
        """Some are 1, which goes into the code; the others make no chance singular."""
        if self.random.random() < 0.1:
            return Fraction(self.random.choice(_ROUND))
        return Fraction(self.random.randint(200, 3000), 1000)

    def node(self) -> int:
        self.nodes += 1
        return self.nodes - 1

    def _parameters(self, kind: str) -> dict[str, Fraction]:
        given = {_OF[kind]: self.value()} if kind in _OF else {}
        if kind in ("VSine", "ISine"):
            given |= {"f": Fraction(self.random.choice(["0.3", "0.5", "1"])), "phi": self.value()}
        if kind == "Transformer":
            a, b = self.value(), self.value()
            k = self.random.choice(self.coupling)
            given = {"L1": a * a, "L2": b * b, "M": k * a * b}
        if kind == "IdealTransformer":
            given["n"] = self.value()
        if kind == "Gyrator":
            given = {"G1": self.value(), "G2": self.value()}
        if kind in ("VCV", "VCC", "CCV", "CCC"):
            given["k"] = self.value()
        return given

    def pair(self) -> list[int]:
        return self.random.sample(range(self.nodes), 2)

    def branches(self) -> None:
        """A tree and some branches more, of resistors, capacitors and inductors."""
        for k in range(1, self.nodes):
            self.add(self.random.choice(_PASSIVE), (self.random.randrange(k), k))
        for _ in range(self.random.randint(1, self.nodes + 1)):
            self.add(self.random.choice(_PASSIVE), self.pair())

    def corners(self) -> None:
        """A delta or a star of one kind, or elements in parallel or in a row, in the middle of it all."""
        kind = self.random.choice(["Capacitor", "Inductor", "Resistor"])
        match self.random.randrange(5):
            case 0 if self.nodes > 2:
                a, b, c = self.random.sample(range(self.nodes), 3)
                for ends in ((a, b), (b, c), (c, a)):
                    self.add(kind, ends)
            case 1 if self.nodes > 2:
                ends = self.random.sample(range(self.nodes), 3)
                center = self.node()
                for end in ends:
                    self.add(kind, (end, center))
            case 2:
                ends = self.pair()
                for _ in range(self.random.randint(2, 3)):
                    self.add(kind, ends)
            case 3:
                a, b = self.pair()
                first, second = self.node(), self.node()
                for row in ((a, first), (second, b)):
                    self.add(kind, row)
                for _ in range(2):
                    self.add("Resistor", (first, second))

    def sources(self) -> None:
        """Between two nodes, or in a branch of its own with another element."""
        for _ in range(self.random.randint(1, 3)):
            kind, (a, b) = self.random.choice(_SOURCES), self.pair()
            if self.random.random() < 0.6:
                middle = self.node()
                self.add(kind, (a, middle))
                partner = self.random.choice(
                    ["Resistor", "Resistor", "Inductor"] if kind[0] == "V" else ["Resistor", "Capacitor"]
                )
                self.add(partner, (middle, b))
                if kind[0] == "I":
                    self.add("Resistor", (middle, b))
            else:
                self.add(kind, (a, b))

    def two_ports(self) -> None:
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            kind = self.random.choice(_TWO_PORTS)
            if self.random.random() < 0.6:
                far = self.node()
                base = self.random.randrange(self.nodes - 1)
                self.add(kind, (*self.pair(), far, base))
                self.add(self.random.choice(["Resistor", "Resistor", "Capacitor", "Inductor"]), (far, base))
            else:
                self.add(kind, (*self.pair(), *self.pair()))

    def amplifier(self) -> None:
        """A stage with feedback."""
        if self.random.random() < 0.25:
            minus, out = self.node(), self.node()
            plus = self.random.randrange(self.nodes - 2)
            self.add("OpAmpIdeal", (plus, minus, out))
            self.add(self.random.choice(["Resistor", "Capacitor"]), (minus, out))
            self.add(self.random.choice(["Resistor", "Capacitor"]), (self.random.randrange(self.nodes - 2), minus))

    def ends(self) -> None:
        """No node is left with one pin alone."""
        pins = Counter(node for e in self.elements for node in e.nodes)
        for node in [n for n in range(self.nodes) if pins[n] == 1]:
            self.add("Resistor", (node, self.random.choice([n for n in range(self.nodes) if n != node])))


def random_circuit(seed: int, coupling: Sequence[str] = ("0.6", "1", "-1")) -> RandomCircuit:
    """The circuit of that number; its ground is at any of its nodes. Inductors are coupled by one of the numbers
    M/sqrt(L1*L2)."""
    maker = Maker(seed, coupling)
    maker.branches()
    for _ in range(maker.random.choice([0, 1, 1, 2])):
        maker.corners()
    maker.sources()
    maker.two_ports()
    maker.amplifier()
    maker.ends()
    ground = maker.random.randrange(maker.nodes)
    return RandomCircuit(_text(maker, ground), Circuit(maker.elements, maker.nodes, ground))


def _text(maker: Maker, ground: int) -> str:
    lines = ["@electrical", "", "model Circuit", "  submodel (Ground) g"]
    lines.append("  node " + ", ".join(f"n{k}" for k in range(maker.nodes)))
    for e in maker.elements:
        given = ", ".join(f"{name}={float(value):.15g}" for name, value in e.parameters.items())
        lines.append(f"  submodel ({e.kind}) {e.name}{f'({given})' if given else ''}")
    lines.append(f"  connect g at n{ground}")
    for e in maker.elements:
        lines.append(f"  connect {e.name} at ({', '.join(f'n{n}' for n in e.nodes)})")
    return "\n".join([*lines, "end", ""])
