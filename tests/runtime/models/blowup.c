#include "cutset_support.h"

void cutset_bindings(double *p, const double *given)
{
    (void)p, (void)given;
}

void cutset_constants(const double *p, double *c)
{
    (void)p, (void)c;
}

void cutset_start(const double *c, double *x)
{
    x[0] = 1.0;
}

void cutset_nominals(const double *c, double *n)
{
    (void)c;
    n[0] = 1.0;
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
    dx[0] = x[0] * x[0];
}

void cutset_variables(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *y)
{
    y[0] = x[0] * x[0];
}
