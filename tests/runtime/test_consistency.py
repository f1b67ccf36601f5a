"""Relations and the equations that they decide: values that agree are found where there are any, by search in C."""

from __future__ import annotations

import itertools
import random

import cutset
from cutset.runtime.outcome import Outcome

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


def agreeing_rows(values: dict[str, float], block: int) -> list[str]:
    """The combinations of a block that agree with themselves."""
    keys = ("".join(key) for key in itertools.product("01", repeat=BITS))
    return [key for key in keys if all((values[f"P{block}_{key}_{k}"] > 0) == (key[k] == "1") for k in range(BITS))]


def test_what_agrees_is_found():
    """One at a time, combinations, and group by group."""
    model, generator, refused, missed = tables_in_a_model(), random.Random(3), 0, 0
    for _ in range(60):
        values = drawn_tables(generator)
        agreeing = [agreeing_rows(values, block) for block in range(BLOCKS)]
        run = model.run(cutset.Experiment(2.0, points=2, parameters=values))
        assert run.outcome is not Outcome.COMPLETED or all(agreeing)
        refused += run.outcome is Outcome.RELATIONS_CONTRADICT
        missed += run.outcome is not Outcome.COMPLETED and all(agreeing)
        for block in range(BLOCKS if run.outcome is Outcome.COMPLETED else 0):
            ends = [float(run[f"y{block}_{bit}"][-1]) for bit in range(BITS)]
            key = "".join("1" if end > 0.0 else "0" for end in ends)
            assert key in agreeing[block] and ends == [values[f"P{block}_{key}_{bit}"] for bit in range(BITS)]
    assert refused >= 1 and missed <= 2  # some combinations are beyond the limits of the search
