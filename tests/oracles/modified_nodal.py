"""Linear circuits by modified nodal analysis: E*x' = A*x in floating point, solved on its consistent subspace.

x are the potentials of the nodes but that of the ground, the currents of all branches, and what drives the sources: 1,
sin and cos. With M = inverse(mu*E - A)*E the solutions lie in the range of M^n, where x' = mu*x - inverse(M)*x
(Campbell, Singular Systems of Differential Equations, 1980, ch. 3). Whether the pencil is regular, and how large that
range is, is decided in a prime field, without rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from scipy.linalg import expm

PRIME = 2**61 - 1
_SHIFT = Fraction(13, 10)

# What a two-port says, as rows of coefficients of (u1, i1, u2, i2) and of their derivatives.
_TWO_PORTS = {
    "IdealTransformer": lambda p: ([[1, 0, -p["n"], 0], [0, p["n"], 0, 1]], [[0] * 4] * 2),
    "Transformer": lambda p: ([[1, 0, 0, 0], [0, 0, 1, 0]], [[0, -p["L1"], 0, -p["M"]], [0, -p["M"], 0, -p["L2"]]]),
    "Gyrator": lambda p: ([[0, 1, -p["G2"], 0], [p["G1"], 0, 0, 1]], [[0] * 4] * 2),
    "VCV": lambda p: ([[-p["k"], 0, 1, 0], [0, 1, 0, 0]], [[0] * 4] * 2),
    "VCC": lambda p: ([[-p["k"], 0, 0, 1], [0, 1, 0, 0]], [[0] * 4] * 2),
    "CCV": lambda p: ([[0, -p["k"], 1, 0], [1, 0, 0, 0]], [[0] * 4] * 2),
    "CCC": lambda p: ([[0, -p["k"], 0, 1], [1, 0, 0, 0]], [[0] * 4] * 2),
}  # fmt: skip
# The same of an element with two pins: coefficients of (u, i), and of their derivatives.
_TWO_PINS = {
    "Resistor": lambda p: ([-1, p["R"]], [0, 0]),
    "Conductor": lambda p: ([p["G"], -1], [0, 0]),
    "Capacitor": lambda p: ([0, -1], [p["C"], 0]),
    "Inductor": lambda p: ([-1, 0], [0, p["L"]]),
    "Short": lambda p: ([1, 0], [0, 0]),
    "Open": lambda p: ([0, 1], [0, 0]),
    "VSine": lambda p: ([1, 0], [0, 0]),
    "VConst": lambda p: ([1, 0], [0, 0]),
    "ISine": lambda p: ([0, 1], [0, 0]),
    "IConst": lambda p: ([0, 1], [0, 0]),
}


@dataclass(frozen=True)
class Element:
    """An element of the library by its class, the nodes of its pins, and its parameters as decimal fractions."""

    name: str
    kind: str
    nodes: tuple[int, ...]
    parameters: dict[str, Fraction] = field(default_factory=dict)

    @property
    def ports(self) -> list[tuple[int, int]]:
        """The pairs of nodes between which a current flows."""
        if self.kind == "OpAmpIdeal":
            return []
        return [self.nodes[k : k + 2] for k in range(0, len(self.nodes), 2)]


class Circuit:
    """E, A in fractions, and where the quantities of the elements are."""

    def __init__(self, elements: Sequence[Element], node_count: int, ground: int):
        self.elements, self._ground = elements, ground
        self._place = {node: k for k, node in enumerate(n for n in range(node_count) if n != ground)}
        self._current: dict[tuple[str, int], int] = {}
        self._drive: dict[str, int] = {}
        size = len(self._place)
        for e in elements:
            for port in range(max(1, len(e.ports))):
                self._current[e.name, port] = size
                size += 1
        self._one = size
        size += 1
        for e in elements:
            if e.kind in ("VSine", "ISine"):
                self._drive[e.name] = size
                size += 2
        self.size, self.driven = size, size - self._one
        self.e: list[dict[int, Fraction]] = []
        self.a: list[dict[int, Fraction]] = []
        self._numbers: dict[str, float] = {}
        self._stamp()

    def _row(self, a: dict[int, Fraction], e: dict[int, Fraction] | None = None) -> None:
        self.a.append({k: Fraction(v) for k, v in a.items() if v})
        self.e.append({k: Fraction(v) for k, v in (e or {}).items() if v})

    def _voltage(self, port: tuple[int, int], factor: Fraction, row: dict[int, Fraction]) -> None:
        for node, sign in zip(port, (1, -1), strict=False):
            if node != self._ground:
                k = self._place[node]
                row[k] = row.get(k, 0) + sign * factor

    def _relation(
        self, element: Element, algebraic: Sequence[Fraction], slopes: Sequence[Fraction], drive: dict[int, Fraction]
    ) -> None:
        rows: tuple[dict[int, Fraction], dict[int, Fraction]] = (dict(drive), {})
        for row, coefficients, sign in zip(rows, (algebraic, slopes), (1, -1), strict=False):
            for port, pins in enumerate(element.ports):
                self._voltage(pins, sign * coefficients[2 * port], row)
                k = self._current[element.name, port]
                row[k] = row.get(k, 0) + sign * coefficients[2 * port + 1]
        self._row(*rows)

    def _stamp(self) -> None:
        sums: dict[int, dict[int, Fraction]] = {n: {} for n in self._place}
        for e in self.elements:
            for port, pins in enumerate(e.ports or [(e.nodes[2], self._ground)]):
                for node, sign in zip(pins, (1, -1), strict=False):
                    if node != self._ground:
                        k = self._current[e.name, port]
                        sums[node][k] = sums[node].get(k, 0) + sign
            if e.kind == "OpAmpIdeal":
                row: dict[int, Fraction] = {}
                self._voltage(e.nodes[:2], Fraction(1), row)
                self._row(row)
            elif e.kind in _TWO_PORTS:
                for algebraic, slopes in zip(*_TWO_PORTS[e.kind](e.parameters), strict=False):
                    self._relation(e, algebraic, slopes, {})
            else:
                self._relation(e, *_TWO_PINS[e.kind](e.parameters), self._driving(e))
        for row in sums.values():
            self._row(row)
        self._row({}, {self._one: Fraction(1)})
        for e in self.elements:
            if e.name in self._drive:
                k, omega = self._drive[e.name], self._omega(e)
                self._row({k + 1: omega}, {k: Fraction(1)})
                self._row({k: -omega}, {k + 1: Fraction(1)})

    @staticmethod
    def _omega(e: Element) -> Fraction:
        return Fraction(2 * np.pi * float(e.parameters["f"]))

    def _driving(self, e: Element) -> dict[int, Fraction]:
        if e.kind in ("VConst", "IConst"):
            return {self._one: -e.parameters[e.kind[0]]}
        if e.kind in ("VSine", "ISine"):
            return {self._drive[e.name]: -e.parameters[e.kind[0]]}
        return {}

    def drives(self) -> np.ndarray:
        """What drives the sources at time 0, in the last places of x."""
        sines = (e for e in self.elements if e.name in self._drive)
        phases = [float(e.parameters.get("phi", 0)) for e in sines]
        return np.array([1.0, *(f(phi) for phi in phases for f in (np.sin, np.cos))])

    def quantities(self) -> tuple[list[str], np.ndarray]:
        """Names of the voltages and currents of the model, and the rows that give them out of x."""
        names, rows = [], []
        for e in self.elements:
            for port, pins in enumerate(e.ports):
                number = str(port + 1) if len(e.ports) > 1 else ""
                across: dict[int, Fraction] = {}
                self._voltage(pins, Fraction(1), across)
                for quantity, row in (("u", across), ("i", {self._current[e.name, port]: Fraction(1)})):
                    names.append(f"{e.name}.{quantity}{number}")
                    rows.append([float(row.get(k, 0)) for k in range(self.size)])
            if not e.ports:
                names.append(f"{e.name}.i3")
                rows.append([float(k == self._current[e.name, 0]) for k in range(self.size)])
        return names, np.array(rows)

    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """E, A in floating point."""
        return tuple(
            np.array([[float(row.get(k, 0)) for k in range(self.size)] for row in m]) for m in (self.e, self.a)
        )

    def degree(self) -> int | None:
        """The number of free initial values, or None where the pencil is singular."""
        e, a = (
            np.array([[_residue(row.get(k, 0)) for k in range(self.size)] for row in m], dtype=object)
            for m in (self.e, self.a)
        )
        m = _solved((_residue(_SHIFT) * e - a) % PRIME, e)
        if m is None:
            return None
        power = 1
        while power < self.size:
            m, power = m.dot(m) % PRIME, 2 * power
        return _rank(m) - self.driven


def range_of_powers(m: np.ndarray, rank: int) -> np.ndarray:
    """An orthonormal basis of the range of m^n, which has this rank."""
    v = np.eye(len(m))
    for _ in range(len(m)):
        v, r, _ = np.linalg.svd(m @ v, full_matrices=False)
        v = v[:, r > 1e-12 * r[0]] if v.shape[1] > rank else v
        v = v[:, : max(rank, int((r > 1e-10 * r[0]).sum()))]
        if v.shape[1] == rank:
            break
    return v


class Motion:
    """The solutions of a circuit of so many degrees of freedom."""

    def __init__(self, circuit: Circuit, degree: int):
        e, a = circuit.matrices()
        m = np.linalg.solve(float(_SHIFT) * e - a, e)
        v = range_of_powers(m, degree + circuit.driven)
        self.basis, self._driven, self._drives = v, circuit.driven, circuit.drives()
        self._slope = float(_SHIFT) * np.eye(v.shape[1]) - np.linalg.inv(v.T @ m @ v)
        self.names, self._rows = circuit.quantities()
        self.fastest = float(np.max(np.abs(np.linalg.eigvals(self._slope))))

    def start(self, values: np.ndarray) -> tuple[np.ndarray, float]:
        """The place in the subspace where the quantities have these values, and how far off that is at most."""
        rows = np.vstack([self._rows, np.eye(self.basis.shape[0])[-self._driven :]]) @ self.basis
        wanted = np.concatenate([values, self._drives])
        c, *_ = np.linalg.lstsq(rows, wanted, rcond=None)
        return c, float(np.max(np.abs(rows @ c - wanted)))

    def curves(self, c: np.ndarray, times: np.ndarray) -> np.ndarray:
        """The quantities at these times, one row each."""
        return np.array([self._rows @ (self.basis @ (expm(self._slope * t) @ c)) for t in times])


def _residue(value: Fraction | int) -> int:
    value = Fraction(value)
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


def _solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """inverse(matrix)*right, or None where that is singular."""
    n = len(matrix)
    m = np.hstack([matrix % PRIME, right % PRIME])
    for k in range(n):
        pivot = next((i for i in range(k, n) if m[i, k]), None)
        if pivot is None:
            return None
        m[[k, pivot]] = m[[pivot, k]]
        m[k] = m[k] * pow(int(m[k, k]), -1, PRIME) % PRIME
        for i in range(n):
            if i != k and m[i, k]:
                m[i] = (m[i] - m[i, k] * m[k]) % PRIME
    return m[:, n:]


def _rank(m: np.ndarray) -> int:
    rank, m = 0, m.copy()
    for k in range(m.shape[1]):
        pivot = next((i for i in range(rank, len(m)) if m[i, k]), None)
        if pivot is None:
            continue
        m[[rank, pivot]] = m[[pivot, rank]]
        m[rank] = m[rank] * pow(int(m[rank, k]), -1, PRIME) % PRIME
        for i in range(rank + 1, len(m)):
            if m[i, k]:
                m[i] = (m[i] - m[i, k] * m[rank]) % PRIME
        rank += 1
    return rank
