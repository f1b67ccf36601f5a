"""Random circuits with bipolar and MOS transistors and op-amps, beside ngspice: operating points and transients.

A circuit is written for both programs. Where ngspice is installed,
``python -m tests.oracles.spice_netlists --count 200`` compares many.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

_BIPOLAR = "IS={IS} BF={BF} BR={BR} VAF={VAF} CJE={CJE} CJC={CJC} TF={TF} TR={TR} RB={RB}"
# The MOS transistors of the library, as sources of SPICE: drain, gate, source; bulk at the source.
_MOS = {
    "NMOS": (4.1e-5 * 20e-6 / 5e-6, 0.8, 0.7311, 1.0),
    "PMOS": (1.05e-5 * 20e-6 / 5e-6, 1.0, 0.839, -1.0),
}


@dataclass
class Circuit:
    """Elements and nodes of a circuit; node 0 is the ground. `stop` is the end of its transient."""

    name: str
    random: random.Random
    stop: float = 0.0
    submodels: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    joined: dict[str, list[str]] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, pins: str, given: str, cards: str, pin: str = "V{}") -> None:
        """A component of a class at nodes, and its cards, in which {n} is its number."""
        name, nodes = f"x{len(self.submodels)}", pins.split()
        self.submodels.append(f"submodel ({kind}) {name}({given})" if given else f"submodel ({kind}) {name}")
        self.joined[name] = nodes
        self.cards += [line.format(n=len(self.submodels)) for line in cards.split("\n")]
        for node, letter in zip(nodes, pin.split() if " " in pin else ("a", "b"), strict=False):
            self.seen.setdefault(node, f"{name}.V{letter}")

    def R(self, a: str, b: str, value: float) -> None:
        self.add("Resistor", f"{a} {b}", f"R={value!r}", f"R{{n}} {a} {b} {value!r}")

    def C(self, a: str, b: str, value: float) -> None:
        self.add("Capacitor", f"{a} {b}", f"C={value!r}", f"C{{n}} {a} {b} {value!r}")

    def V(self, a: str, b: str, value: float) -> None:
        self.add("VConst", f"{a} {b}", f"V={value!r}", f"V{{n}} {a} {b} {value!r}")

    def sine(self, a: str, b: str, mean: float, value: float, f: float) -> None:
        self.add(
            "VSine", f"{a} {b}", f"V0={mean!r}, V={value!r}, f={f!r}", f"V{{n}} {a} {b} SIN({mean!r} {value!r} {f!r})"
        )

    def Q(self, c: str, b: str, e: str, kind: str = "NPN", **other: float) -> None:
        given = {
            "IS": 1e-14, "BF": 150.0, "BR": 2.0, "VAF": 80.0, "CJE": 8e-12, "CJC": 3e-12, "TF": 3e-10, "TR": 4e-8,
            "RB": 20.0, **other,
        }  # fmt: skip
        own = ", ".join(f"{k}={v!r}" for k, v in given.items() if k != "VAF") + f", IVAF={1 / given['VAF']!r}"
        card = f"Q{{n}} {c} {b} {e} M{{n}}\n.model M{{n}} {kind}({_BIPOLAR.format(**given)})"
        self.add(f"Spice{kind}", f"{c} {b} {e}", own, card, "c b e")

    def M(self, d: str, g: str, s: str, kind: str = "NMOS") -> None:
        v, vt, k5, sign = _MOS[kind]
        up, low = (f"{w}(V({d}),V({s}))" for w in ("max", "min"))
        high, bottom = (up, low) if sign > 0 else (low, up)
        drive = f"({k5}*({sign}*(V({g})-{bottom})-{vt}))"
        span = f"({sign}*({high}-{bottom}))"
        current = f"({v}*({drive} <= 0 ? 0 : {drive} > {span} ? {span}*({drive}-{span}/2) : {drive}^2/2)+{span}/1e7)"
        card = f"B{{n}} {d} {s} I={current}*{sign}*(V({d}) >= V({s}) ? {sign} : {-sign})"
        vt_given = "Vt=0.8" if sign > 0 else "Vt=-1"
        given = f"W=20e-6, L=5e-6, dW=0, dL=0, K2=0, RDS=1e7, {vt_given}"
        self.add(kind, f"{d} {g} {s} {s}", given, card, "d g s b")

    def A(self, p: str, n: str, out: str, k: float = 1e4, limit: float = 15.0) -> None:
        half = np.pi / 2
        card = f"B{{n}} {out} 0 V={limit!r}*atan({half * k / limit!r}*(V({p})-V({n})))/{half!r}"
        self.add("OpAmp", f"{p} {n} {out}", f"k={k!r}, Vmax={limit!r}, Vmin={-limit!r}", card, "1 2 3")

    def text(self) -> str:
        """The model, and the netlist without its commands."""
        nodes = sorted({node for at in self.joined.values() for node in at} - {"0"})
        ends = [
            f"{name} at ({', '.join('zero' if n == '0' else f'n_{n}' for n in at)})" for name, at in self.joined.items()
        ]
        lines = ["@electrical", '@"electrical/spice"', f"model {self.name}"]
        lines += [f"  {line}" for line in self.submodels]
        lines += ["  submodel (Ground) ground", "  node zero, " + ", ".join(f"n_{n}" for n in nodes)]
        lines += ["  connect ground at zero, " + ",\n    ".join(ends), "end", ""]
        return "\n".join(lines)

    def nodes(self) -> list[str]:
        return sorted(set(self.seen) - {"0"})


def _pick(c: Circuit, *choices: float) -> float:
    return float(f"{c.random.choice(choices) * c.random.uniform(0.8, 1.25):.4g}")


def _stage(c: Circuit, source: str, out: str, supply: str, kind: str = "NPN") -> None:
    """A common emitter with a divider, coupled by a capacitor."""
    low, high = ("0", supply) if kind == "NPN" else (supply, "0")
    b, e = f"b{out}", f"e{out}"
    c.C(source, b, _pick(c, 1e-7, 1e-6, 1e-5))
    c.R(high, b, _pick(c, 68e3, 100e3))
    c.R(b, low, _pick(c, 12e3, 15e3))
    c.R(high, out, _pick(c, 2.2e3, 4.7e3))
    c.R(e, low, _pick(c, 470.0, 1e3))
    if c.random.random() < 0.5:
        c.C(e, low, _pick(c, 1e-6, 1e-5))
    c.Q(out, b, e, kind, BF=_pick(c, 100, 200, 300), IS=_pick(c, 1e-15, 1e-14))


def _amplifier(c: Circuit) -> None:
    c.V("p", "0", _pick(c, 12.0, 15.0))
    f = _pick(c, 1e3, 1e4)
    c.sine("i", "0", 0.0, _pick(c, 0.002, 0.05), f)
    c.R("i", "s", _pick(c, 50.0, 600.0))
    _stage(c, "s", "c1", "p", c.random.choice(("NPN", "PNP")))
    if c.random.random() < 0.6:
        _stage(c, "c1", "c2", "p", c.random.choice(("NPN", "PNP")))
    c.stop = 3.0 / f


def _followed(c: Circuit) -> None:
    """Two stages with feedback, coupled directly."""
    c.V("p", "0", _pick(c, 12.0, 15.0))
    f = _pick(c, 1e3, 1e4)
    c.sine("i", "0", 0.0, 0.005, f)
    c.C("i", "b1", 1e-6)
    c.R("p", "c1", _pick(c, 22e3, 47e3))
    c.R("p", "c2", _pick(c, 2.2e3, 4.7e3))
    c.R("e1", "0", _pick(c, 100.0, 220.0))
    c.R("e2", "0", _pick(c, 470.0, 1e3))
    c.R("b1", "e2", _pick(c, 47e3, 100e3))
    c.C("e2", "0", 1e-5)
    c.Q("c1", "b1", "e1", BF=_pick(c, 200, 300))
    c.Q("c2", "c1", "e2", BF=_pick(c, 200, 300))
    c.stop = 3.0 / f


def _differential(c: Circuit) -> None:
    """A pair with a mirror as its load, and a mirror that feeds it."""
    c.V("p", "0", 15.0)
    c.V("n", "0", -15.0)
    f = _pick(c, 1e3, 1e4)
    c.sine("i", "0", 0.0, _pick(c, 0.001, 0.1), f)
    c.Q("a", "i", "t")
    c.Q("o", "0", "t")
    c.Q("a", "a", "p", "PNP", BF=80.0)
    c.Q("o", "a", "p", "PNP", BF=80.0)
    c.R("0", "m", _pick(c, 15e3, 47e3))
    c.Q("m", "m", "n")
    c.Q("t", "m", "n")
    c.R("o", "0", _pick(c, 22e3, 100e3))
    c.stop = 2.0 / f


def _push_pull(c: Circuit) -> None:
    c.V("p", "0", 12.0)
    c.V("n", "0", -12.0)
    f = _pick(c, 1e3, 1e4)
    c.sine("i", "0", 0.0, _pick(c, 1.0, 4.0), f)
    c.Q("p", "u", "o")
    c.Q("n", "d", "o", "PNP")
    for base, rail in (("u", "p"), ("d", "n")):
        c.R(rail, base, _pick(c, 2.2e3, 4.7e3))
    c.Q("u", "u", "i")
    c.Q("d", "d", "i", "PNP")
    c.R("o", "0", _pick(c, 100.0, 1e3))
    c.stop = 2.0 / f


def _op_amps(c: Circuit) -> None:
    f = _pick(c, 50.0, 1e3)
    c.sine("i", "0", _pick(c, 0.1, 0.5), _pick(c, 0.3, 1.0, 3.0), f)
    k = c.random.choice((1e4, 1e5))
    kind = c.random.randrange(4)
    if kind == 0:
        c.R("i", "m", _pick(c, 1e3, 1e4))
        c.R("m", "o", _pick(c, 1e4, 1e5))
        c.A("0", "m", "o", k)
    elif kind == 1:
        c.R("m", "0", _pick(c, 1e3, 1e4))
        c.R("m", "o", _pick(c, 1e4, 1e5))
        c.A("i", "m", "o", k)
    elif kind == 2:
        c.R("i", "m", _pick(c, 1e4))
        c.R("m", "o", _pick(c, 1e5))
        c.C("m", "o", _pick(c, 1e-8, 1e-7))
        c.A("0", "m", "o", k)
    else:
        c.R("i", "a", _pick(c, 1e4))
        c.R("a", "b", _pick(c, 1e4))
        c.C("a", "o", _pick(c, 2e-8))
        c.C("b", "0", _pick(c, 1e-8))
        c.A("b", "o", "o", k)
    if c.random.random() < 0.5:
        c.R("o", "m2", _pick(c, 1e4))
        c.R("m2", "o2", _pick(c, 1e4, 3e4))
        c.A("0", "m2", "o2", k)
    c.stop = 2.0 / f


def _schmitt(c: Circuit) -> None:
    """Two transistors with a common emitter."""
    c.V("p", "0", 12.0)
    f = _pick(c, 100.0, 1e3)
    c.sine("i", "0", _pick(c, 1.0, 8.0), 0.0 if c.random.random() < 0.5 else 6.0, f)
    c.R("i", "b1", 4.7e3)
    c.R("p", "c1", _pick(c, 4.7e3))
    c.R("p", "c2", _pick(c, 2.2e3))
    c.R("c1", "b2", _pick(c, 10e3))
    c.R("b2", "0", _pick(c, 22e3))
    c.R("e", "0", _pick(c, 680.0))
    c.Q("c1", "b1", "e")
    c.Q("c2", "b2", "e")
    c.stop = 0.0


def _mos(c: Circuit) -> None:
    c.V("p", "0", 5.0)
    f = _pick(c, 1e4, 1e5)
    kind = c.random.randrange(3)
    if kind == 0:
        c.sine("i", "0", 2.5, _pick(c, 0.5, 2.5), f)
        for k in range(c.random.randint(1, 3)):
            gate, drain = ("i" if k == 0 else f"o{k}"), f"o{k + 1}"
            c.M(drain, gate, "p", "PMOS")
            c.M(drain, gate, "0")
            c.C(drain, "0", _pick(c, 1e-12, 1e-11))
        c.stop = 1.0 / f
    elif kind == 1:
        c.sine("i", "0", 1.5, 0.1, f)
        c.R("p", "o", _pick(c, 47e3))
        c.M("o", "i", "0")
        c.C("o", "0", _pick(c, 1e-11))
        c.stop = 1.0 / f
    else:
        for k in range(3):
            gate, drain = f"o{(k + 2) % 3}", f"o{k}"
            c.M(drain, gate, "p", "PMOS")
            c.M(drain, gate, "0")
            c.C(drain, "0", 1e-12)


def ua741(c: Circuit) -> None:
    """The circuit of the 741 as a follower, without its protection (Gray, Meyer, Analysis and Design of Analog
    Integrated Circuits, 6.8)."""
    c.V("p", "0", 15.0)
    c.V("n", "0", -15.0)
    c.V("i", "0", 1.0)
    n, q = {"BF": 250.0, "IS": 5e-15, "VAF": 130.0}, {"BF": 50.0, "IS": 2e-15, "VAF": 50.0}
    c.Q("c8", "i", "e1", **n)
    c.Q("c8", "o", "e2", **n)
    c.Q("c3", "b3", "e1", "PNP", **q)
    c.Q("c4", "b3", "e2", "PNP", **q)
    c.Q("c3", "b5", "e5", **n)
    c.Q("c4", "b5", "e6", **n)
    c.Q("p", "c3", "b5", **n)
    c.R("e5", "n", 1e3)
    c.R("e6", "n", 1e3)
    c.R("b5", "n", 50e3)
    c.Q("c8", "c8", "p", "PNP", **q)
    c.Q("b3", "c8", "p", "PNP", **q)
    c.Q("b3", "b11", "e10", **n)
    c.R("e10", "n", 5e3)
    c.Q("b11", "b11", "n", **n)
    c.R("b12", "b11", 39e3)
    c.Q("b12", "b12", "p", "PNP", **q)
    c.Q("v", "b12", "p", "PNP", **q)
    c.Q("p", "c4", "b17", **n)
    c.R("b17", "n", 50e3)
    c.Q("w", "b17", "e17", **n)
    c.R("e17", "n", 100.0)
    c.C("c4", "w", 30e-12)
    c.Q("v", "v", "x", **n)
    c.Q("x", "x", "w", **n)
    c.Q("p", "v", "e14", **n)
    c.Q("n", "w", "e20", "PNP", **q)
    c.R("e14", "o", 27.0)
    c.R("o", "e20", 22.0)
    c.R("o", "0", 2e3)


KINDS: tuple[Callable[[Circuit], None], ...] = (
    _amplifier, _followed, _differential, _push_pull, _op_amps, _schmitt, _mos, _amplifier, _op_amps, _mos,
)  # fmt: skip


def random_circuit(seed: int) -> Circuit:
    """The 741 for the seed -1."""
    build = KINDS[seed % len(KINDS)] if seed >= 0 else ua741
    circuit = Circuit(f"Circuit{abs(seed)}", random.Random(seed))
    build(circuit)
    return circuit


def of_ngspice(circuit: Circuit, folder: Path) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """The operating point, and the transient from it with its times: node voltages."""
    nodes, data = circuit.nodes(), folder / "curves.txt"
    shown = " ".join(f"v({node})" for node in nodes)
    commands = ["op", f"print {' '.join(f'v({node})' for node in nodes)}"]
    if circuit.stop:
        step = circuit.stop / 20000
        commands += [f"tran {step!r} {circuit.stop!r} 0 {step!r}", "set wr_singlescale", f"wrdata {data} {shown}"]
    lines = [
        circuit.name, *circuit.cards,
        ".options reltol=1e-5 abstol=1e-12 vntol=1e-8 chgtol=1e-16 itl1=1000 itl4=200 temp=27",
        ".control", *commands, "quit", ".endc", ".end",
    ]  # fmt: skip
    path = folder / "circuit.cir"
    path.write_text("\n".join(lines) + "\n")
    done = subprocess.run(["ngspice", "-b", str(path)], capture_output=True, text=True, timeout=60, check=False)
    found = {m[1]: float(m[2]) for m in re.finditer(r"^v\((\w+)\) = (\S+)", done.stdout, re.MULTILINE)}
    if set(found) != set(nodes):
        raise ValueError("ngspice: " + (done.stdout + done.stderr)[-300:])
    if not circuit.stop:
        return found, {}
    table = np.loadtxt(data)
    if not table[-1, 0] > 0.999 * circuit.stop:
        raise ValueError(f"ngspice stopped at {table[-1, 0]}")
    return found, {"time": table[:, 0], **{node: table[:, 1 + k] for k, node in enumerate(nodes)}}


def errors_of(circuit: Circuit, folder: Path) -> tuple[float, float]:
    """The largest difference of the operating points, relative to the largest voltage, and of the curves, relative to
    their swing or a twentieth of their size."""
    import cutset

    path = folder / "circuit.mo"
    path.write_text(circuit.text())
    point, curves = of_ngspice(circuit, folder)
    model = cutset.load(path)
    rest = model.steady()
    size = max(map(abs, point.values()))
    at_rest = max(abs(rest[circuit.seen[node]][0] - v) for node, v in point.items()) / size
    if not curves:
        return at_rest, 0.0
    states = {name: float(rest[name][0]) for name in model.states}
    run = model.simulate(circuit.stop, points=201, initial=states, rtol=1e-7)

    def difference(node: str) -> float:
        ours, other = run[circuit.seen[node]], curves[node]
        found = np.abs(np.interp(run["time"], curves["time"], other) - ours).max()
        return float(found / max(np.ptp(other), 0.05 * np.abs(other).max(), 1e-6))

    return at_rest, max(map(difference, point))


def main() -> int:
    """Exit code 1 where one differs by more than 1e-3 or is refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.spice_netlists", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many circuits")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    arguments = parser.parse_args()
    if shutil.which("ngspice") is None:
        print("ngspice is not installed")
        return 1
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in (-1, *range(arguments.first, arguments.first + arguments.count)):
            circuit = random_circuit(seed)
            kind = KINDS[seed % len(KINDS)].__name__
            try:
                errors = errors_of(circuit, Path(folder))
            except Exception as failure:
                print(seed, kind, " ".join(str(failure).splitlines()[:2])[:200], flush=True)
                wrong += 1
                continue
            if not max(errors) < 1e-3:
                print(seed, kind, errors, flush=True)
                wrong += 1
    print(f"{arguments.count} circuits, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
