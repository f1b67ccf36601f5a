"""Shows units where the text has none: behind values of submodels and declarations with types."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import InlayHint, InlayHintKind, Range

from cutset.compiler.syntax import tree
from cutset.lsp.facts import quantity
from cutset.lsp.session import FileIndex, Session
from cutset.lsp.symbols import symbol

_PURE = "1"


def inlay_hints(_: Session, index: FileIndex, within: Range) -> list[InlayHint]:
    """The units of values that are given to parameters, and of variables that have theirs from a type or a cut class,
    in a range."""
    found = []
    for offset, unit in _hints(index):
        position = index.lines.position_at(offset)
        if within.start.line <= position.line <= within.end.line:
            found.append(InlayHint(position, unit, InlayHintKind.Type, padding_left=True))
    return found


def _hints(index: FileIndex) -> Iterator[tuple[int, str]]:
    """(offset, unit) of each hint."""
    for declared in index.contents.classes:
        members = index.lookup.members(declared)
        for member in declared.members:
            if isinstance(member, tree.SubmodelDeclaration):
                yield from _of_bindings(index, declared, member)
            elif isinstance(member, tree.VariableDeclaration):
                for item in member.items:
                    known = members.values.get(item.name)
                    if known is not None and not any(a.name == "unit" for a in item.attributes):
                        unit = quantity(
                            symbol(item.span, item.name, member.kind, item, member, declared), index.lookup
                        ).unit
                        yield from _at(index, item.span.end_line, item.span.end_column, unit)


def _of_bindings(index: FileIndex, declared: tree.Class, member: tree.SubmodelDeclaration) -> Iterator[tuple[int, str]]:
    for item in member.items:
        made = index.lookup.members(declared).latest.get(item.name)
        of = index.lookup.class_of(made, declared) if made else None
        parameters = index.lookup.members(of).values if of else {}
        for binding in item.bindings:
            target = parameters.get(binding.name)
            is_plain = isinstance(binding.value, tree.Number | tree.Unary | tree.Matrix)
            if target is not None and is_plain and not _has_unit(binding.value):
                unit = quantity(target, index.lookup).unit
                yield from _at(index, binding.value.span.end_line, binding.value.span.end_column, unit)


def _has_unit(value: tree.Expression) -> bool:
    """True for numbers that tell their unit."""
    inner = [value.operand] if isinstance(value, tree.Unary) else []
    inner += [entry for row in value.rows for entry in row] if isinstance(value, tree.Matrix) else []
    return any(isinstance(each, tree.Quantity) or _has_unit(each) for each in inner)


def _at(index: FileIndex, line: int, column: int, unit: str) -> Iterator[tuple[int, str]]:
    if unit and unit != _PURE:
        yield index.lines.offset_of(line, column), unit
