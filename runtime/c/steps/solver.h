/* Declares a solver of SUNDIALS, and what C calls of it. */

#ifndef CUTSET_SOLVER_H
#define CUTSET_SOLVER_H

#include "jacobian.h"

/* The functions of SUNDIALS by their names there; from WFtolerances on without the prefix of CVODE or IDA, to one of which
   all of these belong. The host finds them; those for sparse matrices may be null. Numbers of elements are long: SUNDIALS
   may take narrower ones from the same registers. */
struct cutset_library {
    int (*SUNContext_Create)(int comm, void **context);
    int (*SUNContext_ClearErrHandlers)(void *context);
    int (*SUNContext_Free)(void **context);
    int (*SUNLinSolFree)(void *linear);
    void (*SUNMatDestroy)(void *matrix);
    void (*N_VDestroy)(void *vector);
    double *(*N_VGetArrayPointer)(void *vector);
    void *(*N_VMake_Serial)(long n, double *numbers, void *context);
    void *(*SUNDenseMatrix)(long rows, long columns, void *context);
    double *(*SUNDenseMatrix_Data)(void *matrix);
    void *(*SUNLinSol_Dense)(void *vector, void *matrix, void *context);
    void *(*SUNBandMatrix)(long n, long upper, long lower, void *context);
    double *(*SUNBandMatrix_Data)(void *matrix);
    void *(*SUNLinSol_Band)(void *vector, void *matrix, void *context);
    void *(*SUNSparseMatrix)(long rows, long columns, long entries, int format, void *context);
    void *(*SUNSparseFromDenseMatrix)(void *matrix, double least, int format);
    double *(*SUNSparseMatrix_Data)(void *matrix);
    void *(*SUNSparseMatrix_IndexPointers)(void *matrix);
    void *(*SUNSparseMatrix_IndexValues)(void *matrix);
    void *(*SUNLinSol_SuperLUMT)(void *vector, void *matrix, int threads, void *context);
    int (*SUNLinSolInitialize_SuperLUMT)(void *linear);
    int (*SUNLinSolSetup_SuperLUMT)(void *linear, void *matrix);
    void (*omp_set_num_threads)(int count);
    void *(*CVodeCreate)(int multistep, void *context);
    int (*CVodeInit)(void *memory, int (*rates)(double, void *, void *, void *), double t, void *y);
    int (*CVodeReInit)(void *memory, double t, void *y);
    int (*CVodeSetMaxHnilWarns)(void *memory, int count);
    int (*CVodeSetStabLimDet)(void *memory, int on);
    int (*CVode)(void *memory, double until, void *y, double *t, int task);
    void *(*IDACreate)(void *context);
    int (*IDAInit)(void *memory, int (*residual)(double, void *, void *, void *, void *), double t, void *y, void *dy);
    int (*IDAReInit)(void *memory, double t, void *y, void *dy);
    int (*IDASetId)(void *memory, void *id);
    int (*IDASetSuppressAlg)(void *memory, int suppress);
    int (*IDASolve)(void *memory, double until, double *t, void *y, void *dy, int task);
    int (*WFtolerances)(void *memory, int (*weights)(void *, void *, void *));
    int (*SetUserData)(void *memory, void *user);
    int (*SetMaxNumSteps)(void *memory, long count);
    int (*SetMaxErrTestFails)(void *memory, int count);
    int (*SetMaxConvFails)(void *memory, int count);
    int (*SetNonlinConvCoef)(void *memory, double part);
    int (*SetMinStep)(void *memory, double h);
    int (*SetMaxStep)(void *memory, double h); /* 0: no limit */
    int (*SetStopTime)(void *memory, double t);
    int (*SetLinearSolver)(void *memory, void *linear, void *matrix);
    int (*SetJacFn)(void *memory, void (*function)(void));
    int (*GetCurrentStep)(void *memory, double *h); /* that it will try; 0 before the first one */
    int (*GetDky)(void *memory, double t, int derivative, void *y);
    int (*GetNumSteps)(void *memory, long *count);
    int (*GetNumErrTestFails)(void *memory, long *count);
    void (*Free)(void **memory);
};

/* A solver of SUNDIALS, which serves one run after the other. */
struct cutset_sundials {
    const struct cutset_library *library;
    long multistep;          /* the method of CVODE; 0: IDA */
    long n_tested, n_bound;  /* the first unknowns have tested errors, and a tolerance */
    struct cutset_slopes slopes;
    double *y_numbers, *dy_numbers, *z_numbers, *id; /* [states] of the vectors below */
    double *tolerance_numbers; /* [states] absolute tolerances in the places of a vector */
    double *grown;           /* [states] see look_at_growth */
    double *states, *rates;  /* [states] arguments and results of the right-hand side */
    void *context, *memory, *matrix, *linear, *y, *dy, *z, *tested; /* null until they are needed */
    /* the run */
    struct cutset_data *data;
    long has_tolerances;     /* whether the solver has those of the run */
    double *x;               /* its states */
    const double *atol;      /* of each state */
    long max_steps;
    double rtol, share;      /* share: the part of the tolerances that is used, see forcing.h and look_at_growth */
    double growth, looked_t; /* the largest of `grown`, and when it was determined */
    double longest;          /* step; INFINITY: no limit */
    double span;             /* of the whole run */
    double tightening;       /* the factor on the tolerances that it has */
    double convergence;      /* the part of the tolerances to which a step is solved */
    double doubt, doubted;   /* see is_unsolved_step */
    long steep;              /* how often a step was not solved with it */
};

#endif
