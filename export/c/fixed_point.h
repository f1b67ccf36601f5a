/* Arithmetic of integers with FIXED_PLACES binary places. Results that are too large become the largest number. */

#ifndef FIXED_POINT_H
#define FIXED_POINT_H

static inline int32_t fixed_limited(int64_t x) { return (int32_t)(x > INT32_MAX ? INT32_MAX : x < -INT32_MAX ? -INT32_MAX : x); }
static inline int32_t fixed_add(int32_t a, int32_t b) { return fixed_limited((int64_t)a + b); }
static inline int32_t fixed_sub(int32_t a, int32_t b) { return fixed_limited((int64_t)a - b); }
static inline int32_t fixed_neg(int32_t a) { return -a; }
static inline int32_t fixed_fabs(int32_t a) { return a < 0 ? -a : a; }
static inline int32_t fixed_sign(int32_t a) { return ((a > 0) - (a < 0)) * (1 << FIXED_PLACES); }
static inline int32_t fixed_truth(int32_t a) { return a ? 1 << FIXED_PLACES : 0; }
static inline int32_t fixed_min(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t fixed_max(int32_t a, int32_t b) { return a > b ? a : b; }

/* The product is rounded to the nearest integer. */
static inline int32_t fixed_mul(int32_t a, int32_t b)
{
    int64_t product = (int64_t)a * b, half = (int64_t)1 << FIXED_PLACES >> 1;
    return fixed_limited(product < 0 ? -((half - product) >> FIXED_PLACES) : (product + half) >> FIXED_PLACES);
}

/* A quotient by zero is the largest number. */
static inline int32_t fixed_div(int32_t a, int32_t b)
{
    int64_t size = (int64_t)(a < 0 ? -(int64_t)a : a) << FIXED_PLACES, by = b < 0 ? -(int64_t)b : b;
    int64_t quotient = by ? (size + by / 2) / by : INT32_MAX;
    return fixed_limited((a < 0) != (b < 0) ? -quotient : quotient);
}

#endif
