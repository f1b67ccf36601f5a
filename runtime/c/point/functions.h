/* The functions of one argument in the order of contract/functions.py; a test writes it from there. */

#ifndef CUTSET_FUNCTIONS_H
#define CUTSET_FUNCTIONS_H

static const struct cutset_function CUTSET_FUNCTIONS[] = {
    {sin, WAVE, 1.5707963267948966, 0.0},
    {cos, WAVE, 0.0, 0.0},
    {tan, BRANCHES, 1.5707963267948966, 3.141592653589793},
    {asin, RISING, -1.0, 1.0},
    {acos, FALLING, -1.0, 1.0},
    {atan, RISING, CUTSET_BELOW_ALL, INFINITY},
    {sinh, RISING, CUTSET_BELOW_ALL, INFINITY},
    {cosh, VALLEY, 1.0, 0.0},
    {tanh, RISING, CUTSET_BELOW_ALL, INFINITY},
    {exp, RISING, CUTSET_BELOW_ALL, INFINITY},
    {log, RISING, 0.0, INFINITY},
    {erf, RISING, CUTSET_BELOW_ALL, INFINITY},
    {log10, RISING, 0.0, INFINITY},
    {sqrt, RISING, 0.0, INFINITY},
    {fabs, VALLEY, 0.0, 0.0},
    {cutset_sign, RISING, CUTSET_BELOW_ALL, INFINITY},
    {floor, RISING, CUTSET_BELOW_ALL, INFINITY},
    {ceil, RISING, CUTSET_BELOW_ALL, INFINITY},
};

#endif
