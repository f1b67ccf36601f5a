"""Defines the errors of building and running a model, as plain data. Renders no colors.

====  ==========================================================
E601  a parameter expression is not finite
E602  a name that the model does not have
E603  a parameter whose value is part of the code
E604  a name of the wrong kind (a variable given as a parameter)
E605  a setting of the run that makes no sense
E606  the C compiler failed
E607  a name that the result does not hold
E608  no C compiler was found
E623  a function of the model has no value
E624  a Python function does not exist
E625  a Python function failed
E626  a Python function returned the wrong kind of value
E621  a start value contradicts the initial equations
E666  values of parameters with which the equations do not determine all variables
E667  a curve without the value that is measured
E668  no optimal motion, or no inputs of a predictive controller
E628  the nominal value of a state is not positive
E633  an iteration did not converge
E636  no steady state was found
E637  no finite derivatives at the point of linearization
E644  two start conditions contradict each other
E646  an animation of a model without anything to draw
E647  a file format or a kind of table for which a package is missing
E648  a diagram of too many submodels
E658  a controller whose state cannot be saved
E659  a C function of the model that is missing or does not compile
E660  an FMU without binaries, or one that cannot be read in a run
E661  an FMU without a binary for this machine
E662  an FMU that failed
E663  an FMU that gave no answer in time
E664  outputs of FMUs that do not agree with the inputs that depend on them
E665  an FMU that cannot repeat a step
E61x  a run that ended early, one code for each `Outcome` (also E620, E622, E634, E635, E640, E641, E649)
====  ==========================================================
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from cutset.contract.names import rpartition
from cutset.contract.quick_dataclass import dataclass

# How to fix an error of a function of the model, by the code of its `Fault`.
ADVICE = {
    "E623": "check the arguments of the call, and this line of the function",
    "E625": "call the function in Python with these values; the result up to this time is kept",
    "E633": "give the unknowns start values near the solution, and check that a solution still exists",
    "E660": "export the FMU again, with binaries",
    "E661": "export the FMU for this machine, or compile its sources",
    "E662": "check the inputs and the messages of the FMU; the result up to this time is kept",
    "E663": "give the component a longer time_limit, or a shorter step; the result up to this time is kept",
    "E664": "use a shorter step, model exchange, or iterate=false; the result up to this time is kept",
    "E665": "use an FMU that can save its state, its model exchange interface, or iterate=false",
    "E626": "return a number from the function, or an array of the size that the model declares",
}

# The kinds of names that a model has.
_OF_MODELS = frozenset({"variable", "parameter", "state", "parameter, state or input"})
# A hint shows at most this many names.
_MOST_NAMES = 4


@dataclass(frozen=True)
class Fault:
    """Why a function of the model has no value: the error code, the message, and notes."""

    code: str
    text: str
    notes: tuple[str, ...] = ()


class FunctionFailure(Exception):
    """A function of the model has no value, for the reason in `fault`."""

    def __init__(self, fault: Fault):
        self.fault = fault
        super().__init__(fault.text)


@dataclass(frozen=True)
class Excerpt:
    """A line of the model: its place (file:line:column), its text, and the column (from 1) and width of the marked
    part."""

    place: str
    line: str
    column: int
    width: int

    def lines(self) -> list[str]:
        """The excerpt as messages about a model show it."""
        number = self.place.rsplit(":", 2)[-2]
        gutter = " " * len(number)
        padding = "".join("\t" if c == "\t" else " " for c in self.line[: self.column - 1])
        return [
            f" {gutter}--> {self.place}",
            f" {gutter} |",
            f" {number} | {self.line}",
            f" {gutter} | {padding}{'^' * self.width}",
        ]


class RunError(Exception):
    """A run failed to start or to finish. `code` and `message` identify the error, `hint` says how to fix it, `notes`
    are further facts, one per line; `excerpt` is the line of the model and `instance` the submodel, if known. `result`
    is the `Result` with the rows before the failure, if there are any."""

    result: Any = None

    def __init__(
        self,
        code: str,
        message: str,
        hint: str = "",
        notes: Iterable[str] = (),
        excerpt: Excerpt | None = None,
        instance: str = "",
    ):
        self.code = code
        self.message = message
        self.hint = hint
        self.notes = tuple(notes)
        self.excerpt = excerpt
        self.instance = instance
        super().__init__(message)

    def after(self, notes: Iterable[str]) -> RunError:
        """A copy of the error with these notes added before its own."""
        return RunError(self.code, self.message, self.hint, [*notes, *self.notes], self.excerpt, self.instance)

    def __str__(self) -> str:
        lines = [f"error[{self.code}]: {self.message}"]
        lines += self.excerpt.lines() if self.excerpt else []
        lines += [f"  = in:   {self.instance}"] if self.instance else []
        lines += [f"  = note: {note}" for note in self.notes]
        return "\n".join(lines + ([f"  = help: {self.hint}"] if self.hint else []))


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run. `result` is the `Result` with the rows so far."""

    def __init__(self, result: Any):
        self.result = result
        super().__init__(f"the run was interrupted at time {result.time[-1]:g}; its result so far is in .result")


class FoldedParameter(RunError):
    """A new value for parameters that are part of the code, given in `names`. Translate again to change them."""

    def __init__(self, names: Iterable[str]):
        self.names = tuple(names)
        super().__init__(
            "E603",
            f"the value of {', '.join(self.names)} is part of the translated code",
            "translate the model again with this value",
        )


class NotFinite(RunError):
    """Expressions of parameters have no finite value; `values` are those of the parameters in them."""

    values: Mapping[str, float] = MappingProxyType({})


class UnknownName(RunError, KeyError):
    """A name that the result or the sweep does not contain."""


def unknown_variable(name: str, known: Iterable[str], nodes: Mapping[str, Sequence[str]] | None = None) -> UnknownName:
    """The error E607 for it; arguments as in `unknown_name`."""
    return UnknownName("E607", *unknown_name("variable", name, known, nodes))


def require_names(what: str, names: Iterable[str], known: Collection[str]) -> None:
    """RunError E602 for a name that is not among those that are known; `what` as in `unknown_name`."""
    for name in names:
        if name not in known:
            raise RunError("E602", *unknown_name(what, name, known))


def unknown_name(
    what: str, name: str, known: Iterable[str], nodes: Mapping[str, Sequence[str]] | None = None
) -> tuple[str, str]:
    """The message and the hint for a `what` that is not among the known names. The hint proposes the nearest one, those
    of the submodel or the array of this name, or those with the same last part. `nodes` has the names of potentials at
    each node."""
    if not isinstance(name, str):
        return f"there is no {what} {name!r}", "a name must be a string"
    candidates = sorted(known)
    elements = sorted(
        (k for k in candidates if k.startswith(f"{name}(")),
        key=lambda k: [int(n) for n in re.findall(r"\d+", k[len(name) :])],
    )
    if elements:
        every = f", or all of them: '{name}(*)'" if what == "variable" else ""
        return f"'{name}' is an array, not one {what}", f"name its elements: {elements[0]} to {elements[-1]}{every}"
    return f"there is no {what} '{name}'", _of_node(name, nodes or {}) or _near(what, name, candidates)


def _of_node(name: str, nodes: Mapping[str, Sequence[str]]) -> str:
    """For the name of a node, or one of a variable that it could have: what can be named instead."""
    node = next((n for n in (name, rpartition(name)[0]) if n in nodes), None)
    if node is None:
        return ""
    said = f"'{node}' is a node, and a node has no variables; name those of a component at it"
    return f"{said}: {_alternatives(nodes[node])}" if nodes[node] else said


def _near(what: str, name: str, known: list[str]) -> str:
    """The hint that proposes known names."""
    owner, _, last = rpartition(name)
    same = [k for k in known if k.lower() == name.lower()]
    inside = sorted((k for k in known if k.startswith(f"{name}.")), key=lambda k: (k.count("."), k))
    if not same and inside:
        every = f", or all of them: '{name}.*'" if what == "variable" and len(inside) > 1 else ""
        return f"did you mean {_alternatives(inside)}?" if not every else f"name {_alternatives(inside)}{every}"
    siblings = [k for k in known if owner and k.startswith(f"{owner}.")]
    named = [k for k in known if rpartition(k)[2] == last]
    # The f of a component is not near to its s.
    within = (siblings, known) if not owner or len(last) > 2 else (named,)
    near = same or next(filter(None, (difflib.get_close_matches(name, each, 1) for each in within)), [])
    if not near or (named and near[0] not in named and near[0] not in siblings):
        near = named or near
    if near:
        return f"did you mean {_alternatives(near)}?"
    if siblings:
        return f"'{owner}' has {_alternatives(siblings, 'and')}"
    return "'cutset inspect FILE --variables' lists the names of a model" if what in _OF_MODELS else ""


def _alternatives(names: Sequence[str], word: str = "or") -> str:
    """``'a', 'b' or 'c'``, and how many others there are."""
    shown = [f"'{name}'" for name in names[:_MOST_NAMES]]
    more = len(names) - len(shown)
    last = shown.pop() if not more and len(shown) > 1 else f"{more} more" if more else ""
    return f"{', '.join(shown)} {word} {last}" if last else shown[0]
