/* Detects chattering and Zeno behavior: crossings -> failures of relations that cross without end, and limits on the
   step. Allocates nothing. The limits are in runtime/events/event_tables.py.

   What crosses without end is excused by the tolerance a few times, with a wider hysteresis; it is the reason if the integration
   fails soon after. */

#ifndef CUTSET_CHATTER_H
#define CUTSET_CHATTER_H

#include "cutset_support.h"
#include "driver.h"
#include "hysteresis.h"
#include "relations.h"

/* The numbers of a crossing in e->history: its latest instant and the distance from the one before; for each of three limits, and
   for decreasing distances, the crossings in a row and since when; whether a branch acted at one; the crossings in a row between
   which its sides hardly differed; the latest crossing that was an error and how many there were in a row; the latest time that
   it crossed without end, by the tolerance, how often in a row, the first time, and what happened: the crossings, since when and
   whether their distances decreased; the crossings in a row that follow each other at once, and since when; the largest difference
   of the sides since the latest crossing, and when they were almost equal and did not stay so. */
enum {
    LATEST, DISTANCE, COUNTS, SINCE = COUNTS + 4, HAS_ACTED = SINCE + 4, CALM, REFUSED_AT, REFUSALS, EXCUSED_AT, EXCUSES, FIRST_EXCUSED,
    ENDLESS_COUNT, ENDLESS_SINCE, IS_FASTER, CROWDED, CROWDED_SINCE, PEAK, EARLY_AT, /* less than OF_CROSSING */
};
enum { LIMITS = 3, FASTER = LIMITS };

/* Crossings in a row at decreasing distances, from which number on they are Zeno behavior, and the step and its duration that this
   allows. */
static const double SHRINKING = 0.9999, MOST_FASTER = 5.0, CALM_STEP = 0.25, CALM_AFTER = 4.0, SHORTEST_GAP = 1e-13;
/* Refusals in a row, each within this part of the run after the one before: after how many the tolerance alone may be the cause,
   after how many the hysteresis of both values grows, and how many are too many; and the same of excuses. */
static const double FEW_REFUSALS = 3.0, MANY_REFUSALS = 10.0, MOST_REFUSALS = 30.0, REFUSED_WITHIN = 1e-6;
static const double MOST_EXCUSES = 10.0, EXCUSED_WITHIN = 1e-6;
/* Crossings may go on without end that are farther apart, relative to the run: errors hold sides that are equal beside each other. */
static const double BEARABLE = 1e-5;
/* After how many crossings in a row the hysteresis grows, and how many are too many, each within this part of the run after the one
   before, of sides that meet with infinite slope: a small part of the tolerances of the states changes them by many times that part of
   what the tolerances do. MOST_OUTSIDE: too many in a method outside, whose steps are costly. */
static const double MANY_CROWDED = 30.0, MOST_CROWDED = 1000.0, MOST_OUTSIDE = 300.0;
static const double CROWDED_WITHIN = 1e-5, SMALL_PART = 0.01, STEEP = 3.0;

/* Notes the failure of relation k as its numbers h tell. */
static int fail_to_end(struct cutset_events *e, long k, const double *h, double t)
{
    struct cutset_failure *f = &e->failure;
    f->count = (long)h[ENDLESS_COUNT], f->other = h[IS_FASTER] != 0.0;
    f->was = h[ENDLESS_SINCE], f->now = t;
    return fail(e, CHATTERING_RELATION, k);
}

static void note_endless(double *h, double count, double since)
{
    h[IS_FASTER] = h[COUNTS + FASTER] > MOST_FASTER;
    h[ENDLESS_COUNT] = h[IS_FASTER] != 0.0 ? h[COUNTS + FASTER] : count;
    h[ENDLESS_SINCE] = h[IS_FASTER] != 0.0 ? h[SINCE + FASTER] : since;
}

/* Counts a crossing at t for each limit; true if there are too many. */
static int exceeds_limits(struct cutset_events *e, double *h, double t, int has_left)
{
    long i;
    int exceeds = 0;
    for (i = 0; i < LIMITS; i++) {
        int is_near = t - h[LATEST] <= e->limits[2 * i + 1] * e->span && (i < LIMITS - 1 || !has_left);
        h[COUNTS + i] = is_near ? h[COUNTS + i] + 1.0 : 1.0;
        if (!is_near) h[SINCE + i] = t;
        if (!(h[COUNTS + i] > e->limits[2 * i])) continue;
        note_endless(h, h[COUNTS + i], h[SINCE + i]);
        exceeds = 1;
        if (h[HAS_ACTED] != 0.0) return 1;
    }
    return exceeds;
}

/* Zeno behavior: the next event must not be stepped over. */
static void note_distance(struct cutset_events *e, double *h, double t)
{
    double gap = t - h[LATEST];
    int is_faster = gap <= SHRINKING * h[DISTANCE] && SHRINKING * h[DISTANCE] < INFINITY;
    h[COUNTS + FASTER] = is_faster ? h[COUNTS + FASTER] + 1.0 : 1.0;
    if (!is_faster) h[SINCE + FASTER] = t;
    else {
        const double least = cutset_max(gap, SHORTEST_GAP * e->span);
        e->tally.calm_step = CALM_STEP * least;
        e->tally.calm_until = t + CALM_AFTER * least;
    }
    h[LATEST] = t;
    h[DISTANCE] = gap;
}

/* 1 if the sides of crossing j have differed by no more than errors explain, 2 if they also meet with infinite slope, else 0. */
static int is_held_apart(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, long j)
{
    const double most = uncertainty(d, e, s->t, s->x, s->m, j, 1.0);
    if (e->history[OF_CROSSING * j + PEAK] > most) return 0;
    return 1 + (uncertainty(d, e, s->t, s->x, s->m, j, SMALL_PART) > STEEP * SMALL_PART * most);
}

/* What is done about a crossing: nothing; a wider hysteresis for one without end, or for one in a crowd that errors alone cause; the
   run ends. */
enum { ENDLESS = 1, CROWD, TOO_CROWDED };

/* Counts a crossing j at s just after another one, and tells what to do about it. In a method outside, whose unknowns are all
   variables, errors also cause crowds where others than the sides have infinite slopes, which no hysteresis ends. */
static int is_crowded(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, long j)
{
    double *h = e->history + OF_CROSSING * j;
    int held = 2;
    h[CROWDED] = s->t - h[LATEST] <= CROWDED_WITHIN * e->span && h[HAS_ACTED] == 0.0 ? h[CROWDED] + 1.0 : 1.0;
    if (h[CROWDED] > MANY_CROWDED) held = is_held_apart(d, e, s, j);
    if (held == 0 || (held == 1 && !e->segment)) h[CROWDED] = 1.0;
    if (h[CROWDED] == 1.0) h[CROWDED_SINCE] = s->t;
    if (held == 1 && h[CROWDED] > MOST_OUTSIDE) return TOO_CROWDED;
    return held == 2 && h[CROWDED] > MANY_CROWDED ? CROWD : 0;
}

/* Excuses a relation that crosses without end, which the tolerance may cause. 0 if it has done so too often in a row. */
static int excuse(const struct cutset_events *e, double *h, double t)
{
    long i;
    for (i = 0; i < LIMITS; i++) h[COUNTS + i] = 1.0;
    if (h[EXCUSES] == 0.0) h[FIRST_EXCUSED] = t;
    h[EXCUSES] = h[EXCUSES] != 0.0 && t - h[EXCUSED_AT] <= EXCUSED_WITHIN * e->span ? h[EXCUSES] + 1.0 : 1.0;
    h[EXCUSED_AT] = t;
    return h[EXCUSES] <= MOST_EXCUSES;
}

static int fail_crowded(struct cutset_events *e, long k, double *h, double t)
{
    h[IS_FASTER] = 0.0, h[ENDLESS_COUNT] = h[CROWDED], h[ENDLESS_SINCE] = h[CROWDED_SINCE];
    return fail_to_end(e, k, h, t);
}

/* Notes what crossed at s. Relations that cross without end get a wider hysteresis, where the tolerance explains that. 0 if it does
   not. */
static int note_crossings(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    long k;
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k];
        double *h = e->history + OF_CROSSING * j;
        if (j < 0 || e->crossed[j] == 0.0) continue;
        e->near[j] = is_crowded(d, e, s, j);
        if (e->near[j] == TOO_CROWDED) return fail_crowded(e, k, h, s->t);
        if (exceeds_limits(e, h, s->t, fabs(e->crossed[j]) != 2.0)) e->near[j] = ENDLESS;
        if (e->near[j] == ENDLESS && h[HAS_ACTED] != 0.0) return fail_to_end(e, k, h, s->t);
        note_distance(e, h, s->t);
        if (e->near[j] == ENDLESS && !excuse(e, h, s->t)) return fail_to_end(e, k, h, s->t);
    }
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k], widened;
        double *h = e->history + OF_CROSSING * j;
        if (j < 0 || e->crossed[j] == 0.0 || !e->near[j]) continue;
        widened = widen(d, e, s, k);
        if (widened < 0) return 0;
        if (widened) continue;
        if (e->near[j] == ENDLESS && h[DISTANCE] <= BEARABLE * e->span) return fail_to_end(e, k, h, s->t);
        if (h[CROWDED] > MOST_CROWDED) return fail_crowded(e, k, h, s->t);
    }
    return 1;
}

/* True if something has crossed more than once at almost the same time. */
static int has_crossed_again(const struct cutset_data *d, const struct cutset_events *e)
{
    long j, any = 0;
    for (j = 0; j < d->watch.n; j++) any |= e->crossed[j] != 0.0 && e->history[OF_CROSSING * j + COUNTS + 1] > 1.0;
    return any != 0;
}

/* The relation that the tolerance has just excused, or repeatedly up to t, the one that was so first; -1 if there is none. It is the
   reason if the integration fails at t. */
static long latest_excused(const struct cutset_data *d, const struct cutset_events *e, double t)
{
    long k, found = -1;
    for (k = 0; k < e->n_relations && d->watch.n; k++) {
        const double *h = e->history + OF_CROSSING * e->places[k];
        double within;
        if (e->places[k] < 0 || h[EXCUSES] == 0.0) continue;
        within = h[EXCUSES] > 1.0 ? EXCUSED_WITHIN : e->limits[2 * (LIMITS - 2) + 1];
        if (!(t - h[EXCUSED_AT] <= within * e->span)) continue;
        if (found < 0 || h[FIRST_EXCUSED] < e->history[OF_CROSSING * e->places[found] + FIRST_EXCUSED]) found = k;
    }
    return found;
}

/* Notes that an error of the integration made relation k cross at t; *again: 1 if it does so repeatedly, 2 if very often. 0 if it
   always does. */
static int note_refusal(struct cutset_events *e, double t, long k, long *again)
{
    double *h = e->history + OF_CROSSING * e->places[k];
    h[REFUSALS] = t - h[REFUSED_AT] <= REFUSED_WITHIN * e->span ? h[REFUSALS] + 1.0 : 1.0;
    h[REFUSED_AT] = t;
    *again = h[HAS_ACTED] != 0.0 ? 0 : (h[REFUSALS] > FEW_REFUSALS) + (h[REFUSALS] > MANY_REFUSALS);
    if (!(h[REFUSALS] > MOST_REFUSALS)) return 1;
    if (!(h[COUNTS + FASTER] > MOST_FASTER)) return fail(e, INACCURATE_CROSSING, k);
    note_endless(h, h[COUNTS + FASTER], h[SINCE + FASTER]);
    return fail_to_end(e, k, h, t);
}

/* Notes that a branch acted at the event of what crossed, so that the tolerance is not the cause. */
static void note_action(struct cutset_data *d, struct cutset_events *e)
{
    long j;
    for (j = 0; j < d->watch.n; j++)
        if (e->crossed[j] != 0.0) e->history[OF_CROSSING * j + HAS_ACTED] = 1.0;
}

#endif
