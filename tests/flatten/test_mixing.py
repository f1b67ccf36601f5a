"""What flows carry: closed solutions for mixing, reversal and rest, in nodes, through models and between tanks."""

from __future__ import annotations

import math
from itertools import product

import pytest
from models_from_text import translate

import cutset
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten.mixing import LEAST_FLOW, LEAST_SHARE, Member, mixtures

SOURCES = """
model class Source
  cut a (p / m{nominal}, carried h)
  terminal flow, level
  m = flow
  h = level
end

model class Rest
  cut a (p / m{nominal}, carried h)
  p = 0
  h = 7
end
"""


def node(count: int, nominal: str = ""):
    """A node with `count` sources of given flows, and an element that takes their sum."""
    text = (
        SOURCES.format(nominal=nominal and f"(nominal={nominal})")
        + f"""
model Node
  input u({count}), g({count})
  submodel (Source) s({count})
  submodel (Rest) r
  node n
  connect s(:):a at n, r:a at n
  for k = 1..{count} do
    s(k).flow = u(k)
    s(k).level = g(k)
  endfor
end
"""
    )
    made = translate(text)
    assert not any(made.program.info.relations), "mixing makes no events"

    def values(flows, levels):
        given = {f"u({k + 1})": u for k, u in enumerate(flows)} | {f"g({k + 1})": g for k, g in enumerate(levels)}
        v = made.values(inputs=given)
        names = [*(f"s({k + 1})" for k in range(count)), "r"]
        return [v[f"{name}.m"] for name in names], [v[f"inflow({name}.h)"] for name in names]

    return values


def mixture(flows, levels, k):
    """By hand: what flows into cut k, the mean of the others at rest, and where only this one supplies."""
    others = [j for j in range(len(flows)) if j != k]
    mean = sum(levels[j] for j in others) / len(others)
    supply = {j: max(-flows[j], 0.0) for j in range(len(flows))}
    total = sum(supply.values())
    return mean if total == 0 else (sum(supply[j] * levels[j] for j in others) + supply[k] * mean) / total


@pytest.mark.parametrize("flows", [*product((-2.0, 0.0, 3.0), repeat=2), (-1e-9, 1e-12), (1e8, -1e-9)])
def test_a_node_mixes_what_flows_out_of_the_others(three, flows):
    levels = [4.0, -1.0]
    m, inflow = three(flows, levels)
    assert m == [*flows, pytest.approx(-sum(flows))]
    expected = [mixture(m, [*levels, 7.0], k) for k in range(3)]
    assert inflow == pytest.approx(expected, abs=20 * LEAST_SHARE)
    carried = [max(f, 0) * i + min(f, 0) * h for f, i, h in zip(m, inflow, [*levels, 7.0], strict=True)]
    assert abs(sum(carried)) <= 10 * LEAST_SHARE * max(map(abs, m))


@pytest.fixture(scope="module")
def three():
    return node(2)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.38, 0.9, 0.999, 1.0])
def test_the_balance_of_a_node_that_comes_to_rest(three, share):
    """It is wrong by 0.2 times the least flow times the largest difference at most, and as good as exact from that
    flow on."""
    m, inflow = three((-share * LEAST_FLOW, 0.25 * share * LEAST_FLOW), (9.0, -1.0))
    lost = sum(max(f, 0) * i + min(f, 0) * h for f, i, h in zip(m, inflow, (9.0, -1.0, 7.0), strict=True))
    assert abs(lost) <= (0.2 if share < 1 else LEAST_SHARE) * LEAST_FLOW * 10
    assert all(-1 <= i <= 9 for i in inflow)


def test_the_least_flow_is_that_of_the_nominal_flow():
    _, inflow = node(2, nominal="1e-9")((-1e-17, 0.0), (4.0, -1.0))
    assert inflow[1:] == pytest.approx([4.0, 4.0], abs=10 * LEAST_SHARE)


def test_two_cuts_carry_to_each_other():
    values = node(1)
    for flow in (-1.0, 0.0, 1.0):
        assert values([flow], [3.0])[1] == [7.0, 3.0]


def test_a_large_node_costs_a_multiple_of_a_small_one():
    def size(count):
        pool = Pool()
        leaves = [[pool.variable(f"{name}{k}") for name in "mhi"] for k in range(count)]
        members = [Member(flow, (own,), (into,)) for flow, own, into in leaves]
        return len(reachable([e for (e,) in mixtures(pool, members, pool.one)]))

    assert size(400) < 4.1 * size(100)


TANKS = """
cut class Fluid (p / m, carried T, carried X(2))

model class Tank "of constant mass"
  cut (Fluid) a (pa / ma, carried Ta, carried Xa), b (pb / -mb, carried Tb, carried Xb)
  parameter M = 2, T0 = 300, X0(2) = [0.25, 0.75]
  terminal T (start=T0), X(2)(start=X0)
  pa = pb
  ma = mb
  Ta = T
  Tb = T
  Xa = X
  Xb = X
  M*der(T) = carried(Ta) - carried(Tb)
  M*der(X) = carried(Xa) - carried(Xb)
end

model class Pump
  cut (Fluid) a (pa / m, carried Ta, carried Xa), b (pb / -m, carried Tb, carried Xb)
  terminal flow
  m = flow
  Ta = inflow(Tb)
  Tb = inflow(Ta)
  Xa = inflow(Xb)
  Xb = inflow(Xa)
end

model class Ring "a tank and a pump, handed through by cuts with and without a list"
  submodel (Tank) tank(T0=400, X0=[1, 0])
  submodel (Pump) pump
  terminal flow
  cut (Fluid) a (p / m, carried T, carried X)
  cut b
  connect a to pump:a, pump:b to tank:a, tank:b to b
  pump.flow = flow
end

model Loop
  submodel (Tank) cold
  submodel (Ring) ring
  local flow
  connect ring:b to cold:a, cold:b to ring:a
  flow = if time < 4 then sin(time) else if time < 5 then 0 else -1
  ring.flow = flow
  cold.pa = 0
end
"""


def test_tanks_that_a_pump_joins_in_both_directions_and_at_rest(write_model):
    """The difference of their contents decays with what is pumped, in whatever direction."""
    run = cutset.load(write_model(TANKS)).simulate(stop=7, rtol=1e-10, atol=1e-12, points=141)
    for t, temperature, share, other in zip(run.time, run["cold.T"], run["cold.X(1)"], run["ring.tank.T"], strict=True):
        pumped = 1 - math.cos(min(t, math.pi)) + (1 + math.cos(min(t, 4)) if t > math.pi else 0) + max(t - 5, 0)
        assert temperature == pytest.approx(350 - 50 * math.exp(-pumped), rel=1e-9)
        assert share == pytest.approx(0.625 - 0.375 * math.exp(-pumped), rel=1e-9)
        assert temperature + other == pytest.approx(700, rel=1e-14)
    assert sum(run.statistics.events.values()) <= 4


def test_models_within_models_mix_like_one_node():
    """A node inside of a model joined to one outside is as one node, for all that flows."""
    parts = (
        SOURCES.format(nominal="")
        + """
model class Pair
  submodel (Source) s(2)
  cut a (p / m, carried h)
  cut bare
  node n
  connect s(:):a at n, a at n, bare at n
  s(1).flow = -2
  s(2).flow = 0.5
  s(1).level = 10
  s(2).level = 20
end

model Nested
  submodel (Pair) pair
  submodel (Source) x, y
  submodel (Rest) r
  connect pair:a to x:a, r:a at x:a, pair:bare to y:a
  x.flow = -1
  x.level = 40
  y.flow = 0.25
  y.level = 0
end
"""
    )
    v = translate(parts).values()
    assert v["pair.m"] == pytest.approx(-1.25) and v["r.m"] == pytest.approx(2.25)
    for name in ("inflow(pair.s(2).h)", "inflow(y.h)", "pair.h"):
        assert v[name] == pytest.approx(10)
    assert v["inflow(r.h)"] == pytest.approx((1.25 * 10 + 40) / 2.25)


BOUNDARY = """
cut class Fluid (p(unit="Pa") / m(unit="kg/s"), carried T(unit="K"))

model Boundary
  {flow}
  cut (Fluid) port (p / m, carried T)
  local M (unit="kg", start=1), H (unit="kg.K", start=300)
  parameter k (unit="Pa/kg") = 10
  p = k*M
  T = H/M
  der(M) = m
  der(H) = carried(T)
end
"""


def test_a_flow_from_outside_brings_what_is_given():
    made = translate(BOUNDARY.format(flow='input m (unit="kg/s")'))
    assert [*made.program.info.inputs] == ["m", "inflow(T)"]
    for flow, brought in ((2.0, 350.0), (-2.0, 300.0)):
        assert made.values(inputs={"m": flow, "inflow(T)": 350.0})["der(H)"] == flow * brought
    closed = translate(BOUNDARY.format(flow=""))
    assert not closed.program.info.inputs and closed.values()["inflow(T)"] == 300.0


def test_a_ring_without_content_has_what_is_at_rest_beside_it():
    """Otherwise it would have any value, since what goes round comes from nowhere."""
    v = translate("""
model class Tank
  cut a (p / m, carried h)
  local M (start=2), U (start=6)
  p = M
  h = U/M
  der(M) = m
  der(U) = carried(h)
end

model class Line
  cut a (pa / m, carried ha), b (pb / -m, carried hb)
  parameter pumped = 0.3, G = 0.7
  m = pumped + G*(pa - pb)
  ha = inflow(hb)
  hb = inflow(ha)
end

model Ring
  submodel (Line) x, y(pumped=0.1), z(pumped=0)
  submodel (Tank) t
  node n, o
  connect x:a at n, x:b at o, y:a at o, y:b at n, z:a at n, z:b at t:a
end
""").values()
    assert v["x.m"] > 0.1 and abs(v["z.m"]) < 1e-15
    assert [v[f"{name}.hb"] for name in "xyz"] == pytest.approx([3, 3, 3], rel=1e-3)
