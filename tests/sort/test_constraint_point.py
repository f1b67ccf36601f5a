"""Which variables of constraints can be differentiated how often if frames that close loops have no accelerations."""

from __future__ import annotations

from cutset.compiler.expressions.pool import Pool
from cutset.compiler.sort.constraint_point import Orders, raised


def test_a_frame_that_only_closes_a_loop_has_the_orders_of_the_body_that_it_follows_from() -> None:
    pool = Pool()
    body, frame, angle, rate = (pool.variable(name) for name in ("body", "frame", "angle", "rate"))
    velocity = pool.variable("der(frame)")
    orders = Orders(
        highest={body: 2, angle: 2, frame: 1, velocity: 1, rate: 1},
        own={body: 0, angle: 0, frame: 0, velocity: 1, rate: 0},
        chain={body: 0, frame: 1, velocity: 1, angle: 2, rate: 3},
    )
    rows = {0: [body, angle, frame], 1: [velocity, rate]}
    # The equation of the velocity cannot be differentiated twice, whatever its frame allows.
    assert raised(rows, orders) == {body: 2, angle: 2, frame: 2, velocity: 2, rate: 1}


def test_orders_are_raised_through_several_equations_and_not_beyond_the_highest() -> None:
    pool = Pool()
    a, b, c, free = (pool.variable(name) for name in "abcf")
    orders = Orders({a: 2, b: 1, c: 0, free: 1}, dict.fromkeys((a, b, c, free), 0), {a: 0, b: 1, c: 2, free: 3})
    assert raised({0: [b, c], 1: [a, b], 2: [free]}, orders) == {a: 2, b: 2, c: 2, free: 2}


def test_raising_ends_where_an_equation_has_a_variable_and_its_derivative() -> None:
    pool = Pool()
    x, v = pool.variable("x"), pool.variable("der(x)")
    orders = Orders({x: 2, v: 2}, {x: 0, v: 1}, {x: 0, v: 0})
    assert raised({0: [x, v]}, orders) == {x: 2, v: 2}
