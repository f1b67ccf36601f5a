#include "NAME.h"
#include <math.h>
#include <string.h>

CODE
static const TYPE constants[] = {CONSTANTS}, first[] = {STARTS};

/* Computes all variables, with relations m that agree with them. */
static void settle(TYPE t, const TYPE *u, TYPE *m, TYPE *w, TYPE *y)
{
    int pass, changed = 1;
    for (pass = 0; changed && pass < PASSES; pass++) {
        variables(t, 0, u, constants, m, w, y);
        changed = 0;
        AGREE
    }
}

void NAME_start(struct NAME *s)
{
    memcpy(s->m, first, sizeof s->m);
    s->count = 0;
}

void NAME_sample(struct NAME *s, const TYPE given[GIVEN], TYPE result[RESULTS])
{
    TYPE m[HELD + MEMORY] = {0}, f[BRANCHES], w[WORK], y[COMPUTED], e[MEMORY];
    const TYPE t = TIME;
    int pass;
    memcpy(m + HELD, s->m, sizeof s->m);
    BEGIN
    /* After the first pass no sample acts; what else depends on new values follows in the next ones. */
    for (pass = 0; pass < EVENTS; pass++) {
        settle(t, given, m, w, y);
        ACT
        updates(t, 0, given, constants, m, f, w, e);
        if (pass && !memcmp(m + HELD, e, sizeof e)) break;
        memcpy(m + HELD, e, sizeof e);
        END
    }
    memcpy(s->m, m + HELD, sizeof s->m);
    RESULT
    NEXT
}
