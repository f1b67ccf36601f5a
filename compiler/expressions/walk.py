"""Traverses the expression DAG: order, substitution, leaves.

Iterative, since a DAG may be as deep as a model is long.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Protocol

from cutset.compiler.expressions.pool import TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.text import text

_by_age = attrgetter("id")


def variables_of(root: Expr) -> tuple[Expr, ...]:
    """The variables under `root`, each once, in order of creation."""
    if root.variables is None:
        root.variables = (root,) if root.op == "variable" else _variables_below(root)
    return root.variables


def _variables_below(root: Expr) -> tuple[Expr, ...]:
    found: list[Expr] = []
    seen: set[Expr] = set()
    stack = [root]
    while stack:
        for a in stack.pop().args:
            if a.level == TIME and a not in seen:
                seen.add(a)
                if a.args:
                    stack.append(a)
                elif a.op == "variable":
                    found.append(a)
    found.sort(key=_by_age)
    return tuple(found)


def reachable(roots: Iterable[Expr], known: Container[Expr] = ()) -> list[Expr]:
    """Every node under `roots` (inclusive) in topological order, children first; a node that is `known` is visited,
    those below it are not."""
    seen = set(roots)
    stack = [root for root in seen if root not in known]
    while stack:
        for a in stack.pop().args:
            if a not in seen:
                seen.add(a)
                if a.args and a not in known:
                    stack.append(a)
    return sorted(seen, key=_by_age)


def varying(roots: Iterable[Expr], known: Container[Expr] = ()) -> list[Expr]:
    """The time-varying nodes under `roots` (inclusive), children first, without the `known` ones and without those
    below only these."""
    seen = {root for root in roots if root.level == TIME and root not in known}
    stack = list(seen)
    while stack:
        for a in stack.pop().args:
            if a.level == TIME and a not in seen and a not in known:
                seen.add(a)
                if a.args:
                    stack.append(a)
    return sorted(seen, key=_by_age)


def inside_iterations(nodes: Sequence[Expr], known: Container[Expr] = ()) -> set[Expr]:
    """The nodes (children first) that depend on the unknowns of an iteration, within it."""
    inside: set[Expr] = set()
    if not any(node.op == "newton" for node in nodes):
        return inside
    for node in nodes:
        if node in known or node.op == "newton":
            continue
        if node.op == "iterate" or any(a in inside for a in node.args):
            inside.add(node)
    return inside


def postorder(root: Expr, done: Container[Expr], below: Callable[[Expr], Iterable[Expr]]) -> Iterator[Expr]:
    """The nodes under `root` that are not `done`, each after those `below` it; the caller has done one before it takes
    the next."""
    stack = [root]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
        elif waiting := [a for a in below(node) if a not in done]:
            stack += waiting
        else:
            yield stack.pop()


def always_needed(roots: Iterable[Expr]) -> set[Expr]:
    """Every node under `roots` that is evaluated for all values of conditions: none that occurs in branches of `if`
    only."""
    seen = set(roots)
    stack = list(seen)
    while stack:
        node = stack.pop()
        for a in node.args[:1] if node.op == "if" else node.args:
            if a not in seen:
                seen.add(a)
                stack.append(a)
    return seen


class Known(Protocol):
    """Replacements of variables; a dict is one."""

    def get(self, variable: Expr, default: Expr, /) -> Expr:
        """The replacement of a variable, or the default if there is none."""


class Substitution:
    """Replaces variables by expressions and folds again. Results are cached, so the replacement of a variable that has
    been visited must not change. A branch that becomes undefined is a fault of the run; Undefined if all is."""

    def __init__(self, pool: Pool, mapping: Known):
        self._pool = pool
        self._done: dict[Expr, Expr] = {}
        self._undefined: dict[Expr, Undefined] = {}
        self.mapping = mapping

    def __call__(self, root: Expr) -> Expr:
        if root.level < TIME:
            return root
        done, mapping, rebuilt = self._done, self.mapping, self._rebuilt
        stack = [root]
        while stack:
            node = stack[-1]
            args = node.args
            if node in done:
                stack.pop()
            elif not args:
                done[node] = mapping.get(node, node)
                stack.pop()
            elif len(args) == 2:  # most nodes; a separate case because translation spends its time in this loop
                a, b = args
                x = done.get(a) if a.level == TIME else a
                y = done.get(b) if b.level == TIME else b
                if x is None:
                    if a.args:
                        stack.append(a)
                    else:
                        x = done[a] = mapping.get(a, a)
                if y is None:
                    if b.args:
                        stack.append(b)
                    else:
                        y = done[b] = mapping.get(b, b)
                if x is not None and y is not None:
                    stack.pop()
                    done[node] = node if x is a and y is b else rebuilt(node, (x, y))
            else:
                waiting = [a for a in args if a.level == TIME and a not in done]
                if waiting:
                    stack += waiting
                else:
                    stack.pop()
                    new = tuple(done[a] if a.level == TIME else a for a in args)
                    done[node] = node if new == args else self._rebuilt(node, new)
        for fault in self._undefined.keys() & always_needed([done[root]]) if self._undefined else ():
            raise self._undefined[fault]
        return done[root]

    def _rebuilt(self, node: Expr, args: tuple[Expr, ...]) -> Expr:
        try:
            return self._pool.rebuild(node, args)
        except Undefined as error:
            where = f"{text(node.args[1])} is zero" if node.op == "div" else f"in {text(node)}"
            fault = self._pool.fault(f"{error}: {where}")
            self._undefined[fault] = Undefined(f"{error}: {where}")
            return fault


def rewrite(
    pool: Pool,
    roots: Iterable[Expr],
    rule: Callable[[Expr, Sequence[Expr]], Expr | None],
    done: dict[Expr, Expr] | None = None,
) -> dict[Expr, Expr]:
    """Every node under `roots` with its replacement: rule(node, new arguments), or the node with its new arguments if
    the rule returns None. What is `done` has its replacement there, and the others are added."""
    done = {} if done is None else done
    for node in reachable(roots, done):
        if node in done:
            continue
        args = [done[a] for a in node.args]
        new = rule(node, args)
        if new is None:
            new = node if all(x is y for x, y in zip(args, node.args, strict=False)) else pool.rebuild(node, args)
        done[node] = new
    return done


def terms_of(e: Expr) -> list[tuple[Expr, bool]]:
    """The terms of a sum in order, each with True if it is subtracted."""
    found, waiting = [], [(e, False)]
    while waiting:
        term, is_taken = waiting.pop()
        if term.op in ("add", "sub"):
            waiting += [(term.args[1], is_taken != (term.op == "sub")), (term.args[0], is_taken)]
        elif term.op == "neg":
            waiting.append((term.args[0], not is_taken))
        else:
            found.append((term, is_taken))
    return found
