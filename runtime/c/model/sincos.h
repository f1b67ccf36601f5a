/* Sine and cosine of one argument, without branches and without tables, for numbers or for vectors of them. What includes
   it defines CUTSET_NUMBER, a double or a vector of the compiler, CUTSET_BITS, unsigned integers of the same sizes, and
   CUTSET_OF, which gives the functions their names; they are undefined at the end.

   The kernels and the reduction are those of fdlibm (k_sin.c, k_cos.c, e_rem_pio2.c, Sun Microsystems 1993): the error is
   below one unit in the last place for arguments below CUTSET_LARGEST_ANGLE. Others are left to the C library. The sums
   need doubles that are rounded after each operation. */

#define CUTSET_LARGEST_ANGLE 8e5

/* The sine and cosine of a + b for |a| <= pi/4 and a small b. */
static inline void CUTSET_OF(kernels)(CUTSET_NUMBER a, CUTSET_NUMBER b, CUTSET_NUMBER *sine, CUTSET_NUMBER *cosine)
{
    const CUTSET_NUMBER z = a * a, v = z * a, w = z * z, half = 0.5 * z, rest = 1.0 - half;
    const CUTSET_NUMBER s = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * (2.75573137070700676789e-06
                            + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    const CUTSET_NUMBER c = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05))
                            + w * w * (-2.75573143513906633035e-07
                                       + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
    *sine = a - ((z * (0.5 * b - v * s) - b) - v * -1.66666666666666324348e-01);
    *cosine = rest + (((1.0 - rest) - half) + (z * c - a * b));
}

static inline void CUTSET_OF(reduced_sincos)(CUTSET_NUMBER x, CUTSET_NUMBER *sine, CUTSET_NUMBER *cosine)
{
    const double shift = 6755399441055744.0; /* 1.5*2^52: the sum has the nearest whole number in its last bits */
    const CUTSET_NUMBER shifted = x * 6.36619772367581382433e-01 + shift, n = shifted - shift;
    /* x - n*pi/2 in three parts of pi/2 of 33 bits each, and the rest of the last one */
    const CUTSET_NUMBER t = x - n * 1.57079632673412561417e+00, second = n * 6.07710050630396597660e-11, r = t - second;
    const CUTSET_NUMBER third = n * 2.02226624879595063154e-21 - ((t - r) - second), a = r - third, b = (r - a) - third;
    union { CUTSET_NUMBER numbers; CUTSET_BITS bits; } turns, s, c, swapped_s, swapped_c;
    CUTSET_BITS odd;
    CUTSET_OF(kernels)(a, b, &s.numbers, &c.numbers);
    turns.numbers = shifted;
    odd = -(turns.bits & 1);
    swapped_s.bits = ((s.bits & ~odd) | (c.bits & odd)) ^ ((turns.bits & 2) << 62);
    swapped_c.bits = ((c.bits & ~odd) | (s.bits & odd)) ^ (((turns.bits + 1) & 2) << 62);
    *sine = swapped_s.numbers;
    *cosine = swapped_c.numbers;
}

#undef CUTSET_NUMBER
#undef CUTSET_BITS
#undef CUTSET_OF
