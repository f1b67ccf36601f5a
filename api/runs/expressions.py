"""Reads expressions of variables, `R1.u*R1.i`: texts -> functions of the values of their variables."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cutset.contract.functions import FUNCTIONS
from cutset.runtime.errors import RunError, UnknownName

_WORD = re.compile(r"'[^'\n]*'|[^\W\d]\w*|\s+|.|\n")
_NAME = re.compile(
    r"(?:'[^'\n]*'|[^\W\d]\w*)(?:\(\d+(?:,\s*\d+)*\))?(?:\.(?:'[^'\n]*'|[^\W\d]\w*)(?:\(\d+(?:,\s*\d+)*\))?)*"
)
_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_FUNCTIONS: Mapping[str, Callable[..., float]] = {name: f.value for name, f in FUNCTIONS.items()} | {
    "abs": abs, "min": min, "max": max,
}  # fmt: skip
_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: np.power, ast.USub: operator.neg, ast.UAdd: operator.pos,
}  # fmt: skip
# Calls a function: its name and its arguments -> its value.
Call = Callable[[str, Sequence[Any]], Any]


def _of_numbers(name: str, arguments: Sequence[Any]) -> Any:
    return np.vectorize(_FUNCTIONS[name], otypes=[float])(*arguments)


@dataclass(frozen=True)
class Expression:
    """An expression: a function of the values of the variables `names`, arrays of one shape."""

    text: str
    names: tuple[str, ...]
    _tree: ast.expr

    def __call__(self, values: Sequence[Any], call: Call = _of_numbers) -> Any:
        """Its values; symbols of a package need its `call`. RunError E605 if they cannot be computed."""
        with np.errstate(all="ignore"):
            return _evaluated(self._tree, values, self.text, call)


def expression(text: str, is_variable: Callable[[str], bool], unknown: Callable[[str], UnknownName]) -> Expression:
    """The expression of a text. Raises `unknown(name)` for another name, RunError E605 for a text that is none."""
    found, names, at = "", list[str](), 0
    while at < len(text):
        number, name = _NUMBER.match(text, at), _NAME.match(text, at)
        word = number or name or _WORD.match(text, at)
        assert word is not None
        whole = word[0]
        if name is not None and number is None:
            whole, is_one = _known(whole, text, is_variable, unknown)
            at += len(whole)
            names += [whole] if is_one else []
            found += f"_{len(names) - 1}" if is_one else whole
            continue
        found += "**" if whole == "^" else whole if number or whole in "+-*/()," or whole.isspace() else " ? "
        at = word.end()
    try:
        tree = ast.parse(found.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        raise wrong(text, "write an expression of variables, such as R1.u*R1.i") from None
    return Expression(text, tuple(names), tree)


def wrong(text: str, hint: str) -> RunError:
    """The error for a text that is neither a measure nor an expression."""
    return RunError("E605", f"'{text}' cannot be measured", hint)


def _known(
    name: str, text: str, is_variable: Callable[[str], bool], unknown: Callable[[str], UnknownName]
) -> tuple[str, bool]:
    """The name of a scalar, or of a function that it calls, and whether it is a scalar."""
    if is_variable(name):
        return name, True
    head = name.partition("(")[0]
    if head in _FUNCTIONS and f"{head}(" in text:
        return head, False
    raise unknown(name)


def _evaluated(node: ast.AST, curves: Sequence[Any], text: str, call: Call) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name) and node.id[1:].isdigit():
        return curves[int(node.id[1:])]
    if isinstance(node, ast.UnaryOp | ast.BinOp) and type(node.op) in _OPERATORS:
        of = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        return _OPERATORS[type(node.op)](*(_evaluated(each, curves, text, call) for each in of))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        try:
            return call(node.func.id, [_evaluated(each, curves, text, call) for each in node.args])
        except (KeyError, TypeError, ValueError, ArithmeticError):
            pass
    raise wrong(text, "write an expression of variables, such as R1.u*R1.i")
