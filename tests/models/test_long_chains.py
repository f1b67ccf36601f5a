"""Ladders and rows of clutches of growing length: the code grows as they do, and rounding errors do not grow at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from long_models import clutches_text, ladder_text, resistors_text

from cutset.compiler.codegen.code import Loop, SolveLinear, Statement
from cutset.compiler.codegen.program import Program
from cutset.compiler.pipeline import compile_model, emit
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.simulate import simulate
from cutset.runtime.targets.build import build

_TEXTS = {"ladder": ladder_text, "resistors": resistors_text, "clutches": clutches_text}
_SIZES = {"ladder": (100, 200, 400), "resistors": (50, 100, 200), "clutches": (30, 60, 120)}


def program_of(folder, kind: str, size: int) -> Program:
    path = folder / f"{kind}{size}.mo"
    path.write_text(_TEXTS[kind](size))
    return compile_model(path, None)


def done(statements: Sequence[Statement]) -> int:
    """How many statements are executed: those of a loop in each round."""
    total = 0
    for s in statements:
        total += (
            s.count * done(s.body) if isinstance(s, Loop) else 1 + done(s.fill) if isinstance(s, SolveLinear) else 1
        )
    return total


def written(statements: Sequence[Statement]) -> int:
    """How many statements the text has."""
    inner = [s.body if isinstance(s, Loop) else s.fill if isinstance(s, SolveLinear) else () for s in statements]
    return len(statements) + sum(map(written, inner))


def counts_of(program: Program) -> dict[str, int]:
    """What a run takes time with."""
    statements = [s for f in program.functions for s in f.statements()]
    systems = [s for s in statements if isinstance(s, SolveLinear)]
    return {
        "done": done(statements),
        "places": sum(s.size * s.width for s in systems),
        "work": program.info.n_work,
    }


@pytest.mark.parametrize("kind", _TEXTS)
def test_growth_is_linear(tmp_path, kind):
    programs = [program_of(tmp_path, kind, size) for size in _SIZES[kind]]
    small, middle, large = map(counts_of, programs)
    for name in small:
        step = middle[name] - small[name]
        # A chain is cut at whole sections.
        assert large[name] - middle[name] == pytest.approx(2 * step, rel=0.15, abs=40), name
    # Equal sections become loops, whose text stays as it is however many there are. The constants of clutches have
    # tables of points.
    short, long = (
        sum(written(f.chunks[0]) for f in p.functions if f.name == "derivatives" and f.chunks) for p in programs[1:]
    )
    assert long < short + 40


@pytest.mark.parametrize("sections", [20, 60, 300])
def test_errors_do_not_grow_along_a_ladder(tmp_path, sections):
    program = program_of(tmp_path, "resistors", sections)
    run = simulate(build(emit(program, "python"), "python"), Experiment(stop=1.0, points=2))
    conductance = np.zeros((sections, sections))
    for k in range(sections):
        conductance[k, k] = 0.1 + 1 / 17 + (0.1 if k + 1 < sections else 0.0)
        if k:
            conductance[k, k - 1] = conductance[k - 1, k] = -0.1
    exact = np.linalg.solve(conductance, np.eye(sections)[0] * 0.1)
    found = np.array([run[f"c{k + 1}.u"][-1] for k in range(sections)])
    assert np.abs(found / exact - 1.0)[:200].max() < 1e-4  # of each voltage, however small
    assert np.abs(found - exact).max() < 1e-10


def test_a_resistor_ladder_is_torn_at_few_places(tmp_path):
    ((size, torn),) = program_of(tmp_path, "resistors", 200).statistics.linear_systems
    assert size == 799
    assert 2 < torn < 40
