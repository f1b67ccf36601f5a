"""Makes factors that change at events unknowns of their own, where equations with them are differentiated.

At an event the way of a constraint from one branch to the next decides how the states jump (c/events/jumps.h). In
`a = ratio*b` with `4*der(b) = -ratio*f` the ratio is the same in both equations on this way: whether a model gives
it a name must not matter. Solves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.switched_values import is_switched, switched_values
from cutset.compiler.expressions.walk import reachable, rewrite
from cutset.compiler.flatten.model import EquationSystem, Origin, ScalarEquation, Unknown


def with_switched_factors(system: EquationSystem, orders: list[int]) -> EquationSystem:
    """The system with these unknowns; unchanged if equations that are differentiated, by their `orders`, have no such
    factors."""
    pool, found = system.pool, dict[Expr, Origin]()
    discrete = {d.node for d in system.discrete}
    for (residual, origin), order in zip(system.equations, orders, strict=True):
        terms = _terms(residual) if order else ()
        for factor in switched_values((term for term in terms if not is_switched(term, discrete)), discrete):
            found.setdefault(factor, origin)
    choices = (
        [node.args[0] for node in reachable(e.residual for e in system.equations) if node.op == "if"] if found else []
    )
    for condition in reachable(choices):  # a relation of an unknown would be another one
        found.pop(condition, None)
    if not found:
        return system
    first = sum(str(u.node.data).startswith("$factor") for u in system.unknowns) + 1
    names = {factor: pool.variable(f"$factor{k}") for k, factor in enumerate(found, first)}
    new = rewrite(pool, [e.residual for e in system.equations], lambda node, _: names.get(node))
    equations = [e._replace(residual=new[e.residual]) for e in system.equations]
    equations += [ScalarEquation(pool.sub(names[factor], factor), origin) for factor, origin in found.items()]
    unknowns = [Unknown(names[factor], None, 0, origin.span) for factor, origin in found.items()]
    return replace(system, equations=tuple(equations), unknowns=(*system.unknowns, *unknowns))


def _terms(e: Expr) -> Iterator[Expr]:
    """The terms of a sum, each once."""
    seen, waiting = {e}, [e]
    while waiting:
        node = waiting.pop()
        if node.op not in ("add", "sub", "neg"):
            yield node
            continue
        new = [a for a in node.args if a not in seen]
        seen.update(new)
        waiting += new
