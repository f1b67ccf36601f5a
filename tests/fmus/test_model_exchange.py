"""FMUs whose states the solver of the model integrates: they run as the text does from which they were made."""

from __future__ import annotations

import math
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import cutset
from cutset import RunError
from cutset.compiler.diagnostics import ModelError, Source, Span
from cutset.compiler.instantiate.names.fmu_terminals import cut_of, terminals_of
from cutset.compiler.sort.messages import index_needs_derivative
from cutset.contract.fmu_archive import Damaged

pytest.importorskip("fmpy")

from cutset.export.fmi_binaries import this_machine
from cutset.runtime.fmu.states import Direction, ExchangeInstance, Point
from fmus.tiny import COMPILER

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")

# A lag that a Boolean input opens, a limit that it crosses, a time event; y depends on u, also at the start.
PART = """
model{kind} Part
  parameter S (unit="s") = 1, limit = 0.8
  input (Boolean) open
  input u
  output y, n (start=0), level
  local x (start=0.5), high (start=0), instant (unit="s", start=0.7), y0 (start=0, fixed=false)
  initial
    y0 = u
  endinitial
  S*der(x) = if open then u + 0.3*high - x else -0.2*x
  der(y0) = 0
  y = 2*u + x
  level = x - limit + y0
  when open then
    new(n) = n + 1
  endwhen
  when x > limit then
    new(high) = high + 1
  endwhen
  when time >= instant then
    new(instant) = instant + 0.7*S
    init(x) = 0.5*x
  endwhen
end
"""
PENDULUM = """
model Pendulum
  parameter L = 1.2, g = 9.81
  output x (start=1.2), y (start=0)
  local vx, vy, force
  der(x) = vx
  der(y) = vy
  der(vx) = -force*x
  der(vy) = -force*y - g
  x^2 + y^2 = L^2
end
"""
HOST = """
model Host
  submodel {of_class} c(limit=0.65)
  parameter w (unit="1/s") = 1
  local z, far (start=0)
  c.open = sin(5*w*time) > -0.3
  c.u = 1 + cos(w*time) - 0.3*z
  z = c.y + 0.01*z^3
  der(far) = w*(c.level - far)
end
"""
NAMES = ("z", "far", "c.y", "c.n", "c.level")
TIMES = tuple(np.linspace(0.0, 3.0, 41))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("exchange")
    (made / "part.mo").write_text(PART.format(kind=""))
    (made / "together.mo").write_text(PART.format(kind=" class") + HOST.format(of_class="(Part)"))
    for version in (2, 3):
        cutset.load(made / "part.mo").export_fmu(made / f"part{version}.fmu", version=version)
        (made / f"host{version}.mo").write_text(HOST.format(of_class=f'(fmu "exchange:part{version}.fmu")'))
    return made


@pytest.fixture(scope="module")
def together(folder: Path) -> cutset.Result:
    return cutset.load(folder / "together.mo", "Host").simulate(3.0, times=TIMES)


@cache
def host(folder: Path, version: int = 2) -> cutset.Model:
    return cutset.load(folder / f"host{version}.mo", allow_external=True)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("target", ["c", "python"])
def test_a_run_equals_that_of_the_text(folder: Path, together: cutset.Result, version: int, target: str) -> None:
    assert together["c.n"][-1] == 2 and together["c.high"][-1] >= 1
    run = host(folder, version).simulate(3.0, times=TIMES, target=target)
    for name in NAMES:
        assert np.interp(TIMES, run["time"], run[name]) == pytest.approx(
            np.interp(TIMES, together["time"], together[name]), rel=1e-8, abs=1e-8
        )


@pytest.mark.parametrize("method", ["bdf", "cvode-bdf"])
def test_events_are_not_missed_by_other_methods(folder: Path, together: cutset.Result, method: str) -> None:
    run = host(folder, 3).simulate(3.0, method=method, times=TIMES)
    assert run["c.n"][-1] == together["c.n"][-1]
    assert run["far"][-1] == pytest.approx(together["far"][-1], rel=1e-4)


def test_a_process_of_its_own(folder: Path, together: cutset.Result) -> None:
    text = (folder / "host2.mo").read_text()
    (folder / "separate.mo").write_text(text.replace("(limit=0.65)", "(limit=0.65, separate=true)"))
    run = cutset.load(folder / "separate.mo", allow_external=True).simulate(0.3)
    at = np.interp(0.3, together["time"], together["z"])
    assert run["z"][-1] == pytest.approx(at, rel=1e-2)


def test_saved_states_and_continued_runs(folder: Path) -> None:
    sim = host(folder).simulator()
    sim.step(1.3)
    saved = sim.state()
    sim.step(1.7)
    last = [sim[name] for name in NAMES]
    sim.restore(saved)
    sim.step(1.7)
    assert [sim[name] for name in NAMES] == last
    other = host(folder).simulator()
    other.restore(saved)
    other.step(1.7)
    assert [other[name] for name in NAMES] == last
    run = host(folder).simulate(1.3)
    for _ in range(2):
        assert run.resume(3.0)["far"][-1] == pytest.approx(last[1], rel=1e-5)


def test_derivatives_of_outputs_are_those_of_the_fmu(folder: Path) -> None:
    """A mass whose position is the state of the FMU: its speed is found by differentiation."""
    (folder / "lag.mo").write_text(
        'model Lag\n  parameter T (unit="s") = 2\n  input u\n  output y (start=1)\n  T*der(y) = u - y\nend\n'
    )
    cutset.load(folder / "lag.mo").export_fmu(folder / "lag.fmu", version=2)
    (folder / "servo.mo").write_text(
        'model M\n  submodel (fmu "exchange:lag.fmu") c\n  parameter w (unit="1/s") = 1\n  local v\n'
        "  c.u = sin(w*time)\n  w*v = der(c.y)\nend\n"
    )
    run = cutset.load(folder / "servo.mo", allow_external=True).simulate(1.0)
    assert run["v"] == pytest.approx((np.sin(run["time"]) - run["c.y"]) / 2.0, abs=1e-6)


def test_slopes_are_those_at_the_given_point(folder: Path, tmp_path: Path) -> None:
    """Wherever the FMU was evaluated before."""
    text = "model Cube\n  input u\n  output y\n  local x (start=1)\n  der(x) = u - x^2\n  y = x^3\nend\n"
    cutset.loads(text).export_fmu(tmp_path / "cube.fmu", version=2)
    with zipfile.ZipFile(tmp_path / "cube.fmu") as archive:
        archive.extractall(tmp_path / "cube")
    instance = ExchangeInstance(tmp_path / "cube", lambda name: None)
    number = instance.begin(0.0, {}, {"u": 0.0}, ["y"])["state"]
    before, point = (Point(number, 0.0, [x], {"u": 0.0}) for x in (1.0, 2.0))
    assert instance.evaluate(before, "outputs", ["y"]) == [1.0]
    assert instance.slope(point, "outputs", ["y"], Direction(0.0, [1.0], {"u": 0.0})) == pytest.approx([12.0])
    assert instance.evaluate(before, "rates", []) == [-1.0]
    assert instance.slope(point, "rates", [], Direction(0.0, [1.0], {"u": 0.0})) == pytest.approx([-4.0])


DELAYED = """
model{kind} Delayed
  parameter one (unit="s") = 1
  input u
  output late, short, echo
  local x (start=0)
  one*der(x) = u - 3*short
  late = delay(x, 0.3*one)
  short = delay(x, 0.0005*one)
  echo = delay(u, 0.2*one)
end
model{host} DelayedHost
  submodel {of_class} c
  parameter one (unit="s") = 1
  c.u = sin(3*time/one)
end
"""


def test_states_that_are_chosen_in_the_run(folder: Path) -> None:
    """The FMU selects others where its indicators change: no importer needs to complete steps for it."""
    text = cutset.loads(PENDULUM)
    text.export_fmu(folder / "pendulum.fmu", 3, platforms=[this_machine()])
    known = text.simulate(3.0, rtol=1e-8)
    (folder / "swing.mo").write_text('model Swing\n  submodel (fmu "exchange:pendulum.fmu") c\nend\n')
    run = cutset.load(folder / "swing.mo", allow_external=True).simulate(3.0, rtol=1e-8)
    assert [run["c.x"][-1], run["c.y"][-1]] == pytest.approx([known["x"][-1], known["y"][-1]], abs=1e-6)


def test_delays_in_an_fmu_are_those_of_the_text(folder: Path) -> None:
    """A delay that is longer than steps, one that is much shorter, and one of an input."""
    part, _, host_text = DELAYED.partition("model{host}")
    cutset.loads(part.format(kind="")).export_fmu(folder / "delayed.fmu", version=2, stop=1.5)
    (folder / "late.mo").write_text("model" + host_text.format(of_class='(fmu "exchange:delayed.fmu")'))
    together = DELAYED.format(kind=" class", host="", of_class="(Delayed)")
    times = tuple(np.linspace(0.0, 0.7, 8))
    wanted = cutset.loads(together, "DelayedHost").simulate(0.7, times=times, rtol=1e-8)
    run = cutset.load(folder / "late.mo", allow_external=True).simulate(0.7, times=times)
    for name in ("late", "short", "echo"):
        found, right = (np.interp(times, r.time, r[f"c.{name}"]) for r in (run, wanted))
        assert found == pytest.approx(right, abs=2e-6), name


def test_delays_in_co_simulation_are_those_of_the_text_with_held_inputs(folder: Path) -> None:
    """Inputs jump at communication points, and so do delayed inputs: between points, and within one step."""
    part, _, host_text = DELAYED.partition("model{host}")
    cutset.loads(part.format(kind="")).export_fmu(folder / "delayed.fmu", version=3, stop=1.5)
    of_fmu = host_text.format(of_class='(fmu "cosimulation:delayed.fmu")').replace(
        " c\n", " c(step=0.013, separate=false)\n"
    )
    (folder / "late.mo").write_text("model" + of_fmu)
    held = "local u (start=0)\n  when sample(0, 0.013) then\n    new(u) = sin(3*time/one)\n  endwhen\n  c.u = u"
    text = host_text.format(of_class="(Delayed)").replace("c.u = sin(3*time/one)", held)
    wanted = cutset.loads(part.format(kind=" class") + "model" + text, "DelayedHost").simulate(1.0, rtol=1e-9)
    run = cutset.load(folder / "late.mo", allow_external=True).simulate(1.0)
    at = wanted.time.searchsorted(0.013 * 76 - 1e-9)  # outputs are those of the last communication point
    for name in ("c.late", "c.short", "c.echo"):
        assert run[name][-1] == pytest.approx(wanted[name][at], rel=1e-7), name


ROTOR = """
model{kind} Rotor
  parameter J (unit="kg.m2") = 2
  input tau (unit="N.m")
  output phi (unit="rad", start=0)
  local w (unit="rad/s")
  cut flange (phi / tau)
  der(phi) = w
  J*der(w) = tau
end
"""
SPRINGS = """
model class Spring
  cut a (phi / tau), b (phib / -tau)
  parameter c (unit="N.m/rad") = 5
  tau = c*(phi - phib)
end
model class Wall
  main cut a (phi / tau)
  constant one (unit="rad") = 1
  phi = one
end
model Two
  submodel {of_class} r(J=1.5), q
  submodel (Spring) s, soft(c=2)
  submodel (Wall) w
  connect r:flange at s:a, q:flange at s:b, q:flange at soft:a, soft:b at w:a
end
"""


def test_equal_components_have_inputs_of_their_own(folder: Path) -> None:
    text = HOST.replace("submodel {of_class} c(limit=0.65)", "submodel {of_class} c, d")
    text = text.replace("c.u = ", "d.open = c.open\n  d.u = 3 - w*time\n  c.u = ")
    (folder / "equal.mo").write_text(text.format(of_class='(fmu "exchange:part2.fmu")'))
    (folder / "equals.mo").write_text(PART.format(kind=" class") + text.format(of_class="(Part)"))
    wanted = cutset.load(folder / "equals.mo", "Host").simulate(2.5)
    loaded = cutset.load(folder / "equal.mo", allow_external=True)
    run, sim = loaded.simulate(2.5), loaded.simulator()
    sim.step(1.5)
    other = cutset.load(folder / "equal.mo", allow_external=True).simulator()
    other.restore(sim.state())
    other.step(1.0)
    for name in ("c.y", "d.y", "c.level", "d.level"):
        assert run[name][-1] == pytest.approx(wanted[name][-1], rel=1e-6)
        assert other[name] == pytest.approx(wanted[name][-1], rel=1e-4)


def test_terminals_are_cuts(folder: Path) -> None:
    (folder / "rotor.mo").write_text(ROTOR.format(kind=""))
    (folder / "rotors.mo").write_text(ROTOR.format(kind=" class") + SPRINGS.format(of_class="(Rotor)"))
    wanted = cutset.load(folder / "rotors.mo", "Two").simulate(2.0)
    cutset.load(folder / "rotor.mo").export_fmu(folder / "rotor.fmu", version=3)
    (folder / "two.mo").write_text(SPRINGS.format(of_class='(fmu "exchange:rotor.fmu")'))
    run = cutset.load(folder / "two.mo", "Two", allow_external=True).simulate(2.0)
    for name in ("r.phi", "q.phi", "s.tau"):
        assert run[name][-1] == pytest.approx(wanted[name][-1], rel=1e-8)


LOAD = """
model{kind} Load "a capacitor beside a resistor"
  cut p (v (unit="V") / i (unit="A"))
  parameter C (unit="F") = 0.1, R (unit="Ohm") = 2
  C*der(v) + v/R = i
end
"""
SOURCE = """
model{kind} Source "3 V behind 1 Ohm"
  cut p (v (unit="V") / i (unit="A"))
  parameter V (unit="V") = 3, R (unit="Ohm") = 1
  v - V = R*i
end
"""
CIRCUIT = """
model Circuit
  submodel {load} a
  submodel {source} b
  connect a:p to b:p
end
"""


def test_cuts_of_a_model_are_terminals_that_can_be_connected(folder: Path) -> None:
    """A through variable is an input, or by choice an across variable."""
    here = [this_machine()]
    cutset.loads(LOAD.format(kind="")).export_fmu(folder / "load.fmu", platforms=here)
    cutset.loads(SOURCE.format(kind="")).export_fmu(folder / "source.fmu", platforms=here, across_inputs=["p"])
    fmus = {"load": '(fmu "exchange:load.fmu")', "source": '(fmu "exchange:source.fmu")'}
    for given in ({"load": fmus["load"]}, {"source": fmus["source"]}, fmus):
        text = CIRCUIT.format(**{"load": "(Load)", "source": "(Source)", **given})
        classes = [c.format(kind=" class") for c, name in ((LOAD, "load"), (SOURCE, "source")) if name not in given]
        (folder / "circuit.mo").write_text("".join(classes) + text)
        run = cutset.load(folder / "circuit.mo", "Circuit", allow_external=True).simulate(0.3, rtol=1e-8)
        assert run["a.v"][-1] == pytest.approx(2 * (1 - math.exp(-4.5)), rel=1e-6)
    with pytest.raises(RunError, match="there is no cut 'q'"):
        cutset.loads(LOAD.format(kind="")).export_fmu(folder / "load.fmu", platforms=[], across_inputs=["q"])


DRIVEN = """
@rotational
{wheel}
model Driven
  submodel ({kind}) wheel
  submodel (SpringDamper) s(c=20, d=0.1)
  submodel (Fixed) w(phi0=1)
  connect wheel:shaft to s to w
end
"""
WHEEL = """
model {kind} Wheel "its shaft turns by a function of its angle and time"
  parameter J = 0.3
  local q (start=0.2), qd (start=0.5)
  cut shaft (phi(unit="rad") / tau(unit="N.m"))
  qd = der(q)
  phi = q + 0.3*sin(q) + 0.2*time^2
  J*der(qd) = tau*(1 + 0.3*cos(q))
end
"""


def test_an_element_may_need_the_second_derivative_of_an_output(tmp_path: Path) -> None:
    text = DRIVEN.format(wheel=WHEEL.format(kind="class"), kind="Wheel")
    known = cutset.loads(text).simulate(0.1, points=2)
    cutset.loads(WHEEL.format(kind="")).export_fmu(tmp_path / "wheel.fmu", platforms=[this_machine()])
    (tmp_path / "driven.mo").write_text(DRIVEN.format(wheel="", kind='fmu "exchange:wheel.fmu"'))
    run = cutset.load(tmp_path / "driven.mo", allow_external=True).simulate(0.1, points=2)
    for name in ("s.phi_rel", "s.w_rel", "s.a_rel"):
        assert [run[name][0], run[name][-1]] == pytest.approx([known[name][0], known[name][-1]], rel=1e-5), name


def test_a_third_derivative_of_an_output_is_refused_in_words_of_the_fmu() -> None:
    told = index_needs_derivative("fmu_outputs_0_along_twice", Span(Source("flanged.fmu", "x"), 1, 1, 1, 2), "f")
    assert told.code == "E299" and "an output of this FMU must be differentiated three times" in told.message


def test_flows_out_and_locals_in_terminals() -> None:
    text = """<fmiTerminalsAndIcons fmiVersion="3.0"><Terminals>
    <Terminal name="pin 1"><TerminalMemberVariable variableName="v" variableKind="signal"/>
    <TerminalMemberVariable variableName="i" variableKind="outflow"/></Terminal>
    <Terminal name="inner"><TerminalMemberVariable variableName="x" variableKind="signal"/></Terminal>
    <Terminal name="bus"><Terminal name="n"/><TerminalMemberVariable variableName="v" variableKind="signal"/></Terminal>
    </Terminals></fmiTerminalsAndIcons>"""
    pin, inner = terminals_of(text.encode())
    assert cut_of("pin_1", pin, {"v": "v", "i": "i_"}) == "  cut pin_1 (v / -i_)"
    assert cut_of("inner", inner, {"v": "v"}) is None
    with pytest.raises(Damaged):
        terminals_of(b"<Terminals>")


def test_what_cannot_be_a_component(folder: Path) -> None:
    (folder / "wrong.mo").write_text('model M\n  submodel (fmu "exchange:nowhere.fmu") c\nend\n')
    with pytest.raises(ModelError, match="E201"):
        cutset.load(folder / "wrong.mo", allow_external=True)
    sim = host(folder).simulator()
    sim.step(0.1)
    with pytest.raises(RunError, match="parameters with which"):
        cutset.load(folder / "host2.mo", allow_external=True).simulator(parameters={"w": 2.0}).restore(sim.state())
