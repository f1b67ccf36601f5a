"""Collects what an FMU tells about a model: results of the stages of a translation -> `ModelFacts`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cutset.api.translate.listeners import Results
from cutset.compiler.expressions.jacobian import Jacobian
from cutset.compiler.expressions.pool import PARAMETER, Expr
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten.model import bindings_of
from cutset.compiler.instantiate.instance import (
    Cut,
    CutVariable,
    Instance,
    ValueType,
    element_names,
)
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, Start
from cutset.compiler.units.parse import Misread, parse_unit
from cutset.compiler.units.unit import SECOND, Unit
from cutset.export.fmi_facts import ModelFacts, Terminal, TypeFact, UnitFact
from cutset.runtime.errors import RunError, unknown_name

_KINDS = {"Integer": "i", "Boolean": "b", "enumeration": "e"}


def facts_for_fmu(stages: Results, units: Iterable[str], driven: frozenset[str]) -> ModelFacts:
    """The facts of the model with these results of stages, with the definitions of these units; the across variables of
    `driven` cuts are inputs. RunError E602 for a cut that does not exist."""
    root, solved, start = stages.of(Instance), stages.of(SolvedSystem), stages.of(Start)
    system = solved.sorted_system.system
    parsed = dict(_parsed(units))
    outputs = tuple(dict.fromkeys((*system.outputs, *_of_cuts(root, driven))))
    rates, results = _dependencies(solved, stages.of(SolvedEvents), outputs)
    return ModelFacts(
        documentation=root.class_documentation,
        types=dict(_types(root)),
        outputs=outputs,
        units={text: fact for text, unit in parsed.items() if (fact := _fact(unit)) is not None},
        rate_units={text: str(unit / SECOND) for text, unit in parsed.items() if unit.magnitude == 0.0},
        free_starts=frozenset(_free_starts(solved, start)),
        rates=rates,
        results=results,
        initial=dict(_initial(solved, start, outputs)),
        terminals=tuple(terminal for cut in root.cuts if (terminal := _terminal(cut)) is not None),
    )


def _parsed(units: Iterable[str]) -> Iterator[tuple[str, Unit]]:
    for text in units:
        try:
            yield text, parse_unit(text)
        except Misread:
            continue


def _fact(unit: Unit) -> UnitFact | None:
    exponents = (*unit.exponents, unit.angle)
    if any(int(e) != e for e in exponents):
        return None
    return UnitFact(tuple(map(int, unit.exponents)), int(unit.angle), float(f"{10.0**unit.magnitude:.15g}"))


def _types(root: Instance) -> Iterator[tuple[str, TypeFact]]:
    for instance in root.walk():
        for each in instance.declared:
            fact = _type(each.type)
            if fact is not None:
                yield from ((name, fact) for name in element_names(each.name, each.value.shape))


def _type(of: ValueType) -> TypeFact | None:
    kind = _KINDS.get(of.kind)
    return None if kind is None else TypeFact(kind, of.name if kind == "e" else "", of.literals)


def _free_starts(solved: SolvedSystem, start: Start) -> Iterator[str]:
    """The states that start at their start value, which is a number."""
    states = solved.sorted_system.states
    for k, (state, value, given) in enumerate(zip(states, start.values, start.given, strict=False)):
        if value.op == "start" and value.data == k and given.op == "constant":
            yield str(state.data)


# --- dependencies --------------------------------------------------------------------------------

_Numbers = tuple[tuple[int, ...], ...]


def _dependencies(solved: SolvedSystem, events: SolvedEvents, outputs: Sequence[str]) -> tuple[_Numbers, _Numbers]:
    """The states and inputs that the derivatives and the outputs may depend on. A held value depends on everything that
    determines it at events."""
    ordered = solved.sorted_system
    values = {a.unknown: a.value for a in solved.assignments}
    discrete = [d.node for d in ordered.system.discrete]
    modes = [solved.pool.mode(k) for k in range(len(events.relations))]
    leaves = [*ordered.states, *ordered.inputs, *modes, *discrete]
    roots = [values.get(d, d) for d in ordered.derivatives]
    named = [_value(solved, values, name) for name in outputs]
    sides = [side for relation in events.relations for side in (relation.left, relation.right)]
    every = [*roots, *named, *sides, *events.discrete, *events.conditions]
    pattern = list(map(set, Jacobian(solved.pool, every, leaves).pattern))
    held = _held(pattern[len(roots) + len(named) :], len(modes), len(discrete))
    known = len(ordered.states) + len(ordered.inputs)
    found = [_closed(row, held, known) for row in pattern[: len(roots) + len(named)]]
    return tuple(found[: len(roots)]), tuple(found[len(roots) :])


def _value(solved: SolvedSystem, values: Mapping[Expr, Expr], name: str) -> Expr:
    """The expression of a variable in terms of states, inputs and held values."""
    for alias in solved.sorted_system.system.aliases:
        if alias.name == name:
            bare = alias.value.args[0] if alias.value.op == "neg" else alias.value
            return values.get(bare, bare)
    by_name = {str(unknown.data): unknown for unknown in values}
    known = {str(e.data): e for e in (*solved.sorted_system.states, *solved.sorted_system.system.known)}
    return values[by_name[name]] if name in by_name else known.get(name, solved.pool.zero)


def _held(rows: list[set[int]], modes: int, discrete: int) -> list[set[int]]:
    """What determines each held value directly: relations by their sides, discrete variables by their updates and by
    all conditions."""
    relations = [rows[2 * k] | rows[2 * k + 1] for k in range(modes)]
    conditions: set[int] = set().union(*rows[2 * modes + discrete :])
    return [*relations, *(rows[2 * modes + k] | conditions for k in range(discrete))]


def _closed(row: set[int], held: list[set[int]], known: int) -> tuple[int, ...]:
    seen, waiting = set(row), [k for k in row if k >= known]
    while waiting:
        added = held[waiting.pop() - known] - seen
        seen |= added
        waiting += [k for k in added if k >= known]
    return tuple(sorted(k for k in seen if k < known))


# --- the start -----------------------------------------------------------------------------------


def _initial(solved: SolvedSystem, start: Start, outputs: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is computed at the start, with the parameters, inputs and states with start values on which it may depend.
    Without what depends on held or delayed values, or if systems of equations determine the states."""
    ordered, free = solved.sorted_system, set(_free_starts(solved, start))
    system, states = ordered.system, ordered.states
    bound = {leaf: binding for leaf, binding in bindings_of(system.parameters).items() if leaf.op == "parameter"}
    computed = {leaf: binding for leaf, binding in bound.items() if binding.level == PARAMETER}
    leaves = [*(p for p in bound if p not in computed), *ordered.inputs, *(x for x in states if str(x.data) in free)]
    known = {leaf: 1 << k for k, leaf in enumerate(leaves)}
    lost = 1 << len(leaves)
    known |= {node: lost for node in (*(d.node for d in system.discrete), *(d.node for d in system.delays))}
    known |= {solved.pool.mode(k): lost for k in range(len(system.relations))}
    for _ in computed:  # each may be computed from others
        found = dict(zip(computed, _masks(list(computed.values()), known), strict=True))
        if found.items() <= known.items():
            break
        known |= found
    given = [x if x in known else value for x, value in zip(states, start.given, strict=True)]
    known |= {solved.pool.start(k): mask for k, mask in enumerate(_masks(given, known))}
    has_systems = bool(start.linear_systems or start.nonlinear_systems)
    begins = _masks(start.values, known)
    known |= {x: lost if has_systems else mask for x, mask in zip(states, begins, strict=True) if x not in known}
    values = {a.unknown: a.value for a in solved.assignments}
    roots = {name: _value(solved, values, name) for name in outputs}
    roots |= {f"der({x.data})": values.get(d, d) for x, d in zip(states, ordered.derivatives, strict=True)}
    roots |= {str(leaf.data): leaf for leaf in (*states, *computed) if str(leaf.data) not in free}
    for (name, _), mask in zip(roots.items(), _masks(list(roots.values()), known), strict=True):
        if not mask & lost:
            yield name, tuple(str(leaf.data) for k, leaf in enumerate(leaves) if mask >> k & 1)


def _masks(roots: Sequence[Expr], known: Mapping[Expr, int]) -> list[int]:
    """The leaves that each root contains, as the bits of a number."""
    found = dict(known)
    for node in reachable(roots, known):
        if node not in found:
            mask = 0
            for a in node.args:
                mask |= found[a]
            found[node] = mask
    return [found[root] for root in roots]


# --- cuts ----------------------------------------------------------------------------------------


def _of_cuts(root: Instance, driven: frozenset[str]) -> Iterator[str]:
    """The variables of the model's cuts that are outputs."""
    known = [*dict.fromkeys(cut.declared_name for cut in root.cuts)]
    for name in sorted(driven.difference(known)):
        raise RunError("E602", *unknown_name("cut", name, known))
    for cut in root.cuts:
        outward = cut.through if cut.declared_name in driven else cut.across
        yield from (name for name, _ in (*_members(outward), *_members(cut.carried)))


def _terminal(cut: Cut) -> Terminal | None:
    """The cut with its scalar variables; None for one without variables."""
    across, through = _members(cut.across), _members(cut.through)
    if not across and not through:
        return None
    kind = cut.cut_class.name if cut.cut_class is not None else ""
    return Terminal(cut.name, kind, cut.documentation, across, through, _members(cut.carried))


def _members(variables: tuple[CutVariable, ...] | None) -> tuple[tuple[str, str], ...]:
    found = [(v.name, v.value.shape) for v in variables or () if v.value is not None and v.sign > 0]
    return tuple((name, name) for whole, shape in found for name in element_names(whole, shape))
