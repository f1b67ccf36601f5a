"""``python -m tests.oracles.closed_four_bars``: random four-bars in any plane, on a base that stands or turns, closed
by any joint, with their solution (`closed`) and without it: the motion is the same, no system for positions is left,
and a wrong sign in the solution is an error."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

import cutset

LIBRARIES = ("mbs", "mbssim", "mbsmat")
CLOSING = {
    "PlanarCutRevolute": "submodel (PlanarCutRevolute) close({n})",
    "CutRevolute": "submodel (CutRevolute) close({n})",
    "Revolute": "submodel (Revolute) close({n}, closing=true)",
}
_MODEL = """@{library}
model FourBar
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) turn(n1=1, qd0={spin}), crank({n}, qd0=6), pin({n}), rocker({n})
  submodel (Bar) b1({b1}), coupler({coupler}), b3({b3}), base({base})
  submodel (Body) hub(m=1, I=identity(3)), m1(m=1, {b1}, I=identity(3)/50),
                  m2(m=2, {coupler}, I=identity(3)/10), m3(m=1, {b3}, I=identity(3)/30)
  {closing}
  connect world to turn, {root} to crank to b1 to pin to coupler to rocker to b3, {root} to base,
          close at (base:b, b3:b), hub at turn:b, m1 at crank:b, m2 at pin:b, m3 at rocker:b
  constant r={r!r}, p={p!r}, g={g!r}, d={d!r}, A0={A0!r}, hx={hx!r}, hz={hz!r}
  local u, x, z, A, X, Z, B, A1, B1
  u = crank.q
  x = d - r*sin(u)
  z = -r*cos(u)
  A = atan2(x, z) - {elbow}*acos((p^2 + x^2 + z^2 - g^2)/(2*p*sqrt(x^2 + z^2)))
  X = x - p*sin(A)
  Z = z - p*cos(A)
  B = atan2(X*hz - Z*hx, X*hx + Z*hz) + atan2(hx, hz)
  A1 = -r*sin(B - u)/(p*sin(B - A))
  B1 = -r*sin(A - u)/(g*sin(A - B))
  closed [pin.q, rocker.q] = [A - A0 - u, B - atan2(hx, hz) {sign} A + A0]
  closed [pin.qd, rocker.qd] = [A1 - 1, B1 - A1]*crank.qd
  {last}
end
"""


class FourBar(NamedTuple):
    """The text with its solution, with a wrong sign, and without solution."""

    solved: str
    wrong: str
    loop: str


def four_bar(seed: int) -> FourBar:
    """A random mechanism whose crank turns fully."""
    chance = Random(seed)
    turned, _ = np.linalg.qr([[chance.gauss(0, 1) for _ in range(3)] for _ in range(3)])
    e1, e3 = turned[:, 0], turned[:, 2]
    r, p, g, d = 0.15, chance.uniform(0.6, 0.9), chance.uniform(0.6, 0.9), chance.uniform(0.5, 0.8)
    elbow, moves, kind = chance.choice([1, -1]), chance.random() < 0.5, chance.choice(list(CLOSING))
    A0 = float(np.arctan2(d, -r) - elbow * np.arccos((p**2 + d**2 + r**2 - g**2) / (2 * p * np.hypot(d, r))))
    hx, hz = float(d - p * np.sin(A0)), float(-r - p * np.cos(A0))
    bars = {"b1": r * e3, "coupler": p * (np.sin(A0) * e1 + np.cos(A0) * e3), "b3": hx * e1 + hz * e3, "base": d * e1}
    given = {name: ", ".join(f"r{k + 1}={float(x)!r}" for k, x in enumerate(v)) for name, v in bars.items()}
    n = ", ".join(f"n{k + 1}={float(x)!r}" for k, x in enumerate(np.cross(e3, e1)))
    base = {"spin": 1, "root": "turn:b"} if moves else {"spin": 0, "root": "world"}
    last = "closed close.q = B - atan2(hx, hz)" if kind == "Revolute" else ""
    values = {"r": r, "p": p, "g": g, "d": d, "A0": A0, "hx": hx, "hz": hz, "elbow": elbow, "last": last, "n": n}
    values |= given | base | {"library": chance.choice(LIBRARIES), "closing": CLOSING[kind].format(n=n)}
    solved, wrong = (_MODEL.format(sign=sign, **values) for sign in "-+")
    return FourBar(solved, wrong, "".join(line for line in solved.splitlines(True) if "closed" not in line))


def fault(case: FourBar, path: Path) -> str:
    """What is wrong, or nothing."""
    runs = []
    for text in (case.solved, case.loop):
        path.write_text(text, encoding="utf-8")
        model = cutset.load(path)
        if text is case.solved and model.inspect()["nonlinear_systems"]:
            return "a system for positions is left"
        runs.append(model.simulate(0.4, points=3, rtol=1e-9, atol=1e-10, target="python"))
    apart = max(float(np.abs(runs[0][q] - runs[1][q]).max()) for q in ("crank.q", "rocker.q", "turn.q"))
    path.write_text(case.wrong, encoding="utf-8")
    try:
        cutset.load(path)
    except cutset.ModelError as error:
        found = "E322" in str(error)
    else:
        found = False
    return f"{apart:.1e} apart" if apart > 1e-6 else "" if found else "a wrong sign is not found"


def main() -> int:
    """Exit code 1 where something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.closed_four_bars", description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    arguments, wrong = parser.parse_args(), 0
    for seed in range(arguments.first, arguments.first + arguments.count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = fault(four_bar(seed), Path(folder) / "loop.mo")
            except (cutset.ModelError, cutset.RunError) as error:
                found = str(error).splitlines()[0]
        wrong += bool(found)
        print(f"{seed}: {found}" if found else f"{seed}", flush=True)
    print(f"{arguments.count} loops, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
