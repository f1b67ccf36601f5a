"""Describes what an expression may refer to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from cutset.compiler.diagnostics import Span
from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.instantiate.names.meanings import Meaning, Meanings
from cutset.compiler.syntax import tree


class Functions(Protocol):
    """The functions that the model declares."""

    def meanings(self, function: tree.Function) -> Meanings:
        """What references in its body mean."""
        ...

    def declared(self) -> Sequence[tree.Function]:
        """All of them, in the order of reading."""
        ...

    def all(self) -> Sequence[tree.Function]:
        """Those that are right, in the order of reading."""
        ...

    def names(self, span: Span) -> Collection[str]:
        """What can be written at a place without a prefix."""
        ...

    def call(self, function: tree.Function, span: Span, arguments: Sequence[Array], scope: Scope) -> Array:
        """The result of a call that is written in `scope`; raises ModelError."""
        ...


class Scope(Protocol):
    """What an expression may refer to."""

    @property
    def look(self) -> int:
        """What looking at a part of an expression counts as work, in scalars: little text of a function is looked at
        often."""
        ...

    @property
    def functions(self) -> Functions: ...

    @property
    def instance(self) -> str:
        """The path of the instance, for messages."""
        ...

    def find(self, parts: tuple[tree.Part, ...], span: Span) -> Array:
        """The value of a variable, an index or a member, without the arguments of its last part; raises ModelError,
        also for an unknown name."""
        ...

    def meaning(self, e: tree.Reference) -> Meaning:
        """What a reference means here."""
        ...

    def derivative(self, variable: Expr) -> Expr:
        """The leaf that stands for the derivative of a variable's leaf."""
        ...

    def index_may_vary(self) -> bool:
        """May an index be a value that is known only in a run?"""
        ...

    @property
    def place(self) -> str:
        """What the expression belongs to, for functions that are allowed in some places only: see
        events/builtin_functions.py."""
        ...

    def after(self, variable: Expr, part: tree.Part) -> Expr:
        """The leaf that stands for the value of a variable after an event."""
        ...

    def with_numbers(self, value: Array) -> Array:
        """The value, with numbers in the place of variables that the scope says are no more than that."""
        ...

    def number(self, value: Expr, what: str, span: Span) -> float:
        """The number that a value has at translation, its parameters made structural; raises ModelError where there is
        none (without diagnostics where the translation begins again for it)."""
        ...
