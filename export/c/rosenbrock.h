/* Integrates stiff segments by the Rosenbrock method RODAS of order 4(3), which is L-stable and stiffly accurate: E. Hairer,
   G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., IV.7. Included by program.c only; allocates nothing. */

#ifndef CUTSET_ROSENBROCK_H
#define CUTSET_ROSENBROCK_H

enum { RODAS_STAGES = 6 };

static const double RODAS_GAMMA = 0.25;
static const double RODAS_NODE[RODAS_STAGES] = {0.0, 0.386, 0.21, 0.63, 1.0, 1.0};
static const double RODAS_D[RODAS_STAGES] = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0.0, 0.0};
static const double RODAS_A[RODAS_STAGES][5] = {
    {0.0, 0.0, 0.0, 0.0, 0.0},
    {1.544, 0.0, 0.0, 0.0, 0.0},
    {0.9466785280815826, 0.2557011698983284, 0.0, 0.0, 0.0},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817, 0.0, 0.0},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 0.0},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0}};
static const double RODAS_C[RODAS_STAGES][5] = {
    {0.0, 0.0, 0.0, 0.0, 0.0},
    {-5.6688, 0.0, 0.0, 0.0, 0.0},
    {-2.430093356833875, -0.2063599157091915, 0.0, 0.0, 0.0},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616, 0.0, 0.0},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160, 0.0},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}};
static const double RODAS_DENSE[2][5] = {
    {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662},
    {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872}};

/* A step of size h from (t, x): its stages, the states at its end, and the terms of the continuous extension. */
struct stiff_step {
    struct cutset_program *program;
    long n;
    double t, h;
    const double *x;
    double *k[RODAS_STAGES], *next, *dense[2], *rate, *slope_t, *trial;
};

static void stiff_state(void *step, double t, double *x)
{
    struct stiff_step *s = step;
    double part = (t - s->t) / s->h, rest = 1.0 - part;
    long i;
    for (i = 0; i < s->n; i++)
        x[i] = rest * s->x[i] + part * (s->next[i] + rest * (s->dense[0][i] + part * s->dense[1][i]));
}

/* p->matrix := the derivatives of the rates by the states at (t, x), row by row; 0 if the model does not provide them. */
static int exact_slopes(struct cutset_program *p, double t, const double *x)
{
    long k;
    if (!CUTSET_HAS_JACOBIAN) return 0;
    cutset_jacobian(t, x, p->u, p->c, p->data.m, p->w, p->jacobian);
    memset(p->matrix, 0, sizeof p->matrix);
    for (k = 0; k < CUTSET_JACOBIAN; k++) {
        if (!isfinite(p->jacobian[k])) return 0;
        p->matrix[cutset_rows[k] * CUTSET_STATES + cutset_columns[k]] = p->jacobian[k];
    }
    return 1;
}

/* The columns of a group, whose entries are those from `first` to before `end` of the sequence, from one difference: they
   have no entry in the same row. */
static int stiff_columns(struct stiff_step *s, long first, long end)
{
    struct cutset_program *p = s->program;
    long k;
    for (k = first; k < end; k++) {
        long j = cutset_columns[cutset_sequence[k]];
        s->trial[j] = s->x[j] + sqrt(DBL_EPSILON) * cutset_max(fabs(s->x[j]), p->tolerance[j]);
    }
    if (evaluate(&p->data, s->t, s->trial, s->next)) return 0;
    for (k = first; k < end; k++) {
        long i = cutset_rows[cutset_sequence[k]], j = cutset_columns[cutset_sequence[k]];
        p->matrix[i * s->n + j] = (s->next[i] - s->rate[i]) / (s->trial[j] - s->x[j]);
    }
    for (k = first; k < end; k++) {
        long j = cutset_columns[cutset_sequence[k]];
        s->trial[j] = s->x[j];
    }
    return 1;
}

/* p->matrix := the derivatives of the rates at (t, x) by the states, row by row; slope_t := those by time. */
static int stiff_slopes(struct stiff_step *s)
{
    struct cutset_program *p = s->program;
    struct cutset_data *d = &p->data;
    double ht = sqrt(DBL_EPSILON) * cutset_max(fabs(s->t), 1e-3 * p->events.run_span);
    long n = s->n, i, group;
    if (evaluate(d, s->t + ht, s->x, s->slope_t)) return 0;
    for (i = 0; i < n; i++) s->slope_t[i] = (s->slope_t[i] - s->rate[i]) / ht;
    fill_inputs(d, s->t);
    if (exact_slopes(p, s->t, s->x)) return 1;
    memcpy(s->trial, s->x, n * sizeof(double));
    memset(p->matrix, 0, sizeof p->matrix);
    for (group = 0; group < CUTSET_COLUMN_GROUPS; group++)
        if (!stiff_columns(s, cutset_first[group], cutset_first[group + 1])) return 0;
    return 1;
}

/* Factors of 1/(h*gamma) minus the matrix, with rows exchanged; 0 if they are singular. */
static int stiff_factor(struct cutset_program *p, long n, double shift)
{
    double *A = p->lu;
    long i, j, k;
    for (i = 0; i < n * n; i++) A[i] = -p->matrix[i];
    for (i = 0; i < n; i++) A[i * n + i] += shift;
    for (k = 0; k < n; k++) {
        long pivot = k;
        for (i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
        p->pivots[k] = pivot;
        if (!(fabs(A[pivot * n + k]) > 0.0)) return 0;
        for (j = 0; j < n && pivot != k; j++) {
            double swap = A[k * n + j];
            A[k * n + j] = A[pivot * n + j];
            A[pivot * n + j] = swap;
        }
        for (i = k + 1; i < n; i++) {
            double factor = A[i * n + k] /= A[k * n + k];
            if (factor == 0.0) continue;
            for (j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return 1;
}

static void stiff_solve(const struct cutset_program *p, long n, double *b)
{
    const double *A = p->lu;
    long i, j, k;
    for (k = 0; k < n; k++) {
        double swap = b[k];
        b[k] = b[p->pivots[k]];
        b[p->pivots[k]] = swap;
    }
    for (k = 0; k < n; k++)
        for (i = k + 1; i < n; i++) b[i] -= A[i * n + k] * b[k];
    for (k = n - 1; k >= 0; k--) {
        for (j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
}

/* Computes the stages of the step; next := the states at its end, the last stage is the estimate of the error. */
static int stiff_stages(struct stiff_step *s)
{
    long n = s->n, i, j, stage;
    for (stage = 0; stage < RODAS_STAGES; stage++) {
        double *k = s->k[stage];
        for (i = 0; i < n; i++) {
            double sum = s->x[i];
            for (j = 0; j < stage; j++) sum += RODAS_A[stage][j] * s->k[j][i];
            s->trial[i] = sum;
        }
        if (stage == 0) memcpy(k, s->rate, n * sizeof(double));
        else {
            int status = evaluate(&s->program->data, s->t + RODAS_NODE[stage] * s->h, s->trial, k);
            if (status) return status;
        }
        for (i = 0; i < n; i++) {
            double sum = 0.0;
            for (j = 0; j < stage; j++) sum += RODAS_C[stage][j] * s->k[j][i];
            k[i] += sum / s->h + RODAS_D[stage] * s->h * s->slope_t[i];
        }
        stiff_solve(s->program, n, k);
    }
    for (i = 0; i < n; i++) s->next[i] = s->trial[i] + s->k[5][i];
    return DONE;
}

static double stiff_error(const struct stiff_step *s, const struct cutset_control *control)
{
    double sum = 0.0;
    long i;
    for (i = 0; i < s->n; i++) {
        double scale = control->atol[i] + control->rtol * cutset_max(fabs(s->x[i]), fabs(s->next[i]));
        sum += s->k[5][i] / scale * (s->k[5][i] / scale);
    }
    return sqrt(sum / (double)s->n);
}

static void stiff_extension(struct stiff_step *s)
{
    long i, j, q;
    for (q = 0; q < 2; q++)
        for (i = 0; i < s->n; i++) {
            double sum = 0.0;
            for (j = 0; j < 5; j++) sum += RODAS_DENSE[q][j] * s->k[j][i];
            s->dense[q][i] = sum;
        }
}

/* Accepts the step to `end`: crossings and outputs. x becomes the state at r->t; true if a crossing ends the segment. */
static int accept_stiff(struct stiff_step *s, double *x, double end, int first, long n, const double *times, double *out,
                        struct cutset_report *r)
{
    struct cutset_data *d = &s->program->data;
    double until = end;
    accept_point(d, end, s->next);
    stiff_extension(s);
    r->crossed = crosses(d, stiff_state, s, s->t, end, first, &until);
    for (; r->reached < n && (times[r->reached] < until || (!r->crossed && times[r->reached] == until)); r->reached++) {
        double *row = out + r->reached * s->n;
        if (times[r->reached] < end) stiff_state(s, times[r->reached], row);
        else memcpy(row, s->next, s->n * sizeof(double));
        keep_guesses(d, times, r->reached, r->reached + 1);
    }
    memcpy(x, r->crossed ? d->watch.z : s->next, s->n * sizeof(double));
    s->t = r->t = until;
    if (r->crossed) extrapolate_guesses(d, until);
    return r->crossed != 0;
}

/* Remembers the derivatives at the start of the step; true if the step before has passed a pole. */
static int has_passed_pole(struct stiff_step *s)
{
    struct cutset_data *d = &s->program->data;
    struct cutset_poles *p = &d->poles;
    if (p->known && passes_pole(d, p->last_t, p->last_x, p->last_dx, s->t, s->x, s->rate)) return 1;
    memcpy(p->last_x, s->x, s->n * sizeof(double));
    memcpy(p->last_dx, s->rate, s->n * sizeof(double));
    p->last_t = s->t;
    p->known = 1;
    return 0;
}

static void open_step(struct stiff_step *s, struct cutset_program *p, double t, double *x)
{
    double *place = p->k;
    long i;
    s->program = p, s->n = p->data.n_states, s->t = t, s->x = x;
    for (i = 0; i < RODAS_STAGES; i++, place += s->n) s->k[i] = place;
    s->next = place, s->dense[0] = place + s->n, s->dense[1] = place + 2 * s->n;
    s->rate = place + 3 * s->n, s->slope_t = place + 4 * s->n, s->trial = place + 5 * s->n;
}

/* Integrates from (t, x) to the last of n ascending times, or to the first crossing. */
static int stiff_steps(struct cutset_program *p, const struct cutset_control *control, double t, double *x, long n,
                       const double *times, double *out, struct cutset_report *r)
{
    struct stiff_step s;
    struct cutset_data *d = &p->data;
    double end = times[n - 1], h, factor;
    long tried;
    int first = 1, fresh = 1, rejected = 0, status;
    open_step(&s, p, t, x);
    begin_branch(d, t, x);
    h = cutset_min(cutset_min(1e-4 * p->events.run_span, control->max_step), end - t);
    watch(d, t, x);
    begin_poles(d, 0);
    for (tried = 0; tried < control->max_steps; tried++) {
        int last;
        double error;
        if (fresh && ((status = evaluate(d, s.t, x, s.rate)) || !stiff_slopes(&s))) return NOT_FINITE;
        if (fresh && has_passed_pole(&s)) return NOT_FINITE;
        fresh = 0;
        h = cutset_min(h, control->max_step);
        last = s.t + 1.01 * h >= end;
        s.h = r->h = last ? end - s.t : h;
        if (0.1 * s.h <= fabs(s.t) * DBL_EPSILON && !last) return STEP_TOO_SMALL;
        status = stiff_factor(p, s.n, 1.0 / (s.h * RODAS_GAMMA)) ? stiff_stages(&s) : NOT_FINITE;
        error = status ? INFINITY : stiff_error(&s, control);
        r->steps++;
        factor = error > 0.0 ? 0.9 * pow(error, -0.25) : 6.0;
        factor = status ? 0.1 : cutset_min(6.0, cutset_max(0.2, factor));
        if (!(error <= 1.0)) {
            r->rejected++;
            rejected = 1;
            h = s.h * factor;
            if (s.t + h == s.t) return NOT_FINITE;
            continue;
        }
        h = s.h * (rejected ? cutset_min(1.0, factor) : factor);
        rejected = 0;
        fresh = 1;
        if (accept_stiff(&s, x, last ? end : s.t + s.h, first, n, times, out, r) || last) return DONE;
        first = 0;
    }
    return TOO_MANY_STEPS;
}

static int integrate_implicit(struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e,
                              struct cutset_moment *s, long n, long done)
{
    struct cutset_program *p = (struct cutset_program *)(void *)d; /* its first member */
    struct cutset_report *r = &e->report;
    long row = e->tally.rows + done;
    int status;
    memset(r, 0, sizeof *r);
    r->t = s->t;
    begin_part(d, e, s, done);
    status = stiff_steps(p, control, s->t, s->x, n - done, e->row_t + row, e->row_x + row * d->n_states, r);
    count_part(d, e, r->steps, r->rejected);
    r->reached += done;
    return status;
}

#endif
