"""Writes values of a submodel as functions of some of its variables, by what its equations give for the others.

An equation gives a variable that is alone on one side, or an element of a matrix there. Equations are read when they
are first needed. Knows nothing of other submodels.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.same_values import SameValues
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import Substitution, reachable, rewrite, variables_of
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.names.followed import stating_side
from cutset.compiler.instantiate.tree.control_flow import unrolled
from cutset.compiler.instantiate.tree.equations import array_equation
from cutset.compiler.instantiate.tree.scope import Within
from cutset.compiler.instantiate.values.evaluate import evaluate
from cutset.compiler.syntax import tree


class _Stated(NamedTuple):
    """An equation, the indices of its round of a loop, and the side that it gives."""

    indices: Mapping[str, Array]
    equation: tree.Equation
    given: Array


class Definitions:
    """What the equations of one submodel give for its variables. It holds no scope, which would hold it: each method
    gets that of the submodel."""

    def __init__(self) -> None:
        self._names: dict[Expr, str] = {}
        self._equations: dict[str, list[tuple[Mapping[str, Array], tree.Equation]]] = {}
        self._stated: dict[Expr, _Stated | None] = {}  # None: two equations give it, or it is being evaluated
        self._values: dict[Expr, tuple[Expr, Span]] = {}
        self._failed: set[Expr] = set()  # the error in their equation is reported
        self._are_read = False

    def in_terms_of(self, here: Within, value: Array, leaves: Collection[Expr], call: Span) -> Array:
        """The value as a function of these variables alone, and of other elements of the same vectors; ModelError names
        what else it contains."""
        self._read(here)
        values = here.node.values
        leaves = {e: None for x in leaves for e in (values[self._names[x]].elements if x in self._names else (x,))}
        given = self._replacements(here, value.elements, leaves)
        result = value.map(Substitution(here.pool, given))
        allowed, others = set(leaves), dict[Expr, None]()
        for node in reachable(result.elements):
            if node.level == TIME and node not in allowed and (not node.args or node.op == "delay"):
                others[node] = None
        is_alone = here.translation.assumed is not None  # a subclass or a surrounding model may give the others
        if not self._failed.isdisjoint(others) or (others and is_alone):
            raise ModelError([])
        if others:
            names = [text(node) for node in others]
            users = [
                span for leaf, (e, span) in self._values.items() if leaf in given and {*others} & {*reachable([e])}
            ]
            raise ModelError([messages.contains_others(names, call, users, here.instance)])
        return result

    def simplest(self, here: Within, value: Array) -> Array:
        """The value with each part replaced by a variable, or by a part of what equations give for one, that is equal
        to it: products of direction cosines and their derivatives become 0, 1 or less."""
        pool, given = here.pool, self._replacements(here, value.elements, ())
        leaves = [v for e in value.elements for v in variables_of(e)]
        same = SameValues(pool, [*leaves, *reachable(given.values())], given)
        made = rewrite(pool, value.elements, lambda node, args: same.merged(pool.rebuild(node, args) if args else node))
        return value.map(made.__getitem__)

    def in_terms_of_all(self, here: Within, e: Expr) -> Expr:
        """The value as a function of variables that no equation gives."""
        return Substitution(here.pool, self._replacements(here, [e], ()))(e)

    def place_of(self, leaf: Expr) -> Span | None:
        """The place of the equation that gives the variable."""
        return self._values[leaf][1] if leaf in self._values else None

    def _replacements(self, here: Within, roots: Sequence[Expr], leaves: Collection[Expr]) -> dict[Expr, Expr]:
        """For each variable under the roots, down to the leaves, what it is in terms of these."""
        done = {leaf: leaf for leaf in leaves}
        begun = set[Expr]()
        stack = [v for e in roots for v in variables_of(e)]
        while stack:
            leaf = stack[-1]
            found = None if leaf in done else self._value(here, leaf)
            waiting = [] if found is None else [v for v in variables_of(found) if v not in done and v not in begun]
            if waiting and leaf not in begun:
                begun.add(leaf)
                stack += waiting
                continue
            stack.pop()
            if found is not None:
                done[leaf] = Substitution(here.pool, done)(found)
        return done

    def _value(self, here: Within, leaf: Expr) -> Expr | None:
        """The other side of the only equation that gives the variable."""
        if leaf not in self._values and (stated := self._statement(here, leaf)) is not None:
            self._stated |= dict.fromkeys(stated.given.elements)
            equation = array_equation(replace(here, indices=stated.indices), stated.equation)
            self._failed |= set(stated.given.elements) if equation is None else set()
            sides = (equation.left.elements, equation.right.elements) if equation else ((), ())
            if stating_side(stated.equation, here.node.values) is stated.equation.right:
                sides = sides[::-1]
            for x, e in zip(*sides, strict=True):
                self._values[x] = e, stated.equation.span
        return self._values[leaf][0] if leaf in self._values else None

    def _statement(self, here: Within, leaf: Expr) -> _Stated | None:
        self._read(here)
        name = self._names.get(leaf, "")
        for indices, equation in self._equations.pop(name, ()):
            try:
                given = evaluate(stating_side(equation, here.node.values), replace(here, indices=indices))
            except ModelError:
                continue  # it is reported with the equation
            if all(e.op == "variable" for e in given.elements):
                for x in given.elements:
                    self._stated[x] = None if x in self._stated else _Stated(indices, equation, given)
        return self._stated.get(leaf)

    def _read(self, here: Within) -> None:
        """The variables, and the equations by the names on the sides that they give; no value is needed for it."""
        if self._are_read:
            return
        self._are_read, node = True, here.node
        self._names = {leaf: name for name, value in node.values.items() for leaf in value.elements}
        for inner, member in unrolled(replace(here, indices={}), node.body.statements):
            if isinstance(member, tree.Equation) and not member.is_closed:
                side = stating_side(member, node.values)
                for name in {r.parts[0].name for r in tree.references(side) if len(r.parts) == 1}:
                    self._equations.setdefault(name, []).append((inner.indices, member))


def with_definitions(here: Within) -> Within:
    """The scope, which knows what the equations of its submodel give."""
    return replace(here, definitions=Definitions())
