/* Goes from event to event: integrates a segment, settles the event at its end, and writes the rows of both. Included by
   driver.c and by program.c; allocates nothing.

   This is runtime/run.py, operation by operation, for segments and events without complications. Everything that a
   segment and its event change is kept before and restored if one of them needs Python, which then does both. */

#ifndef CUTSET_RUN_H
#define CUTSET_RUN_H

/* Why cutset_run returns: at the stop; Python must do the next segment and its event; the rows are full; Ctrl-C; SUNDIALS
   is needed; the model has ended the run; there is no room for delayed values; just before an event, if it stops at events. */
enum { AT_STOP, COMPLICATED, ROWS_FULL, RUN_INTERRUPTED, NEEDS_SOLVER, RUN_ENDED, HISTORY_FULL, BEFORE_EVENT };
/* Values of stops_at_events besides 0. */
enum { STOPS_AT_EVENTS = 1, IS_AT_EVENT };

/* As in chatter.py: events in a row at decreasing distances, and the step and its duration that this allows. */
static const double SHRINKING = 0.9999, CALM_STEP = 0.25, CALM_AFTER = 4.0, SHORTEST_GAP = 1e-13;

/* ---- output times ---- */

/* The number of outputs before t, or up to t with `included`. */
static long outputs_before(const struct cutset_events *e, double t, int included)
{
    long low = 0, high = e->n_outputs;
    while (low < high) {
        long middle = (low + high) / 2;
        if (e->outputs[middle] < t || (included && e->outputs[middle] == t)) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int is_output(const struct cutset_events *e, double t)
{
    long at = outputs_before(e, t, 0);
    return at < e->n_outputs && e->outputs[at] == t;
}

/* The output time that equals t up to rounding, else t. */
static double snapped(const struct cutset_events *e, double t)
{
    long at = outputs_before(e, t, 0), i;
    double nearest = t, distance = INFINITY;
    for (i = at > 0 ? at - 1 : 0; i < e->n_outputs && i <= at; i++)
        if (same_instant(e, t, e->outputs[i]) && fabs(e->outputs[i] - t) < distance) {
            nearest = e->outputs[i];
            distance = fabs(nearest - t);
        }
    return nearest;
}

/* ---- time events ---- */

/* The first instant of a sample after t, computed as a multiple so that rounding does not accumulate. */
static double next_sample(const struct cutset_events *e, double t, double first, double interval)
{
    double number, instant;
    if (!isfinite(first) || (first > t && !same_instant(e, first, t))) return first;
    number = cutset_max(floor((t - first) / interval), 0.0);
    instant = first + number * interval;
    while (instant <= t || same_instant(e, instant, t)) {
        number += 1.0;
        instant = first + number * interval;
    }
    return instant;
}

/* The number of breaks of tables up to t. */
static long breaks_passed(const struct cutset_events *e, double t)
{
    long low = 0, high = e->n_breaks;
    while (low < high) {
        long middle = (low + high) / 2;
        if (e->breaks[middle] <= t || same_instant(e, e->breaks[middle], t)) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Sets the window of the tables from t to their next break. */
static void enter_window(struct cutset_data *d, struct cutset_events *e, double t)
{
    long passed = breaks_passed(e, t);
    if (!e->n_breaks) return;
    d->signals.window[0] = passed ? cutset_max(t, e->breaks[passed - 1]) : t;
    d->signals.window[1] = passed < e->n_breaks ? e->breaks[passed] : INFINITY;
    e->has_y = 0;
}

/* 1 if the window ends at t, 2 if a value jumps there, else 0. */
static int break_at(const struct cutset_data *d, const struct cutset_events *e, double t)
{
    double end = e->n_breaks ? d->signals.window[1] : INFINITY;
    long i = breaks_passed(e, t) - 1;
    if (!(t >= end) && !same_instant(e, end, t)) return 0;
    for (; i >= 0 && same_instant(e, e->breaks[i], t); i--)
        if (e->break_jumps[i]) return 2;
    return 1;
}

/* The first time event after s; inf if there is none. */
static double next_time_event(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    double first = e->n_breaks ? d->signals.window[1] : INFINITY;
    long i;
    for (i = 0; i < e->n_samples && !e->is_ticked; i++)
        first = cutset_min(first, next_sample(e, s->t, s->samples[2 * i], s->samples[2 * i + 1]));
    find_instants(d, e, s->t, s->m, first);
    for (i = 0; i < e->n_known + e->n_isolated; i++) {
        double instant = e->te[2 * i];
        if (instant > s->t && e->te[2 * i + 1] != 0.0 && !same_instant(e, instant, s->t)) first = cutset_min(first, instant);
    }
    return first;
}

/* The same with jumps of delayed values, moved to an output time if it equals one; inf if there is none before the stop. */
static double next_event(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    double first = next_time_event(d, e, s);
    if (d->history.count) first = cutset_min(first, next_jump(&d->history, s->t));
    if (isfinite(first)) first = snapped(e, first);
    return first <= e->outputs[e->n_outputs - 1] ? first : INFINITY;
}

/* False for a sample whose interval is not positive or too short for time to advance. */
static int samples_are_valid(const struct cutset_events *e, const struct cutset_moment *s)
{
    double shortest = 4.0 * SAME * cutset_max(fabs(s->t), e->span);
    long i;
    for (i = 0; i < e->n_samples; i++) {
        double interval = s->samples[2 * i + 1];
        if (!(interval > shortest && interval < INFINITY) || isnan(s->samples[2 * i])) return 0;
    }
    return 1;
}

/* e->due[i] := whether sample i is due at s; returns how many are. */
static long find_due(struct cutset_events *e, const struct cutset_moment *s)
{
    long i, count = 0;
    for (i = 0; i < e->n_samples; i++) {
        double first = s->samples[2 * i], interval = s->samples[2 * i + 1];
        double number = cutset_max(nearbyint((s->t - first) / interval), 0.0);
        e->due[i] = !e->is_ticked && isfinite(first) && same_instant(e, first + number * interval, s->t);
        count += e->due[i];
    }
    return count;
}

/* ---- rows ---- */

static void write_row(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    long row = e->tally.rows++;
    e->row_t[row] = s->t;
    memcpy(e->row_x + row * d->n_states, s->x, d->n_states * sizeof(double));
    memcpy(e->row_m + row * e->n_modes, s->m, e->n_modes * sizeof(double));
    memcpy(e->row_guesses + row * d->n_guesses, d->w, d->n_guesses * sizeof(double));
    recall(&d->history, s->t, e->row_delayed + row * d->history.count);
}

static void write_row_once(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    double last = e->tally.rows ? e->row_t[e->tally.rows - 1] : e->last_row;
    if (last != s->t) write_row(d, e, s);
}

/* True if no assertion is violated or ends the run in the rows from `first` on. */
static int rows_hold(struct cutset_data *d, struct cutset_events *e, const double *m, long first)
{
    long row, i, n = d->n_guesses;
    if (!e->rows_are_checked) return 1;
    memcpy(e->w_copy, d->w, e->n_work * sizeof(double));
    for (row = first; row < e->tally.rows; row++) {
        const double *guesses = e->row_guesses + row * n;
        for (i = 0; i < n; i++)
            if (row == first || guesses[i] != guesses[i - n]) e->w_copy[i] = guesses[i];
        fill_inputs(d, e->row_t[row]);
        cutset_variables(e->row_t[row], e->row_x + row * d->n_states, d->u, d->c, m, e->w_copy, e->y_row);
        if (!assertions_hold(e, e->y_row, 0)) return 0;
    }
    return 1;
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
    memcpy(e->kept_history, e->history, 12 * n * sizeof(double));
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
    memcpy(e->history, e->kept_history, 12 * n * sizeof(double));
    undo_segment(&d->history);
    enter_just_after(&d->history, e->now.t);
    e->has_y = 0;
}

static void copy_moment(const struct cutset_data *d, const struct cutset_events *e, struct cutset_moment *to,
                        const struct cutset_moment *from)
{
    to->t = from->t;
    to->acted = from->acted;
    memcpy(to->x, from->x, d->n_states * sizeof(double));
    memcpy(to->m, from->m, e->n_modes * sizeof(double));
    memcpy(to->conditions, from->conditions, e->n_branches * sizeof(double));
    memcpy(to->truths, from->truths, e->n_relations * sizeof(double));
    memcpy(to->samples, from->samples, 2 * e->n_samples * sizeof(double));
    memcpy(to->scales, from->scales, d->watch.n * sizeof(double));
    memcpy(to->at, from->at, e->n_relations * sizeof(double));
    memcpy(to->reach, from->reach, e->n_relations * sizeof(double));
}

/* ---- chattering ---- */

/* Records that relation j crossed at t. 0 if it crosses without end. The numbers of a relation are its latest instant, its
   latest distance, and for each limit, and for decreasing distances, the events in a row and since when. */
static int note_crossing(struct cutset_events *e, long j, double t)
{
    double *h = e->history + 12 * j, gap = t - h[0];
    int faster = gap <= SHRINKING * h[1] && SHRINKING * h[1] < INFINITY;
    long i;
    for (i = 0; i < 3; i++) {
        int near = gap <= e->limits[2 * i + 1] * e->span && (i < 2 || fabs(e->crossed[j]) == 2.0);
        h[2 + i] = near ? h[2 + i] + 1.0 : 1.0;
        if (!near) h[6 + i] = t;
        if (h[2 + i] > e->limits[2 * i]) return 0;
    }
    h[5] = faster ? h[5] + 1.0 : 1.0;
    if (!faster) h[9] = t;
    else {
        e->tally.calm_step = CALM_STEP * cutset_max(gap, SHORTEST_GAP * e->span);
        e->tally.calm_until = t + CALM_AFTER * gap;
    }
    h[0] = t;
    h[1] = gap;
    return 1;
}

static int note_crossings(struct cutset_data *d, struct cutset_events *e, double t)
{
    long j;
    for (j = 0; j < d->watch.n; j++)
        if (e->crossed[j] != 0.0 && !note_crossing(e, j, t)) return 0;
    return 1;
}

/* ---- segments ---- */

static int all_are_finite(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    long i;
    e->tally.evaluations++;
    rates_at(d, s->t, s->x, s->m, e->dx);
    for (i = 0; i < d->n_states; i++)
        if (!isfinite(e->dx[i])) return 0;
    for (i = 0; i < d->n_guards; i++)
        if (!isfinite(d->w[d->n_guesses + i])) return 0;
    return 1;
}

/* Prepares the watched crossings for a segment from s. */
static void begin_watch(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    struct cutset_watch *w = &d->watch;
    long k, i;
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k];
        if (j < 0) continue;
        w->side[j] = e->directions[k] * (s->m[k] != 0.0 ? 1.0 : -1.0);
        w->margin[j] = 8.0 * DBL_EPSILON * s->scales[j];
        /* A crossing that was an error of the integration is found again at the next step unless it must grow. */
        if (e->is_alone || e->opposites[k] >= 0) w->margin[j] = cutset_max(w->margin[j], 0.25 * s->reach[k]);
        if (e->history[12 * j + 11] >= UNCERTAIN) w->margin[j] = cutset_max(w->margin[j], s->reach[k]);
        w->armed[j] = w->base[j] = w->floor[j] = w->crossed[j] = 0.0;
        w->touch[j] = truth(e, k, 0.0) == s->m[k] ? -1.0 : e->opposites[k] >= 0;
    }
    w->known = w->doubtful = 0;
    for (i = 0; i < w->n_watched; i++) w->watched[i] = NAN;
    if (w->n_watched) memset(w->weighed, 0, (w->n + w->n_watched) * sizeof(double));
}

/* Prepares a part of a segment from s, after `done` of its rows. */
static void begin_part(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, long done)
{
    d->m = s->m;
    d->evaluations = d->bad_evaluations = d->refusals = 0;
    d->guesses = e->row_guesses + (e->tally.rows + done) * d->n_guesses;
    begin_watch(d, e, s);
}

static void count_part(const struct cutset_data *d, struct cutset_events *e, long steps, long rejected)
{
    e->tally.steps += steps;
    e->tally.rejected += rejected;
    e->tally.evaluations += d->evaluations;
}

/* Integrates from s to the times in e->row_t after the rows, and writes the states there. */
static int integrate_explicit(struct cutset_data *d, const struct cutset_control *control,
                              const struct cutset_tableau *tableau, struct cutset_events *e, struct cutset_moment *s, long n)
{
    struct cutset_report *r = &e->report;
    long row = e->tally.rows;
    int status;
    r->stiff = e->tally.stiff;
    r->gentle = e->tally.gentle;
    r->h = s->t == e->resumes_at && s->t != e->tally.latest_event ? e->first_step : 0.0;
    begin_part(d, e, s, 0);
    status = cutset_explicit(d, control, tableau, s->t, s->x, n, e->row_t + row, e->row_x + row * d->n_states, e->work, r);
    count_part(d, e, r->steps, r->rejected);
    e->tally.stiff = r->stiff;
    e->tally.gentle = r->gentle;
    return status;
}

/* The same by a method for stiff models, from `done` rows on. Defined by the file that includes this one. */
static int integrate_implicit(struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e,
                              struct cutset_moment *s, long n, long done);

/* Integrates by the explicit method until the model proves stiff, then by SUNDIALS, with which the next segments begin, as
   solvers/auto.py does. */
static int integrate_automatically(struct cutset_data *d, const struct cutset_control *control,
                                   const struct cutset_tableau *tableau, struct cutset_events *e, struct cutset_moment *s,
                                   long n)
{
    enum { LONGEST = 64 }; /* as in solvers/memory.py */
    struct cutset_tally *a = &e->tally;
    int status = DONE;
    a->segments++;
    if (--a->left < 0) {
        status = integrate_explicit(d, control, tableau, e, s, n);
        if (status != STIFF) {
            /* The end of a part of a run is not that of a segment. */
            if (!e->is_alone || e->report.crossed || e->report.t < e->outputs[e->n_outputs - 1]) a->trust = 1;
            return status;
        }
        s->t = e->report.t;
        if (isnan(a->stiff_since)) a->stiff_since = s->t;
        a->left = a->trust;
        a->trust = a->trust < LONGEST / 2 ? 2 * a->trust : LONGEST;
        a->stiff = a->gentle = 0;
    }
    a->stiff_segments++;
    return e->solver || e->is_alone ? integrate_implicit(d, control, e, s, n, status == STIFF ? e->report.reached : 0) : STIFF;
}

/* A segment in which nothing is integrated: its end is its only row. */
static void pass_time(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, long n)
{
    long row;
    for (row = e->tally.rows; row < e->tally.rows + n; row++)
        memcpy(e->row_guesses + row * d->n_guesses, d->w, d->n_guesses * sizeof(double));
    e->report.reached = n;
    e->report.crossed = 0;
    e->report.t = n ? e->row_t[e->tally.rows + n - 1] : s->t;
}

/* Integrates from s over the n times of the segment. STIFF if SUNDIALS is needed. */
static int integrate_segment(struct cutset_data *d, const struct cutset_control *control,
                             const struct cutset_tableau *tableau, struct cutset_events *e, struct cutset_moment *s, long n)
{
    memset(&e->report, 0, sizeof e->report);
    e->report.t = s->t;
    if (d->n_states && e->is_automatic) return integrate_automatically(d, control, tableau, e, s, n);
    if (d->n_states && e->is_implicit) return e->solver || e->is_alone ? integrate_implicit(d, control, e, s, n, 0) : STIFF;
    if (d->n_states || d->watch.n || d->n_guards || d->history.count)
        return integrate_explicit(d, control, tableau, e, s, n);
    pass_time(d, e, s, n);
    return DONE;
}

/* Writes the times of the segment from s: the outputs until its end, and the end. Returns their number. */
static long write_times(struct cutset_events *e, const struct cutset_moment *s, double end)
{
    long first = outputs_before(e, s->t, 1), last = outputs_before(e, end, 0), n = last > first ? last - first : 0;
    if (e->tally.rows + n + 4 > e->capacity) return 0;
    memcpy(e->row_t + e->tally.rows, e->outputs + first, n * sizeof(double));
    e->row_t[e->tally.rows + n] = end;
    return n + 1;
}

/* Makes rows of the states that a segment reached; its end is none unless it is an output. */
static void make_rows(const struct cutset_data *d, struct cutset_events *e, const double *m)
{
    long row = e->tally.rows, reached = e->report.reached;
    if (reached && !is_output(e, e->row_t[row + reached - 1])) reached--;
    e->tally.rows += reached;
    for (; row < e->tally.rows; row++) {
        memcpy(e->row_m + row * e->n_modes, m, e->n_modes * sizeof(double));
        recall(&d->history, e->row_t[row], e->row_delayed + row * d->history.count);
    }
}

/* The segment from s to the next event, whose end s becomes; AT_STOP if all is well. */
static int do_segment(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                      struct cutset_events *e, struct cutset_moment *s)
{
    int is_calm = s->t < e->tally.calm_until, status;
    double end;
    long n, first = e->tally.rows;
    enter_window(d, e, s->t);
    e->failed = NOT_FINITE;
    if (!all_are_finite(d, e, s)) return COMPLICATED;
    end = cutset_min(next_event(d, e, s), e->outputs[e->n_outputs - 1]);
    if (is_calm) end = cutset_min(end, e->tally.calm_until);
    n = write_times(e, s, end);
    if (!n) return ROWS_FULL;
    control->max_step = is_calm ? cutset_min(e->tally.calm_step, e->max_step) : e->max_step;
    enter_history(&d->history, s->t, end);
    e->failed = status = integrate_segment(d, control, tableau, e, s, n);
    if (status == DONE && d->history.is_full && e->report.t == s->t) return HISTORY_FULL;
    if (status != DONE && status != INTERRUPTED) return status == STIFF ? NEEDS_SOLVER : COMPLICATED;
    make_rows(d, e, s->m);
    if (!rows_hold(d, e, s->m, first)) return COMPLICATED;
    s->t = e->report.t;
    return status == INTERRUPTED ? RUN_INTERRUPTED : AT_STOP;
}

/* ---- events ---- */

/* True if a prescribed position jumps at an event that restarts no states. */
static int motion_jumps(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *before, const double *m)
{
    long i;
    if (!e->n_continuous || equal(before->m, m, e->n_modes)) return 0;
    fill_inputs(d, before->t);
    cutset_variables(before->t, before->x, d->u, d->c, before->m, d->w, e->y_row);
    for (i = 0; i < e->n_continuous; i++) e->moved[i] = e->y_row[e->continuous[i]];
    cutset_variables(before->t, before->x, d->u, d->c, m, d->w, e->y_row);
    for (i = 0; i < e->n_continuous; i++) {
        double was = e->moved[i], now = e->y_row[e->continuous[i]];
        if (fabs(now - was) > RELATIVE * cutset_max(fabs(was), fabs(now)) + ABSOLUTE) return 1;
    }
    return 0;
}

/* Settles the event at s, which becomes the moment after it, and writes its rows; `jumps`: an input jumps there. */
static int do_event(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, int any_due, int jumps)
{
    struct cutset_moment *before = &e->before;
    int same_states, is_same;
    copy_moment(d, e, before, s);
    if (!settle(d, e, s, any_due ? e->due : 0)) return 0;
    same_states = equal(s->x, before->x, d->n_states);
    is_same = same_states && equal(s->m, before->m, e->n_modes);
    if (!e->jumps.restarted && (motion_jumps(d, e, before, s->m) || jumps_too_far(d, e, s->m))) return 0;
    if (!is_same || jumps) {
        write_row_once(d, e, before);
        write_row(d, e, s);
    }
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
    if (e->tally.rows) memcpy(e->row_delayed + (e->tally.rows - 1) * h->count, e->delayed, h->count * sizeof(double));
    return 1;
}

/* What the end of a segment is: an event of samples, of relations of time, of delayed values; whether an input jumps there, and
   whether it is an event at all. */
struct segment_end {
    int due, is_time, is_jump, breaks, jumps, is_event;
};

/* Looks at the end s of a segment, and writes its row if it is an output. 0 if Python must do it. */
static int look_at_end(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, struct segment_end *end)
{
    int any;
    long j;
    memset(end, 0, sizeof *end);
    e->arrives = 0;
    for (j = 0; j < d->watch.n; j++) e->crossed[j] = e->report.crossed ? d->watch.crossed[j] : 0.0;
    if (e->report.crossed) {
        s->t = cutset_max(s->t, snapped(e, s->t));
        if (crossed_by_error(d, e, s)) return 0;
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

/* Settles the event at the end of a segment, if there is one. 0 if Python must do it. */
static int finish_segment(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    struct segment_end end;
    long j;
    if (!look_at_end(d, e, s, &end)) return 0;
    if (!end.is_event && !end.jumps) {
        if (end.is_jump) note_event(d, s->t, s->x, s->m, 0, 1);
        return 1;
    }
    if (e->stops_at_events) {
        e->stops_at_events = IS_AT_EVENT;
        return 1;
    }
    if (end.breaks) enter_window(d, e, s->t);
    if (e->report.crossed) e->tally.state_events++;
    else if (end.due) e->tally.sample_events++;
    else if (end.is_time) e->tally.time_events++;
    if (!note_crossings(d, e, s->t) || !do_event(d, e, s, end.due, end.jumps)) return 0;
    note_event(d, s->t, s->x, s->m, end.is_event, end.is_jump);
    for (j = 0; j < d->watch.n && s->acted; j++)
        if (e->crossed[j] != 0.0) e->history[12 * j + 10] = 1.0;
    return s->t < e->outputs[e->n_outputs - 1] || all_are_finite(d, e, s);
}

/* Lets relations follow inputs that have changed. */
static int follow_inputs(struct cutset_data *d, struct cutset_events *e)
{
    int status = AT_STOP;
    keep(d, e);
    copy_moment(d, e, &e->state, &e->now);
    memset(e->crossed, 0, d->watch.n * sizeof(double));
    if (!do_event(d, e, &e->state, 0, 0)) status = d->interrupted ? RUN_INTERRUPTED : COMPLICATED;
    if (status == AT_STOP) {
        note_event(d, e->state.t, e->state.x, e->state.m, 0, 0); /* signals to delay may have jumped */
        copy_moment(d, e, &e->now, &e->state);
    } else {
        restore(d, e);
    }
    e->inputs_changed = 0;
    return status;
}

/* Runs from e->now to the stop, or as far as segments and events have no complications. Returns why it ended; e->now is
   the moment after the latest event or segment, and the rows are those since the call. */
int cutset_run(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
               struct cutset_events *e)
{
    struct cutset_moment *s = &e->state;
    long rounds = 0;
    e->has_y = 0;
    e->control = control;
    if (e->inputs_changed) {
        int status = follow_inputs(d, e);
        if (status != AT_STOP) return status;
    }
    while (e->now.t < e->outputs[e->n_outputs - 1]) {
        int status, is_part; /* Ctrl-C keeps what is there of a segment */
        if ((++rounds & 1023) == 0 && interrupted(d)) return RUN_INTERRUPTED;
        keep(d, e);
        copy_moment(d, e, s, &e->now);
        status = do_segment(d, control, tableau, e, s);
        is_part = status == RUN_INTERRUPTED && d->interrupted == 1;
        if (status == AT_STOP && !finish_segment(d, e, s)) status = COMPLICATED;
        if (d->interrupted) status = RUN_INTERRUPTED;
        if (status != AT_STOP && !is_part) {
            restore(d, e);
            return status;
        }
        copy_moment(d, e, &e->now, s);
        e->tally.rounds++;
        if (is_part) return status;
        if (e->stops_at_events == IS_AT_EVENT) return BEFORE_EVENT;
        if (e->is_alone && e->ended) return RUN_ENDED;
    }
    return AT_STOP;
}

#endif
