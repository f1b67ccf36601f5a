/* Runs a model many times. Several threads call cutset_batch_run with runs of their own and memory of their own. */

#include "program_text.h"

#include "batch.h"

#ifdef CUTSET_LANES
#include "lane_run.h"
#endif

/* Rows for events between two outputs. */
enum { ROOM = 64 };

/* The memory of a thread, after which come its rows and its lanes. */
struct worker {
    struct cutset_program program;
    double *row_t, *row_x, *row_m, *row_guesses, *row_delayed, *guesses, *lanes;
};

static long capacity_of(const struct cutset_batch *b) { return b->n_times + ROOM; }

static long size_of_rows(const struct cutset_batch *b)
{
    return capacity_of(b) * (1 + CUTSET_STATES + CUTSET_MODES + CUTSET_GUESSES + CUTSET_DELAYS) + CUTSET_WORK;
}

#ifdef CUTSET_LANES
static long size_of_lanes(void)
{
    return cutset_lanes() * (9 * CUTSET_STATES + CUTSET_INPUTS + CUTSET_CONSTANTS + CUTSET_WORK + 2) + 9 * 8;
}
#else
static long size_of_lanes(void) { return 0; }
#endif

/* The bytes that a thread needs. */
long cutset_batch_memory(const struct cutset_batch *b)
{
    return (long)sizeof(struct worker) + 8 * (size_of_rows(b) + size_of_lanes());
}

static void connect_worker(struct worker *w, const struct cutset_batch *b)
{
    struct cutset_program *p = &w->program;
    const long capacity = capacity_of(b);
    double *at = (double *)(w + 1);
    cutset_defaults(p);
    w->row_t = at, at += capacity;
    w->row_x = at, at += capacity * CUTSET_STATES;
    w->row_m = at, at += capacity * CUTSET_MODES;
    w->row_guesses = at, at += capacity * CUTSET_GUESSES;
    w->row_delayed = at, at += capacity * CUTSET_DELAYS;
    w->guesses = at, at += CUTSET_WORK;
    w->lanes = at;
    p->rtol = b->rtol, p->atol = b->atol, p->step = b->step, p->method = (enum cutset_method)b->method;
}

/* ---- one run ---- */

static int begin_run(struct worker *w, const struct cutset_batch *b, long run)
{
    struct cutset_program *p = &w->program;
    struct cutset_events *e = &p->events;
    long j;
    p->is_started = 0;
    for (j = 0; j < b->n_set; j++) {
        const struct cutset_variable *v = cutset_variable_table + b->set[j];
        double value = v->sign * b->values[j][run * b->strides[j]];
        if (!isfinite(value)) return CUTSET_BAD_PARAMETER;
        if (v->array == 'u') p->u[v->index] = value;
        else if (v->array == 'p') p->p[v->index] = value, p->given[v->index] = 1.0;
        else p->start_value[v->index] = value, p->start_given[v->index] = 1.0;
    }
    connect_history(p);
    connect_events(p);
    p->data.guesses = p->row_guesses;
    e->n_outputs = 2, e->capacity = CUTSET_ROWS;
    return cutset_begin(p, b->times[0]);
}

/* Writes the results at time number k, where the run has these states, held values, guesses and delayed values. */
static void record(struct worker *w, const struct cutset_batch *b, long run, long k, const double *x, const double *m,
                   const double *guesses, const double *delayed)
{
    struct cutset_program *p = &w->program;
    double *row = b->results + (run * b->n_times + k) * b->n_kept;
    int has_y = 0;
    long j;
    for (j = 0; j < b->n_kept; j++) {
        const struct cutset_variable *v = cutset_variable_table + b->kept[j];
        if (v->array == 'y' && !has_y) {
            memcpy(p->u + CUTSET_INPUTS, delayed, CUTSET_DELAYS * sizeof(double));
            memcpy(w->guesses, guesses, CUTSET_GUESSES * sizeof(double));
            cutset_variables(b->times[k], x, p->u, p->c, m, w->guesses, p->y_row);
            has_y = 1;
        }
        switch (v->array) {
        case 'x': row[j] = v->sign * x[v->index]; break;
        case 'm': row[j] = v->sign * m[v->index]; break;
        case 'u': row[j] = v->sign * p->u[v->index]; break;
        case 'p': row[j] = v->sign * p->p[v->index]; break;
        default: row[j] = v->sign * p->y_row[v->index];
        }
    }
}

/* Writes the results at the start. */
static void record_first(struct worker *w, const struct cutset_batch *b, long run)
{
    const struct cutset_moment *now = &w->program.events.now;
    recall(&w->program.data.history, now->t, w->program.delayed);
    record(w, b, run, 0, now->x, now->m, w->program.w, w->program.delayed);
}

/* Lets the results from time number `first` on be nan. */
static void clear_results(const struct cutset_batch *b, long run, long first)
{
    double *row = b->results + (run * b->n_times + first) * b->n_kept;
    long i, n = (b->n_times - first) * b->n_kept;
    for (i = 0; i < n; i++) row[i] = NAN;
}

/* Records the rows at outputs. An event at an output has two rows; the one after it remains. Returns the number of
   outputs so far. */
static long record_rows(struct worker *w, const struct cutset_batch *b, long run, long reached)
{
    const struct cutset_events *e = &w->program.events;
    long i;
    for (i = 0; i < e->tally.rows; i++) {
        long k = outputs_before(e, e->row_t[i], 0);
        if (k >= b->n_times || b->times[k] != e->row_t[i]) continue;
        record(w, b, run, k, e->row_x + i * CUTSET_STATES, e->row_m + i * CUTSET_MODES, e->row_guesses + i * CUTSET_GUESSES,
               e->row_delayed + i * CUTSET_DELAYS);
        if (k >= reached) reached = k + 1;
    }
    return reached;
}

/* The settings of cutset_continue, with all outputs at once. */
static int integrate_run(struct worker *w, const struct cutset_batch *b, long run, long *reached)
{
    struct cutset_program *p = &w->program;
    struct cutset_events *e = &p->events;
    const double span = b->times[b->n_times - 1] - b->times[0];
    const int has_steps = p->method == CUTSET_FIXED_STEPS, is_fixed = has_steps || !CUTSET_STATES;
    int why = ROWS_FULL;
    e->outputs = b->times, e->n_outputs = b->n_times, e->capacity = capacity_of(b);
    e->row_t = w->row_t, e->row_x = w->row_x, e->row_m = w->row_m, e->row_guesses = w->row_guesses;
    e->row_delayed = w->row_delayed;
    p->data.guesses = w->row_guesses;
    e->span = span, e->run_span = span > 0.0 ? span : 1.0;
    e->max_step = has_steps ? p->step : is_fixed ? span / LEAST_STEPS : INFINITY;
    e->is_automatic = p->method == CUTSET_AUTO, e->is_implicit = p->method == CUTSET_IMPLICIT;
    p->control.rtol = p->rtol, p->control.max_step = e->max_step, p->control.max_steps = CUTSET_MOST_STEPS;
    p->control.nearest = 1e-12 * span, p->control.detect_stiffness = p->method == CUTSET_AUTO;
    e->last_row = e->now.t;
    reach(&p->isolation, e->now.t, b->times[b->n_times - 1], e->run_span);
    set_up_history(&p->data.history, e->run_span);
    enter_just_after(&p->data.history, e->now.t);
    while (why == ROWS_FULL) {
        e->tally.rows = 0;
        why = cutset_run(&p->data, &p->control, is_fixed ? &RK4 : &DOPRI5, e);
        *reached = record_rows(w, b, run, *reached);
        if (why == ROWS_FULL && !e->tally.rows) return CUTSET_UNSETTLED;
    }
    e->has_y = 0;
    return status_of(e, why);
}

static void run_alone(struct worker *w, const struct cutset_batch *b, long run)
{
    const struct cutset_events *e = &w->program.events;
    long reached = 0;
    int status = begin_run(w, b, run);
    if (status == CUTSET_OK || status == CUTSET_ENDED) {
        record_first(w, b, run);
        reached = 1;
    }
    if (status == CUTSET_OK) status = integrate_run(w, b, run, &reached);
    clear_results(b, run, reached);
    b->status[run] = status;
}

/* ---- several runs at once ---- */

#ifdef CUTSET_LANES

static double *aligned(double *at) { return (double *)(((size_t)at + 63) & ~(size_t)63); }

static void connect_lanes(struct worker *w, struct cutset_lane_run *r)
{
    const long lanes = cutset_lanes(), constants = cutset_constants_are_shared() ? 1 : lanes;
    double *at = aligned(w->lanes);
    memset(r, 0, sizeof *r);
    r->n = CUTSET_STATES, r->n_guards = CUTSET_GUARDS;
    r->x = at, at = aligned(at + lanes * CUTSET_STATES);
    r->z = at, at = aligned(at + lanes * CUTSET_STATES);
    r->k = at, at = aligned(at + lanes * CUTSET_STATES * 5);
    r->u = at, at = aligned(at + lanes * CUTSET_INPUTS);
    r->c = at, at = aligned(at + constants * CUTSET_CONSTANTS);
    r->w = at, at = aligned(at + lanes * CUTSET_WORK);
    r->rise = at, at = aligned(at + lanes * CUTSET_STATES);
    r->owner = w;
    r->sound = at;
    memset(r->w, 0, (size_t)(lanes * CUTSET_WORK) * sizeof(double));
    memset(r->sound, 0, (size_t)lanes * sizeof(double));
}

static void fill_lane(struct cutset_lane_run *r, const struct cutset_program *p, long lane)
{
    const long lanes = cutset_lanes();
    long i;
    for (i = 0; i < CUTSET_STATES; i++) r->x[i * lanes + lane] = p->events.now.x[i];
    for (i = 0; i < CUTSET_INPUTS; i++) r->u[i * lanes + lane] = p->u[i];
    if (cutset_constants_are_shared()) memcpy(r->c, p->c, CUTSET_CONSTANTS * sizeof(double));
    else
        for (i = 0; i < CUTSET_CONSTANTS; i++) r->c[i * lanes + lane] = p->c[i];
}

/* Gives the program the inputs and constants of one of the runs. */
static void take_lane(struct cutset_program *p, const struct cutset_lane_run *r, long lane)
{
    const long lanes = cutset_lanes();
    long i;
    for (i = 0; i < CUTSET_INPUTS; i++) p->u[i] = r->u[i * lanes + lane];
    for (i = 0; i < CUTSET_CONSTANTS && !cutset_constants_are_shared(); i++) p->c[i] = r->c[i * lanes + lane];
}

int cutset_lane_passes_pole(const struct cutset_lane_run *r, const struct cutset_lane_step *of)
{
    struct cutset_program *p = &((struct worker *)r->owner)->program;
    struct cutset_data *d = &p->data;
    const long lanes = cutset_lanes();
    struct step s = {&RK4, CUTSET_STATES, of->t, of->h, p->y_x, {0}, 0, 0, 0, 0};
    long i, row;
    take_lane(p, r, of->lane);
    for (row = 0; row <= RK4.rows; row++) s.k[row] = p->work + row * s.n;
    s.next = p->work + (RK4.rows + 1) * s.n, s.bump = p->work + (RK4.rows + 2) * s.n;
    for (i = 0; i < s.n; i++) {
        p->y_x[i] = r->x[i * lanes + of->lane], s.next[i] = r->z[i * lanes + of->lane];
        d->poles.rise[i] = r->rise[i * lanes + of->lane];
        for (row = 0; row <= RK4.rows; row++) s.k[row][i] = r->k[(row * s.n + i) * lanes + of->lane];
    }
    return stages_pass_pole(d, &s) || step_passes_pole(d, &s, of->end);
}

/* Records one of the runs, with its own inputs, parameters and constants in the memory of the program. */
static void record_lane(struct worker *w, const struct cutset_batch *b, const struct cutset_lane_run *r, long run, long lane,
                        long k)
{
    struct cutset_program *p = &w->program;
    const long lanes = cutset_lanes();
    long i;
    take_lane(p, r, lane);
    for (i = 0; i < CUTSET_STATES; i++) p->y_x[i] = r->x[i * lanes + lane];
    for (i = 0; i < b->n_set; i++) {
        const struct cutset_variable *v = cutset_variable_table + b->set[i];
        if (v->array == 'p') p->p[v->index] = v->sign * b->values[i][run * b->strides[i]];
    }
    record(w, b, run, k, p->y_x, p->m, p->w, p->delayed);
}

/* Runs `count` runs from number `first` on, at most as many as there are lanes. Those that do not end well are repeated
   alone, to find out why. */
static void run_together(struct worker *w, const struct cutset_batch *b, long first, long count)
{
    const struct cutset_lane_method method = {RK4.rows, RK4.nodes, RK4.weights};
    const long lanes = cutset_lanes(), last = b->n_times - 1;
    struct cutset_lane_run r;
    int fails[64] = {0};
    long lane, k;
    connect_lanes(w, &r);
    for (lane = 0; lane < lanes; lane++) {
        long run = first + (lane < count ? lane : 0); /* lanes without a run repeat the first */
        fails[lane] = begin_run(w, b, run) != CUTSET_OK;
        if (!fails[lane] && lane < count) record_first(w, b, run);
        fill_lane(&r, &w->program, lane);
    }
    for (k = 0; k < last; k++) {
        cutset_lane_steps(&r, &method, b->times[k], b->times[k + 1], b->step);
        for (lane = 0; lane < count; lane++) {
            fails[lane] |= r.sound[lane] != 0.0;
            if (!fails[lane]) record_lane(w, b, &r, first + lane, lane, k + 1);
        }
    }
    for (lane = 0; lane < count; lane++) {
        if (fails[lane]) run_alone(w, b, first + lane);
        else b->status[first + lane] = CUTSET_OK;
    }
}

static long runs_at_once(const struct cutset_batch *b) { return b->method == CUTSET_FIXED_STEPS ? cutset_lanes() : 1; }

#else

static void run_together(struct worker *w, const struct cutset_batch *b, long first, long count)
{
    for (; count > 0; count--, first++) run_alone(w, b, first);
}

static long runs_at_once(const struct cutset_batch *b) { return b->n_times > 0; }

#endif

/* Does the runs from `first` to before `end` with the memory of a thread. */
void cutset_batch_run(const struct cutset_batch *b, long first, long end, void *memory)
{
    struct worker *w = memory;
    const long size = runs_at_once(b);
    connect_worker(w, b);
    for (; first < end && !*b->is_over; first += size) {
        if (size > 1) run_together(w, b, first, end - first < size ? end - first : size);
        else run_alone(w, b, first);
    }
}

/* For the test that compares the structure with that in Python. */
long cutset_size_of_batch(void) { return sizeof(struct cutset_batch); }
