"""Defines the events of an Instance, a flat model and an equation system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from cutset.compiler.diagnostics import Span
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.text import text
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Update:
    """`new(x) = e`, element by element: after an event the discrete variable `target` has the value. The value may
    contain variables (with their values before the event) and leaves `new(y)` (values of y after it)."""

    target: Expr
    value: Expr
    span: Span
    instance: str

    def __str__(self) -> str:
        return f"new({self.target.data}) = {text(self.value)}"


@dataclass(frozen=True, slots=True)
class Restart:
    """`init(x) = e` in a `when`: at the event the state `target` restarts from the value."""

    target: Expr
    value: Expr
    span: Span
    instance: str

    def __str__(self) -> str:
        return f"init({self.target.data}) = {text(self.value)}"


@dataclass(frozen=True, slots=True)
class Assertion:
    """The run fails if the condition is violated or, with `terminates`, ends successfully as soon as it is true. In a
    `when` it is evaluated once, at the event. With `of_preference` it states that the preferred states are valid;
    others exist."""

    terminates: bool
    condition: Expr
    text: str
    span: Span
    instance: str
    of_preference: bool = False

    def __str__(self) -> str:
        return f'{"terminate" if self.terminates else "assert"} {text(self.condition)}, "{self.text}"'


@dataclass(frozen=True, slots=True)
class WhenBranch:
    """The actions at the instant at which the condition becomes true; they act simultaneously."""

    condition: Expr
    updates: tuple[Update, ...]
    restarts: tuple[Restart, ...]
    assertions: tuple[Assertion, ...]
    span: Span

    def actions(self) -> Iterator[Update | Restart | Assertion]:
        """All actions, kind by kind."""
        yield from self.updates
        yield from self.restarts
        yield from self.assertions


@dataclass(frozen=True, slots=True)
class When:
    """Branches in the order of the text: of those whose conditions become true at one instant the first acts."""

    branches: tuple[WhenBranch, ...]
    instance: str

    def __str__(self) -> str:
        lines = []
        for word, branch in zip(("when", *["elsewhen"] * len(self.branches)), self.branches, strict=False):
            lines.append(f"{word} {text(branch.condition)} then")
            lines += [f"  {action}" for action in branch.actions()]
        return "\n".join([*lines, "endwhen"])


@dataclass(frozen=True, slots=True)
class Events:
    """`updates` are those outside of `when`, which happen at every event; `assertions` those that always hold. A
    variable is the target of a single update, or of updates in several branches of one `when`."""

    updates: tuple[Update, ...] = ()
    whens: tuple[When, ...] = ()
    assertions: tuple[Assertion, ...] = ()

    @staticmethod
    def together(parts: Iterable[Events]) -> Events:
        """The events of all parts, in order."""
        several = list(parts)
        return Events(
            tuple(u for part in several for u in part.updates),
            tuple(w for part in several for w in part.whens),
            tuple(a for part in several for a in part.assertions),
        )

    def branches(self) -> Iterator[WhenBranch]:
        """The branches of all whens."""
        return (branch for when in self.whens for branch in when.branches)

    def all_updates(self) -> Iterator[Update]:
        """All updates, inside and outside of whens."""
        yield from self.updates
        yield from (update for branch in self.branches() for update in branch.updates)

    def expressions(self) -> Iterator[Expr]:
        """All conditions and values, without targets."""
        yield from (update.value for update in self.updates)
        for branch in self.branches():
            yield branch.condition
            yield from (update.value for update in branch.updates)
            yield from (restart.value for restart in branch.restarts)
            yield from (assertion.condition for assertion in branch.assertions)
        yield from (assertion.condition for assertion in self.assertions)

    def map(self, value: Callable[[Expr], Expr], restart: Callable[[Restart], Restart | None]) -> Events:
        """The events with `value` applied to all conditions and values, then `restart` to the restarts; restarts that
        become None are removed."""

        def update(u: Update) -> Update:
            return replace(u, value=value(u.value))

        def assertion(a: Assertion) -> Assertion:
            return replace(a, condition=value(a.condition))

        def branch(b: WhenBranch) -> WhenBranch:
            restarts = (restart(replace(r, value=value(r.value))) for r in b.restarts)
            return replace(
                b,
                condition=value(b.condition),
                updates=tuple(map(update, b.updates)),
                restarts=tuple(r for r in restarts if r is not None),
                assertions=tuple(map(assertion, b.assertions)),
            )

        whens = tuple(replace(when, branches=tuple(map(branch, when.branches))) for when in self.whens)
        return Events(tuple(map(update, self.updates)), whens, tuple(map(assertion, self.assertions)))

    def lines(self) -> list[str]:
        """Lines for dumps, each starting with its instance."""
        items: list[Update | When | Assertion] = [*self.updates, *self.whens, *self.assertions]
        lines = []
        for item in items:
            first, *others = str(item).split("\n")
            lines += [f"{item.instance or '(top)'}: {first}", *(f"  {line}" for line in others)]
        return lines
