/* Decides relations: the sides of each at a point, the instants of those of time, what is held -> which are true. Time events are
   decided by their instant, not by the sides of the relation, so that rounding cannot separate the two. Allocates nothing. */

#ifndef CUTSET_DECISIONS_H
#define CUTSET_DECISIONS_H

#include "driver.h"
#include "jumps.h"
#include "relations.h"

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
        if (e->kinds[k] == EDGE)
            values[k] = sides[1] != 0.0 ? sides[0] != s->truths[k] : sides[0] != 0.0 && s->truths[k] == 0.0;
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

#endif
