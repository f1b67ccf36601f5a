"""Equations whose residuals are differences of large numbers: near rest, rounding leaves no more digits, which is no
failure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles import fluid_networks
from oracles.forced_models import LIMIT
from oracles.orifices import CLASSES, error_of, error_of_row, random_network
from oracles.tanks import Orifice, Tanks, error, solution, tanks

import cutset


def load(folder: Path, text: str) -> cutset.Model:
    path = folder / "model.mo"
    path.write_text(text)
    return cutset.load(path)


@pytest.mark.parametrize("seed", [*range(5), 48])
def test_random_networks_of_orifices_come_to_rest(tmp_path: Path, seed: int) -> None:
    assert error_of(random_network(seed), tmp_path) < 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_random_networks_mix_what_flows_carry(seed: int) -> None:
    assert fluid_networks.error_at_points(fluid_networks.random_network(seed), seed) < 1e-10


@pytest.mark.parametrize("seed", [3, 4])
def test_random_networks_keep_what_flows_carry(tmp_path: Path, seed: int) -> None:
    """The second one rests until its pumps begin."""
    kept, steps = fluid_networks.error_of_run(fluid_networks.random_network(seed), tmp_path)
    assert kept < 1e-11 and steps < 400


@pytest.mark.parametrize("target", ["c", "python"])
def test_a_small_difference_of_large_pressures(tmp_path: Path, target: str) -> None:
    text = "model M\n  local p1, p2, pm, q, d (start=0.1)\n  p1 = 8.6e6\n  p2 = p1 - exp(-time)\n  pm = p2 + d\n"
    run = load(tmp_path, f"{text}  q = p1 - pm\n  q = d/(d^2 + 1)^0.25\nend\n").simulate(30.0, target=target)
    d = run["d"]
    # What is lost in p1 - p2 is the rounding of 8.6e6.
    assert d + d / (d**2 + 1.0) ** 0.25 == pytest.approx(np.exp(-run.time), abs=1e-8)


def test_two_bodies_joined_by_conduction_and_radiation(tmp_path: Path) -> None:
    run = load(
        tmp_path,
        """
@thermal
model M
  submodel (HeatCapacitor) a(C=100, T0=400), b(C=200, T0=300)
  submodel (ThermalConductor) G(G=0.5)
  submodel (BodyRadiation) r(Gr=0.1)
  connect a to G to r to b
end
""",
    ).simulate(30000.0)
    assert 100.0 * run["a.T"] + 200.0 * run["b.T"] == pytest.approx(1e5)
    assert (run["a.T"][-1], run["b.T"][-1]) == pytest.approx((1000.0 / 3.0, 1000.0 / 3.0), rel=1e-8)


def test_orifices_and_filters_in_a_row_fill_a_spring(tmp_path: Path) -> None:
    model = """
model class Cylinder
  main cut (Port) A (p / q)
  terminal x (start=0), v (start=0), p (start=1e5)
  der(x) = v
  50*der(v) = 1e-3*(p - 1e5) - 2e5*x - 500*v
  (1e-4 + 1e-3*x)/1.4e9*der(p) = q - 1e-3*v
end

model M
  submodel (Source) s(p0=86e5)
  submodel (Filter) f(2)(g=5e-9)
  submodel (Orifice) o(2)(k=2.4e-7)
  submodel (Cylinder) c(2)
  connect s to f(1) to o(1) to c(1), s to o(2) to f(2) to c(2)
end
"""
    run = load(tmp_path, CLASSES + model).simulate(30.0)
    for k in (1, 2):
        assert run[f"c({k}).x"][-1] == pytest.approx(1e-3 * 85e5 / 2e5, rel=1e-6)
        assert abs(run[f"f({k}).q"][-1]) < 1e-12


@pytest.mark.parametrize("seed", [1, 3, 7, 10, 18, 55])
def test_flows_in_rows_without_states_pass_zero(tmp_path: Path, seed: int) -> None:
    assert error_of_row(seed, tmp_path) < 1e-6


@pytest.mark.parametrize(
    "drawn",
    [
        Tanks((1.0, 0.3), (1.0, 1.0), (Orifice(0, 1, 1.0, 0.5, 0),), (0.1, 3.0, 0.0), (1, 0.05), 5.0),
        tanks(np.random.default_rng(7)),
    ],
    ids=["two", "drawn"],
)
def test_levels_beyond_a_slope_that_is_infinite(drawn: Tanks) -> None:
    times = np.linspace(0.0, drawn.stop, 11)
    levels = solution(drawn, times)
    assert levels is not None
    # The Jacobian at equal levels is so large that Newton's method changes nothing with it later.
    assert error(drawn, "cvode-bdf", levels, times) < LIMIT
