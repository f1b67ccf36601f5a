"""Random models run as FMUs as `simulate` runs their text, see `oracles/random_fmus.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fmpy")

from oracles.random_fmus import differences, random_fmu

from fmus.tiny import COMPILER

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")


@pytest.mark.parametrize(("seed", "version"), [(2, 2), (20, 3)])
def test_all_ways_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, version: int) -> None:
    monkeypatch.setenv("CC", f"{COMPILER} -O0")
    assert differences(random_fmu(seed), version, tmp_path) == []
