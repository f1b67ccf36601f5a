"""Finds superfluous equations: two for one quantity in a class, or elements that meet directly."""

from __future__ import annotations

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnose.counts import size
from cutset.compiler.diagnose.evidence import MOST_EQUATIONS
from cutset.compiler.diagnose.groups import Group
from cutset.compiler.diagnose.matrix import EQUAL, WRITTEN
from cutset.compiler.diagnose.messages import Evidence
from cutset.compiler.diagnose.wording import Wording, listed, short
from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.expressions.dependent_rows import dependent_rows
from cutset.compiler.expressions.pool import Expr
from cutset.contract.abridged import quoted

# If a group has more undetermined unknowns, its place gives no hint.
_MOST_OPEN = 8


def duplicated(words: Wording, group: Group) -> Diagnostic | None:
    """Two equations `x = ...` for one x in a submodel of the user's own class (library classes are assumed to be
    correct), in a large group. Removing one of them fixes the model, since the equations of the group depend on each
    other."""
    if words.equation_count(group.rows) <= MOST_EQUATIONS:
        return None
    matrix, model = words.matrix, words.model
    first: dict[Expr, int] = {}
    twice: dict[str, tuple[Span, Span, str]] = {}
    for row in group.rows:
        e = matrix.equation[row]
        if matrix.kind[row] != WRITTEN or words.has_slope(row) or not words.is_own(words.span(row)):
            continue
        leaf = model.equations[e].left.elements[0]
        if leaf.op != "variable":
            continue
        before = first.setdefault(leaf, e)
        if before != e and words.instance(row) == model.equations[before].instance:
            twice[str(leaf.data)] = model.equations[before].span, words.span(row), words.instance(row)
    if len(twice) != len(group.equations):
        return None
    before_span, span, _ = next(iter(twice.values()))
    surplus = f"{len(twice)} equations" if len(twice) > 1 else "1 equation"
    places = [Label(span, ""), Label(before_span, "and here")]
    instances = dict.fromkeys(path or model.name for *_, path in twice.values())
    hint = f"remove one of them: '{before_span.text}' or '{span.text}'"
    names = f"{'each of ' if len(twice) > 1 else ''}{quoted(list(twice), 4)}"
    return messages.given_twice(names, surplus, hint, Evidence(places, ", ".join(instances), ()))


def added_to_parts(words: Wording, group: Group) -> list[Label]:
    """The equations of the object itself in a large set of dependent equations, if all others are those of its
    submodels and connections: without them nothing is superfluous."""
    if words.equation_count(group.rows) <= MOST_EQUATIONS:
        return []
    own = [i for i in group.rows if words.matrix.kind[i] == WRITTEN and not words.instance(i)]
    if len(group.equations) > 1:
        left = [words.matrix.rows[i] for i in group.rows if i not in own]
        if len(own) != len(group.equations) or dependent_rows(left, range(len(left))):
            return []
    return words.own_text(own)


def joined_twice(words: Wording, group: Group) -> tuple[list[str], list[Label]] | None:
    """Three or more cuts that are connected into one and have more across than through variables, in a large group: the
    cuts and the connections, if removing one of them would leave nothing superfluous."""
    matrix, model = words.matrix, words.model
    if words.equation_count(group.rows) <= MOST_EQUATIONS:
        return None
    rows = set(group.rows)
    for number in dict.fromkeys(model.set_of[matrix.equation[i]] for i in group.rows if matrix.kind[i] == EQUAL):
        ends = [end for end in model.sets[number].ends if end.side == "outside"]
        cuts = [model.cuts[end.instance, end.name] for end in ends]
        if len(ends) < 3 or any(size(cut.across) <= size(cut.through) for cut in cuts):
            continue
        there = {i for i in rows if model.set_of[matrix.equation[i]] == number}
        for end in ends:
            removed = {i for i in there if any(matrix.owner[j] == end.instance for j in matrix.rows[i])}
            left = [row for i, row in enumerate(matrix.rows) if i in rows - removed]
            if len(removed) < len(there) and not dependent_rows(left, range(len(left))):
                spans = dict.fromkeys(join.span for join in model.sets[number].joins)
                return [f"{e.instance}:{e.name}" for e in ends], [Label(s, "connected here") for s in reversed(spans)]
    return None


def meeting_of(words: Wording, group: Group) -> Diagnostic | None:
    """Elements that share an undetermined through variable: they meet, and both determine the other variable."""
    matrix, columns = words.matrix, group.columns
    if len(columns) > _MOST_OPEN or any(matrix.role[j] != "through" for j in columns):
        return None
    owners = words.instances((), group.unknowns[0])
    cuts = {
        (path, name): cut for (path, name), cut in words.model.cuts.items() if path in owners
        and any(matrix.columns[j] in e.value.elements for j in columns for e in cut.through or () if e.value)
    }  # fmt: skip
    met = [s for s in words.model.sets if sum((end.instance, end.name) in cuts for end in s.ends) > 1]
    if len(owners) < 2 or len(met) != 1:
        return None
    joins = [join for join in met[0].joins if {join.first.instance, join.second.instance} & set(owners)]
    across = [e.value.elements[0] for cut in cuts.values() for e in cut.across or () if e.value]
    columns_there = [j for j, v in enumerate(matrix.columns) if v in across]
    named = [f"{path}:{name}" for path, name in cuts]
    open_names = quoted([words.name(j) for j in columns], 4)
    notes = (
        *listed("connected by", [f"{span.text}  ({short(span)})" for span in dict.fromkeys(j.span for j in joins)]),
        f"not determined: {open_names}",
    )
    places = [*(Label(span, "") for span in dict.fromkeys(j.span for j in joins[-1:])), *words.places(owners)]
    quantity, other = words.quantity(columns_there, "across"), words.quantity(columns, "through")
    return messages.meeting(quoted(named), quantity, other, Evidence(places, ", ".join(owners), notes))
