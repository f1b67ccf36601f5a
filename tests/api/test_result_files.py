"""Tables read back, and the names that commands take apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cutset.command import main
from cutset.endings import Failed, UsageError
from cutset.output import check_picture, check_table, split_names
from cutset.runtime.errors import UnknownName
from cutset.table import Table, read_table

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
        ("", "no column named time"),
        ("a,b\n1,2\n", "no column named time"),
        ("time,x\n1,two\n", "could not convert"),
        ("time,x\n1,2\n3\n", "not of one length"),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "run.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Failed, match=reason):
        read_table(path)


def test_npz_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    path.write_text("time")
    with pytest.raises(Failed, match="cannot read"):
        read_table(path)


def test_unknown_kinds_and_missing_folders_are_found_before_the_work(tmp_path: Path) -> None:
    for check, path in [
        (check_table, tmp_path / "run.xls"),
        (check_table, tmp_path / "missing" / "run.csv"),
        (check_picture, tmp_path / "run.csv"),
        (read_table, tmp_path / "run.txt"),
    ]:
        with pytest.raises(UsageError):
            check(path)


def test_plot_draws_beside_the_table(csv_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", str(csv_file), "a.*"]) == 0
    picture = csv_file.with_suffix(".png")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out == f"wrote {picture}\n"


def test_plot_of_an_unknown_name_proposes_the_nearest(csv_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", str(csv_file), "a.X"]) == 2
    assert "did you mean 'a.x'?" in capsys.readouterr().err


def test_capitals_in_an_ending(csv_file: Path) -> None:
    capitals = csv_file.rename(csv_file.with_name("RUN.CSV"))
    check_table(capitals)
    assert list(read_table(capitals).columns) == ["time", "a.x", "T(1,2)"]
