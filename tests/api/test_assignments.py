"""Values on the command line, and in files that it names."""

from __future__ import annotations

from pathlib import Path

import pytest

import cutset
from cutset.api.command_line.command import main, separated
from cutset.api.commands.common import assignments

TEXT = """\
model M
  parameter k = 2, r(2) = [1, 2]
  input u
  local x (start=1), y
  der(x) = u - k*x
  y = r(2)
end
"""


@pytest.mark.parametrize(
    ("word", "value"),
    [("a=1", 1.0), ("a = [1, 2]", [1.0, 2.0]), ("a=[1, 2; 3, 4]", [[1.0, 2.0], [3.0, 4.0]]), ("a=Stuck", "Stuck")],
)
def test_words(word: str, value: object) -> None:
    assert assignments(word) == [("a", value)]


def test_a_file_of_values(tmp_path: Path) -> None:
    file = tmp_path / "v.toml"
    file.write_text('k = 3\n"a.b.c" = true\nK = [[1, 2.5], [3, 4]]\n[arm.r1]\nq = 0.5\nmode = "Stuck"\n')
    assert assignments(f"@{file}") == [
        ("k", 3.0), ("a.b.c", "true"), ("K", [[1.0, 2.5], [3.0, 4.0]]), ("arm.r1.q", 0.5), ("arm.r1.mode", "Stuck"),
    ]  # fmt: skip
    assert separated(["--set", "a=1", "@v.toml", "m.mo"]) == ["--set=a=1", "--set=@v.toml", "m.mo"]


@pytest.mark.parametrize(
    ("text", "told"),
    [("a = 1979-05-27", "'a' must be a number"), ("a = inf", "'a' must be"), ("a = []", "'a' must be"),
     ("a = {}\nb = ''", "'b' must be"), ("a =", "is not TOML"), ("a = [1, [nan]]", "'a' must be"),
     ("[" * 5000, "is not TOML"), ("\xff", "is not TOML")],
)  # fmt: skip
def test_a_wrong_file_is_a_usage_error(tmp_path: Path, text: str, told: str, capsys) -> None:
    (tmp_path / "v.toml").write_bytes(text.encode("latin-1"))
    (tmp_path / "m.mo").write_text(TEXT)
    assert main(["simulate", "--set", f"@{tmp_path / 'v.toml'}", str(tmp_path / "m.mo")]) == 2
    assert told in " ".join(capsys.readouterr().err.split())


def test_files_that_are_none(tmp_path: Path, capsys) -> None:
    for name in ("none.toml", "m.mo", ""):
        assert main(["simulate", f"--set=@{tmp_path / name}", "m.mo"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_run_with_values_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "v.toml").write_text("k = 0.5\nu = 1\nx = 4.0\nr = [7, 8]\n")
    (tmp_path / "m.mo").write_text(TEXT)
    words = ["simulate", str(tmp_path / "m.mo"), "--set", f"@{tmp_path / 'v.toml'}", "x=2", "--stop", "9"]
    assert main([*words, "-o", str(tmp_path / "run.csv")]) == 0
    run = cutset.read(tmp_path / "run.csv")
    assert run["x"] == pytest.approx(2.0) and run["y"][-1] == 8.0
