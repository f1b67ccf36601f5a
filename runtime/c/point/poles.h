/* Notices that a step has passed a pole. Allocates nothing.

   A derivative that goes to infinity, with opposite signs on both sides, ends a solution: the states move towards the
   pole from both sides. Within the tolerance of the states a step may pass it, and what follows is no solution. Such a
   derivative grows from step to step and then changes its sign; a bisection tells it from one that passes zero. */

#ifndef CUTSET_POLES_H
#define CUTSET_POLES_H

#include "branches.h"
#include "cutset_support.h"
#include "driver.h"
#include "inputs.h"

/* By how much a derivative grows, at least, when its distance from a pole is halved: a little less than a pole of order 1,
   and than the root of third order of one, which a solution may pass unless the state itself causes it. */
static const double SIMPLE = 1.9, ROOT = 1.2;
/* How much it has to grow in all unless the numbers between are exhausted, and how much at least. */
static const double ENOUGH = 1e3, EXHAUSTED = 10.0;
/* Growth counts from the fourth halving on: the derivatives at the ends may be close to zero by chance, and fast states follow
   a curved way, from which the middle of a straight one may be far. */
enum { HALVINGS = 100, SEVERAL = 3 };
/* A derivative that is smaller than this beside the largest one is the rounding of zero. */
static const double NOTHING_BESIDE = 1e-13;
/* A way is halved at most so often until a derivative that has grown changes at most by this factor on it. */
static const double STEADY = 2.0;
enum { SHORTER = 20 };

/* Evaluates the right-hand side without recording a point that is not finite. */
static int glance(struct cutset_data *d, double t, const double *x, double *dx)
{
    d->evaluations++;
    if (d->branch.n) extrapolate_guesses(d, t);
    cutset_derivatives(t, x, d->u, d->c, d->m, d->w, dx);
    return all_finite(d->n_states, dx);
}

/* dx := the derivatives at (t, x); 0 if they are not finite. */
static int glance_at(struct cutset_data *d, double t, const double *x, double *dx)
{
    fill_at(d, t, x);
    return glance(d, t, x, dx);
}

/* dz := the derivatives at (t, z). */
static int rates_at_z(struct cutset_data *d, double t)
{
    return glance_at(d, t, d->poles.z, d->poles.dz);
}

/* The next step is the first. If its end is not controlled, every change of sign in it is examined. */
static void begin_poles(struct cutset_data *d, const double *dx)
{
    long i;
    d->poles.known = d->poles.grown = d->poles.suspect = 0;
    for (i = 0; i < d->n_states; i++) d->poles.rise[i] = dx ? dx[i] : 0.0;
}

/* True if the solution cannot pass the singular point between the ends of the interval in which derivative i changes its
   sign and grows by `least` at each halving. */
static int is_end(struct cutset_data *d, long i, double least, double t, const double *a, const double *b, double rate)
{
    struct cutset_poles *p = &d->poles;
    if (least >= SIMPLE) return 1;
    memcpy(p->z, b, d->n_states * sizeof(double));
    p->z[i] = a[i];
    return !rates_at_z(d, t) || p->dz[i] * rate > 0.0;
}

/* z := the point at a fraction of the way from a to b. */
static void on_the_way(const struct cutset_data *d, double part, const double *a, const double *b, double *z)
{
    long i;
    for (i = 0; i < d->n_states; i++) z[i] = a[i] + part * (b[i] - a[i]);
}

/* z, dz := the point in the middle between two parts of the way, or beside it, and the derivatives there; *part: which it
   is. 0 if neither has values: a straight way may leave the range of a function, which is no pole. */
static int rates_between(struct cutset_data *d, double from, double to, double ta, const double *a, double tb, const double *b,
                         double *part)
{
    static const double AT[] = {0.5, 0.4375};
    int k;
    for (k = 0; k < 2; k++) {
        *part = from + AT[k] * (to - from);
        on_the_way(d, *part, a, b, d->poles.z);
        if (rates_at_z(d, ta + *part * (tb - ta))) return 1;
    }
    return 0;
}

/* The derivative to examine, which grows most towards the middle, where they are in dz; -1 if none grows. */
static long suspect(const struct cutset_data *d, const double *da, const double *db)
{
    const struct cutset_poles *p = &d->poles;
    double most = ROOT, largest = 0.0;
    long i, found = -1;
    for (i = 0; i < d->n_states; i++) largest = cutset_max(largest, fabs(p->dz[i]));
    for (i = 0; i < d->n_states; i++) {
        double growth = p->dz[i] / (p->dz[i] * da[i] > 0.0 ? da[i] : db[i]);
        if (!(p->rise[i] * db[i] < 0.0) || !(growth >= most) || fabs(p->dz[i]) < NOTHING_BESIDE * largest) continue;
        most = growth;
        found = i;
    }
    return found;
}

/* Records the last point before the pole as one without values. */
static int record_pole(struct cutset_data *d, double t, const double *x)
{
    d->bad_evaluations++;
    d->bad_t = t;
    memcpy(d->bad_x, x, d->n_states * sizeof(double));
    return 1;
}

/* Narrows the way from a to b to a pole of derivative i, which has the values `low` and `high` there. */
static int narrows(struct cutset_data *d, long i, double ta, const double *a, double low, double tb, const double *b,
                   double high)
{
    struct cutset_poles *p = &d->poles;
    double from = 0.0, to = 1.0, first = cutset_min(fabs(low), fabs(high)), least = INFINITY, size;
    long round;
    for (round = 0; round < HALVINGS; round++) {
        double middle = 0.5 * (from + to), part, growth;
        int is_low;
        if (middle == from || middle == to || !rates_between(d, from, to, ta, a, tb, b, &part)) break;
        is_low = p->dz[i] * low > 0.0;
        growth = p->dz[i] / (is_low ? low : high);
        if (growth == 1.0) break; /* the numbers are exhausted */
        if (!(growth >= ROOT)) {
            if (cutset_min(fabs(low), fabs(high)) > ENOUGH * first) break; /* rounding */
            return 0;
        }
        if (is_low) from = part, low = p->dz[i];
        else to = part, high = p->dz[i];
        /* farther away, other terms count */
        size = cutset_min(fabs(low), fabs(high));
        if (round < SEVERAL) first = size;
        if (size > EXHAUSTED * first && size < ENOUGH * first && part == middle) least = cutset_min(least, growth);
    }
    if (!(cutset_min(fabs(low), fabs(high)) > EXHAUSTED * first)) return 0;
    on_the_way(d, from, a, b, p->low);
    on_the_way(d, to, a, b, p->high);
    if (!is_end(d, i, least, ta + to * (tb - ta), p->low, p->high, low)) return 0;
    return record_pole(d, ta + from * (tb - ta), p->low);
}

/* True if a derivative that has grown up to the last point has changed its sign. */
static int flips(const struct cutset_data *d, const double *dx)
{
    long i;
    int found = 0;
    for (i = 0; i < d->n_states; i++) found |= d->poles.rise[i] * dx[i] < 0.0;
    return found;
}

/* True if there is a pole on the way from a, the last point, to b, with the derivatives da and db. */
static int pole_between(struct cutset_data *d, double ta, const double *a, const double *da, double tb, const double *b,
                       const double *db)
{
    double part;
    long i;
    if (!flips(d, db) || !rates_between(d, 0.0, 1.0, ta, a, tb, b, &part)) return 0;
    i = suspect(d, da, db);
    return i >= 0 && narrows(d, i, ta, a, da[i], tb, b, db[i]);
}

/* True if a derivative that has grown up to the last point has changed its sign, or after the first step by more than a
   factor of 2. */
static int strays(const struct cutset_data *d, const double *da, const double *dx)
{
    const double *rise = d->poles.rise;
    long i;
    int found = 0;
    if (!d->poles.grown) return flips(d, dx);
    for (i = 0; i < d->n_states; i++)
        found |= rise[i] != 0.0 && !(dx[i] / da[i] >= 1.0 / STEADY && dx[i] / da[i] <= STEADY);
    return found;
}

/* The same for a point b whose distance no estimate of an error limits: between them there may be several poles, or a pole
   and a zero, which show no change of sign. The first is found near a. b becomes the last point examined. */
static int pole_on_long_way(struct cutset_data *d, double ta, const double *a, const double *da, double tb, double *b,
                            const double *db)
{
    struct cutset_poles *p = &d->poles;
    long round;
    if (pole_between(d, ta, a, da, tb, b, db)) return 1;
    for (round = 0; round < SHORTER && p->grown; round++) {
        tb = ta + 0.5 * (tb - ta);
        on_the_way(d, 0.5, a, b, b);
        if (!glance_at(d, tb, b, p->high)) continue;
        if (pole_between(d, ta, a, da, tb, b, p->high)) return 1;
        if (!strays(d, da, p->high)) break;
    }
    return 0;
}

/* As pole_between; otherwise b is the next last point. */
static int passes_pole(struct cutset_data *d, double ta, const double *a, const double *da, double tb, const double *b,
                       const double *db)
{
    double *rise = d->poles.rise;
    long i;
    if (pole_between(d, ta, a, da, tb, b, db)) return 1;
    d->poles.grown = 1;
    for (i = 0; i < d->n_states; i++) rise[i] = fabs(db[i]) >= fabs(da[i]) && da[i] * db[i] > 0.0 ? db[i] : 0.0;
    return 0;
}

#endif
