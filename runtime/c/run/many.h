/* Does many runs of a model, each with its own numbers, one after the other: those of whole.h. Allocates nothing.
   Several threads call it, each with the data of its own. */

#ifndef CUTSET_MANY_H
#define CUTSET_MANY_H

#include "cutset_support.h"
#include "driver.h"
#include "poles.h"
#include "segments.h"
#include "whole.h"

#include <time.h>

/* True if other threads may run the model at the same time. */
int cutset_has_threads(void)
{
#ifdef __TINYC__
    return 0;
#else
    return 1;
#endif
}

static double seconds_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void set_numbers(struct cutset_data *d, struct cutset_start *b, const struct cutset_many *many, long run)
{
    long j;
    for (j = 0; j < many->n_set; j++) {
        const struct cutset_quantity *v = many->set + j;
        double value = v->sign * many->values[j][run * many->strides[j]];
        if (v->array == 'u') d->u[v->index] = value;
        else if (v->array == 'p') b->p[v->index] = value, b->given[v->index] = 1.0;
        else b->start_value[v->index] = value, b->start_given[v->index] = 1.0;
    }
}

/* e->y_row := the variables in a row, as cutset_batch evaluates the rows of a result, with e->w_copy. 0 if one of them is not
   finite. */
static int evaluate_row(struct cutset_data *d, struct cutset_events *e, long row)
{
    const double *guesses = e->row_guesses + row * d->n_guesses;
    long i;
    if (row == 0) memcpy(e->w_copy, e->start->first_w, e->n_work * sizeof(double));
    for (i = 0; i < d->n_guesses; i++)
        if (row == 0 || guesses[i] != guesses[i - d->n_guesses]) e->w_copy[i] = guesses[i];
    if (d->history.count || d->signals.count)
        memcpy(d->u, e->row_u + row * e->n_u, e->n_u * sizeof(double));
    cutset_variables(e->row_t[row], e->row_x + row * d->n_states, d->u, d->c, e->row_m + row * e->n_modes, e->w_copy,
                     e->y_row);
    return all_finite(e->n_variables, e->y_row);
}

/* The value of a recorded quantity in the row that was evaluated last. */
static double value_in_row(const struct cutset_data *d, const struct cutset_events *e, const struct cutset_quantity *v, long row)
{
    switch (v->array) {
    case 't': return e->row_t[row];
    case '1': return v->sign; /* a number that is part of the code */
    case 'x': return v->sign * e->row_x[row * d->n_states + v->index];
    case 'm': return v->sign * e->row_m[row * e->n_modes + v->index];
    case 'u': return v->sign * (d->signals.count ? e->row_u[row * e->n_u + v->index] : d->u[v->index]);
    case 'p': return v->sign * e->start->p[v->index];
    default: return v->sign * e->y_row[v->index];
    }
}

/* Records one number of each quantity; `before` has room for one of each. 0 if a variable is not finite in some row. */
static int record_numbers(struct cutset_data *d, struct cutset_events *e, const struct cutset_many *many, double *results,
                          double *before)
{
    const double *t = e->row_t, length = t[e->tally.rows - 1] - t[0];
    long row, j;
    for (row = 0; row < e->tally.rows; row++) {
        if (!evaluate_row(d, e, row)) return 0;
        for (j = 0; j < many->n_kept; j++) {
            const struct cutset_quantity *v = many->kept + j;
            double value = value_in_row(d, e, v, row), was = before[j];
            before[j] = value;
            if (v->how == MEAN_OF_ROWS && length > 0.0)
                results[j] = row ? results[j] + 0.5 * (value + was) * (t[row] - t[row - 1]) : 0.0;
            else if (row == 0 || v->how == OF_LAST_ROW || v->how == MEAN_OF_ROWS) results[j] = value;
            else if (v->how == LEAST_OF_ROWS) results[j] = cutset_min(value, results[j]);
            else results[j] = cutset_max(value, results[j]);
        }
    }
    for (j = 0; j < many->n_kept; j++)
        if (many->kept[j].how == MEAN_OF_ROWS && length > 0.0) results[j] /= length;
    return 1;
}

/* Records each quantity at all outputs; of two rows at an output the second one. */
static void record_trajectories(struct cutset_data *d, struct cutset_events *e, const struct cutset_many *many, double *results)
{
    long row, k = 0, j;
    for (row = 0; row < e->tally.rows; row++) {
        while (k < e->n_outputs - 1 && e->outputs[k] < e->row_t[row]) k++;
        if (many->needs_variables) evaluate_row(d, e, row);
        if (e->outputs[k] != e->row_t[row]) continue;
        for (j = 0; j < many->n_kept; j++) results[k * many->n_kept + j] = value_in_row(d, e, many->kept + j, row);
    }
}

static int do_run(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                  struct cutset_events *e, double atol, const struct cutset_many *many, long run, double *own)
{
    const long size = many->n_kept * (many->has_trajectories ? e->n_outputs : 1);
    double *results = many->results + run * size;
    int status;
    long i;
    set_numbers(d, e->start, many, run);
    d->growth.is_repeated = 0;
    for (i = 0; i < 2 * d->watch.n; i++) d->watch.sizes[i] = many->at_ends[i];
    status = cutset_whole(d, control, tableau, e, atol);
    if (status != AT_STOP && status != RUN_ENDED) return status;
    if (many->has_trajectories) record_trajectories(d, e, many, results);
    else if (!record_numbers(d, e, many, results, own)) return NOT_DEFINED;
    return status;
}

/* Does the runs from `first` to before `end`, and writes the status and the seconds of each. `own` has room for a number of
   each recorded quantity. Returns `end`, or the number of a run
   that was interrupted, or that needs SUNDIALS or room for more rows. */
long cutset_many(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                 struct cutset_events *e, double atol, const struct cutset_many *many, double *own, long first, long end)
{
    for (; first < end && !*many->is_over; first++) {
        double began = seconds_now();
        int status = do_run(d, control, tableau, e, atol, many, first, own);
        many->status[first] = status;
        many->seconds[first] = seconds_now() - began;
        if (status == NEEDS_SOLVER || status == ROWS_FULL || status == RUN_INTERRUPTED) break;
    }
    return first;
}

#endif
