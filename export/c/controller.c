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
    memset(s->m, 0, sizeof s->m);
    memcpy(s->m + HELD, first, sizeof first);
    s->count = 0;
}

int NAME_sample(struct NAME *s, const TYPE given[GIVEN], TYPE result[RESULTS])
{
    TYPE *m = s->m, f[BRANCHES], w[WORK], y[COMPUTED], e[MEMORY];
    const TYPE t = TIME;
    int pass;
    (void)result;
    BEGIN
    /* After the first pass no sample acts; what else depends on new values follows in the next ones. */
    for (pass = 0; pass < 100; pass++) {
        settle(t, given, m, w, y);
        ACT
        updates(t, 0, given, constants, m, f, w, e);
        if (pass && !memcmp(m + HELD, e, sizeof e)) break;
        memcpy(m + HELD, e, sizeof e);
        END
    }
    RESULT
    NEXT
    return pass < 100;
}
