/* Solves systems of nonlinear equations: Newton's method, damped by the natural monotonicity test (P. Deuflhard,
   Newton Methods for Nonlinear Problems, Springer 2004, 3.3); if it fails, homotopy from the guess. */

#ifndef CUTSET_NEWTON_H
#define CUTSET_NEWTON_H

#include "cutset_support.h"

/* r[0..n-1] := the residuals at z, followed by their derivatives row by row. */
typedef void cutset_residuals(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                              const double *z, double *r);

/* The number of doubles in the array z of `cutset_newton`: the solution, followed by work memory. Of its guess: n
   values, the orientation of the branch (the sign of the determinant of the derivatives there, 0: not known yet),
   and n nominal values. */
#define CUTSET_NEWTON_SIZE(n) (2 * (n) * (n) + 14 * (n))
#define CUTSET_GUESS_SIZE(n) (2 * (n) + 1)

/* `cutset_careful`: solve systems only on the branch of the guess, in steps that are not damped (1) or are (2).
   `cutset_lost`: set to the number of its message if a system was not solved so since the runtime set this to 0. */
extern CUTSET_SHARED int cutset_careful, cutset_lost;

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

/* A := the factors of the n*n matrix A with rows exchanged for the largest pivots; the sign of its determinant, 0 if it
   is singular. */
static inline double cutset_factorize(int n, double *A, double *pivots)
{
    double sign = 1.0;
    int i, j, k;
    for (k = 0; k < n; k++) {
        int pivot = k;
        for (i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
        pivots[k] = (double)pivot;
        if (!(fabs(A[pivot * n + k]) > 0.0)) return 0.0;
        if ((pivot != k) != (A[pivot * n + k] < 0.0)) sign = -sign;
        for (j = 0; j < n && pivot != k; j++) {
            double swap = A[k * n + j];
            A[k * n + j] = A[pivot * n + j];
            A[pivot * n + j] = swap;
        }
        for (i = k + 1; i < n; i++) {
            double factor = A[i * n + k] /= A[k * n + k];
            if (factor == 0.0) continue;
            for (j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return sign;
}

/* b := the inverse of the matrix with these factors times b. */
static inline void cutset_substitute(int n, const double *A, const double *pivots, double *b)
{
    int i, j, k;
    for (k = 0; k < n; k++) {
        int pivot = (int)pivots[k];
        double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
    }
    for (k = 0; k < n; k++)
        for (i = k + 1; i < n; i++) b[i] -= A[i * n + k] * b[k];
    for (k = n - 1; k >= 0; k--) {
        for (j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
}

/* lu := factors of the derivatives in r, with rows scaled to 1; 0 if singular. */
static inline int cutset_factor(struct cutset_system *s)
{
    int i, j, n = s->n;
    for (i = 0; i < n; i++) {
        double size = 0.0;
        for (j = 0; j < n; j++) size = cutset_max(size, fabs(s->r[n + i * n + j]));
        if (!(size > 0.0)) return 0;
        s->rows[i] = size;
        for (j = 0; j < n; j++) s->lu[i * n + j] = s->r[n + i * n + j] / size;
    }
    s->orientation = cutset_factorize(n, s->lu, s->pivots);
    return s->orientation != 0.0;
}

/* step := minus the inverse of the factored matrix times the residuals. */
static inline void cutset_correction(const struct cutset_system *s, const double *residuals, double *step)
{
    int i;
    for (i = 0; i < s->n; i++) step[i] = -residuals[i] / s->rows[i];
    cutset_substitute(s->n, s->lu, s->pivots, step);
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

/* bend := the correction for what the derivatives in r, at the end of a full step, leave of the residuals at its start, which
   are in `before`: the part of the remaining correction that their change during the step explains. */
static inline void cutset_find_bend(struct cutset_system *s)
{
    int i, j, n = s->n;
    for (i = 0; i < n; i++) {
        s->change[i] = s->before[i];
        for (j = 0; j < n; j++) s->change[i] += s->r[n + i * n + j] * s->step[j];
    }
    cutset_correction(s, s->change, s->bend);
}

/* True if rounding keeps the residuals in r, at the end of a full step of this size, from being smaller: it explains them, or
   the derivatives have not changed enough during the step to explain the remaining correction `next`, nor does a shorter step
   bring progress, as it would around a root of infinite slope. */
static inline int cutset_is_rounding(struct cutset_system *s, double size, double next)
{
    double part;
    int i, n = s->n, better = 0;
    if (cutset_is_noise(s)) return 1;
    if (!cutset_small(s, s->step, 1e-9, 1e-9)) return 0;
    cutset_find_bend(s);
    if (!(cutset_size(s, s->bend) <= 0.25 * next)) return 0;
    for (part = 0.5; part > 0.1 && !better; part *= 0.5) {
        for (i = 0; i < n; i++) s->change[i] = s->z[i] + part * s->step[i];
        if (!cutset_look(s, s->change)) continue;
        cutset_correction(s, s->r, s->bend);
        better = cutset_size(s, s->bend) <= (1.0 - 0.25 * part) * size;
    }
    cutset_look(s, s->trial);
    return !better;
}

/* True if slopes by unknown i, at `trial` to which r belongs, fall within a hundred-millionth of its size: there they are nearly
   infinite. What is not so is rounding, as of an unknown that is zero. `before` becomes the residuals. */
static inline int cutset_falls(struct cutset_system *s, int i)
{
    double change = 1e-8 * (fabs(s->trial[i]) + s->nominal[i]);
    int j, k, n = s->n, found = 0;
    for (k = 0; k < n; k++) s->before[k] = s->r[k], s->change[k] = s->trial[k];
    s->change[i] += s->next_step[i] < 0.0 ? -change : change;
    if (!cutset_look(s, s->change)) return cutset_look(s, s->trial);
    for (k = 0; k < n; k++) {
        const double rise = fabs(s->r[k] - s->before[k]), *row = s->r + n + k * n;
        double largest = 0.0;
        for (j = 0; j < n; j++) largest = cutset_max(largest, fabs(row[j]));
        found |= rise > 1e-3 * largest * change && fabs(row[i]) * change < 0.75 * rise;
    }
    cutset_look(s, s->trial);
    return found;
}

/* True if the slope is nearly infinite at the start of a full step, as that of a root near zero: at its end, to which r and
   `trial` belong, an element of the remaining correction has not become smaller, since the derivatives have changed. However
   small beside the nominal value such a correction is, it tells nothing about the distance to the solution. */
static inline int cutset_is_steep(struct cutset_system *s)
{
    int i;
    if (cutset_is_noise(s)) return 0;
    cutset_find_bend(s);
    for (i = 0; i < s->n; i++) {
        double next = fabs(s->next_step[i]);
        if (next > 1e-12 * fabs(s->trial[i]) && next > 0.5 * fabs(s->step[i]) && fabs(s->bend[i]) > 0.25 * next
            && cutset_falls(s, i)) return 1;
    }
    return 0;
}

/* True if no step is needed after this one, which is small. If it is so only beside the nominal values, its end tells; `part` is
   that of the last such step and becomes that of this one, since steps around a root of infinite slope do not grow. */
static inline int cutset_is_last(struct cutset_system *s, double *part)
{
    double last = *part;
    int i;
    if (cutset_small(s, s->step, 1e-14, 0.0)) return 1;
    for (*part = 0.0, i = 0; i < s->n; i++) {
        *part = cutset_max(*part, fabs(s->step[i]) / s->nominal[i]);
        s->trial[i] = s->z[i] + s->step[i];
    }
    if (!(*part > 10.0 * last) || !cutset_look(s, s->trial)) return 1;
    cutset_correction(s, s->r, s->next_step);
    if (cutset_is_steep(s)) return 0;
    for (i = 0; i < s->n; i++)
        if (fabs(s->next_step[i]) <= 0.5 * fabs(s->step[i])) s->step[i] += s->next_step[i];
    return 1;
}

/* True if z, to which r belongs, is a solution exactly where derivatives tell nothing, as at a root of zero. Secants tell whether
   there is another one beside it, and the orientation. */
static inline int cutset_is_exact(struct cutset_system *s, const double *z)
{
    int i, j, n = s->n;
    for (i = 0; i < n; i++)
        if (s->r[i] != 0.0) return 0;
    for (j = 0; j < n; j++) {
        for (i = 0; i < n; i++) s->change[i] = z[i];
        s->change[j] += 1e-3 * (s->nominal[j] + fabs(z[j]));
        cutset_look(s, s->change);
        for (i = 0; i < n; i++) s->lu[i * n + j] = s->r[i];
    }
    s->orientation = cutset_factorize(n, s->lu, s->pivots);
    if (n > 1) return s->orientation != 0.0;
    s->change[0] = 2.0 * z[0] - s->change[0];
    cutset_look(s, s->change);
    if (s->r[0] * s->lu[0] > 0.0) s->orientation = 0.0; /* a double root */
    return 1;
}

/* Newton's method from z, which becomes the solution; 0 if it does not converge. The step is damped until the
   correction that would follow with the same derivatives is smaller: the natural monotonicity test (P. Deuflhard,
   Newton Methods for Nonlinear Problems, Springer 2004, 3.3). If a tiny step brings no progress, the rest is
   rounding. A careful iteration is not damped, and must halve the correction in each step, as when following a
   branch (there, 5.1). */
static inline int cutset_iterate(struct cutset_system *s, int most)
{
    int i, k, n = s->n;
    double damping = 1.0, part = 0.0;
    for (k = 0; k < most; k++) {
        double size, next;
        /* In later rounds r holds the values of the trial before. */
        if (k == 0 && !cutset_look(s, s->z)) return cutset_is_exact(s, s->z);
        /* Several equations may be singular since one follows from the others: secants tell nothing of that. */
        if (!cutset_factor(s)) return n == 1 && cutset_is_exact(s, s->z);
        if (s->begun == 0.0) s->begun = s->orientation;
        for (i = 0; i < n; i++) s->before[i] = s->r[i];
        cutset_correction(s, s->r, s->step);
        if (cutset_small(s, s->step, 1e-14, 1e-14)) {
            int last = cutset_is_last(s, &part);
            for (i = 0; i < n; i++) s->z[i] += s->step[i];
            if (last) return 1;
            continue;
        }
        cutset_measure(s);
        size = cutset_size(s, s->step);
        if (!isfinite(size)) return 0;
        damping = cutset_small(s, s->step, 1e-5, 1e-5) ? 1.0 : cutset_min(1.0, 4.0 * damping);
        for (;; damping *= 0.5) {
            if (damping < (s->careful ? 1.0 : 1e-10)) return 0;
            for (i = 0; i < n; i++) s->trial[i] = s->z[i] + damping * s->step[i];
            if (!cutset_look(s, s->trial)) {
                if (!cutset_is_exact(s, s->trial)) continue;
                for (i = 0; i < n; i++) s->z[i] = s->trial[i];
                return 1;
            }
            cutset_correction(s, s->r, s->next_step);
            next = cutset_size(s, s->next_step);
            if (next <= (s->careful ? 0.5 : 1.0 - 0.25 * damping) * size
                && !(damping == 1.0 && next > 0.1 * size && cutset_is_rounding(s, size, next))) break;
            if (damping == 1.0 && (cutset_small(s, s->step, s->careful ? 1e-13 : 1e-9, 1e-14) || cutset_is_rounding(s, size, next))) {
                int better = next < size || cutset_is_rounding(s, size, next);
                for (i = 0; i < n && better; i++) s->z[i] += s->step[i];
                return 1;
            }
        }
        for (i = 0; i < n; i++) s->z[i] = s->trial[i];
        if (damping == 1.0 && cutset_small(s, s->next_step, 1e-12, 1e-14) && !cutset_is_steep(s)) {
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

/* The residual of one equation at z. */
static inline double cutset_at(const struct cutset_system *s, double z)
{
    cutset_look(s, &z);
    return s->r[0];
}

/* z := the zero between a and b, at which the equation has the values fa and fb of opposite signs; 0 for a jump or pole. */
static inline int cutset_bisect(struct cutset_system *s, double a, double fa, double b, double fb)
{
    enum { HALVINGS = 200, FIRST = 20 };
    double size = INFINITY, middle = a, value;
    int k;
    for (k = 0; k < HALVINGS; k++) {
        middle = 0.5 * (a + b);
        if (middle == a || middle == b) break;
        value = cutset_at(s, middle);
        if (isnan(value)) return 0;
        if (value * fa > 0.0) a = middle, fa = value;
        else b = middle, fb = value;
        if (k == FIRST) size = cutset_max(fabs(fa), fabs(fb));
    }
    s->z[0] = middle;
    if (cutset_iterate(s, 50) && fabs(s->z[0] - middle) <= 1e-6 * (fabs(middle) + s->nominal[0])) return 1;
    s->z[0] = middle; /* without a finite slope there */
    s->orientation = (fb - fa) * (b - a) < 0.0 ? -1.0 : 1.0;
    return cutset_max(fabs(fa), fabs(fb)) <= 0.03 * size;
}

/* z := the zero of one equation nearest to the guess, if its sign changes between samples whose distances from the guess
   grow by the factor `growth`, from `least` to `most`. */
static inline int cutset_nearest(struct cutset_system *s, double guess, double least, double most, double growth)
{
    double at[2] = {guess, guess}, value[2], distance, last = 0.0;
    int side;
    s->rest = 0.0;
    value[0] = value[1] = cutset_at(s, guess);
    for (distance = least; last < distance; last = distance, distance = cutset_min(distance * growth, most))
        for (side = 0; side < 2; side++) {
            double z = side ? guess - distance : guess + distance, next = cutset_at(s, z);
            if (next * value[side] <= 0.0 && cutset_bisect(s, at[side], value[side], z, next)) return 1;
            at[side] = z;
            value[side] = next;
        }
    return 0;
}

/* True if z is the guess, up to far less than solutions are apart. */
static inline int cutset_is_there(const struct cutset_system *s, const double *guess)
{
    int i;
    for (i = 0; i < s->n; i++)
        if (!(fabs(s->z[i] - guess[i]) <= 1e-6 * (fabs(guess[i]) + s->nominal[i]))) return 0;
    return 1;
}

/* Element i of a point near the guess. */
static inline double cutset_guess_beside(const struct cutset_system *s, const double *guess, int i)
{
    return guess[i] + 0.1 * (s->nominal[i] + fabs(guess[i])) * (i % 2 ? -1.0 : 1.0);
}

/* Tries all ways to a solution: from the guess, by homotopy from it, from zero, from points near the guess, from the
   nominal values. A solution whose branch has another orientation than that of the guess counts only if there is no
   other: of three solutions in a row it is the middle one, which no start reaches that follows the others. At the guess
   it is the one, on a branch that has just passed another one. */
static inline int cutset_search(struct cutset_system *s, const double *guess, double *kept, double *other)
{
    int i, way, n = s->n, has_other = 0;
    double orientation = 0.0;
    for (way = 0; way < 5; way++) {
        for (i = 0; i < n; i++) {
            s->z[i] = way == 2 ? 0.0 : way == 3 ? cutset_guess_beside(s, guess, i) : way == 4 ? s->nominal[i] : guess[i];
            if (way != 1) s->offset[i] = 0.0;
        }
        s->rest = 0.0;
        if (!(way == 1 ? cutset_follow(s, kept) : cutset_iterate(s, 50))) continue;
        if (s->orientation == s->begun || (way == 0 && cutset_is_there(s, guess))) return 1;
        if (has_other) continue;
        has_other = 1;
        orientation = s->orientation;
        for (i = 0; i < n; i++) other[i] = s->z[i];
    }
    for (i = 0; i < n && has_other; i++) s->z[i] = other[i];
    s->orientation = orientation;
    return has_other;
}

/* The same; and of one equation, if no other way leads to a solution, the nearest change of sign. At the start of a run,
   when the guess has no orientation, the solution is not farther away than such a change. */
static inline int cutset_solution(struct cutset_system *s, const double *guess, double *kept, double *other)
{
    int found = cutset_search(s, guess, kept, other);
    double size = s->nominal[0] + fabs(guess[0]), z = s->z[0], orientation = s->orientation;
    if (s->n > 1) return found;
    if (!found) return cutset_nearest(s, guess[0], 1e-9 * size, 1e9 * size, 1.5);
    if (fabs(guess[1]) > 0.0 || fabs(z - guess[0]) <= 0.01 * size) return 1;
    if (!cutset_nearest(s, guess[0], 1e-3 * fabs(z - guess[0]), (1.0 - 1e-6) * fabs(z - guess[0]), 1.1)) {
        s->z[0] = z;
        s->orientation = orientation;
    }
    return 1;
}

/* One attempt: on the branch of the guess, or in all ways. */
static inline int cutset_attempt(struct cutset_system *s, const double *guess, double *kept, double *other)
{
    double size = s->nominal[0] + fabs(guess[0]);
    int i;
    if (!cutset_careful) return cutset_solution(s, guess, kept, other);
    for (i = 0; i < s->n; i++) s->z[i] = guess[i], s->offset[i] = 0.0;
    if (cutset_iterate(s, s->careful ? 12 : 50)) return 1;
    if (s->careful) return 0;
    /* an infinite slope at the guess, or of one equation at the solution */
    if (s->n == 1) return cutset_nearest(s, guess[0], 1e-12 * size, size, 2.0);
    if (cutset_look(s, guess)) return 0;
    for (i = 0; i < s->n; i++) s->z[i] = cutset_guess_beside(s, guess, i);
    return cutset_iterate(s, 50);
}

/* Frees the relations between the unknowns, which are held as long as the orientation of the guess is a number. 0 if there are
   none. */
static inline int cutset_can_free(struct cutset_system *s, double *guess)
{
    int beyond = cutset_beyond, can;
    guess[s->n] = NAN;
    cutset_beyond = 0;
    cutset_look(s, guess);
    can = cutset_beyond;
    cutset_beyond = beyond;
    s->rest = s->orientation = s->begun = 0.0;
    return can;
}

/* Solves f(z) = 0, n equations, from the guess. z has CUTSET_NEWTON_SIZE(n) doubles, the guess CUTSET_GUESS_SIZE(n).
   The solution becomes the guess; if there is none with the held relations between the unknowns, it is one with their present
   values, and if none is found, all of z is nan. */
static inline void cutset_newton(int n, cutset_residuals *f, double t, const double *x, const double *u, const double *c,
                                 const double *m, double *w, double *guess, double *z, int fault)
{
    double *kept = z + n, *trial = kept + n, *step = trial + n, *next_step = step + n, *rows = next_step + n,
           *pivots = rows + n, *offset = pivots + n, *before = offset + n, *change = before + n, *bend = change + n, *other = bend + n,
           *scale = other + n, *lu = scale + n, *r = lu + n * n;
    struct cutset_system s = {n, f, t, x, u, c, m, w, guess + n + 1, z, trial, step, next_step, rows, pivots, offset,
                              before, change, bend, scale, lu, r, 0.0, 0.0, 0.0, cutset_careful == 1};
    const double orientation = guess[n];
    int i, found = cutset_attempt(&s, guess, kept, other);
    if (!found && !s.careful && cutset_can_free(&s, guess)) {
        found = cutset_attempt(&s, guess, kept, other);
        if (orientation != 0.0) s.orientation = orientation; /* that of other equations tells nothing */
    }
    /* The latest factors are those before the last step, which may be on the other side of a singular point. */
    if (found && cutset_careful && s.orientation * orientation < 0.0) found = cutset_look(&s, s.z) && cutset_factor(&s);
    guess[n] = orientation;
    if (!found && cutset_careful) cutset_lost = fault;
    else if (!found) cutset_fault = -fault;
    for (i = 0; i < n; i++) {
        if (found) guess[i] = z[i];
        else z[i] = NAN;
    }
    if (found) guess[n] = s.orientation;
}

#endif
