"""Every row of the table of functions: its slope, symmetry, shape and names agree with its values."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from bounds_in_c import TimeBounds

from cutset.compiler.expressions.bounds import Bounds
from cutset.compiler.expressions.differentiate import differentiate
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.instantiate.units.values import RULES
from cutset.compiler.instantiate.values.builtin_functions import BUILTINS
from cutset.contract.functions import FUNCTIONS, Branches, Function, Rising, Valley, Wave
from cutset.contract.metadata import TimeCrossing

ROWS = list(FUNCTIONS.values())
OF_ONE = [row for row in ROWS if row.arity == 1]
PAGE = Path(__file__).parents[2] / "docs" / "language" / "functions.md"
IN_C = Path(__file__).parents[2] / "runtime" / "c" / "point" / "functions.h"


def points(row: Function, count: int = 40) -> list[tuple[float, ...]]:
    """Arguments at which it has values, away from its ends and jumps."""
    low, high = row.shape.domain if isinstance(row.shape, Rising) else (-3.0, 3.0)
    if row.op == "pow":
        low, high = 0.0, 3.0
    generator = np.random.default_rng(len(row.op))
    inside = generator.uniform(max(low, -3.0) + 0.01, min(high, 3.0) - 0.01, (count, row.arity))
    return [tuple(p) for p in inside.tolist()]


def value_of(row: Function, x: float) -> float:
    """The value of a function of one argument, nan if it has none."""
    try:
        return float(row.value(x))
    except (ArithmeticError, ValueError):
        return math.nan


def test_table_of_functions_in_c(request: pytest.FixtureRequest) -> None:
    """The table for C is written from the rows, by --update-golden: first of all, as a run with other rows crashes."""
    if request.config.getoption("--update-golden"):
        IN_C.write_text(functions_in_c(), encoding="utf-8")
    assert IN_C.read_text(encoding="utf-8") == functions_in_c()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.op)
def test_slope_is_that_of_differences(row: Function) -> None:
    pool = Pool()
    leaves = [pool.variable(f"x{k}") for k in range(row.arity)]
    node = pool.call(row.op, *leaves)
    for k, leaf in enumerate(leaves):
        slope = differentiate(pool, node, lambda v, leaf=leaf: pool.one if v is leaf else pool.zero)
        for point in points(row):
            h = 1e-6
            up, down = ([x + (d if j == k else 0.0) for j, x in enumerate(point)] for d in (h, -h))
            expected = (row.value(*up) - row.value(*down)) / (2 * h)
            assert RandomPoint(dict(zip(leaves, point, strict=False))).value(slope) == pytest.approx(
                expected, rel=1e-5, abs=1e-6
            )


@pytest.mark.parametrize("row", [row for row in ROWS if row.symmetry], ids=lambda row: row.op)
def test_symmetry(row: Function) -> None:
    for (x,) in points(row):
        assert row.value(-x) == row.symmetry * row.value(x)


@pytest.mark.parametrize("row", [row for row in ROWS if not row.symmetry], ids=lambda row: row.op)
def test_no_symmetry_is_forgotten(row: Function) -> None:
    if row.arity == 1 and row.value(-0.5 if isinstance(row.shape, Rising) and row.shape.domain[0] < 0 else 0.5):
        mirrored = value_of(row, -0.7)
        assert abs(mirrored) != abs(row.value(0.7))


@pytest.mark.parametrize("row", OF_ONE, ids=lambda row: row.op)
def test_bounds_of_values_and_slopes(row: Function) -> None:
    """Both those of the translation and those of the run hold what the function does between two points."""
    pool = Pool()
    leaf = pool.variable("x")
    tape = (("time",), (row.op, 0), ("number", 0.0))
    run = TimeBounds(TimeCrossing(0, 1, 2, tape))
    ends = sorted(x for (x,) in points(row))
    for a, b in zip(ends, ends[3:], strict=False):
        low, high = Bounds({leaf: (a, b)}).of(pool.call(row.op, leaf))
        found, slope = run.over(np.array([a]), np.array([b]))
        inner = np.linspace(a, b, 31)
        values = np.array([row.value(float(x)) for x in inner])
        room = 1e-12 * (1 + np.abs(values).max())
        assert low - room <= values.min() and values.max() <= high + room
        assert found[0] <= values.min() + room and values.max() - room <= found[1]
        slopes = np.diff(values) / np.diff(inner)
        assert slope[0] <= slopes.min() + 1e-6 and slopes.max() - 1e-6 <= slope[1]


@pytest.mark.parametrize("row", [row for row in ROWS if row.numpy], ids=lambda row: row.op)
def test_name_in_numpy(row: Function) -> None:
    for point in points(row):
        assert getattr(np, row.numpy)(*point) == pytest.approx(row.value(*point), rel=1e-14)


@pytest.mark.parametrize("row", OF_ONE, ids=lambda row: row.op)
def test_partial_where_some_number_has_no_value(row: Function) -> None:
    values = [value_of(row, x) for x in (-1e4, -2.0, -0.5, 0.0, 0.5, 2.0, 1e4)]
    finds_none = not all(map(math.isfinite, values))
    assert row.partial or not finds_none


@pytest.mark.parametrize("name", BUILTINS)
def test_each_has_units_and_documentation(name: str) -> None:
    assert name in RULES
    assert BUILTINS[name].doc[0].startswith(f"{name}(")


def test_page_has_the_table(request: pytest.FixtureRequest) -> None:
    """The tables of the page are written from the rows, by --update-golden."""
    text = PAGE.read_text(encoding="utf-8")
    renewed = text
    for begin, lines in (("| function | |\n", table(2)), ("| function | takes | gives |\n", table(3))):
        first = renewed.index(begin)
        last = renewed.index("\n\n", first)
        renewed = renewed[:first] + begin + lines + renewed[last:]
    if request.config.getoption("--update-golden"):
        PAGE.write_text(renewed, encoding="utf-8")
    assert text == renewed


def table(cells: int) -> str:
    """The lines of the functions that are documented in so many cells."""
    rows = [builtin.doc for builtin in BUILTINS.values() if len(builtin.doc) == cells]
    lines = ["| " + " | ".join(["---"] * cells) + " |", *(f"| `{call}` | {' | '.join(rest)} |" for call, *rest in rows)]
    return "\n".join(lines).replace("|  |", "| |")


def functions_in_c() -> str:
    """The text of functions.h."""
    lines = [f"    {{{row.c or row.op}, {shape_in_c(row)}}}," for row in OF_ONE]
    about = "/* The functions of one argument in the order of contract/functions.py; a test writes it from there. */"
    start = "static const struct cutset_function CUTSET_FUNCTIONS[] = {"
    guard = "CUTSET_FUNCTIONS_H"
    parts = [about, "", f"#ifndef {guard}\n#define {guard}", "", start, *lines, "};", "", "#endif", ""]
    return "\n".join(parts)


def shape_in_c(row: Function) -> str:
    shape = row.shape
    match shape:
        case Rising():
            numbers = shape.domain
        case Valley():
            numbers = (shape.least, 0.0)
        case Wave():
            numbers = (shape.crest, 0.0)
        case Branches():
            numbers = (shape.pole, shape.period)
        case _:
            return "ANY_SHAPE, 0.0, 0.0"
    written = ", ".join({-math.inf: "CUTSET_BELOW_ALL", math.inf: "INFINITY"}.get(x, repr(x)) for x in numbers)
    return f"{type(shape).__name__.upper()}, {written}"
