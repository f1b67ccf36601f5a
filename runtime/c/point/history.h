/* Stores delayed signals as polynomials in time, stretch by stretch, and reads them. Allocates nothing.

   A stretch is a polynomial of degree 4 through the values at its start, its quarters and its end: as accurate as the states
   within a step. The first one has no start: before the run signals are constant. Where a signal has a jump or a kink a new
   piece starts; a segment of a run reads each signal from one piece. A delayed kink makes a kink in a derivative of the
   states, and so on: the level of a piece tells how often it was delayed since an event. Signals with short delays know only
   the pieces of level 0, the roots. */

#ifndef CUTSET_HISTORY_H
#define CUTSET_HISTORY_H

#include "cutset_support.h"
#include "driver.h"

/* The values of a stretch; the largest number of stretches for a step; instants that differ less, relative to the larger one
   or to the run, are equal; delays that are a smaller part of the run may be shorter than a step; the shortest step that they
   allow at first, as a part of the run; the longest step for longer delays, as a part of them. */
enum { NODES = 5, MOST_PARTS = 256 };
static const double AT_ONCE = 1e-13, MAY_BE_WITHIN = 1e-3, SHORTEST_STEP = 1e-6, WITHIN_DELAY = 0.98;

/* The number of the last stretch that starts at t or before. */
static long stretch_at(const struct cutset_history *h, double t)
{
    long low = 0, high = h->size;
    while (high - low > 1) {
        long middle = (low + high) / 2;
        if (h->starts[middle] <= t) low = middle;
        else high = middle;
    }
    return low;
}

/* The value of signal k at t in a stretch; after its end, on the line that continues it. */
static double value_in(const struct cutset_history *h, long stretch, long k, double t)
{
    double start = h->starts[stretch], end = h->ends[stretch], q;
    long n = h->count;
    const double *v = h->values + NODES * n * stretch + k;
    if (!(end > start) || !isfinite(start)) return v[4 * n];
    q = 4.0 * ((t - start) / (end - start));
    if (q > 4.0)
        return v[4 * n] + (q - 4.0) * ((25.0 * v[4 * n] - 48.0 * v[3 * n] + 36.0 * v[2 * n] - 16.0 * v[n] + 3.0 * v[0]) / 12.0);
    return (q - 1.0) * (q - 2.0) * (q - 3.0) * (q - 4.0) / 24.0 * v[0] - q * (q - 2.0) * (q - 3.0) * (q - 4.0) / 6.0 * v[n] +
           q * (q - 1.0) * (q - 3.0) * (q - 4.0) / 4.0 * v[2 * n] - q * (q - 1.0) * (q - 2.0) * (q - 4.0) / 6.0 * v[3 * n] +
           q * (q - 1.0) * (q - 2.0) * (q - 3.0) / 24.0 * v[4 * n];
}

/* The numbers of the pieces that count for a signal. */
static const double *pieces_of(const struct cutset_history *h, long k)
{
    return h->delays[k] < MAY_BE_WITHIN * h->span ? h->roots : h->pieces;
}

/* u[k] := the value of signal k at t - delays[k], from the piece of its window. */
static void recall(const struct cutset_history *h, double t, double *u)
{
    long k;
    for (k = 0; k < h->count; k++) {
        const double *pieces = pieces_of(h, k);
        double at = t - h->delays[k], piece = h->window[k];
        long i = stretch_at(h, at);
        while (i > 0 && pieces[i] > piece) i--;
        while (i + 1 < h->size && pieces[i] < piece) i++;
        u[k] = value_in(h, i, k, at);
    }
}

/* Lets each signal be read from the piece that it has in the middle of a segment. */
static void enter_history(struct cutset_history *h, double start, double end)
{
    long k;
    for (k = 0; k < h->count; k++) h->window[k] = pieces_of(h, k)[stretch_at(h, 0.5 * (start + end) - h->delays[k])];
}

/* The same just after t. */
static void enter_just_after(struct cutset_history *h, double t)
{
    if (h->count) enter_history(h, t, t + 1e-3 * h->shortest);
}

/* Starts a piece of this level at t with these values, which hold from `start`: t, or before all times. */
static void begin_piece(struct cutset_history *h, double start, double t, const double *values, double level)
{
    long i = h->size, node;
    h->starts[i] = start, h->ends[i] = t;
    h->pieces[i] = i ? h->pieces[i - 1] + 1.0 : 0.0;
    h->roots[i] = i ? h->roots[i - 1] + (level == 0.0) : 0.0;
    h->levels[i] = level;
    for (node = 0; node < NODES; node++)
        memcpy(h->values + (NODES * i + node) * h->count, values, h->count * sizeof(double));
    h->size++, h->added++;
    h->longest_step = cutset_max(h->shortest, SHORTEST_STEP * h->span);
}

/* Clears the history: only these values are known, which held up to t. */
static void restart_history(struct cutset_history *h, double t, const double *values)
{
    h->size = h->added = h->is_full = 0;
    begin_piece(h, CUTSET_BELOW_ALL, t, values, 0.0);
    begin_piece(h, t, t, values, 0.0);
    enter_history(h, t, t);
}

/* Sets what follows from the delays and the length of the run. */
static void set_up_history(struct cutset_history *h, double span)
{
    long k;
    h->span = span;
    h->shortest = h->reach = INFINITY;
    h->longest = 0.0;
    for (k = 0; k < h->count; k++) {
        double delay = h->delays[k];
        h->shortest = cutset_min(h->shortest, delay);
        h->longest = cutset_max(h->longest, delay);
        if (delay >= MAY_BE_WITHIN * span) h->reach = cutset_min(h->reach, WITHIN_DELAY * delay);
    }
}

/* The first stretch of the next of these pieces after a stretch; h->size if there is none. */
static long next_piece(const struct cutset_history *h, const double *pieces, long stretch)
{
    long low = stretch + 1, high = h->size;
    while (low < high) {
        long middle = (low + high) / 2;
        if (pieces[middle] > pieces[stretch]) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* Sets the next instant after t at which a delayed value may have a jump or kink, INFINITY if there is none; and its level. */
static double next_jump(struct cutset_history *h, double t)
{
    long k;
    h->next = INFINITY, h->next_level = h->most_levels;
    for (k = 0; k < h->count; k++) {
        const double delay = h->delays[k], *pieces = pieces_of(h, k);
        long low = 0, high = h->size;
        double at;
        while (low < high) {
            long middle = (low + high) / 2;
            at = h->starts[middle] + delay;
            if (at - t > AT_ONCE * cutset_max(cutset_max(fabs(at), fabs(t)), h->span)) high = middle;
            else low = middle + 1;
        }
        if (low == h->size) continue;
        if (low == 0 || pieces[low] == pieces[low - 1]) low = next_piece(h, pieces, low);
        if (low == h->size) continue;
        at = h->starts[low] + delay;
        if (at < h->next || (at == h->next && h->levels[low] + 1.0 < h->next_level)) h->next_level = h->levels[low] + 1.0;
        h->next = cutset_min(h->next, at);
    }
    return h->next;
}

/* Removes the stretches that end before the floor. */
static void drop_old(struct cutset_history *h)
{
    long low = 0, high = h->size - 1, rest, n = h->count;
    while (low < high) {
        long middle = (low + high) / 2;
        if (h->ends[middle] >= h->floor) high = middle;
        else low = middle + 1;
    }
    rest = h->size - low;
    memmove(h->starts, h->starts + low, rest * sizeof(double));
    memmove(h->ends, h->ends + low, rest * sizeof(double));
    memmove(h->pieces, h->pieces + low, rest * sizeof(double));
    memmove(h->roots, h->roots + low, rest * sizeof(double));
    memmove(h->levels, h->levels + low, rest * sizeof(double));
    memmove(h->values, h->values + NODES * n * low, NODES * n * rest * sizeof(double));
    h->size = rest;
}

/* True if there is room for a step and an event; removes what is no longer needed. */
static int has_room(struct cutset_history *h)
{
    if (!h->count || h->size + MOST_PARTS + 4 <= h->capacity) return 1;
    drop_old(h);
    h->is_full = h->size + MOST_PARTS + 4 > h->capacity;
    return !h->is_full;
}

/* Starts a segment at t: what it needs from before is kept, so that it can be undone. */
static void begin_segment(struct cutset_history *h, double t)
{
    h->floor = t - 1.000001 * h->longest;
    h->added = h->is_full = 0;
    h->kept_step = h->longest_step;
}

static void undo_segment(struct cutset_history *h)
{
    h->size -= h->added;
    h->added = 0;
    h->longest_step = h->kept_step;
}

/* The longest step that the delays allow; with `fixed` steps, short delays allow any. */
static double longest_with_delays(const struct cutset_history *h, double longest, int fixed)
{
    if (!h->count) return longest;
    longest = cutset_min(longest, h->reach);
    return fixed || !(h->shortest < MAY_BE_WITHIN * h->span) ? longest : cutset_min(longest, h->longest_step);
}

/* The value of signal k at an instant between the end of a stretch, the last one that is known, and t, where its value is
   `there`: by the cubic through three values of the stretch and that one, or by the line if the stretch is too short. */
static double value_between(const struct cutset_history *h, long stretch, long k, double at, double t, double there)
{
    double start = h->starts[stretch], end = h->ends[stretch], length = end - start, middle, a, b, c, d;
    long n = h->count;
    const double *v = h->values + NODES * n * stretch + k;
    if (!isfinite(start) || !(t - end <= 8.0 * length)) return v[4 * n] + (at - end) / (t - end) * (there - v[4 * n]);
    middle = start + 0.5 * length;
    a = (at - middle) / (start - middle) * ((at - end) / (start - end)) * ((at - t) / (start - t));
    b = (at - start) / (middle - start) * ((at - end) / (middle - end)) * ((at - t) / (middle - t));
    c = (at - start) / (end - start) * ((at - middle) / (end - middle)) * ((at - t) / (end - t));
    d = (at - start) / (t - start) * ((at - middle) / (t - middle)) * ((at - end) / (t - end));
    return a * v[0] + b * v[2 * n] + c * v[4 * n] + d * there;
}

/* Replaces values in u that are later than all that is known, but earlier than t, where the model gives `found`. True if one
   changes. */
static int close_values(const struct cutset_history *h, double t, const double *found, double *u)
{
    long last = h->size - 1, k;
    int changes = 0;
    for (k = 0; k < h->count; k++) {
        double at = t - h->delays[k], value;
        if (!(at > h->ends[last]) || h->delays[k] >= MAY_BE_WITHIN * h->span) continue;
        if (pieces_of(h, k)[last] > h->window[k]) continue; /* rounding: it is at the end of the piece before */
        value = value_between(h, last, k, at, t, found[2 * k]);
        changes |= value != u[k];
        u[k] = value;
    }
    return changes;
}

/* Adjusts the longest step so that values which were read within the step from `start` to `end` were right up to a part of
   the tolerance. `before` is the last stretch that was known. */
static void note_closing(struct cutset_history *h, long before, double start, double end)
{
    const double *there = h->values + (NODES * h->size - 1) * h->count;
    double error = 0.0, next;
    long k;
    for (k = 0; k < h->count; k++) {
        double at = end - h->delays[k], value;
        if (!(at > start) || h->delays[k] >= MAY_BE_WITHIN * h->span) continue;
        value = value_in(h, stretch_at(h, at), k, at);
        value = fabs(value_between(h, before, k, at, end, there[k]) - value) / (h->rtol * fabs(value) + h->atol);
        error = cutset_max(error, value);
    }
    next = (end - start) * cutset_max(0.2, cutset_min(2.0, 0.9 * sqrt(sqrt(0.25 / cutset_max(error, 1e-4)))));
    h->longest_step = error > 0.25 ? next : cutset_max(h->longest_step, next);
}

#endif
