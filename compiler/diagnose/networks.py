"""Explains a group of equations and unknowns: floating, determined twice, or forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnose.counts import balance
from cutset.compiler.diagnose.drives import drive_line
from cutset.compiler.diagnose.evidence import evidence_of
from cutset.compiler.diagnose.groups import Group
from cutset.compiler.diagnose.matrix import EQUAL, OPEN, SUM, WRITTEN
from cutset.compiler.diagnose.messages import Evidence
from cutset.compiler.diagnose.surplus import added_to_parts, duplicated, joined_twice, meeting_of
from cutset.compiler.diagnose.trial import mended_by_closing, mended_by_connecting
from cutset.compiler.diagnose.wording import Wording, gathered, in_short, listed, mentions, short
from cutset.compiler.diagnostics import Diagnostic, Label
from cutset.compiler.expressions.finite_field_evaluation import PRIME
from cutset.compiler.instantiate.instance import InactiveBranches
from cutset.contract.abridged import quoted
from cutset.contract.names import rpartition

_LONGEST_RESIDUAL = 60
_REPEATED = "repeat each other: one of them is redundant"


def explain_group(words: Wording, group: Group, residuals: Sequence[str]) -> Diagnostic:
    """The most specific error that fits; `residuals` would have to be zero for the equations to hold."""
    line = drive_line(words, group)
    if line is not None:
        return line
    diagnostic = _kind_of_mistake(words, group)
    left = tuple(f"combined, they give 0 = {r}" for r in residuals[:3] if len(r) <= _LONGEST_RESIDUAL)
    missing = unchosen_notes(words, group) if diagnostic.code != "E413" else ()
    return replace(diagnostic, notes=(*left, *missing, *diagnostic.notes))


def _kind_of_mistake(words: Wording, group: Group) -> Diagnostic:
    matrix = words.matrix
    kinds = {matrix.kind[i] for i in group.rows}
    repeated = duplicated(words, group)
    if repeated is not None:
        return repeated
    if not any(matrix.rows[i] for i in group.rows) and _have_dropped(words, group):
        return _drops_out(words, group)
    if not group.unknowns:
        return _too_many(words, group)
    if not group.equations:
        return too_few(words, group)
    if _is_common_shift(words, group) and kinds <= {SUM, OPEN}:
        return _floating(words, group)
    if EQUAL in kinds and SUM not in kinds and _may_go_round(words, group):
        return _loop(words, group)
    if EQUAL not in kinds and kinds & {SUM, OPEN} and WRITTEN in kinds and _gives_through(words, group):
        return _cutset(words, group)
    return meeting_of(words, group) or _dependent(words, group)


def _have_dropped(words: Wording, group: Group) -> bool:
    """True if each equation contains an undetermined unknown as written, which cancels."""
    return bool(group.rows) and all(set(group.columns).intersection(words.matrix.dropped[i]) for i in group.rows)


def _drops_out(words: Wording, group: Group) -> Diagnostic:
    named = {j for i in group.rows for j in words.matrix.dropped[i]}
    names = [words.name(j) for j in group.columns if j in named]
    others = [words.name(j) for j in group.columns if j not in named]
    evidence = evidence_of(words, group, words.instances(group.rows, group.columns), with_unknowns=False)
    if others:
        evidence = replace(evidence, notes=(*evidence.notes, f"also not determined: {quoted(others)}"))
    return messages.drops_out(len(group.rows), quoted(names, 4), len(names) == 1, evidence)


def _may_go_round(words: Wording, group: Group) -> bool:
    """True if a through variable is undetermined in each submodel of the group."""
    matrix = words.matrix
    carrying = {matrix.owner[j] for j in group.columns if matrix.role[j] == "through"}
    return bool(carrying) and carrying.issuperset(set(words.instances(group.rows)) - {""})


def _gives_through(words: Wording, group: Group) -> bool:
    """True if the written equations contain through variables only."""
    matrix = words.matrix
    written = [i for i in group.rows if matrix.kind[i] == WRITTEN]
    return all(matrix.role[j] == "through" for i in written for j in matrix.rows[i])


def _is_common_shift(words: Wording, group: Group) -> bool:
    """True if all across variables may change by the same amount, and no other variable of a cut."""
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
    what = "a Ground" if quantity == "voltage" else f"an element that fixes the {quantity}"
    hint = f"connect {what}{example} to one point of this part"
    evidence = evidence_of(words, group, instances, with_unknowns=False)
    plural = {"voltage": "potentials"}.get(quantity, f"{quantity}s" if quantity.isalpha() else f"values of {quantity}")
    return messages.floating(plural, words.called(instances), hint, evidence)


def _gives_reference(words: Wording, path: str) -> bool:
    """True if a submodel with one cut determines an across variable by itself."""
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
    joints = [
        path for path in instances if sum(i == path and cut.is_frame for (i, _), cut in words.model.cuts.items()) > 1
    ]
    if len(joints) > 1:
        ties = [path for path in instances if path not in joints]
        between = f"{words.called(ties)} {'ties' if len(ties) == 1 else 'tie'}" if ties else "a connection ties"
        return messages.tied_joints(words.called(joints), between, evidence_of(words, group, instances))
    named = words.called(instances)
    what = f"{named} form a loop, and each prescribes its own"
    if one_cut:
        what = f"{named} each prescribe it at one point"
    elif len(instances) == 1:
        what = f"{named} prescribes it between two cuts that are connected to each other"
    title, apart = f"the {quantity} is prescribed twice: {what}", not one_cut
    return messages.loop(title, other, apart, evidence_of(words, group, instances))


def _cutset(words: Wording, group: Group) -> Diagnostic:
    instances = words.instances(group.rows)
    quantity = words.quantity(_touched(words, group), "through")
    reasons = words.reasons(group.rows)
    if reasons:
        title = f"the {quantity} is prescribed twice: {words.called(instances)} prescribes it, but {reasons[0]}"
    else:
        title = (
            f"the {quantity} is prescribed twice: {words.called(instances)} prescribe all of it that enters one part"
        )
    other = words.quantity(group.columns, "across")
    return messages.cutset(title, other, evidence_of(words, group, instances))


def _dependent(words: Wording, group: Group) -> Diagnostic:
    instances = words.instances(group.rows, group.columns)
    names = quoted([words.name(j) for j in group.columns], 4)
    if _mixes_orders(words, group):
        hint = "it is only a condition on the start values: remove it, and give start values that satisfy it"
        return messages.start_only(names, hint, evidence_of(words, group, instances))
    hint = "replace one of them by an independent equation for the unknowns"
    if not set(group.columns) & set(_touched(words, group)):
        instances = words.instances(group.rows)
        hint = f"none of them contains {names}: add an equation or a connection that leads back from there (a feedback)"
    evidence = evidence_of(words, group, instances)
    return messages.dependent(len(group.rows), _how(words, group), names, hint, evidence)


def _how(words: Wording, group: Group) -> str:
    """Whether the equations repeat or contradict each other, in words; undecided if they contain derivatives."""
    if any(words.has_slope(i) for i in group.rows):
        return "depend on each other: one of them is redundant or contradicts the others"
    matrix = words.matrix
    sums = [sum(factor * matrix.values[i] for i, factor in circuit.items()) % PRIME for circuit in group.equations]
    if not any(sums):
        return _REPEATED
    return "contradict each other: their unknowns cancel, and the rest is not always zero"


def _too_many(words: Wording, group: Group) -> Diagnostic:
    instances = words.instances(group.rows)
    surplus, rows = len(group.equations), group.rows
    what = "1 equation" if surplus == 1 else f"{surplus} equations"
    added = added_to_parts(words, group)
    joined = None if added else joined_twice(words, group)
    if joined is not None:
        cuts, places = joined
        title = f"the model has {what} too many: {quoted(cuts)} meet, and more than one prescribes the value there"
        evidence = Evidence([*places, *words.places(rpartition(cut, ":")[0] for cut in cuts)], in_short(cuts, 6), ())
        return messages.too_many(title, "connect one of them elsewhere", evidence)
    names = [words.name(j) for j in _touched(words, group)]
    shown = f"these {len(rows)} equations contain only {len(rows) - surplus} unknowns"
    if len(rows) - surplus <= 4:
        shown = f"{len(rows)} equations for {quoted(names, 4)}" if names else _of_nothing(words, rows)
    reasons, own = words.reasons(rows), words.own_text(rows)
    hint = "remove one of them, or change a parameter to a local variable"
    if not names:
        hint = "it contains only known values: remove it, or declare the variable that it should determine as local"
        if any(words.matrix.dropped[i] for i in rows):
            hint = "remove it, or correct it so that the unknowns do not cancel"
    if any(words.matrix.kind[i] == EQUAL for i in rows) and len(instances) > 1:
        hint = f"{words.called(instances)} each determine a value that their connection makes equal: remove one of them"
    if reasons:
        hint = "connect an element that acts there, or remove the equation"
        if own:
            shown = f"'{own[0].span.text}' cannot hold together with the other equations; {reasons[0]}"
    elif added:
        hint = "remove it, or replace an element by one that leaves open what it determines"
        called = f"'{added[0].span.text}'"
        if added[0].span.text.isidentifier():  # in the parentheses of a submodel
            hint = (
                f"{called} is a variable, not a parameter: its value is an equation; remove it, or give a start value"
            )
            called = f"the value given to {called}"
        shown = f"the submodels and their connections leave nothing open that {called} could determine"
    title = f"the model has {what} too many: {shown}"
    evidence = evidence_of(words, group, instances)
    if len(rows) > 1 and {words.matrix.kind[i] for i in rows} == {WRITTEN} and _how(words, group) == _REPEATED:
        evidence = replace(evidence, notes=(f"they {_REPEATED}", *evidence.notes))
    return messages.too_many(title, hint, evidence)


def _of_nothing(words: Wording, rows: list[int]) -> str:
    texts = [label.span.text for label in words.own_text(rows)]
    dropped = [words.name(j) for j in sorted({j for i in rows for j in words.matrix.dropped[i]})]
    if dropped and len(rows) == 1 and texts:
        return f"{quoted(dropped, 4)} {'cancels' if len(dropped) == 1 else 'cancel'} in '{texts[0]}'"
    return f"'{texts[0]}' has no unknown" if len(rows) == 1 and texts else f"{len(rows)} equations have no unknown"


def _mixes_orders(words: Wording, group: Group) -> bool:
    """True if there are equations with and without derivatives of the same unknowns."""
    with_slopes = [words.has_slope(i) for i in group.rows]
    return any(with_slopes) and not all(with_slopes)


def _touched(words: Wording, group: Group) -> list[int]:
    """The unknowns in the equations of a group."""
    return sorted({j for i in group.rows for j in words.matrix.rows[i]})


# --- forgotten ------------------------------------------------------------------------------------


def too_few(words: Wording, group: Group) -> Diagnostic:
    """The undetermined unknowns, starting with the one that most likely should have been given."""
    columns, missing = group.columns, len(group.unknowns)
    instances = words.instances([], columns)
    idle = [words.name(j) for j in columns if not any(j in row for row in words.matrix.rows)]
    given = _terminals(words, columns)
    opened = _forgotten_connections(words, instances)
    choices = words.inactive_branches(columns)
    if choices and not opened:
        return none_fits(words, group, choices)
    # Submodels with unknowns but without equations and submodels, except for library classes.
    empty = [path for path in instances if path and path not in words.not_silent]
    lead, cause, hint = [], "", "add an equation for one of them, or a connection"
    unsaid = _in_no_own_equation(words, columns)
    if 0 < len(unsaid) <= missing:
        lead, cause = (
            unsaid,
            f"{quoted(unsaid, 3)} {'is' if len(unsaid) == 1 else 'are'} in no equation of "
            f"{words.described(_owners(words, columns, unsaid))}",
        )
        hint = "add an equation for it to the class"
    if empty:
        lead = [words.name(j) for j in columns if words.matrix.owner[j] in empty]
        cause = f"{words.described(empty)} {'has' if len(empty) == 1 else 'have'} no equation"
        hint = "add the equations to the class"
    if idle:
        lead, cause = idle, f"{quoted(idle, 3)} {'is' if len(idle) == 1 else 'are'} in no equation"
        hint = "add an equation, or remove the declaration"
    if given:
        lead, cause = given[:missing], f"{quoted(given[:missing], 3)} {'has' if missing == 1 else 'have'} no value"
        hint = f"give it a value where '{rpartition(given[0])[0]}' is used: {given[0]} = ..."
    if opened:
        lead, cause = _carried(words, opened, columns), f"nothing is connected to {quoted(opened, 3)}"
        hint = f"connect an element that determines {'its value' if len(opened) == 1 else 'their values'}"
        hint += f", or write an equation for it: {lead[0]} = ..." if len(lead) == 1 else ""
    if not cause and (lone := _lone_cuts(words, instances)):
        cut, node = lone[0]
        lead = _flows(words, cut, columns)
        cause = f"'{cut[0]}:{cut[1]}' is the only cut at the node '{node}'"
        hint = f"connect another cut to '{node}', or leave this cut unconnected: then it has no flow"
    what = "1 equation" if missing == 1 else f"{missing} equations"
    open_names = quoted(lead or [words.name(j) for j in columns], 4)
    title = f"the model has {what} too few: nothing determines {open_names}"
    if cause and all(f"'{name}'" in cause for name in lead):
        title = f"{cause}: {what} too few"
    elif cause:
        title = f"{cause}, so nothing determines {open_names}: {what} too few"
    return messages.too_few(title, hint, evidence_of(words, group, instances, lead=lead))


def _forgotten_connections(words: Wording, instances: Sequence[str]) -> list[str]:
    """The open cuts of those submodels for which a connection would fix the model. Submodels of one class with the same
    open cuts are tried once."""
    found: list[str] = []
    tried = words.tried
    for path in instances:
        names = tuple(rpartition(cut, ":")[2] for cut in words.open_cuts([path]))
        key = words.model.classes[path], names
        if names and key not in tried:
            tried[key] = mended_by_connecting(words.matrix, [(path, name) for name in names])
        if names and tried[key]:
            found += [f"{path}:{name}" for name in names]
    return found


def _lone_cuts(words: Wording, instances: Sequence[str]) -> list[tuple[tuple[str, str], str]]:
    """Cuts that are alone at a node, where no sum is formed, and where a sum would fix the model; each with the
    node."""
    found = []
    for connection in words.model.sets:
        cuts = [(end.instance, end.name) for end in connection.ends if end.side == "outside"]
        nodes = [f"{end.instance}.{end.name}".lstrip(".") for end in connection.ends if end.side == "node"]
        is_lone = len(cuts) == 1 and len(nodes) + 1 == len(connection.ends) and nodes and cuts[0][0] in instances
        if is_lone and not _is_spoken_of(words, cuts[0]) and mended_by_closing(words.matrix, cuts[0]):
            found.append((cuts[0], nodes[0]))
    return found


def _is_spoken_of(words: Wording, cut: tuple[str, str]) -> bool:
    """True if an equation of another submodel contains a variable of the cut. Then it is alone on purpose: something
    else drives the node."""
    matrix = words.matrix
    across = {e for entry in words.model.cuts[cut].across or () if entry.value for e in entry.value.elements}
    return any(
        kind == WRITTEN and words.instance(i) != cut[0] and across & matrix.leaves[i]
        for i, kind in enumerate(matrix.kind)
    )


def _flows(words: Wording, cut: tuple[str, str], columns: list[int]) -> list[str]:
    """The names of the through variables of a cut among the unknowns."""
    wanted = {words.matrix.columns[j] for j in columns}
    entries = words.model.cuts[cut].through or ()
    return [str(e.data) for entry in entries if entry.value for e in entry.value.elements if e in wanted]


def _in_no_own_equation(words: Wording, columns: Sequence[int]) -> list[str]:
    """Through and carried variables that occur only in connections, for submodels of the user's own classes that have
    equations. A source need not determine its through variables; library classes are assumed to be correct."""
    matrix = words.matrix
    return [words.name(j) for j in columns if matrix.columns[j] in words.open_flows and matrix.owner[j]]


def _owners(words: Wording, columns: Sequence[int], names: Sequence[str]) -> list[str]:
    """The submodels that the names belong to; a variable of a cut, `d.joint.q`, belongs to the submodel with the
    cut."""
    return list(dict.fromkeys(words.matrix.owner[j] for j in columns if words.name(j) in names))


def _carried(words: Wording, cuts: list[str], columns: list[int]) -> list[str]:
    """The names of the unknowns in these cuts."""
    wanted = {words.matrix.columns[j] for j in columns}
    found = []
    for cut in cuts:
        instance, _, name = rpartition(cut, ":")
        entries = words.model.cuts[instance, name].across or ()
        found += [str(e.data) for entry in entries if entry.value for e in entry.value.elements if e in wanted]
    return found


def _terminals(words: Wording, columns: list[int]) -> list[str]:
    """Undetermined terminals that no other submodel uses, and that their own submodel does not set: it has no equation
    `x = ...`, or too few equations for all its cuts."""
    matrix, found = words.matrix, []
    wanted = {matrix.columns[j] for j in columns}
    for variable in words.model.variables:
        if variable.kind != "terminal" or wanted.isdisjoint(variable.value.elements):
            continue
        path, leaves = rpartition(variable.name)[0], set(variable.value.elements)
        if not path:
            continue
        rows = [i for i, kind in enumerate(matrix.kind) if kind == WRITTEN and leaves & matrix.leaves[i]]
        own = [words.model.equations[matrix.equation[i]] for i in rows if words.instance(i) == path]
        is_given = any(leaves & set(equation.left.elements) for equation in own)
        if len(own) == len(rows) and (not is_given or (balance(matrix, path) or 0) < 0):
            found.append(variable.name)
    return found


# --- branches that are inactive -------------------------------------------------------------------


def none_fits(words: Wording, group: Group, choices: Sequence[InactiveBranches]) -> Diagnostic:
    """The undetermined unknowns, starting with the conditions; those of one class once."""
    instances = [choice.instance for choice in choices]
    names = [words.name(j) for j in group.columns]
    open_names = [name for name in names if any(mentions(choice, name) for choice in choices)]
    places = []
    for conditions in dict.fromkeys(choice.conditions for choice in choices):
        places += [Label(span, "this is false" if k == 0 else "this is false too") for k, span in enumerate(conditions)]
    evidence = evidence_of(words, group, instances, lead=open_names)
    values = gathered((", ".join(choice.values), choice.instance) for choice in choices if choice.values)
    notes = listed("the values are", values, 8) + evidence.notes
    return messages.none_fits(
        quoted([path or words.model.name for path in instances], 3), quoted(open_names, 4), len(group.unknowns),
        messages.Evidence(places, evidence.instances, notes),
    )  # fmt: skip


def unchosen_notes(words: Wording, group: Group) -> tuple[str, ...]:
    """For other messages: a line for each `if` without a taken branch that contains the undetermined unknowns."""
    lines = gathered(
        (f"{' and '.join(c.text for c in choice.conditions)}  ({short(choice.conditions[0])}): "
         f"{', '.join(choice.values)}", choice.instance)
        for choice in words.inactive_branches(group.columns)
    )  # fmt: skip
    return listed("no branch of an 'if' around equations is taken, because none of its conditions holds", lines, 4)
