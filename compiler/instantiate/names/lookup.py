"""Defines the interfaces of scopes and functions, with which expressions look up names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.pool import UNKNOWN, Expr, Pool
from cutset.compiler.instantiate.events.builtin_functions import Context
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.instantiate.names.meanings import Meaning, Meanings, meanings_of_function
from cutset.compiler.instantiate.names.table_files import TableFile
from cutset.compiler.instantiate.types.value_types import Types
from cutset.compiler.syntax import tree


class Functions(ABC):
    """The functions that the model declares; `wrong` has the errors in those that have any, by their identity."""

    def __init__(self, library: Library, types: Types):
        self._library = library
        self._meanings = {id(f): meanings_of_function(f, types, library.names) for f in self.declared()}
        self._named: dict[Span, TableFile] = {}
        self.wrong: Mapping[int, Sequence[Diagnostic]] = {}

    def meanings(self, function: tree.Function) -> Meanings:
        """The meanings of references in its body."""
        return self._meanings[id(function)]

    def declared(self) -> list[tree.Function]:
        """All declared functions, in the order of reading."""
        return list({id(f): f for names in self._library.names.values() for f in names.functions.values()}.values())

    def all(self) -> list[tree.Function]:
        """The valid functions, in the order of reading."""
        return [f for f in self.declared() if id(f) not in self.wrong]

    def names(self, span: Span) -> Collection[str]:
        """The names that can be used at a place without a prefix."""
        return [name for name in self._library.names[span.source].functions if not tree.is_result(name)]

    def table(self, span: Span) -> TableFile:
        """The table in a file that the call of `table` at this place names; an empty one if none was read."""
        return self._library.tables.get(span) or self._named.get(span) or TableFile((), ())

    def table_named(self, name: Expr, column: Expr | None, at: Span) -> TableFile:
        """The table in the file with the name in a text, for the call at this place. All tables that a call reads have
        one unit, with which `table` tells it. ModelError for a file that cannot be used."""
        assert self._library.data is not None
        words, place = name.data
        if place is UNKNOWN:
            raise ModelError([])
        found = self._library.data.table(words, None if column is None else column.data[0], place, at)
        if self._named.setdefault(at, found).unit != found.unit:
            raise ModelError([class_messages.tables_in_units(words, found.unit, self._named[at].unit, place or at)])
        return found

    def row_named(self, name: Expr, row: Expr, at: Span) -> dict[str, tuple[float | str, str]]:
        """The entries of a row of a table, likewise, by the names of its columns: each with its unit."""
        assert self._library.data is not None
        words, place = name.data
        return {} if UNKNOWN in (place, row.data[1]) else self._library.data.row(words, row.data[0], place, at)

    def mesh(self, span: Span) -> int:
        """The number of the mesh file that the call of `mesh` at this place names, from 1."""
        return self._library.meshes.numbers[span]

    @abstractmethod
    def call(self, function: tree.Function, span: Span, arguments: Sequence[Array], scope: Scope) -> Array:
        """The result of a call that is written in `scope`; raises ModelError, with the place of the call in each
        diagnostic."""


class Scope(Context):
    """The names to which an expression may refer. Functions that only models may call are reported before the body of a
    function is evaluated, so only the scopes of models implement them."""

    __slots__ = ()
    # The work of evaluating a part of an expression, in scalars: the body of a function may be evaluated often.
    look = 1

    @property
    @abstractmethod
    def pool(self) -> Pool:
        """The pool of all expressions."""

    @property
    @abstractmethod
    def functions(self) -> Functions:
        """The functions of the model."""

    @abstractmethod
    def find(self, parts: tuple[tree.Part, ...]) -> Array:
        """The value of a variable, an index or a member, without the arguments of its last part; raises ModelError,
        also for an unknown name."""

    @abstractmethod
    def meaning(self, e: tree.Reference) -> Meaning:
        """The meaning of a reference here."""

    def index_may_vary(self) -> bool:
        """True if an index may be a value that is known only in a run."""
        return False

    def with_numbers(self, value: Array) -> Array:
        """The value, with known numbers substituted for variables."""
        return value

    def simplest(self, e: tree.Expression, value: Array) -> Array:
        """The value of an expression, in its simplest form where that is wanted."""
        return value

    def derivative(self, variable: Expr) -> Expr:
        """The leaf for the derivative of a variable's leaf."""
        raise NotImplementedError

    def group_size(self, group: str) -> int:
        """How many numbers of the group the model has, at least 1."""
        raise NotImplementedError

    def random_stream(self, name: str) -> int:
        """The number of a random stream of the instance."""
        raise NotImplementedError
