"""A group of equations and unknowns -> the mistake it shows: floating, given twice, forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnose.counts import balance, table
from cutset.compiler.diagnose.groups import Group
from cutset.compiler.diagnose.matrix import EQUAL, OPEN, SUM, WRITTEN
from cutset.compiler.diagnose.messages import Evidence
from cutset.compiler.diagnose.wording import Wording, listed, some
from cutset.compiler.diagnostics import Diagnostic, Label
from cutset.compiler.expressions.point import PRIME

# Above this many, only equations of the object's own text are shown one by one.
_MOST_EQUATIONS = 14
_LONGEST_RESIDUAL = 60
# Above this many equations, these places alone.
_MOST_PLACED = 40


def explain_group(words: Wording, group: Group, residuals: Sequence[str]) -> Diagnostic:
    """The most special of the mistakes that fit; `residuals` would have to be zero for the equations to hold."""
    said = _kind_of_mistake(words, group)
    left = tuple(f"put into each other they say 0 = {r}" for r in residuals[:3] if len(r) <= _LONGEST_RESIDUAL)
    return replace(said, notes=(*left, *said.notes))


def _kind_of_mistake(words: Wording, group: Group) -> Diagnostic:
    matrix = words.matrix
    kinds = {matrix.kind[i] for i in group.rows}
    if not group.unknowns:
        return _too_many(words, group)
    if not group.equations:
        return _too_few(words, group)
    if _is_common_shift(words, group) and kinds <= {SUM, OPEN}:
        return _floating(words, group)
    if EQUAL in kinds and SUM not in kinds and _may_go_round(words, group):
        return _loop(words, group)
    if EQUAL not in kinds and kinds & {SUM, OPEN} and WRITTEN in kinds and _gives_through(words, group):
        return _cutset(words, group)
    return _dependent(words, group)


def _may_go_round(words: Wording, group: Group) -> bool:
    """Is a through variable open in each submodel of the group?"""
    matrix = words.matrix
    carrying = {matrix.owner[j] for j in group.columns if matrix.role[j] == "through"}
    return bool(carrying) and carrying.issuperset(set(words.instances(group.rows)) - {""})


def _gives_through(words: Wording, group: Group) -> bool:
    """Do the equations of the text contain through variables alone?"""
    matrix = words.matrix
    written = [i for i in group.rows if matrix.kind[i] == WRITTEN]
    return all(matrix.role[j] == "through" for i in written for j in matrix.rows[i])


def _is_common_shift(words: Wording, group: Group) -> bool:
    """May all across variables change by the same amount, and nothing else that a cut has?"""
    for circuit in group.unknowns:
        shares = {ratio for j, ratio in circuit.items() if words.matrix.role[j] == "across"}
        if len(shares) != 1 or any(words.matrix.role[j] == "through" for j in circuit):
            return False
    return True


def _floating(words: Wording, group: Group) -> Diagnostic:
    instances = words.instances([], group.columns)
    quantity = words.quantity(group.columns, "across")
    known = [path for path in words.model.classes if path and _gives_reference(words, path)]
    example = f" ('{known[0]}' is one)" if known else ""
    what = "a Ground" if quantity == "voltage" else "what fixes it"
    hint = f"connect {what}{example} to one point of this part"
    evidence = _evidence(words, group, instances, with_unknowns=False)
    plural = {"voltage": "potentials"}.get(quantity, f"{quantity}s" if quantity.isalpha() else f"values of {quantity}")
    return messages.floating(plural, words.called(instances), hint, evidence)


def _gives_reference(words: Wording, path: str) -> bool:
    """Does a submodel with one cut set an across variable by itself?"""
    matrix = words.matrix
    cuts = [cut for (instance, _), cut in words.model.cuts.items() if instance == path]
    rows = [i for i in range(len(matrix.rows)) if matrix.kind[i] == WRITTEN and words.instance(i) == path]
    return len(cuts) == 1 and any(
        len(matrix.rows[i]) == 1 and matrix.role[next(iter(matrix.rows[i]))] == "across" for i in rows
    )


def _loop(words: Wording, group: Group) -> Diagnostic:
    instances = words.instances(group.rows)
    quantity, other = words.quantity(_touched(words, group), "across"), words.quantity(group.columns, "through")
    one_cut = all(sum(key[0] == path for key in words.model.cuts) == 1 for path in instances)
    named = words.called(instances)
    what = f"{named} form a loop in which each gives its own"
    if one_cut:
        what = f"{named} each give it at one point"
    elif len(instances) == 1:
        what = f"{named} gives it between two ends that are connected to each other"
    title, apart = f"the {quantity} is given twice: {what}", not one_cut
    return messages.loop(title, other, apart, _evidence(words, group, instances))


def _cutset(words: Wording, group: Group) -> Diagnostic:
    instances = words.instances(group.rows)
    quantity = words.quantity(_touched(words, group), "through")
    reasons = words.reasons(group.rows)
    if reasons:
        title = f"the {quantity} is given twice: {words.called(instances)} gives it, but {reasons[0]}"
    else:
        title = f"the {quantity} is given twice: {words.called(instances)} give all of it that flows into one part"
    other = words.quantity(group.columns, "across")
    return messages.cutset(title, other, _evidence(words, group, instances))


def _dependent(words: Wording, group: Group) -> Diagnostic:
    instances = words.instances(group.rows, group.columns)
    names = some([words.name(j) for j in group.columns], 4)
    if _mixes_orders(words, group):
        hint = "it is a condition on the start values alone: take it away, and give start values that fulfil it"
        return messages.start_only(names, hint, _evidence(words, group, instances))
    hint = "replace one of them by an equation that says something else about the unknowns"
    if not set(group.columns) & set(_touched(words, group)):
        instances = words.instances(group.rows)
        hint = f"none of them contains {names}: something has to lead back from there (a connection, a feedback)"
    evidence = _evidence(words, group, instances)
    return messages.dependent(len(group.rows), _how(words, group), names, hint, evidence)


def _how(words: Wording, group: Group) -> str:
    """Do the equations repeat or contradict each other? With derivatives among them that is not asked."""
    if any(_has_slope(words, i) for i in group.rows):
        return "depend on each other: one of them says nothing new, or contradicts the others"
    matrix = words.matrix
    sums = [sum(factor * matrix.values[i] for i, factor in circuit.items()) % PRIME for circuit in group.equations]
    if not any(sums):
        return "repeat each other: one of them says nothing new"
    return "contradict each other: their unknowns drop out, and what is left need not be zero"


def _too_many(words: Wording, group: Group) -> Diagnostic:
    instances = words.instances(group.rows)
    surplus, rows = len(group.equations), group.rows
    names = [words.name(j) for j in sorted({j for i in rows for j in words.matrix.rows[i]})]
    what = "1 equation" if surplus == 1 else f"{surplus} equations"
    shown = f"these {len(rows)} have only {len(rows) - surplus} unknowns to determine"
    if len(rows) - surplus <= 4:
        shown = f"{len(rows)} equations for {some(names, 4) or 'no unknown'}"
    reasons, own = words.reasons(rows), words.own_text(rows)
    hint = "take one of them away, or make something a local that is a parameter"
    if any(words.matrix.kind[i] == EQUAL for i in rows) and len(instances) > 1:
        hint = f"{words.called(instances)} each determine what their connection makes one: take one of them away"
    if reasons:
        hint = "connect there what has to act so that the equation holds, or take the equation away"
        if own:
            shown = f"'{own[0].span.text}' cannot hold besides all others; {reasons[0]}"
    title = f"the model has {what} too many: {shown}"
    return messages.too_many(title, hint, _evidence(words, group, instances))


def _too_few(words: Wording, group: Group) -> Diagnostic:
    columns = group.columns
    instances = words.instances([], columns)
    missing, given = len(group.unknowns), _terminals(words, columns)
    opened = [name for name in words.open_cuts(instances) if _is_free(words, name, columns)]
    first = {*given, *_carried(words, opened)}
    names = sorted((words.name(j) for j in columns), key=lambda name: name not in first)
    idle = [words.name(j) for j in columns if not any(j in row for row in words.matrix.rows)]
    what = "1 equation" if missing == 1 else f"{missing} equations"
    title = f"the model has {what} too few: nothing determines {some(names, 4)}"
    hint = "add an equation for one of them, or a connection"
    if opened:
        whose = "its value" if len(opened) == 1 else "their values"
        hint = f"nothing is connected to {some(opened, 3)}: connect what gives {whose}"
    elif idle:
        stand = "stands" if len(idle) == 1 else "stand"
        hint = f"{some(idle, 3)} {stand} in no equation: add one, or take the name away"
    elif given:
        hint = f"{some(given, 3)} can be given from outside: {given[0]} = ..."
    return messages.too_few(title, hint, _evidence(words, group, instances))


def _is_free(words: Wording, cut: str, columns: list[int]) -> bool:
    """Does an open cut carry one of the unknowns?"""
    instance, _, name = cut.rpartition(":")
    wanted = {words.matrix.columns[j] for j in columns}
    entries = words.model.cuts[instance, name].across or ()
    return any(entry.value is not None and wanted & set(entry.value.elements) for entry in entries)


def _carried(words: Wording, cuts: list[str]) -> list[str]:
    """The names of the across variables of cuts."""
    found = []
    for cut in cuts:
        instance, _, name = cut.rpartition(":")
        entries = words.model.cuts[instance, name].across or ()
        found += [str(e.data) for entry in entries if entry.value for e in entry.value.elements]
    return found


def _terminals(words: Wording, columns: list[int]) -> list[str]:
    """Terminals among the unknowns, of submodels that bring too few equations by themselves."""
    wanted = {words.matrix.columns[j] for j in columns}
    lacking = {path for path in words.instances([], columns) if (balance(words.matrix, path) or 0) < 0}
    return [
        v.name for v in words.model.variables
        if v.kind == "terminal" and v.name.rpartition(".")[0] in lacking and wanted & set(v.value.elements)
    ]  # fmt: skip


def _mixes_orders(words: Wording, group: Group) -> bool:
    """Are there equations with and without derivatives of the same unknowns?"""
    with_slopes = [_has_slope(words, i) for i in group.rows]
    return any(with_slopes) and not all(with_slopes)


def _has_slope(words: Wording, row: int) -> bool:
    return not words.matrix.leaves[row].isdisjoint(words.model.derivatives.values())


def _touched(words: Wording, group: Group) -> list[int]:
    return sorted({j for i in group.rows for j in words.matrix.rows[i]})


def _evidence(words: Wording, group: Group, instances: list[str], with_unknowns: bool = True) -> Evidence:
    rows = sorted(group.rows, key=lambda i: _has_slope(words, i))
    own = words.own_text(rows)
    unknowns = [] if own else _declared(words, group) if instances == [""] else []
    places = own + (words.places(instances) if len(rows) <= _MOST_PLACED or not own else []) + unknowns
    equations = words.equations(rows)
    foreign = [line for line in equations if not any(label.span.text in line for label in own)]
    if len(equations) > _MOST_EQUATIONS:
        foreign = [f"{len(equations)} equations of {words.called(words.instances(rows))}"]
    open_names = [words.name(j) for j in group.columns] if with_unknowns else []
    notes = (
        *listed("equations", foreign, 8),
        *listed("connections", words.connections(rows), 4),
        *words.reasons(rows)[:4],
        *((f"not determined: {some(open_names)}",) if open_names else ()),
        *((table(words.matrix, instances),) if len(words.model.classes) > 1 else ()),
    )
    return Evidence(places, ", ".join([i or words.model.name for i in instances][:6]), notes)


def _declared(words: Wording, group: Group) -> list[Label]:
    """Where the open unknowns of the object itself are declared."""
    wanted = {words.matrix.columns[j] for j in group.columns}
    return [Label(v.span, f"'{v.name}'") for v in words.model.variables if wanted & set(v.value.elements)]
