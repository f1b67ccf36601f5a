/* Declares the functions of a generated model and the data of the loops that integrate it. Knows nothing of a particular
   model; the caller of the loops owns every array. runtime/targets/c_records.py reads the structures from here. A comment
   that begins with a size in brackets says how many numbers an array of work memory has. */

#ifndef CUTSET_DRIVER_H
#define CUTSET_DRIVER_H

#include "cutset_support.h"

#include <float.h>
#include <string.h>

/* The largest number of arguments of a function. */
enum { CUTSET_GROUPS = 3 };

void cutset_derivatives(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                        double *dx);
void cutset_variables(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                      double *y);
void cutset_jacobian(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *j);
void cutset_updates(double t, const double *x, const double *u, const double *c, const double *m, const double *f, double *w,
                    double *e);
void cutset_time_events(const double *c, const double *m, double *te);
void cutset_delayed(double t, const double *x, const double *u, const double *c, const double *m, double *w, double *v);
void cutset_watch(const double *c, const double *m, double *w, double *h);
void cutset_crossings(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                      double *g);

/* These run once in a run. */
void cutset_bindings(double *p, const double *given);
void cutset_constants(const double *p, double *c);
void cutset_starts(const double *c, double *s);
void cutset_nominals(const double *c, double *n);
void cutset_start(double t, const double *u, const double *c, const double *m, const double *s, double *w, double *x);

/* The data for watching crossings, see crossings.h. */
struct cutset_watch {
    long n;
    double *side;            /* [crossings] the sign that each keeps while its relation does; 0: the first sign it takes */
    double *margin;          /* [crossings] the distance from 0 that rounding allows each */
    double *armed, *base;    /* [crossings] */
    double *floor, *touch;   /* [crossings] the base of those that are armed; touch: see `touches` in crossings.h */
    /* output at an event: the sign that each takes, twice that if it was not armed; 0 for the others */
    double *crossed;         /* [crossings] */
    double *low, *high, *trial; /* [crossings] */
    double *older, *oldest;  /* [crossings] samples before that in `low` */
    double *sizes;           /* [2*crossings] the largest value of each in the run; then that of each since it crossed */
    double *z;               /* [states] */
    double at[2];           /* their instants */
    double pace;            /* distance of the next samples; 0: not known */
    long known;             /* number of samples before that in `low` */
    long n_watched;         /* numbers in w from `places` on that show whether a crossing is possible */
    long places, doubtful;  /* doubtful: those in w may belong to another point */
    double *watched;        /* [watched] their values when the crossings were last computed from them */
    double *weighed;        /* [crossings + watched] the crossings then, and the weights of the numbers */
    long has_free;          /* whether some have no side */
};

/* Delayed signals, see history.h: `size` stretches with their starts, ends, pieces, roots, levels and 5*count values each; of
   each of `count` signals its delay and the piece from which it is read. u has them from `offset` on. */
struct cutset_history {
    double *starts, *ends, *pieces, *roots, *levels, *values;
    double *delays, *window; /* [delays] */
    double *found;           /* [2*delays] */
    double *values_now;      /* [delays] */
    double *x;               /* [states] */
    double *guesses;         /* [guesses] */
    double span, rtol, atol;                  /* of the run; the least absolute tolerance */
    double shortest, longest;                 /* delays */
    double reach, longest_step, kept_step;    /* the longest steps for long and for short delays; the latter before */
    double floor, next, next_level;           /* the earliest instant that is needed; the next jump or kink */
    double most_levels;                       /* kinks that were delayed more often may be within a step */
    long count, offset, size, capacity, added; /* added: in this segment */
    long is_full;
};

/* `count` inputs that are piecewise polynomials. Each has five sizes: its index in u, the number of its first break, of
   its intervals, of its first coefficient, and how many coefficients an interval has, highest power first. */
struct cutset_signals {
    const double *breaks, *coefficients, *ranges; /* the range of the values of each at its breaks */
    const long *sizes;
    long count;
    double *window; /* the time between two breaks: values at its ends are those within it */
};

/* Branches of solutions of nonlinear systems, see branches.h. The guesses are those of the last accepted point, with
   the time and the states there, and of the point before; `size` is the largest value of each, and `motion` their
   latest change, from `anchor` on. */
struct cutset_branch {
    long n; /* number of guesses; 0: nothing to follow */
    const long *motions; /* [2*n_motions] of systems for what moves: the first guess, and how many before the orientation */
    long n_motions;
    double t, t_before;
    double *x; /* [states] */
    double *last, *before, *anchor, *motion, *found, *size; /* [guesses] found: of the latest evaluation */
    double *from, *from_before, *guess, *end; /* [guesses] work memory */
    double *z, *dz; /* [states] */
    double ended; /* an instant after the last accepted point at which the branch has no solution */
    long lost;    /* true if `ended` is set */
    long solved;  /* whether the guesses have been solved at the last accepted point itself, not only near it */
    long continuation; /* how the next evaluation follows the branch, see cutset_careful */
    long passes;   /* whether the last accepted step has passed an intersection with another branch */
    long unsolved; /* the number of the message of the system that was not solved latest; 0: none */
};

/* Two successive points, see poles.h: `rise` are the derivatives that have grown up to the last one, else 0. SUNDIALS
   evaluates near the points that it accepts: x and dx are of the latest evaluation, which was at t, and `last` of that of
   the step before, if it is `known`. */
struct cutset_poles {
    double *rise, *x, *dx, *last_x, *last_dx; /* [states] */
    double *z, *dz, *low, *high; /* [states] work memory */
    double t, last_t;
    long known, grown; /* grown: `rise` is from a step, not from the start */
    long suspect; /* steps to check after a derivative that had grown has changed much */
};

/* States that grow by themselves, see growth.h. */
struct cutset_growth {
    double *from;          /* [states] the least size from which each has done so while that was below its tolerance; INFINITY: none */
    double *before;        /* [states] at the latest look, at the time t */
    double *since, *rate;  /* [states] the size from which it grows, 0 if it does not, and the relative rate there */
    double *least, *passed; /* [states] a size that it has exceeded; when it has passed zero */
    double *times;         /* [2*states] when it did so, and when it exceeded 10 times that */
    const double *atol;    /* of each state */
    double rtol, t;
    long steps, has_grown, pause, pauses; /* pause: for how many looks no growth is examined; pauses: the latest one */
    long is_repeated; /* tolerances follow `from`, which the run before has found */
};

/* The data of one run. */
struct cutset_data {
    void (*inputs)(double t, double *u); /* writes u; null if all inputs are constant */
    int (*gil_ensure)(void);             /* these four check for Ctrl-C; either all or none are null */
    int (*check_signals)(void);
    void (*clear_error)(void);
    void (*gil_release)(int);
    const double *c, *m;
    double *u, *w;
    double *bad_x; /* the latest point at which a derivative was not finite */
    double bad_t;
    long n_states, evaluations, bad_evaluations;
    long interrupted; /* 1: by Ctrl-C, 2: because an input failed */
    long refusals; /* bad evaluations since the last output of SUNDIALS */
    long tries;    /* evaluations since `tried_t`; -1 if SUNDIALS was stopped because they did not advance the time */
    double tried_t;
    struct cutset_watch watch;
    long n_rates; /* how many states are integrated; the others are unknowns of equations */
    struct cutset_history history;
    double *now; /* the time of the latest evaluation, for other threads */
    double *guesses; /* for each output, the first n_guesses of w (starts of iterations), then n_guards values that must be finite */
    long n_guesses, n_guards;
    struct cutset_branch branch;
    struct cutset_poles poles;
    struct cutset_growth growth;
    struct cutset_signals signals;
    struct cutset_isolation *forcing; /* null: nothing but states drives the states */
};

struct cutset_control {
    double rtol;
    const double *atol; /* of each state */
    double max_step;
    double nearest;     /* before the end of a branch: the distance that counts as its end */
    long max_steps;     /* between two outputs */
    long detect_stiffness;
    long has_grown;     /* the derivatives have grown up to the start: a pole may be in the first step */
};

/* The rows are those of the stages after the first, then that of the next state, at which the last stage is
   evaluated: row i has i + 1 weights; the rows are stored one after the other. `error` are the weights of the error
   estimate, 0 for equal steps from output to output; `bump` those of the highest term of the continuous extension, 0
   for the cubic. */
struct cutset_tableau {
    long rows, order;
    const double *nodes, *weights, *error, *bump;
};

/* The work of a loop; t is the time reached, h before it the first step to try, 0 for none, and after it the last step, and
   `next` the step to try after the last output, 0 for none. */
struct cutset_report {
    double t, h, next;
    long reached, steps, rejected; /* reached: number of outputs written */
    long crossed;                  /* whether a crossing ended the loop before the last output */
    long stiff, gentle;            /* steps at the border of stability, and those in a row that were not; kept between calls */
};

/* The points at which a function is computed: its inputs come in groups, each an array with `widths` numbers a point, one
   after the other in u; its outputs are the derivatives of a model without states. */
struct cutset_points {
    long n, groups, outputs;
    const double *given[CUTSET_GROUPS];
    long widths[CUTSET_GROUPS];
    double *u, *w, *results;
    const double *c;
};
void cutset_map(const struct cutset_points *p);

struct cutset_interval {
    double lo, hi;
};

/* The search for the changes of one relation of time, see isolate.h. */
enum { CUTSET_DEPTH = 64 };
struct cutset_search {
    double low[CUTSET_DEPTH], high[CUTSET_DEPTH];  /* spans to decide; the first is the last one here */
    double begun, skip, end, tolerance, part;      /* signs are known from `begun` on; those up to `skip` are not needed */
    double sign, latest, next, after;              /* the sign now and the latest found; the next change and the sign from there */
    double from, found, second, second_found, first_sample, last_sample;
    long depth, undecided, idle, patience, sample, is_started, has_next, has_second;
};

/* The time from `begun` to the next turn of a function, see forcing.h: the time between turns, and the most that it has risen
   between two so far. Of a table: the kinks, and the range of its values. */
struct cutset_window {
    double begun, until, length, size;
    double first, apart; /* when held values that it depends on were seen first, and the mean time between their `changes` */
    long changes, is_pulse;
    long is_known, is_wave, is_table, is_open, follows; /* is_open: nothing is known from `until` on; follows: it depends on states
                                                           at its start */
};

/* The relations whose instants are found in advance, as in interval_program.py: operations with four arguments each, of all
   relations one after the other, and their numbers; tables (of c or of `points`, where, size). For each relation the first
   operation, the first that depends on time, the first of slopes and the end, and those of its sides. The functions that
   limit steps follow; their sides are a wave and its phase, or the slope of the function and 0. */
struct cutset_isolation {
    long n, n_forcing;
    const long *operations, *tables, *firsts, *sides, *keys, *key_places; /* keys: the held values that each depends on */
    const double *numbers, *points;
    double start, end, span;
    struct cutset_interval *results;
    double *key_values;
    struct cutset_search *searches;
    struct cutset_window *windows; /* of the functions */
    const double *x;               /* the states at the instant `since`, which some functions follow */
    double since;
};

struct cutset_limit {
    long parameter;
    double least, most;
};

/* A variable in y (0), x (1), p (2) or u (3) that the model starts at a value. */
struct cutset_written {
    long array, index;
    double sign;
};

/* The same for a variable that an iteration computes: the number of its value in s, the iteration, whether that closes a
   loop, and whether the model gives the value. */
struct cutset_wanted {
    struct cutset_written variable;
    long value, iteration, of_loop, is_written;
};

/* What a search has found, see search.h: states and conditions, guesses, the values of the variables that are wanted, whether
   these are known, and the distance from the start values, which is infinite if there is no solution. */
struct cutset_solution {
    double *x;  /* [begins] */
    double *w;  /* [guesses] */
    double *at; /* [started] */
    double distance;
    long is_known;
};

/* The search for the solution nearest to the start values, see search.h: the guesses from which it begins, those of other
   iterations, by how much each unknown is moved and its size, and which groups are sought; the first searches that failed
   are those for the held values and guesses `asked`, and have the guesses `failing`. */
struct cutset_start_search {
    double *first, *others, *moves, *sizes, *sought; /* [guesses] */
    double *chosen;                                  /* [guesses] those of the relations that are chosen */
    double *asked;                                   /* [4*modes + 4*guesses] */
    double *failing;                                 /* [5*guesses] */
    struct cutset_solution best, tried;
    long n_failing, n_unsolved, looks; /* looks: how often relations were evaluated */
};

/* What is fixed in a run and found at its start, see start.h: parameters and whether they are given, constants, start
   values, nominal values of the states, and given start values of states and discrete variables; the states at the start
   and two numbers for each condition that follows from others; and the work memory after the start, null if no one reads
   it. `copies` are pairs of guesses for one unknown in several iterations: where to, whether that one is solved, where
   from, and whether that one is. `wanted` are variables with a start value that an iteration computes, in the order of their
   names. If there are any, `loops` tells of each iteration whether it closes a loop of a mechanism, and `groups` the number
   of its group; `unknowns` has the number of the unknown of each guess and whether its start value is given, and `shifts`
   24 numbers from 0 to 1 for each unknown. Relations are chosen so that the variables `choosing` start near to their
   values. `cause` is an enum below: why there is no start. */
struct cutset_start {
    long n_parameters, n_used, n_limits, n_starts, n_startable, n_conditions, n_iterations, n_copies, n_written;
    long n_wanted, n_groups, n_unknowns, n_choosing, n_compared; /* n_compared: start values between those and the guesses */
    double *p, *given, *c, *s, *nominals, *tolerance, *begins, *first_w; /* the first n_startable of s may be given */
    double *start_given, *start_value, *defaults; /* defaults: of each that is written, if others may contradict it */
    const long *used, *iterations, *copies, *loops, *groups, *unknowns; /* used: the constants that must be finite */
    const double *shifts;
    const struct cutset_limit *limits;
    const struct cutset_written *written, *choosing;
    const struct cutset_wanted *wanted;
    struct cutset_start_search search;
    long is_given; /* the states are not sought */
    long is_followed; /* the first guesses are those of a start for other values, whose branches are kept */
    long cause, passes, is_singular; /* is_singular: relations that contradict each other have no values together */
    long has_large_states; /* output: a state has exceeded 1e12 times its nominal value */
};

/* A quantity that many runs set or record: element `index` of an array, which a letter names: t time, x states, y other
   variables, p parameters, u inputs, m held values; the value is `sign` times the element. Of a number that is part of the code
   the array is '1' and the value is `sign`. For start values x has the held discrete variables after the states. `how` tells
   which number of a trajectory is recorded, an enum below. */
struct cutset_quantity {
    long array, index, how;
    double sign;
};

/* Many runs, see many.h. The value of set[j] in run k is values[j][k * strides[j]]. Results are one number of each quantity, or,
   if it `has_trajectories`, the values of all quantities at each output. Results of a run that did not reach its end have no
   meaning. */
struct cutset_many {
    long n_set, n_kept;
    const struct cutset_quantity *set, *kept;
    const double *const *values;
    const long *strides;
    const double *at_ends; /* the sizes of crossings with which a run begins */
    long has_trajectories, needs_variables; /* whether one of the quantities is an other variable */
    double *results, *seconds;
    long *status;         /* why each has returned, an enum below */
    const long *is_over;  /* becomes true if no more runs are wanted */
    const struct cutset_rows *rows; /* null for runs that do not go on in steps */
};

/* A moment of a run: the states, the held values, the conditions of branches, for each
   relation whether its left side is true, (first instant, interval) of each sample, the sizes of the sides of each
   crossing; for each relation the value that it has while its sides differ by at most `reach`, which is negative for
   none, and up to which difference it keeps its value false, and true, which is negative for none; and whether a branch
   acted. */
struct cutset_moment {
    double t;
    double *x;          /* [states] */
    double *m;          /* [modes] */
    double *conditions; /* [branches] */
    double *truths;     /* [relations] */
    double *samples;    /* [2*samples] */
    double *scales;     /* [crossings] */
    double *at, *reach; /* [relations] */
    double *widths;     /* [2*relations] */
    long acted;
};

/* Why a run fails, of which runtime/runs/failures.py makes a message. */
enum cutset_cause {
    CONTRADICTORY_RELATIONS = 1, /* those that are `changing`; count: whether others make the equations singular */
    CYCLING_RELATIONS = 2,       /* those that are `changing`, at the crossing of one of them */
    ENDLESS_PASSES = 3,          /* from `m_before` and `x_before` to `m_after` and `x_after` */
    VIOLATED_ASSERTION = 4,      /* number */
    FAULTY_FUNCTION = 5,         /* cutset_fault tells which */
    CONFLICTING_RESTARTS = 6,    /* number, other; was, now */
    JUMPING_MOTION = 7,          /* number in `continuous`; was, now */
    JUMPING_CONSTRAINT = 8,      /* number; count: whether it must not jump */
    JUMPING_INPUT = 9,           /* number */
    INVALID_SAMPLE = 10,         /* number; was, now: its first instant and its interval */
    CHATTERING_RELATION = 11,    /* number; count of crossings; was, now: since when, and the instant; other: faster ones */
    INACCURATE_CROSSING = 12,    /* number of the relation */
    RATES_WITHOUT_VALUES = 13,
    NO_SENSITIVITY = 15,         /* number of the relation; other: 0 it only touches its crossing, 1 others change there, 2 a
                                    constraint jumps */
    FAILED_INTEGRATION = 14      /* number: its status; at `x_after`, at the time `was`, there are no values, nan if that was nowhere;
                                    count: whether a branch ended; other: the message of the system that was not solved */
};

/* The cause of a failure, 0 for none, and what belongs to it; numbers are those of ModelInfo. */
struct cutset_failure {
    long cause, number, other, count;
    double was, now;
    long *changing;               /* [relations] whether each does */
    double *m_before, *m_after;   /* [modes] */
    double *x_before, *x_after;   /* [states] */
};

/* What a run counts and knows besides numbers of the model; Python reads it. */
struct cutset_tally {
    double calm_step, calm_until, latest_event;
    double tightening; /* the factor on the tolerances */
    long rows, advances, steps, rejected, evaluations, state_events, sample_events, time_events, branch_events;
    long stiff, gentle;          /* steps at the border of stability, and those in a row that were not */
    long steep;                  /* how often a step of SUNDIALS was not solved with its tolerance */
    /* left: how many coming segments are expected to be stiff, less those since; trust: that number after the next segment
       that proves stiff */
    long segments, stiff_segments, left, trust;
    double stiff_since;                         /* nan: never so far */
};

/* A run that stands still between calls, besides its numbers; is_going: it has neither ended nor failed. */
struct cutset_row {
    double pace;
    long is_going, acted, ended;
    struct cutset_tally tally;
};

/* Runs that go on in steps. Run k has `size` numbers from block + k*size on, which are the memory of a run from p to what a step
   changes; its time t, its states x and its inputs u count in place of those there. Runs have begun at `start`. A call does those in the `order`:
   it starts them, or, if `step` is positive, goes on by so many seconds with steps of the method that are not longer than
   `longest` and of which the time since the start has at least `least_steps`. */
struct cutset_rows {
    long size, n_inputs, least_steps;
    struct cutset_row *rows;
    double *block, *t, *x, *u;
    const long *order;
    double start, step, longest;
};

/* Constraints that may jump at an event, see jumps.h. */
struct cutset_jumps {
    long n, n_before;
    const long *places; /* of each: the discrete variables that are its offset and its rate, or -1 */
    const long *made;   /* of each discrete variable: whether it chooses states */
    /* the point from which they jump; the flags of branches, which are zero, with the values before */
    double t;
    double *x;     /* [states] */
    double *m;     /* [modes] */
    double *flags; /* [branches + values_before] */
    /* whether an event is being settled; whether `after` has the states for the held values `key`; whether a branch restarts
       states */
    long is_within, has_after, restarted;
    double *key, *held, *decided; /* [modes] */
    double *after, *slow, *size;  /* [states] */
    double *found;                /* [updates] */
    double *sizes;                /* [jumps] */
    double *one, *two;            /* [relations] */
    double *k;                    /* [6*states] */
    /* the inputs that may step, each with its derivative; by how much each has since the latest event, nan if it has a slope,
       and its value after that */
    long n_stepped, steps; /* steps: any of them does at this event */
    const long *stepped;
    double *step;
};

/* The numbers that are kept of each crossing, see chatter.h. */
enum { OF_CROSSING = 24 };

/* The data of a run with events, see run.h. */
struct cutset_events {
    /* the model, as in ModelInfo */
    long n_modes, n_relations, n_discrete, n_branches, n_whens, n_assertions, n_variables, n_known, n_isolated, n_samples;
    long n_algebraic; /* the last states, which are not integrated but follow from the others */
    long n_u;         /* inputs and delayed values */
    long n_sensitivities; /* parameters by which all variables have derivatives, of a model with relations */
    long n_restarts, n_continuous, n_work, n_kept; /* n_kept: the first numbers in w, which count from call to call */
    const long *kinds, *places, *opposites; /* of each relation: its number among the crossings, its opposite, or -1 */
    const long *timed, *samples, *whens, *branch_of, *terminates, *restarts, *continuous;
    const long *rounds, *settled; /* of each branch and discrete variable: whether rounds of FMUs have it; null: none does */
    const long *iterations, *moving; /* the number of unknowns of each iteration; variables with a derivative */
    long n_iterations, n_moving;
    const struct cutset_tableau *dopri5; /* continues where a method fails */
    const double *truths;     /* the value of each relation for a negative, zero and positive difference */
    const double *directions; /* the sign of the difference of each relation while it is true; 0 for either */
    struct cutset_isolation *isolation; /* null: no relation needs it */
    struct cutset_start *start;         /* null: the run has been started elsewhere */
    /* the run */
    long finishes; /* the run ends at the last output: terminal() is true there */
    const double *outputs, *limits;
    const double *breaks; /* the instants at which tables have kinks or jumps, and whether a value jumps there */
    const long *break_jumps;
    long n_breaks;
    long n_outputs, capacity, is_automatic, is_implicit, rows_are_checked; /* is_implicit: SUNDIALS integrates */
    struct cutset_sundials *solver;                                        /* null until it is needed */
    double span, run_span, max_step, last_row; /* run_span: 1 for a run without length */
    const struct cutset_control *control;
    double *history;                           /* [24*crossings] see chatter.h */
    /* a run that goes on in steps: the numbers that a step changes, and their copies from before it */
    double *changing, *marked;
    long n_changing, marked_acted;
    double marked_t, marked_pace, stops[2]; /* stops: from where to where it goes */
    double *row_t, *row_x, *row_m, *row_guesses, *row_u;
    long *past; /* of each assertion: whether it ended the run that this one continues, and still holds; null for none */
    long inputs_changed; /* relations must agree with new inputs at the start of the next call */
    struct cutset_moment now, state, before;
    struct cutset_jumps jumps;
    struct cutset_tally tally;
    struct cutset_failure failure;
    void (*again)(double t); /* calls of Python functions from t on are repeated; null if there are none */
    /* a method outside, or null: integrates from `state` to the n times from `row` on, writes the states there, and `report` */
    int (*segment)(long row, long n);
    /* writes the change of each crossing that the errors of unknowns cause which are not integrated; null: there are none */
    void (*find_noise)(double t, const double *x, const double *m, double *noise);
    /* work memory */
    struct cutset_tally kept_tally, marked_tally;
    struct cutset_report report;
    struct cutset_control careful; /* of a segment: with its longest step and tightened tolerances */
    double kept_pace, y_t;
    double *kept_w;       /* [guesses + guards + watched] */
    double *kept_sizes;   /* [2*crossings + guesses] */
    double *kept_history; /* [24*crossings] */
    double *w_copy;       /* [work] */
    double *work;         /* [most_rows*states] */
    double *y, *y_row;    /* [results] */
    double *y_m, *m;      /* [modes] */
    double *te;           /* [2*timed] */
    double *acting;       /* [branches + values_before] */
    double *updated;      /* [updates] */
    double *values;       /* [relations] */
    double *moved;        /* [continuous] */
    double *g, *g_ahead, *slopes, *rest, *crossed, *noise, *roundings; /* [crossings] */
    double *y_x, *dx, *dx_ahead, *z; /* [rates] */
    double *delayed;      /* [delays] before an event */
    double *constant;     /* [delays*delays + 3*delays] for those before the start */
    double *searched;     /* [8*relations + modes] for relations that agree, see agree.h */
    double *tolerance;    /* [rates] the tightened one */
    double *place;        /* [moving] */
    double *lost_motion;  /* [guesses] */
    long *due;            /* [samples] */
    long *near, *turned;  /* [crossings] */
    long *uncrossed;      /* [relations] an enum in events.h */
    long *arrived;        /* [timed] */
    long has_y, has_roundings, has_start;
    long ended;    /* the assertion that ended the run, counted from 1; 0: none */
    long failed;   /* the status of the latest segment */
    long arrives;  /* whether relations of `arrived` are at the instant at which they change */
    long leaps;           /* to other branches at one instant */
    double latest_leap;
    long stops_at_events; /* an enum in run.h: whether the run returns before it settles an event */
    long is_ticked;       /* samples are due when others tell, at no instants of their own */
    double resumes_at, first_step; /* where a run goes on without an event, and the first step to try there; 0: none */
};

/* The kinds of relations. */
enum { OF_STATE, OF_TIME, EDGE, SAMPLE };
/* Why there is no start: a parameter or a nominal value; a delay; no states; relations that contradict each other, or discrete
   variables that keep changing; conditions or given values that do not hold; start values that others contradict; delayed
   values that are not constant before. */
enum {
    HAS_START, BAD_VALUES, BAD_DELAY, NO_VALUES, CONTRADICTION_AT_START, NO_END_AT_START, CONDITIONS_FAIL, OTHER_STARTS,
    NOT_CONSTANT
};
/* What becomes of a step of a method outside. */
enum { STEP_IS_GOOD, STEP_CROSSES, STEP_PASSES_POLE };
/* Which number of a trajectory is recorded. */
enum { OF_LAST_ROW, LEAST_OF_ROWS, MOST_OF_ROWS, MEAN_OF_ROWS };
/* How a segment ends. */
enum { DONE, STEP_TOO_SMALL, TOO_MANY_STEPS, NOT_FINITE, STIFF, INTERRUPTED, NO_CONVERGENCE };
/* Why a run returns: at the stop; there is no start, or a variable is not finite at the end; the rows are full; Ctrl-C; SUNDIALS
   is needed; the model has ended the run; there is no room for delayed values; just before an event, if it stops at events; the run
   has failed, as its `failure` tells; it must be repeated with smaller tolerances, see growth.h. */
enum {
    AT_STOP, NOT_DEFINED, ROWS_FULL, RUN_INTERRUPTED, NEEDS_SOLVER, RUN_ENDED, HISTORY_FULL, BEFORE_EVENT, RUN_FAILED,
    RUN_OUTGROWN
};

#endif
