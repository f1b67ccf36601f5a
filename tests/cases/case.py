"""What a test case is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One published system.

    `name` is the name of the case where it was published, `about` what it is hard in, `source` where the reference
    comes from. `file` (in models/) holds the object `model`; `reference` (in reference/) is a table whose columns are
    `time` and names of the publication; `names` says which variable of ours each is, with a minus where the sign is
    turned. Times are in seconds.

    The curves are compared up to `until` (the end where None), to `bound` of the range of each; around the instants
    that stand twice in the table, and around those in `events`, a difference in time of one output step is let pass.
    `noise` is what the reference itself may be wrong by: below it, the distance need not shrink with the tolerance.
    `states`, `linear` and `nonlinear` are the sizes that are expected, None where nothing is; the systems as (size,
    most that tearing may leave), which is what a Modelica compiler leaves where it says.
    """

    name: str
    file: str
    model: str
    reference: str
    stop: float
    names: Mapping[str, str]
    about: str
    source: str
    tolerance: float = 1e-6
    method: str = "auto"
    parameters: Mapping[str, float] = field(default_factory=dict)
    until: float | None = None
    events: tuple[float, ...] = ()
    bound: float = 2e-3
    noise: float = 5e-4
    states: int | None = None
    linear: tuple[tuple[int, int], ...] | None = None
    nonlinear: tuple[tuple[int, int], ...] | None = None

    @property
    def path(self) -> Path:
        """Of the file with the model."""
        return FOLDER / "models" / self.file

    def __str__(self) -> str:
        return self.name


MSL = "MSL 4.0, MAP-LIB"
MSL32 = "MSL 3.2, MAP-LIB"
FMI = "FMI Reference-FMUs"
IVP = "Test Set for IVP Solvers"
MODIA = "Modia.jl"
MTK = "ModelingToolkitStandardLibrary"
OMC = "OpenModelica testsuite"
LIM = "IFToMM benchmark, LIM"
SUNDIALS = "SUNDIALS, examples of IDA"
