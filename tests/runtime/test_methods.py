"""Every method on every target: closed solutions, events, failures. A method joins by being listed in METHODS."""

from __future__ import annotations

import functools
import gc
import sys
from collections import Counter
from ctypes import CFUNCTYPE, c_void_p, cast
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hand_written import MODELS, load_model

from cutset.runtime.outcome import Outcome
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.solvers import METHODS, find_method, sundials
from cutset.runtime.targets.c_records import Library

ADAPTIVE = [name for name, method in METHODS.items() if method.adaptive]
# The ends and tolerances of runs that one solver serves.
SETTINGS = (0.5, 1e-6), (2.0, 1e-6), (0.25, 1e-9)
KIND = CFUNCTYPE(c_void_p, *[c_void_p] * 3)
IN_C = [name for name in METHODS if name != "radau"]


@pytest.fixture(params=list(METHODS))
def method(request: pytest.FixtureRequest) -> str:
    return request.param


def oscillation(t: np.ndarray) -> np.ndarray:
    """s of s'' + 0.8 s' + 4 s = 0 from rest at 1."""
    w = np.sqrt(4.0 - 0.16)
    return np.exp(-0.4 * t) * (np.cos(w * t) + 0.4 / w * np.sin(w * t))


def test_closed_solution(model, method):
    run = simulate(model("oscillator"), Experiment(stop=5.0, method=method))
    assert run.outcome is Outcome.COMPLETED
    assert np.array_equal(run.time, np.linspace(0.0, 5.0, 501))
    assert np.abs(run["body.s"] - oscillation(run.time)).max() < 1e-5
    assert np.array_equal(run["spring.s"], -run["body.s"])
    assert np.array_equal(run["body.a"], -4.0 * run["body.s"] - 0.8 * run["body.v"])
    assert run.statistics.steps > 0 and run.statistics.evaluations > run.statistics.steps


# In Python one method of each kind: the others have the same loop.
@pytest.mark.parametrize(
    ("target", "method"),
    [
        *(("c", method) for method in ADAPTIVE),
        *(("python", method) for method in ("auto", "dopri5", "cvode-bdf", "bdf")),
    ],
)
def test_error_follows_the_tolerance(model, method):
    errors = []
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        run = simulate(model("oscillator"), Experiment(stop=5.0, method=method, rtol=tolerance, atol=tolerance))
        errors.append(np.abs(run["body.s"] - oscillation(run.time)).max())
        assert errors[-1] < 50.0 * tolerance
    # Tighter by a million, better by at least ten thousand.
    assert errors[-1] < 1e-4 * errors[0]


def test_rk4_is_of_order_four(model):
    errors = []
    for points in (51, 101):
        run = simulate(model("oscillator"), Experiment(stop=5.0, method="rk4", points=points))
        errors.append(np.abs(run["body.s"] - oscillation(run.time)).max())
    assert 14.0 < errors[0] / errors[1] < 18.0


def test_events_are_met_exactly(model, method):
    run = simulate(model("switched"), Experiment(stop=1.0, method=method, points=11, parameters={"on": 0.25}))
    expected = np.clip(run.time, 0.25, 0.5) - 0.25
    assert np.abs(run["s"] - expected).max() < 1e-12
    rows = np.flatnonzero(run.time == 0.25)
    assert len(rows) == 2 and run["force"][rows].tolist() == [0.0, 1.0]
    rows = np.flatnonzero(run.time == 0.5)
    assert len(rows) == 2 and run["force"][rows].tolist() == [1.0, 0.0]
    assert len(run.time) == 11 + 1 + 2


def test_infinite_solution_ends_the_run(model, method):
    """x' = x^2 from 1 is 1/(1 - t)."""
    run = simulate(model("blowup"), Experiment(stop=2.0, method=method))
    failure = run.failure
    assert run.outcome in (Outcome.STEP_TOO_SMALL, Outcome.NOT_FINITE, Outcome.NO_CONVERGENCE)
    assert failure is not None and abs(failure.time - 1.0) < 0.02
    assert failure.fastest == "x" and failure.states["x"] > 40.0
    before = run.time < 0.9
    assert before.sum() > 200
    assert np.abs(run["x"][before] * (1.0 - run.time[before]) - 1.0).max() < 1e-3
    error = failure.error()
    assert error.code == run.outcome.code and "at time" in error.message and error.hint


def test_equation_to_blame_is_named(model, method):
    """depth = log(level), and level falls through zero at time 1."""
    run = simulate(model("pole"), Experiment(stop=2.0, method=method))
    failure = run.failure
    assert run.outcome is Outcome.NOT_FINITE
    assert failure is not None and failure.origin is not None
    assert (failure.origin.variable, failure.origin.place) == ("depth", "pole.mo:4:3")
    assert 0.99 < failure.time < 1.0 + 1e-9 and abs(failure.at - 1.0) < 0.05
    assert 248 <= len(run.time) <= 252 and np.allclose(run["level"], 1.0 - run.time, atol=1e-9)
    notes = failure.error().notes
    assert "pole.mo:4:3: depth = log(level)" in notes and "in tank.bottom" in notes


def test_wall_behind_which_there_are_no_values(model, method):
    """The right-hand side is good up to time 0.5 and nan beyond, without a warning slope."""
    inputs = {"speed": lambda t: 1.0 if t <= 0.5 else np.nan}
    run = simulate(model("switched"), Experiment(stop=2.0, method=method, inputs=inputs, parameters={"on": 9.0}))
    assert run.outcome is Outcome.INPUT_FAILED
    assert run.failure is not None and abs(run.failure.time - 0.5) < 0.01
    assert "the function of the input 'speed' returned nan, at time 0.5" in run.failure.error().message
    assert run.statistics.evaluations < 20_000


def test_bad_start_is_named(model, method):
    run = simulate(model("pole"), Experiment(method=method, parameters={"level0": -1.0}))
    assert run.outcome is Outcome.NOT_FINITE_AT_START
    assert run.failure is not None and run.failure.origin is not None and run.failure.origin.variable == "depth"
    assert run.time.tolist() == [0.0] and run["level"].tolist() == [-1.0]


@pytest.mark.parametrize("method", [name for name in ADAPTIVE if not METHODS[name].is_explicit])
def test_stiff_model(model, method):
    """y' = -1e5 (y - cos t) - sin t: y is cos t after an instant, and z is sin t."""
    run = simulate(model("stiff"), Experiment(stop=3.0, method=method))
    assert run.outcome is Outcome.COMPLETED
    assert np.abs(run["z"] - np.sin(run.time)).max() < 1e-4
    assert run.statistics.steps < 5000


def test_auto_leaves_the_explicit_method_where_it_is_stiff(model):
    stiff = simulate(model("stiff"), Experiment(stop=3.0)).statistics
    assert stiff.method.startswith(
        "dopri5, then cvode-bdf, dense, Jacobian by differences in 2 groups (the model is stiff from t = "
    )
    assert simulate(model("oscillator"), Experiment()).statistics.method == "dopri5 (not stiff)"


def test_too_many_steps(model):
    run = simulate(model("stiff"), Experiment(stop=1.0, points=2, method="dopri5", max_steps=50))
    assert run.outcome is Outcome.TOO_MANY_STEPS
    assert run.failure is not None and 0.0 < run.failure.time < 1.0 and len(run.time) == 1


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("method", ["dopri5", "rk4", "cvode-bdf"])
def test_targets_agree(name, method):
    runs = []
    for target in ("c", "python"):
        experiment = Experiment(stop=0.9, method=method, points=20, max_steps=500)
        runs.append(simulate(load_model(name, target), experiment))
    assert np.array_equal(runs[0].time, runs[1].time)
    for variable in runs[0].names():
        assert np.allclose(runs[0][variable], runs[1][variable], rtol=1e-10, atol=1e-11, equal_nan=True)


def test_dopri5_takes_the_same_steps_on_both_targets():
    statistics = [
        simulate(load_model("pendulum", target), Experiment(stop=3.0)).statistics for target in ("c", "python")
    ]
    c, python = (replace(each, wall_seconds=0.0) for each in statistics)
    assert c == python


@pytest.mark.parametrize("method", ADAPTIVE)
def test_pendulum_keeps_its_energy(method):
    stop = 5.0 if method == "radau" else 20.0  # in Python
    run = simulate(load_model("pendulum", "c"), Experiment(stop=stop, method=method, rtol=1e-9, atol=1e-9))
    drift = np.abs(run["energy"] / run["energy"][0] - 1.0).max()
    assert drift < {"auto": 1e-7, "dopri5": 1e-7, "radau": 1e-8}.get(method, 1e-6)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_pendulum_end_point(method):
    model = load_model("pendulum", "c")
    exact = simulate(model, Experiment(stop=2.0, points=2, method="dopri5", rtol=1e-13, atol=1e-13))
    run = simulate(model, Experiment(stop=2.0, points=2, method=method, rtol=1e-8, atol=1e-8))
    for state in model.info.states:
        assert abs(run[state][-1] - exact[state][-1]) < 1e-6


@pytest.mark.parametrize("method", IN_C)
def test_no_python_in_a_step(method):
    """Five times the steps, and not one call more."""
    if sundials.load() is None and method.startswith(("cvode", "ida")):
        pytest.skip("SUNDIALS is not installed")
    model = load_model("pendulum", "c")

    def calls(stop: float) -> tuple[int, int]:
        seen = 0

        def count(_frame: object, event: str, _argument: object) -> None:
            nonlocal seen
            seen += event in ("call", "c_call")

        gc.disable()  # what it deletes may call something, whenever it comes
        sys.setprofile(count)
        try:
            run = simulate(model, Experiment(stop=stop, points=200, method=method))
        finally:
            sys.setprofile(None)
            gc.enable()
        return seen, run.statistics.steps

    calls(1.0)
    (few, short), (same, long) = calls(2.0), calls(10.0)
    assert same == few
    assert method == "rk4" or long > 3 * short


@pytest.mark.parametrize("name", ["cvode-bdf", "cvode-adams", "ida"])
def test_without_sundials(model, name, monkeypatch):
    monkeypatch.setattr(sundials, "locate", lambda: None)
    run = simulate(model("oscillator"), Experiment(stop=5.0, method=name))
    assert "scipy" in run.statistics.method and name in run.statistics.method
    assert np.abs(run["body.s"] - oscillation(run.time)).max() < 1e-4
    blame = simulate(model("pole"), Experiment(stop=2.0, method=name))
    assert blame.outcome is Outcome.NOT_FINITE


def forwarded(function: Any, name: str, names: Counter[str], *arguments: int) -> int:
    names[name] += 1
    return function(*arguments) or 0


def counting(library: Library, names: Counter[str], kept: list[object]) -> Library:
    """The library with functions that count their calls, those of up to three integers or pointers."""
    made = Library.from_buffer_copy(library)
    for name in ("SUNContext_Create", "SUNContext_Free", "CVodeCreate", "IDACreate", "Free", "N_VMake_Serial",
                 "N_VDestroy", "SUNDenseMatrix", "SUNMatDestroy", "SUNLinSol_Dense", "SUNLinSolFree"):  # fmt: skip
        if getattr(library, name):
            kept.append(KIND(functools.partial(forwarded, KIND(getattr(library, name)), name, names)))
            setattr(made, name, cast(kept[-1], c_void_p).value)
    return made


@pytest.mark.skipif(sundials.load() is None, reason="SUNDIALS is not installed")
@pytest.mark.parametrize("method", ["cvode-bdf", "ida"])
def test_one_solver_serves_all_runs_and_is_freed(method, monkeypatch):
    """Also where the run fails, as this one does at time 1. Runs do not depend on those before."""
    names, kept = Counter[str](), list[object]()
    prefix, vectors = ("IDA", 3) if method == "ida" else ("CVode", 2)
    real = sundials.load()
    fake = SimpleNamespace(functions=lambda prefix: counting(real.functions(prefix), names, kept))
    monkeypatch.setattr(sundials, "load", lambda: fake)
    model = load_model("pole", "c")
    runs = [simulate(model, Experiment(stop, method=method, rtol=rtol)) for stop, rtol in SETTINGS]
    for run, (stop, rtol) in zip(runs, SETTINGS, strict=True):
        alone = simulate(load_model("pole", "c"), Experiment(stop, method=method, rtol=rtol))
        assert all(np.array_equal(run[name], alone[name]) for name in run.names()) and run.outcome is alone.outcome
    del model, run, runs, alone
    gc.collect()
    solvers = len(SETTINGS) + 1
    for make, free in {
        "SUNContext_Create": "SUNContext_Free",
        prefix + "Create": "Free",
        "N_VMake_Serial": "N_VDestroy",
        "SUNDenseMatrix": "SUNMatDestroy",
        "SUNLinSol_Dense": "SUNLinSolFree",
    }.items():
        assert names[make] == names[free] == solvers * (vectors if make == "N_VMake_Serial" else 1), make


def test_no_step_goes_over_an_event(model, method):
    """The end of the run is met as an event is; the input sees every instant of evaluation."""
    seen: list[float] = []

    def course(t: float) -> float:
        seen.append(t)
        return t

    run = simulate(model("switched"), Experiment(stop=0.7, method=method, inputs={"speed": course}))
    assert run.outcome is Outcome.COMPLETED
    assert max(seen) <= 0.7


def test_methods_are_found_by_name():
    assert all(find_method(name).name == name and find_method(name).about for name in METHODS)
