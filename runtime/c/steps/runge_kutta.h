/* Explicit Runge-Kutta methods: a tableau -> the states at the output times.

   E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., II.4-II.6. */

#ifndef CUTSET_RUNGE_KUTTA_H
#define CUTSET_RUNGE_KUTTA_H

#include "branches.h"
#include "crossings.h"
#include "cutset_support.h"
#include "delays.h"
#include "driver.h"
#include "evaluate.h"
#include "forcing.h"
#include "growth.h"
#include "history.h"
#include "poles.h"
#include "step_ends.h"

#define MOST_STAGES 16

/* The estimate of the error counts so many times if a stage was beyond a crossing, on another branch of the equations. */
static const double BEYOND = 100.0;

/* A step of size h from (t, x): its `rows` + 1 stages, the next state, the argument of the stage before the last,
   and the highest term of the continuous extension, once it is computed. */
struct step {
    const struct cutset_tableau *tableau;
    long n;
    double t, h;
    const double *x;
    double *k[MOST_STAGES], *next, *before, *bump, *inner, *slope; /* the last two: work memory */
    int has_bump, is_beyond; /* is_beyond: the first stage is beyond a crossing */
};

/* The sum of the stages times their weights, for state i. */
static double combined(const struct step *s, const double *weights, long count, long i)
{
    double sum = weights[0] * s->k[0][i];
    long j;
    for (j = 1; j < count; j++)
        if (weights[j] != 0.0) sum += weights[j] * s->k[j][i];
    return sum;
}

/* z := the weighted sum of the stages, stage by stage, so that the C compiler can vectorize it. */
static void sum_stages(const struct step *s, const double *weights, long count, double *restrict z)
{
    long i, j, n = s->n;
    for (i = 0; i < n; i++) z[i] = weights[0] * s->k[0][i];
    for (j = 1; j < count; j++) {
        const double weight = weights[j], *k = s->k[j];
        if (weight == 0.0) continue;
        for (i = 0; i < n; i++) z[i] += weight * k[i];
    }
}

/* z := x + h * the weighted sum of the stages. */
static void argument(const struct step *s, const double *weights, long count, double *restrict z)
{
    long i, n = s->n;
    sum_stages(s, weights, count, z);
    for (i = 0; i < n; i++) z[i] = s->x[i] + s->h * z[i];
}

/* Evaluates all stages of the step after the first, which is given. Stops at the first that is not finite. */
static int stages(struct cutset_data *d, struct step *s)
{
    const double *weights = s->tableau->weights;
    long row;
    s->has_bump = 0;
    for (row = 0; row < s->tableau->rows; row++) {
        double node = s->tableau->nodes[row], *swap = s->before;
        int status;
        s->before = s->next, s->next = swap;
        argument(s, weights, row + 1, s->next);
        status = evaluate(d, s->t + node * s->h, s->next, s->k[row + 1]);
        if (status) return status;
        weights += row + 1;
    }
    return DONE;
}

/* Root mean square of the estimated error over the tolerance: the step is accepted if it is at most 1. */
static double error_norm(const struct step *s, const struct cutset_control *control)
{
    double sum = 0.0;
    long i;
    for (i = 0; i < s->n; i++) {
        double e = s->h * combined(s, s->tableau->error, s->tableau->rows + 1, i);
        double scale = control->atol[i] + control->rtol * cutset_max(fabs(s->x[i]), fabs(s->next[i]));
        sum += (e / scale) * (e / scale);
    }
    return sqrt(sum / (double)s->n);
}

/* bump := the highest term of the continuous extension. */
static void find_bump(struct step *s)
{
    const struct cutset_tableau *tableau = s->tableau;
    long i, n = s->n;
    s->has_bump = 1;
    memset(s->bump, 0, n * sizeof(double));
    if (!tableau->bump) return;
    sum_stages(s, tableau->bump, tableau->rows + 1, s->bump);
    for (i = 0; i < n; i++) s->bump[i] *= s->h;
}

/* The state at t + theta*h: cubic Hermite interpolation, with one more term if the tableau has it (II.6). */
static void interpolate(struct step *s, double theta, double *out)
{
    const struct cutset_tableau *tableau = s->tableau;
    const double *restrict x = s->x, *restrict next = s->next, *restrict first = s->k[0], *restrict last = s->k[tableau->rows];
    const double *restrict bump = s->bump;
    double *restrict state = out;
    double rest = 1.0 - theta, h = s->h;
    long i, n = s->n;
    if (!s->has_bump) find_bump(s);
    for (i = 0; i < n; i++) {
        double rise = next[i] - x[i];
        double left = h * first[i] - rise;
        double right = rise - h * last[i] - left;
        state[i] = x[i] + theta * (rise + rest * (left + theta * (right + rest * bump[i])));
    }
}

/* The error that a step shows where it is `part` of the way: how far the derivatives there differ from those of its continuous
   extension, in tolerances; 0 where that is small, and may be rounding. What is short and near to an end of a step is in one of
   its stages, whose weight in the error estimate may be small. */
static double error_inside(struct cutset_data *d, struct step *s, const struct cutset_control *control, double part)
{
    const double weight = 0.03, small = 1e-3, rest = 1.0 - part, h = s->h;
    const double *first = s->k[0], *last = s->k[s->tableau->rows];
    double sum = 0.0;
    long i;
    interpolate(s, part, s->inner);
    if (!glance_at(d, s->t + part * h, s->inner, s->slope)) return 0.0;
    for (i = 0; i < s->n; i++) {
        double rise = s->next[i] - s->x[i], left = h * first[i] - rise, right = rise - h * last[i] - left;
        double way = rise + (rest - part) * left + part * (2.0 * rest - part) * right + 2.0 * part * rest * (rest - part) * s->bump[i];
        double scale = control->atol[i] + control->rtol * cutset_max(fabs(s->x[i]), fabs(s->next[i]));
        double e = weight * (h * s->slope[i] - way) / scale;
        sum += e * e;
    }
    sum = sqrt(sum / (double)s->n);
    return sum > small ? sum : 0.0;
}

static void step_state(void *step, double t, double *x)
{
    struct step *s = step;
    if (t >= s->t + s->h) memcpy(x, s->next, s->n * sizeof(double));
    else interpolate(s, (t - s->t) / s->h, x);
}

static double scaled_norm(const double *v, const double *minus, const double *x, const struct cutset_control *control,
                          long n)
{
    double sum = 0.0;
    long i;
    for (i = 0; i < n; i++) {
        double q = (v[i] - (minus ? minus[i] : 0.0)) / (control->atol[i] + control->rtol * fabs(x[i]));
        sum += q * q;
    }
    return sqrt(sum / (double)n);
}

/* The first step from the sizes of the solution and of its first two derivatives (II.4); at most `span`. */
static int first_step(struct cutset_data *d, const struct cutset_control *control, const struct step *s, double span,
                      double *h)
{
    double size = scaled_norm(s->x, 0, s->x, control, s->n);
    double slope = scaled_norm(s->k[0], 0, s->x, control, s->n);
    double guess = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * (size / slope);
    double bend, steepest, next;
    long i;
    int status;
    /* A state near zero after an event would require a step too short to advance time. */
    guess = cutset_min(cutset_max(guess, 1e4 * DBL_EPSILON * fabs(s->t)), span);
    for (i = 0; i < s->n; i++) s->next[i] = s->x[i] + guess * s->k[0][i];
    status = evaluate(d, s->t + guess, s->next, s->k[1]);
    if (status == INTERRUPTED) return status;
    if (status == NOT_FINITE) {
        *h = 0.01 * guess;
        return DONE;
    }
    bend = scaled_norm(s->k[1], s->k[0], s->x, control, s->n) / guess;
    steepest = cutset_max(slope, bend);
    next = steepest <= 1e-15 ? cutset_max(1e-6, guess * 1e-3) : pow(0.01 / steepest, 1.0 / (double)s->tableau->order);
    *h = cutset_min(cutset_min(100.0 * guess, next), span);
    return DONE;
}

/* The step times an estimate of the largest eigenvalue, from two stages at the end of the step; 3.3 is the end of
   the region of stability of Dormand-Prince (IV.2). */
static double stiffness(const struct step *s)
{
    const double *last = s->k[s->tableau->rows], *before = s->k[s->tableau->rows - 1];
    double rise = 0.0, way = 0.0;
    long i;
    for (i = 0; i < s->n; i++) {
        rise += (last[i] - before[i]) * (last[i] - before[i]);
        way += (s->next[i] - s->before[i]) * (s->next[i] - s->before[i]);
    }
    return way > 0.0 ? s->h * sqrt(rise / way) : 0.0;
}

/* True if there is a pole between the ends of the step. */
static int step_passes_pole(struct cutset_data *d, const struct step *s, double end)
{
    return passes_pole(d, s->t, s->x, s->k[0], end, s->next, s->k[s->tableau->rows]);
}

/* Without error control a step may pass poles and come back, or end between others: the stages show that. */
static int stages_pass_pole(struct cutset_data *d, struct step *s)
{
    const double *weights = s->tableau->weights;
    long row;
    for (row = 0; row < s->tableau->rows; weights += ++row) {
        if (!strays(d, s->k[0], s->k[row + 1])) continue;
        argument(s, weights, row + 1, s->bump);
        if (pole_on_long_way(d, s->t, s->x, s->k[0], s->t + s->tableau->nodes[row] * s->h, s->bump, s->k[row + 1])) return 1;
    }
    return 0;
}

/* True if the derivatives in the step change much more than in the one before, in a mechanism whose motions may branch. Close to
   an intersection its accelerations are rounding, and no estimate of an error lets this step end elsewhere. */
static int is_near_intersection(const struct cutset_data *d, const struct step *s, const struct cutset_control *control, double *last)
{
    const double much_more = 8.0, before = *last;
    long row;
    if (!d->branch.n_motions) return 0;
    for (*last = 1.0, row = 1; row <= s->tableau->rows; row++)
        *last = cutset_max(*last, s->h * scaled_norm(s->k[row], s->k[0], s->x, control, s->n));
    return *last > much_more * before;
}

/* Accepts the step: branches, crossings, outputs. x becomes the state at r->t. True if a crossing ends the segment
   here. */
static int make_step(struct cutset_data *d, struct step *s, double *x, double end, int first, long *since, long n,
                     const double *times, double *out, struct cutset_report *r)
{
    double *swap = s->k[0];
    const long reached = r->reached;
    end_step(d, step_state, s, s->t, end, s->next, first, x, n, times, out, r);
    if (r->reached > reached) *since = 0;
    s->t = r->t;
    s->is_beyond = 0;
    if (r->crossed) return 1;
    s->k[0] = s->k[s->tableau->rows], s->k[s->tableau->rows] = swap;
    return 0;
}

/* Equal steps from each output to the next, none longer than the longest allowed; no error control. */
static int fixed_steps(struct cutset_data *d, const struct cutset_control *control, struct step *s, double *x, long n,
                       const double *times, double *out, struct cutset_report *r)
{
    const double longest = longest_with_delays(&d->history, control->max_step, 1);
    double bend = INFINITY;
    long since = 0;
    int status, first = 1;
    while (r->reached < n) {
        double from = s->t, end = times[r->reached], count = ceil((end - from) / longest - 1e-9), number;
        count = cutset_max(count, 1.0);
        for (number = 1.0; number <= count; number += 1.0) {
            int ends = number == count;
            double until = ends ? end : from + number * ((end - from) / count);
            s->h = r->h = (end - from) / count;
            r->t = s->t;
            if (!has_room(&d->history)) return DONE;
            cutset_beyond = s->is_beyond;
            if ((status = stages(d, s))) return status;
            r->steps++;
            /* Only shorter steps show where states cross. */
            if (cutset_beyond && s->n && record_pole(d, until, s->next)) return NOT_FINITE;
            if (stages_pass_pole(d, s) || step_passes_pole(d, s, until)) return NOT_FINITE;
            if (is_near_intersection(d, s, control, &bend) && record_pole(d, until + 0.5 * s->h, s->next)) return NOT_FINITE;
            if (make_step(d, s, x, until, first, &since, n, times, out, r)) return DONE;
            first = 0;
        }
    }
    return DONE;
}

/* The error of a step of a forced model, in what it may use of the tolerance: looks where its estimate may be wrong. `bend` :=
   by how much the slopes change within it; a step in which they do so much more than in the one before may hide a kink. */
static double forced_error(struct cutset_data *d, struct step *s, const struct cutset_control *control, double error,
                           double last_bend, double *bend)
{
    const double share = share_of_tolerance(d->forcing, control->rtol, BALANCED), much_more = 8.0;
    double parts[MOST_LOOKS];
    int looks;
    error /= share;
    if (!(error <= 1.0)) return error;
    *bend = s->h * scaled_norm(s->k[s->tableau->rows], s->k[0], s->x, control, s->n);
    looks = doubtful_parts(d, s->t, s->h, *bend > much_more * last_bend, parts);
    for (; looks > 0; looks--) error = fmax(error, error_inside(d, s, control, parts[looks - 1]) / share);
    return error;
}

/* Steps controlled by the estimated error: PI control with the exponents 1/order - 0.75*0.04 and 0.04. */
static int adapted_steps(struct cutset_data *d, const struct cutset_control *control, struct step *s, double *x, long n,
                         const double *times, double *out, struct cutset_report *r)
{
    double end = times[n - 1], h = r->h, previous = 1e-4, exponent = 1.0 / (double)s->tableau->order - 0.03;
    long since = 0;
    int status, rejected = 0, first = 1;
    double bend = 0.0, last_bend = d->signals.count ? 0.0 : INFINITY; /* a segment begins at each kink of an input */
    if (!(h > 0.0) && (status = first_step(d, control, s, end - s->t, &h))) return status;
    while (1) {
        double error, factor, wanted, longest;
        int last;
        longest = longest_with_delays(&d->history, control->max_step, 0);
        wanted = h = cutset_min(h, longest);
        h = cutset_min(within_forcing(d, s->t, h, control->rtol, 1), longest);
        last = s->t + 1.01 * h >= end;
        r->t = s->t;
        if (!has_room(&d->history)) return DONE;
        if (last) h = end - s->t;
        s->h = r->h = h;
        if (since++ >= control->max_steps) return TOO_MANY_STEPS;
        if (0.1 * h <= fabs(s->t) * DBL_EPSILON && !last) return rejected == NOT_FINITE ? NOT_FINITE : STEP_TOO_SMALL;
        cutset_beyond = s->is_beyond;
        status = stages(d, s);
        if (status == INTERRUPTED) return status;
        error = status == NOT_FINITE ? INFINITY : (cutset_beyond ? BEYOND : 1.0) * error_norm(s, control);
        if (d->forcing || d->signals.count) error = forced_error(d, s, control, error, last_bend, &bend);
        r->steps++;
        if (!(error <= 1.0)) {
            /* A step to a point without values gives no information on the error: only shorten it. */
            h = status == NOT_FINITE ? shorter_step(d, h) : h * cutset_max(0.2, 0.9 * pow(error, -exponent));
            rejected = status == NOT_FINITE ? NOT_FINITE : STEP_TOO_SMALL;
            r->rejected++;
            if (s->t + h == s->t || (status == NOT_FINITE && ends_here(d, control->nearest))) return rejected;
            continue;
        }
        if (control->detect_stiffness) {
            if (cutset_beyond || stiffness(s) > 3.25) r->stiff++, r->gentle = 0;
            else if (++r->gentle == 6) r->stiff = 0;
            if (r->stiff == 15) return STIFF;
        }
        if (step_passes_pole(d, s, last ? end : s->t + h)) {
            /* Approach the pole, which may be far within a step if its effect is within the tolerance. */
            h = 0.9 * (d->bad_t - s->t);
            rejected = NOT_FINITE;
            r->rejected++;
            if (s->t + h <= s->t) return NOT_FINITE;
            continue;
        }
        factor = 0.9 * pow(error, -exponent) * pow(previous, 0.04);
        factor = cutset_min(10.0, cutset_max(0.2, factor));
        r->next = cutset_max(last ? wanted : 0.0, h * (rejected ? cutset_min(1.0, factor) : factor));
        if (make_step(d, s, x, last ? end : s->t + h, first, &since, n, times, out, r) || last) return DONE;
        look_at_sizes(d, s->t, x);
        first = 0;
        h = r->next;
        previous = cutset_max(error, 1e-4);
        last_bend = bend;
        rejected = 0;
    }
}

/* Integrates from (t, x) to the last of n ascending times and writes the states at all of them; x becomes the state
   at report->t. `work` has (rows + 6)*n_states doubles. */
int cutset_explicit(struct cutset_data *d, const struct cutset_control *control, const struct cutset_tableau *tableau, double t,
                    double *x, long n, const double *times, double *out, double *work, struct cutset_report *r)
{
    struct step s = {tableau, d->n_states, t, 0.0, x, {0}, 0, 0, 0, 0, 0, 0, 0};
    long j;
    int status;
    for (j = 0; j <= tableau->rows; j++) s.k[j] = work + j * s.n;
    s.next = work + (tableau->rows + 1) * s.n;
    s.before = work + (tableau->rows + 2) * s.n;
    s.bump = work + (tableau->rows + 3) * s.n;
    s.inner = work + (tableau->rows + 4) * s.n;
    s.slope = work + (tableau->rows + 5) * s.n;
    begin_branch(d, t, x);
    begin_forcing(d, t, x);
    cutset_beyond = 0;
    if ((status = evaluate(d, t, x, s.k[0]))) return status;
    s.is_beyond = cutset_beyond;
    watch(d, t, x);
    begin_poles(d, tableau->error && !control->has_grown ? 0 : s.k[0]);
    return (tableau->error ? adapted_steps : fixed_steps)(d, control, &s, x, n, times, out, r);
}

#endif
