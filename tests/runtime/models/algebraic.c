#include "cutset_support.h"

void cutset_bindings(double *p, const double *given)
{
    if (given[0] == 0.0) p[0] = 2.0;
}

void cutset_constants(const double *p, double *c)
{
    c[0] = p[0];
}

void cutset_start(const double *c, double *x)
{
    (void)c, (void)x;
}

void cutset_nominals(const double *c, double *n)
{
    (void)c, (void)n;
}

void cutset_event_times(const double *c, double *te)
{
    (void)c, (void)te;
}

void cutset_modes(double t, const double *c, double *m)
{
    (void)t, (void)c, (void)m;
}

void cutset_derivatives(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *dx)
{
}

void cutset_variables(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *y)
{
    w[0] = 1.0;
    w[1] = 3.0;
    w[2] = 2.0;
    w[3] = 1.0;
    w[4] = 1.0;
    w[5] = sin(c[0] * t);
    cutset_solve(2, w, w + 4);
    y[0] = w[4];
    y[1] = w[5];
}
