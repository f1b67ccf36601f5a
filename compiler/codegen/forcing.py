"""Finds the forcing of a model: the functions of time alone that drive its derivatives -> tapes that the run bounds.

Turns are what counts, so that a function is without what keeps them: factors and terms that do not depend on time, and
monotone functions around it. The run limits the steps by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import islice

from cutset.compiler.codegen.code import Read, TableRef
from cutset.compiler.codegen.time_tapes import Tapes
from cutset.compiler.expressions.differentiate import differentiate, partial_derivative
from cutset.compiler.expressions.pool import Expr, Pool, Undefined
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.expressions.walk import rewrite, variables_of, varying
from cutset.contract.functions import FUNCTIONS, Rising, Wave
from cutset.contract.metadata import TimeCrossing

# A wave whose phase depends on states too turns anywhere: its steps are at most this part of a quarter of its period.
_PARTS = 4.0
_POLYNOMIAL = ("add", "sub", "mul", "neg")


def forcing_of(
    pool: Pool,
    given: Mapping[Expr, Expr],
    known: Mapping[Expr, Read | TableRef],
    delays: Sequence[tuple[Expr, Expr, Expr]],
    algebraic: int,
) -> tuple[tuple[TimeCrossing, ...], bool]:
    """The functions that drive the states with these rates, each once, and whether there are others, without bounds.
    The left side is a sine or cosine, and the right one its phase; or the left side is the slope of a function, and the
    right one 0. Of each delay: its leaf, the value and the time. The last `algebraic` states are unknowns that have the
    residuals of equations instead of rates."""
    given = _with_explicit(pool, given, algebraic)
    held = {state: pool.variable(f"{state.data} held") for state in given}
    since = pool.variable("since")
    known = {**known, since: Read("since", 0)} | {leaf: Read("held", k) for k, leaf in enumerate(held.values())}
    rates = _of_time(pool, given, known, held, since, delays)
    tapes, nodes = Tapes((), {}, known, rates), varying(rates)
    cores: dict[Expr, None] = {}
    for root, is_gentle in _largest(rates, nodes, tapes):
        within = _waves_in(root, tapes) if is_gentle else None
        cores |= dict.fromkeys([_core(root, tapes)] if within is None else within)
    cores.pop(pool.time, None)
    waves = [core for core in cores if _is_regular(core, tapes)]
    all_slopes = [_slope(pool, core) for core in cores if not _is_regular(core, tapes)]
    slopes = [slope for slope in all_slopes if slope is not None]
    own = Tapes((), {}, known, [*cores, *slopes])
    found = [own.function(core, core.args[0]) for core in waves]
    found += [own.function(slope, pool.zero) for slope in slopes if own.moves(slope)]
    found += [tapes.function(*node.args) for node in nodes if node.op in ("min", "max") and tapes.moves(node)]
    found += _kinks(nodes, tapes)
    found += _mixed_waves(pool, nodes, tapes, known, held | _clocks(pool, given, known, held, since, True), since)
    is_opaque = None in found or None in all_slopes or any(map(tapes.is_opaque, nodes))
    return tuple(each for each in dict.fromkeys(found) if each is not None), is_opaque


def _slope(pool: Pool, core: Expr) -> Expr | None:
    """The derivative by time of what depends on nothing else; None where a number of it is beyond all floats."""
    try:
        return differentiate(pool, core, lambda v: pool.zero)
    except Undefined:
        return None


def _with_explicit(pool: Pool, given: Mapping[Expr, Expr], algebraic: int) -> Mapping[Expr, Expr]:
    """The same with the values of the unknowns that their own equations give one after the other, instead of these."""
    residuals = dict(islice(given.items(), len(given) - algebraic, None))
    needed = {u: {v for v in variables_of(e) if v in residuals} - {u} for u, e in residuals.items()}
    users: dict[Expr, list[tuple[int, Expr]]] = {}
    for k, unknown in enumerate(residuals):
        for v in needed[unknown]:
            users.setdefault(v, []).append((k, unknown))
    ready = [(0, k, unknown) for k, unknown in enumerate(residuals) if not needed[unknown]]
    found, done = dict[Expr, Expr](), dict[Expr, Expr]()
    while ready:  # in rounds, each in the order of the equations
        number, at, unknown = heappop(ready)
        value = _explicit(pool, unknown, residuals[unknown])
        if value is not None:
            found[unknown] = rewrite(pool, [value], _replaced_by(found), done)[value]
            for k, user in users.get(unknown, ()):
                needed[user].remove(unknown)
                if not needed[user]:
                    heappush(ready, (number + (k < at), k, user))
    rest = {state: rate for state, rate in given.items() if state not in found}
    made = rewrite(pool, rest.values(), _replaced_by(found), done)
    return {state: made[rate] for state, rate in rest.items()}


def _explicit(pool: Pool, unknown: Expr, residual: Expr) -> Expr | None:
    """The value that makes a residual zero which is linear in it; None if it is not, or cannot be differentiated."""
    try:
        slope = partial_derivative(pool, residual, unknown)
    except NotDifferentiable:
        return None
    if slope is pool.zero or unknown in variables_of(slope):
        return None
    rest = rewrite(pool, [residual], _replaced_by({unknown: pool.zero}))[residual]
    return pool.neg(pool.div(rest, slope))


def _largest(rates: Sequence[Expr], nodes: Sequence[Expr], tapes: Tapes) -> Iterator[tuple[Expr, bool]]:
    """The largest expressions that depend on time alone, and whether the rates are polynomials of it."""
    gentle = set(rates)
    yield from ((e, True) for e in rates if tapes.moves(e))
    for node in reversed(nodes):
        if tapes.is_timed(node):
            continue
        below = node.args[:1] if node.op == "div" else node.args if node.op in _POLYNOMIAL else ()
        if node in gentle:
            gentle.update(below)
        yield from ((a, node in gentle and a in below) for a in node.args if tapes.moves(a))


def _waves_in(root: Expr, tapes: Tapes) -> list[Expr] | None:
    """The waves of which an expression is a polynomial, which is as smooth as these; None if it is something else."""
    waves, stack = list[Expr](), [root]
    while stack:
        node = stack.pop()
        if not tapes.moves(node) or node.op == "time":
            continue
        if _is_regular(node, tapes):
            waves.append(node)
        elif node.op in _POLYNOMIAL or (node.op == "div" and not tapes.moves(node.args[1])):
            stack += node.args
        else:
            return None
    return waves


def _core(node: Expr, tapes: Tapes) -> Expr:
    """The innermost expression with the same turns."""
    while True:
        moving = [a for a in node.args if tapes.moves(a)]
        keeps = node.op in _POLYNOMIAL or (node.op == "div" and node.args[:1] == tuple(moving))
        if node.op in FUNCTIONS:
            keeps = isinstance(FUNCTIONS[node.op].shape, Rising) and not FUNCTIONS[node.op].jumps
        if not keeps or len(moving) != 1:
            return node
        (node,) = moving


def _kinks(nodes: Sequence[Expr], tapes: Tapes) -> Iterator[TimeCrossing | None]:
    """The tables of functions of time: points are kinks."""
    tables = (node for node in nodes if node.op in ("interp1", "interp1_slope") and tapes.moves(node))
    return (tapes.function(node, node.args[0]) for node in tables)


def _is_wave(node: Expr) -> bool:
    return node.op in FUNCTIONS and isinstance(FUNCTIONS[node.op].shape, Wave)


def _is_regular(node: Expr, tapes: Tapes) -> bool:
    """True for a wave whose phase is proportional to time, up to what is held."""
    return _is_wave(node) and _is_proportional(node.args[0], tapes)


def _is_proportional(phase: Expr, tapes: Tapes) -> bool:
    """True if it is proportional to time, up to what is held."""
    while phase.op in (*_POLYNOMIAL, "div"):
        moving = [a for a in phase.args if tapes.moves(a)]
        if len(moving) != 1 or (phase.op == "div" and moving[0] is phase.args[1]):
            return False
        (phase,) = moving
    return phase.op == "time"


def _of_time(
    pool: Pool,
    rates: Mapping[Expr, Expr],
    known: Mapping[Expr, Read | TableRef],
    held: Mapping[Expr, Expr],
    since: Expr,
    delays: Sequence[tuple[Expr, Expr, Expr]],
) -> list[Expr]:
    """The rates with what is a function of time in its place: states that are clocks, at most of clocks, and delayed
    functions of time. Then the delayed values, of which a step stores what it sees."""
    found, values = list(rates.values()), [value for _, value, _ in delays]
    for _ in range(2):
        meaning = _clocks(pool, dict(zip(rates, found, strict=True)), known, held, since)
        made = rewrite(pool, values, _replaced_by(meaning))
        shifts = [_replaced_by({pool.time: pool.sub(pool.time, time)}) for _, _, time in delays]
        later = [rewrite(pool, [made[e]], shift)[made[e]] for e, shift in zip(values, shifts, strict=True)]
        tapes = Tapes((), {}, known, later)
        meaning |= {leaf: e for (leaf, _, _), e in zip(delays, later, strict=True) if tapes.is_timed(e)}
        made = rewrite(pool, found, _replaced_by(meaning))
        found = [made[rate] for rate in found]
    return [*found, *values]


def _clocks(
    pool: Pool,
    rates: Mapping[Expr, Expr],
    known: Mapping[Expr, Read | TableRef],
    held: Mapping[Expr, Expr],
    since: Expr,
    varying: bool = False,
) -> dict[Expr, Expr]:
    """The states whose rates do not vary, as functions of time; or those whose rates vary with time, soon after an
    instant."""
    tapes, passed = Tapes((), {}, known, list(rates.values())), pool.sub(pool.time, since)
    still = (state for state, rate in rates.items() if tapes.is_timed(rate) and tapes.moves(rate) == varying)
    return {state: pool.add(held[state], pool.mul(rates[state], passed)) for state in still}


def _replaced_by(meaning: Mapping[Expr, Expr]) -> Callable[[Expr, Sequence[Expr]], Expr | None]:
    """A rule that replaces these expressions."""
    return lambda node, args: meaning.get(node)


def _mixed_waves(
    pool: Pool,
    nodes: Sequence[Expr],
    tapes: Tapes,
    known: Mapping[Expr, Read | TableRef],
    held: Mapping[Expr, Expr],
    since: Expr,
) -> Iterator[TimeCrossing | None]:
    """Waves that turn soon after any instant, for those whose phases depend on time and states."""
    phases = [node.args[0] for node in nodes if _is_wave(node) and not tapes.is_timed(node)]
    made = rewrite(pool, phases, _replaced_by(held))
    own = Tapes((), {}, known, [made[phase] for phase in phases])
    for phase in phases:
        terms, stack = dict[Expr, None](), [made[phase]]
        while stack:
            each = stack.pop()
            if own.moves(each):
                terms[each] = None
            elif each.op in ("add", "sub", "neg"):
                stack += each.args
        at_start = rewrite(pool, terms, _replaced_by({pool.time: since}))
        ways = [pool.sub(each, at_start[each]) for each in terms]
        if not ways:
            continue
        total = ways[0]
        for way in ways[1:]:
            total = pool.add(total, way)
        wave = pool.call("sin", pool.mul(total, pool.constant(_PARTS)))
        slope = _slope(pool, wave)
        if slope is None:
            yield None
            continue
        later = Tapes((), {}, known, [*ways, slope])
        is_regular = all(_is_proportional(e, own) for e in terms)
        yield later.wave(ways, _PARTS) if is_regular else later.function(slope, pool.zero)
