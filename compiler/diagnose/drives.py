"""Detects errors of drive lines, whose cuts transmit inertia besides motion.

They are: a line that leads to no joint, a reversed element, an element without a variable for what is transmitted. A
cut of a drive line has a class with optional variables and is not a frame. Each report is confirmed by a trial change.
"""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnose.groups import Group
from cutset.compiler.diagnose.matrix import OPEN, SUM
from cutset.compiler.diagnose.messages import Evidence
from cutset.compiler.diagnose.trial import mended_by_connecting, mended_by_joining, mended_by_turning
from cutset.compiler.diagnose.wording import Wording, listed
from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import ConnectionSet
from cutset.compiler.instantiate.instance import Cut, Join, around, leaves_of
from cutset.contract.names import rpartition

CutKey = tuple[str, str]


def drive_line(words: Wording, group: Group) -> Diagnostic | None:
    """The error of a drive line that a group shows, or None."""
    if not group.equations:
        return None
    if not group.unknowns:
        return _no_place(words, group)
    opened = [key for key in _open_ends(words, group) if mended_by_connecting(words.matrix, [key])]
    if opened:
        return _no_joint(words, group, opened)
    return _wrong_way(words, group) or _apart(words, group)


def is_drive(cut: Cut) -> bool:
    """True for the cut of a drive line."""
    of_class = cut.cut_class
    if of_class is None or cut.across is None or cut.is_frame:
        return False
    return of_class.least[0] > 0 and of_class.least < (len(cut.across), len(cut.through or ()))


def _open_ends(words: Wording, group: Group) -> list[CutKey]:
    """Unconnected cuts of drive lines that the group refers to."""
    matrix, model = words.matrix, words.model
    zero = {matrix.equation[i] for i in group.rows if matrix.kind[i] == OPEN}
    leaves = {e for number in zero for e in model.equations[number].left.elements}
    lines = [(key, cut) for key, cut in model.cuts.items() if key[0] and is_drive(cut)]
    return [key for key, cut in lines if not leaves.isdisjoint(leaves_of(cut.through))]


def _sets(words: Wording, group: Group) -> list[ConnectionSet]:
    """The connections of drive lines whose sums are in the group."""
    matrix, model = words.matrix, words.model
    numbers = dict.fromkeys(model.set_of[matrix.equation[i]] for i in group.rows if matrix.kind[i] == SUM)
    found = [model.sets[number] for number in numbers]
    return [s for s in found if any(e.side != "node" and is_drive(model.cuts[e.instance, e.name]) for e in s.ends)]


def _no_joint(words: Wording, group: Group, opened: Sequence[CutKey]) -> Diagnostic:
    line = _outer(words.instances(group.rows))
    instances = list(dict.fromkeys(path for path, _ in opened))
    joins = _joins(words, instances) or _joins(words, line)
    places = [
        *(Label(join.span, "") for join in joins),
        *words.places([*instances, *(p for p in line if p not in instances)]),
    ]
    free = _free(words, opened, line)
    return messages.no_joint(line, [f"{i}:{n}" for i, n in opened], free, Evidence(places, ", ".join(line), ()))


def _apart(words: Wording, group: Group) -> Diagnostic | None:
    """Elements of one or several points that are connected only with each other."""
    sets = _sets(words, group)
    if not any(mended_by_joining(words.matrix, s) for s in sets):
        return None
    line = _outer(words.instances(group.rows))
    joins = list(dict.fromkeys(join for s in sets for join in s.joins if not join.instance))
    places = [*(Label(join.span, "") for join in joins), *words.places(line)]
    return messages.no_joint(line, [], _free(words, (), line), Evidence(places, ", ".join(line), ()))


def _wrong_way(words: Wording, group: Group) -> Diagnostic | None:
    """The outermost element with two cuts of a drive line that fixes the model if it is reversed."""
    cuts: dict[str, list[str]] = {}
    for (path, name), cut in words.model.cuts.items():
        if path and is_drive(cut):
            cuts.setdefault(path, []).append(name)
    candidates = {path for instance in words.instances(group.rows) for path in around(instance)}
    for path in sorted(candidates, key=lambda p: p.count(".")):
        names = cuts.get(path, [])
        if len(names) == 2 and mended_by_turning(words.matrix, path, names):
            joins = _joins(words, [path])
            line = _outer(words.instances(group.rows))
            others = [p for p in line if p != path and not p.startswith(f"{path}.")]
            places = [*(Label(join.span, "") for join in joins), *words.places([path, *others])]
            return messages.drive_turned(path, names, Evidence(places, path, ()))
    return None


def _no_place(words: Wording, group: Group) -> Diagnostic | None:
    """An end of a connection that lacks the variable whose sum is in the group, and that another end transmits."""
    matrix, model = words.matrix, words.model
    handed = {matrix.columns[j] for i in group.rows if matrix.kind[i] == SUM for j in matrix.rows[i]}
    connections = _sets(words, group)
    known = [_optional(model.cuts[e.instance, e.name]) for s in connections for e in s.ends if e.side != "node"]
    if not handed <= set().union(*known):
        return None
    for connection in connections:
        ends = [e for e in connection.ends if e.side != "node"]
        cuts = [model.cuts[e.instance, e.name] for e in ends]
        givers = [f"{e.instance}:{e.name}" for e, cut in zip(ends, cuts, strict=False) if handed & _optional(cut)]
        lacking = [
            e
            for e, cut in zip(ends, cuts, strict=False)
            if e.instance and not _optional(cut) and _two_ended(words, e.instance)
        ]
        if givers and lacking:
            end, of_class = lacking[0], next(cut.cut_class.name for cut in cuts if cut.cut_class and is_drive(cut))
            joins = {j.span: j for j in connection.joins if end in (j.first, j.second)}.values()
            carried = [
                entry.name
                for cut in cuts
                for entry in (cut.through or ())
                if entry.value and handed & set(entry.value.elements)
            ]
            paths = [end.instance, *(rpartition(name, ":")[0] for name in givers)]
            places = [*(Label(join.span, "") for join in joins), *words.places(paths)]
            evidence = Evidence(places, ", ".join(paths), listed("equations", words.equations(group.rows)))
            wanted = of_class, model.classes[end.instance]
            return messages.no_place(givers, dict.fromkeys(carried), f"{end.instance}:{end.name}", wanted, evidence)
    return None


def _optional(cut: Cut) -> set[Expr]:
    """The through variables of a cut that are optional in its class."""
    if cut.cut_class is None:
        return set()
    return {
        e
        for entry in (cut.through or ())[cut.cut_class.least[1] :]
        if entry.value is not None
        for e in entry.value.elements
    }


def _two_ended(words: Wording, path: str) -> bool:
    return sum(instance == path for instance, _ in words.model.cuts) > 1


def _free(words: Wording, opened: Sequence[CutKey], line: Sequence[str]) -> list[str]:
    """Other cuts of drive lines without a connection from outside."""
    connected = {
        (e.instance, e.name) for s in words.model.sets if len(s.ends) > 1 for e in s.ends if e.side == "outside"
    }
    found = [key for key, cut in words.model.cuts.items() if key[0] and is_drive(cut) and key not in connected]
    own = (*opened, *(key for key in found if any(key[0] == path or key[0].startswith(f"{path}.") for path in line)))
    return [f"{path}:{name}" for path, name in found if (path, name) not in own]


def _joins(words: Wording, paths: Sequence[str]) -> list[Join]:
    """The connections that name these submodels from outside, each place once."""
    found: dict[Span, Join] = {}
    for connection in words.model.sets:
        for join in connection.joins:
            if any(e.instance in paths and e.side == "outside" for e in (join.first, join.second)):
                found.setdefault(join.span, join)
    return list(found.values())


def _outer(instances: Sequence[str]) -> list[str]:
    """The submodels that are in no other of them."""
    return [p for p in instances if p and not any(p.startswith(f"{other}.") for other in instances if other)]
