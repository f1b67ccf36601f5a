"""Outlines files: symbols of a document and of the workspace, and ranges that can be folded."""

from __future__ import annotations

import os

from lsprotocol.types import (
    DocumentSymbol,
    FoldingRange,
    FoldingRangeKind,
    Location,
    WorkspaceSymbol,
)

from cutset.compiler.syntax import tree
from cutset.lsp.facts import declaration, quantity
from cutset.lsp.kinds import shown
from cutset.lsp.resolve import declared_of_function
from cutset.lsp.session import FileIndex, Session, uri_of
from cutset.lsp.symbols import Symbol, declarations, declared_in, symbol, symbol_of

_MOST_SYMBOLS = 500


def document_symbols(_: Session, index: FileIndex) -> list[DocumentSymbol]:
    """The declarations of a file, with their members."""
    return [_document_symbol(index, each) for each in declarations(index.contents)]


def _document_symbol(index: FileIndex, declared: tree.Declaration) -> DocumentSymbol:
    whole, own = index.scan.extent_of(declared), symbol_of(declared)
    match declared:
        case tree.Class():
            inner = [each for each in declared_in(declared) if each.kind != "default"]
        case tree.Function():
            inner = list(declared_of_function(declared))
        case tree.Type():
            inner = [symbol(n.span, n.name, "literal", n, declared, declared) for n in declared.literals]
        case tree.CutClass():
            inner = []
    children = [_child(index, each) for each in inner]
    return DocumentSymbol(
        name=declared.name,
        kind=shown(own.kind).outline,
        range=index.lines.range_of(whole),
        selection_range=index.lines.range_of(declared.span),
        detail=declared.documentation,
        children=children,
    )


def _child(index: FileIndex, each: Symbol) -> DocumentSymbol:
    span = index.lines.range_of(each.span)
    unit = quantity(each, index.lookup).unit
    detail = declaration(each, index.lookup) if each.kind in ("submodel", "cut") else f"{each.kind} {unit}".rstrip()
    return DocumentSymbol(
        name=each.name, kind=shown(each.kind).outline, range=span, selection_range=span, detail=detail
    )


def workspace_symbols(session: Session, query: str) -> list[WorkspaceSymbol]:
    """The declarations of the workspace and the standard library whose names contain the letters of the query in this
    order; those of the workspace first."""
    found: list[WorkspaceSymbol] = []
    for path in session.files(with_standard=True):
        contents = session.contents(path)
        for each in declarations(contents) if contents else ():
            if _matches(query, each.name):
                place = Location(uri_of(path), session.range(each.span))
                kind = shown(symbol_of(each).kind).outline
                container = os.path.basename(path).removesuffix(".mo")
                found.append(WorkspaceSymbol(location=place, name=each.name, kind=kind, container_name=container))
                if len(found) == _MOST_SYMBOLS:
                    return found
    return found


def _matches(query: str, name: str) -> bool:
    letters = iter(name.lower())
    return all(letter in letters for letter in query.lower())


def folding_ranges(_: Session, index: FileIndex) -> list[FoldingRange]:
    """Classes, functions, blocks, statements and comments of several lines, and groups of includes."""
    scan, found = index.scan, []

    def fold(first: int, last: int, kind: FoldingRangeKind | None = None) -> None:
        start, end = (index.lines.position_at(index.lines.offset_of(line, 1)).line for line in (first, last))
        if end > start:
            found.append(FoldingRange(start, end, kind=kind))

    for extent in scan.extents:
        last = extent.end.line if extent.end else scan.lexemes[-1].span.line
        fold(
            extent.start.line,
            last - 1 if extent.end and extent.end.column == 1 and extent.word in ("IF", "WHEN") else last,
        )
    for comment in scan.comments:
        fold(comment.span.line, comment.span.end_line, FoldingRangeKind.Comment)
    for statement in scan.statements:
        if not statement.opens_block and statement.start.type not in ("MODEL", "FUNCTION"):
            fold(statement.start.span.line, statement.lexemes[-1].span.end_line)
    includes = [include.span.line for include in scan.contents.includes]
    if includes:
        fold(includes[0], includes[-1], FoldingRangeKind.Imports)
    unique = {(each.start_line, each.end_line): each for each in found}
    return list(unique.values())
