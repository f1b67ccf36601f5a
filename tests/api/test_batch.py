"""Tests batches: each run has the numbers of a single run, alone and in vectors; a failed run is a row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.runtime.errors import RunError
from cutset.runtime.targets.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

PENDULUM = """
model P
  parameter m = 1, L = 1, d = 0.1
  input F
  local q (start=0.3), w (start=0), E, r
  der(q) = w
  m*L*L*der(w) = F - m*9.81*L*sin(q) - d*w + 0.1*cos(3*q)
  E = m*L*L*w*w/2 - m*9.81*L*cos(q)
  r = sqrt(1 + q*q)
end
"""
BALL = """
model B
  parameter e = 0.8
  local h (start=1), v (start=0)
  der(h) = v
  der(v) = -9.81
  when h < 0 then
    init(v) = -e*v
  endwhen
  assert h < 2, "too high"
end
"""


@pytest.fixture(scope="module")
def pendulum(tmp_path_factory: pytest.TempPathFactory) -> cutset.Model:
    return _model(tmp_path_factory.mktemp("pendulum") / "p.mo", PENDULUM)


@pytest.fixture(scope="module")
def ball(tmp_path_factory: pytest.TempPathFactory) -> cutset.Model:
    return _model(tmp_path_factory.mktemp("ball") / "b.mo", BALL)


def _model(path: Path, text: str) -> cutset.Model:
    path.write_text(text, encoding="utf-8")
    return cutset.load(path)


def _single(model: cutset.Model, names: tuple[str, ...], **settings: object) -> np.ndarray:
    run = model.simulate(2.0, **settings)  # type: ignore[arg-type]
    rows = np.searchsorted(run.time, np.linspace(0.0, 2.0, 5), side="right") - 1
    return np.array([run[name][rows] for name in names]).T


@pytest.mark.parametrize("varied", [{"initial": "q"}, {"initial": "q", "parameters": "L"}, {"inputs": "F"}])
def test_runs_in_vectors_are_single_runs(pendulum: cutset.Model, varied: dict[str, str]) -> None:
    # Large angles too, which the vectors leave to the C library; 13 runs leave lanes without a run.
    values = {"q": np.linspace(-3.0, 2e6, 13), "L": np.linspace(0.5, 2.0, 13), "F": np.linspace(-20.0, 20.0, 13)}
    given = {kind: {name: values[name]} for kind, name in varied.items()}
    settings = {"method": "rk4", "max_step": 5e-3, "points": 5}
    batch = pendulum.batch(2.0, outputs="*", workers=2, **settings, **given)
    assert (batch.alone, dict(batch.failed)) == (0, {})
    for k in range(13):
        own = {kind: {name: float(array[k]) for name, array in part.items()} for kind, part in given.items()}
        expected = _single(pendulum, batch.names, **settings, **own)
        scale = np.maximum(np.abs(expected).max(axis=0), 1.0)
        assert np.abs((batch.values[k] - expected) / scale).max() < 2e-12


@pytest.mark.parametrize("unknown", ["y = 0.7/(2 - x)", "(2 - x)*y = 0.7"])
def test_a_run_in_vectors_that_steps_over_a_pole_fails(tmp_path: Path, unknown: str) -> None:
    model = _model(tmp_path / "p.mo", f"model P\n  local x (start=1), y\n  der(x) = y\n  {unknown}\nend\n")
    settings = {"method": "rk4", "max_step": 0.02, "points": 3}
    starts = np.linspace(-1.0, 2.9, 14)  # those beyond the pole approach it too
    batch = model.batch(1.0, initial={"x": starts}, **settings)
    expected = {}
    for k, start in enumerate(starts):
        try:
            model.simulate(1.0, initial={"x": float(start)}, **settings)
        except RunError as error:
            expected[k] = error.code
    assert {k: reason[:4] for k, reason in batch.failed.items()} == expected
    assert 3 < len(expected) < 14


def test_runs_with_events_are_single_runs(ball: cutset.Model) -> None:
    given = {"e": np.array([0.8, 0.85, 0.9])}
    batch = ball.batch(2.0, parameters=given, outputs=["h", "v"], points=5)
    assert (batch.alone, dict(batch.failed)) == (0, {})
    for k, e in enumerate(given["e"]):
        expected = _single(ball, ("h", "v"), parameters={"e": float(e)}, points=5)
        assert np.abs(batch.values[k] - expected).max() < 1e-5


@pytest.mark.parametrize("method", ["rk4", "auto"])
def test_parameters_follow_those_of_their_run(tmp_path: Path, method: str) -> None:
    model = _model(
        tmp_path / "p.mo", "model P\n  parameter m = 1, k = 2*m\n  local x (start=1)\n  der(x) = -k*x\nend\n"
    )
    batch = model.batch(0.1, parameters={"m": [1.0, 2.0, 3.0]}, outputs=["k", "x"], method=method, max_step=0.01)
    assert (batch["k"] == [[2.0, 2.0], [4.0, 4.0], [6.0, 6.0]]).all() and batch.alone == 0
    assert batch["x"][:, 1] == pytest.approx(np.exp([-0.2, -0.4, -0.6]), rel=1e-6)


@pytest.mark.parametrize("method", ["rk4", "auto"])
def test_each_run_chooses_its_own_start(tmp_path: Path, method: str) -> None:
    text = (
        "model C\n  parameter y0 = 1\n  local y (start=y0), s (start=0)\n  y = if y > 0 then 2 else -2\n  der(s) = y\n"
    )
    model = _model(tmp_path / "c.mo", f"{text}end\n")
    batch = model.batch(1.0, parameters={"y0": [1.0, -1.0]}, outputs=["s"], method=method)
    assert batch["s"][:, -1] == pytest.approx([2.0, -2.0])


def test_functions_in_c_are_part_of_the_runs(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("double f(double x) { return -x; }\n")
    text = 'external function f(x) result y "c:f.c"\nmodel F\n  local x (start=1)\n  der(x) = f(x)\nend\n'
    (tmp_path / "f.mo").write_text(text)
    model = cutset.load(tmp_path / "f.mo", allow_external=True)
    batch = model.batch(1.0, initial={"x": [1.0, 2.0]})
    assert batch.alone == 0 and batch["x"][:, -1] == pytest.approx(np.exp(-1.0) * np.array([1.0, 2.0]), rel=1e-5)


def test_a_failed_run_is_a_row(ball: cutset.Model, pendulum: cutset.Model) -> None:
    batch = ball.batch(2.0, initial={"v": np.array([0.0, 6.0])}, points=5)
    assert list(batch.failed) == [1]
    assert batch.failed[1].startswith("E618: an assertion failed: too high, at time 0.199")
    assert np.isnan(batch["h"]).sum(axis=1).tolist() == [0, 4]


def test_a_run_that_needs_another_translation_is_done_alone(pendulum: cutset.Model) -> None:
    """Without a mass the pendulum has one state less."""
    batch = pendulum.batch(2.0, parameters={"m": np.array([1.0, 0.0, 2.0])}, method="rk4", max_step=1e-2, points=5)
    assert batch.alone == 1 and not batch.failed
    alone = pendulum.simulate(2.0, parameters={"m": 0.0}, method="rk4", max_step=1e-2, points=5)
    assert batch["q"][1] == pytest.approx(alone["q"], abs=1e-12) and batch["q"][1, -1] > 0.3


def test_what_the_program_cannot_do_is_done_alone(pendulum: cutset.Model) -> None:
    settings = {"initial": {"q": np.array([0.1, 0.2])}, "points": 5}
    batch = pendulum.batch(2.0, method="radau", **settings)
    assert batch.alone == 2 and "the method radau" in batch.notes[0]
    expected = _single(pendulum, ("q", "w"), method="radau", initial={"q": 0.2}, points=5)
    assert np.array_equal(batch.values[1], expected)
    driven = pendulum.batch(2.0, inputs={"F": lambda t: 1.0}, **settings)
    assert driven.alone == 2 and driven.notes == (
        "all runs were done one by one: the input 'F' is a function in Python",
    )
    assert np.abs(driven["q"] - pendulum.batch(2.0, inputs={"F": 1.0}, **settings)["q"]).max() < 1e-5


def test_tables_drive_all_runs(pendulum: cutset.Model) -> None:
    times, mass = np.array([0.0, 0.4, 0.4, 1.1, 2.0]), np.array([0.8, 1.0, 1.3])
    push = times, np.array([0.0, 1.0, -2.0, 0.5, 0.3])
    for method in ("auto", "cvode-bdf"):
        settings = {"inputs": {"F": cutset.table(push)}, "method": method, "points": 9}
        batch = pendulum.batch(2.0, parameters={"m": mass}, outputs=["q", "w", "E", "F"], **settings)
        assert batch.alone == 0 and not batch.failed
        for k, m in enumerate(mass.tolist()):
            run = pendulum.simulate(2.0, parameters={"m": m}, **settings).at(batch.time)
            assert all(np.array_equal(batch[n][k], run[n]) for n in batch.names)
    short = pendulum.batch(3.0, parameters={"m": mass}, inputs={"F": push})
    assert len(short.failed) == 3 and "E605" in short.failed[0]


def test_start_values_that_a_run_prefers_are_done_together(tmp_path: Path) -> None:
    path = tmp_path / "shaft.mo"
    path.write_text("""@rotational
model Two
  submodel (Inertia) J1(J=0.02), J2(J=0.1)
  submodel (SpringDamper) shaft(c=50, d=0.1)
  connect J1 to shaft to J2
end
""")
    model, turns = cutset.load(path), np.array([0.1, 0.2, -0.3])
    batch = model.batch(0.1, initial={"shaft.phi_rel": turns}, outputs=["J1.w"])
    assert batch.alone == 0 and not batch.notes
    single = [model.simulate(0.1, initial={"shaft.phi_rel": turn})["J1.w"][-1] for turn in turns]
    assert np.array_equal(batch["J1.w"][:, -1], single)


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ({"parameters": {"k": [1.0]}}, "E602", "'k'"),
        ({"parameters": {"q": [1.0]}}, "E604", "'q' is not a parameter"),
        ({"initial": {"F": [1.0]}}, "E604", "'F' is not a variable with a start value"),
        ({"parameters": {"m": 2.0}}, "E605", "an array with a value for each run"),
        ({"parameters": {"m": [1.0, 2.0], "L": [1.0, 2.0, 3.0]}}, "E605", "'m' has 2 values, but 'L' has 3"),
        ({"parameters": {"m": [[1.0], [2.0]]}}, "E605", "expected (runs,)"),
        ({"parameters": {"m": [1.0, float("nan")]}}, "E605", "finite"),
        ({"parameters": {"m": ["a", "b"]}}, "E605", "must be numbers"),
        ({"parameters": {"m": []}}, "E605", "no values"),
        ({"parameters": {"m": [1.0]}, "workers": -1}, "E605", "threads"),
        ({"parameters": {"m": [1.0]}, "outputs": "z*"}, "E607", "z*"),
    ],
)
def test_wrong_settings(pendulum: cutset.Model, settings: dict[str, object], code: str, words: str) -> None:
    with pytest.raises(RunError, match=code) as error:
        pendulum.batch(2.0, **settings)  # type: ignore[arg-type]
    assert words in str(error.value)


def test_progress_and_files(pendulum: cutset.Model, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    batch = pendulum.batch(
        1.0, initial={"q": np.linspace(0.0, 1.0, 100)}, method="rk4", progress=lambda *done: seen.append(done)
    )
    assert seen[-1] == (100, 100)
    batch.to_npz(tmp_path / "b.npz")
    with np.load(tmp_path / "b.npz") as found:
        assert np.array_equal(found["values"], batch.values)
        assert found["names"].tolist() == ["q", "w"]
    with pytest.raises(cutset.UnknownName):
        batch["E"]


def test_a_parquet_file_has_a_row_for_each_run_and_time(pendulum: cutset.Model, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    given = {"q": np.linspace(0.0, 1.0, 3)}
    batch = pendulum.batch(1.0, initial=given, method="rk4", points=4, outputs=["w", "E"])
    batch.to_parquet(tmp_path / "b.parquet")
    table = parquet.read_table(tmp_path / "b.parquet")
    assert table.column_names == ["run", "time", "w", "E"]
    assert table["run"].to_pylist() == [0] * 4 + [1] * 4 + [2] * 4
    assert np.array_equal(table["time"].to_numpy().reshape(3, 4)[2], batch.time)
    assert np.array_equal(table["E"].to_numpy().reshape(3, 4), batch["E"])


def test_without_pyarrow_no_parquet_file_is_written(
    pendulum: cutset.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cutset.runtime.optional_packages.find_spec", lambda name: None)
    batch = pendulum.batch(0.1, initial={"q": [0.1, 0.2]})
    with pytest.raises(RunError, match="pip install pyarrow"):
        batch.to_parquet(tmp_path / "b.parquet")
    assert not list(tmp_path.iterdir())


def test_runs_that_cannot_start_are_translated_for_their_values_twice_only(write_model, monkeypatch) -> None:
    text = "model M\n  parameter k = 2.5\n  local x(start=1), y\n  x = 2 + k*time\n  der(x) = y\nend\n"
    model, found = cutset.load(write_model(text)), []
    translate = cutset.Model.for_values
    monkeypatch.setattr(cutset.Model, "for_values", lambda self, given: found.append(given) or translate(self, given))
    batch = model.batch(1.0, parameters={"k": [2.5, 3.5, 4.5, 5.5, 0.0]})
    assert len(batch.failed) == 5 and "E644" in batch.failed[3]
    assert [given["k"] for given in found] == [2.5, 3.5, 0.0]
    found.clear()
    sweep = model.sweep({"k": [3.0, 4.0, 5.0, 6.0]}, ["x"], 1.0, workers=1)
    assert [row.reason[:4] for row in sweep.rows] == ["E644"] * 4 and len(found) == 2


def test_measures_are_numbers_of_each_run(pendulum: cutset.Model) -> None:
    """Those of a single run with the same rows, where these are fine; a run without such a value is told."""
    q = np.array([0.1, 0.5, 3.14])
    texts = ["max(q)", "min(w)", "mean(E)", "rms(q*w)", "value(q, at=1.5)", "period(q)"]
    batch = pendulum.batch(4.0, initial={"q": q}, outputs=["E", *texts], parameters={"d": 0.5}, rtol=1e-8)
    assert batch["E"].shape == (3, 501) and batch.names == ("E",)
    for k in range(3):
        run = pendulum.simulate(4.0, initial={"q": q[k]}, parameters={"d": 0.5}, rtol=1e-8)
        for text in texts[: 5 if k == 2 else 6]:
            assert batch[text][k] == pytest.approx(cutset.measure(run, text), rel=2e-4, abs=2e-5)
    assert np.isnan(batch["period(q)"][2]) and "period(q) has no value in 1 run" in batch.notes[0]
    with pytest.raises(RunError, match="x"):
        pendulum.batch(1.0, initial={"q": q}, outputs=["max(x)"])
    assert pendulum.batch(1.0, initial={"q": q}, outputs="max(q)", points=11).time.shape == (11,)


def test_a_failed_run_has_no_measure(ball: cutset.Model) -> None:
    batch = ball.batch(1.0, initial={"h": [1.0, 1.9], "v": [0.0, 3.0]}, outputs=["max(h)", "mean(h)"])
    assert list(batch.failed) == [1] and np.isnan([batch["max(h)"][1], batch["mean(h)"][1]]).all()
    assert batch["max(h)"][0] == pytest.approx(1.0) and batch["mean(h)"][0] > 0.0
