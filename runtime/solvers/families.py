"""Lists the families of methods of SUNDIALS."""

from __future__ import annotations

from cutset.contract.quick_dataclass import dataclass


@dataclass(frozen=True)
class Family:
    """A family of methods of SUNDIALS: its name, the number of CVODE's multistep method (None for IDA), and whether its
    matrix is sparse if SUNDIALS has a solver for that."""

    name: str
    of_cvode: int | None
    sparse: bool = False

    @property
    def prefix(self) -> str:
        """The prefix of its functions."""
        return "IDA" if self.of_cvode is None else "CVode"


# The multistep methods of CVODE, by the numbers of SUNDIALS.
_ADAMS, _BDF = 1, 2

CVODE_BDF, CVODE_ADAMS = Family("cvode-bdf", _BDF), Family("cvode-adams", _ADAMS)
IDA = Family("ida", None)
# Of all equations and unknowns of a model, the second with stabilized constraints.
BDF, GGL = (Family(name, None, sparse=True) for name in ("bdf", "ggl"))
