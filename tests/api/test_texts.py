"""Parameters that are texts: in runs, as names of files, in the cache."""

from __future__ import annotations

import pytest

import cutset
from cutset.api.command_line.command import main

PUMP = """
model class Pump
  parameter (Text) file, column = "h"
  parameter q(2) (unit="m3/s") = table(file, "q"), h(2) (unit="m") = table(file, column)
  output y (unit="m")
  y = interp1(0.0005 m3/s, q, h)
end
"""
STATION = """@"lib/pump"
model Station
  parameter curve = "small.csv", limit = 100, name = "first"
  submodel (Pump) a(file=curve), b(file="data/large.csv")
  local x (start=0)
  der(x) = a.y
  assert x < limit, "{name}: x = {x} with {curve}"
end
"""


@pytest.fixture
def station(tmp_path, monkeypatch):
    """A class that finds the files beside the model that names them, not beside itself."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "lib" / "pump.mo").write_text(PUMP)
    (tmp_path / "small.csv").write_text("q [l/min],h [m]\n0,20\n60,16\n")
    (tmp_path / "data" / "large.csv").write_text("q [l/min],h [m]\n0,30\n60,26\n")
    (tmp_path / "flat.csv").write_text("q [l/min],h [mm]\n0,7000\n60,7000\n")
    (tmp_path / "station.mo").write_text(STATION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_run_chooses_the_file(station) -> None:
    model = cutset.load("station.mo")
    assert model.parameters["curve"] == "small.csv" and model.folded["b.column"] == "h"
    ends = [model.simulate(stop=1.0, parameters={"curve": each})["a.y"][-1] for each in ("flat.csv", "small.csv")]
    assert ends == pytest.approx([7.0, 18.0]) and model.simulate(stop=1.0)["b.y"][-1] == pytest.approx(28.0)
    swept = model.sweep({"curve": ["data/large.csv", "flat.csv"]}, ["a.y", "x"], stop=1.0)
    assert swept["a.y"] == pytest.approx([28.0, 7.0]) and swept["x"] == pytest.approx([28.0, 7.0])
    loaded = cutset.load("station.mo", parameters={"curve": "flat.csv"})
    assert loaded.simulate(stop=1.0)["a.y"][-1] == pytest.approx(7.0)


def test_a_changed_file_is_read_again(station) -> None:
    for head in (16, 12):
        (station / "small.csv").write_text(f"q [l/min],h [m]\n0,20\n60,{head}\n")
        assert cutset.load("station.mo").simulate(stop=1.0)["a.y"][-1] == pytest.approx((20 + head) / 2)


def test_the_command_line_gives_texts(station, capsys) -> None:
    words = ["simulate", "station.mo", "--stop", "1", "--set", "curve=flat.csv", 'name="my own"', "limit=3"]
    assert main(words) == 1
    assert "an assertion failed: my own: x = 3 with flat.csv" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"curve": 3}, "'curve' is a text and cannot be 3"),
        ({"limit": "high"}, "'limit' must be a finite number, not 'high'"),
        ({"curve": "none.csv"}, "no file 'none.csv'"),
        ({"curve": "../secret.csv"}, "outside of the library path"),
        ({"a.column": "q"}, "'h' is in m, but its value is in m3/s"),
        ({"a.column": "Q"}, "has no column 'Q'"),
        ({"crve": "flat.csv"}, "did you mean 'curve'?"),
    ],
)
def test_what_cannot_be_given(station, given, message) -> None:
    (station.parent / "secret.csv").write_text("q,h\n1,2\n")
    with pytest.raises((cutset.ModelError, cutset.RunError)) as caught:
        cutset.load("station.mo").simulate(stop=1.0, parameters=given)
    assert message in str(caught.value)


def test_a_class_is_checked_without_its_file(station) -> None:
    assert main(["check", "lib/pump.mo"]) == 0


def test_tables_of_one_call_have_one_unit(station) -> None:
    (station / "small.csv").write_text("q [l/min],h [bar]\n0,20\n60,16\n")
    with pytest.raises(cutset.ModelError, match=r"'data/large.csv' has its numbers in m, another one .* in Pa"):
        cutset.load("station.mo")
