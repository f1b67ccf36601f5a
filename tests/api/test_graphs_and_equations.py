"""The graphs and the SymPy equations of a model agree with its results and with each other."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import sympy

import cutset

ROOT = Path(__file__).parents[2]
MODELS = ["rc.mo", "cauer_low_pass.mo", "four_bar.mo", "r3/one_axis.mo", "cartesian_double_pendulum.mo"]
ODD = """
function square(x) result y
  y := x*x
end
model Odd
  local x (start=1), b, w, z
  local (Boolean) late
  parameter k = 2
  der(x) = -k*x + square(x)/10
  late = time > 0.5 and not x < 0
  b = if late then log10(10 + x) else abs(x) + floor(2.5*k)
  w = max(x, 0.2) + min(x, b) + atan2(x, 2) + sqrt(k)^3 + sign(x)
  z = interp1(x, [0, 1, 2], [0, 3, 4])
end
"""


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("form", ["original", "solved"])
def test_equations_hold_along_the_run(name: str, form: str) -> None:
    model = cutset.load(ROOT / "models" / name)
    run = model.simulate(0.5, points=3)
    assert _worst(model.equations(form), run, model) < 1e-5


@pytest.mark.parametrize("form", ["original", "solved"])
def test_conditions_functions_and_tables(write_model, form: str) -> None:
    model = cutset.load(write_model(ODD))
    run = model.simulate(1.0, points=3)
    equations = [e for e in model.equations(form) if not e.atoms(sympy.core.function.AppliedUndef)]
    assert len(equations) == 4  # all but that of the table
    assert _worst(equations, run, model) < 1e-9


def _worst(equations: list[sympy.Eq], run, model: cutset.Model) -> float:
    """The largest difference of two sides at any output, in parts of the larger; of equations whose variables are
    results."""
    known = {name: run[name] for name in run.names()} | {"time": run["time"]}
    times = run["time"]
    known |= {
        v.name: np.full(len(times), float(v.value))
        for v in model.variables()
        if v.kind == "parameter" and v.value is not None
    }
    steady = [k for k, t in enumerate(times) if np.count_nonzero(np.abs(times - t) < 1e-9) == 1]  # no events there
    checked = [e for e in equations if all(str(symbol) in known for symbol in e.free_symbols)]
    assert len(checked) >= 0.6 * len(equations)
    names = sorted({str(symbol) for e in checked for symbol in e.free_symbols})
    # lambdify takes long to replace names that are none in Python.
    plain = {sympy.Symbol(name): sympy.Symbol(f"v{k}") for k, name in enumerate(names)}
    sides = sympy.lambdify([*plain.values()], [s.xreplace(plain) for e in checked for s in (e.lhs, e.rhs)], "math")
    worst = 0.0
    for k in steady:
        values = [*map(float, sides(*(float(known[name][k]) for name in names)))]
        for a, b in zip(values[::2], values[1::2], strict=True):
            worst = max(worst, abs(a - b) / max(1.0, abs(a), abs(b)))
    return worst


def test_equations_can_be_solved_by_sympy() -> None:
    """The resistor's current from the equations of the circuit."""
    equations = cutset.load(ROOT / "models" / "rc.mo").equations()
    u, R, i = sympy.symbols("R.u R.R R.i")
    [ohm] = [e for e in equations if e.free_symbols == {u, R, i}]
    assert sympy.solve(ohm, i) == [u / R]


@pytest.mark.parametrize("name", MODELS)
def test_blocks_and_incidence(name: str) -> None:
    model = cutset.load(ROOT / "models" / name)
    blocks, incidence = model.graph("blocks"), model.graph("incidence")
    assert all(a < b for a, b in blocks.edges)
    matched = [(a, b) for a, b, is_matched in incidence.edges(data="matched") if is_matched]
    equations = {n for n, side in incidence.nodes(data="bipartite") if side == 0}
    assert nx.is_bipartite(incidence)
    assert len({a for pair in matched for a in pair}) == 2 * len(equations)
    assert sum(len(unknowns) for _, unknowns in blocks.nodes(data="unknowns")) == len(equations)
    states = {n for n, is_state in incidence.nodes(data="is_state") if is_state}
    assert states <= set(model.states)


def test_connections() -> None:
    graph = cutset.load(ROOT / "models" / "rc.mo").graph("connections")
    assert graph.nodes["R"]["class_name"] == "Resistor"
    assert nx.has_path(graph, "R", "C")
    [edge] = graph.get_edge_data("R", "C").values()
    assert {edge["first"], edge["second"]} == {("R", "B"), ("C", "A")}


@pytest.mark.parametrize("ask", [lambda m: m.graph("tree"), lambda m: m.equations("short")])
def test_another_kind(ask) -> None:
    with pytest.raises(ValueError, match="there is no"):
        ask(cutset.load(ROOT / "models" / "rc.mo"))
