"""Adds remarks to a result: of the model, on starts, small states, sides that only meet, conditions that stay true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cutset.contract.abridged import abridged
from cutset.contract.metadata import ModelInfo
from cutset.runtime.errors import NotFinite, RunError
from cutset.runtime.given.given_starts import differ, gives_all_states, not_used
from cutset.runtime.interface import CompiledModel, Values, Vector
from cutset.runtime.results.result import Result
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.trajectory import Trajectory

_MOST_SHOWN = 3
# Sides that differ by less, at an event, meet there.
_MEETING = 1e-6


def notes_of(model: CompiledModel, rows: Trajectory, values: Values) -> tuple[str, ...]:
    """What the run left undetermined, the states that grew too large, and the sides that only pass each other."""
    grew = grown(model.info.states, values.n, rows.t, rows.x)
    return *_left_open(rows, values, model), *grew, *passed(model, values, rows)


def _left_open(rows: Trajectory, values: Values, model: CompiledModel) -> tuple[str, ...]:
    """What the linear systems left undetermined during the run, in words."""
    texts = model.info.open_systems
    if not texts:
        return ()
    if len(rows.t):  # systems that only outputs need
        model.variables(rows.t[-1:], rows.x[-1:], rows.u[-1:], values, rows.modes[-1:], rows.guesses[-1:])
    seen = model.left_open()
    return tuple(text for k, text in enumerate(texts) if seen >> min(k, 31) & 1)


def with_notes(result: Result, experiment: Experiment, tolerances: Vector, outgrown: Sequence[int]) -> Result:
    """The result with the remarks of the model, those on start values that were not used, one on guesses that the model
    writes and that the start is not at, and one on states that are too small for their absolute tolerance (n_states,)
    or have `outgrown` it."""
    info = result.compiled.info
    result.add_notes(lambda: (*info.remarks, *_found(result, experiment, tolerances, outgrown)))
    return result


def _found(result: Result, experiment: Experiment, tolerances: Vector, outgrown: Sequence[int]) -> list[str]:
    model, values, more = result.compiled, result.fixed_values, list[str]()
    info = model.info
    if gives_all_states(info, experiment.initial):
        more = not_used(info, values, experiment.initial, lambda name: float(result[name][0]))
    elif any(is_written for closing in info.closings for _, is_written in closing.started):
        more = _not_reached(info, values, result)
    more += undetermined(model, values, result.rows)
    more += never_false(model, values, result.rows)
    return more + too_small(model, values, result.rows, tolerances, outgrown)


def passed(model: CompiledModel, values: Values, rows: Trajectory) -> tuple[str, ...]:
    """A note for each == and <> in an equation whose sides were equal in the run, but at single instants only."""
    info, texts, lasts = model.info, list[str](), np.diff(rows.t) > 0.0
    for k, text in info.equalities:
        relation = info.relations[k]
        side = rows.modes[:, relation.opposite] - rows.modes[:, k]
        turns = np.flatnonzero((side[1:] != side[:-1]) & ~lasts)
        if not len(turns) or (lasts & (side[:-1] == 0.0)).any():
            continue
        pairs = np.concatenate([turns, turns + 1])
        t, x, u, modes, guesses = (each[pairs] for each in (rows.t, rows.x, rows.u, rows.modes, rows.guesses))
        y = model.variables(t, x, u, values, modes, guesses)
        left, right = y[:, info.n_variables + 2 * k], y[:, info.n_variables + 2 * k + 1]
        apart = (np.abs(left - right) > _MEETING * np.maximum(1.0, np.abs(left))).reshape(2, -1)
        if not apart.any(axis=0).all():  # else they jump past each other
            texts.append(
                f"the sides of '{text}' ({relation.place}) only pass each other: they are equal at single "
                "instants, which no equation notices; write a range, or what happens there into a 'when'"
            )
    return tuple(texts)


def never_false(model: CompiledModel, values: Values, rows: Trajectory) -> Iterator[str]:
    """A note for each `when` of the user whose condition is true from the start to the end: it never becomes true."""
    info = model.info
    own = [(info.n_variables + 2 * len(info.relations) + k, place) for k, place in enumerate(info.when_places) if place]
    if not own or len(rows.t) < 2:
        return

    def conditions(count: int) -> Vector:
        t, x, u, modes, guesses = (each[:count] for each in (rows.t, rows.x, rows.u, rows.modes, rows.guesses))
        return model.variables(t, x, u, values, modes, guesses)[:, [k for k, _ in own]]

    always = conditions(1)[0] != 0.0
    if always.any():
        always &= (conditions(len(rows.t)) != 0.0).all(axis=0)
    for (_, place), is_true in zip(own, always.tolist(), strict=True):
        if is_true:
            yield (
                f"the condition of the 'when' at {place} is true from the start to the end: its body never ran, since "
                "it runs when the condition becomes true; for what holds at the start, write 'initial' or a start value"
            )


def _not_reached(info: ModelInfo, values: Values, result: Result) -> list[str]:
    """The note on written start values among several solutions, for those that the solution does not have."""
    first = len(values.s) - info.n_guesses - info.n_started
    names = [started for closing in info.closings for started in closing.started]
    wanted = zip(names, values.s[first : first + info.n_started].tolist(), strict=True)
    written = {name: value for (name, is_written), value in wanted if is_written and value}
    begun = result.first_row(written)
    away = [
        f"'{name}' = {value:.6g} (starts at {begun[name] if differ(begun[name], 0.0) else 0.0:.6g})"
        for name, value in written.items()
        if name in begun and differ(begun[name], value)
    ]
    if not away:
        return []
    shown = abridged(away, _MOST_SHOWN)
    return [f"start values that choose among several solutions, none of which has them: {shown}"]


# --- states that grew unreasonably large ----------------------------------------------------------

# In multiples of the nominal value. The tolerance means nothing for larger values.
_MOST = 1e12


def grown(names: Sequence[str], nominals: Vector, t: Vector, x: Vector) -> tuple[str, ...]:
    """A warning for each state that exceeds 1e12 times its nominal value between two rows. A state that starts there,
    or that an event sets there, is intended. `nominals` (n,), `t` (rows,), `x` (rows, n)."""
    texts = []
    beyond = np.abs(x) > _MOST * nominals
    for k in np.flatnonzero(beyond.any(axis=0)).tolist():
        row = int(beyond[:, k].argmax())
        if row > 0 and t[row] > t[row - 1]:
            texts.append(
                f"the state '{names[k]}' grew to {x[row, k]:.3g} by time {t[row]:g}, more than 1e12 times its nominal "
                "value: "
                "check for an unstable part or a wrong unit, or give it a larger nominal value"
            )
    return tuple(texts)


# --- variables that follow from parameters only up to their rounding ------------------------------

# A larger number may be the quotient of one that is rounding only.
_LARGE = 1e6
# By how much parameters change that are not whole, as by rounding, and what then changes by this part is unknown.
_ROUNDING, _UNKNOWN = 2.0**-50, 1e-3
# What is left of a number by rounding may be the same with other last digits once.
_TRIES = 3
_SINGULAR = "parameters determine variables only up to the rounding of their values, so the equations are singular"


def undetermined(model: CompiledModel, values: Values, rows: Trajectory) -> list[str]:
    """The note on large variables in the first row that change, or have no value, if the last digits of parameters
    change, as an angle of pi/2 whose cosine is 6e-17: the equations are singular."""
    info = model.info
    if not len(rows.t) or not (np.abs(values.c) > _LARGE).any():
        return []
    rng, n = np.random.default_rng(0), len(info.parameters)
    free = [k for k, origin in enumerate(info.parameter_origins) if origin is None]
    try:
        for _ in range(_TRIES):
            # Equal changes of the rows or columns of a matrix would leave it as singular as it is.
            changes = _ROUNDING * rng.choice((-1.0, 1.0), n) * rng.uniform(0.5, 1.0, n)
            changed = np.where(values.p % 1.0 != 0.0, values.p * (1.0 + changes), values.p)
            other = model.bind({info.parameters[k]: float(changed[k]) for k in free})
            if len(other.c) == len(values.c) and _unknown(values.c, other.c).any():
                break
        else:
            return []
    except NotFinite as error:
        place = f" ({error.excerpt.place}: {error.excerpt.line.strip()})" if error.excerpt else ""
        return [f"{_SINGULAR}{place}: with other last digits they have no solution; check for an angle such as pi/2"]
    except RunError:
        return []
    first = rows.t[:1], rows.x[:1], rows.u[:1]
    y, z = (model.variables(*first, v, rows.modes[:1], rows.guesses[:1])[0] for v in (values, other))
    found = np.flatnonzero(_unknown(y, z)[: info.n_variables]).tolist()
    names: dict[int, str] = {}
    for name, slot in info.names.items():
        if slot.array == "y":
            names.setdefault(slot.index, name)
    shown = [f"'{names[k]}' = {y[k]:.3g}, or {z[k]:.3g}" for k in found if k in names]
    if not shown:
        return []
    return [f"{_SINGULAR}: {abridged(shown, _MOST_SHOWN)}; check for an angle such as pi/2"]


def _unknown(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    large: NDArray[np.bool_] = np.abs(one) > _LARGE
    return large & ~(np.abs(one - other) <= _UNKNOWN * np.abs(one))


# --- states that are smaller than their absolute tolerance ----------------------------------------

# A state that is a smaller part of its tolerance is zero up to rounding.
_ROUNDED = 1e-5
# In tolerances: the size from which on a state counts.
_COUNTS = 1e2
# A state whose errors grow by e to this power before it counts grows by itself, and the errors with it.
_GROWS = 2.3
# Motions are computed in so many rows, but not in more than this many operations; one moves a state by at least this
# part of the others.
_ROWS, _OPERATIONS, _MOVES = 40, 4e8, 1e-3


def too_small(
    model: CompiledModel, values: Values, rows: Trajectory, tolerances: Vector, outgrown: Sequence[int]
) -> list[str]:
    """The notes on states that stay below their absolute tolerance, unless they are zero up to rounding, and on those
    that are below it for a while and grow by themselves, or are known to have outgrown it. `tolerances` (n_states,)."""
    sizes = np.abs(rows.x)
    largest = sizes.max(axis=0, initial=0.0)
    always = np.flatnonzero((largest < tolerances) & (largest > _ROUNDED * tolerances)).tolist()
    texts, names = list[str](), model.info.states
    if always:
        what = "states that stay below their absolute tolerance, so that they may have any value"
        texts = [_note(what, [f"'{names[k]}' (at most {largest[k]:.3g})" for k in always])]
    grown = sorted({*outgrown, *_lost(model, values, rows, tolerances, sizes)})
    if grown:
        what = "states that grew from below their absolute tolerance, so that they may have any value"
        least = np.where(sizes > 0.0, sizes, np.inf).min(axis=0)
        texts.append(_note(what, [f"'{names[k]}' (from {least[k]:.3g} to {largest[k]:.3g})" for k in grown]))
    return texts


def _lost(model: CompiledModel, values: Values, rows: Trajectory, tolerances: Vector, sizes: Vector) -> list[int]:
    """The states that grow by themselves after they were below their tolerance in two rows."""
    counts, below = _COUNTS * tolerances, (sizes < tolerances) & (sizes > 0.0)
    large = sizes.max(axis=0, initial=0.0) > counts
    if not large.any() or not below.any():
        return []
    lost = (below[1:] & below[:-1] & (np.diff(rows.t) > 0.0)[:, None]).any(axis=0) & large
    return _grown(model, values, rows, (sizes < counts) & (sizes > 0.0), lost) if lost.any() else []


def _note(what: str, shown: Sequence[str]) -> str:
    return f"{what}: {abridged(shown, _MOST_SHOWN)}; give them a nominal value"


def _grown(
    model: CompiledModel, values: Values, rows: Trajectory, small: NDArray[np.bool_], lost: NDArray[np.bool_]
) -> list[int]:
    """Those of the states `lost` (n_states,) whose errors grow by the motions of all states that are `small` then
    (rows, n_states)."""
    from cutset.runtime.analysis.linearize import slopes_of
    from cutset.runtime.analysis.singular_point import Point

    growth, steps = np.zeros(len(lost)), np.diff(rows.t, append=rows.t[-1:])
    places = np.flatnonzero(small[:, lost].any(axis=1) & (steps > 0.0))
    most = min(_ROWS, _OPERATIONS / (1.0 + float(small[places].sum(axis=1).max(initial=0)) ** 3))
    if most < 1.0 or model.info.externals or model.info.n_algebraic:
        return []
    share = max(len(places) / most, 1.0)
    for row in places[np.arange(0.0, len(places), share).astype(int)].tolist():
        among = np.flatnonzero(small[row])
        point = Point(float(rows.t[row]), rows.x[row], rows.u[row], rows.modes[row])
        values.w[: rows.guesses.shape[1]] = rows.guesses[row]
        slopes = slopes_of(model, values, point)[np.ix_(among, among)]
        if not np.isfinite(slopes).all():
            continue
        rates, motions = np.linalg.eig(slopes)
        for rate, motion in zip(np.real(rates).tolist(), np.abs(motions).T, strict=True):
            growth[among[motion > _MOVES * motion.max()]] += max(rate, 0.0) * share * steps[row]
    return np.flatnonzero((growth > _GROWS) & lost).tolist()
