"""Noise is the same to the last bit in C, in Python, in batches, in exported programs and in FMUs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_c_programs import built, rows

import cutset
from cutset.contract.random_numbers import random_normal, random_uniform, stream_number
from cutset.export.fmi_binaries import this_machine

fmpy: Any = pytest.importorskip("fmpy")

COMPILER = shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")

NOISY = """
@noise

model Noisy "two equal sensors and all sources"
  internal seed = 1
  output a, b, c, d, e, f, g
  submodel (NormalNoise) n(2)(T=0.01, sigma=3)
  submodel (UniformNoise) u(T=0.01, t0=0.05, low=2)
  submodel (WhiteNoise) w(T=0.02, S=0.3)
  submodel (RandomWalk) r(T=0.01)
  submodel (RandomBoolean) t(T=0.01, p=0.3)
  submodel (Sensor) s(T=0.01, sigma=0.5, late=1)
  local x (start=0)
  der(x) = w.y - x
  s.u = 1
  a = n(1).y
  b = n(2).y
  c = u.y
  d = w.y
  e = r.y
  f = if t.y then 1 else 0
  g = s.y
end
"""
NAMES = list("abcdefg")
STOP, INTERVAL = 0.2, 0.01
# Between the samples, where each program has one row.
TIMES = np.arange(20) * 0.01 + 0.005


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> cutset.Model:
    path = tmp_path_factory.mktemp("noise") / "noisy.mo"
    path.write_text(NOISY)
    return cutset.load(path)


def between(run: Any) -> np.ndarray:
    """The values of all names at TIMES: those of the last row before each."""
    found = np.searchsorted(run["time"], TIMES, side="right") - 1
    return np.array([np.asarray(run[name])[found] for name in NAMES])


def expected(seed: float) -> np.ndarray:
    """The values by definition."""
    k = np.arange(20)
    streams = [float(stream_number(f"{path}.y")) for path in ("n(1)", "n(2)", "u", "w", "r", "t", "s")]

    def normal(stream: float, count: np.ndarray) -> np.ndarray:
        return np.array([random_normal(seed, stream, float(i)) for i in count])

    def uniform(stream: float, count: np.ndarray) -> np.ndarray:
        return np.array([random_uniform(seed, stream, float(i)) for i in count])

    late = np.concatenate(([0.0], 1.0 + 0.5 * normal(streams[6], k[:-1])))
    return np.array([
        3.0 * normal(streams[0], k),
        3.0 * normal(streams[1], k),
        np.where(k < 5, 0.0, 2.0 - uniform(streams[2], np.maximum(k - 5, 0))),
        np.sqrt(0.3 / 0.02) * normal(streams[3], k // 2),
        np.cumsum(np.sqrt(0.01) * normal(streams[4], k)),
        uniform(streams[5], k) < 0.3,
        late,
    ])  # fmt: skip


def test_one_seed_gives_equal_bits_everywhere(model: cutset.Model, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("CC", f"{COMPILER} -O0")  # threads need gcc
    settings = {"interval": INTERVAL, "parameters": {"seed": 7}}
    found = {
        "C": between(model.simulate(STOP, target="c", **settings)),
        "Python": between(model.simulate(STOP, target="python", **settings)),
        "other steps": between(model.simulate(STOP, method="rk4", max_step=0.0007, **settings)),
        "stiff": between(model.simulate(STOP, method="cvode-bdf", **settings)),
    }
    lanes = {"method": "rk4", "max_step": 0.001}
    for way, workers, more in (("batch", 1, {}), ("batch in threads", 2, {}), ("batch, rk4", 2, lanes)):
        seeds = {"seed": np.array([3.0, 7.0, 1.0])}
        batch = model.batch(STOP, outputs=NAMES, points=41, parameters=seeds, workers=workers, **more)
        assert dict(batch.failed) == {}
        found[way] = batch.values[1].T[:, 1::2]
        assert np.array_equal(batch.values[2].T[:, 1::2], expected(1.0))
    monkeypatch.undo()
    model.export_c(tmp_path / "c")
    program = rows(built(tmp_path / "c"), STOP, 0.005, "seed=7")
    found["program"] = np.array([program[name][1::2] for name in NAMES])
    for version in (2, 3):
        fmu = model.export_fmu(tmp_path / f"noisy{version}.fmu", version, platforms=[this_machine()], stop=STOP)
        for kind in ("CoSimulation", "ModelExchange"):
            result = fmpy.simulate_fmu(
                str(fmu), fmi_type=kind, stop_time=STOP, output_interval=0.005, output=NAMES, start_values={"seed": 7.0}
            )
            found[f"FMU {version}, {kind}"] = between(result)
    for way, values in found.items():
        assert np.array_equal(values, expected(7.0)), way


def test_drawn_parameters_are_the_same_in_vectors(tmp_path: Path) -> None:
    """A model without events runs in vectors, several seeds at once; its parameters are drawn when a run starts."""
    path = tmp_path / "drawn.mo"
    path.write_text(
        "model Drawn\n  internal seed = 1\n"
        '  parameter R = 100*(1 + 0.05*random_normal(seed, random_stream("R"), 0))\n'
        "  local x (start=1), y\n  der(x) = -x/R\n  y = R*x\nend\n"
    )
    model = cutset.load(path)
    seeds = np.arange(9.0)
    stream = float(stream_number("R"))
    wanted = [100.0 * (1.0 + 0.05 * random_normal(seed, stream, 0.0)) for seed in seeds]
    batch = model.batch(1.0, outputs=["x", "y"], points=3, parameters={"seed": seeds}, method="rk4", max_step=0.1)
    assert batch.alone == 0 and np.array_equal(batch["y"][:, 0], wanted)
    for target in ("c", "python"):
        single = model.simulate(1.0, target=target, points=3, parameters={"seed": 4.0}, method="rk4", max_step=0.1)
        assert single["y"][0] == wanted[4] and np.array_equal(single["x"][[0, -1]], batch["x"][4, [0, -1]])
