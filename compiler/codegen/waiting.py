"""EquationSystem -> what of it no target can run yet, each at its place."""

from __future__ import annotations

from collections.abc import Iterator

from cutset.compiler.diagnostics import Label
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import EquationSystem


def waiting_for(system: EquationSystem) -> Iterator[Label]:
    """Delays."""
    for delay in system.delays:
        uses = (e.origin.span for e in system.equations if delay.node in variables_of(e.residual))
        yield from (Label(span, str(delay.node.data)) for span in list(uses)[:1])
