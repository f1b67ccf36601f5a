"""Tests FMUs of FMI 3 whose parameters, inputs, outputs and states are arrays: a linear system in state space."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm

import cutset
from fmus.tiny import COMPILER, compile_fmu

pytest.importorskip("fmpy")

# dx = A*x + B*u, y = C*x + D*u with 2 states, 3 inputs, 2 outputs; references of variables are their places in `of`.
CODE = r"""
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct model { double none[1], A[4], B[6], C[4], D[6], x[2], u[3], y[2], dx[2]; };
static double *of(struct model *m, unsigned r, size_t *n)
{
    double *starts[] = {m->none, m->A, m->B, m->C, m->D, m->x, m->u, m->y, m->x, m->dx};
    static const size_t sizes[] = {1, 4, 6, 4, 6, 2, 3, 2, 2, 2};
    *n = sizes[r];
    return starts[r];
}
static void apply(const double *P, const double *Q, const double *x, const double *u, double *y)
{
    int i, k;
    for (i = 0; i < 2; i++) {
        y[i] = P[2 * i] * x[0] + P[2 * i + 1] * x[1];
        for (k = 0; k < 3; k++) y[i] += Q[3 * i + k] * u[k];
    }
}
static void update(struct model *m)
{ apply(m->A, m->B, m->x, m->u, m->dx); apply(m->C, m->D, m->x, m->u, m->y); }
void *fmi3InstantiateModelExchange(const char *a) { (void)a; return calloc(1, sizeof(struct model)); }
void *fmi3InstantiateCoSimulation(const char *a) { (void)a; return calloc(1, sizeof(struct model)); }
void fmi3FreeInstance(void *m) { free(m); }
int fmi3SetFloat64(struct model *m, const unsigned *r, size_t n, const double *v, size_t nv)
{
    size_t i, size;
    (void)nv;
    for (i = 0; i < n; i++, v += size) { double *to = of(m, r[i], &size); memcpy(to, v, size * sizeof *v); }
    update(m);
    return 0;
}
int fmi3GetFloat64(struct model *m, const unsigned *r, size_t n, double *v, size_t nv)
{
    size_t i, size;
    (void)nv;
    for (i = 0; i < n; i++, v += size) { double *from = of(m, r[i], &size); memcpy(v, from, size * sizeof *v); }
    return 0;
}
int fmi3DoStep(struct model *m, double t, double h, bool none, bool *event, bool *end, bool *early, double *last)
{
    int k;
    (void)none;
    for (k = 0; k < 1000; k++) { m->x[0] += 1e-3 * h * m->dx[0]; m->x[1] += 1e-3 * h * m->dx[1]; update(m); }
    *event = *end = *early = false;
    *last = t + h;
    return 0;
}
int fmi3GetContinuousStates(struct model *m, double *x, size_t n) { memcpy(x, m->x, n * sizeof *x); return 0; }
int fmi3SetContinuousStates(struct model *m, const double *x, size_t n)
{ memcpy(m->x, x, n * sizeof *x); update(m); return 0; }
int fmi3GetContinuousStateDerivatives(struct model *m, double *x, size_t n)
{ memcpy(x, m->dx, n * sizeof *x); return 0; }
int fmi3UpdateDiscreteStates(void *m, bool *a, bool *b, bool *c, bool *d, bool *e, double *t)
{ (void)m; (void)t; *a = *b = *c = *d = *e = false; return 0; }
int fmi3GetDirectionalDerivative(struct model *m, const unsigned *to, size_t n, const unsigned *from, size_t k,
                                 const double *seed, size_t ns, double *found, size_t nf)
{
    double x[2] = {0, 0}, u[3] = {0, 0, 0};
    size_t i, size;
    (void)ns; (void)nf;
    for (i = 0; i < k; i++, seed += size) {
        of(m, from[i], &size);
        memcpy(from[i] == 6 ? u : x, seed, size * sizeof *seed);
    }
    for (i = 0; i < n; i++, found += 2)
        if (to[i] == 7) apply(m->C, m->D, x, u, found);
        else apply(m->A, m->B, x, u, found);
    return 0;
}
"""
A, B = np.array([[0.0, 1.0], [-4.0, -0.5]]), np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
C, D = np.array([[1.0, 2.0], [0.0, -1.0]]), np.array([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0]])
X0, U = np.array([1.0, -0.5]), np.array([0.1, 0.2, 0.3])


def description() -> str:
    """The text of modelDescription.xml: dimension n is a structural parameter; a text and bytes are there, too."""

    def array(name: str, number: int, rest: str, rows: str, columns: int = 0, start: str = "") -> str:
        sizes = rows + (f'<Dimension start="{columns}"/>' if columns else "")
        given = f' start="{start}"' if start else ""
        return f'<Float64 name="{name}" valueReference="{number}" {rest}{given}>{sizes}</Float64>'

    n, tunable = '<Dimension valueReference="10"/>', 'causality="parameter" variability="tunable"'
    flat = {name: " ".join(map(str, value.ravel())) for name, value in (("A", A), ("B", B), ("C", C), ("D", D))}
    rows = [
        array("A", 1, tunable, n, 2, flat["A"]),
        array("B", 2, tunable, n, 3, flat["B"]),
        array("C", 3, tunable, n, 2, flat["C"]),
        array("D", 4, tunable, n, 3, flat["D"]),
        array("x0", 5, tunable, n, 0, "1 -0.5"),
        array("u", 6, 'causality="input"', '<Dimension start="3"/>', 0, "0 0 0"),
        array("y", 7, 'causality="output"', n),
        array("x", 8, 'causality="local"', n),
        array("der(x)", 9, 'causality="local" derivative="8"', n),
        '<UInt64 name="n" valueReference="10" causality="structuralParameter" variability="fixed" start="2"/>',
        '<String name="text" valueReference="11" causality="input"><Start value="a"/></String>',
        '<Binary name="bytes" valueReference="12" causality="output"/>',
    ]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<fmiModelDescription fmiVersion="3.0" modelName="space" '
        'instantiationToken="1"><ModelExchange modelIdentifier="tiny" providesDirectionalDerivatives="true"/>'
        f'<CoSimulation modelIdentifier="tiny" canHandleVariableCommunicationStepSize="true"/><ModelVariables>'
        f'{"".join(rows)}</ModelVariables><ModelStructure><Output valueReference="7"/>'
        '<ContinuousStateDerivative valueReference="9"/></ModelStructure></fmiModelDescription>'
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if COMPILER is None:
        pytest.skip("needs a C compiler")
    folder = tmp_path_factory.mktemp("space")
    compile_fmu(folder / "space.fmu", 3, CODE, description())
    return folder


def solution(a: np.ndarray, u: np.ndarray, t: float) -> np.ndarray:
    whole = expm(t * np.block([[a, (B @ u)[:, None]], [np.zeros((1, 3))]]))
    return whole[:2, :2] @ X0 + whole[:2, 2]


@pytest.mark.parametrize(("kind", "near"), [("exchange:", 1e-7), ("cosimulation:", 2e-3)])
def test_arrays_are_vectors_and_matrices(folder: Path, kind: str, near: float) -> None:
    text = f'model M\n  submodel (fmu "{kind}space.fmu") s(A=[0, 1; -2, -0.5])\n  s.u = [0.1, 0.2, 0.3]\nend\n'
    (folder / "m.mo").write_text(text)
    model = cutset.load(folder / "m.mo", allow_external=True)
    run = model.simulate(1.0, rtol=1e-9)
    expected = C @ solution(np.array([[0.0, 1.0], [-2.0, -0.5]]), U, 1.0) + D @ U
    assert [run["s.y(1)"][-1], run["s.y(2)"][-1]] == pytest.approx(expected, abs=near)
    if kind == "exchange:":
        found = model.linearize(0.0, X0.tolist(), outputs="s.y*")
        assert np.allclose(found.A, [[0.0, 1.0], [-2.0, -0.5]]) and np.allclose(found.C, C)


def test_texts_and_bytes_are_left_out(folder: Path) -> None:
    (folder / "m.mo").write_text('model M\n  submodel (fmu "space.fmu") s\n  s.u = [0, 0, 0]\n  s.text = 1\nend\n')
    with pytest.raises(cutset.ModelError, match="has no variable 'text'"):
        cutset.load(folder / "m.mo", allow_external=True)
