"""Dormand-Prince 5(4): J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6
(1980) 19-26; the continuous extension of order 4 after E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
Differential Equations I, II.6."""

from __future__ import annotations

from cutset.runtime.solvers.explicit import explicit_method
from cutset.runtime.solvers.tableau import Tableau

TABLEAU = Tableau(
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
DOPRI5 = explicit_method(TABLEAU)
