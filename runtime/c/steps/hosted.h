/* Serves an implicit method outside, which asks for derivatives and limits, and offers its steps. Allocates nothing.
   */

#ifndef CUTSET_HOSTED_H
#define CUTSET_HOSTED_H

#include "branches.h"
#include "crossings.h"
#include "cutset_support.h"
#include "driver.h"
#include "evaluate.h"
#include "forcing.h"
#include "history.h"
#include "poles.h"
#include "solver.h"
#include "step_ends.h"
#include "sundials.h"

/* Begins a segment at (t, x). x has the states at the last point also later. */
void cutset_begin(struct cutset_data *d, double t, double *x)
{
    begin_branch(d, t, x);
    begin_forcing(d, t, x);
    watch(d, t, x);
    begin_poles(d, 0);
}

/* The derivatives at (t, x), nan if there are none. */
int cutset_hosted_rates(struct cutset_data *d, double t, const double *x, double *dx)
{
    int status = evaluate(d, t, x, dx);
    long i;
    for (i = 0; i < d->n_states && status == NOT_FINITE; i++) dx[i] = NAN;
    return status;
}

/* s->values := the Jacobian at (t, x); 0 if there is none. */
int cutset_hosted_slopes(struct cutset_data *d, struct cutset_slopes *s, double t, const double *x)
{
    memcpy(s->x, x, d->n_states * sizeof(double));
    return slopes(d, s, t);
}

/* True if the branch ends so close to the last point that no step is possible. */
int cutset_ends_here(const struct cutset_data *d, const struct cutset_control *control)
{
    return ends_here(d, control->nearest);
}

/* The longest step from t, of h if possible, in a method that takes none shorter than `least`; 0 if there is no room for delayed
   values. *share := the part of the tolerances that it may use. */
double cutset_longest(struct cutset_data *d, const struct cutset_control *control, double t, double h, double least,
                      double *share)
{
    double longest = longest_with_delays(&d->history, control->max_step, 0);
    *share = 1.0;
    if (!has_room(&d->history)) return 0.0;
    if (!d->forcing) return longest;
    longest = within_forcing(d, t, cutset_max(cutset_min(h, longest), least), control->rtol, 0);
    *share = share_of_tolerance(d->forcing, control->rtol, BALANCED);
    return cutset_max(longest, least);
}

/* Accepts the step from r->t to t, at whose end are the states `next` with the derivatives dx; `state` tells those within it.
   Writes the outputs in it; x and r->t become the point reached. */
int cutset_accept(struct cutset_data *d, state_at *state, double t, const double *next, const double *dx, double *x, long n,
                  const double *times, double *out, struct cutset_report *r)
{
    struct cutset_poles *p = &d->poles;
    size_t bytes = d->n_states * sizeof(double);
    if (p->known && passes_pole(d, p->last_t, p->last_x, p->last_dx, t, next, dx)) return STEP_PASSES_POLE;
    memcpy(p->last_x, next, bytes);
    memcpy(p->last_dx, dx, bytes);
    p->last_t = t;
    p->known = 1;
    end_step(d, state, 0, r->t, t, next, r->steps++ == 0, x, n, times, out, r);
    if (!r->crossed && r->reached < n) look_at_sizes(d, r->t, x);
    return r->crossed ? STEP_CROSSES : STEP_IS_GOOD;
}

#endif
