"""Evaluates indices: the indices of a part of a name -> the elements that they select.

All functions raise ModelError with the place of the error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.expressions import array as arrays
from cutset.compiler.expressions.array import Array, Shape, ShapeMismatch, by_words, shape_words
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.names.lookup import Scope
from cutset.compiler.syntax import tree


class Indices(ABC):
    """The indices of expressions in one scope; a subclass evaluates the expressions."""

    def __init__(self, scope: Scope):
        self._scope = scope
        self._pool = scope.pool
        # The lengths of the dimensions whose indices are being evaluated, the innermost last.
        self._lengths: list[int] = []

    @abstractmethod
    def value(self, e: tree.Expression) -> Array:
        """The value of an expression; raises ModelError."""

    def number_of(self, part: tree.Part, shape: Shape, elements: str = "submodels") -> int:
        """The number of the element of an array of submodels, cuts or nodes, row by row from 0."""
        number = 0
        for argument, length in zip(self.arguments_of(part, shape, elements), shape, strict=True):
            if isinstance(argument, tree.Range | tree.Everything):
                text = f"expected one of the {elements} of '{part.name}', found a range"
                raise _wrong(messages.bad_index(text, argument.span, self._scope.instance, _one_of(part, shape)))
            index = self._index(argument, part, length)
            assert isinstance(index, int)
            number = number * length + index
        return number

    def arguments_of(self, part: tree.Part, shape: Shape, elements: str = "submodels") -> tuple[tree.Expression, ...]:
        """The indices of an element, or of several, one for each dimension of the array."""
        arguments = part.arguments or ()
        if len(arguments) != len(shape):
            found = "no index" if not arguments else "one index" if len(arguments) == 1 else f"{len(arguments)} indices"
            text = f"'{part.name}' is an array of {by_words(shape)} {elements}, but has {found}"
            raise _wrong(messages.bad_index(text, part.span, self._scope.instance, _one_of(part, shape)))
        return arguments

    def indexed(self, value: Array, part: tree.Part) -> Array:
        """The selected elements of a value."""
        indices = self.indices(part, value.shape)
        if any(isinstance(i, Expr) for i in indices):
            outside = self._pool.fault(f"an index of '{part.name}' is out of range ({part.span})")
            return arrays.pick_varying(self._pool, value, indices, outside)
        return arrays.pick(value, indices)  # type: ignore[arg-type]

    def indices(self, part: tree.Part, shape: Shape) -> list[int | range | Expr]:
        """The selected elements in each dimension, from 0; those known only in a run are expressions, from 1."""
        instance = self._scope.instance
        arguments = part.arguments or ()
        if not arguments:
            raise _wrong(messages.bad_index("the parentheses contain no index", part.span, instance))
        if len(arguments) != len(shape):
            text = f"'{part.name}' is {shape_words(shape)}, but has {len(arguments)} " + (
                "index" if len(arguments) == 1 else "indices"
            )
            hint = "give an index for each dimension; ':' selects all elements"
            if not shape and [a.span.text for a in arguments] == ["0"]:
                hint = (
                    f"for a start value write {part.name} (start=...) in the declaration, or {part.name} = ... between "
                    "'initial' and 'endinitial'"
                )
            elif not shape:
                hint = f"write a product as {part.name}*(...), or remove the parentheses"
            raise _wrong(messages.bad_index(text, part.span, instance, hint))
        return [self._index(a, part, length) for a, length in zip(arguments, shape, strict=False)]

    def rounds(self, e: tree.Range) -> range:
        """The numbers of a range."""
        first, last = self.whole(e.start), self.whole(e.stop)
        step = 1 if e.step is None else self.whole(e.step)
        if step == 0:
            raise _wrong(messages.bad_index("the step of a range is zero", e.span, self._scope.instance))
        return range(first, last + (1 if step > 0 else -1), step)

    def _index(self, e: tree.Expression, part: tree.Part, length: int) -> int | range | Expr:
        self._lengths.append(length)
        try:
            return self._index_within(e, part, length)
        finally:
            self._lengths.pop()

    def _index_within(self, e: tree.Expression, part: tree.Part, length: int) -> int | range | Expr:
        if isinstance(e, tree.Everything):
            return range(length)
        if isinstance(e, tree.Range):
            numbers = self.rounds(e)
            first, last = (numbers[0], numbers[-1]) if numbers else (self.whole(e.start), self.whole(e.stop))
            if min(first, last) < 1 or max(first, last) > length:
                text = f"'{part.name}' has elements 1 to {length}, not {first} to {last}"
                raise _wrong(messages.bad_index(text, e.span, self._scope.instance))
            return range(numbers.start - 1, numbers.stop - 1, numbers.step)
        try:
            value = self.scalar(e)
        except ModelError as error:
            names = {reference.span for reference in tree.references(e)}
            raise ModelError(
                replace(d, hint=f"if it numbers the elements, add: for {d.span.text} = 1..{length}")
                if d.code == "E211" and d.span and d.span in names and d.hint.startswith("declare it: local")
                else d
                for d in error.diagnostics
            ) from error
        if value.op != "constant" and self._scope.index_may_vary():
            return value
        k = self._whole(value, e.span)
        if not 1 <= k <= length:
            text = f"'{part.name}' has elements 1 to {length}, not {k}"
            raise _wrong(messages.bad_index(text, e.span, self._scope.instance))
        return k - 1

    def whole(self, e: tree.Expression) -> int:
        """A whole number that is known at translation."""
        return self._whole(self.scalar(e), e.span)

    def scalar(self, e: tree.Expression) -> Expr:
        """The value of an expression that must be scalar."""
        try:
            return self.value(e).scalar
        except ShapeMismatch as error:
            raise _wrong(messages.wrong_shape(str(error), e.span, self._scope.instance, error.hint)) from error

    def _whole(self, value: Expr, span: Span) -> int:
        number = self._scope.number(value, "an index", span)
        if not number.is_integer():
            text = f"an index must be a whole number, not {number:g}"
            raise _wrong(messages.bad_index(text, span, self._scope.instance))
        return int(number)


def _wrong(diagnostic: Diagnostic) -> ModelError:
    return ModelError([diagnostic])


def _one_of(part: tree.Part, shape: Shape) -> str:
    return f"name one of them: {part.name}({','.join('1' for _ in shape)})"
