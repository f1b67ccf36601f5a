"""The diagnostics of code generation (E51x), one constructor each."""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, Label

_MOST_SHOWN = 8


def not_run(constructs: tuple[Label, ...]) -> Diagnostic:
    first, *others = constructs
    more = len(constructs) - _MOST_SHOWN
    notes = (f"and {more} more",) if more > 0 else ()
    return Diagnostic(
        "E510", f"this version translates events but does not run them yet: {first.text}", first.span,
        "the model can be checked, inspected and dumped (cutset check, inspect, translate --dump)", "",
        tuple(others[: _MOST_SHOWN - 1]), notes,
    )  # fmt: skip
