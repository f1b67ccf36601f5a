"""Components of more than two pins at nodes."""

from __future__ import annotations

import numpy as np
import pytest

import cutset
from cutset.compiler.diagnostics import ModelError

MODEL = """@electrical
model M
  submodel (VConst) V(V=6)
  submodel (VCV) S(k=2)
  submodel (Resistor) R(R=1)
  submodel (Ground) g
  node n0, n1, n2
  connect V at (n1, n0), S at ({places}), R at (n2, n0), g at n0
end
"""


def test_some_pins_may_share_a_node(write_model):
    run = cutset.load(write_model(MODEL.format(places="n1, n0, n2, n0"))).simulate()
    np.testing.assert_allclose(run["R.u"], 12)


def test_all_pins_at_one_node_are_a_mistake(write_model):
    with pytest.raises(ModelError, match="E251"):
        cutset.load(write_model(MODEL.format(places="n0, n0, n0, n0")))
