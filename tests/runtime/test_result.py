"""Results by name, and their files."""

from __future__ import annotations

import csv
import sys

import numpy as np
import pytest

import cutset
from cutset.runtime.errors import RunError, UnknownName
from cutset.runtime.outcome import Outcome
from cutset.runtime.results.plot import figure
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate


@pytest.fixture
def run(model):
    return simulate(model("oscillator"), Experiment(stop=1.0, points=11))


def test_names(run):
    assert set(run.names()) >= {"body.s", "spring.s", "T(1,3)", "body.m", "loss"}
    assert "body.s" in run and "time" in run and "body.q" not in run
    assert np.array_equal(run["loss"], -run["energy"]) and np.array_equal(run["time"], run.time)
    assert run["T(1,3)"].tolist() == [1.5] * 11


def test_unknown_name_is_a_key_error_with_a_hint(run):
    with pytest.raises(KeyError) as raised:
        run["spring.sk"]
    assert isinstance(raised.value, RunError)
    assert raised.value.hint == "'spring' has 'spring.k', 'spring.minus_k' and 'spring.s'"


def test_what_is_handed_out_can_be_changed(run):
    run["body.s"][:] = 0.0
    assert run["body.s"][0] == 1.0


def test_patterns(run):
    assert run.select(["body.?"]) == ("body.s", "body.v", "body.a", "body.m")
    assert run.select(["*.s", "body.s"]) == ("body.s", "spring.s")
    assert run.select(["T(1,*)"]) == ("T(1,3)",)
    with pytest.raises(UnknownName):
        run.select(["bodyXs"])
    with pytest.raises(UnknownName):
        run.select(["[a-z]*"])


def test_csv_is_read_back_exactly(run, tmp_path):
    run.to_csv(tmp_path / "all.csv")
    with open(tmp_path / "all.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][0] == "time" and set(rows[0][1:]) == set(run.names())
    for column, name in enumerate(rows[0]):
        assert [float(row[column]) for row in rows[1:]] == run[name].tolist()
    run.to_csv(tmp_path / "some.csv", outputs=["T(1,3)", "body.[sv]", "body.v"][::2])
    assert (tmp_path / "some.csv").read_text().splitlines()[0] == 'time,"T(1,3)",body.v'


def test_csv_has_both_sides_of_an_event(model, tmp_path):
    switched = simulate(model("switched"), Experiment(stop=0.5, points=2, parameters={"on": 0.25, "off": 9.0}))
    switched.to_csv(tmp_path / "r.csv", outputs=["force"])
    assert (tmp_path / "r.csv").read_text() == "time,force\n0.0,0.0\n0.25,0.0\n0.25,1.0\n0.5,1.0\n"


def test_npz(run, tmp_path):
    run.to_npz(tmp_path / "r.npz", outputs=["T*", "body.*"])
    with np.load(tmp_path / "r.npz") as data:
        names = set(data) - {"cutset.state"}
        assert names == {"time", "T(1,3)", "body.s", "body.v", "body.a", "body.m"}
        assert all(np.array_equal(data[name], run[name]) for name in names)
        assert data["cutset.state"] == run.state()


@pytest.mark.parametrize("a, row", [(0.0, 0), (0.5, 5)])
def test_variable_without_value_is_explained(model, a, row):
    run = simulate(model("gap"), Experiment(stop=1.0, points=11, method="rk4", parameters={"a": a}, initial={"s": 0.0}))
    failure = run.first_not_finite()
    assert run.outcome is Outcome.COMPLETED
    if a == 0.0:
        assert failure is not None and failure.outcome is Outcome.VARIABLE_NOT_FINITE
        assert failure.time == run.time[row] and failure.origin is not None and failure.origin.variable == "inverse"
        assert np.isinf(run["inverse"][row]) and np.isinf(run["twice"][row])
    others = np.arange(11) != row
    assert np.allclose(run["inverse"][others] * (run["s"][others] - a), 1.0)
    assert simulate(model("oscillator"), Experiment()).first_not_finite() is None


def test_a_discrete_variable_without_value_is_named(write_model):
    text = "model M\n  local x(start=1), y(start=0)\n  der(x) = -x\n  when sample(0, 0.25) then\n"
    path = write_model(text + "    new(y) = sqrt(0.6 - time)\n  endwhen\nend\n")
    failure = cutset.load(path).simulate(1.0, points=11).first_not_finite()
    assert failure is not None and str(failure.error()).startswith(
        "error[E617]: the discrete variable y is nan, at time 0.75\n  = note: x = 0.47"
    )


def test_variables_are_evaluated_once_and_late(model, monkeypatch):
    built = model("oscillator")
    calls = []
    evaluate = type(built).variables
    run = simulate(built, Experiment())  # which looks for undefined values
    monkeypatch.setattr(type(built), "variables", lambda *a: calls.append(1) or evaluate(*a))
    run["body.s"], run["spring.k"]
    assert not calls
    run["energy"], run["body.a"], run["loss"]
    assert len(calls) == 1


def test_plot_parts_what_does_not_belong_together(run, tmp_path):
    drawn = figure({"run": run}, ["body.s", "spring.s", "body.v", "energy"])
    labels = [[line.get_label() for line in axis.lines] for axis in drawn.axes]
    assert labels == [["body.s", "spring.s"], ["body.v"], ["energy"]]
    assert drawn.axes[-1].get_xlabel() == "time [s]" and drawn.axes[0].get_legend() is not None
    run.plot("body.*", save=tmp_path / "r.png")
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")


def test_plot_over_other_variables(run, tmp_path):
    paired = run.plot("body.v", "spring.s", over=["spring.s", "body.v"], save=tmp_path / "paired.svg")
    assert [(axis.get_xlabel(), axis.get_ylabel()) for axis in paired.axes] == [
        ("spring.s", "body.v"),
        ("body.v", "spring.s"),
    ]
    np.testing.assert_array_equal(paired.axes[0].lines[0].get_xdata(), run["spring.s"])
    np.testing.assert_array_equal(paired.axes[1].lines[0].get_ydata(), run["spring.s"])
    assert "<!-- spring.s -->" in (tmp_path / "paired.svg").read_text()
    one = run.plot("body.v", "energy", over="body.s")
    assert [axis.get_xlabel() for axis in one.axes] == ["body.s"] * 2
    with pytest.raises(RunError, match=r"expected one variable or 3 to plot over, found 2"):
        run.plot("body.v", "energy", "loss", over=["body.s", "body.v"])


def test_heavy_packages_are_not_imported_for_a_run():
    import subprocess

    program = (
        "import sys, cutset.runtime.runs.simulate, cutset.runtime.targets.build; print([m for m in sys.modules if m in "
    )
    program += "('scipy', 'matplotlib', 'scipy.integrate', 'sksundae')])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("name", ["run.xyz", "run", "run.csv"])
def test_a_picture_has_an_ending_of_its_kind(run, name, tmp_path):
    with pytest.raises(RunError) as raised:
        run.plot("body.s", save=tmp_path / name)
    assert raised.value.code == "E605" and ".png" in raised.value.hint
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["run", "run.csv", "run.txt", "run.CSV"])
def test_a_table_of_text_may_have_any_name_of_a_text(run, name, tmp_path):
    run.to_csv(tmp_path / name)
    assert (tmp_path / name).read_text().startswith("time,")


@pytest.mark.parametrize(("method", "name", "hint"), [
    ("to_csv", "run.npz", "to_npz"), ("to_csv", "run.xlsx", "'.csv'"), ("to_csv", "run.PNG", "'.csv'"),
    ("to_npz", "run.csv", "to_csv"), ("to_npz", "run.txt", "'.npz'"), ("to_npz", "run.mat", "'.npz'"),
])  # fmt: skip
def test_no_table_under_a_name_of_something_else(run, method, name, hint, tmp_path):
    with pytest.raises(RunError) as raised:
        getattr(run, method)(tmp_path / name)
    assert raised.value.code == "E605" and hint in raised.value.hint
    assert not (tmp_path / name).exists()


def test_in_words(run, model):
    assert repr(run).startswith("<Result of ") and ": 11 rows, time 0 to 1, " in repr(run)
    assert repr(run.linearize()).startswith("<Linearization at time 1: ")
