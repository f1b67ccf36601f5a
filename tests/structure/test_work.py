"""The work grows as the model does: lines of code that run, counted for a model and for one of twice its size."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import work_counts

from cutset.compiler.collection import collection_paused
from cutset.compiler.pipeline import compile_model
from cutset.compiler.structure.analyze import analyze
from cutset.compiler.structure.matching import greedy_transversal
from cutset.compiler.structure.plan import Incidence
from cutset.compiler.structure.state_sets import state_sets
from cutset.compiler.structure.verify import check_plan

COMPILER = str(Path(sys.modules[analyze.__module__].__file__).parent.parent)
# Twice, and what logarithms and one-off costs add.
MOST = 2.25


def lines_of(work: Callable[[], object]) -> int:
    """How many lines of the compiler run."""
    return work_counts.lines_of(work, COMPILER)


def incidence(rows: list[list[int]], derivative: list[int]) -> Incidence:
    return Incidence(tuple(tuple(sorted(row)) for row in rows), tuple(derivative), (0,) * len(derivative))


def tridiagonal(n: int) -> Incidence:
    """One block of n equations."""
    return incidence([[j for j in (k - 1, k, k + 1) if 0 <= j < n] for k in range(n)], [-1] * n)


def chain(n: int) -> Incidence:
    """n blocks, each of which needs the one after it."""
    return incidence([[k, k + 1] if k + 1 < n else [k] for k in range(n)], [-1] * n)


def ladder(n: int) -> Incidence:
    """Resistors in a row and capacitors to ground: 2k a voltage, 2k + 1 its derivative."""
    rows = [[2 * j for j in (k - 1, k, k + 1) if 0 <= j < n] + [2 * k + 1] for k in range(n)]
    return incidence(rows, [v + 1 if v % 2 == 0 else -1 for v in range(2 * n)])


def inertias(n: int) -> Incidence:
    """Inertias that turn together: speeds 2k, their derivatives, and torques 2n + k. n - 1 constraints of index 2."""
    rows = [[2 * k + 1, 2 * n + k] + ([2 * n + k - 1] if k else []) for k in range(n)]
    rows += [[2 * k, 2 * k + 2] for k in range(n - 1)] + [[2 * n - 2, 3 * n - 1]]
    return incidence(rows, [v + 1 if v < 2 * n and v % 2 == 0 else -1 for v in range(3 * n)])


def masses(n: int) -> Incidence:
    """Masses on rods: positions 4k, speeds, accelerations, forces. n - 1 constraints of index 3."""
    rows, derivative = [], []
    for k in range(n):
        q = 4 * k
        derivative += [q + 1, q + 2, -1, -1]
        rows.append([q + 2, q + 3] + ([q + 7] if k < n - 1 else []))
        rows.append([q - 4, q] if k else [q + 3])
    return incidence(rows, derivative)


SHAPES = [tridiagonal, chain, ladder, inertias, masses]


@pytest.mark.parametrize("shape", SHAPES)
def test_analysis(shape: Callable[[int], Incidence]) -> None:
    def work(n: int) -> int:
        given = shape(n)
        return lines_of(lambda: state_sets(given, analyze(given)))

    work(10)  # what is loaded when it is first needed
    assert work(1200) < MOST * work(600)


def test_no_column_is_looked_at_when_all_rows_have_one() -> None:
    rows = [list(range(3000))]
    assert lines_of(lambda: greedy_transversal(rows, range(3000))) < 3000 * 6


@pytest.mark.parametrize("shape", SHAPES)
def test_ten_thousand_equations(shape: Callable[[int], Incidence]) -> None:
    # Nothing recurses: ten times as many as frames are allowed.
    size = 5_000 if shape in (inertias, masses) else 10_000
    given = shape(size)
    assert len(given.rows) >= 10_000
    with collection_paused():  # as in a translation
        plan = analyze(given)
    assert len(plan.blocks) >= 1
    if shape in (chain, ladder):
        check_plan(given, plan)


ELEMENTS = """
model class Resistor
  main path P <A - B>
  cut A (Va / i), B (Vb / -i)
  parameter R = 2
  R*i = Va - Vb
end
model class Capacitor
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  parameter C = 3
  C*der(Va) - C*der(Vb) = i
end
model class Source
  main cut A (V / i)
  V = sin(time)
end
model class Ground
  main cut A (V / i)
  V = 0
end
model class Inertia
  main path P <A - B>
  cut A (w1 / t1), B (w2 / -t2)
  parameter J = 2
  w1 = w2
  J*der(w1) = t1 - t2
end
model class Gear
  main path P <A - B>
  cut A (w1 / t1), B (w2 / -t2)
  parameter r = 1.01
  w1 = r*w2
  t2 = r*t1
end
model class Load
  main cut A (w / t)
  t = w - 1
end
"""


def electrical(n: int) -> str:
    lines = [" submodel (Source) s", " submodel (Ground) g", " node n0, z", " connect s at n0, g at z"]
    for k in range(n):
        lines.append(f" submodel (Resistor) r{k}\n submodel (Capacitor) c{k}\n node n{k + 1}")
        lines.append(f" connect r{k}:A at n{k}, r{k}:B at n{k + 1}, c{k} at (n{k + 1}, z)")
    return "\n".join([ELEMENTS, "model M", *lines, "end", ""])


def rotational(n: int) -> str:
    lines = [" submodel (Load) e", " submodel (Inertia) j0"]
    for k in range(1, n):
        lines.append(f" submodel (Inertia) j{k}\n submodel (Gear) g{k}\n connect j{k - 1} to g{k} to j{k}")
    lines.append(f" connect e to j{n - 1}:B")
    return "\n".join([ELEMENTS, "model M", *lines, "end", ""])


@pytest.mark.parametrize("text", [electrical, rotational])
def test_translation(text: Callable[[int], str], tmp_path: Path) -> None:
    """Constraints between n inertias, too: what is differentiated, torn and printed."""

    def work(n: int) -> int:
        path = tmp_path / f"model{n}.mo"
        path.write_text(text(n))
        return lines_of(lambda: compile_model(path, None))

    work(3)
    assert work(80) < MOST * work(40)
