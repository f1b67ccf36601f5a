"""Random models with relations of equal sides, with closed solutions: ``python tests/runtime/equal_sides.py 500``.

`draw` has sides that are equal for a while or at single instants, poles, and delays of the length of a step; z is how
long the relation holds, and n how often it becomes true. `balanced` has sides that are equal up to rounding or to the
errors of a run: every run must end.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import asin, atan, floor, pi
from pathlib import Path

import cutset

_METHODS = ("auto", "dopri5", "cvode-bdf", "rk4", "ida", "bdf", "radau")


@dataclass(frozen=True)
class Drawn:
    """A model, how long it runs, its number of output times, and the values at the end, as far as they are known."""

    text: str
    stop: float
    points: int = 501
    right: dict[str, float] = field(default_factory=dict)
    within: float = 2e-5


def draw(number: int) -> Drawn:
    """Model `number`, always the same."""
    rng = random.Random(f"equal {number}")
    return rng.choice(_KINDS)(rng)


def _model(relation: str, body: str, then: str = "1", otherwise: str = "0") -> str:
    return f"""model M
  local x (start=0), z (start=0), n (start=0)
{body}
  der(x) = 1
  der(z) = if {relation} then {then} else {otherwise}
  when {relation} then
    new(n) = n + 1
  endwhen
end
"""


def _clock(rng: random.Random) -> str:
    return rng.choice(("x", "time", "x", "(x + time)/2"))


def _clamped(rng: random.Random) -> Drawn:
    """A signal that reaches a limit, or leaves one, with sides that rounding keeps apart."""
    c, k, stop = round(rng.uniform(0.3, 2.0), 2), rng.choice((1, 3, 0.1, 7e4)), 3.0
    name, holds = rng.choice((("min", stop - c), ("max", c)))
    side = f"{k}*{name}({_clock(rng)}, {c})"
    sides = [side, f"{k * c!r}"]
    rng.shuffle(sides)
    if rng.random() < 0.3:
        return Drawn(_model(" <> ".join(sides), ""), stop, right={"z": stop - holds, "n": float(name == "max")})
    return Drawn(_model(" == ".join(sides), ""), stop, right={"z": holds, "n": float(name == "min")})


def _branches(rng: random.Random) -> Drawn:
    """The same by an if."""
    c, stop = round(rng.uniform(0.3, 2.0), 2), 3.0
    body = f"  local y\n  y = if x > {c} then {c} else x"
    relation = rng.choice((f"y == {c}", f"not (y <> {c})", f"y >= {c}", f"min(x, {c}) >= {c}", f"sign({c} - y) == 0"))
    return Drawn(_model(relation, body), stop, right={"z": stop - c, "n": 1.0})


def _tank(rng: random.Random) -> Drawn:
    h, q, stop = rng.uniform(0.5, 2.0), rng.uniform(0.7, 3.0), 4.0
    empty = rng.choice(("h > 0", "not (h <= 0)", "max(h, 0) > 0"))
    body = f"  local h (start={h})\n  der(h) = if {empty} then -{q} else 0"
    return Drawn(_model(rng.choice(("h == 0", "0 == h")), body), stop, right={"z": stop - h / q, "n": 1.0})


def _wave(rng: random.Random) -> Drawn:
    """Passes a level again and again, or is cut off there."""
    w, level, t = rng.uniform(0.7, 5.0), rng.uniform(-0.8, 0.8), _clock(rng)
    stop = (2 * pi * 5 + 0.5 * pi) / w  # at the top of a wave
    if rng.random() < 0.4:
        return Drawn(
            _model(f"sin({w}*{t}) == {level}", "", "5"), stop, right={"z": 0.0, "n": 11.0 if level > 0 else 10.0}
        )
    high = (5 * (pi - 2 * asin(level)) + 0.5 * pi - max(0.0, asin(level))) / w
    if rng.random() < 0.5:
        return Drawn(
            _model(f"min(sin({w}*{t}), {level}) == {level}", ""),
            stop,
            right={"z": high, "n": 6.0 if level > 0 else 5.0},
        )
    return Drawn(_model(f"max(sin({w}*{t}), {level}) == {level}", ""), stop, right={"z": stop - high})


def _reset(rng: random.Random) -> Drawn:
    """A state that is set to a value: it stays there, or moves on."""
    at, value, rate, stop = rng.uniform(0.3, 0.8), round(rng.uniform(2.0, 3.0), 1), rng.choice((0, 1, -1)), 1.5
    body = f"""  local w (start=0)
  der(w) = if x < {at} then 0 else {rate}
  when x > {at} then
    init(w) = {value}
  endwhen"""
    right = {"z": 0.0 if rate else stop - at, "n": 1.0}
    return Drawn(_model(f"w == {value}", body), stop, right=right)


def _ended(rng: random.Random) -> Drawn:
    c, t = round(rng.uniform(0.2, 0.9), 2), _clock(rng)
    text = _model(f"{t} == {c + 5}", f'  terminate {t} == {c}, "there"')
    return Drawn(text, 1.0, right={"z": 0.0, "n": 0.0, "x": c})


def _pole(rng: random.Random) -> Drawn:
    """A relation that changes at a pole too."""
    k, level, stop, t = rng.uniform(1.5, 6.0), rng.uniform(-2.0, 2.0), 2.0, _clock(rng)
    kind = rng.randrange(3)
    if kind == 0:  # rises through the level, then jumps down
        turns = k * stop / pi
        first, end = (atan(level) / pi) % 1.0, 0.5
        length = (end - first) % 1.0
        found = sum(max(0.0, min(turns, j + first + length) - max(0.0, j + first)) for j in range(-1, floor(turns) + 1))
        return Drawn(_model(f"tan({k}*{t}) > {level}", ""), stop, right={"z": found * pi / k}, within=1e-4)
    c = rng.uniform(0.4, 1.4)
    level = rng.choice((-1, 1)) * abs(level) + rng.choice((-0.3, 0.3))
    cross = c + k / level
    if kind == 1:  # k/(t - c) > level
        inside = [0.0, *sorted(p for p in (c, cross) if 0.0 < p < stop), stop]
        found = sum(b - a for a, b in pairwise(inside) if b > a and k / (0.5 * (a + b) - c) > level)
        return Drawn(_model(f"{k}/({t} - {c}) > {level}", ""), stop, right={"z": found}, within=1e-4)
    big = 10.0 ** rng.uniform(3, 9)
    body = f"  local far\n  far = {big}*cos(time)"
    return Drawn(_model(f"1/({t} - {c}) > 0", body), stop, right={"z": stop - c}, within=1e-4)


def _delayed(rng: random.Random) -> Drawn:
    """A jump that is delayed by the length of a step between outputs."""
    points = rng.choice((501, 1001, 2001))
    stop, at, far = 5.0, rng.choice((0.5, 1.0, 1.25)), rng.choice((0, 1e9))
    delay = rng.choice((1, 2, 5)) * stop / (points - 1)
    body = f"""  local b (start=0), d, due (start={far})
  when sample({at}, {2 * at}) then
    new(b) = 1 - b
    new(due) = {far} - due
  endwhen
  d = delay(b, {delay!r})"""
    ups = [at + 4 * at * j for j in range(10)]
    found = sum(max(0.0, min(stop, up + 2 * at + delay) - min(stop, up + delay)) for up in ups)
    then = rng.choice(("1", "d"))
    return Drawn(_model("d > 0.5", body, then), stop, points, {"z": found}, 1e-4)


_KINDS: tuple[Callable[[random.Random], Drawn], ...] = (
    *(_clamped, _branches, _tank, _wave, _reset, _ended, _pole, _pole, _delayed, _delayed),
)


def balanced(number: int) -> Drawn:
    """Model `number` with sides that are equal up to rounding or errors, always the same."""
    rng = random.Random(f"balanced {number}")
    return rng.choice((_differences, _tanks, _invariant, _bridge))(rng)


def _differences(rng: random.Random) -> Drawn:
    k, a = rng.uniform(0.1, 5.0), rng.uniform(0.5, 100.0)
    relation = rng.choice((">", "<", ">=", "<=", "==", "<>"))
    return Drawn(
        f"""model M
  local a (start={2 * a}), b (start={a}), s (start=0), d
  der(a) = -{k}*a
  der(b) = -{k}*b
  d = a - b - {a}*exp(-{k}*time)
  der(s) = if d {relation} 0 then 1 else 2
end
""",
        rng.choice((0.1, 1.0, 10.0)),
    )


def _tanks(rng: random.Random) -> Drawn:
    """Equal tanks in a ring or a row, filled alike: no level ever differs."""
    n, flow, fed = rng.choice((2, 3, 5)), rng.randrange(3), rng.choice(("sin(time)^2", "0.1", "0.3*(2 + cos(5*time))"))
    laws = (
        "if {0} > {1} then c*({0} - {1}) else 2*c*({0} - {1})",
        "if {0} >= {1} then c*sqrt(abs({0} - {1})) else -c*sqrt(abs({1} - {0}))",
        "c*sign({0} - {1})*sqrt(abs({0} - {1}))",
    )
    lines = [f"  q({k}) = {laws[flow].format(f'h({k})', f'h({k + 1})')}" for k in range(1, n)]
    for k in range(1, n + 1):
        taken, given = f" - q({k})" if k < n else "", f" + q({k - 1})" if k > 1 else ""
        lines.append(f"  der(h({k})) = {fed} - 0.2*h({k}){taken}{given}")
    body = "\n".join(lines)
    return Drawn(
        f"""model M
  parameter c = {rng.uniform(0.1, 3.0)}
  local h({n}) (start={rng.uniform(0.5, 2.0)}), q({n - 1})
{body}
end
""",
        rng.choice((1.0, 10.0)),
    )


def _invariant(rng: random.Random) -> Drawn:
    """A quantity that the solution keeps, compared with what it is."""
    w = rng.uniform(0.5, 8.0)
    return Drawn(
        f"""model M
  local x (start=1), v (start=0), s (start=0)
  der(x) = {w}*v
  der(v) = -{w}*x
  der(s) = if x^2 + v^2 {rng.choice((">", "<", "=="))} 1 then 1 else 2
end
""",
        rng.choice((1.0, 20.0)),
    )


def _bridge(rng: random.Random) -> Drawn:
    """A balanced bridge with a diode of two slopes across it."""
    r, c, f = rng.uniform(1.0, 100.0), rng.uniform(0.01, 1.0), rng.uniform(0.1, 5.0)
    return Drawn(
        f"""model M
  local a (start=0), b (start=0), i
  i = if a > b then (a - b)/{r} else (a - b)/{1000 * r}
  {c}*der(a) = (sin({f}*time) - a)/{r} - i
  {c}*der(b) = (sin({f}*time) - b)/{r} + i
end
""",
        rng.choice((1.0, 10.0)),
    )


def errors(drawn: Drawn, folder: Path, **settings: object) -> list[str]:
    """What is wrong with a run of the model."""
    file = folder / "m.mo"
    file.write_text(drawn.text)
    try:
        run = cutset.load(str(file)).simulate(drawn.stop, points=drawn.points, **settings)  # type: ignore[arg-type]
    except cutset.RunError as error:
        return [str(error)]
    found = {name: float(run[name][-1]) for name in drawn.right}
    return [f"{n} = {found[n]} for {right}" for n, right in drawn.right.items() if abs(found[n] - right) > drawn.within]


def _main(count: int) -> None:
    """Run so many models of each kind by every method."""
    for draws in (balanced, draw):
        wrong = slow = 0
        for number in range(count):
            drawn, method = draws(number), _METHODS[number % len(_METHODS)]
            with tempfile.TemporaryDirectory() as folder:
                begun = time.process_time()
                found = errors(drawn, Path(folder), method=method)
                slow += time.process_time() - begun > 20.0
            if found:
                wrong += 1
                print(f"{draws.__name__} {number} {method}: {found}", flush=True)
        print(f"{draws.__name__}: {count} models, {wrong} wrong, {slow} slow", flush=True)


if __name__ == "__main__":
    _main(int(sys.argv[1]))
