/* Widens the hysteresis of relations that contradict each other, or do not converge, by differences that errors
   explain: each keeps its value until the difference of its sides exceeds a width, one for each value. Allocates
   nothing. */

#ifndef CUTSET_HYSTERESIS_H
#define CUTSET_HYSTERESIS_H

#include "agree.h"
#include "cutset_support.h"
#include "driver.h"
#include "jumps.h"
#include "relations.h"

/* The first width, relative to the largest; by how much a width that is too small grows, and what counts as growth; and the first
   width in differences. */
static const double FIRST_WIDTH = 1e-9, WIDENS = 10.0, GROWS = 1.5, AT_FIRST = 8.0;

/* The change of crossing j that this part of the tolerances of the states causes while m is held: to first order, by differences. */
static double uncertainty(struct cutset_data *d, struct cutset_events *e, double t, const double *x, const double *m, long j, double part)
{
    double total = 0.0, now;
    long i;
    crossings_at(d, t, x, m, e->g);
    now = e->g[j];
    for (i = 0; i < d->n_states; i++) {
        memcpy(e->z, x, d->n_states * sizeof(double));
        e->z[i] += part * (e->control->atol[i] + e->control->rtol * fabs(x[i]));
        crossings_at(d, t, e->z, m, e->g);
        total += fabs(e->g[j] - now);
    }
    return total;
}

/* Widens `width`, that of relation k with its value in m: 1 if that is more, 0 if it has its largest width, -1 if errors
   do not explain the difference. *share: the larger of itself and the part of the largest width. */
static int widen_one(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m, long k,
                     double *width, double *share)
{
    const double *x = moved_states(d, e, s, m), was = cutset_max(*width, 0.0);
    double most, size;
    look(d, e, s->t, x, m);
    find_roundings(d, e, s->t, x, m);
    most = 4.0 * e->roundings[e->places[k]];
    most += uncertainty(d, e, s->t, x, m, e->places[k], 1.0);
    crossings_at(d, s->t, x, m, e->g);
    size = fabs(e->g[e->places[k]]);
    if (!(size <= most)) return -1;
    *width = cutset_min(cutset_max(cutset_max(WIDENS * was, AT_FIRST * size), FIRST_WIDTH * most), most);
    if (most > 0.0) *share = cutset_max(*share, *width / most);
    return *width > GROWS * was; /* not just because the states have grown */
}

/* Widens the hysteresis of relation k at s, if errors explain the difference of its sides with either value: 1, 0 if they do not or
   it has its largest width already, -1 if a function has no value. Not beyond a part of what errors explain, *share, which becomes
   the one that is needed. */
static int widen_within(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, long k, double *share)
{
    double *flipped = e->searched, widths[2], needed = 0.0;
    const double *held[2];
    int follows, grows = 0, i;
    if (e->places[k] < 0) return 0;
    memcpy(flipped, s->m, e->n_modes * sizeof(double));
    flipped[k] = 1.0 - flipped[k];
    follows = follow_discrete(d, e, s, flipped);
    if (follows < 0) return -1;
    memcpy(widths, s->widths + 2 * k, sizeof widths);
    held[0] = s->m, held[1] = flipped;
    for (i = 0; i < 2; i++) {
        int wider = i == 0 || follows ? widen_one(d, e, s, held[i], k, widths + (held[i][k] != 0.0), &needed) : -1;
        if (wider < 0) return 0;
        grows |= wider;
    }
    if (grows && needed <= *share) memcpy(s->widths + 2 * k, widths, sizeof widths);
    *share = needed;
    return grows;
}

/* The same, as far as errors explain. */
static int widen(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, long k)
{
    double share = INFINITY;
    return widen_within(d, e, s, k, &share);
}

/* The same of the value that is held, for an error of the integration that made relation k cross. */
static int widen_held(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, long k)
{
    const long other = 2 * k + (s->m[k] == 0.0);
    const double width = s->widths[other];
    int grows = widen(d, e, s, k);
    s->widths[other] = width;
    return grows;
}

#endif
