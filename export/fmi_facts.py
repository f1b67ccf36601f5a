"""Defines what an FMU tells about a model besides its metadata: types, units, outputs, dependencies, cuts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# The base units of the standard, in the order of `UnitFact.exponents`.
BASE_UNITS = ("m", "kg", "s", "A", "K", "mol", "cd")


@dataclass(frozen=True)
class UnitFact:
    """A unit in terms of the base units: whole exponents, that of rad, and the factor to SI units."""

    exponents: tuple[int, ...]
    angle: int
    factor: float


@dataclass(frozen=True)
class TypeFact:
    """The type of a variable that is not Real: 'i' Integer, 'b' Boolean, 'e' an enumeration with its name and its
    literals, whose values count from 1."""

    kind: str
    name: str = ""
    literals: tuple[str, ...] = ()


@dataclass(frozen=True)
class Terminal:
    """A cut of the model: its name, its class, its documentation, and the names of its variables with their names in
    the cut; through variables flow, and the first one carries `carried`."""

    name: str
    kind: str
    documentation: str
    across: tuple[tuple[str, str], ...]
    through: tuple[tuple[str, str], ...]
    carried: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ModelFacts:
    """`types` of variables by name; `outputs` of the model; `units` by their text, and the unit of the derivative by
    that of the state, as far as they are known; `free_starts`: the states that start at the value given to them;
    `rates` and `results`: for the derivative of each state and for each output, the numbers of states and inputs (after
    the states) that it may depend on, None for all of them; `initial`: for what is computed at the start, the names of
    the parameters, inputs and states on which it may depend, as far as they are known; `terminals`."""

    documentation: str = ""
    types: Mapping[str, TypeFact] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    units: Mapping[str, UnitFact] = field(default_factory=dict)
    rate_units: Mapping[str, str] = field(default_factory=dict)
    free_starts: frozenset[str] = frozenset()
    rates: tuple[tuple[int, ...], ...] = ()
    results: tuple[tuple[int, ...], ...] = ()
    initial: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    terminals: tuple[Terminal, ...] = ()
