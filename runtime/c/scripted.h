/* A model whose functions are in Python: each calls the function that the host has set for the calling thread. Compiled in
   the place of generated code. */

#ifndef CUTSET_SCRIPTED_H
#define CUTSET_SCRIPTED_H

#include "driver.h"

extern CUTSET_SHARED void (*cutset_scripted)(int function, double t, const void *const *arrays, int *flags);

enum { DERIVATIVES, VARIABLES, JACOBIAN, UPDATES, TIME_EVENTS, DELAYED, WATCH, CROSSINGS, BINDINGS, CONSTANTS, STARTS, NOMINALS,
       START };

static void call(int function, double t, const void *const *arrays)
{
    int flags[] = {cutset_careful, 0, 0};
    cutset_scripted(function, t, arrays, flags);
    if (flags[1]) cutset_lost = flags[1];
    if (flags[2]) cutset_beyond = 1;
}

#define CALL(function, t, ...) \
    do { \
        const void *arrays[] = {__VA_ARGS__}; \
        call(function, t, arrays); \
    } while (0)

void cutset_derivatives(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *dx)
{
    CALL(DERIVATIVES, t, x, u, c, m, w, dx);
}

void cutset_variables(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *y)
{
    CALL(VARIABLES, t, x, u, c, m, w, y);
}

void cutset_jacobian(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *j)
{
    CALL(JACOBIAN, t, x, u, c, m, w, j);
}

void cutset_updates(double t, const double *x, const double *u, const double *c, const double *m, const double *f, double *w,
                    double *e)
{
    CALL(UPDATES, t, x, u, c, m, f, w, e);
}

void cutset_time_events(const double *c, const double *m, double *te)
{
    CALL(TIME_EVENTS, 0.0, c, m, te);
}

void cutset_delayed(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *v)
{
    CALL(DELAYED, t, x, u, c, m, w, v);
}

void cutset_watch(const double *c, const double *m, double *w, double *h)
{
    CALL(WATCH, 0.0, c, m, w, h);
}

void cutset_crossings(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *g)
{
    CALL(CROSSINGS, t, x, u, c, m, w, g);
}

void cutset_bindings(double *p, const double *given)
{
    CALL(BINDINGS, 0.0, p, given);
}

void cutset_constants(const double *p, double *c)
{
    CALL(CONSTANTS, 0.0, p, c);
}

void cutset_starts(const double *c, double *s)
{
    CALL(STARTS, 0.0, c, s);
}

void cutset_nominals(const double *c, double *n)
{
    CALL(NOMINALS, 0.0, c, n);
}

void cutset_start(double t, const double *u, const double *c, const double *m, const double *s, double *w, double *x)
{
    CALL(START, t, u, c, m, s, w, x);
}

/* ---- nonlinear systems of such functions ---- */

/* r[0..n-1] := the residuals at z, followed by their derivatives row by row. */
typedef void scripted_residuals(const double *z, double *r);

static void call_residuals(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                           const double *z, double *r)
{
    scripted_residuals *const *f = (const void *)w;
    (void)t, (void)x, (void)u, (void)c, (void)m;
    (*f)(z, r);
}

/* As `cutset_newton`, with this care. 1 if there is a solution. */
int cutset_scripted_newton(int n, scripted_residuals *f, double *guess, double *z, int careful)
{
    const int before[] = {cutset_careful, cutset_lost, cutset_fault};
    int found;
    cutset_careful = careful;
    cutset_lost = cutset_fault = 0;
    cutset_newton(n, call_residuals, 0.0, 0, 0, 0, 0, (double *)&f, guess, z, 1);
    found = !cutset_lost && !cutset_fault;
    cutset_careful = before[0], cutset_lost = before[1], cutset_fault = before[2];
    return found;
}

#endif
