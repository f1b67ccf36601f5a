"""The functions that generated code may call: C and Python do the same."""

from __future__ import annotations

import ctypes
import math
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cutset.runtime
from cutset.runtime import scripted
from cutset.runtime.interface import ModelInfo
from cutset.runtime.toolchain import find_compiler, shared_library

HEADER = Path(cutset.runtime.__file__).parent / "c" / "cutset_support.h"
ONE = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt", "fabs")
ONE += ("floor", "ceil", "sign")
TWO = ("atan2", "fmod", "pow", "min", "max")
OWN = ("sign", "min", "max")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    names = {name: f"cutset_{name}" if name in OWN else name for name in ONE + TWO}
    text = '#include "cutset_support.h"\n'
    text += "".join(f"double t_{name}(double a) {{ return {names[name]}(a); }}\n" for name in ONE)
    text += "".join(f"double t_{name}(double a, double b) {{ return {names[name]}(a, b); }}\n" for name in TWO)
    text += "void t_solve(int n, int l, int u, double *A, double *b) { cutset_solve(n, l, u, A, b); }\n"
    text += "void t_sincos(double x, double *sc) { cutset_sincos(x, sc, sc + 1); }\n"
    with shared_library({"model.c": text, "cutset_support.h": HEADER.read_text()}, compiler) as path:
        return ctypes.CDLL(str(path))


@pytest.fixture(scope="module")
def python() -> scripted.PythonModel:
    info = ModelInfo("", (), (), (), {}, (), {}, 0, 0, 0, 0, (), (), (), (), ())
    return scripted.load(info, "")


def in_c(library: ctypes.CDLL, name: str, *arguments: float) -> float:
    function = library[f"t_{name}"]
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * len(arguments)
    return function(*arguments)


@pytest.mark.parametrize("name", ONE + TWO)
def test_functions_agree(library, python, name):
    generator = random.Random(name)
    for _ in range(50):
        arguments = [generator.uniform(0.05, 0.95) for _ in range(1 if name in ONE else 2)]
        # The C library is the same below both, so not one bit differs.
        assert python.plain[name](*arguments) == in_c(library, name, *arguments)
        assert python.quiet[name](*arguments) == pytest.approx(in_c(library, name, *arguments), rel=1e-15)
        assert isinstance(python.plain[name](*arguments), float)


@pytest.mark.parametrize("name, arguments", [
    ("log", (0.0,)), ("log", (-1.0,)), ("sqrt", (-1.0,)), ("exp", (1000.0,)), ("pow", (-1.0, 0.5)),
    ("pow", (0.0, -1.0)), ("asin", (2.0,)),
    ("floor", (math.inf,)), ("fmod", (1.0, 0.0)), ("min", (math.nan, 1.0)), ("max", (1.0, math.nan)),
    ("sign", (-0.0,)), ("sign", (math.nan,)), ("sign", (-3.0,)),
])  # fmt: skip
def test_edges_agree(library, python, name, arguments):
    with np.errstate(all="ignore"):
        quiet = python.quiet[name](*arguments)
    assert quiet == pytest.approx(in_c(library, name, *arguments), nan_ok=True)
    assert isinstance(quiet, np.float64)  # a plain float would raise where it is divided by


def test_sincos(library):
    pair = (ctypes.c_double * 2)()
    library.t_sincos.argtypes = [ctypes.c_double, ctypes.c_void_p]
    library.t_sincos(0.7, pair)
    assert list(pair) == [math.sin(0.7), math.cos(0.7)]


def c_solve(library: ctypes.CDLL) -> Callable[[int, int, int, list[float], list[float]], None]:
    def solve(n: int, lower: int, upper: int, A: list[float], b: list[float]) -> None:
        matrix, right = (ctypes.c_double * len(A))(*A), (ctypes.c_double * n)(*b)
        library.t_solve(n, lower, upper, matrix, right)
        b[:] = list(right)

    return solve


def stored(A: np.ndarray, lower: int, upper: int) -> list[float]:
    """The matrix as `cutset_solve` takes it."""
    n, width = len(A), 2 * lower + upper + 1
    if width >= n:
        return A.ravel().tolist()
    band = np.zeros((n, width))
    for i in range(n):
        for k in range(max(0, i - lower), min(n, i + upper + 1)):
            band[i, k - i + lower] = A[i, k]
    return band.ravel().tolist()


@pytest.mark.parametrize(("n", "lower", "upper"), [(1, 0, 0), (2, 1, 1), (3, 2, 2), (7, 6, 6), (20, 19, 19), (9, 1, 1), (20, 2, 5), (6, 0, 3)])
def test_solve(library, n, lower, upper):
    generator = np.random.default_rng(n)
    for _ in range(10):
        A, b = generator.normal(size=(n, n)), generator.normal(size=n)
        A = np.triu(np.tril(A, upper), -lower)
        A[0, 0] = 0.0 if lower else A[0, 0]  # so that a pivot must be looked for
        solutions = []
        for solve in (c_solve(library), scripted.solve):
            z = b.tolist()
            solve(n, lower, upper, stored(A, lower, upper), z)
            solutions.append(z)
        assert solutions[0] == solutions[1]
        assert np.allclose(A @ solutions[0], b, atol=1e-9)


@pytest.mark.parametrize("matrix", [[0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 2.0, 4.0], [math.nan, 1.0, 1.0, 1.0]])
def test_singular_matrix_leaves_nan(library, matrix):
    for solve in (c_solve(library), scripted.solve):
        b = [1.0, 2.0]
        solve(2, 1, 1, list(matrix), b)
        assert all(math.isnan(value) for value in b)
