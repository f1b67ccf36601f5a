"""The order of statements by latencies: long chains first, and the same results."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from cutset.compiler.codegen.code import Assign, Function, Operation, Read, SineCosine
from cutset.compiler.codegen.emit_c import ordered
from cutset.compiler.pipeline import compile_model
from cutset.compiler.verify import check_program

X = [Read("x", k) for k in range(4)]


def in_order(statements):
    """The statements of a function of one chunk, ordered."""
    ((*found,),) = ordered(Function("derivatives", ("x", "w", "dx"), (tuple(statements),))).chunks
    return found


def product(target, a, b):
    return Assign(target, Operation("mul", (a, b)))


def results(statements):
    """What the places hold at the end."""
    places = dict(zip(X, (0.5, 2.0, -1.5, 0.0), strict=True))
    for s in statements:
        if s.unless is None or places.get(s.unless, 1.0) == 0.0:
            a, b = (places.get(read, 1.0) for read in s.value.arguments)
            places[s.target] = a * b if s.value.operator == "mul" else a - b
    return places


def test_the_longest_chain_comes_first():
    short = [product(Read("dx", k), X[0], X[1]) for k in range(40)]
    chain = [X[2], *(Read("local", k) for k in range(6))]
    long = [product(to, last, X[3]) for last, to in pairwise(chain)]
    found = in_order([*short, *long])
    assert found[0] == long[0] and [s for s in found if s in long] == long
    # While the next one waits for its operand, others start: four operations in a cycle, four cycles for a product.
    assert [found.index(b) - found.index(a) for a, b in pairwise(long[:3])] == [16, 16]


def test_long_functions_keep_their_order():
    short = [product(Read("dx", k), X[0], X[1]) for k in range(2698)]
    long = [product(Read("local", 0), X[2], X[3]), product(Read("local", 1), Read("local", 0), X[3])]
    assert in_order([*short, *long])[0] == long[0]
    assert in_order([*short, short[0], *long]) == [*short, short[0], *long]


def test_a_sine_takes_longer_than_a_product():
    products = [product(Read("dx", k), X[0], X[1]) for k in range(40)]
    sine = SineCosine(X[2], Read("local", 0), Read("local", 1))
    last = product(Read("dx", 40), Read("local", 0), Read("local", 1))
    found = in_order([*products, sine, last])
    assert found[0] == sine and found.index(last) == 40 + 1


@pytest.mark.parametrize("seed", range(5))
def test_places_that_are_written_again_and_guards(seed):
    draw, statements = Random(seed), []
    places = [*X, *(Read("w", k) for k in range(6))]
    for _ in range(60):
        a, b, guard = (draw.choice(places) for _ in range(3))
        operator = draw.choice(("mul", "sub"))
        value = Operation(operator, (a, b))
        statements.append(Assign(draw.choice(places[4:]), value, guard if draw.random() < 0.3 else None))
    found = in_order(statements)
    assert results(found) == results(statements)
    assert sorted(map(repr, found)) == sorted(map(repr, statements))


def test_a_guard_is_computed_before():
    products = [product(Read("dx", k), X[0], X[1]) for k in range(40)]
    guard = product(Read("w", 0), X[2], X[3])
    guarded = Assign(Read("dx", 40), Operation("mul", (X[0], Operation("div", (X[1], X[2])))), guard.target)
    found = in_order([*products, guard, guarded])
    assert found.index(guard) < found.index(guarded)


def test_what_may_fail_stays_where_it_is():
    products = [product(Read("dx", k), X[0], X[1]) for k in range(40)]
    fault = Assign(Read("local", 0), Operation("fault", (X[0],)))
    late = [product(Read("local", 1), X[2], X[3]), product(Read("dx", 40), Read("local", 1), X[3])]
    found = in_order([*products, fault, *late])
    assert found == [*products, fault, *late]


def test_promises_of_the_program_hold():
    program = compile_model(Path(__file__).parents[2] / "models" / "r3_arm.mo", None)
    functions = tuple(ordered(f) for f in program.functions)
    assert functions != program.functions
    check_program(replace(program, functions=functions))
