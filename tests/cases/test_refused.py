"""Published models that have no solution: the message names what is wrong with them."""

from __future__ import annotations

import pytest
from cases.case import FOLDER

import cutset


def test_singular_system_is_named():
    with pytest.raises(cutset.ModelError) as caught:
        cutset.load(FOLDER / "refused" / "pantelides_singular.mo")
    text = str(caught.value)
    assert "nothing determines 'u1', 'u2'" in text and "2 equations for 'x'" in text
