/* Evaluates the right-hand side of a model with its inputs. */

#ifndef CUTSET_EVALUATE_H
#define CUTSET_EVALUATE_H

#include "branches.h"

/* Evaluates the right-hand side: DONE, NOT_FINITE or INTERRUPTED. */
static int evaluate(struct cutset_data *d, double t, const double *x, double *dx)
{
    int found = 1;
    if ((++d->evaluations & 4095) == 0 && interrupted(d)) return INTERRUPTED;
    *d->now = t;
    fill_at(d, t, x);
    if (d->interrupted) return INTERRUPTED;
    if (d->branch.n) found = derivatives_on_branch(d, t, x, dx);
    else cutset_derivatives(t, x, d->u, d->c, d->m, d->w, dx);
    if (found && all_finite(d->n_states, dx) && all_finite(d->n_guards, d->w + d->n_guesses)) return DONE;
    d->bad_evaluations++;
    d->bad_t = t;
    memcpy(d->bad_x, x, d->n_states * sizeof(double));
    return NOT_FINITE;
}

#endif
