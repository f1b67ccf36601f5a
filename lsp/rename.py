"""Renames symbols: all places of the workspace that name one, never in the standard library."""

from __future__ import annotations

import os

from lsprotocol.types import Position, PrepareRenamePlaceholder, TextEdit, WorkspaceEdit

from cutset.compiler.syntax import tree
from cutset.compiler.syntax.parse import as_name
from cutset.lsp.hover import occurrence_at, symbol_at
from cutset.lsp.session import FileIndex, Session, uri_of
from cutset.lsp.symbols import Symbol, path_of


class CannotRename(Exception):
    """Why a symbol keeps its name, as a sentence."""


def prepare_rename(session: Session, index: FileIndex, position: Position) -> PrepareRenamePlaceholder | None:
    """The name at a position, None if there is none that can change. CannotRename for names of the standard library."""
    found = occurrence_at(index, position)
    if found is None:
        return None
    _check_owner(session, found.symbol)
    return PrepareRenamePlaceholder(index.lines.range_of(found.span), found.symbol.name)


def rename(session: Session, index: FileIndex, position: Position, new_name: str) -> WorkspaceEdit | None:
    """The edits that give the symbol at a position another name. CannotRename if the name is not one, is taken, or
    belongs to the standard library."""
    symbol = symbol_at(index, position)
    if symbol is None:
        return None
    _check_owner(session, symbol)
    new_name, given = as_name(new_name), new_name
    if not new_name:
        raise CannotRename(f"'{given}' is not a name: it has a quote, a backslash or an invisible character")
    changes: dict[str, list[TextEdit]] = {}
    for file, each in session.references(symbol):
        if session.is_shipped(os.path.abspath(file)):
            raise CannotRename(f"the standard library uses '{symbol.name}'")
        changes.setdefault(uri_of(file), []).append(TextEdit(session.range(each.span), new_name))
    if new_name != symbol.name and new_name in _siblings(session, symbol):
        raise CannotRename(f"'{new_name}' is already declared here")
    return WorkspaceEdit(changes=changes)


def _check_owner(session: Session, symbol: Symbol) -> None:
    if session.is_shipped(path_of(symbol.source)):
        raise CannotRename(f"'{symbol.name}' belongs to the standard library")


def _siblings(session: Session, symbol: Symbol) -> set[str]:
    """The names that are declared where the symbol is."""
    index = session.index(path_of(symbol.source))
    if index is None:
        return set()
    if isinstance(symbol.owner, tree.Class):
        owner = next((c for c in index.contents.classes if c.span == symbol.owner.span), symbol.owner)
        members = index.lookup.members(owner)
        return {*members.values, *members.points, *members.classes}
    names = index.lookup.library.names.get(index.scan.source)
    if symbol.owner is None and names is not None:
        return {*names.declared, *names.functions, *names.prefixes}
    return set()
