"""Prints a Program as model.c (stage 6b). A thin printer: the Program contains all decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush

from cutset.compiler.codegen.accesses import operators_of, reads_of, values_of, writes_of
from cutset.compiler.codegen.code import (
    TEST,
    Assign,
    Call,
    Compute,
    FillTable,
    Function,
    FunctionStep,
    Loop,
    LoweredFunction,
    Operation,
    Read,
    SineCosine,
    SolveNonlinear,
    Statement,
    TableRef,
    Value,
)
from cutset.compiler.codegen.formatting import INFIX, index, place, value_text
from cutset.compiler.codegen.program import Program
from cutset.compiler.expressions.interpret import MOST_ITERATIONS
from cutset.compiler.expressions.user_function import Choice, Require, While
from cutset.contract.functions import FUNCTIONS
from cutset.contract.interpolation import INTERPOLATIONS
from cutset.contract.quick_dataclass import dataclass

# Functions that run once in a run, see CUTSET_ONCE in runtime/c/model/cutset_support.h.
_ONCE = frozenset({"bindings", "constants", "starts", "start", "nominals"})
# Those that take most of the time of a run.
_ORDERED = ("derivatives", "jacobian")
_FORMS = (
    {op: row.c for op, row in FUNCTIONS.items() if row.c}
    | {op: f"cutset_{op}" for op in INTERPOLATIONS}
    | {op: f"({{}} {symbol} {{}})" for op, symbol in (INFIX | {"and": "&&", "or": "||"}).items()}
    | {"neg": "(-{})", "not": "(!{})", "if": "({} ? {} : {})", "fault": "cutset_fail({})", "finite": "cutset_finite"}
)


def emit(program: Program) -> dict[str, str]:
    """{'model.c': text}"""
    parts = ['#include "cutset_support.h"\n']
    parts += ['#include "open_systems.h"\n'] if program.info.open_systems else []
    parts += ['#include "exchange.h"\n'] if any(r.supplied for r in program.user_functions) else []
    in_c = [f.external for f in program.user_functions if f.fault]
    parts += [f"void cutset_foreign_{k}(const double *a, double *r);\n" for k in in_c]
    parts += [f"static void f{k}(const double *a, double *r);\n" for k in range(len(program.user_functions))]
    if program.user_functions:
        parts.append("/* Of all loops of a call and of the calls in it. */\nstatic CUTSET_SHARED long rounds;\n")
    for k, user_function in enumerate(program.user_functions):
        parts.append(_user_function(k, user_function))
    if program.tables:
        parts.append(f"static const double tables[] = {{{', '.join(map(repr, program.tables))}}};\n")
    for function in program.functions:
        parts += function_text(ordered(function) if function.name in _ORDERED else function)
    return {"model.c": "\n".join(parts)}


def function_text(function: Function) -> list[str]:
    """The parts of a function: the functions of its iterations, one static function per chunk, and the entry point that
    calls these in order."""
    parts = [text for inner in function.iterated() for text in _chunks(inner)]
    parts += _chunks(function, f"cutset_{function.name}")
    return parts


def _chunks(function: Function, exported: str = "") -> list[str]:
    single = (inner for s in function.statements() for inner in (s.body if isinstance(s, Loop) else (s,)))
    written = {target.array for s in single for target in writes_of(s)}
    declared = ", ".join(_argument(a, a in written) for a in function.arguments)
    once = "CUTSET_ONCE " if function.name in _ONCE else ""
    unused = "".join(f" (void){a};" for a in function.arguments)
    passed = ", ".join(function.arguments)
    parts = []
    for k, chunk in enumerate(function.chunks):
        body = "\n".join(f"    {line}" for s in chunk for line in (*_fresh_rounds(s), *_statement(s)))
        parts.append(f"{once}static void {function.name}_{k}({declared})\n{{\n   {unused}\n{body}\n}}\n")
    if exported and any(isinstance(s, Call) for f in (function, *function.iterated()) for s in f.statements()):
        unused += "\n    rounds = 0;"
    calls = "".join(f"\n    {function.name}_{k}({passed});" for k in range(len(function.chunks)))
    parts.append(f"{once}{'' if exported else 'static '}void {exported or function.name}"
                 f"({', '.join(_argument(a, a in _outputs(function)) for a in function.arguments)})\n"
                 f"{{\n   {unused}{calls}\n}}\n")  # fmt: skip
    return parts


def _outputs(function: Function) -> tuple[str, ...]:
    """Arguments that the contract lets a function write: work memory and the result."""
    return (
        ("p",)
        if function.name == "bindings"
        else tuple(a for a in function.arguments if a == "w") + function.arguments[-1:]
    )


def _argument(name: str, written: bool) -> str:
    if name == "t":
        return "double t"
    return f"double *restrict {name}" if written else f"const double *restrict {name}"


def _statement(s: Statement) -> list[str]:
    match s:
        case Assign(target, value):
            declared = "double " if target.array == "local" else ""
            guard = f"if ({place(s.unless)} == 0.0) " if s.unless else ""
            return [f"{guard}{declared}{place(target)} = {_value(value)};"]
        case SineCosine():
            results = [f"double {place(p)};" for p in (s.sine, s.cosine) if p.array == "local"]
            return [*results, f"cutset_sincos({_value(s.argument)}, &{place(s.sine)}, &{place(s.cosine)});"]
        case Loop():
            body = [f"    {line}" for inner in s.body for line in _statement(inner)]
            tables = [
                f"static const int i{n}[] = {{{', '.join(map(str, table))}}};" for n, table in enumerate(s.tables)
            ]
            tables += [
                f"static const double d{n}[] = {{{', '.join(map(repr, table))}}};" for n, table in enumerate(s.numbers)
            ]
            return ["{", *tables, f"for (int k = 0; k < {s.count}; k++) {{", *body, "}", "}"]
        case Call():
            return _call(s)
        case FillTable():
            return _fill(s)
        case SolveNonlinear():
            known = "t, " + ", ".join(s.function.arguments[1:5])
            places = f"w + {s.guess}, {s.solution.array} + {s.solution.index}"
            return [f"cutset_newton({s.size}, {s.function.name}, {known}, w, {places}, {s.fault});"]
    array, n, first = s.solution.array, s.size, s.matrix.index
    lines = [] if s.is_full else [f"memset({array} + {first}, 0, {n * s.width} * sizeof(double));"]
    lines += [line for inner in s.fill for line in _statement(inner)]
    known = f"{n}, {s.lower}, {s.upper}, {array} + {first}, {array} + {s.solution.index}"
    if s.open < 0:
        return [*lines, f"cutset_solve({known});"]
    return [*lines, f"{{ double kept[CUTSET_OPEN_SIZE({n}, {s.width})]; cutset_solve_open({known}, kept, {s.open}); }}"]


def _call(s: Call) -> list[str]:
    declared = [f"double {place(p)};" for p in s.results if p is not None and p.array == "local"]
    arguments = ", ".join(_value(a) for a in s.arguments) or "0.0"
    # Inside a user function the arguments are in its own a and r: an array of the same name would be read before it has
    # a value.
    results = " ".join(f"{place(p)} = found[{k}];" for k, p in enumerate(s.results) if p is not None)
    return [
        *declared,
        f"{{ const double given[] = {{{arguments}}}; double found[{len(s.results)}]; f{s.user_function}(given, found); "
        f"{results} }}",
    ]


# --- user functions ---------------------------------------------------------------------------------------------


def _user_function(k: int, user_function: LoweredFunction) -> str:
    count = len(user_function.results)
    lines = [f"static void f{k}(const double *a, double *r)", "{"]
    if user_function.external >= 0:
        lines += _external(user_function.external, user_function)
    elif user_function.supplied:
        sizes = ", ".join(map(str, user_function.sizes))
        lines.append(f"    double s[CUTSET_{user_function.supplied.upper()}_SIZE({sizes})];")
        lines.append(f"    cutset_{user_function.supplied}({sizes}, a, s, r);")
    else:
        lines += [
            f"    double s[{max(1, user_function.variables)}] = {{0.0}}, q[{user_function.temporaries}];",
            "    long i;",
            f"    for (i = 0; i < {count}; i++) r[i] = NAN;",
            "    (void)a; (void)q;",
            *_steps(user_function.body, "    "),
            *(f"    r[{i}] = {place(result)};" for i, result in enumerate(user_function.results)),
        ]
    return "\n".join([*lines, "}\n"])


def _external(number: int, user_function: LoweredFunction) -> list[str]:
    """The body of a function in C or Python; a controller that does not act has no value, which is not used."""
    if user_function.fault:
        failed = " || ".join(f"isnan(r[{k}])" for k in range(len(user_function.results)))
        return [
            f"    cutset_foreign_{number}(a, r);",
            f"    if ({failed}) cutset_fault = {user_function.fault};",
        ]
    idle = ["    if (a[0] == 0.0) return;"] if user_function.is_controller else []
    return [*idle, f"    cutset_call_external({number}, a, r, {len(user_function.results)});"]


def _steps(steps: tuple[FunctionStep, ...], indent: str) -> list[str]:
    """Recursion is over the nesting of blocks, which the parser limits."""
    inner = indent + "    "
    lines: list[str] = []
    for step in steps:
        match step:
            case Compute():
                body = [f"{inner}{line}" for s in step.statements for line in _statement(s)]
                lines += [f"{indent}{{", *body, f"{indent}}}"]
            case Choice():
                lines += [*_steps((step.condition,), indent), f"{indent}if ({place(TEST)} != 0.0) {{"]
                lines += [*_steps(step.then, inner), f"{indent}}} else {{"]
                lines += [*_steps(step.otherwise, inner), f"{indent}}}"]
            case While():
                lines += [f"{indent}for (;;) {{", *_steps((step.condition,), inner)]
                lines += [f"{inner}if ({place(TEST)} == 0.0) break;"]
                lines += [f"{inner}if (++rounds > {MOST_ITERATIONS}) {{ cutset_fault = {step.place}; return; }}"]
                lines += [*_steps(step.body, inner), f"{indent}}}"]
            case Require():
                lines += _steps((step.condition,), indent)
                lines.append(f"{indent}if ({place(TEST)} == 0.0) {{ cutset_fault = {step.text}; return; }}")
    return lines


def _fresh_rounds(s: Statement) -> list[str]:
    """Resets the round counter before a call outside of user functions. If a loop has exceeded the limit, all others in
    this evaluation stop."""
    return [f"if (rounds <= {MOST_ITERATIONS}) rounds = 0;"] if isinstance(s, Call) else []


def _fill(s: FillTable) -> list[str]:
    values = [_value(v) for v in s.values]
    check = f"cutset_check_table({_value(s.table)});"
    if s.table.array == "local":
        return [f"double v{s.table.index}[] = {{{', '.join(values)}}};", check]
    return [*(f"{s.table.array}[{s.table.index + k}] = {v};" for k, v in enumerate(values)), check]


def _table(t: TableRef) -> str:
    return f"{t.size}, v{t.index}" if t.array == "local" else f"{t.size}, {t.array} + {index(t)}"


def _value(v: Value) -> str:
    return value_text(v, _FORMS, _table)


# --- latency order --------------------------------------------------------------------------------

# A processor executes what is ready among the next few hundred instructions. C compilers keep the order of statements,
# and that of expressions follows one chain of dependent operations after the other. List scheduling for a simple
# processor, which starts a few operations in each cycle, first takes the statement from which the longest chain of
# operations leads to a result. The statements, and so the results, are the same.


# Cycles from the start of an operation to its result, and operations that start in one cycle: about those of the
# processors of the last ten years. Other operations are functions such as exp; sine and cosine are one.
_LATENCY = {"add": 4, "sub": 4, "mul": 4, "div": 13, "sqrt": 18, "neg": 1}
_FUNCTION, _WIDTH = 40, 4
# Among fewer statements a processor finds by itself what is ready.
_LEAST = 32
# Functions with more operations do not stay decoded in a processor, which then waits for instructions: those that move
# numbers to memory and back are fewest where a number is used soon.
_MOST = 2700


@dataclass(frozen=True, slots=True)
class _Graph:
    """Statements by number: their users, the number of those that they use, cycles to the result, and operations."""

    users: Sequence[Sequence[int]]
    used: Sequence[int]
    cycles: Sequence[int]
    operations: Sequence[int]


def ordered(function: Function) -> Function:
    """The function, and those of its iterations, with the statements of each chunk in another order, unless it is too
    long."""
    operations = sum(len(operators_of(s)) for chunk in function.chunks for s in chunk if isinstance(s, Assign))
    schedule = _scheduled if operations <= _MOST else list
    return replace(function, chunks=tuple(tuple(_ordered(chunk, schedule)) for chunk in function.chunks))


def _ordered(
    chunk: Sequence[Statement], schedule: Callable[[list[Statement]], Sequence[Statement]]
) -> Iterator[Statement]:
    """What is no assignment stays where it is. So does what may fail, since the last reason counts."""
    straight: list[Statement] = []
    for s in chunk:
        if isinstance(s, Assign | SineCosine) and "fault" not in operators_of(s):
            straight.append(s)
            continue
        yield from schedule(straight)
        straight = []
        yield replace(s, function=ordered(s.function)) if isinstance(s, SolveNonlinear) else s
    yield from schedule(straight)


def _scheduled(statements: Sequence[Statement]) -> Sequence[Statement]:
    """List scheduling: of the statements whose operands are computed, that with the longest way to the end."""
    if len(statements) < _LEAST:
        return statements
    graph = _graph(statements)
    way = _longest_ways(graph)
    remaining, computed = list(graph.used), [0.0] * len(statements)
    waiting = [(0.0, k) for k, count in enumerate(remaining) if not count]
    heapify(waiting)
    ready: list[tuple[int, int]] = []
    order: list[Statement] = []
    now = 0.0
    while waiting or ready:
        now = now if ready else max(now, waiting[0][0])
        while waiting and waiting[0][0] <= now:
            k = heappop(waiting)[1]
            heappush(ready, (-way[k], k))
        k = heappop(ready)[1]
        order.append(statements[k])
        for user in graph.users[k]:
            computed[user] = max(computed[user], now + graph.cycles[k])
            remaining[user] -= 1
            if not remaining[user]:
                heappush(waiting, (computed[user], user))
        now += max(1, graph.operations[k]) / _WIDTH
    return order


def _longest_ways(graph: _Graph) -> list[int]:
    """Cycles from the start of each statement to the end of the last one that depends on it."""
    way = [0] * len(graph.users)
    for k in reversed(range(len(way))):
        way[k] = graph.cycles[k] + max((way[user] for user in graph.users[k]), default=0)
    return way


def _graph(statements: Sequence[Statement]) -> _Graph:
    """A statement uses what wrote the places that it reads; a place is written again after all others have read it."""
    writer: dict[Read, int] = {}
    readers: dict[Read, list[int]] = {}
    users: list[list[int]] = [[] for _ in statements]
    used = []
    for k, s in enumerate(statements):
        before = set()
        guard = s.unless if isinstance(s, Assign) else None
        for read in (*reads_of(s), *((guard,) if guard is not None else ())):
            if read in writer:
                before.add(writer[read])
            readers.setdefault(read, []).append(k)
        for read in writes_of(s):
            before.update(readers.pop(read, ()), [writer[read]] if read in writer else ())
            writer[read] = k
        before.discard(k)
        for other in before:
            users[other].append(k)
        used.append(len(before))
    cycles = [max(map(_cycles, values_of(s))) + _FUNCTION * isinstance(s, SineCosine) for s in statements]
    operations = [len(operators_of(s)) + _FUNCTION * isinstance(s, SineCosine) for s in statements]
    return _Graph(users, used, cycles, operations)


def _cycles(value: Value) -> int:
    """The recursion is over the nesting of one statement, which is limited."""
    if not isinstance(value, Operation):
        return 0
    return _LATENCY.get(value.operator, _FUNCTION) + max(map(_cycles, value.arguments), default=0)
