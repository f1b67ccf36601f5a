"""Holds the results of the stages of one translation, which later stages take. Computes nothing."""

from __future__ import annotations

from pathlib import Path

from cutset.compiler.codegen.program import Program
from cutset.compiler.diagnose.explain import closing_elements
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.function.definition import Function
from cutset.compiler.function.equations import FunctionModel
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.observer import Observer
from cutset.compiler.options import Options
from cutset.compiler.reduce.system import ReducedSystem
from cutset.compiler.sort.redundancy import Independent
from cutset.compiler.sort.selection import Selection
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, SortedSystem, Start
from cutset.compiler.sort.unreduced import Unreduced
from cutset.compiler.structure.plan import Incidence, StructuralPlan


class Results:
    """What is translated, the object `name` of the file at `path`, and the result of each stage under its name. The
    library is given if the file was read before."""

    parse: Library
    instantiate: Instance
    flatten: FlatModel
    function: FunctionModel
    aliases: EquationSystem
    incidence: Incidence
    redundancy: Independent
    analyze: StructuralPlan
    reduce: ReducedSystem
    select: Selection
    sort: SortedSystem
    unreduced: Unreduced
    lower_unreduced: Program | None = None
    solve: SolvedSystem
    outputs: SolvedSystem
    start: Start
    events: SolvedEvents
    lower: Program

    def __init__(self, path: Path, name: str | None, options: Options, observer: Observer, library: Library | None):
        self.path, self.name, self.options, self.observer, self.library = path, name, options, observer, library
        self._closing: dict[str, tuple[str, ...]] | None = None

    def closing(self) -> dict[str, tuple[str, ...]]:
        """The elements that close loops, searched once. No closure: a cycle would keep all results."""
        if self._closing is None:
            self._closing = closing_elements(self.flat)
        return self._closing

    @property
    def flat(self) -> FlatModel:
        """The equations to solve: those of the function, if one is translated instead of the model."""
        return self.function.flat if "function" in vars(self) else self.flatten

    @property
    def not_searched(self) -> int:
        """The number of equations that close loops if they are too many to be searched, otherwise 0."""
        return self.redundancy.not_searched if "redundancy" in vars(self) else 0

    @property
    def of_function(self) -> Function:
        """The function that is translated instead of the model."""
        assert self.options.function is not None
        return self.options.function
