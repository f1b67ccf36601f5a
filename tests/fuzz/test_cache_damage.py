"""A damaged cache, or one that a killed process leaves behind, never changes a result."""

import random

import pytest
from cache_damage import CachedRun, damage_all, exchanged, killed

from cutset.runtime.targets.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return CachedRun(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def good(run):
    result = run.result()
    assert result.startswith("time,")
    return result


def test_damaged_files_are_made_anew(run, good):
    kinds = {file.suffix for file in run.cache.iterdir()}
    assert kinds == {".tree", ".model", ".so", ".library", ".trim"}
    for damage in (lambda data: data[: len(data) // 2], lambda data: bytes(len(data))):
        damage_all(run.cache, damage)
        assert run.result() == good
    exchanged(run.cache, random.Random(1))
    assert run.result() == good


def test_a_killed_process_leaves_nothing_wrong(run, good):
    for seconds in (0.4, 0.7):
        for file in run.cache.glob("*.*"):
            file.unlink()
        killed(run, seconds)
        assert run.result() == good
