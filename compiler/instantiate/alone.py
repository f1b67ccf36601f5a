"""Classes checked each by itself: what is wrong whatever their parameters are and whatever they are connected to.

A class that others inherit may use names that these bring, so it is checked as a part of them.

Must not judge whether the equations determine the unknowns, which they need not do before anything is connected.
"""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, ModelError
from cutset.compiler.instantiate.instantiate import attempt, in_order
from cutset.compiler.instantiate.library import Library

# Values of parameters without defaults. What is said with both of these has not to do with the values: ones fit as
# sizes and indices, and primes make no difference zero by accident.
_ONES = (1.0,)
_PRIMES = (2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0)


def check_classes(library: Library) -> tuple[str, ...]:
    """The names of the classes of the library's own file, all right. Raises ModelError with what is wrong in any."""
    inherited = {r.name.rpartition(".")[2] for c in library.classes.values() for r in c.supers}
    own = [c for c in library.classes.values() if c.span.source is library.source and not c.is_object]
    diagnostics: list[Diagnostic] = []
    for declared in [c for c in own if c.name not in inherited]:
        _, with_ones = attempt(library, declared, assumed=_ONES)
        if with_ones:
            _, with_primes = attempt(library, declared, assumed=_PRIMES)
            places = {(d.code, d.span) for d in with_primes}
            diagnostics += [d for d in with_ones if (d.code, d.span) in places]
    if diagnostics:
        raise ModelError(in_order(diagnostics))
    return tuple(c.name for c in own)
