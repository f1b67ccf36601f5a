"""Both targets give the same events and the same values between them; both_targets.py compares more models."""

import both_targets
import pytest

from cutset.runtime.targets.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")


@pytest.mark.parametrize("seed", range(6))
def test_random_models(seed, tmp_path):
    assert both_targets.random_difference(seed, tmp_path) == ""
