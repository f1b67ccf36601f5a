"""Constraints whose factors are parameters of very different sizes: states are those from which the others follow
without large errors, at the values of the text and of a run. ``python tests/sort/test_scaled_constraints.py 200`` runs
many."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import cutset

_SIZES = (1.0, -1.0, 2.0, -0.5, 1e-9, 1e-7, -1e-5, 1e-3)
_STOP = 2.0
KINDS = ("linear", "of positions", "with a sine")


@dataclass(frozen=True)
class Constrained:
    """x' = -d*x + sin(w*t) + H*f, or x'' with velocities v, where f keeps G*x = c*(1 - cos(t)); with a sine, 0.3*sin of
    one variable is added to each constraint. `factors` has the elements of G by the names of parameters."""

    text: str
    factors: dict[str, float]
    expected: np.ndarray


def constrained(seed: int, kind: str, given: bool) -> Constrained:
    """Two to five variables. A run has to give the factors, or else they are those of the text."""
    rng = np.random.default_rng([37, 4, seed])
    n = int(rng.integers(2, 6))
    k = int(rng.integers(1, n))
    while True:
        g = np.where(rng.random((k, n)) < 0.75, rng.choice(_SIZES, (k, n)), 0.0)
        h = np.where(rng.random((n, k)) < 0.8, rng.choice((1.0, -1.0, 0.5, 2.0), (n, k)), 0.0)
        if np.linalg.svd(g, compute_uv=False).min() > 0.1 and np.linalg.cond(g @ h) < 50:
            break
    turned = [int(rng.choice(np.flatnonzero(row))) for row in g] if kind == "with a sine" else [-1] * k
    d, w, c = rng.uniform(0.5, 3, n), rng.uniform(1, 4, n), rng.uniform(-1, 1, k) * (rng.random(k) < 0.5)
    names = [f"x{i + 1}" for i in range(n)]
    rates = [f"v{i + 1}" for i in range(n)] if kind == "of positions" else names
    factors = {f"g{a + 1}{i + 1}": float(g[a, i]) for a in range(k) for i in rng.permutation(n) if g[a, i]}
    lines = []
    for a in range(k):
        terms = [f"{name}*{names[int(name[2:]) - 1]}" for name in factors if name[1] == str(a + 1)]
        terms += [f"0.3*sin({names[turned[a]]})"] * (turned[a] >= 0)
        lines.append(f"  {' + '.join(terms)} = {float(c[a])!r}*(1 - cos(time))")
    for i in range(n):
        forces = "".join(f" + {float(h[i, a])!r}*f{a + 1}" for a in range(k) if h[i, a])
        lines.append(f"  der({rates[i]}) = {float(-d[i])!r}*{names[i]} + sin({float(w[i])!r}*time){forces}")
    lines += [f"  der({name}) = {rate}" for name, rate in zip(names, rates, strict=True) if name != rate]
    written = {p: float(np.sign(x)) * (1 + 0.1 * j) if given else x for j, (p, x) in enumerate(factors.items())}
    text = "model Scaled\n" + "".join(f"  parameter {p} = {x!r}\n" for p, x in written.items())
    text += f"  local {', '.join(dict.fromkeys(map(str, [*rng.permutation(names), *rates])))}\n"
    text += f"  local {', '.join(f'f{a + 1}' for a in range(k))}\n"
    text += "\n".join(lines[j] for j in rng.permutation(len(lines))) + "\nend\n"

    def slopes(t: float, x: np.ndarray) -> np.ndarray:
        free = -d * x[:n] + np.sin(w * t)
        if kind == "of positions":
            return np.concatenate([x[n:], free + h @ np.linalg.solve(g @ h, c * np.cos(t) - g @ free)])
        rows = g.copy()
        for a, j in enumerate(turned):
            rows[a, j] += 0.3 * np.cos(x[j]) if j >= 0 else 0.0
        return free + h @ np.linalg.solve(rows @ h, c * np.sin(t) - rows @ free)

    start = np.zeros(n * (2 if kind == "of positions" else 1))
    found = solve_ivp(slopes, (0, _STOP), start, rtol=1e-11, atol=1e-13, method="DOP853")
    expected = found.y[:n, -1] if found.success else np.full(n, np.nan)  # no solution beyond a singular position
    return Constrained(text, factors, expected)


def error(model: Constrained, given: bool) -> float:
    """The largest at the end, relative to the largest variable."""
    run = cutset.loads(model.text).simulate(_STOP, parameters=model.factors if given else {})
    found = np.array([run[f"x{i + 1}"][-1] for i in range(len(model.expected))])
    return float(np.abs(found - model.expected).max() / max(np.abs(model.expected).max(), 1e-3))


# Each was wrong by 0.09 to 3e9 when sizes did not count.
@pytest.mark.parametrize(
    ("seed", "kind", "given"),
    [(3, "linear", False), (3, "of positions", True), (8, "with a sine", True), (9, "with a sine", False)],
)
def test_states_do_not_follow_by_large_factors(seed: int, kind: str, given: bool) -> None:
    assert error(constrained(seed, kind, given), given) < 1e-4


def test_a_gear_keeps_its_state_at_any_ratio() -> None:
    """All its variables are multiples of one, and so are their errors."""
    model = cutset.loads(
        "model Gear\n  parameter ratio = 1000\n  local x, y (start=1), f\n  der(x) = -x + f\n"
        "  der(y) = -2*y - ratio*f\n  x = ratio*y\nend\n"
    )
    assert model.states == ("y",)


def main(count: int, first: int = 0) -> None:
    """Prints the models that are wrong."""
    drawn = wrong = 0
    for seed in range(first, first + count):
        for kind in KINDS:
            for given in (False, True):
                model = constrained(seed, kind, given)
                if not np.abs(model.expected).max() < 20.0:
                    continue
                drawn += 1
                try:
                    found = error(model, given)
                    said = "" if found < 1e-3 else f"wrong by {found:.1e}"
                except (cutset.ModelError, cutset.RunError) as failed:
                    said = str(failed).splitlines()[0]
                wrong += bool(said)
                if said:
                    print(seed, kind, "given" if given else "written", said, flush=True)
    print(f"{drawn} models, {wrong} wrong")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
