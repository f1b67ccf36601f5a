/* Finds the instants of a run: its outputs, samples, breaks of tables, jumps of delayed values. */

#ifndef CUTSET_TIMES_H
#define CUTSET_TIMES_H

#include "cutset_support.h"
#include "driver.h"
#include "history.h"
#include "isolate.h"
#include "relations.h"

/* ---- output times ---- */

/* The number of outputs before t, or up to t with `included`. */
static long outputs_before(const struct cutset_events *e, double t, int included)
{
    long low = 0, high = e->n_outputs;
    while (low < high) {
        long middle = (low + high) / 2;
        if (e->outputs[middle] < t || (included && e->outputs[middle] == t)) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int is_output(const struct cutset_events *e, double t)
{
    long at = outputs_before(e, t, 0);
    return at < e->n_outputs && e->outputs[at] == t;
}

/* The output time that equals t up to rounding, else t. */
static double snapped(const struct cutset_events *e, double t)
{
    long at = outputs_before(e, t, 0), i;
    double nearest = t, distance = INFINITY;
    for (i = at > 0 ? at - 1 : 0; i < e->n_outputs && i <= at; i++)
        if (same_instant(e, t, e->outputs[i]) && fabs(e->outputs[i] - t) < distance) {
            nearest = e->outputs[i];
            distance = fabs(nearest - t);
        }
    return nearest;
}

/* ---- time events ---- */

/* The first instant of a sample after t, computed as a multiple so that rounding does not accumulate. */
static double next_sample(const struct cutset_events *e, double t, double first, double interval)
{
    double number, instant;
    if (!isfinite(first) || (first > t && !same_instant(e, first, t))) return first;
    number = cutset_max(floor((t - first) / interval), 0.0);
    instant = first + number * interval;
    while (instant <= t || same_instant(e, instant, t)) {
        number += 1.0;
        instant = first + number * interval;
    }
    return instant;
}

/* The number of breaks of tables up to t. */
static long breaks_passed(const struct cutset_events *e, double t)
{
    long low = 0, high = e->n_breaks;
    while (low < high) {
        long middle = (low + high) / 2;
        if (e->breaks[middle] <= t || same_instant(e, e->breaks[middle], t)) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Sets the window of the tables from t to their next break. */
static void enter_window(struct cutset_data *d, struct cutset_events *e, double t)
{
    long passed = breaks_passed(e, t);
    if (!e->n_breaks) return;
    d->signals.window[0] = passed ? cutset_max(t, e->breaks[passed - 1]) : t;
    d->signals.window[1] = passed < e->n_breaks ? e->breaks[passed] : INFINITY;
    e->has_y = 0;
}

/* 1 if the window ends at t, 2 if a value jumps there, else 0. */
static int break_at(const struct cutset_data *d, const struct cutset_events *e, double t)
{
    double end = e->n_breaks ? d->signals.window[1] : INFINITY;
    long i = breaks_passed(e, t) - 1;
    if (!(t >= end) && !same_instant(e, end, t)) return 0;
    for (; i >= 0 && same_instant(e, e->breaks[i], t); i--)
        if (e->break_jumps[i]) return 2;
    return 1;
}

/* The first time event after s; inf if there is none. */
static double next_time_event(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    double first = e->n_breaks ? d->signals.window[1] : INFINITY;
    long i;
    for (i = 0; i < e->n_samples && !e->is_ticked; i++)
        first = cutset_min(first, next_sample(e, s->t, s->samples[2 * i], s->samples[2 * i + 1]));
    find_instants(d, e, s->t, s->m, first);
    for (i = 0; i < e->n_known + e->n_isolated; i++) {
        double instant = e->te[2 * i];
        if (instant > s->t && e->te[2 * i + 1] != 0.0 && !same_instant(e, instant, s->t)) first = cutset_min(first, instant);
    }
    return first;
}

/* The same with jumps of delayed values, moved to an output time if it equals one; inf if there is none before the stop. */
static double next_event(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    double first = next_time_event(d, e, s);
    if (d->history.count) first = cutset_min(first, next_jump(&d->history, s->t));
    if (isfinite(first)) first = snapped(e, first);
    return first <= e->outputs[e->n_outputs - 1] ? first : INFINITY;
}

/* 0 for a sample whose interval is not positive or too short for time to advance. */
static int samples_are_valid(struct cutset_events *e, const struct cutset_moment *s)
{
    double shortest = 4.0 * SAME * cutset_max(fabs(s->t), e->span);
    long i;
    for (i = 0; i < e->n_samples; i++) {
        double first = s->samples[2 * i], interval = s->samples[2 * i + 1];
        if (interval > shortest && interval < INFINITY && !isnan(first)) continue;
        e->failure.was = first, e->failure.now = interval;
        return fail(e, INVALID_SAMPLE, i);
    }
    return 1;
}

/* What initial() and terminal() are: samples with this first instant, which no time reaches, and one of these intervals. */
static const double NEVER = DBL_MAX, DUE_AT_START = 1e300, DUE_AT_END = 1e301;

/* e->due[i] := 1 for the samples that are due once, at the start or at the end; returns how many are. */
static long find_once(const struct cutset_events *e, const struct cutset_moment *s, double when)
{
    long i, count = 0;
    for (i = 0; i < e->n_samples; i++)
        if (s->samples[2 * i] == NEVER && s->samples[2 * i + 1] == when) e->due[i] = 1, count++;
    return count;
}

/* e->due[i] := whether sample i is due at s; returns how many are. */
static long find_due(struct cutset_events *e, const struct cutset_moment *s)
{
    long i, count = 0;
    for (i = 0; i < e->n_samples; i++) {
        double first = s->samples[2 * i], interval = s->samples[2 * i + 1];
        double number = cutset_max(nearbyint((s->t - first) / interval), 0.0);
        e->due[i] = !e->is_ticked && isfinite(first) && same_instant(e, first + number * interval, s->t);
        count += e->due[i];
    }
    return count;
}

#endif
