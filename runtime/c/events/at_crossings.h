/* Finds which relations are at their crossing, and where the states go from there. Allocates nothing.

   Near a crossing, rounding and the error of the integrator decide the sign of a difference. A relation at its crossing has the
   value of the side to which the states move, as long as its sides differ by at most `reach`. */

#ifndef CUTSET_AT_CROSSINGS_H
#define CUTSET_AT_CROSSINGS_H

#include "chatter.h"
#include "cutset_support.h"
#include "driver.h"
#include "hysteresis.h"
#include "relations.h"

/* The part of the run within which an accurate integrator locates a crossing. */
static const double LOCATED = 1e-11;
/* The change that rounding hides, and the parts of the run over which a change is predicted. */
static const double SLOPE_NOISE = 1e-14;
static const double AHEAD[3] = {1e-9, 1e-7, 1e-5};
/* The part of the difference at a crossing up to which sides that do not part count as equal. */
static const double RESTING = 1e-3;
/* The difference of the sides of a relation at its crossing, relative to the largest one so far. */
static const double SMALL = 1e-6;
/* A difference is small if it was never larger than HARDLY tolerances since it crossed; SLOWLY: how many times that the sides may
   change in a run; the rounding of a difference in that of the largest number, and this one; and after how many crossings in a
   row rounding may be the cause. */
static const double HARDLY = 100.0, SLOWLY = 100.0, GLOBAL = 10.0, ROUNDED = 1e-13, UNCERTAIN = 3.0;
/* What tightens tolerances where integration errors are mistaken for crossings, and loosens them after others; the least factor. */
static const double TIGHTER = 0.1, LOOSER = 10.0, TIGHTEST = 1e-6;

/* True if the slopes of all crossings in e->near are known. */
static int change_slopes(const struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, double h)
{
    const double *restrict ahead = e->g_ahead, *restrict g = e->g, *restrict scales = s->scales, *restrict rest = e->rest;
    double *restrict slopes = e->slopes;
    long j, n = d->watch.n;
    for (j = 0; j < n; j++) {
        double change = rest[j] > 0.0 ? ahead[j] : ahead[j] - g[j];
        double slope = fabs(change) > cutset_max(SLOPE_NOISE * scales[j], rest[j]) ? change / h : 0.0;
        slopes[j] = slopes[j] == 0.0 ? slope : slopes[j];
    }
    for (j = 0; j < n; j++)
        if (slopes[j] == 0.0 && e->near[j]) return 0;
    return 1;
}

/* e->slopes := the slope of each crossing in e->near, whose values are in e->g, or with `bends` the sign of its second
   derivative where the slope is zero. 0 if rounding hides it, or if the sides stay within e->rest, up to which they count as
   equal. */
static void find_slopes(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, int bends)
{
    double h = 0.0;
    long i, round, n = d->n_states;
    int all = 0;
    rates_at(d, s->t, s->x, s->m, e->dx);
    memset(e->slopes, 0, d->watch.n * sizeof(double));
    for (round = 0; round < 3 && !all; round++) {
        h = AHEAD[round] * e->run_span;
        for (i = 0; i < n; i++) e->z[i] = s->x[i] + h * e->dx[i];
        crossings_at(d, s->t + h, e->z, s->m, e->g_ahead);
        all = change_slopes(d, e, s, h);
    }
    if (!bends || all) return;
    for (i = 0; i < n; i++) e->z[i] = s->x[i] + 0.5 * h * e->dx[i];
    rates_at(d, s->t + 0.5 * h, e->z, s->m, e->dx_ahead);
    for (i = 0; i < n; i++) e->z[i] = s->x[i] + h * e->dx_ahead[i];
    crossings_at(d, s->t + h, e->z, s->m, e->g_ahead);
    change_slopes(d, e, s, h);
}

/* e->rest := the difference up to which sides count as equal that do not part. */
static void find_rest(const struct cutset_data *d, struct cutset_events *e)
{
    const double *most = e->roundings;
    long k, j;
    for (k = 0; k < e->n_relations; k++)
        if ((j = e->places[k]) >= 0 && e->opposites[k] >= 0)
            e->rest[j] = cutset_min(most[j], cutset_max(AT_CROSSING * d->watch.sizes[j], RESTING * most[j]));
}

/* Relations that cross again and again, while their sides differ by no more than rounding, keep their value. */
static void hold_uncertain(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    double *peaks = d->watch.sizes + d->watch.n, atol = 0.0;
    long i, k, j;
    for (i = 0; i < d->n_states; i++) atol = cutset_max(atol, e->control->atol[i]);
    for (k = 0; k < e->n_relations; k++) {
        double *h, largest, hardly, error;
        int rests;
        if ((j = e->places[k]) < 0 || !e->near[j]) continue;
        h = e->history + OF_CROSSING * j;
        largest = e->roundings[j] / AT_CROSSING;
        hardly = HARDLY * (atol + e->control->rtol * largest);
        error = GLOBAL * ROUNDED * largest;
        /* What chatters moves to its crossing, or has acted there. */
        rests = peaks[j] * e->span <= SLOWLY * hardly * (s->t - h[LATEST]) && h[HAS_ACTED] == 0.0;
        h[CALM] = peaks[j] <= hardly && rests ? h[CALM] + 1.0 : 0.0;
        if (h[CALM] >= UNCERTAIN && peaks[j] <= error) {
            s->at[k] = s->m[k];
            s->reach[k] = 4.0 * error;
            e->crossed[j] = 0.0;
            e->near[j] = 0;
        }
        h[PEAK] = peaks[j];
        peaks[j] = 0.0;
    }
}

/* True if sides are almost equal, and do not stay so: they have not crossed yet. */
static int is_early(const struct cutset_data *d, const struct cutset_events *e, const struct cutset_moment *s, long k)
{
    long j = e->places[k];
    if (e->opposites[k] < 0 || e->g[j] == 0.0 || truth(e, k, e->g[j]) != s->m[k]) return 0;
    return fabs(d->watch.crossed[j]) == 1.0 && e->slopes[j] != 0.0;
}

/* Takes back crossings that are not yet: of sides that are almost equal and do not stay so. */
static void take_back_early(const struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    long k, j;
    for (k = 0; k < e->n_relations; k++)
        if ((j = e->places[k]) >= 0 && e->near[j] && is_early(d, e, s, k))
            e->crossed[j] = 0.0, e->history[OF_CROSSING * j + EARLY_AT] = s->t;
}

/* Relations return to their crossing that go back to their old side, or that have not left it and do not continue: the error of
   the integration crossed, not the solution. Returns how many. */
static long take_back_errors(struct cutset_events *e, struct cutset_moment *s)
{
    double located = LOCATED * cutset_max(fabs(s->t), e->run_span);
    long k, count = 0;
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k];
        double slope, crossed, size, reach;
        if (j < 0 || e->crossed[j] == 0.0) continue;
        slope = e->slopes[j], crossed = e->crossed[j], size = fabs(e->g[j]);
        reach = located * fabs(slope) + SLOPE_NOISE * s->scales[j] + cutset_max(s->reach[k], 0.0);
        if (size > reach || (slope * crossed >= 0.0 && (slope != 0.0 || s->reach[k] < 0.0 || fabs(crossed) != 2.0))) continue;
        s->at[k] = s->m[k];
        s->reach[k] = 2.0 * size;
        count++;
    }
    return count;
}

/* What is known of steep steps holds for one tolerance. */
static void set_tightening(struct cutset_tally *a, double tightening)
{
    if (tightening != a->tightening) a->steep = 0;
    a->tightening = tightening;
}

/* Tightens the tolerances, and widens the hysteresis of relations whose crossings are errors again and again. 0 if some always
   are. */
static int refuse_crossings(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    long k;
    set_tightening(&e->tally, cutset_max(TIGHTER * e->tally.tightening, TIGHTEST));
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k];
        if (j < 0) continue;
        e->near[j] = e->crossed[j] != 0.0 && s->reach[k] >= 0.0;
        if (!e->near[j]) continue;
        e->crossed[j] = 0.0;
        if (!note_refusal(e, s->t, k, &e->near[j])) return 0;
    }
    for (k = 0; k < e->n_relations; k++) {
        long again = e->places[k] < 0 ? 0 : e->near[e->places[k]];
        /* If the held value does not suffice, the other one crosses back as often. */
        if (again && (again > 1 ? widen(d, e, s, k) : widen_held(d, e, s, k)) < 0) return 0;
    }
    return 1;
}

/* Keeps in e->crossed only the relations that did not cross by an error of the integration or by rounding. 0 if these never
   end. */
static int check_crossings(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    long j, any = 0;
    crossings_at(d, s->t, s->x, s->m, e->g);
    for (j = 0; j < d->watch.n; j++) e->near[j] = d->watch.crossed[j] != 0.0;
    look(d, e, s->t, s->x, s->m);
    find_roundings(d, e, s->t, s->x, s->m);
    hold_uncertain(d, e, s);
    find_rest(d, e);
    find_slopes(d, e, s, 0);
    take_back_early(d, e, s);
    if (take_back_errors(e, s) && !refuse_crossings(d, e, s)) return 0;
    for (j = 0; j < d->watch.n; j++) any |= e->crossed[j] != 0.0;
    if (any) set_tightening(&e->tally, cutset_min(LOOSER * e->tally.tightening, 1.0));
    return 1;
}

/* Relations at their crossing from which the states move to the side opposite to the held value take that side's value;
   each does so once in an event. Returns how many did. */
static long lean(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    double located = LOCATED * cutset_max(fabs(s->t), e->run_span);
    long k, near = 0, count = 0;
    if (!d->watch.n) return 0;
    crossings_at(d, s->t, s->x, s->m, e->g);
    look(d, e, s->t, s->x, s->m);
    for (k = 0; k < e->n_relations; k++) {
        const double *sides = e->y + e->n_variables + 2 * k;
        long j = e->places[k];
        if (j < 0) continue;
        e->near[j] = !e->turned[j] && s->widths[2 * k] < 0.0 && (alike(sides) || (s->reach[k] >= 0.0 && fabs(e->g[j]) <= s->reach[k]));
        near += e->near[j];
    }
    if (!near) return 0;
    find_roundings(d, e, s->t, s->x, s->m);
    find_rest(d, e);
    find_slopes(d, e, s, 1);
    for (k = 0; k < e->n_relations; k++) {
        const double *sides = e->y + e->n_variables + 2 * k;
        long j = e->places[k];
        double slope, reach;
        if (j < 0 || !e->near[j]) continue;
        if (e->slopes[j] == 0.0 && e->opposites[k] >= 0 && s->m[k] == 0.0 && s->m[e->opposites[k]] == 0.0)
            s->at[k] = 0.0, s->reach[k] = cutset_max(s->reach[k], e->rest[j]); /* the sides stay equal */
        if (e->slopes[j] == 0.0) continue;
        slope = e->slopes[j], reach = located * fabs(slope) + SLOPE_NOISE * s->scales[j];
        if ((!alike(sides) && fabs(e->g[j]) > reach) || truth(e, k, slope) == s->m[k]) continue;
        s->at[k] = truth(e, k, slope);
        s->reach[k] = 2.0 * fabs(e->g[j]);
        e->turned[j] = 1;
        count++;
    }
    return count;
}

/* The value of relation k, which crossed, at its crossing: that of its new side; if sides meet that were apart, they are
   equal there. */
static double value_at_crossing(const struct cutset_events *e, const struct cutset_moment *s, long k)
{
    long other = e->opposites[k];
    if (other >= 0 && (s->m[k] != 0.0 || s->m[other] != 0.0)) return 0.0;
    return truth(e, k, e->crossed[e->places[k]]);
}

/* The relations that crossed have the value of their new side while they are near the crossing. A difference that is not small
   has jumped, or has a pole. */
static void hold_at_crossing(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    double most, size, least;
    long k, crossed = 0;
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k];
        if (j >= 0 && e->crossed[j] != 0.0 && !e->uncrossed[k]) crossed++;
        else if (s->m[k] != s->at[k]) s->reach[k] = -1.0;
    }
    if (!crossed) return;
    crossings_at(d, s->t, s->x, s->m, e->g);
    look(d, e, s->t, s->x, s->m);
    find_roundings(d, e, s->t, s->x, s->m);
    if (e->find_noise) e->find_noise(s->t, s->x, s->m, e->noise);
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k];
        if (j < 0 || e->crossed[j] == 0.0 || e->uncrossed[k]) continue;
        most = e->roundings[j], size = fabs(e->g[j]), least = cutset_max(SMALL * d->watch.sizes[j], ROUNDED / AT_CROSSING * most);
        s->at[k] = value_at_crossing(e, s, k);
        s->reach[k] = size <= cutset_max(least, 0.5 * e->noise[j]) ? cutset_max(cutset_min(2.0 * size, most), e->noise[j]) : -1.0;
    }
}

#endif
