/* Settles an event: the state just before it -> the state just after it. Included by driver.c only; allocates nothing.

   This is runtime/events.py, operation by operation, for events without contradictions, violated assertions and the end of
   the run. At the first sign of these a function returns 0, and Python settles the event from the same state. */

#ifndef CUTSET_EVENTS_H
#define CUTSET_EVENTS_H

/* The difference of the sides of a relation at its crossing, relative to the largest number of the model; and the part of
   the run within which an accurate integrator locates it. */
static const double AT_CROSSING = 1e-9, LOCATED = 1e-11;
/* As in crossings.py: the change that rounding hides, and the parts of the run over which a change is predicted. */
static const double SLOPE_NOISE = 1e-14;
static const double AHEAD[3] = {1e-9, 1e-7, 1e-5};
/* The part of the difference at a crossing up to which sides that do not part count as equal. */
static const double RESTING = 1e-3;
/* The difference of the sides of a relation at its crossing, relative to the largest one so far. */
static const double SMALL = 1e-6;
/* As in uncertainty.py. */
static const double HARDLY = 100.0, SLOWLY = 100.0, GLOBAL = 10.0, ROUNDED = 1e-13, UNCERTAIN = 3.0;
/* As in rivals.py. */
static const double RIVALS_DIFFER = 1e-12;

enum { OF_STATE, OF_TIME, EDGE, SAMPLE }; /* kinds of relations */
enum { MOST_PASSES = 100, MOST_FOLLOWING = 10 };

/* ---- instants ---- */

static int same_instant(const struct cutset_events *e, double a, double b)
{
    double size = cutset_max(cutset_max(fabs(a), fabs(b)), e->run_span);
    return a == b || fabs(a - b) <= SAME * cutset_min(size, DBL_MAX);
}

#include "isolate.h"

/* (instant, slope) of all relations of time, in e->te; those after `limit` are not needed. */
static void find_instants(struct cutset_data *d, struct cutset_events *e, double t, const double *m, double limit)
{
    long i;
    if (e->n_known) cutset_time_events(d->c, m, e->te);
    for (i = 0; i < e->n_known; i++)
        if (e->te[2 * i] > t && e->te[2 * i + 1] != 0.0) limit = cutset_min(limit, e->te[2 * i]);
    if (e->n_isolated) isolate(e->isolation, t, d->c, m, limit, e->te + 2 * e->n_known);
}

/* ---- the model at a point ---- */

/* y := the variables and the event indicators at (t, x, m), unless they are there already. */
static void look(struct cutset_data *d, struct cutset_events *e, double t, const double *x, const double *m)
{
    size_t states = d->n_states * sizeof(double), modes = e->n_modes * sizeof(double);
    if (e->has_y && e->y_t == t && !memcmp(e->y_x, x, states) && !memcmp(e->y_m, m, modes)) return;
    fill_at(d, t, x);
    cutset_variables(t, x, d->u, d->c, m, d->w, e->y);
    e->has_y = 1;
    e->y_t = t;
    memcpy(e->y_x, x, states);
    memcpy(e->y_m, m, modes);
}

static void crossings_at(struct cutset_data *d, double t, const double *x, const double *m, double *g)
{
    fill_at(d, t, x);
    cutset_crossings(t, x, d->u, d->c, m, d->w, g);
}

static void rates_at(struct cutset_data *d, double t, const double *x, const double *m, double *dx)
{
    fill_at(d, t, x);
    cutset_derivatives(t, x, d->u, d->c, m, d->w, dx);
}

/* The possible difference of the sides of a relation at its crossing, from y. */
static double rounding_in(const struct cutset_data *d, const struct cutset_events *e, const double *x)
{
    double largest = 0.0;
    long i;
    for (i = 0; i < e->n_variables + 2 * e->n_relations; i++)
        if (isfinite(e->y[i]) && fabs(e->y[i]) > largest) largest = fabs(e->y[i]);
    for (i = 0; i < d->n_states; i++)
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    return AT_CROSSING * largest;
}

static int alike(const double *sides)
{
    double a = fabs(sides[0]), b = fabs(sides[1]);
    return fabs(sides[0] - sides[1]) <= SAME * (a > b ? a : b) || sides[0] == sides[1];
}

static double truth(const struct cutset_events *e, long k, double difference)
{
    return e->truths[3 * k + 1 + (difference > 0.0) - (difference < 0.0)];
}

#include "jumps.h"

/* ---- relations ---- */

static void decide_by_events(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m,
                            const long *due, double *values)
{
    long i;
    find_instants(d, e, s->t, m, s->t);
    for (i = 0; i < e->n_known + e->n_isolated; i++) {
        double instant = e->te[2 * i], slope = e->te[2 * i + 1];
        if (!isfinite(instant) || slope == 0.0) continue;
        if (s->t < instant && !same_instant(e, s->t, instant)) slope = -slope;
        if (e->arrives && e->arrived[i] && e->opposites[e->timed[i]] >= 0) slope = NAN;
        values[e->timed[i]] = truth(e, e->timed[i], slope); /* nan counts as 0 */
    }
    for (i = 0; i < e->n_samples; i++) values[e->samples[i]] = due && due[i];
}

/* The relations that the equations imply for the held values m. Where a side is not finite, the equations are singular with
   the held value, and the relation takes the other one. */
static int implied(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m,
                   const long *due, double *values)
{
    const double *sides = e->y + e->n_variables;
    long k;
    look(d, e, s->t, moved_states(d, e, s, m), m);
    for (k = 0; k < e->n_relations; k++, sides += 2) {
        double difference = sides[0] - sides[1];
        int same;
        if (e->kinds[k] == EDGE) values[k] = sides[0] != 0.0 && s->truths[k] == 0.0;
        if (e->kinds[k] >= EDGE) continue;
        if (!isfinite(difference)) {
            values[k] = 1.0 - m[k];
            continue;
        }
        same = alike(sides);
        values[k] = same && e->places[k] >= 0 && e->opposites[k] < 0 ? m[k] : truth(e, k, same && e->opposites[k] >= 0 ? 0.0 : difference);
        if (s->reach[k] >= 0.0 && (same || fabs(difference) <= s->reach[k])) values[k] = s->at[k];
    }
    decide_by_events(d, e, s, m, due, values);
    return 1;
}

static int equal(const double *a, const double *b, long n)
{
    long i;
    if (n > 8 && !memcmp(a, b, n * sizeof(double))) return 1;
    for (i = 0; i < n; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i]))) return 0;
    return 1;
}

static int no_nan(const double *numbers, long n)
{
    long i;
    for (i = 0; i < n; i++)
        if (isnan(numbers[i])) return 0;
    return 1;
}

#include "agree.h"

/* ---- passes ---- */

/* acting[k] := 1 if branch k acts: of each `when` the first whose condition has become true. Returns how many act. */
static long find_acting(struct cutset_events *e, const struct cutset_moment *s)
{
    const double *now = e->y + e->n_variables + 2 * e->n_relations;
    long i, k = 0, count = 0;
    for (i = 0; i < e->n_whens; i++) {
        long end = k + e->whens[i], found = 0;
        for (; k < end; k++) {
            e->acting[k] = !found && now[k] != 0.0 && s->conditions[k] == 0.0;
            if (e->acting[k] != 0.0) found = 1;
        }
        count += found;
    }
    return count;
}

/* True if a round of FMUs acts: then no other branch does, see runtime/rounds.py. */
static int keep_round(const struct cutset_events *e)
{
    long k;
    int acts = 0;
    for (k = 0; e->rounds && k < e->n_branches; k++) acts |= e->rounds[k] && e->acting[k] != 0.0;
    for (k = 0; acts && k < e->n_branches; k++)
        if (!e->rounds[k]) e->acting[k] = 0.0;
    return acts;
}

/* After a round, everything but the variables of rounds is as before. */
static void take_round(const struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    const double *now = e->y + e->n_variables + 2 * e->n_relations;
    long k;
    for (k = 0; k < e->n_discrete; k++)
        if (!e->settled[k]) e->updated[k] = e->m[e->n_relations + k];
    memcpy(e->updated + e->n_discrete, s->x, d->n_states * sizeof(double));
    for (k = 0; k < e->n_branches; k++)
        if (e->rounds[k]) s->conditions[k] = now[k];
}

/* True if no assertion is violated or ends the run: those of the acting branches, or those outside of all branches. A
   program without Python ends after the event. */
static int assertions_hold(struct cutset_events *e, const double *y, int of_branches)
{
    const double *values = y + e->n_variables + 2 * e->n_relations + e->n_branches;
    long i;
    for (i = 0; i < e->n_assertions; i++) {
        long branch = e->branch_of[i];
        int own = of_branches ? branch >= 0 && e->acting[branch] != 0.0 : branch < 0;
        if (e->past && !of_branches && values[i] == 0.0) e->past[i] = 0;
        if (e->past && e->past[i]) continue;
        if (!own || (values[i] != 0.0) != (e->terminates[i] != 0)) continue;
        e->ended = i + 1;
        if (!e->is_alone || !e->terminates[i]) return 0;
    }
    return 1;
}

/* True if branches that act give one variable different values. */
static int contradict(const struct cutset_events *e, const double *given)
{
    long i, j;
    for (i = 0; i < e->n_rivals; i++)
        for (j = 0; j < i; j++) {
            double a = given[j], b = given[i];
            if (e->rivals[2 * i] != e->rivals[2 * j]) continue;
            if (e->acting[e->rivals[2 * i + 1]] == 0.0 || e->acting[e->rivals[2 * j + 1]] == 0.0) continue;
            if (a != b && !(fabs(a - b) <= RIVALS_DIFFER * cutset_max(fabs(a), fabs(b)))) return 1;
        }
    return 0;
}

/* e->updated := the discrete variables and the states after a pass. */
static int update(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, long acts)
{
    memcpy(e->updated + e->n_discrete, s->x, d->n_states * sizeof(double));
    if (!e->n_discrete && !acts) return 1;
    fill_inputs(d, s->t);
    cutset_updates(s->t, s->x, d->u, d->c, e->m, e->acting, d->w, e->updated);
    return no_nan(e->updated, e->n_discrete + d->n_states) && !contradict(e, e->updated + e->n_discrete + d->n_states);
}

/* The conditions, truths, samples and scales of y become those of s. */
static void take_indicators(const struct cutset_data *d, const struct cutset_events *e, struct cutset_moment *s)
{
    const double *sides = e->y + e->n_variables;
    long i, k;
    for (k = 0; k < e->n_relations; k++) s->truths[k] = sides[2 * k] != 0.0;
    for (i = 0; i < e->n_samples; i++) memcpy(s->samples + 2 * i, sides + 2 * e->samples[i], 2 * sizeof(double));
    for (k = 0; k < e->n_relations; k++) {
        double left = fabs(sides[2 * k]), right = fabs(sides[2 * k + 1]), most;
        long j = e->places[k];
        if (j < 0) continue;
        s->scales[j] = left > right || isnan(left) ? left : right;
        most = (left < right ? left : right) + 2.0 * d->watch.sizes[j]; /* more is near a pole */
        if (d->watch.sizes[j] > 0.0 && s->scales[j] > most) s->scales[j] = most;
    }
    memcpy(s->conditions, sides + 2 * e->n_relations, e->n_branches * sizeof(double));
}

/* Equal sides that part by a jump of the states are not at their crossing any more. */
static void leave_crossings(const struct cutset_data *d, const struct cutset_events *e, struct cutset_moment *s)
{
    long k;
    if (equal(e->updated + e->n_discrete, s->x, d->n_states)) return;
    for (k = 0; k < e->n_relations; k++)
        if (e->opposites[k] >= 0) s->reach[k] = -1.0;
}

/* True if a pass changes nothing: no discrete variable, no state, and no relation that is true for one pass only. */
static int is_at_rest(const struct cutset_data *d, const struct cutset_events *e, const struct cutset_moment *s)
{
    long k;
    if (!equal(e->updated, e->m + e->n_relations, e->n_discrete)) return 0;
    if (!equal(e->updated + e->n_discrete, s->x, d->n_states)) return 0;
    for (k = 0; k < e->n_relations; k++)
        if ((e->kinds[k] == EDGE || e->kinds[k] == SAMPLE) && e->m[k] != 0.0) return 0;
    return 1;
}

/* s->x := the states with the held values e->m. */
static int move_states(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    if (!e->jumps.n && !e->jumps.steps) return 1;
    memcpy(s->x, moved_states(d, e, s, e->m), d->n_states * sizeof(double));
    return no_nan(s->x, d->n_states);
}

/* If a branch has restarted states, constraints jump from these; a choice of states has changed with the states. */
static void note_restart(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    const double *x = e->updated + e->n_discrete;
    double *held = e->jumps.decided;
    long k;
    if (equal(x, s->x, d->n_states)) return;
    e->jumps.restarted = 1;
    e->jumps.steps = 0; /* they were before the restart */
    if (!e->jumps.n) return;
    memcpy(held, e->m, e->n_modes * sizeof(double));
    for (k = 0; k < e->n_discrete; k++)
        if (e->jumps.made[k]) held[e->n_relations + k] = e->updated[k];
    begin_jumps(d, e, s->t, x, held);
}

/* Gives s held values that agree, after passes have repeated. 0 if none do, and relations were `changing` in the cycle. */
static int leave_cycle(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, int changing)
{
    int found = agree_together(d, e, s, 0);
    if (found == 1) memcpy(s->m, e->m, e->n_modes * sizeof(double));
    return found == 1 || (found == 0 && !changing);
}

static int make_passes(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, const long *due)
{
    unsigned long long seen[MOST_PASSES]; /* since a branch acted */
    long pass, n_seen = 0;
    int may_repeat = 1;
    for (pass = 0; pass < MOST_PASSES; pass++, due = 0) {
        long acts;
        int rests, in_round, changing;
        if (!find_modes(d, e, s, due) || !move_states(d, e, s)) return 0;
        look(d, e, s->t, s->x, e->m);
        acts = find_acting(e, s);
        in_round = keep_round(e);
        if (!assertions_hold(e, e->y, 1) || !update(d, e, s, acts)) return 0;
        if (in_round) take_round(d, e, s);
        rests = is_at_rest(d, e, s);
        note_restart(d, e, s);
        if (rests && !assertions_hold(e, e->y, 0)) return 0;
        if (!in_round) take_indicators(d, e, s);
        if (acts) leave_crossings(d, e, s);
        changing = !equal(s->m, e->m, e->n_relations);
        memcpy(s->m, e->m, e->n_relations * sizeof(double));
        memcpy(s->m + e->n_relations, e->updated, e->n_discrete * sizeof(double));
        memcpy(s->x, e->updated + e->n_discrete, d->n_states * sizeof(double));
        s->acted |= acts > 0;
        if (rests) return 1;
        if (acts) n_seen = 0, may_repeat = 1;
        else if (may_repeat && was_seen(seen, &n_seen, key_of(s->m, e->n_modes))) {
            if (!leave_cycle(d, e, s, changing)) return 0;
            may_repeat = 0;
        }
    }
    return 0;
}

/* ---- crossings ---- */

/* True if the slopes of all crossings in e->near are known. */
static int change_slopes(const struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, double h)
{
    const double *restrict ahead = e->g_ahead, *restrict g = e->g, *restrict scales = s->scales, *restrict rest = e->rest;
    double *restrict slopes = e->slopes;
    long j, n = d->watch.n;
    for (j = 0; j < n; j++) {
        double change = rest[j] > 0.0 ? ahead[j] : ahead[j] - g[j];
        double slope = fabs(change) > cutset_max(SLOPE_NOISE * scales[j], rest[j]) ? change / h : 0.0;
        slopes[j] = slopes[j] == 0.0 ? slope : slopes[j];
    }
    for (j = 0; j < n; j++)
        if (slopes[j] == 0.0 && e->near[j]) return 0;
    return 1;
}

/* e->slopes := the slope of each crossing in e->near, whose values are in e->g, or with `bends` the sign of its second
   derivative where the slope is zero. 0 if rounding hides it, or if the sides stay within e->rest, up to which they count as
   equal. */
static void find_slopes(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, int bends)
{
    double h = 0.0;
    long i, round, n = d->n_states;
    int all = 0;
    rates_at(d, s->t, s->x, s->m, e->dx);
    memset(e->slopes, 0, d->watch.n * sizeof(double));
    for (round = 0; round < 3 && !all; round++) {
        h = AHEAD[round] * e->run_span;
        for (i = 0; i < n; i++) e->z[i] = s->x[i] + h * e->dx[i];
        crossings_at(d, s->t + h, e->z, s->m, e->g_ahead);
        all = change_slopes(d, e, s, h);
    }
    if (!bends || all) return;
    for (i = 0; i < n; i++) e->z[i] = s->x[i] + 0.5 * h * e->dx[i];
    rates_at(d, s->t + 0.5 * h, e->z, s->m, e->dx_ahead);
    for (i = 0; i < n; i++) e->z[i] = s->x[i] + h * e->dx_ahead[i];
    crossings_at(d, s->t + h, e->z, s->m, e->g_ahead);
    change_slopes(d, e, s, h);
}

/* e->rest := the difference up to which sides count as equal that do not part; `most` is that at a crossing. */
static void find_rest(const struct cutset_data *d, struct cutset_events *e, double most)
{
    long k, j;
    for (k = 0; k < e->n_relations; k++)
        if ((j = e->places[k]) >= 0 && e->opposites[k] >= 0)
            e->rest[j] = cutset_min(most, cutset_max(AT_CROSSING * d->watch.sizes[j], RESTING * most));
}

/* Relations that cross again and again, while their sides differ by no more than rounding, keep their value. */
static void hold_uncertain(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, double largest)
{
    double *peaks = d->watch.sizes + d->watch.n, atol = 0.0, hardly, error = GLOBAL * ROUNDED * largest;
    long i, k, j;
    for (i = 0; i < d->n_states; i++) atol = cutset_max(atol, e->control->atol[i]);
    hardly = HARDLY * (atol + e->control->rtol * largest);
    for (k = 0; k < e->n_relations; k++) {
        double *h, *count;
        if ((j = e->places[k]) < 0 || !e->near[j]) continue;
        h = e->history + 12 * j, count = h + 11;
        /* What chatters moves to its crossing, or has acted there. */
        *count = peaks[j] <= hardly && peaks[j] * e->span <= SLOWLY * hardly * (s->t - h[0]) && h[10] == 0.0 ? *count + 1.0 : 0.0;
        if (*count >= UNCERTAIN && peaks[j] <= error) {
            s->at[k] = s->m[k];
            s->reach[k] = 4.0 * error;
            e->crossed[j] = 0.0;
            e->near[j] = 0;
        }
        peaks[j] = 0.0;
    }
}

/* True if sides are almost equal, and do not stay so: they have not crossed yet. */
static int is_early(const struct cutset_data *d, const struct cutset_events *e, const struct cutset_moment *s, long k)
{
    long j = e->places[k];
    if (e->opposites[k] < 0 || e->g[j] == 0.0 || truth(e, k, e->g[j]) != s->m[k]) return 0;
    return fabs(d->watch.crossed[j]) == 1.0 && e->slopes[j] != 0.0;
}

/* True if some of the relations that crossed did so by an error of the integration. A program without Python lets them
   keep their value near the crossing, and finds none after too many in a row. */
static int crossed_by_error(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    enum { MOST_REFUSED = 100 };
    long refused = e->refused;
    e->refused = 0;
    double located = LOCATED * cutset_max(fabs(s->t), e->run_span), most;
    long k;
    crossings_at(d, s->t, s->x, s->m, e->g);
    for (k = 0; k < d->watch.n; k++) e->near[k] = d->watch.crossed[k] != 0.0;
    look(d, e, s->t, s->x, s->m);
    most = rounding_in(d, e, s->x);
    hold_uncertain(d, e, s, most / AT_CROSSING);
    find_rest(d, e, most);
    find_slopes(d, e, s, 0);
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k];
        double slope, crossed, size, reach;
        if (j < 0 || !e->near[j]) continue;
        if (is_early(d, e, s, k)) {
            e->crossed[j] = 0.0;
            continue;
        }
        slope = e->slopes[j], crossed = d->watch.crossed[j], size = fabs(e->g[j]);
        reach = located * fabs(slope) + SLOPE_NOISE * s->scales[j] + cutset_max(s->reach[k], 0.0);
        if (size > reach || (slope * crossed >= 0.0 && (slope != 0.0 || s->reach[k] < 0.0 || fabs(crossed) != 2.0))) continue;
        if (!e->is_alone || refused >= MOST_REFUSED) return 1;
        e->refused = refused + 1;
        e->crossed[j] = 0.0;
        s->at[k] = s->m[k];
        s->reach[k] = 2.0 * size;
    }
    return 0;
}

/* Relations at their crossing from which the states move to the side opposite to the held value take that side's value;
   each does so once in an event. Returns how many did. */
static long lean(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    double located = LOCATED * cutset_max(fabs(s->t), e->run_span);
    long k, near = 0, count = 0;
    if (!d->watch.n) return 0;
    crossings_at(d, s->t, s->x, s->m, e->g);
    look(d, e, s->t, s->x, s->m);
    for (k = 0; k < e->n_relations; k++) {
        const double *sides = e->y + e->n_variables + 2 * k;
        long j = e->places[k];
        if (j < 0) continue;
        e->near[j] = !e->turned[j] && (alike(sides) || (s->reach[k] >= 0.0 && fabs(e->g[j]) <= s->reach[k]));
        near += e->near[j];
    }
    if (!near) return 0;
    find_rest(d, e, rounding_in(d, e, s->x));
    find_slopes(d, e, s, 1);
    for (k = 0; k < e->n_relations; k++) {
        const double *sides = e->y + e->n_variables + 2 * k;
        long j = e->places[k];
        double slope, reach;
        if (j < 0 || !e->near[j]) continue;
        if (e->slopes[j] == 0.0 && e->opposites[k] >= 0 && s->m[k] == 0.0 && s->m[e->opposites[k]] == 0.0)
            s->at[k] = 0.0, s->reach[k] = cutset_max(s->reach[k], e->rest[j]); /* the sides stay equal */
        if (e->slopes[j] == 0.0) continue;
        slope = e->slopes[j], reach = located * fabs(slope) + SLOPE_NOISE * s->scales[j];
        if ((!alike(sides) && fabs(e->g[j]) > reach) || truth(e, k, slope) == s->m[k]) continue;
        s->at[k] = truth(e, k, slope);
        s->reach[k] = 2.0 * fabs(e->g[j]);
        e->turned[j] = 1;
        count++;
    }
    return count;
}

/* The value of relation k, which crossed, at its crossing: that of its new side; if sides meet that were apart, they are
   equal there. */
static double value_at_crossing(const struct cutset_events *e, const struct cutset_moment *s, long k)
{
    long other = e->opposites[k];
    if (other >= 0 && (s->m[k] != 0.0 || s->m[other] != 0.0)) return 0.0;
    return truth(e, k, e->crossed[e->places[k]]);
}

/* The relations that crossed have the value of their new side while they are near the crossing. A difference that is not small
   has jumped, or has a pole. */
static void hold_at_crossing(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    double most, size;
    long k, crossed = 0;
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k];
        if (j >= 0 && e->crossed[j] != 0.0) crossed++;
        else if (s->m[k] != s->at[k]) s->reach[k] = -1.0;
    }
    if (!crossed) return;
    crossings_at(d, s->t, s->x, s->m, e->g);
    look(d, e, s->t, s->x, s->m);
    most = rounding_in(d, e, s->x);
    for (k = 0; k < e->n_relations; k++) {
        long j = e->places[k];
        if (j < 0 || e->crossed[j] == 0.0) continue;
        size = fabs(e->g[j]);
        s->at[k] = value_at_crossing(e, s, k);
        s->reach[k] = size <= cutset_max(SMALL * d->watch.sizes[j], ROUNDED / AT_CROSSING * most) ? cutset_min(2.0 * size, most) : -1.0;
    }
}

/* Settles the event at s: e->crossed has the new sign of each crossing, 0 for those that have not crossed, and `due` which
   samples are due. */
static int settle(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, const long *due)
{
    s->acted = 0;
    e->jumps.restarted = 0;
    begin_steps(d, &e->jumps);
    begin_jumps(d, e, s->t, s->x, s->m);
    hold_at_crossing(d, e, s);
    memset(e->turned, 0, d->watch.n * sizeof(long));
    if (!make_passes(d, e, s, due)) return 0;
    while (lean(d, e, s) || e->arrives) {
        e->arrives = 0;
        if (!make_passes(d, e, s, 0)) return 0;
    }
    end_steps(&e->jumps);
    return 1;
}

#endif
