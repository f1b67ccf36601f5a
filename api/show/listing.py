"""Lists the submodels and variables of a model, with documentation, from a translation up to the alias stage.

Plain data, for tables and JSON. Computes no results, knows no target.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cutset.api.translate.listeners import Results
from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.text import text
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.instantiate.instance import (
    Constant,
    Instance,
    Parameter,
    ValueType,
    Variable,
    element_names,
    parameter_numbers,
)
from cutset.compiler.units.quantities import display_of
from cutset.contract.metadata import ModelInfo
from cutset.contract.names import is_made
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.results.selection import matching

# A number, or a value of Boolean or of an enumeration type.
Shown = float | bool | str
# The text of a unit, how many of the own unit one is, and which value is its zero.
Display = tuple[str, float, float]


@dataclass(frozen=True)
class ListedCut:
    """A connectable cut of a component, with its cut class (empty if it has none). `documentation` is the cut's own, or
    else that of its class; `variables` are the names within the component, of arrays without indices."""

    name: str
    cut_class: str
    documentation: str
    variables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Component:
    """A submodel. `name` is the full name (empty for the object itself), `place` its declaration (file:line:column),
    `documentation` the comment there, `class_documentation` that of its class."""

    name: str
    class_name: str
    place: str
    documentation: str
    class_documentation: str
    cuts: tuple[ListedCut, ...]

    @property
    def depth(self) -> int:
        """The number of submodels that contain it, including the object."""
        return self.name.count(".") + 1 if self.name else 0


@dataclass(frozen=True)
class ListedVariable:
    """A scalar variable. `kind` is state, derivative (of a state), algebraic, input, discrete, parameter, constant,
    alias or fixed. `alias_of` is the variable (or its negative) that an alias equals, or the expression of parameters
    that a fixed variable equals, shortened if it is long.

    `value` is the model's value of a parameter, constant or fixed variable; `start`, `min`, `max` and `nominal` are
    None if the model does not give them. `place` is the declaration, empty if there is none. `display` is the unit in
    which people see the values, if it is not `unit`.
    """

    name: str
    kind: str
    alias_of: str = ""
    type: str = "Real"
    unit: str = ""
    value: Shown | None = None
    start: Shown | None = None
    min: Shown | None = None
    max: Shown | None = None
    nominal: Shown | None = None
    documentation: str = ""
    place: str = ""
    display: Display | None = None


@dataclass(frozen=True)
class Listing:
    """The components in the order of the text, parents first; the variables in the order of the components, those
    without a declaration at the end."""

    components: tuple[Component, ...]
    variables: tuple[ListedVariable, ...]


def listing_of(results: Results, info: ModelInfo) -> Listing:
    """The contents of the model with these metadata, from the results of the stages up to that of aliases."""
    instance, flat, system = results.of(Instance), results.of(FlatModel), results.of(EquationSystem)
    components = tuple(map(_component, instance.walk()))
    return Listing(components, tuple(_Variables(instance, flat, system, info).all()))


def select(
    variables: Iterable[ListedVariable], patterns: Iterable[str], nodes: Mapping[str, Sequence[str]] | None = None
) -> tuple[ListedVariable, ...]:
    """The variables that match one of the patterns (``*`` any text, ``?`` one character), in the order of the model.
    RunError E602 for a pattern without a match; `nodes` as in `unknown_name`."""
    known = {variable.name: variable for variable in variables}
    return tuple(known[name] for name in matching_names(known, patterns, nodes))


def matching_names(
    known: Iterable[str], patterns: Iterable[str], nodes: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """The same for names."""
    names = list(known)
    chosen: set[str] = set()
    for pattern in patterns:
        found = matching(pattern, names)
        if not found and (names or pattern != "*"):  # an empty model has no variables
            raise RunError("E602", *unknown_name("variable", pattern, names, nodes))
        chosen.update(found)
    return [name for name in names if name in chosen]


def _component(instance: Instance) -> Component:
    cuts = [
        ListedCut(
            c.name,
            c.cut_class.name if c.cut_class else "",
            _documentation(c.documentation, c.cut_class),
            tuple(entry.name for entry in c.entries if entry.value is not None),
        )
        for c in instance.cuts
    ]
    texts = instance.documentation, instance.class_documentation
    return Component(instance.path, instance.class_name, str(instance.span), *texts, tuple(cuts))


def _documentation(own: str, cut_class: object) -> str:
    return own or getattr(cut_class, "documentation", "")


class _Variables:
    """Collects the scalars of a model: their declarations, then how the translation represents them."""

    def __init__(self, instance: Instance, flat: FlatModel, system: EquationSystem, info: ModelInfo):
        self._instance, self._flat, self._system = instance, flat, system
        self._names = info.names
        self._numbers = RandomPoint(parameter_numbers(flat.parameters))
        self._starts = {u.node: u.start for u in system.unknowns} | {d.node: d.start for d in system.discrete}
        self._kinds: dict[str, str] = {
            str(d.data): "derivative" for v, d in system.derivatives.items() if str(v.data) in info.states
        }
        self._kinds |= {str(d.node.data): "discrete" for d in system.discrete}
        self._kinds |= dict.fromkeys(info.inputs, "input") | dict.fromkeys(info.states, "state")
        self._aliases = {a.name: text(a.value) for a in system.aliases if a.value.level == TIME} | dict(system.synonyms)
        self._fixed = {a.name: a.value for a in system.aliases if a.value.level < TIME}

    def all(self) -> Iterator[ListedVariable]:
        """All variables, each once."""
        done: set[str] = set()
        for variable in self._declared():
            if variable.name not in done:
                done.add(variable.name)
                yield variable
        for name in (*self._system.synonyms, *self._names):
            if name not in done and not is_made(name):
                done.add(name)
                yield ListedVariable(name, *self._kind(name))

    def _declared(self) -> Iterator[ListedVariable]:
        own = {id(v) for instance in self._instance.walk() for v in instance.variables}
        for instance in self._instance.walk():
            for constant in instance.constants:
                yield from self._known(constant, constant.value, "constant")
            for parameter in instance.parameters:
                yield from self._known(parameter, parameter.binding, "parameter")
            for variable in instance.variables:
                yield from self._unknown(variable)
        for variable in self._flat.variables:
            if id(variable) not in own:
                yield from self._unknown(variable)

    def _known(self, declared: Constant | Parameter, binding: Array, kind: str) -> Iterator[ListedVariable]:
        for k, name in enumerate(element_names(declared.name, declared.value.shape)):
            if name in self._system.synonyms:
                alias_of, display = self._system.synonyms[name], _display(declared)
                yield ListedVariable(name, "alias", alias_of, *_described(declared), display=display)
                continue
            of_element = (
                declared.value.elements[k] if declared.value.elements[k].op == "constant" else binding.elements[k]
            )
            minimum, maximum = (None, None) if isinstance(declared, Constant) else (declared.minimum, declared.maximum)
            yield ListedVariable(
                name,
                kind,
                "",
                *_described(declared),
                display=_display(declared),
                value=self._shown(of_element, declared.type),
                min=self._element(minimum, k, declared.type),
                max=self._element(maximum, k, declared.type),
                documentation=declared.documentation,
                place=str(declared.span),
            )

    def _unknown(self, declared: Variable) -> Iterator[ListedVariable]:
        for k, name in enumerate(element_names(declared.name, declared.value.shape)):
            node = declared.value.elements[k]
            start, fixed = self._starts.get(node), self._fixed.get(name)
            yield ListedVariable(
                name,
                *self._kind(name),
                *_described(declared),
                display=_display(declared),
                value=None if fixed is None else self._shown(fixed, declared.type),
                start=self._element(declared.start, k, declared.type)
                if start is None
                else self._shown(start, declared.type),
                min=self._element(declared.minimum, k, declared.type),
                max=self._element(declared.maximum, k, declared.type),
                nominal=self._element(declared.nominal, k, declared.type),
                documentation=declared.documentation,
                place=str(declared.span),
            )

    def _kind(self, name: str) -> tuple[str, str]:
        if name in self._fixed:
            return "fixed", text(self._fixed[name])
        if name in self._aliases:
            return "alias", self._aliases[name]
        return self._kinds.get(name, "algebraic"), ""

    def _element(self, array: Array | None, k: int, of_type: ValueType) -> Shown | None:
        return None if array is None else self._shown(array.elements[k], of_type)

    def _shown(self, e: Expr, of_type: ValueType) -> Shown | None:
        """The value, computed with the model's parameters; None if it is not a finite number."""
        number = self._numbers.value(e)
        if not math.isfinite(number):
            return None
        if of_type.kind == "Boolean":
            return bool(number)
        if of_type.literals and number in range(1, len(of_type.literals) + 1):
            return of_type.literals[int(number) - 1]
        return float(number)


def _described(declared: Constant | Parameter | Variable) -> tuple[str, str]:
    return declared.type_name or str(declared.type), declared.unit


def _display(declared: Constant | Parameter | Variable) -> Display | None:
    return display_of(declared.unit, declared.display) if declared.display else None


def columns_of(variables: Iterable[ListedVariable]) -> Iterator[Mapping[str, str]]:
    """The cells of a table, by column, for each variable."""
    for variable in variables:
        value = variable.start if variable.value is None else variable.value
        numbers = {"value": value, "min": variable.min, "max": variable.max, "nominal": variable.nominal}
        yield {
            "name": variable.name,
            "kind": _kind(variable),
            "type": "" if variable.type == "Real" else variable.type,
            "unit": variable.display[0] if variable.display else variable.unit,
            **{name: _written(number, variable.display) for name, number in numbers.items()},
            "documentation": variable.documentation,
        }


def _kind(variable: ListedVariable) -> str:
    """`alias of R.i`; for a fixed variable its expression, unless that is a number."""
    of = textwrap.shorten(variable.alias_of, 40, placeholder=" ...")
    if variable.kind == "alias":
        return f"alias of {of}"
    return f"fixed, {of}" if variable.kind == "fixed" and re.search("[A-Za-z]", of) else variable.kind


def _written(value: Shown | None, display: Display | None) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if display is not None and not isinstance(value, bool):
        value = (value - display[2]) / display[1]
    return str(value).lower() if isinstance(value, bool) else f"{value:g}"
