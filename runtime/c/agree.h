/* Finds relations that agree with the equations where following all of them at once does not. Included by events.h only.

   This is runtime/consistency.py for programs without Python: one relation changes at a time (R. G. Bland, New finite
   pivoting rules for the simplex method, Math. Oper. Res. 2 (1977) 103-107), then combinations near to the held values
   are tried, and then changes of one group of relations after the other. */

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

/* ---- group by group ---- */

/* Held values that are reached, what the equations imply for them, the group of each relation, the relations of one group, and
   those of them that change: in e->searched. */
struct group_search {
    struct cutset_data *d;
    struct cutset_events *e;
    const struct cutset_moment *s;
    const long *due;
    implied_relations *implied_by;
    double *held, *said, *group, *members, *chosen;
    long n_members, left; /* left: how many changes of a group may still be tried */
};

/* e->values := what is implied if the first `count` chosen members change. 0 if the equations have no values. */
static int try_chosen(struct group_search *g, long count)
{
    struct cutset_events *e = g->e;
    long i;
    memcpy(e->m, g->held, e->n_relations * sizeof(double));
    for (i = 0; i < count; i++) {
        long k = (long)g->members[(long)g->chosen[i]];
        e->m[k] = 1.0 - e->m[k];
    }
    return g->implied_by(g->d, e, g->s, e->m, g->due, e->values);
}

/* True if only some of the relations that disagree with what is held disagree with e->m. */
static int agrees_more(const struct group_search *g)
{
    const struct cutset_events *e = g->e;
    long k, fewer = 0;
    for (k = 0; k < e->n_relations; k++) {
        int was = g->said[k] != g->held[k], is = e->values[k] != e->m[k];
        if (is && !was) return 0;
        fewer += was && !is;
    }
    return fewer > 0;
}

/* The next `count` of n members in ascending order: 0 after the last. */
static int choose_next(double *chosen, long count, long n)
{
    long i = count - 1;
    while (i >= 0 && chosen[i] == (double)(n - count + i)) i--;
    if (i < 0) return 0;
    chosen[i] += 1.0;
    for (i++; i < count; i++) chosen[i] = chosen[i - 1] + 1.0;
    return 1;
}

/* Keeps the first change of the members after which more agrees, fewest relations first. */
static int improve_group(struct group_search *g)
{
    long count, i;
    for (count = 1; count <= g->n_members; count++) {
        for (i = 0; i < count; i++) g->chosen[i] = (double)i;
        do {
            if (g->left-- <= 0) return 0;
            if (!try_chosen(g, count) || !agrees_more(g)) continue;
            memcpy(g->held, g->e->m, g->e->n_relations * sizeof(double));
            memcpy(g->said, g->e->values, g->e->n_relations * sizeof(double));
            return 1;
        } while (choose_next(g->chosen, count, g->n_members));
    }
    return 0;
}

/* g->chosen[j] := whether a change of one relation that is in a group, such as j itself, changes what is implied of j. */
static void find_affected(struct group_search *g)
{
    long n = g->e->n_relations, j, k;
    memset(g->chosen, 0, n * sizeof(double));
    for (k = 0; k < n; k++) {
        if (g->group[k] < 0.0) continue;
        memcpy(g->e->m, g->held, n * sizeof(double));
        g->e->m[k] = 1.0 - g->e->m[k];
        if (!g->implied_by(g->d, g->e, g->s, g->e->m, g->due, g->e->values)) continue;
        for (j = 0; j < n; j++)
            if (g->e->values[j] != g->said[j]) g->chosen[j] = 1.0;
    }
}

/* Joins the groups of the relations that a change of relation k affects. */
static void join_affected(struct group_search *g, long k)
{
    long n = g->e->n_relations, i, j;
    g->members[0] = (double)k, g->chosen[0] = 0.0;
    if (!try_chosen(g, 1)) return;
    for (j = 0; j < n; j++) {
        double other = g->group[j], own = g->group[k];
        if (g->e->values[j] == g->said[j] || other == own || other < 0.0) continue;
        for (i = 0; i < n; i++)
            if (g->group[i] == other) g->group[i] = own;
    }
}

/* The relations in groups: one that is changed alone changes what is implied of its group only. A relation that agrees, and
   whose value no change affects, is in none, -1: so a relation of time, which affects all groups, does not join them. */
static void find_groups(struct group_search *g)
{
    enum { MOST_DEEP = 16 };
    long n = g->e->n_relations, round, k, any = 1;
    for (k = 0; k < n; k++) g->group[k] = (double)k;
    for (round = 0; round < MOST_DEEP && any; round++) {
        find_affected(g);
        for (k = 0, any = 0; k < n; k++) {
            if (g->group[k] < 0.0 || g->chosen[k] != 0.0 || g->said[k] != g->held[k]) continue;
            g->group[k] = -1.0, any = 1;
        }
    }
    for (k = 0; k < n; k++)
        if (g->group[k] >= 0.0) join_affected(g, k);
}

/* The members of a group; 0 if all of them agree. */
static int take_group(struct group_search *g, double group)
{
    long k;
    int differs = 0;
    g->n_members = 0;
    for (k = 0; k < g->e->n_relations; k++) {
        if (g->group[k] != group) continue;
        g->members[g->n_members++] = (double)k;
        differs |= g->said[k] != g->held[k];
    }
    return differs;
}

/* Improves the smallest group that can be improved. */
static int improve_some_group(struct group_search *g)
{
    long n = g->e->n_relations, count = 0, size, k;
    for (k = 0; k < n; k++) count += take_group(g, (double)k);
    for (size = 1; size <= n && count; size++)
        for (k = 0; k < n; k++) {
            if (!take_group(g, (double)k) || g->n_members != size) continue;
            g->left = MOST_TRIED / count;
            if (improve_group(g)) return 1;
        }
    return 0;
}

/* e->m := held values found one group after the other: together these have too many combinations. */
static int search_groups(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const long *due,
                         implied_relations *implied_by)
{
    long n = e->n_relations, round;
    double *at = e->searched;
    struct group_search g = {d, e, s, due, implied_by, at, at + n, at + 2 * n, at + 3 * n, at + 4 * n, 0, 0};
    memcpy(e->m, s->m, e->n_modes * sizeof(double));
    if (!implied_by(d, e, s, e->m, due, e->values)) return 0;
    memcpy(g.held, e->values, n * sizeof(double));
    if (!try_chosen(&g, 0)) return 0;
    memcpy(g.said, e->values, n * sizeof(double));
    find_groups(&g);
    for (round = 0; round < n && memcmp(g.held, g.said, n * sizeof(double)); round++) /* each one lets more agree */
        if (!improve_some_group(&g)) return 0;
    memcpy(e->m, g.held, n * sizeof(double));
    return 1;
}

/* e->m := the held values of s with relations that agree with the equations. 0 if none was found. */
static int search(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const long *due,
                  implied_relations *implied_by)
{
    return follow_relations(d, e, s, due, implied_by, 0) || try_changes(d, e, s, due, implied_by) ||
           search_groups(d, e, s, due, implied_by);
}

#endif
