"""Tables read back, and the names that commands take apart."""

from __future__ import annotations

import os
import zipfile
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from unittest.mock import Mock

import numpy as np
import pytest
import scipy.io

import cutset
from cutset.api.command_line.command import main
from cutset.api.files.exit_errors import CommandFailed, UsageError
from cutset.api.files.result_files import TABLES, check_writable, split_names
from cutset.api.files.result_table import Table, read_table
from cutset.runtime.description import Description
from cutset.runtime.errors import UnknownName
from cutset.runtime.results.plot import figure
from cutset.runtime.results.result import Result

CSV = "time,a.x,T(1,2)\n0.0,1.0,3.0\n0.5,2.0,4.0\n".replace("T(1,2)", '"T(1,2)"')


@pytest.fixture
def csv_file(tmp_path: Path) -> Path:
    path = tmp_path / "run.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a", ["a"]),
        ("a,b.c", ["a", "b.c"]),
        ("a, T(1,2),b(3)", ["a", "T(1,2)", "b(3)"]),
        (",a,", ["a"]),
        ("b,T(1,*", ["b", "T(1,*"]),
    ],
)
def test_commas_of_an_index_separate_nothing(text: str, names: list[str]) -> None:
    assert split_names(text) == names


def test_csv_is_read_by_name(csv_file: Path) -> None:
    table = read_table(csv_file)
    assert table.time.tolist() == [0.0, 0.5]
    assert table["T(1,2)"].tolist() == [3.0, 4.0]


def test_npz_is_read_by_name(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    np.savez(path, time=np.array([0.0, 1.0]), x=np.array([2.0, 3.0]))
    assert read_table(path)["x"].tolist() == [2.0, 3.0]


def test_patterns_choose_in_order_and_once() -> None:
    table = Table({name: np.zeros(1) for name in ("time", "a.x", "b.x", "b(1)", "b1")})
    assert table.select(["b.*", "*.x"]) == ("b.x", "a.x")
    assert table.select(["b(?)"]) == ("b(1)",)
    with pytest.raises(UnknownName) as caught:
        table.select(["b.y"])
    assert "b.x" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no column time"),
        ("a,b\n1,2\n", "no column time"),
        ("time,x\n1,two\n", "could not convert"),
        ("time,x\n1,2\n3\n", "do not have the same length"),
        ("time,x\n1,2\n3,4.2", "its last line has no end, so that the file may be cut off"),
        ("time,x,x\n1,2,3\n", "two of its columns have the name 'x'"),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "run.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandFailed, match=reason):
        read_table(path)


@pytest.mark.parametrize("extension", [".csv", ".npz", ".mat"])
def test_a_file_stays_as_it_was_if_its_successor_is_not_complete(
    ball: Result, tmp_path: Path, extension: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results").mkdir()
    path = tmp_path / "results" / f"run{extension}"
    path.write_bytes(b"before")
    path.chmod(0o640)
    before_end = Mock(side_effect=OSError(28, "No space left on device"))
    with monkeypatch.context() as patched:
        patched.setattr("os.replace", before_end)
        with pytest.raises(OSError, match="No space left"):
            getattr(ball, TABLES[extension])(path)
    assert before_end.called and path.read_bytes() == b"before" and list(path.parent.iterdir()) == [path]
    getattr(ball, TABLES[extension])(path)
    assert len(read_table(path).time) > 2 and path.stat().st_mode & 0o777 == 0o640
    assert list(path.parent.iterdir()) == [path]


def test_links_pipes_and_folders_without_new_files(ball: Result, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link, real, pipe = tmp_path / "link.csv", tmp_path / "real" / "run.csv", tmp_path / "pipe.csv"
    link.symlink_to(real)
    ball.to_csv(link)
    assert link.is_symlink() and len(read_table(real).time) > 2
    os.mkfifo(pipe)
    reader = Thread(target=lambda: texts.append(pipe.read_text(encoding="utf-8")))
    texts: list[str] = []
    reader.start()
    ball.to_csv(pipe)
    reader.join()
    assert texts == [real.read_text(encoding="utf-8")]


def test_npz_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    path.write_text("time")
    with pytest.raises(CommandFailed, match="cannot read"):
        read_table(path)


def test_unknown_kinds_and_missing_folders_are_found_before_the_work(tmp_path: Path) -> None:
    for what, path in [
        ("table", tmp_path / "run.xls"),
        ("table", tmp_path / "missing" / "run.csv"),
        ("picture", tmp_path / "run.csv"),
    ]:
        with pytest.raises(UsageError):
            check_writable(path, what)
    with pytest.raises(UsageError):
        read_table(tmp_path / "run.txt")


def test_plot_draws_beside_the_table(csv_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", str(csv_file), "a.*"]) == 0
    picture = csv_file.with_suffix(".png")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out == f"wrote {picture}\n"


def test_plot_over_a_variable(ball: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, picture = tmp_path / "a.npz", tmp_path / "over.svg"
    ball.to_npz(table)
    assert main(["plot", str(table), "v", "--over", "h", "--save", str(picture)]) == 0
    drawn = picture.read_text()
    assert "<!-- h [m] -->" in drawn and "<!-- v [m/s] -->" in drawn and "<!-- time [s] -->" not in drawn
    assert main(["plot", str(table), "v", "--over", "h,time"]) == 2
    assert "expected one variable to plot over, found 2" in capsys.readouterr().err
    assert main(["plot", str(table), "v", "--over", "height"]) == 2
    assert "there is no variable 'height'" in capsys.readouterr().err


def test_paths_in_a_plane_are_drawn_together_and_to_scale() -> None:
    t = np.linspace(0.0, 1.0, 5)
    columns = {"time": t, "a.r(1)": t, "a.r(2)": t**2, "b.r(1)": 2 * t, "b.r(2)": -t, "a.v": t}
    units = {name: "m/s" if name == "a.v" else "m" for name in columns}
    run = Table(columns, Description(units=units))
    [paths] = figure({"a": run}, ["a.r(2)", "b.r(2)"], ["a.r(1)", "b.r(1)"]).axes
    assert (paths.get_xlabel(), paths.get_ylabel(), paths.get_aspect()) == ("r(1) [m]", "r(2) [m]", 1.0)
    assert [line.get_label() for line in paths.lines] == ["a.r(2) over a.r(1)", "b.r(2) over b.r(1)"]
    np.testing.assert_array_equal(paths.lines[1].get_xdata(), 2 * t)
    [portrait] = figure({"a": run}, ["a.v"], ["a.r(1)"]).axes
    assert portrait.get_aspect() == "auto"


def test_plot_of_an_unknown_name_proposes_the_nearest(csv_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", str(csv_file), "a.X"]) == 2
    assert "did you mean 'a.x'?" in capsys.readouterr().err


def test_capitals_in_an_ending(csv_file: Path) -> None:
    capitals = csv_file.rename(csv_file.with_name("RUN.CSV"))
    check_writable(capitals, "table")
    assert list(read_table(capitals).columns) == ["time", "a.x", "T(1,2)"]


ROUND = """{ a ball }
model Ball "a ball that jumps"
  parameter e = 0.8 "of the impact"
  local h (unit="m", start=1) "height; \u00e9", v (unit="m/s")
  local w (unit="m/s")
  v = der(h)
  w = -v
  der(v) = -9.81
  when h < 0 then
    init(v) = -e*v
  endwhen
end
"""
KINDS = [
    ".csv",
    ".npz",
    ".mat",
    pytest.param(".parquet", marks=pytest.mark.skipif(not find_spec("pyarrow"), reason="pyarrow is not installed")),
]


@pytest.fixture
def ball(write_model) -> Result:
    return cutset.load(write_model(ROUND)).simulate(stop=1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_is_read_back_exactly(kind: str, ball: Result, tmp_path: Path) -> None:
    path = tmp_path / f"ball{kind}"
    getattr(ball, TABLES[kind])(path)
    table = read_table(path)
    assert list(table.columns) == ["time", *ball.names()]
    for name in ("time", "h", "v", "w", "e", "der(v)"):
        assert table[name].tolist() == ball[name].tolist()
    if kind != ".csv":
        assert {name: table.description.units[name] for name in ("time", "h", "v", "w")} == {
            "time": "s",
            "h": "m",
            "v": "m/s",
            "w": "m/s",
        }


@pytest.mark.parametrize("kind", KINDS)
def test_chosen_names_alone_are_written(kind: str, ball: Result, tmp_path: Path) -> None:
    path = tmp_path / f"ball{kind}"
    getattr(ball, TABLES[kind])(path, ["v", "e"])
    assert list(read_table(path).columns) == ["time", "v", "e"]


def test_mat_is_laid_out_as_dymola_does(ball: Result, tmp_path: Path) -> None:
    """The matrices as scipy reads them, by the rules of Dymola's manual for files of results."""
    ball.to_mat(tmp_path / "ball.mat")
    found = scipy.io.loadmat(tmp_path / "ball.mat", chars_as_strings=True)
    assert [text.rstrip() for text in found["Aclass"]] == ["Atrajectory", "1.1", "", "binTrans"]
    names = [
        "".join(column).rstrip() for column in scipy.io.loadmat(tmp_path / "ball.mat", chars_as_strings=False)["name"].T
    ]
    info, n = found["dataInfo"], len(ball.time)
    assert names == ["time", *ball.names()] and info.shape == (4, len(names)) and info.dtype.kind == "i"
    assert info[:, 0].tolist() == [0, 1, 0, -1]
    assert found["data_2"].shape[1] == n and found["data_1"].shape[1] == 2
    of = dict(zip(names, info.T.tolist(), strict=True))
    assert of["e"][:2] == [1, 2] and found["data_1"][1].tolist() == [0.8, 0.8]
    assert of["v"][0] == 2 and of["w"][:2] == [2, -of["v"][1]]  # one row for both
    assert found["data_2"][0].tolist() == ball.time.tolist()
    assert (np.diff(ball.time) == 0.0).any()  # an event stands twice


@pytest.mark.skipif(not find_spec("DyMat"), reason="DyMat is not installed")
def test_mat_is_read_by_dymat(ball: Result, tmp_path: Path) -> None:
    import DyMat

    ball.to_mat(tmp_path / "ball.mat")
    file = DyMat.DyMatFile(str(tmp_path / "ball.mat"))
    assert set(file.names()) == set(ball.names())
    for name in ("h", "v", "w"):
        assert file.data(name).tolist() == ball[name].tolist()
        assert file.abscissa(name, valuesOnly=True).tolist() == ball.time.tolist()
    assert file.data("e").tolist() == [0.8, 0.8]
    assert file.description("e") == "of the impact" and file.description("v") == "[m/s]"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"dataInfo": np.array([[0, 2], [1, 99], [0, 0], [-1, -1]], dtype=np.int32)}, "row 99"),
        ({"dataInfo": np.array([[0], [1], [0], [-1]], dtype=np.int32)}, "do not have the same size"),
        ({"Aclass": np.array(["Atrajectory", "1.1", "", "other"])}, "Aclass"),
        ({"data_2": None}, "the matrix data_2"),
    ],
)
def test_mat_that_is_none_of_dymola_is_refused(change, reason: str, tmp_path: Path) -> None:
    def texts(*names: str) -> np.ndarray:
        return np.array(["".join(letters) for letters in zip(*(name.ljust(6) for name in names), strict=True)])

    good = {
        "Aclass": np.array(["Atrajectory", "1.1", "", "binTrans"]),
        "name": texts("time", "x"),
        "description": texts("", "[m]"),
        "dataInfo": np.array([[0, 2], [1, 2], [0, 0], [-1, -1]], dtype=np.int32),
        "data_1": np.array([[0.0, 1.0]]),
        "data_2": np.array([[0.0, 1.0], [3.0, 4.0]]),
    }
    path = tmp_path / "x.mat"
    scipy.io.savemat(path, good, format="4")
    assert read_table(path)["x"].tolist() == [3.0, 4.0] and read_table(path).description.units == {"x": "m"}
    scipy.io.savemat(path, {k: v for k, v in (good | change).items() if v is not None}, format="4")
    with pytest.raises(CommandFailed, match=reason):
        read_table(path)


@pytest.mark.parametrize("kind", [".npz", ".mat", ".parquet", ".csv"])
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"\x00" * 64, bytes(range(256)) * 8])
def test_files_of_anything_are_refused_in_words(kind: str, content: bytes, tmp_path: Path) -> None:
    if kind == ".parquet" and not find_spec("pyarrow"):
        pytest.skip("pyarrow is not installed")
    path = tmp_path / f"x{kind}"
    path.write_bytes(content)
    with pytest.raises(CommandFailed, match="cannot read"):
        read_table(path)


def test_a_description_that_is_none_is_refused(ball: Result, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    ball.to_npz(path, ["h"])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("other.npy", b"no array")
    with pytest.raises(CommandFailed, match="cannot read"):
        read_table(path)


def test_several_runs_are_drawn_in_one_picture(
    ball: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "a.npz", tmp_path / "b.csv"
    ball.to_npz(first)
    ball.to_csv(second, ["h"])
    assert main(["plot", str(first), str(second), "h", "v"]) == 0
    assert capsys.readouterr().out == f"wrote {tmp_path / 'a.png'}\n"
    drawn = figure({"a": read_table(first), "b": read_table(second)}, ["h", "v"])
    above, below = drawn.axes
    assert [text.get_text() for text in above.get_legend().get_texts()] == ["h, a", "h, b", "event"]
    assert [text.get_text() for text in below.get_legend().get_texts()] == ["v, a", "event"]
    assert (above.get_ylabel(), below.get_ylabel(), below.get_xlabel()) == ("h [m]", "v [m/s]", "time [s]")
    [marks] = above.collections
    assert [segment[0][0] for segment in marks.get_segments()] == pytest.approx([0.4515236409857309], rel=1e-6)


def test_what_is_in_no_run_is_said(ball: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ball.to_csv(tmp_path / "a.csv")
    ball.to_csv(tmp_path / "b.csv", ["v"])
    assert main(["plot", str(tmp_path / "b.csv"), str(tmp_path / "a.csv"), "h"]) == 0
    assert main(["plot", str(tmp_path / "b.csv"), str(tmp_path / "a.csv"), "hh"]) == 2
    assert main(["plot", str(tmp_path / "a.csv"), "--over", "v"]) == 2
    assert "name the variables to plot" in capsys.readouterr().err


def test_names_in_files_are_listed(ball: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ball.to_npz(tmp_path / "a.npz")
    ball.to_csv(tmp_path / "b.csv", ["v"])
    assert main(["plot", str(tmp_path / "a.npz"), str(tmp_path / "b.csv")]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [words[-2:] for words in lines if words[-1] == "rows"] == [[str(len(ball.time)), "rows"]] * 2
    assert [words[0] for words in lines].count("v") == 2 and [words[0] for words in lines].count("h") == 1
    (height,) = (words for words in lines if words[0] == "h")
    assert f"{ball['h'].max():.6g}" in height


def test_legends_cover_no_curve(ball: Result) -> None:
    drawn = ball.plot("h", "v")
    drawn.canvas.draw()
    for axis in drawn.axes:
        legend = axis.get_legend()
        assert legend is not None
        assert legend.get_window_extent().x0 >= axis.get_window_extent().x1
        assert legend.get_window_extent().x1 <= drawn.bbox.x1


def test_animate_tells_what_a_file_lacks(ball: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ball.to_csv(tmp_path / "a.csv")
    assert main(["animate", str(tmp_path / "a.csv")]) == 2
    assert "--of FILE" in capsys.readouterr().err
    ball.to_npz(tmp_path / "a.npz")
    assert main(["animate", str(tmp_path / "a.npz")]) == 1
    assert "there is nothing to draw" in capsys.readouterr().err


def test_animate_from_every_kind_of_result(tmp_path: Path) -> None:
    model = Path(__file__).parents[2] / "models" / "double_pendulum.mo"
    run = cutset.load(model).simulate(stop=0.5, points=11, initial={"r1.q": 1.0})
    run.to_npz(tmp_path / "a.npz")
    run.to_csv(tmp_path / "b.csv")
    run.animate(tmp_path / "c.html")
    assert main(["animate", str(tmp_path / "a.npz")]) == 0
    assert main(["animate", str(tmp_path / "b.csv"), "--of", str(model), "-o", str(tmp_path / "b.html")]) == 0
    texts = {(tmp_path / f"{name}.html").read_text() for name in "abc"}
    assert len(texts) == 1


@pytest.mark.parametrize(("events", "bottom"), [(20, 0.0), (21, 0.97)])
def test_many_events_are_marked_at_the_border(events: int, bottom: float) -> None:
    time = np.repeat(np.arange(events, dtype=float), 2)
    drawn = figure({"run": Table({"time": time, "x": np.sin(time)})}, ["x"])
    [marks] = drawn.axes[0].collections
    assert [line[0][1] for line in marks.get_segments()] == [bottom] * events
