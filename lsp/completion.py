"""Completes names and keywords: what may be written at the cursor."""

from __future__ import annotations

import os
from collections.abc import Iterator

from lsprotocol.types import (
    CompletionItem,
    CompletionItemKind,
    CompletionList,
    InsertTextFormat,
    MarkupContent,
    MarkupKind,
    Position,
)

from cutset.compiler.instantiate.names.visible import qualified
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.lines import KINDS
from cutset.contract.experiment_settings import SETTINGS
from cutset.lsp.context import Context, context_at
from cutset.lsp.facts import ATTRIBUTES, PREDEFINED, builtin_call, builtin_names, declaration, escaped, quantity
from cutset.lsp.hover import place_of, unlinked
from cutset.lsp.kinds import shown
from cutset.lsp.resolve import declared_of_function
from cutset.lsp.session import FileIndex, Session
from cutset.lsp.symbols import OUTSIDE, Symbol, symbol_of

_TOP = ("model", "function", "type", "cut", "external")
_IN_MODEL = (
    "parameter", "constant", "local", "terminal", "input", "output", "submodel", "main", "cut", "path", "node",
    "experiment", "connect", "closed", "for", "if", "when", "initial", "assert", "terminate", "external", "internal",
    "default", "end",
)  # fmt: skip
_IN_FUNCTION = ("local", "for", "while", "if", "assert", "end")
_OF_BLOCK = {
    "FOR": ("endfor",),
    "WHILE": ("endwhile",),
    "IF": ("elseif", "else", "endif"),
    "WHEN": ("elsewhen", "endwhen"),
    "INITIAL": ("endinitial",),
}
_IN_EXPRESSION = ("if", "then", "else", "elseif", "and", "or", "not")
_IN_CONNECT = ("to", "at", "par", "loop", "reversed", "for")
_OPERAND_ENDS = frozenset({"NAME", "NUMBER", "UNIT", "CLOSE", "CLOSE_SQUARE", "TEXT", "TRANSPOSE"})


def completion(session: Session, index: FileIndex, position: Position) -> CompletionList:
    """What may be written at a position, best first where the editor keeps the order of `sort_text`."""
    at = context_at(index.scan, *place_of(index, position))
    items = list(_items(session, index, at)) if at else []
    once = {(item.label, item.kind): item for item in reversed(items)}
    return CompletionList(False, list(reversed(once.values())))


def _items(session: Session, index: FileIndex, at: Context) -> Iterator[CompletionItem]:
    if at.start == "INCLUDE":
        yield from _libraries(session, index)
        return
    points, members = at.chain("COLON"), at.chain("DOT")
    if points:
        yield from _points(index, at, points)
    elif members:
        yield from _members(index, at, members)
    elif at.open and _is_class_list(at):
        yield from _classes(index, at)
    elif at.open and (of := submodel_class(index, at)) is not None and not at.named_argument_given():
        yield from _parameters(index, of)
    elif at.open and at.start == "EXPERIMENT" and not at.named_argument_given():
        yield from (_word(name, CompletionItemKind.Property, of.expected, f"{name}=") for name, of in SETTINGS.items())
    elif at.open and _is_attribute_list(at) and not at.named_argument_given():
        yield from (_word(name, CompletionItemKind.Property, text, f"{name}=") for name, text in ATTRIBUTES.items())
        yield from _values(index, at)
    elif at.start == "CONNECT" or (
        at.start in ("PATH", "MAIN", "CUT") and at.open and at.before[at.open[-1]].text == "["
    ):
        yield from _points(index, at, [])
        if at.last in _OPERAND_ENDS:
            yield from map(_keyword, _IN_CONNECT)
    elif not at.before:
        yield from _starts(index, at)
    elif at.start in _DECLARING and not at.open and not at.has("EQUAL"):
        yield from map(_keyword, _after(at))
    else:
        yield from _values(index, at)


_DECLARING = KINDS | {"NODE", "MODEL", "SUBMODEL", "CUT", "MAIN", "TYPE", "FUNCTION", "PATH"}


def _after(at: Context) -> tuple[str, ...]:
    """The keywords that go on with a declaration."""
    if len(at.before) > 1:
        return ("if",) if at.start == "SUBMODEL" else ()
    following = {"MODEL": ("class",), "MAIN": ("cut", "path"), "CUT": ("class",), "EXTERNAL": ("function",)}
    return following.get(at.start, ())


def _is_class_list(at: Context) -> bool:
    """True in the parentheses for a class, a type or a cut class: the first ones of a declaration."""
    first = at.open[0]
    if len(at.open) > 1:
        return False
    allowed = {"SUBMODEL": 1, "TYPE": 1, "MODEL": 2, "CUT": 1, "MAIN": 2}
    is_variable = at.start in ("PARAMETER", "CONSTANT", "LOCAL", "TERMINAL", "INPUT", "OUTPUT", "INTERNAL", "EXTERNAL")
    in_parameters = at.start == "MODEL" and at.last == "EQUAL"
    return in_parameters or (
        first <= allowed.get(at.start, 1 if is_variable else 0)
        and at.before[first].type == "OPEN"
        and at.before[first - 1].type != "NAME"
    )


def _is_attribute_list(at: Context) -> bool:
    is_declaration = at.start in _DECLARING and at.start not in ("SUBMODEL", "MODEL", "FUNCTION", "NODE", "PATH")
    return (
        is_declaration
        and at.before[at.open[-1]].type == "OPEN"
        and bool(at.called() or at.before[at.open[-1] - 1].type == "CLOSE")
    )


def submodel_class(index: FileIndex, at: Context) -> tree.Class | None:
    """The class of the submodel in whose parentheses the cursor is; None elsewhere."""
    if at.start != "SUBMODEL" or len(at.open) != 1 or at.open[0] < 4 or at.before[1].type != "OPEN":
        return None
    end = next((k for k, lexeme in enumerate(at.before) if lexeme.type == "CLOSE"), None)
    if end is None or at.open[0] < end:
        return None
    name = "".join(lexeme.text for lexeme in at.before[2:end])
    around = index.scan.declared_at(at.line, at.column)
    if isinstance(around, tree.Class) and name in (parameters := index.lookup.members(around).classes):
        node = parameters[name].node
        name = node.default.name if isinstance(node, tree.ClassParameter) and node.default else ""
    found = index.lookup.named(name, index.scan.source) if name else None
    return found if isinstance(found, tree.Class) else None


# --- the groups of items ---


def _libraries(session: Session, index: FileIndex) -> Iterator[CompletionItem]:
    own = os.path.dirname(index.path)
    for folder in dict.fromkeys((own, *map(str, session.library_path), session.standard)):
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        for name in names:
            if name.endswith(".mo") and os.path.join(folder, name) != index.path:
                detail = "standard library" if folder == session.standard else folder
                yield _word(name.removesuffix(".mo"), CompletionItemKind.Module, detail)


def _classes(index: FileIndex, at: Context) -> Iterator[CompletionItem]:
    wanted: tuple[type, ...] = (tree.Class,) if at.start in ("SUBMODEL", "MODEL") else (tree.Type,)
    wanted = (tree.CutClass,) if at.start in ("CUT", "MAIN") else wanted
    around = index.scan.declared_at(at.line, at.column)
    if at.start == "SUBMODEL" and isinstance(around, tree.Class):
        for parameter in index.lookup.members(around).classes.values():
            yield _of_symbol(parameter, index)
    for name, declared in qualified(index.lookup.library.names, index.scan.source):
        is_object = isinstance(declared, tree.Class) and declared.is_object
        if isinstance(declared, wanted) and not (is_object and at.start == "SUBMODEL"):
            item = _of_symbol(symbol_of(declared), index)
            item.label = item.filter_text = name
            yield item
    if wanted == (tree.Type,):
        yield from (_word(name, CompletionItemKind.Enum, "type") for name in ("Real", "Integer", "Boolean", "Text"))


def _parameters(index: FileIndex, of: tree.Class) -> Iterator[CompletionItem]:
    members = index.lookup.members(of)
    for symbol in (*members.classes.values(), *members.values.values()):
        if symbol.kind in ("parameter", "class parameter", "terminal", "input", "default"):
            item = _of_symbol(symbol, index)
            item.insert_text = f"{symbol.name}="
            item.sort_text = f"{'0' if symbol.kind == 'parameter' else '1'}{symbol.name}"
            yield item


def _class_behind(index: FileIndex, at: Context, names: list[str]) -> tree.Class | None:
    """The class of the submodel with this path; without names that of the text around."""
    around = index.scan.declared_at(at.line, at.column)
    of = around if isinstance(around, tree.Class) else None
    for name in names:
        part = index.lookup.members(of).values.get(name) if of else None
        of = index.lookup.class_of(part, of) if part and part.kind == "submodel" else None
    return of


def _points(index: FileIndex, at: Context, names: list[str]) -> Iterator[CompletionItem]:
    of = _class_behind(index, at, names)
    if of is not None:
        yield from (_of_symbol(each, index) for each in index.lookup.members(of).points.values())


def _members(index: FileIndex, at: Context, names: list[str]) -> Iterator[CompletionItem]:
    of = _class_behind(index, at, names)
    if of is not None:
        for each in index.lookup.members(of).values.values():
            if each.kind in OUTSIDE:
                yield _of_symbol(each, index)
        return
    source = index.scan.source
    names_here = index.lookup.library.names
    declared = index.lookup.named(".".join(names), source)
    if isinstance(declared, tree.Type):
        yield from (_word(n.name, CompletionItemKind.EnumMember, declared.name) for n in declared.literals)
    for name in names:
        found = names_here[source].prefixes.get(name) if source in names_here else None
        if found is None:
            return
        source = found[1]
    for visible in (names_here[source].declared, names_here[source].functions):
        yield from (_of_symbol(symbol_of(each), index) for each in visible.values())


def _starts(index: FileIndex, at: Context) -> Iterator[CompletionItem]:
    around = index.scan.class_at(at.line, at.column)
    if around is None:
        yield from map(_keyword, _TOP)
        yield _word("@", CompletionItemKind.Keyword, "include a library")
        return
    blocks = [e for e in index.scan.extents if e.word in _OF_BLOCK and e.holds(at.line, at.column)]
    inside = min(blocks, key=lambda e: (-e.start.line, -e.start.column), default=None)
    yield from map(_keyword, _OF_BLOCK[inside.word] if inside else ())
    yield from map(_keyword, _IN_FUNCTION if around.word == "FUNCTION" else _IN_MODEL)
    yield from _values(index, at)


def _values(index: FileIndex, at: Context) -> Iterator[CompletionItem]:
    around = index.scan.declared_at(at.line, at.column)
    if isinstance(around, tree.Class):
        yield from (_of_symbol(each, index) for each in index.lookup.members(around).values.values())
    elif around is not None:
        yield from (_of_symbol(each, index) for each in declared_of_function(around))
    names = index.lookup.library.names.get(index.scan.source)
    for function in names.functions.values() if names else ():
        yield _of_symbol(symbol_of(function), index)
    for prefix in names.prefixes if names else ():
        yield _word(prefix, CompletionItemKind.Module, "include")
    for name in builtin_names():
        call, remark = builtin_call(name) or (name, "")
        item = _word(name, CompletionItemKind.Function, call)
        item.documentation = MarkupContent(MarkupKind.Markdown, unlinked(remark))
        item.insert_text, item.insert_text_format = f"{name}($1)$0", InsertTextFormat.Snippet
        item.sort_text = f"5{name}"
        yield item
    yield from (_word(name, CompletionItemKind.Constant, text) for name, text in PREDEFINED.items())
    if at.before:
        yield from map(_keyword, _IN_EXPRESSION)


# --- items ---


def _of_symbol(symbol: Symbol, index: FileIndex) -> CompletionItem:
    facts = quantity(symbol, index.lookup)
    unit = f" [{facts.unit}]" if facts.unit else ""
    return CompletionItem(
        label=symbol.name,
        kind=shown(symbol.kind).completion,
        detail=declaration(symbol, index.lookup) + ("" if 'unit="' in declaration(symbol, index.lookup) else unit),
        documentation=MarkupContent(MarkupKind.Markdown, escaped(facts.documentation)) if facts.documentation else None,
        sort_text=f"2{symbol.name}",
    )


def _keyword(word: str) -> CompletionItem:
    return CompletionItem(label=word, kind=CompletionItemKind.Keyword, sort_text=f"6{word}")


def _word(label: str, kind: CompletionItemKind, detail: str, insert: str | None = None) -> CompletionItem:
    return CompletionItem(label=label, kind=kind, detail=detail, insert_text=insert, sort_text=f"4{label}")
