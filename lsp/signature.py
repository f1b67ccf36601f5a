"""Helps with arguments: the signature of the function, or the parameters of the class, around the cursor."""

from __future__ import annotations

import re

from lsprotocol.types import (
    MarkupContent,
    MarkupKind,
    ParameterInformation,
    Position,
    SignatureHelp,
    SignatureInformation,
)

from cutset.compiler.instantiate.names.visible import find_visible
from cutset.compiler.syntax import tree
from cutset.lsp.completion import submodel_class
from cutset.lsp.context import Context, context_at
from cutset.lsp.facts import builtin_call, escaped, quantity
from cutset.lsp.hover import place_of, unlinked
from cutset.lsp.session import FileIndex, Session
from cutset.lsp.symbols import Symbol, symbol


def signature_help(_: Session, index: FileIndex, position: Position) -> SignatureHelp | None:
    """The signature around a position, with the active argument."""
    at = context_at(index.scan, *place_of(index, position))
    if at is None or not at.open:
        return None
    of = submodel_class(index, at)
    if of is not None:
        return _of_class(index, at, of)
    name = at.called()
    function = _function(index, at, name)
    if function is not None:
        return _of_function(index, at, function)
    call = builtin_call(name) if name else None
    return _of_builtin(at, *call) if call else None


def _function(index: FileIndex, at: Context, name: str) -> tree.Function | None:
    behind = at.open[-1] - 1
    prefixes: list[str] = []
    while behind >= 2 and at.before[behind - 1].type == "DOT":
        prefixes.insert(0, at.before[behind - 2].text)
        behind -= 2
    source = index.scan.source
    found = find_visible(index.lookup.library.names, source, prefixes) if source in index.lookup.library.names else ""
    return None if isinstance(found, str) else found.functions.get(name)


def _of_function(index: FileIndex, at: Context, function: tree.Function) -> SignatureHelp:
    arguments = [_described(index, symbol(a.span, a.name, "argument", a, None, function)) for a in function.arguments]
    return _signature(function.name, arguments, function.documentation, at.argument())


def _of_class(index: FileIndex, at: Context, of: tree.Class) -> SignatureHelp:
    members = index.lookup.members(of)
    symbols = [*members.classes.values(), *(v for v in members.values.values() if v.kind == "parameter")]
    given = at.named_argument()
    active = next((k for k, each in enumerate(symbols) if each.name == given), at.argument())
    return _signature(of.name, [_described(index, each) for each in symbols], of.documentation, active)


def _described(index: FileIndex, each: Symbol) -> tuple[str, str]:
    """The label of a parameter, and what it is."""
    facts = quantity(each, index.lookup)
    size = f"({facts.shape})" if facts.shape else ""
    value = f"={facts.value}" if facts.value else ""
    unit = f"[{facts.unit}] " if facts.unit else ""
    return f"{each.name}{size}{value}", unit + escaped(facts.documentation)


def _signature(name: str, parameters: list[tuple[str, str]], documentation: str, active: int) -> SignatureHelp:
    label = f"{name}({', '.join(text for text, _ in parameters)})"
    information = [
        ParameterInformation(text, MarkupContent(MarkupKind.Markdown, remark) if remark else None)
        for text, remark in parameters
    ]
    shown = MarkupContent(MarkupKind.Markdown, escaped(documentation)) if documentation else None
    return SignatureHelp([SignatureInformation(label, shown, information)], 0, active)


def _of_builtin(at: Context, call: str, remark: str) -> SignatureHelp:
    """Of a built-in function, which may have several calls: the first with enough arguments."""
    calls = re.findall(r"\w+\([^)]*\)", call) or [call]
    lists = [re.sub(r"^\w+\(|\)$", "", each).split(", ") for each in calls]
    chosen = next((k for k, each in enumerate(lists) if len(each) > at.argument()), len(calls) - 1)
    signatures = [
        SignatureInformation(
            each, MarkupContent(MarkupKind.Markdown, unlinked(remark)), [ParameterInformation(name) for name in names]
        )
        for each, names in zip(calls, lists, strict=True)
    ]
    active = min(at.argument(), len(lists[chosen]) - 1) if lists[chosen][-1] == "..." else at.argument()
    return SignatureHelp(signatures, chosen, active)
