"""Evaluates an expression: its syntax, the names in scope -> Array of scalar expressions, with shapes checked.

Does not know how names are declared: a Scope resolves them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import assert_never

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.expressions import array as arrays
from cutset.compiler.expressions.array import Array, ShapeMismatch, fitted, scalar, shape_words
from cutset.compiler.expressions.differentiate import differentiate
from cutset.compiler.expressions.pool import PARAMETER, Expr, Pool, TooLarge, Undefined
from cutset.compiler.expressions.switched_values import switched_values
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.events.builtin_functions import EVENT_FUNCTIONS, Call, EventFunction
from cutset.compiler.instantiate.names import meanings
from cutset.compiler.instantiate.names.file_calls import function_of_file
from cutset.compiler.instantiate.names.lookup import Scope
from cutset.compiler.instantiate.names.table_files import TableFile
from cutset.compiler.instantiate.types.value_types import literal_number
from cutset.compiler.instantiate.values.builtin_functions import BUILTINS, Builtin
from cutset.compiler.instantiate.values.indices import Indices
from cutset.compiler.syntax import tree
from cutset.contract.functions import RELATIONS

# An index out of range, a missing value, an assertion and a loop of a function.
_NUMBERS = "change the numbers"
_NO_VALUE = {"E219", "E228", "E294", "E295"}
# From this many products of elements on, a product of matrices substitutes known numbers for variables; smaller ones
# are not changed.
_MANY_TERMS = 27


def evaluate(expression: tree.Expression, scope: Scope) -> Array:
    """The value; raises ModelError with the place of the error."""
    try:
        return scope.simplest(expression, Evaluator(scope).value(expression))
    except TooLarge as error:
        error.where = error.where or (expression.span, scope.instance)
        raise


def is_of_names(error: ModelError) -> bool:
    """True if expressions have no value because of the values of names in them, not of numbers written there."""
    return bool(error.diagnostics) and all(d.code == "E228" and d.hint != _NUMBERS for d in error.diagnostics)


def message_of(error: ModelError) -> str:
    """The first of these errors, for a run."""
    first = error.diagnostics[0]
    return f"{first.message} ({first.span})"


# What the operators that act element by element make of two elements.
_EACH = {"*": Pool.mul, "/": Pool.div, "^": Pool.power}


class Evaluator(Indices):
    """Evaluates expressions in one scope. Recursion is over the nesting of parentheses, which the parser limits; chains
    of operators are loops."""

    def value(self, e: tree.Expression) -> Array:
        """The value; raises ModelError."""
        result = self._value(e)
        self._pool.spend(self._scope.look + len(result.elements))
        return result

    def _value(self, e: tree.Expression) -> Array:
        try:
            match e:
                case tree.Number() | tree.Quantity():
                    return scalar(self._pool.constant(e.value))
                case tree.Text():
                    return scalar(self._pool.text(e.value, e.span))
                case tree.Reference():
                    return self._reference(e)
                case tree.Binary():
                    return self._binary(e)
                case tree.Unary():
                    return self._unary(e)
                case tree.Matrix():
                    values = iter(self._values([entry for row in e.rows for entry in row]))
                    return arrays.stack([[next(values) for _ in row] for row in e.rows])
                case tree.Comprehension():
                    return self._comprehension(e)
                case tree.Conditional():
                    return self._conditional(e)
                case tree.Last() if self._lengths:
                    return scalar(self._pool.constant(self._lengths[-1]))
        except ShapeMismatch as error:
            raise self._wrong(messages.wrong_shape(str(error), e.span, self._scope.instance, error.hint)) from error
        except Undefined as error:
            raise self._undefined(error, e) from error
        what, hint = "a range", "a range can only be an index: x(1..3)"
        if isinstance(e, tree.Last):
            what, hint = "'end'", "'end' is the number of the last element, and stands in an index: x(end), x(2..end)"
        raise self._wrong(messages.wrong_shape(f"{what} is not allowed here", e.span, self._scope.instance, hint))

    def _values(self, expressions: Sequence[tree.Expression]) -> list[Array]:
        """All values; ModelError has the errors of all."""
        values: list[Array] = []
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
        hint = "" if any(r.parts[-1].arguments is None for r in tree.references(e)) else _NUMBERS
        return self._wrong(messages.undefined_value(str(error), e.span, self._scope.instance, hint))

    def _binary(self, e: tree.Binary) -> Array:
        spine = [*tree.chain(e)][::-1]
        result, *others = self._values([spine[0].left, *(node.right for node in spine)])
        before: tuple[Array, Array] | None = None  # the factors of the last product, if the last operator was one
        for node, other in zip(spine, others, strict=False):
            try:
                left = result
                if (
                    node.operator == "*"
                    and not node.elementwise
                    and left.rows * left.columns * other.columns >= _MANY_TERMS
                ):
                    left, other = self._scope.with_numbers(left), self._scope.with_numbers(other)
                if node.elementwise:
                    result = arrays.each(partial(_EACH[node.operator], self._pool), left, other)
                elif before and node.operator == "*" and arrays.is_congruence(self._pool, *before, other):
                    result = arrays.multiply_symmetric(self._pool, left, other)
                else:
                    result = self._apply(node.operator, left, other)
                before = (left, other) if node.operator == "*" and not node.elementwise else None
                self._pool.spend(len(result.elements))
            except ShapeMismatch as error:
                raise self._wrong(
                    messages.wrong_shape(str(error), node.span, self._scope.instance, error.hint)
                ) from error
            except Undefined as error:
                raise self._undefined(error, node) from error
        return result

    def _apply(self, operator: str, a: Array, b: Array) -> Array:
        pool = self._pool
        match operator:
            case "+":
                return arrays.elementwise(pool.add, a, b, "added")
            case "-":
                return arrays.elementwise(pool.sub, a, b, "subtracted")
            case "*":
                return arrays.multiply(pool, a, b)
            case "/":
                return arrays.divide(pool, a, b)
            case "^":
                return arrays.power(pool, a, b)
            case "and" | "or":
                return scalar(pool.logical(operator, a.scalar, b.scalar))
        assert operator in RELATIONS, operator
        return scalar(pool.relation(operator, a.scalar, b.scalar))

    def _unary(self, e: tree.Unary) -> Array:
        a = self.value(e.operand)
        match e.operator:
            case "-":
                return a.map(self._pool.neg)
            case "'":
                return arrays.transpose(a)
            case "not":
                return scalar(self._pool.logical("not", a.scalar))
        return a

    def _conditional(self, e: tree.Conditional) -> Array:
        """A branch that a known condition does not choose may be undefined. One that a run may choose may be, too, if
        that follows from the values of names: then the run fails where it chooses it."""
        decided = failed = uncertain = False
        tests: list[Expr] = []
        values: list[Array | None] = []
        diagnostics: list[Diagnostic] = []
        faults: dict[int, Expr] = {}
        for condition, branch in [*e.branches, (None, e.otherwise)]:
            test = self._pool.one
            try:
                if condition is not None:
                    found = self._where_needed(condition, not decided)
                    test = self._pool.zero if found is None else found.scalar
            except ModelError as error:
                failed = True
                diagnostics += error.diagnostics
            uncertain = uncertain or test.op != "constant"
            try:
                value = self._where_needed(branch, not decided and test is not self._pool.zero)
                if value is not None and value.elements[0].op == "text" and condition is not None:
                    test = self._pool.constant(self._scope.number(test, "what chooses a text", condition.span))
                values.append(value)
            except ModelError as error:
                if uncertain and is_of_names(error) and not (failed or decided):
                    faults[len(values)] = self._pool.fault(message_of(error))
                    values.append(None)
                else:
                    failed = True
                    diagnostics += error.diagnostics
            tests.append(test)
            decided = decided or (test.op == "constant" and test is not self._pool.zero)
        if failed:
            raise ModelError(diagnostics)
        given = [value for value in values if value is not None]
        if faults and not given:
            return scalar(next(iter(faults.values())))
        for k, fault in faults.items():
            values[k] = Array(given[-1].shape, (fault,) * len(given[-1].elements))
        last = given[-1].shape
        values = [value if value is None else fitted(value, last) for value in values]
        for value in given[:-1]:
            if fitted(value, last).shape != last:
                shapes = f"{shape_words(value.shape)} and {shape_words(last)}"
                raise ShapeMismatch(
                    f"the branches have different shapes: {shapes}",
                    "all branches must have the same shape; use zeros(n) or zeros(n, m) for zeros",
                )
        return self._chosen(tests, values)

    def _comprehension(self, e: tree.Comprehension) -> Array:
        """The values of all rounds, the last index varying fastest; those of two indices are a matrix."""
        if len(e.indices) > 2:
            hint = "a comprehension has one index for a vector, and two for a matrix"
            raise ShapeMismatch(f"there are {len(e.indices)} indices", hint)
        rounds = [self.rounds(index.range) for index in e.indices]
        arrays.bounded(tuple(len(each) for each in rounds))
        if not all(rounds):
            raise ShapeMismatch("a range of this comprehension is empty", "an array has one element at least")
        rows = [
            [self.value(e.at(numbers)) for numbers in product(each, *rounds[1:])] for each in ([k] for k in rounds[0])
        ]
        if len(rounds) == 1:
            rows = [[each for row in rows for each in row]]
        return arrays.stack(rows)

    def _chosen(self, tests: Sequence[Expr], values: Sequence[Array | None]) -> Array:
        """The value of the first test that is true; the last one always is."""
        result = values[-1]
        for test, value in reversed([*zip(tests, values, strict=False)][:-1]):
            if value is None or result is None:
                result = result if value is None else value
                continue
            pairs = zip(value.elements, result.elements, strict=False)
            result = Array(result.shape, tuple(self._pool.choose(test, x, y) for x, y in pairs))
        assert result is not None
        return result

    def _where_needed(self, e: tree.Expression, needed: bool) -> Array | None:
        """The value; None if it is not needed and undefined."""
        try:
            return self.value(e)
        except ModelError as error:
            if needed or not error.diagnostics or any(d.code not in _NO_VALUE for d in error.diagnostics):
                raise
            return None

    # --- names, functions -------------------------------------------------------------

    def _reference(self, e: tree.Reference) -> Array:
        last = e.parts[-1]
        match self._scope.meaning(e):
            case meanings.Variable() | meanings.Member() | meanings.Index():
                value = self._scope.find(e.parts)
            case meanings.Literal(enumeration=enumeration):
                value = scalar(self._pool.constant(literal_number(enumeration, last, self._scope.instance)))
            case meanings.BuiltinCall(function=builtin):
                return self._call(builtin, last)
            case meanings.EventCall(function=event_function):
                return self._event_function(event_function, last)
            case meanings.Derivative():
                return self._derivative(last)
            case meanings.FunctionCall(function=function):
                return self._declared_call(function, e.span, self._values(last.arguments or ()))
            case meanings.CountCall(group=group):
                return scalar(self._pool.constant(self._scope.group_size(group)))
            case meanings.NumberCall(group=group):
                raise self._wrong(messages.number_elsewhere(group, e.span, self._scope.instance))
            case meanings.StreamCall(name=name):
                return scalar(self._pool.constant(self._scope.random_stream(name)))
            case meanings.TableCall():
                table = self._table(e)
                return Array(table.shape, tuple(map(self._pool.constant, table.numbers)))
            case meanings.MeshCall():
                return scalar(self._pool.constant(self._scope.functions.mesh(e.span)))
            case meanings.Time():
                return scalar(self._pool.time)
            case meanings.Truth(value=truth):
                return scalar(self._pool.one if truth else self._pool.zero)
            case meanings.MathConstant(value=number):
                return scalar(self._pool.constant(number))
            case meanings.UnknownFunction():
                known = [*BUILTINS, *EVENT_FUNCTIONS, *self._scope.functions.names(last.span), "der"]
                declared = self._scope.functions.declared()
                raise self._wrong(
                    messages.unknown_function(last.name, last.span, known, self._scope.instance, declared)
                )
            case meanings.UnknownName(is_function=True):
                hint = f"'{last.name}' is a function: write {last.name}(...)"
                raise self._wrong(messages.unknown_name(last.name, last.span, (), self._scope.instance, hint))
            case meanings.UnknownName():
                return self._scope.find(e.parts)  # reports the error
            case unreachable:
                assert_never(unreachable)
        return value if last.arguments is None else self.indexed(value, last)

    def _table(self, e: tree.Reference) -> TableFile:
        if function_of_file(e):
            return self._scope.functions.table(e.span)
        name, *column = (self.text(a, "the name of a file or a column") for a in e.parts[0].arguments or ())
        return self._scope.functions.table_named(name, next(iter(column), None), e.span)

    def text(self, e: tree.Expression, what: str) -> Expr:
        """The text that an expression is; raises ModelError for another value."""
        found = self.value(e)
        value = found.elements[0] if found.elements else self._pool.zero
        if value.op != "text" or found.shape:
            hint = "write it in quotes, or give a parameter of texts"
            raise self._wrong(messages.wrong_shape(f"{what} is one text", e.span, self._scope.instance, hint))
        return value

    def _declared_call(self, function: tree.Function, span: Span, values: Sequence[Array]) -> Array:
        """One of scalars is called for every element of arrays."""
        declared = [*function.arguments, *filter(None, [function.result])]
        if any(each.dimensions for each in declared) or not any(a.shape for a in values):
            return self._scope.functions.call(function, span, values, self._scope)

        def of_elements(*elements: Expr) -> Expr:
            return self._scope.functions.call(function, span, [scalar(each) for each in elements], self._scope).scalar

        return arrays.each(of_elements, *values)

    def _call(self, builtin: Builtin, part: tree.Part) -> Array:
        arguments = part.arguments or ()
        if builtin.arity is not None and len(arguments) != builtin.arity:
            raise self._wrong(
                messages.wrong_arguments(part.name, builtin.arity, len(arguments), part.span, self._scope.instance)
            )
        values = self._values(arguments)
        if (first := builtin.sizes_from) is not None:
            values = [*values[:first], *map(self._size, values[first:], arguments[first:])]
        result = builtin.value(self._pool, *values)
        if builtin.scatters and result.scalar.level > PARAMETER and self._scope.place not in ("action", "branch"):
            raise self._wrong(messages.scattered_elsewhere(part.name, part.span, self._scope.instance))
        return result

    def _size(self, value: Array, written: tree.Expression) -> Array:
        return scalar(self._pool.constant(self._scope.number(value.scalar, "a size", written.span)))

    def _event_function(self, function: EventFunction, part: tree.Part) -> Array:
        arguments = part.arguments or ()
        if len(arguments) not in function.counts:
            counts, found = function.counts, len(arguments)
            raise self._wrong(messages.wrong_arguments(part.name, counts, found, part.span, self._scope.instance))
        return function.value(Call(self._pool, self._scope, part, self._values(arguments)))

    def _derivative(self, part: tree.Part) -> Array:
        arguments = list(part.arguments or ())
        if not 1 <= len(arguments) <= 2:
            raise self._wrong(messages.wrong_arguments("der", (1, 2), len(arguments), part.span, self._scope.instance))
        of, *orders = arguments
        order = 1.0
        if orders:
            order = self._scope.number(self.scalar(orders[0]), "the order of a derivative", orders[0].span)
        if order not in range(1, 11):
            text = f"the order of a derivative must be a whole number from 1 to 10, not {order:g}"
            hint = "write the second derivative as der(x, 2)"
            raise self._wrong(messages.bad_index(text, orders[0].span, self._scope.instance, hint))
        value = self.value(of)
        if any(switched_values(value.elements)):
            raise self._wrong(messages.derivative_of_choice(of.span, self._scope.instance))
        try:
            for _ in range(int(order)):
                value = value.map(lambda e: differentiate(self._pool, e, self._scope.derivative))
        except NotDifferentiable as error:
            raise self._wrong(messages.not_differentiable(str(error), part.span, self._scope.instance)) from error
        return value
