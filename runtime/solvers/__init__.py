"""Lists the integration methods and finds them by name; the code of a method is loaded when it integrates.

All tests of methods run each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.solvers.families import BDF, CVODE_ADAMS, CVODE_BDF, GGL, IDA, Family
from cutset.runtime.solvers.method import Method
from cutset.runtime.solvers.part import Part
from cutset.runtime.solvers.tableau import Tableau
from cutset.runtime.solvers.tableaus import DOPRI5, EXPLICIT


def _with_all_equations(family: Family, part: Part) -> int:
    from cutset.runtime.solvers import unreduced

    return unreduced.integrate(family, part)


def _by_radau(part: Part) -> int:
    from cutset.runtime.solvers import scipy_methods

    return scipy_methods.integrate("Radau", "scipy Radau", part)


def explicit_method(tableau: Tableau) -> Method:
    """The method of a tableau."""
    name, about, is_adaptive = tableau.name, tableau.about, bool(tableau.error)
    return Method(name, about, adaptive=is_adaptive, order=tableau.order, is_explicit=True, tableau=tableau)


def _of_sundials(family: Family, about: str) -> Method:
    return Method(family.name, about, family=family)


def _of_all_equations(family: Family, about: str) -> Method:
    return Method(
        family.name, f"SUNDIALS IDA, BDF of order 1 to 5 on all equations {about}", partial(_with_all_equations, family)
    )


AUTO = Method(
    "auto",
    "dopri5, and cvode-bdf from where the model proves stiff",
    tableau=DOPRI5,
    detects_stiffness=True,
    family=CVODE_BDF,
)
UNREDUCED = _of_all_equations(BDF, "and unknowns of the model, with a sparse matrix")
STABILIZED = _of_all_equations(GGL, "with stabilized constraints (Gear, Gupta, Leimkuhler)")
# The methods for models in which no equation is solved.
OF_ALL_EQUATIONS = frozenset({UNREDUCED.name, STABILIZED.name})

METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        AUTO,
        *map(explicit_method, EXPLICIT),
        _of_sundials(CVODE_BDF, "SUNDIALS CVODE, BDF of order 1 to 5, for stiff models"),
        _of_sundials(CVODE_ADAMS, "SUNDIALS CVODE, Adams of order 1 to 12, for smooth models"),
        _of_sundials(IDA, "SUNDIALS IDA, BDF of order 1 to 5 on the equations 0 = x' - f(t, x), for stiff models"),
        UNREDUCED,
        STABILIZED,
        Method("radau", "Radau IIA of order 5, implicit, in scipy", _by_radau),
    )
}


def find_method(name: str) -> Method:
    """The method of this name; RunError E605 if it does not exist."""
    if name not in METHODS:
        message, hint = unknown_name("method", name, METHODS)
        raise RunError("E605", message, hint, ["the methods are: " + ", ".join(METHODS)])
    return METHODS[name]
