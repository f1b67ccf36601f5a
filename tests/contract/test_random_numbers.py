"""Random numbers: those of the published generator and of numpy, with the distributions that they claim."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy import stats

from cutset.contract.random_numbers import philox, random_normal, random_uniform, stream_number

ONES = (1 << 64) - 1
# The known answers of Random123 (kat_vectors, philox4x64 with 10 rounds): counter, key, words.
KNOWN = [
    (
        (0, 0, 0, 0),
        (0, 0),
        (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B),
    ),
    (
        (ONES, ONES, ONES, ONES),
        (ONES, ONES),
        (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0),
    ),
    (
        (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
        (0x452821E638D01377, 0xBE5466CF34E90C6C),
        (0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6),
    ),
]


@pytest.mark.parametrize("counter, key, words", KNOWN)
def test_published_answers(counter: tuple[int, ...], key: tuple[int, ...], words: tuple[int, ...]) -> None:
    assert philox(counter, key) == words  # type: ignore[arg-type]


def of_numpy(seed: int, stream: int, k: int) -> np.random.Philox:
    """numpy counts up before it computes a block."""
    return np.random.Philox(key=seed % 2**64, counter=(k % 2**64 + (stream % 2**64) * 2**64 - 1) % 2**256)


def test_numbers_are_those_of_numpy() -> None:
    drawn = np.random.default_rng(7).integers(-(2**53) + 1, 2**53, (200, 3)).tolist()
    for seed, stream, k in [(0, 0, 0), (1, 0, 1), (-1, -1, -1), *map(tuple, drawn)]:
        uniform = np.random.Generator(of_numpy(seed, stream, k)).random()
        assert random_uniform(float(seed), float(stream), float(k)) == uniform
        p = ((int(of_numpy(seed, stream, k).random_raw()) >> 12) + 0.5) * 2.0**-52
        with mpmath.workdps(40):
            expected = float(mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(p) - 1))
        assert random_normal(float(seed), float(stream), float(k)) == pytest.approx(expected, rel=2e-15)


def test_whole_numbers_count() -> None:
    assert random_uniform(1.0, 2.0, 3.9) == random_uniform(1.0, 2.0, 3.0) != random_uniform(1.0, 2.0, 2.9)
    for wrong in (2.0**53, float("nan"), float("-inf")):
        with pytest.raises(ValueError):
            random_normal(1.0, wrong, 1.0)


@pytest.mark.parametrize("seed, stream", [(1, 0), (2, stream_number("sensor.y"))])
def test_distributions(seed: int, stream: int) -> None:
    uniform = [random_uniform(seed, stream, k) for k in range(4000)]
    normal = [random_normal(seed, stream, k) for k in range(4000)]
    assert stats.kstest(uniform, "uniform").pvalue > 0.01
    assert stats.kstest(normal, "norm").pvalue > 0.01
    assert abs(stats.pearsonr(normal[:-1], normal[1:]).statistic) < 0.03


def test_streams_and_seeds_are_independent() -> None:
    first = [random_normal(1, stream_number("a.y"), k) for k in range(2000)]
    for seed, name in ((1, "b.y"), (1, "a.z"), (2, "a.y")):
        other = [random_normal(seed, stream_number(name), k) for k in range(2000)]
        assert abs(stats.pearsonr(first, other).statistic) < 0.05
    assert 0 <= stream_number("a.y") < 2**52
