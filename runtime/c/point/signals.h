/* Evaluates inputs that are piecewise polynomials: time -> their values. Equivalent to runtime/given/piecewise.py,
   operation by operation. */

#ifndef CUTSET_SIGNALS_H
#define CUTSET_SIGNALS_H

#include "cutset_support.h"
#include "driver.h"

/* u[index] := the value of each of them at t; outside its intervals that of the first or the last polynomial. Up to the
   start of the window it is the value just after it, from its end on the one just before it. */
static void follow(const struct cutset_signals *s, double t, double *u)
{
    int at_end = t >= s->window[1];
    double place = at_end ? s->window[1] : t > s->window[0] ? t : s->window[0];
    long k, i;
    for (k = 0; k < s->count; k++) {
        const long *size = s->sizes + 5 * k;
        const double *breaks = s->breaks + size[1], *row;
        long low = 0, high = size[2];
        double h, value = 0.0;
        while (high - low > 1) {
            long middle = (low + high) / 2;
            if (place < breaks[middle] || (at_end && place == breaks[middle])) high = middle;
            else low = middle;
        }
        h = t - breaks[low];
        row = s->coefficients + size[3] + low * size[4];
        for (i = 0; i < size[4]; i++) value = value * h + row[i];
        u[size[0]] = value;
    }
}

/* The second derivative of a polynomial of n coefficients, highest power first. */
static double second_derivative(const double *row, long n, double h)
{
    double value = 0.0;
    long i;
    for (i = 0; i < n - 2; i++) value = value * h + (double)((n - 1 - i) * (n - 2 - i)) * row[i];
    return value;
}

/* The first point after t, and before `end`, where the second derivative of a smooth signal jumps so that the values beside it move
   by more than this part of their range; infinite if there is none. Where a slope or a value jumps, the window ends. */
static double next_bend(const struct cutset_signals *s, double t, double end, double part)
{
    double until = INFINITY;
    long k, i;
    for (k = 0; k < s->count; k++) {
        const long *size = s->sizes + 5 * k, n = size[4];
        const double *breaks = s->breaks + size[1];
        long low = 0, high = size[2];
        while (high - low > 1) {
            long middle = (low + high) / 2;
            if (t < breaks[middle]) high = middle;
            else low = middle;
        }
        for (i = low + 1; n > 2 && i < size[2] && breaks[i] < end; i++) {
            const double *row = s->coefficients + size[3] + i * n, before = breaks[i] - breaks[i - 1];
            const double after = i + 1 < size[2] ? breaks[i + 1] - breaks[i] : before, most = before > after ? before : after;
            if (!(0.5 * most * most * fabs(second_derivative(row, n, 0.0) - second_derivative(row - n, n, before)) > part * s->ranges[k])) continue;
            if (breaks[i] < until) until = breaks[i];
            break;
        }
    }
    return until;
}

#endif
