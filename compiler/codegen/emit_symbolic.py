"""Prints a Program as model.py (stage 6b) for numbers that are symbols or arrays, of CasADi, JAX or SymPy.

The operations are those of the target python, in the same order. Choices between values are `where`, and loops and
choices between statements are functions, since their conditions may be symbols. The code uses functions of
export/symbolic/ as free names.
"""

from __future__ import annotations

from collections.abc import Mapping

from cutset.compiler.codegen.code import (
    TEST,
    Assign,
    Compute,
    FunctionStep,
    LoweredFunction,
    Operation,
    SineCosine,
    Statement,
)
from cutset.compiler.codegen.formatting import place
from cutset.compiler.codegen.program import Program
from cutset.compiler.codegen.python_printer import FORMS, Printer, with_real
from cutset.compiler.expressions.user_function import Choice, Require, While

# What Python has, but not for symbols.
_FUNCTIONS = {"and": "both", "or": "either", "not": "negated", "if": "where", "==": "equal", "<>": "differs"}


def emit(program: Program) -> dict[str, str]:
    """{'model.py': text}"""
    return {"model.py": program.printed(SymbolicPrinter())}


class SymbolicPrinter(Printer):
    """Prints programs for symbols."""

    forms: Mapping[str, str] = {**FORMS, **_FUNCTIONS}

    def _fresh_rounds(self, s: Statement) -> list[str]:
        return []  # a loop whose number of rounds is known ends, and no other is counted

    def _user_function(self, k: int, user_function: LoweredFunction) -> str:
        if user_function.external >= 0 or user_function.supplied:
            return super()._user_function(k, user_function)
        size = max(1, user_function.variables)
        lines = [f"def f{k}(a):", f"    s = [real(0.0)] * {size}; q = [0.0] * {user_function.temporaries}"]
        lines += ["    defined = [real(1.0)]", *self._steps(user_function.body, "    ", 0)]
        results = ", ".join(f"where(defined[0], {place(r)}, nan)" for r in user_function.results)
        return "\n".join([*lines, f"    return [{results}]\n"])

    def _steps(self, steps: tuple[FunctionStep, ...], indent: str, results: int) -> list[str]:
        """Each block is a function of the variables, which it changes in place."""
        lines: list[str] = []
        for step in steps:
            match step:
                case Compute():
                    lines += [f"{indent}{line}" for s in step.statements for line in self._statement(with_real(s))]
                case Choice():
                    lines += self._steps((step.condition,), indent, results)
                    lines += self._block("then", step.then, indent) + self._block("otherwise", step.otherwise, indent)
                    lines.append(f"{indent}choose({place(TEST)}, then, otherwise, a, s, q, defined)")
                case While():
                    lines += self._block("condition", (step.condition,), indent)
                    lines += [
                        *self._block("body", step.body, indent),
                        f"{indent}repeat(condition, body, a, s, q, defined)",
                    ]
                case Require():
                    lines += self._steps((step.condition,), indent, results)
                    lines.append(f"{indent}defined[0] = where({place(TEST)}, defined[0], 0.0)")
        return lines

    def _block(self, name: str, steps: tuple[FunctionStep, ...], indent: str) -> list[str]:
        inner = self._steps(steps, f"{indent}    ", 0) or [f"{indent}    pass"]
        return [f"{indent}def {name}(a, s, q, defined):", *inner]


class NamedPrinter(SymbolicPrinter):
    """The same, where each value that is assigned gets a name."""

    def _statement(self, s: Statement) -> list[str]:
        match s:
            case Assign():
                return super()._statement(s._replace(value=Operation("named", (s.value,))))
            case SineCosine():
                parts = (("sin", s.sine), ("cos", s.cosine))
                return [line for op, p in parts for line in self._statement(Assign(p, Operation(op, (s.argument,))))]
        return super()._statement(s)
