"""A seed -> a planar four-bar with some of its start values written, and where it can begin: by closed forms of circles
that meet.

Nothing is shared with the engine but the text of the model.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

JOINTS = ("a", "b", "c")
_TEXT = """@mbs
model FB "a + b turns the coupler, c the rocker"
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) {joints}
  submodel (Bar) l1(r1={0}), l2(r1={1}), l3(r1={2}), base(r1={3})
  submodel (Body) m1(m=1, r1=0.1, I33=0.01), m2(m=1, r1=0.25, I33=0.02), m3(m=1, r1=0.15, I33=0.01)
  submodel (PlanarCutRevolute) k(n3=1)
  connect world to a to l1 to b to l2, world to base to c to l3, k:a at l2:b, k:b at l3:b,
          m1 at a:b, m2 at b:b, m3 at c:b
end
"""
# Where circles hardly meet, or hardly do not, of the lengths; and how little a joint may turn beside the others.
_GRAZING, _DEAD = 0.01, 0.05

Position = tuple[float, float, float]


@dataclass(frozen=True)
class FourBar:
    """`lengths` of crank, coupler, rocker and base; the written angles and speeds by joints. The written angles `agree`
    or not."""

    lengths: tuple[float, float, float, float]
    angles: Mapping[str, float]
    speeds: Mapping[str, float]
    agree: bool

    def text(self, order: tuple[str, ...]) -> str:
        joints = (f"{name}({', '.join(['n3=1', *self._given(name)])})" for name in order)
        return _TEXT.format(*self.lengths, joints=", ".join(joints))

    def _given(self, name: str) -> list[str]:
        given = {"q0": self.angles, "qd0": self.speeds}
        return [f"{what}={values[name]!r}" for what, values in given.items() if name in values]

    def open_by(self, q: Position) -> float:
        crank, coupler, rocker, base = self.lengths
        return abs(cmath.rect(crank, q[0]) + cmath.rect(coupler, q[0] + q[1]) - base - cmath.rect(rocker, q[2]))

    def assemblies(self, joint: str, angle: float) -> list[Position]:
        """The positions in which the joint has this angle: two, or none."""
        crank, coupler, rocker, base = self.lengths
        if joint == "a":
            pin = cmath.rect(crank, angle)
            tips = _meeting(pin, coupler, base, rocker)
            return [self._position(pin, tip) for tip in tips]
        if joint == "c":
            tip = base + cmath.rect(rocker, angle)
            return [self._position(pin, tip) for pin in _meeting(0.0, crank, tip, coupler)]
        reach = crank + cmath.rect(coupler, angle)
        tips = _meeting(0.0, abs(reach), base, rocker)
        return [self._position(tip / reach * crank, tip) for tip in tips]

    def _position(self, pin: complex, tip: complex) -> Position:
        a = cmath.phase(pin)
        return a, cmath.phase(tip - pin) - a, cmath.phase(tip - self.lengths[3])

    def slack(self, joint: str, angle: float) -> float:
        """How far the circles are from touching each other only, of the longest bar; negative where they do not
        meet."""
        crank, coupler, rocker, base = self.lengths
        if joint == "b":
            far, one, other = base, abs(crank + cmath.rect(coupler, angle)), rocker
        elif joint == "a":
            far, one, other = abs(base - cmath.rect(crank, angle)), coupler, rocker
        else:
            far, one, other = abs(base + cmath.rect(rocker, angle)), crank, coupler
        return min(one + other - far, far - abs(one - other)) / max(self.lengths)

    def turning(self, q: Position) -> tuple[float, float, float]:
        """How fast the joints turn beside each other, the fastest with 1 or -1."""
        crank, coupler, rocker, _ = self.lengths
        first, second, third = cmath.rect(crank, q[0]), cmath.rect(coupler, q[0] + q[1]), cmath.rect(rocker, q[2])
        columns = (first + second, second, -third)
        ways = [_cross(columns[k - 2], columns[k - 1]) for k in range(3)]
        most = max(ways, key=abs)
        return ways[0] / most, ways[1] / most, ways[2] / most


def _cross(p: complex, q: complex) -> float:
    return (p.conjugate() * q).imag


def _meeting(p: complex, r: float, q: complex, s: float) -> list[complex]:
    """Where the circle of radius r around p meets that of radius s around q."""
    far = abs(q - p)
    along = (r**2 - s**2 + far**2) / (2 * far)
    if r**2 < along**2:
        return []
    aside = math.sqrt(r**2 - along**2)
    return [p + (q - p) / far * complex(along, side) for side in (aside, -aside)]


def random_four_bar(seed: int) -> FourBar:
    """Away from dead centers, and from where it can just be closed."""
    generator = Random(seed)
    while True:
        found = _tried(generator)
        if all(abs(found.slack(name, angle)) > _GRAZING for name, angle in found.angles.items()):
            return found


def _tried(generator: Random) -> FourBar:
    lengths = tuple(round(generator.uniform(0.2, 1.0), 3) for _ in range(4))
    bar = FourBar(lengths, {}, {}, True)
    names = generator.sample(JOINTS, generator.choice((1, 1, 2, 3)))
    angles = {name: round(generator.uniform(-3.0, 3.0), 2) for name in names}
    agree = len(names) == 1 or generator.random() < 0.5
    if len(names) > 1 and agree:
        possible = bar.assemblies(names[0], angles[names[0]])
        if not possible:
            return _tried(generator)
        position = dict(zip(JOINTS, generator.choice(possible), strict=False))
        angles = {name: position[name] for name in names}
    speeds = {}
    if generator.random() < 0.6:
        name = generator.choice(JOINTS)
        possible = bar.assemblies(names[0], angles[names[0]])
        if agree and all(abs(bar.turning(q)[JOINTS.index(name)]) > _DEAD for q in possible):
            speeds[name] = round(generator.uniform(-5.0, 5.0), 2)
    return FourBar(lengths, angles, speeds, agree)
