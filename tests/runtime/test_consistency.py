"""Relations and the equations that they decide: values that agree are found where there are any."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import cutset
from cutset.runtime.consistency import Contradiction, _subsets, agree, by_parts
from cutset.runtime.outcome import Outcome


def table(function):
    """An evaluation that applies `function` to a tuple of truth values."""
    return lambda values: np.array(function(*(value != 0.0 for value in values)), dtype=float)


def test_what_agrees_is_left_as_it_is():
    calls = []
    evaluate = lambda values: calls.append(1) or values.copy()  # noqa: E731
    assert agree(evaluate, np.array([1.0, 0.0])).tolist() == [1.0, 0.0] and len(calls) == 1


def test_all_at_once():
    assert agree(table(lambda a, b, c: (True, a, b)), np.zeros(3)).tolist() == [1.0, 1.0, 1.0]


def test_one_at_a_time_where_all_at_once_goes_round():
    # Both become true together and false together; one of them alone agrees.
    assert agree(table(lambda a, b: (not b, not a)), np.zeros(2)).tolist() == [1.0, 0.0]


def test_all_at_once_comes_first():
    """Both (1, 1) and (1, 0) agree."""
    evaluate = table(lambda a, b: (True, not a or b))
    assert agree(evaluate, np.zeros(2)).tolist() == [1.0, 1.0]


def test_a_combination_that_repeats_ends_both_ways():
    calls = []

    def evaluate(a, b):
        calls.append((a, b))
        return (True, False) if (a, b) == (False, True) else (not a, not b) if a == b else (False, False)

    with pytest.raises(Contradiction):
        agree(table(evaluate), np.zeros(2))
    assert len(calls) < 20


def test_subsets_are_the_smallest_first_and_have_one_of_the_first():
    assert list(_subsets((2, 0), (1,))) == [(2,), (0,), (2, 0), (2, 1), (0, 1), (2, 0, 1)]
    assert list(_subsets((), (1, 2))) == []


def around(a, b, c):
    """From all false both ways go round; only (1, 1, 0) agrees."""
    return {
        (1, 1, 0): (1, 1, 0),
        (0, 0, 0): (1, 0, 0),
        (1, 0, 0): (1, 0, 1),
        (1, 0, 1): (0, 0, 1),
        (0, 0, 1): (0, 0, 0),
    }.get((a, b, c), (0, 1, 1))


def test_the_nearest_combination_where_both_go_round():
    reached = agree(table(lambda *v: around(*map(int, v))), np.zeros(3))
    assert around(*reached) == tuple(reached)


@pytest.mark.parametrize("groups", [3, 20])
def test_groups_that_do_not_affect_each_other(groups):
    """Together they have too many combinations, each alone has few."""
    calls = []

    def evaluate(*v):
        calls.append(v)
        return [said for g in range(groups) for said in around(*(int(value) for value in v[g::groups]))]

    def interleaved(*v):
        said = evaluate(*v)
        return [said[3 * g + k] for k in range(3) for g in range(groups)]

    reached = agree(table(interleaved), np.zeros(3 * groups))
    assert reached.tolist() == [1.0] * 2 * groups + [0.0] * groups and len(calls) < 1700


def test_a_relation_that_affects_all_groups_does_not_join_them():
    """As one of time: its own value does not depend on the others, which have no choice without it."""

    def evaluate(on, *v):
        said = [int(s) for g in range(5) for s in (around(*map(int, v[3 * g : 3 * g + 3])) if on else (0, 0, 0))]
        return [1, *said]

    calls, start = [], np.array([1.0] + [0.0] * 15)
    evaluated = table(lambda *v: (calls.append(v), evaluate(*v))[1])
    assert agree(evaluated, start).tolist() == [1.0] + [1.0, 1.0, 0.0] * 5
    calls.clear()
    assert by_parts(evaluated, start) is not None
    assert calls.count(tuple(start)) == 1


def test_contradiction_names_what_changes():
    with pytest.raises(Contradiction) as raised:
        agree(table(lambda a, b, c: (a, not b, True)), np.array([0.0, 0.0, 1.0]))
    assert raised.value.changing == [1]


def test_any_table_with_few_relations():
    """If any combination agrees, one is found."""
    generator = random.Random(1)
    found = 0
    for _ in range(300):
        rows = {
            key: tuple(generator.random() < 0.5 for _ in range(3)) for key in itertools.product((False, True), repeat=3)
        }
        try:
            values = agree(table(lambda *key, rows=rows: rows[key]), np.zeros(3))
        except Contradiction as error:
            assert error.changing and not any(rows[key] == key for key in rows)
        else:
            found += 1
            assert rows[tuple(value != 0.0 for value in values)] == tuple(value != 0.0 for value in values)
    assert found > 100


BLOCKS, BITS = 5, 3


def tables_in_a_model() -> cutset.Model:
    """From 1 s on the relations y > 0 of each block must agree with a table, whose entries are parameters."""

    def entry(block: int, bit: int, known: str) -> str:
        if len(known) == BITS:
            return f"P{block}_{known}_{bit}"
        yes, no = (entry(block, bit, known + digit) for digit in "10")
        return f"(if y{block}_{len(known)} > 0 then {yes} else {no})"

    places = [(block, bit) for block in range(BLOCKS) for bit in range(BITS)]
    keys = ["".join(key) for key in itertools.product("01", repeat=BITS)]
    parameters = ", ".join(f"P{block}_{key}_{bit}=1" for block, bit in places for key in keys)
    equations = [f"  y{b}_{bit} = c*{entry(b, bit, '')} - 0.5*(1 - c)" for b, bit in places]
    names = ", ".join(f"y{block}_{bit}" for block, bit in places)
    return cutset.loads(f"""model Tables
  parameter {parameters}
  local x (start=0), c (start=0), {names}
  der(x) = 1
  when x > 1 then
    new(c) = 1
  endwhen
{chr(10).join(equations)}
end
""")


def drawn_tables(generator: random.Random) -> dict[str, float]:
    """The parameters of the model. Nearly every block has a row that agrees with itself."""
    values = {}
    for block in range(BLOCKS):
        rows = [[generator.random() < 0.5 for _ in range(BITS)] for _ in range(2**BITS)]
        if generator.random() < 0.98:
            key = generator.randrange(2**BITS)
            rows[key] = [digit == "1" for digit in f"{key:03b}"]
        for key, row in enumerate(rows):
            values |= {f"P{block}_{key:03b}_{bit}": 1.0 if row[bit] else -1.0 for bit in range(BITS)}
    return values


def test_c_finds_the_values_that_python_finds():
    """One at a time, combinations, and group by group."""
    model, generator, refused = tables_in_a_model(), random.Random(3), 0
    for number in range(60):
        values = drawn_tables(generator)
        experiment = cutset.Experiment(2.0, points=2, parameters=values)
        run = model.run(experiment)
        refused += run.outcome is Outcome.RELATIONS_CONTRADICT
        if run.outcome is Outcome.COMPLETED:
            assert run.statistics.events_in_python == 0
            for block in range(BLOCKS):
                ends = [float(run[f"y{block}_{bit}"][-1]) for bit in range(BITS)]
                key = "".join("1" if end > 0.0 else "0" for end in ends)
                assert ends == [values[f"P{block}_{key}_{bit}"] for bit in range(BITS)]
        if number % 20 == 0 or run.outcome is not Outcome.COMPLETED:
            other = model.run(experiment, "python")
            assert other.outcome is run.outcome
            assert all(run[name][-1] == other[name][-1] for name in run.names())
    assert 1 <= refused <= 20
