/* Vectors with one number for each of several runs, and the functions on them. The generated lanes.c includes it. */

#ifndef CUTSET_LANES_H
#define CUTSET_LANES_H

#include "cutset_support.h"

#ifndef CUTSET_LANES
#define CUTSET_LANES 4
#endif

typedef double cutset_number;
typedef double cutset_lane __attribute__((vector_size(8 * CUTSET_LANES)));
typedef unsigned long long cutset_bits __attribute__((vector_size(8 * CUTSET_LANES)));

/* The type of constants: one for all runs, or one for each. */
#ifdef CUTSET_ONE_FOR_ALL
typedef double cutset_constant;
#else
typedef cutset_lane cutset_constant;
#endif

/* A number or a vector as a vector; the difference keeps the sign of zero. */
#define cutset_wide(x) ((x) - (cutset_lane){0.0})

#define CUTSET_NUMBER cutset_lane
#define CUTSET_BITS cutset_bits
#define CUTSET_OF(name) lane_##name
#include "sincos.h"

static inline void lane_sincos(cutset_lane x, cutset_lane *sine, cutset_lane *cosine)
{
    int k, is_large = 0;
    lane_reduced_sincos(x, sine, cosine);
    for (k = 0; k < CUTSET_LANES; k++) is_large |= !(fabs(x[k]) < CUTSET_LARGEST_ANGLE);
    for (k = 0; is_large && k < CUTSET_LANES; k++)
        if (!(fabs(x[k]) < CUTSET_LARGEST_ANGLE)) (*sine)[k] = sin(x[k]), (*cosine)[k] = cos(x[k]);
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
