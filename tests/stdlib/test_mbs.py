"""The elements of mbs.mo: the tests of mbssim.mo hold for it word for word, but for what is said of systems of
equations."""

from __future__ import annotations

from inspect import signature

import pytest
import test_mbssim
import test_mbssim_forces
import test_mbssim_joints
from test_mbssim import load  # noqa: F401 - a fixture

# Of mbssim.mo alone: that nothing is solved together, and what it says where it cannot solve a joint.
_ITS_OWN = {
    "test_joint_that_moves_no_mass_is_an_error_that_names_it",
    "test_random_trees_equal_the_oracle",
}

for _module in (test_mbssim, test_mbssim_forces, test_mbssim_joints):
    for _name, _value in vars(_module).items():
        if not _name.startswith("test_") or not callable(_value) or _name in _ITS_OWN:
            continue
        # The others do not ask `write_model` for their text.
        if {"load", "write_model"} & set(signature(_value).parameters):
            assert _name not in globals()
            globals()[_name] = _value


@pytest.fixture
def write_model(write_model):
    return lambda text, *rest: write_model(text.replace("@mbssim", "@mbs"), *rest)
