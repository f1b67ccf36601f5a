/* Follows solutions of nonlinear systems along a trajectory. Allocates nothing.

   Equations may have several solutions. The relevant one is connected with the last point that the integrator has
   accepted: the iteration starts from that point's extrapolated guesses, whatever was tried since. If it does not
   converge fast, or converges to a distant solution, the solution is followed on the straight line from that point,
   in steps that shorten until it changes little in them or changes like a continuous function. If not even the
   shortest step achieves that, the branch ends before: the evaluation has no value, and the integrator takes a
   shorter step. At a singular position of a mechanism branches intersect, and the sign of the determinant changes along
   each: the solution goes on straight there. */

#ifndef CUTSET_BRANCHES_H
#define CUTSET_BRANCHES_H

#include "cutset_support.h"
#include "driver.h"
#include "inputs.h"

/* Relative to the largest value (ROUNDING in start.h): smaller changes of a solution need no check. */
static const double NEAR = 0.05;
/* How far a continuous function may lie from the mean of its ends in the middle of a short step, relative to its
   change: the square root has 0.21, a jump 0.5. */
static const double BENT = 0.35;

/* Relative to the largest value: a smaller change is rounding. */
static const double MOVED = 1e-7;
/* Relative to its change: how far a solution that passes an intersection may lie from the straight line. */
static const double STRAIGHT = 0.3;

/* Steps of a search, the shortest of them relative to its whole way. Without states no step of an integrator can be
   shortened instead. */
enum { TRIES = 100, TRIES_ALONE = 1000 };
static const double SHORTEST = 1.0 / 2048.0, SHORTEST_ALONE = 1e-12;

static int all_finite(long n, const double *values)
{
    long k;
    for (k = 0; k < n; k++)
        if (!isfinite(values[k])) return 0;
    return 1;
}

/* Lets the orientations of motions in `to` be those in `from`; true if one was another. */
static int copy_orientations(const struct cutset_branch *b, double *to, const double *from)
{
    long k;
    int changes = 0;
    for (k = 0; k < b->n_motions; k++) {
        long place = b->motions[2 * k] + b->motions[2 * k + 1];
        changes |= to[place] * from[place] < 0.0;
        to[place] = from[place];
    }
    return changes;
}

/* The guesses for time t, extrapolated linearly from the last two accepted points. */
static void extrapolate_guesses(struct cutset_data *d, double t)
{
    struct cutset_branch *b = &d->branch;
    double way = b->t - b->t_before, part = way != 0.0 ? (t - b->t) / way : 0.0;
    long i;
    part = cutset_min(cutset_max(part, -1.0), 10.0);
    for (i = 0; i < b->n; i++) d->w[i] = b->last[i] + part * (b->last[i] - b->before[i]);
}

/* True if all motions in w whose orientation is not that of the guess go on straight, from `from` to the guess; these guesses
   take the orientation. */
static int passes_straight(struct cutset_data *d, const double *from)
{
    const struct cutset_branch *b = &d->branch;
    long k, i;
    for (k = 0; k < b->n_motions; k++) {
        long first = b->motions[2 * k], place = first + b->motions[2 * k + 1];
        double way = 0.0, bend = 0.0;
        if (!(d->w[place] * b->guess[place] < 0.0)) continue;
        for (i = first; i < place; i++) {
            way = cutset_max(way, fabs(b->guess[i] - from[i]) / b->size[i]);
            bend = cutset_max(bend, fabs(d->w[i] - b->guess[i]) / b->size[i]);
        }
        if (!(bend <= STRAIGHT * way)) return 0;
        b->guess[place] = d->w[place];
    }
    return 1;
}

/* Accepts the point (t, x) with the solutions of the latest evaluation. */
static void accept_point(struct cutset_data *d, double t, const double *x)
{
    struct cutset_branch *b = &d->branch;
    int moved = 0;
    long i;
    if (!b->n) return;
    b->t_before = b->t;
    b->t = t;
    b->lost = b->solved = 0;
    memcpy(b->x, x, d->n_states * sizeof(double));
    for (i = 0; i < b->n; i++) {
        b->before[i] = b->last[i];
        b->last[i] = b->found[i];
        b->size[i] = cutset_max(b->size[i], fabs(b->last[i]));
        moved |= fabs(b->last[i] - b->anchor[i]) > MOVED * b->size[i];
    }
    b->passes = copy_orientations(b, b->before, b->last);
    for (i = 0; i < b->n && moved; i++) {
        b->motion[i] = b->last[i] - b->anchor[i];
        b->anchor[i] = b->last[i];
    }
}

/* Finds how the solutions move at (t, x), the start of a segment with the derivatives dz: an intersection may be near. */
static void find_course(struct cutset_data *d, double t, const double *x)
{
    struct cutset_branch *b = &d->branch;
    const double small = 1e-6, way = 1e4; /* of the difference, relative; of the course that it stands for */
    double fastest = 1.0, time;
    long i;
    for (i = 0; i < d->n_states; i++) fastest = cutset_max(fastest, fabs(b->dz[i]) / cutset_max(fabs(x[i]), 1.0));
    time = small / fastest;
    for (i = 0; i < d->n_states; i++) b->z[i] = x[i] - time * b->dz[i];
    fill_at(d, t - time, b->z);
    cutset_careful = 1, cutset_lost = 0;
    cutset_derivatives(t - time, b->z, d->u, d->c, d->m, d->w, b->dz);
    cutset_careful = 0;
    for (i = 0; i < b->n && !cutset_lost; i++) b->before[i] = b->last[i] - way * (b->last[i] - d->w[i]);
    if (!cutset_lost) b->t_before = t - way * time, copy_orientations(b, b->before, b->last);
    memcpy(d->w, b->last, b->n * sizeof(double));
}

/* Starts a segment at (t, x): the solution near the guesses in w is the one to follow. */
static void begin_branch(struct cutset_data *d, double t, const double *x)
{
    if (!d->branch.n) return;
    fill_at(d, t, x);
    cutset_derivatives(t, x, d->u, d->c, d->m, d->w, d->branch.dz);
    d->branch.t = t;
    memcpy(d->branch.found, d->w, d->branch.n * sizeof(double));
    accept_point(d, t, x);
    memcpy(d->branch.before, d->branch.last, d->branch.n * sizeof(double));
    memcpy(d->branch.anchor, d->branch.last, d->branch.n * sizeof(double));
    memset(d->branch.motion, 0, d->branch.n * sizeof(double));
    if (d->branch.n_motions) find_course(d, t, x);
}

/* The derivatives at (t, x) with the solution near the guesses in w, on a branch that goes on from `from`; 0 if there is
   none. */
static int try_careful(struct cutset_data *d, double t, const double *x, const double *from, double *dx)
{
    fill_at(d, t, x);
    cutset_careful = (int)d->branch.continuation;
    cutset_lost = 0;
    cutset_derivatives(t, x, d->u, d->c, d->m, d->w, dx);
    cutset_careful = 0;
    if (cutset_lost) d->branch.unsolved = cutset_lost;
    return !cutset_lost && passes_straight(d, from);
}

/* The same at the fraction `part` of the way from the last accepted point to (t, x); w starts as the line through
   the two points before. */
static int try_between(struct cutset_data *d, double t, const double *x, double part, double done, double done_before)
{
    struct cutset_branch *b = &d->branch;
    double way = done - done_before, ahead = way != 0.0 ? (part - done) / way : 0.0;
    long i;
    for (i = 0; i < d->n_states; i++) b->z[i] = b->x[i] + part * (x[i] - b->x[i]);
    for (i = 0; i < b->n; i++) d->w[i] = b->guess[i] = b->from[i] + ahead * (b->from[i] - b->from_before[i]);
    return try_careful(d, b->t + part * (t - b->t), b->z, b->from, b->dz);
}

/* The guesses for the point (t, x) within the last step. Where this passes an intersection the line between its ends may be
   nearer to the other branch: there the solution is followed from its end. */
static void guess_within(struct cutset_data *d, double t, const double *x)
{
    enum { STRETCHES = 32 };
    struct cutset_branch *b = &d->branch;
    double done_before = b->passes && t != b->t ? (b->t_before - b->t) / (t - b->t) : 0.0;
    long k, bytes = b->n * sizeof(double);
    if (b->n) extrapolate_guesses(d, t);
    if (done_before == 0.0) return;
    memcpy(b->from, b->last, bytes);
    memcpy(b->from_before, b->before, bytes);
    b->continuation = 1;
    for (k = 1; k <= STRETCHES; k++) {
        double done = (double)(k - 1) / STRETCHES;
        if (!try_between(d, t, x, (double)k / STRETCHES, done, done_before)) break;
        memcpy(b->from_before, b->from, bytes);
        memcpy(b->from, d->w, bytes);
        copy_orientations(b, b->from_before, b->from);
        done_before = done;
    }
    if (k <= STRETCHES) extrapolate_guesses(d, t);
}

/* True if the solutions in w are near the guesses. */
static int is_near(const struct cutset_data *d)
{
    const struct cutset_branch *b = &d->branch;
    long i;
    for (i = 0; i < b->n; i++)
        if (!(fabs(d->w[i] - b->guess[i]) <= NEAR * b->size[i])) return 0;
    return 1;
}

/* True if the solution changes like a continuous function from `done` to `part` of the way, where it is `end`. */
static int is_continuous(struct cutset_data *d, double t, const double *x, double part, double done, double done_before)
{
    struct cutset_branch *b = &d->branch;
    long i;
    memcpy(b->end, d->w, b->n * sizeof(double));
    d->watch.doubtful = 1;
    if (!try_between(d, t, x, 0.5 * (done + part), done, done_before)) return 0;
    for (i = 0; i < b->n; i++) {
        double change = b->end[i] - b->from[i], bend = d->w[i] - 0.5 * (b->end[i] + b->from[i]);
        if (!(fabs(bend) <= BENT * fabs(change) + NEAR * b->size[i])) return 0;
    }
    memcpy(d->w, b->end, b->n * sizeof(double));
    return 1;
}

/* Solves the guesses at the accepted point itself if a step becomes difficult: implicit methods accept a point near
   to the last evaluated one. If the branch ended before it, they stay: another solution is on another branch. */
static void solve_at_accepted_point(struct cutset_data *d)
{
    struct cutset_branch *b = &d->branch;
    if (b->solved) return;
    b->solved = 1;
    memcpy(d->w, b->last, b->n * sizeof(double));
    memcpy(b->guess, b->last, b->n * sizeof(double));
    if (try_careful(d, b->t, b->x, b->last, b->dz) && is_near(d)) memcpy(b->last, d->w, b->n * sizeof(double));
}

/* Follows the solution to (t, x); true if it continues to there. Then w holds the solution, dx the derivatives. */
static int follow_branch(struct cutset_data *d, double t, const double *x, double *dx)
{
    struct cutset_branch *b = &d->branch;
    const double shortest = d->n_states ? SHORTEST : SHORTEST_ALONE;
    const long most = d->n_states ? TRIES : TRIES_ALONE;
    double done = 0.0, done_before = 0.0, stride = 1.0;
    long tries, bytes = b->n * sizeof(double);
    memcpy(b->from, b->last, bytes);
    memcpy(b->from_before, b->n_motions ? b->before : b->last, bytes);
    if (b->n_motions && t != b->t) done_before = (b->t_before - b->t) / (t - b->t);
    for (tries = 0; tries < most && stride > shortest; tries++) {
        double part = cutset_min(1.0, done + stride);
        int found = try_between(d, t, x, part, done, done_before);
        if (part == 1.0) memcpy(dx, b->dz, d->n_states * sizeof(double));
        if (found && (is_near(d) || is_continuous(d, t, x, part, done, done_before))) {
            if (part == 1.0) return 1;
            memcpy(b->from_before, b->from, bytes);
            memcpy(b->from, d->w, bytes);
            copy_orientations(b, b->from_before, b->from);
            done_before = done;
            done = part;
            stride *= 2.0;
        } else {
            stride *= 0.5;
        }
    }
    b->ended = b->t + cutset_min(1.0, done + 2.0 * stride) * (t - b->t);
    return 0;
}

/* The same, first with iterations that are not damped; kinks need damped ones. */
static int continue_branch(struct cutset_data *d, double t, const double *x, double *dx)
{
    struct cutset_branch *b = &d->branch;
    int found;
    solve_at_accepted_point(d);
    found = follow_branch(d, t, x, dx);
    if (!found) {
        b->continuation = 2;
        found = follow_branch(d, t, x, dx);
        b->continuation = 1;
    }
    return found;
}

/* The derivatives at (t, x); 0 if the branch ends before. After an instant at which it ended it is not sought. */
static int derivatives_on_branch(struct cutset_data *d, double t, const double *x, double *dx)
{
    struct cutset_branch *b = &d->branch;
    if (b->lost && t >= b->ended) return 0;
    extrapolate_guesses(d, t);
    memcpy(b->guess, d->w, b->n * sizeof(double));
    b->continuation = 1;
    d->watch.doubtful = 0;
    if ((try_careful(d, t, x, b->last, dx) && is_near(d)) || continue_branch(d, t, x, dx)) {
        memcpy(b->found, d->w, b->n * sizeof(double));
        return 1;
    }
    b->lost = 1;
    memcpy(d->w, b->last, b->n * sizeof(double));
    return 0;
}

/* The step to try after a step of size h met a point without values: up to the end of the branch, if that is known. */
static double shorter_step(const struct cutset_data *d, double h)
{
    if (!d->branch.lost) return 0.1 * h;
    return cutset_min(0.5 * h, cutset_max(0.1 * h, 0.9 * (d->branch.ended - d->branch.t)));
}

/* True if the branch ends so close to the last accepted point that no step is possible. */
static int ends_here(const struct cutset_data *d, double nearest)
{
    return d->branch.lost && d->branch.ended - d->branch.t <= nearest;
}

#endif
