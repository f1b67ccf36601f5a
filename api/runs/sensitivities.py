"""Chooses the translation with sensitivities that a run needs, and refuses those that have none. Integrates nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from cutset.api.translate.given_values import elements
from cutset.api.translated_model import TranslatedModel
from cutset.compiler.expressions.pool import Undefined
from cutset.compiler.expressions.user_function import NotDifferentiable
from cutset.compiler.options import Options
from cutset.contract.metadata import sensitivity_column, start_parameter
from cutset.runtime.errors import RunError, require_names, unknown_name
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.solvers import OF_ALL_EQUATIONS

M = TypeVar("M", bound=TranslatedModel)
_START = "start of "


def with_sensitivities(model: M, parameters: Iterable[str], experiment: Experiment) -> M:
    """The model in which all variables have derivatives by these parameters and start values ("start of x"), for this
    experiment. RunError E602 for an unknown name, E604 for what has no derivative, E605 if the model has none."""
    if experiment.method in OF_ALL_EQUATIONS:
        raise RunError("E605", f"the method {experiment.method} has no sensitivities", "take auto, cvode-bdf or dopri5")
    names = [parameters] if isinstance(parameters, str) else list(parameters)
    own = [name for name in names if not name.startswith(_START)]
    started = [name.removeprefix(_START) for name in names if name.startswith(_START)]
    _require_numbers(model, own)
    whole = model.with_values(experiment.parameters)
    values = elements(model.translated.info, experiment.parameters)
    given = frozenset([*values, *map(start_parameter, experiment.initial)])
    _require_states(whole, [*started, *experiment.initial])
    change = Options(
        unfold=frozenset(own),
        started=frozenset([*started, *experiment.initial]),
        sensitivities=tuple(map(sensitivity_column, names)),
        given=given,
    )
    with refused():
        found = whole.retranslated(change)
    if found.translated.info.externals:
        hint = "replace FMUs and functions in Python by equations"
        raise RunError("E605", "a model with FMUs or functions in Python has no sensitivities", hint)
    return found


@contextmanager
def refused() -> Iterator[None]:
    """RunError E605 for a translation that finds no derivatives, also that of a run which is repeated."""
    try:
        yield
    except NotDifferentiable as error:
        what = f"the model has no sensitivities: {error} has no derivative by a parameter"
        hint = _HINTS.get(str(error), "declare the derivative of the function, or write it in the model")
        raise RunError("E605", what, hint) from None
    except Undefined as error:
        raise RunError("E605", f"the model has no sensitivities: {error}") from None


_HINTS = {
    "delay": "replace the delayed values, for example by a chain of first order",
    "the place of a point of a table": "take parameters that are not places of points",
    "choice of states": "choose the states in the model, with state=prefer, so that a run does not change them",
}


def _require_numbers(model: TranslatedModel, names: list[str]) -> None:
    info, domains = model.translated.info, model.translated.domains
    require_names("parameter", names, (*info.parameters, *info.folded))
    for name in names:
        if name in domains and (domains[name].is_whole or domains[name].literals):
            raise RunError("E604", f"there is no derivative by '{name}': it is no real number")
    still = model.unfolded(names).folded
    for name in names:
        if name in still:
            raise RunError("E604", f"there is no derivative by '{name}': it decides on the structure of the model")


def _require_states(model: TranslatedModel, names: list[str]) -> None:
    """RunError unless these variables can have start values that vary."""
    info = model.translated.info
    for name in names:
        slot = info.names.get(name)
        if slot is None:
            raise RunError("E602", *unknown_name("state", name, model.moving))
        if slot.array not in ("x", "y"):
            raise RunError("E604", f"there is no derivative by the start value of '{name}': it is no state")
