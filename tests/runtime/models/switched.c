#include "cutset_support.h"

void cutset_bindings(double *p, const double *given)
{
    if (given[0] == 0.0) p[0] = 0.3;
    if (given[1] == 0.0) p[1] = 2.0*p[0];
}

void cutset_constants(const double *p, double *c)
{
    c[0] = p[0];
    c[1] = p[1];
}

void cutset_start(const double *c, double *x)
{
    x[0] = 0.0;
}

void cutset_nominals(const double *c, double *n)
{
    (void)c;
    n[0] = 1.0;
}

void cutset_event_times(const double *c, double *te)
{
    te[0] = c[0];
    te[1] = c[1];
}

void cutset_modes(double t, const double *c, double *m)
{
    m[0] = t > c[0] ? 1.0 : 0.0;
    m[1] = t < c[1] ? 1.0 : 0.0;
}

void cutset_derivatives(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *dx)
{
    w[0] = m[0]*m[1] != 0.0 ? 1.0 : 0.0;
    dx[0] = w[0] + u[0];
}

void cutset_variables(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *y)
{
    y[0] = m[0]*m[1] != 0.0 ? 1.0 : 0.0;
}
