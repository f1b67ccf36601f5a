"""Makes the equations of what flows carry (part of stage 3a): connected cuts -> what flows into each of them.

Into a cut flows the mixture of what flows out of the others, each weighed by its flow; what flows out of the cut itself
counts as the mean of the others. So the value is defined for both directions, and changes gradually while other cuts of
the node turn. While the entire node comes to rest, the mean of the others takes the place of the mixture. This needs no
relation, and no event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from itertools import accumulate
from typing import NamedTuple

from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.instantiate.instance import ArrayEquation, Cut, End, Join, Variable, inflow_leaf, leaves_of

# Of the nominal flow: a node through which less flows comes to rest. Its balance of what is carried is then wrong
# by at most 0.2 times this flow times the largest difference of what flows out of its cuts.
LEAST_FLOW = 1e-10
# Of the flow through a node, for the mean: where water goes round without any content, and nothing flows in, the values
# in this ring are those of a branch at rest. They would be rounding errors, since no equation determined them.
LEAST_SHARE = 1e-11


class Member(NamedTuple):
    """An end of a connection set as the node sees it: the `flow` into it, what comes `out_of` it, and the leaves for
    what goes `into` it."""

    flow: Expr
    out_of: tuple[Expr, ...]
    into: tuple[Expr, ...]


def mixing_equations(
    pool: Pool, members: Sequence[tuple[End, Cut]], variables: Mapping[Expr, Variable], join: Join
) -> Iterator[ArrayEquation]:
    """The equations for what flows into the cuts of a connection set; into a cut alone flows what flows out of it. From
    inside of a model, what flows out of the node is what comes into the model, and it gives what flows out of that."""
    seen: list[Member] = []
    nominals: dict[Expr, None] = {}
    for end, cut in members:
        if not cut.carried or not cut.through or cut.through[0].value is None:
            return
        (flow,) = cut.through[0].value.elements
        variable = variables.get(flow)
        nominals |= dict.fromkeys(variable.nominal.elements if variable and variable.nominal else ())
        own = tuple(dict.fromkeys(leaves_of(cut.carried)))
        inward = tuple(inflow_leaf(pool, leaf) for leaf in own)
        is_inside = end.side == "inside"
        flow = flow if (cut.through[0].sign > 0) is not is_inside else pool.neg(flow)
        seen.append(Member(flow, *((inward, own) if is_inside else (own, inward))))
    nominal = reduce(partial(pool.call, "max"), nominals) if nominals else pool.one
    for member, mixture in zip(seen, mixtures(pool, seen, nominal), strict=True):
        shape = (len(mixture),)
        yield ArrayEquation(Array(shape, member.into), Array(shape, mixture), join.span, join.instance)


def mixtures(pool: Pool, members: Sequence[Member], nominal: Expr) -> Iterator[tuple[Expr, ...]]:
    """For each member the values that flow into it. A node of n members has O(n) operations: the sums over the others
    are those before and those behind."""
    if len(members) < 3:
        yield from (member.out_of for member in reversed(members))
        return
    supplies = [pool.call("max", pool.neg(member.flow), pool.zero) for member in members]
    supply = reduce(pool.add, supplies)
    least = pool.mul(pool.constant(LEAST_FLOW), nominal)
    missing = pool.call("max", pool.sub(pool.one, pool.div(supply, least)), pool.zero)
    at_rest = pool.add(pool.mul(least, pool.mul(missing, missing)), pool.mul(pool.constant(LEAST_SHARE), supply))
    total = pool.add(supply, at_rest)
    count = pool.constant(len(members) - 1)

    def mixed(values: Sequence[Expr]) -> Iterator[Expr]:
        means = (pool.div(others, count) for others in _without_each(pool, values))
        carried = _without_each(pool, list(map(pool.mul, supplies, values)))
        for own, mean, others in zip(supplies, means, carried, strict=True):
            yield pool.div(pool.add(others, pool.mul(pool.add(own, at_rest), mean)), total)

    yield from zip(
        *(mixed([member.out_of[k] for member in members]) for k in range(len(members[0].out_of))), strict=True
    )


def _without_each(pool: Pool, terms: Sequence[Expr]) -> list[Expr]:
    """For each term the sum of all others."""
    before = [pool.zero, *accumulate(terms[:-1], pool.add)]
    behind = [pool.zero, *accumulate(reversed(terms[1:]), pool.add)]
    return [pool.add(left, right) for left, right in zip(before, reversed(behind), strict=True)]
