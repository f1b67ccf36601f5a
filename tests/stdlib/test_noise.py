"""The sources and sensors of noise.mo: their distributions, spectra and errors; tests/export compares their bits."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import run_in_both
from numpy.testing import assert_allclose as close
from scipy import signal, stats

import cutset
from cutset.contract.random_numbers import random_normal, random_uniform, stream_number


@pytest.fixture
def simulate(write_model):
    def run(body: str, stop: float = 1.0, **options):
        return run_in_both(write_model, "@noise", f"internal seed = 4\n{body}", stop, **options)

    return run


def held(run, name: str, T: float, first: float = 0.0) -> np.ndarray:
    """The values between the samples."""
    instants = np.arange(first + T / 2, run.time[-1], T)
    return np.asarray(run[name])[np.searchsorted(run.time, instants, side="right") - 1]


def test_distributions(simulate):
    run = simulate(
        "submodel (UniformNoise) u(T=0.001, low=2, high=5)\nsubmodel (NormalNoise) n(T=0.001, mean=3, sigma=0.2)\n"
        "submodel (RandomBoolean) b(T=0.001, p=0.25)",
        stop=0.3,
    )
    uniform, normal, chosen = (held(run, f"{name}.y", 0.001) for name in "unb")
    assert stats.kstest(uniform, stats.uniform(2, 3).cdf).pvalue > 0.05
    assert stats.kstest(normal, stats.norm(3, 0.2).cdf).pvalue > 0.05
    assert len(chosen) == 300 and stats.binomtest(int(chosen.sum()), 300, 0.25).pvalue > 0.05
    assert np.array_equal(uniform, [2 + 3 * random_uniform(4, stream_number("u.y"), k) for k in range(300)])


def test_white_and_band_limited_noise(simulate):
    """The filter of held values is a digital filter: the one that holds its input over a sample, by scipy."""
    run = simulate(
        "submodel (WhiteNoise) w(T=0.01, S=0.3)\nsubmodel (BandLimitedNoise) b(n=3, f=2, S=0.3, T=0.01)\n"
        "submodel (RandomWalk) r(T=0.01, rate=2, y0=1)",
        stop=2.0,
    )
    white = held(run, "w.y", 0.01)
    assert white.std() == pytest.approx(np.sqrt(0.3 / 0.01), rel=0.15)
    system = signal.cont2discrete(signal.butter(3, 4 * np.pi, analog=True), 0.01, "zoh")
    expected = signal.lfilter(system[0].ravel(), system[1], held(run, "b.white.y", 0.01))
    close(np.interp(np.arange(1, 199) * 0.01, run.time, run["b.y"]), expected[1:199], atol=1e-6)
    normal = np.array([random_normal(4, stream_number("r.y"), k) for k in range(200)])
    close(held(run, "r.y", 0.01), 1 + 0.2 * np.cumsum(normal), atol=1e-12)


def test_errors_of_sensors(simulate):
    run = simulate(
        "submodel (Quantizer) q(step=0.25)\nsubmodel (Bias) b(bias=2)\nsubmodel (AddedNoise) n(sigma=0.1, T=0.05)\n"
        "q.u = 2*time\nb.u = time\nn.u = time",
        max_step=0.01,
    )
    inside = np.abs((2 * run.time / 0.25 + 0.5) % 1 - 0.5) < 0.49
    close(run["q.y"][inside], (0.25 * np.floor(2 * run.time / 0.25 + 0.5))[inside])
    close(run["b.y"], run.time + 2)
    noise = 0.1 * np.array([random_normal(4, stream_number("n.noise.y"), k) for k in range(20)])
    close(held(run, "n.noise.y", 0.05), noise)
    close(run["n.y"], run.time + run["n.noise.y"])


def test_sensor(simulate):
    """Samples of 3*u - 1 with noise, at 0.1, 0.3, ..., limited, rounded, and two samples late."""
    run = simulate(
        "submodel (Sensor) s(T=0.2, t0=0.1, gain=3, bias=-1, sigma=0.3, step=0.1, low=-0.5, high=4, late=2, y0=7)\n"
        "submodel (Sensor) plain(T=0.2)\ns.u = time\nplain.u = time",
        stop=3.0,
    )
    k = np.arange(13)
    noise = 0.3 * np.array([random_normal(4, stream_number("s.y"), i) for i in k])
    exact = np.clip(3 * (0.1 + 0.2 * k) - 1 + noise, -0.5, 4)
    expected = np.concatenate(([7.0, 7.0], 0.1 * np.floor(exact / 0.1 + 0.5)))
    assert {-0.5, 4.0} <= set(exact)
    close(held(run, "s.y", 0.2, 0.1)[: len(expected)], expected[: len(held(run, "s.y", 0.2, 0.1))], atol=1e-12)
    close(held(run, "plain.y", 0.2), 0.2 * np.arange(15), atol=1e-12)


@pytest.mark.parametrize("seed", [1.5, 2.0**53, -1e300])
def test_seeds_are_whole_numbers(write_model, seed: float) -> None:
    body = "submodel (NormalNoise) n(T=0.1)\nsubmodel (RandomBoolean) b(T=0.1)\nsubmodel (Sensor) s(T=0.1)\ns.u = 1"
    model = cutset.load(write_model(f"@noise\nmodel M\ninternal seed = 1\n{body}\nend\n"))
    with pytest.raises(cutset.RunError, match="the seed must be a whole number"):
        model.simulate(1.0, parameters={"seed": seed}, target="python")
