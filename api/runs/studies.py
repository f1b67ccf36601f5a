"""Studies of a model by many runs: sensitivity indices, probabilities, extremes in a box, designs that no other beats.

A law gives distributions, and a box pairs (least, most), by the names of parameters, start values and inputs. A
quantity is a variable, at the end of each run, or a measure of its trajectory, "max(C.u)".
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.api.runs.batch import batch
from cutset.api.runs.measures import is_measure
from cutset.api.runs.sampling import Uniform, sample
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.counted import counted
from cutset.runtime.errors import RunError
from cutset.runtime.interface import Vector

Columns = Mapping[str, Vector]
Box = Mapping[str, tuple[float, float]]
_COMPARISONS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
# The half width of an interval with a confidence of 95 %, in deviations.
_CONFIDENT = 1.959964


@dataclass(frozen=True, eq=False)
class Indices:
    """What each of the `names` of a law makes of the quantity. By Sobol' `first` (n,) is its share of the variance, and
    `total` (n,) that share with all interactions, which are `spread` (n,). By Morris they are the mean of the effects
    of its whole range, their mean size, and their deviation: interactions and curvature."""

    names: tuple[str, ...]
    first: Vector
    total: Vector
    spread: Vector

    def __repr__(self) -> str:
        rows = zip(self.names, self.first.tolist(), self.total.tolist(), strict=True)
        return "\n".join(f"{name}: {first:.3g}, {total:.3g}" for name, first, total in rows)


@dataclass(frozen=True)
class Probability:
    """The share of `runs` in which an event happens, and the limits of its interval with a confidence of 95 %."""

    value: float
    low: float
    high: float
    runs: int


@dataclass(frozen=True)
class Extreme:
    """An extreme value and where it is, by name."""

    value: float
    at: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Front:
    """Designs that no other one beats in all `objectives`, ascending in the first: their `values` (n, n_objectives),
    and the `designs` by name; of a choice from a catalogue it is its number."""

    objectives: tuple[str, ...]
    values: Vector
    designs: tuple[Mapping[str, float], ...]


def sobol_indices(
    model: TranslatedModel,
    law: Mapping[str, Any],
    quantity: str,
    stop: float | None = None,
    *,
    runs: int = 1024,
    seed: int = 0,
    **settings: Any,
) -> Indices:
    """The indices of Sobol' by ``runs*(n + 2)`` runs for n names, with the settings of `Model.batch`. `runs` is a power
    of 2. RunError E605 for wrong arguments, and if a run fails."""
    from scipy.stats import sobol_indices as indices

    if not isinstance(runs, int) or runs < 2 or runs & (runs - 1):
        raise RunError("E605", f"runs must be a power of 2, not {runs!r}")
    _require_law(law)
    names, f = list(law), _quantity(model, quantity, stop, settings)

    def of_columns(x: Vector) -> Vector:
        return np.stack([f(dict(zip(names, x, strict=True)))] * 2)  # one quantity of one name has no axes in SciPy

    found: Any = indices(func=of_columns, n=runs, dists=list(law.values()), random_state=np.random.default_rng(seed))
    first, total = found.first_order.reshape(2, -1)[0], found.total_order.reshape(2, -1)[0]
    return Indices(tuple(names), first, total, total - first)


def morris_indices(
    model: TranslatedModel,
    law: Mapping[str, Any],
    quantity: str,
    stop: float | None = None,
    *,
    paths: int = 20,
    levels: int = 4,
    seed: int = 0,
    **settings: Any,
) -> Indices:
    """The elementary effects of M. D. Morris (1991) by ``paths*(n + 1)`` runs for n names, which a law with many names
    needs: along each path one value after the other moves by half of its distribution. Errors as `sobol_indices`."""
    _require_law(law)
    if not (isinstance(paths, int) and isinstance(levels, int) and min(paths, levels) >= 2):
        raise RunError("E605", f"paths and levels are whole numbers from 2, not {paths!r} and {levels!r}")
    rng, n = np.random.default_rng(seed), len(law)
    order = np.argsort(rng.random((paths, n)), axis=1)
    half = levels // 2
    steps = np.where(rng.random((paths, n)) < 0.5, -1, 1) * half
    first = rng.integers(0, levels - half, (paths, n)) + np.where(steps < 0, half, 0)
    moved = np.argsort(order, axis=1)[:, None, :] < np.arange(n + 1)[None, :, None]  # (paths, points, names)
    shares = (first[:, None, :] + steps[:, None, :] * moved + 0.5) / levels
    columns = {name: law[name].ppf(shares[:, :, k].ravel()) for k, name in enumerate(law)}
    y = _quantity(model, quantity, stop, settings)(columns).reshape(paths, n + 1)
    slopes = np.diff(y, axis=1) * levels
    effects = np.take_along_axis(slopes, np.argsort(order, axis=1), axis=1) / steps
    return Indices(tuple(law), effects.mean(axis=0), np.abs(effects).mean(axis=0), effects.std(axis=0, ddof=1))


def probability(
    model: TranslatedModel,
    law: Mapping[str, Any],
    event: str,
    stop: float | None = None,
    *,
    runs: int = 10_000,
    seed: int = 0,
    **settings: Any,
) -> Probability:
    """The probability of an event, a comparison of a quantity with a number: ``"max(La.i) > 9"``, by so many random
    runs. The interval is that of E. B. Wilson (1927). Errors as `sobol_indices`."""
    found = re.fullmatch(r"\s*(.+?)\s*(>=|<=|>|<)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*", str(event))
    if found is None:
        raise RunError("E605", f"'{event}' is not an event", "compare a quantity with a number: max(x) > 0.3")
    y = _quantity(model, found[1], stop, settings)(sample(law, runs, "random", seed))
    p, z = float(np.mean(_COMPARISONS[found[2]](y, float(found[3])))), _CONFIDENT
    middle, half = p + z * z / (2 * runs), z * math.sqrt(p * (1 - p) / runs + z * z / (4 * runs * runs))
    low, high = ((middle + sign * half) / (1 + z * z / runs) for sign in (-1.0, 1.0))
    return Probability(p, max(low, 0.0), min(high, 1.0), runs)


def extremes(
    model: TranslatedModel,
    box: Box,
    quantity: str,
    stop: float | None = None,
    *,
    generations: int = 100,
    seed: int = 0,
    **settings: Any,
) -> tuple[Extreme, Extreme]:
    """The least and the largest value in a box, within it or at its limits: the corners and a Sobol' sequence, from
    which differential evolution goes on for at most so many generations. Errors as `sobol_indices`."""
    from scipy.optimize import differential_evolution

    _require_ranges(box, "box")
    names, f = list(box), _quantity(model, quantity, stop, settings)
    low, high = np.array([box[name] for name in names], dtype=float).T
    shares = sample(dict.fromkeys(names, Uniform(0.0, 1.0)), 8 * max(8, 2 ** len(names).bit_length()), "sobol", seed)
    first = np.stack([shares[name] for name in names], axis=1)
    corners = np.array(np.meshgrid(*[[0.0, 1.0]] * min(len(names), 6))).reshape(min(len(names), 6), -1).T
    first[: len(corners), : corners.shape[1]] = corners[: len(first)]

    def best(sign: float) -> Extreme:
        def of_rows(x: Vector) -> Vector:
            return sign * f(dict(zip(names, np.atleast_2d(x.T).T, strict=True)))

        found = differential_evolution(
            of_rows, list(zip(low, high, strict=True)), init=low + first * (high - low), maxiter=generations, seed=seed,
            vectorized=True, updating="deferred", polish=False, tol=1e-8,
        )  # fmt: skip
        return Extreme(sign * float(found.fun), dict(zip(names, found.x.tolist(), strict=True)))

    return best(1.0), best(-1.0)


def pareto(
    model: TranslatedModel,
    space: Mapping[str, tuple[float, float] | Sequence[Mapping[str, float]]],
    minimize: Sequence[str],
    stop: float | None = None,
    *,
    subject_to: Box | None = None,
    designs: int = 64,
    generations: int = 40,
    seed: int = 0,
    **settings: Any,
) -> Front:
    """The designs that no other one beats in all quantities to `minimize`, by an evolution of so many designs. `space`
    has ranges (least, most), and catalogues under names of your own: lists of records, each with the values of
    parameters. Quantities in `subject_to` stay in their range; a design whose run fails is none. RunError E605 if no
    design is left."""
    _require_space(space, minimize)
    _require_ranges(subject_to or {"": (0.0, 1.0)}, "subject_to")
    rng, names, limits = np.random.default_rng(seed), list(space), dict(subject_to or {})
    low = np.array([each[0] if isinstance(each, tuple) else 0.0 for each in space.values()])
    high = np.array([each[1] if isinstance(each, tuple) else len(each) for each in space.values()])
    is_choice = np.array([not isinstance(each, tuple) for each in space.values()])
    f = _quantities(model, [*minimize, *limits], stop, settings)

    def valued(x: Vector) -> Vector:
        columns: dict[str, Vector] = {}
        for k, (name, each) in enumerate(space.items()):
            if isinstance(each, tuple):
                columns[name] = x[:, k]
            else:
                columns |= {p: np.array([each[int(j)][p] for j in x[:, k]]) for p in each[0]}
        y = f(columns)
        wrong = ~np.isfinite(y).all(axis=0)
        for values, (least, most) in zip(y[len(minimize) :], limits.values(), strict=True):
            wrong |= ~((values >= least) & (values <= most))
        return np.where(wrong, np.inf, y[: len(minimize)]).T

    def within(x: Vector) -> Vector:
        x = np.where(is_choice, np.floor(x), x)
        return np.clip(x, low, np.where(is_choice, high - 1, high))

    x = within(low + rng.random((designs, len(names))) * (high - low))
    y = valued(x)
    for _ in range(generations):
        a, b, c = (x[rng.integers(0, len(x), designs)] for _ in range(3))
        moved = a + rng.choice([0.4, 0.8], (designs, 1)) * (b - c) + rng.normal(0.0, 0.01, a.shape) * (high - low)
        drawn = rng.random(a.shape) < np.where(is_choice, 0.2, 0.02)
        new = within(np.where(drawn, low + rng.random(a.shape) * (high - low), np.where(is_choice, b, moved)))
        x, y = np.vstack([x, new]), np.vstack([y, valued(new)])
        kept = _best(y, designs)
        x, y = x[kept], y[kept]
    front = np.flatnonzero((_ranks(y) == 0) & np.isfinite(y).all(axis=1))
    if not len(front):
        raise RunError(
            "E605", "no design keeps within the limits", "give a larger space, or wider limits in subject_to"
        )
    front = front[np.argsort(y[front, 0], kind="stable")]
    return Front(tuple(minimize), y[front], tuple(dict(zip(names, row, strict=True)) for row in x[front].tolist()))


def _require_law(law: Mapping[str, Any]) -> None:
    if not isinstance(law, Mapping) or not law or not all(hasattr(each, "ppf") for each in law.values()):
        hint = "such as {'R.R': cutset.uniform(90.0, 110.0)}"
        raise RunError("E605", f"a law has a distribution by each name, not {law!r}", hint)


def _require_ranges(box: Mapping[str, Any], what: str) -> None:
    """RunError E605 unless it has pairs of finite numbers, the least first; limits may be infinite."""
    if not isinstance(box, Mapping) or not box:
        raise RunError("E605", f"{what} has pairs (least, most) by name, not {box!r}")
    for name, pair in box.items():
        if not isinstance(pair, tuple | list) or len(pair) != 2 or not _is_range(pair, what == "subject_to"):
            raise RunError("E605", f"'{name}' of {what} is a pair (least, most), not {pair!r}")


def _is_range(pair: Sequence[Any], is_limit: bool) -> bool:
    least, most = (each if isinstance(each, int | float | np.number) else math.nan for each in pair)
    return bool(least <= most and (is_limit or math.isfinite(most - least)))


def _require_space(space: Mapping[str, Any], minimize: Sequence[str]) -> None:
    """RunError E605 unless there are objectives, and the space has ranges and records with equal names."""
    if not minimize or isinstance(minimize, str):
        raise RunError("E605", f"minimize is a list of quantities, not {minimize!r}")
    if not isinstance(space, Mapping) or not space:
        raise RunError("E605", f"a space has ranges and catalogues by name, not {space!r}")
    for name, each in space.items():
        if isinstance(each, tuple):
            _require_ranges({name: each}, "the space")
        elif not (each and isinstance(each, list) and all(isinstance(r, Mapping) and r for r in each)):
            hint = "give a tuple (least, most), or a list of records such as {'R': 0.8, 'k': 0.05}"
            raise RunError("E605", f"'{name}' of the space is no range and no catalogue: {each!r}", hint)
        elif wrong := next((record for record in each if record.keys() != each[0].keys()), None):
            raise RunError("E605", f"the records of '{name}' have other names: {list(each[0])} and {list(wrong)}")


def _ranks(y: Vector) -> Vector:
    """By how many others each row is beaten: not worse in any column, and better in one; equal ones by the first."""
    no_worse = (y[:, None] <= y[None]).all(axis=2)
    better = (y[:, None] < y[None]).any(axis=2) | (np.arange(len(y))[:, None] < np.arange(len(y))[None])
    found: Vector = (no_worse & better).sum(axis=0)
    return found


def _best(y: Vector, count: int) -> NDArray[np.int_]:
    """The rows that the fewest others beat; of those, the ones that are farthest from their neighbors."""
    lonely = np.zeros(len(y))
    for column in np.where(np.isfinite(y), y, np.nan).T:
        if np.isnan(column).all():
            continue
        order = np.argsort(column, kind="stable")
        gaps = np.full(len(y), np.inf)
        gaps[1:-1] = column[order][2:] - column[order][:-2]
        lonely[order] += np.nan_to_num(gaps / (np.nanmax(column) - np.nanmin(column) + 1e-300), posinf=1e9)
    return np.lexsort((-lonely, _ranks(y)))[:count]


def _quantities(
    model: TranslatedModel, texts: Sequence[str], stop: float | None, settings: Mapping[str, Any]
) -> Callable[[Columns], Vector]:
    """The quantities (k, runs) as a function of values by name; nan where a run fails."""
    info = model.translated.info

    def of(columns: Columns) -> Vector:
        given: dict[str, Any] = {"parameters": {}, "initial": {}, "inputs": {}, **settings}
        for name, values in columns.items():
            slot = info.names.get(name)
            kind = {"u": "inputs", "x": "initial", "y": "initial", "m": "initial"}.get(slot.array if slot else "p")
            given[kind or "parameters"] = {**given[kind or "parameters"], name: values}
        found = batch(model, stop, {**given, "outputs": list(texts)})  # type: ignore[typeddict-item]
        return np.array([found[text] if is_measure(text) else found[text][:, -1] for text in map(str.strip, texts)])

    return of


def _quantity(
    model: TranslatedModel, text: str, stop: float | None, settings: Mapping[str, Any]
) -> Callable[[Columns], Vector]:
    """One quantity (runs,). RunError E605 if a run has no value."""
    f = _quantities(model, [text], stop, settings)

    def of(columns: Columns) -> Vector:
        found: Vector = f(columns)[0]
        wrong = np.flatnonzero(~np.isfinite(found))
        if len(wrong):
            at = ", ".join(f"{name} = {np.atleast_1d(v)[wrong[0]]:.6g}" for name, v in columns.items())
            what = f"{counted(len(wrong), 'run')} of {len(found)} have no value of '{text}', the first at {at}"
            raise RunError("E605", what, "run the model there to see why, and give a law or a box without it")
        return found

    return of
