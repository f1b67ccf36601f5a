"""Prints functions as Python: for readers, and for machines without a C compiler.

The code uses the functions of `math` (and `solve`, `solve_open`, `exchange`, `quality`, `real`, `fail` and `external`)
as free names, which the runtime provides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cutset.compiler.codegen.code import (
    TEST,
    Assign,
    Call,
    Compute,
    FillTable,
    Function,
    FunctionStep,
    Literal,
    Loop,
    LoweredFunction,
    Operation,
    SineCosine,
    SolveNonlinear,
    Statement,
    TableRef,
    Value,
)
from cutset.compiler.codegen.formatting import INFIX, index, place, value_text
from cutset.compiler.expressions.interpret import MOST_ITERATIONS
from cutset.compiler.expressions.user_function import Choice, Require, While

FORMS = {op: f"({{}} {symbol} {{}})" for op, symbol in INFIX.items()} | {
    **{op: f"bool({{}} {op} {{}})" for op in ("and", "or")},
    **{"neg": "(-{})", "not": "(not {})", "if": "({1} if {0} else {2})", "fault": "fail({})"},
}


class Printer:
    """Prints programs as Python; `forms` are operators with places for their operands, and other names of functions."""

    forms: Mapping[str, str] = FORMS

    def text(
        self, functions: Iterable[Function], user_functions: Sequence[LoweredFunction], tables: Sequence[float]
    ) -> str:
        """All functions of a program, and its tables of numbers."""
        parts = [f"tables = [{', '.join(map(repr, tables))}]\n"] if tables else []
        if user_functions:
            parts.append("# Of all loops of a call and of the calls in it.\nrounds = [0]\n")
        parts += [self._user_function(k, user_function) for k, user_function in enumerate(user_functions)]
        parts += [part for function in functions for part in self._function(function)]
        return "\n\n".join(parts)

    def _function(self, function: Function, is_inner: bool = False) -> list[str]:
        arguments = ", ".join(function.arguments)
        parts = [text for inner in function.iterated() for text in self._function(inner, is_inner=True)]
        for k, chunk in enumerate(function.chunks):
            body = "\n".join(f"    {line}" for s in chunk for line in (*self._fresh_rounds(s), *self._statement(s)))
            parts.append(f"def {function.name}_{k}({arguments}):\n{body}\n")
        calls = [f"    {function.name}_{k}({arguments})" for k in range(len(function.chunks))]
        if not is_inner and any(isinstance(s, Call) for f in (function, *function.iterated()) for s in f.statements()):
            calls.insert(0, "    rounds[0] = 0")
        parts.append("\n".join([f"def {function.name}({arguments}):", *(calls or ["    pass"])]) + "\n")
        return parts

    def _statement(self, s: Statement) -> list[str]:
        match s:
            case Assign(target, value):
                guard = f"if {place(s.unless)} == 0.0: " if s.unless else ""
                return [f"{guard}{place(target)} = {self._value(value)}"]
            case SineCosine():
                argument = self._value(s.argument)
                return [f"{place(s.sine)} = sin({argument})", f"{place(s.cosine)} = cos({argument})"]
            case Loop():
                tables = [f"i{n} = {table}" for n, table in enumerate(s.tables)] + [
                    f"d{n} = {d}" for n, d in enumerate(s.numbers)
                ]
                return [
                    *tables,
                    f"for k in range({s.count}):",
                    *(f"    {line}" for inner in s.body for line in self._statement(inner)),
                ]
            case Call():
                arguments = ", ".join(self._value(a) for a in s.arguments)
                lines = [f"found = f{s.user_function}([{arguments}])"]
                return [*lines, *(f"{place(p)} = found[{k}]" for k, p in enumerate(s.results) if p is not None)]
            case FillTable(table, values):
                numbers, start = ", ".join(map(self._value, values)), table.index
                local = table.array == "local"
                place_of = f"v{start}" if local else f"{table.array}[{start}:{start + len(values)}]"
                return [f"{place_of} = [{numbers}]", f"check_table({self._value(table)})"]
            case SolveNonlinear():
                known = "t, " + ", ".join(s.function.arguments[1:5])
                return [f"newton({s.size}, {s.function.name}, {known}, w, {s.guess}, {s.solution.index}, {s.fault})"]
        array, first, middle = s.solution.array, s.matrix.index, s.solution.index
        lines = [] if s.is_full else [f"{array}[{first}:{middle}] = [0.0] * {middle - first}"]
        lines += [line for inner in s.fill for line in self._statement(inner)]
        A, z = f"{array}[{first}:{middle}]", f"{array}[{middle}:{middle + s.size}]"
        known = f"{s.size}, {s.lower}, {s.upper}, A, z"
        call = f"solve({known})" if s.open < 0 else f"solve_open({known}, {s.open})"
        return [*lines, f"A, z = list({A}), list({z})", call, f"{A}, {z} = A, z"]

    def _user_function(self, k: int, user_function: LoweredFunction) -> str:
        """A function from the list of arguments to the list of results."""
        if user_function.external >= 0:
            call = f"external({user_function.external}, a)"
            idle = f"[0.0] * {len(user_function.results)} if a[0] == 0.0 else " if user_function.is_controller else ""
            return f"def f{k}(a):\n    return {idle}{call}\n"
        if user_function.supplied:
            return f"def f{k}(a):\n    return {user_function.supplied}({', '.join(map(str, user_function.sizes))}, a)\n"
        variables = f"s = [real(0.0)] * {max(1, user_function.variables)}; q = [0.0] * {user_function.temporaries}"
        results = ", ".join(place(r) for r in user_function.results)
        count = len(user_function.results)
        lines = [
            f"def f{k}(a):",
            f"    {variables}",
            *self._steps(user_function.body, "    ", count),
            f"    return [{results}]",
        ]
        return "\n".join(lines) + "\n"

    def _steps(self, steps: tuple[FunctionStep, ...], indent: str, results: int) -> list[str]:
        """Recursion is over the nesting of blocks, which the parser limits."""
        inner = indent + "    "
        lines: list[str] = []
        for step in steps:
            match step:
                case Compute():
                    lines += [f"{indent}{line}" for s in step.statements for line in self._statement(with_real(s))]
                case Choice():
                    lines += [*self._steps((step.condition,), indent, results), f"{indent}if {place(TEST)}:"]
                    lines += [*self._steps(step.then, inner, results), f"{inner}pass"]
                    if step.otherwise:
                        lines += [f"{indent}else:", *self._steps(step.otherwise, inner, results)]
                case While():
                    lines += [f"{indent}while True:", *self._steps((step.condition,), inner, results)]
                    lines += [f"{inner}if not {place(TEST)}: break", f"{inner}rounds[0] += 1"]
                    lines += [f"{inner}if rounds[0] > {MOST_ITERATIONS}: return [fail({step.place})] * {results}"]
                    lines += self._steps(step.body, inner, results)
                case Require():
                    lines += self._steps((step.condition,), indent, results)
                    lines.append(f"{indent}if not {place(TEST)}: return [fail({step.text})] * {results}")
        return lines

    def _fresh_rounds(self, s: Statement) -> list[str]:
        """Resets the round counter before a call outside of user functions. If a loop has exceeded the limit, all
        others in this evaluation stop."""
        return [f"if rounds[0] <= {MOST_ITERATIONS}: rounds[0] = 0"] if isinstance(s, Call) else []

    def _table(self, t: TableRef) -> str:
        return f"{t.size}, v{t.index}, 0" if t.array == "local" else f"{t.size}, {t.array}, {index(t)}"

    def _value(self, v: Value) -> str:
        return value_text(v, self.forms, self._table)


def with_real(s: Statement) -> Statement:
    """The statement with a number of the kind that the run computes with, not Python's."""
    if isinstance(s, Assign) and isinstance(s.value, Literal):
        return s._replace(value=Operation("real", (s.value,)))
    return s
