/* Integrates generated functions to trajectories at the requested times: the loops in which no Python runs. Knows
   nothing of a particular model and allocates nothing; the caller (runtime/targets/c_model.py) owns every array. */

#include "driver.h"
#include "evaluate.h"
#include "hosted.h"
#include "implicit.h"
#include "isolate.h"
#include "many.h"
#include "python_calls.h"
#include "together.h"
#include "whole.h"

CUTSET_SHARED int cutset_fault, cutset_careful, cutset_lost, cutset_beyond;
CUTSET_SHARED unsigned long cutset_open;
CUTSET_SHARED void (*cutset_external)(int k, const double *a, double *r);
CUTSET_SHARED void (*cutset_scripted)(int function, double t, const void *const *arrays, int *flags);

/* Where the calling thread has these variables, in the order in c_functions.py. */
void *cutset_own(long number)
{
    switch (number) {
    case 0: return &cutset_fault;
    case 1: return &cutset_open;
    case 2: return &cutset_external;
    default: return &cutset_scripted;
    }
}

/* ---- points and repetitions ---- */

/* y[k] := the variables at point k, for n points, all arrays row-major. */
void cutset_batch(long n, const long *widths, const double *t, const double *x, const double *u, const double *c,
                  const double *m, const double *guesses, double *w, double *y)
{
    long k, i, n_guesses = widths[4];
    for (k = 0; k < n; k++) {
        /* The run has no guesses for iterations that the derivatives do not need: these continue from point to
           point. */
        for (i = 0; guesses && i < n_guesses; i++)
            if (k == 0 || guesses[k * n_guesses + i] != guesses[(k - 1) * n_guesses + i]) w[i] = guesses[k * n_guesses + i];
        cutset_variables(t[k], x + k * widths[0], u + k * widths[1], c, m + k * widths[2], w, y + k * widths[3]);
    }
}

/* dx[k] := the derivatives at point k, each from the same guesses; nan if a guarded number is not finite. `sizes` are those
   of x, u, m, dx, the guesses and the guarded numbers. */
void cutset_rates(long n, const long *sizes, const double *t, const double *x, const double *u, const double *c,
                  const double *m, const double *guesses, double *w, double *dx)
{
    long k, i;
    for (k = 0; k < n; k++) {
        double *row = dx + k * sizes[3];
        memcpy(w, guesses, sizes[4] * sizeof(double));
        cutset_derivatives(t[k], x + k * sizes[0], u + k * sizes[1], c, m + k * sizes[2], w, row);
        for (i = 0; i < sizes[5]; i++)
            if (!isfinite(w[sizes[4] + i]) && sizes[3]) row[0] = NAN;
    }
}

/* Writes the outputs of a function at each point. */
void cutset_map(const struct cutset_points *p)
{
    long k, g;
    for (k = 0; k < p->n; k++) {
        double *u = p->u;
        for (g = 0; g < p->groups; g++) {
            memcpy(u, p->given[g] + k * p->widths[g], p->widths[g] * sizeof(double));
            u += p->widths[g];
        }
        cutset_derivatives(0.0, 0, p->u, p->c, 0, p->w, p->results + k * p->outputs);
    }
}

/* Evaluates the right-hand side n times at one point, for benchmarks: the C compiler cannot optimize any part away. */
void cutset_repeat(long n, double t, const double *x, const double *u, const double *c, const double *m, double *w,
                   double *dx)
{
    long k;
    for (k = 0; k < n; k++) cutset_derivatives(t, x, u, c, m, w, dx);
}
