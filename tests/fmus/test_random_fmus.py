"""Random models run as FMUs as `simulate` runs their text, see `oracles/random_fmus.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fmpy")

from oracles.random_fmus import differences, random_fmu

from fmus.tiny import COMPILER

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")


@pytest.mark.parametrize(("seed", "version"), [(2, 2), (20, 3)])
def test_all_ways_agree(tmp_path: Path, seed: int, version: int) -> None:
    assert differences(random_fmu(seed), version, tmp_path) == []
