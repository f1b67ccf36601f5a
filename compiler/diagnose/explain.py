"""What stages say of a model that cannot be solved -> what is wrong with it. Loads the diagnosis when it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cutset.compiler.diagnostics import ModelError
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

        found = explain(model, (), residuals)
        if not found:
            raise  # there is a cause: not to see it is a mistake of ours
        raise ModelError([*others, *found]) from error
    except ModelError as error:
        local = tuple(d for d in error.diagnostics if d.code in _LOCAL)
        if not local:
            raise
        from cutset.compiler.diagnose.causes import explain

        found = explain(model, local, ())
        if not found:
            raise
        raise ModelError([*(d for d in error.diagnostics if d not in local), *found]) from error
