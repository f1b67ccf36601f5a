/* The memory of several runs that advance together, and the functions of lanes.c, which is a library of its own. Every array
   of vectors has a number for each run ("lane") in each element, and starts at a multiple of 64 bytes. */

#ifndef CUTSET_LANE_RUN_H
#define CUTSET_LANE_RUN_H

/* The step of a run in which a growing rate changed its sign: from t, of length h. */
struct cutset_lane_step {
    long lane;
    double t, h, end;
};

/* An explicit Runge-Kutta method, as struct cutset_tableau. */
struct cutset_lane_method {
    long rows;
    const double *nodes, *weights;
};

struct cutset_lane_run {
    long lanes, n, n_guards, n_inputs, n_constants, n_work; /* n states; the guarded numbers are the first of w */
    long constants_are_shared; /* c has numbers instead of vectors */
    double *x, *u, *c, *w, *z; /* states, inputs, constants, work memory, states of a stage */
    double *k;                 /* the rates of all stages */
    double *rise;              /* of each state: its rate if it has grown in the latest step, else 0; see poles.h */
    double *sound;             /* 0 for each run as long as all its rates are finite, else nan */
    /* goes on from the time `from` to `end`; in lanes.c */
    void (*steps)(struct cutset_lane_run *r, const struct cutset_lane_method *method, double from, double end, double longest);
    long has_rates; /* whether k begins with the rates at x */
    /* tells whether a run has passed a pole in a step, from the states before and after it, in x and z, and its rates */
    int (*passes_pole)(const struct cutset_lane_run *r, const struct cutset_lane_step *step);
    void *owner;
};

#endif
