/* Goes from event to event: integrates a segment, settles the event at its end, and writes the rows of both.
   Allocates nothing.

   Everything that a segment and its event change is kept before, and restored if they must be done again, as when there is no
   room for rows. */

#ifndef CUTSET_RUN_H
#define CUTSET_RUN_H

#include "events.h"
#include "failed_steps.h"
#include "sensitivities.h"

/* Values of stops_at_events besides 0. */
enum { STOPS_AT_EVENTS = 1, IS_AT_EVENT };

/* The segment from s to the next event, whose end s becomes; AT_STOP if all is well. */
static int do_segment(struct cutset_data *d, const struct cutset_control *control, const struct cutset_tableau *tableau,
                      struct cutset_events *e, struct cutset_moment *s)
{
    int is_calm = s->t < e->tally.calm_until, status;
    double end;
    long n, first = e->tally.rows;
    enter_window(d, e, s->t);
    e->failed = NOT_FINITE;
    if (!all_are_finite(d, e, s)) return RUN_FAILED;
    end = cutset_min(next_event(d, e, s), e->outputs[e->n_outputs - 1]);
    if (is_calm) end = cutset_min(end, e->tally.calm_until);
    end = cutset_min(end, end_of_care(d, e, s->t));
    n = write_times(e, s, end);
    if (!n) return ROWS_FULL;
    enter_history(&d->history, s->t, end);
    control = limited(d, e, control, is_calm ? e->tally.calm_step : INFINITY);
    e->failed = status = integrate_segment(d, control, tableau, e, s, n);
    if (status == DONE && d->history.is_full && e->report.t == s->t) return HISTORY_FULL;
    if (status == STIFF) return NEEDS_SOLVER;
    if (status != DONE && status != INTERRUPTED) e->failed = status = reach_last_point(d, control, tableau, e, s, n, status);
    make_rows(d, e, s->m);
    s->t = e->report.t;
    if (!check_rows(d, e, s, first)) return RUN_FAILED;
    if (status == INTERRUPTED) return RUN_INTERRUPTED;
    if (status == DONE || e->ended || leap(d, e, s) || switch_over(d, e, s)) return AT_STOP;
    fail_to_integrate(d, e, s, status);
    return RUN_FAILED;
}

/* ---- what a segment and its event change ---- */

static void keep(struct cutset_data *d, struct cutset_events *e)
{
    long n = d->watch.n;
    e->kept_tally = e->tally;
    e->kept_pace = d->watch.pace;
    memcpy(e->kept_w, d->w, e->n_kept * sizeof(double));
    memcpy(e->kept_sizes, d->watch.sizes, 2 * n * sizeof(double));
    if (d->branch.n) memcpy(e->kept_sizes + 2 * n, d->branch.size, d->branch.n * sizeof(double));
    memcpy(e->kept_history, e->history, OF_CROSSING * n * sizeof(double));
    begin_segment(&d->history, e->now.t);
}

static void restore(struct cutset_data *d, struct cutset_events *e)
{
    long n = d->watch.n;
    e->tally = e->kept_tally;
    d->watch.pace = e->kept_pace;
    memcpy(d->w, e->kept_w, e->n_kept * sizeof(double));
    memcpy(d->watch.sizes, e->kept_sizes, 2 * n * sizeof(double));
    if (d->branch.n) memcpy(d->branch.size, e->kept_sizes + 2 * n, d->branch.n * sizeof(double));
    memcpy(e->history, e->kept_history, OF_CROSSING * n * sizeof(double));
    e->ended = e->failure.cause = 0;
    undo_segment(&d->history);
    enter_just_after(&d->history, e->now.t);
    e->has_y = 0;
}

/* ---- events ---- */

/* Settles the event at s, which becomes the moment after it, and writes its rows; `jumps`: an input jumps there. 0 if that fails: then
   s is the moment before, or after it if a sample is invalid. */
static int do_event(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, int any_due, int jumps)
{
    const struct cutset_moment *before = &e->before;
    int changes;
    if (!enter_instant(d, e, s, any_due) || !settle(d, e, s, any_due ? e->due : 0) || !leave_instant(d, e, s, &e->before)) return 0;
    changes = jumps || !equal(s->x, before->x, d->n_states) || !equal(s->m, before->m, e->n_modes);
    if (changes || e->ended) write_row_once(d, e, before);
    if (changes) write_row(d, e, s);
    e->tally.latest_event = before->t;
    return samples_are_valid(e, s);
}

/* True if a relation of time changes at s, as it was known at the start of the segment. */
static int has_instant(struct cutset_events *e, const struct cutset_moment *s)
{
    long i, any = 0;
    for (i = 0; i < e->n_known + e->n_isolated; i++) {
        e->arrived[i] = e->te[2 * i + 1] != 0.0 && same_instant(e, e->te[2 * i], s->t);
        any |= e->arrived[i];
        e->arrives |= e->arrived[i] && e->opposites[e->timed[i]] >= 0;
    }
    return any != 0;
}

/* Lets delayed values be those just after s. True if one jumps there; then there is a row before. */
static int pass_jump(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, int may_jump)
{
    struct cutset_history *h = &d->history;
    long k, jumps = 0;
    if (!h->count) return 0;
    recall(h, s->t, e->delayed);
    enter_just_after(h, s->t);
    e->has_y = 0;
    if (!may_jump) return 0;
    recall(h, s->t, d->u + h->offset);
    for (k = 0; k < h->count; k++) {
        double was = e->delayed[k], now = d->u[h->offset + k];
        jumps |= !(fabs(now - was) <= h->atol + h->rtol * cutset_max(fabs(was), fabs(now)));
    }
    if (!jumps) return 0;
    write_row_once(d, e, s);
    if (e->tally.rows) memcpy(e->row_u + (e->tally.rows - 1) * e->n_u + h->offset, e->delayed, h->count * sizeof(double));
    return 1;
}

/* What the end of a segment is: an event of samples, of relations of time, of delayed values; whether an input jumps there, and
   whether it is an event at all. */
struct segment_end {
    int due, is_time, is_jump, breaks, jumps, is_event;
};

/* Looks at the end s of a segment, and writes its row if it is an output. 0 if the run fails there. */
static int look_at_end(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, struct segment_end *end)
{
    int any;
    long j;
    memset(end, 0, sizeof *end);
    e->arrives = 0;
    for (j = 0; j < d->watch.n; j++) e->crossed[j] = e->report.crossed ? d->watch.crossed[j] : 0.0;
    if (e->report.crossed) {
        s->t = cutset_max(s->t, snapped(e, s->t));
        if (!check_crossings(d, e, s)) return 0;
        for (j = 0, any = 0; j < d->watch.n; j++) any |= e->crossed[j] != 0.0;
        e->report.crossed = any;
    }
    if (is_output(e, s->t)) write_row_once(d, e, s);
    if (!same_instant(e, s->t, e->tally.latest_event)) {
        if (!samples_are_valid(e, s)) return 0;
        end->due = find_due(e, s) > 0;
    }
    end->breaks = break_at(d, e, s->t);
    end->is_time = has_instant(e, s) || end->breaks;
    end->is_jump = d->history.count && same_instant(e, d->history.next, s->t);
    end->is_event = e->report.crossed || end->due || end->is_time;
    end->jumps = pass_jump(d, e, s, end->is_jump || end->is_event) || end->breaks == 2;
    return 1;
}

/* A relation that has left its crossing needs no hysteresis any more. */
static void forget_hysteresis(const struct cutset_events *e, struct cutset_moment *s)
{
    long k, j;
    for (k = 0; k < e->n_relations; k++)
        if ((j = e->places[k]) >= 0 && fabs(e->crossed[j]) == 1.0 && !(e->history[OF_CROSSING * j + CROWDED] > MANY_CROWDED))
            s->widths[2 * k] = s->widths[2 * k + 1] = -1.0;
}

/* Settles the event at the end of a segment, if there is one. 0 if the run fails there. */
static int finish_segment(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    struct segment_end end;
    if (!look_at_end(d, e, s, &end)) return 0;
    if (!end.is_event && !end.jumps) {
        if (end.is_jump) note_event(d, s->t, s->x, s->m, 0, 1);
        return 1;
    }
    if (e->stops_at_events) {
        e->stops_at_events = IS_AT_EVENT;
        return 1;
    }
    if (end.jumps) write_row_once(d, e, s); /* with the values before */
    if (end.breaks) enter_window(d, e, s->t);
    if (e->report.crossed) e->tally.state_events++;
    else if (end.due) e->tally.sample_events++;
    else if (end.is_time) e->tally.time_events++;
    forget_hysteresis(e, s);
    if (!note_crossings(d, e, s) || !do_event(d, e, s, end.due, end.jumps)) return 0;
    if (s->acted) note_action(d, e);
    else if (has_crossed_again(d, e) && equal(s->m, e->before.m, e->n_modes) && count_leap(e, s->t)) switch_over(d, e, s);
    note_event(d, s->t, s->x, s->m, end.is_event, end.is_jump);
    return s->t < e->outputs[e->n_outputs - 1] || all_are_finite(d, e, s);
}

/* Lets relations follow inputs that have changed. */
static int follow_inputs(struct cutset_data *d, struct cutset_events *e)
{
    int status = AT_STOP;
    keep(d, e);
    copy_moment(d, e, &e->state, &e->now);
    memset(e->crossed, 0, d->watch.n * sizeof(double));
    if (!do_event(d, e, &e->state, 0, 0)) status = d->interrupted ? RUN_INTERRUPTED : RUN_FAILED;
    if (status == AT_STOP) {
        note_event(d, e->state.t, e->state.x, e->state.m, 0, 0); /* signals to delay may have jumped */
        copy_moment(d, e, &e->now, &e->state);
    } else if (status != RUN_FAILED) {
        restore(d, e);
    }
    e->inputs_changed = 0;
    return status;
}

/* Settles the event at the end of a run: AT_STOP, RUN_ENDED, or why it fails. */
static int end_run(struct cutset_data *d, struct cutset_events *e)
{
    struct cutset_moment *s = &e->state;
    const long ended = e->ended;
    int settles;
    memset(e->due, 0, e->n_samples * sizeof(long));
    if (!find_once(e, &e->now, DUE_AT_END)) return ended ? RUN_ENDED : AT_STOP;
    keep(d, e);
    copy_moment(d, e, s, &e->now);
    memset(e->crossed, 0, d->watch.n * sizeof(double));
    e->ended = 0;
    settles = do_event(d, e, s, 1, 0);
    if (d->interrupted) {
        restore(d, e);
        e->ended = ended;
        return RUN_INTERRUPTED;
    }
    e->ended = ended ? ended : e->ended;
    if (!settles) return RUN_FAILED;
    copy_moment(d, e, &e->now, s);
    return e->ended ? RUN_ENDED : AT_STOP;
}

/* A segment and the event at its end. The run is afterwards where it has failed, or where Ctrl-C or an input that fails has stopped
   it: what is there of a segment is kept, but nothing of an event. */
static int advance_run(struct cutset_data *d, const struct cutset_control *control, const struct cutset_tableau *tableau,
                       struct cutset_events *e)
{
    struct cutset_moment *s = &e->state;
    int status, is_part;
    long rows;
    keep(d, e);
    copy_moment(d, e, s, &e->now);
    status = do_segment(d, control, tableau, e, s);
    is_part = d->interrupted != 0;
    rows = e->tally.rows;
    if (status == AT_STOP && !e->ended) {
        if (d->inputs) copy_moment(d, e, &e->before, s); /* one may fail at the event */
        if (!finish_segment(d, e, s)) status = RUN_FAILED;
    }
    if (d->interrupted == 2 && !is_part) {
        copy_moment(d, e, s, &e->before);
        e->tally.rows = rows, e->failure.cause = e->ended = 0, is_part = 1;
    }
    if (d->interrupted) status = RUN_INTERRUPTED;
    if (status != AT_STOP && status != RUN_FAILED && !is_part) {
        restore(d, e);
        return status;
    }
    copy_moment(d, e, &e->now, s);
    e->tally.advances++;
    return status == AT_STOP && e->ended ? RUN_ENDED : status;
}

/* Runs from e->now to the last output. Returns why it ended; e->now is the moment after the latest event or segment, and the rows
   are those since the call. */
int cutset_run(struct cutset_data *d, const struct cutset_control *control, const struct cutset_tableau *tableau,
               struct cutset_events *e)
{
    int status = AT_STOP;
    long calls = 0;
    e->has_y = 0;
    e->control = control;
    if (e->ended) return RUN_ENDED;
    if (e->failure.cause) return RUN_FAILED;
    if (e->inputs_changed) status = follow_inputs(d, e);
    if (status == AT_STOP && e->ended) return RUN_ENDED;
    while (status == AT_STOP && e->now.t < e->outputs[e->n_outputs - 1]) {
        if ((++calls & 1023) == 0 && interrupted(d)) return RUN_INTERRUPTED;
        status = advance_run(d, control, tableau, e);
        if (status == AT_STOP && e->stops_at_events == IS_AT_EVENT) return BEFORE_EVENT;
    }
    return status;
}

#endif
