/* Integrates from event to event, and writes the rows in between. Allocates nothing. */

#ifndef CUTSET_SEGMENTS_H
#define CUTSET_SEGMENTS_H

#include "at_crossings.h"
#include "chatter.h"
#include "decisions.h"
#include "passes.h"
#include "runge_kutta.h"
#include "times.h"

/* The least relative tolerance, and the part of the run for which tolerances stay tightened. */
static const double LEAST_RTOL = 1e-13, CAREFUL_FOR = 1e-5;

/* ---- rows ---- */

static void write_row(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    long row = e->tally.rows;
    fill_inputs(d, s->t);
    if (d->interrupted == 2) return; /* an input has no value here */
    e->tally.rows++;
    e->row_t[row] = s->t;
    memcpy(e->row_x + row * d->n_states, s->x, d->n_states * sizeof(double));
    memcpy(e->row_m + row * e->n_modes, s->m, e->n_modes * sizeof(double));
    memcpy(e->row_guesses + row * d->n_guesses, d->w, d->n_guesses * sizeof(double));
    memcpy(e->row_u + row * e->n_u, d->u, e->n_u * sizeof(double));
}

static void write_row_once(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    double last = e->tally.rows ? e->row_t[e->tally.rows - 1] : e->last_row;
    if (last != s->t) write_row(d, e, s);
}

/* Checks the assertions in the rows from `first` on, in which s has held: after one that is violated or ends the run there are no
   rows, and s is the moment there. 0 if it is violated. */
static int check_rows(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, long first)
{
    long row, i, n = d->n_guesses;
    int holds = 1;
    if (!e->rows_are_checked) return 1;
    memcpy(e->w_copy, d->w, e->n_work * sizeof(double));
    for (row = first; row < e->tally.rows && holds && !e->ended; row++) {
        const double *guesses = e->row_guesses + row * n;
        for (i = 0; i < n; i++)
            if (row == first || guesses[i] != guesses[i - n]) e->w_copy[i] = guesses[i];
        fill_inputs(d, e->row_t[row]);
        cutset_variables(e->row_t[row], e->row_x + row * d->n_states, d->u, d->c, s->m, e->w_copy, e->y_row);
        holds = assertions_hold(e, e->y_row, 0);
    }
    if (holds && !e->ended) return 1;
    e->tally.rows = row;
    s->t = e->row_t[row - 1];
    memcpy(s->x, e->row_x + (row - 1) * d->n_states, d->n_states * sizeof(double));
    return holds;
}

/* ---- segments ---- */

static int all_are_finite(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    long i;
    e->tally.evaluations++;
    rates_at(d, s->t, s->x, s->m, e->dx);
    for (i = 0; i < d->n_states; i++)
        if (!isfinite(e->dx[i])) return fail(e, RATES_WITHOUT_VALUES, i);
    for (i = 0; i < d->n_guards; i++)
        if (!isfinite(d->w[d->n_guesses + i])) return fail(e, RATES_WITHOUT_VALUES, i);
    return 1;
}

/* Prepares the watched crossings for a segment from s. */
static void begin_watch(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    struct cutset_watch *w = &d->watch;
    long k, i;
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k];
        const double *h = e->history + OF_CROSSING * j;
        if (j < 0) continue;
        w->side[j] = e->directions[k] * (s->m[k] != 0.0 ? 1.0 : -1.0);
        w->margin[j] = 8.0 * DBL_EPSILON * s->scales[j];
        w->margin[j] = cutset_max(cutset_max(w->margin[j], e->noise[j]), width_of(s, k, s->m[k]));
        if (e->opposites[k] >= 0) w->margin[j] = cutset_max(w->margin[j], 0.25 * s->reach[k]); /* equal sides, or almost equal ones */
        if (h[CALM] >= UNCERTAIN) w->margin[j] = cutset_max(w->margin[j], s->reach[k]);
        if (h[REFUSALS] > 0.0 && h[REFUSED_AT] == s->t) /* an error has just crossed, which may be rounding */
            w->margin[j] = cutset_max(w->margin[j], cutset_min(s->reach[k], 8.0 * DBL_EPSILON / AT_CROSSING * e->roundings[j]));
        w->armed[j] = w->base[j] = w->floor[j] = w->crossed[j] = 0.0;
        w->touch[j] = truth(e, k, 0.0) == s->m[k] || h[EARLY_AT] == s->t ? -1.0 : e->opposites[k] >= 0;
    }
    w->known = w->doubtful = 0;
    for (i = 0; i < w->n_watched; i++) w->watched[i] = NAN;
    if (w->n_watched) memset(w->weighed, 0, (w->n + w->n_watched) * sizeof(double));
}

/* Prepares a part of a segment from s, after `done` of its rows. */
static void begin_part(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, long done)
{
    d->m = s->m;
    d->evaluations = d->bad_evaluations = d->refusals = d->branch.unsolved = 0;
    d->guesses = e->row_guesses + (e->tally.rows + done) * d->n_guesses;
    if (e->find_noise) e->find_noise(s->t, s->x, s->m, e->noise);
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

/* The same by a method for stiff models, from `done` rows on; STIFF if it needs SUNDIALS. Defined by the file that includes this
   one. */
static int integrate_implicit(struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e,
                              struct cutset_moment *s, long n, long done);

/* Integrates by the explicit method until the model proves stiff, then by SUNDIALS, with which the next segments begin: 1, then 2, 4, ... if the
   next attempts prove the model stiff too. An event before that proves nothing if steps were at the border of stability. */
static int integrate_automatically(struct cutset_data *d, const struct cutset_control *control,
                                   const struct cutset_tableau *tableau, struct cutset_events *e, struct cutset_moment *s,
                                   long n)
{
    enum { LONGEST = 64 }; /* segments in a row that begin with SUNDIALS */
    struct cutset_tally *a = &e->tally;
    int status = DONE;
    a->segments++;
    if (--a->left < 0) {
        status = integrate_explicit(d, control, tableau, e, s, n);
        if (status != STIFF) {
            /* The end of a part of a run is not that of a segment. */
            if (a->stiff == 0 && (e->report.crossed || e->report.t < e->outputs[e->n_outputs - 1])) a->trust = 1;
            return status;
        }
        s->t = e->report.t;
        if (isnan(a->stiff_since)) a->stiff_since = s->t;
        a->left = a->trust;
        a->trust = a->trust < LONGEST / 2 ? 2 * a->trust : LONGEST;
        a->stiff = a->gentle = 0;
    }
    a->stiff_segments++;
    return integrate_implicit(d, control, e, s, n, status == STIFF ? e->report.reached : 0);
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
    if (d->n_states && e->is_implicit) return integrate_implicit(d, control, e, s, n, 0);
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

/* Makes rows of the states that a segment reached; its end is none unless it is an output. An input that has failed later has
   values there. */
static void make_rows(struct cutset_data *d, struct cutset_events *e, const double *m)
{
    long row = e->tally.rows, reached = e->report.reached, was = d->interrupted;
    if (reached && !is_output(e, e->row_t[row + reached - 1])) reached--;
    e->tally.rows += reached;
    d->interrupted = 0;
    for (; row < e->tally.rows; row++) {
        fill_inputs(d, e->row_t[row]);
        if (d->interrupted == 2) e->tally.rows = row;
        memcpy(e->row_m + row * e->n_modes, m, e->n_modes * sizeof(double));
        memcpy(e->row_u + row * e->n_u, d->u, e->n_u * sizeof(double));
    }
    if (was) d->interrupted = was;
}

/* The end of what tightened tolerances integrate: no error of the integration has made a relation cross for a while before. */
static double end_of_care(const struct cutset_data *d, struct cutset_events *e, double t)
{
    double latest = -INFINITY;
    long j;
    if (e->tally.tightening == 1.0) return INFINITY;
    for (j = 0; j < d->watch.n; j++) latest = cutset_max(latest, e->history[OF_CROSSING * j + REFUSED_AT]);
    latest += CAREFUL_FOR * e->span;
    if (t < latest) return latest;
    e->tally.tightening = 1.0;
    return INFINITY;
}

/* The control of the next segment: where integration errors are mistaken for crossings its tolerances are tighter, but not than
   what rounding of the largest state may leave of the others. */
static const struct cutset_control *limited(const struct cutset_data *d, struct cutset_events *e, const struct cutset_control *control,
                                            double longest)
{
    struct cutset_control *c = &e->careful;
    const double tightening = e->tally.tightening;
    double largest = 0.0;
    long i;
    *c = *control;
    c->max_step = cutset_min(longest, e->max_step);
    if (tightening == 1.0) return c;
    c->rtol = cutset_max(tightening * control->rtol, LEAST_RTOL);
    for (i = 0; i < d->n_states; i++) largest = cutset_max(largest, fabs(e->now.x[i]));
    for (i = 0; i < d->n_states; i++)
        e->tolerance[i] = cutset_max(tightening * control->atol[i], cutset_min(control->atol[i], GLOBAL * ROUNDED * largest));
    c->atol = e->tolerance;
    return c;
}

#endif
