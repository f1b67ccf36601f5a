"""Drive lines and variable structure of mbs.mo: the tests of those of mbssim.mo hold for them word for word."""

from __future__ import annotations

from inspect import signature

import pytest
import test_mbssim_drives
from test_mbssim_drives import load  # noqa: F401 - a fixture

# Of mbssim.mo alone: how it determines what the equations do not.
_ITS_OWN = {
    "test_frictions_that_stick_share_the_force_in_the_ratio_of_their_greatest",
}

for _module in (test_mbssim_drives,):
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


@pytest.fixture(autouse=True)
def solved_together(monkeypatch):
    """Here the joints of a drive line are solved together."""
    monkeypatch.setattr(test_mbssim_drives, "is_explicit", lambda model: True)
