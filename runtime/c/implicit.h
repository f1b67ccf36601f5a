/* Integrates stiff segments with SUNDIALS. Included by driver.c only. */

#ifndef CUTSET_IMPLICIT_H
#define CUTSET_IMPLICIT_H

/* Starts SUNDIALS again at s, as a new session would start. */
static void restart_solver(struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e,
                           const struct cutset_moment *s, double end)
{
    struct cutset_sundials *q = e->solver;
    double *dy = q->ida ? d->array(q->dy) : 0;
    long k;
    for (k = 0; k < d->n_states; k++) q->y_numbers[k] = s->x[d->order ? d->order[k] : k];
    if (q->ida) {
        rates_at(d, s->t, s->x, s->m, e->dx);
        for (k = 0; k < d->n_states; k++) dy[k] = e->dx[d->order ? d->order[k] : k];
        q->restart_ida(q->memory, s->t, q->y, q->dy);
    } else {
        q->restart(q->memory, s->t, q->y);
    }
    q->set_longest(q->memory, 0.0);
    q->set_shortest(q->memory, 1e-3 * DBL_EPSILON * cutset_max(fabs(s->t), fabs(end)));
    if (isfinite(control->max_step)) q->set_longest(q->memory, control->max_step);
    q->longest = control->max_step;
    q->set_stop(q->memory, end);
}

/* What a flag of SUNDIALS means, as in solvers/cvode.py. */
static int outcome_of(int flag)
{
    enum { TOO_MUCH_WORK = -1, NO_RATES = -8 };
    if (flag >= 0) return DONE;
    return flag == TOO_MUCH_WORK ? TOO_MANY_STEPS : flag <= NO_RATES ? NOT_FINITE : STEP_TOO_SMALL;
}

/* Integrates from s to the times in e->row_t after the rows, from `done` of them on. STIFF if SUNDIALS is not open. */
static int integrate_implicit(struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e,
                              struct cutset_moment *s, long n, long done)
{
    struct cutset_sundials *q = e->solver;
    struct cutset_report *r = &e->report;
    const double *times = e->row_t + e->tally.rows + done;
    double *out = e->row_x + (e->tally.rows + done) * d->n_states;
    long steps = 0, failures = 0;
    int flag;
    if (!q) return STIFF;
    memset(r, 0, sizeof *r);
    r->t = s->t;
    begin_part(d, e, s, done);
    d->slopes.by_differences = 0;
    restart_solver(d, control, e, s, times[n - done - 1]);
    q->x = s->x;
    flag = cutset_sundials_steps(q, n - done, times, out, r);
    q->count_steps(q->memory, &steps);
    q->count_failures(q->memory, &failures);
    count_part(d, e, steps, failures);
    r->reached += done;
    return outcome_of(flag);
}

#endif
