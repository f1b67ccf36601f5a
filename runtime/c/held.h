/* Finds the held values at points that no run has reached. Included by driver.c only.

   This is held_at in runtime/initialize.py as far as relations agree when all change at once; it leaves the rest to that. */

#ifndef CUTSET_HELD_H
#define CUTSET_HELD_H

/* The sizes of the states, inputs, held values and variables with the values for events; of the variables alone, the guesses,
   the relations, the instants known in advance and those that are located. */
struct cutset_held_sizes {
    long states, inputs, modes, results, variables, guesses, relations, known, located;
};

/* values := the relations that y implies for the held values m; at `instants` those of `timed` change. truths[3 k] is the
   value of relation k for a negative, zero and positive difference of its sides; pulses have zeros only. */
static void implied_at_point(const struct cutset_held_sizes *n, double t, const double *y, const double *m, const long *timed,
                             const double *truths, const double *instants, double *values)
{
    const double *sides = y + n->variables;
    long k, i;
    for (k = 0; k < n->relations; k++) {
        double difference = sides[2 * k] - sides[2 * k + 1];
        const double *of = truths + 3 * k;
        int is_pulse = of[0] == 0.0 && of[1] == 0.0 && of[2] == 0.0;
        if (is_pulse) values[k] = 0.0;
        else if (isfinite(difference)) values[k] = of[1 + (difference > 0.0) - (difference < 0.0)];
        else values[k] = 1.0 - m[k]; /* with the held value the equations are singular */
    }
    for (i = 0; i < n->known + n->located; i++) {
        double instant = instants[2 * i], slope = instants[2 * i + 1];
        double rounding = 1e-13 * cutset_max(cutset_max(fabs(t), fabs(instant)), 1.0); /* as in time_event_queue.py */
        if (!isfinite(instant) || slope == 0.0) continue;
        if (t < instant && instant - t > rounding) slope = -slope;
        values[timed[i]] = truths[3 * timed[i] + 1 + (slope > 0.0) - (slope < 0.0)]; /* nan counts as 0 */
    }
}

/* m[k] := held values that agree with point k, for n points, from those in m; each point begins with the same guesses. found[k]
   is 0 where none was found in a few rounds. `work` has room for y, the instants and the relations. */
void cutset_held(long points, const struct cutset_held_sizes *sizes, const long *timed, const double *truths,
                 struct cutset_isolation *isolation, const double *t, const double *x, const double *u, const double *c,
                 const double *guesses, double *w, double *work, double *m, long *found)
{
    enum { MOST = 20 };
    const struct cutset_held_sizes n = *sizes;
    double *y = work, *instants = y + n.results, *values = instants + 2 * (n.known + n.located);
    long k, i, round;
    for (k = 0; k < points; k++, x += n.states, u += n.inputs, m += n.modes) {
        memcpy(w, guesses, n.guesses * sizeof(double));
        found[k] = 0;
        for (i = 0; i < n.located; i++) isolation->searches[i].is_started = 0;
        if (n.located) reach(isolation, t[k], t[k] + 1.0, 1.0);
        for (round = 0; round < MOST && !found[k]; round++) {
            cutset_variables(t[k], x, u, c, m, w, y);
            if (n.known) cutset_time_events(c, m, instants);
            if (n.located) isolate(isolation, t[k], c, m, INFINITY, instants + 2 * n.known);
            implied_at_point(&n, t[k], y, m, timed, truths, instants, values);
            found[k] = !memcmp(values, m, n.relations * sizeof(double));
            memcpy(m, values, n.relations * sizeof(double));
        }
    }
}

#endif
