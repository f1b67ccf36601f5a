/* Settles an event: the state just before it -> the state just after it. Allocates nothing.

   Functions return 0 if the run fails, and note why in e->failure. */

#ifndef CUTSET_EVENTS_H
#define CUTSET_EVENTS_H

#include "relations.h"

#include "passes.h"

#include "hysteresis.h"

#include "chatter.h"

#include "at_crossings.h"

static void copy_moment(const struct cutset_data *d, const struct cutset_events *e, struct cutset_moment *to,
                        const struct cutset_moment *from)
{
    to->t = from->t;
    to->acted = from->acted;
    memcpy(to->x, from->x, d->n_states * sizeof(double));
    memcpy(to->m, from->m, e->n_modes * sizeof(double));
    memcpy(to->conditions, from->conditions, e->n_branches * sizeof(double));
    memcpy(to->truths, from->truths, e->n_relations * sizeof(double));
    memcpy(to->samples, from->samples, 2 * e->n_samples * sizeof(double));
    memcpy(to->scales, from->scales, d->watch.n * sizeof(double));
    memcpy(to->at, from->at, e->n_relations * sizeof(double));
    memcpy(to->reach, from->reach, e->n_relations * sizeof(double));
    memcpy(to->widths, from->widths, 2 * e->n_relations * sizeof(double));
}

/* Relations that crossed but do not count as such any more, and may not turn at the event either. */
enum { UNCROSSED = 1, EARLY = 2 };

/* Settles the event at s, from e->before. */
static int try_to_settle(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, const long *due)
{
    long k;
    s->acted = 0;
    e->jumps.restarted = 0;
    begin_jumps(d, e, s->t, s->x, s->m);
    hold_at_crossing(d, e, s);
    memset(e->turned, 0, d->watch.n * sizeof(long));
    for (k = 0; k < e->n_relations; k++)
        if (e->uncrossed[k] == EARLY && e->places[k] >= 0) e->turned[e->places[k]] = 1;
    if (!make_passes(d, e, s, due)) return 0;
    while (lean(d, e, s) || e->arrives) {
        e->arrives = 0;
        if (!make_passes(d, e, s, 0)) return 0;
    }
    return e->jumps.restarted || jumps_are_possible(d, e, &e->before, s->m);
}

/* True if relations are the reason why the event has failed. */
static int relations_failed(const struct cutset_failure *f)
{
    return f->cause == CONTRADICTORY_RELATIONS || f->cause == CYCLING_RELATIONS || f->cause == ENDLESS_PASSES;
}

/* The least part of what errors explain by which the hysteresis of a changing relation becomes wider: infinite if none does, -1 if a
   function has no value. */
static double least_share(struct cutset_data *d, struct cutset_events *e)
{
    double least = INFINITY;
    long k;
    for (k = 0; k < e->n_relations; k++) {
        double share = 0.0;
        int grows = e->failure.changing[k] ? widen_within(d, e, &e->before, k, &share) : 0;
        if (grows < 0) return -1.0;
        if (grows) least = cutset_min(least, share);
    }
    return least;
}

/* Lets the event be settled otherwise: the error of the integrator may have caused the contradiction, then a wider hysteresis
   helps. Or the crossing was located early: a diode that is about to conduct has a current that is further from zero than its
   voltage is, by its conductance; it has not crossed yet. 0 if neither may be the case. */
static int excuse_failure(struct cutset_data *d, struct cutset_events *e)
{
    const long cause = e->failure.cause, *changing = e->failure.changing;
    const double alike_shares = 10.0, least = least_share(d, e);
    int wider = 0, may_be_early = 0;
    long k;
    if (least < 0.0) return 0;
    for (k = 0; k < e->n_relations; k++) {
        double share = alike_shares * least;
        int grows = changing[k] && widen_within(d, e, &e->before, k, &share) > 0 && share <= alike_shares * least;
        may_be_early |= changing[k] && e->uncrossed[k] != EARLY;
        if (grows && !e->uncrossed[k]) e->uncrossed[k] = UNCROSSED;
        wider |= grows;
    }
    if (wider) return 1;
    for (k = 0; k < e->n_relations && cause == CONTRADICTORY_RELATIONS; k++)
        if (changing[k]) e->uncrossed[k] = EARLY;
    return cause == CONTRADICTORY_RELATIONS && may_be_early;
}

/* Settles the event at s: e->crossed has the new sign of each crossing, 0 for those that have not crossed, and `due` which samples
   are due. e->before becomes the moment before, with the hysteresis that it needs; after a failure so does s. */
static int settle(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, const long *due)
{
    const long arrives = e->arrives, ended = e->ended;
    int is_settled;
    begin_steps(d, &e->jumps);
    memset(e->uncrossed, 0, e->n_relations * sizeof(long));
    copy_moment(d, e, &e->before, s);
    e->jumps.is_within = 1;
    while (!(is_settled = try_to_settle(d, e, s, due)) && relations_failed(&e->failure) && excuse_failure(d, e)) {
        if (e->again) e->again(s->t);
        copy_moment(d, e, s, &e->before);
        e->arrives = arrives, e->ended = ended;
    }
    e->jumps.is_within = 0;
    if (!is_settled) {
        copy_moment(d, e, s, &e->before);
        return 0;
    }
    e->failure.cause = 0;
    end_steps(&e->jumps);
    return 1;
}

#endif
