"""FMUs of small models, each with one property: starts, causalities, delays, pulses, inputs that step."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import cutset
from cutset.export.fmi_binaries import this_machine

fmpy: Any = pytest.importorskip("fmpy")
from fmpy.fmi3 import FMU3Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

COMPILER = shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")
VERSIONS = (2, 3)


def test_small_states_stay_accurate_after_an_input_changes(tmp_path: Path) -> None:
    """Going back over steps that were computed at once keeps the tolerances."""
    text = "model Swing\n  input u\n  local x (start=0.01), v (start=0)\n  der(x) = 10*v\n  der(v) = u - 10*x\nend\n"
    path = cutset.loads(text).export_fmu(tmp_path / "swing.fmu", platforms=[this_machine()])
    description = fmpy.read_model_description(path)
    places = {"guid": description.guid, "unzipDirectory": fmpy.extract(path, tmp_path / "fmu")}
    instance = FMU3Slave(**places, modelIdentifier="Swing", instanceName="one")
    numbers = {v.name: [v.valueReference] for v in description.modelVariables}
    instance.instantiate()
    instance.enterInitializationMode(startTime=0.0, stopTime=10.0, tolerance=1e-8)
    instance.exitInitializationMode()
    for k in range(200):
        if k == 57:
            instance.setFloat64(numbers["u"], [1e-12])
        instance.doStep(0.05 * k, 0.05)
        assert abs(instance.getFloat64(numbers["x"])[0] - 0.01 * np.cos(0.5 * (k + 1))) < 1e-7, k
    instance.freeInstance()


def test_delays_that_are_shorter_than_steps_of_the_importer(tmp_path: Path) -> None:
    """x' = -3*y + sin(8*t) with y = x a moment ago: the error of y is of the size of the tolerance."""
    path = tmp_path / "quick.mo"
    path.write_text(
        "model Quick\n  local x (start=1), y\n  der(x) = -3*y + sin(8*time)\n  y = delay(x, 2e-5)\nend\n",
    )
    model = cutset.load(path)
    fmu = model.export_fmu(tmp_path / "quick.fmu", 2, platforms=[this_machine()], stop=2.0)
    found = fmpy.simulate_fmu(
        str(fmu), fmi_type="ModelExchange", stop_time=2.0, output_interval=0.01, output=["x", "y"],
        relative_tolerance=1e-7, record_events=False,
    )  # fmt: skip
    run = model.simulate(2.0, interval=0.01, rtol=1e-9, atol=1e-11)
    for name in ("x", "y"):
        assert np.abs(found[name] - run[name]).max() <= 3e-5, name


@pytest.mark.parametrize("step", [0.5, 4.0])
def test_no_step_of_co_simulation_hides_a_pulse(step: float, tmp_path: Path) -> None:
    """The integral of a pulse of 0.01 s in 10 s."""
    text = "model G\n local x(start=0)\n output y\n der(x) = exp(-((time - 3.3)/1e-2)^2)\n y = x\nend"
    path = cutset.loads(text).export_fmu(tmp_path / "pulse.fmu", 2, platforms=[this_machine()])
    found = fmpy.simulate_fmu(
        str(path), fmi_type="CoSimulation", stop_time=10.0, output_interval=step, output=["y"]
    )  # fmt: skip
    assert found["y"][-1] == pytest.approx(1e-2 * np.sqrt(np.pi), rel=1e-5)


EQUAL = """
model class Part
  parameter m (unit="kg") = 1, T (unit="s") = 1, on = true
  terminal x (unit="m")
  T*der(x) = -m/m*x
end
model Equal
  submodel (Part) p
  input u (unit="V")
  output y (unit="V"), z (unit="V"), w (unit="m")
  y = u
  z = -u
  w = p.x
end
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_equal_quantities_keep_their_types_units_and_causalities(tmp_path: Path, version: int) -> None:
    path = cutset.loads(EQUAL).export_fmu(tmp_path / "equal.fmu", version, platforms=[])
    found = {v.name: v for v in fmpy.read_model_description(path).modelVariables}
    real = "Real" if version == 2 else "Float64"
    assert [(found[f"p.{n}"].type, found[f"p.{n}"].unit) for n in ("m", "T", "on")] == [
        (real, "kg"),
        (real, "s"),
        ("Boolean", None),
    ]
    causalities = {name: found[name].causality for name in ("u", "y", "z", "w", "p.x")}
    assert causalities == {"u": "input", "y": "output", "z": "output", "w": "output", "p.x": "local"}


GEARED = """
model class Store
  parameter x0 = 5
  cut a (x / f)
  local y (start=x0)
  y = x
  der(y) = f
end
model Geared
  parameter r = 2.5
  submodel (Store) one, other
  local f
  one.x = r*other.x
  one.f = f
  other.f = -r*f
end
"""


def test_a_start_value_that_does_not_count_cannot_be_set(tmp_path: Path) -> None:
    """That of the part that has the state counts; a run is translated for what it gives."""
    model = cutset.loads(GEARED)
    assert model.simulate(1.0, parameters={"one.x0": 3})["one.y"][0] == pytest.approx(3.0)
    path = model.export_fmu(tmp_path / "geared.fmu", 3, platforms=[])
    found = {v.name: v.causality for v in fmpy.read_model_description(path).modelVariables}
    assert (found["one.x0"], found["other.x0"]) == ("calculatedParameter", "parameter")
    model.export_c(tmp_path / "geared")
    tables = (tmp_path / "geared" / "Geared_tables.c").read_text(encoding="utf-8")
    assert re.search(r"cutset_overruled\[\] = {\n *\d+,\n}", tables)


START = """
model Start
  parameter a = 2, b = 3, c = 2*b, T (unit="s") = 1
  input u
  output y, z, w
  local x (start=1), s (start=a), n (start=0), v
  T*der(x) = -a*x + u
  T*der(s) = -s
  T*der(v) = u - v
  initial
    der(v) = 0
  endinitial
  when sample(0, 0.1) then
    new(n) = n + b
  endwhen
  y = x + c
  z = s + v
  w = n
end
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_unknowns_of_the_start_name_what_they_depend_on(tmp_path: Path, version: int) -> None:
    path = cutset.loads(START).export_fmu(tmp_path / "start.fmu", version, platforms=[])
    unknowns = fmpy.read_model_description(path).initialUnknowns
    found = {u.variable.name: u.dependencies and {v.name for v in u.dependencies} for u in unknowns}
    assert found["w"] is None  # a held value may depend on everything
    assert (found["y"], found["z"], found["s"], found["c"]) == ({"x", "b"}, {"a", "u"}, {"a"}, {"b"})
    assert (found["der(x)"], found["der(v)"]) == ({"x", "a", "u", "T"}, {"u", "T"})


DIVIDER = """model Divider "two capacitors in series at an input voltage, one with a leak"
  input u
  parameter C1 = 1, C2 = 3, g = 0.5
  local u1 (start=0), u2, i
  u = u1 + u2
  C1*der(u1) = i
  C2*der(u2) = i - g*u2
end
"""


def test_an_input_that_steps_moves_all_capacitors_of_its_loop(tmp_path: Path) -> None:
    """The charge between them is kept: as if der(u) were an impulse."""
    (tmp_path / "m.mo").write_text(DIVIDER)
    fmu = cutset.load(tmp_path / "m.mo").export_fmu(tmp_path / "m.fmu", 2, platforms=[this_machine()], stop=3.0)
    decay = np.exp(-0.125)
    types = [(name, np.float64) for name in ("time", "u", "der(u)")]
    steps = [(0.0, 0.0), (1.0, 0.0), (1.0, 10.0), (2.0, 10.0), (2.0, 4.0), (3.0, 4.0)]
    signals = np.array([(*step, 0.0) for step in steps], dtype=types)
    for kind in ("CoSimulation", "ModelExchange"):
        settings = {"stop_time": 3.0, "step_size": 0.005, "output_interval": 0.05, "relative_tolerance": 1e-8}
        found = fmpy.simulate_fmu(str(fmu), fmi_type=kind, input=signals, output=["u1", "u2"], **settings)
        for t, voltage in ((1.95, 2.5 * np.exp(-0.95 / 8)), (3.0, (2.5 * decay - 1.5) * decay)):
            k = np.flatnonzero(np.abs(found["time"] - t) < 1e-9)[0]
            assert found["u2"][k] == pytest.approx(voltage, abs=1e-5), (kind, t)
            assert found["u1"][k] + found["u2"][k] == pytest.approx(10.0 if t < 2.0 else 4.0)


def test_each_of_an_array_of_cuts_is_a_terminal(tmp_path: Path) -> None:
    text = """
cut class Fluid (p / m, carried T(unit="K"))
model Volume
  cut (Fluid) port(2) (p / m, carried T)
  local H(2)(start=300)
  p = [1, 2]
  T = H
  der(H) = carried(T) - m .* T
end
"""
    fmu = cutset.loads(text).export_fmu(tmp_path / "volume.fmu", 3, platforms=[])
    causes = {v.name: v.causality for v in fmpy.read_model_description(fmu).modelVariables}
    assert {causes[f"p({k})"] for k in (1, 2)} == {"output"} and {causes[f"m({k})"] for k in (1, 2)} == {"input"}
    assert {causes[f"inflow(T({k}))"] for k in (1, 2)} == {"input"} and not validate_fmu(str(fmu))
    with zipfile.ZipFile(fmu) as archive:
        root = ElementTree.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
    members = {
        terminal.get("name"): [m.get("variableName") or m.get("outStreamVariableName") for m in terminal]
        for terminal in root.iterfind("Terminals/Terminal")
    }
    assert members == {f"port({k})": [f"p({k})", f"m({k})", f"T({k})"] for k in (1, 2)}


def test_what_a_flow_carries_is_a_stream_of_its_terminal(tmp_path: Path) -> None:
    text = """
cut class Fluid (p / m, carried T(unit="K"))
model Volume
  cut (Fluid) port (p / m, carried T)
  local H (start=300)
  p = 0
  T = H
  der(H) = carried(T) - m*T
end
"""
    fmu = cutset.loads(text).export_fmu(tmp_path / "volume.fmu", 3, platforms=[])
    causes = {v.name: v.causality for v in fmpy.read_model_description(fmu).modelVariables}
    assert (causes["m"], causes["inflow(T)"], causes["p"], causes["T"]) == ("input", "input", "output", "output")
    assert not validate_fmu(str(fmu))
    with zipfile.ZipFile(fmu) as archive:
        root = ElementTree.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
    stream = root.find("Terminals/Terminal/TerminalStreamMemberVariable")
    assert stream is not None
    assert [stream.get(f"{way}StreamVariableName") for way in ("in", "out")] == ["inflow(T)", "T"]
