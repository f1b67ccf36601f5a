"""The operations of the multibody libraries in the tables of the pages are those of the translated models."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from shipped_models import LIBRARIES, shipped

ROOT = Path(__file__).parents[2]
PAGES = ("multibody.md", "absolute_coordinates.md", "velocity_transformation.md")
# Models of this many products take seconds to translate.
MOST = 10_000


def counts() -> list[tuple[str, str, str, str]]:
    """(page, model, library, what the page says) of each count in a table with a column for each library."""
    found = []
    for page in PAGES:
        columns: list[str] = []
        for line in (ROOT / "docs" / "libraries" / page).read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if "`mbssim`" in cells:
                columns = [cell.strip("`") for cell in cells]
            model = re.search(r"`(models/[\w/]+\.mo)`", line)
            if not line.startswith("|") or model is None or "mbssim" not in columns:
                continue
            pairs = zip(columns, cells, strict=True)
            found += [(page, model[1], name, said) for name, said in pairs if name in LIBRARIES and said]
    return found


@cache
def operations(model: str, library: str) -> tuple[int, int]:
    counted = shipped(model.removeprefix("models/"), library=library).inspect()["operations"]
    return counted["mul_div"], counted["add_sub"]


COUNTS = [count for count in counts() if int(count[3].split(",")[0]) < MOST]


@pytest.mark.parametrize(("page", "model", "library", "said"), COUNTS)
def test_pages_tell_the_operations(page, model, library, said):
    numbers = tuple(map(int, said.split(",")))
    assert operations(model, library)[: len(numbers)] == numbers


def test_all_tables_are_read():
    assert {page for page, *_ in COUNTS} == set(PAGES) and len(COUNTS) >= 30
