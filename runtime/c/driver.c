/* Generated functions in, trajectories at the requested times out: the loops in which no Python runs.
   Knows nothing of a particular model and allocates nothing; every array is the caller's (runtime/native.py).

   Dormand-Prince 5(4): J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math.
   6 (1980) 19-26. Step control, dense output, start step and test of stiffness: E. Hairer, S. P. Norsett, G. Wanner,
   Solving Ordinary Differential Equations I, 2nd ed., II.4-II.6, and II, IV.2. runtime/solvers/dopri5.py holds the same
   algorithm, operation for operation. */

#include "cutset_support.h"

#include <float.h>
#include <string.h>

void cutset_derivatives(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                        double *dx);
void cutset_variables(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                      double *y);
void cutset_jacobian(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *j);
void cutset_watch(const double *c, const double *m, double *w, double *h);
void cutset_crossings(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                      double *g);

int cutset_fault, cutset_careful, cutset_lost;
unsigned long cutset_open;
void (*cutset_external)(int k, const double *a, double *r);

/* What watches for crossings, see crossings.h. All arrays have n elements but z, which is a state. */
struct cutset_watch {
    long n;
    double *side;    /* the sign that each keeps while its relation does; 0: that which it takes first */
    double *margin;  /* how far from 0 rounding takes each */
    double *armed, *base;
    double *crossed; /* what an event leaves: the sign that each takes, twice that where it was not armed; 0 for the others */
    double *low, *high, *trial;
    double *older, *oldest; /* samples before that in `low` */
    double *sizes;          /* the largest that each has been in the run */
    double *z;
    double at[2];           /* their instants */
    double pace;            /* how far apart samples may be next; 0: not known */
    long known;             /* how many samples there are before that in `low` */
    long n_watched;         /* numbers in w from `places` on that tell whether something can have crossed */
    long places, doubtful;  /* doubtful: those in w may not be those of the accepted point */
    double *watched;        /* as they were when the crossings were computed from them last */
    double *weighed;        /* the crossings then, and the weights of the numbers */
};

/* The Jacobian of the right-hand side, one number for each place of the pattern. */
struct cutset_slopes {
    long n;                      /* how many */
    const long *rows, *columns;  /* of each: numbers of states */
    const long *places;          /* where each stands among the numbers of the matrix */
    const long *diagonal;        /* where that of each state with itself does */
    long exact, groups;          /* whether the model gives them; the groups of columns for differences */
    const long *sequence, *first; /* their numbers, group after group; where each group begins, and the end */
    const double *least;         /* sizes of the states that matter */
    double *values, *x, *z, *h, *dx, *shifted;
    double *(*numbers)(void *matrix);
    long by_differences;         /* how often the model had no finite ones */
};

/* Ascending instants, the values of `count` quantities at each, by how long each is delayed, and for each the first and then the
   last instant that is looked at. The layout is repeated in runtime/native.py, as that of the next one. */
struct cutset_history {
    const double *times, *values, *delays, *window;
    long count, offset; /* offset: the place of the first in u */
};

/* Solutions of nonlinear systems that are followed, see branches.h. The guesses are those of the last accepted point, with the
   time and the states there, and of the one before; `size` is the largest that each has been, and `motion` how they have
   changed lately, from `anchor` on. */
struct cutset_branch {
    long n; /* how many guesses; 0: there is nothing to follow */
    double t, t_before;
    double *x, *last, *before, *anchor, *motion, *found, *size; /* found: by the latest evaluation */
    double *from, *from_before, *guess, *end, *z, *dz; /* for the way; z and dz have as many as there are states */
    double ended; /* an instant after the last accepted point at which no solution was found on the branch */
    long lost;    /* whether there is one */
    long solved;  /* whether the guesses have been solved at the last accepted point itself, not only near it */
};

/* One run's data. The layout is repeated in runtime/native.py. */
struct cutset_data {
    double *(*array)(void *vector);      /* N_VGetArrayPointer, where SUNDIALS integrates */
    void (*inputs)(double t, double *u); /* fills u; null where all inputs are constant */
    int (*gil_ensure)(void);             /* these four tell whether the user pressed Ctrl-C; all null or none */
    int (*check_signals)(void);
    void (*clear_error)(void);
    void (*gil_release)(int);
    const double *c, *m;
    double *u, *w;
    double *bad_x; /* the latest point at which a derivative was not finite */
    double bad_t;
    long n_states, evaluations, bad_evaluations, interrupted;
    long refusals; /* bad evaluations since the last output of SUNDIALS */
    struct cutset_watch watch;
    const long *order;     /* the state in each place of a vector of SUNDIALS; null where that is their own order */
    double *states, *rates; /* then: the arguments and the results of the right-hand side */
    struct cutset_slopes slopes;
    struct cutset_history history;
    double *now; /* the latest instant of an evaluation, for those who look on */
    double *guesses; /* for each output, what the iterations begin with there: the first n_guesses of w; behind them n_guards that have to be finite */
    long n_guesses, n_guards;
    struct cutset_branch branch;
};

struct cutset_control {
    double rtol;
    const double *atol; /* of each state */
    double max_step;
    double nearest;     /* before the end of a branch: what counts as its end */
    long max_steps;     /* between two outputs */
    long detect_stiffness;
};

/* What a loop did; t is the time reached, and h the last step. */
struct cutset_report {
    double t, h;
    long reached, steps, rejected; /* reached: outputs written */
    long crossed;                  /* whether a crossing has ended the loop before the last output */
    long stiff, gentle;            /* steps at the border of stability, and those in a row that were not; they go on counting */
};

/* The functions of CVODE or of IDA that a loop calls, and what they need. */
struct cutset_sundials {
    struct cutset_data *data;
    int (*cvode)(void *memory, double until, void *y, double *t, int task); /* this one */
    int (*ida)(void *memory, double until, double *t, void *y, void *dy, int task); /* or this one, else null */
    int (*state)(void *memory, double t, int derivative, void *y);
    void *memory, *y, *dy, *z;     /* dy: the vector of the slopes, for IDA */
    double *y_numbers, *z_numbers; /* the numbers in the vectors y and z */
    double *x;                     /* the states */
    long max_steps;
};

/* The sizes of the structures above, for the test that compares them with Python's. */
void cutset_sizes(long *sizes)
{
    sizes[0] = sizeof(struct cutset_data);
    sizes[1] = sizeof(struct cutset_control);
    sizes[2] = sizeof(struct cutset_report);
    sizes[3] = sizeof(struct cutset_sundials);
}

enum { DONE, STEP_TOO_SMALL, TOO_MANY_STEPS, NOT_FINITE, STIFF, INTERRUPTED };

static int interrupted(struct cutset_data *d)
{
    int lock;
    if (!d->check_signals) return 0;
    lock = d->gil_ensure();
    if (d->check_signals()) {
        d->clear_error();
        d->interrupted = 1;
    }
    d->gil_release(lock);
    return d->interrupted != 0;
}

#include "history.h"

/* u at t. */
static void fill_inputs(struct cutset_data *d, double t)
{
    if (d->inputs) d->inputs(t, d->u);
    if (d->history.count) recall(&d->history, t, d->u + d->history.offset);
}

#include "branches.h"

/* The right-hand side: DONE, NOT_FINITE or INTERRUPTED. */
static int evaluate(struct cutset_data *d, double t, const double *x, double *dx)
{
    long i;
    int found = 1;
    if ((++d->evaluations & 4095) == 0 && interrupted(d)) return INTERRUPTED;
    *d->now = t;
    fill_inputs(d, t);
    if (d->interrupted) return INTERRUPTED;
    if (d->branch.n) found = derivatives_on_branch(d, t, x, dx);
    else cutset_derivatives(t, x, d->u, d->c, d->m, d->w, dx);
    for (i = 0; i < d->n_states && found; i++) found = isfinite(dx[i]);
    for (i = 0; i < d->n_guards && found; i++) found = isfinite(d->w[d->n_guesses + i]);
    if (found) return DONE;
    d->bad_evaluations++;
    d->bad_t = t;
    memcpy(d->bad_x, x, d->n_states * sizeof(double));
    return NOT_FINITE;
}

/* The outputs from number `first` to before `end` lie in the step that has just been made: the guesses there are theirs. */
static void keep_guesses(struct cutset_data *d, const double *times, long first, long end)
{
    for (; d->n_guesses && first < end; first++) {
        extrapolate_guesses(d, times[first]);
        memcpy(d->guesses + first * d->n_guesses, d->w, d->n_guesses * sizeof(double));
    }
}

#include "crossings.h"

/* ---- points and repetitions ---- */

/* y[k] := the variables at point k, for n points, all arrays row-major. */
void cutset_batch(long n, const long *widths, const double *t, const double *x, const double *u, const double *c,
                  const double *m, const double *guesses, double *w, double *y)
{
    long k, i, n_guesses = widths[4];
    for (k = 0; k < n; k++) {
        /* Iterations that the derivatives do not need have no guesses of the run: theirs go on from point to point. */
        for (i = 0; guesses && i < n_guesses; i++)
            if (k == 0 || guesses[k * n_guesses + i] != guesses[(k - 1) * n_guesses + i]) w[i] = guesses[k * n_guesses + i];
        cutset_variables(t[k], x + k * widths[0], u + k * widths[1], c, m + k * widths[2], w, y + k * widths[3]);
    }
}

/* The right-hand side n times at one point, for benchmarks: no part of it can be left out by the C compiler. */
void cutset_repeat(long n, double t, const double *x, const double *u, const double *c, const double *m, double *w,
                   double *dx)
{
    long k;
    for (k = 0; k < n; k++) cutset_derivatives(t, x, u, c, m, w, dx);
}

#include "sundials.h"

/* ---- Dormand-Prince 5(4) ---- */

/* The arrays of one step: stages k1..k7, the next state, the argument of the sixth stage. */
struct step {
    long n;
    double *k1, *k2, *k3, *k4, *k5, *k6, *k7, *next, *sixth;
};

/* All stages of a step h from (t, x); k1 is given. Stops at the first that is not finite. */
static int stages(struct cutset_data *d, const struct step *s, double t, const double *x, double h)
{
    const double *k1 = s->k1, *k2 = s->k2, *k3 = s->k3, *k4 = s->k4, *k5 = s->k5, *k6 = s->k6;
    double *z = s->next, *z6 = s->sixth;
    long i, n = s->n;
    int status;
    for (i = 0; i < n; i++) z[i] = x[i] + h * (0.2 * k1[i]);
    if ((status = evaluate(d, t + 0.2 * h, z, s->k2))) return status;
    for (i = 0; i < n; i++) z[i] = x[i] + h * (3.0 / 40.0 * k1[i] + 9.0 / 40.0 * k2[i]);
    if ((status = evaluate(d, t + 0.3 * h, z, s->k3))) return status;
    for (i = 0; i < n; i++) z[i] = x[i] + h * (44.0 / 45.0 * k1[i] - 56.0 / 15.0 * k2[i] + 32.0 / 9.0 * k3[i]);
    if ((status = evaluate(d, t + 0.8 * h, z, s->k4))) return status;
    for (i = 0; i < n; i++)
        z[i] = x[i] + h * (19372.0 / 6561.0 * k1[i] - 25360.0 / 2187.0 * k2[i] + 64448.0 / 6561.0 * k3[i]
                           - 212.0 / 729.0 * k4[i]);
    if ((status = evaluate(d, t + 8.0 / 9.0 * h, z, s->k5))) return status;
    for (i = 0; i < n; i++)
        z6[i] = x[i] + h * (9017.0 / 3168.0 * k1[i] - 355.0 / 33.0 * k2[i] + 46732.0 / 5247.0 * k3[i]
                            + 49.0 / 176.0 * k4[i] - 5103.0 / 18656.0 * k5[i]);
    if ((status = evaluate(d, t + h, z6, s->k6))) return status;
    for (i = 0; i < n; i++)
        z[i] = x[i] + h * (35.0 / 384.0 * k1[i] + 500.0 / 1113.0 * k3[i] + 125.0 / 192.0 * k4[i]
                           - 2187.0 / 6784.0 * k5[i] + 11.0 / 84.0 * k6[i]);
    return evaluate(d, t + h, z, s->k7);
}

/* Root mean square of the error estimate over the tolerance: the step is good where it is at most 1. */
static double error_norm(const struct step *s, const struct cutset_control *control, const double *x, double h)
{
    double sum = 0.0;
    long i;
    for (i = 0; i < s->n; i++) {
        double e = h * (71.0 / 57600.0 * s->k1[i] - 71.0 / 16695.0 * s->k3[i] + 71.0 / 1920.0 * s->k4[i]
                        - 17253.0 / 339200.0 * s->k5[i] + 22.0 / 525.0 * s->k6[i] - 1.0 / 40.0 * s->k7[i]);
        double scale = control->atol[i] + control->rtol * cutset_max(fabs(x[i]), fabs(s->next[i]));
        sum += (e / scale) * (e / scale);
    }
    return sqrt(sum / (double)s->n);
}

/* The state at t + theta*h by the continuous extension of order 4 (II.6). */
static void interpolate(const struct step *s, const double *x, double h, double theta, double *out)
{
    double rest = 1.0 - theta;
    long i;
    for (i = 0; i < s->n; i++) {
        double rise = s->next[i] - x[i];
        double left = h * s->k1[i] - rise;
        double right = rise - h * s->k7[i] - left;
        double bump = h * (-12715105075.0 / 11282082432.0 * s->k1[i] + 87487479700.0 / 32700410799.0 * s->k3[i]
                           - 10690763975.0 / 1880347072.0 * s->k4[i] + 701980252875.0 / 199316789632.0 * s->k5[i]
                           - 1453857185.0 / 822651844.0 * s->k6[i] + 69997945.0 / 29380423.0 * s->k7[i]);
        out[i] = x[i] + theta * (rise + rest * (left + theta * (right + rest * bump)));
    }
}

/* A step of size h from (t, x). */
struct span {
    const struct step *s;
    const double *x;
    double t, h;
};

static void dopri5_state(void *span, double t, double *x)
{
    const struct span *p = span;
    if (t >= p->t + p->h) memcpy(x, p->s->next, p->s->n * sizeof(double));
    else interpolate(p->s, p->x, p->h, (t - p->t) / p->h, x);
}

/* The outputs within the step from (t, x), before `until` where it ends at a crossing; how many there were. */
static long write_outputs(const struct step *s, double t, const double *x, double h, int last, double until, long n,
                          const double *times, double *out, struct cutset_report *r)
{
    long before = r->reached;
    for (; r->reached < n && (last || times[r->reached] <= t + h); r->reached++) {
        double time = times[r->reached], *row = out + r->reached * s->n;
        if (r->crossed && time >= until) break;
        if (time == times[n - 1] && last) memcpy(row, s->next, s->n * sizeof(double));
        else interpolate(s, x, h, (time - t) / h, row);
    }
    return r->reached - before;
}

static double scaled_norm(const double *v, const double *minus, const double *x, const struct cutset_control *control,
                          long n)
{
    double sum = 0.0;
    long i;
    for (i = 0; i < n; i++) {
        double q = (v[i] - (minus ? minus[i] : 0.0)) / (control->atol[i] + control->rtol * fabs(x[i]));
        sum += q * q;
    }
    return sqrt(sum / (double)n);
}

/* A first step from the sizes of the solution and of its first two derivatives (II.4); at most `span`. */
static int first_step(struct cutset_data *d, const struct cutset_control *control, const struct step *s, double t,
                      const double *x, double span, double *h)
{
    double size = scaled_norm(x, 0, x, control, s->n);
    double slope = scaled_norm(s->k1, 0, x, control, s->n);
    double guess = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * (size / slope);
    double bend, steepest, next;
    long i;
    int status;
    /* A state that is all but zero after an event asks for a step in which time would not move. */
    guess = cutset_min(cutset_max(guess, 1e4 * DBL_EPSILON * fabs(t)), span);
    for (i = 0; i < s->n; i++) s->next[i] = x[i] + guess * s->k1[i];
    status = evaluate(d, t + guess, s->next, s->k2);
    if (status == INTERRUPTED) return status;
    if (status == NOT_FINITE) {
        *h = 0.01 * guess;
        return DONE;
    }
    bend = scaled_norm(s->k2, s->k1, x, control, s->n) / guess;
    steepest = cutset_max(slope, bend);
    next = steepest <= 1e-15 ? cutset_max(1e-6, guess * 1e-3) : pow(0.01 / steepest, 0.2);
    *h = cutset_min(cutset_min(100.0 * guess, next), span);
    return DONE;
}

/* Step times an estimate of the largest eigenvalue; 3.3 is the end of the region of stability (IV.2). */
static double stiffness(const struct step *s, double h)
{
    double rise = 0.0, way = 0.0;
    long i;
    for (i = 0; i < s->n; i++) {
        rise += (s->k7[i] - s->k6[i]) * (s->k7[i] - s->k6[i]);
        way += (s->next[i] - s->sixth[i]) * (s->next[i] - s->sixth[i]);
    }
    return way > 0.0 ? h * sqrt(rise / way) : 0.0;
}

/* Integrate from (t, x) to the last of n ascending times and write the states at all of them; x ends as the state at
   report->t. `work` holds 9 n_states doubles. */
int cutset_dopri5(struct cutset_data *d, const struct cutset_control *control, double t, double *x, long n,
                  const double *times, double *out, double *work, struct cutset_report *r)
{
    long size = d->n_states, since = 0;
    struct step s = {size,            work,            work + size,     work + 2 * size, work + 3 * size,
                     work + 4 * size, work + 5 * size, work + 6 * size, work + 7 * size, work + 8 * size};
    double end = times[n - 1], h, previous = 1e-4;
    int status, rejected = 0, first = 1;
    begin_branch(d, t, x);
    if ((status = evaluate(d, t, x, s.k1)) || (status = first_step(d, control, &s, t, x, end - t, &h))) return status;
    watch(d, t, x);
    while (1) {
        double error, factor, until, *swap;
        struct span span = {&s, x, t, 0.0};
        long written;
        int last;
        h = cutset_min(h, control->max_step);
        last = t + 1.01 * h >= end;
        r->t = t;
        if (last) h = end - t;
        r->h = h;
        if (since++ >= control->max_steps) return TOO_MANY_STEPS;
        if (0.1 * h <= fabs(t) * DBL_EPSILON && !last) return rejected == NOT_FINITE ? NOT_FINITE : STEP_TOO_SMALL;
        status = stages(d, &s, t, x, h);
        if (status == INTERRUPTED) return status;
        error = status == NOT_FINITE ? INFINITY : error_norm(&s, control, x, h);
        r->steps++;
        if (!(error <= 1.0)) {
            /* A step into a place without values says nothing about the error: only go back towards safety. */
            h = status == NOT_FINITE ? shorter_step(d, h) : h * cutset_max(0.2, 0.9 * pow(error, -0.17));
            rejected = status == NOT_FINITE ? NOT_FINITE : STEP_TOO_SMALL;
            r->rejected++;
            if (t + h == t || (status == NOT_FINITE && ends_here(d, control->nearest))) return rejected;
            continue;
        }
        if (control->detect_stiffness) {
            if (stiffness(&s, h) > 3.25) r->stiff++, r->gentle = 0;
            else if (++r->gentle == 6) r->stiff = 0;
            if (r->stiff == 15) return STIFF;
        }
        span.h = h;
        accept_point(d, last ? end : t + h, s.next);
        until = last ? end : t + h;
        r->crossed = crosses(d, dopri5_state, &span, t, until, first, &until);
        first = 0;
        written = write_outputs(&s, t, x, h, last, until, n, times, out, r);
        keep_guesses(d, times, r->reached - written, r->reached);
        if (written) since = 0;
        memcpy(x, r->crossed ? d->watch.z : s.next, size * sizeof(double));
        if (r->crossed) {
            extrapolate_guesses(d, until);
            r->t = until;
            return DONE;
        }
        swap = s.k1, s.k1 = s.k7, s.k7 = swap;
        t = last ? end : t + h;
        r->t = t;
        if (last) return DONE;
        /* PI control with the exponents of DOPRI5: 0.2 - 0.75*0.04 and 0.04. */
        factor = 0.9 * pow(error, -0.17) * pow(previous, 0.04);
        factor = cutset_min(10.0, cutset_max(0.2, factor));
        h *= rejected ? cutset_min(1.0, factor) : factor;
        previous = cutset_max(error, 1e-4);
        rejected = 0;
    }
}

/* ---- classical Runge-Kutta of order 4: equal steps from each output to the next, no control of the error ---- */

/* A step from x to z, with the derivatives at both ends. */
struct bow {
    long n;
    const double *x, *dx, *z, *dz;
    double t, h;
};

/* The cubic of Hermite through both ends. */
static void rk4_state(void *bow, double t, double *out)
{
    const struct bow *b = bow;
    double theta = (t - b->t) / b->h, rest = 1.0 - theta;
    long i;
    for (i = 0; i < b->n; i++) {
        double rise = b->z[i] - b->x[i];
        double left = b->h * b->dx[i] - rise, right = rise - b->h * b->dz[i];
        out[i] = b->x[i] + theta * (rise + rest * (rest * left + theta * right));
    }
}

/* z := the state a step of size h after x. k holds four times n_states doubles, of which the first have the derivatives at x. */
static int rk4_step(struct cutset_data *d, double t, const double *x, double h, double *k, double *z)
{
    long i, size = d->n_states;
    double *k1 = k, *k2 = k1 + size, *k3 = k2 + size, *k4 = k3 + size;
    int status;
    for (i = 0; i < size; i++) z[i] = x[i] + 0.5 * h * k1[i];
    if ((status = evaluate(d, t + 0.5 * h, z, k2))) return status;
    for (i = 0; i < size; i++) z[i] = x[i] + 0.5 * h * k2[i];
    if ((status = evaluate(d, t + 0.5 * h, z, k3))) return status;
    for (i = 0; i < size; i++) z[i] = x[i] + h * k3[i];
    if ((status = evaluate(d, t + h, z, k4))) return status;
    for (i = 0; i < size; i++) z[i] = x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    return DONE;
}

int cutset_rk4(struct cutset_data *d, double t, double *x, double max_step, long n, const double *times, double *out,
               double *work, struct cutset_report *r)
{
    long size = d->n_states, bytes = size * sizeof(double);
    double *k = work, *z = k + 4 * size, *dz = z + size;
    int status, first = 1;
    begin_branch(d, t, x);
    watch(d, t, x);
    if ((status = evaluate(d, t, x, k))) return status;
    for (r->reached = 0; r->reached < n; r->reached++) {
        double from = t, way = times[r->reached] - t, count = ceil(way / max_step - 1e-9), number;
        r->h = way / cutset_max(count, 1.0);
        for (number = 1.0; number == 1.0 || number <= count; number += 1.0) {
            struct bow bow = {size, x, k, z, dz, t, r->h};
            double next = number >= count ? times[r->reached] : from + number * r->h, until = next;
            r->t = t;
            if ((status = rk4_step(d, t, x, r->h, k, z)) || (status = evaluate(d, next, z, dz))) return status;
            accept_point(d, next, z);
            r->steps++;
            r->crossed = crosses(d, rk4_state, &bow, t, next, first, &until);
            memcpy(x, r->crossed ? d->watch.z : z, bytes);
            t = r->t = until;
            if (r->crossed) {
                extrapolate_guesses(d, t);
                return DONE;
            }
            memcpy(k, dz, bytes);
            first = 0;
        }
        memcpy(out + r->reached * size, x, bytes);
        keep_guesses(d, times, r->reached, r->reached + 1);
    }
    return DONE;
}
