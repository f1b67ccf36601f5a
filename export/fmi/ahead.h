/* Keeps communication steps that were computed at once. Included by instance.h only. */

#ifndef CUTSET_AHEAD_H
#define CUTSET_AHEAD_H

/* Steps computed at once: at most so many that their rows fit with those around an event, and twice as many as have been
   equal, so that not much is lost if something is set after all. How many equal steps without changes make it likely that
   more will follow; below zero, an instance waits for more of them. */
enum { STEPS_AHEAD = CUTSET_ROWS - 8, CALM_ENOUGH = 2, MOST_CALM = CUTSET_ROWS / 2 };

/* The moments after each step: row k is at t[k + 1]. */
struct fmu_ahead {
    struct cutset_program base; /* the last point before them */
    double t[STEPS_AHEAD + 1], CUTSET_ARRAY(x, STEPS_AHEAD * CUTSET_STATES), CUTSET_ARRAY(m, STEPS_AHEAD * CUTSET_MODES);
    double CUTSET_ARRAY(guesses, STEPS_AHEAD * CUTSET_GUESSES);
    double CUTSET_ARRAY(u, CUTSET_INPUTS + CUTSET_DELAYS), CUTSET_ARRAY(p, CUTSET_PARAMETERS), CUTSET_ARRAY(given, CUTSET_PARAMETERS);
    double CUTSET_ARRAY(step_sizes, 2 * CUTSET_STEPPED);
    double step; /* the length of the latest step */
    long count, next, calm;
};

/* Everything but the work memory of a step. */
static void keep_program(struct cutset_program *to, const struct cutset_program *from)
{
    memcpy(to, from, offsetof(struct cutset_program, jacobian));
}

static void return_to(struct cutset_program *p, const struct cutset_program *base)
{
    keep_program(p, base);
    cutset_connect(p);
}

/* Keeps a row as that of step k. */
static void keep_row(const struct cutset_program *p, struct fmu_ahead *a, long k, long row)
{
    memcpy(a->x + k * CUTSET_STATES, p->row_x + row * CUTSET_STATES, CUTSET_STATES * sizeof(double));
    memcpy(a->m + k * CUTSET_MODES, p->row_m + row * CUTSET_MODES, CUTSET_MODES * sizeof(double));
    memcpy(a->guesses + k * CUTSET_GUESSES, p->row_guesses + row * CUTSET_GUESSES, CUTSET_GUESSES * sizeof(double));
}

/* Keeps the rows of steps after the first `kept`, of each the last one; returns how many of the `count` steps are kept. */
static long keep_rows(const struct cutset_program *p, struct fmu_ahead *a, long kept, long count)
{
    long row;
    for (row = 0; row < p->events.tally.rows; row++) {
        if (kept < count && p->row_t[row] == a->t[kept + 1]) keep_row(p, a, kept++, row);
        else if (kept > 0 && p->row_t[row] == a->t[kept]) keep_row(p, a, kept - 1, row);
    }
    return kept;
}

#endif
