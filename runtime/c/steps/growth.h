/* Finds states that grow by themselves from a size that their absolute tolerance does not resolve: the error made there grows
   along. The size tells the tolerance that a state needs, with which the run is repeated. */

#ifndef CUTSET_GROWTH_H
#define CUTSET_GROWTH_H

#include "driver.h"
#include "newton.h"
#include "poles.h"

/* In tolerances: an error that counts, of one absolute tolerance. */
static const double LARGE = 20.0;

/* In tolerances: the error of a state that has grown from this size to that, if at first it was its absolute tolerance, but no more
   than its size. */
static double grown_error(const struct cutset_growth *g, long i, double from, double size)
{
    const double atol = g->atol[i];
    return fmin(atol, from) * size / (from * (g->rtol * size + atol));
}

/* The part of a size that its tolerance follows: the errors of several steps add up. */
static const double OF_SIZE = 0.1;

/* True if its absolute tolerance is a large error of a state this small, which is more than rounding, and smaller than is known. */
static int is_small(const struct cutset_growth *g, long i, double size)
{
    const double rounding = 1e-6;
    return LARGE * g->rtol * size < g->atol[i] && size > rounding * g->atol[i] && OF_SIZE * size < g->from[i];
}

/* The largest size that matters of a state that was small. */
static double most_of(const struct cutset_growth *g, long i)
{
    return 10.0 * g->atol[i] / g->rtol;
}

/* The longest pause, in looks, after growth that is none: each costs as many evaluations as there are states. */
enum { MOST_STATES = 40, LONGEST_PAUSE = 64 };

/* How the derivatives depend on the states: on all of them, or on the small ones of many. */
struct motion {
    long n, states[MOST_STATES]; /* n: -1 while it is unknown, 0 if they are too many, or there are no derivatives */
    double slopes[MOST_STATES * MOST_STATES], factors[MOST_STATES * MOST_STATES], pivots[MOST_STATES];
};

static int counts_as_small(const struct cutset_data *d, const double *x, long i)
{
    return fabs(x[i]) <= most_of(&d->growth, i);
}

/* Fills s, by differences from (t, x), where the derivatives become dz. */
static void find_motion(struct cutset_data *d, double t, const double *x, struct motion *s)
{
    const double part = 0.5, least = 1e-6;
    struct cutset_poles *p = &d->poles;
    long i, j, count = 0;
    s->n = 0;
    for (i = 0; i < d->n_states; i++)
        if ((d->n_states <= MOST_STATES || counts_as_small(d, x, i)) && count++ < MOST_STATES) s->states[count - 1] = i;
    memcpy(p->z, x, d->n_states * sizeof(double));
    if (count > MOST_STATES || !rates_at_z(d, t)) return;
    for (j = 0; j < count; j++) {
        const long k = s->states[j];
        double shift = x[k] != 0.0 ? -part * x[k] : least * most_of(&d->growth, k);
        if (!counts_as_small(d, x, k)) shift = least * x[k];
        p->z[k] = x[k] + shift;
        if (!glance_at(d, t, p->z, p->low)) return;
        p->z[k] = x[k];
        for (i = 0; i < count; i++) s->slopes[i * count + j] = (p->low[s->states[i]] - p->dz[s->states[i]]) / shift;
    }
    s->n = count;
}

/* True if an error of one state alone grows, if states do at this rate: by the trapezoidal rule, which keeps oscillations and
   lets none grow that do not. */
static int error_grows(struct motion *s, long state, double rate)
{
    enum { STEPS = 48 };
    const double growth = 100.0, least = 5.0, h = log(growth) / rate / STEPS;
    double error[MOST_STATES] = {0}, next[MOST_STATES], largest = 0.0;
    const int n = (int)s->n;
    int i, j;
    for (i = 0; i < n * n; i++) s->factors[i] = (i % (n + 1) == 0) - 0.5 * h * s->slopes[i];
    if (cutset_factorize(n, s->factors, s->pivots) == 0.0) return 0;
    error[state] = 1.0;
    for (j = 0; j < STEPS; j++) {
        memcpy(next, error, n * sizeof(double));
        cutset_substitute(n, s->factors, s->pivots, next);
        for (i = 0; i < n; i++) error[i] = 2.0 * next[i] - error[i];
        if (j >= STEPS / 2) largest = fmax(largest, fabs(error[state]));
    }
    return largest > least;
}

/* True if state i, whose size grows at this rate, moves by what the small states do, and its errors grow; a derivative below
   `swing` may pass zero. */
static int grows_by_itself(struct cutset_data *d, long i, double t, const double *x, double rate, double swing,
                           struct motion *s)
{
    const double *dx = d->poles.dz;
    double rest;
    long j, state = -1;
    if (s->n < 0) find_motion(d, t, x, s);
    for (j = 0; j < s->n; j++)
        if (s->states[j] == i) state = j;
    if (state < 0) return 0;
    rest = dx[i];
    for (j = 0; j < s->n; j++)
        if (counts_as_small(d, x, s->states[j])) rest -= s->slopes[state * s->n + j] * x[s->states[j]];
    if (fabs(rest) <= 0.5 * fmax(fabs(dx[i]), swing) && error_grows(s, state, rate)) return 1;
    d->growth.pause = d->growth.pauses = cutset_min(4 * d->growth.pauses + 4, LONGEST_PAUSE);
    return 0;
}

static void note_growth(struct cutset_growth *g, long i, double from)
{
    g->from[i] = OF_SIZE * from;
    g->has_grown = 1;
}

/* Notes from which size state i has grown exponentially, or faster: beside a source such growth shows later. */
static void follow_growth(struct cutset_data *d, long i, double t, const double *x, struct motion *s)
{
    struct cutset_growth *g = &d->growth;
    const double size = fabs(x[i]), before = g->before[i], exponential = 0.9, earlier = 0.1;
    double rate, from;
    if (!(x[i] * before > 0.0) || size <= fabs(before)) {
        g->since[i] = 0.0;
        return;
    }
    rate = log(size / fabs(before)) / (t - g->t);
    if (!(g->since[i] > 0.0) || rate < exponential * g->rate[i]) {
        g->since[i] = fabs(before), g->rate[i] = rate;
        return;
    }
    from = earlier * g->since[i];
    if (g->pause || !is_small(g, i, from) || grown_error(g, i, from, size) < LARGE) return;
    if (grows_by_itself(d, i, t, x, rate, 0.0, s)) note_growth(g, i, from);
    else g->since[i] = 0.0;
}

/* The same for a state that oscillates: it has passed zero while the largest size so far has risen twice by a factor of ten, the
   second time not much slower. */
static void follow_oscillation(struct cutset_data *d, long i, double t, const double *x, struct motion *s)
{
    struct cutset_growth *g = &d->growth;
    const double step = 10.0, slower = 2.0, size = fabs(x[i]);
    double *times = g->times + 2 * i, rate;
    if (x[i] * g->before[i] < 0.0) g->passed[i] = t;
    if (!(size > g->least[i])) return;
    if (!(g->least[i] > 0.0) || size >= step * step * step * g->least[i]) {
        g->least[i] = size, times[0] = t, times[1] = NAN;
        return;
    }
    if (isnan(times[1]) && size >= step * g->least[i]) times[1] = t;
    if (size < step * step * g->least[i]) return;
    rate = 2.0 * log(step) / (t - times[0]);
    if (!g->pause && is_small(g, i, g->least[i]) && g->passed[i] > times[0] && times[1] > times[0] &&
        t - times[1] <= slower * (times[1] - times[0]) && grows_by_itself(d, i, t, x, rate, rate * size, s))
        note_growth(g, i, g->least[i]);
    times[0] = times[1], times[1] = t, g->least[i] *= step;
}

/* Looks at the sizes of the states at the end t of a step, when it needs w no more. */
static void look_at_sizes(struct cutset_data *d, double t, const double *x)
{
    enum { EVERY_STEPS = 2 };
    struct cutset_growth *g = &d->growth;
    struct motion motion;
    long i;
    if (!g->atol || ++g->steps % EVERY_STEPS || !(t > g->t)) return;
    motion.n = -1;
    g->pause -= g->pause > 0;
    for (i = 0; i < d->n_states; i++) {
        if (counts_as_small(d, x, i)) {
            follow_growth(d, i, t, x, &motion);
            follow_oscillation(d, i, t, x, &motion);
        }
        g->before[i] = x[i];
    }
    g->t = t;
}

#endif
