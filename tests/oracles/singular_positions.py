"""``python -m tests.oracles.singular_positions --first 0 --count 60``: random loops that pass positions in which other
motions branch off: parallelograms and kites where their links are in line, in the plane and, with joints in space, as
members of larger families. A moving mechanism goes straight on there. Its positions have a closed form, and its energy
is constant."""

from __future__ import annotations

import argparse
import cmath
import math
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import cutset

KINDS = ("parallelogram", "kite")
METHODS = ("auto", "tsit5", "cvode-bdf", "rk4")
STOP, GRAVITY = 2.0, 9.81
# Relative to the largest value: of angles and the energy, over a run at the default tolerance; without error control.
TOLERANCE, UNCONTROLLED = 3e-4, 1e-3
_TEXT = """@{library}
model Loop
  submodel (Inertial) w(ng2=-1)
  submodel (Revolute) a(n3=1, qd0={speed!r}), b(n3=1){in_plane}
  submodel (Bar) {bars}
  submodel (Body) {bodies}
  submodel {closing}
  connect w to a to l1 to {second} to l2 to c to l3, w to base, k:a at l3:b, k:b at base:b,
          m1 at a:b, m2 at b:b, m3 at c:b{more}
end
"""
_STATE = "\n  submodel (JointState) state"


@dataclass(frozen=True)
class Loop:
    """A loop of crank, coupler and rocker; `angle` is that of the crank at the start. Of each link its mass, the place
    of its center as a part of its length, and its inertia."""

    kind: str
    lengths: tuple[float, float]
    angle: float
    speed: float
    links: tuple[tuple[float, float, float], ...]
    spatial: bool
    preferred: str

    def points(self, angle: float) -> tuple[complex, complex, complex]:
        """The ends of crank, coupler and base."""
        first, second = self.lengths
        tip = cmath.rect(first, angle)
        if self.kind == "parallelogram":
            return tip, tip + second, second + 0j
        half = angle / 2
        across = first * math.sin(half)
        return tip, cmath.rect(first * math.cos(half) + math.sqrt(second**2 - across**2), half), first + 0j

    def text(self, library: str) -> str:
        tip, end, base = self.points(self.angle)
        vectors = {"l1": tip, "l2": end - tip, "l3": base - end, "base": base}
        bars = ", ".join(f"{name}(r1={v.real!r}, r2={v.imag!r})" for name, v in vectors.items())
        bodies = []
        for (mass, part, inertia), (k, v) in zip(self.links, enumerate(list(vectors.values())[:3], 1), strict=True):
            center = f"r1={part * v.real!r}, r2={part * v.imag!r}"
            bodies.append(f"m{k}(m={mass!r}, {center}, I11={inertia!r}, I22={inertia!r}, I33={inertia!r})")
        state, more = ("", "") if not self.preferred else (_STATE, f", state at {self.preferred}:ext")
        in_plane, closing, second = ", c(n3=1)", "(PlanarCutRevolute) k(n3=1)", "b"
        if self.spatial:
            in_plane, second = ", x(n2=1)", "x to b"
            closing = "(SphericalCardan) c\n  submodel (CutRevolute) k(n3=1)"
        return _TEXT.format(
            library=library, speed=self.speed, bars=bars, bodies=", ".join(bodies), in_plane=in_plane,
            closing=closing + state, second=second, more=more,
        )  # fmt: skip

    def centers(self, angle: float) -> list[tuple[complex, float]]:
        """Of each link the place of its center and its direction."""
        tip, end, base = self.points(angle)
        ends = (0j, tip), (tip, end), (end, base)
        return [(p + part * (q - p), cmath.phase(q - p)) for (p, q), (_, part, _) in zip(ends, self.links, strict=True)]

    def energy(self, angle: float, speed: float) -> float:
        h, total = 1e-5, 0.0
        sides = zip(self.links, self.centers(angle), self.centers(angle + h), self.centers(angle - h), strict=True)
        for (mass, _, inertia), (place, _), (after, turned), (before, was) in sides:
            moved, turn = (after - before) / (2 * h), math.remainder(turned - was, 2 * math.pi) / (2 * h)
            total += speed**2 / 2 * (mass * abs(moved) ** 2 + inertia * turn**2) + mass * GRAVITY * place.imag
        return total

    def error(self, run) -> float:  # type: ignore[no-untyped-def]
        """How far angles and energy are from those of the motion, relative to their largest values."""
        start, turned = self.centers(self.angle), run["a.q"]
        worst = float(np.abs(np.diff(turned)).max() > 1.0)
        energies = [self.energy(self.angle + q, qd) for q, qd in zip(turned, run["a.qd"], strict=True)]
        own = [self.energy(self.angle, qd) for qd in run["a.qd"]]
        worst = max(worst, (max(energies) - min(energies)) / (max(own) - min(own[:1]) + abs(own[0])))
        third = run["c.q" if not self.spatial else "c.z.q"]
        for q, b, c in zip(turned, run["b.q"], third, strict=True):
            (_, _), (_, second), (_, last) = self.centers(self.angle + q)
            for found, now, was in ((q + b, second, start[1][1]), (q + b + c, last, start[2][1])):
                worst = max(worst, abs(math.remainder(found - (now - was), 2 * math.pi)))
        return float(worst)


def loop(seed: int) -> Loop:
    rng = Random(seed)
    kind = KINDS[seed % 2]
    first, second = rng.uniform(0.3, 1), rng.uniform(1.1, 2)
    lengths = (first, first * second) if kind == "kite" or rng.random() < 0.7 else (first * second, first)
    links = tuple((rng.uniform(0.2, 3), rng.uniform(0.2, 0.8), rng.uniform(0.01, 0.3)) for _ in range(3))
    angle, speed = rng.uniform(0.3, 2 * math.pi - 0.3), rng.choice((-1, 1)) * rng.uniform(1, 12)
    return Loop(kind, lengths, angle, speed, links, rng.random() < 0.4, rng.choice(("", "", "a")))


def told(each: Loop, folder: Path, library: str, method: str) -> tuple[str, str]:
    """How it went: 'right', 'ends' with a message, or 'WRONG'; and the particulars."""
    file = folder / "loop.mo"
    file.write_text(each.text(library), encoding="utf-8")
    options = {"points": 2001 if method == "rk4" else 401}
    try:
        run = cutset.load(file).simulate(STOP, method=method, **options)
    except cutset.RunError as error:
        return "ends", str(error).splitlines()[0]
    error = each.error(run)
    limit = UNCONTROLLED if method == "rk4" else TOLERANCE
    return ("right" if error < limit else "WRONG"), f"{error:.1e}"


def main() -> int:
    """Exit code 1 if one is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.singular_positions", description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--libraries", nargs="+", default=["mbs"])
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    arguments = parser.parse_args()
    counts: dict[str, int] = {}
    for seed in range(arguments.first, arguments.first + arguments.count):
        each = loop(seed)
        for library in arguments.libraries:
            for method in arguments.methods:
                with tempfile.TemporaryDirectory() as folder:
                    outcome, more = told(each, Path(folder), library, method)
                counts[outcome] = counts.get(outcome, 0) + 1
                where = f"{each.kind}{' in space' if each.spatial else ''} {each.preferred}"
                print(f"{seed} {where} {library} {method}: {outcome} {more}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if "WRONG" in counts else 0


if __name__ == "__main__":
    sys.exit(main())
