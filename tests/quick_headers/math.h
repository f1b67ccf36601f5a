/* The functions of <math.h> that models use, for tests that compile with tcc: to read the header of the system takes
   longer than the rest of a small model. The library is that of the system. */
#ifndef QUICK_MATH_H
#define QUICK_MATH_H

#define HUGE_VAL 1e10000
#define INFINITY 1e10000f
#define NAN (0.0f / 0.0f)
#define M_PI 3.14159265358979323846
#define isnan(x) __isnan(x)
#define isinf(x) __isinf(x)
#define isfinite(x) __finite(x)
#define signbit(x) __signbit(x)

int __isnan(double), __isinf(double), __finite(double), __signbit(double);
double acos(double), acosh(double), asin(double), asinh(double), atan(double), atanh(double), cbrt(double), ceil(double);
double cos(double), cosh(double), erf(double), erfc(double), exp(double), exp2(double), expm1(double), fabs(double);
double floor(double), lgamma(double), log(double), log10(double), log1p(double), log2(double), logb(double);
double nearbyint(double), rint(double), round(double), sin(double), sinh(double), sqrt(double), tan(double);
double tanh(double), tgamma(double), trunc(double);
double atan2(double, double), copysign(double, double), fdim(double, double), fmax(double, double), fmin(double, double);
double fmod(double, double), hypot(double, double), nextafter(double, double), pow(double, double);
double remainder(double, double), fma(double, double, double);
double frexp(double, int *), ldexp(double, int), modf(double, double *), scalbn(double, int);
int ilogb(double);
long lrint(double), lround(double);

#endif
