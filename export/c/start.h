/* Finds the state at the start of a run and settles the events there. Included by program.c only; allocates nothing.

   This is runtime/initialize.py without the search among several solutions: a program starts from the guesses and the
   relations that its export has found. */

#ifndef CUTSET_START_H
#define CUTSET_START_H

enum { MOST_STARTS = 100 };
/* As in initialize.py: the difference of the sides of a condition, relative and absolute. */
static const double CONTRADICTION = 1e-6, NOTHING = 1e-9;

/* The start values of the model, and what `start` computes from them: the states, then two numbers for each condition
   that follows from others. */
struct start {
    struct cutset_data *data;
    struct cutset_events *events;
    const double *given;
    double *begins;
    long n_conditions;
};

/* begins := the states for the held values m. 0 if they have no values. */
static int states_at_start(const struct start *b, double t, const double *m)
{
    struct cutset_data *d = b->data;
    long i;
    fill_inputs(d, t);
    cutset_start(t, d->u, d->c, m, b->given, d->w, b->begins);
    for (i = 0; i < d->n_states; i++)
        if (!isfinite(b->begins[i])) return 0;
    return 1;
}

/* values := the relations that the initial system implies for the held values in e->m, whatever they were before. */
static int implied_at_start(const struct start *b, struct cutset_moment *s)
{
    struct cutset_data *d = b->data;
    struct cutset_events *e = b->events;
    const double *sides = e->y + e->n_variables;
    long k;
    if (!states_at_start(b, s->t, e->m)) return 0;
    memcpy(s->x, b->begins, d->n_states * sizeof(double));
    e->has_y = 0;
    look(d, e, s->t, s->x, e->m);
    for (k = 0; k < e->n_relations; k++, sides += 2) {
        double difference = sides[0] - sides[1];
        e->values[k] = isfinite(difference) ? truth(e, k, difference) : 1.0 - e->m[k];
        if (e->kinds[k] == EDGE || e->kinds[k] == SAMPLE) e->values[k] = 0.0;
    }
    if (!find_instants(d, e, s->t, e->m)) return 0;
    for (k = 0; k < e->n_known; k++) {
        double instant = e->te[2 * k], slope = e->te[2 * k + 1];
        if (!isfinite(instant) || slope == 0.0) continue;
        if (s->t < instant && !same_instant(e, s->t, instant)) slope = -slope;
        e->values[e->timed[k]] = truth(e, e->timed[k], slope);
    }
    return 1;
}

/* e->m := the held values of s with relations that agree with the initial system, changing all at once or one by one. */
static int relations_at_start(const struct start *b, struct cutset_moment *s, int at_once)
{
    struct cutset_events *e = b->events;
    long n = e->n_relations, round, k;
    memcpy(e->m, s->m, e->n_modes * sizeof(double));
    for (round = 0; round < MOST_FOLLOWED; round++) {
        if (!implied_at_start(b, s)) return 0;
        for (k = 0; k < n && e->values[k] == e->m[k]; k++) continue;
        if (k == n) return 1;
        if (at_once) memcpy(e->m, e->values, n * sizeof(double));
        else e->m[k] = e->values[k];
    }
    return 0;
}

/* s->x, s->m := the states and the held values at the start. */
static int find_start(const struct start *b, struct cutset_moment *s)
{
    struct cutset_data *d = b->data;
    struct cutset_events *e = b->events;
    long n = e->n_relations, pass;
    for (pass = 0; pass < MOST_STARTS; pass++) {
        if (!relations_at_start(b, s, 1) && !relations_at_start(b, s, 0)) return 0;
        memcpy(s->m, e->m, n * sizeof(double));
        if (!states_at_start(b, s->t, s->m)) return 0;
        memcpy(s->x, b->begins, d->n_states * sizeof(double));
        if (!e->n_discrete) return 1;
        memset(e->acting, 0, e->n_branches * sizeof(double));
        cutset_updates(s->t, s->x, d->u, d->c, s->m, e->acting, d->w, e->updated);
        if (equal(e->updated, s->m + n, e->n_discrete)) return 1;
        memcpy(s->m + n, e->updated, e->n_discrete * sizeof(double));
    }
    return 0;
}

/* True if all conditions hold that follow from others. */
static int conditions_hold(const struct start *b)
{
    const double *left = b->begins + b->data->n_states;
    long i;
    for (i = 0; i < b->n_conditions; i++, left += 2)
        if (!(fabs(left[0]) <= CONTRADICTION * left[1] + NOTHING)) return 0;
    return 1;
}

/* Starts at the time of e->now, whose held values are those to begin with; settles the events there. */
static int begin(const struct start *b)
{
    struct cutset_data *d = b->data;
    struct cutset_events *e = b->events;
    struct cutset_moment *s = &e->now;
    long k;
    if (!find_start(b, s) || !conditions_hold(b)) return 0;
    e->has_y = 0;
    look(d, e, s->t, s->x, s->m);
    take_indicators(e, s);
    for (k = 0; k < e->n_relations; k++) s->reach[k] = -1.0;
    memset(e->crossed, 0, d->watch.n * sizeof(double));
    e->tally.latest_event = s->t;
    if (!samples_are_valid(e, s)) return 0;
    find_due(e, s);
    return settle(d, e, s, e->due) && samples_are_valid(e, s) && all_are_finite(d, e, s);
}

#endif
