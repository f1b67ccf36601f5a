/* Chooses the columns of a matrix to solve for, by elimination and exchange. No allocation; the caller provides the
   work memory.

   From J (k rows, n columns) k columns B are chosen such that no element of inverse(B)*J is larger than 1: then no
   exchange of one column for another gives a larger determinant (Goreinov, Oseledets, Savostyanov, Tyrtyshnikov and
   Zamarashkin, How to find a good submatrix, in: Matrix Methods, World Scientific 2010, pp. 247-256). The tableau
   inverse(B)*J is that of Gauss-Jordan elimination, without its unit columns.

   The Python target performs the same operations in the same order (contract/pivot_selection.py). */

#ifndef CUTSET_EXCHANGE_H
#define CUTSET_EXCHANGE_H

#include "cutset_support.h"

/* Rounding must not exchange equal columns forever. */
#define CUTSET_GAIN (1.0 + 1e-6)
/* An element below this fraction of the largest may be the rounding of zero. */
#define CUTSET_ROUNDING_LEFT 1e-13
#define CUTSET_MOST_EXCHANGES 10000

/* The number of doubles of work memory that the two functions need. */
#define CUTSET_EXCHANGE_SIZE(rows, columns) ((rows) * (columns) + (columns) + (rows))
#define CUTSET_QUALITY_SIZE(rows, columns) ((rows) * ((rows) + (columns)) + (rows))

/* A tableau: 1 in `chosen` for the chosen columns; `column_of` is the column of each row, -1 for none; `open` rows
   have none. `sign` is that of the product of the pivots. */
struct cutset_exchange {
    int rows, columns, open;
    double sign, *t, *chosen, *column_of;
};

/* The largest possible pivot at p, q, and its size, 0 if there is none: in a row without a column as long as there
   are such rows, and among the columns with a 1 in `may`, if that is given. */
static inline double cutset_largest(const struct cutset_exchange *s, const double *may, int *p, int *q)
{
    double best = 0.0;
    int i, j;
    for (i = 0; i < s->rows; i++) {
        if (s->open && s->column_of[i] >= 0.0) continue;
        for (j = 0; j < s->columns; j++) {
            if (s->chosen[j] != 0.0 || (may && may[j] == 0.0)) continue;
            if (fabs(s->t[i * s->columns + j]) > best) best = fabs(s->t[i * s->columns + j]), *p = i, *q = j;
        }
    }
    return best;
}

/* The size up to which an element may be the rounding of zero. */
static inline double cutset_nothing(int count, const double *a)
{
    double largest = 0.0;
    int k;
    for (k = 0; k < count; k++) largest = largest > fabs(a[k]) ? largest : fabs(a[k]);
    return CUTSET_ROUNDING_LEFT * largest;
}

/* Makes column q the column of row p, in exchange for its previous one, if any. */
static inline void cutset_pivot(struct cutset_exchange *s, int p, int q)
{
    const int width = s->columns, out = (int)s->column_of[p];
    const double pivot = s->t[p * width + q];
    int i, j;
    if (out >= 0) {
        s->chosen[out] = 0.0;
        for (i = 0; i < s->rows; i++) s->t[i * width + out] = i == p ? 1.0 : 0.0;
    }
    s->chosen[q] = 1.0;
    for (j = 0; j < width; j++) {
        double share;
        if (s->chosen[j] != 0.0) continue;
        share = s->t[p * width + j] / pivot;
        for (i = 0; i < s->rows; i++)
            if (i != p) s->t[i * width + j] -= s->t[i * width + q] * share;
        s->t[p * width + j] = share;
    }
    if (pivot < 0.0) s->sign = -s->sign;
    s->column_of[p] = (double)q;
    if (s->open) s->open--;
}

/* 1, or -1 if the columns of the rows are an odd permutation. */
static inline double cutset_orientation(int rows, const double *column_of)
{
    double sign = 1.0;
    int i, k;
    for (i = 0; i < rows; i++)
        for (k = i + 1; k < rows; k++)
            if (column_of[i] > column_of[k]) sign = -sign;
    return sign;
}

/* The matrix a as a tableau without chosen columns. */
static inline struct cutset_exchange cutset_begin(int rows, int columns, const double *a, double *s)
{
    struct cutset_exchange found = {rows, columns, rows, 1.0, s, s + rows * columns, s + rows * columns + columns};
    int i, j;
    memcpy(s, a, rows * columns * sizeof(double));
    for (j = 0; j < columns; j++) found.chosen[j] = 0.0;
    for (i = 0; i < rows; i++) found.column_of[i] = -1.0;
    return found;
}

/* a: J row by row, then for each column whether it is chosen now (1 or 0). r: the quality of that choice, from 0
   (singular, or not k columns) to 1 (no element is larger than 1), as 1/(largest element), with the sign of the
   determinant of the chosen columns; then for each column whether it is chosen. A matrix without rank k has k
   arbitrary columns. */
static inline void cutset_exchange(int rows, int columns, const double *a, double *s, double *r)
{
    struct cutset_exchange now = cutset_begin(rows, columns, a, s);
    const double *may = a + rows * columns, nothing = cutset_nothing(rows * columns, a);
    int j, p = 0, q = 0, turn, known = 0;
    r[0] = 0.0;
    for (turn = 0; turn < CUTSET_MOST_EXCHANGES; turn++) {
        double best = cutset_largest(&now, may, &p, &q);
        if (now.open && !(best > nothing)) {
            if (!may) break;
            may = 0; /* the columns chosen now do not suffice: allow all */
            known = 1;
            continue;
        }
        if (!now.open) {
            if (may) {
                may = 0;
                continue;
            }
            if (!known) r[0] = now.sign * cutset_orientation(rows, now.column_of) / cutset_max(1.0, best);
            known = 1;
            if (!(best > CUTSET_GAIN)) break;
        }
        cutset_pivot(&now, p, q);
    }
    for (j = 0; j < columns && now.open; j++) /* nor do all: add arbitrary ones */
        if (now.chosen[j] == 0.0) now.chosen[j] = 1.0, now.open--;
    for (j = 0; j < columns; j++) r[j + 1] = now.chosen[j];
}

/* Arranges the columns of J that are chosen now, the others, and the unit matrix; returns the number of chosen ones. */
static inline int cutset_beside(int rows, int columns, const double *a, double *t)
{
    const double *now = a + rows * columns;
    const int width = rows + columns;
    int i, j, chosen = 0, rest;
    for (j = 0; j < columns; j++) chosen += now[j] != 0.0;
    for (i = 0; i < rows; i++) {
        double *row = t + i * width;
        int first = 0;
        for (j = 0, rest = chosen; j < columns; j++) row[now[j] != 0.0 ? first++ : rest++] = a[i * columns + j];
        for (j = 0; j < rows; j++) row[columns + j] = i == j ? 1.0 : 0.0;
    }
    return chosen;
}

/* Eliminates column q of a tableau of `width` columns with row p. */
static inline void cutset_eliminate(int rows, int width, double *t, int p, int q)
{
    const double *top = t + p * width, share = 1.0 / top[q];
    int i, j;
    for (j = q; j < width; j++) t[p * width + j] *= share;
    for (i = 0; i < rows; i++) {
        double *row = t + i * width, factor = row[q];
        if (i == p || factor == 0.0) continue;
        for (j = q; j < width; j++) row[j] -= factor * top[j];
    }
}

/* The quality as in `cutset_exchange`, without a search for better columns; then for each row the largest element of
   inverse(B) in the column that it meets, infinite if B is singular. It is evaluated often, so B is taken column by
   column without a search. */
static inline void cutset_quality(int rows, int columns, const double *a, double *s, double *r)
{
    const int width = rows + columns;
    const double nothing = cutset_nothing(rows * columns, a);
    double *column_of = s + rows * width, best = 0.0, sign = 1.0;
    int i, j, k, q, whole = cutset_beside(rows, columns, a, s) == rows;
    for (k = 0; k <= rows; k++) r[k] = k ? INFINITY : 0.0;
    for (i = 0; i < rows; i++) column_of[i] = -1.0;
    for (q = 0; q < rows && whole; q++) {
        int p = -1;
        for (i = 0; i < rows; i++)
            if (column_of[i] < 0.0 && fabs(s[i * width + q]) > (p < 0 ? nothing : fabs(s[p * width + q]))) p = i;
        if (p < 0) return;
        if (s[p * width + q] < 0.0) sign = -sign;
        column_of[p] = (double)q;
        cutset_eliminate(rows, width, s, p, q);
    }
    if (!whole) return;
    for (i = 0; i < rows; i++)
        for (j = rows; j < columns; j++) best = cutset_max(best, fabs(s[i * width + j]));
    r[0] = sign * cutset_orientation(rows, column_of) / cutset_max(1.0, best);
    for (k = 1; k <= rows; k++)
        for (i = 0, r[k] = 0.0; i < rows; i++) r[k] = cutset_max(r[k], fabs(s[i * width + columns + k - 1]));
}

#endif
