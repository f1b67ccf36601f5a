/* Lets the derivatives of the states by parameters follow that of the instant of an event. Allocates nothing.

   If a parameter p moves the instant t of an event by dt/dp = -(dg/dp)/(dg/dt), where g is what crosses zero there, the states
   at the event change by s + f*dt/dp, with the slopes f just before it; passes act on these changes as on the states, and the
   derivatives just after the event are what is left without those of the slopes after it:

       s+ = R(s- + f-*dt/dp) - f+*dt/dp */

#ifndef CUTSET_SENSITIVITIES_H
#define CUTSET_SENSITIVITIES_H

#include "agree.h"
#include "relations.h"

/* The relative difference of the changes of two instants that are one, and a slope that is zero, in a part of the run. */
static const double SAME_MOVE = 1e-6, NO_SLOPE = 1e-12;

/* moves[k] := dt/dp by parameter k of an event at which relation `number` changes; motions: how it does, see ModelInfo. 0 if the
   instant of this event has no derivative, or another one than that of those before, if there are `any`. */
static int take_instant(struct cutset_events *e, const double *motions, long number, double *moves, int any)
{
    const long n = e->n_sensitivities;
    const double *motion = motions + number * (1 + n);
    long k;
    for (k = 0; k < n; k++) {
        double size = fabs(motion[1 + k]), move = size == 0.0 ? 0.0 : -motion[1 + k] / motion[0];
        if (!(fabs(motion[0]) > NO_SLOPE * size / e->run_span) && size > 0.0) return fail(e, NO_SENSITIVITY, number);
        if (any && !(fabs(move - moves[k]) <= SAME_MOVE * cutset_max(fabs(move), fabs(moves[k])))) {
            e->failure.other = 1;
            return fail(e, NO_SENSITIVITY, number);
        }
        moves[k] = move;
    }
    return 1;
}

/* The derivatives of the instant of the event at s become the last discrete variables, 0 without one. */
static int find_instant(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, int any_due)
{
    const double *motions = e->updated + e->n_discrete + d->n_states + e->n_restarts + 2 * e->jumps.n + e->jumps.n_before;
    double *moves = s->m + e->n_modes - e->n_sensitivities;
    long k, i;
    int any = 0;
    e->failure.other = 0;
    memset(e->acting, 0, (e->n_branches + e->jumps.n_before) * sizeof(double));
    if (!find_updates(d, e, s->t, s->x, s->m)) return 0;
    for (k = 0; k < e->n_relations; k++)
        if (e->places[k] >= 0 && e->crossed[e->places[k]] != 0.0) {
            if (!take_instant(e, motions, k, moves, any)) return 0;
            any = 1;
        }
    for (i = 0; i < e->n_known + e->n_isolated; i++)
        if (e->arrived[i]) {
            if (!take_instant(e, motions, e->timed[i], moves, any)) return 0;
            any = 1;
        }
    for (i = 0; any_due && i < e->n_samples; i++)
        if (e->due[i]) {
            if (!take_instant(e, motions, e->samples[i], moves, any)) return 0;
            any = 1;
        }
    return 1;
}

/* Adds, to the derivatives of the states at s, those of the instant times the slopes there, with this sign. */
static void move_states(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, const double *moves, double sign)
{
    const long columns = e->n_sensitivities, n = d->n_states / (1 + columns);
    long i, k, any = 0;
    for (k = 0; k < columns; k++) any |= moves[k] != 0.0;
    if (!any || !n) return;
    rates_at(d, s->t, s->x, s->m, e->dx);
    for (k = 0; k < columns; k++)
        for (i = 0; i < n && moves[k] != 0.0; i++) s->x[(1 + k) * n + i] += sign * moves[k] * e->dx[i];
}

/* The derivatives of the states at the event s, before it is settled, become those at its instant. */
static int enter_instant(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, int any_due)
{
    double *moves = s->m + e->n_modes - e->n_sensitivities;
    if (!e->n_sensitivities) return 1;
    if (!find_instant(d, e, s, any_due)) return 0;
    move_states(d, e, s, moves, 1.0);
    return 1;
}

/* The same become those at a constant time again, after the event and before it. 0 if the states have jumped with a constraint. */
static int leave_instant(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, struct cutset_moment *before)
{
    const long columns = e->n_sensitivities;
    if (!columns) return 1;
    if (e->jumps.n && e->jumps.has_after && !equal(e->jumps.after, e->jumps.x, d->n_states)) {
        e->failure.other = 2;
        return fail(e, NO_SENSITIVITY, 0);
    }
    move_states(d, e, before, s->m + e->n_modes - columns, -1.0);
    move_states(d, e, s, s->m + e->n_modes - columns, -1.0);
    memset(s->m + e->n_modes - columns, 0, columns * sizeof(double));
    memset(before->m + e->n_modes - columns, 0, columns * sizeof(double));
    return 1;
}

#endif
