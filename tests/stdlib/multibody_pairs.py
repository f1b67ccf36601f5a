"""Values of a model with each of the four multibody libraries."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np

import cutset

LIBRARIES = ("mbs", "mbssim", "mbsmat", "mbsabs")


def at_start(path: Path, names: list[str], library: str) -> np.ndarray:
    """The values of these scalar variables where a run of the model, which includes mbs, begins with this library."""
    _, run = _started(path.read_text(encoding="utf-8"), library)
    return np.array([run[name][0] for name in names])


def model_with(path: Path, library: str) -> cutset.Model:
    """The model, which includes mbs, with this library."""
    return _started(path.read_text(encoding="utf-8"), library)[0]


@lru_cache(maxsize=32)
def _started(text: str, library: str) -> tuple[cutset.Model, cutset.Result]:
    """The model and a run of zero seconds, once for all tests that compare with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mo"
        path.write_text(text, encoding="utf-8")
        model = cutset.load(path, instead={"mbs": library})
        return model, model.simulate(stop=0.0, rtol=1e-12, atol=1e-12)


def vectors(*names: str) -> list[str]:
    """The elements of these vectors with three elements."""
    return [f"{name}({k})" for name in names for k in (1, 2, 3)]


def assert_same(found: np.ndarray, expected: np.ndarray, error: float = 1e-9) -> None:
    """They agree to 1e-9 of the largest value, or to this part of it."""
    np.testing.assert_allclose(found, expected, rtol=error, atol=error * np.abs(expected).max())
