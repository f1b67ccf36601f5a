"""Unknowns that nothing determines -> what was forgotten: a connection, a value from outside, an equation."""

from __future__ import annotations

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnose.counts import balance, size
from cutset.compiler.diagnose.evidence import evidence_of
from cutset.compiler.diagnose.groups import Group
from cutset.compiler.diagnose.matrix import WRITTEN
from cutset.compiler.diagnose.wording import Wording, some
from cutset.compiler.diagnostics import Diagnostic


def too_few(words: Wording, group: Group) -> Diagnostic:
    """What is open, led by the unknown that most likely should have been given."""
    columns, missing = group.columns, len(group.unknowns)
    instances = words.instances([], columns)
    idle = [words.name(j) for j in columns if not any(j in row for row in words.matrix.rows)]
    given = _terminals(words, columns)
    opened = [cut for cut in words.open_cuts(instances) if _lacks_a_value(words, cut, columns)]
    lead, hint = [], "add an equation for one of them, or a connection"
    alone = [cut for cut in words.alone_at_nodes(instances) if _carried(words, [cut], columns)]
    if alone:
        hint = f"nothing else is at the node of {some(alone, 3)}: connect something there, or write an equation for it"
    if idle:
        lead, stand = idle, "stands" if len(idle) == 1 else "stand"
        hint = f"{some(idle, 3)} {stand} in no equation: add one, or take the name away"
    if given:
        lead, hint = given[:missing], f"give it a value where '{given[0].rpartition('.')[0]}' is used: {given[0]} = ..."
    if opened:
        lead, whose = _carried(words, opened, columns), "its value" if len(opened) == 1 else "their values"
        hint = f"nothing is connected to {some(opened, 3)}: connect what gives {whose}"
    what = "1 equation" if missing == 1 else f"{missing} equations"
    title = f"the model has {what} too few: nothing determines {some(lead or [words.name(j) for j in columns], 4)}"
    return messages.too_few(title, hint, evidence_of(words, group, instances, lead=lead))


def _lacks_a_value(words: Wording, cut: str, columns: list[int]) -> bool:
    """Does an open cut carry one of the unknowns, and would a connection bring more equations than none does?"""
    instance, _, name = cut.rpartition(":")
    declared = words.model.cuts[instance, name]
    return size(declared.across) > size(declared.through) and bool(_carried(words, [cut], columns))


def _carried(words: Wording, cuts: list[str], columns: list[int]) -> list[str]:
    """The names of the unknowns that cuts carry."""
    wanted = {words.matrix.columns[j] for j in columns}
    found = []
    for cut in cuts:
        instance, _, name = cut.rpartition(":")
        entries = words.model.cuts[instance, name].across or ()
        found += [str(e.data) for entry in entries if entry.value for e in entry.value.elements if e in wanted]
    return found


def _terminals(words: Wording, columns: list[int]) -> list[str]:
    """Terminals among the unknowns that no other submodel speaks of, and that their own gives no value: there is no
    equation `x = ...`, or it brings too few equations for all its cuts."""
    matrix, found = words.matrix, []
    wanted = {matrix.columns[j] for j in columns}
    for variable in words.model.variables:
        path, leaves = variable.name.rpartition(".")[0], set(variable.value.elements)
        if variable.kind != "terminal" or not path or not wanted & leaves:
            continue
        rows = [i for i, kind in enumerate(matrix.kind) if kind == WRITTEN and leaves & matrix.leaves[i]]
        own = [words.model.equations[matrix.equation[i]] for i in rows if words.instance(i) == path]
        is_given = any(leaves & set(equation.left.elements) for equation in own)
        if len(own) == len(rows) and (not is_given or (balance(matrix, path) or 0) < 0):
            found.append(variable.name)
    return found
