"""Samples of distributions, and sweeps over them that record functions of results."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import cutset
from cutset.runtime.errors import RunError

TEXT = """\
model M
  parameter k = 2, r(2) = [1, 2]
  local x (start=1), y
  der(x) = -k*x
  y = r(1) + 10*r(2) + x
  assert x < 1.5, "too large"
end
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> cutset.Model:
    path = tmp_path_factory.mktemp("sampling") / "m.mo"
    path.write_text(TEXT, encoding="utf-8")
    return cutset.load(path)


@pytest.mark.parametrize("method", ["latin", "sobol", "random"])
def test_draws_follow_their_distributions(method) -> None:
    """Kolmogorov and Smirnov's test of each column, and no correlation between them."""
    kinds = {"a": cutset.uniform(2, 5), "b": cutset.normal(-1, 0.5), "c": scipy.stats.gamma(2.0)}
    drawn = cutset.sample(kinds, 512, method, seed=3)
    expected = scipy.stats.uniform(2, 3), scipy.stats.norm(-1, 0.5), scipy.stats.gamma(2.0)
    for name, distribution in zip(kinds, expected, strict=True):
        assert scipy.stats.kstest(drawn[name], distribution.cdf).pvalue > 1e-3
    assert np.abs(np.corrcoef([drawn[name] for name in kinds]) - np.eye(3)).max() < 0.15
    again = cutset.sample(kinds, 512, method, seed=3)
    assert all((drawn[name] == again[name]).all() for name in kinds)
    assert (cutset.sample(kinds, 512, method, seed=4)["a"] != drawn["a"]).any()


def test_a_latin_hypercube_has_one_value_in_each_interval() -> None:
    drawn = cutset.sample({"a": cutset.uniform(0, 50), "b": 7}, 50)
    assert sorted(np.floor(drawn["a"])) == list(range(50)) and drawn["b"].tolist() == [7.0] * 50


def test_vectors_and_points() -> None:
    drawn = cutset.sample({"r": [cutset.uniform(0, 1), 5.0], "k": cutset.normal(0, 1)}, 4)
    assert drawn["r"].shape == (4, 2) and set(drawn["r"][:, 1]) == {5.0} and len(drawn) == 2 and drawn.runs == 4
    assert drawn.points()[2] == {"r": drawn["r"][2].tolist(), "k": drawn["k"][2]}


@pytest.mark.parametrize(
    "wrong",
    [lambda: cutset.uniform(1, 1), lambda: cutset.uniform("a", 1), lambda: cutset.normal(0, 0),
     lambda: cutset.normal(0, float("nan")), lambda: cutset.sample({}, 3), lambda: cutset.sample([1], 3),
     lambda: cutset.sample({"a": "b"}, 3), lambda: cutset.sample({"a": []}, 3), lambda: cutset.sample({"a": 1}, 0),
     lambda: cutset.sample({"a": 1}, 2.5), lambda: cutset.sample({"a": 1}, 3, "halton"),
     lambda: cutset.sample({"a": 1}, 3, seed=-1), lambda: cutset.sample({"a": float("inf")}, 3),
     lambda: cutset.sample({"a": scipy.stats.norm(0, float("nan"))}, 3)],
)  # fmt: skip
def test_wrong_arguments_are_refused(wrong) -> None:
    with pytest.raises(RunError, match="E605"):
        wrong()


def test_a_sweep_over_a_sample(model) -> None:
    drawn = cutset.sample({"k": cutset.uniform(1, 3), "r": [cutset.normal(0, 1), 2.0]}, 8)
    found = model.sweep(drawn, ["x", "y"], stop=1.0, rtol=1e-9)
    assert found.varied == ("k", "r(1)", "r(2)") and (found["r"] == drawn["r"]).all()
    assert found["x"] == pytest.approx(np.exp(-drawn["k"]), rel=1e-6)
    assert found["y"] == pytest.approx(drawn["r"] @ [1, 10] + found["x"], rel=1e-12)
    batch = model.batch(1.0, parameters=drawn, rtol=1e-9)
    assert batch["x"][:, -1] == pytest.approx(found["x"], rel=1e-9)


def test_vectors_in_lists(model) -> None:
    found = model.sweep({"r": [[0, 0], [1, 0], [0, 1]], "k": [1.0, 2.0]}, ["y"], stop=0.0)
    assert (found["y"] - 1).tolist() == [0, 0, 1, 1, 10, 10]
    with pytest.raises(RunError, match="E605"):
        model.sweep([{"r": [0, 0]}, {"r": 1.0}], ["y"], stop=0.0)


def settling(run: cutset.Result) -> float:
    return float(run.time[np.flatnonzero(run["x"] > 0.1)[-1]])


def test_functions_of_results(model) -> None:
    """`settling` can be sent to a process, a lambda cannot."""
    keep = {"slow": "max(x)", "settled": settling, "x": lambda run: run.at([0.0, 0.5])["x"]}
    for kept in (keep, {name: keep[name] for name in ("slow", "settled")}):
        found = model.sweep({"k": [2.0, 4.0]}, kept, stop=2.0, workers=2)
        assert found.kept == tuple(kept) and found["slow"].tolist() == [1.0, 1.0]
        assert found["settled"] == pytest.approx(np.log(10) / np.array([2.0, 4.0]), abs=5e-3)
    found = model.sweep({"k": [2.0, 4.0]}, keep, stop=2.0)
    assert found["x"] == pytest.approx(np.exp(-np.outer([2.0, 4.0], [0.0, 0.5])), rel=1e-5)
    assert found.numbers == ("slow", "settled") and next(found.table())[:3] == ["k", "slow", "settled"]


def test_failed_runs_and_functions_are_rows(model) -> None:
    def fragile(run: cutset.Result) -> list[float]:
        if run["k"][0] == 1.0:
            raise ValueError("not this one")
        return [run["x"][-1], 0.0]

    found = model.sweep({"k": [1.0, 2.0, -2.0]}, {"a": fragile}, stop=1.0)
    assert [row.reason.partition(":")[0] for row in found.rows] == ["ValueError", "", "E618"]
    assert np.isnan(found["a"][0]).all() and found["a"].shape == (3, 2) and found["a"][1, 1] == 0.0
    assert found["a"][2, 0] == pytest.approx(1.5, abs=1e-6)  # up to the failure


def test_arrays_of_several_shapes(model) -> None:
    found = model.sweep({"k": [1.0, 2.0]}, {"a": lambda run: np.zeros(int(run["k"][0]))}, stop=0.0)
    assert found["a"].dtype == object and [len(each) for each in found["a"]] == [1, 2]


@pytest.mark.parametrize("keep", ["x", [1], {"a": 1}, {1: "x"}])
def test_what_cannot_be_recorded(model, keep) -> None:
    with pytest.raises(TypeError, match="keep must be"):
        model.sweep({"k": [1.0]}, keep)


def test_a_data_frame(model) -> None:
    pytest.importorskip("pandas")
    frame = model.sweep(cutset.sample({"k": cutset.uniform(1, 3)}, 5), {"end": "x"}, stop=1.0).to_pandas()
    assert list(frame.columns) == ["k", "end", "outcome", "reason", "seconds"] and len(frame) == 5
    assert frame["end"].corr(frame["k"]) < -0.9
