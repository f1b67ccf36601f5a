/* What a generated model.c may call. In: doubles; out: doubles. No allocation, no input or output, and no
   state but the reason why a function has no value.

   The Python target calls functions of the same names and the same order of operations (runtime/scripted.py). */

#ifndef CUTSET_SUPPORT_H
#define CUTSET_SUPPORT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for sincos; the standard headers must come after it */
#endif
#include <math.h>

static inline double cutset_sign(double x) { return (double)((x > 0.0) - (x < 0.0)); }
static inline double cutset_min(double a, double b) { return a < b ? a : b; }
static inline double cutset_max(double a, double b) { return a > b ? a : b; }

/* Why a function of the model had no value: the number of a text in model.json, kept until the runtime asks. */
extern int cutset_fault;
static inline double cutset_fail(int fault)
{
    cutset_fault = fault;
    return NAN;
}

/* Function k of those in Python: results r[0..n-1] of the elements a. The runtime connects it before it evaluates. */
extern void (*cutset_external)(int k, const double *a, double *r);
static inline void cutset_call_external(int k, const double *a, double *r, int n)
{
    int i;
    for (i = 0; i < n; i++) r[i] = NAN;
    if (cutset_external) cutset_external(k, a, r);
}

/* Sine and cosine of one angle together cost little more than one of them. */
static inline void cutset_sincos(double x, double *s, double *c)
{
#ifdef __GLIBC__
    sincos(x, s, c);
#else
    *s = sin(x);
    *c = cos(x);
#endif
}

/* The line of a table that x lies on: the largest k < n-1 with p[k] <= x, or 0. A table of n points has its ascending xs in
   p[0..n-1] and its ys behind them. */
static inline int cutset_line(double x, int n, const double *p)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x < p[middle]) high = middle;
        else low = middle;
    }
    return low;
}

/* Slope of the line that x lies on; at a point that of the line behind it. */
static inline double cutset_interp1_slope(double x, int n, const double *p)
{
    int k = cutset_line(x, n, p);
    return (p[n + k + 1] - p[n + k]) / (p[k + 1] - p[k]);
}

/* The value at x on the straight lines through the points; the outer lines go on beyond the ends. */
static inline double cutset_interp1(double x, int n, const double *p)
{
    int k = cutset_line(x, n, p);
    return p[n + k] + (p[n + k + 1] - p[n + k]) / (p[k + 1] - p[k]) * (x - p[k]);
}

/* A table whose xs do not ascend has no values: nan. */
static inline void cutset_check_table(int n, double *p)
{
    int k, wrong = 0;
    for (k = 1; k < n; k++) wrong |= !(p[k - 1] < p[k]);
    for (k = 0; wrong && k < n; k++) p[n + k] = NAN;
}

/* Solve A*z = b: A is n by n, row-major, and destroyed; z is left in b. Gaussian elimination with partial
   pivoting. A singular A leaves nan in all of b. */
static inline void cutset_solve(int n, double *A, double *b)
{
    int i, j, k;
    for (k = 0; k < n; k++) {
        int pivot = k;
        for (i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
        if (!(fabs(A[pivot * n + k]) > 0.0)) {
            for (i = 0; i < n; i++) b[i] = NAN;
            return;
        }
        if (pivot != k) {
            double swap;
            for (j = k; j < n; j++) {
                swap = A[k * n + j];
                A[k * n + j] = A[pivot * n + j];
                A[pivot * n + j] = swap;
            }
            swap = b[k];
            b[k] = b[pivot];
            b[pivot] = swap;
        }
        for (i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            for (j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (k = n - 1; k >= 0; k--) {
        for (j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
}

#endif
