/* Settles the relations and branches of an event in passes. In each the relations are made to agree with the
   equations while the discrete variables are held; then the branches whose conditions have become true act, and
   assign discrete variables and states. The last pass changes nothing. Allocates nothing. */

#ifndef CUTSET_PASSES_H
#define CUTSET_PASSES_H

#include "agree.h"
#include "cutset_support.h"
#include "driver.h"
#include "jumps.h"
#include "relations.h"

/* Values of several `init` with a smaller relative difference are equal up to rounding. */
static const double VALUES_DIFFER = 1e-12;

enum { MOST_PASSES = 100 };

/* acting[k] := 1 if branch k acts: of each `when` the first whose condition has become true. Returns how many act. */
static long find_acting(struct cutset_events *e, const struct cutset_moment *s)
{
    const double *now = e->y + e->n_variables + 2 * e->n_relations;
    long i, k = 0, count = 0;
    for (i = 0; i < e->n_whens; i++) {
        long end = k + e->whens[i], found = 0;
        for (; k < end; k++) {
            e->acting[k] = !found && now[k] != 0.0 && s->conditions[k] == 0.0;
            if (e->acting[k] != 0.0) found = 1;
        }
        count += found;
    }
    return count;
}

/* True if a round of FMUs acts: then no other branch does: the outputs of co-simulated FMUs that seek values which
   agree with the model are provisional. */
static int keep_round(const struct cutset_events *e)
{
    long k;
    int acts = 0;
    for (k = 0; e->rounds && k < e->n_branches; k++) acts |= e->rounds[k] && e->acting[k] != 0.0;
    for (k = 0; acts && k < e->n_branches; k++)
        if (!e->rounds[k]) e->acting[k] = 0.0;
    return acts;
}

/* After a round, everything but the variables of rounds is as before. */
static void take_round(const struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    const double *now = e->y + e->n_variables + 2 * e->n_relations;
    long k;
    for (k = 0; k < e->n_discrete; k++)
        if (!e->settled[k]) e->updated[k] = e->m[e->n_relations + k];
    memcpy(e->updated + e->n_discrete, s->x, d->n_states * sizeof(double));
    for (k = 0; k < e->n_branches; k++)
        if (e->rounds[k]) s->conditions[k] = now[k];
}

/* 0 if an assertion is violated: one of the acting branches, or one outside of all branches. e->ended becomes the first that
   ends the run. */
static int assertions_hold(struct cutset_events *e, const double *y, int of_branches)
{
    const double *values = y + e->n_variables + 2 * e->n_relations + e->n_branches;
    long i;
    for (i = 0; e->past && !of_branches && i < e->n_assertions; i++)
        if (values[i] == 0.0) e->past[i] = 0;
    for (i = 0; i < e->n_assertions; i++) {
        long branch = e->branch_of[i];
        int own = of_branches ? branch >= 0 && e->acting[branch] != 0.0 : branch < 0;
        if (!own || (e->past && e->past[i])) continue;
        if (e->terminates[i] && fabs(values[i]) > 0.0) { /* nor nan */
            e->ended = i + 1;
            return 1;
        }
        if (!e->terminates[i] && values[i] == 0.0) return fail(e, VIOLATED_ASSERTION, i);
    }
    return 1;
}

/* The first assignment of the same variable whose branch acts. */
static long first_assignment(const struct cutset_events *e, long number)
{
    long k = 0;
    while (e->restarts[2 * k] != e->restarts[2 * number] || e->acting[e->restarts[2 * k + 1]] == 0.0) k++;
    return k;
}

/* 0 if branches that act give one variable different values. */
static int assignments_agree(struct cutset_events *e, const double *given)
{
    struct cutset_failure *f = &e->failure;
    long k;
    for (k = 0; k < e->n_restarts; k++) {
        long first;
        if (e->acting[e->restarts[2 * k + 1]] == 0.0) continue;
        first = first_assignment(e, k);
        f->was = given[first], f->now = given[k], f->other = k;
        if (f->was == f->now || (isnan(f->was) && isnan(f->now))) continue;
        if (!(fabs(f->was - f->now) <= VALUES_DIFFER * cutset_max(fabs(f->was), fabs(f->now)))) return fail(e, CONFLICTING_RESTARTS, first);
    }
    return 1;
}

/* e->updated := the discrete variables and the states after a pass. */
static int update(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s, long acts)
{
    memcpy(e->updated + e->n_discrete, s->x, d->n_states * sizeof(double));
    if (!e->n_discrete && !acts && !e->n_algebraic) return 1;
    if (!find_updates(d, e, s->t, s->x, e->m)) return 0;
    return assignments_agree(e, e->updated + e->n_discrete + d->n_states);
}

/* The conditions, truths, samples and scales of y become those of s. */
static void take_indicators(const struct cutset_data *d, const struct cutset_events *e, struct cutset_moment *s)
{
    const double *sides = e->y + e->n_variables;
    long i, k;
    for (k = 0; k < e->n_relations; k++) s->truths[k] = sides[2 * k];
    for (i = 0; i < e->n_samples; i++) memcpy(s->samples + 2 * i, sides + 2 * e->samples[i], 2 * sizeof(double));
    for (k = 0; k < e->n_relations; k++) {
        double left = fabs(sides[2 * k]), right = fabs(sides[2 * k + 1]), most;
        long j = e->places[k];
        if (j < 0) continue;
        s->scales[j] = left > right || isnan(left) ? left : right;
        most = (left < right ? left : right) + 2.0 * d->watch.sizes[j]; /* more is near a pole */
        if (d->watch.sizes[j] > 0.0 && s->scales[j] > most) s->scales[j] = most;
    }
    memcpy(s->conditions, sides + 2 * e->n_relations, e->n_branches * sizeof(double));
}

/* True if the states are the same, but for those that follow from others: each time they differ by rounding. */
static int same_states(const struct cutset_data *d, const struct cutset_events *e, const double *a, const double *b)
{
    return equal(a, b, d->n_states - e->n_algebraic);
}

/* Equal sides that part by a jump of the states are not at their crossing any more. */
static void leave_crossings(const struct cutset_data *d, const struct cutset_events *e, struct cutset_moment *s)
{
    long k;
    if (same_states(d, e, e->updated + e->n_discrete, s->x)) return;
    for (k = 0; k < e->n_relations; k++)
        if (e->opposites[k] >= 0) s->reach[k] = -1.0;
}

/* True if a pass changes nothing: no discrete variable, no state, and no relation that is true for one pass only. */
static int is_at_rest(const struct cutset_data *d, const struct cutset_events *e, const struct cutset_moment *s)
{
    long k;
    if (!equal(e->updated, e->m + e->n_relations, e->n_discrete)) return 0;
    if (!same_states(d, e, e->updated + e->n_discrete, s->x)) return 0;
    for (k = 0; k < e->n_relations; k++)
        if ((e->kinds[k] == EDGE || e->kinds[k] == SAMPLE) && e->m[k] != 0.0) return 0;
    return 1;
}

/* If a branch has restarted states, constraints jump from these; a choice of states has changed with the states. */
static void note_restart(struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    const double *x = e->updated + e->n_discrete;
    double *held = e->jumps.decided;
    long k;
    if (same_states(d, e, x, s->x)) return;
    e->jumps.restarted = 1;
    e->jumps.steps = 0; /* they were before the restart */
    if (!e->jumps.n) return;
    memcpy(held, e->m, e->n_modes * sizeof(double));
    for (k = 0; k < e->n_discrete; k++)
        if (e->jumps.made[k]) held[e->n_relations + k] = e->updated[k];
    begin_jumps(d, e, s->t, x, held);
}

/* True if s is at the crossing of one of the changing relations: then every event leads to the next one, as where x slides
   along a whole number with floor(x). */
static int is_at_crossing(struct cutset_data *d, struct cutset_events *e, double t, const double *x, const double *m)
{
    long k;
    crossings_at(d, t, x, m, e->g);
    look(d, e, t, x, m);
    find_roundings(d, e, t, x, m);
    for (k = 0; k < e->n_relations; k++)
        if (e->failure.changing[k] && e->places[k] >= 0 && fabs(e->g[e->places[k]]) <= e->roundings[e->places[k]]) return 1;
    return 0;
}

/* e->failure.changing := the relations that the last pass has changed; returns how many. */
static long find_changing(struct cutset_events *e, const struct cutset_moment *s)
{
    struct cutset_failure *f = &e->failure;
    long k, count = 0;
    for (k = 0; k < e->n_relations; k++) count += f->changing[k] = f->m_before[k] != s->m[k];
    return count;
}

/* Gives s held values that agree, after passes have repeated. 0 if none do, and relations change in the cycle. */
static int leave_cycle(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s)
{
    struct cutset_failure *f = &e->failure;
    int found = agree_together(d, e, s, 0), meet;
    if (found < 0) return 0;
    if (found) memcpy(s->m, e->m, e->n_modes * sizeof(double));
    if (found || !find_changing(e, s)) return 1;
    meet = is_at_crossing(d, e, s->t, f->x_before, f->m_before) && is_at_crossing(d, e, s->t, s->x, s->m);
    f->count = 0;
    return fail(e, meet ? CYCLING_RELATIONS : CONTRADICTORY_RELATIONS, 0);
}

/* Passes do not end. */
static int fail_to_rest(const struct cutset_data *d, struct cutset_events *e, const struct cutset_moment *s)
{
    find_changing(e, s);
    memcpy(e->failure.m_after, s->m, e->n_modes * sizeof(double));
    memcpy(e->failure.x_after, s->x, d->n_states * sizeof(double));
    return fail(e, ENDLESS_PASSES, MOST_PASSES);
}

/* s := the moment after a pass. */
static void end_pass(const struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, long acts)
{
    size_t modes = e->n_modes * sizeof(double), states = d->n_states * sizeof(double);
    memcpy(e->failure.m_before, s->m, modes);
    memcpy(e->failure.x_before, s->x, states);
    memcpy(s->m, e->m, e->n_relations * sizeof(double));
    memcpy(s->m + e->n_relations, e->updated, e->n_discrete * sizeof(double));
    memcpy(s->x, e->updated + e->n_discrete, states);
    s->acted |= acts > 0;
}

static int make_passes(struct cutset_data *d, struct cutset_events *e, struct cutset_moment *s, const long *due)
{
    unsigned long long seen[MOST_PASSES]; /* since a branch acted */
    long pass, n_seen = 0;
    int may_repeat = 1;
    for (pass = 0; pass < MOST_PASSES; pass++, due = 0) {
        const double *x;
        long acts;
        int rests, in_round;
        if (!find_modes(d, e, s, due)) return 0;
        x = moved_states(d, e, s, e->m);
        if (x != s->x) memcpy(s->x, x, d->n_states * sizeof(double));
        look(d, e, s->t, s->x, e->m);
        acts = find_acting(e, s);
        in_round = keep_round(e);
        if (!assertions_hold(e, e->y, 1) || !update(d, e, s, acts)) return 0;
        if (in_round) take_round(d, e, s);
        rests = is_at_rest(d, e, s);
        note_restart(d, e, s);
        if (rests && !e->ended && !assertions_hold(e, e->y, 0)) return 0;
        if (!in_round) take_indicators(d, e, s);
        if (acts) leave_crossings(d, e, s);
        end_pass(d, e, s, acts);
        if (rests) return 1;
        if (acts) n_seen = 0, may_repeat = 1;
        else if (may_repeat && was_seen(seen, &n_seen, key_of(s->m, e->n_modes))) {
            if (!leave_cycle(d, e, s)) return 0;
            may_repeat = 0;
        }
    }
    return fail_to_rest(d, e, s);
}

#endif
