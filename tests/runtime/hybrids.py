"""Models with events, as a code generator would write them: what the tests of events run."""

from __future__ import annotations

import pytest
from texts import assertion, hybrid, relation

from cutset.contract.metadata import SourceFiles
from cutset.runtime.interface import CompiledModel
from cutset.runtime.results.result import Result
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.targets.build import build
from cutset.runtime.targets.toolchain import find_compiler

G = 9.81
_BUILT: dict[tuple[str, str], CompiledModel] = {}


def run(files: SourceFiles, target: str, **settings: object) -> Result:
    """Each model is built once for each target."""
    key = files["model.c"] + files["model.json"], target
    if key not in _BUILT:
        if target == "c" and find_compiler() is None:
            pytest.skip("no C compiler on this machine")
        _BUILT[key] = build(files, target)
    return simulate(_BUILT[key], Experiment(**settings))


def ball(restitution: float, floor: float = 0.0) -> SourceFiles:
    """Falls from 1 m above the floor; n counts the bounces: when h <= floor then init(v) = -e*v."""
    return hybrid(
        states=["h", "v"],
        discrete=["n"],
        relations=[relation("h <= floor")],
        crossings=[0],
        whens=[1],
        starts=f"s[0] = {floor} + 1.0",
        derivatives=f"dx[0] = x[1]; dx[1] = -{G}",
        differences=f"g[0] = x[0] - {floor}",
        variables=f"y[0] = x[0]; y[1] = {floor}; y[2] = m[0]",
        updates=f"e[0] = m[1] + f[0]; e[2] = f[0]*(-{restitution}*x[1]) + (1.0 - f[0])*x[1]",
    )


def thermostat() -> SourceFiles:
    """x' = 1 where on, else -1; on from x <= 0, off from x >= 1. From 0.5 on, off at first: a triangle of period 2."""
    return hybrid(
        states=["x"],
        discrete=["on"],
        relations=[relation("x <= 0"), relation("x >= 1")],
        crossings=[0, 1],
        whens=[2],
        starts="s[0] = 0.5",
        derivatives="dx[0] = 2.0*m[2] - 1.0",
        differences="g[0] = x[0]; g[1] = x[0] - 1.0",
        variables="y[0] = x[0]; y[1] = 0.0; y[2] = x[0]; y[3] = 1.0; y[4] = m[0]; y[5] = m[1]",
        updates="e[0] = f[0] + (1.0 - f[0] - f[1])*m[2]",
    )


def relay() -> SourceFiles:
    """x' = if x > 0 then -1 else 1: without a hysteresis it chatters from 0.5 on."""
    return hybrid(
        states=["x"],
        relations=[relation("x > 0")],
        crossings=[0],
        starts="s[0] = 0.5",
        derivatives="dx[0] = 1.0 - 2.0*m[0]",
        differences="g[0] = x[0]",
        variables="y[0] = x[0]; y[1] = 0.0",
    )


def rectifier() -> SourceFiles:
    """A sine of 1 V and 1 Hz, an ideal diode and a resistor of 2 Ohm; q is the charge. The diode has its own parameter
    s: u = if s > 0 then 0 else s, i = if s > 0 then s else 0."""
    drop = "w[0] = sin(6.283185307179586*t); w[1] = m[0]*w[0]/2.0 + (1.0 - m[0])*w[0]"
    return hybrid(
        states=["q"],
        unknowns=["s", "i"],
        relations=[relation("s > 0")],
        crossings=[0],
        n_work=2,
        derivatives=f"{drop}; dx[0] = m[0]*w[1]",
        differences=f"{drop}; g[0] = w[1]",
        variables=f"{drop}; y[0] = w[1]; y[1] = m[0]*w[1]; y[2] = w[1]; y[3] = 0.0",
    )


def square() -> SourceFiles:
    """No state: y = if sin(10*time) > 0.5 then 1 else 0."""
    return hybrid(
        unknowns=["y"],
        relations=[relation("sin(10*time) > 0.5")],
        crossings=[0],
        differences="g[0] = sin(10.0*t) - 0.5",
        variables="y[0] = m[0]; y[1] = sin(10.0*t); y[2] = 0.5",
    )


def counter(first: str = "0.0", interval: str = "0.1") -> SourceFiles:
    """when sample(first, interval) then new(n) = n + 1, last = time; x' = n."""
    return hybrid(
        states=["x"],
        discrete=["n", "last"],
        relations=[relation(f"sample({first}, {interval})", "sample")],
        whens=[1],
        derivatives="dx[0] = m[1]",
        variables=f"y[0] = {first}; y[1] = {interval}; y[2] = m[0]",
        updates="e[0] = m[1] + f[0]; e[1] = f[0]*t + (1.0 - f[0])*m[2]",
    )


def cascade() -> SourceFiles:
    """x' = 1 from 1 on; when x >= 1.5 then y := 1; when y then z := 1; c1 follows z, c2 follows c1 and c3 follows c2,
    each a pass later."""
    return hybrid(
        states=["x"],
        discrete=["y", "z", "c1", "c2", "c3"],
        unknowns=["h1"],
        relations=[relation("x >= 1.5")],
        crossings=[0],
        whens=[1, 1],
        starts="s[0] = 1.0",
        derivatives="dx[0] = 1.0",
        differences="g[0] = x[0] - 1.5",
        variables="y[0] = m[0]; y[1] = x[0]; y[2] = 1.5; y[3] = m[1]; y[4] = m[0]",
        updates="e[0] = f[1] + (1.0 - f[1])*m[1]; e[1] = f[0] + (1.0 - f[0])*m[2]; e[2] = m[2]; e[3] = m[3]; e[4] = "
        "m[4]",
    )


def restless() -> SourceFiles:
    """new(n) = 1 - n outside of a when, from the start on."""
    return hybrid(states=["x"], discrete=["n"], derivatives="dx[0] = 1.0", updates="e[0] = 1.0 - m[0]")


def restless_later() -> SourceFiles:
    """new(n) = if time >= 0.5 then 1 - n else 0."""
    return hybrid(
        states=["x"],
        discrete=["n"],
        relations=[relation("time >= 0.5", "time")],
        time_events=[0],
        derivatives="dx[0] = 1.0",
        times="te[0] = 0.5; te[1] = 1.0",
        variables="y[0] = t; y[1] = 0.5",
        updates="e[0] = m[0]*(1.0 - m[1])",
    )


def contradiction() -> SourceFiles:
    """z = if z > 0 then x - 2 else x + 2: two solutions at none of which z agrees, while |x| < 2."""
    value = "w[0] = x[0] + 2.0 - 4.0*m[0]"
    return hybrid(
        states=["x"],
        unknowns=["z"],
        relations=[relation("z > 0")],
        crossings=[0],
        starts="s[0] = -3.0",
        derivatives="dx[0] = 2.0",
        differences=f"{value}; g[0] = w[0]",
        variables=f"{value}; y[0] = w[0]; y[1] = w[0]; y[2] = 0.0",
    )


def watched(terminates: bool, branch: int = -1) -> SourceFiles:
    """x' = 1; assert x <= 0.55 or terminate x > 0.55, always, or in: when x > 0.25."""
    sign = "1.0*(x[0] > 0.55)" if terminates else "1.0*(x[0] <= 0.55)"
    if branch >= 0:
        sign = "1.0" if terminates else "0.0"
    return hybrid(
        states=["x"],
        relations=[relation("x > 0.25")],
        crossings=[0],
        whens=[1],
        assertions=[assertion("x has gone too far", branch, terminates)],
        derivatives="dx[0] = 1.0",
        differences="g[0] = x[0] - 0.25",
        variables=f"y[0] = x[0]; y[1] = 0.25; y[2] = m[0]; y[3] = {sign}",
    )


def moving_instant() -> SourceFiles:
    """when time >= next then new(next) = next + 0.3, new(n) = n + 1; next starts at 0.3."""
    return hybrid(
        discrete=["next", "n"],
        relations=[relation("time >= next", "time")],
        time_events=[0],
        whens=[1],
        starts="s[0] = 0.3",
        times="te[0] = m[1]; te[1] = 1.0",
        variables="y[0] = t; y[1] = m[1]; y[2] = m[0]",
        updates="e[0] = m[1] + 0.3*f[0]; e[1] = m[2] + f[0]",
    )


def parabola() -> SourceFiles:
    """0 = z^2 - x and x' = -1 from 1 on, by Newton's method: z is the root of 1 - time, and there is none after 1."""
    c = """
static void residual(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                     const double *z, double *r)
{
    (void)t, (void)u, (void)c, (void)m, (void)w;
    r[0] = z[0]*z[0] - x[0];
    r[1] = 2.0*z[0];
}
"""
    python = """
def residual(t, x, u, c, m, w, z, r):
    r[0] = z[0]*z[0] - x[0]
    r[1] = 2.0*z[0]


def cutset_newton(n, f, t, x, u, c, m, w, guess, z, fault):
    newton(n, f, t, x, u, c, m, w, 0, 3, fault)
"""
    solve = "cutset_newton(1, residual, t, x, u, c, m, w, w, WORK, 1)"
    return hybrid(
        states=["x", "area"],
        unknowns=["z"],
        n_work=3 + 15,
        iterations=[1],
        faults=["the equations for 'z' could not be solved"],
        starts="s[0] = 1.0; s[2] = 0.5; s[3] = 0.0; s[4] = 1.0",
        derivatives=f"{solve}; dx[0] = -1.0; dx[1] = w[3]",
        variables=f"{solve}; y[0] = w[3]",
        before=f"#define WORK w + 3\n{c}---WORK = 3\n{python}",
    )


def prepared() -> SourceFiles:
    """The initial system: x = 3 if high else 1, high := x0 > 2 at the start, v free; when x > 2 counts. x' = v."""
    return hybrid(
        states=["x", "v"],
        discrete=["n", "high"],
        relations=[relation("x > 2")],
        crossings=[0],
        whens=[1],
        start="x[0] = 1.0 + 2.0*m[2]; x[1] = s[1]",
        starts="s[1] = 1.0",
        derivatives="dx[0] = x[1]; dx[1] = 0.0",
        differences="g[0] = x[0] - 2.0",
        variables="y[0] = x[0]; y[1] = 2.0; y[2] = m[0]",
        updates="e[0] = m[1] + f[0]; e[1] = 1.0",
    )


def lost() -> SourceFiles:
    """The initial equation x = log(time)."""
    return hybrid(states=["x"], start="x[0] = log(t)", derivatives="dx[0] = 1.0")


def thresholds() -> SourceFiles:
    """x' = 1 with a when at each of x > 0.5, x > 0.5 + 1e-9, x > 0.75 and 2*x > 1.5; each counts by itself."""
    limits = "g[0] = x[0] - 0.5; g[1] = x[0] - (0.5 + 1e-9); g[2] = x[0] - 0.75; g[3] = 2.0*x[0] - 1.5"
    return hybrid(
        states=["x"],
        discrete=["a", "b", "c", "d"],
        relations=[relation(text) for text in ("x > 0.5", "x > 0.5 + 1e-9", "x > 0.75", "2*x > 1.5")],
        crossings=[0, 1, 2, 3],
        whens=[1, 1, 1, 1],
        derivatives="dx[0] = 1.0",
        differences=limits,
        variables="y[0] = x[0]; y[1] = 0.5; y[2] = x[0]; y[3] = 0.5 + 1e-9; y[4] = x[0]; y[5] = 0.75; y[6] = "
        "2.0*x[0]; y[7] = 1.5;"
        "y[8] = m[0]; y[9] = m[1]; y[10] = m[2]; y[11] = m[3]",
        updates="; ".join(f"e[{k}] = m[{4 + k}] + f[{k}]" for k in range(4)),
    )


def driven() -> SourceFiles:
    """when edge(u > 0.5) then new(n) = n + 1, init(x) = 0 elsewhen u > 0.5 then new(n) = n + 100; x' = if u > 0.5 then
    1 else 0."""
    return hybrid(
        states=["x"],
        discrete=["n"],
        inputs=["u"],
        relations=[relation("u > 0.5"), relation("edge(u > 0.5)", "edge")],
        crossings=[0],
        whens=[2],
        derivatives="dx[0] = m[0]",
        differences="g[0] = u[0] - 0.5",
        variables="y[0] = u[0]; y[1] = 0.5; y[2] = m[0]; y[3] = 0.0; y[4] = m[1]; y[5] = m[0]",
        updates="e[0] = m[2] + f[0] + 100.0*f[1]; e[1] = (1.0 - f[0])*x[0]",
    )


def bridge() -> SourceFiles:
    """A full bridge: 10 V and 1 Hz behind 2 Ohm, four diodes, a resistor of 10 Ohm with the voltage u. Each diode has
    its own parameter s: u = if s < 0 then s else 1e-3*s, i = if s < 0 then 1e-6*s else s. Unknowns: s of the diodes,
    the potentials of the source's two sides and of the resistor's upper end, the current of the source."""
    unknowns = ["s1", "s2", "s3", "s4", "a", "b", "u", "i"]
    # Diodes a -> p, b -> p, 0 -> a, 0 -> b; the resistor is between p and 0.
    ends = [(4, 6), (5, 6), (None, 4), (None, 5)]
    rows: list[dict[int, str]] = []
    for k, (left, right) in enumerate(ends):
        row = {k: f"-(m[{k}] + 1e-3*(1.0 - m[{k}]))", right: "-1.0"}
        rows.append(row | ({left: "1.0"} if left is not None else {}))
    flow = [f"(1e-6*m[{k}] + 1.0 - m[{k}])" for k in range(4)]
    rows.append({0: flow[0], 2: f"-{flow[2]}", 7: "-1.0"})
    rows.append({1: flow[1], 3: f"-{flow[3]}", 7: "1.0"})
    rows.append({0: flow[0], 1: flow[1], 6: "-0.1"})
    rows.append({4: "1.0", 5: "-1.0", 7: "2.0"})
    matrix = "; ".join(f"w[{8 * i + j}] = {row.get(j, '0.0')}" for i, row in enumerate(rows) for j in range(8))
    right = "; ".join(f"w[{64 + i}] = {'10.0*sin(6.283185307179586*t)' if i == 7 else '0.0'}" for i in range(8))
    solve = f"{matrix}; {right}; solve_in(w)"
    c = "static void solve_in(double *w) { cutset_solve(8, 7, 7, w, w + 64); }\n"
    python = """
def solve_in(w):
    b = w[64:72]
    solve(8, 7, 7, w, b)
    w[64:72] = b
"""
    return hybrid(
        states=["q"],
        unknowns=unknowns,
        relations=[relation(f"d{k + 1}.s < 0") for k in range(4)],
        crossings=[0, 1, 2, 3],
        n_work=72,
        derivatives=f"{solve}; dx[0] = w[70]",
        differences=f"{solve}; " + "; ".join(f"g[{k}] = w[{64 + k}]" for k in range(4)),
        variables=f"{solve}; "
        + "; ".join(f"y[{k}] = w[{64 + k}]" for k in range(8))
        + "; "
        + "; ".join(f"y[{8 + 2 * k}] = w[{64 + k}]; y[{9 + 2 * k}] = 0.0" for k in range(4)),
        before=f"{c}---{python}",
    )


def schmitt() -> SourceFiles:
    """An amplifier with positive feedback, limited to [-12, 12]: (3*v + o)/4 = p, p - 0 = d, where o = s between the
    limits and d = 0 there, d = s - 12 above and d = s + 12 below; v = 10*sin(2*pi*time)."""
    value = "w[0] = 10.0*sin(6.283185307179586*t); w[1] = 0.75*w[0]"
    # Above: s - 12 = 0.75*v + 3; below: s + 12 = 0.75*v - 3; between: 0 = 0.75*v + 0.25*s.
    value += "; w[2] = m[0]*(15.0 + w[1]) + (1.0 - m[0])*(m[1]*(w[1] - 15.0) - (1.0 - m[1])*4.0*w[1])"
    return hybrid(
        unknowns=["s"],
        relations=[relation("s > 12"), relation("s < -12")],
        crossings=[0, 1],
        n_work=3,
        differences=f"{value}; g[0] = w[2] - 12.0; g[1] = w[2] + 12.0",
        variables=f"{value}; y[0] = w[2]; y[1] = w[2]; y[2] = 12.0; y[3] = w[2]; y[4] = -12.0",
    )


def shorted() -> SourceFiles:
    """A switch and a diode without resistance in a row across 12 V, an inductor with 1 A at the node between: new(off)
    = s < 0. While the switch is closed, up to 0.25 and from 0.5 on, the diode must block; a short circuit of both has
    no solution."""
    value = "w[0] = 1.0 - m[1]; w[1] = (m[2]*(-12.0*w[0]) + (1.0 - m[2])*x[0])/(m[2]*w[0] + (1.0 - m[2])*(1.0 - w[0]))"
    return hybrid(
        states=["i"],
        unknowns=["s"],
        discrete=["off"],
        relations=[relation("s < 0"), relation("mod(time, 0.5) >= 0.25", "time")],
        crossings=[0],
        time_events=[1],
        n_work=2,
        starts="s[0] = 1.0; s[1] = 1.0",
        derivatives="dx[0] = 0.0",
        differences=f"{value}; g[0] = w[1]",
        times="te[0] = 0.25; te[1] = 1.0",
        variables=f"{value}; y[0] = w[1]; y[1] = w[1]; y[2] = 0.0; y[3] = t; y[4] = 0.25",
        updates="e[0] = m[0]",
    )


def fading() -> SourceFiles:
    """A current that fades to rounding behind a diode: x' = -1e3*x, s = x + 1e-17*sin(1e5*time), where u = if s < 0
    then s else 0."""
    value = "w[0] = x[0] + 1e-17*sin(1e5*t)"
    return hybrid(
        states=["x"],
        unknowns=["u"],
        relations=[relation("s < 0")],
        crossings=[0],
        starts="s[0] = 1.0",
        derivatives=f"{value}; dx[0] = -1e3*x[0]",
        differences=f"{value}; g[0] = w[0]",
        variables=f"{value}; y[0] = m[0]*w[0]; y[1] = w[0]; y[2] = 0.0",
    )


def sawtooth() -> SourceFiles:
    """x' = if mod(time, 1e-5) < 4e-6 then 1e5 else 0, beside a number of 1e4: no side of the relation is a crossing
    where it jumps."""
    saw = "w[0] = t - 1e-5*floor(t/1e-5)"
    return hybrid(
        states=["x"],
        unknowns=["big"],
        relations=[relation("mod(time, 1e-5) < 4e-6")],
        crossings=[0],
        derivatives="dx[0] = 1e5*m[0]",
        differences=f"{saw}; g[0] = w[0] - 4e-6",
        variables=f"{saw}; y[0] = 1e4; y[1] = w[0]; y[2] = 4e-6",
    )
