"""Collects remarks on start values: those that are not used, first guesses, and those that a run must check.

Chooses nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace

from cutset.compiler.diagnostics import Label, Span
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.flatten.model import Unknown
from cutset.compiler.instantiate.instance import Strength, parameter_numbers
from cutset.compiler.sort.start_order import Started, is_firm, is_written
from cutset.compiler.sort.system import SortedSystem, StartCheck, StartCondition
from cutset.compiler.sort.system import is_written as is_of_the_model
from cutset.contract.names import rpartition


class Remarks:
    """`held` are the variables that start at their own start values."""

    def __init__(self, sorted_system: SortedSystem, started: Started, held: Collection[Expr]):
        self._sorted, self._system = sorted_system, sorted_system.system
        self._started, self._held = started, set(held)
        self._picked = {v for s in sorted_system.states for v in sorted_system.picked(s)}
        self._numbers = RandomPoint(parameter_numbers(self._system.parameters))

    def vain(self) -> Iterator[Label]:
        """Start values without effect."""
        for u in self._started.declared.values():
            if (
                not is_firm(u)
                or u.node in self._held
                or u.node in self._picked
                or u.node in self._sorted.states
                or not self._has_nonzero_start(u)
                or self._started.is_driven(u.node)
            ):
                continue
            if u.node in self._system.derivatives:
                if u.strength is Strength.CLASS and not self._started.is_guess(u.node):
                    yield self._label(u, "is not used: other start values determine it")
            elif (
                is_written(u)
                and not self._started.iterated
                and not self._system.initial
                and not self._started.hangs_on_relations(u.node)
            ):
                yield self._label(u, f"is not used: it is not a state, {self._follows(u)}")

    def guesses(self) -> Iterator[Label]:
        """Start values that are guesses among several solutions."""
        for u in self._free():
            if u.node not in self._picked and self._has_nonzero_start(u) and self._started.is_guess(u.node):
                yield self._guess(u)
        for state in self._sorted.states:
            declared = self._started.declared.get(state)
            if declared is not None and is_written(declared) and self._system.initial and state not in self._held:
                yield self._guess(declared)
        for picked, count in self._sets().items():
            written = self._written(picked)
            if len(written) <= count and self._gives_way(written, picked):
                yield from (self._guess(u) for u in written if u.node not in self._held)
            elif len(written) > count and self._are_guesses(picked):
                names = ", ".join(f"'{u.node.data}'" for u in written)
                used = (
                    "one is fixed, the others are guesses"
                    if count == 1
                    else f"{count} are fixed, the others are guesses"
                )
                yield Label(place_of(self._sorted, written[0]), f"of the start values of {names}, {used}")

    def checks(self) -> Iterator[StartCheck]:
        """Start values that the model gives to variables that follow from others."""
        for u in self._free():
            driven = u.node in self._picked or self._started.is_driven(u.node)
            if not driven and not self._started.is_guess(u.node):
                yield self._check(u, [v for v in self._determining(u) if v is not u])
        for u in self._system.pinned:
            if is_written(u):
                yield self._check(u, [])
        for picked, count in self._sets().items():
            written = self._written(picked)
            if not self._are_guesses(picked) or (len(written) <= count and not self._gives_way(written, picked)):
                for u in written:
                    if u.node not in self._held:
                        yield self._check(u, [v for v in written if v is not u])

    def defaults(self) -> tuple[str, ...]:
        """Parameters whose defaults are start values unless others are stronger: given in a run, they count more."""
        found: dict[str, None] = {}
        for u in self._started.declared.values():
            found |= dict.fromkeys(u.start_parameters)
            is_default = is_firm(u) and u.strength is Strength.DEFAULT and u.node in self._system.derivatives
            if not is_default or (u.node in self._held and not self._system.initial):
                continue
            found |= dict.fromkeys(u.defaults)
        return tuple(found)

    def weak(self) -> tuple[str, ...]:
        """The states whose start values count more if a run gives them."""
        declared = [u for u in map(self._started.declared.get, self._sorted.states) if u is not None]
        return tuple(str(u.node.data) for u in declared if is_of_the_model(u.node) and not is_written(u))

    def _free(self) -> list[Unknown]:
        """The variables with a given start value and a derivative that do not start there by themselves."""
        return [u for u in self._started.others if is_written(u) and u.node not in self._held]

    def _has_nonzero_start(self, u: Unknown) -> bool:
        return u.start is not None and self._numbers.value(u.start) != 0.0

    def _label(self, u: Unknown, what: str) -> Label:
        return Label(place_of(self._sorted, u), f"the start value of '{u.node.data}' {what}")

    def _follows(self, u: Unknown) -> str:
        names = [f"'{s.data}'" for s in self._started.roots(u.node)]
        return (
            f"its value follows from {' and '.join(names)}"
            if 0 < len(names) < 3
            else "its value follows from the equations"
        )

    def _sets(self) -> Counter[tuple[Expr, ...]]:
        sets = Counter(tuple(self._sorted.picks(state)) for state in self._sorted.states)
        del sets[()]
        return sets

    def _written(self, picked: tuple[Expr, ...]) -> list[Unknown]:
        return [u for u in map(self._started.declared.get, picked) if u is not None and is_written(u)]

    def _gives_way(self, written: list[Unknown], picked: tuple[Expr, ...]) -> bool:
        """True if an initial equation with several solutions replaces these start values."""
        return (
            self._started.has_initial_equations
            and self._are_guesses(picked)
            and any(u.node not in self._held for u in written)
        )

    def _guess(self, u: Unknown) -> Label:
        return self._label(u, "is a guess: it selects among the solutions of the equations that determine it")

    def _are_guesses(self, picked: tuple[Expr, ...]) -> bool:
        return any(map(self._started.is_guess, picked))

    def _determining(self, u: Unknown) -> list[Unknown]:
        """The variables with given values among the states from which it follows, and among held variables that follow
        from them."""
        roots = set(self._started.roots(u.node))
        held = [v for v in self._started.declared.values() if is_written(v) and v.node in self._held]
        return [v for v in held if v.node in roots or not roots.isdisjoint(self._started.roots(v.node))]

    def _initial_labels(self) -> tuple[Label, ...]:
        """The initial equations of the model."""
        initial = self._system.initial if self._started.has_initial_equations else ()
        return tuple(Label(e.origin.span, e.origin.span.text) for e in initial)

    def _check(self, u: Unknown, others: list[Unknown]) -> StartCheck:
        assert u.start is not None
        labels = tuple(Label(place_of(self._sorted, v), str(v.node.data)) for v in others)
        has_states = bool(self._started.roots(u.node))
        return StartCheck(
            str(u.node.data),
            u.start,
            place_of(self._sorted, u),
            has_states,
            labels,
            () if labels else self._initial_labels(),
        )


def redundant_note(condition: StartCondition) -> Label:
    """The note on a start condition that follows from others."""
    others = [label.text for label in condition.others]
    if others == [condition.label.text]:
        return replace(condition.label, text=f"{others[0]} is given twice")
    those = (
        f"{', '.join(others[:-1])} and {others[-1]}"
        if len(others) > 1
        else others[0]
        if others
        else "the equations of the model"
    )
    return replace(
        condition.label,
        text=f"{condition.label.text} is redundant at the start: it follows from {those}; each run checks it (E644)",
    )


def place_of(sorted_system: SortedSystem, unknown: Unknown) -> Span:
    """The place of its start value: the declaration of its submodel, or its own."""
    if unknown.start_place is not None:
        return unknown.start_place
    instance = rpartition(str(unknown.node.data))[0]
    return sorted_system.system.places.get(instance, unknown.span) if instance else unknown.span
