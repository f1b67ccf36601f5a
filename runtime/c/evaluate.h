/* Evaluates the right-hand side of a model with its inputs. Included by the files that integrate. */

#ifndef CUTSET_EVALUATE_H
#define CUTSET_EVALUATE_H

static int interrupted(struct cutset_data *d)
{
    int lock;
    if (!d->check_signals) return 0;
    lock = d->gil_ensure();
    if (d->check_signals()) {
        d->clear_error();
        d->interrupted = 1;
    }
    d->gil_release(lock);
    return d->interrupted != 0;
}

#include "history.h"
#include "signals.h"

/* Writes u at time t. */
static void fill_inputs(struct cutset_data *d, double t)
{
    if (d->inputs) d->inputs(t, d->u);
    if (d->signals.count) follow(&d->signals, t, d->u);
    if (d->history.count) recall(&d->history, t, d->u + d->history.offset);
}

/* The same at (t, x): a value that is delayed by less than the present step depends on that point. */
static void fill_at(struct cutset_data *d, double t, const double *x)
{
    enum { ROUNDS = 4 };
    struct cutset_history *h = &d->history;
    size_t guesses = d->n_guesses * sizeof(double);
    long round;
    fill_inputs(d, t);
    if (!h->count || !(h->shortest < MAY_BE_WITHIN * h->span) || !(t - h->shortest > h->ends[h->size - 1])) return;
    if (guesses) memcpy(h->guesses, d->w, guesses);
    for (round = 0; round < ROUNDS; round++) {
        cutset_delayed(t, x, d->u, d->c, d->m, d->w, h->found);
        if (!close_values(h, t, h->found, d->u + h->offset)) break;
    }
    if (guesses) memcpy(d->w, h->guesses, guesses);
}

#include "branches.h"

/* Evaluates the right-hand side: DONE, NOT_FINITE or INTERRUPTED. */
static int evaluate(struct cutset_data *d, double t, const double *x, double *dx)
{
    long i;
    int found = 1;
    if ((++d->evaluations & 4095) == 0 && interrupted(d)) return INTERRUPTED;
    *d->now = t;
    fill_at(d, t, x);
    if (d->interrupted) return INTERRUPTED;
    if (d->branch.n) found = derivatives_on_branch(d, t, x, dx);
    else cutset_derivatives(t, x, d->u, d->c, d->m, d->w, dx);
    for (i = 0; i < d->n_states && found; i++) found = isfinite(dx[i]);
    for (i = 0; i < d->n_guards && found; i++) found = isfinite(d->w[d->n_guesses + i]);
    if (found) return DONE;
    d->bad_evaluations++;
    d->bad_t = t;
    memcpy(d->bad_x, x, d->n_states * sizeof(double));
    return NOT_FINITE;
}

/* Stores the guesses of the step just made for the outputs in it, from number `first` to before `end`, with the states `out`. */
static void keep_guesses(struct cutset_data *d, const double *times, const double *out, long first, long end)
{
    for (; d->n_guesses && first < end; first++) {
        guess_within(d, times[first], out + first * d->n_states);
        memcpy(d->guesses + first * d->n_guesses, d->w, d->n_guesses * sizeof(double));
    }
}

#include "crossings.h"
#include "delays.h"
#include "poles.h"
#include "forcing.h"

#endif
