/* Solves linear systems that may leave unknowns undetermined: for two brakes that hold one shaft, the equations do
   not determine how they share its torque. The solution of least norm is chosen. In: doubles; out: doubles. No
   allocation; the caller provides the work memory.

   The Python target performs the same operations in the same order (runtime/targets/open_systems.py). */

#ifndef CUTSET_OPEN_SYSTEMS_H
#define CUTSET_OPEN_SYSTEMS_H

#include "cutset_support.h"

/* A pivot this small relative to the largest may be rounding; the second value is the limit after scaling. */
#define CUTSET_DOUBTFUL 1e-8
#define CUTSET_NOTHING 1e-12
#define CUTSET_ROUNDING 4e-16

/* How often the solution is refined: near a singular point unknowns are large, and so is what rounding leaves of the
   equations. */
#define CUTSET_REFINED 1

/* The number of doubles of work memory for `cutset_solve_open` with n equations and a matrix of n*width elements. */
#define CUTSET_OPEN_SIZE(n, width) ((n) * (width) + 2 * (n) * (n) + 8 * (n))

/* M := the n equations D*z = d, with rows and then columns scaled to a largest element of 1; `scale` has the scales
   of the columns. A small row counts as much as the others: it may have other units. A negligible column becomes
   zero. */
static inline void cutset_scaled(int n, const double *D, const double *d, double *M, double *e, double *scale)
{
    int i, j;
    for (i = 0; i < n; i++) {
        double size = 0.0;
        for (j = 0; j < n; j++) size = cutset_max(size, fabs(D[i * n + j]));
        for (j = 0; j < n; j++) M[i * n + j] = size > 0.0 ? D[i * n + j] / size : 0.0;
        e[i] = size > 0.0 ? d[i] / size : 0.0;
    }
    for (j = 0; j < n; j++) {
        double size = 0.0;
        for (i = 0; i < n; i++) size = cutset_max(size, fabs(M[i * n + j]));
        scale[j] = size > CUTSET_NOTHING ? size : 1.0;
        for (i = 0; i < n; i++) M[i * n + j] = size > CUTSET_NOTHING ? M[i * n + j] / scale[j] : 0.0;
    }
}

static inline void cutset_swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Gauss-Jordan elimination with complete pivoting: the first rows of M become [E, W], columns in the order of
   `place`. Returns the rank. */
static inline int cutset_reduced(int n, double *M, double *e, double *place)
{
    int i, j, k;
    for (j = 0; j < n; j++) place[j] = (double)j;
    for (k = 0; k < n; k++) {
        int row = k, column = k;
        double pivot;
        for (i = k; i < n; i++)
            for (j = k; j < n; j++)
                if (fabs(M[i * n + j]) > fabs(M[row * n + column])) {
                    row = i;
                    column = j;
                }
        if (!(fabs(M[row * n + column]) > CUTSET_NOTHING)) return k;
        for (j = 0; j < n; j++) cutset_swap(M + k * n + j, M + row * n + j);
        cutset_swap(e + k, e + row);
        for (i = 0; i < n; i++) cutset_swap(M + i * n + k, M + i * n + column);
        cutset_swap(place + k, place + column);
        pivot = M[k * n + k];
        for (j = k; j < n; j++) M[k * n + j] /= pivot;
        e[k] /= pivot;
        for (i = 0; i < n; i++) {
            double factor = M[i * n + k];
            if (i == k || factor == 0.0) continue;
            for (j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
            e[i] -= factor * e[k];
        }
    }
    return n;
}

/* z := the solution of least norm of [E, W]*y = e, rank rows, where y is z in the order of `place` times its
   `scale`. With W and e in the units of z, the last unknowns x follow from (E + W'*W)*x = W'*e, whose matrix is
   stored in the unused rows of M. */
static inline void cutset_shortest(int n, int rank, double *M, double *e, const double *place, const double *scale, double *z)
{
    int i, j, k, open = n - rank;
    for (i = 0; i < rank; i++) {
        double size = scale[(int)place[i]];
        for (j = rank; j < n; j++) M[i * n + j] *= scale[(int)place[j]] / size;
        e[i] /= size;
    }
    for (i = 0; i < open; i++) {
        double *row = M + (rank + i) * n;
        for (j = 0; j < open; j++) {
            row[rank + j] = i == j;
            for (k = 0; k < rank; k++) row[rank + j] += M[k * n + rank + i] * M[k * n + rank + j];
        }
        e[rank + i] = 0.0;
        for (k = 0; k < rank; k++) e[rank + i] += M[k * n + rank + i] * e[k];
    }
    for (k = rank; k < n; k++)
        for (i = k + 1; i < n; i++) {
            double factor = M[i * n + k] / M[k * n + k];
            for (j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
            e[i] -= factor * e[k];
        }
    for (k = n - 1; k >= rank; k--) {
        for (j = k + 1; j < n; j++) e[k] -= M[k * n + j] * e[j];
        e[k] /= M[k * n + k];
    }
    for (i = 0; i < rank; i++)
        for (j = rank; j < n; j++) e[i] -= M[i * n + j] * e[j];
    for (k = 0; k < n; k++) z[(int)place[k]] = e[k];
}

/* left := d - D*z. True if that is rounding. */
static inline int cutset_rest(int n, const double *D, const double *d, const double *z, double *left)
{
    double largest = 0.0;
    int i, j, is_solved = 1;
    for (i = 0; i < n; i++) largest = cutset_max(largest, fabs(d[i]));
    for (i = 0; i < n; i++) {
        double rest = d[i], size = fabs(d[i]), row = 0.0;
        for (j = 0; j < n; j++) {
            rest -= D[i * n + j] * z[j];
            size += fabs(D[i * n + j] * z[j]);
            row = cutset_max(row, fabs(D[i * n + j]));
        }
        left[i] = rest;
        if (!(fabs(rest) <= 1e-12 * (row > 0.0 ? size : largest) + CUTSET_ROUNDING * largest + 1e-15)) is_solved = 0;
    }
    return is_solved;
}

/* The same as `cutset_solve` for a system, with its number, that may leave unknowns undetermined: if A is singular
   and the equations are consistent, b becomes the solution of least norm. `kept` is work memory. */
static inline void cutset_solve_open(int n, int lower, int upper, double *A, double *b, double *kept, int number)
{
    const int reach = lower + upper, is_band = lower + reach + 1 < n, width = is_band ? lower + reach + 1 : n;
    const int step = is_band ? lower + reach : n, shift = is_band ? lower : 0;
    double *d = kept + n * width, *D = d + n, *M = D + n * n, *e = M + n * n, *place = e + n, *scale = place + n, *z = scale + n;
    double *change = z + n, *left = change + n;
    double least = INFINITY, largest = 0.0;
    int i, j, k, rank;
    memcpy(kept, A, n * width * sizeof(double));
    memcpy(d, b, n * sizeof(double));
    cutset_solve(n, lower, upper, A, b);
    for (i = 0; i < n; i++) {
        least = cutset_min(fabs(A[i * step + shift + i]), least);
        largest = cutset_max(fabs(A[i * step + shift + i]), largest);
    }
    if (least > CUTSET_DOUBTFUL * largest && isfinite(b[0])) return;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            D[i * n + j] = i - j > lower || j - i > upper ? 0.0 : kept[i * step + shift + j];
            if (!isfinite(D[i * n + j])) return;
        }
    for (i = 0; i < n; i++) z[i] = 0.0;
    memcpy(left, d, n * sizeof(double));
    for (k = 0; k <= CUTSET_REFINED; k++) {
        cutset_scaled(n, D, left, M, e, scale);
        rank = cutset_reduced(n, M, e, place);
        if (rank == n) return;
        cutset_shortest(n, rank, M, e, place, scale, change);
        for (i = 0; i < n; i++) z[i] += change[i];
        if (cutset_rest(n, D, d, z, left)) {
            memcpy(b, z, n * sizeof(double));
            cutset_open |= 1ul << (number < 31 ? number : 31);
            return;
        }
    }
}

#endif
