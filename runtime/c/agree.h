/* Finds relations that agree with the equations where following all of them at once does not. Included by events.h only.

   This is runtime/consistency.py for programs without Python: one relation changes at a time (R. G. Bland, New finite
   pivoting rules for the simplex method, Math. Oper. Res. 2 (1977) 103-107), then combinations near to the held values
   are tried. */

#ifndef CUTSET_AGREE_H
#define CUTSET_AGREE_H

/* values := the relations that the equations imply for the held values m. 0 if they have none. */
typedef int implied_relations(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m,
                              const long *due, double *values);

enum { MOST_FOLLOWED = 200, MOST_TRIED = 1000 };

/* The first relation whose implied value differs from the held one; n_relations: none, -1: there are no values. */
static long first_change(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const long *due,
                         implied_relations *implied_by)
{
    long k = 0;
    if (!implied_by(d, e, s, e->m, due, e->values)) return -1;
    while (k < e->n_relations && e->values[k] == e->m[k]) k++;
    return k;
}

/* e->m := held values reached from those of s by changing all relations at once, or the first that differs. */
static int follow_relations(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const long *due,
                            implied_relations *implied_by, int at_once)
{
    long n = e->n_relations, round;
    memcpy(e->m, s->m, e->n_modes * sizeof(double));
    for (round = 0; round < MOST_FOLLOWED; round++) {
        long k = first_change(d, e, s, due, implied_by);
        if (k == n) return 1;
        if (k < 0) return 0;
        if (at_once) memcpy(e->m, e->values, n * sizeof(double));
        else e->m[k] = e->values[k];
    }
    return 0;
}

static int agrees_with(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const long *due,
                       implied_relations *implied_by, long i, long j)
{
    memcpy(e->m, s->m, e->n_modes * sizeof(double));
    e->m[i] = 1.0 - e->m[i];
    if (j >= 0) e->m[j] = 1.0 - e->m[j];
    return first_change(d, e, s, due, implied_by) == e->n_relations;
}

/* e->m := held values that differ from those of s in one relation or two, of some 1000 tried. */
static int try_changes(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const long *due,
                       implied_relations *implied_by)
{
    long n = e->n_relations, i, j, left = MOST_TRIED;
    for (i = 0; i < n && left > 0; i++, left--)
        if (agrees_with(d, e, s, due, implied_by, i, -1)) return 1;
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++) {
            if (left-- <= 0) return 0;
            if (agrees_with(d, e, s, due, implied_by, i, j)) return 1;
        }
    return 0;
}

/* e->m := the held values of s with relations that agree with the equations. 0 if none was found. */
static int search(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const long *due,
                  implied_relations *implied_by)
{
    return follow_relations(d, e, s, due, implied_by, 0) || try_changes(d, e, s, due, implied_by);
}

#endif
