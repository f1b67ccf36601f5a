"""Initial systems with too many and too few conditions: what `cutset check` says of each is what stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutset.api.command_line.command import main

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MODELS = sorted((HERE / "starts").glob("*.mo"))


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_what_is_said(model: Path, agrees, monkeypatch, capsys) -> None:
    monkeypatch.chdir(model.parent)
    main(["check", model.name])
    printed = capsys.readouterr()
    notes = [line for line in printed.out.splitlines() if line.startswith(("note:", "M: no errors"))]
    text = "\n".join([*notes, printed.err]).strip() + "\n"
    assert "error[" in text or "note:" in text
    agrees(text.replace(str(ROOT), "ROOT"), model.with_suffix(".txt"))


def test_there_are_ten_pairs() -> None:
    names = {path.stem.rpartition("_")[2] for path in MODELS}
    over, under = (sum(path.stem.endswith(end) for path in MODELS) for end in ("over", "under"))
    assert names == {"over", "under"}
    assert min(over, under) >= 10
