"""Reads and writes expressions of SPICE: text -> a tree -> the text of an expression of the language.

All quantities in such an expression are numbers in SI units, so the names of a tree are written by a `Scope`, which
divides what has a unit by it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NoReturn, Protocol

from cutset.compiler.diagnostics import ModelError, Span
from cutset.compiler.spice import messages

_SUFFIXES = {"t": 12, "g": 9, "meg": 6, "k": 3, "m": -3, "u": -6, "µ": -6, "n": -9, "p": -12, "f": -15}
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+))?([A-Za-zµ]*)")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[A-Za-zµ]*)"
    r"|(?P<probe>[vViI]\s*\([^()]*\))|(?P<name>[A-Za-z_][\w.#$:]*)"
    r"|(?P<sign>\*\*|\|\||&&|[<>=!]=|<>|[-+*/^()<>,?:!&|~]))"
)
# From the loosest to the tightest, as the language has them; the last two of SPICE are equal to ours.
_LEVELS = (("||", "|"), ("&&", "&"), ("==", "!=", "<>", "<", ">", "<=", ">="), ("+", "-"), ("*", "/"))
_WRITTEN = {"||": "or", "|": "or", "&&": "and", "&": "and", "!=": "<>", "**": "^"}
_RELATIONS = frozenset(_LEVELS[2])
_LOGICAL = frozenset(("||", "|", "&&", "&", "!"))
_MOST_LEVELS, _MOST_NODES = 40, 5000
_SAME = "exp sqrt abs sin cos tan asin acos atan sinh cosh tanh atan2 min max log10 floor ceil"
_PLAIN = dict(zip(_SAME.split(), _SAME.split(), strict=True)) | {
    "ln": "log",
    "log": "log",
    "arctan": "atan",
    "sgn": "sign",
    "sign": "sign",
}
# The number of arguments and the text of others; {0} stands for the first in parentheses.
_OTHERS = {
    "pow": (2, "{0}^{1}"), "pwr": (2, "abs({0})^{1}"), "pwrs": (2, "sign({0})*abs({0})^{1}"),
    "limit": (3, "max(min({1}, {2}), min(max({1}, {2}), {0}))"), "uramp": (1, "max(0, {0})"),
    "u": (1, "(if {0} > 0 then 1 else 0)"), "stp": (1, "(if {0} > 0 then 1 else 0)"),
    "int": (1, "(if {0} >= 0 then floor({0}) else ceil({0}))"), "ddt": (1, "sec*der({0})"), "square": (1, "{0}^2"),
    "nint": (1, "floor({0} + 0.5)"),
}  # fmt: skip
_ALONE = frozenset(("limit", "uramp"))


@dataclass(frozen=True)
class Tree:
    """An expression: its kind (number, name, probe, call, if, or an operator), its text and its parts."""

    kind: str
    text: str = ""
    parts: tuple[Tree, ...] = ()


class Scope(Protocol):
    """Writes the names of an expression."""

    def name(self, name: str, span: Span) -> str:
        """A parameter, or what the simulator defines."""
        ...

    def probe(self, kind: str, of: list[str], span: Span) -> str:
        """A voltage V(a), V(a, b) or a current I(x), as a number."""
        ...

    def unit(self, name: str) -> str:
        """The constant 1 with this unit."""
        ...


def number_of(text: str) -> str | None:
    """The number of the language for one of SPICE, 4.7k -> 4.7e3; None if it is none, or too large."""
    found = _NUMBER.fullmatch(text)
    if not found or len(found[2] or "") > 4 or not math.isfinite(float(f"{found[1]}e{found[2] or 0}") * 1e12):
        return None
    letters = found[3].lower()
    if letters.startswith("mil"):
        return f"{float(found[1]) * 25.4e-6 * 10.0 ** int(found[2] or 0):.12g}"
    suffix = "meg" if letters.startswith("meg") else letters[:1]
    power = _SUFFIXES.get(suffix, 0) + int(found[2] or 0)
    digits = found[1].lstrip("+").rstrip(".")
    digits = re.sub(r"^(-?)\.", r"\g<1>0.", digits)
    return f"{digits}e{power}" if power else digits


def parse(text: str, span: Span) -> Tree:
    """The tree of an expression, in braces or quotes or without. ModelError E160."""
    text = text.strip()
    quoted = len(text) > 1 and text[0] + text[-1] in ("{}", "''", '""')
    return _Parser(text[1:-1] if quoted else text, span).all()


class _Parser:
    def __init__(self, text: str, span: Span):
        self._text, self._span, self._at, self._depth = text, span, 0, 0
        self._kind, self._token = "", ""
        self._next()

    def all(self) -> Tree:
        found = self._choice()
        if self._kind:
            self._fail(f"'{self._token}' is not expected in an expression")
        return found

    def _fail(self, what: str) -> NoReturn:
        raise ModelError([messages.wrong(what, "an expression such as {2*a + V(out)}", self._span)])

    def _next(self) -> str:
        before = self._token
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            if self._text[self._at :].strip():
                self._fail(f"'{self._text[self._at :].strip()[:20]}' is not expected in an expression")
            self._kind = self._token = ""
        else:
            self._at, self._kind = found.end(), found.lastgroup or ""
            self._token = found[self._kind]
        return before

    def _takes(self, *signs: str) -> bool:
        return self._kind == "sign" and self._token in signs

    def _require(self, sign: str) -> None:
        if not self._takes(sign):
            self._fail(f"an expression lacks '{sign}'")
        self._next()

    def _choice(self) -> Tree:
        self._depth += 1
        if self._depth > _MOST_LEVELS:
            self._fail(f"an expression has more than {_MOST_LEVELS} levels")
        found = self._binary(0)
        if self._takes("?"):
            self._next()
            yes = self._choice()
            self._require(":")
            found = Tree("if", "", (found, yes, self._choice()))
        self._depth -= 1
        return found

    def _binary(self, level: int) -> Tree:
        if level == len(_LEVELS):
            return self._signed()
        found = self._binary(level + 1)
        while self._takes(*_LEVELS[level]):
            sign = self._next()
            found = Tree(sign, "", (found, self._binary(level + 1)))
        return found

    def _signed(self) -> Tree:
        self._depth += 1
        if self._depth > _MOST_LEVELS:
            self._fail(f"an expression has more than {_MOST_LEVELS} levels")
        if self._takes("-", "+", "!", "~"):
            sign = self._next()
            found = self._signed()
            found = found if sign == "+" else Tree("not" if sign in "!~" else "minus", "", (found,))
        else:
            found = self._atom()
            if self._takes("^", "**"):
                self._next()
                found = Tree("^", "", (found, self._signed()))
        self._depth -= 1
        return found

    def _atom(self) -> Tree:
        kind = self._kind
        if kind == "number":
            number = number_of(self._token)
            if number is None:
                self._fail(f"the number '{self._token[:20]}' is too large")
            self._next()
            return Tree("number", number)
        if kind == "probe":
            return Tree("probe", self._next())
        if kind == "name":
            name = self._next().lower()
            if not self._takes("("):
                return Tree("name", name)
            self._next()
            parts = [self._choice()]
            while self._takes(","):
                self._next()
                parts.append(self._choice())
            self._require(")")
            return Tree("call", name, tuple(parts))
        self._require("(")
        found = self._choice()
        self._require(")")
        return found


@dataclass(frozen=True)
class Function:
    """A function of the netlist."""

    arguments: tuple[str, ...]
    body: Tree


def expanded(tree: Tree, functions: Mapping[str, Function], span: Span) -> Tree:
    """The tree without calls of functions of the netlist. ModelError E160 if it becomes too large."""
    left = [_MOST_NODES]

    def walk(tree: Tree, bound: Mapping[str, Tree], depth: int) -> Tree:
        left[0] -= 1
        if left[0] < 0 or depth > _MOST_LEVELS:
            raise ModelError([messages.wrong("functions call each other without end", "simpler functions", span)])
        if tree.kind == "name" and tree.text in bound:
            return bound[tree.text]
        parts = tuple(walk(part, bound, depth + 1) for part in tree.parts)
        function = functions.get(tree.text) if tree.kind == "call" else None
        if function is not None and len(function.arguments) == len(parts):
            return walk(function.body, dict(zip(function.arguments, parts, strict=True)), depth + 1)
        return replace(tree, parts=parts)

    return walk(tree, {}, 0)


def constant(tree: Tree) -> float | None:
    """The value of a tree of numbers, None of another one."""
    values = [constant(part) for part in tree.parts]
    if any(value is None for value in values):
        return None
    known = [value for value in values if value is not None]
    if tree.kind == "number":
        return float(tree.text)
    operations: dict[str, Callable[[], float]] = {
        "minus": lambda: -known[0], "+": lambda: known[0] + known[1], "-": lambda: known[0] - known[1],
        "*": lambda: known[0] * known[1], "/": lambda: known[0] / known[1], "^": lambda: known[0] ** known[1],
    }  # fmt: skip
    try:
        found = operations[tree.kind]() if tree.kind in operations else None
    except (ArithmeticError, ValueError):
        return None
    return found if isinstance(found, float) and math.isfinite(found) else None


def literal(tree: Tree) -> str | None:
    """The number that the tree is, None of another one."""
    if tree.kind == "minus" and tree.parts[0].kind == "number":
        return f"-{tree.parts[0].text}"
    return tree.text if tree.kind == "number" else None


def written(tree: Tree, scope: Scope, span: Span, is_factor: bool = False) -> str:
    """The expression of the language, in parentheses where it is a factor that needs them. ModelError E161 for an
    unknown name, E162 for an unknown function."""
    return _Writer(scope, span).number(tree, 6 if is_factor else 0)


_BINDING = {"or": 1, "and": 2, "+": 5, "-": 5, "*": 6, "/": 6, "^": 8} | dict.fromkeys(_RELATIONS, 4)


class _Writer:
    def __init__(self, scope: Scope, span: Span):
        self._scope, self._span = scope, span

    def number(self, tree: Tree, binding: int) -> str:
        """The text of a number, in parentheses if it binds looser than `binding`."""
        if self._is_condition(tree):
            return f"(if {self.condition(tree, 0)} then 1 else 0)"
        text, own = self._text(tree)
        return f"({text})" if own < binding else text

    def _is_condition(self, tree: Tree) -> bool:
        return tree.kind in _RELATIONS or tree.kind in _LOGICAL or tree.kind == "not"

    def condition(self, tree: Tree, binding: int) -> str:
        if not self._is_condition(tree):
            return f"({self.number(tree, 5)} <> 0)"
        if tree.kind == "not":
            return f"not {self.condition(tree.parts[0], 4)}"
        sign = _WRITTEN.get(tree.kind, tree.kind)
        own = _BINDING[sign]
        each = self.number if tree.kind in _RELATIONS else self.condition
        text = f"{each(tree.parts[0], own + 1)} {sign} {each(tree.parts[1], own + 1)}"
        return f"({text})" if own < binding else text

    def _text(self, tree: Tree) -> tuple[str, int]:
        kind, parts = tree.kind, tree.parts
        if kind == "number":
            return tree.text, 5 if tree.text[0] == "-" else 9
        if kind == "name":
            return self._named(tree.text), 9
        if kind == "probe":
            inner = tree.text[tree.text.index("(") + 1 : -1]
            of = [each for each in re.split(r"[\s,]+", inner) if each]
            return self._scope.probe(tree.text[0].lower(), of, self._span), 6
        if kind == "minus":
            return f"-{self.number(parts[0], 7)}", 5
        if kind == "if":
            texts = self.condition(parts[0], 0), self.number(parts[1], 0), self.number(parts[2], 0)
            return f"(if {texts[0]} then {texts[1]} else {texts[2]})", 9
        if kind == "call":
            return self._called(tree.text, parts)
        own = _BINDING[kind]
        left = self.number(parts[0], own + (kind == "^"))
        right = self.number(parts[1], own + (kind != "^"))
        space = " " if kind in "+-" else ""
        return f"{left}{space}{kind}{space}{right}", own

    def _named(self, name: str) -> str:
        return f"(time/{self._scope.unit('sec')})" if name == "time" else self._scope.name(name, self._span)

    def _called(self, name: str, parts: tuple[Tree, ...]) -> tuple[str, int]:
        if name in _PLAIN:
            return f"{_PLAIN[name]}({', '.join(self.number(part, 0) for part in parts)})", 9
        if name == "if" and len(parts) == 3:
            return self._text(Tree("if", "", parts))
        if name == "table" and len(parts) >= 5 and len(parts) % 2:
            return self._table(parts[0], parts[1::2], parts[2::2]), 9
        count, form = _OTHERS.get(name, (-1, ""))
        if count != len(parts):
            hint = "write it with functions that are imported, such as exp, sqrt, min, max, limit, table"
            raise ModelError([messages.not_imported(f"the function '{name[:40]}' of {len(parts)}", hint, self._span)])
        if name == "ddt":
            self._scope.unit("sec")
        return form.format(
            *(self.number(part, 0 if name in _ALONE else 9) for part in parts)
        ), 9 if name in _ALONE else 6

    def _table(self, x: Tree, xs: tuple[Tree, ...], ys: tuple[Tree, ...]) -> str:
        """Linear interpolation, constant outside of the points."""
        points, values = ([self.number(each, 0) for each in several] for several in (xs, ys))
        inside = f"max({points[0]}, min({points[-1]}, {self.number(x, 0)}))"
        return f"interp1({inside}, [{', '.join(points)}], [{', '.join(values)}])"
