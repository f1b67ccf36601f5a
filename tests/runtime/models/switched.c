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

void cutset_starts(const double *c, double *s)
{
    s[0] = 0.0;
}

void cutset_start(double t, const double *u, const double *c, const double *m, const double *s, double *w, double *x)
{
    x[0] = s[0];
}

void cutset_time_events(const double *c, const double *m, double *te)
{
    te[0] = c[0];
    te[1] = 1.0;
    te[2] = c[1];
    te[3] = 1.0;
}

void cutset_derivatives(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *dx)
{
    w[0] = m[0]*m[1] != 0.0 ? 1.0 : 0.0;
    dx[0] = w[0] + u[0];
}

void cutset_variables(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *y)
{
    y[0] = m[0]*m[1] != 0.0 ? 1.0 : 0.0;
    y[1] = t;
    y[2] = c[0];
    y[3] = t;
    y[4] = c[1];
}

void cutset_crossings(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *g)
{
}

void cutset_updates(double t, const double *x, const double *u, const double *c, const double *m, const double *f, double *w, double *e)
{
    e[0] = x[0];
}

void cutset_nominals(const double *c, double *n)
{
    (void)c;
    (void)n;
    n[0] = 1.0;
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
