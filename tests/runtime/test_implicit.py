"""The matrices of implicit methods: exact or by differences, dense or banded, in the order of the model or not; and
where the methods are changed for each other."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from texts import hybrid, relation

import cutset
from cutset.contract.metadata import ModelInfo, SourceFiles
from cutset.contract.model_json import model_info, model_json
from cutset.runtime.outcome import Outcome
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.solvers.matrix_layout import layout_of
from cutset.runtime.targets.build import build

IMPLICIT = ("cvode-bdf", "cvode-adams", "ida", "radau")


def rod(n: int, order: list[int], exact: bool) -> SourceFiles:
    """Heat in a rod of n pieces whose state number order[k] is piece k, warm at its left end; losses are quadratic."""
    rates, slopes, pattern = [], {}, {}
    for k in range(n):
        i, left, right = order[k], order[k - 1] if k else None, order[k + 1] if k < n - 1 else None
        before = f"x[{left}]" if left is not None else "1.0"
        after = f"x[{right}]" if right is not None else "0.0"
        rates.append(f"dx[{i}] = {n * n}.0*({before} - 2.0*x[{i}] + {after}) - x[{i}]*x[{i}]")
        entries = {i: f"{-2.0 * n * n} - 2.0*x[{i}]"} | {j: f"{n * n}.0" for j in (left, right) if j is not None}
        pattern[i] = sorted(entries)
        slopes[i] = [entries[j] for j in sorted(entries)]
    flat = [text for i in range(n) for text in slopes[i]]
    jacobian = {"jacobian": "; ".join(f"j[{e}] = {text}" for e, text in enumerate(flat))} if exact else {}
    states = [f"T{i}" for i in range(n)]
    return hybrid(states, derivatives="; ".join(rates), pattern=[pattern[i] for i in range(n)], **jacobian)


def shuffled(n: int) -> list[int]:
    order = list(range(n))
    random.Random(1).shuffle(order)
    return order


def temperatures(n: int) -> np.ndarray:
    """The rod's in the end, by Newton's method."""
    T, K = np.zeros(n), n * n * (np.eye(n, k=1) + np.eye(n, k=-1) - 2.0 * np.eye(n))
    for _ in range(30):
        r = K @ T - T * T
        r[0] += n * n
        T -= np.linalg.solve(K - 2.0 * np.diag(T), r)
    return T


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("method", IMPLICIT)
def test_states_in_any_order_give_a_band(target, method, exact):
    order = shuffled(60)
    run = simulate(build(rod(60, order, exact), target), Experiment(stop=2.0, points=3, method=method))
    assert run.outcome is Outcome.COMPLETED
    assert ("sparse" if method == "radau" else "band of 1+1+1") in run.statistics.method
    assert run.statistics.method.endswith("exact Jacobian" if exact else "Jacobian by differences in 3 groups")
    found = np.array([run[f"T{order[k]}"][-1] for k in range(60)])
    assert np.abs(found - temperatures(60)).max() < 1e-5


@pytest.mark.parametrize("method", ["cvode-bdf", "ida"])
def test_exact_slopes_save_evaluations(target, method):
    """And where the model gives wrong ones it is noticed: they are what is used."""
    runs, n, stop = {}, *((60, 2.0) if target == "c" else (16, 0.2))
    most = 1_000_000
    for name in ("exact", "differences", "wrong"):
        files = dict(rod(n, shuffled(n), name != "differences"))
        if name == "wrong":
            files = {end: text.replace("j[0] =", "j[0] = 1e9 +") for end, text in files.items()}
        experiment = Experiment(stop=stop, points=3, method=method, max_steps=most)
        runs[name] = simulate(build(files, target), experiment).statistics
        most = 3 * runs["exact"].steps if name == "differences" else most  # enough to see what wrong ones cost
    assert runs["exact"].evaluations < runs["differences"].evaluations
    assert runs["wrong"].steps > 2 * runs["exact"].steps or "nan" in runs["wrong"].method


@pytest.mark.parametrize("method", IMPLICIT)
def test_slopes_that_are_not_finite_are_left_to_differences(target, method):
    """x' = 1 - sqrt(x) from 0, where the slope of the root is infinite; x goes to 1."""
    files = hybrid(["x"], derivatives="dx[0] = 1.0 - sqrt(fabs(x[0]))", jacobian="j[0] = -0.5/sqrt(fabs(x[0]))")
    run = simulate(build(files, target), Experiment(stop=40.0, points=3, method=method))
    assert run.outcome is Outcome.COMPLETED and abs(run["x"][-1] - 1.0) < 1e-4


def test_targets_take_the_same_steps_on_a_band():
    files = rod(60, shuffled(60), False)
    for method in ("cvode-bdf", "ida"):
        runs = [
            simulate(build(files, target), Experiment(stop=0.1, points=9, method=method)) for target in ("c", "python")
        ]
        first, second = (replace(run.statistics, wall_seconds=0.0) for run in runs)
        assert first == second
        assert np.allclose(runs[0]["T7"], runs[1]["T7"], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("method", ["cvode-bdf", "cvode-adams", "ida"])
def test_crossings_are_met_whatever_the_order(target, method):
    """The run stops heating where the middle of the rod is warmer than 0.3."""
    order = shuffled(60)
    files = dict(rod(60, order, True))
    middle = order[30]
    switch = relation(f"T{middle} > 0.3")
    info = replace(model_info(files["model.json"]), relations=(switch,), crossings=(0,))
    files["model.json"] = model_json(info)
    for end, head in (("c", "cutset_"), ("py", "def ")):
        text = files[f"model.{end}"]
        opening = (
            text.index("{", text.index(f"{head}crossings"))
            if end == "c"
            else text.index(":", text.index(f"{head}crossings"))
        )
        text = (
            text[: opening + 1] + f"\n    g[0] = x[{middle}] - 0.3" + (";" if end == "c" else "") + text[opening + 1 :]
        )
        opening = (
            text.index("{", text.index(f"{head}variables"))
            if end == "c"
            else text.index(":", text.index(f"{head}variables"))
        )
        stop = ";" if end == "c" else ""
        text = text[: opening + 1] + f"\n    y[0] = x[{middle}]{stop}\n    y[1] = 0.3{stop}" + text[opening + 1 :]
        files[f"model.{end}"] = text
    run = simulate(build(files, target), Experiment(stop=2.0, points=9, method=method))
    assert run.statistics.events == {"state": 1} and "band" in run.statistics.method
    row = int(np.flatnonzero(np.diff(run.time) == 0.0)[0])
    assert abs(run[f"T{middle}"][row] - 0.3) < 1e-9


def pattern(rows: list[list[int]]) -> ModelInfo:
    n = len(rows)
    info = model_info(hybrid([f"x{i}" for i in range(n)])["model.json"])
    return replace(info, jacobian=tuple(map(tuple, rows)))


def test_groups_share_no_row():
    random_rows = random.Random(2)
    rows = [sorted({i, *random_rows.sample(range(40), 3)}) for i in range(40)]
    layout = layout_of(pattern(rows))
    assert layout.groups < 40 and sorted(layout.sequence.tolist()) == list(range(len(layout.rows)))
    seen: set[int] = set()
    for group in range(layout.groups):
        entries = layout.sequence[layout.first[group] : layout.first[group + 1]]
        assert len(set(layout.rows[entries])) == len(entries)
        assert not seen & set(layout.columns[entries].tolist())
        seen |= set(layout.columns[entries].tolist())


def test_full_patterns_and_empty_ones():
    assert layout_of(pattern([[0, 1], [0, 1]])).groups == 2
    assert layout_of(pattern([[], []])).groups == 0 or len(layout_of(pattern([[], []])).sequence) == 0
    full = layout_of(pattern([list(range(80))] * 80))
    assert full.kind == "dense" and full.order is None and full.groups == 80
    star = layout_of(pattern([list(range(80))] + [[0, i] for i in range(1, 80)]))
    assert star.kind == "dense"


def relay(slope: str) -> SourceFiles:
    """x follows a square wave of period 0.02 that is a discrete variable, y the sine of time."""
    return hybrid(
        ["x", "y"],
        discrete=["high"],
        relations=[relation("sample(0.01, 0.01)", "sample")],
        whens=[1],
        derivatives=f"dx[0] = {slope}*(x[0] - m[1]); dx[1] = cos(t)",
        variables="y[0] = 0.01; y[1] = 0.01; y[2] = m[0]",
        updates="e[0] = f[0]*(1.0 - m[1]) + (1.0 - f[0])*m[1]",
    )


def test_after_an_event_it_is_remembered_that_the_model_is_stiff(target):
    run = simulate(build(relay("-1e6"), target), Experiment(stop=1.0, points=11))
    assert run.outcome is Outcome.COMPLETED and run.statistics.events == {"sample": 100}
    assert "stiff from t = " in run.statistics.method and "in 99 of 100 intervals" in run.statistics.method
    assert abs(run["y"][-1] - np.sin(1.0)) < 1e-4
    if target == "python":  # it takes the same steps
        return
    forgetful = simulate(build(relay("-1e6"), target), Experiment(stop=1.0, points=11, method="cvode-bdf"))
    # 7 segments begin with the explicit method.
    assert run.statistics.steps < forgetful.statistics.steps + 7 * 100


def test_a_model_that_is_not_stiff_is_said_to_be_so(target):
    run = simulate(build(relay("-1.0"), target), Experiment(stop=1.0, points=11))
    assert run.statistics.method == "dopri5 (not stiff)"


SAMPLED = """model Sampled
  local x (start=0), n (start=0), k (start=0)
  when sample(0, 0.05) then
    new(n) = n + 1
  endwhen
  when sample(0, 0.025) then
    new(k) = k + 1
  endwhen
  der(x) = -3*x + n + sin(k)
end"""


def test_a_step_that_is_repeated_ends_where_the_first_had_to():
    model = cutset.loads(SAMPLED)
    run, exact = model.simulate(2.0, method="cvode-bdf", points=2), model.simulate(2.0, rtol=1e-9)
    assert (run["n"][-1], run["k"][-1]) == (41, 81)
    assert run["x"][-1] == pytest.approx(exact["x"][-1], rel=1e-4)


def test_fast_oscillations_take_no_order_at_which_they_grow():
    """BDF of orders 4 and 5 is unstable for them; errors grew to the tolerance, which took 3,720 steps."""
    text = "model M\n local x (start=0), v (start=0)\n der(x) = v\n der(v) = 9e6*(sin(time) - x) - 600*v\nend\n"
    run = cutset.loads(text).simulate(3.0, method="cvode-bdf", points=31)
    assert run.statistics.steps < 2500
