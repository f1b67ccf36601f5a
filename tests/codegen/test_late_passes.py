"""Late passes: each can be left out, each does something, and none changes a result beyond rounding."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset.compiler.codegen.passes import NAMES

MODELS = Path(__file__).parents[2] / "models"
CHAIN = """@mbssim
model Chain
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) r1(n2=1), r2(n1=0.3, n2=1), r3(n2=1)
  submodel (Free) free(x1=1)
  submodel (Bar) b1(r3=1), b2(r1=0.4, r3=1)
  submodel (Body) m1(m=1, r3=0.5, I22=0.1), m2(m=2, r3=0.3, I11=0.1, I22=0.1, I33=0.1), m3(m=1, r1=0.1, I22=0.1),
    m4(m=1, I11=1, I22=1, I33=1)
  submodel (Spring) s(c=10, s0=0.1)
  submodel (CoulombFriction) f(fc=0.1)
  connect i to r1 to b1 to r2 to b2 to r3 to m3, m1 at r1:b, m2 at r2:b, i to free to m4, s at (r3:b, free:b),
    f at r2:ext
end
"""
CIRCUIT = """@electrical
model Ladder
  submodel (VSine) V(V=10, f=50)
  submodel (Resistor) R(40)(R=10)
  submodel (Inductor) L(40)(L=1e-3)
  submodel (Capacitor) C(40)(C=1e-5)
  submodel (Ground) g
  connect g at V:B, V to R(1)
  for k = 1..40 do
    connect R(k) to L(k) to C(k) to g
  endfor
  for k = 1..39 do
    connect L(k) to R(k + 1)
  endfor
end
"""


@pytest.fixture(scope="module")
def load(tmp_path_factory):
    """load(name, without) -> the model, each once."""
    folder = tmp_path_factory.mktemp("passes")
    files = {"arm": MODELS / "r3_arm.mo", "chain": folder / "chain.mo", "circuit": folder / "circuit.mo"}
    files["chain"].write_text(CHAIN, encoding="utf-8")
    files["circuit"].write_text(CIRCUIT, encoding="utf-8")
    return cache(lambda name, without=(): cutset.load(files[name], without=without))


# In which of the models each pass finds something to do.
FINDS = {"reciprocals": {"chain"}, "sincos": {"chain"}, "loops": {"chain", "circuit"}, "factors": {"chain"}}
CASES = [("arm", NAMES), *((name, (each,)) for each in NAMES for name in ("chain", "circuit"))]


@pytest.mark.parametrize(
    ("name", "left_out"), CASES, ids=lambda value: value if isinstance(value, str) else " ".join(value)
)
def test_rates_are_the_same_without_a_pass(name, left_out, load):
    model, other = load(name), load(name, left_out)
    assert other.states == model.states
    for x in np.random.default_rng(3).uniform(-2, 2, (5, len(model.states))):
        expected, found = (each.evaluate(0.3, x, target="python") for each in (model, other))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())
    changed = other.translated.files("c") != model.translated.files("c")
    assert changed == any(name in FINDS[each] or name == "arm" for each in left_out)


def test_a_pass_that_is_none_is_refused(load):
    with pytest.raises(ValueError, match=r"no late pass 'recipes'.*reciprocals, sincos, loops"):
        load("arm", ("recipes",))
