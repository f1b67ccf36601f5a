"""Prints the right-hand side of a Program as lanes.c (stage 6b): C that evaluates it for several runs at once.

Numbers are vectors of the compiler, one element for each run; runtime/c/model/lanes.h defines them. Only models without
events and without iterations have such a form: the others have no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cutset.compiler.codegen import emit_c
from cutset.compiler.codegen.accesses import nested, operators_of, parts_of
from cutset.compiler.codegen.code import Assign, Loop, Operation, SineCosine, SolveLinear, Statement, TableRef, Value
from cutset.compiler.codegen.program import Program
from cutset.contract.functions import FUNCTIONS

_ARITHMETIC = frozenset({"add", "sub", "mul", "div", "neg"})
_FUNCTIONS = frozenset(FUNCTIONS)


def emit(program: Program) -> dict[str, str]:
    """The files of the target c; and {'lanes.c': text}, if the model has such a form."""
    return {**emit_c.emit(program), **_lanes(program)}


def _lanes(program: Program) -> dict[str, str]:
    function = next(f for f in program.functions if f.name == "derivatives")
    info, statements = program.info, list(nested(function.statements()))
    is_checked = any(a.branch < 0 and not a.held for a in info.assertions)  # at each output
    has_events = info.n_modes or info.relations or info.delays or is_checked
    has_iterations = info.n_algebraic or info.n_guesses
    if has_events or has_iterations or not info.states or not all(map(_is_plain, statements)):
        return {}
    chunks = tuple(tuple(map(_widened, chunk)) for chunk in function.chunks)
    text = "\n".join(emit_c.function_text(replace(function, chunks=chunks)))
    # Numbers of tables are the same for all runs. So are the constants, if no run has parameters of its own.
    text = text.replace("static const double d", "static const cutset_number d")
    text = text.replace("const double *restrict c", "const cutset_constant *restrict c")
    used = sorted({op for s in statements for op in _operators_in(s)} & _FUNCTIONS)
    wrapped = [_wrapped(_name(op), FUNCTIONS[op].arity) for op in used if op not in ("sin", "cos")]
    parts = ['#include "lanes.h"\n', *wrapped, *_renamed(used), "#define double cutset_lane\n"]
    ended = "\n".join(f"#undef {name}" for name in ("double", *map(_name, used)))
    return {"lanes.c": "\n".join([*parts, text, ended, '\n#include "lane_steps.h"\n'])}


def _name(op: str) -> str:
    return FUNCTIONS[op].c or op


def _is_plain(s: Statement) -> bool:
    """True if the statement has a form for vectors."""
    match s:
        case SolveLinear():
            return s.open < 0
        case Assign(unless=None) | SineCosine():
            return _operators_in(s) <= _ARITHMETIC | _FUNCTIONS
    return isinstance(s, Loop)


def _operators_in(s: Statement) -> set[str]:
    """The operators of its values; 'table' stands for a table, which has no form for vectors."""
    has_table = any(isinstance(v, TableRef) for v in parts_of(s))
    return {*operators_of(s), *(["table"] if has_table else []), *(["sin", "cos"] if isinstance(s, SineCosine) else [])}


def _widened(s: Statement) -> Statement:
    """The statement with all assigned values as vectors: C converts no number to a vector by itself."""
    match s:
        case Loop():
            return replace(s, body=tuple(map(_widened, s.body)))
        case SolveLinear():
            return replace(s, fill=tuple(map(_widened, s.fill)))
        case Assign():
            return s._replace(value=_vector(s.value))
        case SineCosine():
            return replace(s, argument=_vector(s.argument))
    return s


def _vector(value: Value) -> Operation:
    return Operation("cutset_wide", (value,))


def _wrapped(name: str, arity: int) -> str:
    """The function for vectors, one element after the other."""
    names = "abc"[:arity]
    given, element = (", ".join(form.format(n) for n in names) for form in ("cutset_lane {}", "{}[k]"))
    return (
        f"static inline cutset_lane lane_{name}({given})\n{{\n    cutset_lane r;\n    int k;\n"
        f"    for (k = 0; k < CUTSET_LANES; k++) r[k] = {name}({element});\n    return r;\n}}\n"
    )


def _renamed(used: Iterable[str]) -> Iterator[str]:
    """Macros that let the printed code call the functions for vectors."""
    yield from (f"#define cutset_{name} lane_{name}" for name in ("derivatives", "sincos", "solve"))
    for op in used:
        names = "abc"[: FUNCTIONS[op].arity]
        wide = ", ".join(f"cutset_wide({n})" for n in names)
        yield f"#define {_name(op)}({', '.join(names)}) lane_{_name(op)}({wide})"
