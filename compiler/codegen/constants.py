"""Chooses what is computed once from the parameters, and places the leaves: ComputedValues -> Constants.

The largest subexpressions that contain parameters only have a place in c, followed by tables of parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from cutset.compiler.codegen.chunks import CHUNK
from cutset.compiler.codegen.code import Assign, Function, Literal, Read, Statement, TableRef, Value
from cutset.compiler.codegen.loop_rolling import rolled
from cutset.compiler.codegen.numbering import Numbering
from cutset.compiler.codegen.statements import Schedule, schedule
from cutset.compiler.codegen.temporaries import Known
from cutset.compiler.expressions.pool import CONSTANT, PARAMETER, Expr
from cutset.compiler.expressions.walk import reachable, varying
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.sort.system import SortedSystem
from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class Constants:
    """The contents of c in order: `expressions`, followed by `tables` of parameters. `numbers` are the tables of
    numbers, `known` the places of everything that a function finds in its arguments, except for the tables of
    parameters."""

    parameters: Mapping[Expr, int]
    numbers: Mapping[Expr, TableRef]
    expressions: Sequence[Expr]
    tables: Sequence[Expr]
    known: Known

    @property
    def of_parameters(self) -> Known:
        """The places known to functions of the parameters only: p and the tables of numbers."""
        places: dict[Expr, Read | TableRef] = {leaf: Read("p", i) for leaf, i in self.parameters.items()}
        return {**places, **self.numbers}


def number_parameters(system: EquationSystem) -> dict[Expr, int]:
    """The place of each parameter in p, in the order of the instances."""
    index: dict[Expr, int] = {}
    for parameter in system.parameters:
        for leaf in parameter.value.elements:
            if leaf.op == "parameter":
                index.setdefault(leaf, len(index))
    return index


def choose_constants(
    sorted_system: SortedSystem, parameters: Mapping[Expr, int], rates: Sequence[Expr], every: Sequence[Expr]
) -> Constants:
    """The constants in `every` expression of a run. Those of `rates` come first: in loops over equal instances their
    places then have equal steps."""
    numbers = _tables_of_numbers(sorted_system.system, every)
    constants: dict[Expr, None] = {}
    tables: dict[Expr, None] = {}
    for node in (*_largest_of_parameters(rates), *_largest_of_parameters(every)):
        (tables if node.op == "table" else constants)[node] = None
    known = _places_of_leaves(sorted_system) | numbers | {e: Read("c", i) for i, e in enumerate(constants)}
    return Constants(parameters, numbers, list(constants), list(tables), known)


def schedule_constants(constants: Constants, numbering: Numbering) -> Schedule:
    """The statements that fill c."""
    targets = [(Read("c", i), e) for i, e in enumerate(constants.expressions)]
    behind = Read("c", len(targets))
    return schedule(targets, constants.of_parameters, numbering, behind, constants.tables)


def bindings_function(system: EquationSystem, constants: Constants, numbering: Numbering) -> Function:
    """Fills p in the order of the instances; parameters that a binding uses precede it."""
    known = constants.of_parameters
    loops = numbering.passes.loops
    chunks: list[tuple[Statement, ...]] = []
    chunk: list[Statement] = []
    for leaf, binding in _bindings(system):
        i = constants.parameters[leaf]
        before, value = _binding(binding, known, numbering)
        write = Assign(Read("p", i), value, unless=Read("given", i))
        if before:  # its locals must not collide with those of another binding
            chunks += [*rolled(chunk, CHUNK, loops), (*before, write)]
            chunk = []
        else:
            chunk.append(write)
    chunks += rolled(chunk, CHUNK, loops)
    return Function("bindings", ("p", "given"), tuple(c for c in chunks if c))


def _bindings(system: EquationSystem) -> Iterator[tuple[Expr, Expr]]:
    """Each leaf of a parameter once: the mirrored elements of a symmetric matrix are one leaf."""
    for parameter in system.parameters:
        pairs = dict(zip(parameter.value.elements, parameter.binding.elements, strict=True))
        yield from ((leaf, binding) for leaf, binding in pairs.items() if leaf.op == "parameter")


def _binding(binding: Expr, known: Known, numbering: Numbering) -> tuple[list[Statement], Value]:
    """Preceding statements, and the value. Most bindings are numbers."""
    if binding.op == "constant":
        return [], Literal(binding.data)
    if binding in known:
        return [], known[binding]
    ((*before, last),) = schedule([(Read("p", 0), binding)], known, numbering).chunks
    assert isinstance(last, Assign)
    return before, last.value


def _tables_of_numbers(system: EquationSystem, every: Sequence[Expr]) -> dict[Expr, TableRef]:
    """The start of each table of numbers in the common array."""
    found: dict[Expr, TableRef] = {}
    if not system.pool.has_tables:
        return found
    bindings = [e for parameter in system.parameters for e in parameter.binding.elements]
    free = 0
    for node in reachable([*every, *bindings]):
        if node.op == "table" and node.level == CONSTANT:
            found[node] = TableRef("tables", free, node.data)
            free += 2 * node.data
    return found


def _places_of_leaves(sorted_system: SortedSystem) -> dict[Expr, Read | TableRef]:
    system, inputs = sorted_system.system, len(sorted_system.inputs)
    places: dict[Expr, Read | TableRef] = {s: Read("x", i) for i, s in enumerate(sorted_system.states)}
    places |= {u: Read("u", i) for i, u in enumerate(sorted_system.inputs)}
    places |= {d.node: Read("m", len(system.relations) + i) for i, d in enumerate(system.discrete)}
    return places | {d.node: Read("u", inputs + i) for i, d in enumerate(system.delays)}


def _largest_of_parameters(roots: Sequence[Expr]) -> list[Expr]:
    """The largest subexpressions of the roots that are constant in time and depend on parameters, by age."""
    users = (node.args for node in varying(roots))
    found = {e for several in chain([roots], users) for e in several if e.level == PARAMETER}
    return sorted(found, key=lambda e: e.id)
