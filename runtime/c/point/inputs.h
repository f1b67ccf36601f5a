/* Fills in the inputs of a model at a point: given functions, signals and delayed values. */

#ifndef CUTSET_INPUTS_H
#define CUTSET_INPUTS_H

#include "history.h"
#include "signals.h"

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

#endif
