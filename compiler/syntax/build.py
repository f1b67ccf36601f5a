"""Stage 1, its fourth step. What a rule of grammar.lark has read -> nodes of the SyntaxTree.

Looks nothing up. One function per rule, called by the parser as soon as the rule is complete; it
gets all children of the rule in order, marks included, and raises ModelError where the brackets
behind a name hold what cannot stand there (E114).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.lexemes import Lexeme

# The one attribute that has no value: alone in brackets it is an attribute, not a dimension.
BARE_ATTRIBUTE = "symmetric"


class Named(NamedTuple):
    """`name = value` in brackets: an attribute or a binding."""

    span: Span
    name: Lexeme
    value: tree.Expression


class Bracket(NamedTuple):
    """The brackets behind a name in a declaration."""

    span: Span
    entries: list[Named | tree.Expression]


class Value(NamedTuple):
    """`= value` or `if condition` in a declaration."""

    expression: tree.Expression


class Elementary(NamedTuple):
    """The body of an elementary cut."""

    across: tuple[tree.CutEntry, ...]
    through: tuple[tree.CutEntry, ...]


class Hierarchical(NamedTuple):
    """The body of a hierarchical cut."""

    parts: tuple[tree.PointReference, ...]


class Rules:
    """The functions, under the names of the rules."""

    # --- statements ---

    @staticmethod
    def include(c: list[Any]) -> tree.Include:
        name = c[1].text[1:-1] if c[1].type == "TEXT" else "".join(lexeme.text for lexeme in c[1:])
        return tree.Include(_whole(c), name)

    @staticmethod
    def header(c: list[Any]) -> tree.Class:
        is_object = not any(isinstance(child, Lexeme) and child.type in ("CLASS", "TYPE") for child in c)
        supers = next((child for child in c if type(child) is tuple), ())
        name = _first(c, "NAME")
        return tree.Class(name.span, name.text, is_object, supers, (), _documentation(c))

    @staticmethod
    def supers(c: list[Any]) -> tuple[tree.ClassReference, ...]:
        return tuple(tree.ClassReference(name.span, name.text) for name in c[1::2])

    @staticmethod
    def end(c: list[Any]) -> Lexeme:
        return c[0]

    # --- declarations ---

    @staticmethod
    def variables(c: list[Any]) -> tree.VariableDeclaration:
        return tree.VariableDeclaration(_whole(c), c[0].text, tuple(c[1::2]))

    @staticmethod
    def variable(c: list[Any]) -> tree.VariableItem:
        dimensions, attributes = _dimensions_and_attributes(c)
        value = next((child.expression for child in c if isinstance(child, Value)), None)
        return tree.VariableItem(c[0].span, c[0].text, dimensions, attributes, value, _documentation(c))

    @staticmethod
    def value(c: list[Any]) -> Value:
        return Value(c[1])

    @staticmethod
    def bracket(c: list[Any]) -> Bracket:
        return Bracket(_whole(c), c[1::2])

    @staticmethod
    def named(c: list[Any]) -> Named:
        return Named(_whole(c), c[0], c[2])

    @staticmethod
    def submodels(c: list[Any]) -> tree.SubmodelDeclaration:
        return tree.SubmodelDeclaration(_whole(c), tree.ClassReference(c[2].span, c[2].text), tuple(c[4::2]))

    @staticmethod
    def submodel(c: list[Any]) -> tree.SubmodelItem:
        dimensions, bindings = _dimensions_and_bindings(_brackets(c))
        condition = next((child.expression for child in c if isinstance(child, Value)), None)
        return tree.SubmodelItem(c[0].span, c[0].text, dimensions, bindings, condition, _documentation(c))

    @staticmethod
    def condition(c: list[Any]) -> Value:
        return Value(c[1])

    @staticmethod
    def cuts(c: list[Any]) -> tree.CutDeclaration:
        main = c[0].type == "MAIN"
        return tree.CutDeclaration(_whole(c), main, tuple(c[2 if main else 1 :: 2]))

    @staticmethod
    def cut(c: list[Any]) -> tree.CutItem:
        body = c[1] if len(c) > 1 else None
        across = through = parts = None
        if isinstance(body, Elementary):
            across, through = body
        elif isinstance(body, Hierarchical):
            parts = body.parts
        return tree.CutItem(c[0].span, c[0].text, across, through, parts, _documentation(c))

    @staticmethod
    def elementary(c: list[Any]) -> Elementary:
        slash = next((i for i, child in enumerate(c) if isinstance(child, Lexeme) and child.type == "SLASH"), len(c))
        return Elementary(_all(c[:slash], tree.CutEntry), _all(c[slash:], tree.CutEntry))

    @staticmethod
    def cut_entry(c: list[Any]) -> tree.CutEntry:
        sign = -1 if c[0].type == "MINUS" else 1
        name = _first(c, "NAME")
        dimensions, attributes = _dimensions_and_attributes(c)
        return tree.CutEntry(_whole(c), name.text, sign, dimensions, attributes)

    @staticmethod
    def nothing(c: list[Any]) -> tree.CutEntry:
        return tree.CutEntry(c[0].span, "")

    @staticmethod
    def hierarchical(c: list[Any]) -> Hierarchical:
        return Hierarchical(_all(c, tree.PointReference))

    @staticmethod
    def path(c: list[Any]) -> tree.PathDeclaration:
        name = _first(c, "NAME")
        return tree.PathDeclaration(_whole(c), c[0].type == "MAIN", name.text, _all(c, tree.PointReference))

    @staticmethod
    def nodes(c: list[Any]) -> tree.NodeDeclaration:
        return tree.NodeDeclaration(_whole(c), tuple(tree.NodeItem(name.span, name.text) for name in c[1::2]))

    # --- connections and equations ---

    @staticmethod
    def connect(c: list[Any]) -> tree.Connect:
        return tree.Connect(_whole(c), tuple(c[1::2]))

    @staticmethod
    def chain(c: list[Any]) -> tree.Chain:
        return tree.Chain(_whole(c), tuple(c[::2]))

    @staticmethod
    def parallel(c: list[Any]) -> tree.Parallel:
        return tree.Parallel(_whole(c), tuple(c[::2]))

    @staticmethod
    def loop(c: list[Any]) -> tree.Loop:
        return tree.Loop(_whole(c), c[0], c[2])

    @staticmethod
    def turned(c: list[Any]) -> tree.Reversed:
        return tree.Reversed(_whole(c), c[1])

    @staticmethod
    def bracketed(c: list[Any]) -> tree.Link:
        return replace(c[1], span=_whole(c))

    @staticmethod
    def placement(c: list[Any]) -> tree.Placement:
        return tree.Placement(_whole(c), c[0], _all(c[1:], tree.PointReference))

    @staticmethod
    def point(c: list[Any]) -> tree.PointReference:
        return tree.PointReference(_whole(c), tuple(c[::2]))

    @staticmethod
    def equation(c: list[Any]) -> tree.Equation:
        return tree.Equation(_whole(c), c[0], c[2])

    @staticmethod
    def repeated(c: list[Any]) -> tree.Repeated:
        return tree.Repeated(c[0].span.to(c[-1].range.span), c[0], tuple(c[1:]))

    @staticmethod
    def for_index(c: list[Any]) -> tree.ForIndex:
        return tree.ForIndex(c[1].span, c[1].text, c[3])

    @staticmethod
    def for_header(c: list[Any]) -> tree.ForEquations:
        return tree.ForEquations(_whole(c), c[0])

    @staticmethod
    def endfor(c: list[Any]) -> Lexeme:
        return c[0]

    # --- expressions ---

    @staticmethod
    def conditional(c: list[Any]) -> tree.Conditional:
        # c is: if C then E [elseif C then E]... else E
        return tree.Conditional(_whole(c), tuple(zip(c[1:-2:4], c[3:-2:4], strict=True)), c[-1])

    @staticmethod
    def binary(c: list[Any]) -> tree.Binary:
        operator = "^" if c[1].type == "POWER_STARS" else c[1].text
        return tree.Binary(_whole(c), operator, c[0], c[2])

    @staticmethod
    def unary(c: list[Any]) -> tree.Unary:
        return tree.Unary(_whole(c), c[0].text, c[1])

    @staticmethod
    def transposed(c: list[Any]) -> tree.Unary:
        return tree.Unary(_whole(c), "'", c[0])

    @staticmethod
    def grouped(c: list[Any]) -> tree.Expression:
        return replace(c[1], span=_whole(c))

    @staticmethod
    def reference(c: list[Any]) -> tree.Reference:
        return tree.Reference(_whole(c), tuple(c[::2]))

    @staticmethod
    def part(c: list[Any]) -> tree.Part:
        return tree.Part(_whole(c), c[0].text, tuple(c[2:-1:2]) if len(c) > 1 else None)

    @staticmethod
    def range(c: list[Any]) -> tree.Range:
        return tree.Range(_whole(c), c[0], c[2])

    @staticmethod
    def everything(c: list[Any]) -> tree.Everything:
        return tree.Everything(c[0].span)

    @staticmethod
    def number(c: list[Any]) -> tree.Number:
        return tree.Number(c[0].span, float(c[0].text))

    @staticmethod
    def text(c: list[Any]) -> tree.Text:
        return tree.Text(c[0].span, c[0].text[1:-1])

    @staticmethod
    def matrix(c: list[Any]) -> tree.Matrix:
        return tree.Matrix(_whole(c), tuple(c[1:-1:2]))

    @staticmethod
    def row(c: list[Any]) -> tuple[tree.Expression, ...]:
        return tuple(c[::2])


def _whole(children: list[Any]) -> Span:
    return children[0].span.to(children[-1].span)


def _first(children: list[Any], kind: str) -> Lexeme:
    return next(child for child in children if isinstance(child, Lexeme) and child.type == kind)


def _all(children: list[Any], kind: type) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


def _brackets(children: list[Any]) -> list[Bracket]:
    return [child for child in children if isinstance(child, Bracket)]


def _documentation(children: list[Any]) -> str:
    last = children[-1]
    return last.text[1:-1] if isinstance(last, Lexeme) and last.type == "TEXT" else ""


def _dimensions_and_attributes(c: list[Any]) -> tuple[tuple[tree.Expression, ...], tuple[tree.Attribute, ...]]:
    brackets = _brackets(c)
    if not brackets:
        return (), ()
    if len(brackets) == 1 and any(_is_attribute(entry) for entry in brackets[0].entries):
        return (), tuple(_attribute(entry) for entry in brackets[0].entries)
    dimensions: list[tree.Expression] = []
    for entry in brackets[0].entries:
        if isinstance(entry, Named):
            _reject(
                "the first of two brackets behind a name holds dimensions, this is an attribute",
                entry.span,
                "dimensions come first, then attributes: x(3)(start=0)",
            )
        dimensions.append(entry)
    second = brackets[1].entries if len(brackets) == 2 else []
    return tuple(dimensions), tuple(_attribute(entry) for entry in second)


def _dimensions_and_bindings(brackets: list[Bracket]) -> tuple[tuple[tree.Expression, ...], tuple[tree.Binding, ...]]:
    """Two brackets are dimensions and bindings; a single one is what its first entry is."""
    has_dimensions = len(brackets) == 2 or any(not isinstance(b.entries[0], Named) for b in brackets)
    dimensions: list[tree.Expression] = []
    for entry in brackets[0].entries if has_dimensions else ():
        if isinstance(entry, Named):
            _reject(
                "the first of two brackets behind a submodel holds its dimension, this is a binding",
                entry.span,
                "the dimension comes first, in brackets of its own: c(6)(p = 1)",
            )
        dimensions.append(entry)
    if len(dimensions) > 1:
        _reject("an array of submodels has one dimension", dimensions[1].span, "bindings are written: name = value")
    bindings: list[tree.Binding] = []
    for bracket in brackets[has_dimensions:]:
        for entry in bracket.entries:
            if not isinstance(entry, Named):
                _reject("the brackets behind a submodel hold bindings, this is none", entry.span, "write 'name = value'")
            bindings.append(tree.Binding(entry.name.span, entry.name.text, entry.value))
    return tuple(dimensions), tuple(bindings)


def _is_attribute(entry: Named | tree.Expression) -> bool:
    return isinstance(entry, Named) or _bare_name(entry) == BARE_ATTRIBUTE


def _bare_name(expression: tree.Expression) -> str:
    if isinstance(expression, tree.Reference) and len(expression.parts) == 1 and expression.parts[0].arguments is None:
        return expression.parts[0].name
    return ""


def _attribute(entry: Named | tree.Expression) -> tree.Attribute:
    if isinstance(entry, Named):
        return tree.Attribute(entry.span, entry.name.text, entry.value)
    if not _bare_name(entry):
        _reject(
            "this is no attribute",
            entry.span,
            "an attribute is written 'name = value'; dimensions stand in brackets of their own in front: x(3)(start=0)",
        )
    return tree.Attribute(entry.span, _bare_name(entry), None)


def _reject(message: str, span: Span, hint: str) -> NoReturn:
    raise ModelError((Diagnostic("E114", message, span, hint),))
