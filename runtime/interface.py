"""The contract between generated code and the runtime. Neither half knows more of the other than this file.

A translated model is a set of texts, name -> text (`SourceFiles`):

- ``model.json``: the metadata, read into `ModelInfo`.
- ``model.c`` or ``model.py``: the functions below, which may call functions of the model (f0, f1, ...). In C their names carry the prefix ``cutset_``,
  all return ``void`` and all arrays are ``double *``; in Python they have the same arguments in
  the same order (indexable sequences, written in place) and call the functions of ``math`` as free names.

======================================  =====================================================================
``bindings(p, given)``                  p[i] := default or binding of parameter i, in order, unless given[i] != 0
``constants(p, c)``                     every expression of parameters alone that the rest needs, once per run
``start(c, x)``                         initial states
``nominals(c, n)``                      the usual magnitude of each state, 1 where the model gives none
``event_times(c, te)``                  instants at which a relation of time alone changes
``modes(t, c, m)``                      the value (0 or 1) of each such relation at time t
``derivatives(t, x, u, c, m, w, dx)``   the right-hand side; w is scratch memory of size n_work
``variables(t, x, u, c, m, w, y)``      every other unknown of the model, in the order in which it is solved
======================================  =====================================================================

p parameters, c constants, x states, u inputs, m modes, y variables; time in seconds.
A relation keeps its mode between events: the integrator never steps over one.
A function of the model that has no value gives nan and leaves the number of a text of `ModelInfo.faults` (from 1): by
``cutset_fault`` or `cutset_fail` in C, by `fail` in Python. One in Python is called by its number: `cutset_call_external`,
`external`.
Both targets evaluate the same operations in the same order; they agree to rounding.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
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
class ExpressionOrigin:
    """An expression of parameters: its text, the numbers of its parameters and of the constants in it (the first six of each), and
    the equation or declaration that it comes from: place (file:line:column), the line of the text, where in that line it begins (from 1) and how wide it
    is, and its instance. Without a place nothing is known of these."""

    text: str
    parameters: tuple[int, ...] = ()
    constants: tuple[int, ...] = ()
    place: str = ""
    line: str = ""
    column: int = 0
    width: int = 0
    instance: str = ""


@dataclass(frozen=True)
class External:
    """A function in Python that the model calls: its name in the model, pkg.mod.f, the shapes of its arguments ([] for a
    number), the elements of each (None for those that the code passes, in order), and the shape of its result."""

    name: str
    target: str
    shapes: tuple[tuple[int, ...], ...]
    constants: tuple[tuple[float | None, ...], ...]
    result: tuple[int, ...]


@dataclass(frozen=True)
class Fault:
    """Why a function of the model had no value: the code of the error, what happened, and further facts."""

    code: str
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModelInfo:
    """What ``model.json`` says. `names` holds every variable and parameter by its full name, aliases included;
    `origins` has one entry per y. `folded` are parameters whose value stands in the code, with that value.
    `constant_origins` has, for each c that has to be finite, what is said of it in messages, and None for those that stand in a
    branch alone, or lead to others; `parameter_origins` the same for each p that is computed from others. `faults` are the reasons for
    which functions of the model may have no value, `externals` its functions in Python."""

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
    constant_origins: tuple[ExpressionOrigin | None, ...]
    parameter_origins: tuple[ExpressionOrigin | None, ...]
    faults: tuple[str, ...]
    externals: tuple[External, ...]

    @staticmethod
    def from_json(text: str) -> ModelInfo:
        """Read ``model.json``: one object with exactly the fields above. A `Slot` is ``[array, index, sign]``, an
        `Origin` ``[variable, equation, place, instance]``, an `ExpressionOrigin` its fields or null; tuples are lists, mappings are objects.
        ValueError where a field is missing, unknown or counted wrongly."""
        data = json.loads(text)
        fields = set(ModelInfo.__dataclass_fields__)
        if set(data) != fields:
            raise ValueError(f"model.json: fields that differ: {sorted(fields.symmetric_difference(data))}")
        info = ModelInfo(
            name=data["name"],
            states=tuple(data["states"]),
            inputs=tuple(data["inputs"]),
            parameters=tuple(data["parameters"]),
            names={name: Slot(*slot) for name, slot in data["names"].items()},
            origins=tuple(Origin(*origin) for origin in data["origins"]),
            folded={name: float(value) for name, value in data["folded"].items()},
            n_constants=data["n_constants"],
            n_work=data["n_work"],
            n_modes=data["n_modes"],
            n_event_times=data["n_event_times"],
            n_variables=data["n_variables"],
            constant_origins=tuple(map(_expression, data["constant_origins"])),
            parameter_origins=tuple(map(_expression, data["parameter_origins"])),
            faults=tuple(data["faults"]),
            externals=tuple(_external(*external) for external in data["externals"]),
        )
        if len(info.origins) != info.n_variables or len(info.constant_origins) != info.n_constants:
            raise ValueError("model.json: one origin for each y and one constant_origin for each c")
        if len(info.parameter_origins) != len(info.parameters):
            raise ValueError("model.json: one parameter_origin for each p")
        return info

    def to_json(self) -> str:
        """The text that `from_json` reads."""
        data: dict[str, Any] = {name: getattr(self, name) for name in ModelInfo.__dataclass_fields__}
        data["names"] = {name: (s.array, s.index, s.sign) for name, s in self.names.items()}
        data["origins"] = [(o.variable, o.equation, o.place, o.instance) for o in self.origins]
        for field in ("constant_origins", "parameter_origins"):
            data[field] = [None if origin is None else tuple(asdict(origin).values()) for origin in data[field]]
        data["externals"] = [(e.name, e.target, e.shapes, e.constants, e.result) for e in self.externals]
        return json.dumps(data, indent=1)


def _expression(origin: list[Any] | None) -> ExpressionOrigin | None:
    if origin is None:
        return None
    text, parameters, constants, *where = origin
    return ExpressionOrigin(text, tuple(parameters), tuple(constants), *where)


def _external(name: str, target: str, shapes: list[Any], constants: list[Any], result: list[int]) -> External:
    return External(name, target, tuple(map(tuple, shapes)), tuple(map(tuple, constants)), tuple(result))


@dataclass(frozen=True, eq=False)
class Values:
    """What stays fixed during one run: parameters p, constants c, start states x0, ascending finite event times, and the
    nominal values of the states, all of them positive."""

    p: Vector
    c: Vector
    x0: Vector
    event_times: Vector
    nominals: Vector


class CompiledModel(Protocol):
    """A model that can be evaluated. Nothing here raises for arithmetic: what cannot be computed is inf or nan."""

    @property
    def info(self) -> ModelInfo: ...

    @property
    def target(self) -> str:
        """'c' or 'python'."""

    def bind(self, given: Mapping[str, float]) -> Values:
        """The values of one run; `given` holds parameters by name. RunError for a name that is no parameter and
        for a parameter expression that is not finite, FoldedParameter for one whose value stands in the code."""

    def modes(self, t: float, values: Values) -> Vector:
        """The value (0 or 1) of each relation of time at t: shape (n_modes,)."""

    def derivatives(self, t: float, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """dx/dt: shape (n_states,), a new array."""

    def variables(self, t: Vector, x: Vector, u: Vector, values: Values, modes: Vector) -> Vector:
        """The other unknowns at n points: t (n,), x (n, n_states), u (n, n_inputs), modes (n, n_modes); gives
        (n, n_variables)."""

    def fault(self) -> Fault | None:
        """Why a function of the model had no value in an evaluation since this was asked last. It may have been in a
        branch that was not taken: only where a result is not finite it is the reason."""
