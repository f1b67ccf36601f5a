"""Circuits whose sources step across loops of capacitors and cut sets of inductors, and what they are after the step.

Of E*x' = A*x from any x before, x = P*x after, where P projects on the consistent subspace along its complement
(Campbell, Singular Systems of Differential Equations, 1980, ch. 3): that is the limit of ever steeper ramps, in which
charge and flux are kept. Run this file with a number to try so many circuits.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from oracles.modified_nodal import Circuit, Element, Motion, range_of_powers
from oracles.random_circuits import Maker

import cutset

# When the sources step: t0 of source k is the k-th.
_INSTANTS = (0.3, 0.3, 0.4)
_NEAR = 1e-6
# How long after a switch the states are compared, the rates of change that are slow beside this, and how near they are.
_LATER, _FASTEST, _SWITCHED = 1e-3, 50.0, 2e-3


@dataclass(frozen=True)
class Stepping:
    """`text` has one object; `stages` are the circuits between the steps by nodal analysis."""

    text: str
    stages: tuple[Circuit, ...]


class _Steps(Maker):
    def steps(self) -> None:
        """Sources that step: across a row of capacitors or any two nodes, and into a node of inductors or any."""
        for _ in range(self.random.randint(1, 3)):
            kind, (a, b) = self.random.choice(["VConst", "VConst", "IConst"]), self.pair()
            self.add(kind, (a, b) if self.random.random() < 0.3 else (a, self.row(kind, b)))

    def row(self, kind: str, end: int) -> int:
        """A node from which capacitors in a row, or inductors side by side, lead to the end."""
        first, element = self.node(), "Capacitor" if kind == "VConst" else "Inductor"
        near = first
        for _ in range(self.random.randint(0, 2)):
            others = [n for n in range(self.nodes) if n != near]
            far = self.node() if kind == "VConst" else self.random.choice(others)
            self.add(element, (near, far))
            near = far if kind == "VConst" else first
        self.add(element, (near, end))
        return first

    def transformers(self) -> None:
        for _ in range(self.random.choice([0, 0, 1])):
            self.add("IdealTransformer", (*self.pair(), *self.pair()))


def stepping_circuit(seed: int) -> Stepping:
    """The circuit of that number."""
    maker = _Steps(seed, ("0.6",))
    maker.branches()
    if maker.random.random() < 0.5:
        maker.corners()
    maker.steps()
    maker.transformers()
    maker.ends()
    ground = maker.random.randrange(maker.nodes)
    sources = [e for e in maker.elements if e.kind in ("VConst", "IConst")]
    after = {e.name: maker.value() * maker.random.choice((1, 0, -1)) for e in sources}
    instant = {e.name: _INSTANTS[k % len(_INSTANTS)] for k, e in enumerate(sources)}
    stages = []
    for t in (0.0, *sorted(set(instant.values()))):
        now = [
            Element(e.name, e.kind, e.nodes, {e.kind[0]: after[e.name]})
            if e.name in after and t >= instant[e.name]
            else e
            for e in maker.elements
        ]
        stages.append(Circuit(now, maker.nodes, ground))
    return Stepping(_text(maker.elements, maker.nodes, ground, after, instant), tuple(stages))


def switching_circuit(seed: int) -> Stepping:
    """The circuit of that number, in which one switch opens or closes at the first instant: it interrupts inductors, or
    joins charged capacitors."""
    maker = _Steps(seed, ("0.6",))
    maker.branches()
    maker.corners()
    for kind in ("VConst", "IConst"):
        maker.add(kind, maker.pair())
        maker.add("Resistor", maker.pair())
    maker.add(maker.random.choice(("Open", "Short")), maker.pair())
    switch = maker.elements[-1]
    maker.ends()
    ground = maker.random.randrange(maker.nodes)
    other = Element(switch.name, "Short" if switch.kind == "Open" else "Open", switch.nodes)
    after = [other if e is switch else e for e in maker.elements]
    text = _text(maker.elements, maker.nodes, ground, {}, {}).replace(
        f"({switch.kind}) {switch.name}\n", f"(ClosingSwitch) {switch.name}\n"
    )
    sign = ">=" if switch.kind == "Open" else "<"
    text = text.replace("\nend\n", f"\n  {switch.name}.closed = time {sign} {_INSTANTS[0]}\nend\n")
    return Stepping(text, (Circuit(maker.elements, maker.nodes, ground), Circuit(after, maker.nodes, ground)))


def _text(
    elements: list[Element], nodes: int, ground: int, after: dict[str, Fraction], instant: dict[str, float]
) -> str:
    lines = ["@electrical", "", "model Circuit", "  submodel (Ground) g"]
    lines.append("  node " + ", ".join(f"n{k}" for k in range(nodes)))
    for e in elements:
        given, kind = {name: float(value) for name, value in e.parameters.items()}, e.kind
        if e.name in after:
            kind, letter = e.kind.replace("Const", "Step"), e.kind[0]
            given = {f"{letter}0": given[letter], letter: float(after[e.name]), "t0": instant[e.name]}
        shown = ", ".join(f"{name}={value:.15g}" for name, value in given.items())
        lines.append(f"  submodel ({kind}) {e.name}{f'({shown})' if shown else ''}")
    lines.append(f"  connect g at n{ground}")
    lines += [f"  connect {e.name} at ({', '.join(f'n{n}' for n in e.nodes)})" for e in elements]
    return "\n".join([*lines, "end", ""])


def projector(circuit: Circuit, degree: int) -> np.ndarray:
    """P of this circuit."""
    e, a = circuit.matrices()
    m = np.linalg.solve(1.3 * e - a, e)
    right, left = (range_of_powers(part, degree + circuit.driven) for part in (m, m.T))
    return right @ np.linalg.solve(left.T @ right, left.T)


def jumps(stepping: Stepping, path: Path, **options: object) -> tuple[str, float]:
    """'right', 'wrong', why the circuit is none, or the code of the error; and the largest difference, relative to the
    largest quantity."""
    degrees = [stage.degree() for stage in stepping.stages]
    if None in degrees:
        return "singular", 0.0
    path.write_text(stepping.text)
    try:
        run = cutset.load(path).simulate(0.5, points=2, rtol=1e-9, atol=1e-11, **options)
    except (cutset.ModelError, cutset.RunError) as error:
        return getattr(error, "code", "") or str(error).partition("[")[2][:4], 0.0
    worst, moved = 0.0, False
    for before, after, degree, t in zip(
        stepping.stages, stepping.stages[1:], degrees[1:], sorted(set(_INSTANTS)), strict=False
    ):
        rows = np.flatnonzero(run.time == t)
        names, quantities = before.quantities()
        was, now = (np.array([run[name][row] for name in names]) for row in (rows[0], rows[-1]))
        point, off = Motion(before, degrees[0]).start(was)
        if off > 1e-6 * (1.0 + np.abs(was).max()):
            return "ill-conditioned", off
        x = Motion(before, degrees[0]).basis @ point
        expected = quantities @ (projector(after, degree) @ x)
        size = max(1.0, float(np.abs(was).max()), float(np.abs(expected).max()))
        worst = max(worst, float(np.abs(now - expected).max()) / size)
        states = [k for k, name in enumerate(names) if _is_kept(before, name)]
        moved |= bool(np.abs(expected - was)[states].max(initial=0.0) > 1e-6 * size)
    return ("wrong" if worst > _NEAR else "right, states jump" if moved else "right"), worst


def switched(stepping: Stepping, path: Path, **options: object) -> tuple[str, float]:
    """As `jumps`, a little later: a switch of the library conducts and blocks a little."""
    degrees = [stage.degree() for stage in stepping.stages]
    if None in degrees or max(degrees) > 12:
        return "singular", 0.0
    before, after = stepping.stages
    old, new = (Motion(stage, degree) for stage, degree in zip(stepping.stages, degrees, strict=True))
    if max(old.fastest, new.fastest) > _FASTEST:
        return "too fast", 0.0
    path.write_text(stepping.text)
    try:
        run = cutset.load(path).simulate(_INSTANTS[0] + _LATER, points=2, rtol=1e-9, atol=1e-11, **options)
    except (cutset.ModelError, cutset.RunError) as error:
        return getattr(error, "code", "") or str(error).partition("[")[2][:4], 0.0
    names, _ = before.quantities()
    states = [k for k, name in enumerate(names) if _is_kept(before, name)]
    row = int(np.flatnonzero(run.time == _INSTANTS[0])[0])
    was = np.array([run[name][row] for name in names])
    point, off = old.start(was)
    if off > 1e-3 * (1.0 + np.abs(was).max()):
        return "ill-conditioned", off
    x = projector(after, degrees[1]) @ (old.basis @ point)
    expected = new.curves(np.linalg.lstsq(new.basis, x, rcond=None)[0], np.array([_LATER]))[0]
    now = np.array([run[name][-1] for name in names])
    size = max(1.0, float(np.abs(was[states]).max(initial=0.0)))
    worst = float(np.abs(now - expected)[states].max(initial=0.0)) / size
    moved = np.abs(expected - was)[states].max(initial=0.0) > 0.05 * size
    return ("wrong" if worst > _SWITCHED else "right, states jump" if moved else "right"), worst


def _is_kept(circuit: Circuit, name: str) -> bool:
    kinds = {e.name: e.kind for e in circuit.elements}
    element, _, quantity = name.partition(".")
    return (kinds[element], quantity) in (("Capacitor", "u"), ("Inductor", "i"))


def main(count: int, first: int = 0) -> None:
    """Try circuits until so many have sources that move states at once, and their like with a switch; print what is
    wrong, and how many were what."""
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "circuit.mo"
        for seed in range(first, first + 20 * count):
            verdicts = {target: jumps(stepping_circuit(seed), path, target=target) for target in ("c", "python")}
            verdicts["switch"] = switched(switching_circuit(seed), path)
            for how, (what, worst) in verdicts.items():
                found[f"{how}: {what}"] += 1
                if what == "wrong":
                    print(seed, how, f"{worst:.1e}", flush=True)
            if found["c: right, states jump"] + found["c: wrong"] >= count:
                break
    print(seed - first + 1, "circuits:", dict(sorted(found.items())))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
