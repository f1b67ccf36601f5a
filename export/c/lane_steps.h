/* Integrates several runs at once in equal steps. Included by the generated lanes.c, after its right-hand side. */

#include "lane_run.h"

long cutset_lanes(void) { return CUTSET_LANES; }

#ifdef CUTSET_ONE_FOR_ALL
long cutset_constants_are_shared(void) { return 1; }
#else
long cutset_constants_are_shared(void) { return 0; }
#endif

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

/* Goes on from the time `from` to `end`, in the steps of fixed_steps in runge_kutta.h, operation by operation. */
void cutset_lane_steps(struct cutset_lane_run *r, const struct cutset_lane_method *method, double from, double end,
                       double longest)
{
    cutset_lane *x = (cutset_lane *)r->x, *z = (cutset_lane *)r->z, *k = (cutset_lane *)r->k;
    double count = ceil((end - from) / longest - 1e-9), number, t = from, h;
    long n = r->n, i, j, row;
    count = cutset_max(count, 1.0);
    if (!r->has_rates) lane_rates(r, from, x, k);
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
        for (i = 0; i < n; i++) x[i] = z[i], k[i] = k[method->rows * n + i];
        t = number == count ? end : from + number * h;
    }
}
