/* Integrates several runs at once in equal steps. Included by the generated lanes.c, after its right-hand side. */

#include "lane_run.h"

#include <string.h>

/* What functions of the model write; that a run has failed is found when it is repeated alone. */
CUTSET_SHARED int cutset_fault, cutset_careful, cutset_lost, cutset_beyond;
CUTSET_SHARED unsigned long cutset_open;
CUTSET_SHARED void (*cutset_external)(int k, const double *a, double *r);

long cutset_lanes(void) { return CUTSET_LANES; }

/* dx := the derivatives at (t, x). Adds nan to `sound` for runs in which one of them, or a guarded number, is not finite. */
static void lane_rates(struct cutset_lane_run *r, double t, const cutset_lane *x, cutset_lane *dx)
{
    cutset_lane *w = (cutset_lane *)r->w, sound = *(cutset_lane *)r->sound;
    long i;
    lane_derivatives(cutset_wide(t), x, (const cutset_lane *)r->u, (const cutset_constant *)r->c, w, w, dx);
    for (i = 0; i < r->n; i++) sound += dx[i] * 0.0;
    for (i = 0; i < r->n_guards; i++) sound += w[i] * 0.0;
    *(cutset_lane *)r->sound = sound;
}

/* The numbers for which the comparison holds, 0 for the others. */
static cutset_lane chosen(cutset_bits holds, cutset_lane numbers) { return (cutset_lane)(holds & (cutset_bits)numbers); }

static cutset_lane sizes_of(cutset_lane numbers) { return (cutset_lane)((cutset_bits)numbers & ~(1ull << 63)); }

/* Adds nan to `sound` for runs that have passed a pole in the step, and notes which rates have grown, as passes_pole in
   poles.h. Few steps have a rate that grew and then changed its sign; these are examined one by one. */
static void examine_poles(struct cutset_lane_run *r, long rows, double t, double h, double end)
{
    const cutset_lane *k = (const cutset_lane *)r->k;
    cutset_lane *rise = (cutset_lane *)r->rise;
    cutset_bits flips = {0};
    long n = r->n, i, row, lane;
    for (row = 1; row <= rows; row++)
        for (i = 0; i < n; i++) flips |= (cutset_bits)(rise[i] * k[row * n + i] < 0.0);
    for (lane = 0; lane < CUTSET_LANES; lane++) {
        struct cutset_lane_step step = {lane, t, h, end};
        if (flips[lane] && r->passes_pole(r, &step)) r->sound[lane] = NAN;
    }
    for (i = 0; i < n; i++) {
        const cutset_lane before = k[i], after = k[rows * n + i];
        rise[i] = chosen((cutset_bits)(sizes_of(after) >= sizes_of(before)) & (cutset_bits)(before * after > 0.0), after);
    }
}

/* Goes on from the time `from` to `end`, in the steps of fixed_steps in runge_kutta.h, operation by operation. */
void cutset_lane_steps(struct cutset_lane_run *r, const struct cutset_lane_method *method, double from, double end,
                       double longest)
{
    cutset_lane *x = (cutset_lane *)r->x, *z = (cutset_lane *)r->z, *k = (cutset_lane *)r->k;
    double count = ceil((end - from) / longest - 1e-9), number, t = from, h;
    long n = r->n, i, j, row;
    count = cutset_max(count, 1.0);
    if (!r->has_rates) {
        lane_rates(r, from, x, k);
        memcpy(r->rise, k, (size_t)n * sizeof *k);
    }
    r->has_rates = 1;
    for (number = 1.0; number <= count; number += 1.0) {
        const double *weights = method->weights;
        h = (end - from) / count;
        for (row = 0; row < method->rows; row++) {
            for (i = 0; i < n; i++) {
                cutset_lane sum = weights[0] * k[i];
                for (j = 1; j <= row; j++)
                    if (weights[j] != 0.0) sum += weights[j] * k[j * n + i];
                z[i] = x[i] + h * sum;
            }
            lane_rates(r, t + method->nodes[row] * h, z, k + (row + 1) * n);
            weights += row + 1;
        }
        examine_poles(r, method->rows, t, h, number == count ? end : from + number * h);
        for (i = 0; i < n; i++) x[i] = z[i], k[i] = k[method->rows * n + i];
        t = number == count ? end : from + number * h;
    }
}
