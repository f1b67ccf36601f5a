"""Bogacki-Shampine 3(2): P. Bogacki, L. F. Shampine, A 3(2) pair of Runge-Kutta formulas, Appl. Math. Lett. 2 (1989)
321-325."""

from __future__ import annotations

from cutset.runtime.solvers.explicit import explicit_method
from cutset.runtime.solvers.tableau import Tableau

BS32 = explicit_method(
    Tableau(
        "bs32",
        "Bogacki-Shampine of order 3(2), explicit, for coarse tolerances",
        3,
        rows=((0.5, (0.5,)), (0.75, (0.0, 0.75)), (1.0, (2 / 9, 1 / 3, 4 / 9))),
        error=(-5 / 72, 1 / 12, 1 / 9, -1 / 8),
    )
)
