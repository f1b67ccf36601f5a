"""Results are mappings: scalars, arrays, lists and patterns by name, instants, data frames, events, copies."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest

import cutset
from cutset.api.files.result_table import read_table
from cutset.runtime.errors import RunError, UnknownName

TEXT = """\
model M "a test"
  parameter g (unit="m/s2") = 9.81
  local h (start=1, unit="m") "height", v (unit="m/s"), r(3), T(2,2), n (start=0)
  der(h) = v
  der(v) = -g
  r(1) = sin(2*time)
  r(2) = h
  r(3) = time^2
  T = [1, 2; 3, 4]*h
  when h <= 0 then
    init(v) = -0.8*v
    new(n) = n + 1
  endwhen
end
"""
FALL = math.sqrt(2 / 9.81)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> cutset.Result:
    path = tmp_path_factory.mktemp("trajectories") / "m.mo"
    path.write_text(TEXT, encoding="utf-8")
    return cutset.load(path).simulate(1.0, points=21)


def test_a_result_is_a_mapping(run) -> None:
    assert len(run) == len(list(run)) == len(run.names()) and "time" not in list(run)
    whole = dict(run)
    assert set(whole) == set(run.names()) and (whole["h"] == run["h"]).all()
    assert [name for name, _ in run.items()] == list(run) and len(run.values()) == len(run)
    assert run.get("nothing") is None and "nothing" not in run
    assert run == run and run != copy.copy(whole) and len({run, run}) == 1


def test_arrays_by_name(run) -> None:
    assert run["r"].shape == (len(run.time), 3) and run["T"].shape == (len(run.time), 2, 2)
    assert (run["r"][:, 1] == run["h"]).all()
    assert np.allclose(run["T"], np.array([[1, 2], [3, 4]]) * run["h"][:, None, None])
    assert "r" in run and "r" not in run.names() and run.arrays["T"].shape == (2, 2)


def test_lists_and_patterns(run) -> None:
    assert (run[["v", "h"]] == np.stack([run["v"], run["h"]], axis=1)).all()
    assert (run["r(?)"] == run["r"]).all() and (run[["r", "time"]][:, 3] == run.time).all()
    assert run[[]].shape == (len(run.time), 0)
    for name in ("q", "q*", ["h", "q"], 3, ["h", 3]):
        with pytest.raises(UnknownName, match="E607"):
            run[name]


def test_an_instant_between_rows(run) -> None:
    """The states are on cubic polynomials, which a fall is part of; other variables are computed from them."""
    at = run.at(0.333)
    assert at["h"] == pytest.approx(1 - 9.81 * 0.333**2 / 2, abs=1e-9)
    assert at["r"] == pytest.approx([math.sin(0.666), at["h"], 0.333**2], abs=1e-12)
    assert isinstance(at["h"], float) and at["n"] == 0 and len(at) == len(run) and "T" in at
    rows = run.at([0.1, 0.333, 0.9])
    assert rows["h"][1] == at["h"] and rows["n"].tolist() == [0, 0, 1] and (rows.time == [0.1, 0.333, 0.9]).all()
    assert run.at(run.time[3])["v"] == run["v"][3]


def test_an_instant_of_an_event_has_the_values_after_it(run) -> None:
    (event,) = run.events
    assert run.at(event.time)["n"] == 1 and run.at(event.time)["v"] > 0 > run.at(np.nextafter(event.time, 0))["v"]
    before = run.at(event.time - 1e-3)
    assert before["v"] == pytest.approx(-9.81 * (event.time - 1e-3), abs=1e-9)


@pytest.mark.parametrize("time", [-0.1, 1.1, math.nan, "soon", [[0.1]]])
def test_no_values_at_what_is_no_instant_of_the_run(run, time) -> None:
    with pytest.raises(RunError, match="E605"):
        run.at(time)


def test_events(run) -> None:
    (event,) = run.events
    assert event.time == pytest.approx(FALL, abs=1e-6) and event.kinds == ("state",)
    assert event.relations == {} and event.discrete == {"n": (0, 1)}  # h <= 0 was true for an instant
    before, after = event.states["v"]
    assert after == pytest.approx(-0.8 * before) and list(event.states) == ["v"]


def test_kinds_of_events(write_model) -> None:
    path = write_model(
        "model M\n  local x (start=1), y, u (start=0)\n  der(x) = u\n"
        "  y = if time > 0.25 then 1 else 0\n  when sample(0, 0.2) then\n    new(u) = -x\n  endwhen\nend\n"
    )
    run = cutset.load(path).simulate(0.5, points=6)
    assert [(round(e.time, 12), e.kinds, dict(e.relations)) for e in run.events] == [
        (0, ("sample",), {}), (0.2, ("sample",), {}), (0.25, ("time",), {"time > 0.25": True}), (0.4, ("sample",), {}),
    ]  # fmt: skip


def test_pandas(run) -> None:
    pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert list(frame.columns) == list(run) and frame.index.name == "time" and (frame.index == run.time).all()
    assert frame.attrs["units"]["h"] == "m" and (frame["r(2)"] == run["h"]).all()
    assert list(run.to_pandas(["r", "v"]).columns) == ["r(1)", "r(2)", "r(3)", "v"]
    assert list(run.to_pandas("T").columns) == ["T(1,1)", "T(1,2)", "T(2,1)", "T(2,2)"]


def test_xarray(run) -> None:
    pytest.importorskip("xarray")
    data = run.to_xarray()
    assert (data["r"].values == run["r"]).all() and data["T"].dims == ("time", "T_1", "T_2")
    assert data["h"].attrs == {"units": "m", "long_name": "height"} and data["time"].attrs["units"] == "s"
    assert set(run.to_xarray(["v", "r(1)"])) == {"v", "r(1)"} and set(run.to_xarray("r*")) == {"r"}


def test_a_pickled_result_has_its_values(run) -> None:
    run = run.resume(1.2)  # nothing of it has been computed before
    again = pickle.loads(pickle.dumps(run))
    assert all((again[name] == run[name]).all() for name in run) and again.events == run.events
    assert again.statistics == run.statistics and again.description == run.description
    assert repr(again) == repr(run) and again.state() == run.state()
    for call in (again.linearize, lambda: again.at(1.111)["v"]):
        with pytest.raises(RunError, match="was pickled"):
            call()
    with pytest.raises(RunError, match="cannot be continued"):
        again.resume(2.0)


def test_a_copy_goes_on(run) -> None:
    for again in (copy.copy(run), copy.deepcopy(run)):
        assert again.resume(1.5)["h"][-1] == run.resume(1.5)["h"][-1]


def test_a_table_is_a_mapping_too(run, tmp_path) -> None:
    for name in ("run.npz", "run.csv"):
        (run.to_npz if name.endswith("npz") else run.to_csv)(tmp_path / name)
        table = read_table(tmp_path / name)
        assert set(table) == set(run) and (table["r"] == run["r"]).all() and (table["T"] == run["T"]).all()
        middle = table.at((run.time[3] + run.time[4]) / 2)
        assert middle["h"] == pytest.approx((run["h"][3] + run["h"][4]) / 2, abs=1e-15)
        assert table.at([0.2])["h"] == pytest.approx(run.at(0.2)["h"], abs=1e-12)


def test_html_is_escaped(run, tmp_path) -> None:
    assert "<svg" in run._repr_html_() and "<code>h</code>" in run._repr_html_()
    (tmp_path / "bad.csv").write_text("time,<script>\n0,1\n1,nan\n", encoding="utf-8")
    shown = read_table(tmp_path / "bad.csv")._repr_html_()
    assert "<script>" not in shown and "&lt;script&gt;" in shown
