"""Functions in C beside the model: compiled in, checked, part of exported programs; files elsewhere are refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from built_programs import COMPILER, built

import cutset
from cutset import RunError
from cutset.compiler.diagnostics import ModelError

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs gcc or clang")

CODE = """
#include "parts/half.h"
#include <math.h>
static double square(double x) { return x*x; }
double drag(double v, double rho) { return v > 5.0 ? NAN : HALF*0.3*rho*square(v); }
void turned(const double *x, double phi, double *y)
{
    y[0] = cos(phi)*x[0] - sin(phi)*x[1];
    y[1] = sin(phi)*x[0] + cos(phi)*x[1];
}
"""
MODEL = """
external function drag(v, rho) result F (derivative=slope) "c:aero.c"
external function turned(x(2), phi) result y(2) "c:aero.c"

function slope(v, rho, dv, drho) result dF
  dF := 0.3*rho*v*dv
end

function own(v, rho) result F
  F := 0.15*rho*v^2
end

model Falling
  parameter rho = 1.2
  local v (start=0), z(2), a
  der(v) = 9.81 - drag(v, rho)
  z = turned([v, 0], 2)
  a = der(drag(v, 1.2))
end

model Own
  parameter rho = 1.2
  local v (start=0), z(2), a
  der(v) = 9.81 - own(v, rho)
  z = [cos(2)*v, sin(2)*v]
  a = der(own(v, 1.2))
end
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "half.h").write_text("#define HALF 0.5\n")
    (tmp_path / "aero.c").write_text(CODE)
    (tmp_path / "falling.mo").write_text(MODEL)
    return tmp_path / "falling.mo"


def test_a_model_with_c_functions_equals_one_in_the_language(path: Path) -> None:
    model, own = cutset.load(path, "Falling", allow_external=True), cutset.load(path, "Own")
    for target in ("c", "python"):
        run, wanted = model.simulate(0.5, target=target), own.simulate(0.5, target=target)
        for name in ("v", "z(1)", "z(2)", "a"):
            assert run[name][-1] == pytest.approx(wanted[name][-1], rel=1e-9)
    (path.parent / "parts" / "half.h").write_text("#define HALF 0.0\n")
    assert cutset.load(path, "Falling", allow_external=True).simulate(0.5)["v"][-1] == pytest.approx(4.905)


def test_a_function_without_a_value_is_named(path: Path) -> None:
    for target in ("c", "python"):
        run = cutset.load(path, "Falling", allow_external=True).run(cutset.Experiment(stop=2.0), target)
        assert run.failure is not None and run["v"][-1] == pytest.approx(5.0, abs=1e-3)
        error = run.failure.error()
        assert error.code == "E623" and "'drag' (c:aero.c) has no value, at time 0.6" in error.message
        assert any(note.startswith("v = 5.0") for note in error.notes)


def test_an_exported_program_contains_the_functions(path: Path) -> None:
    model = cutset.load(path, "Falling", allow_external=True)
    folder = path.parent / "program"
    model.export_c(folder)
    printed = subprocess.run([built(folder), "0.5", "0.5", "0.01"], check=True, capture_output=True, text=True).stdout
    names, *rows = [line.split(",") for line in printed.splitlines()]
    run = model.simulate(0.5, method="rk4", points=51)
    assert float(rows[-1][names.index('"v"')]) == pytest.approx(run["v"][-1], rel=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (
            "double drag(double v, double rho) {",
            "int drag(double v) { double rho = 1.2;",
            "double drag(double, double)",
        ),
        ("double drag(", "double drog(", "there is no function 'drag' in aero.c"),
        ("static double square", "static bouble square", "bouble"),
    ],
)
def test_wrong_functions_are_refused(path: Path, old: str, new: str, what: str) -> None:
    (path.parent / "aero.c").write_text(CODE.replace(old, new))
    for target in ("c", "python"):
        with pytest.raises(RunError) as caught:
            cutset.load(path, "Falling", allow_external=True).simulate(0.1, target=target)
        assert caught.value.code == "E659" and what in str(caught.value)


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("c:../aero.c", "E286"),
        ("c:/etc/aero.c", "E286"),
        ("c:aero.h", "E286"),
        ("c:nowhere.c", "E201"),
        ("c:outside.c", "E203"),
        ("c:parts/../aero.c", "E286"),
    ],
)
def test_files_elsewhere_are_refused(path: Path, tmp_path: Path, target: str, code: str) -> None:
    other = tmp_path.with_name(f"{tmp_path.name}_other.c")
    other.write_text(CODE)
    (path.parent / "outside.c").symlink_to(other)
    path.write_text(MODEL.replace("c:aero.c", target))
    with pytest.raises(ModelError) as caught:
        cutset.load(path, "Falling", allow_external=True)
    assert {d.code for d in caught.value.diagnostics} == {code}


def test_c_code_runs_only_if_it_is_allowed(path: Path) -> None:
    with pytest.raises(ModelError, match="E297"):
        cutset.load(path, "Falling")
