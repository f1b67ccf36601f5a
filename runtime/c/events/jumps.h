/* Solves the jumps of constraints at an event: the states just before it -> the states just after it.

   A source that steps across a loop of capacitors, or a drive whose speed steps, makes a constraint between states jump, and with
   it all states of the constraint. The equations between their derivatives are known from index reduction. They are linear in
   the derivatives, so also in their impulses: if the constraint moved at a large rate, the derivatives would be this rate times
   the changes of the states. So charge, flux and momentum are kept, whichever states are integrated. The constraint moves along
   a straight line from where it held before the event to where it must hold after it; along this way the changes are
   integrated, since the equations between derivatives may depend on the states. A position that jumps would need more than an
   impulse: that is an error. */

#ifndef CUTSET_JUMPS_H
#define CUTSET_JUMPS_H

#include "cutset_support.h"
#include "driver.h"
#include "inputs.h"
#include "poles.h"
#include "relations.h"

/* The residual of a constraint that jumps, the rate at which it does, what is proportional to it, when there
   are enough steps along the way, and the least size of a state. */
static const double RELATIVE = 1e-6, ABSOLUTE = 1e-7, JUMPS = 1e-10, JUMP_RATE = 1180591620717411303424.0; /* 2^70 */
static const double PROPORTIONAL = 1e-6, UNSEEN = 16.0, ACCURATE = 1e-9, CLOSE = 1e-6, STALLED = 0.5, LEAST = 1e-9;
enum { MOST_JUMP_STEPS = 1024, MOST_DECISIONS = 32 };

/* Notes that input k gets another value. */
static void note_step(struct cutset_events *e, const double *u, long k, double value)
{
    const struct cutset_jumps *j = &e->jumps;
    long i;
    for (i = 0; i < j->n_stepped; i++) {
        if (k == j->stepped[2 * i]) j->step[2 * i] += value - u[k];
        if (k == j->stepped[2 * i + 1] && (u[k] != 0.0 || value != 0.0)) j->step[2 * i] = NAN;
    }
}

/* Finds which inputs step at the event that begins: those whose derivatives stay zero. */
static void begin_steps(const struct cutset_data *d, struct cutset_jumps *j)
{
    long i;
    for (i = 0, j->steps = 0; i < j->n_stepped; i++) {
        if (isnan(j->step[2 * i]) || d->u[j->stepped[2 * i + 1]] != 0.0) j->step[2 * i] = 0.0;
        j->step[2 * i + 1] = d->u[j->stepped[2 * i]];
        j->steps |= j->step[2 * i] != 0.0;
    }
}

static void end_steps(struct cutset_jumps *j)
{
    j->steps = 0;
    if (j->n_stepped) memset(j->step, 0, 2 * j->n_stepped * sizeof(double));
}

/* Moves the inputs that step on their way, from 0 to 1, at this rate. */
static void move_inputs(struct cutset_data *d, const struct cutset_jumps *j, double at, double rate)
{
    long i;
    for (i = 0; i < j->n_stepped && j->steps; i++) {
        if (j->step[2 * i] == 0.0) continue;
        d->u[j->stepped[2 * i]] = j->step[2 * i + 1] + (at - 1.0) * j->step[2 * i];
        d->u[j->stepped[2 * i + 1]] = rate * j->step[2 * i];
    }
}

/* j->found := the results of updates at a point, no branch acting. */
static void updates_for_jumps(struct cutset_data *d, struct cutset_events *e, double t, const double *x, const double *m)
{
    struct cutset_jumps *j = &e->jumps;
    memset(j->flags, 0, e->n_branches * sizeof(double));
    fill_inputs(d, t);
    cutset_updates(t, x, d->u, d->c, m, j->flags, d->w, j->found);
}

static const double *found_jumps(const struct cutset_data *d, const struct cutset_events *e)
{
    return e->jumps.found + e->n_discrete + d->n_states + e->n_restarts;
}

/* Takes this point as that from which constraints jump. */
static void begin_jumps(struct cutset_data *d, struct cutset_events *e, double t, const double *x, const double *m)
{
    struct cutset_jumps *j = &e->jumps;
    if (!j->n && !j->steps) return;
    j->t = t;
    j->has_after = 0;
    memcpy(j->x, x, d->n_states * sizeof(double));
    memcpy(j->m, m, e->n_modes * sizeof(double));
    if (!j->n) return;
    memset(j->flags + e->n_branches, 0, j->n_before * sizeof(double));
    updates_for_jumps(d, e, t, x, m);
    memcpy(j->flags + e->n_branches, found_jumps(d, e) + 2 * j->n, j->n_before * sizeof(double));
}

/* j->sizes := by how much each constraint jumps, 0 if not. Returns 2 if one of those that are solved does, 1 if they do by no
   more than the error of the instant, 0 if none does. */
static int find_sizes(struct cutset_data *d, struct cutset_events *e, const double *m)
{
    struct cutset_jumps *j = &e->jumps;
    const double *found = found_jumps(d, e);
    long k;
    int most = 0;
    updates_for_jumps(d, e, j->t, j->x, m);
    for (k = 0; k < j->n; k++) {
        double rest = fabs(found[2 * k]), terms = found[2 * k + 1];
        j->sizes[k] = rest <= JUMPS * terms ? 0.0 : found[2 * k];
        if (j->sizes[k] != 0.0 && j->places[2 * k] >= 0) most = most == 2 || !(rest <= RELATIVE * terms) ? 2 : 1;
    }
    return most;
}

/* j->held := m where the constraints are on their way, from 0 to 1, at this rate. */
static void hold_on_way(const struct cutset_events *e, const double *m, double at, double rate)
{
    const struct cutset_jumps *j = &e->jumps;
    double *discrete = j->held + e->n_relations;
    long k;
    memcpy(j->held, m, e->n_modes * sizeof(double));
    for (k = 0; k < j->n; k++) {
        if (j->places[2 * k] < 0) continue;
        discrete[j->places[2 * k]] = (at - 1.0) * j->sizes[k];
        discrete[j->places[2 * k + 1]] = rate * j->sizes[k];
    }
}

/* slope := the change of the states along the way. */
static void slope_of_way(struct cutset_data *d, struct cutset_events *e, const double *m, double at, const double *x,
                         double rate, double *slope)
{
    double *slow = e->jumps.slow;
    long i;
    fill_inputs(d, e->jumps.t);
    move_inputs(d, &e->jumps, at, rate);
    hold_on_way(e, m, at, rate);
    cutset_derivatives(e->jumps.t, x, d->u, d->c, e->jumps.held, e->w_copy, slope);
    move_inputs(d, &e->jumps, at, 0.0);
    hold_on_way(e, m, at, 0.0);
    cutset_derivatives(e->jumps.t, x, d->u, d->c, e->jumps.held, e->w_copy, slow);
    for (i = 0; i < d->n_states; i++) slope[i] = (slope[i] - slow[i]) / rate;
}

/* The least size that counts: a part of the largest of these numbers. */
static double least_of(const double *numbers, long n)
{
    double largest = 0.0;
    long i;
    for (i = 0; i < n; i++) largest = cutset_max(largest, fabs(numbers[i]));
    return LEAST * largest;
}

/* False if the changes depend on the rate, as they do if an impulse is squared; those that the rate hides do not count. */
static int is_proportional(struct cutset_data *d, struct cutset_events *e, const double *m)
{
    const struct cutset_jumps *j = &e->jumps;
    double *one = j->k, *other = j->k + d->n_states, least;
    long i; /* the last slope leaves the other derivatives in j->slow */
    slope_of_way(d, e, m, 0.0, j->x, JUMP_RATE, one);
    slope_of_way(d, e, m, 0.0, j->x, 2.0 * JUMP_RATE, other);
    least = cutset_max(least_of(j->x, d->n_states), least_of(one, d->n_states));
    for (i = 0; i < d->n_states; i++) {
        double size = cutset_max(cutset_max(fabs(j->x[i]), fabs(one[i])), least);
        double lost = UNSEEN * fabs(j->slow[i]) / JUMP_RATE;
        if (!(fabs(other[i] - one[i]) <= PROPORTIONAL * size + lost)) return 0;
    }
    return 1;
}

/* x := the states at the end of the way, by the classical Runge-Kutta method. */
static void go_the_way(struct cutset_data *d, struct cutset_events *e, const double *m, long steps, double *x)
{
    const struct cutset_jumps *j = &e->jumps;
    long n = d->n_states, i, k;
    double h = 1.0 / (double)steps, *k1 = j->k, *k2 = k1 + n, *k3 = k2 + n, *k4 = k3 + n, *z = k4 + n;
    memcpy(x, j->x, n * sizeof(double));
    for (k = 0; k < steps; k++) {
        double at = (double)k;
        slope_of_way(d, e, m, at * h, x, JUMP_RATE, k1);
        for (i = 0; i < n; i++) z[i] = x[i] + 0.5 * h * k1[i];
        slope_of_way(d, e, m, (at + 0.5) * h, z, JUMP_RATE, k2);
        for (i = 0; i < n; i++) z[i] = x[i] + 0.5 * h * k2[i];
        slope_of_way(d, e, m, (at + 0.5) * h, z, JUMP_RATE, k3);
        for (i = 0; i < n; i++) z[i] = x[i] + h * k3[i];
        slope_of_way(d, e, m, (at + 1.0) * h, z, JUMP_RATE, k4);
        for (i = 0; i < n; i++) x[i] = x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
}

/* True if relation k depends on states; those of time are known in advance. */
static int is_of_states(const struct cutset_events *e, long k)
{
    long i;
    for (i = 0; i < e->n_known + e->n_isolated; i++)
        if (e->timed[i] == k) return 0;
    return e->kinds[k] == OF_STATE && e->directions[k] != 0.0;
}

static void sides_on_way(struct cutset_data *d, struct cutset_events *e, const double *m, double rate, double *differences)
{
    const double *sides = e->y_row + e->n_variables;
    long k;
    fill_inputs(d, e->jumps.t);
    move_inputs(d, &e->jumps, 0.0, rate);
    hold_on_way(e, m, 0.0, rate);
    cutset_variables(e->jumps.t, e->jumps.x, d->u, d->c, e->jumps.held, e->w_copy, e->y_row);
    for (k = 0; k < e->n_relations; k++) differences[k] = sides[2 * k] - sides[2 * k + 1];
}

/* Changes m until the relations that impulses decide agree with them: no friction withstands an impulse. */
static int decide_by_impulses(struct cutset_data *d, struct cutset_events *e, double *m)
{
    double *one = e->jumps.one, *two = e->jumps.two;
    long round, k;
    for (round = 0; round < MOST_DECISIONS; round++) {
        int changes = 0;
        sides_on_way(d, e, m, JUMP_RATE, one);
        sides_on_way(d, e, m, 2.0 * JUMP_RATE, two);
        for (k = 0; k < e->n_relations; k++) {
            double now;
            if (!is_of_states(e, k) || !(fabs(two[k] - one[k]) >= 0.5 * fabs(one[k])) || one[k] == 0.0) continue;
            now = e->truths[3 * k + 1 + (one[k] > 0.0) - (one[k] < 0.0)];
            changes |= now != m[k];
            m[k] = now;
        }
        if (!changes) return 1;
    }
    return 0;
}

static void without_values(double *x, long n)
{
    long i;
    for (i = 0; i < n; i++) x[i] = NAN;
}

/* found := the states at the end of the way, for the held values m after the event; nan if there are none. */
static void go_to_the_end(struct cutset_data *d, struct cutset_events *e, const double *m, double *found)
{
    struct cutset_jumps *j = &e->jumps;
    long n = d->n_states, steps = 1, i;
    double least, latest = INFINITY, *coarse = j->k + 5 * n;
    memcpy(e->w_copy, d->w, e->n_work * sizeof(double)); /* the guesses of the run must not change */
    memcpy(j->decided, m, e->n_modes * sizeof(double));
    if (!decide_by_impulses(d, e, j->decided) || !is_proportional(d, e, j->decided)) {
        without_values(found, n);
        return;
    }
    go_the_way(d, e, j->decided, steps, found);
    least = cutset_max(least_of(j->x, n), least_of(found, n));
    for (i = 0; i < n; i++) j->size[i] = cutset_max(cutset_max(fabs(j->x[i]), fabs(found[i])), least);
    for (;;) {
        double error = 0.0;
        memcpy(coarse, found, n * sizeof(double));
        steps *= 2;
        go_the_way(d, e, j->decided, steps, found);
        for (i = 0; i < n && !isnan(error); i++)
            error = cutset_max(error, fabs(found[i] - coarse[i]) / (j->size[i] > 0.0 ? j->size[i] : 1.0));
        if (!(error > ACCURATE) || (error <= CLOSE && error > STALLED * latest)) return;
        if (steps >= MOST_JUMP_STEPS) {
            without_values(found, n);
            return;
        }
        latest = error;
    }
}

/* j->after := the states with the held values m, nan if they cannot follow. */
static void find_states_after(struct cutset_data *d, struct cutset_events *e, const double *m)
{
    struct cutset_jumps *j = &e->jumps;
    size_t states = d->n_states * sizeof(double);
    int jump = j->n ? find_sizes(d, e, m) : 0;
    if (j->steps) jump = 2;
    if (jump) go_to_the_end(d, e, m, j->after);
    move_inputs(d, j, 1.0, 0.0);
    /* It is located late, and does not jump. */
    if (!jump || (jump == 1 && !all_finite(d->n_states, j->after))) memcpy(j->after, j->x, states);
}

/* The states of s after the jumps of constraints to the held values m, within an event. */
static const double *moved_states(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s,
                                  const double *m)
{
    struct cutset_jumps *j = &e->jumps;
    size_t modes = e->n_modes * sizeof(double);
    if (!j->is_within || (!j->n && !j->steps)) return s->x;
    if (!j->steps && !memcmp(j->m, m, modes)) return j->x;
    if (!j->has_after || memcmp(j->key, m, modes)) {
        find_states_after(d, e, m);
        memcpy(j->key, m, modes);
        j->has_after = 1;
    }
    return j->after;
}

/* 0 if a prescribed position jumps. */
static int motions_are_continuous(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *before, const double *m)
{
    struct cutset_failure *f = &e->failure;
    long i;
    if (!e->n_continuous) return 1;
    fill_inputs(d, before->t);
    cutset_variables(before->t, before->x, d->u, d->c, before->m, d->w, e->y_row);
    for (i = 0; i < e->n_continuous; i++) e->moved[i] = e->y_row[e->continuous[i]];
    cutset_variables(before->t, before->x, d->u, d->c, m, d->w, e->y_row);
    for (i = 0; i < e->n_continuous; i++) {
        f->was = e->moved[i], f->now = e->y_row[e->continuous[i]];
        if (fabs(f->now - f->was) > RELATIVE * cutset_max(fabs(f->was), fabs(f->now)) + ABSOLUTE) return fail(e, JUMPING_MOTION, i);
    }
    return 1;
}

/* 0 if a constraint jumps that must not, as its second derivative belongs to the model, or that the states do not follow. */
static int constraints_hold(struct cutset_data *d, struct cutset_events *e, const double *m, int follows)
{
    const struct cutset_jumps *j = &e->jumps;
    const double *found = found_jumps(d, e);
    long k, firm = 0;
    for (k = 0; k < j->n; k++) firm |= j->places[2 * k] < 0;
    if (!j->n || (follows && !firm)) return 1;
    find_sizes(d, e, m);
    e->failure.count = 1;
    for (k = 0; k < j->n; k++)
        if (j->places[2 * k] < 0 && fabs(j->sizes[k]) > RELATIVE * found[2 * k + 1] + ABSOLUTE) return fail(e, JUMPING_CONSTRAINT, k);
    e->failure.count = 0;
    for (k = 0; k < j->n && !follows; k++)
        if (j->places[2 * k] >= 0 && j->sizes[k] != 0.0) return fail(e, JUMPING_CONSTRAINT, k);
    return 1;
}

/* 0 if what jumps at the event that leads from `before` to the held values m would need more than impulses. */
static int jumps_are_possible(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *before, const double *m)
{
    const struct cutset_jumps *j = &e->jumps;
    int follows = all_finite(d->n_states, moved_states(d, e, before, m));
    long i = 0;
    if (j->steps && !follows) {
        while (j->step[2 * i] == 0.0) i++;
        return fail(e, JUMPING_INPUT, j->stepped[2 * i]);
    }
    if (equal(before->m, m, e->n_modes)) return 1;
    return motions_are_continuous(d, e, before, m) && constraints_hold(d, e, m, follows);
}

#endif
