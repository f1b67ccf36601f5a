"""Lists the explicit Runge-Kutta methods by their tableaus. Add one here; all tests of methods run it."""

from __future__ import annotations

from cutset.runtime.solvers.tableau import Tableau

# J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980) 19-26; the
# continuous extension of order 4 after E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I,
# II.6.
DOPRI5 = Tableau(
    "dopri5",
    "Dormand-Prince of order 5(4), explicit",
    5,
    rows=(
        (0.2, (0.2,)),
        (0.3, (3 / 40, 9 / 40)),
        (0.8, (44 / 45, -56 / 15, 32 / 9)),
        (8 / 9, (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729)),
        (1.0, (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656)),
        (1.0, (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)),
    ),
    error=(71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),
    bump=(
        *(-12715105075 / 11282082432, 0.0, 87487479700 / 32700410799, -10690763975 / 1880347072),
        *(701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423),
    ),
)

# P. Bogacki, L. F. Shampine, A 3(2) pair of Runge-Kutta formulas, Appl. Math. Lett. 2 (1989) 321-325.
BS32 = Tableau(
    "bs32",
    "Bogacki-Shampine of order 3(2), explicit, for coarse tolerances",
    3,
    rows=((0.5, (0.5,)), (0.75, (0.0, 0.75)), (1.0, (2 / 9, 1 / 3, 4 / 9))),
    error=(-5 / 72, 1 / 12, 1 / 9, -1 / 8),
)

# W. Kutta (1901): equal steps from output to output, without control of the error.
RK4 = Tableau(
    "rk4",
    "classical Runge-Kutta of order 4, one step from output to output",
    4,
    rows=((0.5, (0.5,)), (0.5, (0.0, 0.5)), (1.0, (0.0, 0.0, 1.0)), (1.0, (1 / 6, 1 / 3, 1 / 3, 1 / 6))),
)

EXPLICIT = (DOPRI5, BS32, RK4)
