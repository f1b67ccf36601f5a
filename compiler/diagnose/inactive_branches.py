"""Reports unknowns that are undetermined because no branch of an `if` around equations is taken."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.compiler.diagnose import messages
from cutset.compiler.diagnose.evidence import evidence_of
from cutset.compiler.diagnose.groups import Group
from cutset.compiler.diagnose.wording import Wording, gathered, listed, mentions, short, some
from cutset.compiler.diagnostics import Diagnostic, Label
from cutset.compiler.instantiate.instance import InactiveBranches


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
        some([path or words.model.name for path in instances], 3), some(open_names, 4), len(group.unknowns),
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
