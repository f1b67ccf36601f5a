"""Turns names of links and joints into identifiers of the language, each once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cutset.compiler.robots import definitions
from cutset.contract.functions import FUNCTIONS

# Names that mean something else in a model.
_WORDS = (
    "and assert at class closed connect constant cut default do else elseif elsewhen end endfor endif endinitial "
    "endwhen endwhile experiment external for function if initial input internal local loop main model node not "
    "or output par parameter path reversed submodel terminal terminate then to type when while "
)
KEYWORDS = frozenset(_WORDS.split())
_TAKEN = KEYWORDS | {row.name or op for op, row in FUNCTIONS.items()} | set(FUNCTIONS)
_TAKEN |= {"der", "pre", "init", "time", "true", "false", "noevent", "sample", "smooth", "edge", "change", "delay"}
_TAKEN |= {"zeros", "ones", "identity", "skew", "cross", "norm", "sum", "min", "max", "i", "tau", "drive", "world"}
_TAKEN |= {"ctrl", "act", "spring", "mesh"}
# Classes of the libraries that imported texts use.
_CLASSES = (
    "AbsoluteSensor Bar Body CoulombFriction DriveCut Fixed FixedShape Frame Free Inertial JointDamper JointForce "
    "JointStop MeshShape Planar Prismatic Revolute Solid Spherical CutSpherical CutPoint IdealGear Rack Lock "
    "JointSpring LoopJoint Rotor PlaneCollision Collision"
)
_TAKEN |= {*_CLASSES.split(), *definitions.NAMES}
_LONGEST = 80


class Names:
    """Gives identifiers; the same names in the same order always have the same ones."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def add(self, wanted: str, suffix: str = "") -> str:
        """An identifier like `wanted`, with the suffix if that one is taken, then with numbers."""
        base = _identifier(wanted)
        tried = [base] if base not in _TAKEN else []
        tried += [base + (suffix or "_")]
        found = next((each for each in tried if each not in self._given), "")
        number = 2
        while not found or found in self._given:
            found, number = f"{base}{suffix}_{number}", number + 1
        self._given.add(found)
        return found

    def all(self, wanted: Iterable[str], suffix: str = "") -> dict[str, str]:
        """Identifiers for these names."""
        return {name: self.add(name, suffix) for name in wanted}


def _identifier(name: str) -> str:
    found = re.sub(r"[^A-Za-z0-9_]+", "_", name)[:_LONGEST]
    return found if re.match(r"[A-Za-z]", found) else f"n{found}"


def shown(name: str) -> str:
    """The name for a comment or a documentation string: no marks that would end it, nothing that a terminal obeys."""
    return "".join(c if (c.isascii() and (c.isalnum() or c in " _-.,:;/+*()<>=@#%~")) else "?" for c in name)[:120]


def counted(n: int, thing: str) -> str:
    """The number and the thing: 1 joint, 2 joints."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}{'es' if thing.endswith('sh') else 's'}"
