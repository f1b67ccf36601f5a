"""Prints a SyntaxTree as canonical text (stage 1, inverse): parsing it gives the same tree except for the spans.

Must not change anything: no simplification, no other order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cutset.compiler.syntax import tree

# The precedence of expressions, from the loosest; `_SIGNED` is a sign before an operand.
_LOOSEST, _NOT, _SIGNED, _POWER, _POSTFIX, _PRIMARY = 0, 3, 7, 8, 9, 10
# In parentheses before `/` and `^`, which would belong to the unit.
_QUANTITY = 5
_BINARY = {
    "or": 1, "and": 2, "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "<>": 4, "+": 5, "-": 5, "*": 6, "/": 6, "^": _POWER,
}  # fmt: skip
_UNSPACED = frozenset("*/^")
_RELATIONS = frozenset({"<", "<=", ">", ">=", "==", "<>"})

_BARE_INCLUDE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)


def print_tree(syntax_tree: tree.SyntaxTree) -> str:
    """The text of a file: includes, types, cut classes, functions, models; one statement per line."""
    blocks = ["\n".join(_include(include) for include in syntax_tree.includes)] if syntax_tree.includes else []
    for kind in (syntax_tree.types, syntax_tree.cut_classes):
        blocks += ["\n".join(map(_single, kind))] if kind else []
    blocks += ["\n".join(_function_lines(item)) for item in syntax_tree.functions]
    blocks += ["\n".join(_class_lines(item)) for item in syntax_tree.classes]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def print_equation(equation: tree.Equation) -> str:
    """`left = right`, also with `closed`."""
    begin = "closed " if equation.is_closed else ""
    return f"{begin}{_lefts(equation.left, equation.others)} = {print_expression(equation.right)}"


def _lefts(first: tree.Expression, others: Sequence[tree.Expression]) -> str:
    return f"({_list((first, *others))})" if others else print_expression(first)


def print_expression(expression: tree.Expression) -> str:
    """The expression without redundant parentheses."""
    return _expression(expression, _LOOSEST)


# --- expressions -----------------------------------------------------------------------------


def _expression(e: tree.Expression, tightness: int) -> str:
    """The text of `e` where this precedence is required: in parentheses if its own is lower."""
    own, text = _loose_text(e)
    return f"({text})" if own < tightness else text


def _loose_text(e: tree.Expression) -> tuple[int, str]:
    """The precedence of an expression, and its text."""
    match e:
        case tree.Number():
            return (_SIGNED if e.value < 0 else _PRIMARY), print_number(e.value)
        case tree.Quantity():
            return _QUANTITY, f"{e.number} {e.unit}"
        case tree.Text():
            return _PRIMARY, f'"{e.value}"'
        case tree.Reference():
            return _PRIMARY, ".".join(_part(part) for part in e.parts)
        case tree.Unary(operator="'"):
            return _POSTFIX, _expression(e.operand, _POSTFIX) + "'"
        case tree.Unary(operator="not"):
            return _NOT, "not " + _expression(e.operand, _NOT)
        case tree.Unary():
            return _SIGNED, e.operator + _expression(e.operand, _SIGNED)
        case tree.Binary():
            return _BINARY[e.operator], _binary(e)
        case tree.Conditional():
            return _LOOSEST, _conditional(e)
        case tree.Range():
            return _LOOSEST, "..".join(map(print_expression, e.bounds))
        case tree.Everything():
            return _PRIMARY, ":"
        case tree.Last():
            return _PRIMARY, "end"
        case tree.Comprehension():
            return _PRIMARY, f"[{print_expression(e.entry)} {' '.join(map(_for_index, e.indices))}]"
        case tree.Matrix():
            rows = (", ".join(print_expression(entry) for entry in row) for row in e.rows)
            return _PRIMARY, f"[{'; '.join(rows)}]"
    raise TypeError(f"not an expression: {e!r}")


def _binary(e: tree.Binary) -> str:
    # A long sum is nested to the left to any depth: its operands are collected in a loop, the last one first.
    pieces: list[str] = []
    operand: tree.Expression = e
    left = _LOOSEST
    for operation in tree.chain(e):
        own, mark = _BINARY[operation.operator], operation.operator
        if own < left:
            break
        # Powers group to the right and take a signed exponent, relations do not group, all others group to the left.
        left = _POSTFIX if mark == "^" else own + 1 if mark in _RELATIONS else own
        right = _SIGNED if mark == "^" else own + 1
        shown = f" .{mark} " if operation.elementwise else mark if mark in _UNSPACED else f" {mark} "
        pieces.append(shown + _expression(operation.right, right))
        operand = operation.left
    return _expression(operand, left) + "".join(reversed(pieces))


def _conditional(e: tree.Conditional) -> str:
    branches = (f"if {print_expression(c)} then {print_expression(value)}" for c, value in e.branches)
    return " else".join(branches) + f" else {print_expression(e.otherwise)}"


def _part(part: tree.Part) -> str:
    return part.name if part.arguments is None else f"{part.name}({_list(part.arguments)})"


def print_number(value: float) -> str:
    """The shortest text that is read back as this number."""
    mantissa, _, exponent = repr(value).partition("e")
    mantissa = mantissa.removesuffix(".0")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def _list(expressions: Iterable[tree.Expression]) -> str:
    return ", ".join(print_expression(expression) for expression in expressions)


# --- files and models ------------------------------------------------------------------------


def _include(include: tree.Include) -> str:
    name = include.name if _BARE_INCLUDE.fullmatch(include.name) else f'"{include.name}"'
    library = f" with {include.library}" if include.library else ""
    return f"@{name} as {include.prefix}" if include.prefix else f"@{name}{library}"


def _single(item: tree.Type | tree.CutClass) -> str:
    if isinstance(item, tree.CutClass):
        return f"cut class {item.name} {_elementary(item.across, item.through)}{_documentation(item.documentation)}"
    body = f" ({', '.join(map(_attribute, item.attributes))})" if item.attributes else ""
    if item.literals:
        body = f" = ({', '.join(literal.name for literal in item.literals)})"
    return f"type {_of_type(item.base)}{item.name}{body}{_documentation(item.documentation)}"


def _of_type(reference: tree.ClassReference | None) -> str:
    return f"({_class_name(reference)}) " if reference else ""


def _class_name(reference: tree.ClassReference) -> str:
    return f'{reference.name} "{reference.file}"' if reference.file else reference.name


def _function_lines(item: tree.Function) -> Iterator[str]:
    arguments = ", ".join(map(_argument, item.arguments))
    result = f" result {', '.join(map(_argument, (item.result, *item.more)))}" if item.result else ""
    header = f"{item.name}({arguments}){result}{_documentation(item.documentation)}"
    if item.external:
        yield f'external {tree.CONTROLLER if item.is_controller else "function"} {header} "{item.external}"'
        return
    yield f"function {header}"
    for member in item.members:
        yield from _member_lines(member, "  ")
    yield "end"


def _argument(item: tree.Argument) -> str:
    return f"{_of_type(item.type_reference)}{item.name}{_brackets(item)}"


def _class_lines(item: tree.Class) -> Iterator[str]:
    word = "model" if item.is_object else "model class"
    supers = f" ({', '.join(parent.name for parent in item.supers)})" if item.supers else ""
    parameters = f" ({', '.join(map(print_class_parameter, item.class_parameters))})" if item.class_parameters else ""
    yield f"{word}{supers} {item.name}{parameters}{_documentation(item.documentation)}"
    for member in item.members:
        yield from _member_lines(member, "  ")
    yield "end"


def print_class_parameter(item: tree.ClassParameter) -> str:
    """The class parameter as a model writes it."""
    limits = f"({', '.join(limit.name for limit in item.limits)}) " if item.limits else ""
    return f"class {limits}{item.name}" + (f" = {item.default.name}" if item.default else "")


def _documentation(text: str) -> str:
    return f' "{text}"' if text else ""


def _member_lines(member: tree.Member, indent: str) -> Iterator[str]:
    """Recursion is over the nesting of blocks, which the parser limits."""
    match member:
        case tree.For():
            blocks, end = [(f"{_for_index(member.index)} do", member.members)], "endfor"
        case tree.While():
            blocks, end = [(f"while {print_expression(member.condition)} do", member.members)], "endwhile"
        case tree.If():
            blocks, end = _branches("if", member.branches), "endif"
        case tree.When():
            blocks, end = _branches("when", member.branches), "endwhen"
        case tree.Initial():
            blocks, end = [("initial", member.members)], "endinitial"
        case _:
            yield indent + _member(member)
            return
    for line, members in blocks:
        yield indent + line
        for inner in members:
            yield from _member_lines(inner, indent + "  ")
    yield indent + end


def _branches(word: str, branches: tuple[tree.Branch, ...]) -> list[tuple[str, tuple[tree.Statement, ...]]]:
    lines = []
    for number, branch in enumerate(branches):
        opening = word if number == 0 else f"else{word}"
        line = "else" if branch.condition is None else f"{opening} {print_expression(branch.condition)} then"
        lines.append((line, branch.members))
    return lines


def _member(member: tree.Member) -> str:
    match member:
        case tree.VariableDeclaration():
            names = ", ".join(_variable(item) for item in member.items)
            return f"{member.kind} {_of_type(member.type_reference)}{names}"
        case tree.SubmodelDeclaration():
            items = ", ".join(_submodel(item) for item in member.items)
            return f"submodel ({_class_name(member.class_reference)}) {items}"
        case tree.CutDeclaration():
            cuts = ", ".join(_cut(item) for item in member.items)
            kind = _of_type(member.class_reference)
            return f"{_main(member.main)}cut {kind.replace('(', '(single ', 1) if member.single else kind}{cuts}"
        case tree.PathDeclaration():
            return f"{_main(member.main)}path {member.name} <{' - '.join(_point(cut) for cut in member.cuts)}>"
        case tree.NodeDeclaration():
            return f"node {', '.join(item.name + _indices(item.dimensions) for item in member.items)}"
        case tree.Experiment():
            return f"experiment ({_bindings(member.settings)})"
        case tree.Connect():
            return f"connect {', '.join(_connection(item) for item in member.connections)}"
        case tree.Equation():
            return print_equation(member)
        case tree.Assignment():
            return f"{_lefts(member.target, member.others)} := {print_expression(member.value)}"
        case tree.Assertion():
            word = "terminate" if member.terminates else "assert"
            return f'{word} {print_expression(member.condition)}, "{member.text}"'
    raise TypeError(f"not a member: {member!r}")


def _main(main: bool) -> str:
    return "main " if main else ""


# --- declarations and connections ------------------------------------------------------------


def _variable(item: tree.VariableItem) -> str:
    value = f" = {print_expression(item.value)}" if item.value is not None else ""
    value += _tolerance(item)
    return f"{item.name}{_brackets(item)}{value}{_documentation(item.documentation)}"


def _tolerance(of: tree.VariableItem | tree.Binding) -> str:
    return "" if of.tolerance is None else f" +- {print_expression(of.tolerance)}"


def _indices(dimensions: tuple[tree.Expression, ...]) -> str:
    return f"({','.join(map(print_expression, dimensions))})" if dimensions else ""


def _brackets(item: tree.VariableItem | tree.CutEntry | tree.Argument) -> str:
    dimensions = _indices(item.dimensions)
    attributes = f"({', '.join(map(_attribute, item.attributes))})" if item.attributes else ""
    return f"{dimensions}{attributes}" if dimensions or not attributes else f" {attributes}"


def _attribute(attribute: tree.Attribute) -> str:
    if attribute.value is None:
        return attribute.name
    return f"{attribute.name}={print_expression(attribute.value)}"


def _submodel(item: tree.SubmodelItem) -> str:
    bindings = _bindings(item.bindings)
    condition = f" if {print_expression(item.condition)}" if item.condition is not None else ""
    name = item.name + _indices(item.dimensions) + (f"({bindings})" if bindings else "")
    return f"{name}{condition}{_documentation(item.documentation)}"


def _bindings(bindings: Iterable[tree.Binding]) -> str:
    return ", ".join(_binding(binding) for binding in bindings)


def _binding(binding: tree.Binding) -> str:
    value = print_expression(binding.value) + _tolerance(binding)
    if not binding.name:
        return value
    return f"{binding.name.removesuffix(tree.START)}(start={value})" if binding.attribute else f"{binding.name}={value}"


def _cut(item: tree.CutItem) -> str:
    body = ""
    if item.parts is not None:
        body = f" [{', '.join(_point(part) for part in item.parts)}]"
    elif item.across is not None:
        body = f" {_elementary(item.across, item.through or ())}"
    elif item.dimensions:
        body = " ()"
    return f"{item.name}{_indices(item.dimensions)}{body}{_documentation(item.documentation)}"


def _elementary(across: tuple[tree.CutEntry, ...], through: tuple[tree.CutEntry, ...]) -> str:
    left, right = (", ".join(map(_entry, entries)) for entries in (across, through))
    return f"({left}{' ' if left and right else ''}{f'/ {right}' if right else ''})"


def print_sides(cut_class: tree.CutClass) -> str:
    """The variables of a cut class without their attributes: `p / m, carried h`."""
    sides = (", ".join(_mark(e) + (e.name or ".") for e in side) for side in (cut_class.across, cut_class.through))
    return " / ".join(side for side in sides if side)


def _entry(entry: tree.CutEntry) -> str:
    return f"{_mark(entry)}{entry.name}{_brackets(entry)}" if entry.name else "."


def _mark(entry: tree.CutEntry) -> str:
    return f"{tree.CARRIED} " if entry.is_carried else "-" if entry.sign < 0 else ""


def _point(point: tree.PointReference) -> str:
    return ":".join(_part(part) for part in point.parts)


def _for_index(index: tree.ForIndex) -> str:
    return f"for {index.name} = {print_expression(index.range)}"


def _connection(connection: tree.Link | tree.Placement | tree.Repeated) -> str:
    if isinstance(connection, tree.Repeated):
        return " ".join([_connection(connection.connection), *map(_for_index, connection.indices)])
    if not isinstance(connection, tree.Placement):
        return _link(connection, 0)
    targets = ", ".join(_point(target) for target in connection.targets)
    single = len(connection.targets) == 1
    return f"{_link(connection.link, 0)} at {targets if single else f'({targets})'}"


def _link(link: tree.Link, tightness: int) -> str:
    """The text of a link where this precedence is required: in parentheses if its own is lower."""
    match link:
        case tree.PointReference():
            return _point(link)
        case tree.Loop():
            own, text = 0, f"{_link(link.first, 1)} loop {_link(link.second, 1)}"
        case tree.Chain():
            own, text = 1, " to ".join(_link(operand, 2) for operand in link.links)
        case tree.Parallel():
            own, text = 2, " par ".join(_link(operand, 3) for operand in link.links)
        case tree.Reversed():
            own, text = 3, f"reversed {_link(link.link, 3)}"
    return f"({text})" if own < tightness else text
