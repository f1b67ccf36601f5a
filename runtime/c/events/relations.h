/* Evaluates the sides of relations at a point, and the instants at which those of time change. Allocates nothing. */

#ifndef CUTSET_RELATIONS_H
#define CUTSET_RELATIONS_H

#include "cutset_support.h"
#include "driver.h"
#include "inputs.h"
#include "isolate.h"

/* The difference of the sides of a relation at its crossing, relative to the largest number of the model. */
static const double AT_CROSSING = 1e-9;
/* The least number that counts, relative to the nominal values of unknowns of iterations. */
static const double ITERATED = 1e-4;

/* Notes why the run fails, with the number of what is the reason; 0. */
static int fail(struct cutset_events *e, long cause, long number)
{
    e->failure.cause = cause;
    e->failure.number = number;
    return 0;
}

static int equal(const double *a, const double *b, long n)
{
    long i;
    if (n > 8 && !memcmp(a, b, n * sizeof(double))) return 1;
    for (i = 0; i < n; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i]))) return 0;
    return 1;
}

static int no_nan(const double *numbers, long n)
{
    long i;
    for (i = 0; i < n; i++)
        if (isnan(numbers[i])) return 0;
    return 1;
}

/* ---- instants ---- */

static int same_instant(const struct cutset_events *e, double a, double b)
{
    double size = cutset_max(cutset_max(fabs(a), fabs(b)), e->run_span);
    return a == b || fabs(a - b) <= SAME * cutset_min(size, DBL_MAX);
}

/* (instant, slope) of all relations of time, in e->te; those after `limit` are not needed. */
static void find_instants(struct cutset_data *d, struct cutset_events *e, double t, const double *m, double limit)
{
    long i;
    if (e->n_known) cutset_time_events(d->c, m, e->te);
    for (i = 0; i < e->n_known; i++)
        if (e->te[2 * i] > t && e->te[2 * i + 1] != 0.0) limit = cutset_min(limit, e->te[2 * i]);
    if (e->n_isolated) isolate(e->isolation, t, d->c, m, limit, e->te + 2 * e->n_known);
}

/* ---- the model at a point ---- */

/* y := the variables and the event indicators at (t, x, m), unless they are there already. */
static void look(struct cutset_data *d, struct cutset_events *e, double t, const double *x, const double *m)
{
    size_t states = d->n_states * sizeof(double), modes = e->n_modes * sizeof(double);
    if (e->has_y && e->y_t == t && !memcmp(e->y_x, x, states) && !memcmp(e->y_m, m, modes)) return;
    fill_at(d, t, x);
    cutset_variables(t, x, d->u, d->c, m, d->w, e->y);
    e->has_y = 1;
    e->y_t = t;
    memcpy(e->y_x, x, states);
    memcpy(e->y_m, m, modes);
}

static void crossings_at(struct cutset_data *d, double t, const double *x, const double *m, double *g)
{
    fill_at(d, t, x);
    cutset_crossings(t, x, d->u, d->c, m, d->w, g);
}

static void rates_at(struct cutset_data *d, double t, const double *x, const double *m, double *dx)
{
    fill_at(d, t, x);
    cutset_derivatives(t, x, d->u, d->c, m, d->w, dx);
}

/* The possible difference of the sides of a relation at its crossing, from y. An unknown of an iteration is exact to a part
   of its nominal value only. */
static double rounding_in(const struct cutset_data *d, const struct cutset_events *e, const double *x)
{
    double largest = 0.0;
    long i, k, first = 0;
    for (k = 0; k < e->n_iterations; first += 2 * e->iterations[k++] + 1)
        for (i = first + e->iterations[k] + 1; i < first + 2 * e->iterations[k] + 1; i++)
            largest = cutset_max(largest, ITERATED * fabs(d->w[i]));
    for (i = 0; i < e->n_variables + 2 * e->n_relations; i++)
        if (isfinite(e->y[i]) && fabs(e->y[i]) > largest) largest = fabs(e->y[i]);
    for (i = 0; i < d->n_states; i++)
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    return AT_CROSSING * largest;
}

static int alike(const double *sides)
{
    double a = fabs(sides[0]), b = fabs(sides[1]);
    return fabs(sides[0] - sides[1]) <= SAME * (a > b ? a : b) || sides[0] == sides[1];
}

static double truth(const struct cutset_events *e, long k, double difference)
{
    return e->truths[3 * k + 1 + (difference > 0.0) - (difference < 0.0)];
}

#endif
