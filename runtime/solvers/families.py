"""Lists the families of methods of SUNDIALS."""

from __future__ import annotations

from cutset.runtime.solvers.method import Family

# The multistep methods of CVODE, by the numbers of SUNDIALS.
_ADAMS, _BDF = 1, 2

CVODE_BDF, CVODE_ADAMS = Family("cvode-bdf", _BDF), Family("cvode-adams", _ADAMS)
IDA = Family("ida", None)
# Of all equations and unknowns of a model, the second with stabilized constraints.
BDF, GGL = (Family(name, None, sparse=True) for name in ("bdf", "ggl"))
