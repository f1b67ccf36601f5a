"""Describes symbols: kind, unit, value, shape, documentation and place, as Markdown."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from cutset.compiler.diagnostics import Source
from cutset.compiler.instantiate.events.builtin_functions import EVENT_FUNCTIONS
from cutset.compiler.instantiate.values.builtin_functions import BUILTINS
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.print import print_class_parameter, print_expression, print_sides
from cutset.lsp.symbols import Lookup, Symbol, path_of

_MOST_PARAMETERS = 12
# What the tables of functions do not document: (call, remark).
_CALLS = {
    "der": ("der(x)", "the derivative with respect to time; `der(x, 2)` is the second one"),
    "jacobian": (
        "jacobian(x, q)",
        "the derivatives of `x`, a function of `q` alone, by `q`; equations of the class are inserted",
    ),
    "inflow": ("inflow(h)", "what flows into the cut whose flow carries `h`"),
    "carried": ("carried(h)", "the flow times what it carries: `h` where it flows out, `inflow(h)` where it flows in"),
    "new": ("new(x)", "the value after the event, in the body of a `when`"),
    "init": ("init(x)", "sets the state `x` at an event: `init(x) = e`"),
    "edge": ("edge(b)", "true at the instant at which `b` becomes true"),
    "sample": ("sample(t0, dt)", "true at `t0`, `t0 + dt`, ...: a condition of `when`"),
    "noevent": ("noevent(e)", "the value of `e`, whose relations cause no events"),
    "smooth": ("smooth(e)", "the value of `e`, which is continuous where its relations change: they cause no events"),
    "small_signal": ("small_signal(a)", "zero in runs; in linear models an input `ac`, times `a`"),
    "white_noise": ("white_noise(S)", "zero in runs; in linear models noise of the one-sided spectral density `S`"),
    "delay": ("delay(x, T)", "the value of `x` before the time `T`"),
    "interp1": ("interp1(x, xs, ys)", "linear interpolation in a table"),
    "interp2": ("interp2(x, y, xs, ys, values)", "bilinear interpolation in a table"),
    "count": ('count("group")', "how many numbers of the group the model has"),
    "number": ('number("group")', "the next number of the group"),
    "random_stream": ('random_stream("name")', "the number of a random stream of this instance"),
    "table": ('table("file.csv")', "the numbers in a file next to the model"),
}
PREDEFINED = {
    "time": "the time of the run, in s",
    "true": "a logical value",
    "false": "a logical value",
    "pi": "3.14159..., unless it is declared",
    "e": "2.71828..., unless it is declared",
}
ATTRIBUTES = {
    "unit": "the unit, as a string",
    "display": "the unit in which results are shown, as a string",
    "start": "the value at the start of a run",
    "fixed": "true: the start value is kept; false: it is a guess",
    "min": "the smallest allowed value",
    "max": "the largest allowed value",
    "nominal": "the usual size of the values, for tolerances",
    "state": "whether to prefer the variable as a state: prefer, avoid, always, never",
    "symmetric": "the matrix equals its transpose",
    "rotation": "the inverse of the matrix is its transpose",
    "private": "a subclass may declare a variable of its own with this name",
    "follows": "what the variable is if no equation states it; an equation that does is checked",
    "optional": "a cut may omit this variable",
}


class Quantity(NamedTuple):
    """What a declaration tells of a variable; missing facts are empty. `value` and `shape` are expressions as text."""

    unit: str = ""
    value: str = ""
    shape: str = ""
    type_name: str = ""
    documentation: str = ""
    start: str = ""


def builtin_call(name: str) -> tuple[str, str] | None:
    """The call of a built-in function and a remark; None for other names."""
    if name in _CALLS:
        return _CALLS[name]
    row = BUILTINS.get(name)
    if row is None:
        return None
    call, *remark = (*row.doc, f"{name}(x)")[: max(1, len(row.doc))]
    return call.replace("`", ""), " -> ".join(part for part in remark if part)


def builtin_names() -> list[str]:
    """The built-in functions."""
    return sorted({*_CALLS, *BUILTINS, *EVENT_FUNCTIONS})


def quantity(symbol: Symbol, lookup: Lookup, within: tree.Class | None = None) -> Quantity:
    """The facts of a variable, those of its redeclarations (in the class `within`, by default that which declares it),
    its type and its cut class included."""
    latest, owner = symbol, within or symbol.owner
    if isinstance(owner, tree.Class) and symbol.kind not in ("index", "literal"):
        latest = lookup.members(owner).latest.get(symbol.name, symbol)
    own, more = _quantity(symbol, lookup), _quantity(latest, lookup)
    return Quantity(*(new or old for new, old in zip(more, own, strict=True)))


def _quantity(symbol: Symbol, lookup: Lookup) -> Quantity:
    node = symbol.node
    if not isinstance(node, tree.VariableItem | tree.CutEntry | tree.Argument):
        return Quantity(documentation=getattr(node, "documentation", ""))
    attributes = {a.name: a.value for a in node.attributes if a.value is not None}
    unit, start = attributes.get("unit"), attributes.get("start")
    reference = getattr(symbol.declaration, "type_reference", None) or getattr(node, "type_reference", None)
    of_type = _unit_of_type(reference, lookup)
    value = node.value if isinstance(node, tree.VariableItem) else None
    cut = symbol.declaration
    shape = (*cut.dimensions, *node.dimensions) if isinstance(cut, tree.CutItem) else node.dimensions
    return Quantity(
        unit.value if isinstance(unit, tree.Text) else of_type or (_unit_of_cut(symbol, lookup) if not unit else ""),
        _text(value),
        ", ".join(map(print_expression, shape)),
        reference.name if isinstance(reference, tree.ClassReference) else "",
        getattr(node, "documentation", "") or _documentation_of_type(reference, lookup),
        _text(start),
    )


def _text(value: tree.Expression | None) -> str:
    return "" if value is None else print_expression(value)


def _types(reference: object, lookup: Lookup) -> Iterator[tree.Type]:
    seen: list[tree.Type] = []
    while isinstance(reference, tree.ClassReference):
        found = lookup.declared(reference)
        if not isinstance(found, tree.Type) or any(found is each for each in seen):
            return
        seen.append(found)
        yield found
        reference = found.base


def _unit_of_type(reference: object, lookup: Lookup) -> str:
    for each in _types(reference, lookup):
        unit = next((a.value for a in each.attributes if a.name == "unit"), None)
        if isinstance(unit, tree.Text):
            return unit.value
    return ""


def _documentation_of_type(reference: object, lookup: Lookup) -> str:
    return next((each.documentation for each in _types(reference, lookup) if each.documentation), "")


def _unit_of_cut(symbol: Symbol, lookup: Lookup) -> str:
    """The unit that the cut class gives to a variable which a cut of a class names."""
    owner = symbol.owner
    if not isinstance(owner, tree.Class):
        return ""
    for each in lookup.members(owner).points.values():
        item, declaration = each.node, each.declaration
        if not isinstance(item, tree.CutItem) or not isinstance(declaration, tree.CutDeclaration):
            continue
        of_class = lookup.declared(declaration.class_reference) if declaration.class_reference else None
        if not isinstance(of_class, tree.CutClass):
            continue
        for mine, theirs in ((item.across, of_class.across), (item.through, of_class.through)):
            for entry, known in zip(mine or (), theirs, strict=False):
                unit = next((a.value for a in known.attributes if a.name == "unit"), None)
                if entry.name == symbol.name and isinstance(unit, tree.Text):
                    return unit.value
    return ""


def declaration(symbol: Symbol, lookup: Lookup, within: tree.Class | None = None) -> str:
    """The declaration in one line, as a model would write it, with the facts of `quantity`."""
    node = symbol.node
    match node:
        case tree.Class():
            supers = f" ({', '.join(s.name for s in node.supers)})" if node.supers else ""
            parameters = ", ".join(map(print_class_parameter, node.class_parameters))
            return f"model{'' if node.is_object else ' class'}{supers} {node.name}" + (
                f" ({parameters})" if parameters else ""
            )
        case tree.Function():
            result = ", ".join(r.name for r in (node.result, *node.more) if r) or node.name
            return f"function {node.name}({', '.join(a.name for a in node.arguments)}) result {result}"
        case tree.Type():
            base = f" ({node.base.name})" if node.base else ""
            literals = f" = ({', '.join(n.name for n in node.literals)})" if node.literals else ""
            return f"type{base} {node.name}{literals}"
        case tree.CutClass():
            return f"cut class {node.name} ({print_sides(node)})"
        case tree.SubmodelItem():
            reference = getattr(symbol.declaration, "class_reference", None)
            return f"submodel ({reference.name if reference else '?'}) {node.name}{size_of(node)}"
        case tree.ClassParameter():
            return print_class_parameter(node)
        case tree.CutItem():
            of_class = getattr(symbol.declaration, "class_reference", None)
            return f"cut {f'({of_class.name}) ' if of_class else ''}{node.name}{size_of(node)}"
        case tree.NodeItem() if symbol.kind == "node":
            return f"node {node.name}{size_of(node)}"
        case tree.ForIndex():
            return f"for {node.name} = {print_expression(node.range)}"
    return _variable(symbol, quantity(symbol, lookup, within))


def size_of(node: tree.SubmodelItem | tree.CutItem | tree.NodeItem) -> str:
    """`(3)` behind the name of an array."""
    return f"({', '.join(map(print_expression, node.dimensions))})" if node.dimensions else ""


def _variable(symbol: Symbol, facts: Quantity) -> str:
    kind = {"cut variable": "", "argument": "", "literal": "", "prefix": "include"}.get(symbol.kind, symbol.kind)
    parts = [
        kind,
        f"({facts.type_name})" if facts.type_name else "",
        symbol.name + (f"({facts.shape})" if facts.shape else ""),
    ]
    attributes = [f'unit="{facts.unit}"'] if facts.unit else []
    attributes += [f"start={facts.start}"] if facts.start else []
    parts += [f"({', '.join(attributes)})"] if attributes else []
    parts += [f"= {facts.value}"] if facts.value else []
    return " ".join(part for part in parts if part)


def described(symbol: Symbol, lookup: Lookup, standard: str) -> str:
    """A symbol as Markdown: its declaration, documentation, unit, value, shape, and where it is declared."""
    facts = quantity(symbol, lookup)
    lines = [f"```cutset\n{declaration(symbol, lookup)}\n```"]
    if facts.documentation:
        lines.append(escaped(facts.documentation))
    table = []
    if facts.unit:
        table.append(f"unit: `{facts.unit}`")
    if facts.value:
        table.append(f"value: `{facts.value}`")
    if facts.start:
        table.append(f"start: `{facts.start}`")
    if isinstance(symbol.node, tree.VariableItem | tree.CutEntry | tree.Argument):
        count = facts.shape.count(",") + 1 if facts.shape else 0
        table.append(("scalar", f"vector ({facts.shape})", f"matrix ({facts.shape})")[min(count, 2)])
    if table:
        lines.append(", ".join(table))
    if isinstance(symbol.node, tree.Class):
        lines += _offered(symbol.node, lookup)
    owner = f"of `{symbol.owner.name}`, " if symbol.owner is not None else ""
    lines.append(f"{symbol.kind} {owner}declared in {place(symbol.source, symbol.span.line, standard)}")
    return "\n\n".join(lines)


def _offered(of: tree.Class, lookup: Lookup) -> Iterator[str]:
    """The cuts and the first parameters of a class, inherited ones too."""
    members = lookup.members(of)
    cuts = [f"`{declaration(each, lookup)}`" for each in members.points.values() if each.kind == "cut"]
    if cuts:
        yield ", ".join(cuts)
    parameters = [each for each in members.values.values() if each.kind == "parameter"]
    lines = (
        f"- `{declaration(each, lookup, of)}` {escaped(quantity(each, lookup, of).documentation)}"
        for each in parameters[:_MOST_PARAMETERS]
    )
    yield from ("\n".join(lines),) if parameters else ()


def place(source: Source, line: int, standard: str) -> str:
    """The file and line, for readers."""
    path = path_of(source)
    if path.startswith(standard + os.sep):
        library = os.path.relpath(path, standard).removesuffix(".mo").replace(os.sep, "/")
        return f"the library `{library}`, line {line}"
    return f"`{os.path.basename(path)}`, line {line}"


def escaped(text: str) -> str:
    """A text of a model as Markdown that shows it as it is: models are untrusted."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|!&" else c for c in " ".join(text.split()))
