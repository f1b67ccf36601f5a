"""Constructs the diagnostics of the settings of runs in a model (E348)."""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, Label, did_you_mean
from cutset.compiler.syntax import tree
from cutset.contract.experiment_settings import METHODS, SETTINGS, Value


def unknown_setting(setting: tree.Binding, instance: str) -> Diagnostic:
    hint = did_you_mean(setting.name, SETTINGS) or f"the settings are: {', '.join(SETTINGS)}"
    return Diagnostic("E348", f"an experiment has no setting '{setting.name}'", setting.span, hint, instance)


def wrong_setting(setting: tree.Binding, value: Value, instance: str) -> Diagnostic:
    found = f'"{value}"' if isinstance(value, str) else f"{value:g}"
    expected = SETTINGS[setting.name].expected
    hint = f"give {expected}"
    if setting.name == "method":
        expected = "an integration method"
        hint = did_you_mean(str(value), METHODS) or hint
    message = f"'{setting.name}' must be {expected}, not {found}"
    return Diagnostic("E348", message, setting.value.span, hint, instance)


def setting_varies(name: str, reference: tree.Reference, instance: str) -> Diagnostic:
    what = tree.dotted(reference)
    hint = f"give a number or a constant; a run can set '{name}' otherwise"
    return Diagnostic(
        "E348", f"'{name}' must be known before the run, but '{what}' is not a constant of the model", reference.span,
        hint, instance,
    )  # fmt: skip


def setting_is_array(setting: tree.Binding, instance: str) -> Diagnostic:
    message = f"'{setting.name}' must be one value, not an array"
    return Diagnostic("E348", message, setting.value.span, "give a number", instance)


def settings_contradict(setting: tree.Binding, why: str, remedy: str, instance: str) -> Diagnostic:
    return Diagnostic("E348", why, setting.span, remedy, instance)


def given_twice(setting: tree.Binding, first: tree.Binding, instance: str) -> Diagnostic:
    labels = (Label(first.span, "first given here"),)
    return Diagnostic(
        "E348", f"the setting '{setting.name}' is given twice", setting.span, "remove one of them", instance, labels
    )


def inherited_twice(
    one: tuple[tree.Binding, tree.Class], other: tuple[tree.Binding, tree.Class], heir: tree.Class
) -> Diagnostic:
    """Two superclasses give the same setting, or both the output times."""
    (setting, owner), (first, first_owner) = one, other
    message = (
        f"'{heir.name}' inherits '{setting.name}' from '{owner.name}' and '{first.name}' from '{first_owner.name}'"
    )
    labels = (Label(first.span, f"in '{first_owner.name}'"),)
    hint = f"give it in '{heir.name}' too: experiment ({setting.name}=...)"
    return Diagnostic("E348", message, setting.span, hint, heir.name, labels)
