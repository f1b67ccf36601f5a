/* Opens SUNDIALS, closes it, and integrates stiff segments with it. SUNDIALS allocates, nothing else does. */

#ifndef CUTSET_IMPLICIT_H
#define CUTSET_IMPLICIT_H

#include "cutset_support.h"
#include "driver.h"
#include "inputs.h"
#include "segments.h"
#include "solver.h"
#include "sundials.h"

/* Sparse matrices are stored by columns. */
enum { CSC_MATRIX = 0 };

/* The number of bytes of an index of a sparse matrix, seen in one that SUNDIALS makes. */
long cutset_index_size(const struct cutset_library *l)
{
    void *context = 0, *dense, *sparse;
    double *numbers;
    long size;
    l->SUNContext_Create(0, &context);
    dense = l->SUNDenseMatrix(2, 2, context);
    numbers = l->SUNDenseMatrix_Data(dense);
    numbers[0] = numbers[3] = 1.0;
    numbers[1] = numbers[2] = 0.0;
    sparse = l->SUNSparseFromDenseMatrix(dense, 0.0, CSC_MATRIX);
    size = ((const int *)l->SUNSparseMatrix_IndexPointers(sparse))[1] == 1 ? 4 : 8;
    l->SUNMatDestroy(sparse);
    l->SUNMatDestroy(dense);
    l->SUNContext_Free(&context);
    return size;
}

/* Factorizes once: a solver that has never done so crashes when it is freed, as after a run that fails at once. */
static void factorize_identity(const struct cutset_sundials *q, long n)
{
    const struct cutset_library *l = q->library;
    double *numbers = l->SUNSparseMatrix_Data(q->matrix);
    void *rows = l->SUNSparseMatrix_IndexValues(q->matrix), *columns = l->SUNSparseMatrix_IndexPointers(q->matrix);
    long k, is_short = q->slopes.index_bytes == sizeof(int);
    for (k = 0; k <= n; k++) {
        if (k < n) numbers[k] = 1.0;
        if (k < n && is_short) ((int *)rows)[k] = (int)k;
        else if (k < n) ((long long *)rows)[k] = k;
        if (is_short) ((int *)columns)[k] = (int)k;
        else ((long long *)columns)[k] = k;
    }
    l->SUNLinSolInitialize_SuperLUMT(q->linear);
    l->SUNLinSolSetup_SuperLUMT(q->linear, q->matrix);
}

/* Newton for Adams too: fixed-point iteration needs no Jacobian, but fails on slightly stiff models. */
static void make_matrix(struct cutset_sundials *q, long n)
{
    const struct cutset_library *l = q->library;
    const struct cutset_slopes *s = &q->slopes;
    if (s->n_sparse) {
        q->matrix = l->SUNSparseMatrix(n, n, s->n_sparse, CSC_MATRIX, q->context);
        q->linear = l->SUNLinSol_SuperLUMT(q->y, q->matrix, 1, q->context);
        factorize_identity(q, n);
    } else if (s->is_banded) {
        q->matrix = l->SUNBandMatrix(n, s->upper, s->lower, q->context);
        q->linear = l->SUNLinSol_Band(q->y, q->matrix, q->context);
    } else {
        q->matrix = l->SUNDenseMatrix(n, n, q->context);
        q->linear = l->SUNLinSol_Dense(q->y, q->matrix, q->context);
    }
    l->SetLinearSolver(q->memory, q->linear, q->matrix);
    l->SetJacFn(q->memory, q->multistep ? (void (*)(void))cvode_jacobian : (void (*)(void))ida_jacobian);
}

/* For models with unknowns that are not integrated. Not all errors are tested: that of a derivative is that of a state in a
   stiff model, many times enlarged; that of a multiplier, divided by the step. */
static void test_some(struct cutset_sundials *q, long n)
{
    const struct cutset_library *l = q->library;
    long k;
    for (k = 0; k < n; k++) q->id[k] = k < q->n_tested ? 1.0 : 0.0;
    q->tested = l->N_VMake_Serial(n, q->id, q->context);
    l->IDASetId(q->memory, q->tested);
    l->IDASetSuppressAlg(q->memory, 1);
}

static void open_solver(struct cutset_sundials *q, double t)
{
    enum { MOST_TRIES = 40 }; /* of a step, 7 or 10 in SUNDIALS: it may be far too long where a diode turns on */
    const struct cutset_library *l = q->library;
    long n = q->data->n_states;
    l->SUNContext_Create(0, &q->context);
    l->SUNContext_ClearErrHandlers(q->context); /* errors come back as flags, not on the terminal */
    q->y = l->N_VMake_Serial(n, q->y_numbers, q->context);
    q->z = l->N_VMake_Serial(n, q->z_numbers, q->context);
    if (q->multistep) {
        q->memory = l->CVodeCreate((int)q->multistep, q->context);
        l->CVodeInit(q->memory, cvode_rates, t, q->y);
        l->CVodeSetMaxHnilWarns(q->memory, -1); /* warnings would go to the terminal */
        if (q->multistep == 2) l->CVodeSetStabLimDet(q->memory, 1); /* fast oscillations grow with the orders 4 and 5 */
    } else {
        q->dy = l->N_VMake_Serial(n, q->dy_numbers, q->context);
        q->memory = l->IDACreate(q->context);
        l->IDAInit(q->memory, ida_residual, t, q->y, q->dy);
        if (q->data->n_rates < n) test_some(q, n);
    }
    l->SetUserData(q->memory, q);
    l->WFtolerances(q->memory, weights);
    l->SetMaxErrTestFails(q->memory, MOST_TRIES);
    l->SetMaxConvFails(q->memory, MOST_TRIES);
    make_matrix(q, n);
}

/* Frees all that SUNDIALS has allocated. */
void cutset_close(struct cutset_sundials *q)
{
    const struct cutset_library *l = q->library;
    void **vectors[] = {&q->y, &q->dy, &q->z, &q->tested};
    size_t k;
    if (!q->memory) return;
    l->Free(&q->memory);
    l->SUNLinSolFree(q->linear);
    l->SUNMatDestroy(q->matrix);
    for (k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        if (*vectors[k]) l->N_VDestroy(*vectors[k]);
        *vectors[k] = 0;
    }
    l->SUNContext_Free(&q->context);
}

/* Takes over the tolerances of a run. Multipliers have none, so that Newton's method ends when all else is found: equations
   contain them linearly, and a solution without error has the value 0. */
static void take_tolerances(struct cutset_sundials *q, const struct cutset_control *control)
{
    const double any = 1e100;
    long k, i;
    q->rtol = control->rtol;
    q->atol = control->atol;
    q->max_steps = control->max_steps;
    for (k = 0; k < q->data->n_states; k++) {
        i = q->slopes.order ? q->slopes.order[k] : k;
        q->tolerance_numbers[k] = i < q->n_bound ? q->atol[i] : any;
    }
    if (q->slopes.n_sparse && q->library->omp_set_num_threads)
        q->library->omp_set_num_threads(1); /* waking other threads takes longer than they save */
    q->library->SetMaxNumSteps(q->memory, q->max_steps);
    set_convergence(q);
    memset(q->grown, 0, q->data->n_states * sizeof(double));
    q->share = 1.0, q->growth = 0.0;
    q->has_tolerances = 1;
}

/* Prepares the solver for a segment from (t, x), where it starts as a new one would. */
static void restart_solver(struct cutset_sundials *q, const struct cutset_control *control, double t, double *x, double end)
{
    const struct cutset_library *l = q->library;
    if (!q->memory) open_solver(q, t);
    if (!q->has_tolerances) take_tolerances(q, control);
    start_at(q, t, x);
    /* A shorter step does not advance time; without this limit the solver would creep towards an infinite solution. */
    l->SetMaxStep(q->memory, 0.0);
    l->SetMinStep(q->memory, 1e-3 * DBL_EPSILON * cutset_max(fabs(t), fabs(end)));
    if (isfinite(control->max_step)) l->SetMaxStep(q->memory, control->max_step);
    l->SetStopTime(q->memory, end);
    q->longest = control->max_step;
    q->x = x;
    q->slopes.by_differences = 0;
}

/* What a flag of SUNDIALS means at t. Ever smaller steps before a point without values may end with any of the failures. */
static int outcome_of(const struct cutset_data *d, int flag, double t)
{
    enum { TOO_MUCH_WORK = -1, TOO_SMALL = -3, NO_RATES = -8, LAST_NO_RATES = -12 };
    if (d->interrupted) return INTERRUPTED;
    if (flag >= 0) return DONE;
    if (flag == TOO_MUCH_WORK) return TOO_MANY_STEPS;
    if ((flag <= NO_RATES && flag >= LAST_NO_RATES) || (d->bad_evaluations && d->bad_t >= t)) return NOT_FINITE;
    return flag >= TOO_SMALL ? STEP_TOO_SMALL : NO_CONVERGENCE;
}

/* Integrates from (t, x) to the last of n times, or to the first crossing; returns how that ended. x becomes the
   state at report->t. */
int cutset_implicit(struct cutset_sundials *q, const struct cutset_control *control, double t, double *x, long n,
                    const double *times, double *out, struct cutset_report *r)
{
    int flag;
    memset(r, 0, sizeof *r);
    r->t = t;
    restart_solver(q, control, t, x, times[n - 1]);
    flag = sundials_steps(q, n, times, out, r);
    count_steps(q, r);
    return outcome_of(q->data, flag, r->t);
}

/* Prepares a method outside that starts again within a part, at this row. */
void cutset_restart_part(struct cutset_data *d, struct cutset_events *e, long row)
{
    d->bad_evaluations = d->refusals = d->branch.unsolved = 0;
    d->guesses = e->row_guesses + row * d->n_guesses;
    begin_watch(d, e, &e->state);
}

/* Integrates from s to the times in e->row_t after the rows, from `done` of them on. STIFF if there is no solver. */
static int integrate_implicit(struct cutset_data *d, const struct cutset_control *control, struct cutset_events *e,
                              struct cutset_moment *s, long n, long done)
{
    struct cutset_report *r = &e->report;
    const double *times = e->row_t + e->tally.rows + done;
    double *out = e->row_x + (e->tally.rows + done) * d->n_states;
    int status;
    if (!e->segment && !e->solver) return STIFF;
    begin_part(d, e, s, done);
    if (e->segment) {
        status = e->segment(e->tally.rows + done, n - done);
    } else {
        e->solver->has_tolerances &= e->solver->tightening == e->tally.tightening && e->solver->steep == e->tally.steep;
        e->solver->tightening = e->tally.tightening, e->solver->steep = e->tally.steep, e->solver->span = e->run_span;
        status = cutset_implicit(e->solver, control, s->t, s->x, n - done, times, out, r);
        e->tally.steep = e->solver->steep;
    }
    count_part(d, e, r->steps, r->rejected);
    r->reached += done;
    return status;
}

#endif
