"""Onlookers of the pipeline: time of each stage, dump of one, sizes of all. Changes no result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from cutset.compiler.diagnostics import Label

if TYPE_CHECKING:
    from cutset.compiler.flatten.model import EquationSystem
    from cutset.compiler.sort.system import StartCheck

T = TypeVar("T")
_MOST_NAMED = 6
Listener = Callable[[str, object], object]


class Observer:
    """Called after each stage; hands the result on. `seconds` holds the time of each stage, in order.

    What the listeners do counts for no stage. The clock starts when the observer is made.
    """

    def __init__(self, listeners: Iterable[Listener] = ()):
        self.seconds: dict[str, float] = {}
        self._listeners = tuple(listeners)
        self._last = perf_counter()

    def __call__(self, stage: str, result: T) -> T:
        self.seconds[stage] = perf_counter() - self._last
        for listen in self._listeners:
            listen(stage, result)
        self._last = perf_counter()
        return result


class Enough(Exception):
    """What was wanted of the translation is there; raised to end it early."""


class Dump:
    """Keeps the printed form of one stage's result as `text`, and ends the translation there with `Enough`.

    `seen` are the stages that came by: all there are, where the wanted one is none of them.
    """

    def __init__(self, stage: str):
        self.stage = stage
        self.seen: list[str] = []
        self.text = ""
        self._system: EquationSystem | None = None

    def __call__(self, stage: str, result: object) -> None:
        from cutset.compiler.flatten.model import EquationSystem
        from cutset.compiler.sort.redundancy import Independent

        self.seen.append(stage)
        if isinstance(result, EquationSystem | Independent):
            self._system = result if isinstance(result, EquationSystem) else result.system
        if stage == self.stage:
            self.text = self._printed(result)
            raise Enough

    def _printed(self, result: object) -> str:
        """Integers of the structural stage stand for variables and equations of the system before it."""
        from cutset.compiler.sort.structure_text import structure_text
        from cutset.compiler.structure.plan import Incidence, StructuralPlan

        if self._system is not None and isinstance(result, Incidence | StructuralPlan):
            return structure_text(self._system, result)
        return str(result)


class Results:
    """Keeps the results of all stages as `stages`, by their names."""

    def __init__(self) -> None:
        self.stages: dict[str, object] = {}

    def __call__(self, stage: str, result: object) -> None:
        self.stages[stage] = result


class Sizes:
    """Keeps what each stage's result holds, in words, as `lines`: (stage, words)."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def __call__(self, stage: str, result: object) -> None:
        from cutset.stage_sizes import describe

        self.lines.append((stage, describe(result)))


class Loose:
    """Keeps what looks unintended as `found`: a forgotten connection or ground, a mechanism without weight."""

    def __init__(self) -> None:
        self.found: tuple[Label, ...] = ()

    def __call__(self, stage: str, result: object) -> None:
        from cutset.compiler.diagnose.mechanisms import unintended
        from cutset.compiler.diagnose.reference import without_reference
        from cutset.compiler.diagnose.unconnected import unconnected
        from cutset.compiler.flatten.model import FlatModel

        if isinstance(result, FlatModel):
            self.found = (*unconnected(result), *without_reference(result), *unintended(result))


class Remarks:
    """Keeps what is worth saying of a model that is right, as `notes`."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def __call__(self, stage: str, result: object) -> None:
        from cutset.compiler.flatten.model import EquationSystem
        from cutset.compiler.sort.redundancy import Independent
        from cutset.compiler.sort.selection import Selection
        from cutset.compiler.sort.system import Start

        if isinstance(result, (EquationSystem, Independent, Selection)):
            self.notes += [f"{label.text} ({label.span})" for label in result.notes]
        if isinstance(result, Start):
            many = len(result.silent) > 1 or any("," in words for words in result.silent)
            begin = f"begin{'' if many else 's'}"
            comma = "; " if any("," in words for words in result.silent) else ", "
            if result.silent:
                listed = comma.join(result.silent[:_MOST_NAMED]) + (
                    " and others" if len(result.silent) > _MOST_NAMED else ""
                )
                at_zero = f"{'they begin' if many else 'it begins'} at 0; give start=..., or an equation in 'initial'"
                self.notes.append(f"nothing says where {listed} {begin}: {at_zero}")
            self.notes += _listed(result.vain, "are not used") + _listed(result.guesses, "are first guesses")
            self.notes += _listed(
                [_agreeing(c) for c in result.checks if c.others or not c.states], "have to agree with others"
            )


def _listed(labels: Sequence[Label], what: str) -> list[str]:
    more = len(labels) - _MOST_NAMED
    return [f"{label.text} ({label.span})" for label in labels[:_MOST_NAMED]] + (
        [f"and {more} more start values {what}"] if more > 0 else []
    )


def _agreeing(check: StartCheck) -> Label:
    names = [f"'{label.text}'" for label in check.others]
    those = f"that of {names[0]}" if len(names) == 1 else f"those of {', '.join(names)}" if names else "the equations"
    return Label(
        check.place, f"the start value of '{check.variable}' has to agree with {those}: a run checks it (E644)"
    )
