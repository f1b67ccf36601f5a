"""Unrolls the `for` and decides the `if` of a class: yields the remaining statements, each with the scope of its round.

Does not evaluate equations or change values of parameters. A loop ends with the first round that reports an error: the
others would only repeat it.

The parameters of a condition become structural. They must be folded from the beginning, since other expressions may
contain them already when the condition is read. So the first attempt collects their names and `instantiate` restarts
with them, as often as conditions are nested.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.array import scalar
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import REAL, InactiveBranches
from cutset.compiler.instantiate.names.meanings import EventCall, Index, Member, Time, Variable
from cutset.compiler.instantiate.tree.declarations import parameter_value
from cutset.compiler.instantiate.tree.scope import Within
from cutset.compiler.instantiate.values.evaluate import Evaluator, evaluate
from cutset.compiler.syntax import tree

_MOST = 100_000


Unrolled = tree.Equation | tree.If | tree.Connect | tree.When | tree.Initial | tree.Assertion | InactiveBranches


def iterations(here: Within, index: tree.ForIndex) -> Iterator[Within]:
    """The scope of each round of a `for`; a range that ends before it starts has none. The rounds of a translation are
    limited, so that `1..1e9` ends in a message."""
    translation = here.translation
    declared = here.node.body.variables.get(index.name)
    if declared is not None or index.name in (*here.indices, "time", "true", "false"):
        here.report(messages.index_taken(index.name, index.span, declared.span if declared else None, here.instance))
        return
    try:
        numbers = Evaluator(here).rounds(index.range)
    except ModelError as error:
        here.report(*error.diagnostics)
        return
    translation.repetitions += max(0, -((numbers.start - numbers.stop) // numbers.step))
    if translation.repetitions > _MOST:
        here.report(messages.too_many_rounds(_MOST, index.range.span, here.instance))
        return
    reported = len(translation.diagnostics)
    for k in numbers:
        yield replace(here, indices={**here.indices, index.name: scalar(here.pool.constant(k))})
        if len(translation.diagnostics) > reported:
            return


def holds(here: Within, condition: tree.Expression, what: str) -> bool | None:
    """Whether a condition on parameters is true; None after a diagnostic, or if its parameters must be folded first."""
    value = parameter_value(here, condition, what)
    if value is None:
        return None
    if value.shape:
        here.report(messages.wrong_shape(f"{what} must be a scalar", condition.span, here.instance))
        return None
    try:
        return here.number(value.scalar, what, condition.span) != 0
    except ModelError as error:
        here.report(*error.diagnostics)
        return None


def unrolled(here: Within, members: Iterable[tree.Statement]) -> Iterator[tuple[Within, Unrolled]]:
    """All statements in the order of the text; blocks such as `when` as one. Recursion is over the nesting of blocks,
    which the parser limits."""
    for member in members:
        if isinstance(member, tree.For):
            for inner in iterations(here, member.index):
                yield from unrolled(inner, member.members)
        elif isinstance(member, tree.If):
            taken = chosen(here, member)
            if taken is None:
                yield here, inactive_branches(here, member)
            elif isinstance(taken, tree.If):
                yield here, taken
            else:
                yield from unrolled(here, taken)
        elif not isinstance(member, tree.Assignment | tree.While):  # these occur in functions only
            yield here, member


def chosen(here: Within, choice: tree.If) -> tuple[tree.Statement, ...] | tree.If | None:
    """The members of the first branch whose condition is true, None if all are false; none after a diagnostic. If a
    run chooses equations, an `if` of the branches that it may choose."""
    left: list[tree.Branch] = []
    may_vary = all(map(_is_chosen_by_runs, (m for branch in choice.branches for m in tree.with_inner(branch.members))))
    for branch in choice.branches:
        if branch.condition is not None and may_vary and varies(here, branch.condition):
            left.append(branch)
            continue
        decided = branch.condition is None or holds(here, branch.condition, "the condition of this 'if'")
        if decided is None:
            return ()
        if decided and not left:
            return branch.members
        if decided:
            left.append(replace(branch, condition=None))
            break
    return replace(choice, branches=tuple(left)) if left else None


def _is_chosen_by_runs(member: tree.Member) -> bool:
    if isinstance(member, tree.Equation):
        parts = member.left.parts if isinstance(member.left, tree.Reference) else ()
        return not member.is_closed and not (len(parts) == 1 and parts[0].name in ("new", "init"))
    return isinstance(member, tree.Assertion | tree.For | tree.If)


def varies(here: Within, condition: tree.Expression) -> bool:
    """True if a name in the text of the condition varies in time. Its value may not, as in `time > 1 and enabled`."""
    for reference in tree.references(condition):
        name = reference.parts[0].name
        match here.meaning(reference):
            case Time() | Member():
                return True
            case EventCall() if name in ("sample", "edge", "initial", "terminal", "change"):
                return True
            case Variable() if here.node.body.variables[name].kind not in ("parameter", "constant"):
                return True
    return False


# --- inactive branches ----------------------------------------------------------------------------


def inactive_branches(here: Within, choice: tree.If) -> InactiveBranches:
    """The facts about an `if` whose conditions are all false."""
    conditions = [branch.condition for branch in choice.branches if branch.condition is not None]
    values = dict.fromkeys(text for reference in tree.references(*conditions) if (text := _value(here, reference)))
    names = _names_in(tuple(branch.members for branch in choice.branches))
    return InactiveBranches(
        tuple(condition.span for condition in conditions), tuple(values), frozenset(names), here.node.path
    )


def _value(here: Within, reference: tree.Reference) -> str:
    """`kind = 3`; empty unless it is a parameter, constant or index."""
    node, name = here.node, reference.parts[0].name
    if len(reference.parts) == 1 and not isinstance(here.meaning(reference), Variable | Index):
        return ""
    try:
        value = evaluate(reference, here)
        number = here.number(value.scalar, "this", reference.span) if not value.shape else None
    except ModelError:
        return ""
    if number is None:
        return ""
    if name in here.indices:
        return f"{name} = {number:g}"
    declared = node.body.variables.get(name) if len(reference.parts) == 1 else None
    if declared is None and name not in node.body.submodels:
        return ""  # a literal of an enumeration
    written = "".join(reference.span.text.split())
    shown = ((declared.type if declared else None) or REAL).shown(number)
    given = " (set for this run)" if node.full_name(written) in here.translation.values else ""
    return f"{written} = {shown}{given}"


def _names_in(members: Any) -> set[str]:
    """All names in some statements, without indices; for the parts of a connection the submodel or cut."""
    found: set[str] = set()
    stack = [members]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack += node
            continue
        if isinstance(node, tree.Reference | tree.PointReference):
            found.add(".".join(part.name for part in node.parts))
        stack += [getattr(node, name) for name in getattr(node, "__dataclass_fields__", ()) if name != "span"]
    return found
