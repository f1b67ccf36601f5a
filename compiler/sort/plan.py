"""Stage 4b. Incidence -> StructuralPlan; a singular structure is told in the names of the model."""

from __future__ import annotations

from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.sort.apply import explain
from cutset.compiler.structure.analyse import analyse
from cutset.compiler.structure.plan import Incidence, StructuralPlan, StructurallySingular


def plan_for(system: EquationSystem, incidence: Incidence) -> StructuralPlan:
    """Raises ModelError where the system has too many or too few equations."""
    try:
        return analyse(incidence)
    except StructurallySingular as error:
        raise explain(system, error.singularity) from error
