/* Lets an instance integrate itself, from one communication point to the next. Included by fmi2.c and fmi3.c only.

   An integrator that stops at each communication point would lose its step size there. Once an importer makes equal steps
   and sets nothing between them, the instance computes several of them at once, and delivers one after the other. If
   something is set after all, it returns to the last point before these and integrates to the present one again. */

#ifndef CUTSET_STEPPING_H
#define CUTSET_STEPPING_H

/* Goes on to `until` without looking ahead: CUTSET_OK, CUTSET_ENDED, or why not. */
static int advance_once(struct fmu *f, double until)
{
    int status = continue_run(&f->s.program, until, whole_span(f));
    f->s.program.data.m = f->s.program.events.now.m;
    forget_values(f);
    return status;
}

/* Shows the moment of row k. */
static void deliver(struct fmu *f, long k)
{
    struct cutset_program *p = &f->s.program;
    struct fmu_ahead *a = &f->s.ahead;
    p->events.now.t = a->t[k + 1];
    memcpy(p->events.now.x, a->x + k * CUTSET_STATES, CUTSET_STATES * sizeof(double));
    memcpy(p->events.now.m, a->m + k * CUTSET_MODES, CUTSET_MODES * sizeof(double));
    memcpy(p->w, a->guesses + k * CUTSET_GUESSES, CUTSET_GUESSES * sizeof(double));
    a->next = k + 1;
    enter_just_after(&p->data.history, p->events.now.t);
    forget_values(f);
}

/* Computes the next steps of length h, of which the first ends at `until`. 0 if they cannot be computed at once. */
static int look_ahead(struct fmu *f, double until, double h)
{
    struct cutset_program *p = &f->s.program;
    struct cutset_events *e = &p->events;
    struct fmu_ahead *a = &f->s.ahead;
    long k, kept = 0, count = STEPS_AHEAD < 2 * a->calm ? STEPS_AHEAD : 2 * a->calm;
    int why = ROWS_FULL;
    while (count > 1 && until + (double)(count - 1) * h > f->s.stop) count--;
    if (count < 2) return 0;
    keep_program(&a->base, p);
    a->t[0] = e->now.t;
    for (k = 0; k < count; k++) a->t[k + 1] = until + (double)k * h;
    enter_run(p, a->t[count], whole_span(f));
    e->outputs = a->t, e->n_outputs = count + 1;
    p->data.history.longest += a->t[count] - a->t[0]; /* what is delayed at each of the points is kept up to the last */
    while (why == ROWS_FULL) {
        why = fill_rows(p);
        kept = keep_rows(p, a, kept, count);
    }
    e->outputs = p->outputs, e->n_outputs = 2;
    p->data.m = e->now.m;
    if (why != AT_STOP || kept < count) {
        return_to(p, &a->base);
        a->calm = -MOST_CALM;
        return 0;
    }
    a->count = count;
    return 1;
}

/* Returns to the last point before the steps that were computed at once, and goes from there to the present one. */
static int rewind_steps(struct fmu *f)
{
    struct cutset_program *p = &f->s.program;
    struct fmu_ahead *a = &f->s.ahead;
    double t = p->events.now.t;
    int status, changed = p->events.inputs_changed != 0;
    memcpy(a->u, p->u, sizeof p->u), memcpy(a->p, p->p, sizeof p->p), memcpy(a->given, p->given, sizeof p->given);
    memcpy(a->step_sizes, p->step_sizes, sizeof p->step_sizes);
    return_to(p, &a->base);
    a->count = a->next = 0;
    status = advance_once(f, t);
    memcpy(p->u, a->u, sizeof p->u), memcpy(p->p, a->p, sizeof p->p), memcpy(p->given, a->given, sizeof p->given);
    memcpy(p->step_sizes, a->step_sizes, sizeof p->step_sizes);
    bind_parameters(&p->start);
    p->events.inputs_changed = changed;
    return status;
}

/* Goes on to `until` by a step of length h: CUTSET_OK, CUTSET_ENDED, or why not. */
static int advance(struct fmu *f, double until, double h)
{
    struct cutset_program *p = &f->s.program;
    struct fmu_ahead *a = &f->s.ahead;
    double near = MEANT * cutset_min(h, whole_span(f));
    int is_calm = !p->events.inputs_changed && fabs(h - a->step) <= MEANT * h, status;
    if (!check_parameters(f)) return CUTSET_BAD_PARAMETER;
    if (p->events.ended) return CUTSET_ENDED;
    a->calm = is_calm ? a->calm + (a->calm < MOST_CALM) : cutset_min(a->calm, 0);
    a->step = h;
    if (a->next < a->count) {
        if (is_calm && fabs(until - a->t[a->next + 1]) <= near) {
            deliver(f, a->next);
            return CUTSET_OK;
        }
        if ((status = rewind_steps(f)) != CUTSET_OK) return status;
    }
    a->count = a->next = 0;
    if (CUTSET_STATES && is_calm && a->calm >= CALM_ENOUGH && h > 0.0 && look_ahead(f, until, h)) {
        deliver(f, 0);
        return CUTSET_OK;
    }
    return advance_once(f, until);
}

/* True if a step of length h can start at t; reports it if not. */
static int is_step_valid(struct fmu *f, double t, double h)
{
    double now = f->s.program.events.now.t;
    if (isfinite(t) && isfinite(h) && h >= 0.0 && fabs(t - now) <= MEANT * cutset_max(whole_span(f), fabs(now))) return 1;
    snprintf(f->text, sizeof f->text, "a step of %.9g s cannot start at %.9g s: the instance is at %.9g s", h, t, now);
    report(f, f->text);
    return 0;
}

#endif
