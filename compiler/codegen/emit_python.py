"""Stage 6b. Program -> model.py: the same statements for machines without a C compiler.

The text uses the functions of `math` (and `solve`) as free names; the runtime provides them.
"""

from __future__ import annotations

from cutset.compiler.codegen.program import (
    Assign,
    FillTable,
    Function,
    Literal,
    Operation,
    Points,
    Program,
    Read,
    SineCosine,
    Statement,
    Value,
)
from cutset.compiler.codegen.spelling import number, place

_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==",
          "<>": "!="}  # fmt: skip


def emit_python(program: Program) -> dict[str, str]:
    """{'model.py': text}"""
    parts = [f"tables = [{', '.join(map(repr, program.tables))}]\n"] if program.tables else []
    parts += [part for function in program.functions for part in _function(function)]
    return {"model.py": "\n\n".join(parts)}


def _function(function: Function) -> list[str]:
    arguments = ", ".join(function.arguments)
    parts = []
    for k, chunk in enumerate(function.chunks):
        body = "\n".join(f"    {line}" for s in chunk for line in _statement(s))
        parts.append(f"def {function.name}_{k}({arguments}):\n{body}\n")
    calls = [f"    {function.name}_{k}({arguments})" for k in range(len(function.chunks))]
    parts.append("\n".join([f"def {function.name}({arguments}):", *(calls or ["    pass"])]) + "\n")
    return parts


def _statement(s: Statement) -> list[str]:
    match s:
        case Assign(target, value):
            guard = f"if {place(s.unless)} == 0.0: " if s.unless else ""
            return [f"{guard}{place(target)} = {_value(value)}"]
        case SineCosine():
            argument = _value(s.argument)
            return [f"{place(s.sine)} = sin({argument})", f"{place(s.cosine)} = cos({argument})"]
        case FillTable(points, values):
            numbers, start = ", ".join(map(_value, values)), points.index
            local = points.array == "local"
            place_of = f"v{start}" if local else f"{points.array}[{start}:{start + len(values)}]"
            return [f"{place_of} = [{numbers}]", f"check_table({_value(points)})"]
    matrix, right = (", ".join(map(_value, values)) for values in (s.matrix, s.right))
    first, last = s.solution.index, s.solution.index + s.size
    return [f"z = [{right}]", f"solve({s.size}, [{matrix}], z)", f"{s.solution.array}[{first}:{last}] = z"]


def _value(v: Value) -> str:
    match v:
        case Literal():
            return number(v)
        case Read():
            return place(v)
        case Points(array, index, size):
            return f"{size}, v{index}, 0" if array == "local" else f"{size}, {array}, {index}"
    return _operation(v)


def _operation(v: Operation) -> str:
    arguments = [_value(a) for a in v.arguments]
    if v.operator in _INFIX:
        return f"({arguments[0]} {_INFIX[v.operator]} {arguments[1]})"
    if v.operator in ("and", "or"):
        return f"bool({arguments[0]} {v.operator} {arguments[1]})"
    if v.operator == "neg":
        return f"(-{arguments[0]})"
    if v.operator == "not":
        return f"(not {arguments[0]})"
    if v.operator == "if":
        return f"({arguments[1]} if {arguments[0]} else {arguments[2]})"
    return f"{v.operator}({', '.join(arguments)})"
