"""What stages say of a model that cannot be solved -> what is wrong with it. Loads the diagnosis when it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.expressions.circuits import TooLong
from cutset.compiler.flatten.aliases import Contradiction
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.structure.plan import StructurallySingular

# What stages say of a single equation where the mistake may be one of the model as a whole.
_LOCAL = frozenset({"E304", "E501"})


@contextmanager
def explained(model: FlatModel) -> Iterator[None]:
    """Inside, what is found wrong with the equations of the model becomes a ModelError that names the cause. An error
    about a single equation stays as it is where no cause is found."""
    try:
        yield
    except (StructurallySingular, Contradiction) as error:
        others = error.diagnostics if isinstance(error, Contradiction) else ()
        residuals = error.residuals if isinstance(error, Contradiction) else ()
        from cutset.compiler.diagnose.causes import explain

        try:
            found = explain(model, (), residuals)
        except TooLong:
            found = [_in_short(model, error)]
        if not found:
            raise  # there is a cause: not to see it is a mistake of ours
        raise ModelError([*others, *found]) from error
    except ModelError as error:
        local = tuple(d for d in error.diagnostics if d.code in _LOCAL)
        if not local:
            raise
        from cutset.compiler.diagnose.causes import explain

        try:
            found = explain(model, local, ())
        except TooLong:
            found = []
        if not found:
            raise
        raise ModelError([*(d for d in error.diagnostics if d not in local), *found]) from error


def _in_short(model: FlatModel, error: StructurallySingular | Contradiction) -> Diagnostic:
    """What is known without a search."""
    evidence = messages.Evidence((), model.name, ("the model is too large to look for the smallest set of them",))
    hint = "translate a smaller one of its kind, with fewer elements in its arrays: what is said of that shows the place"
    if isinstance(error, Contradiction):
        return messages.too_many("the model has equations that contradict each other", hint, evidence)
    singular = error.singularity
    if singular.over_equations:
        counts = f"{len(singular.over_equations)} equations for {len(singular.over_variables)} unknowns"
        return messages.too_many(f"the model has equations too many: {counts}", hint, evidence)
    counts = f"{len(singular.under_equations)} equations for {len(singular.under_variables)} unknowns"
    return messages.too_few(f"the model has equations too few: {counts}", hint, evidence)
