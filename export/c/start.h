/* Finds the state at the start of a run and settles the events there. Included by program.c only; allocates nothing.

   This is runtime/initialize.py without the search among several solutions: a program starts from the guesses and the
   relations that its export has found. */

#ifndef CUTSET_START_H
#define CUTSET_START_H

enum { MOST_STARTS = 100 };
/* As in initialize.py: the difference of the sides of a condition, relative and absolute. */
static const double CONTRADICTION = 1e-6, NOTHING = 1e-9;

/* p->begins := the states for the held values m, then two numbers for each condition that follows from others. 0 if the
   states have no values. */
static int states_at_start(struct cutset_program *p, double t, const double *m)
{
    long i;
    fill_inputs(&p->data, t);
    cutset_start(t, p->u, p->c, m, p->s, p->w, p->begins);
    for (i = 0; i < CUTSET_STATES; i++)
        if (!isfinite(p->begins[i])) return 0;
    return 1;
}

/* values := the relations that the initial system implies for the held values m, whatever they were before. */
static int implied_at_start(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m,
                            const long *due, double *values)
{
    struct cutset_program *p = (struct cutset_program *)(void *)d; /* its first member */
    const double *sides = e->y + e->n_variables;
    long k;
    if (!states_at_start(p, s->t, m)) return 0;
    e->has_y = 0;
    look(d, e, s->t, p->begins, m);
    for (k = 0; k < e->n_relations; k++, sides += 2) {
        double difference = sides[0] - sides[1];
        values[k] = isfinite(difference) ? truth(e, k, difference) : 1.0 - m[k];
    }
    decide_by_events(d, e, s, m, due, values);
    for (k = 0; k < e->n_relations; k++)
        if (e->kinds[k] == EDGE) values[k] = 0.0; /* a condition that is true at the start has not become true */
    return 1;
}

/* s->x, s->m := the states and the held values at the start. */
static int find_start(struct cutset_program *p, struct cutset_moment *s)
{
    struct cutset_data *d = &p->data;
    struct cutset_events *e = &p->events;
    long n = e->n_relations, pass;
    for (pass = 0; pass < MOST_STARTS; pass++) {
        if (!follow_relations(d, e, s, 0, implied_at_start, 1) && !search(d, e, s, 0, implied_at_start)) return 0;
        memcpy(s->m, e->m, n * sizeof(double));
        if (!states_at_start(p, s->t, s->m)) return 0;
        memcpy(s->x, p->begins, d->n_states * sizeof(double));
        if (!e->n_discrete) return 1;
        memset(e->acting, 0, e->n_branches * sizeof(double));
        cutset_updates(s->t, s->x, d->u, d->c, s->m, e->acting, d->w, e->updated);
        if (equal(e->updated, s->m + n, e->n_discrete)) return 1;
        memcpy(s->m + n, e->updated, e->n_discrete * sizeof(double));
    }
    return 0;
}

/* True if all conditions hold that follow from others. */
static int conditions_hold(const struct cutset_program *p)
{
    const double *left = p->begins + CUTSET_STATES;
    long i;
    for (i = 0; i < CUTSET_CONDITIONS; i++, left += 2)
        if (!(fabs(left[0]) <= CONTRADICTION * left[1] + NOTHING)) return 0;
    return 1;
}

/* Starts at the time of e->now, whose held values are those to begin with; settles the events there. */
static int begin(struct cutset_program *p)
{
    struct cutset_data *d = &p->data;
    struct cutset_events *e = &p->events;
    struct cutset_moment *s = &e->now;
    long k;
    if (!find_start(p, s) || !conditions_hold(p)) return 0;
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
