/* Calls Cutset's generated right-hand side repeatedly at changing points. In: rows (x, u); out: the last dx. */

void cutset_derivatives(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                        double *dx);

void bench_repeat(long number, long points, long n_states, long n_inputs, const double *rows, const double *c,
                  const double *m, double *w, double *dx)
{
    long k, row = 0;
    for (k = 0; k < number; k++) {
        const double *x = rows + row * (n_states + n_inputs);
        cutset_derivatives(0.0, x, x + n_states, c, m, w, dx);
        if (++row == points) row = 0;
    }
}
