/* Decides relations at a point: the sides of each, the instants at which those of time change, what is held -> whether each is
   true. Included by events.h only; allocates nothing. Time events are decided by their instant, not by
   the sides of the relation, so that rounding cannot separate the two. */

#ifndef CUTSET_RELATIONS_H
#define CUTSET_RELATIONS_H

/* The difference of the sides of a relation at its crossing, relative to the largest number of the model. */
static const double AT_CROSSING = 1e-9;

enum { OF_STATE, OF_TIME, EDGE, SAMPLE }; /* kinds of relations */

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

#include "isolate.h"

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

/* The possible difference of the sides of a relation at its crossing, from y. */
static double rounding_in(const struct cutset_data *d, const struct cutset_events *e, const double *x)
{
    double largest = 0.0;
    long i;
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

#include "jumps.h"

/* ---- relations ---- */

static void decide_by_events(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m,
                            const long *due, double *values)
{
    long i;
    find_instants(d, e, s->t, m, s->t);
    for (i = 0; i < e->n_known + e->n_isolated; i++) {
        double instant = e->te[2 * i], slope = e->te[2 * i + 1];
        if (!isfinite(instant) || slope == 0.0) continue;
        if (s->t < instant && !same_instant(e, s->t, instant)) slope = -slope;
        if (e->arrives && e->arrived[i] && e->opposites[e->timed[i]] >= 0) slope = NAN;
        values[e->timed[i]] = truth(e, e->timed[i], slope); /* nan counts as 0 */
    }
    for (i = 0; i < e->n_samples; i++) values[e->samples[i]] = due && due[i];
}

/* Up to which difference of its sides relation k keeps this value; negative if none. */
static double width_of(const struct cutset_moment *s, long k, double value) { return s->widths[2 * k + (value != 0.0)]; }

/* The relations that the equations imply for the held values m. Where a side is not finite, the equations are singular with
   the held value, and the relation takes the other one. */
static int implied(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m,
                   const long *due, double *values)
{
    const double *sides = e->y + e->n_variables;
    long k;
    look(d, e, s->t, moved_states(d, e, s, m), m);
    for (k = 0; k < e->n_relations; k++, sides += 2) {
        double difference = sides[0] - sides[1];
        int same;
        if (e->kinds[k] == EDGE) values[k] = sides[0] != 0.0 && s->truths[k] == 0.0;
        if (e->kinds[k] >= EDGE) continue;
        if (!isfinite(difference)) {
            values[k] = 1.0 - m[k];
            continue;
        }
        same = alike(sides);
        values[k] = same && e->places[k] >= 0 && e->opposites[k] < 0 ? m[k] : truth(e, k, same && e->opposites[k] >= 0 ? 0.0 : difference);
        if (fabs(difference) <= width_of(s, k, m[k])) values[k] = m[k];
        if (s->reach[k] >= 0.0 && (same || fabs(difference) <= s->reach[k])) values[k] = s->at[k];
    }
    decide_by_events(d, e, s, m, due, values);
    return 1;
}

#include "agree.h"

#endif
