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

/* ---- runs that go on in steps ---- */

/* Records one number of each quantity now. */
static void record_now(struct cutset_data *d, struct cutset_events *e, const struct cutset_many *many, long run)
{
    long j;
    if (many->needs_variables) memcpy(e->start->first_w, d->w, e->n_work * sizeof(double));
    e->tally.rows = 0;
    write_row(d, e, &e->now);
    if (many->needs_variables) evaluate_row(d, e, 0);
    for (j = 0; j < many->n_kept; j++) many->results[run * many->n_kept + j] = value_in_row(d, e, many->kept + j, 0);
}

/* The run stands still here. */
static void keep_row(struct cutset_data *d, struct cutset_events *e, const struct cutset_many *many, long run)
{
    const struct cutset_rows *rows = many->rows;
    const struct cutset_row now = {d->watch.pace, !e->ended, e->now.acted, e->ended, e->tally};
    rows->rows[run] = now;
    rows->t[run] = e->now.t;
    memcpy(rows->block + run * rows->size, e->start->p, rows->size * sizeof(double));
    memcpy(rows->x + run * d->n_states, e->now.x, d->n_states * sizeof(double));
    memcpy(rows->u + run * rows->n_inputs, d->u, rows->n_inputs * sizeof(double));
    record_now(d, e, many, run);
}

/* Enters the run where it stands still; relations follow states and inputs that have changed since. */
static void enter_row(struct cutset_data *d, struct cutset_control *control, struct cutset_events *e, double atol,
                      const struct cutset_rows *rows, long run)
{
    const struct cutset_row *row = rows->rows + run;
    const double *x = rows->x + run * d->n_states, *u = rows->u + run * rows->n_inputs;
    long is_moved;
    memcpy(e->start->p, rows->block + run * rows->size, rows->size * sizeof(double));
    e->now.t = rows->t[run], e->now.acted = row->acted, d->watch.pace = row->pace;
    is_moved = !equal(x, e->now.x, d->n_states);
    if (is_moved) forget_reach(e);
    memcpy(e->now.x, x, d->n_states * sizeof(double));
    cutset_enter(d, control, e, atol);
    e->tally = row->tally;
    e->inputs_changed = is_moved || !equal(u, d->u, rows->n_inputs);
    memcpy(d->u, u, rows->n_inputs * sizeof(double));
}

/* The longest step of a call that ends at `until`. */
static double longest_step(const struct cutset_rows *rows, double until)
{
    return rows->least_steps ? cutset_min(rows->longest, (until - rows->start) / (double)rows->least_steps) : rows->longest;
}

static int step_row(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                    struct cutset_events *e, double atol, const struct cutset_many *many, long run)
{
    const struct cutset_rows *rows = many->rows;
    const double until = rows->t[run] + rows->step;
    int status;
    e->control = control;
    e->max_step = longest_step(rows, until);
    e->span = e->run_span = until - rows->start;
    enter_row(d, control, e, atol, rows, run);
    status = cutset_step(d, control, tableau, e, until, e->span, 0, 0, 0);
    if (status == AT_STOP || status == RUN_ENDED) keep_row(d, e, many, run);
    return status;
}

/* ---- the loop over runs ---- */

static int do_run(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                  struct cutset_events *e, double atol, const struct cutset_many *many, long run, double *own)
{
    const long size = many->n_kept * (many->has_trajectories ? e->n_outputs : 1);
    double *results = many->results + run * size; /* not of a row */
    int status;
    long i;
    if (many->rows) run = many->rows->order[run];
    if (many->rows && many->rows->step > 0.0) return step_row(d, control, tableau, e, atol, many, run);
    set_numbers(d, e->start, many, run);
    d->growth.is_repeated = 0;
    for (i = 0; i < 2 * d->watch.n; i++) d->watch.sizes[i] = many->at_ends[i];
    status = cutset_whole(d, control, tableau, e, atol);
    if (status != AT_STOP && status != RUN_ENDED) return status;
    if (many->rows) keep_row(d, e, many, run);
    else if (many->has_trajectories) record_trajectories(d, e, many, results);
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
