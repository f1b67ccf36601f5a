#include "cutset_support.h"

void cutset_bindings(double *p, const double *given)
{
    if (given[0] == 0.0) p[0] = 9.81;
    if (given[1] == 0.0) p[1] = 1.0;
}

void cutset_constants(const double *p, double *c)
{
    c[0] = p[0];
    c[1] = p[1];
}

void cutset_start(const double *c, double *x)
{
    x[0] = 1.5;
    x[1] = c[1];
    x[2] = 0.0;
    x[3] = 0.0;
}

void cutset_nominals(const double *c, double *n)
{
    (void)c;
    n[0] = 1.0;
    n[1] = 1.0;
    n[2] = 1.0;
    n[3] = 1.0;
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
    w[6] = x[0] - x[1];
    w[0] = 2.0;
    w[1] = cos(w[6]);
    w[2] = w[1];
    w[3] = 1.0;
    w[4] = -sin(w[6]) * x[3] * x[3] - 2.0 * c[0] * sin(x[0]);
    w[5] = sin(w[6]) * x[2] * x[2] - c[0] * sin(x[1]);
    cutset_solve(2, w, w + 4);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = w[4];
    dx[3] = w[5];
}

void cutset_variables(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *y)
{
    y[0] = x[2] * x[2] + 0.5 * x[3] * x[3] + x[2] * x[3] * cos(x[0] - x[1]) - 2.0 * c[0] * cos(x[0]) - c[0] * cos(x[1]);
}
