/* Lets an importer integrate: events of an instance whose time and states come from outside. Included by fmi2.c and fmi3.c
   only. */

#ifndef CUTSET_EXCHANGE_EVENTS_H
#define CUTSET_EXCHANGE_EVENTS_H

static void set_time(struct fmu *f, double t)
{
    struct cutset_events *e = &f->s.program.events;
    if (e->now.t == t) return;
    e->now.t = t;
    forget_values(f);
}

static void set_states(struct fmu *f, const double *x)
{
    struct cutset_events *e = &f->s.program.events;
    if (!CUTSET_STATES || !memcmp(e->now.x, x, CUTSET_STATES * sizeof(double))) return;
    memcpy(e->now.x, x, CUTSET_STATES * sizeof(double));
    forget_values(f);
}

/* The input i at t, by the polynomial through its values `now` and at the latest points before. */
static double exchanged_input(const struct fmu_state *s, long i, double t, double now)
{
    double at[3], found = 0.0, part;
    const long n = s->n_older < 2 ? s->n_older : 2;
    long j, k;
    at[0] = s->program.events.now.t;
    for (j = 0; j < n; j++) at[j + 1] = s->older_t[j];
    for (j = 0; j <= n; j++) {
        part = j ? s->older_u[(j - 1) * CUTSET_INPUTS + i] : now;
        for (k = 0; k <= n; k++)
            if (k != j) part *= (t - at[k]) / (at[j] - at[k]);
        found += part;
    }
    return found;
}

/* The states within the step from the last accepted point, by cubic Hermite interpolation; the inputs become those there. */
static void exchanged_state(void *instance, double t, double *x)
{
    struct fmu *f = instance;
    struct fmu_state *s = &f->s;
    const double *now = s->program.events.now.x;
    double h = s->program.events.now.t - s->last_t, part = (t - s->last_t) / h, rest = 1.0 - part;
    long i;
    for (i = 0; i < CUTSET_STATES; i++) {
        double rise = now[i] - s->last_x[i], left = h * s->last_rates[i] - rise, right = rise - h * s->rates[i] - left;
        x[i] = part == 1.0 ? now[i] : s->last_x[i] + part * (rise + rest * (left + part * right));
    }
    for (i = 0; i < CUTSET_INPUTS; i++) s->program.u[i] = part == 1.0 ? f->u_now[i] : exchanged_input(s, i, t, f->u_now[i]);
}

/* The growth of the time to the next point of the history with which the polynomials of states and inputs have errors within
   a part of the tolerance. These follow from the change of a third derivative between two steps, and from that of an input
   that was not foreseen. */
static double growth_of_stretch(struct fmu *f)
{
    const double allowed = 0.05;
    struct fmu_state *s = &f->s;
    const struct cutset_program *p = &s->program;
    const double *now = p->events.now.x;
    double h = p->events.now.t - s->last_t, bent = 0.0, missed = 0.0, span = s->bend_span;
    long i;
    for (i = 0; i < CUTSET_STATES; i++) {
        double third = (6.0 * (s->rates[i] + s->last_rates[i]) - 12.0 * (now[i] - s->last_x[i]) / h) / (h * h);
        double error = h * h * h * h / 384.0 * fabs(third - s->bend[i]) / (0.5 * (h + span));
        if (span > 0.0) bent = cutset_max(bent, error / (p->rtol * fabs(now[i]) + p->tolerance[i]));
        s->bend[i] = third;
    }
    s->bend_span = h;
    for (i = 0; i < CUTSET_INPUTS && s->n_older == 3; i++) {
        double a = s->older_t[0], b = s->older_t[1], c = s->older_t[2], t = p->events.now.t;
        const double *u = s->older_u + i;
        double foreseen = u[0] * ((t - b) * (t - c)) / ((a - b) * (a - c)) + u[CUTSET_INPUTS] * ((t - a) * (t - c)) / ((b - a) * (b - c)) +
                          u[2 * CUTSET_INPUTS] * ((t - a) * (t - b)) / ((c - a) * (c - b));
        missed = cutset_max(missed, fabs(f->u_now[i] - foreseen) / 15.0 / (p->rtol * fabs(f->u_now[i]) + p->atol));
    }
    return 0.9 * cutset_min(sqrt(sqrt(allowed / cutset_max(bent, 1e-9))), cbrt(allowed / cutset_max(missed, 1e-9)));
}

/* The present point becomes the last one. Where inputs have jumped, those before do not count. */
static void begin_exchanged_step(struct fmu *f)
{
    enum { U = CUTSET_INPUTS, BYTES = CUTSET_INPUTS * sizeof(double) };
    struct fmu_state *s = &f->s;
    const struct cutset_program *p = &s->program;
    if (s->n_older && s->older_t[0] == p->events.now.t) {
        s->n_older = memcmp(s->older_u, p->u, BYTES) ? 0 : s->n_older - 1;
    } else {
        memmove(s->older_t + 1, s->older_t, 2 * sizeof(double));
        memmove(s->older_u + U, s->older_u, 2 * BYTES);
        s->n_older -= s->n_older == 3;
    }
    s->older_t[0] = s->last_t = p->events.now.t;
    memcpy(s->older_u, p->u, BYTES);
    s->n_older++;
    memcpy(s->last_x, p->events.now.x, CUTSET_STATES * sizeof(double));
    memcpy(s->last_rates, s->rates, CUTSET_STATES * sizeof(double));
}

/* Feeds the history of delayed signals with the step from the last accepted point to the present one: 0 if there is no
   room. */
static int store_exchanged_step(struct fmu *f)
{
    struct cutset_program *p = &f->s.program;
    struct cutset_history *h = &p->data.history;
    if (!CUTSET_DELAYS || !(p->events.now.t > f->s.last_t)) return 1;
    begin_segment(h, p->events.now.t);
    if (!has_room(h)) {
        report_status(f, CUTSET_HISTORY_FULL);
        return 0;
    }
    if (!find_rates(f)) {
        report_status(f, CUTSET_NOT_FINITE);
        return 0;
    }
    memcpy(f->u_now, p->u, sizeof f->u_now);
    store_step(&p->data, exchanged_state, f, f->s.last_t, p->events.now.t);
    memcpy(p->u, f->u_now, CUTSET_INPUTS * sizeof(double));
    f->s.stretch = (p->events.now.t - f->s.last_t) * cutset_max(0.2, cutset_min(4.0, growth_of_stretch(f)));
    begin_exchanged_step(f);
    return 1;
}

/* Accepts the point: 0 if the model has no values there or an assertion fails. *ends: the model ends the run. */
static int complete_step(struct fmu *f, int *ends)
{
    struct cutset_program *p = &f->s.program;
    struct cutset_events *e = &p->events;
    *ends = 0;
    if ((CUTSET_STATES || CUTSET_GUARDS) && !find_rates(f)) {
        report_status(f, CUTSET_NOT_FINITE);
        return 0;
    }
    accept_point(&p->data, e->now.t, e->now.x);
    f->s.accepts = 1;
    f->s.completes |= CUTSET_DELAYS && e->now.t > f->s.last_t;
    if (!store_exchanged_step(f)) return 0;
    if (CUTSET_ROWS_ARE_CHECKED) {
        find_variables(f);
        if (!assertions_hold(e, e->y, 0)) {
            report_status(f, CUTSET_VIOLATED);
            return 0;
        }
        *ends = e->ended != 0;
    }
    return 1;
}

static void enter_event_mode(struct fmu *f)
{
    struct cutset_program *p = &f->s.program;
    struct cutset_events *e = &p->events;
    struct cutset_moment *now = &e->now;
    double near = MEANT * cutset_max(e->run_span, fabs(now->t));
    long j;
    if (now->t != f->s.next_event && fabs(now->t - f->s.next_event) <= near) set_time(f, f->s.next_event);
    if (f->s.mode == BETWEEN_EVENTS) store_exchanged_step(f);
    f->s.mode = AT_EVENT;
    if (CUTSET_CROSSINGS) crossings_at(&p->data, now->t, now->x, now->m, p->events.g);
    for (j = 0; j < CUTSET_CROSSINGS; j++) {
        double z = p->events.g[j] + f->s.side[j] * f->s.margin[j];
        p->events.crossed[j] = p->data.watch.crossed[j] = f->s.side[j] * z <= 0.0 ? -f->s.side[j] : 0.0;
    }
}

/* e->due := the samples since the latest event; returns how many there are. */
static long find_due_since(struct fmu *f)
{
    struct cutset_events *e = &f->s.program.events;
    double t = e->now.t, since = f->s.latest_sampled;
    long i, count = 0;
    for (i = 0; i < CUTSET_SAMPLES; i++) {
        double next = next_sample(e, since, e->now.samples[2 * i], e->now.samples[2 * i + 1]);
        e->due[i] = takes_clocks(f) ? f->s.active[i] : next <= t || same_instant(e, next, t);
        f->s.active[i] = 0;
        count += e->due[i];
    }
    f->s.latest_sampled = t;
    return count;
}

/* Settles the event at the time of the instance. *has_new_states: the states have changed. CUTSET_OK or why not. */
static int update_discrete(struct fmu *f, int *has_new_states)
{
    struct cutset_program *p = &f->s.program;
    struct cutset_events *e = &p->events;
    struct cutset_moment *s = &e->now;
    long i, any_due, any = 0;
    int jumps;
    *has_new_states = 0;
    if (!check_parameters(f)) return CUTSET_BAD_PARAMETER;
    e->has_y = 0, e->tally.rows = 0, e->last_row = s->t, e->inputs_changed = 0;
    if (!samples_are_valid(e, s)) return CUTSET_UNSETTLED;
    any_due = find_due_since(f);
    for (i = 0; i < CUTSET_SAMPLES; i++) f->s.ticked[i] |= e->due[i] != 0;
    find_instants(&p->data, e, s->t, s->m, s->t);
    e->arrives = 0;
    has_instant(e, s);
    for (i = 0; i < CUTSET_CROSSINGS; i++) any |= e->crossed[i] != 0.0;
    if (any && !check_crossings(&p->data, e, s)) return CUTSET_UNSETTLED;
    if (isfinite(f->s.stop) && !note_crossings(&p->data, e, s)) return CUTSET_UNSETTLED;
    jumps = pass_jump(&p->data, e, s, 1);
    if (!do_event(&p->data, e, s, any_due > 0, jumps)) return e->failure.cause == VIOLATED_ASSERTION ? CUTSET_VIOLATED : CUTSET_UNSETTLED;
    note_event(&p->data, s->t, s->x, s->m, any || any_due || same_instant(e, s->t, f->s.own_event),
               same_instant(e, s->t, p->data.history.next));
    *has_new_states = !equal(s->x, e->before.x, CUTSET_STATES);
    memset(p->events.crossed, 0, CUTSET_CROSSINGS * sizeof(double));
    if (!all_are_finite(&p->data, e, s)) return CUTSET_NOT_FINITE;
    prepare(f);
    return e->ended ? CUTSET_ENDED : CUTSET_OK;
}

static void enter_continuous_mode(struct fmu *f)
{
    struct cutset_program *p = &f->s.program;
    struct cutset_moment *now = &p->events.now;
    f->s.mode = BETWEEN_EVENTS;
    p->data.m = now->m;
    memset(f->s.ticked, 0, sizeof f->s.ticked);
    begin_branch(&p->data, now->t, now->x);
    forget_values(f);
    if (CUTSET_DELAYS) {
        find_rates(f);
        begin_exchanged_step(f);
    }
}

#endif
