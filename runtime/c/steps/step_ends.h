/* Ends an accepted step of any method: looks for a crossing, and writes the outputs in the step. */

#ifndef CUTSET_STEP_ENDS_H
#define CUTSET_STEP_ENDS_H

#include "branches.h"
#include "crossings.h"
#include "delays.h"
#include "driver.h"

/* Stores delayed values and writes the outputs, with their guesses, of the step from `before` to `end`, where the states are
   `next`. It counts up to `until`, which r->t becomes and where x becomes the state: that of the crossing, if there is one. */
static void write_step(struct cutset_data *d, state_at *state, void *step, double before, double end, const double *next,
                       double until, double *x, long n, const double *times, double *out, struct cutset_report *r)
{
    const size_t bytes = d->n_states * sizeof(double);
    store_step(d, state, step, before, until);
    for (; r->reached < n && (times[r->reached] < until || (!r->crossed && times[r->reached] == until)); r->reached++) {
        double *row = out + r->reached * d->n_states;
        if (times[r->reached] < end) state(step, times[r->reached], row);
        else memcpy(row, next, bytes);
        if (!d->n_guesses) continue;
        guess_within(d, times[r->reached], row);
        memcpy(d->guesses + r->reached * d->n_guesses, d->w, d->n_guesses * sizeof(double));
    }
    memmove(x, r->crossed ? d->watch.z : next, bytes);
    r->t = until;
    if (r->crossed) guess_within(d, until, x);
}

/* Ends the step from `before` to `end`, where the states are `next`. x and r->t become the point reached. */
static void end_step(struct cutset_data *d, state_at *state, void *step, double before, double end, const double *next, int first,
                     double *x, long n, const double *times, double *out, struct cutset_report *r)
{
    double until = end;
    accept_point(d, end, next);
    r->crossed = crosses(d, state, step, before, end, first, &until);
    write_step(d, state, step, before, end, next, until, x, n, times, out, r);
}

#endif
