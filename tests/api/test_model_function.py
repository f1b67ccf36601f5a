"""Tests functions of models in numpy, CasADi and SymPy; those in JAX run in a process of their own."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_functions import (
    OUTPUTS,
    PARAMETERS,
    POINTS,
    check_file,
    check_parameters,
    check_residuals,
    check_values,
    function,
    has_slopes_of,
    is_noticed,
    machine,
)

import cutset
from cutset.api.command_line.command import main


@pytest.mark.parametrize("kind", ["numpy", "casadi"])
def test_a_function_is_the_model(kind: str) -> None:
    f = function(kind)
    check_values(f)
    assert f.names["x"] == ("phi", "w", "pos", "vel") and f.names["dx"][0] == "der(phi)"
    assert f.units["x"][2:] == ("m", "m/s") and f.units["dx"][2:] == ("m/s", "m/s/s") and f.units["u"] == ("", "N")
    assert f.shapes["x"] == (4,) and f.shapes["t"] == () and f.names["z"] == ("z",)


@pytest.mark.parametrize("kind", ["casadi", "sympy"])
def test_residuals(kind: str) -> None:
    check_residuals(function(kind, residual=True))


@pytest.mark.parametrize("kind", ["numpy", "casadi", "sympy"])
def test_folded_and_computed_parameters_are_arguments(kind: str) -> None:
    check_parameters(machine().function(kind, **PARAMETERS, residual=kind == "sympy"))


def test_patterns_leave_out_what_follows_from_others_and_what_is_structural() -> None:
    assert machine().function("numpy", parameters="*").names["p"][:4] == ("J", "d", "one", "xs(1)")
    assert machine().function("numpy", parameters=["scale", "*J"]).names["p"] == ("J", "scale")


def slopes(f: Any, given: Any) -> list[Any]:
    names = ["jac:dx:x", "jac:dx:u", "jac:y:x", "jac:y:u"]
    return [np.array(each) for each in f.factory("slopes", f.name_in(), names)(*given)]


def test_derivatives_are_those_of_linearize() -> None:
    assert has_slopes_of(machine(), function("casadi"), function("casadi").function, slopes)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("where = staticmethod(casadi.if_else)", "where = staticmethod(lambda c, a, b: casadi.if_else(c, b, a))"),
        ('"pow": lambda a, b: a**b', '"pow": lambda a, b: a ** (b + 1)'),
        ('"atan2",', '"atan2" if False else "hypot",'),
        ("casadi.solve(*map(casadi.SX, system))", "casadi.solve(*map(casadi.SX, system)) * 1.001"),
        ("return value + slope * (x - place)", "return value + 0 * slope * (x - place)"),
        ("where(either(b < a,", "where(either(b > a,"),
        ("beyond = x >= place", "beyond = x <= place"),
    ],
)
def test_a_planted_fault_is_noticed(right: str, wrong: str) -> None:
    assert is_noticed(right, wrong, machine(), function("casadi"), slopes, POINTS)


def test_larger_linear_systems() -> None:
    text = "model Four\n  parameter A(4,4) = [0, 2, 1, 0; 1, 0, 3, 0; 2, 1, 0, 1; 1, 1, 1, 5]\n  input b(4)\n"
    four = cutset.loads(f"{text}  local z(4), x(start=1)\n  (A + identity(4)*x)*z = b\n  der(x) = z(1)\nend")
    f, u = four.function("casadi", ["z"]), np.array([1.0, 2.0, 3.0, 4.0])
    A = np.array([four.parameters[f"A({i},{j})"] for i in range(1, 5) for j in range(1, 5)]).reshape(4, 4)
    np.testing.assert_allclose(f(0.0, [0.5], u)[1], np.linalg.solve(A + 0.5 * np.eye(4), u)[:, None], rtol=1e-13)
    assert "lapacklu" in str(next(iter(f.files.values())))


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_c_computes_the_same(tmp_path: Path) -> None:
    f = machine().function("c", [*OUTPUTS, "z"], ["J", "one"])
    paths = f.write(tmp_path)
    sources = [str(path) for path in paths if path.suffix == ".c" and path.name != "main.c"]
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, *sources, "-lm", "-o", str(tmp_path / "made.so")], check=True)
    subprocess.run(["cc", *flags[:5], *map(str, tmp_path.glob("*.c")), "-lm", "-o", str(tmp_path / "main")], check=True)
    compiled = ctypes.CDLL(str(tmp_path / "made.so")).Machine_function
    for t, x, u in POINTS:
        p = [3.0, 0.5]
        given = [np.array(each, dtype=float) for each in ([t], x, u, p, f.modes(t, x, u, p), f.defaults["z"])]
        results = [np.zeros(len(f.names[name])) for name in ("dx", "y")]
        places = [each.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for each in (*given, *results)]
        assert compiled(*places) == 1
        for own, exact in zip(results, f(t, x, u, p, given[4]), strict=True):
            np.testing.assert_allclose(own, exact, rtol=1e-14)


def test_functions_in_jax() -> None:
    tests = Path(__file__).parent.parent / "functions_in_jax.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr


def test_arrays_of_points_and_of_parameters() -> None:
    f = machine().function("numpy", parameters=["J"])
    x, J = np.random.default_rng(1).uniform(0.1, 0.4, (5, 4)), np.linspace(1.0, 2.0, 5)[:, None]
    m = f.modes(0.0, x[0], [0.0, 0.0])
    dx, y = f(0.0, x, [0.0, 0.0], J, m)
    assert dx.shape == (5, 4) and y.shape == (5, 1)
    for k in range(5):
        np.testing.assert_array_equal(dx[k], f(0.0, x[k], [0.0, 0.0], J[k], m)[0])


def test_sympy_solves_linear_systems_with_zeros_as_pivots() -> None:
    import sympy

    from cutset.export.symbolic.of_sympy import SympyPackage

    package, names = SympyPackage(), sympy.symbols("a:9 b:3", real=True)
    z = package.solve([list(names[k : k + 3]) for k in (0, 3, 6)], list(names[9:]))
    solve = sympy.lambdify(names, z, "numpy", cse=lambda expressions: (package.replacements, expressions))
    for A in ([[0, 1, 0], [0, 1, 1], [1, 0, 0]], [[0, 0, 2], [0, 3, 1], [4, 1, 1]]):
        found = solve(*(float(e) for row in A for e in row), 1.0, 2.0, 3.0)
        np.testing.assert_allclose(np.array(found, dtype=float), np.linalg.solve(A, [1.0, 2.0, 3.0]), rtol=1e-14)


def test_expressions_of_sympy_have_derivatives() -> None:
    import sympy

    f = function("sympy", residual=True)
    expressions = f.function
    (w,) = [s for s in expressions.arguments["x"] if s.name == "w"]
    v = expressions.results["y"][f.names["y"].index("v(1)")]
    assert sympy.diff(v.subs(reversed(expressions.replacements)), w) == 6.0


def test_an_exported_file_needs_no_cutset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check_file("casadi", lambda f: f, tmp_path, capsys, monkeypatch)
    model, file = tmp_path / "machine.mo", tmp_path / "residual.py"
    assert main(["export", str(model), "--casadi", str(file), "--residual"]) == 0
    assert "t, dx, x, z, u, p, m -> r, y" in file.read_text()


# --- messages -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code", "says", "hint"),
    [
        ({"kind": "matlab"}, "E605", "there is no kind 'matlab'", "c, numpy, casadi, jax, sympy"),
        ({"parameters": ["j"]}, "E602", "no parameter 'j'", "J"),
        ({"parameters": ["n"]}, "E604", "'n' decides on the equations", "cutset.load(path, parameters={'n': value})"),
        ({"parameters": ["J", "R", "r.R"]}, "E602", "no parameter 'R'", ""),
        ({"outputs": ["speeed"]}, "E607", "no variable 'speeed'", "speed"),
        ({"kind": "sympy"}, "E655", "the iteration of a nonlinear system", "residual=True"),
        ({"kind": "numpy", "residual": True}, "E605", "residual form", "casadi, jax or sympy"),
    ],
)
def test_bad_input_has_a_message(options: dict[str, Any], code: str, says: str, hint: str) -> None:
    with pytest.raises(cutset.RunError) as error:
        machine().function(**({"kind": "casadi"} | options))
    assert error.value.code == code and says in error.value.message and hint in error.value.hint


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cutset.runtime.optional_packages.find_spec", lambda name: None)
    with pytest.raises(cutset.RunError, match="casadi") as error:
        machine().function("casadi")
    assert error.value.hint == "install it: pip install casadi"


def test_a_model_without_states_needs_outputs() -> None:
    model = cutset.loads("model M\n  input u\n  local y\n  y = 2*u\nend\n")
    with pytest.raises(cutset.RunError, match="has no states"):
        model.function("casadi")
    assert float(model.function("casadi", outputs="y")(0.0, u=[3.0])[1]) == 6.0


def test_wrong_arguments_have_messages() -> None:
    f = function("numpy")
    with pytest.raises(TypeError, match=r"the argument m is missing: .*f\.modes"):
        f(*POINTS[0])
    with pytest.raises(TypeError, match="the arguments are t, x, u, p, m, z"):
        f(*POINTS[0], v=1)
    with pytest.raises(ValueError, match="x has 4 elements, not the shape"):
        f(0.0, [0.1], [0.0, 0.0], m=f.modes(*POINTS[0]))
    for x, u in (([0.1], [0.0, 0.0]), (POINTS[0][1], [0.0])):
        with pytest.raises(ValueError, match="x has 4 elements, and u has 2"):
            f.modes(0.0, x, u)


def test_what_symbols_lack_has_a_message() -> None:
    noisy = cutset.loads("model M\n  parameter p = 1\n  local x (start=0)\n  der(x) = random_uniform(p, 2, 3)\nend\n")
    assert float(noisy.function("casadi")(0.0, [0.0])[0]) == noisy.evaluate(0.0, [0.0])[0]
    with pytest.raises(cutset.RunError, match="random numbers, which casadi does not have"):
        noisy.function("casadi", parameters=["p"])
    loop = "function f(x) result y\n  y := x\n  while y > 1 do\n    y := y/2\n  endwhile\nend\n"
    looping = cutset.loads(loop + "model M\n  local x (start=3)\n  der(x) = -f(x)\nend\n")
    with pytest.raises(cutset.RunError, match="a loop whose number of iterations depends"):
        looping.function("casadi")
