"""Checks the results of all stages, as an observer of the pipeline: for `--verify`, and for tests that translate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from cutset.compiler.codegen.accesses import reads_of, writes_of
from cutset.compiler.codegen.code import Function, Loop, Read, SolveLinear, SolveNonlinear, Statement
from cutset.compiler.codegen.loop_rolling import round_of
from cutset.compiler.codegen.program import Program
from cutset.compiler.expressions.array import size_of
from cutset.compiler.expressions.pool import PARAMETER, Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.instantiate.instance import Instance, Parameter, Variable
from cutset.compiler.reduce.system import ReducedSystem
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.sort.redundancy import Independent
from cutset.compiler.sort.selection import Selection
from cutset.compiler.sort.system import SolvedSystem, SortedSystem
from cutset.compiler.structure.plan import Incidence, StructuralPlan
from cutset.compiler.structure.verify import check_plan

T = TypeVar("T")


class Verifier:
    """An observer that raises AssertionError if a stage breaks its promise."""

    def __init__(self) -> None:
        self._incidence: Incidence | None = None

    def __call__(self, stage: str, result: T) -> T:
        match result:
            case Instance():
                check_instance(result)
            case FlatModel():
                check_flat(result)
            case EquationSystem():
                check_system(result)
            case Incidence():
                self._incidence = result
            case Independent():
                self._incidence = result.incidence
            case StructuralPlan():
                assert self._incidence is not None, "the plan comes after the incidence"
                check_plan(self._incidence, result)
            case ReducedSystem():
                check_system(result.system)
                check_plan(incidence_of(result.system), result.plan)
            case Selection():
                check_system(result.system)
                check_plan(incidence_of(result.system), result.plan)
            case SortedSystem():
                check_sorted(result)
            case SolvedSystem():
                check_solved(result)
            case Program():
                check_program(result)
        return result


# --- instance -------------------------------------------------------------------------------------


def check_instance(root: Instance) -> None:
    """All shapes are known and equal on both sides; equations contain only declared variables and their derivatives."""
    instances = list(root.walk())
    declared = {e for i in instances for v in i.variables for e in v.value.elements}
    known = declared | set(root.derivatives.values())
    at_events = known | set(root.after.values())
    paths = {i.path for i in instances}
    for instance in instances:
        items: list[Variable | Parameter] = [*instance.variables, *instance.parameters]
        for item in items:
            assert len(item.value.elements) == size_of(item.value.shape), f"{item.name}: elements do not fill the shape"
        for equation in (*instance.equations, *instance.initial, *instance.closed):
            assert equation.left.shape == equation.right.shape, f"{equation.span}: sides of different shape"
            for e in (*equation.left.elements, *equation.right.elements):
                unknown = [v.data for v in variables_of(e) if v not in known]
                assert not unknown, f"{equation.span}: undeclared {unknown}"
        for update in instance.events.all_updates():
            assert update.target in root.after, f"{update.span}: {update.target.data} is not discrete"
        for e in instance.events.expressions():
            unknown = [v.data for v in variables_of(e) if v not in at_events]
            assert not unknown, f"{instance.path}: an event uses undeclared {unknown}"
        for join in instance.joins:
            assert join.first.instance in paths and join.second.instance in paths, f"{join.span}: a join leads nowhere"


# --- flatModel and EquationSystem -----------------------------------------------------------------


def check_flat(model: FlatModel) -> None:
    """Every name occurs once; sides of equations have equal shapes; targets of events exist and are set in one
    place."""
    names = [v.name for v in model.variables]
    assert len(names) == len(set(names)), "a variable twice"
    for equation in (*model.equations, *model.initial, *model.closed):
        assert equation.left.shape == equation.right.shape, f"{equation.span}: sides of different shape"
    leaves = {e for v in model.variables for e in v.value.elements}
    assert leaves.issuperset(model.after), "a discrete variable is not declared"
    assert not leaves & set(model.derivatives.values()) & set(model.after), "a discrete variable is a derivative"
    targets = [u.target for u in model.events.updates]
    targets += [t for when in model.events.whens for t in {u.target for b in when.branches for u in b.updates}]
    assert sorted(t.id for t in targets) == sorted(v.id for v in model.after), (
        "a discrete variable is not given exactly once"
    )


def check_system(system: EquationSystem) -> None:
    """Residuals contain unknowns and inputs only; eliminated variables do not occur; aliases lead to remaining ones."""
    left = {u.node for u in system.unknowns} | set(system.known)
    assert len(left) == len(system.unknowns) + len(system.known), "an unknown twice, or something known among them"
    for equation in system.equations:
        strangers = [v.data for v in variables_of(equation.residual) if v not in left]
        assert not strangers, f"{equation.origin.span}: {strangers} were eliminated or never declared"
    _check_instants(system, left)
    for alias in system.aliases:
        value = alias.value.args[0] if alias.value.op == "neg" else alias.value
        assert value in left or alias.value.level <= PARAMETER, f"the alias {alias.name} leads nowhere"
    for v, d in system.derivatives.items():
        assert v in left and d in left, f"der({v.data}) was eliminated without a trace"


def _check_instants(system: EquationSystem, left: set[Expr]) -> None:
    """Events and initial equations contain remaining variables; delays are leaves; restarted variables have a
    derivative."""
    after = {d.after for d in system.discrete}
    for e in (*system.events.expressions(), *(delay.value for delay in system.delays)):
        strangers = [v.data for v in variables_of(e) if v not in left and v not in after]
        assert not strangers, f"an event uses {strangers}, which were eliminated"
    for equation in system.initial:
        strangers = [v.data for v in variables_of(equation.residual) if v not in left]
        assert not strangers, f"{equation.origin.span}: {strangers} were eliminated or never declared"
    for restart in (r for branch in system.events.branches() for r in branch.restarts):
        assert restart.target in system.derivatives, f"{restart.span}: {restart.target.data} is not a state"


# --- sortedSystem and SolvedSystem ----------------------------------------------------------------


def check_sorted(system: SortedSystem) -> None:
    """Each block uses states, inputs, its own unknowns and earlier ones; every unknown is in one block."""
    known = {*system.states, *system.inputs, *system.system.known}
    for block in system.blocks:
        assert len(block.equations) == len(block.unknowns)
        for unknown in block.unknowns:
            assert unknown not in known, f"{unknown.data} is determined twice"
        known.update(block.unknowns)
        for equation in block.equations:
            later = [v.data for v in variables_of(equation.residual) if v not in known]
            assert not later, f"{equation.origin.span}: {later} are not known yet"
    assert known >= {*system.derivatives}, "a derivative is not determined"


def check_solved(solved: SolvedSystem) -> None:
    """Every unknown is assigned once, in terms of states and inputs only."""
    system = solved.sorted_system
    unknowns = [u for block in system.blocks for u in block.unknowns]
    assigned = [a.unknown for a in solved.assignments]
    assert sorted(u.id for u in unknowns) == sorted(a.id for a in assigned), "unknowns and assignments differ"
    leaves = {*system.states, *system.inputs, *system.system.known}
    for assignment in solved.assignments:
        strangers = [v.data for v in variables_of(assignment.value) if v not in leaves]
        assert not strangers, f"{assignment.unknown.data} depends on {strangers}"


# --- program: every read follows a write ----------------------------------------------------------

# The arguments that contain values when a function is called; it must write everything else first.
_GIVEN = ("t", "x", "u", "m", "c", "s", "f", "z", "given", "tables")


def check_program(program: Program) -> None:
    """Locals are written once and read in their chunk; w is written before it is read; results are complete."""
    info = program.info
    n_states, n_relations = len(info.states), len(info.relations)
    n_conditions = 2 * n_relations + sum(info.whens) + len(info.assertions)
    sizes = {
        "dx": n_states,
        "y": info.n_variables + n_conditions,
        "x": n_states + 2 * len(info.start_conditions),
        "s": info.n_starts,
        "g": len(info.crossings),
        "n": n_states,
        "te": 2 * len(info.time_events),
        "e": info.n_updates,
        "j": sum(map(len, info.jacobian)) if info.has_jacobian else 0,
        "v": 2 * len(info.delays),
        "h": len(info.crossings) + info.n_watched if info.n_watched else 0,
    }
    left = info.n_guesses + len(info.guards), info.n_watched  # written by the derivatives, for the watch
    for function in program.functions:
        written = {Read("w", k) for k in range(info.n_guesses)}
        written |= {Read("w", left[0] + k) for k in range(left[1]) if function.name == "watch"}
        _check_function(function, written)
        result = function.arguments[-1]
        if result in sizes:
            missing = sizes[result] - len({w for w in written if w.array == result})
            assert missing == 0, f"{function.name}: {missing} results are not written"


def _check_function(function: Function, written: set[Read]) -> None:
    """`written` are the places written before the call; it is extended by those that the function writes."""
    for chunk in function.chunks:
        straight: list[Statement] = []
        for statement in chunk:
            if isinstance(statement, Loop):
                for k in range(statement.count):
                    _check_statements(function, round_of(statement, k), written)
            else:
                straight.append(statement)
        _check_statements(function, straight, written)


def _check_statements(function: Function, statements: Iterable[Statement], written: set[Read]) -> None:
    """Checks a chunk, or a round of a loop, with its own locals. A chunk contains either loops or other statements."""
    locals_here: set[Read] = set()
    for statement in statements:
        if isinstance(statement, SolveNonlinear):
            _check_iteration(statement, written)
        if isinstance(statement, SolveLinear):
            _check_fill(function, statement, written, locals_here)
        for read in reads_of(statement):
            _check_read(function, read, written, locals_here)
        for target in writes_of(statement):
            assert target.array != "local" or target not in locals_here, f"{function.name}: {target} twice"
            (locals_here if target.array == "local" else written).add(target)


def _check_read(function: Function, read: Read, written: set[Read], locals_here: set[Read]) -> None:
    if read.array == "local":
        assert read in locals_here, f"{function.name}: {read} is read before it is written"
    elif read.array not in _GIVEN or read.array == function.arguments[-1]:
        fine = read in written or (function.name == "constants" and read.array == "p")
        assert fine, f"{function.name}: {read} is read before it is written"


def _check_fill(function: Function, statement: SolveLinear, written: set[Read], locals_here: set[Read]) -> None:
    """Checks the matrix and the right side, computed from values of the chunk."""
    for inner in statement.fill:
        iterations = [round_of(inner, k) for k in range(inner.count)] if isinstance(inner, Loop) else [(inner,)]
        for read in (read for statements in iterations for assign in statements for read in reads_of(assign)):
            _check_read(function, read, written, locals_here)


def _check_iteration(statement: SolveNonlinear, written: set[Read]) -> None:
    inner = set(written)
    _check_function(statement.function, inner)
    results = len({w for w in inner if w.array == "r"})
    assert results == statement.size * (statement.size + 1), f"{statement.function.name}: {results} results"
