"""Joins a block with later blocks that give the accelerations belonging to it. Solves nothing.

The acceleration of a hinge along an axis of its frame occurs in a single equation, which is solved after the system of
the mechanism: that system is smaller, but lacks the best tearing variable. All motion of a tree follows from the
accelerations of its joints.
"""

from __future__ import annotations

from functools import cached_property

from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.sort.system import Block, SortedSystem

# The limit on the size of equations that belong to a joint alone.
_LARGEST = 24


class WiderBlocks:
    """Joins the blocks of one system."""

    def __init__(self, sorted_system: SortedSystem):
        self._sorted = sorted_system
        self._rates = frozenset(sorted_system.derivatives)
        # Only if there are second derivatives does motion follow from the chosen variables.
        self._is_mechanical = not self._rates.isdisjoint(sorted_system.states)

    def around(self, number: int) -> Block | None:
        """The block of this number, extended by the equations and unknowns of later blocks that give derivatives of
        states from its unknowns, and by what these depend on, if all of it is linear; None if there are none."""
        if not self._is_mechanical:
            return None
        first = self._sorted.blocks[number]
        taken: set[int] = set()
        own = set(first.unknowns)
        for k in range(number + 1, len(self._sorted.blocks)):
            if k not in taken and not self._rates.isdisjoint(self._sorted.blocks[k].unknowns):
                found = self._with_what_it_needs(k, number, taken)
                unknowns = own.union(*(self._sorted.blocks[each].unknowns for each in found))
                if found and all(self._is_linear(self._sorted.blocks[each], unknowns) for each in found):
                    taken |= found
                    own = unknowns
        others = [self._sorted.blocks[k] for k in sorted(taken)]
        if not others:
            return None
        wider = [first, *others]
        return Block(
            tuple(e for block in wider for e in block.equations), tuple(u for block in wider for u in block.unknowns)
        )

    def _with_what_it_needs(self, start: int, number: int, taken: set[int]) -> set[int]:
        """The numbers of a block and of those after `number` on which it depends; empty if these are large, or if none
        depends on that block."""
        blocks, found, waiting, follows = self._sorted.blocks, {start}, [start], False
        size = 0
        while waiting:
            block = blocks[waiting.pop()]
            size += len(block.unknowns)
            if size > _LARGEST:
                return set()
            for home in {self._home[v] for e in block.equations for v in variables_of(e.residual) if v in self._home}:
                follows = follows or home == number or home in taken
                if home > number and home not in taken and home not in found:
                    found.add(home)
                    waiting.append(home)
        return found if follows else set()

    @cached_property
    def _home(self) -> dict[Expr, int]:
        """The number of the block of each unknown."""
        return {u: k for k, block in enumerate(self._sorted.blocks) for u in block.unknowns}

    def _is_linear(self, block: Block, unknowns: set[Expr]) -> bool:
        try:
            linear_forms(self._sorted.system.pool, [e.residual for e in block.equations], unknowns)
        except Nonlinear:
            return False
        return True
