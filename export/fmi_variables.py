"""Lists the variables of an FMU as both versions of the standard describe them: program -> `FmiVariable`.

The value references are those of export/fmi/instance.h: the variables in the order of their names, the derivatives of
the states, the time, the event indicators, the clocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cutset.contract.metadata import ModelInfo, Slot
from cutset.contract.names import is_made
from cutset.export.c_folder import Program
from cutset.export.first_point import StartValues
from cutset.export.fmi_facts import ModelFacts, TypeFact
from cutset.export.tables import sorted_names
from cutset.runtime.description import Shown
from cutset.runtime.events.start_tables import overruled_parameters

_REAL = TypeFact("r")


@dataclass(frozen=True, kw_only=True)
class FmiVariable:
    """`use` is how an importer may set it: 'u' input, 'p' parameter, 's' state that starts at a given value, '' not at
    all. `derivative_of` is the reference of the state; `aliases` are (name, description) of the same quantity. The type
    of a clock is 'c'."""

    name: str
    reference: int
    type: TypeFact = _REAL
    causality: str = "local"
    variability: str = "continuous"
    initial: str = "calculated"
    start: float | None = None
    unit: str = ""
    display: Shown | None = None
    description: str = ""
    minimum: float | None = None
    maximum: float | None = None
    nominal: float | None = None
    derivative_of: int | None = None
    aliases: tuple[tuple[str, str], ...] = ()
    use: str = ""
    is_indicator: bool = False


def references(info: ModelInfo) -> dict[str, int]:
    """The value reference of each name; aliases with the same sign share one."""
    first: dict[Slot, int] = {}
    numbers = {name: k for k, name in enumerate(sorted_names(info))}
    for name, slot in info.names.items():
        first.setdefault(slot, numbers[name])
    return {name: first[slot] for name, slot in info.names.items()}


def clocks(info: ModelInfo) -> tuple[int, ...]:
    """The relations that are samples."""
    return tuple(k for k, relation in enumerate(info.relations) if relation.kind == "sample")


def fmi_variables(program: Program, facts: ModelFacts, values: StartValues, version: int) -> tuple[FmiVariable, ...]:
    """All variables. Aliases are variables with the same reference in version 2, and parts of the first one in version
    3; there those of parameters and outputs, which are unknowns of the start, have references of their own. So have
    equal quantities of another type or unit."""
    listed = _Listed(program, facts, values)
    found: list[FmiVariable] = []
    for names in listed.groups():
        whole = listed.variable(names[0])
        for first, *others in listed.of_one_kind(names):
            variable = whole if first == whole.name else listed.other(first, whole)
            merged = [n for n in others if version == 3 and listed.is_part(n, variable)]
            found.append(replace(variable, aliases=tuple((name, listed.documentation(name)) for name in merged)))
            found += [listed.alias(name, variable, whole, version) for name in others if name not in merged]
    found += listed.rates()
    return tuple([*found, *listed.others()] if version == 3 else found)


class _Listed:
    """The variables of a program."""

    def __init__(self, program: Program, facts: ModelFacts, values: StartValues):
        self._info, self._facts, self._values = program.info, facts, values
        self._description = program.description
        self._references = references(self._info)
        self._own = {name: k for k, name in enumerate(sorted_names(self._info))}
        self._outputs, self._inputs = set(facts.outputs), set(self._info.inputs)
        self._states = {name: k for k, name in enumerate(self._info.states)}
        self._limits = {limit.parameter: limit for limit in self._info.limits}
        self._overruled = overruled_parameters(self._info)
        self._n = len(self._info.names)

    def groups(self) -> list[list[str]]:
        """The names of each quantity, that of a state, an input or an output first; without derivatives of states."""
        rates = {f"der({state})" for state in self._states} - set(self._states)
        found: dict[int, list[str]] = {}
        for name in self._info.names:
            if name not in rates and (not is_made(name) or name in self._states):
                found.setdefault(self._references[name], []).append(name)
        important = {**dict.fromkeys(self._outputs, 1), **dict.fromkeys((*self._states, *self._inputs), 0)}
        important |= {name: 3 for name in self._outputs if self._info.names[name].array == "p"}
        return [sorted(names, key=lambda name: important.get(name, 2)) for names in found.values()]

    def of_one_kind(self, names: list[str]) -> list[list[str]]:
        """The names of a group by their types and units: constants of equal value have one place."""
        found: dict[tuple[TypeFact, str], list[str]] = {}
        for name in names:
            found.setdefault((self._type(name), self._unit(name)), []).append(name)
        return list(found.values())

    def variable(self, name: str) -> FmiVariable:
        """The first variable of a group."""
        slot, kind = self._info.names[name], self._type(name)
        plain = FmiVariable(
            name=name,
            reference=self._references[name],
            type=kind,
            variability="discrete" if kind.kind != "r" or slot.array == "m" else "continuous",
            causality="output" if name in self._outputs else "local",
            unit=self._unit(name),
            display=self._description.displays.get(name),
            description=self.documentation(name),
        )
        if slot.array == "p":
            return self._parameter(plain, slot)
        if slot.array == "u" and slot.sign > 0:
            return replace(plain, causality="input", initial="exact", start=0.0, use="u")
        return self._state(plain, slot) if slot.array == "x" else plain

    def documentation(self, name: str) -> str:
        return self._description.documentation.get(name, "")

    def _unit(self, name: str) -> str:
        unit = self._description.units.get(name, "")
        return "" if unit == "1" else unit

    def _type(self, name: str) -> TypeFact:
        return self._facts.types.get(name, _REAL) if self._info.names[name].sign > 0 else _REAL

    def _state(self, plain: FmiVariable, slot: Slot) -> FmiVariable:
        nominal, start = self._values.nominals[slot.index], slot.sign * self._values.states[slot.index]
        state = replace(plain, nominal=nominal if nominal != 1.0 else None)
        is_free = plain.name in self._facts.free_starts and math.isfinite(start)
        return replace(state, initial="exact", start=start, use="s") if is_free else state

    def _parameter(self, plain: FmiVariable, slot: Slot) -> FmiVariable:
        is_bound = self._info.parameter_origins[slot.index] is not None
        if is_bound or slot.sign < 0 or slot.index in self._overruled:
            return replace(plain, causality="calculatedParameter", variability="tunable")
        limit = self._limits.get(slot.index)
        least, most = (None, None) if limit is None else (limit.minimum, limit.maximum)
        parameter = replace(plain, causality="parameter", variability="tunable", initial="exact", use="p")
        return replace(parameter, start=self._values.parameters[slot.index], minimum=least, maximum=most)

    def is_part(self, name: str, of: FmiVariable) -> bool:
        """True for another name that can be a part of the variable."""
        return of.causality in ("local", "input") and name not in self._outputs

    def other(self, name: str, of: FmiVariable) -> FmiVariable:
        """Another name of a group as a variable of its own, which cannot be set."""
        causality = "output" if name in self._outputs else "local"
        is_parameter = of.causality in ("parameter", "calculatedParameter")
        if is_parameter and causality == "local":
            causality = "calculatedParameter"
        kind = self._type(name)
        is_discrete = (kind.kind != "r" and of.variability == "continuous") or (is_parameter and causality == "output")
        return replace(
            of,
            name=name,
            # The number of the name, or that of the first name if the group is referred to by this one's.
            reference=self._own[name] if self._own[name] != of.reference else self._own[of.name],
            type=kind,
            variability="discrete" if is_discrete else of.variability,
            causality=causality,
            initial="calculated",
            start=None,
            unit=self._unit(name),
            display=self._description.displays.get(name),
            use="",
            description=self.documentation(name),
        )

    def alias(self, name: str, of: FmiVariable, whole: FmiVariable, version: int) -> FmiVariable:
        """Another name of the variable `of` of a group."""
        made = self.other(name, whole)
        return replace(made, reference=of.reference) if version == 2 else made

    def rates(self) -> Iterator[FmiVariable]:
        """The derivatives of the states, in their order."""
        for k, state in enumerate(self._info.states):
            name = f"der({state})"
            yield FmiVariable(
                name=name if name not in self._states else f"rate({state})",
                reference=self._n + k,
                unit=self._facts.rate_units.get(self._unit(state), ""),
                description=self.documentation(name),
                derivative_of=self._references[state],
            )

    def others(self) -> Iterator[FmiVariable]:
        """What version 3 lists as variables too: the time, the event indicators and the clocks."""
        info, taken = self._info, set(self._info.names)
        number = self._n + len(info.states)
        time = _free("time", taken)
        yield FmiVariable(name=time, reference=number, causality="independent", initial="", unit="s")
        for k in info.crossings:
            number += 1
            text = f"zero where this changes: {info.relations[k].text}"
            yield FmiVariable(
                name=_free(f"crossing_{k + 1}", taken), reference=number, description=text, is_indicator=True
            )
        for k in clocks(info):
            number += 1
            relation = info.relations[k]
            path = f"{relation.instance}." if relation.instance and relation.instance != info.name else ""
            yield FmiVariable(
                name=_free(f"{path}clock_{k + 1}", taken),
                reference=number,
                type=TypeFact("c"),
                causality="output",
                variability="discrete",
                description=f"active when {relation.text} is true",
            )


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
