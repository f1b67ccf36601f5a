"""Random models whose conditions of the start are more than there are states, and follow from each other -> their text,
and what holds.

The states of a linear model, some of whose conditions stand within exp(), begin at values that are drawn first; each
condition is a sum of states, derivatives and other variables that has the value it has there. As many of them as `rank`
are independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class RandomStart:
    """`conditions` are sums of variables by name, their values, and whether they stand within exp(); one is `wrong`
    where they contradict each other."""

    text: str
    conditions: tuple[tuple[dict[str, int], float, bool], ...]
    rank: int
    wrong: bool


def random_start(seed: int, wrong: bool = False) -> RandomStart:
    """With a condition that contradicts the others where `wrong`."""
    draw = Random(seed)
    n = draw.randint(2, 5)
    rank = draw.randint(1, n)
    begin = [draw.randint(-4, 4) for _ in range(n)]
    rates = [[draw.choice((0, 0, 1, -1, 2)) for _ in range(n)] for _ in range(n)]
    sums = [[draw.choice((0, 1, -1, 2)) for _ in range(n)] for _ in range(2)]
    rows = {f"x{k}": [int(j == k) for j in range(n)] for k in range(n)}
    rows |= {f"der(x{k})": rates[k] for k in range(n)} | {f"z{k}": sums[k] for k in range(2)}
    chosen = _independent(draw, n, rank)
    conditions = []
    for k in range(rank + draw.randint(1, 3)):
        factors = [int(j == k) for j in range(rank)] if k < rank else [draw.choice((-2, -1, 1, 2)) for _ in range(rank)]
        total = [sum(f * row[j] for f, row in zip(factors, chosen, strict=False)) for j in range(n)]
        conditions.append(_written(draw, total, rows))
    draw.shuffle(conditions)
    values = {name: sum(a * b for a, b in zip(row, begin, strict=False)) for name, row in rows.items()}
    told = [(c, float(sum(f * values[name] for name, f in c.items())), draw.random() < 0.2) for c in conditions]
    if wrong:
        told.append((told[0][0], told[0][1] + 1.5, False))
    return RandomStart(_text(rates, sums, told, begin, draw), tuple(told), rank, wrong)


def _independent(draw: Random, n: int, rank: int) -> list[list[int]]:
    """Rows in echelon form, mixed."""
    rows = [[0] * k + [1] + [draw.randint(-2, 2) for _ in range(n - k - 1)] for k in range(rank)]
    for _ in range(2 * rank):
        a, b = draw.randrange(rank), draw.randrange(rank)
        if a != b:
            rows[a] = [x + draw.choice((-1, 1)) * y for x, y in zip(rows[a], rows[b], strict=False)]
    return rows


def _written(draw: Random, total: list[int], rows: dict[str, list[int]]) -> dict[str, int]:
    """A sum of variables that is this sum of states."""
    other = draw.choice([name for name in rows if not name.startswith("x")])
    left = [a - b for a, b in zip(total, rows[other], strict=False)] if draw.random() < 0.5 else total
    found = {f"x{k}": a for k, a in enumerate(left) if a}
    return {**found, other: 1} if left is not total else found


def _text(
    rates: list[list[int]],
    sums: list[list[int]],
    told: list[tuple[dict[str, int], float, bool]],
    begin: list[int],
    draw: Random,
) -> str:
    n = len(rates)
    names = ", ".join(f"x{k}(start={begin[k] + draw.uniform(-0.3, 0.3):.3f}, fixed=false)" for k in range(n))
    lines = ["model M", f"  local {names}, z0, z1"]
    lines += [f"  der(x{k}) = {_sum({f'x{j}': a for j, a in enumerate(row)})}" for k, row in enumerate(rates)]
    lines += [f"  z{k} = {_sum({f'x{j}': a for j, a in enumerate(row)})}" for k, row in enumerate(sums)]
    lines.append("  initial")
    for condition, value, is_within in told:
        left = _sum(condition)
        lines.append(f"    exp(({left})/10) = exp({value}/10)" if is_within else f"    {left} = {value}")
    return "\n".join([*lines, "  endinitial", "end", ""])


def _sum(terms: dict[str, int]) -> str:
    return " + ".join(f"({a})*{name}" for name, a in terms.items() if a) or "0"
