/* Feeds the history of delayed signals: steps and events -> stretches.
   Allocates nothing. */

#ifndef CUTSET_DELAYS_H
#define CUTSET_DELAYS_H

#include "branches.h"
#include "crossings.h"
#include "driver.h"
#include "history.h"
#include "inputs.h"

/* Where a stretch is compared with the model: there its polynomial has its largest errors. And the part of the tolerance that
   it may differ. */
static const double COMPARED[] = {0.09, 0.91}, STRETCH_DIFFERS = 1e-3;

/* h->found := the signals to delay at (t, x), and the delays. */
static void signals_at(struct cutset_data *d, double t, const double *x)
{
    fill_at(d, t, x);
    guess_within(d, t, x);
    cutset_delayed(t, x, d->u, d->c, d->m, d->w, d->history.found);
}

/* v := the signals to delay at t within a step. */
static void signals_within(struct cutset_data *d, state_at *state, void *step, double t, double *v)
{
    struct cutset_history *h = &d->history;
    long k;
    state(step, t, h->x);
    signals_at(d, t, h->x);
    for (k = 0; k < h->count; k++) v[k] = h->found[2 * k];
}

/* Adds the stretch from `start` to `end`; false if it differs from the model. */
static int store_part(struct cutset_data *d, state_at *state, void *step, double start, double end)
{
    struct cutset_history *h = &d->history;
    long i = h->size, n = h->count, node, k;
    double *v = h->values + NODES * n * i;
    int is_good = 1;
    size_t j;
    memcpy(v, v - n, n * sizeof(double));
    for (node = 1; node < NODES; node++)
        signals_within(d, state, step, node == NODES - 1 ? end : start + 0.25 * (double)node * (end - start), v + node * n);
    h->starts[i] = start, h->ends[i] = end;
    h->pieces[i] = h->pieces[i - 1], h->roots[i] = h->roots[i - 1], h->levels[i] = h->levels[i - 1];
    h->size++, h->added++;
    for (j = 0; j < sizeof COMPARED / sizeof *COMPARED && is_good; j++) {
        double t = start + COMPARED[j] * (end - start);
        signals_within(d, state, step, t, h->values_now);
        for (k = 0; k < n; k++) {
            double right = h->values_now[k], allowed = STRETCH_DIFFERS * (h->rtol * fabs(right) + h->atol);
            is_good &= !(fabs(value_in(h, i, k, t) - right) > allowed);
        }
    }
    return is_good;
}

/* Stores the signals along an accepted step, in as many stretches as they need. */
static void store_step(struct cutset_data *d, state_at *state, void *step, double start, double end)
{
    struct cutset_history *h = &d->history;
    long before = h->size - 1, parts, p;
    int is_good = 0;
    if (!h->count || !(end > start)) return;
    for (parts = 1; !is_good && parts <= MOST_PARTS; parts *= 2) {
        double length = (end - start) / (double)parts;
        h->added -= h->size - 1 - before;
        h->size = before + 1;
        is_good = 1;
        for (p = 0; p < parts && (is_good || parts == MOST_PARTS); p++) {
            double last = p == parts - 1 ? end : start + (double)(p + 1) * length;
            is_good &= store_part(d, state, step, start + (double)p * length, last);
        }
    }
    note_closing(h, before, start, end);
}

/* Notes an event, or an instant at which a delayed value may have jumped (`is_jump`): if a signal to delay jumps or may have a
   kink, a new piece starts. */
static void note_event(struct cutset_data *d, double t, const double *x, const double *m, int is_event, int is_jump)
{
    struct cutset_history *h = &d->history;
    const double *was = h->values + (NODES * h->size - 1) * h->count;
    double level = is_event ? 0.0 : is_jump ? h->next_level : h->most_levels;
    long k;
    if (!h->count) return;
    fill_inputs(d, t);
    cutset_delayed(t, x, d->u, d->c, m, d->w, h->found);
    for (k = 0; k < h->count; k++) {
        double now = h->values_now[k] = h->found[2 * k];
        if (!(fabs(now - was[k]) <= 1e-12 + 1e-9 * fabs(was[k]))) level = 0.0;
    }
    if (level < h->most_levels) begin_piece(h, t, t, h->values_now, level);
}

#endif
