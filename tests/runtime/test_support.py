"""The functions that generated code may call: C and Python do the same."""

from __future__ import annotations

import ctypes
import math
import random
from collections.abc import Callable
from pathlib import Path

import mpmath
import numpy as np
import pytest

import cutset.runtime
from cutset.contract.functions import FUNCTIONS
from cutset.contract.metadata import ModelInfo
from cutset.contract.random_numbers import normal_quantile
from cutset.runtime.targets import python_model
from cutset.runtime.targets.open_systems import solve_open
from cutset.runtime.targets.toolchain import find_compiler, shared_library

HEADERS = [
    Path(cutset.runtime.__file__).parent / "c" / "model" / name
    for name in ("cutset_support.h", "newton.h", "sincos.h", "random.h", "open_systems.h", "exchange.h")
]
ONE = tuple(op for op, row in FUNCTIONS.items() if row.arity == 1)
TWO = tuple(op for op, row in FUNCTIONS.items() if row.arity == 2)
THREE = tuple(op for op, row in FUNCTIONS.items() if row.arity == 3)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    names = {op: row.c or op for op, row in FUNCTIONS.items()}
    text = (
        '#include "open_systems.h"\n#include "exchange.h"\n'
        "CUTSET_SHARED int cutset_fault;\nCUTSET_SHARED unsigned long cutset_open;\n"
        "CUTSET_SHARED void (*cutset_external)(int k, const double *a, double *r);\n"
    )
    text += "".join(f"double t_{name}(double a) {{ return {names[name]}(a); }}\n" for name in ONE)
    text += "".join(f"double t_{name}(double a, double b) {{ return {names[name]}(a, b); }}\n" for name in TWO)
    text += "".join(
        f"double t_{name}(double a, double b, double c) {{ return {names[name]}(a, b, c); }}\n" for name in THREE
    )
    text += "void t_solve(int n, int l, int u, double *A, double *b) { cutset_solve(n, l, u, A, b); }\n"
    text += (
        "void t_solve_open(int n, int l, int u, double *A, double *b, double *kept) { cutset_solve_open(n, l, u, A, b, "
        "kept, 3); }\n"
    )
    text += "void t_exchange(int k, int n, double *a, double *s, double *r) { cutset_exchange(k, n, a, s, r); }\n"
    text += "void t_quality(int k, int n, double *a, double *s, double *r) { cutset_quality(k, n, a, s, r); }\n"
    text += "double t_quantile(double p) { return cutset_normal_quantile(p); }\n"
    text += "void t_sincos(double x, double *sc) { cutset_sincos(x, sc, sc + 1); }\n"
    with shared_library({"model.c": text, **{header.name: header.read_text() for header in HEADERS}}, compiler) as path:
        library = ctypes.CDLL(str(path))
        library.t_quantile.restype, library.t_quantile.argtypes = ctypes.c_double, [ctypes.c_double]
        return library


@pytest.fixture(scope="module")
def python() -> python_model.PythonModel:
    info = ModelInfo(
        name="",
        states=(),
        inputs=(),
        parameters=(),
        names={},
        origins=(),
        folded={},
        constant_origins=(),
        parameter_origins=(),
        limits=(),
        n_constants=0,
        n_work=0,
        n_variables=0,
        faults=(),
        open_systems=(),
        externals=(),
        iterations=(),
    )
    return python_model.load(info, {"model.py": ""})


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
    ("floor", (math.inf,)), ("min", (math.nan, 1.0)), ("max", (1.0, math.nan)),
    ("sign", (-0.0,)), ("sign", (math.nan,)), ("sign", (-3.0,)),
])  # fmt: skip
def test_edges_agree(library, python, name, arguments):
    with np.errstate(all="ignore"):
        quiet = python.quiet[name](*arguments)
    assert quiet == pytest.approx(in_c(library, name, *arguments), nan_ok=True)
    assert isinstance(quiet, np.float64)  # a plain float would raise where it is divided by


@pytest.mark.parametrize("name", THREE)
def test_random_numbers_agree(library, python, name):
    """Equal bits: in the center of the distribution, at its sides, and in its tails, where a count is lucky."""
    generator = random.Random(name)
    drawn = [tuple(float(generator.randrange(-(2**53) + 1, 2**53)) for _ in range(3)) for _ in range(2000)]
    for arguments in [(0.0, 0.0, 0.0), (1.0, 2.0, -3.5), *drawn]:
        assert python.plain[name](*arguments) == in_c(library, name, *arguments)
    for wrong in (2.0**53, -math.inf, math.nan):
        for arguments in ((wrong, 1.0, 1.0), (1.0, wrong, 1.0), (1.0, 1.0, wrong)):
            assert math.isnan(in_c(library, name, *arguments)) and math.isnan(python.quiet[name](*arguments))


@pytest.mark.parametrize("exponent", range(1, 54))
def test_quantiles_agree(library, exponent):
    for p in (2.0**-exponent, 1.0 - 2.0**-exponent, 0.75 * 2.0**-exponent):
        assert normal_quantile(p) == library.t_quantile(p)


def sine_and_cosine(library: ctypes.CDLL, x: float) -> list[float]:
    pair = (ctypes.c_double * 2)()
    library.t_sincos.argtypes = [ctypes.c_double, ctypes.c_void_p]
    library.t_sincos(x, pair)
    return list(pair)


def test_sine_and_cosine_have_less_than_a_unit_of_error_in_the_last_place(library):
    generator = random.Random(7)
    near = [k * math.pi / 4 + generator.uniform(-1e-9, 1e-9) for k in range(-40, 41)]
    far = [generator.choice((-1, 1)) * 10 ** generator.uniform(-9, 5.9) for _ in range(2000)]
    with mpmath.workprec(200):
        for x in [*near, *far]:
            for found, exact in zip(sine_and_cosine(library, x), (mpmath.sin(x), mpmath.cos(x)), strict=True):
                assert abs(found - exact) < math.ulp(float(exact)), x


@pytest.mark.parametrize("x", [1e6, -7.5e8, 1e22, 8e5])
def test_sine_and_cosine_of_large_angles_are_those_of_the_c_library(library, x):
    assert sine_and_cosine(library, x) == [math.sin(x), math.cos(x)]


def test_sine_and_cosine_at_the_edges(library):
    assert all(map(math.isnan, (*sine_and_cosine(library, math.inf), *sine_and_cosine(library, math.nan))))
    assert [math.copysign(1, sine_and_cosine(library, x)[0]) for x in (0.0, -0.0)] == [1, -1]
    assert sine_and_cosine(library, 5e-324) == [5e-324, 1.0]


@pytest.mark.parametrize("name", ["exchange", "quality"])
def test_the_choice_of_columns_agrees(library, python, name):
    """In the order of operations too."""
    generator = np.random.default_rng(5)
    for _ in range(100):
        rows = int(generator.integers(1, 6))
        columns = rows + int(generator.integers(1, 4))
        matrix = generator.normal(size=(rows, columns)) * (generator.random(size=(rows, columns)) < 0.6)
        now = np.zeros(columns)
        now[generator.permutation(columns)[: rows + int(generator.integers(-1, 1))]] = 1.0
        given = [*matrix.ravel().tolist(), *now.tolist()]
        found = (ctypes.c_double * (columns + 1))()
        library[f"t_{name}"](rows, columns, (ctypes.c_double * len(given))(*given), (ctypes.c_double * 200)(), found)
        expected = python.plain[name](rows, columns, given)
        assert list(found)[: len(expected)] == expected
        assert python.quiet[name](rows, columns, given) == expected


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


@pytest.mark.parametrize(
    ("n", "lower", "upper"),
    [
        *((1, 0, 0), (2, 1, 1), (3, 2, 2), (7, 6, 6), (20, 19, 19), (9, 1, 1), (20, 2, 5), (6, 0, 3), (5, 1, 1)),
        *((7, 2, 1), (34, 33, 33), (80, 31, 3), (101, 31, 40)),  # the last ones by operations on arrays
    ],
)
def test_solve(library, python, n, lower, upper):
    generator = np.random.default_rng(n)
    for _ in range(10):
        A, b = generator.normal(size=(n, n)), generator.normal(size=n)
        A = np.triu(np.tril(A, upper), -lower)
        A[0, 0] = 0.0 if lower else A[0, 0]  # so that a pivot must be looked for
        solutions = []
        for solve in (c_solve(library), python_model.solve):
            z = b.tolist()
            solve(n, lower, upper, stored(A, lower, upper), z)
            solutions.append(z)
        assert solutions[0] == solutions[1]
        assert np.allclose(A @ solutions[0], b, atol=1e-9)
        z = b.tolist()
        python.quiet["solve"](n, lower, upper, stored(A, lower, upper), z)
        assert z == solutions[0] and {*map(type, z)} == {np.float64}
        assert {*map(type, solutions[1])} == {float}  # which raises where it is zero and divided by


@pytest.mark.parametrize("matrix", [[0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 2.0, 4.0], [math.nan, 1.0, 1.0, 1.0]])
def test_singular_matrix_leaves_nan(library, matrix):
    for solve in (c_solve(library), python_model.solve):
        b = [1.0, 2.0]
        solve(2, 1, 1, list(matrix), b)
        assert all(math.isnan(value) for value in b)


@pytest.mark.parametrize("value", [0.0, math.nan])
@pytest.mark.parametrize("place", [(slice(None), 7), (slice(None), 33), (0, 0), (5, 5), (33, 33)])
def test_large_matrix_with_singular_columns_or_without_numbers(library, place, value):
    A = np.random.default_rng(3).normal(size=(34, 34))
    A[place] = value
    solutions = []
    for solve in (c_solve(library), python_model.solve):
        b = [1.0] * 34
        solve(34, 33, 33, A.ravel().tolist(), b)
        solutions.append(b)
    np.testing.assert_array_equal(*solutions)


def in_both(library: ctypes.CDLL, A: np.ndarray, b: np.ndarray, lower: int, upper: int) -> tuple[list[float], bool]:
    """What both targets make of A*z = b where it may leave something open, and whether it has."""
    n, flat = len(A), stored(A, lower, upper)
    matrix, right, kept = (
        (ctypes.c_double * len(flat))(*flat),
        (ctypes.c_double * n)(*b),
        (ctypes.c_double * (3 * n * n + 8 * n))(),
    )
    seen = ctypes.c_ulong.in_dll(library, "cutset_open")
    seen.value = 0
    library.t_solve_open(n, lower, upper, matrix, right, kept)
    z = b.tolist()
    is_open = solve_open(n, lower, upper, flat, z, python_model.solve)
    np.testing.assert_array_equal(list(right), z)
    assert seen.value == (8 if is_open else 0)
    return z, is_open


def banded(A: np.ndarray, lower: int, upper: int) -> np.ndarray:
    return np.triu(np.tril(A, upper), -lower)


@pytest.mark.parametrize(
    ("n", "lower", "upper"), [(1, 0, 0), (2, 1, 1), (5, 4, 4), (9, 1, 1), (12, 2, 1), (33, 32, 32)]
)
@pytest.mark.parametrize("wide", [0, 5])
def test_regular_system_leaves_nothing_open(library, n, lower, upper, wide):
    """Equations and unknowns are in units of their own."""
    generator = np.random.default_rng(n)
    for _ in range(10):
        A = banded(generator.normal(size=(n, n)), lower, upper) * 10.0 ** generator.uniform(-9, 9, size=(n, 1))
        A = A * 10.0 ** generator.uniform(-wide, wide, size=n)
        b = A @ generator.normal(size=n)
        z, is_open = in_both(library, A, b, lower, upper)
        assert not is_open
        np.testing.assert_allclose(A @ z, b, rtol=1e-7, atol=1e-9 * abs(b).min())


@pytest.mark.parametrize("open_in", [1, 2, 4])
def test_shortest_solution_of_what_is_open(library, open_in):
    """The oracle is the pseudoinverse. Rows and columns have scales of their own, as equations and unknowns do."""
    generator = np.random.default_rng(open_in)
    for k in range(20):
        n = int(generator.integers(open_in, 9)) if k else 34
        A = (
            generator.normal(size=(n, n - open_in))
            @ generator.normal(size=(n - open_in, n))
            * 10.0 ** generator.uniform(-3, 3, size=n)
        )
        b = A @ generator.normal(size=n)
        scales = 10.0 ** generator.uniform(-6, 6, size=(n, 1))
        z, is_open = in_both(library, scales * A, scales[:, 0] * b, n - 1, n - 1)
        assert is_open
        np.testing.assert_allclose(z, np.linalg.lstsq(A, b, rcond=1e-10)[0], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("n", "lower", "upper"), [(8, 1, 1), (5, 1, 1), (4, 1, 1), (7, 2, 1), (6, 0, 3), (9, 1, 3)])
def test_shortest_solution_of_a_band(library, n, lower, upper):
    A, b = banded(np.ones((n, n)), lower, upper), np.full(n, 3.0)
    A[3] = A[2] = 0.0
    b[3] = b[2] = 0.0
    z, is_open = in_both(library, A, b, lower, upper)
    assert is_open
    np.testing.assert_allclose(z, np.linalg.lstsq(A, b, rcond=None)[0], atol=1e-12)


@pytest.mark.parametrize("seed", [12, 48, 172])
def test_large_unknowns_are_refined(library, seed):
    """Equations that are nearly dependent make some unknowns large, so that elimination leaves more than rounding of
    the small terms of others."""
    generator, n = np.random.default_rng(seed), 8
    A = generator.normal(size=(n, n)) * (generator.random((n, n)) < 0.45)
    A[0] = A[1] * generator.normal() + 1e-9 * generator.normal(size=n) * (generator.random(n) < 0.5)
    A[n - 1] = A[2] + A[3]
    b = A @ (generator.normal(size=n) * 10.0 ** generator.uniform(-9, 0, size=n))
    b[0] += 1e-5
    b[n - 1] = b[2] + b[3]
    z, is_open = in_both(library, A, b, n - 1, n - 1)
    assert is_open and max(map(abs, z)) > 1e3
    assert (np.abs(A @ z - b) <= 2e-12 * (np.abs(A) @ np.abs(z) + np.abs(b)) + 1e-14).all()


def test_contradiction_leaves_nan(library):
    z, is_open = in_both(library, np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([1.0, 2.5]), 1, 1)
    assert not is_open
    assert np.isnan(z).all()
    z, is_open = in_both(library, np.array([[1.0, 2.0], [0.0, 0.0]]), np.array([1.0, 1e-3]), 1, 1)
    assert not is_open


def test_ill_conditioned_system_is_not_taken_for_open(library):
    """A pivot of 1e-10 is small, but its equation says something that the shortest solution does not fulfill."""
    A = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-10]])
    z, is_open = in_both(library, A, A @ [3.0, -2.0], 1, 1)
    assert not is_open
    np.testing.assert_allclose(z, [3.0, -2.0], atol=1e-2)
