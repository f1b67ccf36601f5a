"""Random linear systems whose coefficients are parameters -> their text, values for several runs, and exact solutions.

Rotations by angles at which a sine or a cosine vanishes; sparse matrices whose elements become zero, tiny or huge, so
that other pivots are needed; networks of the library's resistors between 1e-5 and 1e5 ohm. The right sides are
parameters or vary in time, and in some systems one more coefficient varies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

TIME = 0.3
_ANGLES = (0.0, math.pi / 2, math.pi, -math.pi / 2, 3 * math.pi / 2, 1e-5, 0.3, 2.0)
_SIZES = (0.0, 0.0, 1.0, -1.0, 1e-5, 1e5, -2.5, 3.0)
_RESISTANCES = (1e-5, 1.0, 2.0, 1e5)
# Of the sum of all terms from which an unknown follows.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class ParameterSystem:
    """`runs` are parameter values, each with the exact solution at `TIME` and what rounding may add to it, by name."""

    text: str
    runs: tuple[tuple[dict[str, float], dict[str, tuple[float, float]]], ...]


def parameter_system(seed: int, runs: int = 4) -> ParameterSystem:
    """Runs with which the system is singular are omitted."""
    draw = Random(seed)
    return draw.choice((_rotation, _matrix, _network))(draw, runs)


def wrong_values(drawn: ParameterSystem, found: Mapping[str, float], expected: dict[str, tuple[float, float]]) -> str:
    """What differs from the exact solution; empty if nothing does."""
    for name, (value, rounding) in expected.items():
        if not abs(found[name] - value) <= rounding:
            return f"{name} is {found[name]!r} instead of {value!r} (rounding {rounding:g}) in\n{drawn.text}"
    return ""


def _rotation(draw: Random, count: int) -> ParameterSystem:
    """A chain of forces that are turned by angles: each pair has the determinant -1."""
    n, shape, varies = draw.randint(1, 3), draw.choice(("sin", "cos")), draw.random() < 0.5
    other = "cos" if shape == "sin" else "sin"
    lines = []
    for k in range(n):
        right = f"G{k}*cos(time)" if varies else f"G{k}"
        right += f" + 0.5*x{k - 1}" if k else ""
        lines += [f"x{k}*{shape}(a{k}) + y{k}*{other}(a{k}) = {right}", f"x{k}*{other}(a{k}) - y{k}*{shape}(a{k}) = P"]
        if k:
            lines[2 * k - 2] += f" + 0.25*y{k}"
    names = [name for k in range(n) for name in (f"x{k}", f"y{k}")]

    def rows(p: Mapping[str, float]) -> tuple[list[list[float]], list[float]]:
        matrix, right = [[0.0] * (2 * n) for _ in range(2 * n)], []
        for k in range(n):
            c, s = getattr(math, shape)(p[f"a{k}"]), getattr(math, other)(p[f"a{k}"])
            matrix[2 * k][2 * k : 2 * k + 2], matrix[2 * k + 1][2 * k : 2 * k + 2] = [c, s], [s, -c]
            if k:
                matrix[2 * k][2 * k - 2] -= 0.5
                matrix[2 * k - 2][2 * k + 1] -= 0.25
            right += [p[f"G{k}"] * (math.cos(TIME) if varies else 1.0), p["P"]]
        return matrix, right

    values = {f"a{k}": draw.choice((0.3, 0.7, 2.0)) for k in range(n)} | {f"G{k}": 10.0 * k + 3.0 for k in range(n)}
    given = [{f"a{k}": draw.choice(_ANGLES) for k in range(n)} for _ in range(count)]
    return _system(draw, lines, names, values | {"P": 20.0}, given, rows)


def _matrix(draw: Random, count: int) -> ParameterSystem:
    n = draw.randint(2, 5)
    places = {(i, j) for i in range(n) for j in range(n) if i == j or j == (i + 1) % n or draw.random() < 0.3}
    order = draw.sample(range(n), n)
    moving, varies = draw.random() < 0.3, draw.random() < 0.5
    lines = []
    for i in order:
        terms = [f"m{i}{j}*z{j}" for j in range(n) if (i, j) in places]
        terms += ["(1.7 + time)*z0"] if moving and i == order[0] else []
        lines.append(f"{' + '.join(terms)} = {f'b{i}*sin(time + 1)' if varies and i % 2 == 0 else f'b{i}'}")

    def rows(p: Mapping[str, float]) -> tuple[list[list[float]], list[float]]:
        matrix = [[p[f"m{i}{j}"] if (i, j) in places else 0.0 for j in range(n)] for i in order]
        matrix[0][0] += 1.7 + TIME if moving else 0.0
        right = [p[f"b{i}"] * (math.sin(TIME + 1) if varies and i % 2 == 0 else 1.0) for i in order]
        return matrix, right

    values = {f"m{i}{j}": draw.choice((2.0, 3.0, -1.5, 0.7)) + 4.0 * (i == j) for i, j in sorted(places)}
    values |= {f"b{i}": float(draw.randint(-5, 5)) for i in range(n)}
    some = sorted(places)
    given = [{f"m{i}{j}": draw.choice(_SIZES) for i, j in some if draw.random() < 0.6} for _ in range(count)]
    return _system(draw, lines, [f"z{k}" for k in range(n)], values, given, rows)


def _system(draw: Random, lines: list[str], names: list[str], values: dict[str, float], given, rows) -> ParameterSystem:
    if draw.random() < 0.3:  # parameters of the model or of a submodel
        body = [f"parameter {name}" for name in values]
        inner = "\n  ".join([*body, f"local {', '.join(names)}", *lines])
        own = ", ".join(f"{name}={value!r}" for name, value in values.items())
        text = f"model class Inner\n  {inner}\nend\nmodel M\n  submodel (Inner) s({own})\nend\n"
        before = "s."
    else:
        body = [f"parameter {name} = {value!r}" for name, value in values.items()]
        text = "model M\n  " + "\n  ".join([*body, f"local {', '.join(names)}", *lines]) + "\nend\n"
        before = ""
    runs = []
    for each in given:
        found = _exact(*rows({**values, **each}))
        if found is not None:
            runs.append(
                (
                    {before + name: value for name, value in each.items()},
                    {before + name: pair for name, pair in zip(names, found, strict=True)},
                )
            )
    return ParameterSystem(text, tuple(runs))


def _network(draw: Random, count: int) -> ParameterSystem:
    """Resistors between nodes; node 0 is the ground, a source is at node 1."""
    n, varies = draw.randint(3, 5), draw.random() < 0.5
    pairs = [(k, draw.randrange(k)) for k in range(2, n)] + [
        tuple(draw.sample(range(n), 2)) for _ in range(draw.randint(2, 5))
    ]
    pairs += [(k, draw.randrange(2)) for k in range(2, n)] + [(1, n - 1)]
    source = "VSine) v(V=10, f=1, phi=0.4)" if varies else "VConst) v(V=10)"
    lines = ["@electrical", "model M", f"  submodel ({source}", "  submodel (Ground) g"]
    lines.append(f"  node {', '.join(f'n{k}' for k in range(n))}")
    values = [draw.choice((1.5, 2.0, 3.0, 100.0)) for _ in pairs]
    lines += [f"  submodel (Resistor) r{k}(R={value!r})" for k, value in enumerate(values)]
    wires = [f"r{k} at (n{a}, n{b})" for k, (a, b) in enumerate(pairs)]
    lines += ["  connect v at (n1, n0), g at n0, " + ", ".join(wires), "end", ""]
    volts = 10.0 * math.sin(2 * math.pi * TIME + 0.4) if varies else 10.0
    runs = []
    for _ in range(count):
        own = [draw.choice(_RESISTANCES) if draw.random() < 0.6 else 10 ** draw.uniform(-5, 5) for _ in pairs]
        runs.append(({f"r{k}.R": value for k, value in enumerate(own)}, _currents(n, pairs, own, volts)))
    return ParameterSystem("\n".join(lines), tuple(runs))


def _currents(
    n: int, pairs: Sequence[tuple[int, int]], values: Sequence[float], volts: float
) -> dict[str, tuple[float, float]]:
    """The currents of all resistors, from node potentials in exact fractions."""
    g = [1 / Fraction(value) for value in values]
    matrix = [[Fraction(0)] * n for _ in range(n)]
    for (a, b), c in zip(pairs, g, strict=True):
        for i, j in ((a, b), (b, a)):
            matrix[i][i] += c
            matrix[i][j] -= c
    right = [Fraction(0)] * n
    for fixed, value in ((0, 0.0), (1, volts)):
        matrix[fixed] = [Fraction(int(j == fixed)) for j in range(n)]
        right[fixed] = Fraction(value)
    potential = [row[0] for row in _solved(matrix, [[b] for b in right]) or []]
    exact = [(potential[a] - potential[b]) * c for (a, b), c in zip(pairs, g, strict=True)]
    # Potentials are rounded, and so are their differences, however small these are.
    rounding = 1e-8 * float(max(map(abs, exact))) + 1e-14 * abs(volts) / min(values)
    return {f"r{k}.i": (float(i), rounding) for k, i in enumerate(exact)}


def _exact(matrix: list[list[float]], right: list[float]) -> list[tuple[float, float]] | None:
    """The solution, and for each unknown what rounding errors of all numbers may add (Skeel)."""
    n = len(matrix)
    a, b = [[Fraction(x) for x in row] for row in matrix], [Fraction(x) for x in right]
    inverse = _solved(a, [[Fraction(int(i == j)) for j in range(n)] for i in range(n)])
    if inverse is None:
        return None
    x = [sum(e * f for e, f in zip(row, b, strict=True)) for row in inverse]
    sizes = [sum(abs(e * v) for e, v in zip(row, x, strict=True)) + abs(f) for row, f in zip(a, b, strict=True)]
    rounding = [_ROUNDING * float(sum(abs(e) * s for e, s in zip(row, sizes, strict=True))) for row in inverse]
    if max(rounding) > 1e-4 * max(1.0, *(float(abs(v)) for v in x)):  # nearly singular
        return None
    least = 1e-9 * max(1.0, *(float(abs(v)) for v in x))  # beside the largest of them
    return [(float(v), r + least) for v, r in zip(x, rounding, strict=True)]


def _solved(matrix: list[list[Fraction]], right: list[list[Fraction]]) -> list[list[Fraction]] | None:
    n = len(matrix)
    rows = [[*row, *b] for row, b in zip(matrix, right, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [e / rows[k][k] for e in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [e - factor * p for e, p in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]
