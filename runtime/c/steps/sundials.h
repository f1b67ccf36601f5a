/* Runs CVODE and IDA step by step, and writes the states at the requested times up to the first crossing. Calls
   functions of SUNDIALS only by the pointers it receives. */

#ifndef CUTSET_SUNDIALS_H
#define CUTSET_SUNDIALS_H

#include "branches.h"
#include "crossings.h"
#include "cutset_support.h"
#include "delays.h"
#include "driver.h"
#include "evaluate.h"
#include "forcing.h"
#include "growth.h"
#include "history.h"
#include "inputs.h"
#include "jacobian.h"
#include "poles.h"
#include "solver.h"
#include "step_ends.h"

/* The states in a vector of SUNDIALS. */
static void to_states(const struct cutset_sundials *s, const double *y, double *x)
{
    const long *order = s->slopes.order;
    long k;
    if (order)
        for (k = 0; k < s->data->n_states; k++) x[order[k]] = y[k];
    else if (x != y)
        memcpy(x, y, s->data->n_states * sizeof(double));
}

/* A vector with these states. */
static void to_places(const struct cutset_sundials *s, const double *x, double *y)
{
    const long *order = s->slopes.order;
    long k;
    for (k = 0; k < s->data->n_states; k++) y[k] = x[order ? order[k] : k];
}

/* 1 if a window of evaluations has not advanced the time by more than its rounding in each: the solver creeps towards a
   singular point. */
static int is_stuck(struct cutset_data *d, double t)
{
    enum { WINDOW = 1000, LEAST = 4 };
    if (d->tries && d->tries < WINDOW) {
        d->tries++;
        return 0;
    }
    if (d->tries && fabs(t - d->tried_t) <= WINDOW * LEAST * DBL_EPSILON * fabs(t)) d->tries = -1;
    else d->tries = 1;
    d->tried_t = t;
    return d->tries < 0;
}

/* Remembers the latest evaluation, if all states are integrated. */
static void remember(struct cutset_data *d, double t, const double *x, const double *dx)
{
    struct cutset_poles *p = &d->poles;
    if (d->n_rates < d->n_states) return;
    p->t = t;
    memcpy(p->x, x, d->n_states * sizeof(double));
    memcpy(p->dx, dx, d->n_states * sizeof(double));
}

/* Writes the derivatives in the places of a vector. At a border beyond which the model has no values SUNDIALS would
   oscillate forever in steps too small to advance time: after PATIENCE refusals it is stopped. Returns 0, 1
   (recoverable: a smaller step) or -1 (stop). */
static int right_side(struct cutset_sundials *s, double t, const double *y, double *dy)
{
    enum { PATIENCE = 200 };
    struct cutset_data *d = s->data;
    int status;
    if (is_stuck(d, t)) return -1;
    if (s->slopes.order) {
        to_states(s, y, s->states);
        status = evaluate(d, t, s->states, s->rates);
        to_places(s, s->rates, dy);
        if (status == DONE) remember(d, t, s->states, s->rates);
    } else {
        status = evaluate(d, t, y, dy);
        if (status == DONE) remember(d, t, y, dy);
    }
    return status == DONE ? 0 : status == NOT_FINITE && ++d->refusals < PATIENCE ? 1 : -1;
}

/* CVEwtFn, IDAEwtFn: the weights of the errors, by the tolerances and the part of them that forcing leaves */
static int weights(void *y, void *weight, void *user)
{
    const struct cutset_sundials *s = user;
    const double *numbers = s->library->N_VGetArrayPointer(y);
    double *w = s->library->N_VGetArrayPointer(weight);
    long k;
    for (k = 0; k < s->data->n_states; k++) w[k] = 1.0 / (s->share * (s->rtol * fabs(numbers[k]) + s->tolerance_numbers[k]));
    return 0;
}

/* CVRhsFn */
static int cvode_rates(double t, void *y, void *dy, void *user)
{
    struct cutset_sundials *s = user;
    return right_side(s, t, s->library->N_VGetArrayPointer(y), s->library->N_VGetArrayPointer(dy));
}

/* IDAResFn: dy - f(t, y), or -f(t, y) for the unknowns that are not integrated */
static int ida_residual(double t, void *y, void *dy, void *residual, void *user)
{
    struct cutset_sundials *s = user;
    double *r = s->library->N_VGetArrayPointer(residual), *slope = s->library->N_VGetArrayPointer(dy);
    int flag = right_side(s, t, s->library->N_VGetArrayPointer(y), r);
    long i;
    for (i = 0; i < s->data->n_rates; i++) r[i] = slope[i] - r[i];
    for (; i < s->data->n_states; i++) r[i] = -r[i];
    return flag;
}

/* ---- the Jacobian ---- */

/* The numbers of the matrix. */
static double *numbers_of(const struct cutset_sundials *s, void *matrix)
{
    const struct cutset_library *l = s->library;
    if (s->slopes.n_sparse) return l->SUNSparseMatrix_Data(matrix);
    return s->slopes.is_banded ? l->SUNBandMatrix_Data(matrix) : l->SUNDenseMatrix_Data(matrix);
}

/* In tolerances: what steps with one Jacobian may leave to their last corrections before one of them is examined. */
static const double DOUBTFUL = 30.0;

/* CVLsJacFn. SUNDIALS has set the matrix to zero. */
static int cvode_jacobian(double t, void *y, void *fy, void *matrix, void *user, void *a, void *b, void *c)
{
    struct cutset_sundials *q = user;
    struct cutset_slopes *s = &q->slopes;
    double *numbers = numbers_of(q, matrix);
    long k;
    (void)fy, (void)a, (void)b, (void)c;
    to_states(q, q->library->N_VGetArrayPointer(y), s->x);
    if (!slopes(q->data, s, t)) return 1;
    for (k = 0; k < s->n; k++) numbers[s->places[k]] = s->values[k];
    q->doubt = 0.0, q->doubted = DOUBTFUL;
    return 0;
}

/* IDALsJacFn: the Jacobian of the residual by y, plus cj times that by dy. SUNDIALS has set the places of a sparse matrix
   to zero, too. */
static int ida_jacobian(double t, double cj, void *y, void *dy, void *r, void *matrix, void *user, void *a, void *b, void *c)
{
    struct cutset_sundials *q = user;
    struct cutset_slopes *s = &q->slopes;
    double *numbers = numbers_of(q, matrix);
    long k, n = q->data->n_states;
    (void)dy, (void)r, (void)a, (void)b, (void)c;
    to_states(q, q->library->N_VGetArrayPointer(y), s->x);
    if (!slopes(q->data, s, t)) return 1;
    for (k = 0; k < s->n; k++) numbers[s->places[k]] = -s->values[k];
    for (k = 0; k < q->data->n_rates; k++) numbers[s->diagonal[k]] += cj;
    if (s->n_sparse) {
        memcpy(q->library->SUNSparseMatrix_IndexPointers(matrix), s->pointers, (n + 1) * s->index_bytes);
        memcpy(q->library->SUNSparseMatrix_IndexValues(matrix), s->indices, s->n_sparse * s->index_bytes);
    }
    return 0;
}

/* ---- the loop ---- */

static int advance(struct cutset_sundials *s, double until, double *t, int task)
{
    enum { TOO_SMALL = -3 };
    const struct cutset_library *l = s->library;
    int flag = s->multistep ? l->CVode(s->memory, until, s->y, t, task) : l->IDASolve(s->memory, until, t, s->y, s->dy, task);
    return flag < 0 && s->data->tries < 0 ? TOO_SMALL : flag;
}

/* True if the last step has ended where a function turns that may have a kink: what comes then is known from there on. */
static int is_at_turn(const struct cutset_isolation *s, double t)
{
    long i;
    for (i = 0; i < s->n_forcing; i++)
        if (s->windows[i].begun == t && !s->windows[i].is_wave && !s->windows[i].is_open) return 1;
    return 0;
}

/* Relative errors of a state that grows by itself, exponentially or faster, keep their size, and add up: by some 10 tolerances when
   it grows by e. So do they in this part of the tolerance, with the square of which these sums have a limit. */
static double share_of_growth(const struct cutset_sundials *s)
{
    const double without_effect = 2.5;
    return s->growth > without_effect ? without_effect * without_effect / (s->growth * s->growth) : 1.0;
}

/* The first steps after a restart, of low order, have errors of one sign: those at the kinks of data add up to some ten tolerances
   in this part of the tolerance. */
static double share_of_kinks(const struct cutset_sundials *s)
{
    const double without_effect = 100.0, least = 0.01, *window = s->data->signals.window;
    const double length = window ? window[1] - window[0] : INFINITY;
    return s->multistep ? cutset_min(1.0, cutset_max(least, without_effect * length / s->span)) : 1.0;
}

/* Adds up by which power of e each state, larger than its absolute tolerance, has grown by itself up to t. */
static void look_at_growth(struct cutset_sundials *s, double t)
{
    const double exponential = 0.9;
    struct cutset_data *d = s->data;
    double *slope = d->poles.low, *curvature = d->poles.high;
    long i;
    s->library->GetDky(s->memory, t, 1, s->z);
    to_states(s, s->z_numbers, slope);
    if (s->library->GetDky(s->memory, t, 2, s->z)) return;
    to_states(s, s->z_numbers, curvature);
    s->growth = 0.0;
    for (i = 0; i < s->n_bound; i++) {
        const double x = s->x[i];
        if (!(x * slope[i] > 0.0)) s->grown[i] = 0.0;
        else if (s->rtol * fabs(x) > s->atol[i] && x * curvature[i] > exponential * slope[i] * slope[i]) {
            s->grown[i] += slope[i] / x * (t - s->looked_t);
            s->growth = cutset_max(s->growth, s->grown[i]);
        }
    }
    s->looked_t = t;
}

/* Limits the next step from t to `end` at most where delays and forcing ask for it. CVODE does not give the size of the
   next step if it `has_stopped` within the last one. IDA predicts a step of order 1 by the mean slope of the last one: behind a
   kink such as that of |t| that is right for half a step, by chance, and any step of that length seems right. */
static void limit_step(struct cutset_sundials *s, double t, double end, int has_stopped)
{
    const double irregular = 0.618;
    double longest = longest_with_delays(&s->data->history, s->longest, 0), next = 0.0, step;
    if (s->data->history.count && isfinite(longest)) s->library->SetMaxStep(s->memory, longest);
    s->share = share_of_growth(s) * share_of_kinks(s);
    if (!s->data->forcing) return;
    s->library->GetCurrentStep(s->memory, &next);
    if (!(next > 0.0) || (has_stopped && s->multistep)) next = end - t;
    step = within_forcing(s->data, t, next, s->rtol, 0);
    if (!s->multistep && is_at_turn(s->data->forcing, t)) step *= irregular;
    s->share *= share_of_tolerance(s->data->forcing, s->rtol, ADDING_UP);
    s->library->SetStopTime(s->memory, step < next ? cutset_min(t + step, end) : end);
}

/* x := the states at t in the last step. */
static void sundials_state(void *sundials, double t, double *x)
{
    struct cutset_sundials *s = sundials;
    s->library->GetDky(s->memory, t, 0, s->z);
    to_states(s, s->z_numbers, x);
}

/* The root mean square of h*v over the tolerances of the latest step, also of states that pass zero at its end. */
static double in_tolerances(const struct cutset_sundials *s, double h, const double *v)
{
    const struct cutset_data *d = s->data;
    double sum = 0.0;
    long i;
    for (i = 0; i < d->n_states; i++) {
        double q = h * v[i] / (s->atol[i] + s->rtol * cutset_max(fabs(d->poles.x[i]), fabs(d->poles.last_x[i])));
        sum += q * q;
    }
    return sqrt(sum / (double)d->n_states);
}

/* True if the step just accepted does not satisfy its own equations. Close to a pole the Jacobian is so large that Newton's
   method changes nothing, and takes an extrapolation for the solution, which may lead back: states move against their
   derivatives. They may in a stiff model, too; but there the derivatives change as much as they differ if the states do. */
static int is_false_step(struct cutset_sundials *s, double t)
{
    const double tolerances = 100.0, faster = 10.0;
    struct cutset_data *d = s->data;
    struct cutset_poles *p = &d->poles;
    double h = p->t - p->last_t, size;
    long i;
    s->library->GetDky(s->memory, t, 1, s->z);
    to_states(s, s->z_numbers, p->low);
    for (i = 0; i < d->n_states; i++) p->high[i] = p->low[i] * p->dx[i] < 0.0 ? p->low[i] : 0.0;
    size = in_tolerances(s, h, p->high);
    if (!(size > tolerances && size > faster * in_tolerances(s, h, p->dx))) return 0;
    for (i = 0; i < d->n_states; i++) p->z[i] = p->x[i] - h * (p->low[i] - p->dx[i]);
    if (!rates_at_z(d, p->t)) return 0;
    for (i = 0; i < d->n_states; i++) p->dz[i] -= p->dx[i];
    if (in_tolerances(s, h, p->dz) > size) return 0;
    return record_pole(d, p->t, p->x);
}

/* In tolerances: how much of the equations of a step of length h to s->x rounding of the states leaves, where the derivatives are
   p->low + p->high. */
static double left_by_rounding(struct cutset_sundials *s, double t, double h)
{
    struct cutset_data *d = s->data;
    struct cutset_poles *p = &d->poles;
    long i;
    for (i = 0; i < d->n_states; i++) p->z[i] = s->x[i] * (1.0 + (i % 2 ? 4.0 : -4.0) * DBL_EPSILON);
    if (!rates_at_z(d, t)) return INFINITY;
    for (i = 0; i < d->n_states; i++) p->dz[i] -= p->low[i] + p->high[i];
    return in_tolerances(s, h, p->dz);
}

/* True if the step that ends at t leaves more of its equations than the last correction should have taken away. A function that
   is steep within the tolerance, such as friction near velocity zero, may have any value then; and with a Jacobian from where it
   was far larger, as that of a root beside zero, Newton's method changes nothing. What corrections had to take away since the
   Jacobian, estimated from some of the steps, is `doubt`, which is no less than the error; a step is examined when that has grown. */
static int is_unsolved_step(struct cutset_sundials *s, double t, long steps)
{
    enum { SUMMED = 8 }; /* one of so many steps */
    const double linear = 0.9, noise = 10.0, growth = 8.0;
    struct cutset_data *d = s->data;
    struct cutset_poles *p = &d->poles;
    double h = p->t - p->last_t, left, expected;
    long i;
    if (!s->multistep || !p->known || steps % SUMMED) return 0;
    if (s->tightening < 1.0) return 0; /* rounding leaves more than such tolerances */
    s->library->GetDky(s->memory, t, 1, s->z);
    to_states(s, s->z_numbers, p->low);
    for (i = 0; i < d->n_states; i++) p->high[i] = p->dx[i] - p->low[i];
    expected = in_tolerances(s, h, p->high);
    s->doubt += SUMMED * expected;
    if (!(s->doubt > s->doubted) || !glance_at(d, t, s->x, p->dz)) return 0;
    s->doubted = growth * s->doubt;
    for (i = 0; i < d->n_states; i++) p->high[i] = p->dz[i] - p->low[i];
    left = in_tolerances(s, h, p->high);
    return left > noise && left > linear * expected && left > noise * left_by_rounding(s, t, h);
}

/* True if the step just accepted, which ends at t, has passed a pole or is false. */
static int has_passed_pole(struct cutset_sundials *s, double t)
{
    enum { SUSPECT = 5 };
    struct cutset_data *d = s->data;
    struct cutset_poles *p = &d->poles;
    if (d->n_rates < d->n_states) return 0;
    if (p->known) {
        if (strays(d, p->last_dx, p->dx)) p->suspect = SUSPECT;
        if (passes_pole(d, p->last_t, p->last_x, p->last_dx, p->t, p->x, p->dx)) return 1;
        if (p->suspect > 0) {
            if (is_false_step(s, t)) return 1;
            memcpy(p->rise, p->dx, d->n_states * sizeof(double)); /* which may also fall, within the tolerance */
            p->suspect--;
        }
    }
    exchange(&p->last_x, &p->x);
    exchange(&p->last_dx, &p->dx);
    p->last_t = p->t;
    p->known = 1;
    return 0;
}

/* True if a step that has ended at t has met a kink of a table. */
static int is_at_kink(const struct cutset_isolation *s, double t)
{
    long i;
    for (i = 0; s && i < s->n_forcing; i++)
        if (s->windows[i].is_table && !s->windows[i].is_open && fabs(s->windows[i].until - t) <= GRAIN * s->span) return 1;
    return 0;
}

/* Starts at (t, x): what was before does not count. */
static void start_at(struct cutset_sundials *s, double t, const double *x)
{
    const struct cutset_library *l = s->library;
    struct cutset_data *d = s->data;
    long k;
    to_places(s, x, s->y_numbers);
    if (s->multistep) {
        l->CVodeReInit(s->memory, t, s->y);
        return;
    }
    fill_at(d, t, x);
    cutset_derivatives(t, x, d->u, d->c, d->m, d->w, s->rates);
    for (k = d->n_rates; k < d->n_states; k++) s->rates[k] = 0.0; /* the first step finds them */
    to_places(s, s->rates, s->dy_numbers);
    l->IDAReInit(s->memory, t, s->y, s->dy);
}

/* Adds the work since the solver started. */
static void count_steps(const struct cutset_sundials *s, struct cutset_report *r)
{
    long steps, rejected;
    s->library->GetNumSteps(s->memory, &steps);
    s->library->GetNumErrTestFails(s->memory, &rejected);
    r->steps += steps;
    r->rejected += rejected;
}

/* The output with which the first step from t begins: SUNDIALS limits that to a tenth of the way to it. Where everything changes
   slowly, a distant output would allow too long a step. With events or nonlinear systems, the derivatives alone decide. */
static long first_aim(const struct cutset_data *d, double t, long n, const double *times, long reached)
{
    if (d->watch.n || d->branch.n) return n - 1;
    while (reached < n - 1 && times[reached] - t <= GRAIN * (times[n - 1] - t)) reached++;
    return reached;
}

/* Starts again where the states are s->x, also if the step that is repeated had reached the stop time, which SUNDIALS then forgets;
   returns the output to aim at. */
static long start_anew(struct cutset_sundials *s, long n, const double *times, struct cutset_report *r)
{
    count_steps(s, r);
    start_at(s, r->t, s->x);
    s->library->SetStopTime(s->memory, times[n - 1]);
    return first_aim(s->data, r->t, n, times, r->reached);
}

/* How accurately steps are solved: more so than by default in SUNDIALS where unknowns, such as the current of a diode, enlarge the
   rest, and where steps were not solved. Only a little more would leave Newton's method where it does not converge. */
static void set_convergence(struct cutset_sundials *s)
{
    const double tighter = 1e-3, first = s->data->n_rates < s->data->n_states ? 0.01 : s->multistep ? 0.1 : 0.33;
    s->convergence = first * pow(tighter, (double)s->steep);
    s->library->SetNonlinConvCoef(s->memory, s->convergence);
}

static void solve_better(struct cutset_sundials *s)
{
    s->steep++;
    set_convergence(s);
}

/* Integrates step by step to the last of n times, or to the first crossing; returns the last flag. x becomes the state at
   report->t. */
static int sundials_steps(struct cutset_sundials *s, long n, const double *times, double *out, struct cutset_report *r)
{
    enum { AT_STOP_TIME = 1, ONE_STEP = 2, TOO_MUCH_WORK = -1, TOO_SMALL = -3, NO_RATES = -8 };
    enum { LOOKS_AT = 16 }; /* each so many steps */
    const double least = 1e-12;
    struct cutset_data *d = s->data;
    long since = 0, steps = 0, aim = first_aim(d, r->t, n, times, r->reached);
    int first = 1, flag = 0;
    s->looked_t = r->t;
    begin_branch(d, r->t, s->x);
    begin_forcing(d, r->t, s->x);
    watch(d, r->t, s->x);
    begin_poles(d, 0);
    d->refusals = d->tries = 0;
    while (r->reached < n) {
        const double before = r->t;
        const long reached = r->reached;
        if (!has_room(&d->history)) return 0;
        limit_step(s, r->t, times[n - 1], flag == AT_STOP_TIME);
        flag = advance(s, times[aim], &r->t, ONE_STEP);
        to_states(s, s->y_numbers, s->x);
        if (flag < 0) return flag;
        if (is_unsolved_step(s, r->t, ++steps)) {
            sundials_state(s, before, s->x);
            r->t = before;
            if (s->convergence < least) return TOO_SMALL;
            solve_better(s);
            aim = start_anew(s, n, times, r);
            continue;
        }
        if (has_passed_pole(s, r->t)) {
            sundials_state(s, before, s->x);
            r->t = before;
            return NO_RATES;
        }
        if (steps % LOOKS_AT == 0) look_at_growth(s, r->t);
        end_step(d, sundials_state, s, before, r->t, s->x, first, s->x, n, times, out, r);
        if (!r->crossed && r->reached < n) look_at_sizes(d, r->t, s->x);
        first = 0;
        if (r->reached > reached) since = d->refusals = 0;
        if (r->crossed) return 0;
        if (s->multistep == 1 && r->reached < n && is_at_kink(d->forcing, r->t)) /* no estimate of Adams holds beyond it */
            aim = start_anew(s, n, times, r);
        if (++since <= s->max_steps) continue;
        if (!s->multistep || s->steep) return TOO_MUCH_WORK;
        solve_better(s);
        aim = start_anew(s, n, times, r);
        since = 0;
    }
    return 0;
}

#endif
