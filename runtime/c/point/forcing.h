/* Limits steps by what is known of forcing, the functions of time alone that drive the states: no step hides a turn,
   an extremum of one of them. Between two turns a function is monotone, so that whatever a step passes over shows at
   its ends, where each method looks.

   The turns of a sine of a linear phase are known, as are the points of a table, which a step does not pass either where the table
   has a kink: a method sees one by chance. Other turns are where a slope changes its sign: relations of time, which isolate.h
   finds. */

#ifndef CUTSET_FORCING_H
#define CUTSET_FORCING_H

#include "isolate.h"
#include "signals.h"

enum { MOST_LOOKS = 4 };
/* A wave has no turn whose half period is so many runs: it would be rounding. */
static const double FLAT = 1e6;
/* So many turns add up no more than some ten tolerances: for methods of one step, and for others, whose errors have one sign. */
static const double BALANCED = 400.0, ADDING_UP = 6.0, FINEST_RTOL = 1e-12;
/* A kink of a table that matters: so many tolerances of the values beside it, relative to the range of all. As many leave an error
   as large as one turn does. */
static const double KINK = 100.0, KINKS_OF_A_TURN = 5.0;
/* A pulse on one side of an event, as a power of a sawtooth, has the errors of so many turns. */
static const double TURNS_OF_A_PULSE = 4.0;
/* As parts: of the run, the time between turns of a function whose slope may consist of rounding, which limits nothing; of a step,
   what is beside its ends, and where a turn is at its start; of the tolerance, relative to the largest rise
   between two turns so far, what counts as nothing; by how much a step may become longer; of the time between turns the longest
   step that may pass one. The factor by which stretches without effect grow. */
static const double LEAST_TURN = 1e-7, AT_END = 0.05, AT_START = 1e-4, FADED_PART = 0.01, LONGER = 1.05, PASSES = 0.4;
static const double CALMER = 4.0;
/* By how much the distances of turns may differ that are no rounding. */
static const double EQUAL = 0.1;

/* True if function i is a sine, a cosine or a table of a linear phase: the slope of that is among what does not depend on time. */
static int has_phase(const struct cutset_isolation *s, long i)
{
    const long *sides = s->sides + 4 * i;
    return sides[1] == s->operations[5 * sides[0] + 1] && sides[3] >= 0 && sides[3] < s->firsts[4 * i + 1];
}

static int is_wave(const struct cutset_isolation *s, long i)
{
    const long op = s->operations[5 * s->sides[4 * i]];
    return has_phase(s, i) && op >= OP_FUNCTION && CUTSET_FUNCTIONS[op - OP_FUNCTION].shape == WAVE;
}

/* The same for a table of any phase. */
static int is_table(const struct cutset_isolation *s, long i)
{
    const long *sides = s->sides + 4 * i, *o = s->operations + 5 * sides[0];
    return sides[1] == o[1] && (o[0] == OP_TABLE || o[0] == OP_STEEPNESS);
}

/* The slope of the phase of function i, whose start it computes from t on if it follows the states. */
static double rate_of_phase(struct cutset_isolation *s, long i, double t, const double *c, const double *m)
{
    if (s->windows[i - s->n].follows) {
        s->since = t;
        compute_fixed(s, i, c, m);
    }
    compute(s, s->firsts[4 * i + 1], s->sides[4 * i + 1] + 1, interval(0.0, 0.0), c);
    return s->results[s->sides[4 * i + 3]].lo;
}

/* The window from t to the next turn of a wave that is not at the start of a step of length h. */
static void find_turn_of_wave(struct cutset_isolation *s, long i, double t, double h, const double *c, const double *m)
{
    struct cutset_window *q = s->windows + (i - s->n);
    const long *sides = s->sides + 4 * i;
    double rate = rate_of_phase(s, i, t, c, m), crest = CUTSET_FUNCTIONS[s->operations[5 * sides[0]] - OP_FUNCTION].first, at, turns;
    q->length = HALF_TURN / fabs(rate);
    at = (crest - s->results[sides[1]].lo) / rate;
    turns = floor((t + AT_START * cutset_min(h, q->length) - at) / q->length) + 1.0;
    q->until = at + turns * q->length;
    if (!(q->until > t && q->length < FLAT * s->span)) q->until = INFINITY;
}

/* Point k of a table, or the next one that way, by whose kink the values beside it move more than this; the outer ones have none. */
static long kink_from(long n, const double *p, long k, int way, double size)
{
    for (; k > 0 && k < n - 1; k += way) {
        const double before = p[k] - p[k - 1], after = p[k + 1] - p[k], *y = p + n + k;
        if (fabs((y[1] - y[0]) / after - (y[0] - y[-1]) / before) * fmax(before, after) > size) break;
    }
    return k;
}

/* The length of the interval from t to where a phase may leave this one, or `most`. */
static double stay_within(struct cutset_isolation *s, long i, struct cutset_interval inner, double t, double most, const double *c)
{
    const long phase = s->sides[4 * i + 1];
    double low = 0.0, high = most, length = most;
    while (high - low > GRAIN * most) {
        compute(s, s->firsts[4 * i + 1], phase + 1, interval(t, t + length), c);
        if (s->results[phase].lo >= inner.lo && s->results[phase].hi <= inner.hi) low = length;
        else high = length;
        length = 0.5 * (low + high);
    }
    return low;
}

/* The window from t to the next kink of a table, but not beyond some steps of length h if its phase is not linear. The outer
   segments have no end. */
static void find_kink(struct cutset_isolation *s, long i, double t, double h, const double *c, const double *m, double rtol)
{
    enum { STEPS = 4 };
    struct cutset_window *q = s->windows + (i - s->n);
    const double begin = t + 4.0 * GRAIN * s->span, size = KINK * rtol * q->size;
    const long phase = s->sides[4 * i + 1];
    const int is_linear = has_phase(s, i);
    const double rate = is_linear ? rate_of_phase(s, i, t, c, m) : 0.0;
    struct cutset_interval inner;
    long n, k, below, above;
    const double *p = table_of(s, s->operations[5 * s->sides[4 * i] + 3], c, &n);
    if (!is_linear && q->follows) s->since = t, compute_fixed(s, i, c, m);
    if (!is_linear) compute(s, s->firsts[4 * i + 1], phase + 1, interval(begin, begin), c);
    k = cutset_line(s->results[phase].lo + rate * begin, (int)n, p);
    below = kink_from(n, p, k, -1, size), above = kink_from(n, p, k + 1, 1, size);
    inner = interval(below > 0 ? p[below] : -INFINITY, above < n - 1 ? p[above] : INFINITY);
    q->is_open = 0;
    if (is_linear) {
        q->until = ((rate > 0.0 ? inner.hi : inner.lo) - s->results[phase].lo) / rate;
        if (!(fabs(q->until) < INFINITY)) q->until = INFINITY;
    } else if (isinf(inner.lo) && isinf(inner.hi)) {
        q->until = INFINITY;
    } else {
        q->until = begin + fmax(stay_within(s, i, inner, begin, STEPS * h, c), AT_END * h);
        q->is_open = q->until >= begin + STEPS * h;
    }
    q->length = KINKS_OF_A_TURN * (q->until - t);
}

/* The range of the values of a table. */
static double range_of_table(const struct cutset_isolation *s, long i, const double *c)
{
    long n, k;
    const double *p = table_of(s, s->operations[5 * s->sides[4 * i] + 3], c, &n);
    double least = p[n], most = p[n];
    for (k = 1; k < n; k++) least = fmin(least, p[n + k]), most = fmax(most, p[n + k]);
    return most - least;
}

/* By how much the function with slope i may rise or fall from t on over this length. */
static double way_of(struct cutset_isolation *s, long i, double t, double length, const double *c)
{
    const long *first = s->firsts + 4 * i, side = s->sides[4 * i];
    compute(s, first[1], first[2], interval(t, t + length), c);
    return length * fmax(fabs(s->results[side].lo), fabs(s->results[side].hi));
}

/* True if the turns of slope i from t on come at no equal distances: so does rounding. They are some hundred roundings apart. */
static int is_rounding(struct cutset_isolation *s, long i, double t, const double *c, const double *m)
{
    enum { TURNS = 4 };
    double row[2], last = t, distance = 0.0;
    int k;
    for (k = 0; k < TURNS; k++, last = row[0]) {
        isolate_one(s, i, last, c, m, INFINITY, row);
        if (k > 1 && !(fabs(row[0] - last - distance) <= EQUAL * distance)) return 1;
        distance = row[0] - last;
    }
    return distance < 100.0 * GRAIN * s->span;
}

/* True if a function that turns after this length still has an effect after more turns than a run can follow. */
static int lasts(struct cutset_isolation *s, long i, double t, double length, const double *c)
{
    const double late = t + length / LEAST_TURN;
    return late < s->end && way_of(s, i, late, length, c) > FADED_PART * way_of(s, i, t, length, c);
}

/* True if a function is much steeper on one side of the time between two changes of its held values: each is a pulse, whose errors
   have one sign. */
static int is_pulse(struct cutset_isolation *s, long i, double t, const double *c)
{
    const struct cutset_window *q = s->windows + (i - s->n);
    const double steeper = 16.0, half = 0.5 * q->apart;
    double first, last;
    if (!q->changes) return 0;
    first = way_of(s, i, t, half, c), last = way_of(s, i, t + half, half, c);
    return isfinite(first + last) && (first > steeper * last || last > steeper * first);
}

/* The window from t to the next change of the sign of slope i; a longer one if the function no longer has any effect. */
static void find_turn(struct cutset_isolation *s, long i, double t, double h, const double *c, const double *m, double rtol)
{
    struct cutset_window *q = s->windows + (i - s->n);
    const double grain = GRAIN * s->span;
    const double least = LEAST_TURN * s->span;
    const int is_within = !(q->until > -INFINITY), was_short = q->length < least;
    double row[2], way;
    if (q->follows) s->since = t, s->searches[i].is_started = 0;
    isolate_one(s, i, t + AT_START * cutset_min(h, q->length), c, m, INFINITY, row);
    q->until = row[0] - t > grain / (AT_START * AT_START) ? grain * floor(row[0] / grain + 0.5) : row[0];
    q->length = is_within ? fmax(q->length, q->until - t) : q->until - t;
    if (is_within) q->is_pulse = is_pulse(s, i, t, c);
    if (q->length < least && !(is_within && was_short) && (is_rounding(s, i, q->until, c, m) || lasts(s, i, t, q->length, c)))
        q->until = q->length = INFINITY;
    if (!(q->length < INFINITY)) return;
    way = way_of(s, i, t, q->length, c);
    if (way <= FADED_PART * rtol * q->size)
        while (q->until < s->end && way_of(s, i, t, CALMER * q->length, c) <= FADED_PART * rtol * q->size) {
            q->length *= CALMER;
            q->until = t + q->length;
            s->searches[i].is_started = 0; /* the turns until then are not needed */
        }
    else if (isfinite(way)) q->size = fmax(q->size, way);
}

/* True if a side of function i depends on its start. */
static int follows(const struct cutset_isolation *s, long i)
{
    long k, found = 0;
    for (k = s->firsts[4 * i]; k < s->firsts[4 * i + 1]; k++) found |= s->operations[5 * k] == OP_HELD || s->operations[5 * k] == OP_SINCE;
    return found;
}

/* Prepares the functions for a segment from t with these held values. x: the states, also later. */
static void begin_forcing(struct cutset_data *d, double t, const double *x)
{
    struct cutset_isolation *s = d->forcing;
    long i, k;
    if (!s) return;
    s->x = x, s->since = t;
    for (i = s->n; i < s->n + s->n_forcing; i++) {
        struct cutset_window *q = s->windows + (i - s->n);
        int is_known = q->is_known && t >= q->begun && !q->follows;
        for (k = s->keys[i]; k < s->keys[i + 1]; k++) is_known &= d->m[s->key_places[k]] == s->key_values[k];
        q->is_wave = is_wave(s, i), q->is_table = is_table(s, i), q->follows = follows(s, i);
        if (q->follows) s->searches[i].is_started = 0;
        if (!is_known && (q->is_wave || q->is_table)) {
            for (k = s->keys[i]; k < s->keys[i + 1]; k++) s->key_values[k] = d->m[s->key_places[k]];
            compute_fixed(s, i, d->c, d->m);
            if (q->is_table) q->size = range_of_table(s, i, d->c);
        }
        if (!q->is_known && !q->changes) q->first = t;
        else if (q->is_known && !is_known && t > q->begun && !q->follows) q->apart = (t - q->first) / (double)++q->changes;
        if (!is_known) q->begun = t, q->until = -INFINITY;
        q->is_known = 1;
    }
}

/* The longest step from t that hides no turn, at most h: to a turn or half way if one is near, so that the next step is not
   much shorter. A method that looks at `doubtful_parts` of its steps may pass one turn of each wave, but no bend of an input, which
   others see. */
static double within_forcing(struct cutset_data *d, double t, double h, double rtol, int may_pass)
{
    struct cutset_isolation *s = d->forcing;
    double until = may_pass && d->signals.count ? next_bend(&d->signals, t + AT_START * h, t + 2.0 * h, KINK * rtol) : INFINITY;
    long i;
    for (i = s ? s->n : 0; s && i < s->n + s->n_forcing; i++) {
        struct cutset_window *q = s->windows + (i - s->n);
        if (!(q->until - t > (q->is_open ? 2.0 * h : AT_START * cutset_min(h, q->length)))) {
            q->begun = t;
            if (q->is_wave) find_turn_of_wave(s, i, t, h, d->c, d->m);
            else if (q->is_table) find_kink(s, i, t, h, d->c, d->m, rtol);
            else find_turn(s, i, t, h, d->c, d->m, rtol);
        }
        until = cutset_min(until, q->until + (may_pass && h < PASSES * q->length && q->is_wave ? q->length : 0.0));
    }
    if ((may_pass ? LONGER : 1.0 + AT_START) * h >= until - t) return until - t;
    return 2.0 * h > until - t ? 0.5 * (until - t) : h;
}

/* The part of the tolerance that a step may use: the errors at the turns of the whole run add up. `turns`: how many are without
   effect. */
static double share_of_tolerance(const struct cutset_isolation *s, double rtol, double turns)
{
    double length = INFINITY, share;
    long i;
    if (!s) return 1.0;
    for (i = 0; i < s->n_forcing; i++) {
        const struct cutset_window *q = s->windows + i;
        if (q->length >= LEAST_TURN * s->span) length = cutset_min(length, q->length); /* shorter ones fade */
        if (q->is_pulse) length = cutset_min(length, q->apart / TURNS_OF_A_PULSE);
    }
    share = turns * length / s->span;
    return share < 1.0 ? cutset_max(share, cutset_min(1.0, FINEST_RTOL / rtol)) : 1.0;
}

/* Where in the step of length h from t a method looks again, as parts of it: at turns, and beside one near to its end, since
   what is short there shows at this end only; and inside a step that `is_bent` more than the one before. Returns how many there
   are, at most MOST_LOOKS. */
static int doubtful_parts(const struct cutset_data *d, double t, double h, int is_bent, double *parts)
{
    const struct cutset_isolation *s = d->forcing;
    double part;
    long i;
    int n = 0;
    if (d->watch.n_watched) return 0;
    if (is_bent) parts[n++] = 0.25, parts[n++] = 0.55;
    for (i = 0; s && i < s->n_forcing && n < MOST_LOOKS; i++) {
        if (!(s->windows[i].until - t <= (1.0 + AT_END) * h)) continue;
        part = cutset_min((s->windows[i].until - t) / h, 1.0 - AT_END);
        if (!n || fabs(part - parts[n - 1]) > AT_END) parts[n++] = part;
    }
    return n;
}

#endif
