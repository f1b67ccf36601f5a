/* Generated functions in, trajectories at the requested times out: the loops in which no Python runs.
   Knows nothing of a particular model and allocates nothing; every array is the caller's (runtime/c_model.py). */

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
   last instant that is looked at. The layout is repeated in runtime/c_model.py, as that of the next one. */
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

/* One run's data. The layout is repeated in runtime/c_model.py. */
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

#include "runge_kutta.h"
