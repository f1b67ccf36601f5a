"""Collects the settings of runs that a class and its superclasses give: the line of classes -> settings by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cutset.compiler.diagnostics import Diagnostic
from cutset.compiler.instantiate import experiment_messages
from cutset.compiler.instantiate.names.inheritance import Ancestors
from cutset.compiler.syntax import tree
from cutset.contract.experiment_settings import OUTPUT_TIMES

_Given = tuple[tree.Binding, tree.Class]


def given_settings(
    line: Sequence[tree.Class], ancestors: Ancestors, diagnostics: list[Diagnostic]
) -> dict[str, tree.Binding]:
    """The settings of the last class of the line, superclasses first: its own replace those that it inherits, and one
    that gives the output times replaces another one."""
    given: dict[str, list[_Given]] = {}
    for owner in line:
        own: dict[str, tree.Binding] = {}
        for setting in _written(owner):
            if setting.name in own:
                diagnostics.append(experiment_messages.given_twice(setting, own[setting.name], owner.name))
                continue
            own[setting.name] = setting
            given.setdefault("points" if setting.name in OUTPUT_TIMES else setting.name, []).append((setting, owner))
    settings: dict[str, tree.Binding] = {}
    for all_given in given.values():
        last = [each for each in all_given if not _is_replaced(each, all_given, ancestors)]
        if any(owner is not last[0][1] for _, owner in last):
            diagnostics.append(experiment_messages.inherited_twice(last[-1], last[0], line[-1]))
        settings |= {setting.name: setting for setting, _ in last}
    return settings


def _written(owner: tree.Class) -> Iterator[tree.Binding]:
    for member in owner.members:
        if isinstance(member, tree.Experiment):
            yield from member.settings


def _is_replaced(one: _Given, others: Sequence[_Given], ancestors: Ancestors) -> bool:
    """True if a subclass gives the setting too."""
    return any(owner is not one[1] and ancestors.has(owner, one[1]) for _, owner in others)
