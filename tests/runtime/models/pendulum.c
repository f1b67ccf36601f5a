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

void cutset_starts(const double *c, double *s)
{
    s[0] = 1.5;
    s[1] = c[1];
    s[2] = 0.0;
    s[3] = 0.0;
}

void cutset_start(double t, const double *u, const double *c, const double *m, const double *s, double *w, double *x)
{
    x[0] = s[0];
    x[1] = s[1];
    x[2] = s[2];
    x[3] = s[3];
}

void cutset_time_events(const double *c, const double *m, double *te)
{
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
    cutset_solve(2, 1, 1, w, w + 4);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = w[4];
    dx[3] = w[5];
}

void cutset_variables(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *y)
{
    y[0] = x[2] * x[2] + 0.5 * x[3] * x[3] + x[2] * x[3] * cos(x[0] - x[1]) - 2.0 * c[0] * cos(x[0]) - c[0] * cos(x[1]);
}

void cutset_crossings(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *g)
{
}

void cutset_updates(double t, const double *x, const double *u, const double *c, const double *m, const double *f, double *w, double *e)
{
    e[0] = x[0];
    e[1] = x[1];
    e[2] = x[2];
    e[3] = x[3];
}

void cutset_nominals(const double *c, double *n)
{
    (void)c;
    (void)n;
    n[0] = 1.0;
    n[1] = 1.0;
    n[2] = 1.0;
    n[3] = 1.0;
}

void cutset_jacobian(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *j)
{
    (void)t, (void)x, (void)u, (void)c, (void)m, (void)w, (void)j;
}

void cutset_watch(const double *c, const double *m, double *w, double *h)
{
    (void)c; (void)m; (void)w; (void)h;
}

void cutset_delayed(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *v)
{
    (void)t, (void)x, (void)u, (void)c, (void)m, (void)w, (void)v;
}
