/* Random numbers from a seed, a stream and a count, as contract/random_numbers.py computes them, with the same
   operations in the same order: Philox4x64-10, and the inverse of the normal distribution (AS 241). */

#ifndef CUTSET_RANDOM_H
#define CUTSET_RANDOM_H

#include <math.h>

/* Contracted products and sums would round otherwise; a compiler for which this line is unknown needs
   -ffp-contract=off. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

typedef unsigned long long cutset_word;

/* The product of two words: its lower half, and the upper one in *high. */
static inline cutset_word cutset_product(cutset_word a, cutset_word b, cutset_word *high)
{
    const cutset_word half = 0xffffffffULL;
    cutset_word low = (a & half) * (b & half), left = (a >> 32) * (b & half), right = (a & half) * (b >> 32);
    cutset_word middle = (low >> 32) + (left & half) + (right & half);
    *high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32);
    return a * b;
}

static inline cutset_word cutset_first_word(double seed, double stream, double k)
{
    cutset_word a = (cutset_word)(long long)floor(k), b = (cutset_word)(long long)floor(stream), c = 0, d = 0;
    cutset_word first = (cutset_word)(long long)floor(seed), second = 0, low, high, of_a, of_c;
    int round;
    for (round = 0; round < 10; round++) {
        low = cutset_product(a, 0xD2E7470EE14C6C93ULL, &of_a);
        high = cutset_product(c, 0xCA5A826395121157ULL, &of_c);
        a = of_c ^ b ^ first, b = high, c = of_a ^ d ^ second, d = low;
        first += 0x9E3779B97F4A7C15ULL, second += 0xBB67AE8584CAA73BULL;
    }
    return a;
}

static inline double cutset_polynomial(const double *coefficients, double r)
{
    double value = 0.0;
    int i;
    for (i = 0; i < 8; i++) value = value * r + coefficients[i];
    return value;
}

/* The natural logarithm of a number between 0 and 1. */
static inline double cutset_logarithm(double x)
{
    static const double terms[] = {
        1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
        2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01, 0.0,
    };
    int exponent;
    double f, s, half, rest, mantissa = frexp(x, &exponent);
    if (mantissa < 0.7071067811865476) mantissa = 2.0 * mantissa, exponent -= 1;
    f = mantissa - 1.0;
    s = f / (2.0 + f);
    half = 0.5 * f * f;
    rest = s * (half + cutset_polynomial(terms, s * s));
    return exponent * 6.93147180369123816490e-01 - ((half - (rest + exponent * 1.90821492927058770002e-10)) - f);
}

static inline double cutset_normal_quantile(double p)
{
    static const double center[] = {
        2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
        13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608,
        5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
        5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0,
    };
    static const double side[] = {
        7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258,
        3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734,
        1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
        0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1.0,
    };
    static const double tail[] = {
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093,
        0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772,
        2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
        0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1.0,
    };
    double r, x, q = p - 0.5;
    if (fabs(q) <= 0.425) {
        r = 0.180625 - q * q;
        return q * (cutset_polynomial(center, r) / cutset_polynomial(center + 8, r));
    }
    r = sqrt(-cutset_logarithm(q < 0.0 ? p : 1.0 - p));
    if (r <= 5.0) x = cutset_polynomial(side, r - 1.6) / cutset_polynomial(side + 8, r - 1.6);
    else x = cutset_polynomial(tail, r - 5.0) / cutset_polynomial(tail + 8, r - 5.0);
    return q < 0.0 ? -x : x;
}

static inline int cutset_are_counts(double seed, double stream, double k)
{
    const double limit = 9007199254740992.0;
    return fabs(seed) < limit && fabs(stream) < limit && fabs(k) < limit;
}

static inline double cutset_random_uniform(double seed, double stream, double k)
{
    if (!cutset_are_counts(seed, stream, k)) return NAN;
    return (double)(cutset_first_word(seed, stream, k) >> 11) * (1.0 / 9007199254740992.0);
}

static inline double cutset_random_normal(double seed, double stream, double k)
{
    if (!cutset_are_counts(seed, stream, k)) return NAN;
    return cutset_normal_quantile(((double)(cutset_first_word(seed, stream, k) >> 12) + 0.5) * (1.0 / 4503599627370496.0));
}

#endif
