"""Co-simulated FMUs in algebraic connections repeat their steps until inputs and outputs agree."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import cutset
from cutset import RunError
from cutset.runtime.fmu.coupling import Coupling, Disagreement, Kinds

pytest.importorskip("fmpy")

from cutset.runtime.fmu.instance import CoSimulationInstance
from fmus.tiny import COMPILER, make_fmu

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")

# y acts directly, x within a step; the steps are equal to those of the closed solution. `on` jumps.
PART = """
model Part
  parameter k = 2
  input u
  output y, on
  output (Boolean) low
  local x (start=0)
  x + der(x)*s = u
  constant s (unit="s") = 1
  y = k*u + x
  on = if u > 0.5 then 0 else 1
  low = u < 0.5
end
"""
H = 0.1
FMU = '(fmu "cosimulation:part{version}.fmu")'
LOOP = """
model Loop
  submodel {fmu} a(k=2, step=0.1, separate=false{more})
  local changes (start=0), last (start=0.6666666666666666)
  a.u = 1 - a.y
  when abs(a.y - last) > 1e-9 then
    new(changes) = changes + 1
    new(last) = a.y
  endwhen
end
"""
TWO = """
model Two
  submodel {fmu} a(k=3, step=0.1, separate=false), b(k=-2, step=0.1, separate=false)
  a.u = 1 + b.y
  b.u = 2*a.y + time
end
"""
OTHERS = """
  submodel (fmu "cosimulation:ramp.fmu") r(step=0.1, separate=false)
  submodel (fmu "exchange:ramp.fmu") e
  a.u = 1 - a.y"""
JUMP = """
model Jump
  submodel {fmu} a(step=0.1, separate=false)
  a.u = {output}
end
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("connections")
    part = cutset.loads(PART)
    for version in (2, 3):
        part.export_fmu(made / f"part{version}.fmu", version=version)
    return made


def model(folder: Path, text: str, version: int = 2, more: str = "") -> cutset.Model:
    (folder / "model.mo").write_text(text.format(fmu=FMU.format(version=version), more=more))
    return cutset.load(folder / "model.mo", allow_external=True)


def loop_solution(steps: int, k: float = 2.0) -> list[float]:
    """The inputs at the communication points: constant in each step, equal to 1 - y at its end."""
    x, decay, found = 0.0, math.exp(-H), [1 / (1 + k)]
    for _ in range(steps):
        found.append((1 - x * decay) / (1 + k + 1 - decay))
        x = found[-1] + (x - found[-1]) * decay
    return found


@pytest.mark.parametrize(("version", "target"), [(2, "c"), (3, "python")])
def test_a_loop_through_the_model(folder: Path, monkeypatch: pytest.MonkeyPatch, version: int, target: str) -> None:
    steps, advance = [], CoSimulationInstance.advance
    monkeypatch.setattr(CoSimulationInstance, "advance", lambda *a: (steps.append(a), advance(*a))[1])
    run = model(folder, LOOP, version).simulate(1.05, target=target)
    wanted = loop_solution(10)
    at = [run["a.u"][abs(run.time - H * k) < 1e-9][-1] for k in range(11)]
    assert at == pytest.approx(wanted, rel=1e-9)
    assert len(steps) <= 10 * 3  # the rounds before tell how outputs change
    assert run["changes"][-1] == 10  # one for each point after the start: outputs of rounds are provisional


def test_two_fmus_in_a_loop_of_large_gain(folder: Path) -> None:
    run = model(folder, TWO).simulate(0.55)
    assert run["a.u"][-1] == pytest.approx(1 + run["b.y"][-1], rel=1e-12)
    x, z, decay = 0.0, 0.0, math.exp(-H)
    for step in range(1, 6):
        # a.y = m*a.u + p with m = 3 + 1 - decay, p = x*decay; b.y = n*b.u + q
        m, n, p, q = 4 - decay, -1 - decay, x * decay, z * decay
        u = (1 + n * (2 * p + H * step) + q) / (1 - 2 * n * m)
        v = 2 * (m * u + p) + H * step
        x, z = u + (x - u) * decay, v + (z - v) * decay
    assert run["a.u"][-1] == pytest.approx(u, rel=1e-8)


def test_continued_runs(folder: Path) -> None:
    sim = model(folder, LOOP).simulator()
    sim.step(0.47)
    saved = sim.state()
    sim.step(0.5)
    other = model(folder, LOOP).simulator()
    other.restore(saved)
    other.step(0.5)
    assert other["a.u"] == pytest.approx(sim["a.u"], rel=1e-9)
    assert sim["a.u"] == pytest.approx(loop_solution(9)[-1], rel=1e-9)


def test_without_iteration_inputs_are_those_at_the_start(folder: Path) -> None:
    run = model(folder, LOOP, more=", iterate=false").simulate(0.15)
    # At the start all agree: y(0) = 2*u(0), u(0) = 1 - y(0); then u is that at the start of the step.
    assert run["a.y"][-1] == pytest.approx((2 + 1 - math.exp(-H)) / 3, rel=1e-9)


def test_a_process_of_its_own_and_other_fmus(folder: Path) -> None:
    """One FMU repeats its steps; one without inputs, and one for model exchange, do not take part."""
    cutset.loads("model Ramp\n  output y\n  y = time\nend\n").export_fmu(folder / "ramp.fmu", version=2)
    text = LOOP.replace("separate=false", "separate=true").replace("\n  a.u = 1 - a.y", OTHERS)
    run = model(folder, text).simulate(0.15)
    assert run["a.u"][-1] == pytest.approx(loop_solution(1)[-1], rel=1e-9)
    assert run["r.y"][-1] == pytest.approx(0.1) and run["e.y"][-1] == pytest.approx(0.15)


@pytest.mark.parametrize(("name", "value"), [("on", "a.on"), ("low", "if a.low then 1 else 0")])
def test_outputs_that_cannot_agree(folder: Path, name: str, value: str) -> None:
    with pytest.raises(RunError) as caught:
        model(folder, JUMP.replace("{output}", value)).simulate(0.3)
    assert caught.value.code == "E664" and "at time 0.0" in caught.value.message
    assert any(note.startswith(f"the output {name} of a (part2.fmu) was") for note in caught.value.notes)


def test_an_fmu_that_cannot_go_back(tmp_path: Path) -> None:
    text = 'model M\n  submodel (fmu "tiny.fmu") c(separate=false{more})\n  local v (unit="V")\n'
    text += '  parameter one (unit="V") = 1\n  v = one - c.y\n  c.u = v\nend\n'
    make_fmu(tmp_path / "tiny.fmu", 2, changes={'canGetAndSetFMUstate="true"': "", ' dependencies=""': ""})
    (tmp_path / "model.mo").write_text(text.format(more=""))
    run = cutset.load(tmp_path / "model.mo", allow_external=True).simulate(0.1)
    assert any(note.startswith("c: the input u of tiny.fmu may depend on its outputs") for note in run.notes)
    (tmp_path / "model.mo").write_text(text.format(more=", iterate=true"))
    with pytest.raises(RunError, match="cannot go back to the start of a step") as caught:
        cutset.load(tmp_path / "model.mo", allow_external=True).simulate(0.1)
    assert caught.value.code == "E665"


# --- the search ----------------------------------------------------------------------------------


def rounds_until_agreement(coupling: Coupling, time: float, y: list[float], function) -> tuple[list[float], int]:
    """The outputs of one FMU that agree, and the rounds."""
    coupling.join("a", time, y, True, Kinds(frozenset({0})))
    for rounds in range(1, 100):
        coupling.tell("a", function(y))
        y, agrees = coupling.following("a", 2.0 * rounds)
        if agrees:
            return y, rounds
    raise AssertionError("no end")


def test_a_nonlinear_connection_with_a_steep_slope() -> None:
    coupling, y = Coupling(), [0.0]
    for step in range(5):
        y, rounds = rounds_until_agreement(coupling, step, y, lambda y, at=step: [3 * (2 - y[0]) ** 3 + 0.1 * at])
        assert y[0] == pytest.approx(3 * (2 - y[0]) ** 3 + 0.1 * step, rel=1e-8)
        assert rounds <= (12 if step == 0 else 6)


def test_values_that_do_not_exist_are_left() -> None:
    """The FMU has no values below zero, where the first round leads."""
    y, _ = rounds_until_agreement(
        Coupling(), 0.0, [4.0], lambda y: [9 - 8 * math.sqrt(y[0]) if y[0] >= 0 else math.nan]
    )
    assert y[0] == pytest.approx(1.0, rel=1e-8)


def test_inexact_outputs_agree_as_far_as_they_can() -> None:
    noise = iter(range(1000))
    y, _ = rounds_until_agreement(Coupling(), 0.0, [0.0], lambda y: [1 - 0.5 * y[0] + 1e-8 * (next(noise) % 2)])
    assert y[0] == pytest.approx(2 / 3, rel=1e-6)


def test_a_connection_without_a_solution() -> None:
    with pytest.raises(Disagreement):
        rounds_until_agreement(Coupling(), 0.0, [0.0], lambda y: [y[0] + 1.0])
