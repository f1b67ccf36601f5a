/* Integrates stiff segments by the implicit Runge-Kutta method ESDIRK4(3)6L[2]SA, which is L-stable and stiffly accurate, with
   the Jacobian and its factors kept from step to step: C. A. Kennedy, M. H. Carpenter, Additive Runge-Kutta schemes for
   convection-diffusion-reaction equations, Applied Numerical Mathematics 44 (2003) 139-181. Allocates nothing. */

#ifndef CUTSET_ESDIRK_H
#define CUTSET_ESDIRK_H

#include "jacobian.h"
#include "segments.h"

enum { STIFF_STAGES = 6, STIFF_ROUNDS = 7 };

static const double STIFF_GAMMA = 0.25;
static const double STIFF_NODE[STIFF_STAGES] = {0.0, 0.5, 0.332, 0.62, 0.85, 1.0};
static const double STIFF_A[STIFF_STAGES][5] = {
    {0.0, 0.0, 0.0, 0.0, 0.0},
    {0.25, 0.0, 0.0, 0.0, 0.0},
    {0.137776, -0.055776, 0.0, 0.0, 0.0},
    {0.14463686602698217, -0.22393190761334475, 0.4492950415863626, 0.0, 0.0},
    {0.09825878328356477, -0.5915442428196704, 0.8101210538282996, 0.283164405707806, 0.0},
    {0.15791629516167136, 0.0, 0.18675894052400077, 0.6805652953093346, -0.27524053099500667}};
static const double STIFF_ERROR[STIFF_STAGES] = {0.0032044943984591762, 0.0, -0.0024462511366794577, -0.02148007591958727,
                                                 0.043946868068572426, -0.02322503541076487};
/* The polynomials through earlier stages that guess the slope of each stage from the third on. */
static const double STIFF_GUESS[STIFF_STAGES][5] = {
    {0.0, 0.0, 0.0, 0.0, 0.0},
    {0.0, 0.0, 0.0, 0.0, 0.0},
    {0.336, 0.664, 0.0, 0.0, 0.0},
    {0.20819277108433734, 2.125714285714286, -1.333907056798623, 0.0, 0.0},
    {0.5787990672366887, 0.0, -2.0446368808567605, 2.465837813620072, 0.0},
    {0.0, 0.0, 0.3820785070785071, -1.5126811594202898, 2.130602652341783}};

/* How far the equations of a stage are solved, as a part of the tolerance; the rate of convergence above which the Jacobian
   is computed again; the growth of the step for which factors are not. */
static const double STIFF_SOLVED = 0.01, STIFF_SLOW = 0.25, STIFF_GROWTH = 1.2;

/* A step of size h from (t, x): the slopes k of its stages and the state `next` at its end. The first slope is the last one
   of the step before; `older` is the slope in the middle of that step, which had the size h_older (0: there is none). */
struct stiff_step {
    struct cutset_program *program;
    long n;
    double t, h, h_older, factored;   /* factored: the size of step of the factors, 0 for none */
    double convergence, slowest;      /* estimated factor from a change to the remaining error; the largest rate of the step */
    int has_slopes, is_current;       /* whether there is a Jacobian, and whether it is that at (t, x) */
    const double *x;
    double *k[STIFF_STAGES], *older, *next, *base, *change;
    struct cutset_slopes slopes;
};

/* Cubic Hermite interpolation; quadratic without the first slope for states with a transient that the step does not
   resolve. */
static void stiff_state(void *step, double t, double *x)
{
    struct stiff_step *s = step;
    double part = (t - s->t) / s->h, rest = 1.0 - part;
    const double *last = s->k[STIFF_STAGES - 1];
    long i;
    for (i = 0; i < s->n; i++) {
        double rise = s->next[i] - s->x[i], right = rise - s->h * last[i], bend = s->h * s->k[0][i] - rise - right;
        if (fabs(bend) > fabs(rise) + fabs(s->h * last[i])) bend = 0.0;
        x[i] = s->x[i] + part * (rise + rest * (right + rest * bend));
    }
}

/* p->matrix := the derivatives of the rates at (t, x) by the states, row by row; 0 if they have no values. */
static int stiff_slopes(struct stiff_step *s)
{
    struct cutset_program *p = s->program;
    long k;
    s->factored = 0.0;
    s->has_slopes = s->is_current = 1;
    if (!slopes(&p->data, &s->slopes, s->t)) return 0;
    memset(p->matrix, 0, sizeof p->matrix);
    for (k = 0; k < CUTSET_JACOBIAN; k++) p->matrix[cutset_rows[k] * s->n + cutset_columns[k]] = p->jacobian[k];
    return 1;
}

/* p->lu := the factors of `shift` minus the matrix; 0 if they are singular. */
static int stiff_factor(struct cutset_program *p, long n, double shift)
{
    long i;
    for (i = 0; i < n * n; i++) p->lu[i] = -p->matrix[i];
    for (i = 0; i < n; i++) p->lu[i * n + i] += shift;
    return cutset_factorize((int)n, p->lu, p->pivots) != 0.0;
}

static void stiff_solve(const struct cutset_program *p, long n, double *b) { cutset_substitute((int)n, p->lu, p->pivots, b); }

/* Prepares the equations of a stage: next := its guess, s->base := its part that is known. */
static void stiff_guess(struct stiff_step *s, long stage)
{
    double *k = s->k[stage], grown = s->h_older > 0.0 ? cutset_min(s->h / s->h_older, 2.0) : 0.0;
    long i, j;
    for (i = 0; i < s->n; i++) {
        double sum = 0.0, guess = 0.0;
        for (j = 0; j < stage; j++) {
            sum += STIFF_A[stage][j] * s->k[j][i];
            guess += STIFF_GUESS[stage][j] * s->k[j][i];
        }
        if (stage == 1) guess = s->k[0][i] + (s->h_older > 0.0 ? grown * (s->k[0][i] - s->older[i]) : 0.0);
        k[i] = guess;
        s->base[i] = s->x[i] + s->h * sum;
        s->next[i] = s->base[i] + s->h * STIFF_GAMMA * guess;
    }
}

/* Solves the equations of a stage by Newton's method with the kept factors: DONE; STIFF if it does not converge; or why the
   model has no values. */
static int stiff_stage(struct stiff_step *s, const struct cutset_control *control, long stage)
{
    double shift = 1.0 / (s->h * STIFF_GAMMA), before = 0.0;
    long i, round;
    stiff_guess(s, stage);
    for (round = 0; round < STIFF_ROUNDS; round++) {
        double size, rate;
        int status = evaluate(&s->program->data, s->t + STIFF_NODE[stage] * s->h, s->next, s->change);
        if (status) return status;
        for (i = 0; i < s->n; i++) s->change[i] += shift * (s->base[i] - s->next[i]);
        stiff_solve(s->program, s->n, s->change);
        for (i = 0; i < s->n; i++) s->next[i] += s->change[i];
        size = scaled_norm(s->change, 0, s->x, control, s->n);
        if (!isfinite(size)) return STIFF;
        if (round > 0) {
            rate = size / before;
            s->slowest = cutset_max(s->slowest, rate);
            if (rate >= 0.9) return STIFF;
            s->convergence = rate / (1.0 - rate);
            if (size * s->convergence * pow(rate, (double)(STIFF_ROUNDS - 2 - round)) > STIFF_SOLVED) return STIFF;
        }
        if (size * s->convergence <= STIFF_SOLVED) break;
        before = size;
    }
    if (round == STIFF_ROUNDS) return STIFF;
    for (i = 0; i < s->n; i++) s->k[stage][i] = shift * (s->next[i] - s->base[i]);
    return DONE;
}

/* Computes the stages of the step, with its Jacobian and factors where they are not those kept: as stiff_stage. */
static int stiff_stages(struct stiff_step *s, const struct cutset_control *control)
{
    long stage;
    int status = DONE;
    if (!s->has_slopes && !stiff_slopes(s)) return NOT_FINITE;
    if (s->factored != s->h) {
        if (!stiff_factor(s->program, s->n, 1.0 / (s->h * STIFF_GAMMA))) return STIFF;
        s->factored = s->h;
        s->convergence = 1.0;
    }
    s->slowest = 0.0;
    s->convergence = pow(cutset_max(s->convergence, DBL_EPSILON), 0.8);
    for (stage = 1; stage < STIFF_STAGES && status == DONE; stage++) status = stiff_stage(s, control, stage);
    return status;
}

/* The error of the step over the tolerance. Components that the model damps at once do not count: the factors filter them. */
static double stiff_error(struct stiff_step *s, const struct cutset_control *control)
{
    double sum = 0.0;
    long i, j;
    for (i = 0; i < s->n; i++) {
        s->change[i] = 0.0;
        for (j = 0; j < STIFF_STAGES; j++) s->change[i] += STIFF_ERROR[j] / STIFF_GAMMA * s->k[j][i];
    }
    stiff_solve(s->program, s->n, s->change);
    for (i = 0; i < s->n; i++) {
        double scale = control->atol[i] + control->rtol * cutset_max(fabs(s->x[i]), fabs(s->next[i]));
        sum += s->change[i] / scale * (s->change[i] / scale);
    }
    return sqrt(sum / (double)s->n);
}

/* Makes the step of size h, and searches its first crossing; *until becomes the instant just after it. */
static int stiff_crosses(struct stiff_step *s, const struct cutset_control *control, double h, int first, double *until)
{
    struct cutset_data *d = &s->program->data;
    s->h = h;
    if (stiff_stages(s, control) != DONE) return 0;
    signed_crossings(d, s->t, s->x, d->watch.low);
    d->watch.known = 0;
    return crosses(d, stiff_state, s, s->t, s->t + h, first, until);
}

/* Lets the step end close to its crossing, at *until: interpolated states are not accurate enough there. An error that
   stiff equations damp at once makes the slope of a crossing that of this motion. */
static void end_at_crossing(struct stiff_step *s, const struct cutset_control *control, int first, double *until)
{
    static const double BEYOND[] = {1e-6, 1e-5, 1e-3};
    double whole = s->h, part = *until - s->t;
    size_t k;
    for (k = 0; k < sizeof BEYOND / sizeof *BEYOND; k++) {
        double h = part * (1.0 + BEYOND[k]);
        if (h < whole && s->t + h > *until && stiff_crosses(s, control, h, first, until)) return;
    }
    *until = s->t + whole;
    if (!stiff_crosses(s, control, whole, first, until)) memcpy(s->program->data.watch.z, s->next, s->n * sizeof(double));
}

/* Accepts the step to `end`: crossings and outputs. x becomes the state at r->t; true if a crossing ends the segment. */
static int accept_stiff(struct stiff_step *s, const struct cutset_control *control, double *x, double end, int first, long n,
                        const double *times, double *out, struct cutset_report *r)
{
    struct cutset_data *d = &s->program->data;
    double until = end, *swap = s->k[0];
    accept_point(d, end, s->next);
    r->crossed = crosses(d, stiff_state, s, s->t, end, first, &until);
    if (r->crossed && until < end) end_at_crossing(s, control, first, &until);
    write_step(d, stiff_state, s, s->t, end, s->next, until, x, n, times, out, r);
    memcpy(s->older, s->k[1], s->n * sizeof(double));
    s->h_older = s->h;
    s->k[0] = s->k[STIFF_STAGES - 1], s->k[STIFF_STAGES - 1] = swap;
    s->is_current = 0;
    s->t = until;
    return r->crossed != 0;
}

static void open_step(struct stiff_step *s, struct cutset_program *p, double t, double *x)
{
    double *place = p->k;
    long i;
    memset(s, 0, sizeof *s);
    s->program = p, s->n = p->data.n_states, s->t = t, s->x = x;
    for (i = 0; i < STIFF_STAGES; i++, place += s->n) s->k[i] = place;
    s->older = place, s->next = place + s->n, s->base = place + 2 * s->n, s->change = place + 3 * s->n;
    s->slopes.n = CUTSET_JACOBIAN, s->slopes.rows = cutset_rows, s->slopes.columns = cutset_columns;
    s->slopes.exact = CUTSET_HAS_JACOBIAN, s->slopes.groups = CUTSET_COLUMN_GROUPS;
    s->slopes.sequence = cutset_sequence, s->slopes.first = cutset_first, s->slopes.nominals = p->nominals;
    s->slopes.values = p->jacobian, s->slopes.x = x, s->slopes.h = s->base, s->slopes.shifted = s->change;
    s->slopes.z = place + 4 * s->n, s->slopes.dx = place + 5 * s->n;
}

/* The size of the first step, if no earlier method has found one. */
static int open_size(struct stiff_step *s, const struct cutset_control *control, double span, double *h)
{
    static const struct cutset_tableau ORDER = {STIFF_STAGES - 1, 4, 0, 0, 0, 0};
    struct step probe = {&ORDER, s->n, s->t, 0.0, s->x, {0}, 0, 0, 0, 0, 0, 0, 0};
    probe.k[0] = s->k[0], probe.k[1] = s->change, probe.next = s->next;
    return *h > 0.0 ? DONE : first_step(&s->program->data, control, &probe, span, h);
}

/* True if there is a pole between the ends of the step to `end`; *h becomes a size of step that approaches it. */
static int stiff_passes_pole(struct stiff_step *s, double end, double *h)
{
    struct cutset_data *d = &s->program->data;
    if (!passes_pole(d, s->t, s->x, s->k[0], end, s->next, s->k[STIFF_STAGES - 1])) return 0;
    *h = 0.9 * (d->bad_t - s->t);
    return 1;
}

/* The size of step to try after one that was rejected with this status and error. */
static double shorter(struct stiff_step *s, int status, double error)
{
    if (status == NOT_FINITE) return shorter_step(&s->program->data, s->h);
    if (status == DONE) return s->h * cutset_max(0.2, 0.9 * pow(error, -0.25));
    if (s->is_current) return 0.25 * s->h;
    s->has_slopes = 0;
    return s->h;
}

/* The size of the next step after an accepted one, which lets go of the Jacobian if it is no longer useful. */
static double longer(struct stiff_step *s, double error, int was_rejected)
{
    double factor = error > 0.0 ? 0.9 * pow(error, -0.25) : 6.0;
    factor = cutset_min(was_rejected ? 1.0 : 6.0, cutset_max(0.2, factor));
    if (s->slowest > STIFF_SLOW) s->has_slopes = 0;
    return s->has_slopes && factor >= 1.0 && factor <= STIFF_GROWTH ? s->h : s->h * factor;
}

/* Integrates from (t, x) to the last of n ascending times, or to the first crossing. `h`: the first size of step to try, 0 for
   none. */
static int stiff_steps(struct cutset_program *p, const struct cutset_control *control, double t, double *x, double h, long n,
                       const double *times, double *out, struct cutset_report *r)
{
    struct stiff_step s;
    struct cutset_data *d = &p->data;
    double end = times[n - 1];
    long tried;
    int first = 1, rejected = DONE, status;
    open_step(&s, p, t, x);
    s.has_slopes = p->stiff_has_slopes;
    begin_branch(d, t, x);
    begin_forcing(d, t, x);
    if ((status = evaluate(d, t, x, s.k[0])) || (status = open_size(&s, control, end - t, &h))) return status;
    watch(d, t, x);
    begin_poles(d, 0);
    for (tried = 0; tried < control->max_steps; tried++) {
        int last;
        double error;
        h = cutset_min(h, longest_with_delays(&d->history, control->max_step, 0));
        h = within_forcing(d, s.t, h, control->rtol, 0);
        last = s.t + 1.01 * h >= end;
        s.h = r->h = last ? end - s.t : h;
        r->t = s.t;
        if (!has_room(&d->history)) return DONE;
        if (0.1 * s.h <= fabs(s.t) * DBL_EPSILON && !last) return rejected == NOT_FINITE ? NOT_FINITE : STEP_TOO_SMALL;
        status = stiff_stages(&s, control);
        if (status == INTERRUPTED) return status;
        error = status ? INFINITY : stiff_error(&s, control) / share_of_tolerance(d->forcing, control->rtol, BALANCED);
        r->steps++;
        if (!(error <= 1.0)) {
            r->rejected++;
            rejected = status == NOT_FINITE ? NOT_FINITE : STEP_TOO_SMALL;
            h = shorter(&s, status, error);
            if (s.t + h == s.t || (status == NOT_FINITE && ends_here(d, control->nearest))) return rejected;
            continue;
        }
        if (stiff_passes_pole(&s, last ? end : s.t + s.h, &h)) {
            rejected = NOT_FINITE;
            r->rejected++;
            if (s.t + h <= s.t) return NOT_FINITE;
            continue;
        }
        h = cutset_max(last ? h : 0.0, longer(&s, error, rejected != DONE));
        rejected = DONE;
        p->stiff_step = h, p->stiff_has_slopes = s.has_slopes;
        if (accept_stiff(&s, control, x, last ? end : s.t + s.h, first, n, times, out, r) || last) return DONE;
        first = 0;
    }
    return TOO_MANY_STEPS;
}

/* True if this method reached the moment without an event there. */
static int goes_on_stiffly(const struct cutset_program *p, const struct cutset_moment *s)
{
    return p->stiff_until == s->t && p->events.tally.latest_event != s->t;
}

/* The same for a part of a segment from s, after `done` of its rows. */
static int integrate_implicit(struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e,
                              struct cutset_moment *s, long n, long done)
{
    struct cutset_program *p = (struct cutset_program *)(void *)d; /* its first member */
    struct cutset_report *r = &e->report;
    long row = e->tally.rows + done;
    double h = r->h;
    int status;
    if (goes_on_stiffly(p, s)) h = p->stiff_step;
    else p->stiff_has_slopes = 0;
    memset(r, 0, sizeof *r);
    r->t = s->t;
    begin_part(d, e, s, done);
    status = stiff_steps(p, control, s->t, s->x, h, n - done, e->row_t + row, e->row_x + row * d->n_states, r);
    count_part(d, e, r->steps, r->rejected);
    r->reached += done;
    p->stiff_until = status == DONE && !r->crossed ? r->t : NAN;
    return status;
}

#endif
