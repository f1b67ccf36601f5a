"""Checks the promises of FlatModel and EquationSystem, for tests and --verify. Repairs nothing."""

from __future__ import annotations

from cutset.compiler.expressions.pool import PARAMETER, Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem, FlatModel


def check_flat(model: FlatModel) -> None:
    """Every name occurs once; sides of equations have equal shapes; targets of events exist and are set in one
    place."""
    names = [v.name for v in model.variables]
    assert len(names) == len(set(names)), "a variable twice"
    for equation in (*model.equations, *model.initial):
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
