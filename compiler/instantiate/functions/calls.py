"""Calls user functions: each call is executed at translation if possible, otherwise a function is generated.

Does not look into a body: execution does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError, Span
from cutset.compiler.expressions.array import Array, Shape, shape_words, size_of
from cutset.compiler.expressions.pool import CONSTANT, Expr, Pool
from cutset.compiler.expressions.user_function import Derivative, UserFunction
from cutset.compiler.instantiate import messages as general
from cutset.compiler.instantiate.functions import messages
from cutset.compiler.instantiate.functions.diagnose import check_functions, derivative_of, result_of
from cutset.compiler.instantiate.functions.execution import Call, Execution, NotDecided
from cutset.compiler.instantiate.functions.generated import Recording, generated_function
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.instantiate.names.lookup import Functions, Scope
from cutset.compiler.instantiate.names.visible import find_function
from cutset.compiler.instantiate.types.functions import is_real
from cutset.compiler.instantiate.types.value_types import Types
from cutset.compiler.instantiate.values.evaluate import is_of_names, message_of
from cutset.compiler.syntax import tree
from cutset.contract.metadata import External

_DEEPEST = 40
# The limit on calls that are executed or generated in a translation.
MOST_CALLS = 20_000
_MOST_LABELS = 3
# The arguments of a controller before its own.
_OF_CONTROLLERS = ("acts", "time")
# What a call depends on: the function (its identity), and shape and elements (their ids) of each argument.
_Key = tuple[int, tuple[tuple[Shape, tuple[int, ...]], ...]]


class _TooDeep(Exception):
    """Nested calls without an end. Not a ModelError, since other parts of an expression must not continue. `itself`: a
    single function calls itself."""

    def __init__(self, itself: bool):
        super().__init__()
        self.itself = itself


class DeclaredFunctions(Functions):
    """The user functions of one translation."""

    def __init__(self, library: Library, types: Types, pool: Pool, allow_external: bool = False):
        super().__init__(library, types)
        self._pool = pool
        self._allow_external = allow_external
        self._types = types
        self.wrong = check_functions(self.declared(), library.names, types, self.meanings)
        self._results: dict[_Key, Array] = {}
        self._generated: dict[object, tuple[UserFunction, dict[str, Shape]]] = {}
        self._active: list[_Key] = []
        self._calls = 0
        # Generated functions whose derivatives are generated after the call: they may call the function.
        self._underived: list[tuple[Call, UserFunction, Shape]] = []

    def diagnostics(self) -> list[Diagnostic]:
        """The errors in all functions, called or not."""
        return [*dict.fromkeys(d for found in self.wrong.values() for d in found)]

    def call(self, function: tree.Function, span: Span, arguments: Sequence[Array], scope: Scope) -> Array:
        """As `Functions.call`."""
        if id(function) in self.wrong:
            raise ModelError([])
        if len(arguments) != len(function.arguments):
            counts = (len(function.arguments), len(arguments))
            wrong = general.wrong_arguments(function.name, *counts, span, scope.instance)
            raise ModelError([replace(wrong, labels=(Label(function.span, "declared here"),))])
        call = Call(function, tuple(arguments), span, scope, self, self._types, self._pool)
        key = (id(function), tuple((a.shape, tuple(e.id for e in a.elements)) for a in arguments))
        if function.is_controller:
            return self._controlled(call)
        if key not in self._results:
            with self._entered(key, call):
                self._results[key] = self._result(call)
        while self._underived and not self._active:
            self._derive(*self._underived.pop())
        return self._results[key]

    @contextmanager
    def _entered(self, key: _Key, call: Call) -> Iterator[None]:
        """Ends an infinite recursion, and adds the place of the call to each error."""
        name = call.function.name
        around = [k for k in self._active if k[0] == key[0]]
        numbers = any(e.level == CONSTANT for a in call.arguments for e in a.elements)
        self._active.append(key)
        self._calls += 1
        try:
            if key in around or len(around) >= _DEEPEST or (around and not numbers):
                raise _TooDeep(True)
            if len(self._active) > _DEEPEST:
                raise _TooDeep(bool(around))
            if self._calls > MOST_CALLS:
                what = f"its functions are called more than {MOST_CALLS} times with different arguments"
                raise ModelError([general.too_large(what, (call.span, call.caller.instance))])
            yield
        except (_TooDeep, RecursionError) as error:
            itself = error.itself if isinstance(error, _TooDeep) else bool(around)
            if len(self._active) > 1:
                raise _TooDeep(itself) from error
            raise ModelError([messages.endless_recursion(name, itself, call.span, call.caller.instance)]) from error
        except ModelError as error:
            raise ModelError([_called(d, call.span) for d in error.diagnostics]) from error
        finally:
            self._active.pop()

    def _result(self, call: Call) -> Array:
        if not call.function.external and (call.is_constant or not self._is_opaque(call.function)):
            try:
                return inlined(call)
            except NotDecided:
                pass
        generated, shapes = self._generated_function(call)
        free = [e for a in call.arguments for e in a.elements if e.level > CONSTANT]
        elements = iter(self._pool.apply(generated, free))
        results = {name: Array(shape, tuple(islice(elements, size_of(shape)))) for name, shape in shapes.items()}
        return results[result_of(call.function).name]

    def _is_opaque(self, function: tree.Function) -> bool:
        return derivative_of(function) is not None

    # --- generated functions --------------------------------------------------------------------------------

    def _generated_function(self, call: Call) -> tuple[UserFunction, dict[str, Shape]]:
        """One for each set of shapes and numbers, and the shapes of its results; functions for several results of one
        are one."""
        spread = tuple(
            (a.shape, tuple(e.data if e.level == CONSTANT else None for e in a.elements)) for a in call.arguments
        )
        key = (id(call.function.all_results or call.function), spread, _component(call))
        if key not in self._generated:
            made, shapes = self._foreign(call) if call.function.external else generated_function(call)
            self._generated[key] = made, shapes
            if derivative_of(call.function) is not None:
                self._underived.append((call, made, shapes[result_of(call.function).name]))
        return self._generated[key]

    def _controlled(self, call: Call) -> Array:
        """The result of a controller. It has its own state for each place of a call in each submodel, so that equal
        calls there are one; an FMU has one state in its submodel. Its first arguments are whether its branch acts,
        which solve_events fills in, and time."""
        function, pool = call.function, self._pool
        if call.caller.place != "action":
            raise ModelError([messages.controller_outside_when(function.name, call.span, call.caller.instance)])
        free = [e for a in call.arguments for e in a.elements if e.level > CONSTANT]
        numbers = tuple(tuple(e.id for e in a.elements) for a in call.arguments)
        place = None if _component(call) else call.span
        key = (id(function), place, call.caller.instance, numbers)
        if key not in self._generated:
            self._generated[key] = self._foreign(call)
            pool.has_controllers = True
        made, shapes = self._generated[key]
        return Array(shapes[result_of(function).name], pool.apply(made, [pool.one, pool.time, *free]))

    def _foreign(self, call: Call) -> tuple[UserFunction, dict[str, Shape]]:
        function, pool = call.function, self._pool
        file = self._library.foreign.get(function.span)
        # The standard library is trusted, but no call of others: they could tell its functions wrong sizes of arrays.
        if not (self._allow_external or (function.span.source.is_shipped and call.span.source.is_shipped)):
            where = call.caller.instance
            refused = messages.external_not_allowed(function.name, function.external, call.span, where, function.span)
            raise ModelError([refused])
        signature = Recording(call)
        shape = signature.prepare()
        before = [pool.variable(f"{function.name}() {what}") for what in _OF_CONTROLLERS if function.is_controller]
        texts = () if file is None else file.texts
        external = External(
            function.name,
            function.external,
            tuple(a.shape for a in call.arguments),
            tuple(tuple(e.data if e.level == CONSTANT else None for e in a.elements) for a in call.arguments),
            shape,
            "" if file is None else os.path.abspath(file.path),
            function.is_controller,
            () if file is None else file.names,
            _component(call),
        )
        leaves = tuple(
            pool.variable(f"{function.name}().result({k + 1}) {function.span}") for k in range(size_of(shape))
        )
        made = UserFunction(function.name, (*before, *signature.arguments), leaves, foreign=external, texts=texts)
        return made, {result_of(function).name: shape}

    def _derive(self, call: Call, generated: UserFunction, shape: Shape) -> None:
        """Find the derivative that the model declares, for arguments of these shapes."""
        named = derivative_of(call.function)
        assert named is not None
        reference, span = named
        function = find_function(self._library.names, reference.parts)
        if function is None or id(function) in self.wrong:
            raise ModelError([])
        slopes, of, position = [], [], 0
        for argument, value in zip(call.function.arguments, call.arguments, strict=False):
            elements = []
            for k, e in enumerate(value.elements):
                free = e.level > CONSTANT
                if free and is_real(argument, self._types):
                    of.append(position)
                elements.append(self._pool.variable(f"d {argument.name}({k})") if free else self._pool.zero)
                position += free
            if is_real(argument, self._types):
                slopes.append(Array(value.shape, tuple(elements)))
        inner = replace(call, function=function, arguments=(*call.arguments, *slopes), span=span)
        try:
            derivative, of_results = self._generated_function(inner)
        except ModelError as error:
            raise ModelError([_called(d, call.span) for d in error.diagnostics]) from error
        found = of_results[result_of(function).name]
        if found != shape:
            labels = (Label(function.span, "declared here"), Label(call.span, "called here"))
            name = call.function.name
            returned = f"returns {shape_words(found)}, but '{name}' returns {shape_words(shape)}"
            text = f"the derivative '{function.name}' {returned}"
            raise ModelError([messages.bad_derivative(text, span, labels, name)])
        self._pool.derivatives[generated] = Derivative(derivative, tuple(of))


def _component(call: Call) -> str:
    """The component of an FMU that the function belongs to; '' for other functions."""
    return call.caller.instance if call.function.external.startswith("fmu:") else ""


def _called(diagnostic: Diagnostic, span: Span) -> Diagnostic:
    labels = diagnostic.labels
    if diagnostic.span == span or len(labels) >= _MOST_LABELS or any(label.span == span for label in labels):
        return diagnostic
    return replace(diagnostic, labels=(*labels, Label(span, "called here")))


# --- inline ---------------------------------------------------------------------------------------

# Values that depend on conditions are merged: after `if c then z := a else z := b endif` z is `if c then a else b`.
# NotDecided if that is not sufficient.


# The limit on new nodes of the pool by one call, including the calls in it.
MOST_NODES = 5_000


def inlined(call: Call) -> Array:
    """The result. ModelError if there is an error, NotDecided if the body depends on the run or is too long."""
    execution = _Inline(call)
    shape = execution.prepare()
    execution.run(call.function.members)
    result = result_of(call.function)
    value = execution.values[result.name]
    assert value.shape == shape
    try:
        execution.check_set(value, result.span)
    except ModelError as error:
        name = call.function.name
        missing = messages.result_without_value(result.name, name, result.span, execution.instance)
        raise ModelError([missing]) from error
    return value


class _Inline(Execution):
    """Variables hold the expressions that were assigned to them."""

    def __init__(self, call: Call):
        super().__init__(call)
        self._first_node = call.pool.size
        self._uncertain = 0
        self._looked_through: set[Expr] = set()

    def looked_through(self) -> set[Expr]:
        """A leaf in an expression never receives a value later, so nodes need not be checked again. An error ends the
        execution."""
        return self._looked_through

    def index_may_vary(self) -> bool:
        raise NotDecided

    def bound(self, argument: tree.Argument, value: Array) -> Array:
        return value

    def assign(self, name: str, positions: Sequence[int], elements: tuple[Expr, ...]) -> None:
        new = list(self.values[name].elements)
        for k, e in zip(positions, elements, strict=False):
            new[k] = e
        self.values[name] = Array(self.values[name].shape, tuple(new))
        if self.pool.size - self._first_node > MOST_NODES and not self.call.is_constant:
            raise NotDecided

    def assign_varying(self, name: str, indices: Sequence[int | range | Expr], value: Array, span: Span) -> None:
        raise NotDecided

    def choose(self, condition: Expr, then: Sequence[tree.Action], rest: tuple[tree.Branch, ...]) -> None:
        before = dict(self.values)
        self._uncertain += 1
        self._taken_in_a_run(lambda: self.run(then))
        chosen, self.values = self.values, before.copy()
        self._taken_in_a_run(lambda: self.branches(rest))
        self._uncertain -= 1
        for name in before:
            a, b = chosen[name], self.values[name]
            merged = tuple(self.pool.choose(condition, x, y) for x, y in zip(a.elements, b.elements, strict=False))
            self.values[name] = Array(a.shape, merged)

    def _taken_in_a_run(self, branch: Callable[[], None]) -> None:
        """Execute a branch. If that is not possible with the values of the arguments, a run fails that takes it."""
        before = dict(self.values)
        try:
            branch()
        except ModelError as error:
            if not is_of_names(error):
                raise
            fault = self.pool.fault(message_of(error))
            self.values = {name: Array(a.shape, (fault,) * len(a.elements)) for name, a in before.items()}

    def repeat(self, loop: tree.For, rounds: range) -> None:
        self.write_out(loop, rounds)

    def count_round(self, span: Span) -> None:
        if not self.call.is_constant and self.iterations >= MOST_NODES:
            raise NotDecided
        super().count_round(span)

    def count(self, loop: tree.For, first: Expr, last: Expr) -> None:
        raise NotDecided

    def loop_while(self, loop: tree.While) -> None:
        while True:
            condition = self.scalar(loop.condition)
            if condition.op != "constant":
                raise NotDecided
            if condition.data == 0:
                return
            self.count_round(loop.span)
            self.run(loop.members)  # type: ignore[arg-type]

    def require(self, assertion: tree.Assertion) -> None:
        condition = self.scalar(assertion.condition)
        if condition.op == "constant" and condition.data != 0:
            return
        if condition.op != "constant" or self._uncertain or not self.call.is_constant:
            raise NotDecided
        failed = messages.assertion_fails(assertion.text, self.function.name, assertion.span, self.instance)
        raise ModelError([failed])
