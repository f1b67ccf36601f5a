"""Systems of nonlinear equations: models in C and in Python have the same solutions, and find what there is to find."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import cutset.runtime
from cutset.compiler.codegen.statements import iteration_scratch
from cutset.runtime.targets.newton import Care, newton
from cutset.runtime.targets.toolchain import find_compiler, shared_library

HEADERS = [
    Path(cutset.runtime.__file__).parent / "c" / "model" / name
    for name in ("cutset_support.h", "newton.h", "sincos.h", "random.h")
]


@dataclass(frozen=True)
class System:
    """Residuals and their derivatives as assignments to r that C and Python read alike, from a guess to a solution
    (None: there is none). x[0] is the parameter."""

    text: str
    guess: tuple[float, ...]
    solution: tuple[float, ...] | None
    x: float = 0.0


# The current of 5 V through 1 kOhm and a diode of 1e-14 A and 25 mV; z is the voltage of the diode.
DIODE = "r[0] = (5.0 - z[0])/1000.0 - 1e-14*(exp(z[0]/0.025) - 1.0); r[1] = -1.0/1000.0 - 1e-14/0.025*exp(z[0]/0.025)"
SYSTEMS = {
    "root": System("r[0] = z[0]*z[0] - x[0]; r[1] = 2.0*z[0]", (1.0,), (math.sqrt(2.0),), 2.0),
    "root of little": System("r[0] = z[0]*z[0] - x[0]; r[1] = 2.0*z[0]", (1.0,), (1e-6,), 1e-12),
    "root of much": System("r[0] = z[0]*z[0] - x[0]; r[1] = 2.0*z[0]", (1.0,), (1e8,), 1e16),
    "cube": System("r[0] = z[0]*z[0]*z[0] - 8.0; r[1] = 3.0*z[0]*z[0]", (1e-3,), (2.0,)),
    "diode": System(DIODE, (0.0,), (0.6698,)),
    "diode from far away": System(DIODE, (5.0,), (0.6698,)),
    "diode backwards": System(DIODE, (-20.0,), (0.6698,)),
    "arcus": System("r[0] = atan(z[0]); r[1] = 1.0/(1.0 + z[0]*z[0])", (100.0,), (0.0,)),
    # Full steps leap from one side to the other; they are small beside a nominal value of 1, but no rounding.
    "small and steep": System(
        "r[0] = 1.1e4*z[0] + 10.0*atan(1e3*(x[0] + 1e3*z[0])); "
        "r[1] = 1.1e4 + 1e7/(1.0 + 1e6*(x[0] + 1e3*z[0])*(x[0] + 1e3*z[0]))",
        (0.0,), (-1.1986814496412622e-06,), 1.2e-3,
    ),
    "the nearest of three": System(
        "r[0] = z[0]*(1.0 - z[0])*(z[0] - 0.4); r[1] = -3.0*z[0]*z[0] + 2.8*z[0] - 0.4", (0.21,), (0.4,)
    ),
    "no slope at the solution": System(
        "r[0] = sin(atan(1e9*(z[0] - 3.0)))*pow((z[0] - 3.0)*(z[0] - 3.0), 0.25); "
        "r[1] = 0.5/pow((z[0] - 3.0)*(z[0] - 3.0), 0.25)",
        (0.5,), (3.0,),
    ),
    "logarithm": System("r[0] = log(z[0]) + 3.0; r[1] = 1.0/z[0]", (40.0,), (math.exp(-3.0),)),
    "singular at the guess": System("r[0] = z[0]*z[0] - 4.0; r[1] = 2.0*z[0]", (0.0,), (2.0,)),
    "linear": System(
        "r[0] = 2.0*z[0] + z[1] - 3.0; r[1] = z[0] - z[1]; r[2] = 2.0; r[3] = 1.0; r[4] = 1.0; r[5] = -1.0",
        (0.0, 0.0), (1.0, 1.0),
    ),
    "circle and line": System(
        "r[0] = z[0]*z[0] + z[1]*z[1] - 25.0; r[1] = z[0] - 0.75*z[1]; r[2] = 2.0*z[0]; r[3] = 2.0*z[1]; r[4] = 1.0; "
        "r[5] = -0.75",
        (1.0, 1.0), (3.0, 4.0),
    ),
    "rosenbrock": System(
        "r[0] = 10.0*(z[1] - z[0]*z[0]); r[1] = 1.0 - z[0]; r[2] = -20.0*z[0]; r[3] = 10.0; r[4] = -1.0; r[5] = 0.0",
        (-1.2, 1.0), (1.0, 1.0),
    ),
    "rows of other sizes": System(
        "r[0] = 1e9*(z[0] + z[1] - 3.0); r[1] = 1e-9*(z[0]*z[1] - 2.0); "
        "r[2] = 1e9; r[3] = 1e9; r[4] = 1e-9*z[1]; r[5] = 1e-9*z[0]",
        (0.5, 3.0), (1.0, 2.0),
    ),
    # A ring of two orifices and a filter through which nothing flows: the first unknown is a difference of large
    # pressures.
    "ring without a flow": System(
        "r[0] = -(3e-10*(x[0] - z[1]) + 5e-7*z[0]/pow(9e6 + z[0]*z[0], 0.25)); "
        "r[1] = 5e-7*z[0]/pow(9e6 + z[0]*z[0], 0.25) - 2e-7*(x[0] - z[0] - z[1])/pow(7e6 + (x[0] - z[0] - z[1])*(x[0] "
        "- z[0] - z[1]), 0.25); "
        "r[2] = -5e-7*(9e6 + 0.5*z[0]*z[0])/pow(9e6 + z[0]*z[0], 1.25); r[3] = 3e-10; "
        "r[4] = -r[2] + 2e-7*(7e6 + 0.5*(x[0] - z[0] - z[1])*(x[0] - z[0] - z[1]))"
        "/pow(7e6 + (x[0] - z[0] - z[1])*(x[0] - z[0] - z[1]), 1.25); r[5] = r[4] + r[2]",
        (3e-10, 2021096.0), (0.0, 2021000.123456789), 2021000.123456789,
    ),
    # The second unknown is zero, but for the rounding of cosine and sine.
    "nothing but rounding": System(
        "r[0] = z[0]*z[0] - x[0]; r[1] = (cos(z[0]) + z[1])*(cos(z[0]) + z[1]) + sin(z[0])*sin(z[0]) - 1.0; "
        "r[2] = 2.0*z[0]; r[3] = 0.0; r[4] = -2.0*sin(z[0])*z[1]; r[5] = 2.0*(cos(z[0]) + z[1])",
        (0.7, 0.0), (0.701, 0.0), 0.701**2,
    ),
    # The first unknown is zero and would stay zero if the system were linear.
    "linear only at the guess": System(
        "r[0] = z[0] + z[1]*z[1]; r[1] = z[1] - x[0]; r[2] = 1.0; r[3] = 2.0*z[1]; r[4] = 0.0; r[5] = 1.0",
        (0.0, 0.0), (-1.0, 1.0), 1.0,
    ),
    "only by homotopy": System(
        "r[0] = z[0] + sin(2.0*z[0]) - x[0]; r[1] = 1.0 + 2.0*cos(2.0*z[0])", (4.0,), (2.731403655075817,), 2.0
    ),
    # Two orifices in a row: steps are tiny where the flow is almost zero, but the solution is far away.
    "nearly infinite slope": System(
        "r[0] = sqrt(x[0] - z[0]) - 2.0*sqrt(z[0]); r[1] = -0.5/sqrt(x[0] - z[0]) - 1.0/sqrt(z[0])",
        (1e-60,), (0.2,), 1.0,
    ),
    "nearly infinite slope of two": System(
        "r[0] = z[1] - sqrt(x[0] - z[0]); r[1] = z[1] - 2.0*sqrt(z[0]); r[2] = 0.5/sqrt(x[0] - z[0]); r[3] = 1.0; "
        "r[4] = -1.0/sqrt(z[0]); r[5] = 1.0",
        (1e-30, 2e-15), (2e-11, math.sqrt(8e-11)), 1e-10,
    ),
    "none": System("r[0] = z[0]*z[0] + 1.0; r[1] = 2.0*z[0]", (1.0,), None),
    "nan": System("r[0] = x[0]; r[1] = 1.0", (1.0,), None, math.nan),
    "no derivative": System("r[0] = 1.0; r[1] = 0.0", (1.0,), None),
}  # fmt: skip


CAREFUL = ["root", "linear", "ring without a flow", "nothing but rounding"]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    text = (
        '#include "cutset_support.h"\nCUTSET_SHARED int cutset_fault, cutset_careful, cutset_lost, cutset_beyond;\n'
        "CUTSET_SHARED void (*cutset_external)(int k, const double *a, double *r);\n"
    )
    arguments = (
        "const double *x, const double *u, const double *c, const double *m, double *w, const double *z, double *r"
    )
    for number, system in enumerate(SYSTEMS.values()):
        n = len(system.guess)
        text += f"static void f{number}(double t, {arguments}) {{ {system.text}; }}\n"
        text += f"void g{number}(const double *x, double *w, double *z) {{ cutset_fault = 0;"
        text += f" cutset_newton({n}, f{number}, 0.0, x, 0, 0, 0, w, w, z, 7); }}\n"
        text += f"int size{number}(void) {{ return CUTSET_NEWTON_SIZE({n}); }}\n"
    with shared_library({"model.c": text, **{header.name: header.read_text() for header in HEADERS}}, compiler) as path:
        return ctypes.CDLL(str(path))


def in_c(library: ctypes.CDLL, name: str, careful: bool = False) -> tuple[list[float], list[float], int]:
    """The solution, the guess that is left, and the fault."""
    number, system = list(SYSTEMS).index(name), SYSTEMS[name]
    n = len(system.guess)
    size = library[f"size{number}"]()
    x, w = np.array([system.x]), np.array([*system.guess, 0.0, *[1.0] * n])
    z = np.full(size + 4, 99.0)
    ctypes.c_int.in_dll(library, "cutset_careful").value = careful
    library[f"g{number}"](*(ctypes.c_void_p(a.ctypes.data) for a in (x, w, z)))
    assert (z[size:] == 99.0).all()
    return z[:n].tolist(), w[:n].tolist(), ctypes.c_int.in_dll(library, "cutset_fault").value


def in_python(name: str, careful: bool = False) -> tuple[list[float], list[float], bool]:
    system = SYSTEMS[name]
    n = len(system.guess)
    w = [*map(np.float64, system.guess), 0.0, *([1.0] * n), *([0.0] * n)]
    names = {"exp": np.exp, "log": np.log, "atan": np.arctan, "sin": np.sin, "cos": np.cos, "sqrt": np.sqrt}
    code = "def f(t, x, u, c, m, w, z, r):\n" + "".join(f"    {line}\n" for line in system.text.split("; "))
    exec(code, names)
    f: Callable[..., None] = names["f"]
    with np.errstate(all="ignore"):
        found = newton(n, f, np.float64(0.0), [system.x], [], [], [], w, 0, 2 * n + 1, 1, Care(careful))
    return w[2 * n + 1 :], w[:n], found


@pytest.mark.parametrize("name", SYSTEMS)
def test_targets_do_the_same(library, name):
    (z, w, fault), (z_python, w_python, found) = in_c(library, name), in_python(name)
    assert np.allclose(z, z_python, rtol=1e-13, atol=1e-9 if "ring" in name else 0.0, equal_nan=True)
    assert np.allclose(w, w_python, rtol=1e-13, atol=1e-9 if "ring" in name else 0.0)
    assert fault == (0 if found else -7)


@pytest.mark.parametrize("name", CAREFUL)
def test_from_near_by_a_careful_iteration_converges_at_once(library, name):
    (z, _, _), (z_python, _, found) = in_c(library, name, careful=True), in_python(name, careful=True)
    assert found and np.allclose(z, SYSTEMS[name].solution, rtol=1e-12, atol=1e-8)
    assert np.allclose(z, z_python, rtol=1e-13, atol=1e-8)


def test_a_careful_iteration_does_not_move_what_was_predicted_to_rest(library):
    name = "linear only at the guess"
    assert not in_python(name, careful=True)[2]
    lost = ctypes.c_int.in_dll(library, "cutset_lost")
    lost.value = 0
    in_c(library, name, careful=True)
    assert lost.value


@pytest.mark.parametrize("name", ["root", "linear"])
def test_translated_models_leave_room_for_an_iteration(library, name):
    n = len(SYSTEMS[name].guess)
    assert library[f"size{list(SYSTEMS).index(name)}"]() == n + iteration_scratch(n)


@pytest.mark.parametrize("name", SYSTEMS)
def test_solutions(name):
    z, guess, found = in_python(name)
    solution = SYSTEMS[name].solution
    assert found == (solution is not None)
    if solution is None:
        assert np.isnan(z).all() and guess == list(SYSTEMS[name].guess)
    else:
        assert (
            np.allclose(z, solution, rtol=1e-4 if "diode" in name else 1e-12, atol=1e-8 if "ring" in name else 1e-13)
            and guess == z
        )


def test_solution_is_exact_to_rounding():
    z = in_python("diode")[0][0]
    assert abs((5.0 - z) / 1000.0 - 1e-14 * (math.exp(z / 0.025) - 1.0)) < 1e-16


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_random_systems(n):
    """Weakly nonlinear systems whose solution is known."""
    generator = np.random.default_rng(n)
    for _ in range(20):
        A, solution = generator.normal(size=(n, n)) + 4.0 * n**0.5 * np.eye(n), generator.normal(size=n)
        b = A @ solution + np.sin(solution)

        def f(t, x, u, c, m, w, z, r, A=A, b=b):
            r[:n] = A @ np.array(z) + np.sin(z) - b
            r[n:] = (A + np.diag(np.cos(z))).ravel()

        w = [*[0.0] * (n + 1), *[1.0] * n, *[0.0] * n]
        assert newton(n, f, 0.0, [], [], [], [], w, 0, 2 * n + 1, 1, Care())
        assert np.allclose(A @ np.array(w[2 * n + 1 :]) + np.sin(w[2 * n + 1 :]), b, atol=1e-11)


@pytest.mark.parametrize("name", ["root", "cube", "diode", "linear", "circle and line", "none", "no derivative"])
def test_without_a_compiler(name, monkeypatch):
    """Models are evaluated, from guesses near the solution at least."""
    monkeypatch.setattr("cutset.runtime.targets.newton._newton_in_c", lambda: None)
    z, _, found = in_python(name)
    assert found == (SYSTEMS[name].solution is not None)
    assert not found or np.allclose(z, SYSTEMS[name].solution, rtol=1e-4, atol=1e-12)


def turbulent(x: float, k: float) -> tuple[float, float]:
    """The flow through an orifice at this difference of pressures, and its slope, which is infinite at zero."""
    root = math.sqrt(abs(x))
    return k * math.copysign(root, x), k / (2.0 * root) if root else math.inf


@pytest.mark.parametrize("careful", [0, 2])
def test_flows_through_orifices_in_a_row_are_right_to_the_smallest(careful: int) -> None:
    if find_compiler() is None:
        pytest.skip("no C compiler on this machine")
    rng = np.random.default_rng(3)
    for _ in range(150):
        n, p = int(rng.choice([1, 2, 4, 6])), float(rng.choice([-1, 1]) * 10 ** rng.uniform(-13, 0))
        k, linear = rng.uniform(0.3, 3.0, n + 1), rng.random(n + 1) < 0.2

        def inner(whole: float, k=k, linear=linear) -> np.ndarray:
            a, b = sum(1 / k[~linear] ** 2), sum(1 / k[linear])
            q = 2 * abs(whole) / (b + math.sqrt(b * b + 4 * a * abs(whole)))
            falls = np.where(linear, q / k, (q / k) ** 2) * math.copysign(1.0, whole)
            return whole - np.cumsum(falls)[:-1]

        def f(t, x, u, c, m, w, z, r, n=n, k=k, linear=linear, p=p) -> None:
            falls = -np.diff([p, *z, 0.0])
            flows = [
                (a * d, a) if is_linear else turbulent(d, a) for d, a, is_linear in zip(falls, k, linear, strict=True)
            ]
            for i in range(n):
                r[i] = flows[0][0] - flows[i + 1][0]
                r[n + i * n : n + i * n + n] = [0.0] * n
                r[n + i * n] -= flows[0][1]
                r[n + i * n + i] -= flows[i + 1][1]
                if i + 1 < n:
                    r[n + i * n + i + 1] += flows[i + 1][1]

        before = inner(p * float(rng.choice([1.01, 0.99, 1.1, 0.5, 2.0, -1.0])))
        w = [*before.tolist(), 0.0, *([1.0] * n), *([0.0] * n)]
        assert newton(n, f, 0.0, [], [], [], [], w, 0, 2 * n + 1, 1, Care(careful))
        assert w[:n] == pytest.approx(inner(p), rel=1e-9, abs=3e-13)
