"""Random networks of tanks, pipes, pumps and heat exchangers, and the same by nodal analysis in numpy.

``python -m tests.oracles.fluid_networks --count 200`` compares many of them at points, and runs each.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from models_from_text import translate

import cutset

CLASSES = """
cut class Fluid (p(unit="Pa") / m(unit="kg/s"), carried h(unit="J/kg"), carried X(2))

model class Tank
  parameter k (unit="Pa/kg") = 1, M0 (unit="kg") = 1, h0 (unit="J/kg") = 1, x0 = 0.5
  cut (Fluid) a (p / m, carried h, carried X)
  terminal M (start=M0), U (unit="J", start=M0*h0), S(2)(start=[M0*x0, M0*(1 - x0)])
  p = k*M
  h = U/M
  X = S/M
  der(M) = m
  der(U) = carried(h)
  der(S) = carried(X)
end

model class Element
  cut (Fluid) a (pa / m, carried ha, carried Xa), b (pb / -m, carried hb, carried Xb)
  main path P <a - b>
  Xa = inflow(Xb)
  Xb = inflow(Xa)
end

model class (Element) Pipe
  parameter G (unit="kg/(s.Pa)") = 1
  m = G*(pa - pb)
  ha = inflow(hb)
  hb = inflow(ha)
end

model class (Element) Pump
  parameter size (unit="kg/s") = 1, rate (unit="rad/s") = 1, begin (unit="s") = 0
  m = if time < begin then 0 else size*sin(rate*(time - begin))
  ha = inflow(hb)
  hb = inflow(ha)
end

model class (Element) Exchanger "to a wall; `heat` is what flows out of it into the wall"
  parameter G (unit="kg/(s.Pa)") = 1, kA (unit="kg/s") = 1, wall (unit="J/kg") = 1
  terminal heat (start=0, unit="J")
  local rest
  m = G*(pa - pb)
  rest = exp(-kA/max(abs(m), 1e-6 kg/s))
  ha = wall + (inflow(hb) - wall)*rest
  hb = wall + (inflow(ha) - wall)*rest
  der(heat) = carried(ha) - carried(hb)
end
"""


@dataclass(frozen=True)
class Edge:
    """From point to point; the tanks are the first points."""

    kind: str
    start: int
    end: int
    values: dict[str, float]


@dataclass(frozen=True)
class Network:
    """For each tank (k, M0, h0, x0), the number of points, of which the others are nodes, and the edges. One with
    equal pressures is `at_rest` until its pumps begin."""

    tanks: tuple[tuple[float, float, float, float], ...]
    points: int
    edges: tuple[Edge, ...]

    def text(self) -> str:
        """The model in the language."""
        lines = [
            f"  submodel (Tank) t{k}(k={size}, M0={mass}, h0={level}, x0={share})"
            for k, (size, mass, level, share) in enumerate(self.tanks)
        ]
        count = self.points - len(self.tanks)
        lines += [f"  node n({count})"] if count else []
        for j, edge in enumerate(self.edges):
            values = ", ".join(f"{name}={value}" for name, value in edge.values.items())
            lines.append(f"  submodel ({edge.kind}) e{j}({values})")
            lines.append(f"  connect e{j}:a at {self._point(edge.start)}")
            if edge.end >= 0:
                lines.append(f"  connect e{j}:b at {self._point(edge.end)}")
        return "\n".join([CLASSES, "model Network", *lines, "end", ""])

    def _point(self, k: int) -> str:
        return f"t{k}:a" if k < len(self.tanks) else f"n({k - len(self.tanks) + 1})"

    def flows(self, masses: np.ndarray, time: float) -> np.ndarray:
        """The flow through each edge."""
        known = len(self.tanks)
        A, b = np.zeros((self.points, self.points)), np.zeros(self.points)
        A[:known, :known] = np.eye(known)
        b[:known] = [size * mass for (size, *_), mass in zip(self.tanks, masses, strict=True)]
        for edge in self.edges:
            for here, there, sign in ((edge.start, edge.end, 1), (edge.end, edge.start, -1)):
                if min(here, there) < 0 or here < known:
                    continue
                if edge.kind == "Pump":
                    b[here] -= sign * _pumped(edge, time)
                else:
                    A[here, here] += edge.values["G"]
                    A[here, there] -= edge.values["G"]
        p = np.linalg.solve(A, b)
        found = np.array([
            0.0 if edge.end < 0
            else _pumped(edge, time) if edge.kind == "Pump"
            else edge.values["G"] * (p[edge.start] - p[edge.end])
            for edge in self.edges
        ])  # fmt: skip
        return np.where(np.abs(found) < 1e-12, 0.0, found)

    def rates(self, masses: np.ndarray, levels: np.ndarray, shares: np.ndarray, time: float) -> np.ndarray:
        """For each tank der(M), der(U), der(S(1)); all flows differ from 0 but those of dead ends."""
        flows = self.flows(masses, time)
        net = np.zeros(self.points)
        for edge, flow in zip(self.edges, flows, strict=True):
            net[edge.start] -= flow
            net[edge.end] += flow if edge.end >= 0 else 0.0
        net = net[: len(self.tanks)]
        mixed = [self._mixed(flows, net, own, warms) for own, warms in ((levels, True), (shares, False))]
        counting = [np.where(net > 0, net * into, net * own) for into, own in zip(mixed, (levels, shares), strict=True)]
        return np.array([net, *counting]).T

    def _mixed(self, flows: np.ndarray, net: np.ndarray, own: np.ndarray, warms: bool) -> np.ndarray:
        """What flows from the point of each tank on. Elements meet there as at nodes: what passes does not enter it."""
        supply = np.zeros(self.points)
        supply[: len(net)] = np.maximum(-net, 0.0)
        A, b = np.diag(supply), np.zeros(self.points)
        b[: len(net)] = supply[: len(net)] * own
        for edge, flow in zip(self.edges, flows, strict=True):
            if edge.end >= 0:
                up, down = (edge.start, edge.end) if flow >= 0 else (edge.end, edge.start)
                gain, add = _line(edge, flow) if warms else (1.0, 0.0)
                A[down, down] += abs(flow)
                A[down, up] -= abs(flow) * gain
                b[down] += abs(flow) * add
        reached = np.diag(A) > 0
        return np.linalg.solve(np.where(reached[:, None], A, np.eye(self.points)), b)[: len(net)]


def _pumped(edge: Edge, time: float) -> float:
    v = edge.values
    return 0.0 if time < v["begin"] else v["size"] * math.sin(v["rate"] * (time - v["begin"]))


def _line(edge: Edge, flow: float) -> tuple[float, float]:
    """What leaves the edge as gain*x + add of what enters it."""
    if edge.kind != "Exchanger":
        return 1.0, 0.0
    rest = math.exp(-edge.values["kA"] / max(abs(flow), 1e-6))
    return rest, edge.values["wall"] * (1.0 - rest)


def random_network(seed: int) -> Network:
    """Each tank is at a pipe of its own; every fourth network has equal pressures: it rests until pumps begin."""
    r = np.random.default_rng(seed)

    def number(low: float, high: float) -> float:
        return float(f"{r.uniform(low, high):.3g}")

    tanks, nodes, rests = int(r.integers(2, 5)), int(r.integers(1, 5)), seed % 4 == 0
    pressure = number(1, 5)
    drawn = []
    for _ in range(tanks):
        mass = number(5, 20)
        drawn.append((pressure / mass if rests else number(0.2, 2), mass, number(-5, 5), number(0, 1)))
    edges = []

    def add(kind: str, start: int, end: int) -> None:
        of_kind = {
            "Pipe": {"G": number(0.05, 2)},
            "Pump": {"size": number(-1, 1), "rate": number(0.5, 5), "begin": number(0, 1)},
            "Exchanger": {"G": number(0.05, 2), "kA": number(0.01, 2), "wall": number(-5, 5)},
        }
        edges.append(Edge(kind, *((start, end) if r.random() < 0.5 or end < 0 else (end, start)), of_kind[kind]))

    for k in range(tanks):
        add(str(r.choice(["Pipe", "Exchanger"])), k, tanks + int(r.integers(nodes)))
    for k in range(1, nodes):
        add(str(r.choice(["Pipe", "Exchanger"])), tanks + k, tanks + int(r.integers(k)))
    for _ in range(int(r.integers(1, 5))):
        start, end = (int(k) for k in r.choice(tanks + nodes, 2, replace=False))
        add(str(r.choice(["Pipe", "Pump", "Pump", "Exchanger"])), start, end)
    for _ in range(int(r.integers(2))):
        add("Pipe", int(r.integers(tanks + nodes)), -1)
    for k in range(tanks, tanks + nodes):  # a node with one cut would be an open terminal
        if sum(k in (edge.start, edge.end) for edge in edges) == 1:
            add("Pipe", k, -1)
    return Network(tuple(drawn), tanks + nodes, tuple(edges))


def error_at_points(network: Network, seed: int, count: int = 3) -> float:
    """The largest error of a rate at random points, and of the balances there, relative to what flows."""
    r, made, worst = np.random.default_rng([seed, 1]), translate(network.text()), 0.0
    assert not made.program.info.relations or all(each.kind == "time" for each in made.program.info.relations)
    size = len(network.tanks)
    for _ in range(count):
        masses, levels, shares = r.uniform(5, 20, size), r.uniform(-5, 5, size), r.uniform(0, 1, size)
        time = float(r.uniform(2, 4))
        given = {}
        for k, (mass, level, share) in enumerate(zip(masses, levels, shares, strict=True)):
            given |= {f"t{k}.M": mass, f"t{k}.U": mass * level}
            given |= {f"t{k}.S(1)": mass * share, f"t{k}.S(2)": mass * (1 - share)}
        heats = {name: 0.0 for name in made.program.info.states if name.endswith(".heat")}
        rates = made.rates(given | heats, time)
        try:
            expected = network.rates(masses, levels, shares, time)
        except np.linalg.LinAlgError:  # a pump round a ring without content, beside which all rests
            continue
        found = np.array([[rates[f"t{k}.{name}"] for name in ("M", "U", "S(1)")] for k in range(size)])
        scale = 1.0 + np.abs(expected).max()
        worst = max(worst, float(np.abs(found - expected).max()) / scale)
        heat = sum(rates[name] for name in heats)
        worst = max(worst, abs(found[:, 0].sum()) / scale, abs(found[:, 1].sum() + heat) / scale)
    return worst


def error_of_run(network: Network, folder: Path, stop: float = 5.0) -> tuple[float, int]:
    """How well a run at default settings keeps mass, energy and a substance, relative to their amounts; its steps. It
    has no event but those of the pumps."""
    path = folder / "network.mo"
    path.write_text(network.text(), encoding="utf-8")
    run = cutset.load(path).simulate(stop, points=51)
    pumps = sum(edge.kind == "Pump" for edge in network.edges)
    assert sum(run.statistics.events.values()) <= pumps, run.statistics.events
    size = range(len(network.tanks))
    heat = sum((run[f"e{j}.heat"] for j, e in enumerate(network.edges) if e.kind == "Exchanger"), 0.0 * run.time)
    worst = 0.0
    for name, more in (("M", 0.0), ("U", heat), ("S(1)", 0.0)):
        parts = np.array([run[f"t{k}.{name}"] for k in size])
        total = parts.sum(axis=0) + more
        worst = max(worst, float(np.abs(total - total[0]).max() / (1.0 + np.abs(parts).sum(axis=0).max())))
    return worst, run.statistics.steps


def main() -> None:
    """Compare `--count` networks."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.fluid_networks", description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    at_points, in_runs, most = 0.0, 0.0, 0
    for seed in range(given.first, given.first + given.count):
        network = random_network(seed)
        try:
            error = error_at_points(network, seed)
            with tempfile.TemporaryDirectory() as folder:
                kept, steps = error_of_run(network, Path(folder))
        except Exception as wrong:
            print(f"{seed}: {type(wrong).__name__}: {str(wrong)[:300]}", flush=True)
            continue
        at_points, in_runs, most = max(at_points, error), max(in_runs, kept), max(most, steps)
        if error > 1e-10 or kept > 1e-10 or steps > 3000:
            print(f"{seed}: {error:.1e} at points, {kept:.1e} in the run of {steps} steps", flush=True)
    print(f"{at_points:.1e} at points, {in_runs:.1e} in runs, {most} steps at most")


if __name__ == "__main__":
    main()
