"""Collects the values that a run may give to parameters, for those that do not take every number."""

from __future__ import annotations

from itertools import product

from cutset.compiler.codegen.statistics import Domain
from cutset.compiler.expressions.array import Array
from cutset.compiler.flatten.model import EquationSystem


def domains_of(system: EquationSystem) -> dict[str, Domain]:
    """The domains by the names of scalar parameters."""
    found: dict[str, Domain] = {}
    for parameter in system.parameters:
        literals = ("false", "true") if parameter.type.kind == "Boolean" else parameter.type.literals
        is_whole = parameter.type.kind == "Integer"
        if not literals and not is_whole and parameter.minimum is None and parameter.maximum is None:
            continue
        for k, index in enumerate(product(*(range(1, n + 1) for n in parameter.value.shape))):
            name = parameter.name + (f"({','.join(map(str, index))})" if index else "")
            limits = _number(parameter.minimum, k), _number(parameter.maximum, k)
            found[name] = Domain(literals, *limits, is_whole, str(parameter.span))
    return found


def _number(limit: Array | None, k: int) -> float | None:
    return None if limit is None or limit.elements[k].op != "constant" else float(limit.elements[k].data)
