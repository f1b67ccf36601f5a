/* The data of one instance of a model, with all its memory: nothing is allocated after this. The generated header of the
   model documents the functions; sizes.h has the sizes. */

#ifndef CUTSET_PROGRAM_H
#define CUTSET_PROGRAM_H

#include "sizes.h"

#include "driver.h"

/* C has no arrays without elements. */
#define CUTSET_AT_LEAST_1(n) ((n) > 0 ? (n) : 1)
#define CUTSET_ARRAY(name, n) name[CUTSET_AT_LEAST_1(n)]

/* The stretches of the history of delayed signals. */
#if CUTSET_DELAYS > 0
#define CUTSET_STORED CUTSET_STRETCHES
#else
#define CUTSET_STORED 0
#endif

enum cutset_method { CUTSET_AUTO, CUTSET_EXPLICIT, CUTSET_IMPLICIT, CUTSET_FIXED_STEPS };

/* What a function returns. */
enum cutset_status {
    CUTSET_OK,
    CUTSET_ENDED,            /* the model has ended the run */
    CUTSET_NO_START,         /* the equations have no solution at the start, or start values contradict each other */
    CUTSET_VIOLATED,         /* an assertion of the model does not hold */
    CUTSET_NOT_FINITE,       /* the model has no values beyond this point */
    CUTSET_STEP_TOO_SMALL,   /* the tolerance cannot be met */
    CUTSET_TOO_MANY_STEPS,
    CUTSET_UNSETTLED,        /* an event without end or without a solution */
    CUTSET_BAD_PARAMETER,    /* a parameter is not finite or outside of its limits, or an expression of parameters */
    CUTSET_NOT_STARTED,      /* the function needs a start before */
    CUTSET_BAD_ARGUMENT,     /* no such variable, or it cannot be set now */
    CUTSET_HISTORY_FULL      /* there is no room for the delayed values within the longest delay: see CUTSET_STRETCHES */
};

struct cutset_program {
    struct cutset_data data;
    struct cutset_control control;
    struct cutset_events events;
    struct cutset_start start;
    enum cutset_method method;
    int is_started;
    double rtol, atol, step; /* step: the fixed step */
    double started_at, outputs[2];
    /* parameters and whether they were set, constants, start values, inputs, work memory */
    double CUTSET_ARRAY(p, CUTSET_PARAMETERS), CUTSET_ARRAY(given, CUTSET_PARAMETERS);
    double CUTSET_ARRAY(c, CUTSET_CONSTANTS), CUTSET_ARRAY(s, CUTSET_STARTS), CUTSET_ARRAY(u, CUTSET_INPUTS + CUTSET_DELAYS);
    double CUTSET_ARRAY(start_given, CUTSET_STATES), CUTSET_ARRAY(start_value, CUTSET_STATES);
    double CUTSET_ARRAY(w, CUTSET_WORK), CUTSET_ARRAY(begins, CUTSET_BEGINS), CUTSET_ARRAY(tolerance, CUTSET_STATES);
    double CUTSET_ARRAY(nominals, CUTSET_STATES);
    double CUTSET_ARRAY(bad_x, CUTSET_STATES), now;
    double CUTSET_ARRAY(memory, CUTSET_MEMORY); /* see memory.h */
    double CUTSET_ARRAY(step_sizes, 2 * CUTSET_STEPPED);
    /* rows for the few points between two outputs */
    double row_t[CUTSET_ROWS], CUTSET_ARRAY(row_x, CUTSET_ROWS * CUTSET_STATES), CUTSET_ARRAY(row_m, CUTSET_ROWS * CUTSET_MODES);
    double CUTSET_ARRAY(row_guesses, CUTSET_ROWS * CUTSET_GUESSES);
    double CUTSET_ARRAY(row_u, CUTSET_ROWS * (CUTSET_INPUTS + CUTSET_DELAYS));
    /* relations of time */
    struct cutset_isolation isolation;
    struct cutset_interval CUTSET_ARRAY(results, CUTSET_OPERATIONS);
    struct cutset_search CUTSET_ARRAY(searches, CUTSET_ISOLATED + CUTSET_FORCING);
    struct cutset_window CUTSET_ARRAY(windows, CUTSET_FORCING);
    double CUTSET_ARRAY(key_values, CUTSET_KEYS);
    /* the history of delayed signals */
    double CUTSET_ARRAY(starts, CUTSET_STORED), CUTSET_ARRAY(ends, CUTSET_STORED), CUTSET_ARRAY(pieces, CUTSET_STORED);
    double CUTSET_ARRAY(roots, CUTSET_STORED), CUTSET_ARRAY(levels, CUTSET_STORED);
    double CUTSET_ARRAY(stored, 5 * CUTSET_DELAYS * CUTSET_STORED);
    /* the method for stiff models */
    double CUTSET_ARRAY(jacobian, CUTSET_JACOBIAN), CUTSET_ARRAY(matrix, CUTSET_STATES * CUTSET_STATES);
    double CUTSET_ARRAY(lu, CUTSET_STATES * CUTSET_STATES), CUTSET_ARRAY(pivots, CUTSET_STATES), CUTSET_ARRAY(k, 12 * CUTSET_STATES);
    double stiff_until, stiff_step; /* where it ended, and the step that it would have made next */
    int stiff_has_slopes;           /* whether the matrix belongs to that point */
};

/* The tables of the model, in NAME_tables.c. A variable is element `index` of `array`: x states, y others, p parameters,
   u inputs, m held values; the value is `sign` times the element. Numbers without a limit have infinite ones. */
struct cutset_variable {
    const char *name, *unit;
    char array;
    signed char sign;
    long index;
};
extern const struct cutset_variable cutset_variable_table[];
extern const char *const cutset_assertion_table[];
extern const struct cutset_limit cutset_limit_table[];
extern const long cutset_kinds[], cutset_places[], cutset_opposites[], cutset_timed[], cutset_samples[], cutset_whens[];
extern const long cutset_branch_of[], cutset_terminates[], cutset_restarts[], cutset_continuous[];
extern const long cutset_moving[], cutset_at_ends[], cutset_jump_places[], cutset_stepped[];
extern const long cutset_made[];
extern const long cutset_operations[], cutset_tables[], cutset_firsts[], cutset_sides[], cutset_keys[], cutset_key_places[];
extern const double cutset_numbers[], cutset_points[];
extern const long cutset_rows[], cutset_columns[], cutset_sequence[], cutset_first[], cutset_used_constants[];
extern const long cutset_motions[], cutset_iterations[], cutset_copies[], cutset_alternative_starts[], cutset_overruled[];
extern const double cutset_truths[], cutset_directions[], cutset_limits[], cutset_first_guesses[], cutset_first_modes[];
extern const double cutset_dopri5_nodes[], cutset_dopri5_weights[], cutset_dopri5_error[], cutset_dopri5_bump[];
extern const double cutset_rk4_nodes[], cutset_rk4_weights[];

void cutset_defaults(struct cutset_program *p);
int cutset_set(struct cutset_program *p, long variable, double value);
double cutset_get(struct cutset_program *p, long variable);
long cutset_find(const char *name);
int cutset_begin(struct cutset_program *p, double t);
int cutset_continue(struct cutset_program *p, double until);
int cutset_finish(struct cutset_program *p);
void cutset_words(struct cutset_program *p, const char *text, char *to, size_t size);
const char *cutset_message(const struct cutset_program *p, int status);
void cutset_connect(struct cutset_program *p);

#endif
