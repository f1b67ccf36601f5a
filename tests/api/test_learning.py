"""Environments of gymnasium: its own checks, episodes that are exact, vectors equal to single ones."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import cutset
from cutset.runtime.errors import RunError, UnknownName
from cutset.runtime.targets.toolchain import find_compiler

pytest.importorskip("gymnasium")
pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

CART = """
model Cart
  parameter M = 1, m = 0.2, l = 0.5, g = 9.81
  input F
  local x (start=0), v (start=0), phi (start=0.1), w (start=0)
  der(x) = v
  der(phi) = w
  (M + m)*der(v) + m*l*(der(w)*cos(phi) - w^2*sin(phi)) = F
  l*der(w) + der(v)*cos(phi) = g*sin(phi)
end
"""
SETTINGS = {
    "observe": ["x", "v", "phi", "w"],
    "act": {"F": 10.0},
    "reward": "1 - phi^2 - 0.01*abs(F)",
    "every": 0.02,
    "until": "abs(phi) > 0.5",
    "stop": 0.4,
    "initial": {"phi": cutset.uniform(-0.2, 0.2), "w": 0.1},
    "method": "rk4",
    "max_step": 0.01,
}


@pytest.fixture(scope="module")
def model() -> cutset.Model:
    return cutset.loads(CART)


def test_the_checks_of_gymnasium(model: cutset.Model) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(normalized|infinity|spec).*")
        check_env(cutset.gymnasium(model, **{**SETTINGS, "act": {"F": (-1.0, 1.0)}}), skip_render_check=True)


def test_an_episode_is_a_run(model: cutset.Model) -> None:
    env = cutset.gymnasium(model, parameters={"m": cutset.normal(0.2, 0.01)}, **SETTINGS)
    first, _ = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    other, _ = env.reset()
    assert np.array_equal(first, again) and not np.array_equal(first, other) and abs(other[2]) <= 0.2
    phi, m = (float(env.episodes.sims._given[name][0]) for name in ("phi", "m"))
    sim = model.until("abs(phi) > 0.5").simulator({"m": m}, initial={"phi": phi, "w": 0.1}, method="rk4", max_step=0.01)
    for k in range(20):
        observed, reward, ended, truncated, _ = env.step(np.array([25.0 if k % 2 else -3.0]))
        sim.step(0.02, {"F": 10.0 if k % 2 else -3.0})  # within the limits
        assert observed == pytest.approx(sim.get("x", "v", "phi", "w"), rel=1e-6, abs=1e-7)
        assert reward == pytest.approx(1 - sim["phi"] ** 2 - 0.01 * abs(sim["F"]), rel=1e-12)
        assert (ended, truncated) == (False, k == 19)


def test_an_episode_ends_at_the_instant_of_its_condition(model: cutset.Model) -> None:
    env = cutset.gymnasium(model, **{**SETTINGS, "stop": None, "initial": {"phi": 0.3}})
    env.reset(seed=0)
    for _ in range(100):
        observed, _, ended, truncated, info = env.step(np.array([0.0]))
        if ended:
            break
    assert ended and not truncated and not info and observed[2] == pytest.approx(0.5, abs=1e-6)
    assert env.episodes.sims.time[0] % 0.02 > 1e-4


def test_a_condition_in_python_ends_an_episode_after_a_step(model: cutset.Model) -> None:
    own = {**SETTINGS, "until": lambda sims: np.abs(sims["phi"]) > 0.5, "stop": None, "initial": {"phi": 0.3}}
    env = cutset.gymnasium(model, **own)
    env.reset(seed=0)
    steps = [env.step(np.array([0.0])) for _ in range(20)]
    last = [ended for _, _, ended, _, _ in steps].index(True)
    assert steps[last - 1][0][2] <= 0.5 < steps[last][0][2]


def test_many_environments_begin_again_at_the_step_after_an_end(model: cutset.Model) -> None:
    env = cutset.gymnasium(model, n=5, **{**SETTINGS, "stop": 0.1})
    observed, _ = env.reset(seed=1)
    assert observed.shape == (5, 4) and env.action_space.shape == (5, 1)
    ends = np.zeros(5, dtype=int)
    over = np.zeros(5, dtype=bool)
    for _ in range(12):
        observed, reward, ended, truncated, _ = env.step(env.action_space.sample())
        assert (reward[over] == 0.0).all() and np.abs(observed[over, 2]).max(initial=0.0) <= 0.2
        assert np.allclose(env.episodes.sims.time[over], 0.0)
        over = ended | truncated
        ends += over
    assert ends.tolist() == [2] * 5


def test_an_episode_whose_step_fails_is_terminated() -> None:
    text = "model M\n  input u\n  local x (start=1)\n  der(x) = x^2 + u\nend\n"
    env = cutset.gymnasium(cutset.loads(text), "x", {"u": 1.0}, lambda sims: -sims["x"], 0.4)
    env.reset(seed=0)
    assert not env.step(np.array([0.0]))[2]
    _, _, ended, truncated, info = [env.step(np.array([0.0])) for _ in range(2)][-1]
    assert ended and not truncated and info["failed"][0].startswith("E6")
    env.reset()
    assert env.step(np.array([0.0]))[4] == {}


def test_wrong_names_are_said(model: cutset.Model) -> None:
    for change, kind in [
        ({"act": {"G": 1.0}}, RunError),
        ({"reward": "1 - psi^2"}, UnknownName),
        ({"observe": "psi"}, UnknownName),
        ({"until": "psi > 1"}, cutset.ModelError),
        ({"initial": {"psi": 0.1}}, RunError),
    ]:
        with pytest.raises(kind, match=r"psi|'G'"):
            cutset.gymnasium(model, **{**SETTINGS, **change})
    with pytest.raises(RunError, match="whole number from 1"):
        cutset.gymnasium(model, **{**SETTINGS, "n": 0})
