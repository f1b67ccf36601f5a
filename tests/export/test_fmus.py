"""FMUs: FMPy finds no fault in them and computes with them what `simulate` computes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from ctypes import c_double
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import cutset
from cutset.export.fmi_binaries import this_machine
from cutset.runtime.errors import RunError

fmpy: Any = pytest.importorskip("fmpy")
from fmpy.fmi2 import FMU2Model, FMU2Slave  # noqa: E402
from fmpy.fmi3 import FMU3Model, FMU3Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

COMPILER = shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")
VERSIONS = (2, 3)

# A plant with a sampled controller, and what an FMU must be able to describe.
PLANT = """
type Mode = (Off, Low, High)

cut class Pin (u (unit="V") / i (unit="A")) "an electrical & <odd> pin"

model Plant "a plant with 'quotes', <tags> & ampersands"
  cut (Pin) pin (v / j)
  parameter k (unit="N.m/rad", min=0) = 3 "gain > 0", k0 (unit="N.m/rad") = 1, twice (unit="N.m/rad") = 2*k
  parameter T (unit="s", display="min") = 1, T_room (unit="K", display="degC") = 20 degC
  parameter (Integer) n = 2
  parameter hot = false
  input u (unit="V") "wanted"
  output y (unit="V"), held (unit="V")
  local x (unit="V", start=0.2, nominal=10), v2 (unit="V", start=0.4), c (start=0)
  local late (unit="V"), back (unit="V", start=0)
  local (Mode) mode
  local fast
  T*der(x) = u - x
  T*der(v2) = k/k0*(held - v2) + (if hot then u else 0)
  y = x + 0.1*v2
  fast = x > 0.6
  late = delay(x + held, 0.33)
  T*der(back) = late - 3*delay(back, 0.21)
  mode = if x > 0.8 then Mode.High else if x > 0.5 then Mode.Low else Mode.Off
  v = x
  when sample(0, 0.1) then
    new(c) = c + n
    new(held) = k/k0*x
  endwhen
  assert v2 < 4, "v2 is <too> large"
end
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> cutset.Model:
    path = tmp_path_factory.mktemp("model") / "plant.mo"
    path.write_text(PLANT)
    return cutset.load(path)


@pytest.fixture(scope="module", params=VERSIONS)
def fmu(model: cutset.Model, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model as an FMU of each version, compiled for this machine."""
    path = tmp_path_factory.mktemp("fmu") / f"plant{request.param}.fmu"
    return model.export_fmu(path, request.param, platforms=[this_machine()], stop=2.0)


@pytest.fixture
def opened(fmu: Path, tmp_path: Path) -> Iterator[Any]:
    """A function that makes an instance: `opened(steps)` for co-simulation or model exchange, with settings of FMPy."""
    description = fmpy.read_model_description(fmu)
    fmpy.extract(fmu, tmp_path)
    made: list[Any] = []

    def open_it(steps: bool, **settings: bool) -> Any:
        is_2 = description.fmiVersion == "2.0"
        kind = (FMU2Slave if is_2 else FMU3Slave) if steps else (FMU2Model if is_2 else FMU3Model)
        instance = kind(
            guid=description.guid,
            unzipDirectory=str(tmp_path),
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="one",
        )
        instance.instantiate(**settings)
        instance.numbers = {v.name: v.valueReference for v in description.modelVariables}
        instance.read = lambda *names: (instance.getReal if is_2 else instance.getFloat64)(
            [instance.numbers[name] for name in names]
        )
        instance.write = lambda name, value: (instance.setReal if is_2 else instance.setFloat64)(
            [instance.numbers[name]], [value]
        )
        made.append(instance)
        return instance

    yield open_it
    for instance in made:
        instance.freeInstance()


def initialized(instance: Any, stop: float = 2.0, **values: float) -> Any:
    """The instance before its start at time 0."""
    if hasattr(instance, "setupExperiment"):
        instance.setupExperiment(startTime=0.0, stopTime=stop, tolerance=1e-8)
        instance.enterInitializationMode()
    else:
        instance.enterInitializationMode(startTime=0.0, stopTime=stop, tolerance=1e-8)
    for name, value in values.items():
        instance.write(name, value)
    return instance


def started(instance: Any, stop: float = 2.0, **values: float) -> Any:
    """The instance after its start at time 0."""
    initialized(instance, stop, **values).exitInitializationMode()
    return instance


def step(instance: Any, k: int, h: float = 0.01) -> None:
    instance.doStep(currentCommunicationPoint=k * h, communicationStepSize=h)


def deviation(run: cutset.Result, found: Any, name: str, step: float) -> float:
    """The largest distance from the band that the variable passes through within one output step, relative to its
    range."""
    times, values = run["time"], np.asarray(run[name])
    size = max(np.ptp(values), 1e-6 * np.abs(values).max(), 1e-9)
    worst = 0.0
    for t, value in zip(found["time"], found[name], strict=True):
        first, last = np.searchsorted(times, [t - 1.001 * step, t + 1.001 * step])
        near = values[max(first - 1, 0) : last + 1]
        worst = max(worst, near.min() - value, value - near.max())
    return worst / size


def test_validator_finds_nothing(fmu: Path) -> None:
    assert validate_fmu(str(fmu)) == []


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_fmpy_computes_what_simulate_computes(model: cutset.Model, fmu: Path, kind: str) -> None:
    names = ["x", "v2", "y", "held", "c", "der(x)", "k", "twice", "pin.v", "late", "back"]
    names = [name for name in names if name in model.translated.info.names]
    values = {"u": 1.0, "k": 2.0, "x": 0.1}
    run = model.simulate(2.0, interval=0.01, parameters={"k": 2.0}, inputs={"u": 1.0}, initial={"x": 0.1}, rtol=1e-8)
    found = fmpy.simulate_fmu(
        str(fmu), fmi_type=kind, stop_time=2.0, output_interval=0.01, start_values=values, output=names,
        relative_tolerance=1e-8, record_events=False,
    )  # fmt: skip
    assert len(found) == 201 and found["twice"][-1] == 4.0
    for name in {*names} - {"k", "twice"}:
        assert deviation(run, found, name, 0.01) <= 2e-3, name


def test_variables_have_types_units_and_descriptions(fmu: Path) -> None:
    description = fmpy.read_model_description(fmu)
    variables = {v.name: v for v in description.modelVariables}
    units = {unit.name: unit.baseUnit for unit in description.unitDefinitions}
    assert description.description == "a plant with 'quotes', <tags> & ampersands"
    assert (variables["k"].causality, variables["k"].variability) == ("parameter", "tunable")
    assert float(variables["k"].start) == 3.0 and float(variables["k"].min) == 0.0
    assert variables["k"].unit == "N.m/rad" and variables["k"].description == "gain > 0"
    assert (variables["T_room"].displayUnit, variables["T"].displayUnit) == ("degC", "min")
    shown = {each.name: each for unit in description.unitDefinitions for each in unit.displayUnits}
    assert float(shown["min"].factor) * 90 == pytest.approx(1.5)
    assert float(shown["degC"].factor) * 293.15 + float(shown["degC"].offset) == pytest.approx(20.0)
    base = units["N.m/rad"]
    assert (base.kg, base.m, base.s, base.rad) == (1, 2, -2, -1)
    assert variables["twice"].causality == "calculatedParameter"
    assert variables["u"].causality == "input" and variables["y"].causality == "output"
    assert variables["n"].type in ("Integer", "Int32") and variables["fast"].type == "Boolean"
    assert variables["mode"].type == "Enumeration" and variables["mode"].variability == "discrete"
    assert [item.name for item in variables["mode"].declaredType.items] == ["Off", "Low", "High"]
    assert variables["x"].initial == "exact" and float(variables["x"].start) == 0.2
    assert variables["c"].variability == "discrete" and float(variables["x"].nominal) == 10.0
    assert variables["der(x)"].derivative.name == "x" and variables["der(x)"].unit == "V/s"


def test_structure_names_what_each_unknown_depends_on(fmu: Path) -> None:
    description = fmpy.read_model_description(fmu)
    rates = {u.variable.name: {v.name for v in u.dependencies} for u in description.derivatives}
    # `held` is sampled from x, so that the other state depends on x, too; delayed values depend on nothing present.
    assert rates == {"der(x)": {"x", "u"}, "der(v2)": {"v2", "x", "u"}, "der(back)": set()}
    outputs = {u.variable.name: {v.name for v in u.dependencies} for u in description.outputs if u.dependencies}
    assert outputs["y"] == {"x", "v2"}


def test_inputs_and_parameters_change_between_steps(model: cutset.Model, opened: Any) -> None:
    """Equal steps are computed several at once; what is set between them must count from there on."""
    instance = started(opened(True), u=1.0)
    simulator = model.simulator(inputs={"u": 1.0}, rtol=1e-8)
    for k in range(120):
        if k == 57:
            instance.write("u", -0.5)
            simulator.set({"u": -0.5})
        step(instance, k)
        simulator.step(0.01)
        names = ["x", "v2", "held", "c", "late", "back"]
        assert np.allclose(instance.read(*names), [simulator.get(name) for name in names], rtol=1e-5, atol=1e-6), k


def test_steps_with_more_events_than_rows_fit_at_once(model: cutset.Model, opened: Any) -> None:
    instance = started(opened(True), stop=30.0, u=1.0)
    run = model.simulate(30.0, interval=0.15, inputs={"u": 1.0}, rtol=1e-8)
    names = ["x", "v2", "held", "c", "late", "back"]
    for k in range(1, 201):
        step(instance, k - 1, 0.15)
        row = np.searchsorted(run.time, 0.15 * k + 1e-9) - 1
        assert np.allclose(instance.read(*names), [run[name][row] for name in names], rtol=1e-5, atol=1e-6), k


def test_saved_state_continues_equally(opened: Any) -> None:
    instance = started(opened(True), u=1.0)
    for k in range(30):
        step(instance, k)
    is_2 = hasattr(instance, "getFMUstate")
    save, restore = ("getFMUstate", "setFMUstate") if is_2 else ("getFMUState", "setFMUState")
    state = getattr(instance, save)()
    as_bytes = (instance.serializeFMUstate if is_2 else instance.serializeFMUState)(state)
    for k in range(30, 60):
        step(instance, k)
    wanted = instance.read("x", "v2", "held", "c", "late", "back")
    getattr(instance, restore)(state)
    for k in range(30, 60):
        step(instance, k)
    assert instance.read("x", "v2", "held", "c", "late", "back") == wanted
    other = started(opened(True), u=0.0)
    state = (other.deSerializeFMUstate if is_2 else other.deserializeFMUState)(as_bytes)
    getattr(other, restore)(state)
    for k in range(30, 60):
        step(other, k)
    assert other.read("x", "v2", "held", "c", "late", "back") == wanted


def test_directional_derivatives(opened: Any) -> None:
    instance = started(opened(False), u=1.0)
    number = instance.numbers

    def slope(unknown: str, known: str) -> float:
        return float(instance.getDirectionalDerivative([number[unknown]], [number[known]], [1.0])[0])

    assert slope("der(x)", "x") == pytest.approx(-1.0, abs=1e-10)
    assert slope("der(x)", "u") == pytest.approx(1.0, abs=1e-10)
    assert slope("der(v2)", "v2") == pytest.approx(-3.0, abs=1e-9)
    assert slope("y", "v2") == pytest.approx(0.1, abs=1e-11)


def test_states_can_be_set_between_events(opened: Any) -> None:
    """As CasADi does for each evaluation; FMI 3.0.2 allows it."""
    instance = started(opened(False), u=1.0)
    (instance.updateDiscreteStates if hasattr(instance, "updateDiscreteStates") else instance.newDiscreteStates)()
    instance.enterContinuousTimeMode()
    instance.write("x", 0.7)
    assert instance.read("x", "y", "der(x)") == pytest.approx([0.7, 0.74, 0.3])


def test_states_have_values_and_derivatives_before_the_start_ends(model: cutset.Model, opened: Any) -> None:
    instance, count = initialized(opened(False), u=1.0), len(model.states)
    is_2 = hasattr(instance, "setupExperiment")
    x, rates = (c_double * count)(), (c_double * count)()
    instance.getContinuousStates(x, count)
    (instance.getDerivatives if is_2 else instance.getContinuousStateDerivatives)(rates, count)
    found = dict(zip(model.states, zip(x, rates, strict=True), strict=True))
    assert found["x"] == pytest.approx(instance.read("x", "der(x)"))


def test_clock_ticks_at_samples(opened: Any) -> None:
    instance = opened(False)
    if not hasattr(instance, "getClock"):
        pytest.skip("clocks exist in FMI 3")
    clock = [number for name, number in instance.numbers.items() if "clock" in name]
    started(instance, u=1.0)
    instance.updateDiscreteStates()
    instance.enterContinuousTimeMode()
    assert len(clock) == 1
    instance.setTime(0.05)
    instance.enterEventMode()
    instance.updateDiscreteStates()
    assert not instance.getClock(clock)[0]
    instance.enterContinuousTimeMode()
    instance.setTime(0.1)
    instance.enterEventMode()
    assert instance.updateDiscreteStates()[-1] == pytest.approx(0.2)
    assert instance.getClock(clock)[0] and instance.read("c") == [4.0]


def advanced(instance: Any, t: float, until: float, settle: bool) -> list[float]:
    """Steps an instance with event mode to `until`; the instants of the events at which it returned."""
    events = []
    while t < until - 1e-12:
        event, ends, early, t = instance.doStep(t, until - t)
        assert not ends and early == (event and t < until - 1e-12)
        if event:
            events.append(t)
        if event and settle:
            instance.enterEventMode()
            assert not instance.updateDiscreteStates()[1]
            instance.enterStepMode()
    return events


@pytest.mark.parametrize("settle", [True, False])
def test_steps_end_at_events_in_event_mode(settle: bool, model: cutset.Model, opened: Any, fmu: Path) -> None:
    """An importer that does not enter event mode gets the same values: the next step settles the event."""
    if fmpy.read_model_description(fmu).fmiVersion == "2.0":
        pytest.skip("co-simulation has an event mode in FMI 3")
    instance = started(opened(True, eventModeUsed=True, earlyReturnAllowed=True), u=1.0)
    assert not instance.updateDiscreteStates()[0]
    instance.enterStepMode()
    run = model.simulate(1.9, inputs={"u": 1.0}, interval=0.25, rtol=1e-8)
    names, events = ["x", "v2", "held", "c", "late", "back"], []
    for k in range(7):
        events += advanced(instance, 0.25 * k, 0.25 * (k + 1), settle)
        row = np.searchsorted(run.time, 0.25 * (k + 1) + 1e-9) - 1
        if not settle and events[-1] == 0.25 * (k + 1):
            continue
        assert np.allclose(instance.read(*names), [run[name][row] for name in names], rtol=1e-5, atol=1e-6), k
    expected = sorted({round(t, 9) for t in run.time[1:][np.diff(run.time) <= 0.0] if 0.0 < t <= 1.75})
    assert np.allclose(sorted(set(events)), expected, rtol=0, atol=1e-7)


def test_clocks_tick_in_the_event_mode_of_co_simulation(opened: Any) -> None:
    instance = opened(True)
    if not hasattr(instance, "getClock"):
        pytest.skip("clocks exist in FMI 3")
    instance = started(opened(True, eventModeUsed=True, earlyReturnAllowed=True), u=1.0)
    clock = [number for name, number in instance.numbers.items() if "clock" in name]
    instance.enterStepMode()
    event, _, early, t = instance.doStep(0.0, 0.15)
    assert event and early and t == 0.1 and instance.read("c") == [2.0]
    state = instance.getFMUState()
    for _ in range(2):
        instance.enterEventMode()
        assert instance.updateDiscreteStates()[-1] == pytest.approx(0.2)
        assert instance.getClock(clock)[0] and instance.read("c") == [4.0]
        instance.enterStepMode()
        assert not instance.getClock(clock)[0]
        instance.setFMUState(state)
    instance.write("u", 0.5)
    instance.enterEventMode()
    instance.updateDiscreteStates()
    instance.enterStepMode()
    assert instance.doStep(0.1, 0.05)[::3] == (False, 0.15000000000000002)
    with pytest.raises(fmpy.fmi1.FMICallException):
        started(opened(True), u=1.0).enterStepMode()


def test_events_are_settled_within_steps_if_these_must_not_return_early(model: cutset.Model, opened: Any) -> None:
    instance = opened(True)
    if not hasattr(instance, "getClock"):
        pytest.skip("co-simulation has an event mode in FMI 3")
    instance = started(opened(True, eventModeUsed=True, earlyReturnAllowed=False), u=1.0)
    instance.enterStepMode()
    assert instance.doStep(0.0, 0.35)[:3] == (False, False, False)
    run = model.simulate(0.35, inputs={"u": 1.0}, rtol=1e-8)
    assert np.allclose(instance.read("x", "v2", "c"), [run[name][-1] for name in ("x", "v2", "c")], rtol=1e-6)
    assert instance.doStep(0.35, 0.05)[:3] == (True, False, False)


def test_wrong_calls_are_errors(opened: Any) -> None:
    instance = started(opened(True), u=1.0)
    with pytest.raises(Exception, match=r"(?i)error|status 3"):
        instance.write("x", 2.0)  # the start is over
    with pytest.raises(Exception, match=r"(?i)error|status 3"):
        instance.doStep(currentCommunicationPoint=1.0, communicationStepSize=0.1)  # it is at 0


def test_violated_assertion_is_logged(fmu: Path) -> None:
    messages: list[str] = []

    def log(*arguments: Any) -> None:
        messages.append(str(arguments[-1]))

    with pytest.raises(Exception):  # noqa: B017
        fmpy.simulate_fmu(
            str(fmu), fmi_type="CoSimulation", stop_time=2.0, start_values={"u": 9.0, "k": 30.0}, logger=log
        )
    assert any("v2 is <too> large" in text and "plant.mo" in text for text in messages)


def test_cuts_are_terminals(fmu: Path) -> None:
    with zipfile.ZipFile(fmu) as archive:
        names = archive.namelist()
        if "2" in fmu.name:
            assert not any(name.startswith("terminals") for name in names)
            return
        root = ElementTree.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
    terminal = root.find("Terminals/Terminal")
    assert terminal is not None and terminal.get("terminalKind") == "Pin"
    members = [(m.get("memberName"), m.get("variableKind")) for m in terminal]
    assert members == [("v", "signal"), ("j", "inflow")]


def test_library_loads_without_packages(fmu: Path, tmp_path: Path) -> None:
    fmpy.extract(fmu, tmp_path)
    (library,) = (tmp_path / "binaries").rglob("Plant.*")
    version = "fmi2GetVersion" if "2" in fmu.name else "fmi3GetVersion"
    code = f"import ctypes; f = ctypes.CDLL({str(library)!r}).{version}; f.restype = ctypes.c_char_p; print(f())"
    done = subprocess.run([sys.executable, "-S", "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ("b'2.0'" if "2" in fmu.name else "b'3.0'")


def test_sources_have_no_warnings(fmu: Path, tmp_path: Path) -> None:
    fmpy.extract(fmu, tmp_path)
    main = "fmi2.c" if "2" in fmu.name else "fmi3.c"
    command = [str(COMPILER), "-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", main]
    subprocess.run(command, cwd=tmp_path / "sources", check=True)


def test_same_model_has_the_same_description(model: cutset.Model, fmu: Path, tmp_path: Path) -> None:
    version = 2 if "2" in fmu.name else 3
    again = model.export_fmu(tmp_path / "again.fmu", version, platforms=[], stop=2.0)
    with zipfile.ZipFile(fmu) as one, zipfile.ZipFile(again) as other:
        assert one.read("modelDescription.xml") == other.read("modelDescription.xml")


def test_unknown_platform_and_wrong_settings(model: cutset.Model, tmp_path: Path) -> None:
    for code, settings in (
        ("E657", {"platforms": ["x86_64-beos"]}),
        ("E605", {"version": 1}),
        ("E605", {"stop": float("inf")}),
        ("E602", {"changeable": ["nothing"]}),
    ):
        with pytest.raises(RunError) as raised:
            model.export_fmu(tmp_path / "no.fmu", **settings)  # type: ignore[arg-type]
        assert raised.value.code == code
    assert not list(tmp_path.iterdir())
