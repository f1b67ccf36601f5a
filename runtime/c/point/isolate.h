/* Locates the instants at which relations of time change: their operations -> the next instants.

   It finds one instant after the other. Interval analysis misses nothing, however short it is (R. E. Moore, R. B. Kearfott,
   M. J. Cloud, Introduction to Interval Analysis, SIAM 2009, ch. 8): spans are halved until the difference of the sides has a
   certain sign, or is monotone and has at most one zero, which is then located. What is found depends on the span of the run,
   the constants and the held values, and not on what was searched for before. */

#ifndef CUTSET_ISOLATE_H
#define CUTSET_ISOLATE_H

#include "driver.h"
#include "intervals.h"

/* As OPERATIONS in interval_program.py. */
enum cutset_operations {
    OP_NUMBER, OP_C, OP_M, OP_HELD, OP_SINCE, OP_TIME, OP_ADD, OP_SUB, OP_NEG, OP_MUL, OP_SQUARE, OP_DIV, OP_POW, OP_ATAN2, OP_MIN, OP_MAX,
    OP_TABLE, OP_STEEPNESS, OP_LESS, OP_AT_MOST, OP_GREATER, OP_AT_LEAST, OP_EQUAL, OP_APART, OP_AND, OP_OR, OP_NOT, OP_IF,
    OP_RATE_OF_IF, OP_RATE_OF_STEP, OP_RATE_AT_POLE, OP_RATE_OF_TURN, OP_RATE_OF_MIN, OP_RATE_OF_MAX, OP_FUNCTION
};

/* Relative differences: of instants that are equal, and of sides that are. */
static const double SAME = 1e-13;
/* Turns are rounded to so many parts of the run: their last digits, which depend on how they are found, change no step. */
static const double GRAIN = 0x1p-40;
/* An unknown sign: rounding hides it. */
static const double HIDDEN = 2.0;
/* The rounding of the sides, relative; that of an instant; how far before an instant the search begins, and how far after
   the end it goes on, relative to the run. */
static const double SIDES_DIFFER = 8.0 * DBL_EPSILON, INSTANT_DIFFERS = 4.0 * DBL_EPSILON, SEARCH_BEYOND = 2e-13;
/* As parts of the run: that in which so many spans may be undecided, else it is sampled; after too many of these all of the
   rest is sampled, in parts of another size, that of functions with fewer samples; and the widest span that is looked at. */
static const double LEAST_PART = 1e-7, SAMPLED_PART = 1.0 / 32.0, WIDEST = 1.01 / 4.0;
enum { MOST_UNDECIDED = 6000, MOST_IDLE = 3000, SAMPLES = 4096, FEWER = 32, PATIENCE = 2, MOST_LOCATING = 200 };

/* ---- operations ---- */

/* The numbers of a table: n instants, then n values. */
static const double *table_of(const struct cutset_isolation *s, long j, const double *c, long *n)
{
    const long *table = s->tables + 3 * j;
    *n = table[2];
    return (table[0] ? c : s->points) + table[1];
}

/* The values over x: at its ends, and at the points between. */
static struct cutset_interval table_values(struct cutset_interval x, long n, const double *p)
{
    double low, high, least, greatest;
    long k;
    if (is_point(x)) return interval(cutset_interp1(x.lo, (int)n, p), cutset_interp1(x.lo, (int)n, p));
    if (isnan(x.lo) || isnan(x.hi)) return NO_INTERVAL;
    low = cutset_interp1(x.lo, (int)n, p), high = cutset_interp1(x.hi, (int)n, p);
    least = lower(low, high), greatest = upper(low, high);
    for (k = cutset_line(x.lo, (int)n, p); k < n && p[k] <= x.lo;) k++;
    for (; k < n && p[k] < x.hi; k++) {
        least = lower(least, p[n + k]);
        greatest = upper(greatest, p[n + k]);
    }
    return widened(least, greatest);
}

/* The slopes of the segments over x. */
static struct cutset_interval table_slopes(struct cutset_interval x, long n, const double *p)
{
    struct cutset_interval found = NO_INTERVAL;
    long k, last;
    if (isnan(x.lo) || isnan(x.hi)) return found;
    k = cutset_line(x.lo, (int)n, p), last = cutset_line(x.hi, (int)n, p);
    found.lo = found.hi = (p[n + k + 1] - p[n + k]) / (p[k + 1] - p[k]);
    for (k++; k <= last; k++) {
        double slope = (p[n + k + 1] - p[n + k]) / (p[k + 1] - p[k]);
        found = interval(lower(found.lo, slope), upper(found.hi, slope));
    }
    return found;
}

static struct cutset_interval truth_of(int is_true, int is_false) { return interval(is_true ? 1.0 : 0.0, is_false ? 0.0 : 1.0); }

static int surely(struct cutset_interval a) { return a.lo > 0.0 || a.hi < 0.0; }

static int never(struct cutset_interval a) { return a.lo == 0.0 && a.hi == 0.0; }

static struct cutset_interval relation_of(long op, struct cutset_interval a, struct cutset_interval b)
{
    int same = is_point(a) && is_point(b) && a.lo == b.lo, apart = a.hi < b.lo || b.hi < a.lo;
    switch (op) {
    case OP_LESS: return truth_of(a.hi < b.lo, a.lo >= b.hi);
    case OP_AT_MOST: return truth_of(a.hi <= b.lo, a.lo > b.hi);
    case OP_GREATER: return truth_of(a.lo > b.hi, a.hi <= b.lo);
    case OP_AT_LEAST: return truth_of(a.lo >= b.hi, a.hi < b.lo);
    case OP_EQUAL: return truth_of(same, apart);
    case OP_APART: return truth_of(apart, same);
    case OP_AND: return truth_of(surely(a) && surely(b), never(a) || never(b));
    default: return truth_of(surely(a) || surely(b), never(a) && never(b));
    }
}

static struct cutset_interval choice(struct cutset_interval condition, struct cutset_interval a, struct cutset_interval b)
{
    struct cutset_interval either;
    if (surely(condition)) return a;
    if (never(condition)) return b;
    either = hull(a, b);
    return isnan(either.lo) ? WHOLE : either;
}

/* The slope of the one of a and b that is certainly the smaller one, else bounds of both. */
static struct cutset_interval rate_of_min(struct cutset_interval a, struct cutset_interval b, struct cutset_interval da,
                                          struct cutset_interval db)
{
    return a.hi <= b.lo ? da : b.hi <= a.lo ? db : hull(da, db);
}

/* The slope of an operation with the value f, where it may have a jump. */
static struct cutset_interval rate_of(long op, struct cutset_interval f, struct cutset_interval slope)
{
    if (op == OP_RATE_OF_STEP) return is_point(f) ? interval(0.0, 0.0) : WHOLE;
    if (op == OP_RATE_AT_POLE) return isinf(f.lo) && isinf(f.hi) ? WHOLE : slope;
    return f.hi - f.lo >= FULL_TURN ? WHOLE : slope;
}

static struct cutset_interval computed(const struct cutset_isolation *s, const long *o, const struct cutset_interval *r,
                                       const double *c)
{
    const struct cutset_interval a = r[o[1]], b = r[o[2]];
    const double *p;
    long n;
    switch (o[0]) {
    case OP_ADD: return add(a, b);
    case OP_SUB: return subtract(a, b);
    case OP_NEG: return interval(-a.hi, -a.lo);
    case OP_MUL: return multiply(a, b);
    case OP_SQUARE: return squared(a);
    case OP_DIV: return divide(a, b);
    case OP_POW: return power(a, b);
    case OP_ATAN2: return angle(a, b);
    case OP_MIN: return interval(lower(a.lo, b.lo), lower(a.hi, b.hi));
    case OP_MAX: return interval(upper(a.lo, b.lo), upper(a.hi, b.hi));
    case OP_TABLE: p = table_of(s, o[3], c, &n); return table_values(a, n, p);
    case OP_STEEPNESS: p = table_of(s, o[3], c, &n); return table_slopes(a, n, p);
    case OP_NOT: return truth_of(never(a), surely(a));
    case OP_IF: return choice(a, b, r[o[3]]);
    case OP_RATE_OF_IF: return surely(a) ? b : never(a) ? r[o[3]] : WHOLE;
    case OP_RATE_OF_MIN: return rate_of_min(a, b, r[o[3]], r[o[4]]);
    case OP_RATE_OF_MAX: return rate_of_min(b, a, r[o[3]], r[o[4]]);
    default: break;
    }
    if (o[0] >= OP_FUNCTION) return values_of(CUTSET_FUNCTIONS + (o[0] - OP_FUNCTION), a);
    return o[0] < OP_RATE_OF_IF ? relation_of(o[0], a, b) : rate_of(o[0], a, b);
}

/* The results of the operations from `first` to before `end` over a span. */
static void compute(struct cutset_isolation *s, long first, long end, struct cutset_interval t, const double *c)
{
    long k;
    for (k = first; k < end; k++)
        s->results[k] = s->operations[5 * k] == OP_TIME ? t : computed(s, s->operations + 5 * k, s->results, c);
}

/* The operations of relation i that do not depend on time. */
static void compute_fixed(struct cutset_isolation *s, long i, const double *c, const double *m)
{
    long k;
    for (k = s->firsts[4 * i]; k < s->firsts[4 * i + 1]; k++) {
        const long *o = s->operations + 5 * k;
        double number = s->numbers[k];
        if (o[0] == OP_C) number = c[o[1]];
        if (o[0] == OP_M) number = m[o[1]];
        if (o[0] == OP_HELD) number = s->x[o[1]];
        if (o[0] == OP_SINCE) number = s->since;
        s->results[k] = o[0] <= OP_SINCE ? interval(number, number) : computed(s, o, s->results, c);
    }
}

/* ---- the difference of the sides ---- */

static double noise_of(struct cutset_interval left, struct cutset_interval right)
{
    return SIDES_DIFFER * fmax(fmax(fabs(left.lo), fabs(left.hi)), fmax(fabs(right.lo), fabs(right.hi)));
}

/* Where large numbers cancel within the slope of function i: the rounding that is in its bounds over some grain of time around t. */
static double lost_within(struct cutset_isolation *s, long i, double t, const double *c)
{
    const long *first = s->firsts + 4 * i;
    const struct cutset_interval *slope = s->results + s->sides[4 * i];
    if (i < s->n) return 0.0; /* a relation changes at its very instant */
    compute(s, first[1], first[2], interval(t - GRAIN * s->span, t + GRAIN * s->span), c);
    return isfinite(slope->hi - slope->lo) ? 0.5 * (slope->hi - slope->lo) : 0.0;
}

/* The difference of relation i at t; `noise` := its rounding error. */
static double difference_at(struct cutset_isolation *s, long i, double t, const double *c, double *noise)
{
    const long *first = s->firsts + 4 * i, *sides = s->sides + 4 * i;
    const double lost = lost_within(s, i, t, c);
    struct cutset_interval left, right;
    compute(s, first[1], first[2], interval(t, t), c);
    left = s->results[sides[0]], right = s->results[sides[1]];
    *noise = fmax(noise_of(left, right), lost);
    return left.lo - right.lo;
}

/* Bounds of the difference over a span. */
struct cutset_bounds {
    struct cutset_interval value, slope;
    double noise;
};

/* The bounds by the rules of the operators and, if these leave the sign open, by the mean value theorem. */
static struct cutset_bounds difference_over(struct cutset_isolation *s, long i, double lo, double hi, const double *c)
{
    const long *first = s->firsts + 4 * i, *sides = s->sides + 4 * i;
    const struct cutset_interval zero = {0.0, 0.0};
    struct cutset_bounds b;
    double middle = 0.5 * (lo + hi), at, noise, low, high;
    struct cutset_interval way;
    compute(s, first[1], first[3], interval(lo, hi), c);
    b.value = subtract(s->results[sides[0]], s->results[sides[1]]);
    b.noise = noise_of(s->results[sides[0]], s->results[sides[1]]);
    b.slope = subtract(sides[2] < 0 ? zero : s->results[sides[2]], sides[3] < 0 ? zero : s->results[sides[3]]);
    if (b.value.lo > 0.0 || b.value.hi < 0.0 || !isfinite(b.slope.lo) || !isfinite(b.slope.hi)) return b;
    if (sides[2] < 0 && sides[3] < 0) return b;
    at = difference_at(s, i, middle, c, &noise);
    way = multiply(b.slope, interval(lo - middle, hi - middle));
    b.noise = fmax(b.noise, 2.0 * noise);
    low = at - noise + way.lo, high = at + noise + way.hi;
    if (isfinite(low) && isfinite(high)) b.value = interval(fmax(b.value.lo, low), fmin(b.value.hi, high));
    return b;
}

/* The sign of a difference; 0 if rounding hides it. */
static double sign_of(double value, double noise)
{
    return fabs(value) <= noise && isfinite(value) ? 0.0 : (double)((value > 0.0) - (value < 0.0));
}

/* The zero of the inverse quadratic interpolation of three points (instant, difference), where it is monotone between the
   first two; else the middle of these two. */
static double interpolated(const double *latest, const double *other, const double *replaced)
{
    double t1 = latest[0], f1 = latest[1], t2 = other[0], f2 = other[1], t3 = replaced[0], f3 = replaced[1];
    double xi = (t1 - t2) / (t3 - t2), phi = (f1 - f2) / (f3 - f2);
    double found = f1 / (f2 - f1) * f3 / (f2 - f3) * (t2 - t1) + f1 / (f3 - f1) * f2 / (f3 - f2) * (t3 - t1);
    int is_monotone = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi && isfinite(found);
    return is_monotone ? t1 + found : 0.5 * (t1 + t2);
}

/* An instant just after the zero between two points (instant, difference), before which the difference has this sign: the
   method of T. R. Chandrupatla, Advances in Engineering Software 28 (1997) 145-149. */
static double located(struct cutset_isolation *s, long i, double *before, double *behind, double sign, double tolerance,
                      const double *c)
{
    double latest[2], replaced[2], noise, t = 0.5 * (before[0] + behind[0]);
    int round, k;
    before[1] *= sign, behind[1] *= sign;
    for (round = 0; round < MOST_LOCATING && behind[0] - before[0] > tolerance; round++) {
        double *changed;
        t = fmin(fmax(t, before[0] + 0.5 * tolerance), behind[0] - 0.5 * tolerance);
        latest[0] = t, latest[1] = sign * difference_at(s, i, t, c, &noise);
        changed = latest[1] > 0.0 ? before : behind;
        for (k = 0; k < 2; k++) replaced[k] = changed[k], changed[k] = latest[k];
        t = interpolated(latest, changed == before ? behind : before, replaced);
    }
    return behind[0];
}

/* ---- the search ---- */

static void push(struct cutset_search *q, double lo, double hi)
{
    q->low[q->depth] = lo;
    q->high[q->depth++] = hi;
}

static void halve(struct cutset_search *q, double lo, double hi)
{
    push(q, 0.5 * (lo + hi), hi);
    push(q, lo, 0.5 * (lo + hi));
}

/* Samples the rest of a part from `lo` on. */
static void begin_samples(struct cutset_isolation *s, struct cutset_search *q, double lo)
{
    double end = q->patience > 0 ? q->part : cutset_min(lo + SAMPLED_PART * s->span, q->end);
    q->first_sample = lo;
    q->last_sample = q->skip = cutset_min(cutset_max(end, lo), q->end);
    q->sample = 0;
}

/* The next sample: 1, with the sign from there on in q->from and q->found, or 0 if there are none left. */
static int next_sampled(struct cutset_isolation *s, long i, const double *c)
{
    struct cutset_search *q = s->searches + i;
    double part = (double)q->sample / (SAMPLES - 1), noise, value;
    if (q->sample >= SAMPLES) return 0;
    q->sample += i < s->n ? 1 : FEWER;
    q->from = q->first_sample + part * (q->last_sample - q->first_sample);
    value = difference_at(s, i, q->from, c, &noise);
    q->found = fabs(value) <= noise ? HIDDEN : (double)((value > 0.0) - (value < 0.0));
    return 1;
}

/* True if the difference has values at both ends of a span, over which it is monotone: q->found, q->second_found and
   q->second := its signs there and its zero, if there is one. */
static int decide_steep(struct cutset_isolation *s, long i, double lo, double hi, const double *c)
{
    struct cutset_search *q = s->searches + i;
    double before[2], behind[2], noise, first;
    before[0] = lo, before[1] = difference_at(s, i, lo, c, &noise);
    first = sign_of(before[1], noise);
    behind[0] = hi, behind[1] = difference_at(s, i, hi, c, &noise);
    if (isnan(before[1]) || isnan(behind[1])) return 0;
    q->second_found = sign_of(behind[1], noise);
    q->found = first != 0.0 ? first : q->second_found != 0.0 ? q->second_found : HIDDEN;
    q->has_second = first * q->second_found < 0.0;
    if (q->has_second) q->second = located(s, i, before, behind, first, q->tolerance, c);
    return 1;
}

/* Decides the span that is on top, or halves it: 1 if it has a sign, which is then in q->from and q->found. */
static int decide(struct cutset_isolation *s, long i, const double *c)
{
    struct cutset_search *q = s->searches + i;
    double lo = q->low[--q->depth], hi = q->high[q->depth];
    struct cutset_bounds b;
    struct cutset_interval v;
    int is_flat;
    if (hi - lo > WIDEST * (s->end - s->start)) {
        halve(q, lo, hi);
        return 0;
    }
    b = difference_over(s, i, lo, hi, c);
    v = b.value;
    is_flat = v.lo == 0.0 && v.hi == 0.0 && b.slope.lo == 0.0 && b.slope.hi == 0.0;
    q->from = cutset_max(lo, q->skip);
    q->found = v.lo > 0.0 ? 1.0 : v.hi < 0.0 ? -1.0 : 0.0;
    if (q->found != 0.0 || isnan(v.lo) || isnan(v.hi) || is_flat) return 1;
    if ((b.slope.lo > 0.0 || b.slope.hi < 0.0) && decide_steep(s, i, lo, hi, c)) return 1;
    q->found = HIDDEN;
    if (isfinite(b.noise) && fmax(fabs(v.lo), fabs(v.hi)) <= b.noise) return 1;
    if (hi - lo <= q->tolerance || q->depth + 2 > CUTSET_DEPTH) return 1;
    halve(q, lo, hi);
    if (lo >= q->part) {
        q->part = lo + LEAST_PART * s->span;
        q->undecided = 0;
    }
    if (i >= s->n && ++q->idle > MOST_IDLE) q->patience = 1; /* a slope without a sign, mostly rounding */
    if (++q->undecided > MOST_UNDECIDED || q->idle > MOST_IDLE) {
        q->patience--;
        begin_samples(s, q, lo);
    }
    return 0;
}

/* The next sign of relation i and the instant from which it has it, in q->found and q->from. 0 at the end, or if it is
   after `limit`. */
static int next_sign(struct cutset_isolation *s, long i, double limit, const double *c)
{
    struct cutset_search *q = s->searches + i;
    for (;;) {
        if (q->has_second) {
            q->has_second = 0;
            q->from = q->second, q->found = q->second_found;
            return 1;
        }
        if (next_sampled(s, i, c)) return 1;
        if (!q->depth && !(q->end < s->end)) return 0;
        if (!q->depth) {
            push(q, q->end, s->end);
            q->tolerance = INSTANT_DIFFERS * cutset_max(fabs(q->end), fabs(s->end));
            q->end = s->end;
        }
        if (q->high[q->depth - 1] <= q->skip) q->depth--;
        else if (q->low[q->depth - 1] > limit) return 0;
        else if (q->patience <= 0) begin_samples(s, q, cutset_max(q->low[q->depth - 1], q->skip));
        else if (decide(s, i, c)) return 1;
    }
}

/* Search from `start` to `end` in a run of `span` seconds. What is beyond rounding of both is searched too: an event may be
   just before the start or just after the end. Windows that reached beyond the end so far are unknown, except the next turn of a wave. */
static void reach(struct cutset_isolation *s, double start, double end, double span)
{
    long i;
    for (i = 0; i < s->n_forcing; i++) {
        struct cutset_window *q = s->windows + i;
        q->is_known &= q->until <= s->end || (q->is_wave && isfinite(q->until));
    }
    s->start = start - SEARCH_BEYOND * cutset_max(fabs(start), span);
    s->end = end + SEARCH_BEYOND * cutset_max(fabs(end), span);
    s->span = span;
}

/* Begins the search for the changes of relation i from t on. */
static void begin_search(struct cutset_isolation *s, long i, double t, const double *c, const double *m)
{
    struct cutset_search *q = s->searches + i;
    long k;
    for (k = s->keys[i]; k < s->keys[i + 1]; k++) s->key_values[k] = m[s->key_places[k]];
    compute_fixed(s, i, c, m);
    q->is_started = 1;
    q->depth = q->undecided = q->idle = q->has_next = q->has_second = 0;
    q->patience = PATIENCE, q->sample = SAMPLES;
    q->sign = q->latest = HIDDEN;
    q->part = -INFINITY;
    q->end = s->start;
    q->begun = t;
    q->skip = cutset_max(t - SEARCH_BEYOND * cutset_max(fabs(t), s->span), s->start);
}

/* q->next := the next change of the sign, if it is not after `limit`. */
static void look_on(struct cutset_isolation *s, long i, double limit, const double *c)
{
    struct cutset_search *q = s->searches + i;
    while (!q->has_next && next_sign(s, i, q->latest == HIDDEN ? INFINITY : limit, c)) {
        if (q->found == HIDDEN || q->found == q->latest) continue;
        if (q->latest == HIDDEN) q->sign = q->found;
        else {
            q->next = q->from;
            q->after = q->found;
            q->has_next = 1;
            q->idle = 0;
        }
        q->latest = q->found;
    }
}

static int is_same(const struct cutset_isolation *s, double a, double b)
{
    return a == b || fabs(a - b) <= SAME * cutset_min(cutset_max(cutset_max(fabs(a), fabs(b)), s->span), DBL_MAX);
}

/* row := (next instant after t, sign of the slope there) of relation i while m is held. Before the instant the difference of
   the sides has the other sign. Slope 0: the sides decide; nan: they are equal before it. A change after `limit` may be given
   as one after the end. */
static void isolate_one(struct cutset_isolation *s, long i, double t, const double *c, const double *m, double limit, double *row)
{
    struct cutset_search *q = s->searches + i;
    int is_known = q->is_started && (t >= q->begun || is_same(s, t, q->begun));
    long k;
    limit += SEARCH_BEYOND * cutset_max(fabs(limit), s->span);
    for (k = s->keys[i]; k < s->keys[i + 1]; k++) is_known &= m[s->key_places[k]] == s->key_values[k];
    if (!is_known) begin_search(s, i, t, c, m);
    for (;;) {
        look_on(s, i, limit, c);
        if (!q->has_next || (q->next > t && !is_same(s, q->next, t))) break;
        q->sign = q->after;
        q->begun = q->next;
        q->has_next = 0;
    }
    row[0] = q->has_next ? q->next : s->end + s->span;
    row[1] = q->sign == HIDDEN ? 0.0 : q->sign == 0.0 ? NAN : -q->sign;
}

/* The same for all relations. */
static void isolate(struct cutset_isolation *s, double t, const double *c, const double *m, double limit, double *rows)
{
    long i;
    for (i = 0; i < s->n; i++) isolate_one(s, i, t, c, m, limit, rows + 2 * i);
}

#endif
