"""Answers what is under the cursor: hover, definition, references, highlights."""

from __future__ import annotations

import re

from lsprotocol.types import (
    DocumentHighlight,
    DocumentHighlightKind,
    Hover,
    Location,
    MarkupContent,
    MarkupKind,
    Position,
    ReferenceContext,
)

from cutset.compiler.syntax import tree
from cutset.compiler.syntax.lexemes import Lexeme
from cutset.lsp.context import is_word
from cutset.lsp.facts import ATTRIBUTES, PREDEFINED, builtin_call, described, quantity
from cutset.lsp.resolve import Occurrence
from cutset.lsp.session import FileIndex, Session, same, uri_of
from cutset.lsp.symbols import Symbol, path_of


def place_of(index: FileIndex, position: Position) -> tuple[int, int]:
    """The line and column of the compiler at a position."""
    return index.lines.place_of(index.lines.offset_at(position))


def occurrence_at(index: FileIndex, position: Position) -> Occurrence | None:
    """The name at a position, also just behind its last letter."""
    return index.at(*place_of(index, position))


def hover(session: Session, index: FileIndex, position: Position) -> Hover | None:
    """What the name at a position is."""
    found = occurrence_at(index, position)
    if found is not None:
        text = described(found.symbol, index.lookup, session.standard)
        text += _bound(index, found)
        return Hover(MarkupContent(MarkupKind.Markdown, text), index.lines.range_of(found.span))
    lexeme = _name_at(index, position)
    text = _of_word(index, lexeme) if lexeme else ""
    return (
        Hover(MarkupContent(MarkupKind.Markdown, text), index.lines.range_of(lexeme.span)) if lexeme and text else None
    )


def _bound(index: FileIndex, found: Occurrence) -> str:
    """For `r.R` in a model, the value that the model gives to R at the submodel r."""
    before = [o for o in index.by_line.get(found.span.line, ()) if o.span.end_column == found.span.column - 1]
    item = before[0].symbol.node if before and before[0].symbol.kind == "submodel" else None
    if not isinstance(item, tree.SubmodelItem):
        return ""
    given = next((b.value for b in item.bindings if b.name == found.symbol.name), None)
    return f"\n\nhere: `{found.symbol.name} = {given.span.text}`" if given is not None else ""


def _name_at(index: FileIndex, position: Position) -> Lexeme | None:
    line, column = place_of(index, position)
    for lexeme in index.scan.lexemes:
        span = lexeme.span
        if span.line == line and span.column <= column <= span.end_column and is_word(lexeme):
            return lexeme
    return None


def _of_word(index: FileIndex, lexeme: Lexeme) -> str:
    """The meaning of a built-in function, a predefined name, an attribute or a library."""
    call = builtin_call(lexeme.text)
    if call:
        return f"```cutset\n{call[0]}\n```\n\n{unlinked(call[1])}".rstrip()
    if lexeme.text in PREDEFINED:
        return f"```cutset\n{lexeme.text}\n```\n\n{PREDEFINED[lexeme.text]}"
    include = include_at(index, lexeme.span.line)
    if include is not None:
        source = index.included(include)
        return f"the file `{path_of(source)}`" if source else ""
    return f"attribute: {ATTRIBUTES[lexeme.text]}" if lexeme.text in ATTRIBUTES else ""


def unlinked(text: str) -> str:
    """A remark of the documentation without its links."""
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)


def include_at(index: FileIndex, line: int) -> tree.Include | None:
    """The include in a line."""
    return next((i for i in index.contents.includes if i.span.line <= line <= i.span.end_line), None)


def definition(session: Session, index: FileIndex, position: Position) -> Location | None:
    """Where the name at a position is declared; of an include the file."""
    include = include_at(index, place_of(index, position)[0])
    found = occurrence_at(index, position)
    if include is not None or (found and found.symbol.kind == "prefix" and not found.is_declaration):
        source = index.included(include) if include else found.symbol.node if found else None
        return session.start_of(source) if source is not None else None
    return session.location(found.symbol.span) if found else None


def type_definition(session: Session, index: FileIndex, position: Position) -> Location | None:
    """Where the class of the submodel, or the type of the variable at a position is declared."""
    symbol = symbol_at(index, position)
    if symbol is None:
        return None
    if symbol.kind == "submodel":
        of = index.lookup.class_of(symbol)
        return session.location(of.span) if of else None
    name = quantity(symbol, index.lookup).type_name
    declared = index.lookup.named(name, symbol.source) if name else None
    return session.location(declared.span) if declared else None


def references(session: Session, index: FileIndex, position: Position, context: ReferenceContext) -> list[Location]:
    """All places that name the symbol at a position."""
    symbol = symbol_at(index, position)
    return [
        Location(uri_of(file), session.range(each.span))
        for file, each in (session.references(symbol) if symbol else ())
        if context.include_declaration or not each.is_declaration
    ]


def symbol_at(index: FileIndex, position: Position) -> Symbol | None:
    """The symbol that the name at a position refers to."""
    found = occurrence_at(index, position)
    return found.symbol if found else None


def highlights(session: Session, index: FileIndex, position: Position) -> list[DocumentHighlight]:
    """All places in the file that name the symbol at a position."""
    symbol = symbol_at(index, position)
    return [
        DocumentHighlight(
            index.lines.range_of(each.span),
            DocumentHighlightKind.Write if each.is_declaration else DocumentHighlightKind.Read,
        )
        for each in index.occurrences
        if symbol is not None and same(each.symbol.key, symbol.key)
    ]
