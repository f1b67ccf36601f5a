"""The diagnostics of sorting and solving (E4xx structure, E5xx solution), one constructor each."""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, Label, Span

_MOST_SHOWN = 6


def too_many_equations(
    equations: list[Label], names: list[str], surplus: int, instances: list[str], reasons: list[str]
) -> Diagnostic:
    what = "equation" if surplus == 1 else "equations"
    return Diagnostic(
        "E401", f"the model has {surplus} {what} too many: {_count(len(equations), 'equation')} for {_names(names)}",
        equations[0].span if equations else None,
        "usually a quantity is given twice: a source in parallel with a source, an equation repeated, "
        "or a cut variable set besides being connected",
        ", ".join(instances[:_MOST_SHOWN]), tuple(equations[1:_MOST_SHOWN]),
        (*dict.fromkeys(reasons[:_MOST_SHOWN]), *_more(len(equations) - _MOST_SHOWN, "equation")),
    )  # fmt: skip


def too_few_equations(unknowns: list[Label], names: list[str], missing: int, instances: list[str], idle: list[str]) -> Diagnostic:
    what = "equation" if missing == 1 else "equations"
    return Diagnostic(
        "E402", f"the model has {missing} {what} too few: nothing determines {_names(names)}",
        unknowns[0].span if unknowns else None,
        "usually something is forgotten: a connection, a ground, a source, an equation" if not idle else
        "an equation that repeats others does not count: a circuit without a ground, two sources in parallel, "
        "two grounds at one node",
        ", ".join(instances[:_MOST_SHOWN]), tuple(unknowns[1:_MOST_SHOWN]),
        (*_more(len(unknowns) - _MOST_SHOWN, "submodel"), *dict.fromkeys(idle[:_MOST_SHOWN])),
    )  # fmt: skip


def index_needs_derivative(function: str, span: Span, instance: str) -> Diagnostic:
    hint = "name a function that gives its derivative: external function f(x) result y (derivative=g) ..."
    message = f"the external function '{function}' has to be differentiated, and has no derivative"
    note = "the equation holds between states, so that its derivative is needed as well"
    return Diagnostic("E299", message, span, hint, instance, notes=(note,))


def singular(unknown: str, reason: str, span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    return Diagnostic(
        "E501", f"this equation cannot be solved for '{unknown}': {reason}", span,
        "a factor that multiplies the unknown vanishes; in a mechanism: a joint with nothing behind it that has "
        "mass or inertia about its axis",
        instance, labels,
    )  # fmt: skip


def nonlinear(names: list[str], span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
    what = "this equation" if len(names) == 1 else f"these {len(names)} equations"
    return Diagnostic(
        "E502", f"{what} would have to be solved numerically for {_names(names)}", span,
        "nonlinear systems are not supported by this version yet; formulate it explicitly",
        instance, labels[: _MOST_SHOWN - 1],
    )  # fmt: skip


def _names(names: list[str]) -> str:
    if not names:
        return "no unknown"
    shown = ", ".join(f"'{n}'" for n in names[:_MOST_SHOWN])
    return shown + (f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else "")


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _more(n: int, what: str) -> tuple[str, ...]:
    return (f"and {_count(n, what)} more",) if n > 0 else ()
