"""Checks the promises of SortedSystem and SolvedSystem, for tests and --verify. Repairs nothing."""

from __future__ import annotations

from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.sort.system import SolvedSystem, SortedSystem


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
