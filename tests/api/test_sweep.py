"""Many runs: every point has its row, whatever becomes of its run and of the process that does it."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.api.command_line.command import main
from cutset.runtime.errors import RunError

DECAY = """model Decay
  parameter k = 1
  local x (start=1), y
  input u
  der(x) = u - k*x
  y = x^2
end
"""


@pytest.fixture
def decay(write_model):
    return cutset.load(write_model(DECAY))


@pytest.mark.parametrize("workers", [1, 2])
def test_every_combination(decay, workers):
    found = decay.sweep(
        {"k": [1.0, 2.0, 4.0], "x": [1.0, 3.0]},
        ["x", "max(y)", "mean(u)"],
        stop=0.5,
        workers=workers,
        inputs={"u": 0.0},
    )
    k, x = np.repeat([1.0, 2.0, 4.0], 2), np.tile([1.0, 3.0], 3)
    assert found["k"].tolist() == k.tolist() and len(found) == 6 and not found.failed
    np.testing.assert_allclose(found["x"], x * np.exp(-0.5 * k), rtol=1e-5)
    np.testing.assert_allclose(found["max(y)"], x**2)
    np.testing.assert_allclose(found["mean(u)"], 0.0)
    assert {row.outcome for row in found.rows} == {"completed"}


def test_a_name_that_is_varied_and_kept_is_what_is_kept(decay):
    assert decay.sweep({"x": [2.0]}, ["x"], workers=1)["x"] == pytest.approx(2 * np.exp(-1), rel=1e-5)


def test_listed_points_and_statistics(decay):
    points = [{"k": 1.0, "u": 1.0}, {"u": 2.0, "k": 2.0}]
    found = decay.sweep(points, ["min(x)", "mean(x)"], stop=1.0, workers=1, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found["min(x)"], 1.0)
    np.testing.assert_allclose(found["mean(x)"], 1.0)
    found = decay.sweep([{"k": 1.0}], ["mean(x)"], stop=1.0, workers=1, rtol=1e-9, atol=1e-9)
    assert found["mean(x)"][0] == pytest.approx(1 - np.exp(-1), rel=1e-5)


def test_parameters_in_the_code_are_translated_again(write_model):
    text = "model M\n  parameter n = 2\n  local x(n) (start=1), s\n  der(x) = -x\n  s = sum(x)\nend\n"
    found = cutset.load(write_model(text)).sweep({"n": [1.0, 2.0, 5.0]}, ["s"], workers=2)
    np.testing.assert_allclose(found["s"], np.array([1, 2, 5]) * np.exp(-1), rtol=1e-5)


@pytest.mark.parametrize("workers", [1, 2])
def test_states_that_become_singular_are_chosen_anew(write_model, workers):
    text = """model Pendulum
  parameter w = 1
  local x (start=0, state=prefer), y (start=-1, fixed=false), vx (start=w), vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1
end
"""
    model = cutset.load(write_model(text))
    found = model.sweep({"w": [3.0, 5.0]}, ["y", "max(y)"], stop=2.0, workers=workers)
    assert not found.failed
    assert found["max(y)"][0] < -0.3 and found["max(y)"][1] > 0.2
    assert found["y"].tolist() == [model.simulate(2.0, parameters={"w": w})["y"][-1] for w in (3.0, 5.0)]


def test_a_run_that_fails_is_a_row(write_model):
    model = cutset.load(write_model("model M\n  parameter a = 1\n  local x (start=1)\n  der(x) = a*x^2\nend\n"))
    found = model.sweep({"a": [-1.0, 2.0, 0.5]}, ["x"], stop=1.0, workers=2)
    assert [row.number for row in found.failed] == [1] and found.rows[1].reason.startswith("E61")
    assert found["x"][[0, 2]] == pytest.approx([0.5, 2.0], rel=1e-4)
    model = cutset.load(write_model("model M\n  parameter a = 2\n  local x (start=1/a)\n  der(x) = -x\nend\n"))
    found = model.sweep({"a": [0.0, 2.0]}, ["x"], workers=1)
    assert "E601" in found.rows[0].reason and np.isnan(found["x"][0]) and not found.rows[1].reason


def test_a_process_that_dies_costs_its_run_alone(write_model, tmp_path, monkeypatch):
    (tmp_path / "deadly.py").write_text("import os\ndef f(x):\n    return os._exit(9) if x > 2.5 else x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    text = (
        'external function f(x) result y "python:deadly.f"\nmodel M\n  parameter a = 1\n  local x (start=1)\n'
        "  der(x) = -f(a)*x\nend\n"
    )
    model = cutset.load(write_model(text), allow_external=True)
    found = model.sweep({"a": [1.0, 2.0, 3.0, 0.5, 0.25]}, ["x"], workers=2)
    assert [row.outcome for row in found.rows] == ["completed", "completed", "died", "completed", "completed"]
    np.testing.assert_allclose(np.delete(found["x"], 2), np.exp([-1, -2, -0.5, -0.25]), rtol=1e-5)


def test_what_is_wrong_is_said_before_a_run(decay):
    for vary, keep, code in (
        ({"q": [1.0]}, ["x"], "E602"),
        ({"y": [1.0]}, ["x"], "E604"),
        ({"k": [1.0]}, ["max(z)"], "E607"),
        ({"k": []}, ["x"], "E605"),
        ([], ["x"], "E605"),
        ([{"k": 1.0}, {"x": 1.0}], ["x"], "E605"),
        ({"k": [0.0] * 1001, "x": [0.0] * 1001}, ["x"], "E605"),
    ):
        with pytest.raises(RunError) as caught:
            decay.sweep(vary, keep)
        assert caught.value.code == code
    with pytest.raises(RunError):
        decay.sweep({"k": [1.0]}, ["x"], scheduler="nonsense://127.0.0.1")


def test_command(write_model, tmp_path, capsys):
    path, table, picture = write_model(DECAY), tmp_path / "t.csv", tmp_path / "t.svg"
    arguments = [
        "sweep",
        str(path),
        "--vary",
        "k=0.5:2:4",
        "x=1,2",
        "--outputs",
        "x,max(y)",
        "--workers",
        "1",
        "--set",
        "u=0",
    ]
    assert main([*arguments, "-o", str(table), "--save", str(picture)]) == 0
    assert "8 runs in " in capsys.readouterr().out and "<svg" in picture.read_text()
    head, *rows = csv.reader(table.open())
    assert head == ["k", "x", "x", "max(y)", "outcome", "reason", "seconds"]
    assert [float(row[0]) for row in rows] == np.repeat([0.5, 1.0, 1.5, 2.0], 2).tolist()
    assert float(rows[-1][2]) == pytest.approx(2 * np.exp(-2), rel=1e-5)
    assert main(["sweep", str(path), "--vary", "k=1,-1e6", "--outputs", "x", "--workers", "1"]) == 1
    printed = capsys.readouterr()
    assert "1 failed" in printed.out and "k = -1000000.0: E6" in printed.err
    for wrong in ("k", "k=1:2", "k=", "k=1:2:0", "k=1,,2"):
        assert main(["sweep", str(path), "--vary", wrong, "--outputs", "x"]) == 2


def test_a_parquet_file_has_the_table(write_model, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path, table = write_model(DECAY), tmp_path / "t.parquet"
    arguments = ["sweep", str(path), "--vary", "x=1,2", "k=-1e6,2", "--outputs", "x,max(y)", "--set", "u=0"]
    assert main([*arguments, "-o", str(table)]) == 1
    found = parquet.read_table(table).to_pydict()
    assert list(found) == ["x (varied)", "k", "x", "max(y)", "outcome", "reason", "seconds"]
    assert found["k"] == [-1e6, 2.0] * 2 and found["outcome"][1::2] == ["completed"] * 2
    assert np.isnan(found["x"][0]) or found["reason"][0].startswith("E6")
    np.testing.assert_allclose(found["x"][1::2], [np.exp(-2), 2 * np.exp(-2)], rtol=1e-5)


def test_a_parquet_file_without_the_package_is_refused_before_the_runs(write_model, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("cutset.runtime.optional_packages.find_spec", lambda name: None)
    arguments = ["sweep", str(write_model(DECAY)), "--vary", "k=1,2", "--outputs", "x"]
    assert main([*arguments, "-o", str(tmp_path / "t.parquet")]) != 0
    printed = capsys.readouterr()
    assert "pip install pyarrow" in printed.err and "runs in" not in printed.out


def test_a_cluster_one_of_whose_workers_is_killed(write_model, tmp_path):
    distributed = pytest.importorskip("distributed")
    text = "model M\n  parameter a = 1\n  local x (start=1), v\n  der(x) = v\n  der(v) = -a*x\nend\n"
    model = cutset.load(write_model(text))
    environment = {**os.environ, "PYTHONPATH": str(Path(cutset.__file__).parents[1])}
    dask = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(tmp_path / "s.json"),
    ]
    worker = [
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        "--scheduler-file",
        str(tmp_path / "s.json"),
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
    ]
    processes = [
        subprocess.Popen(c, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for c in (dask, worker, worker)
    ]
    try:
        with distributed.Client(scheduler_file=str(tmp_path / "s.json"), timeout="60s") as client:
            client.wait_for_workers(2, timeout=60)
            address = client.scheduler.address
        from cutset.api.runs.sweep import sweep
        from cutset.runtime.runs.experiment import Experiment

        seen = []

        def kill(row):
            seen.append(row)
            if len(seen) == 20:
                processes[1].kill()

        values = np.linspace(1, 4, 200).tolist()
        found = sweep(
            model, {"a": values}, ["x"], Experiment(20.0, rtol=1e-10, atol=1e-10), scheduler=address, progress=kill
        )
        assert not found.failed and len(seen) == 200
        np.testing.assert_allclose(found["x"], np.cos(np.sqrt(values) * 20), atol=1e-6)
    finally:
        for process in processes:
            process.kill()
            process.wait()
