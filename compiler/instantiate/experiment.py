"""Evaluates the settings of runs that the object gives: its scope -> numbers and strings by name."""

from __future__ import annotations

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.instantiate import experiment_messages as messages
from cutset.compiler.instantiate.tree.scope import Within
from cutset.compiler.instantiate.values.evaluate import evaluate
from cutset.compiler.syntax import tree
from cutset.contract.experiment_settings import SETTINGS, Value, contradiction


def experiment_of(root: Within) -> dict[str, Value]:
    """The settings of the object, checked; errors are reported."""
    values: dict[str, Value] = {}
    for setting in root.node.body.experiment.values():
        if setting.name not in SETTINGS:
            root.report(messages.unknown_setting(setting, root.instance))
            continue
        try:
            value = _value(setting, root)
        except ModelError as error:
            root.report(*error.diagnostics)
            continue
        if SETTINGS[setting.name].fits(value):
            values[setting.name] = value
        else:
            root.report(messages.wrong_setting(setting, value, root.instance))
    if len(values) == len(root.node.body.experiment):
        name, why, remedy = contradiction(values)
        if name:
            root.report(messages.settings_contradict(root.node.body.experiment[name], why, remedy, root.instance))
    return values


def _value(setting: tree.Binding, root: Within) -> Value:
    """The string or number; ModelError for one that is not known at translation."""
    if isinstance(setting.value, tree.Text):
        return setting.value.value
    for reference in tree.references(setting.value):
        declared = root.node.body.variables.get(reference.parts[0].name)
        if len(reference.parts) > 1 or (declared is not None and declared.kind != "constant"):
            raise ModelError([messages.setting_varies(setting.name, reference, root.instance)])
    value = evaluate(setting.value, root)
    if value.shape:
        raise ModelError([messages.setting_is_array(setting, root.instance)])
    return root.number(value.elements[0], f"'{setting.name}'", setting.value.span)
