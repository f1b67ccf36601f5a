/* Calls CasADi's generated function repeatedly at changing points. In: rows (x, u); out: the last dx. */

int rate(const double **arg, double **res, long long *iw, double *w, int memory);

void bench_repeat(long number, long points, long n_states, long n_inputs, const double *rows, double *w, double *dx)
{
    long k, row = 0;
    for (k = 0; k < number; k++) {
        const double *x = rows + row * (n_states + n_inputs);
        const double *arg[2];
        double *res[1];
        arg[0] = x;
        arg[1] = x + n_states;
        res[0] = dx;
        rate(arg, res, 0, w, 0);
        if (++row == points) row = 0;
    }
}
