"""Lists the explicit Runge-Kutta methods by their tableaus. Add one here; all tests of methods run it."""

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

# Ch. Tsitouras, Runge-Kutta pairs of order 5(4) satisfying only the first column simplifying assumption, Comput. Math.
# Appl. 62 (2011) 770-775, with the continuous extension given there.
TSIT5 = Tableau(
    "tsit5",
    "Tsitouras of order 5(4), explicit, with smaller errors than dopri5",
    5,
    rows=(
        (0.161, (0.161,)),
        (0.327, (-0.008480655492356989, 0.335480655492357)),
        (0.9, (2.8971530571054935, -6.359448489975075, 4.3622954328695815)),
        (
            0.9800255409045097,
            (5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525),
        ),
        (1.0, (5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401, -0.028269050394068383)),
        (
            1.0,
            (
                *(0.09646076681806523, 0.01, 0.4798896504144996),
                *(1.379008574103742, -3.290069515436081, 2.324710524099774),
            ),
        ),
    ),
    error=(
        *(-0.00178001105222577714, -0.0008164344596567469, 0.007880878010261995, -0.1447110071732629),
        *(0.5823571654525552, -0.45808210592918697, 0.015151515151515152),
    ),
    bump=(
        *(-1.0530884977290216, 0.1017, 2.490627285651253, -16.548102889244902),
        *(47.37952196281928, -34.87065786149661, 2.5),
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

# W. Kutta (1901): equal steps from output to output, without error control.
RK4 = Tableau(
    "rk4",
    "classical Runge-Kutta of order 4, one step from output to output",
    4,
    rows=((0.5, (0.5,)), (0.5, (0.0, 0.5)), (1.0, (0.0, 0.0, 1.0)), (1.0, (1 / 6, 1 / 3, 1 / 3, 1 / 6))),
)

EXPLICIT = (DOPRI5, TSIT5, BS32, RK4)
