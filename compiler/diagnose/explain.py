"""Explains errors of stages in a model that cannot be solved. Loads the diagnosis on demand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.flatten.aliases import Contradiction, eliminate_aliases
from cutset.compiler.flatten.model import FlatModel, Origin
from cutset.compiler.structure.plan import StructurallySingular
from cutset.contract.abridged import abridged

# Errors about a single equation that may have a cause elsewhere in the model.
_LOCAL = frozenset({"E304", "E501"})
_MOST_NAMED = 6


@contextmanager
def explained(model: FlatModel, not_searched: int = 0) -> Iterator[None]:
    """Converts structural errors inside the block into a ModelError that names the cause. An error about a single
    equation stays unchanged if no cause is found. `not_searched` is the number of equations that close loops if they
    are too many for a search for redundant ones, otherwise 0."""
    try:
        yield
    except (StructurallySingular, Contradiction) as error:
        if model.prescribed:
            from cutset.compiler.diagnose.problems import unsolvable

            raise ModelError([unsolvable(model, error)]) from error
        others = error.diagnostics if isinstance(error, Contradiction) else ()
        residuals = error.residuals if isinstance(error, Contradiction) else ()
        from cutset.compiler.diagnose.causes import explain
        from cutset.compiler.expressions.dependent_rows import TooLong

        try:
            found = explain(model, (), residuals, not_searched)
            # A cause exists. If it is not found, that is a bug in Cutset, and the user gets the facts.
            found = found or [_in_short(model, error, "no smaller set of them was found")]
        except TooLong:
            found = [_in_short(model, error, "the model is too large for a search for the smallest set of them")]
        raise ModelError([*others, *_with_notes(model, found)]) from error
    except ModelError as error:
        local = tuple(d for d in error.diagnostics if d.code in _LOCAL)
        if not local or model.prescribed:
            raise
        from cutset.compiler.diagnose.causes import explain
        from cutset.compiler.expressions.dependent_rows import TooLong

        try:
            found = explain(model, local, (), not_searched)
        except TooLong:
            found = []
        if not found:
            raise
        found = _with_notes(model, found)
        raise ModelError([*(d for d in error.diagnostics if d not in local), *found]) from error


def _with_notes(model: FlatModel, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """With the notes on the model, such as which joints close its loops."""
    return [replace(d, notes=(*d.notes, *(note.text for note in model.notes))) for d in found]


def closing_elements(model: FlatModel) -> dict[str, tuple[str, ...]]:
    """As `closing.closing_elements`, for a stage that needs them."""
    from cutset.compiler.diagnose import closing

    return closing.closing_elements(model)


def repeated_equations(model: FlatModel, origins: Collection[Origin]) -> tuple[Label, ...]:
    """As `repeated.repeated_equations`, for a stage that has found redundant equations."""
    from cutset.compiler.diagnose import repeated

    return repeated.repeated_equations(model, origins)


def _in_short(model: FlatModel, error: StructurallySingular | Contradiction, why: str) -> Diagnostic:
    """The facts known without a search: the equations and unknowns that a stage has named."""
    hint = "translate a smaller model of this kind, with fewer elements in its arrays: its message shows the place"
    if isinstance(error, Contradiction):
        left = tuple(f"combined, they give 0 = {r}" for r in error.residuals[:3])
        evidence = _evidence(model, _equations(model, error.origins), left, why)
        return messages.too_many("the model has equations that contradict each other", hint, evidence)
    singular, system = error.singularity, eliminate_aliases(model, partial(closing_elements, model))
    is_over = bool(singular.over_equations)
    rows = singular.over_equations if is_over else singular.under_equations
    columns = singular.over_variables if is_over else singular.under_variables
    equations = _equations(model, [system.equations[k].origin for k in rows])
    unknowns = [Label(system.unknowns[k].span, f"'{system.unknowns[k].node.data}'") for k in columns]
    named = f"unknowns: {_some([label.text for label in unknowns])}"
    evidence = _evidence(model, equations if is_over else [*unknowns, *equations], (named,) if columns else (), why)
    counts = f"{len(rows)} equations for {len(columns)} unknowns"
    if is_over:
        return messages.too_many(f"the model has too many equations: {counts}", hint, evidence)
    return messages.too_few(f"the model has too few equations: {counts}", hint, evidence)


def _equations(model: FlatModel, origins: Sequence[Origin]) -> list[Label]:
    return list({o.span: Label(o.span, f"in {o.instance or model.name}") for o in origins}.values())


def _evidence(model: FlatModel, places: Sequence[Label], notes: tuple[str, ...], why: str) -> messages.Evidence:
    return messages.Evidence(places, model.name, (*notes, why))


def _some(words: Sequence[str]) -> str:
    return abridged(words, _MOST_NAMED)
