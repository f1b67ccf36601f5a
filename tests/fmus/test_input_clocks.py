"""FMUs with input clocks: these tick at their instants, and where inputs become true."""

from __future__ import annotations

from pathlib import Path

import pytest

import cutset
from cutset.compiler.diagnostics import ModelError

pytest.importorskip("fmpy")

from fmus.tiny import COMPILER, compile_fmu

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")

# At each tick of `every` y grows by u, which is set then only; a tick of `reset` makes it zero; n counts updates.
CODE = r"""
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
struct model { double u, y, n; bool every, reset, at_event; };
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *place, bool v, bool l, bool events)
{ struct model *m = calloc(1, sizeof *m); m->at_event = events; return events ? m : 0; }
void fmi3FreeInstance(void *m) { free(m); }
const char *fmi3GetVersion(void) { return "3.0"; }
int fmi3EnterEventMode(struct model *m) { if (m->at_event) return 3; m->at_event = true; return 0; }
int fmi3EnterStepMode(struct model *m) { if (!m->at_event) return 3; m->at_event = false; return 0; }
int fmi3SetClock(struct model *m, const unsigned *r, size_t n, const bool *v)
{ size_t k; if (!m->at_event) return 3; for (k = 0; k < n; k++) *(r[k] == 10 ? &m->every : &m->reset) = v[k];
  return 0; }
int fmi3SetFloat64(struct model *m, const unsigned *r, size_t n, const double *v)
{ if (n && !m->every) return 3; if (n) m->u = *v; return 0; }
int fmi3GetFloat64(struct model *m, const unsigned *r, size_t n, double *v)
{ size_t k;
  for (k = 0; k < n; k++) { if (r[k] == 2 && !m->every && !m->reset) return 3;
    v[k] = r[k] == 3 ? m->n : m->reset ? 0.0 : m->y + m->u; }
  return 0; }
int fmi3UpdateDiscreteStates(struct model *m, bool *again, bool *ends, bool *nominals, bool *states, bool *next,
    double *t)
{ if (!m->at_event) return 3; if (m->every) m->y += m->u; if (m->reset) m->y = 0.0; m->n += m->every || m->reset;
  m->every = m->reset = false; *again = *ends = *nominals = *states = *next = false; return 0; }
int fmi3GetIntervalDecimal(struct model *m, const unsigned *r, size_t n, double *v, int *q)
{ v[0] = 0.25; q[0] = 2; return 0; }
int fmi3GetShiftDecimal(struct model *m, const unsigned *r, size_t n, double *v) { v[0] = 0.05; return 0; }
int fmi3DoStep(struct model *m, double t, double h, bool none, bool *event, bool *end, bool *early, double *last)
{ *event = *end = *early = false; *last = t + h; return m->at_event || !(h > 0.0) ? 3 : 0; }
int fmi3GetFMUState(void *m, void **s)
{ *s = malloc(sizeof(struct model)); memcpy(*s, m, sizeof(struct model)); return 0; }
int fmi3SetFMUState(void *m, void *s) { memcpy(m, s, sizeof(struct model)); return 0; }
int fmi3FreeFMUState(void *m, void **s) { free(*s); *s = 0; return 0; }
int fmi3SerializedFMUStateSize(void *m, void *s, size_t *n) { *n = sizeof(struct model); return 0; }
int fmi3SerializeFMUState(void *m, void *s, char *d, size_t n) { memcpy(d, s, n); return 0; }
int fmi3DeserializeFMUState(void *m, const char *d, size_t n, void **s)
{ *s = malloc(sizeof(struct model)); memcpy(*s, d, sizeof(struct model)); return 0; }
"""
TOLD = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="clocked" instantiationToken="1">
<CoSimulation modelIdentifier="tiny" hasEventMode="true" canHandleVariableCommunicationStepSize="true"
 canGetAndSetFMUState="true" canSerializeFMUState="true"/>
<ModelVariables>
<Float64 name="u" valueReference="1" causality="input" variability="discrete" start="0" clocks="10"/>
<Float64 name="y" valueReference="2" causality="output" variability="discrete" clocks="10 11"/>
<Float64 name="n" valueReference="3" causality="output" variability="discrete"/>
<Clock name="every" valueReference="10" causality="input" intervalVariability="tunable"/>
<Clock name="reset" valueReference="11" causality="input" intervalVariability="triggered"/>
</ModelVariables><ModelStructure><Output valueReference="2"/><Output valueReference="3"/></ModelStructure>
</fmiModelDescription>"""
MODEL = """
model M
  submodel (fmu "clocked.fmu") c(step=0.1, separate=false)
  parameter one (unit="s") = 1
  c.u*one = one + time
  c.reset = time > 0.62*one
end
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("clocks")
    compile_fmu(made / "clocked.fmu", 3, CODE, TOLD)
    (made / "model.mo").write_text(MODEL)
    return made


@pytest.mark.parametrize("target", ["c", "python"])
def test_clocks_tick(folder: Path, target: str) -> None:
    """At 0.05 and 0.55, within steps, with the inputs at their starts; at 0.3 and 0.8 with those of the instant."""
    run = cutset.load(folder / "model.mo", allow_external=True).simulate(0.95, target=target)

    def at(t: float) -> tuple[float, float]:
        row = run.time.searchsorted(t) - 1
        return run["c.y"][row], run["c.n"][row]

    assert at(0.05) == (0.0, 0.0)
    assert at(0.15) == (1.0, 1.0)
    assert at(0.35) == pytest.approx((1.0 + 1.3, 2.0))
    assert at(0.65) == pytest.approx((1.0 + 1.3 + 1.5, 3.0))
    assert at(0.75) == (0.0, 4.0)
    assert at(0.85) == pytest.approx((1.8, 5.0))


def test_a_clock_that_counts_down_after_each_event(folder: Path) -> None:
    """0.25 after the start, after itself at 0.25, and after the reset at 0.7, which puts off that of 0.75."""
    compile_fmu(folder / "counting.fmu", 3, CODE, TOLD.replace('"tunable"', '"countdown"'))
    (folder / "counting.mo").write_text(MODEL.replace("clocked.fmu", "counting.fmu"))
    run = cutset.load(folder / "counting.mo", allow_external=True).simulate(1.05)
    values = [run["c.y"][run.time.searchsorted(t) - 1] for t in (0.25, 0.35, 0.55, 0.75, 0.95, 1.05)]
    assert values == pytest.approx([0.0, 1.2, 1.2 + 1.5, 0.0, 0.0, 1.9])


def test_clocks_are_saved(folder: Path) -> None:
    sim = cutset.load(folder / "model.mo", allow_external=True).simulator()
    sim.step(0.45)
    saved = sim.state()
    other = cutset.load(folder / "model.mo", allow_external=True).simulator()
    other.restore(saved)
    for each in (sim, other):
        each.step(0.4)
        assert (each["c.y"], each["c.n"]) == pytest.approx((1.8, 5.0))


def test_clocks_that_cannot_tick(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "model.mo").write_text(MODEL)
    compile_fmu(tmp_path / "clocked.fmu", 3, "", TOLD.replace(' hasEventMode="true"', ""))
    with pytest.raises(ModelError, match="its input 'every' is a clock, but it has no event mode") as caught:
        cutset.load(tmp_path / "model.mo", allow_external=True)
    assert [d.code for d in caught.value.diagnostics] == ["E139"]


SAMPLED = """
model{kind} Sampled
  parameter T (unit="s") = 0.25, offset (unit="s") = 0.05
  input u
  output y (start=0), n (start=0)
  local x (start=0)
  T*der(x) = u - x
  when sample(offset, T) then
    new(y) = x + y
    new(n) = n + 1
  endwhen
end
"""
HOST = """
model Host
  submodel {of_class} c(T=0.2)
  parameter one (unit="s") = 1
  c.u = {u}
end
"""


@pytest.fixture(scope="module")
def sampled(folder: Path) -> Path:
    made = folder / "sampled.fmu"
    cutset.loads(SAMPLED.format(kind="")).export_fmu(made, version=3, input_clocks=True)
    return made


def test_exported_samples_are_ticked_by_the_importer(sampled: Path) -> None:
    """By our own, at the instants that the FMU tells: the same samples as those of the text."""
    import fmpy.validation

    assert not fmpy.validation.validate_fmu(str(sampled))
    folder, constant = sampled.parent, "1"
    together = SAMPLED.format(kind=" class") + HOST.format(of_class="(Sampled)", u=constant)
    wanted = cutset.loads(together, "Host").simulate(0.95)
    (folder / "host.mo").write_text(
        HOST.format(of_class='(fmu "cosimulation:sampled.fmu")', u=constant).replace(
            "T=0.2", "T=0.2, step=0.1, separate=false"
        )
    )
    run = cutset.load(folder / "host.mo", allow_external=True).simulate(0.95)
    assert run["c.n"][-1] == wanted["c.n"][-1] == 5
    assert run["c.y"][-1] == pytest.approx(wanted["c.y"][-1], rel=1e-5)


def test_exported_samples_wait_for_their_clock(sampled: Path) -> None:
    import fmpy

    told = fmpy.read_model_description(str(sampled))
    of = {v.name: v.valueReference for v in told.modelVariables}
    clock = next(v for v in told.modelVariables if v.type == "Clock")
    for kind in ("ModelExchange", "CoSimulation"):
        instance = fmpy.instantiate_fmu(fmpy.extract(str(sampled)), told, kind, event_mode_used=True)
        instance.enterInitializationMode(startTime=0.0)
        instance.exitInitializationMode()
        assert not instance.updateDiscreteStates()[4]  # no time event
        if kind == "ModelExchange":
            instance.enterContinuousTimeMode()
            instance.setTime(0.3)
        else:
            instance.enterStepMode()
            assert not instance.doStep(0.0, 0.3)[0]
        assert instance.getFloat64([of["n"]]) == [0.0]
        for count in (1.0, 2.0):
            instance.enterEventMode()
            instance.setClock([clock.valueReference], [True])
            instance.updateDiscreteStates()
            assert instance.getFloat64([of["n"]]) == [count]
            instance.enterContinuousTimeMode() if kind == "ModelExchange" else instance.enterStepMode()
        instance.terminate()
        instance.freeInstance()


def test_version_2_has_no_clocks(tmp_path: Path) -> None:
    with pytest.raises(cutset.RunError, match="FMI 2 has no clocks"):
        cutset.loads(SAMPLED.format(kind="")).export_fmu(tmp_path / "a.fmu", version=2, input_clocks=True)
