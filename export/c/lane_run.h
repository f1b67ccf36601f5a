/* The memory of several runs that advance together, and the functions of lanes.c. Every array of vectors has CUTSET_LANES
   numbers for each element, one for each run, and starts at a multiple of 64 bytes. */

#ifndef CUTSET_LANE_RUN_H
#define CUTSET_LANE_RUN_H

struct cutset_lane_run {
    long n, n_guards;         /* states, and guarded numbers, with which w begins */
    double *x, *u, *c, *w, *z; /* states, inputs, constants (numbers if they are shared), work memory, states of a stage */
    double *k;                /* the rates of all stages */
    double *sound;            /* 0 for each run as long as all its rates are finite, else nan */
    long has_rates;           /* whether k begins with the rates at x */
    double *rise;             /* of each state: its rate if it has grown in the latest step, else 0; see poles.h */
    void *owner;
};

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

/* Tells whether a run has passed a pole in a step, from the states before and after it, in x and z, and its rates. Defined by
   the file that includes this one and runs the lanes. */
int cutset_lane_passes_pole(const struct cutset_lane_run *r, const struct cutset_lane_step *step);

long cutset_lanes(void);
long cutset_constants_are_shared(void);
void cutset_lane_steps(struct cutset_lane_run *r, const struct cutset_lane_method *method, double from, double end,
                       double longest);

#endif
