"""The contract between generated code and the runtime. Neither half knows more of the other than this file.

A translated model is a set of texts, name -> text (`SourceFiles`):

- ``model.json``: the metadata, read into `ModelInfo`.
- ``model.c`` or ``model.py``: the functions below. In C their names carry the prefix ``cutset_``,
  all return ``void`` and all arrays are ``double *``; in Python they have the same arguments in
  the same order (indexable sequences, written in place) and call the functions of ``math`` as free names.

======================================  =====================================================================
``bindings(p, given)``                  p[i] := default or binding of parameter i, in order, unless given[i] != 0
``constants(p, c)``                     every expression of parameters alone that the rest needs, once per run
``start(c, x)``                         initial states
``event_times(c, te)``                  instants at which a relation of time alone changes
``modes(t, c, m)``                      the value (0 or 1) of each such relation at time t
``derivatives(t, x, u, c, m, w, dx)``   the right-hand side; w is scratch memory of size n_work
``variables(t, x, u, c, m, w, y)``      every other unknown of the model, in the order in which it is solved
======================================  =====================================================================

p parameters, c constants, x states, u inputs, m modes, y variables; time in seconds.
A relation keeps its mode between events: the integrator never steps over one.
Both targets evaluate the same operations in the same order; they agree to rounding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SourceFiles = Mapping[str, str]


@dataclass(frozen=True)
class Slot:
    """Where a name finds its value: array 'x', 'u', 'p' or 'y', index there, and the sign of the alias."""

    array: str
    index: int
    sign: int


@dataclass(frozen=True)
class Origin:
    """The equation that determines a variable: its text, its place (file:line:column) and its instance path."""

    variable: str
    equation: str
    place: str
    instance: str


@dataclass(frozen=True)
class ModelInfo:
    """What ``model.json`` says. `names` holds every variable and parameter by its full name, aliases included;
    `origins` has one entry per y. `folded` are parameters whose value stands in the code, with that value.
    `constant_origins` has, for each c, the place of the parameter expression (file:line:column), for messages."""

    name: str
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    names: Mapping[str, Slot]
    origins: tuple[Origin, ...]
    folded: Mapping[str, float]
    n_constants: int
    n_work: int
    n_modes: int
    n_event_times: int
    n_variables: int
    constant_origins: tuple[str, ...]
