/* Runs a model from its parameters to the stop: its start, the events there, and the run; or from where a run has
   ended, or in steps. Allocates nothing. */

#ifndef CUTSET_WHOLE_H
#define CUTSET_WHOLE_H

#include "delays.h"
#include "driver.h"
#include "events.h"
#include "history.h"
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
    memcpy(e->w_copy, d->w, e->n_work * sizeof(double));
    fill_inputs(d, e->now.t);
    cutset_variables(e->now.t, e->now.x, d->u, d->c, e->now.m, e->w_copy, e->y_row);
    return all_finite(e->n_variables, e->y_row);
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

/* Prepares for a run from t on with these absolute tolerances, which it makes smaller for states that have outgrown them. */
static void begin_growth(struct cutset_data *d, double *atol, double t)
{
    struct cutset_growth *g = &d->growth;
    long i;
    if (!g->from) return;
    g->atol = atol, g->rtol = d->history.rtol, g->t = t, g->steps = 0;
    for (i = 0; i < d->n_states; i++) {
        if (g->is_repeated) atol[i] = fmin(atol[i], g->rtol * g->from[i]);
        else g->from[i] = INFINITY;
        g->before[i] = g->since[i] = g->least[i] = 0.0, g->passed[i] = t;
    }
    g->has_grown = g->pause = g->pauses = 0;
}

/* Prepares what depends on the length of a run, and on the tolerance, at the time t. */
static void prepare(struct cutset_data *d, struct cutset_events *e, double t)
{
    begin_growth(d, e->start->tolerance, t);
    enter_window(d, e, t);
    if (e->solver) e->solver->has_tolerances = 0;
    if (e->isolation) reach(e->isolation, t, t + e->run_span, e->run_span);
    d->history.atol = least_tolerance(e->start, d->n_states);
}

/* Finds the start at the time t for values that are bound. 0 with a cause if there is none. */
static int find_start_at(struct cutset_data *d, struct cutset_events *e, double t, double rtol, double atol)
{
    struct cutset_start *b = e->start;
    b->cause = BAD_VALUES;
    if (!parameters_are_valid(b) || !set_tolerance(b, d->n_states, rtol, atol)) return 0;
    clear_run(d, e, t);
    clear_sizes(d, b);
    prepare(d, e, t);
    b->cause = BAD_DELAY;
    if (!begin_history(d, e) || !find_first_constants(d, e)) return 0;
    memcpy(b->first_w, d->w, e->n_work * sizeof(double));
    return !d->interrupted;
}

/* The same, for a run that is not made here. */
int cutset_find_start(struct cutset_data *d, struct cutset_control *control, struct cutset_events *e, double t,
                      double atol)
{
    cutset_fault = 0;
    e->control = control;
    d->growth.is_repeated = 0;
    return find_start_at(d, e, t, control->rtol, atol);
}

/* m[k] := held values that agree with point k, for so many points that no run has reached: all relations false and
   discrete variables at their start values agree, or are near to those. `inputs` numbers of u belong to each, and each
   begins with the same guesses. found[k] is 0 if there are none. */
void cutset_held(struct cutset_data *d, struct cutset_events *e, long points, const double *t, const double *x,
                 const double *u,
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
    e->start->has_large_states |= has_large_states(d, e);
    if ((status == AT_STOP || status == RUN_ENDED) && e->finishes) status = end_run(d, e);
    if (status != AT_STOP && status != RUN_ENDED) return status;
    if (!variables_are_finite(d, e)) return NOT_DEFINED;
    return d->growth.has_grown ? RUN_OUTGROWN : status;
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
    if (!e->has_start) return NOT_DEFINED;
    cutset_fault = 0;
    status = begin_run(d, e);
    if (status != AT_STOP) return status;
    if (d->n_states && e->is_implicit && !e->solver && !e->segment) return NEEDS_SOLVER;
    cutset_fault = 0;
    return cutset_go_on(d, control, tableau, e);
}

/* Which conditions end a run at its present point, where the run before this one has ended: they do not end it
   again. */
static void note_past(struct cutset_data *d, struct cutset_events *e)
{
    const double *values = e->y_row + e->n_variables + 2 * e->n_relations + e->n_branches;
    long i;
    if (!has_events(e)) return;
    memcpy(e->w_copy, d->w, e->n_work * sizeof(double)); /* the guesses stay as they are */
    fill_inputs(d, e->now.t);
    cutset_variables(e->now.t, e->now.x, d->u, d->c, e->now.m, e->w_copy, e->y_row);
    for (i = 0; i < e->n_assertions; i++) e->past[i] = e->terminates[i] && e->branch_of[i] < 0 && values[i] != 0.0;
}

/* Prepares to go on from the state of another run, which the caller has written into this one. */
void cutset_enter(struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e, double atol)
{
    struct cutset_tally *a = &e->tally;
    a->rows = a->advances = a->steps = a->rejected = a->evaluations = 0;
    a->state_events = a->sample_events = a->time_events = a->branch_events = 0;
    e->has_start = 1;
    clear_work(d, e);
    if (d->branch.n && isnan(d->branch.size[0])) clear_sizes(d, e->start);
    set_tolerance(e->start, d->n_states, control->rtol, atol);
    d->growth.is_repeated = 0;
    prepare(d, e, e->now.t);
    set_up_history(&d->history, e->run_span);
    note_past(d, e);
    memcpy(e->start->first_w, d->w, e->n_work * sizeof(double));
    enter_just_after(&d->history, e->now.t);
}

/* Goes on to the last of the outputs from the state that was entered. */
int cutset_resume(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                  struct cutset_events *e)
{
    write_row(d, e, &e->now);
    return cutset_go_on(d, control, tableau, e);
}

/* ---- steps ---- */

/* Goes on to the end of a step. Its rows are lost when they are full. */
int cutset_advance(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                   struct cutset_events *e)
{
    int status = cutset_run(d, control, tableau, e);
    while (status == ROWS_FULL && e->tally.rows) {
        e->last_row = e->row_t[e->tally.rows - 1];
        e->tally.rows = 0;
        status = cutset_run(d, control, tableau, e);
    }
    return status;
}

/* Prepares to go on to `until` as part of a run of `span` seconds, and to return here. */
static void begin_step(struct cutset_data *d, struct cutset_events *e, double until, double span)
{
    memcpy(e->marked, e->changing, e->n_changing * sizeof(double));
    e->marked_tally = e->tally, e->marked_t = e->now.t, e->marked_acted = e->now.acted, e->marked_pace = d->watch.pace;
    e->stops[0] = e->now.t, e->stops[1] = until;
    e->outputs = e->stops, e->n_outputs = 2;
    e->span = span, e->run_span = span > 0.0 ? span : 1.0;
    e->tally.rows = 0;
    if (e->isolation) {
        forget_searches(e->isolation); /* a step depends on the state alone */
        reach(e->isolation, e->now.t, until, e->run_span);
    }
    set_up_history(&d->history, e->run_span);
    enter_just_after(&d->history, e->now.t);
    write_row(d, e, &e->now);
}

/* Gives n of the numbers that a step changes new values. */
static void change_numbers(struct cutset_events *e, long n, const long *places, const double *values)
{
    long k;
    for (k = 0; k < n; k++) {
        e->inputs_changed |= e->changing[places[k]] != values[k];
        e->changing[places[k]] = values[k];
    }
}

/* Goes on to `until` as part of a run of `span` seconds, after giving n inputs new values. */
int cutset_step(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                struct cutset_events *e,
                double until, double span, long n, const long *places, const double *values)
{
    begin_step(d, e, until, span);
    change_numbers(e, n, places, values);
    return cutset_advance(d, control, tableau, e);
}

/* Relations need not keep their values near their crossings. */
static void forget_reach(struct cutset_events *e)
{
    long i;
    for (i = 0; i < e->n_relations; i++) e->now.reach[i] = e->now.widths[2 * i] = e->now.widths[2 * i + 1] = -1.0;
}

/* Gives n states, held values and inputs new values now, and lets relations follow; if it `binds`, parameters have new ones.
   AT_STOP, or why that fails: then cutset_step_back restores all but the parameters. */
int cutset_set(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
               struct cutset_events *e,
               double atol, double span, long n, const long *places, const double *values, long binds)
{
    int status;
    begin_step(d, e, e->now.t, span);
    if (binds) {
        bind_parameters(e->start);
        if (!parameters_are_valid(e->start) || !set_tolerance(e->start, d->n_states, control->rtol, atol)) return NOT_DEFINED;
        if (e->solver) e->solver->has_tolerances = 0;
    }
    change_numbers(e, n, places, values);
    forget_reach(e);
    note_past(d, e);
    e->inputs_changed = 1;
    status = cutset_advance(d, control, tableau, e);
    return status != AT_STOP || variables_are_finite(d, e) ? status : NOT_DEFINED;
}

/* Returns to where the latest step began. */
void cutset_step_back(struct cutset_data *d, struct cutset_events *e)
{
    memcpy(e->changing, e->marked, e->n_changing * sizeof(double));
    e->tally = e->marked_tally, e->now.t = e->marked_t, e->now.acted = e->marked_acted, d->watch.pace = e->marked_pace;
    e->has_y = e->inputs_changed = e->ended = e->failure.cause = d->interrupted = 0;
}

/* ---- delayed values ---- */

/* u := the delayed values at the time t. */
void cutset_recall(const struct cutset_history *h, double t, double *u)
{
    recall(h, t, u);
}

/* Clears the history: only these values are known, which held up to t. */
void cutset_restart_history(struct cutset_history *h, double t, const double *values)
{
    restart_history(h, t, values);
}

#endif
