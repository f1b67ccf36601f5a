/* A step with its state at every instant in, the first crossing in it out. Included by driver.c alone; allocates nothing.
   runtime/solvers/crossings.py holds the same algorithm, operation for operation.

   Each crossing is the difference g of the two sides of a relation. While the relation keeps its value, side*g is not
   negative. One that starts at zero, or that little on the other side that locating it has left, is not armed: it takes part
   once it has been positive, or where the step ends and it never was. */

#ifndef CUTSET_CROSSINGS_H
#define CUTSET_CROSSINGS_H

/* The state at t within a step; `step` is what the method needs for it. */
typedef void state_at(void *step, double t, double *x);

static void signed_crossings(struct cutset_data *d, double t, const double *x, double *g)
{
    struct cutset_watch *w = &d->watch;
    long k;
    if (d->inputs) d->inputs(t, d->u);
    cutset_crossings(t, x, d->u, d->c, d->m, d->w, g);
    for (k = 0; k < w->n; k++) {
        if (w->side[k] == 0.0) w->side[k] = cutset_sign(g[k]);
        g[k] *= w->side[k];
    }
}

/* At the start of a stretch. */
static void watch(struct cutset_data *d, double t, const double *x)
{
    struct cutset_watch *w = &d->watch;
    long k;
    if (!w->n) return;
    signed_crossings(d, t, x, w->low);
    for (k = 0; k < w->n; k++) w->armed[k] = w->low[k] > 0.0;
}

static int is_armed(const struct cutset_watch *w)
{
    long k;
    for (k = 0; k < w->n; k++)
        if (w->armed[k] == 0.0) return 0;
    return 1;
}

/* Arms what is positive in g; whether something armed is negative. */
static int has_crossed(struct cutset_watch *w, const double *g)
{
    int crossed = 0;
    long k;
    for (k = 0; k < w->n; k++) {
        if (g[k] > 0.0) w->armed[k] = 1.0;
        else if (g[k] < 0.0 && w->armed[k] != 0.0) crossed = 1;
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
            if (w->armed[k] != 0.0 && w->high[k] < 0.0) {
                double below = low_weight * cutset_max(w->low[k], 0.0), above = high_weight * w->high[k];
                part = cutset_min(part, below / (below - above));
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

/* Looks for the first crossing in the step from a to b; whether there is one: then *root is an instant just behind it, z the
   state there, and `crossed` says what crosses. The step is looked at in its middle and at its end, the first of a stretch at
   many instants after its start where something is not armed yet. */
static int crosses(struct cutset_data *d, state_at *state, void *step, double a, double b, int first, double *root)
{
    struct cutset_watch *w = &d->watch;
    double last = a, early = b;
    const double *end;
    int halvings, found = 0, late = 0;
    long k;
    if (!w->n) return 0;
    for (halvings = first && !is_armed(w) ? 40 : 1; halvings >= 0 && !found; halvings--) {
        double t = halvings ? a + ldexp(b - a, -halvings) : b;
        if (halvings && !(t > last)) continue;
        state(step, t, w->z);
        signed_crossings(d, t, w->z, w->high);
        early = cutset_min(early, t);
        found = has_crossed(w, w->high);
        if (found) *root = locate(d, state, step, last, t);
        else exchange(&w->low, &w->high);
        last = t;
    }
    end = found ? w->high : w->low;
    for (k = 0; k < w->n; k++) late |= w->armed[k] == 0.0 && end[k] < 0.0;
    for (k = 0; k < w->n; k++) w->crossed[k] = end[k] < 0.0 && (w->armed[k] == 0.0) == late ? -w->side[k] : 0.0;
    if (late) {
        *root = early;
        state(step, early, w->z);
    }
    return found || late;
}

#endif
