/* One instance of the model behind an interface of FMI: its modes, its variables by reference, its events, and its saved
   states. Included by fmi2.c and fmi3.c only. An instance is allocated when it is made, and each saved state once. */

#ifndef CUTSET_INSTANCE_H
#define CUTSET_INSTANCE_H

#include "program.c"

#include "references.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "ahead.h"

/* Instants that an importer means to be equal differ by less than this part of a run or of a step. */
static const double MEANT = 1e-9;
/* The first time between points of the history, as a part of the shortest long delay or of the run. */
static const double FIRST_STRETCH = 1e-3;

enum fmu_mode { INSTANTIATED, INITIALIZING, AT_EVENT, BETWEEN_EVENTS, STEPPING, TERMINATED };

/* Everything that a saved state contains. */
struct fmu_state {
    struct cutset_program program;
    enum fmu_mode mode;
    double start, stop;    /* stop: INFINITY if it is not known */
    double next_event;     /* the next time event; INFINITY if there is none */
    double latest_sampled; /* samples up to this instant have been taken */
    double CUTSET_ARRAY(side, CUTSET_CROSSINGS), CUTSET_ARRAY(margin, CUTSET_CROSSINGS);
    double CUTSET_ARRAY(rates, CUTSET_STATES);
    int CUTSET_ARRAY(ticked, CUTSET_SAMPLES), CUTSET_ARRAY(active, CUTSET_SAMPLES); /* active: the importer ticks them */
    double own_event;                                            /* the same without delays */
    double last_t, CUTSET_ARRAY(last_x, CUTSET_STATES), CUTSET_ARRAY(last_rates, CUTSET_STATES); /* of the step before */
    double stretch; /* the time between two points of the history, if the importer completes no steps */
    /* At points of the history before the present step: instants and inputs, the last first; third derivatives of states. */
    double CUTSET_ARRAY(older_t, 3), CUTSET_ARRAY(older_u, 3 * CUTSET_INPUTS), CUTSET_ARRAY(bend, CUTSET_STATES), bend_span;
    long n_older;
    int completes, accepts; /* the importer completes steps; accepts: also without delays */
    int has_rates, changed; /* changed: parameters, since they were checked */
    int is_before_event;    /* with an event mode in co-simulation: the event at this point has not been settled */
    struct fmu_ahead ahead;
};

typedef void (*fmu_callback)(void);

struct fmu {
    struct fmu_state s;
    int logs, steps_itself, uses_events, can_return_early; /* uses_events: an event mode in co-simulation */
    void *host;
    fmu_callback log_message, update; /* of the importer, with the types of the interface */
    void (*log)(struct fmu *f, int is_error, const char *text);
    char text[2000], name[200];
    double CUTSET_ARRAY(u_now, CUTSET_INPUTS); /* while signals within a step are stored */
};

/* ---- messages ---- */

static void report(struct fmu *f, const char *text)
{
    f->log(f, 1, text);
}

/* The first state whose derivative has no value at the latest point without values, or -1. */
static long state_without_rate(struct cutset_program *p)
{
    struct cutset_data *d = &p->data;
    long i;
    if (!CUTSET_STATES || !d->bad_evaluations) return -1;
    rates_at(d, d->bad_t, d->bad_x, p->events.now.m, p->events.dx);
    for (i = 0; i < CUTSET_STATES; i++)
        if (!isfinite(p->events.dx[i])) return i;
    return -1;
}

/* The first parameter outside of its limits, or -1. */
static long parameter_outside(const struct cutset_program *p)
{
    const struct cutset_limit *limit = cutset_limit_table;
    long i;
    for (i = 0; i < CUTSET_LIMITS; i++, limit++)
        if (!(p->p[limit->parameter] >= limit->least && p->p[limit->parameter] <= limit->most)) return i;
    return -1;
}

/* Reports why the model has no further values, as messages of `simulate` do. */
static void report_status(struct fmu *f, int status)
{
    struct cutset_program *p = &f->s.program;
    double t = p->events.now.t;
    char words[1000];
    long k;
    cutset_fault = 0;
    if (status == CUTSET_VIOLATED) {
        k = p->events.failure.number;
        cutset_words(p, cutset_assertion_table[k], words, sizeof words);
        snprintf(f->text, sizeof f->text, "assertion failed at %.9g s: %s (%s)", t, words, fmu_assertion_places[k]);
    } else if (status == CUTSET_BAD_PARAMETER && (k = parameter_outside(p)) >= 0) {
        const struct cutset_limit *limit = cutset_limit_table + k;
        snprintf(f->text, sizeof f->text, "the parameter '%s' is %.9g, but its limits are %.9g and %.9g",
                 fmu_parameter_names[limit->parameter], p->p[limit->parameter], limit->least, limit->most);
    } else if (status == CUTSET_NOT_FINITE && (k = state_without_rate(p)) >= 0) {
        const char *fault = cutset_fault > 0 && cutset_fault <= FMU_FAULTS ? fmu_faults[cutset_fault - 1] : "it is not finite";
        snprintf(f->text, sizeof f->text, "the derivative has no value at %.9g s: %s: %s", p->data.bad_t, fmu_rates[k], fault);
    } else {
        snprintf(f->text, sizeof f->text, "at %.9g s: %s", t, cutset_message(p, status));
    }
    report(f, f->text);
}

static void report_number(struct fmu *f, const char *what, long reference)
{
    snprintf(f->text, sizeof f->text, "%s: value reference %ld", what, reference);
    report(f, f->text);
}

/* ---- making ---- */

static void reset(struct fmu *f)
{
    struct fmu_state *s = &f->s;
    cutset_defaults(&s->program);
    s->mode = INSTANTIATED;
    s->start = s->latest_sampled = 0.0;
    s->stop = s->next_event = INFINITY;
    s->has_rates = s->changed = s->is_before_event = s->completes = s->accepts = 0;
    s->n_older = 0, s->bend_span = 0.0;
    memset(s->ticked, 0, sizeof s->ticked);
    memset(s->active, 0, sizeof s->active);
    s->ahead.count = s->ahead.next = s->ahead.calm = 0;
    s->ahead.step = 0.0;
}

/* A new instance, or null if there is no memory or the token belongs to another model. */
static struct fmu *new_instance(const char *name, const char *token, void (*log)(struct fmu *f, int is_error, const char *text),
                                fmu_callback log_message, void *host, int logs)
{
    struct fmu *f = calloc(1, sizeof *f);
    if (!f) return 0;
    f->log = log, f->log_message = log_message, f->host = host, f->logs = logs;
    snprintf(f->name, sizeof f->name, "%s", name ? name : "");
    if (!token || strcmp(token, FMU_TOKEN)) {
        snprintf(f->text, sizeof f->text, "the model description belongs to another model or version: its token is %.100s, that of the library %s",
                 token ? token : "missing", FMU_TOKEN);
        report(f, f->text);
        free(f);
        return 0;
    }
    reset(f);
    return f;
}

/* Sets the time of the start, the stop and the tolerance; INFINITY and 0 if they are not given. */
static int set_up(struct fmu *f, double start, double stop, double tolerance)
{
    struct fmu_state *s = &f->s;
    if (!isfinite(start) || isnan(stop) || stop < start || !(tolerance >= 0.0)) {
        report(f, "the start, the stop or the tolerance is not valid");
        return 0;
    }
    s->start = start, s->stop = stop;
    if (tolerance > 0.0) {
        s->program.rtol = tolerance;
        s->program.atol = 0.01 * tolerance;
    }
    return 1;
}

/* The length of the run, by which the smallest differences of instants are judged. */
static double whole_span(const struct fmu *f)
{
    double span = f->s.stop - f->s.start;
    return isfinite(span) && span > 0.0 ? span : FMU_SPAN;
}

/* ---- the model at its time ---- */

/* Needed after anything but the time and the states has changed. */
static void forget_values(struct fmu *f)
{
    f->s.has_rates = f->s.program.events.has_y = 0;
}

/* The longest time to the next event: within one delay all delayed values are known. If an importer completes no steps, the
   history has its points at events only. */
static double reach_of_history(const struct fmu *f)
{
    const struct cutset_history *h = &f->s.program.data.history;
    double reach = h->reach;
    if (f->steps_itself || f->s.completes) return reach;
    if (h->shortest < MAY_BE_WITHIN * h->span) reach = cutset_min(reach, h->longest_step);
    return cutset_min(reach, f->s.stretch);
}

/* Prepares what holds until the next event: the sides of crossings, and the next time event. */
static void prepare(struct fmu *f)
{
    struct cutset_program *p = &f->s.program;
    struct cutset_data *d = &p->data;
    struct cutset_events *e = &p->events;
    struct cutset_moment *s = &e->now;
    long j, k;
    d->m = s->m;
    enter_just_after(&d->history, s->t);
    crossings_at(d, s->t, s->x, s->m, e->g);
    for (k = 0; k < e->n_relations; k++) {
        double side, beyond;
        if ((j = e->places[k]) < 0) continue;
        side = e->directions[k] * (s->m[k] != 0.0 ? 1.0 : -1.0);
        beyond = side * e->g[j] < 0.0 ? 2.0 * fabs(e->g[j]) : 0.0;
        if (s->reach[k] > 0.0 && s->at[k] == s->m[k]) beyond = cutset_max(beyond, s->reach[k]);
        f->s.side[j] = side;
        f->s.margin[j] = cutset_max(beyond, FMU_MARGIN * cutset_max(s->scales[j], DBL_MIN));
        /* A difference that becomes zero changes its sign, even if it stays zero. */
        if (truth(e, k, 0.0) != s->m[k] && side * e->g[j] > f->s.margin[j])
            f->s.margin[j] = e->opposites[k] < 0 ? -SMALLEST : -TOUCHING * fabs(e->g[j]);
    }
    p->outputs[0] = s->t, p->outputs[1] = INFINITY;
    f->s.next_event = next_event(d, e, s);
    if (CUTSET_DELAYS) {
        f->s.own_event = next_time_event(d, e, s);
        f->s.next_event = cutset_min(f->s.next_event, s->t + reach_of_history(f));
    }
    forget_values(f);
}

/* True if the importer ticks the samples: without an event mode it could not. */
static int takes_clocks(const struct fmu *f)
{
    return FMU_INPUT_CLOCKS && (!f->steps_itself || f->uses_events);
}

/* Solves the equations at the start, unless they are solved for these parameters and inputs. */
static int start(struct fmu *f)
{
    struct cutset_program *p = &f->s.program;
    long i;
    int status;
    if (p->is_started) return 1;
    p->events.is_ticked = takes_clocks(f);
    status = cutset_begin(p, f->s.start);
    if (status != CUTSET_OK && status != CUTSET_ENDED) {
        report_status(f, status);
        return 0;
    }
    p->events.span = p->events.run_span = whole_span(f);
    set_up_history(&p->data.history, whole_span(f));
    f->s.stretch = FIRST_STRETCH * cutset_min(p->data.history.reach, whole_span(f));
    f->s.latest_sampled = f->s.start;
    f->s.changed = 0;
    for (i = 0; i < CUTSET_SAMPLES; i++) f->s.ticked[i] = p->events.due[i] != 0;
    prepare(f);
    return 1;
}

/* The derivatives of the states, in f->s.rates; 0 if they have no values. */
static int find_rates(struct fmu *f)
{
    struct cutset_program *p = &f->s.program;
    struct cutset_data *d = &p->data;
    struct cutset_moment *now = &p->events.now;
    if (f->s.has_rates) return 1;
    d->m = now->m;
    d->bad_evaluations = 0;
    if (f->s.mode == BETWEEN_EVENTS) {
        d->branch.lost = 0; /* the importer may go anywhere after a point without values */
        if (evaluate(d, now->t, now->x, f->s.rates)) return 0;
        if (!f->s.accepts) accept_point(d, now->t, now->x); /* else solutions would be sought from the latest event */
    } else {
        rates_at(d, now->t, now->x, now->m, f->s.rates);
    }
    f->s.has_rates = 1;
    return 1;
}

/* All variables, in e->y. Nonlinear systems have the solutions that the derivatives have found. */
static void find_variables(struct fmu *f)
{
    struct cutset_program *p = &f->s.program;
    if (CUTSET_GUESSES && f->s.mode == BETWEEN_EVENTS) find_rates(f);
    look(&p->data, &p->events, p->events.now.t, p->events.now.x, p->events.now.m);
}

static void find_indicators(struct fmu *f, double *values)
{
    struct cutset_program *p = &f->s.program;
    struct cutset_moment *now = &p->events.now;
    long j;
    if (CUTSET_GUESSES && f->s.mode == BETWEEN_EVENTS) find_rates(f);
    if (CUTSET_CROSSINGS) crossings_at(&p->data, now->t, now->x, now->m, p->events.g);
    for (j = 0; j < CUTSET_CROSSINGS; j++) values[j] = p->events.g[j] + f->s.side[j] * f->s.margin[j];
}

/* ---- values by reference ---- */

/* References: the variables in the order of their names, the derivatives of the states, the time, the event indicators, the
   clocks. */
enum {
    FMU_RATES = CUTSET_NAMES,
    FMU_TIME = FMU_RATES + CUTSET_STATES,
    FMU_INDICATORS_FROM,
    FMU_CLOCKS = FMU_INDICATORS_FROM + FMU_INDICATORS,
    FMU_REFERENCES = FMU_CLOCKS + CUTSET_SAMPLES
};

/* The type of a reference: r real, i integer, b Boolean, e enumeration, c clock; 0 if there is none. */
static char type_of(unsigned long reference)
{
    if (reference >= FMU_REFERENCES) return 0;
    return reference < CUTSET_NAMES ? fmu_types[reference] : reference < FMU_CLOCKS ? 'r' : 'c';
}

/* True if the values of variables are needed for what is to be read; then they are computed. */
static int make_readable(struct fmu *f, unsigned long reference)
{
    struct cutset_program *p = &f->s.program;
    char array = reference < CUTSET_NAMES ? cutset_variable_table[reference].array : 'd';
    if (f->s.mode == INITIALIZING) return start(f);
    if (p->is_started) return 1;
    return array == 'p' || array == 'u' || array == 'x' || reference == FMU_TIME;
}

/* *value := the value of a variable; 0 if it has none now. */
static int read_value(struct fmu *f, unsigned long reference, double *value)
{
    struct cutset_program *p = &f->s.program;
    double values[CUTSET_AT_LEAST_1(FMU_INDICATORS)];
    if (!make_readable(f, reference)) return 0;
    if (reference < CUTSET_NAMES) {
        const struct cutset_variable *v = cutset_variable_table + reference;
        if (p->is_started && v->array == 'y') {
            find_variables(f);
            *value = v->sign * p->events.y[v->index];
        } else {
            *value = cutset_get(p, (long)reference);
        }
    } else if (reference < FMU_TIME) {
        if (!find_rates(f)) {
            report_status(f, CUTSET_NOT_FINITE);
            return 0;
        }
        *value = f->s.rates[reference - FMU_RATES];
    } else if (reference == FMU_TIME) {
        *value = p->is_started ? p->events.now.t : f->s.start;
    } else if (reference < FMU_CLOCKS) {
        find_indicators(f, values);
        *value = values[reference - FMU_INDICATORS_FROM];
    } else {
        *value = f->s.mode == AT_EVENT && (f->s.ticked[reference - FMU_CLOCKS] || f->s.active[reference - FMU_CLOCKS]);
    }
    return 1;
}

/* True if the variable can be set now: u inputs; p parameters; s states that start at a given value; any state between
   events, by the importer that integrates it. */
static int is_settable(const struct fmu *f, unsigned long reference)
{
    enum fmu_mode mode = f->s.mode;
    int before = mode == INSTANTIATED || mode == INITIALIZING;
    char use = fmu_uses[reference];
    if (mode == BETWEEN_EVENTS && cutset_variable_table[reference].array == 'x') return 1;
    if (use == 'u') return mode != TERMINATED;
    if (use == 'p') return before || mode == AT_EVENT || mode == STEPPING;
    return use == 's' && before;
}

static int write_value(struct fmu *f, unsigned long reference, double value)
{
    struct cutset_program *p = &f->s.program;
    const struct cutset_variable *v = cutset_variable_table + reference;
    double *place;
    if (reference >= CUTSET_NAMES || !is_settable(f, reference) || !isfinite(value)) {
        report_number(f, isfinite(value) ? "this variable cannot be set now" : "a value is not finite", (long)reference);
        return 0;
    }
    value *= v->sign;
    if (v->array == 'x' && f->s.mode == BETWEEN_EVENTS) {
        p->events.now.x[v->index] = value;
    } else if (v->array == 'x') {
        p->start_value[v->index] = value, p->start_given[v->index] = 1.0;
        bind_parameters(&p->start);
    } else {
        place = v->array == 'p' ? p->p : p->u;
        if (place[v->index] == value && (v->array == 'u' || p->given[v->index] != 0.0)) return 1;
        if (v->array == 'u' && (f->s.mode == AT_EVENT || f->s.mode == STEPPING)) note_step(&p->events, p->u, v->index, value);
        place[v->index] = value;
        if (v->array == 'p') {
            p->given[v->index] = 1.0;
            bind_parameters(&p->start);
            f->s.changed = 1;
        }
        p->events.inputs_changed = p->is_started;
    }
    if (f->s.mode == INITIALIZING) p->is_started = 0;
    forget_values(f);
    return 1;
}

/* True if the delays are those of the history, which holds no more than they need. */
static int delays_are_kept(struct cutset_data *d, const struct cutset_events *e)
{
    const struct cutset_history *h = &d->history;
    long k;
    if (h->count) cutset_delayed(e->now.t, e->now.x, d->u, d->c, e->now.m, d->w, h->found);
    for (k = 0; k < h->count; k++)
        if (h->found[2 * k + 1] != h->delays[k]) return 0;
    return 1;
}

/* Checks parameters that were set in the run. */
static int check_parameters(struct fmu *f)
{
    struct cutset_program *p = &f->s.program;
    if (!f->s.changed) return 1;
    if (!parameters_are_valid(&p->start) || !set_tolerance(&p->start, CUTSET_STATES, p->rtol, p->atol)) {
        report_status(f, CUTSET_BAD_PARAMETER);
        return 0;
    }
    if (!delays_are_kept(&p->data, &p->events)) {
        report(f, "the time of a delay cannot change during a run");
        return 0;
    }
    f->s.changed = 0;
    return 1;
}

/* ---- saved states ---- */

static void restore_state(struct fmu *f, const struct fmu_state *saved)
{
    f->s = *saved;
    cutset_connect(&f->s.program);
    forget_values(f);
}

enum { FMU_HEADER = 64 };

static void write_bytes(const struct fmu_state *saved, char *bytes)
{
    memset(bytes, 0, FMU_HEADER);
    snprintf(bytes, FMU_HEADER, "%s %lu", FMU_TOKEN, (unsigned long)sizeof *saved);
    memcpy(bytes + FMU_HEADER, saved, sizeof *saved);
}

/* The saved state in the bytes; null if they are not those of this model and this binary. */
static struct fmu_state *read_bytes(const char *bytes, size_t size)
{
    struct fmu_state *saved;
    char header[FMU_HEADER] = {0};
    snprintf(header, sizeof header, "%s %lu", FMU_TOKEN, (unsigned long)sizeof *saved);
    if (size != FMU_HEADER + sizeof *saved || memcmp(header, bytes, FMU_HEADER)) return 0;
    if ((saved = malloc(sizeof *saved))) memcpy(saved, bytes + FMU_HEADER, sizeof *saved);
    return saved;
}

#endif
