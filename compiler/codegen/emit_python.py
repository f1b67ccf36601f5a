"""Prints a Program as model.py (stage 6b): the same statements for machines without a C compiler."""

from __future__ import annotations

from cutset.compiler.codegen.code import Literal, Operation, Value
from cutset.compiler.codegen.program import Program
from cutset.compiler.codegen.python_printer import Printer


def emit(program: Program) -> dict[str, str]:
    """{'model.py': text}"""
    return {"model.py": program.printed(_PythonPrinter())}


class _PythonPrinter(Printer):
    """Choices give numbers of the kind that a run computes with: Python's, divided by each other, raise exceptions."""

    def _value(self, v: Value) -> str:
        return super()._value(_with_real_branches(v))


def _with_real_branches(v: Value) -> Value:
    if not isinstance(v, Operation):
        return v
    arguments = [_with_real_branches(each) for each in v.arguments]
    if v.operator == "if":
        arguments[1:] = [Operation("real", (a,)) if isinstance(a, Literal) else a for a in arguments[1:]]
    return v._replace(arguments=tuple(arguments))
