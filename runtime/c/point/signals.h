/* Evaluates inputs that are piecewise polynomials: time -> their values. Equivalent to runtime/given/piecewise.py,
   operation by operation. */

#ifndef CUTSET_SIGNALS_H
#define CUTSET_SIGNALS_H

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

#endif
