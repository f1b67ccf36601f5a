/* Runs a model without Python: binds its parameters, finds its start, and goes from event to event. Allocates nothing. */

#include "program.h"
#include "esdirk.h"
#include "memory.h"
#include "run.h"
#include "start.h"

#include <stdio.h>

CUTSET_SHARED int cutset_fault, cutset_careful, cutset_lost, cutset_beyond;
CUTSET_SHARED unsigned long cutset_open;
CUTSET_SHARED void (*cutset_external)(int k, const double *a, double *r);

/* The steps between two outputs of a model without states. */
static const double LEAST_STEPS = 500.0, OPAQUE_STEPS = 50.0; /* as in method.py */

/* ---- tableaus ---- */

static const struct cutset_tableau DOPRI5 = {6, 5, cutset_dopri5_nodes, cutset_dopri5_weights, cutset_dopri5_error,
                                             cutset_dopri5_bump};
static const struct cutset_tableau RK4 = {4, 4, cutset_rk4_nodes, cutset_rk4_weights, 0, 0};

/* ---- memory ---- */

static void connect_isolation(struct cutset_program *p)
{
    struct cutset_isolation *s = &p->isolation;
    s->operations = cutset_operations, s->tables = cutset_tables, s->firsts = cutset_firsts, s->sides = cutset_sides;
    s->keys = cutset_keys, s->key_places = cutset_key_places, s->numbers = cutset_numbers, s->points = cutset_points;
    s->results = p->results, s->key_values = p->key_values, s->searches = p->searches;
    s->windows = p->windows;
    p->events.isolation = s;
    p->data.forcing = CUTSET_FORCING ? s : 0;
}

static void connect_start(struct cutset_program *p)
{
    struct cutset_start *b = &p->start;
    b->p = p->p, b->given = p->given, b->c = p->c, b->s = p->s, b->begins = p->begins;
    b->nominals = p->nominals, b->tolerance = p->tolerance;
    b->start_given = p->start_given, b->start_value = p->start_value;
    b->used = cutset_used_constants, b->iterations = cutset_iterations, b->copies = cutset_copies;
    b->limits = cutset_limit_table;
    p->data.branch.motions = cutset_motions;
    p->events.start = b;
}

static void connect_history(struct cutset_program *p)
{
    struct cutset_history *h = &p->data.history;
    h->starts = p->starts, h->ends = p->ends, h->pieces = p->pieces, h->roots = p->roots;
    h->levels = p->levels, h->values = p->stored;
    p->events.row_u = p->row_u, p->events.n_u = CUTSET_INPUTS + CUTSET_DELAYS;
}

static void connect_events(struct cutset_program *p)
{
    struct cutset_events *e = &p->events;
    e->kinds = cutset_kinds, e->places = cutset_places, e->opposites = cutset_opposites, e->timed = cutset_timed;
    e->samples = cutset_samples, e->whens = cutset_whens, e->branch_of = cutset_branch_of, e->terminates = cutset_terminates;
    e->iterations = cutset_iterations, e->moving = cutset_moving, e->dopri5 = &DOPRI5;
    e->restarts = cutset_restarts, e->continuous = cutset_continuous, e->truths = cutset_truths;
    e->directions = cutset_directions, e->limits = cutset_limits, e->outputs = p->outputs, e->control = &p->control;
    e->row_t = p->row_t, e->row_x = p->row_x, e->row_m = p->row_m, e->row_guesses = p->row_guesses;
    e->jumps.places = cutset_jump_places, e->jumps.made = cutset_made;
    e->jumps.stepped = cutset_stepped, e->jumps.step = p->step_sizes;
}

/* Lets all pointers point to the memory of this instance; needed after it was copied. */
void cutset_connect(struct cutset_program *p)
{
    struct cutset_data *d = &p->data;
    place_memory(p);
    d->c = p->c, d->u = p->u, d->w = p->w, d->m = p->events.now.m, d->bad_x = p->bad_x, d->now = &p->now;
    d->guesses = p->row_guesses;
    p->control.atol = p->tolerance;
    connect_isolation(p);
    connect_start(p);
    connect_history(p);
    connect_events(p);
}

/* The sizes, which do not change. */
static void describe(struct cutset_program *p)
{
    struct cutset_data *d = &p->data;
    struct cutset_events *e = &p->events;
    struct cutset_start *b = &p->start;
    d->n_states = CUTSET_STATES, d->n_rates = CUTSET_STATES, d->n_guesses = CUTSET_GUESSES, d->n_guards = CUTSET_GUARDS;
    d->watch.n = CUTSET_CROSSINGS, d->watch.n_watched = CUTSET_WATCHED, d->watch.places = CUTSET_GUESSES + CUTSET_GUARDS;
    d->branch.n = CUTSET_GUESSES, d->branch.n_motions = CUTSET_MOTIONS;
    d->history.count = CUTSET_DELAYS, d->history.offset = CUTSET_INPUTS, d->history.capacity = CUTSET_STORED;
    d->history.most_levels = CUTSET_DELAYS <= 2 ? 3.0 : CUTSET_DELAYS <= 4 ? 2.0 : 1.0; /* as in history.py */
    e->n_modes = CUTSET_MODES, e->n_relations = CUTSET_RELATIONS, e->n_discrete = CUTSET_DISCRETE;
    e->n_branches = CUTSET_BRANCHES, e->n_whens = CUTSET_WHENS, e->n_assertions = CUTSET_ASSERTIONS;
    e->n_variables = CUTSET_VARIABLES, e->n_known = CUTSET_KNOWN, e->n_isolated = CUTSET_ISOLATED, e->n_samples = CUTSET_SAMPLES;
    e->n_iterations = CUTSET_ITERATIONS, e->n_moving = CUTSET_MOVING;
    e->n_restarts = CUTSET_RESTARTS, e->n_continuous = CUTSET_CONTINUOUS, e->n_work = CUTSET_WORK;
    e->jumps.n = CUTSET_JUMPS, e->jumps.n_before = CUTSET_VALUES_BEFORE;
    e->jumps.n_stepped = CUTSET_STEPPED;
    e->n_kept = CUTSET_GUESSES + CUTSET_GUARDS + CUTSET_WATCHED;
    p->isolation.n = CUTSET_ISOLATED, p->isolation.n_forcing = CUTSET_FORCING;
    b->n_parameters = CUTSET_PARAMETERS, b->n_used = CUTSET_USED_CONSTANTS, b->n_limits = CUTSET_LIMITS;
    b->n_starts = CUTSET_STARTS, b->n_startable = CUTSET_STATES, b->n_conditions = CUTSET_CONDITIONS;
    b->n_iterations = CUTSET_ITERATIONS, b->n_copies = CUTSET_COPIES, b->is_followed = 1;
    e->n_outputs = 2, e->capacity = CUTSET_ROWS, e->rows_are_checked = CUTSET_ROWS_ARE_CHECKED;
}

/* ---- parameters ---- */

void cutset_defaults(struct cutset_program *p)
{
    memset(p, 0, sizeof *p);
    describe(p);
    cutset_connect(p);
    p->method = CUTSET_AUTO;
    p->rtol = CUTSET_RTOL;
    p->atol = CUTSET_ATOL;
    p->step = 1e-3;
    bind_parameters(&p->start);
}

int cutset_set(struct cutset_program *p, long variable, double value)
{
    const struct cutset_variable *v = cutset_variable_table + variable;
    long k;
    if (variable < 0 || variable >= CUTSET_NAMES || !isfinite(value)) return CUTSET_BAD_ARGUMENT;
    value *= v->sign;
    if (v->array == 'u') {
        p->events.inputs_changed |= p->is_started && p->u[v->index] != value;
        if (p->is_started) note_step(&p->events, p->u, v->index, value);
        p->events.has_y = 0;
        p->u[v->index] = value;
        return CUTSET_OK;
    }
    if (p->is_started || (v->array != 'p' && v->array != 'x')) return CUTSET_BAD_ARGUMENT;
    for (k = 0; k < CUTSET_OVERRULED; k++) /* start values that do not count in this program */
        if (v->array == 'p' && v->index == cutset_overruled[k]) return CUTSET_BAD_ARGUMENT;
    if (v->array == 'p') p->p[v->index] = value, p->given[v->index] = 1.0;
    else p->start_value[v->index] = value, p->start_given[v->index] = 1.0;
    bind_parameters(&p->start);
    return CUTSET_OK;
}

double cutset_get(struct cutset_program *p, long variable)
{
    const struct cutset_variable *v = cutset_variable_table + variable;
    struct cutset_events *e = &p->events;
    double sign;
    if (variable < 0 || variable >= CUTSET_NAMES) return NAN;
    sign = v->sign;
    switch (v->array) {
    case 'p': return sign * p->p[v->index];
    case 'u': return sign * p->u[v->index];
    case 'x': return sign * (p->is_started ? e->now.x[v->index] : p->s[v->index]);
    case 'm': return sign * (p->is_started ? e->now.m[v->index] : NAN);
    default: break;
    }
    if (!p->is_started) return NAN;
    look(&p->data, e, e->now.t, e->now.x, e->now.m);
    return sign * e->y[v->index];
}

/* The names ascend, so that halving finds one. */
long cutset_find(const char *name)
{
    long low = 0, high = CUTSET_NAMES;
    while (low < high) {
        long middle = (low + high) / 2;
        int order = strcmp(cutset_variable_table[middle].name, name);
        if (order == 0) return middle;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return -1;
}

/* Writes a text of an assertion, with the values of the variables that it names in braces: level = {tank.h} m. */
void cutset_words(struct cutset_program *p, const char *text, char *to, size_t size)
{
    char name[256];
    size_t n = 0;
    while (*text && n + 1 < size) {
        const char *end = text + 1;
        double value = NAN;
        int is_known = 0;
        for (int quoted = 0; *text == '{' && *end && (quoted || *end != '}'); end++) quoted ^= *end == '\'';
        if (*text == '{' && *end && (size_t)(end - text) < sizeof name) {
            memcpy(name, text + 1, (size_t)(end - text - 1));
            name[end - text - 1] = 0;
            is_known = strcmp(name, "time") == 0 || cutset_find(name) >= 0;
            value = strcmp(name, "time") == 0 ? p->events.now.t : cutset_get(p, cutset_find(name));
        }
        if (!is_known) to[n++] = *text++;
        else n += (size_t)snprintf(to + n, size - n, "%.6g", value), text = end + 1;
    }
    to[n < size ? n : size - 1] = 0;
}

/* ---- the run ---- */

/* The search for the start begins from what the export has found. */
static void take_first_point(struct cutset_program *p)
{
    long i;
    p->events.span = p->events.run_span = 1.0;
    p->stiff_until = NAN;
    for (i = 0; i < CUTSET_CROSSINGS; i++) p->data.watch.sizes[i] = cutset_at_ends[i] ? INFINITY : 0.0;
    for (i = 0; i < CUTSET_GUESSES && CUTSET_HAS_FIRST_GUESSES; i++) p->w[i] = cutset_first_guesses[i];
    for (i = 0; i < CUTSET_RELATIONS; i++) p->events.now.m[i] = cutset_first_modes[i];
}

/* Finds the start and settles the events there. */
static int begin(struct cutset_program *p)
{
    struct cutset_data *d = &p->data;
    struct cutset_events *e = &p->events;
    struct cutset_moment *s = &e->now;
    if (!find_first_constants(d, e) || !samples_at_start(e) || !settle(d, e, s, e->due) || !samples_are_valid(e, s)) return 0;
    note_event(d, s->t, s->x, s->m, 0, 0);
    return all_are_finite(d, e, s);
}

int cutset_begin(struct cutset_program *p, double t)
{
    struct cutset_start *b = &p->start;
    p->is_started = 0;
    bind_parameters(b);
    if (!parameters_are_valid(b) || !set_tolerance(b, CUTSET_STATES, p->rtol, p->atol)) return CUTSET_BAD_PARAMETER;
    clear_run(&p->data, &p->events, t);
    take_first_point(p);
    clear_sizes(&p->data, b);
    reach(&p->isolation, t, t, 1.0);
    p->started_at = p->outputs[0] = t;
    p->outputs[1] = INFINITY;
    p->data.history.rtol = p->rtol, p->data.history.atol = least_tolerance(b, CUTSET_STATES);
    if (!begin_history(&p->data, &p->events)) return CUTSET_BAD_PARAMETER;
    if (!begin(p)) return p->events.failure.cause == VIOLATED_ASSERTION ? CUTSET_VIOLATED : CUTSET_NO_START;
    p->is_started = 1;
    return p->events.ended ? CUTSET_ENDED : CUTSET_OK;
}

static int status_of(const struct cutset_events *e, int why)
{
    if (why == AT_STOP || why == BEFORE_EVENT) return CUTSET_OK;
    if (why == RUN_ENDED) return CUTSET_ENDED;
    if (why == HISTORY_FULL) return CUTSET_HISTORY_FULL;
    if (e->failure.cause == VIOLATED_ASSERTION) return CUTSET_VIOLATED;
    switch (e->failed) {
    case STEP_TOO_SMALL:
    case NO_CONVERGENCE: return CUTSET_STEP_TOO_SMALL;
    case TOO_MANY_STEPS: return CUTSET_TOO_MANY_STEPS;
    case NOT_FINITE: return CUTSET_NOT_FINITE;
    default: return CUTSET_UNSETTLED;
    }
}

/* Without states there is no error by which to choose steps, so that they are short enough to find events: also between delays,
   but not so short that the history of these is full. */
static double step_without_states(const struct cutset_program *p, double until)
{
    static const double STEPS_OF_A_DELAY = 64.0;
    double step = (until - p->events.now.t) / LEAST_STEPS;
    if (!CUTSET_DELAYS) return step;
    return CUTSET_CROSSINGS ? cutset_max(step, p->data.history.shortest / STEPS_OF_A_DELAY) : INFINITY;
}

/* Prepares to go on to `until` in a run of the length `span`. */
static void enter_run(struct cutset_program *p, double until, double span)
{
    struct cutset_events *e = &p->events;
    int has_steps = p->method == CUTSET_FIXED_STEPS, is_fixed = has_steps || !CUTSET_STATES;
    p->outputs[0] = e->now.t, p->outputs[1] = until;
    e->span = span;
    e->run_span = e->span > 0.0 ? e->span : 1.0;
    reach(&p->isolation, e->now.t, until, e->run_span);
    set_up_history(&p->data.history, e->run_span);
    enter_just_after(&p->data.history, e->now.t);
    e->max_step = has_steps ? p->step : is_fixed ? step_without_states(p, until) : INFINITY;
    if (CUTSET_IS_OPAQUE && span > 0.0) e->max_step = cutset_min(e->max_step, span / OPAQUE_STEPS);
    e->is_automatic = p->method == CUTSET_AUTO, e->is_implicit = p->method == CUTSET_IMPLICIT;
    p->control.rtol = p->rtol, p->control.max_step = e->max_step, p->control.max_steps = CUTSET_MOST_STEPS;
    p->control.nearest = 1e-9 * e->span, p->control.detect_stiffness = p->method == CUTSET_AUTO;
    /* A stop without an event does not count as the end of a segment. */
    if (goes_on_stiffly(p, &e->now)) e->tally.left = e->tally.left > 0 ? e->tally.left + 1 : 1;
}

/* Goes on until the rows are full, or as far as the run goes; returns why it ended. */
static int fill_rows(struct cutset_program *p)
{
    struct cutset_events *e = &p->events;
    int is_fixed = p->method == CUTSET_FIXED_STEPS || !CUTSET_STATES, why;
    e->last_row = e->now.t;
    e->tally.rows = 0;
    why = cutset_run(&p->data, &p->control, is_fixed ? &RK4 : &DOPRI5, e);
    e->has_y = 0;
    e->resumes_at = e->now.t, e->first_step = why == AT_STOP && !e->report.crossed ? e->report.next : 0.0;
    return why;
}

/* Goes on to `until` in a run of the length `span`. */
static int continue_run(struct cutset_program *p, double until, double span)
{
    int why = ROWS_FULL;
    enter_run(p, until, span);
    while (why == ROWS_FULL) why = fill_rows(p);
    return status_of(&p->events, why);
}

int cutset_continue(struct cutset_program *p, double until)
{
    const struct cutset_events *e = &p->events;
    if (!p->is_started) return CUTSET_NOT_STARTED;
    if (e->ended) return CUTSET_ENDED;
    if (!(until >= e->now.t) || !isfinite(until)) return CUTSET_BAD_ARGUMENT;
    return continue_run(p, until, until - p->started_at);
}

/* Does what the model does at the end of a run; events.now.acted tells whether it did anything. */
int cutset_finish(struct cutset_program *p)
{
    if (!p->is_started) return CUTSET_NOT_STARTED;
    p->events.tally.rows = p->events.now.acted = 0;
    return status_of(&p->events, end_run(&p->data, &p->events));
}

const char *cutset_message(const struct cutset_program *p, int status)
{
    switch (status) {
    case CUTSET_OK: return "no error";
    case CUTSET_ENDED: return p->events.ended ? cutset_assertion_table[p->events.ended - 1] : "the run has ended";
    case CUTSET_NO_START: return "the equations have no solution at the start, or start values contradict each other";
    case CUTSET_VIOLATED: return cutset_assertion_table[p->events.failure.number];
    case CUTSET_NOT_FINITE: return "the model has no values beyond this point";
    case CUTSET_STEP_TOO_SMALL: return "the tolerance cannot be met: the steps are too small";
    case CUTSET_TOO_MANY_STEPS: return "too many steps";
    case CUTSET_UNSETTLED: return "an event has no solution or no end";
    case CUTSET_BAD_PARAMETER: 
        return "a parameter is not finite or outside of its limits, a delay is not positive, or the equations must be solved "
               "in another way for these parameters: export the model with them";
    case CUTSET_HISTORY_FULL: return "there is no room for delayed values: compile with a larger CUTSET_STRETCHES";
    case CUTSET_NOT_STARTED: return "the model has not been started";
    default: return "there is no such variable, or it cannot be set now";
    }
}
