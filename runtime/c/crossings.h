/* A step with its state at every instant in, the first crossing in it out. Included by driver.c alone; allocates nothing.
   runtime/solvers/crossings.py holds the same algorithm, operation for operation.

   Each crossing is the difference g of the two sides of a relation. While the relation keeps its value, side*g is not
   negative. One that starts at zero but for rounding, its margin, or that little on the other side that locating it has
   left, is not armed before it has been positive: till then it crosses where it becomes less than at the start, its base. */

#ifndef CUTSET_CROSSINGS_H
#define CUTSET_CROSSINGS_H

/* The state at t within a step; `step` is what the method needs for it. */
typedef void state_at(void *step, double t, double *x);

static void signed_crossings(struct cutset_data *d, double t, const double *x, double *g)
{
    struct cutset_watch *w = &d->watch;
    long k;
    fill_inputs(d, t);
    cutset_crossings(t, x, d->u, d->c, d->m, d->w, g);
    for (k = 0; k < w->n; k++) {
        if (w->side[k] == 0.0) w->side[k] = cutset_sign(g[k]);
        g[k] *= w->side[k];
    }
}

/* At the start of a stretch. */
static void watch(struct cutset_data *d, double t, const double *x)
{
    if (d->watch.n) signed_crossings(d, t, x, d->watch.low);
}

/* Before the first step: what is armed, from the values at its start and at its end (in `trial`); whether all is. */
static int arm(struct cutset_watch *w)
{
    int all = 1;
    long k;
    for (k = 0; k < w->n; k++) {
        w->margin[k] += 8.0 * DBL_EPSILON * fabs(w->trial[k]);
        w->armed[k] = w->low[k] > 2.0 * w->margin[k];
        w->base[k] = w->armed[k] != 0.0 ? 0.0 : cutset_min(w->low[k], 0.0) - w->margin[k];
        all &= w->armed[k] != 0.0;
    }
    return all;
}

/* Arms what is positive in g; whether something is below its base. */
static int has_crossed(struct cutset_watch *w, const double *g)
{
    int crossed = 0;
    long k;
    for (k = 0; k < w->n; k++) {
        if (g[k] > 2.0 * w->margin[k]) w->armed[k] = 1.0, w->base[k] = 0.0;
        else if (g[k] < w->base[k]) crossed = 1;
    }
    return crossed;
}

static void exchange(double **a, double **b)
{
    double *swap = *a;
    *a = *b;
    *b = swap;
}

/* The bracket from a to b, at which `low` and `high` are known, made as small as rounding allows: the Illinois method on the
   crossing that comes first, with a bisection in every third round. Gives b, behind the crossing; z is the state there. */
static double locate(struct cutset_data *d, state_at *state, void *step, double a, double b)
{
    struct cutset_watch *w = &d->watch;
    double tolerance = 4.0 * DBL_EPSILON * cutset_max(fabs(a), fabs(b)), low_weight = 1.0, high_weight = 1.0;
    int round, last = 0;
    long k;
    for (round = 1; round <= 200 && b - a > tolerance; round++) {
        double part = 1.0, t;
        for (k = 0; k < w->n; k++)
            if (w->high[k] < w->base[k]) {
                double before = low_weight * cutset_max(w->low[k] - w->base[k], 0.0);
                part = cutset_min(part, before / (before - high_weight * (w->high[k] - w->base[k])));
            }
        if (round % 3 == 0) part = 0.5;
        t = cutset_min(cutset_max(a + part * (b - a), a + 0.5 * tolerance), b - 0.5 * tolerance);
        state(step, t, w->z);
        signed_crossings(d, t, w->z, w->trial);
        if (has_crossed(w, w->trial)) {
            b = t;
            exchange(&w->high, &w->trial);
            low_weight = last == 1 ? 0.5 * low_weight : 1.0;
            high_weight = 1.0;
            last = 1;
        } else {
            a = t;
            exchange(&w->low, &w->trial);
            high_weight = last == -1 ? 0.5 * high_weight : 1.0;
            low_weight = 1.0;
            last = -1;
        }
    }
    state(step, b, w->z);
    return b;
}

/* Looks at t, after `last`: whether something has crossed by then, and if so *root is an instant just behind. */
static int probe(struct cutset_data *d, state_at *state, void *step, double last, double t, double *root)
{
    struct cutset_watch *w = &d->watch;
    state(step, t, w->z);
    signed_crossings(d, t, w->z, w->high);
    if (has_crossed(w, w->high)) {
        *root = locate(d, state, step, last, t);
        return 1;
    }
    exchange(&w->low, &w->high);
    return 0;
}

/* Looks for the first crossing in the step from a to b; whether there is one: then *root is an instant just behind it, z the
   state there, and `crossed` says what crosses. The step is looked at in its middle, at its end and at the output times in it,
   of which n are not reached; the first of a stretch at many instants after its start where something is not armed yet. */
static int crosses(struct cutset_data *d, state_at *state, void *step, double a, double b, int first, long n,
                   const double *times, double *root)
{
    struct cutset_watch *w = &d->watch;
    double last = a;
    int halvings, found = 0, all = 1;
    long k;
    if (!w->n) return 0;
    if (first) {
        state(step, b, w->z);
        signed_crossings(d, b, w->z, w->trial);
        all = arm(w);
    }
    for (halvings = all ? 1 : 40; halvings >= 0 && !found; halvings--) {
        double t = halvings ? a + ldexp(b - a, -halvings) : b;
        for (; n && times[0] < t && !found; n--, times++)
            if (times[0] > last) {
                found = probe(d, state, step, last, times[0], root);
                last = times[0];
            }
        if (found || (halvings && !(t > last))) continue;
        found = probe(d, state, step, last, t, root);
        last = t;
    }
    for (k = 0; k < w->n && found; k++)
        w->crossed[k] = w->high[k] < w->base[k] ? (w->armed[k] != 0.0 ? -1.0 : -2.0) * w->side[k] : 0.0;
    return found;
}

#endif
