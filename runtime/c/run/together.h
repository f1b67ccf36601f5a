/* Does several runs of many.h, or steps of them, at once, in equal steps: lanes.c advances them, one in each lane of the vectors of the
   processor. Allocates nothing. Models with lanes have neither events nor iterations. */

#ifndef CUTSET_TOGETHER_H
#define CUTSET_TOGETHER_H

#include "driver.h"
#include "lane_run.h"
#include "many.h"
#include "runge_kutta.h"
#include "segments.h"
#include "start.h"
#include "whole.h"

enum { MOST_LANES = 64 };

/* Runs that advance together: `count` from number `first` on. */
struct together {
    struct cutset_data *d;
    struct cutset_events *e;
    const struct cutset_many *many;
    const struct cutset_tableau *tableau;
    long first, count;
    long has_parameters; /* whether one of the recorded quantities is a parameter */
    int fails[MOST_LANES];
};

static double *results_of(const struct together *g, long run)
{
    return g->many->results + run * g->many->n_kept * g->e->n_outputs;
}

/* Writes the quantities in the first row. 0 if a variable is not finite. */
static int record_first_row(struct together *g, double *results)
{
    long j;
    if (!evaluate_row(g->d, g->e, 0)) return 0;
    for (j = 0; j < g->many->n_kept; j++) results[j] = value_in_row(g->d, g->e, g->many->kept + j, 0);
    return 1;
}

/* Gives the inputs and constants of a run to `d`. */
static void take_lane(struct together *g, const struct cutset_lane_run *r, long lane)
{
    long i;
    for (i = 0; i < r->n_inputs; i++) g->d->u[i] = r->u[i * r->lanes + lane];
    for (i = 0; i < r->n_constants && !r->constants_are_shared; i++) g->e->start->c[i] = r->c[i * r->lanes + lane];
}

/* Starts a run in a lane. 0 if it must be done alone. */
static int start_lane(struct together *g, struct cutset_lane_run *r, double atol, long run, long lane)
{
    long i;
    set_numbers(g->d, g->e->start, g->many, run);
    if (!start_run(g->d, g->e, 1.0, atol)) return 0; /* there is no error control */
    for (i = 0; i < r->n; i++) r->x[i * r->lanes + lane] = g->e->now.x[i];
    for (i = 0; i < r->n_inputs; i++) r->u[i * r->lanes + lane] = g->d->u[i];
    if (r->constants_are_shared) memcpy(r->c, g->e->start->c, r->n_constants * sizeof(double));
    for (i = 0; i < r->n_constants && !r->constants_are_shared; i++) r->c[i * r->lanes + lane] = g->e->start->c[i];
    return record_first_row(g, results_of(g, run));
}

/* Records a run at output number k. 0 if it must be done alone. */
static int record_lane(struct together *g, const struct cutset_lane_run *r, long lane, long k)
{
    struct cutset_events *e = g->e;
    const long run = g->first + lane;
    long i;
    take_lane(g, r, lane);
    if (g->has_parameters) {
        set_numbers(g->d, e->start, g->many, run);
        bind_parameters(e->start);
    }
    e->row_t[0] = e->outputs[k];
    for (i = 0; i < r->n; i++) e->row_x[i] = r->x[i * r->lanes + lane];
    return record_first_row(g, results_of(g, run) + k * g->many->n_kept);
}

static int lane_passes_pole(const struct cutset_lane_run *r, const struct cutset_lane_step *of)
{
    struct together *g = r->owner;
    struct cutset_data *d = g->d;
    const long rows = g->tableau->rows;
    double *work = g->e->work;
    struct step s = {g->tableau, r->n, of->t, of->h, g->e->y_x, {0}, 0, 0, 0, 0, 0, 0, 0};
    long i, row;
    take_lane(g, r, of->lane);
    for (row = 0; row <= rows; row++) s.k[row] = work + row * r->n;
    s.next = work + (rows + 1) * r->n, s.bump = work + (rows + 2) * r->n;
    for (i = 0; i < r->n; i++) {
        g->e->y_x[i] = r->x[i * r->lanes + of->lane], s.next[i] = r->z[i * r->lanes + of->lane];
        d->poles.rise[i] = r->rise[i * r->lanes + of->lane];
        for (row = 0; row <= rows; row++) s.k[row][i] = r->k[(row * r->n + i) * r->lanes + of->lane];
    }
    return stages_pass_pole(d, &s) || step_passes_pole(d, &s, of->end);
}

static void run_together(struct together *g, struct cutset_lane_run *r, double atol)
{
    const struct cutset_lane_method method = {g->tableau->rows, g->tableau->nodes, g->tableau->weights};
    const struct cutset_events *e = g->e;
    long lane, k;
    memset(r->w, 0, r->lanes * r->n_work * sizeof(double));
    memset(r->sound, 0, r->lanes * sizeof(double));
    r->owner = g, r->passes_pole = lane_passes_pole, r->has_rates = 0;
    for (lane = 0; lane < r->lanes; lane++) /* lanes without a run repeat the first */
        g->fails[lane] = !start_lane(g, r, atol, g->first + (lane < g->count ? lane : 0), lane);
    for (k = 1; k < e->n_outputs; k++) {
        r->steps(r, &method, e->outputs[k - 1], e->outputs[k], e->max_step);
        for (lane = 0; lane < g->count; lane++)
            if (!g->fails[lane]) g->fails[lane] = r->sound[lane] != 0.0 || !record_lane(g, r, lane, k);
    }
}

/* ---- runs that go on in steps ---- */

/* Whether the run at place k can go on together with the one at g->first. */
static int goes_along(const struct together *g, long k)
{
    const struct cutset_rows *rows = g->many->rows;
    return rows->t[rows->order[k]] == rows->t[rows->order[g->first]];
}

/* Gives the states, inputs and constants of a run that stands still to a lane. */
static void load_lane(const struct together *g, struct cutset_lane_run *r, long run, long lane)
{
    const struct cutset_rows *rows = g->many->rows;
    const double *c = rows->block + run * rows->size + (g->e->start->c - g->e->start->p);
    long i;
    for (i = 0; i < r->n; i++) r->x[i * r->lanes + lane] = rows->x[run * r->n + i];
    for (i = 0; i < r->n_inputs; i++) r->u[i * r->lanes + lane] = rows->u[run * r->n_inputs + i];
    for (i = 0; i < r->n_constants && !r->constants_are_shared; i++) r->c[i * r->lanes + lane] = c[i];
    if (r->constants_are_shared && lane == 0) memcpy(r->c, c, r->n_constants * sizeof(double));
}

/* The run of a lane stands still at `until`. */
static void keep_lane(struct together *g, const struct cutset_lane_run *r, long run, long lane, double until)
{
    const struct cutset_many *many = g->many;
    const struct cutset_rows *rows = many->rows;
    struct cutset_events *e = g->e;
    double *x = rows->x + run * r->n;
    long i;
    rows->t[run] = until;
    for (i = 0; i < r->n; i++) x[i] = r->x[i * r->lanes + lane];
    if (!many->n_kept) return;
    e->now.t = until;
    memcpy(e->now.x, x, r->n * sizeof(double));
    take_lane(g, r, lane);
    if (r->constants_are_shared) memcpy(e->start->c, r->c, r->n_constants * sizeof(double));
    if (g->has_parameters) memcpy(e->start->p, rows->block + run * rows->size, e->start->n_parameters * sizeof(double));
    record_now(g->d, e, many, run);
}

/* A step of the runs in the lanes. */
static void step_together(struct together *g, struct cutset_lane_run *r)
{
    const struct cutset_lane_method method = {g->tableau->rows, g->tableau->nodes, g->tableau->weights};
    const struct cutset_rows *rows = g->many->rows;
    const long *runs = rows->order + g->first;
    const double from = rows->t[runs[0]], until = from + rows->step;
    long lane;
    memset(r->sound, 0, r->lanes * sizeof(double));
    r->owner = g, r->passes_pole = lane_passes_pole, r->has_rates = 0;
    for (lane = 0; lane < r->lanes; lane++) load_lane(g, r, runs[lane < g->count ? lane : 0], lane);
    r->steps(r, &method, from, until, longest_step(rows, until));
    for (lane = 0; lane < g->count; lane++) {
        g->fails[lane] = r->sound[lane] != 0.0;
        if (!g->fails[lane]) keep_lane(g, r, runs[lane], lane, until);
    }
}

/* As cutset_many, for runs in equal steps with trajectories, and for steps. Those that do not end well are repeated alone. */
long cutset_together(struct cutset_data *d, struct cutset_control *control, const struct cutset_tableau *tableau,
                     struct cutset_events *e, double atol, const struct cutset_many *many, double *own, long first, long end,
                     struct cutset_lane_run *r)
{
    struct together g = {d, e, many, tableau, first, 0, 0, {0}};
    long j, lane;
    e->control = control;
    if (many->rows && !(many->rows->step > 0.0)) return cutset_many(d, control, tableau, e, atol, many, own, first, end);
    for (j = 0; j < many->n_kept; j++) g.has_parameters |= many->kept[j].array == 'p';
    for (; g.first < end && !*many->is_over; g.first += g.count) {
        double began = many->rows ? 0.0 : seconds_now(), took = 0.0;
        g.count = end - g.first < r->lanes ? end - g.first : r->lanes;
        for (lane = 1; many->rows && lane < g.count; lane++)
            if (!goes_along(&g, g.first + lane)) g.count = lane;
        if (many->rows) step_together(&g, r);
        else run_together(&g, r, atol);
        if (!many->rows) took = (seconds_now() - began) / (double)g.count;
        for (lane = 0; lane < g.count; lane++) {
            many->status[g.first + lane] = AT_STOP;
            many->seconds[g.first + lane] = took;
        }
        for (lane = 0; lane < g.count; lane++)
            if (g.fails[lane]) cutset_many(d, control, tableau, e, atol, many, own, g.first + lane, g.first + lane + 1);
    }
    return g.first < end ? g.first : end;
}

#endif
