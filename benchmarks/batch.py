"""Measures batches of runs: Cutset's `Model.batch`, and MuJoCo's `rollout` on the same arm.

    python benchmarks/batch.py [--markdown FILE] [--runs N] [--robots N] [--turns N]

The arm is models/r3_arm.mo: it falls for 2 s from random positions, in steps of 1 ms of the classical method of
Runge and Kutta. Times are CPU time of all threads, the least of several turns. MuJoCo (pip install mujoco) integrates
the same equations: its positions agree.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from sheets import Sheet, report

import cutset
from cutset.api.runs.batch import Batch

try:
    import mujoco
    import mujoco.rollout
except ImportError:
    mujoco = None

_MODELS = Path(__file__).parents[1] / "models"
_STOP, _STEP = 2.0, 1e-3
_JOINTS = 6
# Axis, place of the joint, mass, center, inertia xx yy zz xy of each body: those of models/r3_arm.mo. The first body
# only turns about y; its other moments of inertia, 0 there, have no effect, but MuJoCo requires them.
_LINKS = (
    ((0, 1, 0), (0, 0.351, 0), ((1, (0, 0, 0), (1.16, 1.16, 1.16, 0)),)),
    ((1, 0, 0), (0, 0.324, 0.3), ((56.5, (0.172, 0.205, 0), (2.58, 0.64, 2.73, -0.46)),)),
    ((1, 0, 0), (0, 0.65, 0), ((26.4, (0.064, -0.034, 0), (0.279, 0.245, 0.413, -0.070)),)),
    ((0, 1, 0), (0, 0.414, -0.155), ((28.7, (0, 0, 0), (1.67, 0.081, 1.67, 0)),)),
    ((1, 0, 0), (0, 0.186, 0), ((5.2, (0, 0, 0), (1.25, 0.81, 1.53, 0)),)),
    (
        (0, 1, 0),
        (0, 0.125, 0),
        ((0.5, (0.05, 0.05, 0.05), (1e-3, 1e-3, 1e-3, 0)), (15, (0.1, 0.25, 0.1), (1e-3, 1e-3, 1e-3, 0))),
    ),
)
_DAMPING = (10, 10, 10, 2, 2, 2)


def mjcf() -> str:
    """The arm in MuJoCo's format. Several bodies at one joint are one; inertias are about the center of mass."""
    text, ends = "", ""
    for (axis, place, bodies), damping in zip(_LINKS, _DAMPING, strict=True):
        mass = sum(m for m, _, _ in bodies)
        center = sum(m * np.array(r) for m, r, _ in bodies) / mass
        inertia = np.zeros((3, 3))
        for m, r, (xx, yy, zz, xy) in bodies:
            d = np.array(r) - center
            inertia += np.array([[xx, xy, 0], [xy, yy, 0], [0, 0, zz]]) + m * (d @ d * np.identity(3) - np.outer(d, d))
        full = [inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 1], inertia[0, 2], inertia[1, 2]]
        text += f'<body pos="{_words(place)}"><joint type="hinge" axis="{_words(axis)}" damping="{damping}"/>'
        text += f'<inertial pos="{_words(center)}" mass="{mass}" fullinertia="{_words(full)}"/>'
        ends += "</body>"
    option = f'<option gravity="0 -9.81 0" timestep="{_STEP}" integrator="RK4"/>'
    return f"<mujoco>{option}<worldbody>{text}{ends}</worldbody></mujoco>"


def _words(numbers) -> str:
    return " ".join(f"{number:.17g}" for number in numbers)


def starts(runs: int) -> np.ndarray:
    """Random positions and velocities of all runs: shape (runs, 12)."""
    return np.random.default_rng(1).normal(scale=0.5, size=(runs, 2 * _JOINTS))


def by_cutset(model: cutset.Model, first: np.ndarray, varied: bool) -> tuple[Batch, float]:
    """The batch and its CPU time in s. If it is `varied`, each run has its own mass of the load."""
    names = [f"r{k + 1}.{kind}" for kind in ("q", "qd") for k in range(_JOINTS)]
    initial = {name: first[:, k] for k, name in enumerate(names)}
    load = {"load.m": np.linspace(14.0, 16.0, len(first))} if varied else {}
    began = process_time()
    batch = model.batch(_STOP, initial=initial, parameters=load, method="rk4", max_step=_STEP)
    return batch, process_time() - began


def by_mujoco(first: np.ndarray) -> tuple[np.ndarray, float]:
    """The last states (runs, 12), and the CPU time in s."""
    model = mujoco.MjModel.from_xml_string(mjcf())
    threads = os.cpu_count() or 1
    data = [mujoco.MjData(model) for _ in range(threads)]
    initial = np.hstack([np.zeros((len(first), 1)), first])
    began = process_time()
    states, _ = mujoco.rollout.rollout(model, data, initial_state=initial, nstep=round(_STOP / _STEP))
    return states[:, -1, 1:], process_time() - began


def arm(runs: int, turns: int) -> Sheet:
    """The arm: the least CPU time of each program in this many turns. AssertionError if the programs end in different
    positions."""
    model, first = cutset.load(_MODELS / "r3_arm.mo"), starts(runs)
    some = first[: max(8, runs // 20)]
    names = ("cutset, the same arm", "cutset, each run with its own load", "MuJoCo, rollout")
    counts, best = dict(zip(names, (runs, runs, len(some)), strict=True)), dict.fromkeys(names, np.inf)
    for varied in (False, True):
        by_cutset(model, first[:8], varied)
    for _ in range(turns):
        for name, varied in zip(names, (False, True), strict=False):
            batch, seconds = by_cutset(model, first, varied)
            assert not batch.failed
            assert not batch.alone
            best[name] = min(best[name], seconds)
            if not varied:
                last = np.stack([batch[f"r{k + 1}.q"][:, -1] for k in range(_JOINTS)], axis=1)
        if mujoco is not None:
            states, seconds = by_mujoco(some)
            assert np.abs(states[:, :_JOINTS] - last[: len(some)]).max() < 1e-6
            best[names[2]] = min(best[names[2]], seconds)
    steps = {name: 1e6 * best[name] / (counts[name] * round(_STOP / _STEP)) for name in names}
    rows = [
        [
            name,
            f"{counts[name]}",
            f"{best[name]:.2f} s",
            f"{steps[name]:.3f} us",
            f"{steps[name] / steps[names[2]]:.3f}",
        ]
        for name in names
        if np.isfinite(best[name])
    ]
    columns = ("program", "runs", "CPU time", "for a step and core", "of MuJoCo's")
    return Sheet(f"The arm, {_STOP:g} s in steps of {1e3 * _STEP:g} ms", columns, rows)


def robots(runs: int) -> Sheet:
    """The robot with motors, controllers and friction, with different loads: events, adaptive steps."""
    model = cutset.load(_MODELS / "r3" / "r3.mo")
    masses = {"arm.load.m": np.linspace(0.0, 15.0, runs + 1)[1:]}
    model.batch(1e-3, parameters={"arm.load.m": masses["arm.load.m"][:2]})
    began, used = perf_counter(), process_time()
    batch = model.batch(1.856, parameters=masses)
    seconds, used = perf_counter() - began, process_time() - used
    row = [f"{runs}", f"{len(batch.failed)}", f"{batch.alone}", f"{seconds:.1f} s", f"{1e3 * used / runs:.1f} ms"]
    columns = ("runs", "failed", "done alone", "time", "CPU time of a run")
    return Sheet("The whole robot, 1.856 s, each run with its own load", columns, [row])


def memory() -> str:
    """The largest memory of the process so far, which includes the results."""
    return f"largest memory of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2_000, help="runs of the arm (default: 2000; all: 100000)")
    parser.add_argument("--turns", type=int, default=3, help="turns of the arm (default: 3)")
    parser.add_argument(
        "--robots", type=int, default=100, help="runs of the whole robot (default: 100; all: 10000; 0: none)"
    )
    return report(
        parser,
        lambda options, compiler: (
            [arm(options.runs, options.turns), *([robots(options.robots)] if options.robots else [])],
            [memory(), f"load of the machine: {os.getloadavg()[0]:.1f}"],
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
