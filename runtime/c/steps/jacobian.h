/* Computes the Jacobian of the right-hand side: that of the model or, if it has none or is not finite, differences that shift
   all columns of a group at once: A. R. Curtis, M. J. D. Powell, J. K. Reid, On the estimation of sparse Jacobian matrices,
   J. Inst. Maths Applics 13 (1974) 117-119. Allocates nothing. */

#ifndef CUTSET_JACOBIAN_H
#define CUTSET_JACOBIAN_H

#include "branches.h"
#include "cutset_support.h"
#include "driver.h"
#include "inputs.h"
#include "poles.h"

/* The Jacobian of the right-hand side, one number for each entry of its pattern, and how a matrix has them, see
   matrix_layout.py. */
struct cutset_slopes {
    long n;                      /* number of entries */
    const long *rows, *columns;  /* of each: numbers of states */
    const long *places;          /* index of each among the numbers of the matrix */
    const long *diagonal;        /* index of each diagonal element */
    long exact, groups;          /* whether the model provides them; the number of groups of columns for differences */
    const long *sequence, *first; /* their numbers, group by group; where each group begins, and the end */
    const double *nominals;      /* of each state */
    const long *order;           /* the state in each place of a vector; null if the order is the same */
    long is_banded, lower, upper;
    long n_sparse, index_bytes;  /* the numbers of a sparse matrix, 0 for others; the size of an index of SUNDIALS */
    const void *pointers, *indices; /* where each column begins, and the end; the row of each number */
    double *values;                   /* [entries] */
    double *x, *z, *h, *dx, *shifted; /* [states] */
    long by_differences;         /* how often the model provided no finite ones */
};

/* The columns of one group at x: shifted up or, if the model has no values there, down. */
static int group_differences(struct cutset_data *d, struct cutset_slopes *s, double t, long group, double sign)
{
    long from = s->first[group], to = s->first[group + 1], k;
    int good;
    for (k = from; k < to; k++) {
        long j = s->columns[s->sequence[k]];
        s->z[j] = s->x[j] + sign * s->h[j];
    }
    if (d->history.count) fill_at(d, t, s->z);
    good = glance(d, t, s->z, s->shifted);
    for (k = from; k < to && good; k++) {
        long e = s->sequence[k], i = s->rows[e], j = s->columns[e];
        s->values[e] = (s->shifted[i] - s->dx[i]) / (s->z[j] - s->x[j]);
    }
    for (k = from; k < to; k++) s->z[s->columns[s->sequence[k]]] = s->x[s->columns[s->sequence[k]]];
    return good;
}

/* values := the Jacobian at the states in s->x; 0 if there is none. */
static int slopes(struct cutset_data *d, struct cutset_slopes *s, double t)
{
    const double least = 1e-3; /* a state is shifted relative to its size, at least by this part of its nominal value */
    long j, group;
    fill_at(d, t, s->x);
    if (d->branch.n) extrapolate_guesses(d, t);
    if (s->exact) {
        cutset_jacobian(t, s->x, d->u, d->c, d->m, d->w, s->values);
        if (all_finite(s->n, s->values)) return 1;
    }
    s->by_differences++;
    if (!glance(d, t, s->x, s->dx)) return 0;
    memcpy(s->z, s->x, d->n_states * sizeof(double));
    for (j = 0; j < d->n_states; j++) s->h[j] = sqrt(DBL_EPSILON) * cutset_max(fabs(s->x[j]), least * s->nominals[j]);
    for (group = 0; group < s->groups; group++)
        if (!group_differences(d, s, t, group, 1.0) && !group_differences(d, s, t, group, -1.0)) return 0;
    return 1;
}

#endif
