"""Checks functions independently of their arguments: names, declarations, assignments. Evaluates nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cutset.compiler.diagnostics import Diagnostic, Label, Source, Span
from cutset.compiler.instantiate import messages as general
from cutset.compiler.instantiate.functions import messages
from cutset.compiler.instantiate.names import meanings
from cutset.compiler.instantiate.names.foreign_files import C_TARGET, PYTHON_TARGET
from cutset.compiler.instantiate.names.meanings import VARIABLE, Meaning, Meanings
from cutset.compiler.instantiate.names.visible import VisibleNames, find_function
from cutset.compiler.instantiate.types.functions import is_real
from cutset.compiler.instantiate.types.messages import unknown_literal
from cutset.compiler.instantiate.types.value_types import Types
from cutset.compiler.instantiate.values.builtin_functions import BUILTINS
from cutset.compiler.syntax import tree

_CALLABLE = (*BUILTINS, "noevent", "smooth", "interp1", "interp2")
# Built-in functions of signals or events, and what to use instead.
_OF_TIME = {
    "der": "a function uses values at one instant only; pass the derivative as an argument",
    "delay": "a function uses values at one instant only; pass the delayed value as an argument: f(delay(x, T))",
    "jacobian": "differentiate the call of the function: jacobian(f(q), q)",
    "sample": "a function makes no events: write when sample(t0, dt) then ... endwhen in the model, and call the "
    "function there",
    "initial": "a function makes no events: write when initial() then ... endwhen in the model",
    "terminal": "a function makes no events: write when terminal() then ... endwhen in the model",
    "change": "a function makes no events: use change in the model, in the condition of a 'when'",
    "edge": "a function makes no events: use edge in the model, in the condition of a 'when'",
    "inflow": "pass what flows in as an argument: f(inflow(h))",
    "carried": "pass what is carried as an argument: f(carried(h))",
    "new": "a function returns a value, and the model assigns it: new(n) = f(n) in a 'when'",
    "pre": "pass the value as an argument: a name without new(...) is the value before the event",
    "init": "a function returns a value, and the model assigns it: init(x) = f(x)",
    "time": "the result of a function depends only on its arguments; pass the time as one",
}
_RESERVED = (*_CALLABLE, *_OF_TIME, "true", "false")
# The limits on nested blocks. Python allows 20 loops and 100 levels; an 'elseif' counts as a level.
_DEEPEST_LOOPS = 16
_DEEPEST_LEVELS = 80


def check_functions(
    functions: Iterable[tree.Function],
    names: Mapping[Source, VisibleNames],
    types: Types,
    meanings_of: Callable[[tree.Function], Meanings],
) -> dict[int, list[Diagnostic]]:
    """The diagnostics of each invalid function, by its identity. `names` holds what each file sees."""
    found = {id(f): list(_Checker(f, names, types, meanings_of(f)).diagnostics()) for f in functions}
    return {key: diagnostics for key, diagnostics in found.items() if diagnostics}


def result_of(function: tree.Function) -> tree.Argument:
    """The declared result; that of an external function may have the function's name."""
    return function.result or tree.Argument(function.span, function.name)


def derivative_of(function: tree.Function) -> tuple[tree.Reference, Span] | None:
    """The reference after `derivative=`, and the place of the attribute."""
    for attribute in result_of(function).attributes:
        if attribute.name == "derivative" and isinstance(attribute.value, tree.Reference):
            return attribute.value, attribute.span
    return None


class _Checker:
    """`_names` are all variables with their places, `_fixed` gives the reason why some of them cannot be assigned."""

    def __init__(self, function: tree.Function, names: Mapping[Source, VisibleNames], types: Types, known: Meanings):
        self._function = function
        self._meanings = known
        self._types = types
        self._files = names
        self._names: dict[str, Span] = {}
        self._fixed: dict[str, str] = {}
        self._assigned: set[str] = set()
        self._levels = self._loops = 0
        self._is_too_deep = False

    def diagnostics(self) -> Iterator[Diagnostic]:
        function = self._function
        if function.name in _RESERVED:
            yield messages.function_name_taken(function.name, function.span)
        for argument in function.arguments:
            yield from self._argument(argument, ("unit", "min", "max"))
            self._fixed[argument.name] = "an argument"
        result = result_of(function)
        yield from self._argument(result, ("unit", "derivative"))
        for dimension in result.dimensions:
            if isinstance(dimension, tree.Everything):
                hint = f"give it the size of an argument: {result.name}(size(x, 1))"
                yield self._bad("the result must have a size", dimension.span, hint)
        declared = [m for m in function.members if isinstance(m, tree.VariableDeclaration)]
        for declaration in declared:
            yield from self._declaration(declaration)
        for argument in (*function.arguments, result):
            yield from self._expressions(d for d in argument.dimensions if not isinstance(d, tree.Everything))
        yield from self._statements(function.members)
        yield from self._derivative()
        if function.external:
            yield from self._target()
        elif result.name not in self._assigned:
            yield messages.result_without_value(result.name, function.name, result.span, f"function {function.name}")

    def _target(self) -> Iterator[Diagnostic]:
        function, is_c = self._function, self._function.external.startswith("c:")
        if function.span.source.name.endswith(".fmu"):
            return
        if is_c and not C_TARGET.fullmatch(function.external):
            hint = 'write the path of a C file in the folder of the model: "c:control.c"'
            yield self._bad(f'"{function.external}" does not name a C file', function.span, hint)
        elif is_c and function.name.startswith("'"):
            hint = "declare it with the name that it has in the C file"
            yield self._bad(f"no function of C can be called {function.name}", function.span, hint)
        elif is_c and function.is_controller:
            hint = "keep its state in discrete variables of the model, and declare it as a function: new(s) = f(s, e)"
            yield self._bad(f"the controller '{function.name}' must be in Python", function.span, hint)
        elif not is_c and not PYTHON_TARGET.fullmatch(function.external):
            hint = 'write the full name with all modules: "python:package.module.function"'
            yield self._bad(f'"{function.external}" is not the name of a Python function', function.span, hint)
        if function.is_controller and derivative_of(function) is not None:
            hint = "remove 'derivative': a controller acts at instants only"
            yield self._bad(f"the controller '{function.name}' has no derivative", function.span, hint)

    def _bad(self, message: str, span: Span, hint: str) -> Diagnostic:
        return messages.bad_declaration(message, span, hint, self._function.name)

    # --- declarations ------------------------------------------------------------------------------

    def _argument(self, argument: tree.Argument, attributes: tuple[str, ...]) -> Iterator[Diagnostic]:
        yield from self._name(argument.name, argument.span)
        yield from self._attributes(argument.attributes, attributes)
        if len(argument.dimensions) > 2:
            yield self._bad(f"'{argument.name}' has more than two dimensions", argument.span, "the limit is two")

    def _name(self, name: str, span: Span) -> Iterator[Diagnostic]:
        if name in self._names:
            instance = f"function {self._function.name}"
            yield general.declared_twice("variable", name, span, self._names[name], instance)
        self._names.setdefault(name, span)

    def _attributes(self, attributes: tuple[tree.Attribute, ...], known: tuple[str, ...]) -> Iterator[Diagnostic]:
        for attribute in attributes:
            value = attribute.value
            if attribute.name not in known:
                hint = f"the attributes here are: {', '.join(known)}"
                yield self._bad(f"the attribute '{attribute.name}' does not apply here", attribute.span, hint)
            elif attribute.name == "unit" and not isinstance(value, tree.Text):
                yield self._bad("a unit must be a string", attribute.span, 'write it in quotes: unit="N.m"')
            elif attribute.name == "derivative" and not _is_name(value):
                yield self._bad("'derivative' must be the name of a function", attribute.span, "write derivative=g")

    def _declaration(self, declaration: tree.VariableDeclaration) -> Iterator[Diagnostic]:
        if declaration.kind not in ("local", "constant"):
            hint = "a function declares locals and constants; pass a value from outside as an argument"
            yield self._bad(f"a function cannot declare a {declaration.kind}", declaration.span, hint)
        for item in declaration.items:
            yield from self._name(item.name, item.span)
            yield from self._attributes(item.attributes, ("unit",))
            if len(item.dimensions) > 2:
                yield self._bad(f"'{item.name}' has more than two dimensions", item.span, "the limit is two")
            if declaration.kind == "constant":
                self._fixed[item.name] = "a constant"
                if item.value is None:
                    yield self._bad(f"the constant '{item.name}' has no value", item.span, f"write {item.name} = ...")

    def _derivative(self) -> Iterator[Diagnostic]:
        named, function = derivative_of(self._function), self._function
        if named is None:
            return
        reference, span = named
        name = ".".join(part.name for part in reference.parts)
        if function.all_results:
            yield messages.bad_derivative("a function with several results derives itself", span, (), function.name)
        other = find_function(self._files, reference.parts)
        if other is None:
            yield messages.bad_derivative(f"unknown function '{name}'", span, (), function.name)
            return
        wanted = len(function.arguments) + sum(is_real(a, self._types) for a in function.arguments)
        if len(other.arguments) != wanted:
            taken = f"{len(other.arguments)} arguments instead of {wanted}"
            message = f"the derivative '{name}' of '{function.name}' takes {taken}"
            yield messages.bad_derivative(message, span, (Label(other.span, "declared here"),), function.name)

    # --- statements --------------------------------------------------------------------------------

    def _statements(self, members: Iterable[tree.VariableDeclaration | tree.Action]) -> Iterator[Diagnostic]:
        """Recursion is over the nesting of blocks, which the parser limits."""
        for member in members:
            match member:
                case tree.VariableDeclaration():
                    for item in member.items:
                        yield from self._expressions((*item.dimensions, *([item.value] if item.value else ())))
                        if item.value is not None:
                            self._assigned.add(item.name)
                case tree.Assignment():
                    yield from self._assignment(member)
                case tree.If():
                    for k, branch in enumerate(member.branches):
                        yield from self._expressions([branch.condition] if branch.condition else ())
                        yield from self._block(branch.members, branch.span, levels=k + 1)
                case tree.While():
                    yield from self._expressions([member.condition])
                    yield from self._block(member.members, member.span, loops=1)
                case tree.For():
                    yield from self._for(member)
                case tree.Assertion():
                    yield from self._expressions([member.condition])
                    if member.terminates:
                        hint = "only a model can end a run; in a function, write an assertion"
                        yield messages.not_in_function("'terminate'", member.span, hint, self._function.name)

    def _block(
        self, members: Sequence[tree.Member], span: Span, levels: int = 1, loops: int = 0
    ) -> Iterator[Diagnostic]:
        """Checks the statements in a block; reports only the first that is nested too deep."""
        self._levels, self._loops = self._levels + levels, self._loops + loops
        if self._loops > _DEEPEST_LOOPS or self._levels > _DEEPEST_LEVELS:
            what = f"nesting of more than {_DEEPEST_LOOPS} loops, or of {_DEEPEST_LEVELS} branches and loops,"
            hint = "move the inner statements to another function"
            if not self._is_too_deep:
                yield messages.not_in_function(what, span, hint, self._function.name)
            self._is_too_deep = True
        else:
            yield from self._statements(members)  # type: ignore[arg-type]
        self._levels, self._loops = self._levels - levels, self._loops - loops

    def _assignment(self, assignment: tree.Assignment) -> Iterator[Diagnostic]:
        for target, value in assignment.pairs:
            yield from self._assigned_value(target, value)

    def _assigned_value(self, target: tree.Reference, value: tree.Expression) -> Iterator[Diagnostic]:
        parts, function = target.parts, self._function.name
        name = parts[0].name
        yield from self._expressions([value, *(parts[0].arguments or ())])
        if len(parts) > 1 or name not in self._names:
            known = [n for n in self._names if n not in self._fixed]
            yield messages.unknown_in_function(".".join(p.name for p in parts), target.span, known, function)
        elif name in self._fixed:
            what = self._fixed[name]
            yield messages.not_assignable(name, what, target.span, self._names[name], function)
        self._assigned.add(name)

    def _for(self, loop: tree.For) -> Iterator[Diagnostic]:
        index = loop.index
        yield from self._expressions([*index.range.bounds])
        if index.name in self._names or index.name in ("time", "true", "false"):
            instance = f"function {self._function.name}"
            yield general.index_taken(index.name, index.span, self._names.get(index.name), instance)
            return
        self._names[index.name], self._fixed[index.name] = index.span, "the index of a loop"
        yield from self._block(loop.members, loop.span, loops=1)
        del self._names[index.name], self._fixed[index.name]

    # --- expressions -------------------------------------------------------------------------------

    def _expressions(self, expressions: Iterable[tree.Expression]) -> Iterator[Diagnostic]:
        for reference in tree.references(*expressions):
            yield from self._reference(reference)

    def _reference(self, e: tree.Reference) -> Iterator[Diagnostic]:
        function, part = self._function.name, e.parts[-1]
        match self._meaning(e):
            case meanings.Literal(enumeration=enumeration):
                if part.name not in enumeration.literals:
                    of_type = enumeration.name, enumeration.literals
                    yield unknown_literal(part.name, *of_type, part.span, f"function {function}")
            case meanings.Member():
                yield messages.unknown_in_function(tree.dotted(e), e.span, self._names, function)
            case meanings.UnknownName():
                yield messages.unknown_in_function(part.name, part.span, self._names, function)
            case meanings.Time():
                yield messages.not_in_function("'time'", part.span, _OF_TIME["time"], function)
            case meanings.Derivative() | meanings.EventCall() | meanings.UnknownFunction() if part.name in _OF_TIME:
                yield messages.not_in_function(f"'{part.name}'", part.span, _OF_TIME[part.name], function)
            case meanings.CountCall() | meanings.NumberCall() | meanings.StreamCall() | meanings.MeshCall():
                hint = "a function does not know the model; pass the number as an argument"
                yield messages.not_in_function(f"'{part.name}'", part.span, hint, function)
            case meanings.UnknownFunction():
                known = [*_CALLABLE, *self._files[part.span.source].functions, *self._names]
                declared = [f for names in self._files.values() for f in names.functions.values()]
                yield general.unknown_function(part.name, part.span, known, f"function {function}", declared)

    def _meaning(self, e: tree.Reference) -> Meaning:
        """An index hides other meanings of its name."""
        hidden = len(e.parts) == 1 and e.parts[0].name in self._names
        return VARIABLE if hidden else self._meanings.of(e)


def _is_name(value: tree.Expression | None) -> bool:
    return isinstance(value, tree.Reference) and all(part.arguments is None for part in value.parts)
