"""Finds integration methods by name. Explicit Runge-Kutta methods are listed in tableaus.py, the others here.

All tests of methods run each of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.solvers.auto import AUTO
from cutset.runtime.solvers.cvode import CVODE_ADAMS, CVODE_BDF, IDA
from cutset.runtime.solvers.explicit import explicit_method
from cutset.runtime.solvers.method import Method
from cutset.runtime.solvers.scipy_methods import RADAU
from cutset.runtime.solvers.tableaus import EXPLICIT
from cutset.runtime.solvers.unreduced import STABILIZED, UNREDUCED

METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (AUTO, *map(explicit_method, EXPLICIT), CVODE_BDF, CVODE_ADAMS, IDA, UNREDUCED, STABILIZED, RADAU)
}


def find_method(name: str) -> Method:
    """The method of this name; RunError E605 if it does not exist."""
    if name not in METHODS:
        message, hint = unknown_name("method", name, METHODS)
        raise RunError("E605", message, hint, ["the methods are: " + ", ".join(METHODS)])
    return METHODS[name]
