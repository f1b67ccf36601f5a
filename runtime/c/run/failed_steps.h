/* Goes on where a method has failed: to the last point that has values; and where a branch of solutions of a
   nonlinear system has ended, to another one. Allocates nothing.

   A branch ends where it meets another one (a fold); beyond that point neither exists, and the unknowns jump. They continue in the
   direction in which they were moving, as they would if the jump took a short time; so the next solution is first sought in that
   direction, then in the direction of each unknown. A solution is accepted if the determinant of the equations has the same
   sign as before: solutions between two such branches are unstable. */

#ifndef CUTSET_FAILED_STEPS_H
#define CUTSET_FAILED_STEPS_H

#include "chatter.h"
#include "cutset_support.h"
#include "driver.h"
#include "events.h"
#include "inputs.h"
#include "poles.h"
#include "relations.h"
#include "runge_kutta.h"
#include "segments.h"

/* Distances from the end of the branch at which a solution is sought, relative to the sizes of its unknowns. */
static const double STRIDES[] = {0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0};
/* A nearer solution is the branch that has ended; a size that is a smaller part of the nominal value does not count; and the
   absolute change allowed for a variable with a derivative. */
static const double SAME_BRANCH = 0.02, NO_SIZE = 1e-7, SMALL_MOVE = 1e-6;
/* Jumps within this part of the run are at one instant; the limit on their number, and on unknowns in whose direction a solution is
   sought. */
static const double ONE_INSTANT = 1e-9;
enum { MOST_LEAPS = 20, MOST_UNKNOWNS = 20 };

static int guards_are_finite(const struct cutset_data *d, const double *w) { return all_finite(d->n_guards, w + d->n_guesses); }

/* ---- the last point ---- */

/* A model without states: up to the last instant at which all values are finite. */
static void reach_last_instant(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    double good = e->report.t, bad = d->bad_t;
    while (good < 0.5 * (good + bad) && 0.5 * (good + bad) < bad) {
        double middle = 0.5 * (good + bad);
        rates_at(d, middle, s->x, s->m, e->dx);
        if (guards_are_finite(d, d->w)) good = middle;
        else bad = middle;
    }
    e->report.t = good, d->bad_t = bad;
}

/* True if a fixed step ended before a pole: the last point before it has values. */
static int has_met_pole(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    memcpy(e->w_copy, d->w, e->n_work * sizeof(double));
    fill_inputs(d, d->bad_t);
    cutset_derivatives(d->bad_t, d->bad_x, d->u, d->c, s->m, e->w_copy, e->dx);
    return all_finite(d->n_states, e->dx) && guards_are_finite(d, e->w_copy);
}

/* True if the solutions at s, where the branch may have ended, are on it. */
static int is_on_branch(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, double t)
{
    fill_inputs(d, t);
    cutset_careful = 1, cutset_lost = 0;
    cutset_derivatives(t, s->x, d->u, d->c, s->m, d->w, e->dx);
    cutset_careful = 0;
    return !cutset_lost;
}

/* Continues the segment from the last point of the report by a method whose steps become as short as necessary, up to `end`. */
static int continue_to(struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e, struct cutset_moment *s,
                       long n, double end)
{
    struct cutset_report *r = &e->report;
    double *times = e->row_t + e->tally.rows, begin = r->t;
    long done = r->reached, row = e->tally.rows + done, outputs = 0, j, i;
    int was_lost = d->branch.lost != 0, moves = 0, status;
    while (done + outputs < n && times[done + outputs] < end) outputs++;
    i = done + outputs < n && times[done + outputs] == end; /* the end itself is rarely an output */
    times[done + outputs] = end;
    if (d->branch.n) memcpy(e->lost_motion, d->branch.motion, d->branch.n * sizeof(double));
    memset(r, 0, sizeof *r);
    r->t = begin, r->stiff = e->tally.stiff, r->gentle = e->tally.gentle;
    begin_part(d, e, s, done);
    for (j = 0; j < d->watch.n; j++) d->watch.margin[j] = 8.0 * DBL_EPSILON * s->scales[j];
    status = cutset_explicit(d, control, e->dopri5, begin, s->x, outputs + 1, e->row_t + row, e->row_x + row * d->n_states, e->work, r);
    count_part(d, e, r->steps, r->rejected);
    e->tally.stiff = r->stiff, e->tally.gentle = r->gentle;
    r->reached = done + (r->reached < outputs + i ? r->reached : outputs + i);
    for (i = 0; i < d->branch.n; i++) moves |= d->branch.motion[i] != 0.0;
    if (was_lost && d->branch.lost && !moves) memcpy(d->branch.motion, e->lost_motion, d->branch.n * sizeof(double));
    return status;
}

/* Continues a segment of n times that has failed with this status to the end of a branch of solutions or of the model's domain; or a
   little farther, if it does not end there. A fixed step may meet a pole far ahead of the solution, much closer to its start:
   then it is the whole step that is done again. */
static int reach_last_point(struct cutset_data *d, const struct cutset_control *control, const struct cutset_tableau *tableau,
                            struct cutset_events *e, struct cutset_moment *s, long n, int status)
{
    struct cutset_control own = *control;
    const int is_fixed = !d->n_states || (!e->is_implicit && !tableau->error);
    double t = e->report.t, end;
    if (!d->bad_evaluations || (!d->branch.lost && !is_fixed)) return status;
    if (!d->n_states) {
        reach_last_instant(d, e, s);
        return status;
    }
    own.has_grown = is_fixed && has_met_pole(d, e, s), own.detect_stiffness = 0;
    end = cutset_max(d->bad_t, own.has_grown ? t + control->max_step : t);
    end = cutset_min(end, e->row_t[e->tally.rows + n - 1]);
    if (d->branch.n) memcpy(d->w, d->branch.last, d->branch.n * sizeof(double));
    /* The error of the method may have taken it there already. */
    return end <= t || !is_on_branch(d, e, s, t) ? status : continue_to(d, &own, e, s, n, end);
}

/* ---- another branch ---- */

/* scale := the size of each unknown of an iteration, 1 in other places. */
static void find_scales(const struct cutset_data *d, const struct cutset_events *e, double *scale)
{
    long k, i, first = 0;
    for (i = 0; i < d->branch.n; i++) scale[i] = 1.0;
    for (k = 0; k < e->n_iterations; k++) { /* n guesses, an orientation, and n nominal values */
        long n = e->iterations[k];
        for (i = first; i < first + n; i++) {
            double given = fabs(d->w[i + n + 1]), nominal = given > 0.0 ? given : 1.0;
            scale[i] = d->branch.size[i] > NO_SIZE * nominal ? d->branch.size[i] : nominal;
        }
        first += 2 * n + 1;
    }
}

/* How far the unknowns are from the end of the branch; nan if one is not a number. */
static double distance_from_end(const struct cutset_data *d, const struct cutset_events *e, const double *scale)
{
    double most = 0.0;
    long k, i, first = 0;
    for (k = 0; k < e->n_iterations; first += 2 * e->iterations[k++] + 1)
        for (i = first; i < first + e->iterations[k]; i++) {
            double part = fabs(d->w[i] - d->branch.last[i]) / scale[i];
            if (isnan(part)) return NAN;
            most = cutset_max(most, part);
        }
    return most;
}

/* True if the guesses in w lead to another solution at (t, x), on a branch that is as stable. */
static int has_other_solution(struct cutset_data *d, struct cutset_events *e, double t, const double *x, const double *m,
                              const double *scale)
{
    long k, first = 0;
    rates_at(d, t, x, m, e->dx);
    if (!all_finite(d->n_states, e->dx) || !guards_are_finite(d, d->w)) return 0;
    if (!(distance_from_end(d, e, scale) > SAME_BRANCH)) return 0;
    for (k = 0; k < e->n_iterations; first += 2 * e->iterations[k++] + 1)
        if (d->w[first + e->iterations[k]] != d->branch.last[first + e->iterations[k]]) return 0;
    return 1;
}

/* True if a variable with a derivative, such as a position of a mechanism, would jump from the end of the branch to the guesses in w.
   That is impossible: its derivative follows from those of the states. */
static int would_move(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    double *after = d->branch.end;
    const double *last = d->branch.last;
    long i, n = d->branch.n;
    int moves = 0;
    if (!e->n_moving) return 0;
    memcpy(after, d->w, n * sizeof(double));
    memcpy(d->w, last, n * sizeof(double));
    fill_inputs(d, s->t);
    cutset_variables(s->t, s->x, d->u, d->c, s->m, d->w, e->y_row);
    for (i = 0; i < e->n_moving; i++) e->place[i] = e->y_row[e->moving[i]];
    for (i = 0; i < n; i++)
        if (after[i] != last[i]) d->w[i] = after[i];
    cutset_variables(s->t, s->x, d->u, d->c, s->m, d->w, e->y_row);
    memcpy(d->w, after, n * sizeof(double));
    for (i = 0; i < e->n_moving; i++) {
        double was = e->place[i], now = e->y_row[e->moving[i]];
        moves |= !(fabs(now - was) <= SAME_BRANCH * cutset_max(fabs(was), fabs(now)) + SMALL_MOVE);
    }
    return moves;
}

/* True if w leads to a solution with which the run goes on from s with the rates e->dx_ahead. */
static int goes_on(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *scale)
{
    const double ahead = ONE_INSTANT * e->span;
    long i;
    for (i = 0; i < d->n_states; i++) e->z[i] = s->x[i] + ahead * e->dx_ahead[i];
    return has_other_solution(d, e, s->t + ahead, e->z, s->m, scale) && has_other_solution(d, e, s->t, s->x, s->m, scale)
           && !would_move(d, e, s);
}

/* Seeks a solution in this direction, whose components are relative to the sizes. */
static int goes_on_along(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *scale,
                         const double *direction)
{
    size_t j;
    long i;
    for (j = 0; j < sizeof STRIDES / sizeof *STRIDES; j++) {
        for (i = 0; i < d->branch.n; i++) d->w[i] = d->branch.last[i] + STRIDES[j] * scale[i] * direction[i];
        if (goes_on(d, e, s, scale)) return 1;
    }
    return 0;
}

/* direction := that of the latest motion of the unknowns; 0 if there was none. */
static int find_direction(const struct cutset_data *d, const struct cutset_events *e, const double *scale, double *direction)
{
    double largest = 0.0;
    long k, i, first = 0;
    memset(direction, 0, d->branch.n * sizeof(double));
    for (k = 0; k < e->n_iterations; first += 2 * e->iterations[k++] + 1)
        for (i = first; i < first + e->iterations[k]; i++) {
            direction[i] = d->branch.motion[i] / scale[i];
            largest = cutset_max(largest, fabs(direction[i]));
        }
    for (i = 0; i < d->branch.n && largest > 0.0; i++) direction[i] /= largest;
    return largest > 0.0;
}

/* Lets w lead to another solution at s; 0 if there is none. */
static int find_other_branch(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *scale)
{
    double *direction = d->branch.guess;
    long k, i, tried = 0, first = 0;
    int sign;
    if (find_direction(d, e, scale, direction) && goes_on_along(d, e, s, scale, direction)) return 1;
    for (k = 0; k < e->n_iterations; first += 2 * e->iterations[k++] + 1)
        for (i = first; i < first + e->iterations[k] && tried < MOST_UNKNOWNS; i++, tried++)
            for (sign = 1; sign >= -1; sign -= 2) {
                memset(direction, 0, d->branch.n * sizeof(double));
                direction[i] = sign;
                if (goes_on_along(d, e, s, scale, direction)) return 1;
            }
    memcpy(d->w, d->branch.last, d->branch.n * sizeof(double));
    return goes_on(d, e, s, scale);
}

static double limited_number(double number) { return isnan(number) ? 0.0 : cutset_min(cutset_max(number, -DBL_MAX), DBL_MAX); }

/* Counts a jump at t, be it to another branch or of relations; 0 if there are too many at one instant. */
static int count_leap(struct cutset_events *e, double t)
{
    e->leaps = t - e->latest_leap <= ONE_INSTANT * e->span ? e->leaps + 1 : 0;
    return e->leaps <= MOST_LEAPS;
}

/* Jumps to another branch at s, where one has ended, and writes the rows before and after it; relations follow, if they agree with
   the equations there. 0 if there is none, or at most a few times at one instant. */
static int leap(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    double *scale = d->branch.from, *before = d->branch.from_before;
    size_t guesses = d->branch.n * sizeof(double);
    int has_before;
    long i;
    if (!count_leap(e, s->t) || !d->branch.lost) return 0;
    e->latest_leap = s->t;
    memcpy(d->w, d->branch.last, guesses);
    find_scales(d, e, scale);
    rates_at(d, s->t, s->x, s->m, e->dx_ahead);
    has_before = distance_from_end(d, e, scale) <= SAME_BRANCH && all_finite(d->n_states, e->dx_ahead) && guards_are_finite(d, d->w);
    memcpy(before, d->w, guesses);
    for (i = 0; i < d->n_states; i++) e->dx_ahead[i] = limited_number(e->dx_ahead[i]);
    if (!find_other_branch(d, e, s, scale)) return 0;
    e->tally.branch_events++;
    if (has_before) {
        write_row(d, e, s);
        memcpy(e->row_guesses + (e->tally.rows - 1) * d->n_guesses, before, guesses);
    }
    memset(e->crossed, 0, d->watch.n * sizeof(double));
    if (!settle(d, e, s, 0)) e->failure.cause = 0;
    write_row(d, e, s);
    return 1;
}

/* ---- other relations ---- */

/* e->m := held values that agree with the equations just ahead of s; 0 if there are none but those of s. */
static int find_modes_ahead(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    const double ahead = ONE_INSTANT * e->span;
    long i, k;
    int found;
    copy_moment(d, e, &e->before, s);
    rates_at(d, s->t, s->x, s->m, e->dx_ahead);
    for (i = 0; i < d->n_states; i++) s->x[i] += ahead * limited_number(e->dx_ahead[i]);
    for (k = 0; k < e->n_relations; k++) s->reach[k] = -1.0;
    s->t += ahead;
    found = find_modes(d, e, s, 0) && sides_are_finite(d, e, s) && !equal(e->m, s->m, e->n_modes);
    copy_moment(d, e, s, &e->before);
    e->failure.cause = 0;
    return found;
}

/* Lets relations jump at s, as those of an ideal comparator do with its output: at the instant itself the equations may have values
   with the old ones, too, or many. 0 if no others agree just ahead, or at most a few times at one instant. */
static int switch_over(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    long k;
    if (!e->n_relations || e->leaps > MOST_LEAPS || !find_modes_ahead(d, e, s)) return 0;
    e->latest_leap = s->t;
    crossings_at(d, s->t, s->x, e->m, e->g);
    for (k = 0; k < e->n_relations; k++)
        if (e->m[k] != s->m[k] && e->places[k] >= 0) s->at[k] = e->m[k], s->reach[k] = 2.0 * fabs(e->g[e->places[k]]);
    memcpy(s->m, e->m, e->n_relations * sizeof(double));
    memset(e->crossed, 0, d->watch.n * sizeof(double));
    if (!settle(d, e, s, 0)) return 0;
    e->tally.branch_events++;
    write_row(d, e, s);
    return 1;
}

/* The integration has failed at s with this status. A relation that crosses without end may be the reason. */
static int fail_to_integrate(const struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, int status)
{
    struct cutset_failure *f = &e->failure;
    const long k = status == STEP_TOO_SMALL || status == NO_CONVERGENCE ? latest_excused(d, e, s->t) : -1;
    if (k >= 0) {
        const double *h = e->history + OF_CROSSING * e->places[k];
        return fail_to_end(e, k, h, h[EXCUSED_AT]);
    }
    f->count = d->branch.lost, f->other = d->branch.unsolved;
    f->was = d->bad_evaluations ? d->bad_t : NAN;
    memcpy(f->x_after, d->bad_x, d->n_states * sizeof(double));
    return fail(e, FAILED_INTEGRATION, status);
}

#endif
