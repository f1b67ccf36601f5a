"""Stage 1, its fifth step. The statements of a model, one by one -> its members, blocks put together.

Must not look into a statement: that it is right for itself, the grammar has said.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from cutset.compiler.diagnostics import Diagnostic
from cutset.compiler.syntax import explain, tree
from cutset.compiler.syntax.lexemes import Lexeme
from cutset.compiler.syntax.statements import MAXIMUM_DEPTH

# What opens a block, what closes it.
ENDS = {"FOR": "ENDFOR"}


@dataclass
class _Block:
    """A block that is open; its header is None where that was wrong."""

    start: Lexeme
    header: Any
    members: list[Any] = field(default_factory=list)


class Members:
    """The members of a model while it is read."""

    def __init__(self, diagnostics: list[Diagnostic]):
        self._diagnostics = diagnostics
        self._members: list[tree.Member] = []
        self._blocks: list[_Block] = []

    def take(self, start: Lexeme, node: Any) -> None:
        """What a statement that begins with `start` has given; None where it was wrong."""
        if start.type in ENDS:
            if len(self._blocks) == MAXIMUM_DEPTH:
                self._diagnostics.append(explain.too_deep(start.span))
            self._blocks.append(_Block(start, node))
        elif start.type in ENDS.values():
            self._close(start)
        elif node is not None:
            self._add(node, start)

    def finish(self) -> tuple[tree.Member, ...]:
        """All members; a block that is still open is reported, unless its first line was already."""
        self._diagnostics += [explain.block_open(b.start) for b in self._blocks if b.header is not None]
        return tuple(self._members)

    def _add(self, node: Any, start: Lexeme) -> None:
        if not self._blocks:
            self._members.append(node)
        elif isinstance(node, tree.Behaviour):
            self._blocks[-1].members.append(node)
        else:
            self._diagnostics.append(explain.declared_in_block(start, self._blocks[-1].start))

    def _close(self, end: Lexeme) -> None:
        if not self._blocks or ENDS[self._blocks[-1].start.type] != end.type:
            self._diagnostics.append(explain.closes_nothing(end, end.text.removeprefix("end")))
            return
        block = self._blocks.pop()
        if block.header is not None:
            self._add(replace(block.header, members=tuple(block.members)), block.start)
