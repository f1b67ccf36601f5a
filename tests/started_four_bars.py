"""A four-bar whose joints are declared in any order with any start speed, and what it starts with."""

from __future__ import annotations

import cutset

FOUR_BAR = """
@mbs
model FourBar "closes at q = 0, where crank : coupler : rocker turn as 1 : -1 : 0.375"
  submodel (Inertial) world(ng2=-1)
  submodel (Revolute) {joints}
  submodel (PlanarCutRevolute) close(n3=1)
  submodel (BodyRod) b1(r2=0.3, area=1e-3), b2(r1=1, area=1e-3), b3(r2=0.8, area=1e-3)
  submodel (Bar) base(r1=1, r2=-0.5)
  connect world to crank to b1 to coupler to b2 to close:a, world to base to rocker to b3 to close:b
end
"""
SPEEDS = {"crank": 1.0, "coupler": -1.0, "rocker": 0.375}


def four_bar(order, **given: str) -> str:
    joints = (f"{name}({', '.join(['n3=1', *([given[name]] if name in given else [])])})" for name in order)
    return FOUR_BAR.format(joints=", ".join(joints))


def starts(model: cutset.Model, *names: str, **options) -> list[float]:
    run = model.simulate(0.0, **options)
    return [float(run[name][0]) for name in names]
