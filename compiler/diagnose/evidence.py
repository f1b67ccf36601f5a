"""Collects what a message about a group shows: places, equations, connections, undetermined unknowns, counts."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.diagnose.counts import table
from cutset.compiler.diagnose.groups import Group
from cutset.compiler.diagnose.messages import Evidence
from cutset.compiler.diagnose.wording import Wording, in_short, listed
from cutset.compiler.diagnostics import Label
from cutset.contract.abridged import quoted

# Above this many, equations of classes are counted, not shown.
MOST_EQUATIONS = 14
# With more equations, only those in the text of the object have a place.
_MOST_PLACED = 40


def evidence_of(
    words: Wording, group: Group, instances: Sequence[str], with_unknowns: bool = True, lead: Sequence[str] = ()
) -> Evidence:
    """`lead` are the most important unknowns: their declarations are shown, and no other place."""
    rows = sorted(group.rows, key=words.has_slope)
    about = _owners(instances, lead) if lead else instances
    places, own = _places(words, group, rows, instances, lead)
    equations = words.equations(rows)
    foreign = [line for line in equations if not any(label.span.text in line for label in own)]
    if len(equations) > MOST_EQUATIONS:
        foreign = [f"{words.equation_count(rows)} equations of {words.called(words.instances(rows))}"]
    others = [name for name in map(words.name, group.columns) if name not in lead] if with_unknowns else []
    notes = (
        *listed("equations", foreign, 8),
        *listed("connections", words.connections(rows), 4),
        *words.put_in(rows)[:4],
        *words.reasons(rows)[:4],
        *((f"{'also ' if lead else ''}not determined: {quoted(others)}",) if others else ()),
        *((table(words.matrix, about),) if len(words.model.classes) > 1 else ()),
    )
    return Evidence(places, in_short([i or words.model.name for i in about], 6), notes)


def _owners(instances: Sequence[str], names: Sequence[str]) -> list[str]:
    """The submodels to which unknowns of these names belong."""
    owners = [
        [path for path in instances if name.startswith(f"{path}.")] for name in names
    ]  # a variable of a cut has three parts
    wanted = {max(paths, key=len) for paths in owners if paths}
    return [path for path in instances if path in wanted] or list(instances)


def _places(
    words: Wording, group: Group, rows: Sequence[int], instances: Sequence[str], lead: Sequence[str]
) -> tuple[list[Label], list[Label]]:
    """All places, and those of them that are equations."""
    if lead:
        return words.places(_owners(instances, lead)) or words.declared(group.columns), []
    own = words.own_text(rows)
    unknowns = words.declared(group.columns) if not own and list(instances) == [""] else []
    submodels = words.places(instances) if len(rows) <= _MOST_PLACED or not own else []
    return own + submodels + unknowns, own
