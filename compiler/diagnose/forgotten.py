"""Finds what is missing if unknowns are undetermined: a connection, a given value, an equation."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnose.counts import balance
from cutset.compiler.diagnose.evidence import evidence_of
from cutset.compiler.diagnose.groups import Group
from cutset.compiler.diagnose.inactive_branches import none_fits
from cutset.compiler.diagnose.matrix import WRITTEN
from cutset.compiler.diagnose.trial import mended_by_closing, mended_by_connecting
from cutset.compiler.diagnose.wording import Wording, some
from cutset.compiler.diagnostics import Diagnostic


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
    empty = _without_equations(words, instances)
    lead, cause, hint = [], "", "add an equation for one of them, or a connection"
    unsaid = _in_no_own_equation(words, columns)
    if 0 < len(unsaid) <= missing:
        lead, cause = (
            unsaid,
            f"{some(unsaid, 3)} {'is' if len(unsaid) == 1 else 'are'} in no equation of "
            f"{words.described(_owners(words, columns, unsaid))}",
        )
        hint = "add an equation for it to the class"
    if empty:
        lead = [words.name(j) for j in columns if words.matrix.owner[j] in empty]
        cause = f"{words.described(empty)} {'has' if len(empty) == 1 else 'have'} no equation"
        hint = "add the equations to the class"
    if idle:
        lead, cause = idle, f"{some(idle, 3)} {'is' if len(idle) == 1 else 'are'} in no equation"
        hint = "add an equation, or remove the declaration"
    if given:
        lead, cause = given[:missing], f"{some(given[:missing], 3)} {'has' if missing == 1 else 'have'} no value"
        hint = f"give it a value where '{given[0].rpartition('.')[0]}' is used: {given[0]} = ..."
    if opened:
        lead, cause = _carried(words, opened, columns), f"nothing is connected to {some(opened, 3)}"
        hint = f"connect an element that determines {'its value' if len(opened) == 1 else 'their values'}"
        hint += f", or write an equation for it: {lead[0]} = ..." if len(lead) == 1 else ""
    if not cause and (lone := _lone_cuts(words, instances)):
        cut, node = lone[0]
        lead = _flows(words, cut, columns)
        cause = f"'{cut[0]}:{cut[1]}' is the only cut at the node '{node}'"
        hint = f"connect another cut to '{node}', or leave this cut unconnected: then it has no flow"
    what = "1 equation" if missing == 1 else f"{missing} equations"
    open_names = some(lead or [words.name(j) for j in columns], 4)
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
        names = tuple(cut.rpartition(":")[2] for cut in words.open_cuts([path]))
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
    """Through variables that occur only in connections, for submodels of the user's own classes that have equations. A
    source need not determine its through variables; library classes are assumed to be correct."""
    matrix = words.matrix
    return [words.name(j) for j in columns if matrix.columns[j] in words.open_flows and matrix.owner[j]]


def _owners(words: Wording, columns: Sequence[int], names: Sequence[str]) -> list[str]:
    """The submodels that the names belong to; a variable of a cut, `d.joint.q`, belongs to the submodel with the
    cut."""
    return list(dict.fromkeys(words.matrix.owner[j] for j in columns if words.name(j) in names))


def _without_equations(words: Wording, instances: Sequence[str]) -> list[str]:
    """Submodels with unknowns but without equations and submodels, except for library classes."""
    return [path for path in instances if path and path not in words.not_silent]


def _carried(words: Wording, cuts: list[str], columns: list[int]) -> list[str]:
    """The names of the unknowns in these cuts."""
    wanted = {words.matrix.columns[j] for j in columns}
    found = []
    for cut in cuts:
        instance, _, name = cut.rpartition(":")
        entries = words.model.cuts[instance, name].across or ()
        found += [str(e.data) for entry in entries if entry.value for e in entry.value.elements if e in wanted]
    return found


def _terminals(words: Wording, columns: list[int]) -> list[str]:
    """Undetermined terminals that no other submodel uses, and that their own submodel does not set: it has no equation
    `x
    = ...`, or too few equations for all its cuts."""
    matrix, found = words.matrix, []
    wanted = {matrix.columns[j] for j in columns}
    for variable in words.model.variables:
        if variable.kind != "terminal" or wanted.isdisjoint(variable.value.elements):
            continue
        path, leaves = variable.name.rpartition(".")[0], set(variable.value.elements)
        if not path:
            continue
        rows = [i for i, kind in enumerate(matrix.kind) if kind == WRITTEN and leaves & matrix.leaves[i]]
        own = [words.model.equations[matrix.equation[i]] for i in rows if words.instance(i) == path]
        is_given = any(leaves & set(equation.left.elements) for equation in own)
        if len(own) == len(rows) and (not is_given or (balance(matrix, path) or 0) < 0):
            found.append(variable.name)
    return found
