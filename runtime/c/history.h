/* Interpolates delayed signals: instants and values -> values at an instant. Equivalent to runtime/history.py,
   operation by operation. Included by driver.c only. */

/* u[k] := the value of signal k at t - delays[k], by a cubic through the nearest four instants of its window. */
static void recall(const struct cutset_history *h, double t, double *u)
{
    const double *times = h->times;
    long k, i, j;
    for (k = 0; k < h->count; k++) {
        long low = (long)h->window[k], high = (long)h->window[h->count + k], first = low, last = high;
        double at = t - h->delays[k], total = 0.0;
        if (low == high) {
            u[k] = h->values[low * h->count + k];
            continue;
        }
        while (high - low > 1) {
            long middle = (low + high) / 2;
            if (at < times[middle]) high = middle;
            else low = middle;
        }
        last = low + 2 < last ? low + 2 : last;
        first = last - 3 > first ? last - 3 : first;
        for (i = first; i <= last; i++) {
            double weight = 1.0;
            for (j = first; j <= last; j++)
                if (j != i) weight *= (at - times[j]) / (times[i] - times[j]);
            total += weight * h->values[i * h->count + k];
        }
        u[k] = total;
    }
}
