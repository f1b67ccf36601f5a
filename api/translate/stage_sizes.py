"""Describes the size of a stage's result in words, with one case for each type of the pipeline."""

from __future__ import annotations

from cutset.compiler.codegen.program import Program
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.reduce.system import ReducedSystem
from cutset.compiler.sort.redundancy import Independent
from cutset.compiler.sort.selection import Selection
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, SortedSystem, Start
from cutset.compiler.structure.plan import Incidence, StructuralPlan


def describe(result: object) -> str:
    """The size of `result`, as ``3 equations, 2 unknowns``; empty for an unknown type."""
    match result:
        case Library():
            return _words((len(result.classes) - len(result.objects), "class"), (len(result.objects), "object"))
        case Instance():
            parts = list(result.walk())
            variables = sum(len(part.variables) for part in parts)
            return _words((len(parts) - 1, "submodel"), (variables, "declared variable"))
        case FlatModel():
            whens = len(result.events.whens)
            counts = [(len(result.equations), "array equation"), (len(result.parameters), "parameter")]
            return _words(*counts, *([(whens, "when")] if whens else []))
        case EquationSystem():
            return _words(
                (result.count, "scalar equation"),
                (len(result.aliases), "alias eliminated"),
                (len(result.equations), "equation left"),
            )
        case Incidence():
            return _words((sum(map(len, result.rows)), "occurrence of an unknown"))
        case Independent():
            return _words((result.redundant, "redundant condition"))
        case StructuralPlan():
            differentiated = sum(1 for _, order in result.equations if order > 0)
            return _words(
                (len(result.blocks), "block"),
                (max(map(len, result.blocks), default=0), "equation in the largest"),
                (differentiated, "differentiation"),
            )
        case ReducedSystem():
            return _words((len(result.constraints), "hidden constraint"))
        case Selection():
            return _words((result.sets, "set of states chosen in a run"))
        case SortedSystem():
            return _words((len(result.states), "state"), (len(result.inputs), "input"))
        case SolvedSystem():
            iterated = [(len(result.nonlinear_systems), "nonlinear system")] if result.nonlinear_systems else []
            return _words(
                (len(result.assignments), "assignment"), (len(result.linear_systems), "linear system"), *iterated
            )
        case Start():
            systems = len(result.linear_systems) + len(result.nonlinear_systems)
            return _words((len(result.values), "start value"), *([(systems, "system of equations")] if systems else []))
        case SolvedEvents():
            return _words((len(result.relations), "relation"), (len(result.conditions), "condition"))
        case Program():
            count = result.statistics
            return _words((count.mul_div, "multiplication"), (count.add_sub, "addition"), (count.functions, "function"))
    return ""


def _words(*counts: tuple[int, str]) -> str:
    return ", ".join(f"{number} {word if number == 1 else _plural(word)}" for number, word in counts)


def _plural(word: str) -> str:
    """The plural of a noun at the head of a phrase: ``array equation`` -> ``array equations``."""
    head, _, rest = word.partition(" ")
    if head in ("array", "scalar", "declared", "linear", "nonlinear", "start", "hidden", "redundant"):
        return f"{head} {_plural(rest)}"
    head += "es" if head.endswith("s") else "s"
    return f"{head} {rest}".rstrip()
