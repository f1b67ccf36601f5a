/* Vectors with one number for each of several runs, and the functions on them. The generated lanes.c includes it.

   Sine and cosine follow the kernels and the reduction of fdlibm (k_sin.c, k_cos.c, e_rem_pio2.c, Sun Microsystems 1993),
   without branches: the error is below one unit in the last place. Large angles are left to the C library. */

#ifndef CUTSET_LANES_H
#define CUTSET_LANES_H

#include "cutset_support.h"

#ifndef CUTSET_LANES
#define CUTSET_LANES 4
#endif

typedef double cutset_number;
typedef double cutset_lane __attribute__((vector_size(8 * CUTSET_LANES)));
typedef long long cutset_bits __attribute__((vector_size(8 * CUTSET_LANES)));

/* The type of constants: one for all runs, or one for each. */
#ifdef CUTSET_ONE_FOR_ALL
typedef double cutset_constant;
#else
typedef cutset_lane cutset_constant;
#endif

/* A number or a vector as a vector; the difference keeps the sign of zero. */
#define cutset_wide(x) ((x) - (cutset_lane){0.0})

/* The sine and cosine of a + b for |a| <= pi/4 and a small b. */
static inline void lane_kernels(cutset_lane a, cutset_lane b, cutset_lane *sine, cutset_lane *cosine)
{
    cutset_lane z = a * a, v = z * a, w = z * z, half = 0.5 * z, rest;
    cutset_lane s = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * (2.75573137070700676789e-06
                    + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    cutset_lane c = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05))
                    + w * w * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
    *sine = a - ((z * (0.5 * b - v * s) - b) - v * -1.66666666666666324348e-01);
    rest = 1.0 - half;
    *cosine = rest + (((1.0 - rest) - half) + (z * c - a * b));
}

static inline void lane_sincos(cutset_lane x, cutset_lane *sine, cutset_lane *cosine)
{
    const double largest = 8e5, shift = 6755399441055744.0; /* 1.5*2^52: the sum has the nearest whole number in its last bits */
    const cutset_lane shifted = x * 6.36619772367581382433e-01 + shift, n = shifted - shift;
    union { cutset_lane numbers; cutset_bits bits; } turns, s, c, swapped_s, swapped_c, size;
    cutset_lane t, r, w, a, b, whole, part;
    cutset_bits odd, s_sign, c_sign;
    int k, is_large = 0;
    /* x - n*pi/2 in three parts of pi/2 of 33 bits each, and the rest of the last one */
    t = x - n * 1.57079632673412561417e+00;
    w = n * 6.07710050630396597660e-11;
    r = t - w;
    w = n * 2.02226624879595063154e-21 - ((t - r) - w);
    a = r - w;
    b = (r - a) - w;
    lane_kernels(a, b, &whole, &part);
    turns.numbers = shifted;
    odd = -(turns.bits & 1);
    s_sign = (turns.bits & 2) << 62;
    c_sign = ((turns.bits + 1) & 2) << 62;
    s.numbers = whole;
    c.numbers = part;
    swapped_s.bits = ((s.bits & ~odd) | (c.bits & odd)) ^ s_sign;
    swapped_c.bits = ((c.bits & ~odd) | (s.bits & odd)) ^ c_sign;
    *sine = swapped_s.numbers;
    *cosine = swapped_c.numbers;
    size.numbers = x;
    for (k = 0; k < CUTSET_LANES; k++) is_large |= !(fabs(size.numbers[k]) < largest);
    for (k = 0; is_large && k < CUTSET_LANES; k++)
        if (!(fabs(x[k]) < largest)) (*sine)[k] = sin(x[k]), (*cosine)[k] = cos(x[k]);
}

static inline cutset_lane lane_sin(cutset_lane x)
{
    cutset_lane s, c;
    lane_sincos(x, &s, &c);
    return s;
}

static inline cutset_lane lane_cos(cutset_lane x)
{
    cutset_lane s, c;
    lane_sincos(x, &s, &c);
    return c;
}

/* Solves A*z = b for each run, as cutset_solve: pivots differ from run to run. */
static inline void lane_solve(int n, int lower, int upper, cutset_lane *A, cutset_lane *b)
{
    const int band = 2 * lower + upper + 1, width = band < n ? band : n;
    int i, k;
    for (k = 0; k < CUTSET_LANES; k++) {
        double matrix[n * width], right[n];
        for (i = 0; i < n * width; i++) matrix[i] = A[i][k];
        for (i = 0; i < n; i++) right[i] = b[i][k];
        cutset_solve(n, lower, upper, matrix, right);
        for (i = 0; i < n; i++) b[i][k] = right[i];
    }
}

#endif
