"""Syntax of an expression + the names in scope -> Tensor of scalar expressions, with shapes checked.

Must not know how names are declared: a Scope answers that.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.expressions import tensor as tensors
from cutset.compiler.expressions.differentiate import differentiate
from cutset.compiler.expressions.pool import RELATIONS, Expr, Pool, TooLarge, Undefined
from cutset.compiler.expressions.procedure import NotDifferentiable
from cutset.compiler.expressions.tensor import Shape, ShapeMismatch, Tensor, scalar, shape_words
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.events.functions import EVENT_FUNCTIONS, Call, call_event_function
from cutset.compiler.instantiate.functions import BUILTINS, SIZES
from cutset.compiler.syntax import tree

# An index that is out of range, a value that does not exist, an assertion and a loop of a function.
_NO_VALUE = {"E219", "E228", "E294", "E295"}


class Functions(Protocol):
    """The functions that the model declares."""

    def find(self, parts: tuple[tree.Part, ...]) -> tree.Function | None:
        """The function that is called by a name, with prefixes or without, where it is written; None if there is none."""

    def declared(self) -> Sequence[tree.Function]:
        """All of them, in the order of reading."""

    def all(self) -> Sequence[tree.Function]:
        """Those that are right, in the order of reading."""

    def names(self, span: Span) -> Collection[str]:
        """What can be written at a place without a prefix."""

    def call(self, function: tree.Function, span: Span, arguments: Sequence[Tensor], scope: Scope) -> Tensor:
        """The result of a call that is written in `scope`; raises ModelError."""


class Scope(Protocol):
    """What an expression may refer to."""

    @property
    def functions(self) -> Functions: ...

    @property
    def instance(self) -> str:
        """The path of the instance, for messages."""

    def find(self, parts: tuple[tree.Part, ...], span: Span) -> Tensor:
        """The value of a (dotted) name, its last part without arguments; raises ModelError."""

    def knows(self, name: str) -> bool:
        """Is `name` a variable, parameter or constant here?"""

    def derivative(self, variable: Expr) -> Expr:
        """The leaf that stands for the derivative of a variable's leaf."""

    def index_may_vary(self) -> bool:
        """May an index be a value that is known only in a run?"""
    @property
    def place(self) -> str:
        """What the expression belongs to, for functions that may not stand everywhere: see events/functions.py."""

    def after(self, variable: Expr, part: tree.Part) -> Expr:
        """The leaf that stands for the value of a variable after an event."""

    def number(self, value: Expr, what: str, span: Span) -> float:
        """The number that a value has at translation, its parameters made structural; raises ModelError where there is
        none (without diagnostics where the translation begins again for it)."""



def evaluate(expression: tree.Expression, scope: Scope, pool: Pool) -> Tensor:
    """The value; raises ModelError with the place of what is wrong."""
    try:
        return _Evaluator(scope, pool).value(expression)
    except TooLarge as error:
        error.where = error.where or (expression.span, scope.instance)
        raise


def element_number(part: tree.Part, length: int, scope: Scope, pool: Pool) -> int:
    """Which of the `length` elements of an array of submodels `part` names, from 1; raises ModelError."""
    return _Evaluator(scope, pool).number_of(part, length)


def indices_of(
    part: tree.Part, shape: Shape, scope: Scope, pool: Pool
) -> list[int | range | Expr]:
    """Which elements (from 0) the indices of `part` name in an array of this shape; an index known only in a run, where
    `scope` allows one, is an expression (from 1). Raises ModelError."""
    return _Evaluator(scope, pool).indices(part, shape)


def whole_number(expression: tree.Expression, scope: Scope, pool: Pool) -> int:
    """A whole number that is known at translation; raises ModelError."""
    return _Evaluator(scope, pool).whole(expression)


class _Evaluator:
    """Recursion is over the nesting of brackets, which the parser bounds; chains of operators are loops."""

    def __init__(self, scope: Scope, pool: Pool):
        self._scope = scope
        self._pool = pool

    def value(self, e: tree.Expression) -> Tensor:
        result = self._value(e)
        self._pool.spend(1 + len(result.elements))
        return result

    def _value(self, e: tree.Expression) -> Tensor:
        try:
            match e:
                case tree.Number():
                    return scalar(self._pool.constant(e.value))
                case tree.Reference():
                    return self._reference(e)
                case tree.Binary():
                    return self._binary(e)
                case tree.Unary():
                    return self._unary(e)
                case tree.Matrix():
                    values = iter(self._values([entry for row in e.rows for entry in row]))
                    return tensors.stack([[next(values) for _ in row] for row in e.rows])
                case tree.Conditional():
                    return self._conditional(e)
        except ShapeMismatch as error:
            raise self._wrong(messages.wrong_shape(str(error), e.span, self._scope.instance, error.hint)) from error
        except Undefined as error:
            raise self._undefined(error, e) from error
        what, hint = "a range", "a range stands only as an index: x(1..3)"
        if isinstance(e, tree.Text):
            what, hint = "a text", "a text is no value; numbers and names are written without quotes"
        raise self._wrong(messages.wrong_shape(f"{what} cannot stand here", e.span, self._scope.instance, hint))

    def _values(self, expressions: Sequence[tree.Expression]) -> list[Tensor]:
        """All values; where several are wrong, ModelError has the mistakes of all."""
        values: list[Tensor] = []
        diagnostics: list[Diagnostic] = []
        failed = False
        for e in expressions:
            try:
                values.append(self.value(e))
            except ModelError as error:
                failed = True
                diagnostics += error.diagnostics
        if failed:
            raise ModelError(diagnostics)
        return values

    def _wrong(self, diagnostic: Diagnostic) -> ModelError:
        return ModelError([diagnostic])

    def _undefined(self, error: Undefined, e: tree.Expression) -> ModelError:
        hint = "" if any(r.parts[-1].arguments is None for r in tree.references(e)) else "numbers alone have no such value: change them"
        return self._wrong(messages.undefined_value(str(error), e.span, self._scope.instance, hint))

    def _binary(self, e: tree.Binary) -> Tensor:
        # a + b + c + ... leans to the left: walk down that side in a loop.
        spine = [e]
        while isinstance(spine[-1].left, tree.Binary):
            spine.append(spine[-1].left)
        spine.reverse()
        result, *others = self._values([spine[0].left, *(node.right for node in spine)])
        for node, other in zip(spine, others):
            try:
                result = self._apply(node.operator, result, other)
                self._pool.spend(len(result.elements))
            except ShapeMismatch as error:
                raise self._wrong(messages.wrong_shape(str(error), node.span, self._scope.instance, error.hint)) from error
            except Undefined as error:
                raise self._undefined(error, node) from error
        return result

    def _apply(self, operator: str, a: Tensor, b: Tensor) -> Tensor:
        pool = self._pool
        match operator:
            case "+":
                return tensors.elementwise(pool.add, a, b, "added")
            case "-":
                return tensors.elementwise(pool.sub, a, b, "subtracted")
            case "*":
                return tensors.multiply(pool, a, b)
            case "/":
                return tensors.divide(pool, a, b)
            case "^":
                return tensors.power(pool, a, b)
            case "and" | "or":
                return scalar(pool.logical(operator, a.scalar, b.scalar))
        assert operator in RELATIONS, operator
        return scalar(pool.relation(operator, a.scalar, b.scalar))

    def _unary(self, e: tree.Unary) -> Tensor:
        a = self.value(e.operand)
        match e.operator:
            case "-":
                return a.map(self._pool.neg)
            case "'":
                return tensors.transpose(a)
            case "not":
                return scalar(self._pool.logical("not", a.scalar))
        return a

    def _conditional(self, e: tree.Conditional) -> Tensor:
        """What a condition that is known here does not choose need not have a value."""
        decided = failed = False
        tests: list[Expr] = []
        values: list[Tensor | None] = []
        diagnostics: list[Diagnostic] = []
        for condition, branch in [*e.branches, (None, e.otherwise)]:
            test = self._pool.one
            try:
                if condition is not None:
                    found = self._where_needed(condition, not decided)
                    test = self._pool.zero if found is None else found.scalar
            except ModelError as error:
                failed = True
                diagnostics += error.diagnostics
            try:
                values.append(self._where_needed(branch, not decided and test is not self._pool.zero))
            except ModelError as error:
                failed = True
                diagnostics += error.diagnostics
            tests.append(test)
            decided = decided or (test.op == "constant" and test is not self._pool.zero)
        if failed:
            raise ModelError(diagnostics)
        given = [value for value in values if value is not None]
        for value in given[:-1]:
            if value.shape != given[-1].shape:
                shapes = f"{shape_words(value.shape)} and {shape_words(given[-1].shape)}"
                raise ShapeMismatch(f"the branches differ: {shapes}", "all have one shape; zeros(n) and zeros(n, m) are zeros of one")
        return self._chosen(tests, values)

    def _chosen(self, tests: Sequence[Expr], values: Sequence[Tensor | None]) -> Tensor:
        """The value of the first test that holds; the last one does."""
        result = values[-1]
        for test, value in reversed([*zip(tests, values)][:-1]):
            if value is None or result is None:
                result = result if value is None else value
                continue
            pairs = zip(value.elements, result.elements)
            result = Tensor(result.shape, tuple(self._pool.choose(test, x, y) for x, y in pairs))
        assert result is not None
        return result

    def _where_needed(self, e: tree.Expression, needed: bool) -> Tensor | None:
        """The value; None where it is not needed and there is none."""
        try:
            return self.value(e)
        except ModelError as error:
            if needed or not error.diagnostics or any(d.code not in _NO_VALUE for d in error.diagnostics):
                raise
            return None

    def number_of(self, part: tree.Part, length: int) -> int:
        arguments = part.arguments or ()
        if len(arguments) != 1:
            found = "no index" if not arguments else f"{len(arguments)} indices"
            text = f"'{part.name}' is an array of {length} submodels, but has {found}"
            raise self._wrong(messages.bad_index(text, part.span, self._scope.instance, _one_of(part)))
        if isinstance(arguments[0], tree.Range | tree.Everything):
            text = f"one submodel of '{part.name}' is needed here, not a range of them"
            raise self._wrong(messages.bad_index(text, arguments[0].span, self._scope.instance, _one_of(part)))
        index = self._index(arguments[0], part, length)
        assert isinstance(index, int)
        return index + 1

    # --- names, indices, functions -------------------------------------------------------------

    def _reference(self, e: tree.Reference) -> Tensor:
        last = e.parts[-1]
        if len(e.parts) == 1 and not self._scope.knows(last.name):
            if last.arguments is not None:
                return self._call(last)
            if last.name == "time":
                return scalar(self._pool.time)
            if last.name in ("true", "false"):
                return scalar(self._pool.one if last.name == "true" else self._pool.zero)
            if last.name in BUILTINS or last.name in EVENT_FUNCTIONS or last.name == "der":
                hint = f"'{last.name}' is a function: {last.name}(...)"
                raise self._wrong(messages.unknown_name(last.name, last.span, (), self._scope.instance, hint))
        function = self._scope.functions.find(e.parts) if len(e.parts) > 1 and last.arguments is not None else None
        if function is not None:
            return self._scope.functions.call(function, e.span, self._values(last.arguments or ()), self._scope)
        value = self._scope.find(e.parts, e.span)
        return value if last.arguments is None else self._indexed(value, last)

    def _indexed(self, value: Tensor, part: tree.Part) -> Tensor:
        indices = self.indices(part, value.shape)
        if any(isinstance(i, Expr) for i in indices):
            outside = self._pool.fault(f"an index of '{part.name}' is out of range ({part.span})")
            return tensors.pick_varying(self._pool, value, indices, outside)
        return tensors.pick(value, indices)  # type: ignore[arg-type]

    def indices(self, part: tree.Part, shape: Shape) -> list[int | range | Expr]:
        instance = self._scope.instance
        arguments = part.arguments or ()
        if not arguments:
            raise self._wrong(messages.bad_index("the brackets hold no index", part.span, instance))
        if len(arguments) != len(shape):
            text = f"'{part.name}' is {shape_words(shape)}, but has {len(arguments)} " + (
                "index" if len(arguments) == 1 else "indices"
            )
            hint = "an index for each dimension; ':' stands for all elements" if shape else f"a product is written {part.name}*(...); else take the brackets away"
            raise self._wrong(messages.bad_index(text, part.span, instance, hint))
        return [self._index(a, part, length) for a, length in zip(arguments, shape)]

    def _index(self, e: tree.Expression, part: tree.Part, length: int) -> int | range | Expr:
        if isinstance(e, tree.Everything):
            return range(length)
        if isinstance(e, tree.Range):
            first, last = self.whole(e.start), self.whole(e.stop)
            if first < 1 or last > length:
                text = f"'{part.name}' has elements 1 to {length}, not {first} to {last}"
                raise self._wrong(messages.bad_index(text, e.span, self._scope.instance))
            return range(first - 1, last)
        try:
            value = self._scalar(e)
        except ModelError as error:
            hint = f"where it counts the elements add: for {e.span.text} = 1..{length}"
            raise ModelError(
                replace(d, hint=hint) if d.code == "E211" and d.span == e.span and d.hint.startswith("declare it: local") else d
                for d in error.diagnostics
            ) from error
        if value.op != "constant" and self._scope.index_may_vary():
            return value
        k = self._whole(value, e.span)
        if not 1 <= k <= length:
            text = f"'{part.name}' has elements 1 to {length}, not {k}"
            raise self._wrong(messages.bad_index(text, e.span, self._scope.instance))
        return k - 1

    def whole(self, e: tree.Expression) -> int:
        return self._whole(self._scalar(e), e.span)

    def _scalar(self, e: tree.Expression) -> Expr:
        try:
            return self.value(e).scalar
        except ShapeMismatch as error:
            raise self._wrong(messages.wrong_shape(str(error), e.span, self._scope.instance, error.hint)) from error

    def _whole(self, value: Expr, span: Span) -> int:
        number = self._scope.number(value, "an index", span)
        if not number.is_integer():
            text = f"an index must be a whole number, not {number:g}"
            raise self._wrong(messages.bad_index(text, span, self._scope.instance))
        return int(number)

    def _call(self, part: tree.Part) -> Tensor:
        arguments = part.arguments or ()
        instance = self._scope.instance
        if part.name == "der":
            return self._derivative(part)
        if part.name in EVENT_FUNCTIONS:
            return self._event_function(part, arguments)
        if part.name not in BUILTINS:
            functions = self._scope.functions
            declared = functions.find((part,))
            if declared is not None:
                return functions.call(declared, part.span, self._values(arguments), self._scope)
            known = [*BUILTINS, *EVENT_FUNCTIONS, *functions.names(part.span), "der"]
            raise self._wrong(messages.unknown_function(part.name, part.span, known, instance))
        function, arity = BUILTINS[part.name]
        if arity is not None and len(arguments) != arity:
            raise self._wrong(messages.wrong_arguments(part.name, arity, len(arguments), part.span, instance))
        values = self._values(arguments)
        if part.name in SIZES:
            values = [
                *values[: SIZES[part.name]],
                *map(self._size, values[SIZES[part.name] :], arguments[SIZES[part.name] :]),
            ]
        return function(self._pool, *values)

    def _size(self, value: Tensor, written: tree.Expression) -> Tensor:
        return scalar(self._pool.constant(self._scope.number(value.scalar, "a size", written.span)))

    def _event_function(self, part: tree.Part, arguments: tuple[tree.Expression, ...]) -> Tensor:
        _, counts = EVENT_FUNCTIONS[part.name]
        if len(arguments) not in counts:
            found = len(arguments)
            raise self._wrong(messages.wrong_arguments(part.name, counts, found, part.span, self._scope.instance))
        return call_event_function(Call(self._pool, self._scope, part, self._values(arguments)))

    def _derivative(self, part: tree.Part) -> Tensor:
        arguments = part.arguments or ()
        if not 1 <= len(arguments) <= 2:
            raise self._wrong(messages.wrong_arguments("der", (1, 2), len(arguments), part.span, self._scope.instance))
        order = 1.0
        if len(arguments) == 2:
            order = self._scope.number(self._scalar(arguments[1]), "the order of a derivative", arguments[1].span)
        if order not in range(1, 11):
            text = f"the order of a derivative must be a whole number from 1 to 10, not {order:g}"
            hint = "the second derivative is written der(x, 2)"
            raise self._wrong(messages.bad_index(text, arguments[1].span, self._scope.instance, hint))
        value = self.value(arguments[0])
        try:
            for _ in range(int(order)):
                value = value.map(lambda e: differentiate(self._pool, e, self._scope.derivative))
        except NotDifferentiable as error:
            raise self._wrong(messages.not_differentiable(str(error), part.span, self._scope.instance)) from error
        return value


def _one_of(part: tree.Part) -> str:
    return f"name one of them: {part.name}(1)"
