"""The promises of FlatModel and EquationSystem, checked. For tests and --verify; must not repair."""

from __future__ import annotations

from cutset.compiler.expressions.pool import PARAMETER
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem, FlatModel


def check_flat(model: FlatModel) -> None:
    """Every name once; equations of one shape."""
    names = [v.name for v in model.variables]
    assert len(names) == len(set(names)), "a variable twice"
    for equation in model.equations:
        assert equation.left.shape == equation.right.shape, f"{equation.span}: sides of different shape"


def check_system(system: EquationSystem) -> None:
    """Residuals contain unknowns and inputs alone; what was eliminated is gone; aliases lead to what is left."""
    left = {u.node for u in system.unknowns} | set(system.inputs)
    assert len(left) == len(system.unknowns) + len(system.inputs), "an unknown twice, or an input among them"
    for equation in system.equations:
        strangers = [v.data for v in variables_of(equation.residual) if v not in left]
        assert not strangers, f"{equation.origin.span}: {strangers} were eliminated or never declared"
    for alias in system.aliases:
        value = alias.value.args[0] if alias.value.op == "neg" else alias.value
        assert value in left or alias.value.level <= PARAMETER, f"the alias {alias.name} leads nowhere"
    for v, d in system.derivatives.items():
        assert v in left and d in left, f"der({v.data}) was eliminated without a trace"
