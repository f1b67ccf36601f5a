"""Listens to a translation: the dump of a stage, sizes, remarks. Changes no result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from cutset.compiler.diagnostics import Label

if TYPE_CHECKING:
    from cutset.compiler.flatten.model import EquationSystem
    from cutset.compiler.sort.system import StartCheck

T = TypeVar("T")
_MOST_NAMED = 6


class Enough(Exception):
    """Raised by a listener to end a translation early, because it has what it needs."""


class Dump:
    """Keeps the printed form of one stage's result as `text` and ends the translation there with `Enough`.

    `seen` are the stages that came by: all stages, if there is no stage of this name.
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
        """Integers of the structural stage are shown as variables and equations of the system before it."""
        from cutset.compiler.sort.structure_text import structure_text
        from cutset.compiler.structure.plan import Incidence, StructuralPlan

        if self._system is not None and isinstance(result, Incidence | StructuralPlan):
            return structure_text(self._system, result)
        return str(result)


class Results:
    """Keeps the results of all stages in `stages`, by their names; ends the translation after the stage `until`."""

    def __init__(self, until: str = ""):
        self.stages: dict[str, object] = {}
        self._until = until

    def __call__(self, stage: str, result: object) -> None:
        self.stages[stage] = result
        if stage == self._until:
            raise Enough

    def of(self, kind: type[T]) -> T:
        """The result of this type."""
        return next(result for result in self.stages.values() if isinstance(result, kind))


class Sizes:
    """Keeps the size of each stage's result as `lines`: (stage, text)."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def __call__(self, stage: str, result: object) -> None:
        from cutset.api.translate.stage_sizes import describe

        self.lines.append((stage, describe(result)))


class Loose:
    """Keeps in `found` what looks like an oversight: a missing connection or ground, a mechanism without gravity."""

    def __init__(self) -> None:
        self.found: tuple[Label, ...] = ()

    def __call__(self, stage: str, result: object) -> None:
        from cutset.compiler.diagnose.mechanisms import unintended
        from cutset.compiler.diagnose.reference import without_reference
        from cutset.compiler.diagnose.unconnected import unconnected
        from cutset.compiler.flatten.model import FlatModel

        if isinstance(result, FlatModel):
            self.found = (*unconnected(result), *without_reference(result), *unintended(result))


class OpenEnds:
    """Keeps in `remarks` the components that look as if a connection were missing."""

    def __init__(self) -> None:
        self.remarks: tuple[str, ...] = ()

    def __call__(self, stage: str, result: object) -> None:
        from cutset.compiler.flatten.model import FlatModel

        if isinstance(result, FlatModel):
            from cutset.compiler.diagnose.unconnected import unconnected

            self.remarks = tuple(f"{label.text} ({label.span})" for label in unconnected(result))


class Remarks:
    """Keeps remarks on a valid model in `notes`."""

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
            comma = "; " if any("," in words for words in result.silent) else ", "
            if result.silent:
                listed = comma.join(result.silent[:_MOST_NAMED]) + (
                    " and others" if len(result.silent) > _MOST_NAMED else ""
                )
                at_zero = f"{'they start' if many else 'it starts'} at 0; give start=..., or an equation in 'initial'"
                self.notes.append(f"no start value for {listed}: {at_zero}")
            self.notes += _listed(result.vain, "are not used") + _listed(result.guesses, "are guesses")
            self.notes += _listed(
                [_agreeing(c) for c in result.checks if c.others or not c.has_states], "must agree with others"
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
        check.place, f"the start value of '{check.variable}' must agree with {those}: a run checks this (E644)"
    )
