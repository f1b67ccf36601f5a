/* Finds relations that agree with the equations. Allocates nothing.

   First all differing values change at once; if that cycles, one changes at a time, the first that differs (R. G. Bland, New
   finite pivoting rules for the simplex method, Math. Oper. Res. 2 (1977) 103-107). If that cycles too, combinations near to
   the held values are tried, and then changes of one group of relations after the other. */

#ifndef CUTSET_AGREE_H
#define CUTSET_AGREE_H

#include "cutset_support.h"
#include "decisions.h"
#include "driver.h"
#include "inputs.h"
#include "jumps.h"
#include "poles.h"
#include "relations.h"

/* values := the relations that the equations imply for the held values m. 0 if a function has no value. */
typedef int implied_relations(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m,
                              const long *due, double *values);

enum { MOST_FOLLOWED = 200, MOST_TRIED = 1000, MOST_FOLLOWING = 10 };
/* Relations that nothing changes, that keep changing, and others that affect the equations. */
enum { STILL, CHANGING, COUPLED };

/* A search from e->m, in e->searched: the relations from which it starts, those that are held, what is implied for them, the
   kind of each relation, its group, a choice of relations, and which of them change. */
struct agreement {
    struct cutset_data *d;
    struct cutset_events *e;
    const struct cutset_moment *s;
    const long *due;
    implied_relations *implied_by;
    double *start, *held, *first_implied, *kind, *group, *members, *chosen;
    long n, n_members, trials; /* trials: how many combinations may still be tried */
    int failed;              /* a function has no value */
};

static struct agreement new_agreement(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s,
                                      const long *due, implied_relations *implied_by)
{
    long n = e->n_relations;
    double *at = e->searched;
    struct agreement a = {d, e, s, due, implied_by, at, at + n, at + 2 * n, at + 3 * n, at + 4 * n, at + 5 * n, at + 6 * n, n,
                          0, 0, 0};
    return a;
}

/* e->values := what is implied for e->m. */
static int imply(struct agreement *a)
{
    if (!a->failed && !a->implied_by(a->d, a->e, a->s, a->e->m, a->due, a->e->values)) a->failed = 1;
    return !a->failed;
}

static int agrees(const struct agreement *a) { return equal(a->e->values, a->e->m, a->n); }

/* A number that no two of some hundred combinations share, but for one case in 10^15. */
static unsigned long long key_of(const double *numbers, long n)
{
    unsigned long long key = 0, bits;
    long i;
    for (i = 0; i < n; i++) {
        memcpy(&bits, numbers + i, sizeof bits);
        key = (key ^ bits) * 0x9E3779B97F4A7C15u;
        key ^= key >> 29;
    }
    return key;
}

/* True if the key is one of the n that were seen; else it is added. */
static int was_seen(unsigned long long *seen, long *n, unsigned long long key)
{
    long i;
    for (i = 0; i < *n; i++)
        if (seen[i] == key) return 1;
    seen[(*n)++] = key;
    return 0;
}

/* Follows what is implied from e->m until it agrees (then 1) or a combination repeats; notes what changes. */
static int follow_implied(struct agreement *a, int at_once)
{
    unsigned long long seen[MOST_FOLLOWED];
    double *m = a->e->m;
    const double *values = a->e->values;
    long n_seen = 0, k, first;
    while (n_seen < MOST_FOLLOWED) {
        if (!imply(a)) return 0;
        if (agrees(a)) return 1;
        if (was_seen(seen, &n_seen, key_of(m, a->n))) return 0;
        for (k = a->n - 1, first = 0; k >= 0; k--)
            if (values[k] != m[k]) a->kind[k] = CHANGING, first = k;
        if (at_once) memcpy(m, values, a->n * sizeof(double));
        else m[first] = values[first];
    }
    return 0;
}

/* ---- combinations ---- */

/* e->values := what is implied if the first `count` chosen members of what is held change. */
static int imply_chosen(struct agreement *a, long count)
{
    double *m = a->e->m;
    long i;
    memcpy(m, a->held, a->n * sizeof(double));
    for (i = 0; i < count; i++) {
        long k = (long)a->members[(long)a->chosen[i]];
        m[k] = 1.0 - m[k];
    }
    return imply(a);
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

/* Changes up to `largest` members, of which one is among the first `n_first`, the fewest first, until a change is accepted. */
static int try_changes(struct agreement *a, long n_first, long largest, long most, int (*accepts)(struct agreement *, long count))
{
    long count, i;
    for (count = 1; n_first && count <= largest; count++) {
        for (i = 0; i < count; i++) a->chosen[i] = (double)i;
        do {
            if (most-- <= 0 || !imply_chosen(a, count)) return 0;
            a->trials--;
            if (accepts(a, count)) return 1;
        } while (choose_next(a->chosen, count, a->n_members) && a->chosen[0] < (double)n_first);
    }
    return 0;
}

/* True if e->m agrees. A relation that affects the equations alone is noted. */
static int accept_agreement(struct agreement *a, long count)
{
    long k = (long)a->members[(long)a->chosen[0]];
    if (agrees(a)) return 1;
    if (count == 1 && a->kind[k] == STILL && !equal(a->e->values, a->first_implied, a->n)) a->kind[k] = COUPLED;
    return 0;
}

/* Adds the relations of a kind to the members; their number. */
static long add_members(struct agreement *a, double kind)
{
    long k, before = a->n_members;
    for (k = 0; k < a->n; k++)
        if (a->kind[k] == kind) a->members[a->n_members++] = (double)k;
    return a->n_members - before;
}

/* e->m := the first of some 1000 combinations near to what is held that agrees: changes of relations that keep changing, then
   of others that affect the equations. */
static int try_combinations(struct agreement *a)
{
    long first;
    a->trials = MOST_TRIED;
    if (!imply_chosen(a, 0)) return 0;
    if (agrees(a)) return 1;
    memcpy(a->first_implied, a->e->values, a->n * sizeof(double));
    a->n_members = 0, first = add_members(a, CHANGING);
    /* Half of the trials are reserved for the others, in case very many relations keep changing. */
    if (try_changes(a, first, a->n_members, a->trials / 2, accept_agreement)) return 1;
    a->n_members = 0, first = add_members(a, STILL);
    if (try_changes(a, first, 1, a->trials, accept_agreement)) return 1;
    a->n_members = 0, first = add_members(a, COUPLED), add_members(a, CHANGING);
    if (try_changes(a, first, a->n_members, a->trials, accept_agreement)) return 1;
    a->n_members = 0, first = add_members(a, STILL), add_members(a, CHANGING), add_members(a, COUPLED);
    return try_changes(a, first, a->n_members, a->trials, accept_agreement);
}

/* ---- group by group ---- */

/* Keeps a change after which only some of the relations that disagreed do. */
static int accept_improvement(struct agreement *a, long count)
{
    const double *m = a->e->m, *values = a->e->values;
    long k, fewer = 0;
    (void)count;
    for (k = 0; k < a->n; k++) {
        int was = a->first_implied[k] != a->held[k], is = values[k] != m[k];
        if (is && !was) return 0;
        fewer += was && !is;
    }
    if (!fewer) return 0;
    memcpy(a->held, m, a->n * sizeof(double));
    memcpy(a->first_implied, values, a->n * sizeof(double));
    return 1;
}

/* a->chosen[j] := whether a change of one relation that is in a group, such as j itself, changes what is implied of j. */
static void find_affected(struct agreement *a)
{
    const double *values = a->e->values;
    double *m = a->e->m;
    long j, k;
    memset(a->chosen, 0, a->n * sizeof(double));
    for (k = 0; k < a->n; k++) {
        if (a->group[k] < 0.0) continue;
        memcpy(m, a->held, a->n * sizeof(double));
        m[k] = 1.0 - m[k];
        if (!imply(a)) return;
        for (j = 0; j < a->n; j++)
            if (values[j] != a->first_implied[j]) a->chosen[j] = 1.0;
    }
}

/* Joins the groups of the relations that a change of relation k affects; a group has the number of its first relation. */
static void join_affected(struct agreement *a, long k)
{
    double *group = a->group;
    long i, j;
    a->members[0] = (double)k, a->chosen[0] = 0.0;
    if (!imply_chosen(a, 1)) return;
    for (j = 0; j < a->n; j++) {
        double one = cutset_min(group[j], group[k]), other = cutset_max(group[j], group[k]);
        if (a->e->values[j] == a->first_implied[j] || one < 0.0) continue;
        for (i = 0; i < a->n; i++)
            if (group[i] == other) group[i] = one;
    }
}

/* The relations in groups: one that is changed alone changes what is implied of its group only. A relation that agrees, and
   whose value no change affects, is in none, -1: so a relation of time, which affects all groups, does not join them. */
static void find_groups(struct agreement *a)
{
    long k, any = 1;
    for (k = 0; k < a->n; k++) a->group[k] = (double)k;
    while (any && !a->failed) {
        find_affected(a);
        for (k = 0, any = 0; k < a->n; k++) {
            if (a->group[k] < 0.0 || a->chosen[k] != 0.0 || a->first_implied[k] != a->held[k]) continue;
            a->group[k] = -1.0, any = 1;
        }
    }
    for (k = 0; k < a->n; k++)
        if (a->group[k] >= 0.0) join_affected(a, k);
}

/* The members of a group; 0 if all of them agree. */
static int take_group(struct agreement *a, long group)
{
    long k;
    int differs = 0;
    a->n_members = 0;
    for (k = 0; k < a->n; k++) {
        if (a->group[k] != (double)group) continue;
        a->members[a->n_members++] = (double)k;
        differs |= a->first_implied[k] != a->held[k];
    }
    return differs;
}

static long groups_that_differ(struct agreement *a)
{
    long k, count = 0;
    for (k = 0; k < a->n; k++) count += take_group(a, k);
    return count;
}

/* Improves the smallest group that can be improved. */
static int improve_some_group(struct agreement *a)
{
    long count = groups_that_differ(a), size, k;
    for (size = 1; size <= a->n && count; size++)
        for (k = 0; k < a->n; k++) {
            if (!take_group(a, k) || a->n_members != size) continue;
            if (try_changes(a, size, size, MOST_TRIED / count, accept_improvement)) return 1;
        }
    return 0;
}

/* e->m := held values found one group after the other: together these have too many combinations. */
static int try_groups(struct agreement *a)
{
    if (!imply_chosen(a, 0)) return 0;
    memcpy(a->first_implied, a->e->values, a->n * sizeof(double));
    find_groups(a);
    if (groups_that_differ(a) < 2) return 0;
    while (!equal(a->held, a->first_implied, a->n)) /* each time more agrees */
        if (!improve_some_group(a)) return 0;
    memcpy(a->e->m, a->held, a->n * sizeof(double));
    return 1;
}

/* e->m := relations near to its own that agree. 0 if none were found. */
static int agree(struct agreement *a)
{
    size_t size = a->n * sizeof(double);
    memcpy(a->start, a->e->m, size);
    memcpy(a->held, a->e->m, size);
    memset(a->kind, 0, size);
    return follow_implied(a, 1) || follow_implied(a, 0) || try_combinations(a) || try_groups(a);
}

/* The same from what is implied for e->m, unless that agrees. */
static int agree_with_implied(struct agreement *a)
{
    if (!imply(a)) return 0;
    if (agrees(a)) return 1;
    memcpy(a->e->m, a->e->values, a->n * sizeof(double));
    return agree(a);
}

/* ---- at an event ---- */

/* e->updated := the discrete variables and the states that follow from (t, x, m) with the branches in e->acting. 0 if a function
   has no value. */
static int find_updates(struct cutset_data *d, struct cutset_events *e, double t, const double *x, const double *m)
{
    cutset_fault = 0;
    fill_inputs(d, t);
    cutset_updates(t, x, d->u, d->c, m, e->acting, d->w, e->updated);
    return no_nan(e->updated, e->n_discrete + d->n_states) || !cutset_fault ? 1 : fail(e, FAULTY_FUNCTION, 0);
}

/* e->m := the held values before relations are decided: those of samples are known. */
static void take_held(struct cutset_events *e, const struct cutset_moment *s, const long *due)
{
    long k;
    memcpy(e->m, s->m, e->n_modes * sizeof(double));
    for (k = 0; k < e->n_samples; k++) e->m[e->samples[k]] = due && due[k];
}

/* True if the sides of all relations are finite for the held values e->m. */
static int sides_are_finite(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    look(d, e, s->t, moved_states(d, e, s, e->m), e->m);
    return all_finite(2 * e->n_relations, e->y + e->n_variables);
}

/* Notes which relations kept changing, and whether the equations are singular with what is implied at first. */
static void note_contradiction(struct agreement *a)
{
    struct cutset_failure *f = &a->e->failure;
    long k;
    fail(a->e, CONTRADICTORY_RELATIONS, 0);
    for (k = 0; k < a->n; k++) f->changing[k] = a->kind[k] == CHANGING;
    memcpy(a->e->m, a->start, a->n * sizeof(double));
    f->count = !sides_are_finite(a->d, a->e, a->s);
}

/* e->m := relations that agree with the equations; discrete variables are held. If the equations have no values for the held
   ones, it is what these imply: that failure has its own message. */
static int agree_at_event(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const long *due)
{
    struct agreement a = new_agreement(d, e, s, due, implied);
    take_held(e, s, due);
    if (agree_with_implied(&a)) return 1;
    take_held(e, s, due);
    if (sides_are_finite(d, e, s)) {
        note_contradiction(&a);
        return 0;
    }
    memcpy(e->m, a.start, e->n_relations * sizeof(double));
    return 1;
}

/* The same, where a relation at its crossing has its value up to what rounding explains, or not at all. 0 if there is none. */
static int agree_within(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, const long *due, int up_to_rounding)
{
    double *reach = e->searched + 7 * e->n_relations;
    long k, n = e->n_relations;
    int found = 0, any = 0;
    memcpy(reach, s->reach, n * sizeof(double));
    for (k = 0; k < n; k++)
        if (s->reach[k] >= 0.0) s->reach[k] = up_to_rounding && e->places[k] >= 0 ? e->roundings[e->places[k]] : -1.0, any = 1;
    if (any) found = agree_at_event(d, e, s, due);
    memcpy(s->reach, reach, n * sizeof(double));
    return found;
}

/* The same: up to what rounding explains, or not at all. */
static int agree_firmly(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, const long *due)
{
    look(d, e, s->t, s->x, s->m);
    find_roundings(d, e, s->t, s->x, s->m);
    return agree_within(d, e, s, due, 1) || agree_within(d, e, s, due, 0);
}

/* Lets the discrete variables in m follow from its relations, no branch acting: 1 if they do, -1 if a function has no value. */
static int follow_discrete(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, double *m)
{
    long pass, k, n = e->n_relations;
    memset(e->acting, 0, e->n_branches * sizeof(double));
    for (pass = 0; pass < MOST_FOLLOWING; pass++) {
        int follows = 1;
        if (!e->n_discrete) return 1;
        if (!find_updates(d, e, s->t, moved_states(d, e, s, m), m)) return -1;
        for (k = 0; k < e->n_discrete; k++) follows &= e->updated[k] == m[n + k];
        if (follows) return 1;
        memcpy(m + n, e->updated, e->n_discrete * sizeof(double));
    }
    return 0;
}

/* As `implied`, for the discrete variables that follow from the relations m; where none do, other values are implied. */
static int implied_together(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, const double *m,
                            const long *due, double *values)
{
    double *own = e->searched + 8 * e->n_relations;
    long k, n = e->n_relations;
    int follows;
    memcpy(own, m, n * sizeof(double));
    memcpy(own + n, s->m + n, e->n_discrete * sizeof(double));
    follows = follow_discrete(d, e, s, own);
    if (follows == 1) return implied(d, e, s, own, due, values);
    for (k = 0; k < n; k++) values[k] = 1.0 - m[k];
    return follows == 0;
}

/* e->m := held values with relations that agree with the discrete variables that follow from them: 1, 0 if there are none, -1
   if a function has no value. A relation with a hysteresis is not held at its crossing. */
static int agree_together(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, const long *due)
{
    struct agreement a = new_agreement(d, e, s, due, implied_together);
    double *reach = e->searched + 7 * e->n_relations;
    long k;
    int found;
    if (!e->n_relations) return 0;
    memcpy(reach, s->reach, e->n_relations * sizeof(double));
    for (k = 0; k < e->n_relations; k++)
        if (s->widths[2 * k] >= 0.0) s->reach[k] = -1.0;
    memcpy(e->m, s->m, e->n_modes * sizeof(double));
    found = agree(&a);
    memcpy(s->reach, reach, e->n_relations * sizeof(double));
    if (!found) return a.failed ? -1 : 0;
    memcpy(e->m + e->n_relations, s->m + e->n_relations, e->n_discrete * sizeof(double));
    return follow_discrete(d, e, s, e->m);
}

/* e->m := the held values with relations that agree with the equations; discrete variables are held unless none agree. */
static int find_modes(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, const long *due)
{
    take_held(e, s, due);
    if (!e->n_relations || agree_at_event(d, e, s, due)) return 1;
    return agree_firmly(d, e, s, due) || agree_together(d, e, s, due) == 1;
}

#endif
