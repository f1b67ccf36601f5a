"""Many runs on arrays: each row has the numbers of a single simulator, to the last bit if it is done one by one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable

import numpy as np
import pieces
import pytest

import cutset
from cutset.runtime.errors import RunError
from cutset.runtime.targets.toolchain import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

PENDULUM = """
model P
  parameter m = 1, L = 1, d = 0
  input F
  output E
  local q (start=0.3), w (start=0)
  der(q) = w
  m*L*L*der(w) = F*sin(3*time) - m*9.81*L*sin(q) - d*w
  E = m*L*L*w*w/2 - m*9.81*L*cos(q)
end
"""
# A ball on a floor; a force that switches at a limit of the input; the end when the ball flies away.
BALL = """
model B
  parameter e = 0.8, stiff = 2
  input lift
  local h (start=1), v (start=0), hits (start=0), z (start=0)
  der(h) = v
  der(v) = (if lift > 0.5 then 12 else 0) - 9.81
  der(z) = stiff*(h - z)
  when h < 0 then
    init(v) = 1 - 0.5*e*v
    new(hits) = hits + 1
  endwhen
  terminate h > 1.25, "lost"
end
"""
N = 6


@pytest.fixture(scope="module")
def pendulum() -> cutset.Model:
    return cutset.loads(PENDULUM)


@pytest.fixture(scope="module")
def ball() -> cutset.Model:
    return cutset.loads(BALL)


def singles(
    model: cutset.Model, given: dict[str, dict[str, np.ndarray]], **settings: object
) -> Callable[[int], object]:
    def one(k: int) -> object:
        return model.simulator(
            **{kind: {name: float(array[k]) for name, array in part.items()} for kind, part in given.items()},
            **settings,
        )

    return one


@pytest.mark.parametrize("method", ["auto", "rk4", "cvode-bdf"])
def test_rows_are_single_simulators_to_the_last_bit(ball: cutset.Model, method: str) -> None:
    """With parameters and start values of their own, inputs from Python, resets at different times, in two threads."""
    rng = np.random.default_rng(3)
    given = {
        "parameters": {"e": np.linspace(0.5, 0.9, N), "stiff": np.geomspace(1.0, 50.0 if method == "rk4" else 1e5, N)},
        "initial": {"h": rng.uniform(0.5, 1.2, N)},
    }
    settings = {"method": method, "max_step": 1e-2}
    sims = ball.simulators(N, outputs=["hits", "h", "e"], workers=2, **settings, **given)
    sims._is_long = True
    one = singles(ball, given, **settings)
    alone = [one(k) for k in range(N)]
    for step in range(40):
        u = (rng.random((N, 1)) < np.linspace(0.2, 0.95, N)[:, None]).astype(float)
        if step in (5, 9):
            again = rng.random(N) < 0.3
            sims.reset(again)
            alone = [one(k) if again[k] else sim for k, sim in enumerate(alone)]
        if step == 20:
            sims.x[1, 0] = 0.25
            alone[1].terminated or alone[1].set({"h": 0.25})
        sims.step(0.037, u)
        for k, sim in enumerate(alone):
            if not sim.terminated:
                sim.step(0.037, {"lift": u[k, 0]})
            expected = (sim.time, *sim.get(*sims.states), *sim.get("hits", "h", "e"))
            assert (sims.time[k], *sims.x[k], *sims.y[k]) == expected
            assert sims.terminated[k] == bool(sim.terminated)
        assert not sims.failed
        sims.reset([])
    assert sims["hits"].max() >= 2 and sims.terminated.any() and not sims.terminated.all()


@pytest.mark.parametrize(
    ("parts", "method"),
    [("pendulum hysteresis", "tsit5"), ("loop stick ticks", "cvode-bdf"), ("sampled ball loop", "auto")],
)
def test_rows_keep_all_that_a_run_remembers(parts: str, method: str) -> None:
    """Guesses of iterations, held values, samples, states that a run chooses, instants that are known."""
    text = "".join(pieces.PARTS[each].format(n=k, a=0.31, b=0.27, c=0.83) for k, each in enumerate(parts.split()))
    model = cutset.loads(f"model M{text}\nend\n")
    names = [name for name in (*model.states, *model.translated.info.discrete) if not name.startswith("$")]
    settings = {"method": method, "max_step": 0.02}
    sims, alone = model.simulators(3, outputs=names, **settings), model.simulator(**settings)
    for step in range(12):
        dt = 0.05 + 0.013 * step
        sims.step(dt)
        alone.step(dt)
        assert (sims.time[0], *sims.y[0]) == (alone.time, *alone.get(*names))
        assert np.array_equal(sims.x[0], sims.x[2])
        sims.reset([1])


def test_runs_in_vectors_are_single_simulators(pendulum: cutset.Model) -> None:
    """Also at different times, of which some have one run."""
    n = 13
    given = {"parameters": {"L": np.linspace(0.5, 2.0, n)}, "initial": {"q": np.linspace(-3.0, 3.0, n)}}
    settings = {"method": "rk4", "max_step": 2e-3}
    sims = pendulum.simulators(n, outputs=["E", "L"], **settings, **given)
    one = singles(pendulum, given, **settings)
    alone = [one(k) for k in range(n)]
    rng = np.random.default_rng(2)
    for step in range(20):
        u = rng.normal(size=(n, 1))
        if step in (5, 9):
            sims.reset([2, 7, step])
            for k in (2, 7, step):
                alone[k] = one(k)
        sims.step(0.01, u)
        for k, sim in enumerate(alone):
            sim.step(0.01, {"F": u[k, 0]})
            assert sims.time[k] == sim.time
            assert (*sims.x[k], *sims.y[k]) == pytest.approx(sim.get("q", "w", "E", "L"), rel=2e-13, abs=2e-13)


def test_the_energy_of_pendulums_stays(pendulum: cutset.Model) -> None:
    sims = pendulum.simulators(16, initial={"q": np.linspace(0.1, 3.0, 16)}, method="rk4", max_step=1e-3)
    first = -9.81 * np.cos(np.linspace(0.1, 3.0, 16))
    for _ in range(100):
        sims.step(0.01)
    assert np.abs(sims["E"] - first).max() < 1e-9 and np.ptp(sims["q"]) > 1.0


def test_a_policy_in_numpy_holds_pendulums_upright() -> None:
    """The law u = -K x of a linear model: its solution is that of the matrix exponential."""
    text = "model M\n  input u\n  local x (start=1), v (start=0)\n  der(x) = v\n  der(v) = x + u\nend\n"
    starts = np.linspace(-1.0, 1.0, 5)
    sims = cutset.loads(text).simulators(5, initial={"x": starts}, method="rk4", max_step=1e-2)
    gain = np.array([[3.0, 2.0]])
    for _ in range(100):
        sims.step(0.05, -sims.x @ gain.T)
    # held for 0.05 s: x' = F x with F = exp(A T) - (integral of exp(A s) B) K
    a, s, c = 0.05, np.sinh(0.05), np.cosh(0.05)
    loop = np.array([[c, s], [s, c]]) - np.array([[c - 1.0], [s]]) @ gain
    expected = np.outer(starts, np.linalg.matrix_power(loop, 100)[:, 0])
    assert np.abs(sims.x - expected).max() < 1e-9 and sims.time == pytest.approx(100 * a)


def test_a_row_whose_step_fails_stands_still_until_a_reset() -> None:
    text = "model M\n  parameter a = 1\n  local x (start=1)\n  der(x) = a*x^2\nend\n"
    sims = cutset.loads(text).simulators(3, parameters={"a": [0.1, 1.0, 0.1]})
    sims.step(0.5)
    sims.step(1.0)
    assert list(sims.failed) == [1] and sims.failed[1].startswith("E6")
    assert sims.time.tolist() == [1.5, 0.5, 1.5] and sims.x[1, 0] == pytest.approx(2.0, rel=1e-5)
    sims.reset([1], parameters={"a": 0.2})
    assert not sims.failed
    sims.step(1.0)
    assert sims.x[1, 0] == pytest.approx(1.25, rel=1e-5) and sims.time[1] == 1.0


def test_a_row_takes_the_end_of_a_single_step_where_c_cannot(pendulum: cutset.Model) -> None:
    sims = pendulum.simulators(2, initial={"q": [0.1, 0.2]}, method="rk4", max_step=1e-3)
    sims.x[1, 1] = 0.7
    sims.u[1] = 2.0
    sims._alone(1, 0.1)
    other = pendulum.simulators(2, initial={"q": [0.1, 0.2]}, method="rk4", max_step=1e-3)
    other.x[1, 1] = 0.7
    other.step(0.1, np.array([[0.0], [2.0]]))
    assert sims.x[1] == pytest.approx(other.x[1], rel=1e-13) and sims.time.tolist() == [0.0, 0.1]


@pytest.mark.parametrize("is_long", [False, True])
def test_ctrl_c_ends_a_step(is_long: bool) -> None:
    """In the calling thread, and while others do the rows; afterwards the rows go on from where each is."""
    text = "model M\n  local x (start=1), v (start=0)\n  der(x) = v\n  der(v) = if x > 2 then 0 else -x\nend\n"
    sims = cutset.loads(text).simulators(4, method="dopri5", workers=2)
    sims._is_long = is_long
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored
    try:
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
            sims.step(1e9)
    finally:
        signal.signal(signal.SIGINT, before)
    assert sims.time.tolist() == [0.0] * 4
    sims.step(np.pi)
    assert sims["x"] == pytest.approx(np.full(4, -1.0), abs=1e-5) and not sims.failed


def test_steps_of_no_run_do_nothing() -> None:
    text = 'model M\n  local x (start=0)\n  der(x) = 1\n  terminate x > 0.5, "far"\nend\n'
    sims = cutset.loads(text).simulators(3, workers=2)
    for _ in range(3):
        sims._is_long = True
        sims.step(1.0)
    assert sims.terminated.all() and sims.time == pytest.approx(np.full(3, 0.5), abs=1e-6)


def test_what_is_wrong_is_said(pendulum: cutset.Model, ball: cutset.Model) -> None:
    sims = pendulum.simulators(3, initial={"q": 0.1})
    for change, text in [
        (lambda: sims.step(0.0), "greater than 0"),
        (lambda: sims.step(0.1, np.full((3, 1), np.nan)), "'F' of run 0"),
        (lambda: sims.reset(parameters={"m": 2.0}), "also give"),
        (lambda: sims.reset(initial={"q": np.nan}), "finite"),
        (lambda: sims["nothing"], "nothing"),
        (lambda: pendulum.simulators(0), "at least 1"),
        (lambda: pendulum.simulators(3, initial={"q": [1.0, 2.0]}), "there are 3 runs"),
        (lambda: pendulum.simulators(3, inputs={"F": np.sin}), "must be a number"),
        (lambda: cutset.loads("model M\n  local x\n  x = delay(time, 0.1)\nend").simulators(2), "delays"),
        (lambda: pendulum.simulators(3, method="bdf"), "bdf"),
        (lambda: ball.simulators(2, parameters={"nothing": 1.0}), "nothing"),
    ]:
        with pytest.raises(RunError, match=text):
            change()
    assert sims.time.tolist() == [0.0] * 3
