"""Random networks of orifices and filters between volumes, run to rest, against a solution of the flows of their own.

An orifice lets q = k*dp/(dp^2 + dl^2)^(1/4) through, laminar below dl and turbulent above; a filter q = g*dp. Flows in
and out of each node are in balance: the pressures make a sum of strictly convex functions of the differences least, so
that there is one solution, which Newton's method with a search along its steps finds from anywhere.

``python -m tests.oracles.orifices --count 200`` runs many, and as many rows of elements without states: their flow
comes from, rests at and passes zero, and has a closed form.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

CLASSES = """
cut class Port (p(unit="Pa", nominal=1e5) / q(unit="m3/s", nominal=1e-4))

model class Element
  cut (Port) A (pa / q), B (pb / -q)
  main path P <A - B>
  local dp (unit="Pa")
  dp = pa - pb
end

model class (Element) Orifice
  parameter k = 1e-7, dl (unit="Pa") = 1e3
  q = k*dp/(dp^2 + dl^2)^0.25
end

model class (Element) Filter
  parameter g = 1e-9
  q = g*dp
end

model class Volume
  parameter C = 1e-12, p0 (unit="Pa") = 1e5
  main cut (Port) A (p / q)
  terminal p (start=p0)
  C*der(p) = q
end

model class Source
  parameter p0 (unit="Pa") = 1e5
  main cut (Port) A (p / q)
  p = p0
end
"""


@dataclass(frozen=True)
class Edge:
    """From node to node: k, dl of an orifice, or g of a filter."""

    a: int
    b: int
    k: float
    dl: float
    g: float

    def flow(self, dp: float) -> tuple[float, float]:
        """And its slope."""
        if self.g:
            return self.g * dp, self.g
        square = dp * dp + self.dl * self.dl
        return self.k * dp / square**0.25, self.k * (0.5 * dp * dp + self.dl * self.dl) / square**1.25


@dataclass(frozen=True)
class Network:
    """The first nodes have given pressures, the next ones volumes with start pressures; the others neither."""

    given: tuple[float, ...]
    volumes: tuple[float, ...]
    nodes: int
    edges: tuple[Edge, ...]

    def pressures(self) -> np.ndarray:
        """Of all nodes at rest."""
        first = len(self.given)
        p = np.full(self.nodes, float(np.mean(self.given)))
        p[:first] = self.given
        for _ in range(1000):
            balance, slopes = self._balance(p)
            step = np.linalg.solve(slopes[first:, first:], -balance[first:])
            size, part = float(balance[first:] @ balance[first:]), 1.0
            while part > 1e-9:
                trial = p.copy()
                trial[first:] += part * step
                other = self._balance(trial)[0][first:]
                if float(other @ other) < (1.0 - 0.5 * part) * size:
                    break
                part *= 0.5
            else:
                break
            p = trial
        return p

    def _balance(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What leaves each node, and its derivatives."""
        out, slopes = np.zeros(self.nodes), np.zeros((self.nodes, self.nodes))
        for e in self.edges:
            q, slope = e.flow(p[e.a] - p[e.b])
            out[e.a] += q
            out[e.b] -= q
            slopes[e.a, e.a] += slope
            slopes[e.b, e.b] += slope
            slopes[e.a, e.b] -= slope
            slopes[e.b, e.a] -= slope
        return out, slopes

    def text(self) -> str:
        """The model: n1 is the pressure of node 1."""
        lines = []
        for i, p in enumerate(self.given):
            lines.append(f"  submodel (Source) s{i}(p0={p!r})")
        for i, p in enumerate(self.volumes, start=len(self.given)):
            lines.append(f"  submodel (Volume) v{i}(p0={p!r})")
        for i, e in enumerate(self.edges):
            lines.append(
                f"  submodel (Filter) e{i}(g={e.g!r})" if e.g else f"  submodel (Orifice) e{i}(k={e.k!r}, dl={e.dl!r})"
            )
        lines.append("  node " + ", ".join(f"n{i}" for i in range(self.nodes)))
        ends = [f"s{i} at n{i}" for i in range(len(self.given))]
        ends += [f"v{i} at n{i}" for i in range(len(self.given), len(self.given) + len(self.volumes))]
        ends += [f"e{i} at (n{e.a}, n{e.b})" for i, e in enumerate(self.edges)]
        lines.append("  connect " + ", ".join(ends))
        return CLASSES + "\nmodel Network\n" + "\n".join(lines) + "\nend\n"


def random_network(seed: int) -> Network:
    """Every third comes to rest without any flow."""
    rng = np.random.default_rng(seed)
    sources, volumes, inner = int(rng.integers(1, 4)), int(rng.integers(1, 5)), int(rng.integers(1, 6))
    nodes = sources + volumes + inner
    level = 10 ** rng.uniform(5, 7)
    same = sources == 1 or seed % 3 == 0
    given = tuple(float(level * (1.0 if same else rng.uniform(0.3, 3.0))) for _ in range(sources))
    starts = tuple(float(level * rng.uniform(0.3, 3.0)) for _ in range(volumes))

    def edge(a: int, b: int) -> Edge:
        if rng.random() < 0.4:
            return Edge(a, b, 0.0, 0.0, float(10 ** rng.uniform(-9.5, -8.5)))
        return Edge(a, b, float(10 ** rng.uniform(-7, -6)), float(10 ** rng.uniform(2, 4)), 0.0)

    order = [0, *(1 + rng.permutation(nodes - 1)).tolist()]
    edges = [edge(order[int(rng.integers(max(0, i - 2), i))], order[i]) for i in range(1, nodes)]
    for _ in range(int(rng.integers(0, 4))):
        a, b = rng.choice(nodes, 2, replace=False).tolist()
        edges.append(edge(a, b))
    for node in range(sources + volumes, nodes):  # elements in a row need a next one
        if sum(node in (e.a, e.b) for e in edges) == 1:
            edges.append(edge(node, int(rng.integers(0, sources + volumes))))
    return Network(given, starts, nodes, tuple(edges))


def error_of(network: Network, folder: Path, stop: float = 10.0, method: str = "auto") -> float:
    """How far the pressures of the volumes and of all elements' ends are wrong, as part of the largest."""
    import cutset

    path = folder / "network.mo"
    path.write_text(network.text())
    # A difference of pressures is up to 1e4 times smaller than these, so that flows have that much fewer digits.
    run = cutset.load(path).simulate(stop, points=11, method=method, rtol=1e-9)
    expected = network.pressures()
    found = [
        [run[f"e{i}.pa"][-1] - expected[e.a], run[f"e{i}.pb"][-1] - expected[e.b]] for i, e in enumerate(network.edges)
    ]
    flows = [run[f"e{i}.q"][-1] - e.flow(expected[e.a] - expected[e.b])[0] for i, e in enumerate(network.edges)]
    most = max(abs(e.flow(max(expected) * 0.1)[0]) for e in network.edges)
    return float(max(np.abs(found).max() / np.abs(expected).max(), np.abs(flows).max() / most))


# The flow q through an element of the size k: what its text says, all the same but for the filter's q = k*d.
_LAWS = (
    "q = {k!r}*sign({d})*sqrt(abs({d}))",
    "q = if {d} > 0 then {k!r}*sqrt({d}) else -{k!r}*sqrt(-({d}))",
    "q = if {d} < 0 then -{k!r}*sqrt(abs({d})) else {k!r}*sqrt(abs({d}))",
    "{d} = q*abs(q)/{k2!r}",
    "{d} = if q >= 0 then q^2/{k2!r} else -q^2/{k2!r}",
    "{d} = sign(q)*q^2/{k2!r}",
    "q = {k!r}*({d})",
)
_STOP = 2.0


def _pressures(rng: np.random.Generator) -> tuple[str, Callable[[float], float]]:
    """A pressure that begins at zero or passes it, or rests there for a while."""
    a, f, b = (
        float(rng.uniform(0.2, 5.0)),
        float(rng.uniform(1.0, 9.0)),
        float(rng.choice([0.5, 1.0, rng.uniform(0.1, 1.9)])),
    )
    return [
        (f"{a!r}*sin({f!r}*time)", lambda t: a * math.sin(f * t)),
        (f"{a!r}*(time - {b!r})", lambda t: a * (t - b)),
        (f"{a!r}*({b!r} - time)^3", lambda t: a * (b - t) ** 3),
        (
            f"if time < {b!r} then 0 else {a!r}*sin({f!r}*(time - {b!r}))",
            lambda t: 0.0 if t < b else a * math.sin(f * (t - b)),
        ),
        (f"if time < {b!r} then {a!r} else -{a!r}", lambda t: a if t < b else -a),
        ("0*time", lambda t: 0.0),
        (f"{a!r}*(cos({f!r}*time) - 1)", lambda t: a * (math.cos(f * t) - 1.0)),
    ][int(rng.integers(7))]


def row_of_elements(seed: int) -> tuple[str, Callable[[float], float]]:
    """The text of a model of up to seven elements in a row, often of one law, and the flow q through them."""
    rng = np.random.default_rng(seed)
    count, own = int(rng.integers(1, 8)), int(rng.integers(6))
    source, pressure = _pressures(rng)
    lines, turbulent, laminar = [f"  p(1) = {source}", f"  p({count + 1}) = 0"], 0.0, 0.0
    for i in range(1, count + 1):
        k = float(rng.uniform(0.3, 3.0))
        law = _LAWS[own if rng.random() < 0.7 else int(rng.integers(7))]
        lines.append("  " + law.format(d=f"p({i}) - p({i + 1})", k=k, k2=k * k))
        turbulent, laminar = (turbulent, laminar + 1 / k) if law is _LAWS[-1] else (turbulent + 1 / k**2, laminar)

    def flow(t: float) -> float:
        p = abs(pressure(t))
        root = math.sqrt(laminar**2 + 4.0 * turbulent * p)
        return math.copysign(2.0 * p / (laminar + root) if p else 0.0, pressure(t))

    return f"model Row\n  local p({count + 1}), q\n" + "\n".join(lines) + "\nend\n", flow


def error_of_row(seed: int, folder: Path, method: str = "auto") -> float:
    """How far the flow is wrong anywhere, as part of 1 or of the largest flow."""
    import cutset

    text, flow = row_of_elements(seed)
    path = folder / "row.mo"
    path.write_text(text)
    run = cutset.load(path).simulate(_STOP, points=41, method=method)
    expected = np.array([flow(t) for t in run.time])
    apart = np.abs(run["q"] - expected)
    jumps = np.flatnonzero(np.diff(run.time) == 0.0)  # two rows at one instant
    apart[jumps] = np.minimum(apart[jumps], np.abs(run["q"][jumps] - [flow(t - 1e-9) for t in run.time[jumps]]))
    return float(apart.max() / max(np.abs(expected).max(), 1.0))


def _error_of_network(seed: int, folder: Path) -> float:
    return error_of(random_network(seed), folder)


def main() -> int:
    """Exit code 1 where one is wrong or refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.orifices", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many networks")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    arguments = parser.parse_args()
    wrong, largest = 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        seeds = range(arguments.first, arguments.first + arguments.count)
        for seed, error_of_one in [(k, f) for f in (error_of_row, _error_of_network) for k in seeds]:
            try:
                error = error_of_one(seed, Path(folder))
            except Exception as failure:
                print(seed, error_of_one.__name__, str(failure).splitlines()[0], flush=True)
                wrong += 1
                continue
            largest = max(largest, error)
            if not error < 1e-4:
                print(seed, error_of_one.__name__, error, flush=True)
                wrong += 1
    print(f"{2 * arguments.count} networks and rows, {wrong} wrong, largest error of the others {largest:.1e}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
