/* Locates the first crossing in a step, from its interpolated states. Allocates nothing.

   Each crossing is the difference g of the two sides of a relation. While the relation keeps its value, side*g is
   not negative. A crossing that starts at zero up to rounding (its margin), or slightly on the other side after it
   was located, is not armed until it has been positive: until then it crosses when it falls below its value at the
   start, its base. A relation that changes where its sides are equal crosses where they become so, even if they stay equal. */

#ifndef CUTSET_CROSSINGS_H
#define CUTSET_CROSSINGS_H

#include "branches.h"
#include "cutset_support.h"
#include "driver.h"
#include "inputs.h"

/* The state at t within a step; `step` is the data of the method. */
typedef void state_at(void *step, double t, double *x);

/* Gives those crossings a side that have none so far. */
static void take_sides(struct cutset_watch *w, const double *g)
{
    long k;
    w->has_free = 0;
    for (k = 0; k < w->n; k++) {
        if (w->side[k] == 0.0) w->side[k] = g[k] > 0.0 ? 1.0 : g[k] < 0.0 ? -1.0 : 0.0;
        w->has_free |= w->side[k] == 0.0;
    }
}

static void signed_crossings(struct cutset_data *d, double t, const double *x, double *g)
{
    double *restrict values = g;
    const double *restrict side = d->watch.side;
    long k, n = d->watch.n;
    fill_at(d, t, x);
    guess_within(d, t, x);
    cutset_crossings(t, x, d->u, d->c, d->m, d->w, g);
    if (d->watch.has_free) take_sides(&d->watch, g);
    for (k = 0; k < n; k++) values[k] *= side[k];
}

/* Updates the sizes from a sample. Not from values close to a crossing that is located: they may be those at a pole. */
static void note_sizes(struct cutset_watch *w, const double *restrict values)
{
    double *restrict sizes = w->sizes, *restrict peaks = w->sizes + w->n;
    long k, n = w->n;
    for (k = 0; k < n; k++) {
        double size = fabs(values[k]);
        sizes[k] = size > sizes[k] ? size : sizes[k];
        peaks[k] = size > peaks[k] ? size : peaks[k];
    }
}

/* Two relations say that a choice of states is good, one for each sign of a determinant; they are evaluated where steps end,
   and have an infinite size. Where a solution that is followed goes straight on through a singular position the sign changes,
   and the choice is as good as before: they change sides. True if some do. */
static int change_sides(struct cutset_watch *w, double *g)
{
    long k, in_pair = 0;
    int any = 0;
    for (k = 0; k + 1 < w->n; k++) {
        if (!isinf(w->sizes[k]) || in_pair++ % 2 || !(g[k] < 0.0 && g[k + 1] < 0.0)) continue;
        w->side[k] = -w->side[k], w->side[k + 1] = -w->side[k + 1];
        g[k] = -g[k], g[k + 1] = -g[k + 1];
        any = 1;
    }
    return any;
}

/* Initializes the crossings at the start of a segment. */
static void watch(struct cutset_data *d, double t, const double *x)
{
    d->watch.has_free = 1;
    if (!d->watch.n) return;
    signed_crossings(d, t, x, d->watch.low);
    change_sides(&d->watch, d->watch.low);
}

/* Before the first step: arms crossings from the values at its start and at its end (in `trial`); true if all are armed,
   but for those that are exactly zero at both: they rest, as those of a mode that is not active. */
static int arm(struct cutset_watch *w)
{
    int all = 1;
    long k;
    for (k = 0; k < w->n; k++) {
        w->margin[k] += 8.0 * DBL_EPSILON * fabs(w->trial[k]);
        w->armed[k] = w->low[k] > 2.0 * w->margin[k];
        w->base[k] = w->armed[k] != 0.0 ? 0.0 : cutset_min(w->low[k], 0.0) - w->margin[k];
        all &= w->armed[k] != 0.0 || (w->low[k] == 0.0 && w->trial[k] == 0.0);
    }
    return all;
}

/* Values below this part of the largest one so far are noise and not resolved. Crossings that are evaluated only where
   steps end have an infinite size. */
static const double FADED = 1e-10;
/* The sides of two relations that state that these are equal meet if they differ by less than this part of that value. */
static const double TOUCHING = 1e-12;
/* The smallest positive number. */
static const double SMALLEST = 4.9406564584124654e-324;
/* Just after the start of a segment, samples may come FAST times farther apart if deviations from the chord are at most
   a part SMOOTH of the distance from the base: these grow with the square and the cube of the distance of samples. If the
   deviations are even at most SMOOTH^2, FAST^2 times. Else, and where samples are apart as in a segment that starts
   away from crossings, SLOW times: an input may jump after it was constant. */
static const double SMOOTH = 1e-3, FAST = 8.0, SLOW = 1.5;

#define CUTSET_WIDTH 1
#define CUTSET_NUMBER double
#define CUTSET_BITS int
#define CUTSET_OF(name) single_##name
#define CUTSET_PICK(truth, a, b) ((truth) ? (a) : (b))
#define CUTSET_NOT(truth) (!(truth))
#define CUTSET_ANY(truth) (truth)
#define CUTSET_SIZE(x) fabs(x)
#include "samples.h"

#if defined(__GNUC__) && !defined(__TINYC__)
#define CUTSET_HAS_VECTORS
typedef double cutset_four __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long cutset_four_bits __attribute__((vector_size(32)));
#define CUTSET_WIDTH 4
#define CUTSET_NUMBER cutset_four
#define CUTSET_BITS cutset_four_bits
#define CUTSET_OF(name) four_##name
#define CUTSET_PICK(truth, a, b)                                                                                          \
    ((cutset_four)(((cutset_four_bits)(a) & (truth)) | ((cutset_four_bits)(b) & ~(truth))))
#define CUTSET_NOT(truth) (~(truth))
#define CUTSET_ANY(truth) ((truth[0] | truth[1] | truth[2] | truth[3]) != 0)
#define CUTSET_SIZE(x) ((cutset_four)((cutset_four_bits)(x) & 0x7fffffffffffffffLL))
#include "samples.h"
#endif

/* Arms the crossings that are positive in g; true if one is below its base. */
static int has_crossed(struct cutset_watch *w, double *g)
{
#ifdef CUTSET_HAS_VECTORS
    if (w->n >= 4) return four_have_crossed(w, g);
#endif
    return single_have_crossed(w, g);
}

/* True if a crossing in `high` becomes zero that was positive in `low`, and its relation changes there: its sides may stay
   equal. `touch` is 0 for such a relation, 1 if rounding may keep the sides apart, and negative for others. */
static int touches(struct cutset_watch *w)
{
    const double *restrict touch = w->touch, *restrict high = w->high;
    int any = 0;
    long k;
    for (k = 0; k < w->n; k++) {
        double most = touch[k] != 0.0 ? touch[k] * TOUCHING * w->sizes[k] : 0.0;
        if (!(high[k] <= most) || touch[k] < 0.0 || w->armed[k] == 0.0 || !(w->low[k] > most)) continue;
        w->base[k] = w->floor[k] = cutset_max(most, SMALLEST);
        any = 1;
    }
    return any;
}

/* No crossing touches. */
static void release(struct cutset_watch *w)
{
    long k;
    for (k = 0; k < w->n; k++) {
        if (w->floor[k] != 0.0) w->base[k] = 0.0;
        w->floor[k] = 0.0;
    }
}

static void exchange(double **a, double **b)
{
    double *swap = *a;
    *a = *b;
    *b = swap;
}

/* Narrows the bracket from a to b, with the values `low` and `high`, as far as rounding allows: the Illinois method
   on the crossing that comes first, with a bisection where three rounds have not halved the bracket. Returns b, just after
   the crossing; z is the state there. */
static double locate(struct cutset_data *d, state_at *state, void *step, double a, double b)
{
    struct cutset_watch *w = &d->watch;
    double tolerance = 4.0 * DBL_EPSILON * cutset_max(fabs(a), fabs(b)), low_weight = 1.0, high_weight = 1.0;
    double widths[3] = {INFINITY, INFINITY, INFINITY}, end = b, t;
    int round, last = 0;
    long k;
    for (round = 0; round < 200 && b - a > tolerance; round++) {
        double part = 1.0;
        for (k = 0; k < w->n; k++)
            if (w->high[k] < w->base[k]) {
                double before = low_weight * cutset_max(w->low[k] - w->base[k], 0.0);
                double between = before - high_weight * (w->high[k] - w->base[k]);
                if (between > 0.0) part = cutset_min(part, before / between); /* the weight may underflow */
            }
        if (b - a > 0.5 * widths[round % 3]) part = 0.5;
        widths[round % 3] = b - a;
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
    for (; b < end && !all_finite(w->n, w->high); b = cutset_min(b + tolerance, end)) { /* at a pole: just after it */
        t = cutset_min(b + tolerance, end);
        state(step, t, w->z);
        signed_crossings(d, t, w->z, w->high);
    }
    state(step, b, w->z);
    return b;
}

/* By how much the distance of samples may grow if those at `from` and `to`, in `low` and `high`, and the two before show
   everything between them: no crossing that has not crossed reaches its base and returns, and one that has crossed does
   so once. 0 if they do not. The deviation from the chord is the parabola through the last three samples, with an error
   of at most twice what the fourth sample implies, which must be a small part of the distance; chord(t) >= B*(t -
   from)*(to - t) holds between the ends if B*h^2 <= (sqrt(left) + sqrt(right))^2. */
static double resolved(struct cutset_watch *w, double from, double to)
{
    if (w->known < 2) return SLOW;
#ifdef CUTSET_HAS_VECTORS
    if (w->n >= 4) return four_growth(w, from, to);
#endif
    return single_growth(w, from, to);
}

/* The sample in `high` becomes the latest; that in `low`, at `last`, becomes an earlier one. */
static void pass(struct cutset_watch *w, double last)
{
    exchange(&w->oldest, &w->older);
    exchange(&w->older, &w->low);
    exchange(&w->low, &w->high);
    w->at[1] = w->at[0];
    w->at[0] = last;
    w->known++;
}

/* True if nothing has crossed at the end of a step, judging by the numbers that the evaluation left: they have
   changed too little since the crossings were computed from them, or no crossing has reached its margin. If they do
   not decide, the result is false. */
static int stays(struct cutset_data *d)
{
    struct cutset_watch *w = &d->watch;
    const double *now, *weights;
    double sum = 0.0;
    long k;
    if (!w->n_watched || w->doubtful) return 0;
    now = d->w + w->places;
    weights = w->weighed + w->n;
    for (k = 0; k < w->n_watched; k++) sum += weights[k] * fabs(now[k] - w->watched[k]);
    if (sum < 1.0) return 1;
    cutset_watch(d->c, d->m, d->w, w->weighed);
    note_sizes(w, w->weighed);
    memcpy(w->watched, now, w->n_watched * sizeof(double));
    for (k = 0; k < w->n; k++)
        if (!(w->side[k] * w->weighed[k] > 2.0 * w->margin[k])) w->watched[0] = NAN;
    return isfinite(w->watched[0]);
}

/* Searches the first crossing in the step from a to b. If there is one (true), *root is an instant just after it, z
   the state there, and `crossed` tells which relations cross. The step is sampled at least in its middle and at its
   end, and so densely that the crossings are resolved; only at its end if none must be resolved. Samples come closer
   where crossings are not resolved, and gradually farther apart again. The first step of a segment is sampled at
   many instants after its start while a crossing that does not rest is not armed. */
static int crosses(struct cutset_data *d, state_at *state, void *step, double a, double b, int first, double *root)
{
    enum { FINEST = 12, MOST_HIDDEN = 250, ALL_ARMED = 4, NOT_ARMED = 40 };
    struct cutset_watch *w = &d->watch;
    double last = a, longest = b - a, fast = 0.0, h, growth;
    int found = 0, refused = 0, hidden = 0, inside = 0, ends_alone = 1, all_armed;
    long k;
    if (!w->n) return 0;
    for (k = 0; k < w->n && ends_alone; k++) ends_alone = isinf(w->sizes[k]);
    if (!ends_alone) longest = 0.5 * (b - a);
    if (!first && stays(d)) return 0;
    h = w->pace > 0.0 && !ends_alone ? w->pace : b - a;
    if (first) {
        state(step, b, w->z);
        signed_crossings(d, b, w->z, w->trial);
        all_armed = arm(w);
        fast = ldexp(b - a, -ALL_ARMED);
        h = all_armed ? fast : ldexp(b - a, -NOT_ARMED);
        if (ends_alone && all_armed) h = longest;
        w->pace = cutset_max(w->pace, h);
        w->known = 0;
    }
    while (!found && last < b) {
        double t;
        h = cutset_min(h, longest);
        t = b - last <= 1.25 * h ? b : last + h;
        if (!(t > last)) {
            if (h < longest) {
                h *= 2.0;
                continue;
            }
            t = b; /* a step too short to have a middle */
        }
        state(step, t, w->z);
        signed_crossings(d, t, w->z, w->high);
        note_sizes(w, w->high);
        if (d->branch.n_motions && change_sides(w, w->high)) d->branch.passes = 1;
        found = has_crossed(w, w->high) | touches(w);
        growth = resolved(w, last, t);
        if (growth == 0.0 && refused < FINEST && hidden < MOST_HIDDEN) {
            /* Samples of other steps contain their errors. */
            if (inside < 2) w->known = 0;
            h = w->pace = (inside < 2 ? 0.125 : 0.5) * (t - last);
            refused++;
            hidden++;
            if (found) release(w);
            found = 0;
        } else if (found) {
            if (ends_alone && !first) { /* `low` may be of an earlier step */
                state(step, last, w->z);
                signed_crossings(d, last, w->z, w->low);
            }
            *root = locate(d, state, step, last, t);
        } else {
            h = cutset_max(cutset_min(growth * (t - last), fast), SLOW * (t - last));
            if (hidden == MOST_HIDDEN) h = longest; /* what finer samples do not show is rounding */
            w->pace = cutset_max(w->pace, h);
            pass(w, last);
            last = t;
            refused = 0;
            inside++;
        }
    }
    for (k = 0; k < w->n && found; k++)
        w->crossed[k] = w->high[k] < w->base[k] ? (w->armed[k] != 0.0 ? -1.0 : -2.0) * w->side[k] : 0.0;
    return found;
}

#endif
