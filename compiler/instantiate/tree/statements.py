"""Collects the statements of one submodel: equations, connections, events, initial equations, assertions.

Does not look at other submodels, nor decide which variables are discrete: events/diagnose.py does.
"""

from __future__ import annotations

from dataclasses import field, replace

from cutset.compiler.instantiate.events.model import Assertion, Events, Update, When
from cutset.compiler.instantiate.events.read import (
    assertion_of,
    initial_equations,
    read_restart_at_start,
    read_updates,
    read_when,
    special_form,
)
from cutset.compiler.instantiate.instance import ArrayEquation, InactiveBranches, Join
from cutset.compiler.instantiate.tree.connections import joins_of
from cutset.compiler.instantiate.tree.control_flow import Unrolled, unrolled
from cutset.compiler.instantiate.tree.equations import array_equation
from cutset.compiler.instantiate.tree.scope import Within
from cutset.compiler.instantiate.tree.terminals import bound_terminals
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass


@dataclass
class Statements:
    """All statements, kind by kind; `initial` are the initial equations."""

    equations: list[ArrayEquation] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)
    whens: list[When] = field(default_factory=list)
    assertions: list[Assertion] = field(default_factory=list)
    initial: list[ArrayEquation] = field(default_factory=list)
    inactive_branches: list[InactiveBranches] = field(default_factory=list)

    @property
    def events(self) -> Events:
        """The events, and the assertions."""
        return Events(tuple(self.updates), tuple(self.whens), tuple(self.assertions))


def statements_of(here: Within) -> Statements:
    """The statements of a submodel; those with errors are reported and omitted."""
    here.translation.observer.pause()
    result = Statements()
    for inner, member in unrolled(here, here.node.body.statements):
        _take(result, inner, member)
    result.equations += bound_terminals(here)
    return result


def _take(result: Statements, here: Within, member: Unrolled) -> None:
    match member:
        case InactiveBranches():
            result.inactive_branches.append(member)
        case tree.Connect():
            result.joins += joins_of(here, member)
        case tree.When():
            result.whens += read_when(here, member)
        case tree.Initial():
            result.initial += initial_equations(replace(here, place="initial"), member.members)
        case tree.Assertion():
            result.assertions += assertion_of(replace(here, place="assertion"), member)
        case tree.Equation():
            form = special_form(here, member.left)
            if form == "new":
                result.updates += read_updates(here, member)
            elif form == "init":
                result.initial += read_restart_at_start(here, member)
            elif (equation := array_equation(here, member)) is not None:
                result.equations.append(equation)
