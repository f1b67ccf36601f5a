"""Collects what the functions of a program compute: SolvedSystem, Start, SolvedEvents -> ComputedValues.

Replaces shared divisors by reciprocals; changes no formula otherwise, and assigns places to variables only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from cutset.compiler.codegen.guards import guards_of
from cutset.compiler.codegen.naming import Naming
from cutset.compiler.codegen.one_sided import with_both_sides
from cutset.compiler.expressions.jacobian import Jacobian
from cutset.compiler.expressions.local_jacobian import LocalJacobian
from cutset.compiler.expressions.pivot_selection import QUALITY
from cutset.compiler.expressions.pool import TIME, Expr, Pool
from cutset.compiler.expressions.walk import rewrite, varying
from cutset.compiler.flatten.model import EquationSystem, Relation
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, Start
from cutset.contract.quick_dataclass import dataclass

_LOCATED = ("<", "<=", ">", ">=")


@dataclass(frozen=True)
class ComputedValues:
    """The expressions that each function of the program writes to its last argument, in order."""

    naming: Naming
    # Derivatives of the states, and their Jacobian: the possible nonzeros of each row, and these elements.
    rates: Sequence[Expr]
    pattern: tuple[tuple[int, ...], ...]
    slopes: Sequence[Expr]
    # The variables, followed by the sides and conditions that events need.
    results: Sequence[Expr]
    # Both sides of each relation, and the difference of those whose crossings are located during a run, by number.
    sides: Sequence[tuple[Expr, Expr]]
    differences: Mapping[int, Expr]
    # Numbers for monitoring dynamically chosen states, with their weights (see watched_choices).
    watched: Mapping[Expr, Expr]
    # New values at events: discrete variables, states, and restarts of these; jumps, and what these depend on;
    # motions of relations.
    after: Sequence[Expr]
    time_events: Sequence[Expr]
    delayed: Sequence[Expr]
    # The values at the start, and the guesses, messages and checks of `s` for them.
    begins: Sequence[Expr]
    starts: Sequence[Expr]
    choosing_starts: tuple[str, ...]
    nominals: Sequence[Expr]
    # Values that must be finite besides the derivatives, and those of parameters.
    guards: Sequence[Expr]
    pivots: Sequence[Expr]
    # The iterations of the run, in order.
    iterations: Sequence[Expr]

    @property
    def every(self) -> list[Expr]:
        """Everything that is computed in a run."""
        return [
            *self.rates,
            *self.results,
            *self.starts,
            *self.begins,
            *self.time_events,
            *self.differences.values(),
            *self.after,
            *self.delayed,
            *self.nominals,
            *self.slopes,
            *self.watched,
            *self.watched.values(),
            *self.pivots,
        ]


def computed_values(
    solved: SolvedSystem,
    start: Start,
    events: SolvedEvents,
    parameters: Mapping[Expr, int],
    share_reciprocals: bool,
) -> ComputedValues:
    """Everything that a run needs. `parameters` numbers the parameters of the model."""
    pool, sorted_system = solved.pool, solved.sorted_system
    values = {a.unknown: a.value for a in solved.assignments}
    rates = [values.get(d, d) for d in sorted_system.derivatives]
    conditions = list(_event_conditions(events))
    delayed = [e for delay in events.delays for e in (delay.value, delay.time)]
    begins = [*start.values, *(e for condition in start.conditions for e in (condition.rest, condition.size))]
    competing = [pool.choose(pool.acting(branch), r.value, pool.zero) for r, branch in events.competing]
    after = [*events.discrete, *events.states, *competing, *events.jumps, *events.before, *events.motions]
    time_events = list(_time_events(events))
    differences = {k: pool.sub(r.left, r.right) for k, r in enumerate(events.relations) if _is_located(r)}
    aliases = (a.value for a in sorted_system.system.aliases)
    of_point = [*rates, *values.values(), *aliases, *conditions, *after, *delayed, *differences.values()]
    whole = with_both_sides(pool, events, sorted_system, rates, of_point)
    shared = _reciprocals(pool, [*(whole[e] for e in of_point), *begins, *time_events], share_reciprocals)
    final = {e: shared[whole[e]] for e in of_point}
    final_rates = [final[e] for e in rates]
    kind = LocalJacobian if sorted_system.algebraic else Jacobian
    jacobian = kind(pool, final_rates, sorted_system.states)
    entries = jacobian.entries()
    naming = Naming(solved, final, parameters)
    results = [*naming.outputs, *(final[e] for e in conditions)]
    sides = [(final[r.left], final[r.right]) for r in events.relations]
    choosing = _choosing_starts(solved, events, naming)
    final_delayed = [final[e] for e in delayed]
    return _with_iterations(
        pool,
        ComputedValues(
            naming=naming,
            rates=final_rates,
            pattern=jacobian.pattern,
            slopes=[] if entries is None else [e for row in entries for e in row],
            results=results,
            sides=sides,
            differences={k: final[e] for k, e in differences.items()},
            watched=_watched(pool, events, sides),
            after=[final[e] for e in after],
            time_events=[shared[e] for e in time_events],
            delayed=final_delayed,
            begins=[shared[e] for e in begins],
            starts=[*_given_starts(pool, start, sorted_system.system), *choosing.values()],
            choosing_starts=tuple(choosing),
            nominals=_nominals(pool, solved),
            guards=guards_of(final_rates, [*results, *final_delayed]),
            pivots=[pivot for pivot, _ in dict.fromkeys((*solved.pivots, *start.pivots))],
            iterations=(),
        ),
    )


def _event_conditions(events: SolvedEvents) -> Iterator[Expr]:
    """The values that events need, which follow the variables."""
    for relation in events.relations:
        yield from (relation.left, relation.right)
    yield from events.conditions
    yield from (assertion.condition for assertion, _ in events.assertions)


def _time_events(events: SolvedEvents) -> Iterator[Expr]:
    for relation in events.relations:
        if relation.instant is not None and relation.slope is not None:
            yield from (relation.instant, relation.slope)


def _is_located(relation: Relation) -> bool:
    return relation.kind == "state" and relation.operator in _LOCATED


def _reciprocals(pool: Pool, roots: Sequence[Expr], share: bool) -> dict[Expr, Expr]:
    """x/d and y/d share 1/d: a division costs as much as several products."""
    roots = list(dict.fromkeys(roots))
    divisors = Counter(n.args[1] for n in varying(roots) if n.op == "div") if share else Counter[Expr]()
    shared = {d for d, count in divisors.items() if count > 1}
    if not shared:
        return {e: e for e in roots}

    def rule(node: Expr, args: Sequence[Expr]) -> Expr | None:
        if node.op != "div" or node.args[1] not in shared or args[0] is pool.one:
            return None
        return pool.mul(args[0], pool.div(pool.one, args[1]))

    return rewrite(pool, roots, rule)


def _watched(pool: Pool, events: SolvedEvents, sides: Sequence[tuple[Expr, Expr]]) -> Mapping[Expr, Expr]:
    """The watched numbers; empty if other relations must be located too."""
    located = [k for k, r in enumerate(events.relations) if _is_located(r)]
    if not all(events.relations[k].at_ends for k in located):
        return {}
    return watched_numbers(pool, [sides[k] for k in located if events.relations[k].operator == ">"])


def _given_starts(pool: Pool, start: Start, system: EquationSystem) -> list[Expr]:
    discrete = (d.start or pool.zero for d in system.discrete)
    return [*start.given, *discrete, *(check.value for check in start.checks)]


def _choosing_starts(solved: SolvedSystem, events: SolvedEvents, naming: Naming) -> dict[str, Expr]:
    """The start values, by name, of variables that depend on 'state' relations: their equations may have several
    solutions."""
    relations = {k for k, r in enumerate(events.relations) if r.kind == "state"}
    values = {a.unknown: a.value for a in solved.assignments} if relations else {}
    unknowns = solved.sorted_system.system.unknowns
    starts = {u.node: u.start for u in unknowns if u.start is not None and u.node in values}
    dependent: set[Expr] = set()
    for node in varying([naming.final[values[unknown]] for unknown in starts]):
        if (node.op == "mode" and node.data in relations) or not dependent.isdisjoint(node.args):
            dependent.add(node)
    found = {str(u.data): start for u, start in starts.items() if naming.final[values[u]] in dependent}
    return {n: e for n, e in found.items() if n in naming.names and naming.names[n].array == "y"}


def _nominals(pool: Pool, solved: SolvedSystem) -> list[Expr]:
    sorted_system = solved.sorted_system
    nominal = {u.node: u.nominal for u in sorted_system.system.unknowns if u.nominal is not None}
    return [nominal.get(s, pool.one) for s in sorted_system.states]


def _with_iterations(pool: Pool, values: ComputedValues) -> ComputedValues:
    """The values with their iterations: start values and guesses are appended to `starts`, with the orientation between
    the guesses and the nominal values."""
    iterations = [n for n in varying(values.every) if n.op == "newton"] if pool.has_iterations else []
    starts = [*values.starts, *(u.start for node in iterations for u in node.data.started)]
    for node in iterations:
        starts += [*node.data.guesses, pool.zero, *node.data.nominals]
    return replace(values, starts=starts, iterations=iterations)


# --- watched choices ------------------------------------------------------------------------------

# The quality of a choice of columns B of a Jacobian J is q = 1/(largest element of inverse(B)*J), at most 1. If the
# elements of J change by E, those of B add up to b = sum |E(k, j)| * largest |inverse(B)(i, k)|, and those of the other
# columns, alike, to n. Then no element becomes larger than (1/q + n)/(1 - b), and B stays regular if b < 1. So q stays
# above a limit as long as b + limit*n < (q - limit)/q, and need not be computed.


# The fraction of the allowed change that is used: an implicit method evaluates the elements near the end of a step.
_SAFE = 0.8
_NEVER = 1e300


def watched_numbers(pool: Pool, relations: Iterable[tuple[Expr, Expr]]) -> dict[Expr, Expr]:
    """The elements that vary, each with its weight: as long as the sum of their changes, times their weights, is below
    1, all `relations` (qualities with their limits) keep their values. Empty if one of them is of another kind."""
    found: dict[Expr, Expr] = {}
    for quality, limit in relations:
        call = quality.args[0] if quality.op == "element" else quality
        supplied = call.data.supplied if call.op == "apply" else None
        if supplied is None or supplied.name != QUALITY:
            return {}
        (rows, columns), size = supplied.sizes, pool.call("fabs", quality)
        room = pool.mul(pool.constant(_SAFE), pool.sub(size, limit))
        share = pool.div(size, room)
        has_room = pool.relation(">", size, limit, "noevent")
        rest, of_rows = pool.sub(pool.one, limit), [pool.element(call, 1 + i) for i in range(rows)]
        in_row = [pool.choose(has_room, pool.mul(share, largest), pool.constant(_NEVER)) for largest in of_rows]
        # 1 for the columns of B, the limit for others.
        in_column = [pool.add(limit, pool.mul(rest, chosen)) for chosen in call.args[rows * columns :]]
        for k, element in enumerate(call.args[: rows * columns]):
            if element.level == TIME:
                weight = pool.mul(in_row[k // columns], in_column[k % columns])
                place = element.args[0] if element.op == "neg" else element
                found[place] = pool.add(found[place], weight) if place in found else weight
    return found
