/* The functions of one argument in the order of contract/functions.py; a test writes it from there. */

#ifndef CUTSET_FUNCTIONS_H
#define CUTSET_FUNCTIONS_H

static const struct cutset_function CUTSET_FUNCTIONS[] = {
    {sin, WAVE, 1.5707963267948966, 0.0},
    {cos, WAVE, 0.0, 0.0},
    {tan, BRANCHES, 1.5707963267948966, 3.141592653589793},
    {asin, RISING, -1.0, 1.0},
    {acos, FALLING, -1.0, 1.0},
    {atan, RISING, -INFINITY, INFINITY},
    {sinh, RISING, -INFINITY, INFINITY},
    {cosh, VALLEY, 1.0, 0.0},
    {tanh, RISING, -INFINITY, INFINITY},
    {exp, RISING, -INFINITY, INFINITY},
    {log, RISING, 0.0, INFINITY},
    {erf, RISING, -INFINITY, INFINITY},
    {log10, RISING, 0.0, INFINITY},
    {sqrt, RISING, 0.0, INFINITY},
    {fabs, VALLEY, 0.0, 0.0},
    {cutset_sign, RISING, -INFINITY, INFINITY},
    {floor, RISING, -INFINITY, INFINITY},
    {ceil, RISING, -INFINITY, INFINITY},
};

#endif
