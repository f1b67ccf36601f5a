"""Builds the SyntaxTree (stage 1, fourth step): what a rule of grammar.lark has read -> nodes.

There is one function per rule, which the parser calls as soon as the rule is complete. It receives all children of the
rule in order, punctuation included, and raises ModelError for invalid contents of the parentheses after a name (E114).
Looks nothing up.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from lark import Transformer

from cutset.compiler.diagnostics import ModelError, Span, visible
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.brackets import (
    Bracket,
    Named,
    OfVariable,
    attribute,
    check_flows,
    dimensions_and_attributes,
    dimensions_and_bindings,
    length_of,
    reject,
    reject_tolerance,
    with_starts,
)
from cutset.compiler.syntax.lexemes import ELEMENTWISE, Lexeme
from cutset.compiler.syntax.print import print_number
from cutset.compiler.units.messages import misread
from cutset.compiler.units.parse import Misread
from cutset.compiler.units.quantities import si_value
from cutset.compiler.units.symbols import OFFSETS


class Piece(NamedTuple):
    """What a rule without a node of its own has read, for the rule that contains it."""

    rule: str
    content: Any


class _Results(NamedTuple):
    """`(q, qd)` on the left side of a call."""

    span: Span
    elements: tuple[tree.Expression, ...]


class Rules(Transformer[Any, Any]):
    """The functions, each with the name of its rule in grammar.lark."""

    # --- statements ---

    def include(self, c: list[Any]) -> tree.Include:
        words = [child for child in c[1:] if isinstance(child, Lexeme)]
        name = _content(words[0]) if words[0].type == "TEXT" else "".join(word.text for word in words)
        added: tuple[Lexeme, ...] = _piece(c, "prefix", ())
        prefix, library = (added[1].text if added and added[0].text == word else "" for word in ("as", "with"))
        return tree.Include(c[0].span.to((*words, *added)[-1].span), name, prefix, library)

    def prefix(self, c: list[Any]) -> Piece:
        if c[0].text not in ("as", "with"):
            hint = "write '@file as prefix' or '@file with library'"
            reject("only a prefix or a library can follow the name of a file", c[0].span, hint, "E107")
        return Piece("prefix", (c[0], c[1]))

    def header(self, c: list[Any]) -> tree.Class:
        is_object = not any(isinstance(child, Lexeme) and child.type in ("CLASS", "TYPE") for child in c)
        supers = _piece(c, "supers", ())
        class_parameters = next((child for child in c if type(child) is tuple), ())
        name = _first(c, "NAME")
        return tree.Class(name.span, name.text, is_object, supers, (), _documentation(c), class_parameters)

    def supers(self, c: list[Any]) -> Piece:
        return Piece("supers", tuple(c[1::2]))

    def class_name(self, c: list[Any]) -> tree.ClassReference:
        return tree.ClassReference(_whole(c), "".join(lexeme.text for lexeme in c))

    def class_parameters(self, c: list[Any]) -> tuple[tree.ClassParameter, ...]:
        return tuple(c[1::2])

    def class_parameter(self, c: list[Any]) -> tree.ClassParameter:
        name, default = _first(c, "NAME"), c[-1] if isinstance(c[-1], tree.ClassReference) else None
        return tree.ClassParameter(name.span, name.text, default, _piece(c, "supers", ()))

    def end(self, c: list[Lexeme]) -> Lexeme:
        return c[0]

    # --- functions, types, cut classes ---

    def function_header(self, c: list[Any]) -> tree.Function:
        last = next(k for k, child in enumerate(c) if isinstance(child, Piece) and child.rule == "result")
        arguments, more = _all(c[:last], tree.Argument), _all(c[last:], tree.Argument)
        return tree.Function(c[1].span, c[1].text, arguments, c[last].content, (), _documentation(c), more=more)

    def external(self, c: list[Any]) -> tree.Function:
        arguments, is_controller = _all(c, tree.Argument), c[1].text == tree.CONTROLLER
        if c[1].type == "NAME" and not is_controller:
            hint = f"write 'external function' or 'external {tree.CONTROLLER}'"
            reject(f"found '{c[1].text}' after 'external'", c[1].span, hint)
        return tree.Function(
            c[2].span, c[2].text, arguments, _piece(c, "result"), external=_content(c[-1]), is_controller=is_controller
        )

    def result(self, c: list[Any]) -> Piece:
        if c[0].text != "result":
            reject("the result of the function is missing here", c[0].span, "write 'function f(x) result y'", "E107")
        return Piece("result", c[1])

    def argument(self, c: list[Any]) -> tree.Argument:
        name = _first(c, "NAME")
        dimensions, attributes = dimensions_and_attributes(_brackets(c), open_allowed=True)
        return tree.Argument(name.span, name.text, dimensions, attributes, _piece(c, "of_type"))

    def type(self, c: list[Any]) -> tree.Type:
        name = _first(c, "NAME")
        brackets = _brackets(c)
        attributes = tuple(attribute(entry) for entry in brackets[0].entries) if brackets else ()
        literals = next((child for child in c if type(child) is tuple), ())
        return tree.Type(name.span, name.text, _piece(c, "of_type"), attributes, literals, _documentation(c))

    def literals(self, c: list[Any]) -> tuple[tree.NodeItem, ...]:
        return tuple(tree.NodeItem(name.span, name.text) for name in c[1::2])

    def cut_class(self, c: list[Any]) -> tree.CutClass:
        across, through = c[3].content
        return tree.CutClass(c[2].span, c[2].text, across, through, _documentation(c))

    # --- declarations ---

    def variables(self, c: list[Any]) -> tree.VariableDeclaration:
        of_type = _piece(c, "of_type")
        items = _all(c, tree.VariableItem)
        for item in items if c[0].type == "CONSTANT" else ():
            reject_tolerance(item.tolerance)
        return tree.VariableDeclaration(_whole(c), c[0].text, items, of_type)

    def of_type(self, c: list[Any]) -> Piece:
        if len(c) == 3:
            return Piece("of_type", c[1])
        if c[1].text != tree.FMU:
            reject(f"found '{c[1].text}' before a file", c[1].span, f'write ({tree.FMU} "file.fmu")')
        reference = tree.ClassReference(c[1].span.to(c[2].span), tree.FMU, _content(c[2]))
        return Piece("of_type", reference)

    def variable(self, c: list[Any]) -> tree.VariableItem:
        dimensions, attributes = dimensions_and_attributes(_brackets(c))
        value, tolerance = _piece(c, "value", (None, None))
        return tree.VariableItem(c[0].span, c[0].text, dimensions, attributes, value, _documentation(c), tolerance)

    def value(self, c: list[Any]) -> Piece:
        return Piece("value", (c[1], _tolerance(c[1], c[2:])))

    def tolerance(self, c: list[Any]) -> tree.Expression:
        number: tree.Expression = c[1]
        return number

    def bracket(self, c: list[Any]) -> Bracket:
        return Bracket(_whole(c), c[1::2])

    def named(self, c: list[Any]) -> Named:
        reference: tree.Reference = c[0]
        for part in (part for part in reference.parts if part.arguments is not None):
            reject(
                "an index cannot stand in the name of a value", part.span, "give it to all elements, by the name alone"
            )
        name = Lexeme("NAME", ".".join(part.name for part in reference.parts), reference.span)
        return Named(_whole(c), name, c[2], _tolerance(c[2], c[3:]))

    def started(self, c: list[Any]) -> OfVariable:
        return OfVariable(_whole(c), c[0], list(_all(c, Named)))

    def submodels(self, c: list[Any]) -> tree.SubmodelDeclaration:
        reference = c[1].content
        return tree.SubmodelDeclaration(_whole(c), reference, with_starts(_all(c, tree.SubmodelItem), reference))

    def submodel(self, c: list[Any]) -> tree.SubmodelItem:
        dimensions, bindings = dimensions_and_bindings(_brackets(c))
        condition = _piece(c, "condition")
        return tree.SubmodelItem(c[0].span, c[0].text, dimensions, bindings, condition, _documentation(c))

    def condition(self, c: list[Any]) -> Piece:
        return Piece("condition", c[1])

    def cuts(self, c: list[Any]) -> tree.CutDeclaration:
        main = isinstance(c[0], Lexeme) and c[0].type == "MAIN"
        reference, single = _piece(c, "cut_kind", (None, False))
        return tree.CutDeclaration(_whole(c), main, _all(c, tree.CutItem), reference, single)

    def cut_kind(self, c: list[Any]) -> Piece:
        reference = next(child for child in c if isinstance(child, tree.ClassReference))
        word = c[1] if isinstance(c[1], Lexeme) else None
        if word is not None and word.text != "single":
            hint = f"write ({reference.name}), or (single {reference.name}) where a cut takes one connection only"
            reject("only 'single' can come before the class of a cut", word.span, hint, "E107")
        return Piece("cut_kind", (reference, word is not None))

    def cut(self, c: list[Any]) -> tree.CutItem:
        across, through = _piece(c, "elementary", (None, None))
        parts = _piece(c, "hierarchical")
        length = length_of(_brackets(c), "cut", "cut p(3) (v / i)")
        if length and parts is not None:
            hint = "give its parts a length, and name them or some of them: cut W[A, B(1..2)]"
            reject("a cut of other cuts is no array", length[0].span, hint)
        return tree.CutItem(c[0].span, c[0].text, across, through, parts, _documentation(c), length)

    def length(self, c: list[Any]) -> Bracket:
        return Bracket(_whole(c), c[1::2])

    def unlisted(self, c: list[Any]) -> Piece:
        return Piece("unlisted", None)

    def elementary(self, c: list[Any]) -> Piece:
        slash = next((i for i, child in enumerate(c) if isinstance(child, Lexeme) and child.type == "SLASH"), len(c))
        across, through = _all(c[:slash], tree.CutEntry), _all(c[slash:], tree.CutEntry)
        check_flows(across, through)
        return Piece("elementary", (across, through))

    def cut_entry(self, c: list[Any]) -> tree.CutEntry:
        sign = -1 if c[0].type == "MINUS" else 1
        *words, name = (child for child in c if isinstance(child, Lexeme) and child.type == "NAME")
        if words and words[0].text != tree.CARRIED:
            found = f"expected '(', ')', ',' or '/', found the name '{name.text}'"
            reject(found, name.span, f"a comma is missing before '{name.text}'", "E107")
        if words and sign < 0:
            reject("what a flow carries has no sign", c[0].span, "remove '-': the sign of the flow counts", "E107")
        dimensions, attributes = dimensions_and_attributes(_brackets(c))
        span = name.span.to(c[-1].span) if words else _whole(c)
        return tree.CutEntry(span, name.text, sign, dimensions, attributes, bool(words))

    def nothing(self, c: list[Any]) -> tree.CutEntry:
        return tree.CutEntry(c[0].span, "")

    def hierarchical(self, c: list[Any]) -> Piece:
        return Piece("hierarchical", _all(c, tree.PointReference))

    def path(self, c: list[Any]) -> tree.PathDeclaration:
        name = _first(c, "NAME")
        return tree.PathDeclaration(_whole(c), c[0].type == "MAIN", name.text, _all(c, tree.PointReference))

    def nodes(self, c: list[Any]) -> tree.NodeDeclaration:
        return tree.NodeDeclaration(_whole(c), _all(c, tree.NodeItem))

    def node(self, c: list[Any]) -> tree.NodeItem:
        return tree.NodeItem(c[0].span, c[0].text, length_of(_brackets(c), "node", "node n(5)"))

    def experiment(self, c: list[Any]) -> tree.Experiment:
        settings = (tree.Binding(each.name.span, each.name.text, each.value) for each in _all(c, Named))
        return tree.Experiment(_whole(c), tuple(settings))

    # --- connections and equations ---

    def connect(self, c: list[Any]) -> tree.Connect:
        return tree.Connect(_whole(c), tuple(c[1::2]))

    def chain(self, c: list[Any]) -> tree.Chain:
        return tree.Chain(_whole(c), tuple(c[::2]))

    def parallel(self, c: list[Any]) -> tree.Parallel:
        return tree.Parallel(_whole(c), tuple(c[::2]))

    def loop(self, c: list[Any]) -> tree.Loop:
        return tree.Loop(_whole(c), c[0], c[2])

    def turned(self, c: list[Any]) -> tree.Reversed:
        return tree.Reversed(_whole(c), c[1])

    def bracketed(self, c: list[Any]) -> tree.Link:
        inner: tree.Link = c[1]
        return replace(inner, span=_whole(c))

    def placement(self, c: list[Any]) -> tree.Placement:
        return tree.Placement(_whole(c), c[0], _all(c[1:], tree.PointReference))

    def point(self, c: list[Any]) -> tree.PointReference:
        return tree.PointReference(_whole(c), tuple(c[::2]))

    def equation(self, c: list[Any]) -> tree.Equation:
        left, *others = _lefts(c)
        return tree.Equation(_whole(c), left, c[2], others=tuple(others))

    def results(self, c: list[Any]) -> _Results:
        return _Results(_whole(c), tuple(c[1::2]))

    def closed(self, c: list[Any]) -> tree.Equation:
        return tree.Equation(_whole(c), c[1], c[3], is_closed=True)

    def repeated(self, c: list[Any]) -> tree.Repeated:
        return tree.Repeated(c[0].span.to(c[-1].range.span), c[0], tuple(c[1:]))

    def for_index(self, c: list[Any]) -> tree.ForIndex:
        return tree.ForIndex(c[1].span, c[1].text, c[3])

    def assignment(self, c: list[Any]) -> tree.Assignment:
        target, *others = _lefts(c)
        for wrong in (each for each in others if not isinstance(each, tree.Reference)):
            reject("a value can be assigned to a variable only", wrong.span, "write a name or an element", "E107")
        return tree.Assignment(_whole(c), target, c[2], tuple(others))

    def assertion(self, c: list[Any]) -> tree.Assertion:
        return tree.Assertion(_whole(c), c[0].type == "TERMINATE", c[1], _content(c[3]))

    # --- the lines of blocks ---

    def for_header(self, c: list[Any]) -> tree.For:
        return tree.For(_whole(c), c[0])

    def while_header(self, c: list[Any]) -> tree.While:
        return tree.While(_whole(c), c[1])

    def if_header(self, c: list[Any]) -> tree.If:
        return tree.If(_whole(c), (tree.Branch(_whole(c), c[1]),))

    def when_header(self, c: list[Any]) -> tree.When:
        return tree.When(_whole(c), (tree.Branch(_whole(c), c[1]),))

    def initial(self, c: list[Any]) -> tree.Initial:
        return tree.Initial(_whole(c))

    def otherwise(self, c: list[Any]) -> tree.Branch:
        return tree.Branch(_whole(c), c[1] if len(c) > 1 else None)

    def block_end(self, c: list[Lexeme]) -> Lexeme:
        return c[0]

    # --- expressions ---

    def conditional(self, c: list[Any]) -> tree.Conditional:
        # c is: if C then E [elseif C then E]... else E
        return tree.Conditional(_whole(c), tuple(zip(c[1:-2:4], c[3:-2:4], strict=True)), c[-1])

    def binary(self, c: list[Any]) -> tree.Binary:
        operator = "^" if c[1].type == "POWER_STARS" else c[1].text.removeprefix(".")
        return tree.Binary(_whole(c), operator, c[0], c[2], c[1].type in ELEMENTWISE)

    def unary(self, c: list[Any]) -> tree.Unary | tree.Quantity:
        return _signed(_whole(c), c[0].text, c[1])

    def transposed(self, c: list[Any]) -> tree.Unary:
        return tree.Unary(_whole(c), "'", c[0])

    def grouped(self, c: list[Any]) -> tree.Expression:
        inner: tree.Expression = c[1]
        return replace(inner, span=_whole(c))

    def reference(self, c: list[Any]) -> tree.Reference:
        return tree.Reference(_whole(c), tuple(c[::2]))

    def part(self, c: list[Any]) -> tree.Part:
        return tree.Part(_whole(c), c[0].text, tuple(c[2:-1:2]) if len(c) > 1 else None)

    def range(self, c: list[Any]) -> tree.Range:
        return tree.Range(_whole(c), c[0], c[-1], c[2] if len(c) > 3 else None)

    def everything(self, c: list[Any]) -> tree.Everything:
        return tree.Everything(c[0].span)

    def last(self, c: list[Any]) -> tree.Last:
        return tree.Last(c[0].span)

    def number(self, c: list[Any]) -> tree.Number | tree.Quantity:
        if len(c) == 1:
            return tree.Number(c[0].span, float(c[0].text))
        return _quantity(_whole(c), c[0].text, c[1].text, c[1].span)

    def text(self, c: list[Any]) -> tree.Text:
        return tree.Text(c[0].span, _content(c[0]))

    def matrix(self, c: list[Any]) -> tree.Matrix:
        if c[-1].type == "UNIT":
            *rows, unit = c
            rows[1:-1:2] = [tuple(_with_unit(entry, unit) for entry in row) for row in rows[1:-1:2]]
            return tree.Matrix(_whole(c), tuple(rows[1:-1:2]))
        return tree.Matrix(_whole(c), tuple(c[1:-1:2]))

    def comprehension(self, c: list[Any]) -> tree.Comprehension:
        entry, indices = c[1], tuple(c[2:-1])
        sample = tree.with_numbers(entry, {index.name: 1 for index in indices})
        return tree.Comprehension(_whole(c), entry, indices, sample)

    def row(self, c: list[Any]) -> tuple[tree.Expression, ...]:
        return tuple(c[::2])


def _signed(span: Span, operator: str, operand: tree.Expression) -> tree.Unary | tree.Quantity:
    match operand:
        case tree.Quantity(number=number, unit=unit) if operator == "-" and unit in OFFSETS:
            # The sign of a temperature belongs to its number; -(20 degC) is the negative of one.
            if not operand.span.text.startswith(("(", "-")):
                return _quantity(span, f"-{number}", unit, operand.span)
    return tree.Unary(span, operator, operand)


def _quantity(span: Span, number: str, unit: str, at: Span) -> tree.Quantity:
    try:
        return tree.Quantity(span, si_value(number, unit), number, unit)
    except Misread as error:
        raise ModelError((misread(error, unit, at, is_number=True),)) from error
    except OverflowError:
        reject("this number is too large in SI units", span, "the largest is about 1.8e308", "E104")


def _with_unit(entry: tree.Expression, unit: Lexeme) -> tree.Expression:
    """An entry of `[10, -20] mm` with its unit; anything but a number is rejected."""
    number = entry.operand if isinstance(entry, tree.Unary) else entry
    if not isinstance(number, tree.Number) or number.span.text.startswith("("):
        hint = f"multiply by it instead: 1 {unit.text}*[...]"
        reject(f"the unit '{unit.text}' is that of numbers, and this entry is none", entry.span, hint, "E133")
    quantity = _quantity(number.span, print_number(number.value), unit.text, unit.span)
    return _signed(entry.span, entry.operator, quantity) if isinstance(entry, tree.Unary) else quantity


def _tolerance(value: tree.Expression, following: list[Any]) -> tree.Number | tree.Quantity | None:
    """The positive number after `+-`, where there is one: a share of the value in %, else a difference from it."""
    tolerance: tree.Expression | None = following[0] if following else None
    units = [quantity.unit for quantity in tree.quantities(value)]
    match tolerance:
        case None:
            return None
        case tree.Quantity(unit="%") if set(units) & set(OFFSETS):
            hint = "a share of it would depend on the zero of its scale: give a difference in K"
            reject("a tolerance of a temperature is a difference", tolerance.span, hint, "E142")
        case tree.Quantity(unit=unit) if unit in OFFSETS:
            hint = f"write {tolerance.number} K" if unit == "degC" else "give it in K"
            reject("a tolerance is a difference of temperatures", tolerance.span, hint, "E142")
        case tree.Number(value=number) if number > 0.0 and units:
            written = print_number(number)
            hint = f"write {written} % for a share of the value, or {written} {units[0]}"
            reject("this tolerance needs a unit, as the value has one", tolerance.span, hint, "E142")
        case tree.Number(value=number) if isinstance(value, tree.Number) and number > value.value > 0.0:
            share = f"{print_number(value.value)} +- {100.0 * number / value.value:g} %"
            hint = (
                f"write {print_number(value.value)} + (-{print_number(number)}) for the sum, {share} for the tolerance"
            )
            reject("this tolerance exceeds the value", tolerance.span, hint, "E142")
        case tree.Number(value=number) | tree.Quantity(value=number) if number > 0.0:
            return tolerance
    hint = (
        "write a share of the value, 1 kOhm +- 5 %, or a difference, 1 kOhm +- 50 Ohm; else put parentheses: a + (-b)"
    )
    reject("a tolerance is a positive number", tolerance.span, hint, "E142")


def _lefts(children: list[Any]) -> tuple[Any, ...]:
    """The left sides of an equation or assignment: one, or several for a call."""
    left, right = children[0], children[2]
    if not isinstance(left, _Results):
        return (left,)
    if not isinstance(right, tree.Reference) or right.parts[-1].arguments is None:
        reject("only a function has several results", right.span, "write its call: (q, qd) = f(x)", "E107")
    return left.elements


def _whole(children: list[Any]) -> Span:
    first: Span = children[0].span
    return first.to(children[-1].span)


def _first(children: list[Any], kind: str) -> Lexeme:
    return next(child for child in children if isinstance(child, Lexeme) and child.type == kind)


def _all(children: list[Any], kind: type) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


def _piece(children: list[Any], rule: str, otherwise: Any = None) -> Any:
    return next((child.content for child in children if isinstance(child, Piece) and child.rule == rule), otherwise)


def _documentation(children: list[Any]) -> str:
    last = children[-1]
    return _content(last) if isinstance(last, Lexeme) and last.type == "TEXT" else ""


def _brackets(children: list[Any]) -> list[Bracket]:
    return [child for child in children if isinstance(child, Bracket)]


def _content(quoted: Lexeme) -> str:
    """The content of a string without its quotes, safe to show on a terminal."""
    return visible(quoted.text[1:-1])
