"""The blocks of discrete.mo against scipy.signal, and observers against the filters that numpy computes."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import run_in_both
from numpy.testing import assert_allclose as close
from scipy import linalg, signal

import cutset

T, N = 0.1, 20
A, B = np.array([[0.9, 0.1], [-0.2, 0.8]]), np.array([[0.0, 1.0], [1.0, 1.0]])
F, G = np.array([[1.0, T], [0.0, 1.0]]), np.array([0.005, 0.1])
Q, R = np.diag([1e-4, 1e-2]), np.array([[0.04, 0.01], [0.01, 0.09]])
MODEL = """
submodel (ZTransferFunction) z(T=0.1, nb=2, b=[1, 0.5], na=3, a=[2, -1, 0.3])
submodel (ZTransferFunction) direct(T=0.1, nb=2, b=[1, 0.5], na=2, a=[4, 1])
submodel (ZTransferFunction) later(T=0.1, t0=0.05, nb=1, b=[1], na=2, a=[1, -0.5], y0=3)
submodel (MovingAverage) m(T=0.1, n=4)
submodel (DiscreteStateSpace) s(T=0.1, nx=2, A=[0.9, 0.1; -0.2, 0.8], B=[0, 1], C=[1, 0.5], D=0.25, x0=[1, 2])
submodel (DiscreteStateSpaceN) sn(T=0.1, nx=2, nu=2, ny=1, A=[0.9, 0.1; -0.2, 0.8], B=[0, 1; 1, 1], C=[1, 0.5]',
  D=[0.25, 0.5]')
submodel (DiscretePID) pid(T=0.1, k=2, Ti=0.4, Td=0.1, Nd=5), limited(T=0.1, k=2, Ti=0.1, ymax=0.7, ymin=-0.2)
submodel (KalmanFilterN) kn(T=0.1, nx=2, nu=2, ny=2, A=[1, 0.1; 0, 1], B=[0.005, 0; 0.1, 0], C=[1, 0; 0.5, 1],
  Q=[1e-4, 0; 0, 1e-2], R=[0.04, 0.01; 0.01, 0.09], x0=[1, 0], P0=[2, 0.1; 0.1, 1])
submodel (KalmanFilterN) kone(T=0.1, nx=2, nu=2, ny=1, A=[1, 0.1; 0, 1], B=[0.005, 0; 0.1, 0], C=[1, 0]',
  Q=[1e-4, 0; 0, 1e-2], R=[0.04]')
submodel (KalmanFilter) k(T=0.1, nx=2, A=[1, 0.1; 0, 1], B=[0.005, 0.1], C=[1, 0], Q=[1e-4, 0; 0, 1e-2], R=0.04)
submodel (KalmanFilter) free(T=0.1, nx=2, A=[1, 0.1; 0, 1], C=[1, 0], Q=[1e-4, 0; 0, 1e-2], R=0.04)
submodel (DiscreteObserver) o(T=0.1, nx=2, A=[1, 0.1; 0, 1], B=[0.005, 0.1], C=[1, 0], L=[0.5, 1], x0=[1, 0])
submodel (DiscreteObserverN) on(T=0.1, nx=2, nu=2, ny=2, A=[1, 0.1; 0, 1], B=[0.005, 0; 0.1, 0], C=[1, 0; 0, 1],
  L=[0.5, 0; 1, 0])
submodel (Observer) c(nx=2, A=[0, 1; 0, 0], B=[0, 1], C=[1, 0], L=[5, 10], x0=[1, 0])
submodel (ObserverN) cn(nx=2, nu=2, ny=2, A=[0, 1; 0, 0], B=[0, 0; 1, 0], C=[1, 0; 0, 1], L=[5, 0; 10, 0], x0=[1, 0])
local u
u = sin(3*time)
z.u = u; direct.u = u; later.u = u; m.u = u; s.u = u; sn.u = [u, 1]
pid.u = 1; pid.um = u; limited.u = 1; limited.um = u
kn.u = [u, 1]; kn.y = [time, 1]; kone.u = [u, 0]; kone.y(1) = time; k.u = u; k.y = time; free.y = time
o.u = u; o.y = time; on.u = [u, 0]; on.y = [time, 7]; c.u = u; c.y = time; cn.u = [u, 0]; cn.y = [time, 7]
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("discrete") / "top.mo"

    def write_model(text: str):
        path.write_text(text)
        return path

    return run_in_both(write_model, "@discrete", MODEL, N * T - 0.01)


@pytest.fixture(scope="module")
def held(run):
    """held(name): the values after each sample."""
    return lambda name: np.asarray(run[name])[np.searchsorted(run.time, T * np.arange(N) + 0.02, side="right") - 1]


TIMES = T * np.arange(N)
U = np.sin(3 * TIMES)


def test_transfer_functions(run, held):
    close(held("z.y"), signal.lfilter([0, 1, 0.5], [2, -1, 0.3], U), atol=1e-12)
    close(held("direct.y"), signal.lfilter([1, 0.5], [4, 1], U), atol=1e-12)
    close(held("m.y"), signal.lfilter(np.ones(4) / 4, [1], U), atol=1e-12)
    later = signal.lfilter([0, 1], [1, -0.5], np.sin(3 * (TIMES + 0.05)))
    close(held("later.y"), np.concatenate(([3.0], later[:-1])), atol=1e-12)


def test_state_spaces(held):
    one = signal.dlsim((A, B[:, :1], [[1, 0.5]], [[0.25]], T), U, x0=[1, 2])[1].ravel()
    close(held("s.y"), one, atol=1e-12)
    both = signal.dlsim((A, B, [[1, 0.5]], [[0.25, 0.5]], T), np.column_stack((U, np.ones(N))))[1].ravel()
    close(held("sn.y(1)"), both, atol=1e-12)


def test_pid(held):
    """Without limits it is linear: proportional, integral by backward differences, derivative of the measured value."""
    error = 1 - U
    slope = signal.lfilter([1, -1], [0.1 + 5 * T, -0.1], np.concatenate(([0.0], np.diff(U))).cumsum())
    expected = 2 * error + 2 * T / 0.4 * np.cumsum(error) - 2 * 0.1 * 5 * slope
    close(held("pid.y"), expected, atol=1e-12)


def test_limited_pid(held):
    integral, expected = 0.0, []
    for error in 1 - U:
        free = integral + 2 * T / 0.1 * error
        expected.append(np.clip(2 * error + free, -0.2, 0.7))
        integral = np.clip(free, -0.2 - 2 * error, 0.7 - 2 * error)
    close(held("limited.y"), expected, atol=1e-12)
    assert {0.7} <= set(expected) and min(expected) < 0.69  # it leaves the limit again


def kalman(C, R, y, x, P, u):
    """The estimates and the last gain of the textbook filter."""
    found = []
    for yk, uk in zip(y, u, strict=True):
        K = P @ C.T @ np.linalg.inv(C @ P @ C.T + R)
        x, P = x + K @ (yk - C @ x), (np.eye(2) - K @ C) @ P
        found.append(x)
        x, P = F @ x + G * uk, F @ P @ F.T + Q
    return np.array(found), K


def test_kalman_filters(run, held):
    C2, C1 = np.array([[1.0, 0.0], [0.5, 1.0]]), np.array([[1.0, 0.0]])
    y2 = np.column_stack((TIMES, np.ones(N)))
    expected, K = kalman(C2, R, y2, np.array([1.0, 0.0]), np.array([[2.0, 0.1], [0.1, 1.0]]), U)
    close(np.column_stack((held("kn.x(1)"), held("kn.x(2)"))), expected, atol=1e-12)
    close([[held(f"kn.K({i},{j})")[-1] for j in (1, 2)] for i in (1, 2)], K, atol=1e-12)
    expected, _ = kalman(C1, np.array([[0.04]]), TIMES[:, None], np.zeros(2), np.eye(2), U)
    for name in ("k", "kone"):
        close(np.column_stack((held(f"{name}.x(1)"), held(f"{name}.x(2)"))), expected, atol=1e-12)
    expected, _ = kalman(C1, np.array([[0.04]]), TIMES[:, None], np.zeros(2), np.eye(2), 0 * U)
    close(held("free.x(2)"), expected[:, 1], atol=1e-12)
    close(run["kn.P(1,2)"], run["kn.P(2,1)"], atol=1e-15)


def test_gain_becomes_that_of_the_riccati_equation(write_model):
    body = (
        "submodel (KalmanFilter) k(T=0.1, nx=2, A=[1, 0.1; 0, 1], C=[1, 0], Q=[1e-4, 0; 0, 1e-2], R=0.04)\nk.y = time"
    )
    run = run_in_both(write_model, "@discrete", body, 20.0)
    C = np.array([[1.0, 0.0]])
    P = linalg.solve_discrete_are(F.T, C.T, Q, np.array([[0.04]]))
    K = (P @ C.T / (C @ P @ C.T + 0.04)).ravel()
    close([run["k.K(1)"][-1], run["k.K(2)"][-1]], K, rtol=1e-9)
    close(run["k.x(2)"][-1], 1.0, atol=1e-6)  # it follows the ramp


def test_observers(run, held):
    L, C = np.array([[0.5], [1.0]]), np.array([[1.0, 0.0]])
    for name, x0 in (("o", [1.0, 0.0]), ("on", [0.0, 0.0])):
        system = (F - L @ C, np.column_stack((G, L)), np.eye(2), np.zeros((2, 2)), T)
        expected = signal.dlsim(system, np.column_stack((U, TIMES)), x0=x0)[2]
        close(np.column_stack((held(f"{name}.x(1)"), held(f"{name}.x(2)"))), expected, atol=1e-12)
    # scipy's lsim takes the inputs as straight between the points.
    M = np.array([[-5.0, 1.0], [-10.0, 0.0]])
    t = np.linspace(0, run.time[-1], 2001)
    drive = np.column_stack((np.sin(3 * t), t))
    expected = signal.lsim((M, np.array([[0.0, 5.0], [1.0, 10.0]]), np.eye(2), np.zeros((2, 2))), drive, t, [1, 0])[1]
    for name in ("c", "cn"):
        close(np.interp(t, run.time, run[f"{name}.x(1)"]), expected[:, 0], atol=2e-3)
        close(run[f"{name}.x(2)"][-1], expected[-1, 1], atol=1e-5)


@pytest.mark.parametrize("varying", ["0", "0*time"])
def test_inverse_exchanges_rows(write_model, varying: str) -> None:
    """At translation, and by the generated function."""
    matrix = np.array([[1e-20, 2.0, 1.0], [4.0, 1.0, 3.0], [1.0, 1.0, 1.0]])
    text = "; ".join(", ".join(map(repr, row)) for row in matrix.tolist())
    body = f"local X(3,3)\nX = matrix_inverse([{text.replace('1e-20,', f'1e-20 + {varying},', 1)}])"
    run = run_in_both(write_model, "@discrete", body)
    close(run["X"][-1], np.linalg.inv(matrix), atol=1e-14)


def test_a_singular_matrix_has_no_inverse(write_model) -> None:
    body = "local X(2,2)\nX = matrix_inverse([1, 2; 2, 4])"
    with pytest.raises(cutset.ModelError, match="the matrix has no inverse"):
        cutset.load(write_model(f"@discrete\nmodel M\n{body}\nend\n"))


FEEDBACK = """@discrete
model M
  parameter A(2,2) = [1, 0.1; 0, 1], B(2) = [0.005, 0.1], K(2) = [4, 3]
  submodel (DiscreteObserver) o(T=0.1, nx=2, A=A, B=B, C=[1, 0], L=[0.5, 1], x0=[1, 0])
  submodel (DiscreteObserverN) on(T=0.1, nx=2, nu=1, ny=1, A=A, B=[0.005, 0.1]'', C=[1, 0]', L=[0.5, 1]'', x0=[1, 0])
  submodel (KalmanFilter) k(T=0.1, nx=2, A=A, B=B, C=[1, 0], Q=[1e-4, 0; 0, 1e-2], R=0.04, x0=[1, 0])
  submodel (KalmanFilterN) kn(T=0.1, nx=2, nu=1, ny=1, A=A, B=[0.005, 0.1]'', C=[1, 0]', Q=[1e-4, 0; 0, 1e-2],
                              R=[0.04]', x0=[1, 0])
  o.u = -K'*o.x
  o.y = cos(time)
  on.u = [-K'*on.x]
  on.y = [cos(time)]
  k.u = -K'*k.x
  k.y = cos(time)
  kn.u = [-K'*kn.x]
  kn.y = [cos(time)]
end
"""


@pytest.mark.parametrize("target", ["c", "python"])
def test_estimates_know_the_input_that_follows_from_them(target, write_model):
    """u(k) = -K*x(k) holds from the sample k on; the prediction for the sample k + 1 has it."""
    run = cutset.load(write_model(FEEDBACK)).simulate(2.0, target=target, times=0.05 + 0.1 * np.arange(19))
    A, B, C = np.array([[1, 0.1], [0, 1]]), np.array([0.005, 0.1]), np.array([1.0, 0.0])
    K, L, Q = np.array([4.0, 3.0]), np.array([0.5, 1.0]), np.diag([1e-4, 1e-2])
    observed, before, P = np.array([1.0, 0.0]), np.array([1.0, 0.0]), np.eye(2)
    inner = (run.time > 0) & (run.time < 2) & (np.abs(run.time / 0.1 % 1 - 0.5) < 0.1)
    for n in range(19):
        y = np.cos(0.1 * n)
        gain = P @ C / (C @ P @ C + 0.04)
        estimate = before + gain * (y - C @ before)
        for name, expected in (("o", observed), ("on", observed), ("k", estimate), ("kn", estimate)):
            np.testing.assert_allclose(run[f"{name}.x"][inner][n], expected, atol=1e-12)
        P = A @ (np.eye(2) - np.outer(gain, C)) @ P @ A.T + Q
        before = A @ estimate - B * (K @ estimate)
        observed = A @ observed - B * (K @ observed) + L * (y - C @ observed)
