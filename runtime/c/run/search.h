/* Solves the initial system: start values -> the states at the start, with the guesses of all iterations at one
   solution. Allocates nothing.

   If equations have several solutions, the one nearest to the start values is chosen: a loop of a mechanism closes in two
   ways or more, and with any joint turned by a full turn; a start value on a solution of another equation selects that
   solution. Newton's method may find another one, or none if bars are collinear. So solutions are also sought from points
   near the guesses, and compared, regardless of the unknowns for which the equations are solved. */

#ifndef CUTSET_SEARCH_H
#define CUTSET_SEARCH_H

#include "cutset_support.h"
#include "driver.h"
#include "inputs.h"
#include "poles.h"
#include "relations.h"

enum { SHIFTS = 24, SHIFTS_FOR_ANY = 12 };
/* The limits on starts without a solution, each for other relations: on those with a search near the guesses of loops, and
   on others, whose equations may be singular for most relations. */
enum { MOST_SEARCHES = 4, MOST_UNSOLVED = 200 };
/* Sets of iterations: those of the groups that are sought, and all. */
enum { SOUGHT = -1, EVERY = -2 };
static const double PI = 3.14159265358979323846;
/* The largest distance at which solutions are sought; beyond the second, in rad or m, only rounding closes a loop. */
static const double FARTHEST = 3.0, CLOSED = 1e4;
/* A solution this near to the start values needs no comparison: in rad or m for a joint, else relative to the start value. */
static const double NEAR_START = 0.05;
/* The weight of a given start value relative to a default. */
static const double GIVEN_WEIGHT = 1e3;
/* Distances with a smaller difference are equal. */
static const double SAME_DISTANCE = 1e-6;

/* ---- one solution ---- */

/* The value of a variable at a point. */
static double value_at(const struct cutset_written *v, const double *x, const double *y, const double *p, const double *u)
{
    const double *const arrays[] = {y, x, p, u};
    return v->sign * arrays[v->array][v->index];
}

static int is_in_group(const struct cutset_start *b, long iteration, long group)
{
    long own = b->groups[iteration];
    return group == EVERY || (group == SOUGHT ? b->search.sought[own] != 0.0 : own == group);
}

/* The largest distance of the unknowns of loops from their first guesses. */
static double farthest(const struct cutset_start *b, const double *w, long group)
{
    double most = 0.0;
    long k, i, at = 0;
    for (k = 0; k < b->n_iterations; at += 2 * b->iterations[k++] + 1)
        for (i = at; b->loops[k] && is_in_group(b, k, group) && i < at + b->iterations[k]; i++) {
            double away = fabs(w[i] - b->search.first[i]);
            if (!(away <= most)) most = isnan(away) ? INFINITY : away;
        }
    return most;
}

/* How many iterations have a solution: those of loops, or all. */
static long count_solved(const struct cutset_start *b, const double *w, int of_loops)
{
    long k, at = 0, count = 0;
    for (k = 0; k < b->n_iterations; at += 2 * b->iterations[k++] + 1)
        count += (!of_loops || b->loops[k]) && w[at + b->iterations[k]] != 0.0;
    return count;
}

/* b->begins := the states from the guesses in w, then two numbers for each condition that follows from others. From their own
   guesses, other iterations for the same unknowns might find another solution: these follow. */
static void solve_start(struct cutset_data *d, struct cutset_events *e, double t, const double *m)
{
    const struct cutset_start *b = e->start;
    long k, at = 0;
    for (k = 0; k < b->n_iterations && !b->is_followed; at += 2 * b->iterations[k++] + 1)
        d->w[at + b->iterations[k]] = 0.0; /* the orientation of a branch is known only after a solution */
    fill_inputs(d, t);
    cutset_start(t, d->u, d->c, m, b->s, d->w, b->begins);
    for (k = 0; k < b->n_copies; k++) {
        const long *copy = b->copies + 4 * k;
        if (d->w[copy[1]] == 0.0 && d->w[copy[3]] != 0.0) d->w[copy[0]] = d->w[copy[2]];
    }
    if (b->n_wanted && all_finite(d->n_states, b->begins) && farthest(b, d->w, EVERY) <= CLOSED)
        rates_at(d, t, b->begins, m, e->dx); /* which solves the other iterations */
}

/* How far a variable is from its start value. */
static double away_from(const struct cutset_start *b, const struct cutset_wanted *v, double value)
{
    double wanted = b->s[v->value], size = v->of_loop || wanted == 0.0 ? 1.0 : fabs(wanted);
    return fabs(value - wanted) / size;
}

/* Compares the outcome of `solve_start` with the start values. */
static void measure(struct cutset_data *d, struct cutset_events *e, double t, const double *m, struct cutset_solution *found)
{
    const struct cutset_start *b = e->start;
    double distance = 0.0;
    long k, loops = 0;
    memcpy(found->x, b->begins, (d->n_states + 2 * b->n_conditions) * sizeof(double));
    found->is_known = all_finite(d->n_states, found->x);
    if (found->is_known) {
        fill_inputs(d, t);
        cutset_variables(t, found->x, d->u, d->c, m, d->w, e->y_row);
    }
    for (k = 0; k < b->n_wanted && found->is_known; k++) {
        const struct cutset_wanted *v = b->wanted + k;
        found->at[k] = value_at(&v->variable, found->x, e->y_row, b->p, d->u);
        distance = hypot(distance, away_from(b, v, found->at[k]) * (v->is_written ? GIVEN_WEIGHT : 1.0));
    }
    memcpy(found->w, d->w, d->n_guesses * sizeof(double));
    for (k = 0; k < b->n_iterations; k++) loops += b->loops[k];
    if (!found->is_known || count_solved(b, d->w, 1) < loops || !(farthest(b, found->w, EVERY) <= CLOSED)) distance = NAN;
    found->distance = isfinite(distance) ? distance : INFINITY;
}

/* True if a solution is nearer. Of two at equal distance, as in a mirror, the choice does not depend on the order of
   declarations. */
static int is_nearer(const struct cutset_start *b, const struct cutset_solution *one, const struct cutset_solution *other)
{
    double differ = one->distance - other->distance;
    long k;
    if (!isfinite(one->distance) || !isfinite(other->distance)) return isfinite(one->distance);
    if (fabs(differ) > SAME_DISTANCE * (1.0 + other->distance)) return differ < 0.0;
    for (k = 0; k < b->n_wanted; k++)
        if (fabs(one->at[k] - other->at[k]) > SAME_DISTANCE * (1.0 + fabs(other->at[k]))) return one->at[k] > other->at[k];
    return 0;
}

static void take_tried(struct cutset_start_search *s)
{
    struct cutset_solution best = s->best;
    s->best = s->tried;
    s->tried = best;
}

/* ---- other points to begin from ---- */

/* Writes the guesses, with those of the group moved from their first values. */
static void write_moved(const struct cutset_start *b, const double *guesses, long group, double *w, long n)
{
    const struct cutset_start_search *s = &b->search;
    long k, i, at = 0;
    memcpy(w, guesses, n * sizeof(double));
    for (k = 0; k < b->n_iterations; at += 2 * b->iterations[k++] + 1)
        for (i = at; is_in_group(b, k, group) && i < at + b->iterations[k]; i++) w[i] = s->first[i] + s->moves[b->unknowns[2 * i]];
}

/* s->tried := the outcome from there. */
static void try_moved(struct cutset_data *d, struct cutset_events *e, double t, const double *m, const double *guesses, long group)
{
    write_moved(e->start, guesses, group, d->w, d->n_guesses);
    solve_start(d, e, t, m);
    measure(d, e, t, m, &e->start->search.tried);
    cutset_fault = 0;
}

/* The moves to points at growing distances, the same for each unknown whatever the order of the equations is. */
static void move_beside(const struct cutset_start *b, long k, long tries)
{
    double reach = FARTHEST * (double)(k + 1) / (double)tries;
    long i;
    for (i = 0; i < b->n_unknowns; i++)
        b->search.moves[i] = b->search.sizes[i] * (-reach + (reach - -reach) * b->shifts[SHIFTS * i + k]);
}

/* The moves to a solution without full turns of its loops. */
static void move_back(const struct cutset_start *b, const double *w, long group)
{
    const struct cutset_start_search *s = &b->search;
    long k, i, at = 0;
    memset(s->moves, 0, b->n_unknowns * sizeof(double));
    for (k = 0; k < b->n_iterations; at += 2 * b->iterations[k++] + 1)
        for (i = at; b->loops[k] && is_in_group(b, k, group) && i < at + b->iterations[k]; i++)
            s->moves[b->unknowns[2 * i]] = remainder(w[i] - s->first[i], 2.0 * PI);
}

/* The sizes of the unknowns of loops; their number. */
static long size_loops(const struct cutset_start *b, long group)
{
    long k, i, at = 0, count = 0;
    memset(b->search.sizes, 0, b->n_unknowns * sizeof(double));
    for (k = 0; k < b->n_iterations; at += 2 * b->iterations[k++] + 1)
        for (i = at; b->loops[k] && is_in_group(b, k, group) && i < at + b->iterations[k]; i++, count++)
            b->search.sizes[b->unknowns[2 * i]] = 1.0;
    return count;
}

/* Those of unknowns in other equations whose start values are not given, and the moves to the solution w; their number. */
static long size_others(const struct cutset_start *b, const double *w, long group)
{
    const struct cutset_start_search *s = &b->search;
    long k, i, at = 0, count = 0;
    memset(s->moves, 0, b->n_unknowns * sizeof(double));
    for (k = 0; k < b->n_iterations; at += 2 * b->iterations[k++] + 1)
        for (i = at; is_in_group(b, k, group) && i < at + b->iterations[k]; i++) {
            long unknown = b->unknowns[2 * i];
            if (b->unknowns[2 * i + 1]) continue;
            s->moves[unknown] = w[i] - s->first[i];
            s->sizes[unknown] = cutset_max(fabs(w[i + b->iterations[k] + 1]), fabs(w[i]));
            count++;
        }
    return count;
}

/* ---- the search ---- */

/* s->best := a solution from points near the guesses of loops, if there is one; otherwise s->failing has the guesses from which
   there are no states. */
static void seek_any(struct cutset_data *d, struct cutset_events *e, double t, const double *m)
{
    struct cutset_start *b = e->start;
    struct cutset_start_search *s = &b->search;
    double *failing = s->failing + s->n_failing * d->n_guesses;
    long k, tries = size_loops(b, SOUGHT) ? SHIFTS_FOR_ANY : 0;
    int has_failing = 0;
    memcpy(failing, s->first, d->n_guesses * sizeof(double));
    for (k = 0; k < tries && !d->interrupted; k++) {
        move_beside(b, k, tries);
        try_moved(d, e, t, m, s->first, SOUGHT);
        if (isfinite(s->tried.distance)) {
            take_tried(s);
            return;
        }
        if (!s->tried.is_known && !has_failing) {
            write_moved(b, s->first, SOUGHT, failing, d->n_guesses);
            has_failing = 1;
        }
    }
}

/* Tries the moves, and once more without full turns. True if the best solution needs no comparison. */
static int try_moves(struct cutset_data *d, struct cutset_events *e, double t, const double *m, long group)
{
    struct cutset_start *b = e->start;
    struct cutset_start_search *s = &b->search;
    int round, ends = 0;
    for (round = 0; round < 2 && !ends; round++) {
        try_moved(d, e, t, m, s->others, group);
        ends = !isfinite(s->tried.distance) || farthest(b, s->tried.w, group) <= PI;
        move_back(b, s->tried.w, group);
        if (is_nearer(b, &s->tried, &s->best)) take_tried(s);
    }
    return s->best.distance <= NEAR_START || d->interrupted;
}

/* s->best := the nearest solution for a group, with the others unchanged. It is sought without full turns; from given start
   values, with the rest as found; and from points near the guesses. */
static void seek_nearest(struct cutset_data *d, struct cutset_events *e, double t, const double *m, long group)
{
    struct cutset_start *b = e->start;
    struct cutset_start_search *s = &b->search;
    long k, count;
    memcpy(s->others, s->best.w, d->n_guesses * sizeof(double));
    if (farthest(b, s->others, group) > PI) {
        move_back(b, s->others, group);
        if (try_moves(d, e, t, m, group)) return;
    }
    count = size_loops(b, group);
    if (!count) {
        count = size_others(b, s->others, group);
        if (count && try_moves(d, e, t, m, group)) return;
    }
    for (k = 0; count && k < SHIFTS; k++) {
        move_beside(b, k, SHIFTS);
        if (try_moves(d, e, t, m, group)) return;
    }
}

/* Chooses the groups that may have a better solution, or else those of loops; their number. Returns through `far` how many
   variables are far from their start values. */
static long choose_groups(struct cutset_start *b, long *far)
{
    struct cutset_start_search *s = &b->search;
    long k, count = 0;
    *far = 0;
    memset(s->sought, 0, b->n_groups * sizeof(double));
    for (k = 0; k < b->n_wanted && s->best.is_known; k++) {
        if (away_from(b, b->wanted + k, s->best.at[k]) <= NEAR_START) continue;
        s->sought[b->groups[b->wanted[k].iteration]] = 1.0;
        ++*far;
    }
    for (k = 0; k < b->n_iterations && !*far; k++)
        if (b->loops[k]) s->sought[b->groups[k]] = 1.0;
    for (k = 0; k < b->n_groups; k++) count += s->sought[k] != 0.0;
    return count;
}

/* b->begins := no states, with the message of the failure from these guesses. */
static void fail_from(struct cutset_data *d, struct cutset_events *e, double t, const double *m, const double *guesses)
{
    struct cutset_start *b = e->start;
    long i;
    memcpy(d->w, guesses, d->n_guesses * sizeof(double));
    solve_start(d, e, t, m);
    memcpy(d->w, b->search.first, d->n_guesses * sizeof(double)); /* no starting point for others is known */
    if (all_finite(d->n_states, b->begins))
        for (i = 0; i < d->n_states + 2 * b->n_conditions; i++) b->begins[i] = NAN;
}

/* True if there was a search for these held values and the first guesses; then it failed, and `failing` has its guesses. */
static int has_failed(const struct cutset_data *d, const struct cutset_events *e, const double *m, const double **failing)
{
    const struct cutset_start_search *s = &e->start->search;
    size_t modes = e->n_modes * sizeof(double), guesses = d->n_guesses * sizeof(double);
    long k, n = e->n_modes + d->n_guesses;
    for (k = 0; k < s->n_failing && k < MOST_SEARCHES; k++) {
        const double *asked = s->asked + k * n;
        if (memcmp(asked, m, modes) || memcmp(asked + e->n_modes, s->first, guesses)) continue;
        *failing = s->failing + k * d->n_guesses;
        return 1;
    }
    return 0;
}

/* Remembers a search that has failed. */
static void note_failed(const struct cutset_data *d, const struct cutset_events *e, const double *m)
{
    struct cutset_start_search *s = &e->start->search;
    double *asked = s->asked + s->n_failing * (e->n_modes + d->n_guesses);
    if (s->n_failing == MOST_SEARCHES) return;
    memcpy(asked, m, e->n_modes * sizeof(double));
    memcpy(asked + e->n_modes, s->first, d->n_guesses * sizeof(double));
    s->n_failing++;
}

/* b->begins := the states for the held values m, then two numbers for each condition that follows from others. The states are
   not finite if the equations have no solution. */
static void states_at_start(struct cutset_data *d, struct cutset_events *e, double t, const double *m)
{
    struct cutset_start *b = e->start;
    struct cutset_start_search *s = &b->search;
    long n = d->n_guesses, k, far, count, known = count_solved(b, d->w, 0);
    const double *failing = s->failing + s->n_failing * n;
    if (b->n_wanted) {
        memcpy(s->first, d->w, n * sizeof(double));
        if (has_failed(d, e, m, &failing)) {
            fail_from(d, e, t, m, failing);
            return;
        }
    }
    solve_start(d, e, t, m);
    if (b->n_wanted && !known && !d->interrupted) {
        measure(d, e, t, m, &s->best);
        count = choose_groups(b, &far);
        if (count && (far || !isfinite(s->best.distance))) {
            cutset_fault = 0;
            if (!isfinite(s->best.distance)) seek_any(d, e, t, m);
            if (!isfinite(s->best.distance)) {
                note_failed(d, e, m);
                fail_from(d, e, t, m, failing);
                return;
            }
            for (k = 0; k < b->n_groups; k++)
                if (s->sought[k] != 0.0) seek_nearest(d, e, t, m, k);
            memcpy(d->w, s->best.w, n * sizeof(double));
            memcpy(b->begins, s->best.x, (d->n_states + 2 * b->n_conditions) * sizeof(double));
            return;
        }
    }
    if (!all_finite(d->n_states, b->begins) && count_solved(b, d->w, 0) < b->n_iterations) s->n_unsolved++;
}

/* True if other relations will not help. */
static int is_search_over(const struct cutset_start_search *s)
{
    return s->n_failing >= MOST_SEARCHES || s->n_unsolved >= MOST_UNSOLVED;
}

#endif
