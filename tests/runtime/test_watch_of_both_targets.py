"""The search for crossings in Python and in C sees the same samples, finds the same instants and remembers the same."""

from __future__ import annotations

import ctypes
import math
import random
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, byref, c_double, c_int, c_void_p
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import cutset.runtime
from cutset.runtime.c_model import Data, address
from cutset.runtime.solvers.crossings import Watch
from cutset.runtime.solvers.memory import Memory
from cutset.runtime.solvers.method import Segment
from cutset.runtime.toolchain import find_compiler, shared_library

FOLDER = Path(cutset.runtime.__file__).parent / "c"
HARNESS = """#include "driver.h"
static long count;
static void fill_inputs(struct cutset_data *d, double t) { (void)d; (void)t; }
static void extrapolate_guesses(struct cutset_data *d, double t) { (void)d; (void)t; }
void cutset_watch(const double *c, const double *m, double *w, double *h) { (void)c; (void)m; (void)w; (void)h; }
void cutset_crossings(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                      double *g)
{
    (void)t; (void)u; (void)c; (void)m; (void)w;
    memcpy(g, x, count * sizeof(double));
}
#include "crossings.h"
void begin(struct cutset_data *d, double t, const double *x) { count = d->watch.n; watch(d, t, x); }
int is_resolved(struct cutset_data *d, double a, double b) { return resolved(&d->watch, a, b); }
int is_armed(struct cutset_data *d) { return arm(&d->watch); }
int is_crossed(struct cutset_data *d, const double *g) { return has_crossed(&d->watch, g); }
int search(struct cutset_data *d, state_at *state, double a, double b, int first, double *root)
{
    return crosses(d, state, 0, a, b, first, root);
}
"""
EPS, RISING = float(np.finfo(float).eps), (">", ">=")
Course = Callable[[float], float]
ROWS = ("side", "margin", "armed", "base", "crossed", "low", "high", "trial", "older", "oldest")
StateAt = CFUNCTYPE(None, c_void_p, c_double, POINTER(c_double))


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    headers = {name: (FOLDER / name).read_text() for name in ("driver.h", "cutset_support.h", "crossings.h")}
    with shared_library({"model.c": HARNESS, **headers}, compiler) as path:
        return ctypes.CDLL(str(path))


@dataclass
class Case:
    """Crossings as functions of time, what their relations are like, and the ends of the steps."""

    courses: list[Course]
    operators: list[str]
    at_ends: list[bool]
    modes: np.ndarray
    scales: np.ndarray
    hysteresis: dict[int, float]
    ends: list[float]
    pace: float

    def at(self, t: float) -> np.ndarray:
        return np.array([course(t) for course in self.courses])

    @property
    def info(self) -> SimpleNamespace:
        relations = [
            SimpleNamespace(operator=o, at_ends=at_ends)
            for o, at_ends in zip(self.operators, self.at_ends, strict=True)
        ]
        return SimpleNamespace(relations=relations, crossings=tuple(range(len(relations))))


@dataclass
class Seen:
    """The instants at which states were needed, what each segment ended with, and the memory of the run."""

    samples: list[float] = field(default_factory=list)
    ends: list[tuple[float, tuple[int, ...]]] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


def drawn(number: int) -> Case:
    """Courses that swing, touch or leave zero, are noise, or are pulses between the ends of steps."""
    rng = random.Random(number)
    start = rng.choice([0.0, -5.0, 1e3])
    ends = [start]
    for _ in range(rng.randint(4, 9)):
        ends.append(ends[-1] + rng.choice([1.0, 0.25, 2.0, rng.uniform(0.01, 3.0)]))
    if number % 5 == 0:  # steps of a few units in the last place
        start = 1.0 - rng.randint(1, 30) * EPS
        ends = sorted({start + rng.randint(0, 40) * EPS for _ in range(8)} | {start, 1.0})
    middle = rng.uniform(start, ends[-1])
    if number % 10 == 0:  # the last step is as short as the interval at which a search ends
        start, middle = 1.0 - 12.0 * EPS, 1.0 - 2.0 * EPS
        ends = [start, 1.0 - 4.0 * EPS, 1.0]
    size = rng.choice([1.0, 1.0, 1e-3, 1e4])

    def course() -> Course:
        w, p, c = rng.uniform(0.3, 6.0), rng.uniform(0.0, 6.0), rng.uniform(-0.9, 0.9)
        return rng.choice(
            [
                lambda t: size * (math.sin(w * t + p) + c),
                lambda t: size * (c + 0.95) * (t - middle) ** 2 + rng_level,
                lambda t: size * (math.exp(-(((t - middle) / 0.05) ** 2)) - 0.5),
                lambda t: size * c * (t - start),
                lambda t: size * (t - start) * (math.sin(w * t) + 1.2),
                lambda t: size * math.exp(-9.0 * (t - start)) * math.sin(40.0 * t + p),
                lambda t: size * (math.cos(w * (t - start)) - 1.0),
                lambda t: size * (abs(t - middle) - 0.2 * abs(c)),
                lambda t: 1e-17 * size * math.sin(w * t),
                lambda t: size * max(0.0, 1.0 - (t - start) / (ends[1] - start)),
                lambda t: size * (2.0 if t < middle else 1.0),
                lambda t: size * (middle - t),
                lambda t: size * max(1.0 - 3.0 * (t - start) / (ends[1] - start), 3e-10),
            ]
        )

    rng_level = rng.choice([0.0, 1e-4, -1e-4, -0.1]) * size
    n = rng.randint(1, 3)
    courses = [course() for _ in range(n)]
    at_ends = [rng.random() < 0.5] * n if number % 5 < 2 else [rng.random() < 0.2 for _ in range(n)]
    operators = [rng.choice(["<", "<=", ">", ">=", "==", "<>"]) for _ in range(n)]
    case = Case(courses, operators, at_ends, np.zeros(n), np.zeros(n), {}, ends, rng.choice([0.0, 0.375]))
    values = case.at(start)
    # As a run would find them: at the start each relation has the value that the sign implies, but for those at zero.
    for k, value in enumerate(values.tolist()):
        holds = (value > 0.0) == (operators[k] in RISING)
        case.modes[k] = float(holds if value != 0.0 and rng.random() < 0.9 else rng.random() < 0.5)
    case.scales[:] = [rng.choice([0.0, 1.0]) * size for _ in range(n)]
    if rng.random() < 0.3:
        case.hysteresis[rng.randrange(n)] = 1e-6 * size
    return case


def run_of(case: Case, segment_of: Callable[..., Callable[..., tuple[float, tuple[int, ...]] | None]], seen: Seen):
    """Take all steps; after a crossing a new segment starts, in which the relation has the other value."""
    last, modes, waiting = case.ends[0], case.modes.copy(), case.ends[1:]
    search, first = segment_of(last, modes), True
    for _ in range(60):
        if not waiting:
            break
        found = search(last, waiting[0], first)
        if found is None:
            last, first = waiting.pop(0), False
            continue
        seen.ends.append(found)
        last = found[0]
        for k, sign in enumerate(found[1]):
            modes[k] = 1.0 - modes[k] if sign else modes[k]
        waiting = [end for end in waiting if end > last]
        search, first = segment_of(last, modes), True


def in_python(case: Case) -> Seen:
    seen, memory = Seen(), Memory(pace=case.pace)
    inputs = SimpleNamespace(at=lambda t: np.zeros(0))
    model = SimpleNamespace(info=case.info, crossings=lambda t, x, u, values, m: np.array(x))
    problem = SimpleNamespace(model=model, memory=memory, inputs=inputs, values=None)

    def state(t: float) -> np.ndarray:
        seen.samples.append(t)
        return case.at(t)

    def segment_of(t: float, modes: np.ndarray):
        segment = Segment(t, case.at(t), modes, np.array([math.inf]), case.scales, hysteresis=case.hysteresis)
        guesses: list[float] = []
        watch = Watch(problem, segment, SimpleNamespace(extrapolate=guesses.append))

        def search(a: float, b: float, first: bool):
            before = len(seen.samples)
            guesses.clear()
            found = watch.crosses(state, a, b, first)
            assert [*guesses, *([found[0]] if found else [])] == seen.samples[before:]
            assert found is None or found[1].tolist() == case.at(found[0]).tolist()
            return found and (found[0], watch.crossed)

        return search

    run_of(case, segment_of, seen)
    seen.memory = [memory.pace, *memory.crossing_sizes(case.info).tolist()]
    return seen


def connected(data: Data, n: int) -> np.ndarray:
    """The numbers of a search, one row for each of `ROWS`."""
    rows = np.zeros((len(ROWS), n))
    for name, row in zip(ROWS, rows, strict=True):
        setattr(data.watch, name, address(row))
    data.watch.n = n
    return rows


def in_c(library: ctypes.CDLL, case: Case) -> Seen:
    seen, n, memory = Seen(), len(case.courses), Memory()
    sizes, z, data = memory.crossing_sizes(case.info), np.zeros(n), Data()
    data.watch.pace = case.pace
    library.search.restype = c_int

    @StateAt
    def state(_, t: float, x) -> None:
        seen.samples.append(t)
        for k, value in enumerate(case.at(t).tolist()):
            x[k] = value

    def segment_of(t: float, modes: np.ndarray):
        start, rows = case.at(t), connected(data, n)
        for k, operator in enumerate(case.operators):
            rows[0, k] = 0.0 if operator in ("==", "<>") else 1.0 if (operator in RISING) == bool(modes[k]) else -1.0
            rows[1, k] = max(8.0 * EPS * case.scales[k], case.hysteresis.get(k, 0.0))
        data.watch.sizes, data.watch.z = address(sizes), address(z)
        library.begin(byref(data), c_double(t), c_void_p(address(start)))

        def search(a: float, b: float, first: bool):
            root = c_double()
            if not library.search(byref(data), state, c_double(a), c_double(b), int(first), byref(root)):
                return None
            assert z.tolist() == case.at(root.value).tolist()
            return root.value, tuple(map(int, rows[4]))

        return search

    run_of(case, segment_of, seen)
    seen.memory = [data.watch.pace, *sizes.tolist()]
    return seen


@pytest.mark.parametrize("block", range(4))
def test_the_same_samples_and_instants(library, block):
    kinds = set()
    for number in range(25 * block, 25 * (block + 1)):
        case = drawn(number)
        one, other = in_python(case), in_c(library, case)
        assert (one.samples, one.ends, one.memory) == (other.samples, other.ends, other.memory), number
        kinds |= {abs(sign) for _, signs in one.ends for sign in signs}
    assert kinds == {0, 1, 2}


def test_the_same_decisions_on_small_whole_numbers(library):
    """Their comparisons often meet equal numbers."""
    rng, data, n = random.Random(5), Data(), 2
    rows, sizes = connected(data, n), np.zeros(n)
    data.watch.sizes, data.watch.known = address(sizes), 2
    answers = set()
    for _ in range(2000):
        base, low, high, older, oldest = ([float(rng.randint(-4, 4)) for _ in range(n)] for _ in range(5))
        times = sorted(rng.sample(range(7), 4))
        watch = Watch.__new__(Watch)
        watch._margin = [rng.choice([0.0, 0.5, 1.0, 2.0]) for _ in range(n)]
        watch._armed, watch._base = [False] * n, base
        watch._low, watch._before = low, [(float(times[0]), oldest), (float(times[1]), older)]
        watch._sizes = [rng.choice([0.0, 1e10, 4e10]) for _ in range(n)]
        sizes[:] = watch._sizes
        data.watch.oldest_at, data.watch.older_at = map(float, times[:2])
        for name, numbers in {"margin": watch._margin, "base": base, "low": low, "high": high}.items():
            rows[ROWS.index(name)] = numbers
        rows[ROWS.index("older")], rows[ROWS.index("oldest")], rows[ROWS.index("trial")] = older, oldest, high
        span = c_double(times[2]), c_double(times[3])
        found = watch._resolved(float(times[2]), float(times[3]), high)
        assert found == bool(library.is_resolved(byref(data), *span))
        crossed = watch._has_crossed(high)
        assert crossed == bool(library.is_crossed(byref(data), c_void_p(rows[ROWS.index("high")].ctypes.data)))
        assert (watch._armed, watch._base) == (rows[2].astype(bool).tolist(), rows[3].tolist())
        watch._arm([0.0] * n)
        rows[ROWS.index("trial")] = 0.0
        library.is_armed(byref(data))
        assert (watch._armed, watch._base) == (rows[2].astype(bool).tolist(), rows[3].tolist())
        rows[2] = 0.0
        answers.add((found, crossed))
    assert len(answers) == 4
