"""Integrates a segment with CVODE (BDF or Adams) or IDA of SUNDIALS, each with Newton's method.

The loop over the outputs is sundials.h. Without SUNDIALS, similar methods of scipy are used; the statistics tell so.

A. C. Hindmarsh et al., SUNDIALS: Suite of nonlinear and differential/algebraic equation solvers, ACM TOMS 31 (2005)
363-396.
"""

from __future__ import annotations

from ctypes import byref

from cutset.runtime.errors import RunError
from cutset.runtime.solvers import scipy_methods, sundials
from cutset.runtime.solvers.families import Family
from cutset.runtime.solvers.implicit import solver_for
from cutset.runtime.solvers.part import Part
from cutset.runtime.targets.c_records import address


def integrate(family: Family, part: Part) -> int:
    """Integrate the part by one family of methods: how it ended, as in driver.h."""
    if sundials.load() is None:
        if part.info.n_algebraic:
            hint = "install it (pip install scikit-sundae), or take another method, such as radau"
            raise RunError("E605", "the method bdf needs SUNDIALS, which is not installed", hint)
        return scipy_methods.in_place_of_sundials(family.name, part)
    solver = solver_for(part.model.engine, family, part.data, part.values.n)
    assert solver is not None, "SUNDIALS has been loaded"
    try:
        arguments = byref(part.control), part.t, address(part.x), *part.places
        status: int = part.functions.implicit(byref(solver.record), *arguments)
        part.method = solver.name
    finally:
        solver.free()
    return status
