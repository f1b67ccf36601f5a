/* Runs a model from its parameters to the stop: its start, the events there, and the run. Allocates nothing.

   This is `begin` of runtime/runs/run.py and what comes before and after it. */

#ifndef CUTSET_WHOLE_H
#define CUTSET_WHOLE_H

#include "delays.h"
#include "driver.h"
#include "events.h"
#include "inputs.h"
#include "isolate.h"
#include "run.h"
#include "segments.h"
#include "solver.h"
#include "start.h"
#include "times.h"

/* True if all variables are finite at the end of the run. Those that may become infinite are checked in each step. */
static int variables_are_finite(struct cutset_data *d, struct cutset_events *e)
{
    long i;
    memcpy(e->w_copy, d->w, e->n_work * sizeof(double));
    fill_inputs(d, e->now.t);
    cutset_variables(e->now.t, e->now.x, d->u, d->c, e->now.m, e->w_copy, e->y_row);
    for (i = 0; i < e->n_variables; i++)
        if (!isfinite(e->y_row[i])) return 0;
    return 1;
}

/* True if a state exceeds 1e12 times its nominal value in a row, as growing_states.py asks. */
static int has_large_states(const struct cutset_data *d, const struct cutset_events *e)
{
    const double *x = e->row_x, *nominals = e->start->nominals;
    long row, i;
    for (row = 0; row < e->tally.rows; row++, x += d->n_states)
        for (i = 0; i < d->n_states; i++)
            if (fabs(x[i]) > 1e12 * nominals[i]) return 1;
    return 0;
}

/* Finds the start at the time t for values that are bound. 0 with a cause if there is none. */
static int find_start_at(struct cutset_data *d, struct cutset_events *e, double t, double rtol, double atol)
{
    struct cutset_start *b = e->start;
    b->cause = BAD_VALUES;
    if (!parameters_are_valid(b) || !set_tolerance(b, d->n_states, rtol, atol)) return 0;
    clear_run(d, e, t);
    clear_sizes(d, b);
    enter_window(d, e, t);
    if (e->solver) e->solver->has_tolerances = 0;
    if (e->isolation) reach(e->isolation, t, t + e->run_span, e->run_span);
    d->history.atol = least_tolerance(b, d->n_states);
    b->cause = BAD_DELAY;
    if (!begin_history(d, e) || !find_first_constants(d, e)) return 0;
    memcpy(b->first_w, d->w, e->n_work * sizeof(double));
    return !d->interrupted;
}

/* The same, for a run that is not made here. */
int cutset_find_start(struct cutset_data *d, struct cutset_control *control, struct cutset_events *e, double t, double atol)
{
    cutset_fault = 0;
    e->control = control;
    return find_start_at(d, e, t, control->rtol, atol);
}

/* m[k] := held values that agree with point k, for so many points that no run has reached: all relations false and discrete
   variables at their start values agree, or are near to those. `inputs` numbers of u belong to each, and each begins with the
   same guesses. found[k] is 0 if there are none. */
void cutset_held(struct cutset_data *d, struct cutset_events *e, long points, const double *t, const double *x, const double *u,
                 long inputs, const double *guesses, double *m, long *found)
{
    const long delays = d->history.count;
    long k, i;
    d->history.count = 0, d->interrupted = 0; /* delayed values are given with the inputs */
    e->start->is_given = 1;
    for (k = 0; k < points; k++) {
        memcpy(d->w, guesses, d->n_guesses * sizeof(double));
        memcpy(d->u, u + k * inputs, inputs * sizeof(double));
        memcpy(e->start->begins, x + k * d->n_states, d->n_states * sizeof(double));
        e->now.t = t[k];
        clear_held(d, e);
        e->has_y = e->arrives = 0;
        for (i = 0; e->n_isolated && i < e->isolation->n; i++) e->isolation->searches[i].is_started = 0;
        if (e->n_isolated) reach(e->isolation, t[k], t[k] + 1.0, 1.0);
        found[k] = find_first_modes(d, e, &e->now);
        memcpy(m + k * e->n_modes, e->m, e->n_modes * sizeof(double));
    }
    e->start->is_given = 0;
    d->history.count = delays;
}

/* Runs to the last of the outputs, or as `cutset_run`. */
int cutset_go_on(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                 struct cutset_events *e)
{
    int status = cutset_run(d, control, tableau, e);
    e->start->has_large_states = has_large_states(d, e);
    return (status == AT_STOP || status == RUN_ENDED) && !variables_are_finite(d, e) ? COMPLICATED : status;
}

/* Writes the rows at the start and settles the events there: AT_STOP, RUN_FAILED, or RUN_INTERRUPTED. */
static int begin_run(struct cutset_data *d, struct cutset_events *e)
{
    struct cutset_moment *s = &e->state;
    int begins;
    keep(d, e);
    copy_moment(d, e, s, &e->now);
    write_row(d, e, s);
    begins = !has_events(e) || (samples_at_start(e) && do_event(d, e, s, e->tally.sample_events > 0, 0));
    if (begins) note_event(d, s->t, s->x, s->m, 0, 0);
    if (begins && !d->interrupted) begins = e->n_outputs > 1 || all_are_finite(d, e, s);
    if (d->interrupted) {
        restore(d, e);
        e->tally.rows = d->interrupted == 2; /* an input has failed: the row at the start is known */
        return RUN_INTERRUPTED;
    }
    copy_moment(d, e, &e->now, s);
    return begins ? AT_STOP : RUN_FAILED;
}

/* Settles the events at a start that was found elsewhere, and writes the rows there. */
int cutset_settle_start(struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e)
{
    e->has_y = 0;
    e->control = control;
    return begin_run(d, e);
}

static int start_run(struct cutset_data *d, struct cutset_events *e, double rtol, double atol)
{
    bind_parameters(e->start);
    return find_start_at(d, e, e->outputs[0], rtol, atol) && begin_run(d, e) == AT_STOP && !e->ended;
}

/* Runs from the start; e->has_start tells whether there is one. */
int cutset_whole(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                 struct cutset_events *e, double atol)
{
    int status;
    cutset_fault = 0;
    cutset_open = 0;
    e->control = control;
    bind_parameters(e->start);
    e->has_start = find_start_at(d, e, e->outputs[0], control->rtol, atol);
    if (!e->has_start) return COMPLICATED;
    cutset_fault = 0;
    status = begin_run(d, e);
    if (status != AT_STOP) return status;
    if (d->n_states && e->is_implicit && !e->solver) return NEEDS_SOLVER;
    cutset_fault = 0;
    return cutset_go_on(d, control, tableau, e);
}

#endif
