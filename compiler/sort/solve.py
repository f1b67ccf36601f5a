"""Solves the blocks (stage 5b): SortedSystem -> SolvedSystem, torn where necessary, solutions inlined into one DAG.

Coefficients are taken from the original equation, then solved unknowns are substituted: sharing nodes eliminates common
subexpressions and dead code at no cost. Does not print, count or order operations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, partial

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.expressions.finite_field_evaluation import FieldPoint
from cutset.compiler.expressions.linear import LinearForm, Nonlinear, linear_forms
from cutset.compiler.expressions.operation_count import operations_of
from cutset.compiler.expressions.pool import PARAMETER, TIME, Expr, Pool, Undefined
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.expressions.same_values import SameValues
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import Substitution, reachable, variables_of, varying
from cutset.compiler.flatten.model import Origin, ScalarEquation
from cutset.compiler.instantiate.instance import parameter_numbers
from cutset.compiler.sort import messages
from cutset.compiler.sort.connection_tree import ConnectionTrees, Tree
from cutset.compiler.sort.elimination import Elimination
from cutset.compiler.sort.iteration_starts import IterationStarts
from cutset.compiler.sort.linear_system import (
    Prepared,
    Singular,
    Solution,
    prepare,
    solve_eliminated,
    solve_linear,
    solve_rotation,
    substituted,
    suits_elimination,
    with_loops,
)
from cutset.compiler.sort.nonlinear_system import solve_nonlinear
from cutset.compiler.sort.switching import Switching
from cutset.compiler.sort.system import Assignment, Block, SolvedSystem, SortedSystem, Torn, is_written
from cutset.compiler.sort.tree_elimination import eliminate_along_tree
from cutset.compiler.sort.turned_rows import turn_rows
from cutset.contract.abridged import abridged

_MOST_NAMED = 5
# The largest system of a tree that is also torn, to take what needs fewer products; systems of loops always are.
_MOST_COMPARED = 400


def solve(sorted_system: SortedSystem, trees: ConnectionTrees | None = None) -> SolvedSystem:
    """Solve all blocks, mechanisms along their `trees`. Raises ModelError for a block that is singular for every
    state."""
    if trees is not None and trees.has_frames:
        try:
            return _Solver(sorted_system, trees, SameValues(sorted_system.system.pool)).solved()
        except ModelError:  # equal values decide nothing: a divisor may be zero up to rounding only
            pass
    return _Solver(sorted_system, trees, None).solved()


class _Solver:
    """`_inline` substitutes solved unknowns into an equation; its mapping grows block by block. Solutions with equal
    `values` are one node."""

    def __init__(self, sorted_system: SortedSystem, trees: ConnectionTrees | None, values: SameValues | None):
        self._trees, self._values = trees, values
        self._sorted = sorted_system
        self._name = sorted_system.system.name
        self._places = sorted_system.system.places
        self._pool: Pool = sorted_system.system.pool
        self._guesses = IterationStarts(sorted_system.system)
        self._solved: dict[Expr, Expr] = {}
        self._inline = Substitution(self._pool, self._solved)
        self._left = {u for block in sorted_system.blocks for u in block.unknowns}
        self._assignments: list[Assignment] = []
        self._linear: list[Torn] = []
        self._nonlinear: list[Torn] = []
        self._pivots: dict[Expr, ScalarEquation] = dict(sorted_system.system.pivots)
        self._point = FieldPoint({})
        self._points = [RandomPoint(number=number) for number in range(1, 4)]
        self._switching = Switching(sorted_system.system, self._point)
        self._rates = frozenset(sorted_system.derivatives)
        self._wider_blocks = WiderBlocks(sorted_system)
        self._numbers = RandomPoint(parameter_numbers(sorted_system.system.parameters))

    def solved(self) -> SolvedSystem:
        """All blocks, solved. ModelError at the first that cannot be: later ones depend on it."""
        for number, block in enumerate(self._sorted.blocks):
            self._block(number, block)
        linear, nonlinear = tuple(self._linear), tuple(self._nonlinear)
        return SolvedSystem(
            self._sorted, self._pool, tuple(self._assignments), linear, nonlinear, tuple(self._pivots.items())
        )

    def _block(self, number: int, block: Block) -> None:
        """Solve the block of this number, and those that must be solved with it."""
        if block.unknowns[0] in self._solved:
            return
        residuals = [e.residual for e in block.equations]
        try:
            forms = linear_forms(self._pool, residuals, block.unknowns)
        except Nonlinear:
            self._iterated(block, residuals)
            return
        except Undefined as error:
            raise ModelError([self._without_value(block, str(error))]) from error
        if len(block.unknowns) == 1:
            self._single(block, forms[0])
        else:
            self._together(number, block, forms)

    def _single(self, block: Block, form: LinearForm) -> None:
        """coefficient * unknown + rest = 0"""
        unknown, pool = block.unknowns[0], self._pool
        coefficient = form.coefficients.get(unknown, pool.zero)
        try:
            divisor, rest = self._inline(coefficient), self._inline(form.rest)
        except Undefined as error:
            raise ModelError([self._without_value(block, str(error))]) from error
        try:
            value = pool.div(pool.neg(rest), divisor)
        except Undefined as error:
            raise ModelError([self._singular(block, 0, str(error))]) from error
        if self._point.value(divisor) == 0:
            raise ModelError([self._singular(block, 0, "its factor is zero for every state")])
        if divisor.level == PARAMETER and value.level == TIME and _has_canceled(divisor, value):
            # Where the factor is zero, the equation says nothing.
            self._pivots.setdefault(pool.div(pool.one, divisor), block.equations[0])
        when_open = self._switching.when_zero(divisor, unknown) or self._switching.when_reversing(coefficient, unknown)
        self._assign(block, 0, pool.solve([{0: divisor}], [pool.neg(rest)], when_open)[0] if when_open else value)

    def _along_tree(self, number: int, block: Block) -> Iterator[tuple[Block, Solution, SameValues | None]]:
        """The solutions element by element, of the block and of one with the forces that close its loops; none if the
        equations are not those of trees with masses and of what closes their loops. And the values that are known with
        them."""
        tree = None if self._trees is None else self._trees.tree_of(block, self._left)
        if self._trees is None or tree is None:
            return
        wider = self._wider_blocks.with_unknowns(number, tree.forces)
        if (found := self._eliminated(block, tree)) is not None:
            yield block, *found
        if len(wider.unknowns) == len(block.unknowns):
            return
        tree = self._trees.tree_of(wider, self._left)
        if tree is not None and (found := self._eliminated(wider, tree)) is not None:
            yield wider, *found

    def _eliminated(self, block: Block, tree: Tree) -> tuple[Solution, SameValues | None] | None:
        pool, numbers = self._pool, parameter_numbers(self._sorted.system.parameters)
        values = SameValues(pool) if self._values is None else self._values.on_trial()
        try:
            forms = linear_forms(pool, [e.residual for e in block.equations], block.unknowns)
            rows, rests = substituted(pool, forms, block.unknowns, self._inline)
            if not suits_elimination(rows):
                return None
            elimination = Elimination(pool, rows, rests, tree.kinds, numbers, values, tree.closing)
            turn_rows(elimination, tree, self._points)
            eliminate_along_tree(elimination, tree.depths)
            own = self._point, self._switching, self._numbers
            if tree.closing:
                prepared = with_loops(elimination, block.unknowns, rows, rests, tree.closing, self._numbers)
                found: Solution | None = solve_linear(pool, prepared, *own)
            else:
                found = solve_eliminated(pool, elimination, block.unknowns, *own)
        except (Nonlinear, Singular, Undefined):
            return None
        return None if found is None else (found, values if self._values else None)

    def _turned_back(self, block: Block, forms: list[LinearForm]) -> Solution | None:
        """The solution of a rotation of two or three unknowns, by the transposed matrix."""
        if self._values is None or len(forms) > 3:
            return None
        try:
            rows, rests = substituted(self._pool, forms, block.unknowns, self._inline)
        except Undefined:
            return None
        return solve_rotation(self._pool, rows, rests, self._points)

    def _together(self, number: int, block: Block, forms: list[LinearForm]) -> None:
        if (turned := self._turned_back(block, forms)) is not None:
            self._take(block, turned)
            return
        rates = {u for u in block.unknowns if u in self._rates}
        ways = list(self._along_tree(number, block))
        whole, found, values = min(
            ways, key=lambda way: _products(way[0], way[1], rates), default=(block, None, self._values)
        )
        size = 0 if found is None else found.torn
        if found is None or found.torn or len(block.unknowns) <= _MOST_COMPARED:
            prepared, wider, torn = self._torn(number, block, forms)
            is_larger = found is not None and found.torn > prepared.torn
            if found is None or is_larger or _products(wider, torn, rates) <= _products(whole, found, rates):
                size, whole, found, values = prepared.torn, wider, torn, self._values
        self._values = values
        self._linear.append(Torn(len(whole.unknowns), size))
        if found.holds is not None and found.holds.op != "constant":
            check = self._pool.div(self._pool.one, found.holds)  # not finite if it does not hold
            self._pivots.setdefault(check, whole.equations[0])
        self._take(whole, found)

    def _torn(self, number: int, block: Block, forms: list[LinearForm]) -> tuple[Prepared, Block, Solution]:
        """The solution by tearing, with the blocks that are solved with this one."""
        try:
            prepared = self._prepared(block, forms)
            if prepared.torn > sum(u in self._rates for u in block.unknowns):
                wider = self._wider_blocks.around(number)
                if wider is not None and prepared.torn > sum(u in self._rates for u in wider.unknowns):
                    forms += linear_forms(
                        self._pool, [e.residual for e in wider.equations[len(forms) :]], wider.unknowns
                    )
                    other = self._prepared(wider, forms)
                    block, prepared = (wider, other) if other.torn < prepared.torn else (block, prepared)
            return prepared, block, solve_linear(self._pool, prepared, self._point, self._switching, self._numbers)
        except Undefined as error:
            raise ModelError([self._singular(block, 0, str(error))]) from error
        except Singular as error:
            raise ModelError([self._singular(block, error.equation, error.reason)]) from error

    def _prepared(self, block: Block, forms: list[LinearForm]) -> Prepared:
        return prepare(self._pool, forms, block.unknowns, self._inline, self._numbers, self._rates)

    def _iterated(self, block: Block, residuals: list[Expr]) -> None:
        try:
            solution = solve_nonlinear(
                self._pool, residuals, block.unknowns, self._inline, self._guesses, partial(self._failure, block)
            )
        except Undefined as error:
            raise ModelError([self._singular(block, 0, str(error))]) from error
        except NotDifferentiable as error:
            origin = block.equations[0].origin
            raise ModelError(
                [messages.index_needs_derivative(str(error), origin.span, origin.instance or self._name)]
            ) from error
        if solution.torn:
            self._nonlinear.append(Torn(len(block.unknowns), solution.torn))
        self._take(block, solution)

    def _take(self, block: Block, solution: Solution) -> None:
        for number, (k, equation) in enumerate(solution.equation_of.items()):
            self._assign(block, k, solution.values[k], equation, number < solution.torn)

    def _assign(self, block: Block, k: int, value: Expr, equation: int | None = None, is_torn: bool = False) -> None:
        if self._values is not None:
            value = self._values.merge(value)
        self._solved[block.unknowns[k]] = value
        self._left.discard(block.unknowns[k])
        origin = block.equations[k if equation is None else equation]
        self._assignments.append(Assignment(block.unknowns[k], value, origin, is_torn))

    # --- messages ------------------------------------------------------------------------------------

    def _singular(self, block: Block, k: int, reason: str) -> Diagnostic:
        origin = block.equations[k].origin
        place = self._places.get(origin.instance)
        labels = (Label(place, f"this is '{origin.instance}'"),) if origin.instance and place else ()
        instance = origin.instance or self._name
        return messages.singular(str(block.unknowns[k].data), reason, origin.span, instance, labels, _origins(block))

    def _without_value(self, block: Block, reason: str) -> Diagnostic:
        origin = block.equations[0].origin
        return messages.without_value(reason, origin.span, origin.instance or self._name)

    def _failure(self, block: Block, iterated: Sequence[Expr], equations: Sequence[int]) -> tuple[str, tuple[str, ...]]:
        """The message at run time for an iteration that fails, which names variables with start values or in need of
        one; and the submodels of its equations."""
        own, closing = self._guesses.own, [block.equations[e] for e in equations]
        instances = tuple(e.origin.instance if all(map(is_written, variables_of(e.residual))) else "" for e in closing)
        origin = closing[0].origin
        started = [u for u in block.unknowns if u in own and is_written(u)]
        loose = [u for u in iterated if u not in self._guesses and is_written(u)]
        others = len(block.unknowns) - len(started)
        more = (
            f" and the variables that depend on {'it' if len(started) == 1 else 'them'}" if started and others else ""
        )
        names = _listed(started or [u for u in block.unknowns if is_written(u)])
        one = f"one of them is {origin.span}: {origin.span.text}{f', in {origin.instance}' if origin.instance else ''}"
        conditions = [
            e.origin.span
            for e in block.equations
            if e in self._sorted.system.initial and all(map(is_written, variables_of(e.residual)))
        ]
        if len(conditions) > 1:
            one = "these must hold together: " + ", ".join(
                f"'{span.text}' ({span})" for span in conditions[:_MOST_NAMED]
            )
        wanted = (
            f"; {_listed(loose)} {'have no start values' if len(loose) > 1 else 'has no start value'} (start=...)"
            if loose
            else ""
        )
        if len(loose) == len(block.unknowns) > 1:
            wanted = "; none of them has a start value (start=...)"
        return f"the equations for {names}{more} could not be solved{wanted}; {one}", instances


def _products(block: Block, solution: Solution, rates: Collection[Expr]) -> int:
    """The number of products for these derivatives of states, which every evaluation needs; for all, if there are
    none."""
    values = {block.unknowns[k]: value for k, value in solution.values.items()}
    return operations_of(varying([values[u] for u in rates] or values.values()))[0]


def _listed(unknowns: Sequence[Expr]) -> str:
    return abridged([f"'{u.data}'" for u in unknowns], _MOST_NAMED)


def _origins(block: Block) -> tuple[Origin, ...]:
    return tuple(equation.origin for equation in block.equations)


# --- wider blocks: a block with later ones that give the accelerations belonging to it ------------

# The acceleration of a hinge along an axis of its frame occurs in a single equation, which is solved after the system
# of the mechanism: that system is smaller, but lacks the best tearing variable. All motion of a tree follows from the
# accelerations of its joints.

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
        return self._joined(number, taken) if taken else None

    def with_unknowns(self, number: int, unknowns: set[Expr]) -> Block:
        """The block of this number, extended by the equations that give some of these unknowns from its own ones, and
        not from each other."""
        taken: set[int] = set()
        for k in sorted({self._home[u] for u in unknowns}):
            block = self._sorted.blocks[k]
            others = unknowns.difference(block.unknowns)
            if k > number and others.isdisjoint(v for e in block.equations for v in variables_of(e.residual)):
                taken |= self._with_what_it_needs(k, number, taken)
        return self._joined(number, taken)

    def _joined(self, number: int, others: Collection[int]) -> Block:
        blocks = [self._sorted.blocks[k] for k in (number, *sorted(others))]
        return Block(tuple(e for b in blocks for e in b.equations), tuple(u for b in blocks for u in b.unknowns))

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


def _has_canceled(divisor: Expr, value: Expr) -> bool:
    """True if a parameter of the divisor is not left in the value."""
    left = set(reachable([value]))
    return any(node.op == "parameter" and node not in left for node in reachable([divisor]))
