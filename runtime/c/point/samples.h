/* The loops over all crossings at a sample, for several of them at once or for one. What includes it defines CUTSET_WIDTH,
   how many; CUTSET_NUMBER, a double or a vector of the compiler; CUTSET_BITS, the results of comparisons; CUTSET_OF, which
   gives the functions their names; CUTSET_PICK, CUTSET_NOT, CUTSET_ANY and CUTSET_SIZE, a choice, the other truth value,
   whether one is true, and the absolute value. All are undefined at the end. The last crossings may be visited twice: that
   changes nothing. */

#define CUTSET_AT(array) (*(CUTSET_NUMBER *)((array) + k))
#define CUTSET_ALL(k, n) (k = 0; k < n && (k <= n - CUTSET_WIDTH || (k = n - CUTSET_WIDTH, 1)); k += CUTSET_WIDTH)

/* Arms the crossings that are positive in g; true if one is below its base. */
static int CUTSET_OF(have_crossed)(struct cutset_watch *w, double *g)
{
    const CUTSET_NUMBER zero = {0.0}, one = zero + 1.0;
    double *restrict margins = w->margin, *restrict armed = w->armed, *restrict bases = w->base, *restrict floors = w->floor;
    CUTSET_BITS crossed = {0};
    long k, n = w->n;
    for CUTSET_ALL(k, n) {
        const CUTSET_NUMBER value = CUTSET_AT(g);
        const CUTSET_BITS arms = value > 2.0 * CUTSET_AT(margins);
        const CUTSET_NUMBER base = CUTSET_PICK(arms, CUTSET_AT(floors), CUTSET_AT(bases));
        CUTSET_AT(bases) = base;
        CUTSET_AT(armed) = CUTSET_PICK(arms, one, CUTSET_AT(armed));
        crossed |= value < base;
    }
    return CUTSET_ANY(crossed);
}

/* The growth that `resolved` describes, with three samples before the last one. */
static double CUTSET_OF(growth)(struct cutset_watch *w, double from, double to)
{
    const double h = to - from, t1 = w->at[0], t0 = w->at[1], of_doubt = 2.0 * (to - t1) / (to - t0);
    const double of_older = h / (from - t1), of_oldest = h / (t1 - t0), of_bend = h / (to - t1), of_bent = h / (from - t0);
    const CUTSET_NUMBER zero = {0.0};
    CUTSET_BITS hidden = {0}, rough = {0}, bent_much = {0};
    long k, n = w->n;
    for CUTSET_ALL(k, n) {
        const CUTSET_NUMBER low = CUTSET_AT(w->low), high = CUTSET_AT(w->high), base = CUTSET_AT(w->base);
        const CUTSET_NUMBER older = CUTSET_AT(w->older), above = low - base, right = high - base;
        const CUTSET_NUMBER left = CUTSET_PICK(above > zero, above, zero), size = left + CUTSET_SIZE(right);
        const CUTSET_NUMBER before = of_older * (low - older);
        const CUTSET_NUMBER bend = of_bend * (high - low - before); /* these are multiplied by h^2 */
        const CUTSET_NUMBER bent = of_bent * (before - of_oldest * (older - CUTSET_AT(w->oldest)));
        const CUTSET_NUMBER change = bend - bent, doubt = of_doubt * CUTSET_SIZE(change);
        const CUTSET_NUMBER most = CUTSET_SIZE(bend) + doubt, below = bend + doubt - size;
        const CUTSET_BITS counts = CUTSET_NOT(size < FADED * CUTSET_AT(w->sizes));
        const CUTSET_BITS returns = (below > zero) & (below * below > 4.0 * left * right);
        hidden |= counts & (returns | (doubt > 0.25 * size) | ((most > size) & (right < zero)));
        bent_much |= counts & CUTSET_NOT(most <= SMOOTH * size);
        rough |= counts & CUTSET_NOT(most <= SMOOTH * SMOOTH * size);
    }
    return CUTSET_ANY(hidden) ? 0.0 : CUTSET_ANY(bent_much) ? SLOW : CUTSET_ANY(rough) ? FAST : FAST * FAST;
}

#undef CUTSET_ALL
#undef CUTSET_AT
#undef CUTSET_WIDTH
#undef CUTSET_NUMBER
#undef CUTSET_BITS
#undef CUTSET_OF
#undef CUTSET_PICK
#undef CUTSET_NOT
#undef CUTSET_ANY
#undef CUTSET_SIZE
