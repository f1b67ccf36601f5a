"""Fixtures for the hand-written models, and a disk cache for these tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hand_written import load_model

from cutset.runtime.interface import CompiledModel


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory):
    """The user's cache neither helps nor suffers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(params=["c", "python"])
def target(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def model(target: str) -> Callable[[str], CompiledModel]:
    return lambda name: load_model(name, target)
