/* Functions that a generated model.c may call. In: doubles; out: doubles. No allocation, no input or output, and no
   state except the reason why a function has no value.

   The Python target calls functions of the same names with the same order of operations (runtime/targets/python_model.py). */

#ifndef CUTSET_SUPPORT_H
#define CUTSET_SUPPORT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for sincos; the standard headers must come after it */
#endif
#include <float.h>
#include <math.h>
#include <string.h>

#ifdef __TINYC__ /* which has no constant with the sign of INFINITY changed */
#undef INFINITY
#define INFINITY (1.0 / 0.0)
#define CUTSET_BELOW_ALL (-1.0 / 0.0)
#else
#define CUTSET_BELOW_ALL (-INFINITY)
#endif

/* Marks variables of which each thread has its own, if the compiler knows such variables. */
#ifndef CUTSET_SHARED
#ifdef __TINYC__
#define CUTSET_SHARED
#else
#define CUTSET_SHARED _Thread_local
#endif
#endif

/* Marks functions that run once in a run. A compiler may be told not to optimize them, which would take longer. */
#ifndef CUTSET_ONCE
#define CUTSET_ONCE
#endif

/* NaN stays NaN: an undefined argument must not become a value. */
static inline double cutset_sign(double x) { return isnan(x) ? x : (double)((x > 0.0) - (x < 0.0)); }
static inline double cutset_min(double a, double b) { return a < b || isnan(a) ? a : b; }
static inline double cutset_max(double a, double b) { return a > b || isnan(a) ? a : b; }

/* Why a function of the model had no value: the number of a message in model.json, kept until the runtime reads it. */
extern CUTSET_SHARED int cutset_fault;
/* Bit k is set if system k has left unknowns undetermined. */
extern CUTSET_SHARED unsigned long cutset_open;

static inline double cutset_fail(int fault)
{
    cutset_fault = fault;
    return NAN;
}

/* Calls Python function k: elements a of its arguments -> results r[0..n-1]. The runtime sets it before it
   evaluates. */
extern CUTSET_SHARED void (*cutset_external)(int k, const double *a, double *r);
static inline void cutset_call_external(int k, const double *a, double *r, int n)
{
    int i;
    for (i = 0; i < n; i++) r[i] = NAN;
    if (cutset_external) cutset_external(k, a, r);
}

#include "random.h"

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0 && !defined(__FAST_MATH__)
#define CUTSET_NUMBER double
#define CUTSET_BITS unsigned long long
#define CUTSET_OF(name) cutset_##name
#include "sincos.h"
#endif

/* Sine and cosine of one angle together cost little more than one of them. Without calls, a processor computes those of
   several angles at once. */
static inline void cutset_sincos(double x, double *s, double *c)
{
#ifdef CUTSET_LARGEST_ANGLE
    cutset_reduced_sincos(x, s, c);
    if (fabs(x) < CUTSET_LARGEST_ANGLE) return;
#endif
#ifdef __GLIBC__
    sincos(x, s, c);
#else
    *s = sin(x);
    *c = cos(x);
#endif
}

/* The segment of a table that contains x: the largest k < n-1 with p[k] <= x, or 0. A table of n points has its
   ascending xs in p[0..n-1], followed by its ys. */
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

/* Slope of the segment that contains x; at a point, that of the segment after it. */
static inline double cutset_interp1_slope(double x, int n, const double *p)
{
    int k = cutset_line(x, n, p);
    return (p[n + k + 1] - p[n + k]) / (p[k + 1] - p[k]);
}

/* Linear interpolation at x; the outer segments are extrapolated. */
static inline double cutset_interp1(double x, int n, const double *p)
{
    int k = cutset_line(x, n, p);
    return p[n + k] + (p[n + k + 1] - p[n + k]) / (p[k + 1] - p[k]) * (x - p[k]);
}

/* Tables of two variables, see contract/interpolation.py: nx, ny, the xs, the ys, the values. */
struct cutset_cell {
    double u, v, dx, dy;
    const double *low, *high; /* the values at the lower and at the upper x */
};

static inline struct cutset_cell cutset_cell_at(double x, double y, const double *p)
{
    int nx = (int)p[0], ny = (int)p[1];
    const double *xs = p + 2, *ys = xs + nx;
    int i = cutset_line(x, nx, xs), j = cutset_line(y, ny, ys);
    struct cutset_cell c;
    c.dx = xs[i + 1] - xs[i], c.dy = ys[j + 1] - ys[j];
    c.u = (x - xs[i]) / c.dx, c.v = (y - ys[j]) / c.dy;
    c.low = ys + ny + i * ny + j, c.high = c.low + ny;
    return c;
}

static inline double cutset_interp2(double x, double y, int n, const double *p)
{
    struct cutset_cell c = cutset_cell_at(x, y, p);
    double low = c.low[0] + c.v * (c.low[1] - c.low[0]), high = c.high[0] + c.v * (c.high[1] - c.high[0]);
    (void)n;
    return low + c.u * (high - low);
}

static inline double cutset_interp2_x(double x, double y, int n, const double *p)
{
    struct cutset_cell c = cutset_cell_at(x, y, p);
    double low = c.low[0] + c.v * (c.low[1] - c.low[0]), high = c.high[0] + c.v * (c.high[1] - c.high[0]);
    (void)n;
    return (high - low) / c.dx;
}

static inline double cutset_interp2_y(double x, double y, int n, const double *p)
{
    struct cutset_cell c = cutset_cell_at(x, y, p);
    double low = c.low[1] - c.low[0], high = c.high[1] - c.high[0];
    (void)n;
    return (low + c.u * (high - low)) / c.dy;
}

static inline double cutset_interp2_xy(double x, double y, int n, const double *p)
{
    struct cutset_cell c = cutset_cell_at(x, y, p);
    (void)n;
    return ((c.high[1] - c.high[0]) - (c.low[1] - c.low[0])) / (c.dx * c.dy);
}

/* Invalidates a table whose xs do not ascend: its ys become nan. */
static inline void cutset_check_table(int n, double *p)
{
    int k, wrong = 0;
    for (k = 1; k < n; k++) wrong |= !(p[k - 1] < p[k]);
    for (k = 0; wrong && k < n; k++) p[n + k] = NAN;
}

/* Solves A*z = b. A has `lower` diagonals below and `upper` above the main one and is destroyed; z replaces b.
   Gaussian elimination with partial pivoting, whose exchanges widen the upper band by `lower`. A is stored by rows,
   either fully, or, if that is less, 2*lower + upper + 1 elements of each row, from `lower` before the diagonal on.
   If A is singular, b becomes nan. */
static inline void cutset_solve(int n, int lower, int upper, double *A, double *b)
{
    const int reach = lower + upper, is_band = lower + reach + 1 < n;
    /* A[i*step + shift + j] is the element i, j. */
    const int step = is_band ? lower + reach : n, shift = is_band ? lower : 0;
    int i, j, k;
    for (k = 0; k < n; k++) {
        int below = n - 1 - k < lower ? n - 1 : k + lower;
        int right = n - 1 - k < reach ? n - 1 : k + reach;
        int pivot = k;
        for (i = k + 1; i <= below; i++)
            if (fabs(A[i * step + shift + k]) > fabs(A[pivot * step + shift + k])) pivot = i;
        if (!(fabs(A[pivot * step + shift + k]) > 0.0)) {
            for (i = 0; i < n; i++) b[i] = NAN;
            return;
        }
        if (pivot != k) {
            double swap;
            for (j = k; j <= right; j++) {
                swap = A[k * step + shift + j];
                A[k * step + shift + j] = A[pivot * step + shift + j];
                A[pivot * step + shift + j] = swap;
            }
            swap = b[k];
            b[k] = b[pivot];
            b[pivot] = swap;
        }
        for (i = k + 1; i <= below; i++) {
            double factor = A[i * step + shift + k] / A[k * step + shift + k];
            for (j = k + 1; j <= right; j++) A[i * step + shift + j] -= factor * A[k * step + shift + j];
            b[i] -= factor * b[k];
        }
    }
    for (k = n - 1; k >= 0; k--) {
        int right = n - 1 - k < reach ? n - 1 : k + reach;
        for (j = k + 1; j <= right; j++) b[k] -= A[k * step + shift + j] * b[j];
        b[k] /= A[k * step + shift + k];
    }
}

/* Set to 1 if a value was computed beyond a crossing since the runtime set this to 0. */
extern CUTSET_SHARED int cutset_beyond;

/* True for a number. Else the present values of relations replace the held ones. */
static inline int cutset_finite(double value)
{
    if (isfinite(value)) return 1;
    cutset_beyond = 1;
    return 0;
}

#include "newton.h"

#endif
