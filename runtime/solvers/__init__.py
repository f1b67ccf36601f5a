"""The integration methods by name. Adding one: a file with a `Method`, and a line here; all tests run it then."""

from __future__ import annotations

from collections.abc import Mapping

from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.solvers.auto import AUTO
from cutset.runtime.solvers.bs32 import BS32
from cutset.runtime.solvers.cvode import CVODE_ADAMS, CVODE_BDF, IDA
from cutset.runtime.solvers.dopri5 import DOPRI5
from cutset.runtime.solvers.method import Method
from cutset.runtime.solvers.rk4 import RK4
from cutset.runtime.solvers.scipy_methods import RADAU

METHODS: Mapping[str, Method] = {m.name: m for m in (AUTO, CVODE_BDF, CVODE_ADAMS, IDA, DOPRI5, BS32, RADAU, RK4)}


def find_method(name: str) -> Method:
    """The method of this name; RunError E605 where there is none."""
    if name not in METHODS:
        message, hint = unknown_name("method", name, METHODS)
        raise RunError("E605", message, hint, ["methods are: " + ", ".join(METHODS)])
    return METHODS[name]
