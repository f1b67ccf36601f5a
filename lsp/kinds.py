"""Defines how editors show the kinds of symbols."""

from __future__ import annotations

from typing import NamedTuple

from lsprotocol.types import CompletionItemKind, SymbolKind
from lsprotocol.types import SemanticTokenTypes as Color


class Shown(NamedTuple):
    """How a kind is shown: its signs in outlines and in completions, and its color in the text."""

    outline: SymbolKind = SymbolKind.Variable
    completion: CompletionItemKind = CompletionItemKind.Variable
    color: Color = Color.Variable


_KINDS = {
    "class": Shown(SymbolKind.Class, CompletionItemKind.Class, Color.Class),
    "object": Shown(SymbolKind.Object, CompletionItemKind.Class, Color.Class),
    "function": Shown(SymbolKind.Function, CompletionItemKind.Function, Color.Function),
    "type": Shown(SymbolKind.Enum, CompletionItemKind.Enum, Color.Enum),
    "cut class": Shown(SymbolKind.Interface, CompletionItemKind.Interface, Color.Interface),
    "class parameter": Shown(SymbolKind.TypeParameter, CompletionItemKind.TypeParameter, Color.TypeParameter),
    "parameter": Shown(SymbolKind.Property, CompletionItemKind.Property, Color.Parameter),
    "constant": Shown(SymbolKind.Constant, CompletionItemKind.Constant),
    "internal": Shown(SymbolKind.Property),
    "argument": Shown(color=Color.Parameter),
    "submodel": Shown(SymbolKind.Field, CompletionItemKind.Field, Color.Property),
    "cut": Shown(SymbolKind.Interface, CompletionItemKind.Interface, Color.Property),
    "node": Shown(SymbolKind.Key, color=Color.Property),
    "path": Shown(SymbolKind.Key, color=Color.Property),
    "literal": Shown(SymbolKind.EnumMember, CompletionItemKind.EnumMember, Color.EnumMember),
    "prefix": Shown(SymbolKind.Namespace, color=Color.Namespace),
}


def shown(kind: str) -> Shown:
    """How symbols of this kind are shown."""
    return _KINDS.get(kind, Shown())
