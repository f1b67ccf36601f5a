"""FMUs as components: parameters, inputs and outputs, saved states, and what happens if one is damaged or fails."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import cutset
from cutset import RunError
from cutset.compiler.diagnostics import ModelError

pytest.importorskip("fmpy")

from cutset.compiler.instantiate.names.fmu_variables import ports_of, read_fmu
from cutset.contract.metadata import External
from cutset.runtime.fmu.components import FmuComponent
from cutset.runtime.fmu.coupling import Coupling
from fmus.tiny import COMPILER, description, make_fmu

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")

MODEL = """
model M
  submodel (fmu "tiny.fmu") c(k=2, step=0.1, separate={separate}, time_limit=2)
  parameter T (unit="s") = 2, one (unit="V") = 1
  local x (start=0, unit="V"), y (unit="V")
  c.u = if time < 0.35 then one else one + x
  y = c.y
  T*der(x) = c.y - x
end

model Known "the same in the language"
  local x (start=0), y (start=0), u, held (start=0)
  u = if time < 0.35 then 1 else 1 + x
  when sample(0, 0.1) then
    new(y) = y + 0.1*2*held
    new(held) = u
  endwhen
  2*der(x) = y - x
end

model Two
  submodel (fmu "tiny.fmu") a(k=1, twice=true, step=0.05, separate=false), b(step=0.1, separate=false)
  parameter one (unit="V") = 1
  a.u = one
  b.u = a.y
end
"""


def model(folder: Path, separate: bool = False, name: str = "M") -> cutset.Model:
    (folder / "model.mo").write_text(MODEL.format(separate=str(separate).lower()))
    return cutset.load(folder / "model.mo", name, allow_external=True)


@pytest.fixture(scope="module", params=[2, 3])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp(f"fmi{request.param}")
    make_fmu(made / "tiny.fmu", request.param)
    return made


def test_a_run_equals_the_model_in_the_language(folder: Path) -> None:
    known = model(folder, name="Known").simulate(1.05)
    for separate in (False, True):
        run = model(folder, separate).simulate(1.05)
        for name in ("x", "y"):
            assert run[name][-1] == pytest.approx(known[name][-1], rel=1e-9)
    python = model(folder).simulate(1.05, target="python")
    assert python["x"][-1] == pytest.approx(known["x"][-1], rel=1e-7)


def test_a_limit_of_time_below_zero_is_told(folder: Path) -> None:
    with pytest.raises(RunError, match=r"E605.*'c\.time_limit' cannot be -1"):
        model(folder).simulate(0.1, parameters={"c.time_limit": -1})


def test_parameters_inputs_and_two_instances(folder: Path) -> None:
    run = model(folder, name="Two").simulate(1.0)
    assert run["a.y"][-1] == pytest.approx(2.0)
    # b gets what a has at 0, 0.1, ..., 0.9: 0.1*2*(0 + 0.1 + ... + 0.9)
    assert run["b.y"][-1] == pytest.approx(0.9)
    again = model(folder, name="Two").simulate(1.0, parameters={"a.k": 3.0})
    assert again["a.y"][-1] == pytest.approx(6.0)


def test_units_and_descriptions_are_those_of_the_fmu(folder: Path) -> None:
    loaded = model(folder)
    assert loaded.description.units["c.u"] == "V" and loaded.description.units["c.k"] == "1/s"
    (folder / "wrong.mo").write_text('model M\n  submodel (fmu "tiny.fmu") c\n  local i (unit="A")\n  c.u = i\nend\n')
    with pytest.raises(ModelError, match="E24"):
        cutset.load(folder / "wrong.mo", allow_external=True)


def test_saved_states_and_continued_runs(folder: Path) -> None:
    loaded = model(folder)
    wanted = loaded.simulate(1.0)["x"][-1]
    sim = loaded.simulator()
    sim.step(0.47)
    saved = sim.state()
    sim.step(0.53)
    first = sim["x"]
    assert first == pytest.approx(wanted, rel=1e-6)
    sim.restore(saved)
    sim.step(0.53)
    assert sim["x"] == first
    run = loaded.simulate(0.47)
    assert [run.resume(1.0)["x"][-1] for _ in range(2)] == pytest.approx([wanted] * 2, rel=1e-6)


def test_states_before_the_first_call_and_after_it(folder: Path) -> None:
    names = ("k",), ("u",), ("y",), (), ()
    fmu = FmuComponent(External("fmu", "fmu:tiny.fmu", (), (), (), str(folder / "tiny.fmu"), names=names), Coupling())

    def stepped(time: float, u: float) -> float:
        """y after the step to this time, and after the round in which the input of the next one is taken."""
        y, _, number, _ = fmu([time, 0.1, 60.0, 0.0, 0.0, 0.0, 2.0, u])
        assert fmu([time, 0.1, 60.0, 0.0, 0.0, number, 2.0, u]) == [y, 0.0, 0.0, 0.0]
        return y

    before = fmu.__getstate__()
    assert [stepped(0.0, 1.0), stepped(0.1, 2.0)] == pytest.approx([0.0, 0.2])
    after = fmu.__getstate__()
    for _ in range(2):
        assert stepped(0.2, 3.0) == pytest.approx(0.6)
        fmu.__setstate__(after)
    fmu.__setstate__(before)
    assert [stepped(0.0, 1.0), stepped(0.1, 1.0)] == pytest.approx([0.0, 0.2])
    fmu.close()


def test_code_runs_only_if_it_is_allowed(folder: Path) -> None:
    model(folder)
    with pytest.raises(ModelError, match=r"would run the code in tiny.fmu"):
        cutset.load(folder / "model.mo", "M")


# --- FMUs that fail ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mishap", "version", "code", "what"),
    [
        ("fails", 2, "E662", "the FMU tiny.fmu failed: doStep failed: the valve is stuck, at time 0.4"),
        ("fails", 3, "E662", "the FMU tiny.fmu failed: doStep failed: the valve is stuck, at time 0.4"),
        ("crashes", 3, "E662", "the FMU tiny.fmu failed: its process ended with SIGABRT in doStep, at time 0.4"),
        ("hangs", 2, "E663", "the FMU tiny.fmu gave no answer within 2 s, in doStep, at time 0.4"),
    ],
)
def test_a_failing_fmu_is_named_and_the_run_keeps_its_rows(
    tmp_path: Path, mishap: str, version: int, code: str, what: str
) -> None:
    make_fmu(tmp_path / "tiny.fmu", version, mishap)
    run = model(tmp_path, separate=mishap != "fails").run(cutset.Experiment(stop=1.0))
    assert run.failure is not None and run.time[-1] == pytest.approx(0.4)
    error = run.failure.error()
    assert error.code == code and error.message.startswith(what)
    assert any(note.startswith("its input u = ") for note in error.notes)


def test_a_message_belongs_to_the_fmu_that_is_called(tmp_path: Path) -> None:
    """FMPy has one logger for all FMUs of version 2, and used that of the one that was opened last, or was freed."""
    make_fmu(tmp_path / "tiny.fmu", 2, "fails")
    make_fmu(tmp_path / "other.fmu", 2)
    both = "".join(
        f'  submodel (fmu "{file}.fmu") {name}(step=0.1, separate=false)\n'
        for file, name in (("tiny", "a"), ("other", "b"))
    )
    text = f'model M\n{both}  parameter one (unit="V") = 1\n  a.u = one\n  b.u = one\nend\n'
    (tmp_path / "two.mo").write_text(text)
    run = cutset.load(tmp_path / "two.mo", allow_external=True).run(cutset.Experiment(stop=1.0))
    assert run.failure is not None and "doStep failed: the valve is stuck" in run.failure.error().message


@pytest.mark.parametrize("version", [2, 3])
def test_an_fmu_that_ends_its_run_ends_the_run(tmp_path: Path, version: int) -> None:
    make_fmu(tmp_path / "tiny.fmu", version, "ends")
    run = model(tmp_path).simulate(1.0)
    assert run.time[-1] == pytest.approx(0.4) and "the FMU tiny.fmu ends the run" in str(run.ending)


def test_an_fmu_that_crashes_at_its_end_is_noted(tmp_path: Path) -> None:
    make_fmu(tmp_path / "tiny.fmu", 2, "dies")
    run = model(tmp_path, separate=True).simulate(1.0)
    assert "the FMU tiny.fmu failed after the run: its process ended with SIGABRT in terminate" in run.notes


@pytest.mark.parametrize("version", [2, 3])
def test_a_step_that_is_discarded_is_made_of_shorter_ones(tmp_path: Path, version: int) -> None:
    make_fmu(tmp_path / "tiny.fmu", version, "discards")
    run, known = model(tmp_path).simulate(1.05), model(tmp_path, name="Known").simulate(1.05)
    assert run["x"][-1] == pytest.approx(known["x"][-1], rel=1e-9)


def _zip(path: Path, files: dict[str, str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def refused(folder: Path) -> str:
    """The code with which the model is not translated, or its run does not start."""
    try:
        loaded = model(folder)
    except ModelError as error:
        return error.diagnostics[0].code
    with pytest.raises(RunError) as caught:
        loaded.simulate(0.1)
    return caught.value.code


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    whole, xml = tmp_path / "tiny.fmu", "modelDescription.xml"
    _zip(whole, {xml: description(2), "binaries/linux64/tiny.so": "x" * 5000})
    data = whole.read_bytes()
    for cut in (0, 10, len(data) // 2, len(data) - 1):
        whole.write_bytes(data[:cut])
        assert refused(tmp_path) == "E137"
    for text in ("", "<a", description(2).replace("ModelVariables", "Other"), description(2)[:400]):
        _zip(whole, {xml: text})
        assert refused(tmp_path) == "E137"
    _zip(whole, {"other.xml": description(2)})
    assert refused(tmp_path) == "E137"


@pytest.mark.parametrize(
    "name", ["../evil.txt", "/tmp/evil.txt", "resources/../../evil.txt", "C:\\evil.txt", "..\\evil"]
)
def test_archives_that_write_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    _zip(tmp_path / "tiny.fmu", {"modelDescription.xml": description(2), name: "x"})
    assert refused(tmp_path) == "E138"


def test_descriptions_cannot_read_files(tmp_path: Path) -> None:
    entity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>'
    text = description(2).replace("<fmiModelDescription", f"{entity}<fmiModelDescription")
    _zip(tmp_path / "tiny.fmu", {"modelDescription.xml": text})
    assert refused(tmp_path) == "E138"


def test_other_interfaces_versions_and_machines(tmp_path: Path) -> None:
    path, xml = tmp_path / "tiny.fmu", "modelDescription.xml"
    _zip(path, {xml: description(3, "ScheduledExecution")})
    assert refused(tmp_path) == "E139"
    _zip(path, {xml: description(2)})
    assert refused(tmp_path) == "E660"
    _zip(path, {xml: description(2), "binaries/amiga/tiny.library": "x"})
    assert refused(tmp_path) == "E661"


def test_files_elsewhere_are_refused(tmp_path: Path) -> None:
    for name, code in (("../tiny.fmu", "E203"), ("/tmp/tiny.fmu", "E203"), ("nowhere.fmu", "E201")):
        (tmp_path / "model.mo").write_text(f'model M\n  submodel (fmu "{name}") c\nend\n')
        with pytest.raises(ModelError) as caught:
            cutset.load(tmp_path / "model.mo", allow_external=True)
        assert [d.code for d in caught.value.diagnostics] == [code]


def test_made_up_names_give_way_to_those_of_the_fmu(tmp_path: Path) -> None:
    text = description(2).replace('name="k"', 'name="a.b"').replace('name="twice"', 'name="a_b"')
    _zip(tmp_path / "tiny.fmu", {"modelDescription.xml": text})
    ports = ports_of(read_fmu(tmp_path / "tiny.fmu"), (), ("u",))
    assert [(v.name, v.own) for v in ports.parameters] == [("a.b", "a_b_"), ("a_b", "a_b")]
    assert [(v.name, v.own) for v in ports.inputs] == [("u", "u_")]
