"""Runs of equal statements become loops that do the same."""

from __future__ import annotations

import random

import numpy as np
import pytest
from chain import chain_text
from long_models import clutches_text, ladder_text, resistors_text

from cutset.compiler.codegen import loop_rolling
from cutset.compiler.codegen.code import Assign, Literal, Loop, Operation, Read, SolveLinear, TableRef
from cutset.compiler.codegen.repeats import FEWEST, Repetition, find_repetitions
from cutset.compiler.pipeline import compile_model, emit
from cutset.compiler.verify import check_program
from cutset.runtime.runs.initialize import held_at
from cutset.runtime.targets.build import build

_TEXTS = {
    "chain": chain_text(10),
    "clutches": clutches_text(18),
    "ladder": ladder_text(80),
    "resistors": resistors_text(80),
}


def test_runs_are_found_between_other_things():
    pattern = [7, 8, 9, 8]
    sequence = [1, 2, 3, *pattern * 20, 7, 8, 4, 5, *[6] * 50]
    assert find_repetitions(sequence) == [Repetition(3, 4, 20), Repetition(87, 1, 50)]


@pytest.mark.parametrize("odd", [0, FEWEST + 3, 2 * FEWEST + 1])
def test_a_repetition_out_of_step_stays_outside_of_the_loop(odd):
    count = 2 * FEWEST + 2
    periods = [[assigned(k, 7 if k == odd else k)] for k in range(count)]
    periods += [[Assign(Read("y", count + k), Read("x", 3))] for k in range(3)]
    done = [s for chunk in loop_rolling.folded(periods, 100) for s in chunk]
    loops = [s for s in done if isinstance(s, Loop)]
    written = []
    for s in done:
        written += [s] if not isinstance(s, Loop) else [r for k in range(s.count) for r in loop_rolling.round_of(s, k)]
    assert written == [s for period in periods for s in period]
    at_the_end = odd in (0, count - 1)
    assert [(loop.count, len(loop.tables)) for loop in loops] == [(count - 1, 0) if at_the_end else (count, 1)]


def test_a_loop_needs_the_fewest_rounds_without_those_outside_of_it():
    for count, found in ((FEWEST + 1, [(FEWEST, 0)]), (FEWEST, [(FEWEST, 1)])):
        periods = [[assigned(k, k or 7)] for k in range(count)]
        loops = [s for chunk in loop_rolling.folded(periods, 100) for s in chunk if isinstance(s, Loop)]
        assert [(loop.count, len(loop.tables)) for loop in loops] == found


def test_short_runs_are_left_alone():
    assert find_repetitions([1, 2] * (FEWEST - 1)) == []
    assert find_repetitions(list(range(300))) == []


def assigned(k: int, index: int, value: float = 2.0) -> Assign:
    return Assign(Read("y", k), Operation("mul", (Literal(value), Read("x", index))))


def test_uneven_places_stand_in_a_table():
    places = random.Random(1).sample(range(100), 60)
    ((loop,),) = loop_rolling.rolled([assigned(k, place) for k, place in enumerate(places)], 400)
    assert isinstance(loop, Loop)
    assert loop.tables == (tuple(places),)
    for k, place in enumerate(places):
        assert loop_rolling.round_of(loop, k) == (assigned(k, place),)


def test_a_first_period_that_is_different_stays_outside():
    chunks = loop_rolling.rolled([assigned(0, 99), *(assigned(k, 3 * k) for k in range(1, 60))], 400)
    assert chunks[0] == (assigned(0, 99),)
    ((loop,),) = chunks[1:]
    assert loop == Loop(59, (Assign(Read("y", 1, 1), Operation("mul", (Literal(2.0), Read("x", 3, 3)))),), (), ())


def test_other_numbers_in_a_formula_are_other_statements():
    assert all(
        not isinstance(s, Loop) for (s, *_) in loop_rolling.rolled([assigned(k, k, float(k)) for k in range(60)], 400)
    )


def test_numbers_that_are_assigned_stand_in_a_table():
    statements = [Assign(Read("p", k), Literal(k / 4), unless=Read("given", k)) for k in range(60)]
    ((loop,),) = loop_rolling.rolled(statements, 400)
    assert loop.numbers == (tuple(k / 4 for k in range(60)),)
    assert loop_rolling.round_of(loop, 7) == (statements[7],)


def test_tables_go_on_in_steps():
    statements = [
        Assign(Read("y", k), Operation("interp1", (Read("x", k), TableRef("c", 6 * k, 3)))) for k in range(60)
    ]
    ((loop,),) = loop_rolling.rolled(statements, 400)
    assert not loop.tables
    assert loop_rolling.round_of(loop, 59) == (statements[59],)


def results(program, target):
    """What functions of the contract give at one point."""
    model = build(emit(program, target), target)
    values, generator = model.bind({}), np.random.default_rng(1)
    x, u = generator.normal(size=len(model.info.states)), generator.normal(size=len(model.info.inputs))
    modes = held_at(model, values, 0.5, x, u)
    return {
        "s": values.s,
        "modes": modes,
        "derivatives": model.derivatives(0.5, x, u, values, modes),
        "variables": model.variables(np.array([0.5]), x[None], u[None], values, modes[None])[0],
        "crossings": model.crossings(0.5, x, u, values, modes),
        "jacobian": model.jacobian(0.5, x, u, values, modes) if model.info.has_jacobian else np.zeros(0),
    }


@pytest.mark.parametrize("kind", _TEXTS)
def test_loops_change_nothing(kind, tmp_path, monkeypatch):
    path = tmp_path / "model.mo"
    path.write_text(_TEXTS[kind])
    with_loops = compile_model(path, None)
    check_program(with_loops)
    assert any(loops_of(f.statements()) for f in with_loops.functions)
    monkeypatch.setattr("cutset.compiler.codegen.chunks.find_repetitions", lambda sequence: [])
    monkeypatch.setattr("cutset.compiler.codegen.loop_rolling.find_repetitions", lambda sequence: [])
    without = compile_model(path, None)
    assert not any(loops_of(f.statements()) for f in without.functions)
    python, c = (results(with_loops, target) for target in ("python", "c"))
    plain = results(without, "python")
    for name in plain:
        assert np.array_equal(python[name], plain[name], equal_nan=True), name
        # Sines and cosines differ by rounding.
        largest = np.max(np.abs(plain[name]), initial=0.0)
        assert np.allclose(c[name], plain[name], rtol=1e-12, atol=1e-12 * largest, equal_nan=True), name


def loop_of_rates(rate: str, tmp_path) -> Loop:
    """The loop of the derivatives of 300 states x with this rate."""
    names = ", ".join(f"x{k}" for k in range(300))
    equations = "".join(f"  der(x{k}) = {rate.format(x=f'x{k}')}\n" for k in range(300))
    path = tmp_path / "model.mo"
    path.write_text(f"model M\n  local {names}\n{equations}end\n")
    (derivatives,) = (f for f in compile_model(path, None).functions if f.name == "derivatives")
    (loop,) = loops_of(derivatives.statements())
    return loop


def test_values_that_only_their_round_needs_are_locals(tmp_path):
    loop = loop_of_rates("(exp({x} + time) - ({x} + time))^2", tmp_path)
    assert [s.target for s in loop.body] == [Read("local", 0), Read("w", 0, 1)]


def test_a_sine_and_its_cosine_have_one_place_each(tmp_path):
    both, total = loop_of_rates("(exp(sin({x}))*cos({x}) - time)^2", tmp_path).body
    assert (both.sine, both.cosine) == (Read("local", 0), Read("local", 1))
    assert total.target == Read("w", 0, 1)


def loops_of(statements):
    return [s for s in statements if isinstance(s, Loop) or (isinstance(s, SolveLinear) and loops_of(s.fill))]
