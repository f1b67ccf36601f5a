"""Explains why known quantities do not determine those to be found: FlatModel, a failed stage -> Diagnostic."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from cutset.compiler.diagnose.closing import closing_elements
from cutset.compiler.diagnostics import Diagnostic, Label
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten import prescribed_messages as messages
from cutset.compiler.flatten.aliases import Contradiction, eliminate_aliases
from cutset.compiler.flatten.model import EquationSystem, FlatModel, Origin
from cutset.compiler.structure.plan import Singularity, StructurallySingular
from cutset.contract.abridged import quoted

_MOST_PLACES = 4


def unsolvable(model: FlatModel, error: StructurallySingular | Contradiction) -> Diagnostic:
    """The message about a problem without a unique solution."""
    known = [str(leaf.data) for leaf in model.prescribed]
    wanted = [name for name in model.found if not name.startswith("added(")]
    if isinstance(error, Contradiction):
        notes = [f"combined, the equations give 0 = {residual}" for residual in error.residuals[:3]]
        return messages.not_solvable(known, wanted, notes, _places(model, error.origins), model.name)
    system = eliminate_aliases(model, partial(closing_elements, model))
    return _singular(model, system, error.singularity, known, wanted)


def _singular(
    model: FlatModel, system: EquationSystem, singular: Singularity, known: list[str], wanted: list[str]
) -> Diagnostic:
    equations = [system.equations[k] for k in singular.over_equations if k < len(system.equations)]
    named = {v for e in equations for v in variables_of(e.residual)}
    prescribed = [str(v.data) for v in _driven(model) if v in named]
    open_ones = [str(system.unknowns[k].node.data) for k in singular.under_variables if k < len(system.unknowns)]
    notes = []
    if equations:
        premise = f"with {quoted(prescribed)} known, " if prescribed else ""
        rest = len(singular.over_variables)
        many = f"{len(equations)} equations" if len(equations) > 1 else "one equation"
        left = f"only {rest} unknown{'' if rest == 1 else 's'}" if rest else "no unknown"
        notes.append(f"{premise}{many} of the model {'have' if len(equations) > 1 else 'has'} {left} left")
    if open_ones:
        notes.append(f"not determined: {quoted(open_ones)}")
    places = _places(model, (e.origin for e in equations))
    return messages.not_solvable(known, wanted, notes, places, model.name)


def _driven(model: FlatModel) -> list[Expr]:
    """The known variables and their derivatives."""
    found = list(model.prescribed)
    for v in found:
        found += [model.derivatives[v]] if v in model.derivatives else []
    return found


def _places(model: FlatModel, origins: Iterable[Origin]) -> list[Label]:
    labels = {o.span: Label(o.span, f"in {o.instance or model.name}") for o in origins}
    return list(labels.values())[:_MOST_PLACES]
