"""Writes the class of an FMU for model exchange: the solver of the model integrates its states.

The functions of the class are pure: the first argument of each is the number of a discrete state of the FMU, which
an event of the FMU replaces by another. So they can be evaluated at any point, in any order, as other equations.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutset.compiler.instantiate.names.fmu_terminals import Terminal
from cutset.compiler.instantiate.names.fmu_variables import (
    FmuClass,
    Ports,
    Unsuited,
    Variable,
    about_fmu,
    input_clocks,
    is_number,
    names_of,
    of_type,
    ports_of,
    result_lines,
    safe,
    shape_of,
)
from cutset.contract.fmu_elements import size_of
from cutset.contract.fmu_events import DIGITS, FIRST, OF_EXCHANGE

# What the class adds to the parameters of the FMU.
_OWN = ("time_limit", "separate")
_USED = (*OF_EXCHANGE, "new", "init", "der")


@dataclass(frozen=True)
class _Facts:
    """The sizes of an FMU, its ports, and the groups of continuous outputs that depend on the same inputs."""

    file: str
    ports: Ports
    states: int
    indicators: int
    groups: tuple[tuple[tuple[Variable, ...], tuple[Variable, ...]], ...]

    @property
    def discrete(self) -> tuple[Variable, ...]:
        """The outputs that change at events only."""
        return tuple(v for v in self.ports.outputs if v.is_discrete)

    @property
    def sign_groups(self) -> list[list[str]]:
        """The conditions that are the digits of numbers: indicators are positive, and then Boolean inputs."""
        tests = [f"indicators({k + 1}) > 0" for k in range(self.indicators)]
        tests += [v.own for v in self.ports.inputs if v.type == "Boolean"]
        return [tests[k : k + DIGITS] for k in range(0, len(tests), DIGITS)]

    @property
    def size(self) -> int:
        """The number of elements of `current`."""
        return FIRST + self.states + len(self.discrete)


def exchange_class(file: str, description: Any, terminals: Sequence[Terminal], starts: Collection[str]) -> FmuClass:
    """The class evaluates the FMU as equations, and calls it at its events. Unsuited if it cannot."""
    facts = _facts(file, description, terminals, starts)
    declared, names = _functions(facts)
    ports, n = facts.ports, facts.states
    lines = [
        *declared,
        "",
        f'model class Fmu "{about_fmu(description)}"',
        '  parameter time_limit (unit="s", min=0) = 60 "for one answer of the FMU"',
        '  parameter (Boolean) separate = false "the FMU runs in a process of its own"',
        *ports.declarations,
        *([f"  local states({n}) (state=always)"] if n else []),
        *(f"  local {name}({facts.size})" for name in ("begin", "event", "current")),
        "  local (Boolean) moved (start=false)",
        *_start(facts),
        *([f"  der(states) = fmu_rates({_at(facts, ports.inputs)})"] if n else []),
        *_events(facts),
        *_outputs(facts),
    ]
    return FmuClass("\n".join([*lines, "end", ""]), names)


def _facts(file: str, description: Any, terminals: Sequence[Terminal], starts: Collection[str]) -> _Facts:
    interface, ports = description.modelExchange, ports_of(description, terminals, _USED, starts)
    if clocks := input_clocks(description):
        raise Unsuited(f"its input '{clocks[0].name[:60]}' is a clock, which ticks in co-simulation only")
    rates = [unknown.variable for unknown in description.derivatives]
    if any(rate is None or not is_number(rate) for rate in rates):
        raise Unsuited("a state of it is no number")
    states, listed = sum(size_of(shape_of(rate)) for rate in rates), description.eventIndicators
    indicators = sum(size_of(shape_of(unknown.variable)) for unknown in listed)
    indicators = indicators or int(description.numberOfEventIndicators or 0)
    can_return = interface.canGetAndSetFMUstate
    if not can_return and (indicators or any(v.is_discrete for v in ports.inputs)):
        raise Unsuited("it has events, but its state cannot be saved (canGetAndSetFMUState is false)")
    return _Facts(file, ports, states, indicators, _groups(description, ports))


def _groups(description: Any, ports: Ports) -> tuple[tuple[tuple[Variable, ...], tuple[Variable, ...]], ...]:
    """(inputs, outputs) of each set of continuous outputs that depend on the same inputs."""
    known: Mapping[str, Any] = {u.variable.name: u.dependencies for u in description.outputs if u.variable is not None}
    found: dict[tuple[Variable, ...], list[Variable]] = {}
    for output in ports.outputs:
        if not output.is_discrete:
            on = known.get(output.of)
            names = None if on is None else {v.name for v in on}
            inputs = tuple(v for v in ports.inputs if names is None or v.of in names)
            found.setdefault(inputs, []).append(output)
    return tuple((inputs, tuple(outputs)) for inputs, outputs in found.items())


def _functions(facts: _Facts) -> tuple[list[str], tuple[tuple[tuple[str, ...], ...], ...]]:
    """The declarations of the functions, and the names that each passes and gets."""
    ports, x = facts.ports, [f"x({facts.states})"] if facts.states else []
    discrete, inputs = names_of(facts.discrete), names_of(ports.inputs)
    point, signs = ["discrete", "now"], f"signs({len(facts.sign_groups)})" if facts.sign_groups else "signs"
    given = _arguments("u", ports.inputs)
    listed = [
        ("function", "start", ["time_limit", "(Boolean) separate", *_arguments("p", ports.parameters)], facts.size,
         (names_of(ports.parameters), (), discrete)),
        ("function", "begin", [*point, *given], facts.size, ((), inputs, discrete)),
        ("controller", "event", [*point, signs, *x, *given], facts.size, ((), inputs, discrete)),
        ("function", "indicators", [*point, *x, *given], facts.indicators, ((), inputs, ())),
    ]  # fmt: skip
    smooth: list[tuple[str, Sequence[Variable], Sequence[Variable], int]] = [("rates", ports.inputs, (), facts.states)]
    smooth += [(f"outputs_{k}", own, outputs, len(outputs)) for k, (own, outputs) in enumerate(facts.groups)]
    lines, names = list[str](), list[tuple[tuple[str, ...], ...]]()
    for kind, name, arguments, size, own_names in listed:
        if size:
            lines.append(f'external {kind} fmu_{name}({", ".join(arguments)}) result y({size}) "fmu:{facts.file}"')
            names.append(own_names)
    for name, own, outputs, size in smooth:
        if size:
            reals = [v for v in own if v.type == "Real"]
            along = [*(f"d_{name}" for name in (*point, *x)), *_arguments("d_u", reals)]
            given, to = [*point, *x, *_arguments("u", own)], f'"fmu:{facts.file}"'
            result = f"result y({size}) (derivative=fmu_{name}_along)"
            lines.append(f"external function fmu_{name}({', '.join(given)}) {result} {to}")
            twice = [f"{turn}_{argument}" for turn in "ef" for argument in (*point, *x, *_arguments("u", reals))]
            result = f"result y({size}) (derivative=fmu_{name}_along_twice)"
            lines.append(f"external function fmu_{name}_along({', '.join([*given, *along])}) {result} {to}")
            every = ", ".join([*given, *along, *twice])
            lines.append(f"external function fmu_{name}_along_twice({every}) result y({size}) {to}")
            names += [((), names_of(own), names_of(outputs), names_of(reals))] * 3
    return lines, tuple(names)


def _arguments(letter: str, variables: Sequence[Variable]) -> list[str]:
    return [f"{of_type(v)}{letter}{k}" for k, v in enumerate(variables)]


def _at(facts: _Facts, inputs: Sequence[Variable], signs: Sequence[str] = ()) -> str:
    """The arguments of a function at the current point."""
    states = ["states"] if facts.states else []
    return ", ".join(["current(1)", "time", *signs, *states, *(v.own for v in inputs)])


def _start(facts: _Facts) -> list[str]:
    """The FMU begins with its inputs at the start; `begin` keeps the value that it has then, until the first event of
    the FMU."""
    parameters = ", ".join([*_OWN, *(v.own for v in facts.ports.parameters)])
    states = [f"    states({k + 1}) = begin({FIRST + k + 1})" for k in range(facts.states)]
    given = ", ".join(["begin(1)", "time", *(v.own for v in facts.ports.inputs)])
    return [
        "  initial",
        f"    begin = fmu_start({parameters})",
        *states,
        "  endinitial",
        f"  new(begin) = fmu_begin({given})",
        "  current = if moved then event else begin",
    ]


def _events(facts: _Facts) -> list[str]:
    """The FMU has an event where an indicator changes its sign, a discrete input its value, and where it has a time
    event."""
    ports, states = facts.ports, range(facts.states)
    taken = [f"    init(states({k + 1})) = new(event({FIRST + k + 1}))" for k in states]
    lines, conditions = _changes(facts)
    given = _at(facts, ports.inputs, ["signs" if facts.sign_groups else "0"])
    taken += ["    new(moved) = true"]
    for k, condition in enumerate((*conditions, "current(3) > 0.5 and time >= current(4)")):
        lines += [f"  {'elsewhen' if k else 'when'} {condition} then"]
        lines += [f"    new(event) = fmu_event({given})", *taken]
    ends = f'    terminate true, "the FMU {safe(facts.file)} ends the run"'
    return [*lines, "  endwhen", "  when current(2) > 0.5 then", ends, "  endwhen"]


def _changes(facts: _Facts) -> tuple[list[str], list[str]]:
    """Lines, and the conditions of events: the signs of indicators and the Boolean inputs, as the digits of numbers, or
    the other discrete inputs differ from what they were in the pass before."""
    discrete = [v for v in facts.ports.inputs if v.is_discrete]
    groups = facts.sign_groups
    lines, conditions = [], []
    if facts.indicators:
        lines += [f"  local indicators({facts.indicators})"]
        lines += [f"  indicators = fmu_indicators({_at(facts, facts.ports.inputs)})"]
    if groups:
        lines.append(f"  local signs({len(groups)}), seen({len(groups)})")
    for k, group in enumerate(groups, start=1):
        digits = " + ".join(f"(if {test} then {2**j} else 0)" for j, test in enumerate(group))
        lines.append(f"  signs({k}) = {digits}")
        lines.append(f"  new(seen({k})) = signs({k})")
        conditions.append(f"signs({k}) <> seen({k})")
    for k, v in enumerate((v for v in discrete if v.type != "Boolean"), start=1):
        lines.append(f"  local {of_type(v)}held_{k}{v.attributes}")
        lines.append(f"  new(held_{k}) = {v.own}")
        conditions.append(f"{v.own} <> held_{k}")
    return lines, conditions


def _outputs(facts: _Facts) -> list[str]:
    lines, values = [], {}
    for k, (inputs, outputs) in enumerate(facts.groups):
        lines += [f"  local outputs_{k}({len(outputs)})", f"  outputs_{k} = fmu_outputs_{k}({_at(facts, inputs)})"]
        values.update({v.own: f"outputs_{k}({j + 1})" for j, v in enumerate(outputs)})
    values.update({v.own: f"current({FIRST + facts.states + j + 1})" for j, v in enumerate(facts.discrete)})
    for k, v in enumerate(facts.ports.outputs, start=1):
        lines += result_lines(k, v, values[v.own])
    return lines
