/* A plain Dormand-Prince loop over Cutset's generated right-hand side: the cost of a run without any service (no
   output, no callbacks, no stiffness test). Written from E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
   Differential Equations I, 2nd ed., table II.5.2 and (II.4.11) to (II.4.13); shares no code with runtime/c/. */

#include <math.h>

enum { MOST_STATES = 64 };

void cutset_derivatives(double t, const double *x, const double *u, const double *c, const double *m, double *w,
                        double *dx);

static const double node[7] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
static const double weight[7][6] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
static const double error_weight[7] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                       -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/* Integrates x from t to end, with n of at most MOST_STATES states; returns the number of evaluations, negative if
   the step size vanishes. */
long bench_dopri5(double t, double end, double *x, long n, const double *u, const double *c, const double *m, double *w,
                  double rtol, double atol)
{
    double k[7][MOST_STATES], next[MOST_STATES], h = 1e-3 * (end - t);
    long evaluations = 1, i;
    int stage, j;
    cutset_derivatives(t, x, u, c, m, w, k[0]);
    while (t < end) {
        double sum = 0.0, norm;
        if (t + h > end) h = end - t;
        for (stage = 1; stage < 7; stage++) {
            for (i = 0; i < n; i++) {
                double slope = 0.0;
                for (j = 0; j < stage; j++) slope += weight[stage][j] * k[j][i];
                next[i] = x[i] + h * slope;
            }
            cutset_derivatives(t + node[stage] * h, next, u, c, m, w, k[stage]);
        }
        evaluations += 6;
        for (i = 0; i < n; i++) {
            double slope = 0.0, scale = atol + rtol * fmax(fabs(x[i]), fabs(next[i]));
            for (j = 0; j < 7; j++) slope += error_weight[j] * k[j][i];
            sum += (h * slope / scale) * (h * slope / scale);
        }
        norm = sqrt(sum / (double)n);
        if (norm <= 1.0) {
            t = t + h >= end ? end : t + h;
            for (i = 0; i < n; i++) {
                x[i] = next[i];
                k[0][i] = k[6][i];
            }
        }
        h *= fmin(5.0, fmax(0.2, 0.9 * pow(norm, -0.2)));
        if (!(t + h > t)) return -evaluations;
    }
    return evaluations;
}
