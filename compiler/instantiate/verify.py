"""Checks the promises of Library and Instance, for tests and --verify. Repairs nothing."""

from __future__ import annotations

from cutset.compiler.expressions.array import size_of
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.instantiate.instance import Instance, Parameter, Variable


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
        for equation in (*instance.equations, *instance.initial):
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
