/* Functions that a generated model.c may call. In: doubles; out: doubles. No allocation, no input or output, and no
   state except the reason why a function has no value.

   The Python target calls functions of the same names with the same order of operations (runtime/python_model.py). */

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

/* Tables of two variables, see contract/bilinear.py: nx, ny, the xs, the ys, the values. */
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

/* ---- systems of nonlinear equations ---- */

/* r[0..n-1] := the residuals at z, followed by their derivatives row by row. */
typedef void cutset_residuals(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                              const double *z, double *r);

/* The number of doubles in the array z of `cutset_newton`: the solution, followed by work memory. Of its guess: n
   values, the orientation of the branch (the sign of the determinant of the derivatives there, 0: not known yet),
   and n nominal values. */
#define CUTSET_NEWTON_SIZE(n) (2 * (n) * (n) + 14 * (n))
#define CUTSET_GUESS_SIZE(n) (2 * (n) + 1)

/* `cutset_careful`: solve systems only on the branch of the guess. `cutset_lost`: set to 1 if a system was not
   solved on it since the runtime set this to 0. `cutset_beyond`: likewise, if a value was computed beyond a crossing. */
extern CUTSET_SHARED int cutset_careful, cutset_lost, cutset_beyond;

/* True for a number. Else the present values of relations replace the held ones. */
static inline int cutset_finite(double value)
{
    if (isfinite(value)) return 1;
    cutset_beyond = 1;
    return 0;
}

/* One system at one instant; all arrays from z on are work memory. The equations to solve are f(z) - rest*f(base),
   with f(base) in `offset`. */
struct cutset_system {
    int n;
    cutset_residuals *f;
    double t;
    const double *x, *u, *c, *m;
    double *w;
    const double *nominal;
    double *z, *trial, *step, *next_step, *rows, *pivots, *offset, *before, *change, *bend, *scale, *lu, *r;
    double rest, orientation, begun; /* orientation of the latest and of the first factors */
    int careful;
};

/* r := residuals and derivatives at z; true if all are finite. */
static inline int cutset_look(const struct cutset_system *s, const double *z)
{
    int i, n = s->n;
    s->f(s->t, s->x, s->u, s->c, s->m, s->w, z, s->r);
    for (i = 0; i < n; i++) s->r[i] -= s->rest * s->offset[i];
    for (i = 0; i < n + n * n; i++)
        if (!isfinite(s->r[i])) return 0;
    return 1;
}

/* lu := factors of the derivatives in r, with rows scaled to 1 and exchanged for the largest pivots; 0 if singular. */
static inline int cutset_factor(struct cutset_system *s)
{
    int i, j, k, n = s->n;
    double *A = s->lu;
    s->orientation = 1.0;
    for (i = 0; i < n; i++) {
        double size = 0.0;
        for (j = 0; j < n; j++) size = cutset_max(size, fabs(s->r[n + i * n + j]));
        if (!(size > 0.0)) return 0;
        s->rows[i] = size;
        for (j = 0; j < n; j++) A[i * n + j] = s->r[n + i * n + j] / size;
    }
    for (k = 0; k < n; k++) {
        int pivot = k;
        for (i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
        s->pivots[k] = (double)pivot;
        if (!(fabs(A[pivot * n + k]) > 0.0)) return 0;
        if ((pivot != k) != (A[pivot * n + k] < 0.0)) s->orientation = -s->orientation;
        for (j = 0; j < n && pivot != k; j++) {
            double swap = A[k * n + j];
            A[k * n + j] = A[pivot * n + j];
            A[pivot * n + j] = swap;
        }
        for (i = k + 1; i < n; i++) {
            double factor = A[i * n + k] /= A[k * n + k];
            for (j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return 1;
}

/* step := minus the inverse of the factored matrix times the residuals. */
static inline void cutset_correction(const struct cutset_system *s, const double *residuals, double *step)
{
    int i, j, k, n = s->n;
    for (i = 0; i < n; i++) step[i] = -residuals[i] / s->rows[i];
    for (k = 0; k < n; k++) {
        int pivot = (int)s->pivots[k];
        double swap = step[k];
        step[k] = step[pivot];
        step[pivot] = swap;
    }
    for (k = 0; k < n; k++)
        for (i = k + 1; i < n; i++) step[i] -= s->lu[i * n + k] * step[k];
    for (k = n - 1; k >= 0; k--) {
        for (j = k + 1; j < n; j++) step[k] -= s->lu[k * n + j] * step[j];
        step[k] /= s->lu[k * n + k];
    }
}

/* scale[j] := the change of z[j] that matters as much as all terms of some row of the derivatives in r, by the sizes
   of z and of the trial step. An unknown near zero among large ones has no scale of its own, since it may be pure
   rounding. */
static inline void cutset_measure(const struct cutset_system *s)
{
    int i, j, n = s->n;
    for (j = 0; j < n; j++) s->scale[j] = INFINITY;
    for (i = 0; i < n; i++) {
        const double *row = s->r + n + i * n;
        double sum = 0.0;
        for (j = 0; j < n; j++) sum += fabs(row[j]) * (fabs(s->z[j]) + fabs(s->step[j]) + 1e-14 * s->nominal[j]);
        for (j = 0; j < n; j++)
            if (row[j] != 0.0) s->scale[j] = cutset_min(s->scale[j], sum / fabs(row[j]));
    }
}

/* The largest element of `change` relative to `scale`, without the part of it that may be rounding of an unknown which
   is zero. */
static inline double cutset_size(const struct cutset_system *s, const double *change)
{
    double size = 0.0;
    int i;
    for (i = 0; i < s->n; i++) size = cutset_max(size, (fabs(change[i]) - 1e-14 * s->nominal[i]) / s->scale[i]);
    return size;
}

/* True if no element of `change` matters next to z: `accuracy` of it, or `least` of its nominal value. */
static inline int cutset_small(const struct cutset_system *s, const double *change, double accuracy, double least)
{
    int i;
    for (i = 0; i < s->n; i++)
        if (!(fabs(change[i]) <= accuracy * fabs(s->z[i]) + least * s->nominal[i])) return 0;
    return 1;
}

/* True if rounding of the unknowns at the end of a full step explains all residuals in r: each is below the effect
   of a few units in the last place of the unknowns. */
static inline int cutset_is_noise(const struct cutset_system *s)
{
    int i, j, n = s->n;
    for (i = 0; i < n; i++) {
        double noise = 0.0;
        for (j = 0; j < n; j++) noise += fabs(s->r[n + i * n + j] * s->trial[j]);
        if (!(fabs(s->r[i]) <= 1e-15 * noise)) return 0;
    }
    return 1;
}

/* True if rounding keeps the residuals in r, at the end of a full step, from being smaller: it explains them, or the
   derivatives have not changed enough during the step to explain the remaining correction `next`. `before` holds the
   residuals at its start. */
static inline int cutset_is_rounding(const struct cutset_system *s, double next)
{
    int i, j, n = s->n;
    if (cutset_is_noise(s)) return 1;
    if (!cutset_small(s, s->step, 1e-5, 1e-5)) return 0;
    for (i = 0; i < n; i++) {
        s->change[i] = s->before[i];
        for (j = 0; j < n; j++) s->change[i] += s->r[n + i * n + j] * s->step[j];
    }
    cutset_correction(s, s->change, s->bend);
    return cutset_size(s, s->bend) <= 0.25 * next;
}

/* Newton's method from z, which becomes the solution; 0 if it does not converge. The step is damped until the
   correction that would follow with the same derivatives is smaller: the natural monotonicity test (P. Deuflhard,
   Newton Methods for Nonlinear Problems, Springer 2004, 3.3). If a tiny step brings no progress, the rest is
   rounding. A careful iteration is not damped, and must halve the correction in each step, as when following a
   branch (there, 5.1). */
static inline int cutset_iterate(struct cutset_system *s, int most)
{
    int i, k, n = s->n;
    double damping = 1.0;
    for (k = 0; k < most; k++) {
        double size, next;
        /* In later rounds r holds the values of the trial before. */
        if ((k == 0 && !cutset_look(s, s->z)) || !cutset_factor(s)) return 0;
        if (s->begun == 0.0) s->begun = s->orientation;
        for (i = 0; i < n; i++) s->before[i] = s->r[i];
        cutset_correction(s, s->r, s->step);
        if (cutset_small(s, s->step, 1e-14, 1e-14)) {
            for (i = 0; i < n; i++) s->z[i] += s->step[i];
            return 1;
        }
        cutset_measure(s);
        size = cutset_size(s, s->step);
        if (!isfinite(size)) return 0;
        damping = cutset_small(s, s->step, 1e-5, 1e-5) ? 1.0 : cutset_min(1.0, 4.0 * damping);
        for (;; damping *= 0.5) {
            if (damping < (s->careful ? 1.0 : 1e-10)) return 0;
            for (i = 0; i < n; i++) s->trial[i] = s->z[i] + damping * s->step[i];
            if (!cutset_look(s, s->trial)) continue;
            cutset_correction(s, s->r, s->next_step);
            next = cutset_size(s, s->next_step);
            if (next <= (s->careful ? 0.5 : 1.0 - 0.25 * damping) * size
                && !(damping == 1.0 && next > 0.1 * size && cutset_is_rounding(s, next))) break;
            if (damping == 1.0 && (cutset_small(s, s->step, s->careful ? 1e-13 : 1e-9, 1e-14) || cutset_is_rounding(s, next))) {
                int better = next < size || cutset_is_rounding(s, next);
                for (i = 0; i < n && better; i++) s->z[i] += s->step[i];
                return 1;
            }
        }
        for (i = 0; i < n; i++) s->z[i] = s->trial[i];
        if (damping == 1.0 && cutset_small(s, s->next_step, 1e-12, 1e-14)) {
            for (i = 0; i < n; i++) s->z[i] += s->next_step[i];
            return 1;
        }
    }
    return 0;
}

/* Follows the solution from z, where f(z) - f(base) is zero, to f(z) = 0, with steps that suit the iteration. */
static inline int cutset_follow(struct cutset_system *s, double *kept)
{
    double done = 0.0, stride = 0.125;
    int i, tries, n = s->n;
    s->rest = 0.0;
    for (i = 0; i < n; i++) s->offset[i] = 0.0;
    if (!cutset_look(s, s->z)) return 0;
    for (i = 0; i < n; i++) s->offset[i] = s->r[i];
    for (tries = 0; tries < 100 && stride > 1e-7; tries++) {
        double next = cutset_min(1.0, done + stride);
        for (i = 0; i < n; i++) kept[i] = s->z[i];
        s->rest = 1.0 - next;
        if (cutset_iterate(s, next < 1.0 ? 10 : 50)) {
            if (next == 1.0) return 1;
            done = next;
            stride *= 2.0;
        } else {
            for (i = 0; i < n; i++) s->z[i] = kept[i];
            stride *= 0.25;
        }
    }
    return 0;
}

/* Tries all ways to a solution: from the guess, by homotopy from it, from zero, from points near the guess, from the
   nominal values. A solution whose branch has another orientation than that of the guess counts only if there is no
   other: of three solutions in a row it is the middle one, which no start reaches that follows the others. */
static inline int cutset_search(struct cutset_system *s, const double *guess, double *kept, double *other)
{
    int i, way, n = s->n, has_other = 0;
    double orientation = 0.0;
    for (way = 0; way < 5; way++) {
        for (i = 0; i < n; i++) {
            double beside = 0.1 * (s->nominal[i] + fabs(guess[i])) * (i % 2 ? -1.0 : 1.0);
            s->z[i] = way == 2 ? 0.0 : way == 3 ? guess[i] + beside : way == 4 ? s->nominal[i] : guess[i];
            if (way != 1) s->offset[i] = 0.0;
        }
        s->rest = 0.0;
        if (!(way == 1 ? cutset_follow(s, kept) : cutset_iterate(s, 50))) continue;
        if (s->orientation == s->begun) return 1;
        if (has_other) continue;
        has_other = 1;
        orientation = s->orientation;
        for (i = 0; i < n; i++) other[i] = s->z[i];
    }
    for (i = 0; i < n && has_other; i++) s->z[i] = other[i];
    s->orientation = orientation;
    return has_other;
}

/* Solves f(z) = 0, n equations, from the guess. z has CUTSET_NEWTON_SIZE(n) doubles, the guess CUTSET_GUESS_SIZE(n).
   The solution becomes the guess; if none is found, all of z is nan. */
static inline void cutset_newton(int n, cutset_residuals *f, double t, const double *x, const double *u, const double *c,
                                 const double *m, double *w, double *guess, double *z, int fault)
{
    double *kept = z + n, *trial = kept + n, *step = trial + n, *next_step = step + n, *rows = next_step + n,
           *pivots = rows + n, *offset = pivots + n, *before = offset + n, *change = before + n, *bend = change + n, *other = bend + n,
           *scale = other + n, *lu = scale + n, *r = lu + n * n;
    struct cutset_system s = {n, f, t, x, u, c, m, w, guess + n + 1, z, trial, step, next_step, rows, pivots, offset,
                              before, change, bend, scale, lu, r, 0.0, 0.0, 0.0, cutset_careful};
    int i, found;
    if (s.careful) {
        for (i = 0; i < n; i++) z[i] = guess[i], offset[i] = 0.0;
        found = cutset_iterate(&s, 12) && s.orientation * guess[n] >= 0.0;
        if (!found) cutset_lost = 1;
    } else {
        found = cutset_search(&s, guess, kept, other);
        if (!found) cutset_fault = -fault;
    }
    for (i = 0; i < n; i++) {
        if (found) guess[i] = z[i];
        else z[i] = NAN;
    }
    if (found) guess[n] = s.orientation;
}

#endif
