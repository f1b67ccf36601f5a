#include "cutset_support.h"

void cutset_bindings(double *p, const double *given)
{
    if (given[0] == 0.0) p[0] = 2.0;
}

void cutset_constants(const double *p, double *c)
{
    c[0] = p[0];
}

void cutset_starts(const double *c, double *s)
{
    (void)c, (void)s;
}

void cutset_start(double t, const double *u, const double *c, const double *m, const double *s, double *w, double *x)
{
}

void cutset_time_events(const double *c, const double *m, double *te)
{
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
    cutset_solve(2, 1, 1, w, w + 4);
    y[0] = w[4];
    y[1] = w[5];
}

void cutset_crossings(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *g)
{
}

void cutset_updates(double t, const double *x, const double *u, const double *c, const double *m, const double *f, double *w, double *e)
{
}

void cutset_nominals(const double *c, double *n)
{
    (void)c;
    (void)n;

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
