/* Binds the parameters of a run, and finds the state and the relations at its start. Allocates nothing.

   Parameters are bound as in runtime/targets/binding.py. A run begins from the guesses, and a program from the guesses and the
   relations that its export has found, without a search among several solutions. */

#ifndef CUTSET_START_H
#define CUTSET_START_H

#include "agree.h"
#include "chatter.h"
#include "decisions.h"
#include "passes.h"
#include "search.h"
#include "times.h"

/* The limits on passes at the start, on evaluations of relations in all of them, and on rounds until relations agree when one
   of several solutions is chosen. */
enum { MOST_STARTS = 100, MOST_IMPLIED = 5000, MOST_ROUNDS = 20 };
/* As in start_failures.py: the difference of the sides of a condition, relative and absolute; and as in given_starts.py: the
   difference of a start value from the one that is written. */
static const double CONTRADICTION = 1e-6, NOTHING = 1e-9, WRITTEN_DIFFERS = 1e-3;
/* A smaller part of the nominal value of an unknown is rounding. */
static const double ROUNDING = 1e-7;

/* ---- parameters ---- */

/* Computes what follows from the parameters; given start values replace those of the model. */
static void bind_parameters(struct cutset_start *b)
{
    long i;
#ifdef CUTSET_ALTERNATIVE_STARTS
    long last = -1;
#endif
    memset(b->s, 0, b->n_starts * sizeof(double)); /* those of the run before */
    cutset_bindings(b->p, b->given);
    cutset_constants(b->p, b->c);
    cutset_starts(b->c, b->s);
    cutset_nominals(b->c, b->nominals);
#ifdef CUTSET_ALTERNATIVE_STARTS /* an exported program: a given parameter, the value, the state, and the sign */
    for (i = 0; i < CUTSET_ALTERNATIVE_STARTS; i++) {
        const long *start = cutset_alternative_starts + 4 * i;
        double value = (double)start[3] * b->p[start[1]], *s = b->s + start[2];
        if (b->given[start[0]] == 0.0) continue;
        if (last == start[2] && fabs(value - *s) > WRITTEN_DIFFERS * cutset_max(fabs(value), fabs(*s)) + NOTHING) value = NAN;
        *s = value, last = start[2];
    }
#endif
    for (i = 0; i < b->n_startable; i++)
        if (b->start_given[i] != 0.0) b->s[i] = b->start_value[i];
}

static int parameters_are_valid(const struct cutset_start *b)
{
    const struct cutset_limit *limit = b->limits;
    long i;
    if (!all_finite(b->n_parameters, b->p)) return 0;
    for (i = 0; i < b->n_used; i++)
        if (!isfinite(b->c[b->used[i]])) return 0;
    for (i = 0; i < b->n_limits; i++, limit++)
        if (b->p[limit->parameter] < limit->least || b->p[limit->parameter] > limit->most) return 0;
    return 1;
}

/* Sets the tolerance of each state, relative to its nominal value or, without one, at most the relative one of its start value. 0
   if a nominal value is not positive. */
static int set_tolerance(struct cutset_start *b, long n_states, double rtol, double atol)
{
    long i;
    for (i = 0; i < n_states; i++) {
        if (!(b->nominals[i] > 0.0) || !isfinite(b->nominals[i])) return 0;
        b->tolerance[i] = b->nominals[i] == 1.0 && b->s[i] != 0.0 ? cutset_min(atol, rtol * fabs(b->s[i])) : atol * b->nominals[i];
    }
    return 1;
}

/* The least absolute tolerance, for delayed signals. */
static double least_tolerance(const struct cutset_start *b, long n_states)
{
    double least = 1e-8;
    long i;
    for (i = 0; i < n_states; i++) least = cutset_min(least, b->tolerance[i]);
    return least;
}

/* ---- the run before its start ---- */

/* The sizes of the guesses are those of rounding; w begins with the guesses. */
static void clear_sizes(struct cutset_data *d, const struct cutset_start *b)
{
    long i, k, first = 0;
    for (i = 0; i < d->n_guesses; i++) d->branch.size[i] = ROUNDING;
    for (k = 0; k < b->n_iterations; k++) {
        long n = b->iterations[k];
        for (i = first; i < first + n; i++) {
            double nominal = fabs(d->w[i + n + 1]);
            d->branch.size[i] = ROUNDING * (nominal > 0.0 ? nominal : 1.0);
        }
        first += 2 * n + 1;
    }
}

/* Relations and discrete variables before the start. */
static void clear_held(const struct cutset_data *d, struct cutset_events *e)
{
    long i;
    for (i = 0; i < e->n_relations; i++) e->now.m[i] = 0.0;
    memcpy(e->now.m + e->n_relations, e->start->s + d->n_states, e->n_discrete * sizeof(double));
}

/* The instants of relations must be sought again. */
static void forget_searches(struct cutset_isolation *s)
{
    long i;
    for (i = 0; i < s->n + s->n_forcing; i++) s->searches[i].is_started = 0;
    if (s->n_forcing) memset(s->windows, 0, s->n_forcing * sizeof(struct cutset_window));
}

/* Clears what is not part of the state of a run. */
static void clear_work(struct cutset_data *d, struct cutset_events *e)
{
    e->has_y = e->ended = e->failed = e->arrives = e->failure.cause = e->jumps.is_within = e->start->has_large_states = 0;
    e->latest_leap = -INFINITY;
    d->branch.lost = d->interrupted = 0;
    if (e->isolation) forget_searches(e->isolation);
}

/* Clears what a run counts and learns, before a start at the time t; the memory for w, modes and discrete variables too. */
static void clear_run(struct cutset_data *d, struct cutset_events *e, double t)
{
    struct cutset_tally fresh = {INFINITY, -INFINITY, t, 1.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, NAN};
    struct cutset_start *b = e->start;
    long i;
    clear_work(d, e);
    if (d->growth.is_repeated)
        fresh.steps = e->tally.steps, fresh.rejected = e->tally.rejected, fresh.evaluations = e->tally.evaluations;
    e->tally = fresh;
    e->inputs_changed = 0;
    if (e->past) memset(e->past, 0, e->n_assertions * sizeof(long));
    d->watch.pace = 0.0;
    memset(d->w, 0, e->n_work * sizeof(double));
    memcpy(d->w, b->s + b->n_starts - d->n_guesses, d->n_guesses * sizeof(double));
    memset(e->history, 0, OF_CROSSING * d->watch.n * sizeof(double));
    for (i = 0; i < d->watch.n; i++) {
        double *h = e->history + OF_CROSSING * i;
        h[LATEST] = h[EARLY_AT] = -INFINITY, h[DISTANCE] = INFINITY;
    }
    clear_held(d, e);
    e->now.t = t;
}

/* ---- the state at the start ---- */

/* True if the model has relations, branches or assertions. */
static int has_events(const struct cutset_events *e) { return e->n_relations || e->n_branches || e->n_assertions; }

/* e->y := the indicators at the start for the held values m. 0 if other relations will not help. */
static int look_at_start(struct cutset_data *d, struct cutset_events *e, double t, const double *m)
{
    struct cutset_start *b = e->start;
    b->search.looks++;
    if (!b->is_given) states_at_start(d, e, t, m);
    if (d->interrupted || (is_search_over(&b->search) && !all_finite(d->n_states, b->begins))) {
        b->cause = NO_VALUES;
        return 0;
    }
    look(d, e, t, b->begins, m);
    return 1;
}

/* values := the relations that the initial system implies for the held values m, whatever they were before. */
static int implied_at_start(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m,
                            const long *due, double *values)
{
    const double *sides = e->y + e->n_variables;
    long k;
    if (!look_at_start(d, e, s->t, m)) return 0;
    for (k = 0; k < e->n_relations; k++, sides += 2) {
        double difference = sides[0] - sides[1];
        if (e->opposites[k] >= 0 && alike(sides)) difference = 0.0;
        values[k] = isfinite(difference) ? truth(e, k, difference) : 1.0 - m[k]; /* as in events.h */
    }
    decide_by_events(d, e, s, m, due, values);
    for (k = 0; k < e->n_known + e->n_isolated && !e->start->is_given; k++) /* what changes there has not changed yet */
        if (alike(e->y + e->n_variables + 2 * e->timed[k])) values[e->timed[k]] = truth(e, e->timed[k], 0.0);
    for (k = 0; k < e->n_relations; k++)
        if (e->kinds[k] == EDGE) values[k] = 0.0; /* a condition that is true at the start has not become true */
    return 1;
}

/* By how much the variables `choosing` start beside their values with the held values m. */
static double distance_of_choice(struct cutset_data *d, struct cutset_events *e, double t, const double *m)
{
    const struct cutset_start *b = e->start;
    const double *wanted = b->s + b->n_starts - d->n_guesses - b->n_compared - b->n_choosing;
    double distance = 0.0;
    long k;
    states_at_start(d, e, t, m);
    fill_inputs(d, t);
    cutset_variables(t, b->begins, d->u, d->c, m, d->w, e->y_row);
    for (k = 0; k < b->n_choosing; k++) {
        double away = fabs(value_at(b->choosing + k, b->begins, e->y_row, b->p, d->u) - wanted[k]);
        if (!isfinite(away)) return INFINITY;
        distance += away / (wanted[k] != 0.0 ? fabs(wanted[k]) : 1.0);
    }
    return distance;
}

/* True if relations that follow from e->m and the first guesses agree. */
static int agree_from_first_guesses(struct agreement *a)
{
    const struct cutset_start *b = a->e->start;
    long round, n = a->d->n_guesses;
    memcpy(a->d->w, b->s + b->n_starts - n, n * sizeof(double));
    for (round = 0; round < MOST_ROUNDS; round++) {
        if (!imply(a)) return 0;
        if (agrees(a)) return 1;
        memcpy(a->e->m, a->e->values, a->n * sizeof(double));
    }
    return 0;
}

/* Lets e->m choose among several solutions the one nearest to the start values `choosing`: a comparator with positive feedback
   rests at either end, and between them. 0 if C cannot tell. */
static int choose_modes(struct agreement *a)
{
    enum { MOST_CHANGES = 10, MOST_FLIPPED = 100 };
    struct cutset_events *e = a->e;
    double *best = a->held, *from = a->first_implied, *guesses = e->start->search.chosen, least, before;
    size_t relations = a->n * sizeof(double), size = a->d->n_guesses * sizeof(double);
    long change, k, flipped;
    if (!e->start->n_choosing || e->start->is_given) return 1;
    memcpy(best, e->m, relations);
    least = distance_of_choice(a->d, e, a->s->t, e->m);
    memcpy(guesses, a->d->w, size);
    for (change = 0, before = NAN; change < MOST_CHANGES && least != before && least > SAME_DISTANCE; change++) {
        before = least;
        memcpy(from, best, relations);
        for (k = -1, flipped = 0; k < a->n && flipped <= MOST_FLIPPED; k++) { /* unchanged, then one relation inverted */
            double away;
            if (k >= 0 && (e->kinds[k] != OF_STATE || flipped++ == MOST_FLIPPED)) continue;
            memcpy(e->m, from, relations);
            if (k >= 0) e->m[k] = 1.0 - e->m[k];
            if (!agree_from_first_guesses(a)) continue;
            away = distance_of_choice(a->d, e, a->s->t, e->m);
            if (!(away < least - SAME_DISTANCE * (1.0 + away))) continue;
            least = away;
            memcpy(best, e->m, relations);
            memcpy(guesses, a->d->w, size);
        }
        if (a->failed) return 0;
    }
    memcpy(a->d->w, guesses, size);
    memcpy(e->m, best, relations);
    return 1;
}

/* True if what an iteration leaves decides all relations that disagree, as at rest, where the flow through a network is zero. */
static int agrees_up_to_rounding(struct agreement *a)
{
    struct cutset_events *e = a->e;
    const double *sides = e->y + e->n_variables;
    double most;
    long k;
    memcpy(e->m, a->start, a->n * sizeof(double));
    if (!e->start->n_iterations || !imply(a)) return 0;
    most = AT_CROSSING * largest_number(a->d, e, a->s->x);
    for (k = 0; k < a->n; k++)
        if (e->values[k] != e->m[k] && !(e->kinds[k] == OF_STATE && fabs(sides[2 * k] - sides[2 * k + 1]) <= most)) return 0;
    return 1;
}

/* e->m := relations that agree with the initial system, for the discrete variables of s. If the equations have no values for
   the held ones, it is what these imply: that failure has its own message. */
static int find_first_modes(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    struct agreement a = new_agreement(d, e, s, 0, implied_at_start);
    memcpy(e->m, s->m, e->n_modes * sizeof(double));
    if (!e->n_relations || agree_with_implied(&a) || agrees_up_to_rounding(&a)) return choose_modes(&a);
    if (a.failed || !look_at_start(d, e, s->t, s->m)) return 0;
    memcpy(e->m, a.start, e->n_relations * sizeof(double));
    if (!all_finite(2 * e->n_relations, e->y + e->n_variables)) return choose_modes(&a);
    e->start->cause = CONTRADICTION_AT_START;
    if (look_at_start(d, e, s->t, e->m)) e->start->is_singular = !all_finite(2 * e->n_relations, e->y + e->n_variables);
    return 0;
}

/* s->x, s->m := the states and the held values at the start. The states may have no values. */
static int find_start(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    struct cutset_start *b = e->start;
    unsigned long long seen[MOST_STARTS];
    long n = e->n_relations, n_seen = 0, pass;
    b->search.n_failing = b->search.n_unsolved = b->search.looks = 0;
    for (pass = 1; pass <= MOST_STARTS; pass++) {
        if (!find_first_modes(d, e, s)) return 0;
        memcpy(s->m, e->m, n * sizeof(double));
        states_at_start(d, e, s->t, s->m);
        memcpy(s->x, b->begins, d->n_states * sizeof(double));
        if (!e->n_discrete) return 1;
        memset(e->acting, 0, e->n_branches * sizeof(double));
        fill_inputs(d, s->t);
        cutset_updates(s->t, s->x, d->u, d->c, s->m, e->acting, d->w, e->updated);
        if (equal(e->updated, s->m + n, e->n_discrete)) return 1;
        /* If each pass searches among combinations, a few are conclusive. */
        b->cause = NO_END_AT_START, b->passes = pass;
        if (pass == MOST_STARTS || b->search.looks > MOST_IMPLIED || was_seen(seen, &n_seen, key_of(s->m, e->n_modes))) return 0;
        memcpy(s->m + n, e->updated, e->n_discrete * sizeof(double));
    }
    return 0;
}

/* True if all conditions hold that follow from others, and given start values of states are those of the solution. */
static int conditions_hold(const struct cutset_start *b, long n_states)
{
    const double *left = b->begins + n_states;
    long i;
    for (i = 0; i < b->n_conditions; i++, left += 2)
        if (!(fabs(left[0]) <= CONTRADICTION * left[1] + NOTHING)) return 0;
    for (i = 0; i < n_states; i++) {
        double given = b->s[i], found = b->begins[i];
        if (b->start_given[i] != 0.0 && !(fabs(given - found) <= CONTRADICTION * cutset_max(fabs(given), fabs(found)))) return 0;
    }
    return 1;
}

/* True if variables start at the values that the model gives to them. */
static int written_values_hold(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    const struct cutset_start *b = e->start;
    const double *wanted = b->s + d->n_states + e->n_discrete;
    long i;
    if (!b->n_written) return 1;
    fill_inputs(d, s->t);
    cutset_variables(s->t, s->x, d->u, d->c, s->m, d->w, e->y_row);
    for (i = 0; i < b->n_written; i++) {
        double found = value_at(b->written + i, s->x, e->y_row, b->p, d->u);
        if (b->defaults && wanted[i] == b->defaults[i]) continue; /* the run gives all states */
        /* Without a value it contradicts nothing: an equation is not solved. */
        if (fabs(found - wanted[i]) > WRITTEN_DIFFERS * cutset_max(fabs(found), fabs(wanted[i])) + NOTHING) return 0;
    }
    return 1;
}

/* Finds the start at the time of e->now, whose held values are those to begin with. 0 with a cause if there is none. */
static int find_first_moment(struct cutset_data *d, struct cutset_events *e)
{
    struct cutset_moment *s = &e->now;
    struct cutset_start *b = e->start;
    long k;
    if (!find_start(d, e, s)) return 0;
    b->cause = NO_VALUES;
    if (!all_finite(d->n_states, s->x)) return 0;
    b->cause = CONDITIONS_FAIL;
    if (!conditions_hold(b, d->n_states)) return 0;
    if (has_events(e)) {
        look(d, e, s->t, s->x, s->m);
        take_indicators(d, e, s);
    }
    b->cause = OTHER_STARTS;
    if (!written_values_hold(d, e, s)) return 0;
    b->cause = HAS_START;
    for (k = 0; k < e->n_relations; k++) s->reach[k] = s->widths[2 * k] = s->widths[2 * k + 1] = -1.0;
    memset(e->crossed, 0, d->watch.n * sizeof(double));
    s->acted = 0;
    return 1;
}

/* Finds which samples are due at the start. 0 if one has no valid interval. */
static int samples_at_start(struct cutset_events *e)
{
    if (!samples_are_valid(e, &e->now)) return 0;
    e->tally.sample_events = find_due(e, &e->now) + find_once(e, &e->now, DUE_AT_START) > 0;
    return 1;
}

/* ---- delayed values ---- */

/* Computes the delays, and clears the history. 0 if a delay is not positive. */
static int begin_history(struct cutset_data *d, const struct cutset_events *e)
{
    struct cutset_history *h = &d->history;
    long k;
    if (!h->count) return 1;
    memset(h->x, 0, d->n_states * sizeof(double));
    cutset_delayed(e->now.t, h->x, d->u, d->c, e->now.m, d->w, h->found);
    for (k = 0; k < h->count; k++) {
        h->delays[k] = h->found[2 * k + 1];
        if (!(h->delays[k] > 0.0) || !isfinite(h->delays[k])) return 0;
    }
    set_up_history(h, e->run_span);
    return 1;
}

/* h->values_now := the signals at the start if they had these values before it. 0 if there is no start. */
static int signals_after(struct cutset_data *d, struct cutset_events *e, const double *values)
{
    struct cutset_history *h = &d->history;
    long k;
    restart_history(h, e->now.t, values);
    clear_held(d, e);
    e->has_y = 0;
    if (!find_first_moment(d, e)) return 0;
    fill_inputs(d, e->now.t);
    cutset_delayed(e->now.t, e->now.x, d->u, d->c, e->now.m, d->w, h->found);
    for (k = 0; k < h->count; k++) h->values_now[k] = h->found[2 * k];
    return 1;
}

/* A Newton step from `values`, which give `found`, with differences; found becomes the next values to try, and remains as it is
   for too many values or a singular matrix. 0 if there is no start. */
static int better_constants(struct cutset_data *d, struct cutset_events *e, double *values, double *found)
{
    enum { MOST_TOGETHER = 200 };
    long n = d->history.count, i, k;
    double *A = found + n, *step = A + n * n;
    if (n > MOST_TOGETHER || !all_finite(n, found)) return 1;
    for (k = 0; k < n; k++) {
        double before = values[k], h = 1e-6 * cutset_max(1.0, fabs(before));
        values[k] = before + h;
        if (!signals_after(d, e, values)) return 0;
        values[k] = before;
        for (i = 0; i < n; i++) A[i * n + k] = (i == k ? 1.0 : 0.0) - (d->history.values_now[i] - found[i]) / h;
    }
    for (i = 0; i < n; i++) step[i] = found[i] - values[i];
    cutset_solve((int)n, (int)n - 1, (int)n - 1, A, step); /* nan if it is singular */
    for (i = 0; i < n && all_finite(n, step); i++) found[i] = values[i] + step[i];
    return 1;
}

/* As find_first_moment, with delayed signals: before the start they had the values that they have at the start. */
static int find_first_constants(struct cutset_data *d, struct cutset_events *e)
{
    enum { MOST_CONSTANTS = 50, PATIENCE = 10 };
    static const double EQUAL = 1e-12;
    struct cutset_history *h = &d->history;
    double *values = e->constant, *found = e->constant + h->count;
    long round, k;
    if (!h->count) return find_first_moment(d, e);
    memset(values, 0, h->count * sizeof(double));
    for (round = 0; round < MOST_CONSTANTS; round++) {
        int same = 1;
        if (!signals_after(d, e, values)) return 0;
        memcpy(found, h->values_now, h->count * sizeof(double));
        for (k = 0; k < h->count; k++) same &= fabs(found[k] - values[k]) <= EQUAL + EQUAL * fabs(values[k]);
        if (same) {
            restart_history(h, e->now.t, found);
            enter_just_after(h, e->now.t);
            e->has_y = 0;
            return 1;
        }
        if (round % PATIENCE == PATIENCE - 1 && !better_constants(d, e, values, found)) return 0;
        memcpy(values, found, h->count * sizeof(double));
        if (!all_finite(h->count, values)) break;
    }
    e->start->cause = NOT_CONSTANT;
    return 0;
}

#endif
