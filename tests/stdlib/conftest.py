"""Runs of small models of one library."""

from __future__ import annotations

import pytest

import cutset


@pytest.fixture
def run_with(write_model):
    """run_with(include, body, stop) -> result of an object with this body, accurate, at 1001 points."""

    def run(include: str, body: str, stop: float = 1.0, **options):
        text = f"{include}\nmodel Top\n{body}\nend\n"
        chosen = {"rtol": 1e-9, "atol": 1e-10, "points": 1001, "target": "python"} | options
        return cutset.load(write_model(text)).simulate(stop=stop, **chosen)

    return run
