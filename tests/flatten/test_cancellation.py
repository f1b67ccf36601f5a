"""Variables that cancel leave an equation."""

from __future__ import annotations

import pytest

import cutset
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.cancellation import canceled


def test_what_stands_on_both_sides_is_gone():
    pool = Pool()
    a, b, c = (pool.variable(name) for name in "abc")
    residual = pool.sub(pool.add(pool.add(a, b), pool.mul(c, c)), a)
    assert set(variables_of(residual)) == {a, b, c}
    assert canceled(pool, residual) is pool.add(b, pool.mul(c, c))
    twice = pool.sub(pool.add(pool.add(a, b), c), pool.sub(a, b))
    assert set(variables_of(canceled(pool, twice))) == {b, c}
    whole = pool.sub(pool.add(a, b), c)
    assert canceled(pool, whole) is whole


SHORT = """
@electrical
model Shorted
  submodel (Ground) g
  submodel (VConst) V(V=2)
  submodel (Resistor) R1(R=1), R2(R=3)
  submodel (Inductor) L1(L=0.4), L2(L=2)
  submodel (Short) s
  node a, b, c, d
  connect V at (a, g), R1 at (a, b), L1 at (b, c), s at (c, d), L2 at (c, d), R2 at (c, g)
end
"""


def test_an_inductor_beside_a_short_keeps_its_current(write_model):
    """Nothing else is at node d: the current of both flows into node c and out of it."""
    run = cutset.load(write_model(SHORT)).simulate(stop=4.0, initial={"L2.i": 0.5}, target="python")
    assert run["L2.i"][-1] == pytest.approx(0.5) and run["s.i"][-1] == pytest.approx(-0.5)
    assert abs(run["L1.i"][-1]) == pytest.approx(0.5, rel=1e-4)
