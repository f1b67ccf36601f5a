/* Binds the parameters of a run, and finds the state and the relations at its start. Included by driver.c and by program.c,
   after run.h; allocates nothing.

   This is runtime/binding.py and runtime/initialize.py, operation by operation, without the search among several solutions:
   a run begins from the guesses, and a program from the guesses and the relations that its export has found. */

#ifndef CUTSET_START_H
#define CUTSET_START_H

enum { MOST_STARTS = 100 };
/* As in initialize.py: the difference of the sides of a condition, relative and absolute; and as in given_starts.py: the
   difference of a start value from the one that is written. */
static const double CONTRADICTION = 1e-6, NOTHING = 1e-9, WRITTEN_DIFFERS = 1e-3;
/* As in solvers/memory.py: a smaller part of the nominal value of an unknown is rounding. */
static const double ROUNDING = 1e-7;

/* ---- parameters ---- */

/* Computes what follows from the parameters; given start values replace those of the model. */
static void bind_parameters(struct cutset_start *b)
{
    long i;
#ifdef CUTSET_START_RIVALS
    long last = -1;
#endif
    memset(b->s, 0, b->n_starts * sizeof(double)); /* those of the run before */
    cutset_bindings(b->p, b->given);
    cutset_constants(b->p, b->c);
    cutset_starts(b->c, b->s);
#ifdef CUTSET_START_RIVALS /* an exported program: a given parameter, the value, the state, and the sign */
    for (i = 0; i < CUTSET_START_RIVALS; i++) {
        const long *rival = cutset_start_rivals + 4 * i;
        double value = (double)rival[3] * b->p[rival[1]], *s = b->s + rival[2];
        if (b->given[rival[0]] == 0.0) continue;
        if (last == rival[2] && fabs(value - *s) > WRITTEN_DIFFERS * cutset_max(fabs(value), fabs(*s)) + NOTHING) value = NAN;
        *s = value, last = rival[2];
    }
#endif
    for (i = 0; i < b->n_startable; i++)
        if (b->start_given[i] != 0.0) b->s[i] = b->start_value[i];
}

static int parameters_are_valid(const struct cutset_start *b)
{
    const struct cutset_limit *limit = b->limits;
    long i;
    for (i = 0; i < b->n_parameters; i++)
        if (!isfinite(b->p[i])) return 0;
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
    cutset_nominals(b->c, b->nominals);
    for (i = 0; i < n_states; i++) {
        if (!(b->nominals[i] > 0.0) || !isfinite(b->nominals[i])) return 0;
        b->tolerance[i] = b->nominals[i] == 1.0 && b->s[i] != 0.0 ? cutset_min(atol, rtol * fabs(b->s[i])) : atol * b->nominals[i];
    }
    return 1;
}

/* The least absolute tolerance, for delayed signals. */
static double least_tolerance(const struct cutset_start *b, long n_states)
{
    double least = 1e-8; /* as in delays.py */
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

/* Clears what a run counts and learns, before a start at the time t; the memory for w, modes and discrete variables too. */
static void clear_run(struct cutset_data *d, struct cutset_events *e, double t)
{
    const struct cutset_tally fresh = {INFINITY, -INFINITY, t, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, NAN};
    struct cutset_start *b = e->start;
    long i;
    e->tally = fresh;
    e->has_y = e->ended = e->failed = e->inputs_changed = e->refused = e->arrives = 0;
    d->watch.pace = 0.0;
    d->branch.lost = d->interrupted = 0;
    memset(d->w, 0, e->n_work * sizeof(double));
    memcpy(d->w, b->s + b->n_starts - d->n_guesses, d->n_guesses * sizeof(double));
    memset(e->history, 0, 12 * d->watch.n * sizeof(double));
    for (i = 0; i < d->watch.n; i++) e->history[12 * i] = -INFINITY, e->history[12 * i + 1] = INFINITY;
    clear_held(d, e);
    e->now.t = t;
    if (e->isolation) {
        long n = e->isolation->n_forcing;
        for (i = 0; i < e->isolation->n + n; i++) e->isolation->searches[i].is_started = 0;
        if (n) memset(e->isolation->windows, 0, n * sizeof(struct cutset_window));
    }
}

/* ---- the state at the start ---- */

/* The value of a variable at a point. */
static double value_at(const struct cutset_written *v, const double *x, const double *y, const double *p)
{
    const double *const arrays[] = {y, x, p};
    return v->sign * arrays[v->array][v->index];
}

/* True if the loops are closed by less than so many rad or m from their guesses; beyond that, only rounding closes them. */
static int are_loops_near(const struct cutset_data *d, const struct cutset_start *b)
{
    static const double MOST = 1e4;
    long k, i;
    for (k = 0; k < b->n_loops; k++)
        for (i = b->loops[2 * k]; i < b->loops[2 * k + 1]; i++)
            if (!(fabs(d->w[i] - b->guesses[i]) <= MOST)) return 0;
    return 1;
}

/* True if this solution is near to the start values, so that no other is sought. */
static int is_nearest(struct cutset_data *d, struct cutset_events *e, double t, const double *m)
{
    static const double NEAR = 0.05; /* as in initial_system.py */
    const struct cutset_start *b = e->start;
    long k;
    fill_inputs(d, t);
    cutset_variables(t, b->begins, d->u, d->c, m, d->w, e->y_row);
    for (k = 0; k < b->n_loops; k++)
        if (d->w[b->loops[2 * k + 1]] == 0.0) return 0;
    for (k = 0; k < b->n_wanted; k++) {
        const struct cutset_wanted *v = b->wanted + k;
        double wanted = b->s[v->value], size = v->of_loop || wanted == 0.0 ? 1.0 : fabs(wanted);
        if (!(fabs(value_at(&v->variable, b->begins, e->y_row, b->p) - wanted) / size <= NEAR)) return 0;
    }
    return are_loops_near(d, b);
}

/* b->begins := the states for the held values m, then two numbers for each condition that follows from others. 0 if the
   states have no values, or if others must be sought. */
static int states_at_start(struct cutset_data *d, struct cutset_events *e, double t, const double *m)
{
    const struct cutset_start *b = e->start;
    long i, k, first = 0, known = 0;
    if (b->n_wanted) memcpy(b->guesses, d->w, d->n_guesses * sizeof(double));
    for (k = 0; k < b->n_iterations; k++) {
        double *orientation = d->w + first + b->iterations[k];
        known |= *orientation != 0.0;
        /* That of a branch is known only after a solution; a program has those of its export. */
        if (!e->is_alone) *orientation = 0.0;
        first += 2 * b->iterations[k] + 1;
    }
    fill_inputs(d, t);
    cutset_start(t, d->u, d->c, m, b->s, d->w, b->begins);
    /* From their own guesses, other iterations for the same unknowns might find another solution. */
    for (k = 0; k < b->n_copies; k++) {
        const long *copy = b->copies + 4 * k;
        if (d->w[copy[1]] == 0.0 && d->w[copy[3]] != 0.0) d->w[copy[0]] = d->w[copy[2]];
    }
    for (i = 0; i < d->n_states; i++)
        if (!isfinite(b->begins[i])) return 0;
    if (!b->n_wanted) return 1;
    if (!are_loops_near(d, b)) return 0;
    rates_at(d, t, b->begins, m, e->dx); /* which solves the other iterations */
    return known || is_nearest(d, e, t, m);
}

/* True if the model has relations, branches or assertions. */
static int has_events(const struct cutset_events *e) { return e->n_relations || e->n_branches || e->n_assertions; }

/* values := the relations that the initial system implies for the held values m, whatever they were before. */
static int implied_at_start(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m,
                            const long *due, double *values)
{
    const double *sides = e->y + e->n_variables;
    long k;
    if (!states_at_start(d, e, s->t, m)) { /* a program has no search for other solutions, and tries other values */
        for (k = 0; k < e->n_relations; k++) values[k] = 1.0 - m[k];
        return e->is_alone != 0;
    }
    look(d, e, s->t, e->start->begins, m);
    for (k = 0; k < e->n_relations; k++, sides += 2) {
        double difference = sides[0] - sides[1];
        if (e->opposites[k] >= 0 && alike(sides)) difference = 0.0;
        values[k] = isfinite(difference) ? truth(e, k, difference) : 1.0 - m[k]; /* as in events.h */
    }
    decide_by_events(d, e, s, m, due, values);
    for (k = 0; k < e->n_known + e->n_isolated; k++) /* what changes at the start has not changed yet */
        if (alike(e->y + e->n_variables + 2 * e->timed[k])) values[e->timed[k]] = truth(e, e->timed[k], 0.0);
    for (k = 0; k < e->n_relations; k++)
        if (e->kinds[k] == EDGE) values[k] = 0.0; /* a condition that is true at the start has not become true */
    return 1;
}

/* e->m := relations that agree with the initial system, for the discrete variables of s. */
static int find_first_modes(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    struct agreement a = new_agreement(d, e, s, 0, implied_at_start);
    memcpy(e->m, s->m, e->n_modes * sizeof(double));
    return !e->n_relations || agree_with_implied(&a);
}

/* s->x, s->m := the states and the held values at the start. */
static int find_start(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    long n = e->n_relations, pass;
    for (pass = 0; pass < MOST_STARTS; pass++) {
        if (!find_first_modes(d, e, s)) return 0;
        memcpy(s->m, e->m, n * sizeof(double));
        if (!states_at_start(d, e, s->t, s->m)) return 0;
        memcpy(s->x, e->start->begins, d->n_states * sizeof(double));
        if (!e->n_discrete) return 1;
        memset(e->acting, 0, e->n_branches * sizeof(double));
        fill_inputs(d, s->t);
        cutset_updates(s->t, s->x, d->u, d->c, s->m, e->acting, d->w, e->updated);
        if (equal(e->updated, s->m + n, e->n_discrete)) return 1;
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
        double found = value_at(b->written + i, s->x, e->y_row, b->p);
        if (!(fabs(found - wanted[i]) <= WRITTEN_DIFFERS * cutset_max(fabs(found), fabs(wanted[i])) + NOTHING)) return 0;
    }
    return 1;
}

/* Finds the start at the time of e->now, whose held values are those to begin with, and which samples are due. */
static int find_first_moment(struct cutset_data *d, struct cutset_events *e)
{
    struct cutset_moment *s = &e->now;
    long k;
    if (!find_start(d, e, s) || !conditions_hold(e->start, d->n_states)) return 0;
    if (has_events(e)) {
        look(d, e, s->t, s->x, s->m);
        take_indicators(d, e, s);
    }
    if (!written_values_hold(d, e, s)) return 0;
    for (k = 0; k < e->n_relations; k++) s->reach[k] = -1.0;
    memset(e->crossed, 0, d->watch.n * sizeof(double));
    s->acted = 0;
    if (!samples_are_valid(e, s)) return 0;
    e->tally.sample_events = find_due(e, s) > 0;
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
    for (k = 0; k < h->count; k++) {
        h->values_now[k] = h->found[2 * k];
        if (!isfinite(h->values_now[k])) return 0;
    }
    return 1;
}

/* A Newton step from `values`, which give `found`, with differences; found becomes the next values to try. As _better in
   delays.py. */
static int better_constants(struct cutset_data *d, struct cutset_events *e, double *values, double *found)
{
    long n = d->history.count, i, k;
    double *A = found + n;
    for (k = 0; k < n; k++) {
        double before = values[k], step = 1e-6 * cutset_max(1.0, fabs(before));
        values[k] = before + step;
        if (!signals_after(d, e, values)) return 0;
        values[k] = before;
        for (i = 0; i < n; i++) A[i * n + k] = (i == k ? 1.0 : 0.0) - (d->history.values_now[i] - found[i]) / step;
    }
    for (i = 0; i < n; i++) found[i] -= values[i];
    cutset_solve((int)n, (int)n - 1, (int)n - 1, A, found); /* nan if it is singular */
    if (!all_finite(n, found)) return 0;
    for (i = 0; i < n; i++) found[i] += values[i];
    return 1;
}

/* As find_first_moment, with delayed signals: before the start they had the values that they have at the start. */
static int find_first_constants(struct cutset_data *d, struct cutset_events *e)
{
    enum { MOST_CONSTANTS = 50, PATIENCE = 10 };
    static const double EQUAL = 1e-12; /* as in delays.py */
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
    }
    return 0;
}

#endif
