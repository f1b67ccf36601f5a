"""Checks the results of all stages, as an observer of the pipeline: for `--verify`, and for tests that translate."""

from __future__ import annotations

from typing import TypeVar

from cutset.compiler.codegen.program import Program
from cutset.compiler.codegen.verify import check_program
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.flatten.verify import check_flat, check_system
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.instantiate.verify import check_instance
from cutset.compiler.reduce.system import ReducedSystem
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.sort.selection import Selection
from cutset.compiler.sort.system import SolvedSystem, SortedSystem
from cutset.compiler.sort.verify import check_solved, check_sorted
from cutset.compiler.structure.plan import Incidence, StructuralPlan
from cutset.compiler.structure.verify import check_plan

T = TypeVar("T")


class Verifier:
    """An observer that raises AssertionError if a stage breaks its promise."""

    def __init__(self) -> None:
        self._incidence: Incidence | None = None

    def __call__(self, stage: str, result: T) -> T:
        match result:
            case Instance():
                check_instance(result)
            case FlatModel():
                check_flat(result)
            case EquationSystem():
                check_system(result)
            case Incidence():
                self._incidence = result
            case StructuralPlan():
                assert self._incidence is not None, "the plan comes after the incidence"
                check_plan(self._incidence, result)
            case ReducedSystem():
                check_system(result.system)
                check_plan(incidence_of(result.system), result.plan)
            case Selection():
                check_system(result.system)
                check_plan(incidence_of(result.system), result.plan)
            case SortedSystem():
                check_sorted(result)
            case SolvedSystem():
                check_solved(result)
            case Program():
                check_program(result)
        return result
