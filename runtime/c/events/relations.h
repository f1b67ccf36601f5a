/* Evaluates the sides of relations at a point, and the instants at which those of time change. Allocates nothing. */

#ifndef CUTSET_RELATIONS_H
#define CUTSET_RELATIONS_H

#include "cutset_support.h"
#include "driver.h"
#include "inputs.h"
#include "isolate.h"

/* The difference of the sides of a relation at its crossing, relative to the largest number of the model. */
static const double AT_CROSSING = 1e-9;
/* The part by which states change to see how much of them the sides of a relation take, in so many ways; and how many times more
   of it their rounding may be, as in the difference of large numbers that are equal almost. */
static const double SHIFTED = 1e-7, AMPLIFIED = 1e3;
enum { WAYS = 3 };
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
    e->has_roundings = 0;
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

/* The largest number of the model, from y. An unknown of an iteration is exact to a part of its nominal value only. */
static double largest_number(const struct cutset_data *d, const struct cutset_events *e, const double *x)
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
    return largest;
}

/* e->roundings := for each crossing at least its change at (t, x, m), if each state changes by itself and its nominal value; it
   stays negative without any. */
static void find_changes(struct cutset_data *d, struct cutset_events *e, double t, const double *x, const double *m)
{
    const double *sides = e->y + e->n_variables;
    unsigned long long mixed = 1;
    long i, j, k;
    int way;
    for (way = 0; way < WAYS && d->n_states; way++) {
        for (i = 0; i < d->n_states; i++) {
            double size = fabs(x[i]) + (e->control->rtol > 0.0 ? e->control->atol[i] / e->control->rtol : 0.0);
            mixed = 6364136223846793005ULL * mixed + 1442695040888963407ULL;
            e->z[i] = x[i] + (mixed >> 63 ? SHIFTED : -SHIFTED) * size;
        }
        crossings_at(d, t, e->z, m, e->g_ahead);
        for (k = 0; k < e->n_relations; k++) {
            double change;
            if ((j = e->places[k]) < 0) continue;
            change = fabs(e->g_ahead[j] - (sides[2 * k] - sides[2 * k + 1]));
            if (change > 0.0) e->roundings[j] = cutset_max(fabs(e->roundings[j]), change / SHIFTED);
        }
    }
}

/* e->roundings := the possible difference of the sides of each relation at its crossing, from y, which is that of (t, x, m): a
   part of the largest number of the model, but no more than comes from these sides, and from the states that they depend on. */
static void find_roundings(struct cutset_data *d, struct cutset_events *e, double t, const double *x, const double *m)
{
    const double *sides = e->y + e->n_variables;
    double largest, least = INFINITY;
    long j, k;
    if (e->has_roundings) return;
    e->has_roundings = 1;
    largest = largest_number(d, e, x);
    for (k = 0; k < e->n_relations; k++) {
        if ((j = e->places[k]) < 0) continue;
        e->roundings[j] = -cutset_max(d->watch.sizes[j], cutset_max(fabs(sides[2 * k]), fabs(sides[2 * k + 1])));
        least = cutset_min(least, -AMPLIFIED * e->roundings[j]);
    }
    if (least < largest) find_changes(d, e, t, x, m);
    for (j = 0; j < d->watch.n; j++) {
        const double most = AMPLIFIED * fabs(e->roundings[j]); /* without states nothing tells how exact an iteration is */
        const int is_known = most > 0.0 && (e->roundings[j] > 0.0 || !e->n_iterations);
        e->roundings[j] = AT_CROSSING * (is_known && most < largest ? most : largest);
    }
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
