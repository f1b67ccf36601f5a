"""Adds a parameter for each start value that runs give: FlatModel and names -> FlatModel. Compares no start values."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from cutset.compiler.expressions.array import scalar
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Parameter, Variable
from cutset.contract.metadata import start_parameter


def with_given_starts(model: FlatModel, names: Collection[str]) -> FlatModel:
    """The model with a parameter for the start value of each named scalar that varies. Its default is the start value
    in the model, or zero."""
    if not names:
        return model
    parameters: list[Parameter] = []
    given: dict[Expr, Expr] = {}
    for variable in model.variables:
        for k, leaf in enumerate(variable.value.elements):
            if leaf.op == "variable" and str(leaf.data) in names and leaf not in given:
                parameters.append(_parameter(model.pool, variable, k))
                given[leaf] = parameters[-1].value.elements[0]
    return replace(model, parameters=(*model.parameters, *parameters), given_starts=given)


def _parameter(pool: Pool, variable: Variable, k: int) -> Parameter:
    """The parameter of element k."""
    name = start_parameter(str(variable.value.elements[k].data))
    binding = variable.start.elements[k] if variable.start is not None else pool.zero
    return Parameter(name, scalar(pool.parameter(name)), scalar(binding), variable.span, variable.unit)
