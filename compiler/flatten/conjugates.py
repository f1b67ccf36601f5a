"""Deduces what is to be found instead of known quantities, from the cuts: a coordinate of a cut gives its force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten import prescribed_messages as messages
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.flatten.openings import Opening, Openings
from cutset.compiler.instantiate.instance import Cut, CutVariable


def deduced(model: FlatModel, known: Sequence[Expr], openings: Openings) -> list[Expr]:
    """One quantity for each known one: the through variable that belongs to it in a cut; for those that are in no cut,
    all inputs of the object, if there are as many. ModelError E318 if that is not clear."""
    found: dict[Expr, Expr | None] = {leaf: _conjugate(model, leaf, openings) for leaf in known}
    taken = {leaf for leaf in found.values() if leaf is not None}
    remaining = [leaf for leaf, other in found.items() if other is None]
    inputs = [leaf for leaf in openings.inputs if leaf not in taken]
    clear = len(taken) == len(known) - len(remaining)
    if remaining and len(remaining) == len(inputs) and clear:
        found |= dict(zip(remaining, inputs, strict=True))
        remaining = []
    if remaining or not clear:
        unclear = [str(leaf.data) for leaf in remaining or known]
        span = next(v.span for v in model.variables if (remaining or known)[0] in v.value.elements)
        raise ModelError([messages.nothing_deduced(unclear, openings.choices(), span, model.name)])
    return [leaf for leaf in found.values() if leaf is not None]


def _conjugate(model: FlatModel, leaf: Expr, openings: Openings) -> Expr | None:
    """The through variable that belongs to the leaf in the cuts that contain it, if there is one that can be found."""
    own = str(leaf.data).rpartition(".")[0]
    cuts = [cut for (instance, _), cut in model.cuts.items() if instance == own]
    partners = dict.fromkeys(other for cut in cuts for other in _partners(cut, leaf))
    usable = [other for other in partners if isinstance(openings.of(other), Opening)]
    return openings.wholes.get(usable[0], usable[0]) if len(usable) == 1 else None


def _partners(cut: Cut, leaf: Expr) -> Iterator[Expr]:
    """The through variable at the same position as the leaf, or the only one that each cut of this class needs."""
    across = cut.across or ()
    places = [(j, k) for j, entry in enumerate(across) if entry.value for k in _places(entry, leaf)]
    if not places:
        return
    (j, k), through = places[0], cut.through or ()
    least = cut.cut_class.least[1] if cut.cut_class is not None else 0
    needed = through[:least] or through
    partner = needed[0] if len(needed) == 1 else needed[j] if len(needed) == len(across) else None
    if partner is not None and partner.value is not None and partner.value.shape == across[j].value.shape:  # type: ignore[union-attr]
        yield partner.value.elements[k]


def _places(entry: CutVariable, leaf: Expr) -> list[int]:
    return [k for k, element in enumerate(entry.value.elements) if element is leaf] if entry.value is not None else []
