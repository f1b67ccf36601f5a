"""Assembles blocks (stage 1, fifth step): the statements of a model or function, one by one -> its members.

Checks only where a statement may occur; the grammar has checked the statement itself.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, get_args

from cutset.compiler.diagnostics import Diagnostic
from cutset.compiler.syntax import explain, tree
from cutset.compiler.syntax.lexemes import Lexeme
from cutset.compiler.syntax.statements import BLOCK_ENDS, DIVIDERS, MAXIMUM_DEPTH, Statement
from cutset.contract.quick_dataclass import dataclass

_DECLARATIONS = (
    tree.VariableDeclaration,
    tree.SubmodelDeclaration,
    tree.CutDeclaration,
    tree.PathDeclaration,
    tree.NodeDeclaration,
    tree.Experiment,
)
# Statements allowed in a `for` or `if` of a model, and of a function.
_MODEL_STATEMENT = get_args(tree.ModelStatement)
_ACTIONS = get_args(tree.Action)
_IN_WHEN = (tree.Equation, tree.Assertion, tree.For, tree.If)
_IN_INITIAL = (tree.Equation, tree.Assertion, tree.For, tree.If)


@dataclass
class _Block:
    """An open block; its header is None if it had an error. `allowed` are the statements that it may contain.

    In an `if` or `when` the members belong to the last of `branches`.
    """

    start: Lexeme
    header: Any
    allowed: tuple[Any, ...]
    members: list[Any] = field(default_factory=list)
    branches: list[tree.Branch] = field(default_factory=list)
    has_else: bool = False


class Members:
    """The members of a model or function while it is read."""

    def __init__(self, diagnostics: list[Diagnostic], in_function: bool = False):
        self._diagnostics = diagnostics
        self.in_function = in_function
        self._members: list[Any] = []
        self._blocks: list[_Block] = []

    def has_block_for(self, statement: Statement) -> bool:
        """False, with an error, for a keyword that divides or ends a block which is not open."""
        word = statement.start
        opener = DIVIDERS.get(word.type) or next((o for o, end in BLOCK_ENDS.items() if end == word.type), None)
        if opener is None or (self._blocks and self._blocks[-1].start.type == opener):
            return True
        self._diagnostics.append(explain.closes_nothing(word, opener.lower()))
        return False

    def take(self, statement: Statement, node: Any) -> None:
        """Add a statement and what the grammar has made of it; None if it had an error."""
        start = statement.start
        if start.type in DIVIDERS:
            self._divide(start, node)
        elif start.type in BLOCK_ENDS.values():
            self._close()
        elif statement.opens_block:
            self._open(start, node)
        elif node is not None:
            self._add(node, start)

    def finish(self) -> tuple[Any, ...]:
        """All members; a block that is still open is reported, unless its first line was, and ends here."""
        self._diagnostics += [explain.block_open(b.start) for b in self._blocks if b.header is not None]
        while self._blocks:
            self._close()
        return tuple(self._members)

    def _open(self, start: Lexeme, header: Any) -> None:
        if len(self._blocks) == MAXIMUM_DEPTH:
            self._diagnostics.append(explain.too_deep(start.span))
        if header is not None and not self._may_stand(header, start):
            header = None
        inside = {"WHEN": _IN_WHEN, "INITIAL": _IN_INITIAL}.get(start.type) or self._allowed_in_blocks()
        branches = [header.branches[0]] if isinstance(header, tree.If | tree.When) else []
        self._blocks.append(_Block(start, header, inside, [], branches))

    def _allowed_in_blocks(self) -> tuple[Any, ...]:
        if self._blocks:
            return self._blocks[-1].allowed
        return _ACTIONS if self.in_function else _MODEL_STATEMENT

    def _may_stand(self, node: Any, start: Lexeme) -> bool:
        """True if the statement is allowed here; otherwise an error is reported."""
        allowed = self._allowed_in_blocks()
        if not self._blocks:
            allowed += (tree.VariableDeclaration,) if self.in_function else _DECLARATIONS
        is_closed = isinstance(node, tree.Equation) and node.is_closed
        if isinstance(node, allowed) and not (is_closed and allowed in (_IN_WHEN, _IN_INITIAL)):
            return True
        around = next(
            (
                b.start
                for b in reversed(self._blocks)
                if isinstance(node, _DECLARATIONS) or b.start.type in ("WHEN", "INITIAL")
            ),
            None,
        )
        self._diagnostics.append(explain.wrong_place(node, start, around, self.in_function))
        return False

    def _add(self, node: Any, start: Lexeme) -> None:
        if self._may_stand(node, start):
            (self._blocks[-1].members if self._blocks else self._members).append(node)

    def _divide(self, word: Lexeme, branch: tree.Branch | None) -> None:
        block = self._blocks[-1]
        if block.has_else:
            self._diagnostics.append(explain.behind_else(word, block.start))
        elif block.branches:
            self._end_branch(block)
            block.branches.append(branch or tree.Branch(word.span, None))
        block.has_else |= word.type == "ELSE"

    @staticmethod
    def _end_branch(block: _Block) -> None:
        block.branches[-1] = replace(block.branches[-1], members=tuple(block.members))
        block.members = []

    def _close(self) -> None:
        block = self._blocks.pop()
        if block.header is None:
            return
        if block.branches:
            self._end_branch(block)
            built = replace(block.header, branches=tuple(block.branches))
        else:
            built = replace(block.header, members=tuple(block.members))
        (self._blocks[-1].members if self._blocks else self._members).append(built)
