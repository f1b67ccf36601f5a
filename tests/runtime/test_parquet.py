"""Parquet files need a package that may be missing."""

from contextlib import nullcontext

import pytest

from cutset.runtime.errors import RunError
from cutset.runtime.results.parquet import need_pyarrow


@pytest.mark.parametrize(
    ("found", "expected"), [(object(), nullcontext()), (None, pytest.raises(RunError, match="pip install pyarrow"))]
)
def test_a_missing_package_is_named(found, expected, monkeypatch):
    monkeypatch.setattr("cutset.runtime.optional_packages.find_spec", lambda name: found)
    with expected:
        need_pyarrow()
