"""Computes random numbers from a seed, a stream and a count: (seed, stream, k) -> a number, always the same one.

The generator is Philox4x64-10 (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel Random Numbers: As Easy as
1, 2, 3, SC11), which is also in numpy: the key is the seed, the counter holds k and the stream. There is no state that
a run could lose or repeat. The C target has the same operations in random.h, and they use no function of a C
library except the square root, whose rounding IEEE 754 defines; so all targets compute equal bits.
"""

from __future__ import annotations

import hashlib
import math

_64_BITS = (1 << 64) - 1
_MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_KEY_STEPS = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
_LIMIT = 2.0**53


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Ten rounds of Philox4x64: four words of 64 bits from the counter and the key."""
    a, b, c, d = counter
    k, m = key
    for _ in range(10):
        low, high = a * _MULTIPLIERS[0], c * _MULTIPLIERS[1]
        a, b, c, d = (high >> 64) ^ b ^ k, high & _64_BITS, (low >> 64) ^ d ^ m, low & _64_BITS
        k, m = (k + _KEY_STEPS[0]) & _64_BITS, (m + _KEY_STEPS[1]) & _64_BITS
    return a, b, c, d


def _word(x: float) -> int:
    """The whole number at or below x as 64 bits; ValueError if doubles do not hold all whole numbers of this size."""
    if not abs(x) < _LIMIT:
        raise ValueError("not a number of a random stream")
    return math.floor(x) & _64_BITS


def _first_word(seed: float, stream: float, k: float) -> int:
    return philox((_word(k), _word(stream), 0, 0), (_word(seed), 0))[0]


def random_uniform(seed: float, stream: float, k: float) -> float:
    """Number k of a stream, uniform in [0, 1): a multiple of 2^-53. ValueError if an argument is 2^53 or more."""
    return (_first_word(seed, stream, k) >> 11) * 2.0**-53


def random_normal(seed: float, stream: float, k: float) -> float:
    """Number k of a stream, normal with mean 0 and variance 1: the inverse of the distribution at a uniform number."""
    return normal_quantile(((_first_word(seed, stream, k) >> 12) + 0.5) * 2.0**-52)


def stream_number(name: str) -> int:
    """The number of the random stream with this name, below 2^52: different names practically never share one."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> 12


# M. J. Wichura: Algorithm AS 241, The Percentage Points of the Normal Distribution, Applied Statistics 37 (1988):
# the coefficients of numerator and denominator, highest power first.
_CENTER = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457, 13731.693765509461125,
     1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    (5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867, 5394.1960214247511077,
     687.1870074920579083, 42.313330701600911252, 1.0),
)  # fmt: skip
_SIDE = (
    (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258,
     3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
     0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1.0),
)  # fmt: skip
_TAIL = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093,
     0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
     0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1.0),
)  # fmt: skip
# The logarithm as in e_log.c of fdlibm, of numbers below 1; ln 2 in two parts, and its polynomial.
_LN2 = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_LOG = (
    1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
    2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01, 0.0,
)  # fmt: skip


def normal_quantile(p: float) -> float:
    """The number below which a normal number is with the probability p, 0 < p < 1."""
    q = p - 0.5
    if abs(q) <= 0.425:
        return q * _ratio(_CENTER, 0.180625 - q * q)
    r = math.sqrt(-_logarithm(p if q < 0.0 else 1.0 - p))
    x = _ratio(_SIDE, r - 1.6) if r <= 5.0 else _ratio(_TAIL, r - 5.0)
    return -x if q < 0.0 else x


def _ratio(polynomials: tuple[tuple[float, ...], tuple[float, ...]], r: float) -> float:
    return _polynomial(polynomials[0], r) / _polynomial(polynomials[1], r)


def _polynomial(coefficients: tuple[float, ...], r: float) -> float:
    value = 0.0
    for coefficient in coefficients:
        value = value * r + coefficient
    return value


def _logarithm(x: float) -> float:
    mantissa, exponent = math.frexp(x)
    if mantissa < 0.7071067811865476:
        mantissa, exponent = 2.0 * mantissa, exponent - 1
    f = mantissa - 1.0
    s = f / (2.0 + f)
    half = 0.5 * f * f
    rest = s * (half + _polynomial(_LOG, s * s))
    return exponent * _LN2[0] - ((half - (rest + exponent * _LN2[1])) - f)
