/* Interval arithmetic: bounds of all values of an operation, rounding included. An interval of one point stays one,
   and has no numbers where a function has no value. */

#ifndef CUTSET_INTERVALS_H
#define CUTSET_INTERVALS_H

#include "cutset_support.h"
#include "driver.h"

/* A function of one argument and its shape, as in contract/functions.py, with two numbers: of RISING and FALLING the domain,
   of VALLEY the least value, of WAVE the crest, of BRANCHES a pole and the period. */
enum cutset_shapes { RISING, FALLING, VALLEY, WAVE, BRANCHES, ANY_SHAPE };
struct cutset_function {
    double (*value)(double x);
    enum cutset_shapes shape;
    double first, second;
};

#include "functions.h"

static const double WIDER = 4.0 * DBL_EPSILON, FULL_TURN = 6.283185307179586, HALF_TURN = 3.141592653589793;
static const struct cutset_interval WHOLE = {CUTSET_BELOW_ALL, INFINITY}, NO_INTERVAL = {NAN, NAN};

static struct cutset_interval interval(double lo, double hi)
{
    struct cutset_interval made;
    made.lo = lo;
    made.hi = hi;
    return made;
}

static int is_point(struct cutset_interval a) { return a.lo == a.hi; }

static struct cutset_interval widened(double lo, double hi)
{
    return lo < hi ? interval(lo - WIDER * fabs(lo), hi + WIDER * fabs(hi)) : interval(lo, hi);
}

/* Both nan if one of them is. */
static double lower(double a, double b) { return isnan(a) ? a : isnan(b) ? b : a < b ? a : b; }
static double upper(double a, double b) { return isnan(a) ? a : isnan(b) ? b : a > b ? a : b; }

static struct cutset_interval hull(struct cutset_interval a, struct cutset_interval b)
{
    return interval(lower(a.lo, b.lo), upper(a.hi, b.hi));
}

static struct cutset_interval add(struct cutset_interval a, struct cutset_interval b)
{
    return widened(a.lo + b.lo, a.hi + b.hi);
}

static struct cutset_interval subtract(struct cutset_interval a, struct cutset_interval b)
{
    return widened(a.lo - b.hi, a.hi - b.lo);
}

/* Between the least and the greatest of four corners. */
static struct cutset_interval between(const double *corners)
{
    return widened(lower(lower(corners[0], corners[1]), lower(corners[2], corners[3])),
                   upper(upper(corners[0], corners[1]), upper(corners[2], corners[3])));
}

/* Zero times infinity: the limit of products is zero here. */
static double product(double a, double b)
{
    double found = a * b;
    return isnan(found) && !isnan(a) && !isnan(b) ? 0.0 : found;
}

static struct cutset_interval multiply(struct cutset_interval a, struct cutset_interval b)
{
    double corners[4];
    if (is_point(a) && is_point(b)) return interval(a.lo * b.lo, a.lo * b.lo);
    corners[0] = product(a.lo, b.lo), corners[1] = product(a.lo, b.hi);
    corners[2] = product(a.hi, b.lo), corners[3] = product(a.hi, b.hi);
    return between(corners);
}

/* a * a where both factors are the same variable. */
static struct cutset_interval squared(struct cutset_interval a)
{
    double low = a.lo * a.lo, high = a.hi * a.hi;
    return widened(a.lo < 0.0 && a.hi > 0.0 ? 0.0 : lower(low, high), upper(low, high));
}

/* a / b; unbounded if b may be zero. */
static struct cutset_interval divide(struct cutset_interval a, struct cutset_interval b)
{
    double corners[4];
    if (is_point(a) && is_point(b)) return interval(a.lo / b.lo, a.lo / b.lo);
    if (b.lo <= 0.0 && b.hi >= 0.0 && b.lo < b.hi) return WHOLE;
    if ((isinf(a.lo) || isinf(a.hi)) && (isinf(b.lo) || isinf(b.hi))) return WHOLE;
    corners[0] = a.lo / b.lo, corners[1] = a.lo / b.hi, corners[2] = a.hi / b.lo, corners[3] = a.hi / b.hi;
    return between(corners);
}

/* True if one of first, first + period, ... lies inside. */
static int meets(struct cutset_interval a, double first, double period)
{
    return floor((a.hi - first) / period) > floor((a.lo - first) / period);
}

static struct cutset_interval of_wave(struct cutset_interval a, double low, double high, double crest)
{
    int is_wild = !isfinite(a.lo) || !isfinite(a.hi);
    struct cutset_interval found = widened(lower(low, high), upper(low, high));
    found.hi = is_wild || meets(a, crest, FULL_TURN) ? 1.0 : lower(found.hi, 1.0);
    found.lo = is_wild || meets(a, crest + HALF_TURN, FULL_TURN) ? -1.0 : upper(found.lo, -1.0);
    return found;
}

/* The values of a function of one argument. */
static struct cutset_interval values_of(const struct cutset_function *f, struct cutset_interval a)
{
    double low, high;
    if (is_point(a)) return interval(f->value(a.lo), f->value(a.lo));
    if (f->shape == ANY_SHAPE) return isnan(a.lo) ? a : WHOLE;
    if (f->shape == RISING || f->shape == FALLING) {
        a = interval(upper(a.lo, f->first), lower(a.hi, f->second));
        if (!(a.lo <= a.hi)) return NO_INTERVAL;
    }
    low = f->value(a.lo), high = f->value(a.hi);
    switch (f->shape) {
    case RISING: return widened(low, high);
    case FALLING: return widened(high, low);
    case VALLEY: return widened(a.lo < 0.0 && a.hi > 0.0 ? f->first : lower(low, high), upper(low, high));
    case WAVE: return of_wave(a, low, high, f->first);
    default: break;
    }
    if (!isfinite(a.lo) || !isfinite(a.hi) || meets(a, f->first, f->second)) return WHOLE;
    return widened(low, high);
}

/* atan2(y, x); from -pi to pi if its cut may lie inside. */
static struct cutset_interval angle(struct cutset_interval y, struct cutset_interval x)
{
    double corners[4];
    if (is_point(y) && is_point(x)) return interval(atan2(y.lo, x.lo), atan2(y.lo, x.lo));
    if (x.lo <= 0.0 && y.lo <= 0.0 && y.hi >= 0.0) return interval(-HALF_TURN, HALF_TURN);
    corners[0] = atan2(y.lo, x.lo), corners[1] = atan2(y.lo, x.hi);
    corners[2] = atan2(y.hi, x.lo), corners[3] = atan2(y.hi, x.hi);
    return between(corners);
}

static struct cutset_interval whole_power(struct cutset_interval a, double exponent)
{
    double low = pow(a.lo, exponent), high = pow(a.hi, exponent);
    struct cutset_interval found = widened(lower(low, high), upper(low, high));
    int spans = a.lo <= 0.0 && a.hi >= 0.0 && a.lo < a.hi;
    if (spans && exponent < 0.0) return WHOLE;
    if (spans && fmod(exponent, 2.0) == 0.0) found.lo = lower(found.lo, 0.0);
    return found;
}

/* a ^ b. A negative a has no value if the exponent is not a whole number. */
static struct cutset_interval power(struct cutset_interval a, struct cutset_interval b)
{
    double corners[4], least = upper(a.lo, 0.0);
    if (is_point(a) && is_point(b)) return interval(pow(a.lo, b.lo), pow(a.lo, b.lo));
    if (is_point(b) && b.lo == nearbyint(b.lo)) return whole_power(a, b.lo);
    if (!(a.hi >= 0.0)) return NO_INTERVAL;
    corners[0] = pow(least, b.lo), corners[1] = pow(least, b.hi);
    corners[2] = pow(a.hi, b.lo), corners[3] = pow(a.hi, b.hi);
    return between(corners);
}

#endif
