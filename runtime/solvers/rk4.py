"""The classical Runge-Kutta method of order 4 (W. Kutta 1901): equal steps from output to output. Controls no error."""

from __future__ import annotations

from cutset.runtime.solvers.explicit import explicit_method
from cutset.runtime.solvers.tableau import Tableau

RK4 = explicit_method(
    Tableau(
        "rk4",
        "classical Runge-Kutta of order 4, one step from output to output",
        4,
        rows=((0.5, (0.5,)), (0.5, (0.0, 0.5)), (1.0, (0.0, 0.0, 1.0)), (1.0, (1 / 6, 1 / 3, 1 / 3, 1 / 6))),
    )
)
