/* Many runs of one model. Included by batch.c and by the file that defines cutset_lane_steps. */

#ifndef CUTSET_BATCH_H
#define CUTSET_BATCH_H

/* The runs of a batch. Each of `n_set` variables (numbers in the table of variables) has a value in every run: that of run k
   is values[j][k * strides[j]]. The results are those of `n_kept` variables at `n_times` instants, run after run; those that
   a failed run did not reach are nan. The layout is repeated in export/batch_runs.py. */
struct cutset_batch {
    long n_times, n_kept, n_set;
    const double *times;
    const long *kept, *set, *strides;
    const double *const *values;
    double rtol, atol, step;
    long method;              /* an enum cutset_method */
    double *results;
    long *status;             /* an enum cutset_status of each */
    const long *is_over;      /* becomes true if no more runs are wanted */
};

#endif
