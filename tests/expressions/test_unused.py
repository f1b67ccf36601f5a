"""Expressions that nobody has are forgotten, and nothing else is."""

from __future__ import annotations

import gc
import sys
import weakref
from pathlib import Path

import pytest

from cutset.compiler.expressions import nodes
from cutset.compiler.expressions.pool import Pool, TooLarge
from cutset.compiler.pipeline import Observer, compile_model

MODELS = Path(__file__).parents[2] / "models"

pytestmark = pytest.mark.skipif(not hasattr(sys, "getrefcount"), reason="references are not counted")


@pytest.fixture
def pool(monkeypatch) -> Pool:
    monkeypatch.setattr(nodes, "_FIRST_LOOK", 0)
    return Pool()


def left(pool: Pool) -> int:
    return len(pool._nodes) + sum(map(len, pool._operations.values()))


def test_what_nobody_has_goes_with_all_that_it_alone_has(pool):
    x, y = pool.variable("x"), pool.variable("y")
    before = left(pool)
    kept = pool.mul(x, y)
    pool.call("sin", pool.add(kept, pool.call("cos", x)))
    assert left(pool) == before + 4
    pool.forget()
    assert left(pool) == before + 1
    assert pool.mul(x, y) is kept


def test_what_is_part_of_something_stays_the_same_node(pool):
    x = pool.variable("x")
    part = pool.call("sin", x)
    whole = pool.add(part, x)
    number = part.id
    del part
    pool.forget()
    assert pool.call("sin", x) is whole.args[0] or pool.call("sin", x) is whole.args[1]
    assert pool.call("sin", x).id == number


def test_ids_are_never_used_again_and_stay_above_those_of_children(pool):
    x = pool.variable("x")
    first = pool.call("sin", x).id
    pool.forget()
    again = pool.call("sin", x)
    assert again.id > first > x.id


def test_relations_and_elements_are_forgotten_too(pool):
    x, y = pool.variable("x"), pool.variable("y")
    before = left(pool)
    pool.relation("<", x, y, "noevent")
    pool.relation("<", x, y)
    pool.solve([{0: x, 1: y}, {0: y}], [x, y])
    pool.forget()
    assert left(pool) == before


def test_only_what_is_in_use_counts_against_the_limit(monkeypatch):
    monkeypatch.setattr(nodes, "_FIRST_LOOK", 50)
    monkeypatch.setattr(nodes, "MOST_NODES", 100)
    pool = Pool()

    def chain(function: str, length: int) -> None:
        e = pool.variable("x")
        for _ in range(length):
            e = pool.call(function, e)

    for function in ("sin", "cos", "tan", "exp", "atan"):
        chain(function, 60)
    with pytest.raises(TooLarge):
        chain("sinh", 1000)


def test_what_stands_twice_in_a_node_goes_with_it(pool):
    x = pool.variable("x")
    before = left(pool)
    inner = pool.call("sin", x)
    pool.mul(pool.mul(inner, inner), pool.call("cos", inner))
    del inner
    pool.forget()
    assert left(pool) == before


_WITH_FUNCTION = """
function square(x) result y
  y := x*x
end

model M
  local x(start=1), y
  der(x) = -square(y)
  y = x + sin(x)
end
"""


@pytest.mark.parametrize("path", ["r3_arm.mo", "four_bar.mo", None], ids=["arm", "loop", "function"])
def test_a_translation_leaves_no_circles_behind(path, tmp_path):
    """Else its nodes stay until Python looks for garbage, and that takes as long as making them."""
    model = MODELS / path if path else tmp_path / "m.mo"
    if path is None:
        model.write_text(_WITH_FUNCTION)
    pools = []

    def observe(stage, result):
        if getattr(result, "pool", None) is not None and not pools:
            pools.append(weakref.ref(result.pool))
        return result

    gc.disable()
    try:
        program = compile_model(model, None, observer=Observer([observe]))
        assert pools[0]() is None
    finally:
        gc.enable()
    assert program.statistics.states
