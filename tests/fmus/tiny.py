"""Makes tiny FMUs for co-simulation from C, of FMI 2 and 3: an integrator with gain, which may fail, crash or hang.

y is the integral of k*u, with the input held during each step; `twice` doubles it. All functions that FMPy loads exist.
"""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

COMPILER = shutil.which("gcc") or shutil.which("clang")

_CORE = r"""
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct model { double k, u, y; int twice; LOGGER };
static int advance(struct model *m, double t, double h)
{
    if (t > 0.25) { MISHAP }
    m->y += h * m->k * m->u * (m->twice ? 2.0 : 1.0);
    return 0;
}
static double *real(struct model *m, unsigned r) { return r == 1 ? &m->k : r == 2 ? &m->u : &m->y; }
static int get_real(struct model *m, const unsigned *r, size_t n, double *v)
{ size_t i; for (i = 0; i < n; i++) v[i] = *real(m, r[i]); return 0; }
static int set_real(struct model *m, const unsigned *r, size_t n, const double *v)
{ size_t i; for (i = 0; i < n; i++) *real(m, r[i]) = v[i]; return 0; }
static int save(struct model *m, void **s)
{ if (!*s) *s = malloc(sizeof *m); memcpy(*s, m, sizeof *m); return 0; }
static int load(struct model *m, void *s)
{ struct model *o = s; m->k = o->k; m->u = o->u; m->y = o->y; m->twice = o->twice; return 0; }
static int release(void **s) { free(*s); *s = NULL; return 0; }
static struct model *make(void) { struct model *m = calloc(1, sizeof *m); m->k = 1.0; return m; }
"""
_FMI2 = r"""
struct callbacks { void (*log)(void *, const char *, int, const char *, const char *, ...);
    void *a, *b, *c, *environment; };
void *fmi2Instantiate(const char *name, int type, const char *guid, const char *place, const struct callbacks
    *c, int v, int l)
{ struct model *m = make(); (void)name; (void)type; (void)guid; (void)place; (void)v; (void)l; m->log = c->log;
  m->environment = c->environment; return m; }
void fmi2FreeInstance(void *m) { free(m); }
const char *fmi2GetVersion(void) { return "2.0"; }
const char *fmi2GetTypesPlatform(void) { return "default"; }
int fmi2GetReal(void *m, const unsigned *r, size_t n, double *v) { return get_real(m, r, n, v); }
int fmi2SetReal(void *m, const unsigned *r, size_t n, const double *v) { return set_real(m, r, n, v); }
int fmi2SetBoolean(struct model *m, const unsigned *r, size_t n, const int *v) { (void)r; (void)n; m->twice =
    v[0]; return 0; }
int fmi2GetBooleanStatus(void *m, int kind, int *v) { (void)m; (void)kind; *v = ENDS; return 0; }
int fmi2Terminate(void *m) { (void)m; if (DIES) abort(); return 0; }
int fmi2DoStep(void *m, double t, double h, int none) { (void)none; return advance(m, t, h); }
int fmi2GetFMUstate(void *m, void **s) { return save(m, s); }
int fmi2SetFMUstate(void *m, void *s) { return load(m, s); }
int fmi2FreeFMUstate(void *m, void **s) { (void)m; return release(s); }
int fmi2SerializedFMUstateSize(void *m, void *s, size_t *n) { (void)m; (void)s; *n = sizeof(struct model); return 0; }
int fmi2SerializeFMUstate(void *m, void *s, char *d, size_t n) { (void)m; memcpy(d, s, n); return 0; }
int fmi2DeSerializeFMUstate(void *m, const char *d, size_t n, void **s) { (void)n; save(m, s); memcpy(*s, d,
    n); return 0; }
"""
_FMI3 = r"""
#include <stdbool.h>
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *place, bool v, bool l, bool
    e, bool r,
    const unsigned *needed, size_t n, void *environment,
    void (*log)(void *, int, const char *, const char *), void *update)
{ struct model *m = make(); (void)name; (void)token; (void)place; (void)v; (void)l; (void)e; (void)r;
    (void)needed; (void)n;
  (void)update; m->log = log; m->environment = environment; return m; }
void fmi3FreeInstance(void *m) { free(m); }
const char *fmi3GetVersion(void) { return "3.0"; }
int fmi3GetFloat64(void *m, const unsigned *r, size_t n, double *v, size_t nv) { (void)nv; return get_real(m,
    r, n, v); }
int fmi3SetFloat64(void *m, const unsigned *r, size_t n, const double *v, size_t nv) { (void)nv; return
    set_real(m, r, n, v); }
int fmi3SetBoolean(struct model *m, const unsigned *r, size_t n, const bool *v, size_t nv)
{ (void)r; (void)n; (void)nv; m->twice = v[0]; return 0; }
int fmi3DoStep(void *m, double t, double h, bool none, bool *event, bool *end, bool *early, double *last)
{ (void)none; *event = *end = *early = false; *last = t + h;
    if (ENDS && t > 0.25) { *end = true; *last = t; return 0; }
    return advance(m, t, h); }
int fmi3GetFMUState(void *m, void **s) { return save(m, s); }
int fmi3SetFMUState(void *m, void *s) { return load(m, s); }
int fmi3FreeFMUState(void *m, void **s) { (void)m; return release(s); }
int fmi3SerializedFMUStateSize(void *m, void *s, size_t *n) { (void)m; (void)s; *n = sizeof(struct model); return 0; }
int fmi3SerializeFMUState(void *m, void *s, char *d, size_t n) { (void)m; memcpy(d, s, n); return 0; }
int fmi3DeserializeFMUState(void *m, const char *d, size_t n, void **s) { (void)n; save(m, s); memcpy(*s, d,
    n); return 0; }
"""
_LOGGERS = {
    2: "void (*log)(void *, const char *, int, const char *, const char *, ...); void *environment;",
    3: "void (*log)(void *, int, const char *, const char *); void *environment;",
}
MISHAPS = {
    "none": {2: "(void)m;", 3: "(void)m;"},
    "dies": {2: "(void)m;", 3: "(void)m;"},  # at the end
    "fails": {
        2: 'm->log(m->environment, "tiny", 3, "logStatusError", "the valve is stuck"); return 3;',
        3: 'm->log(m->environment, 3, "logStatusError", "the valve is stuck"); return 3;',
    },
    "discards": dict.fromkeys((2, 3), "if (h > 0.03) return 2;"),
    "ends": dict.fromkeys((2, 3), "return 2;"),
    "crashes": dict.fromkeys((2, 3), "abort();"),
    "hangs": dict.fromkeys((2, 3), "for (;;) sleep(1);"),
}
_VARIABLES = (
    ("k", 1, "parameter", "tunable", 'unit="1/s"', "1", "the gain"),
    ("u", 2, "input", "continuous", 'unit="V"', "0", ""),
    ("y", 3, "output", "continuous", 'unit="V"', "", 'the "integral"'),
)


def description(version: int, interface: str = "CoSimulation") -> str:
    """The text of modelDescription.xml."""
    flags = "canGetAndSetFMUstate", "canSerializeFMUstate"
    if version == 3:
        flags = "canGetAndSetFMUState", "canSerializeFMUState"
    told = " ".join(f'{flag}="true"' for flag in flags)
    own = f'<{interface} modelIdentifier="tiny" canHandleVariableCommunicationStepSize="true" {told}/>'
    rows = []
    for name, number, causality, variability, unit, start, about in _VARIABLES:
        common = f'name="{name}" valueReference="{number}" causality="{causality}" variability="{variability}"'
        common += f' description="{about}"'.replace('the "integral"', "the &quot;integral&quot;")
        begin = f' start="{start}"' if start else ""
        rows.append(
            f"<ScalarVariable {common}><Real {unit}{begin}/></ScalarVariable>"
            if version == 2
            else f"<Float64 {common} {unit}{begin}/>"
        )
    common = 'name="twice" valueReference="4" causality="parameter" variability="fixed"'
    rows.append(
        f'<ScalarVariable {common}><Boolean start="false"/></ScalarVariable>'
        if version == 2
        else f'<Boolean {common} start="false"/>'
    )
    token = "guid" if version == 2 else "instantiationToken"
    units = '<Unit name="V"/><Unit name="1/s"/>'
    structure = (
        '<Outputs><Unknown index="3" dependencies=""/></Outputs>'
        if version == 2
        else '<Output valueReference="3" dependencies=""/>'
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<fmiModelDescription fmiVersion="{version}.0" modelName="tiny" '
        f'{token}="1">{own}<UnitDefinitions>{units}</UnitDefinitions><ModelVariables>{"".join(rows)}'
        f"</ModelVariables><ModelStructure>{structure}</ModelStructure></fmiModelDescription>"
    )


def make_fmu(path: Path, version: int, mishap: str = "none", changes: Mapping[str, str] | None = None) -> Path:
    """Compile the FMU with what happens after 0.25 s, and write it, with changes in the text of its description."""
    core = _CORE.replace("LOGGER", _LOGGERS[version]).replace("MISHAP", MISHAPS[mishap][version])
    interface = (_FMI2 if version == 2 else _FMI3).replace("ENDS", str(int(mishap == "ends")))
    interface = interface.replace("DIES", str(int(mishap == "dies")))
    told = description(version)
    for old, new in (changes or {}).items():
        assert old in told
        told = told.replace(old, new)
    return compile_fmu(path, version, core + interface, told)


def compile_fmu(path: Path, version: int, text: str, told: str) -> Path:
    """Compile an FMU from its text in C and its description; functions that are missing do nothing."""
    from fmpy import platform, platform_tuple
    from fmpy.fmi2 import FMU2Slave
    from fmpy.fmi3 import FMU3Model, FMU3Slave

    written = set(re.findall(r"\b(fmi[23]\w+)\(", text))
    members = {
        n for kind in ((FMU2Slave,) if version == 2 else (FMU3Slave, FMU3Model)) for n, _ in inspect.getmembers(kind)
    }
    needed = sorted(n for n in members if n.startswith(f"fmi{version}"))
    text += "".join(f"int {name}(void) {{ return 0; }}\n" for name in needed if name not in written)
    folder = path.parent / f"{path.stem}_sources"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tiny.c").write_text(text)
    library = folder / "tiny.so"
    command = [str(COMPILER), "-O0", "-w", "-shared", "-fPIC", str(folder / "tiny.c"), "-o", str(library)]
    subprocess.run(command, check=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("modelDescription.xml", told)
        archive.write(library, f"binaries/{platform if version == 2 else platform_tuple}/tiny.so")
    return path
