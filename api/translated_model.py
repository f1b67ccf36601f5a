"""Models as the compiler has translated them, compiled for targets and translated again for other values."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, TypeVar

from cutset.api.files.input_tables import InputsOfRun, input_signals
from cutset.api.show.inspection import Inspection, refuse_constants
from cutset.api.translate.cached_translation import Translated, as_translated, translated
from cutset.api.translate.given_values import elements
from cutset.api.translate.own_settings import own_experiment
from cutset.api.translate.parameter_values import Setting, number_or_text
from cutset.api.translate.retranslation import (
    OF_VALUES,
    Specialized,
    equally_started,
    is_computed,
    stopping,
    weakly_started,
)
from cutset.api.translate.target_choice import choose_target
from cutset.compiler.collection import collection_paused
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.observer import Listener, Observer
from cutset.compiler.options import Options, pairs
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import FoldedParameter, NotFinite, RunError
from cutset.runtime.given.given_starts import start_determined
from cutset.runtime.given.inputs import InputSignal
from cutset.runtime.interface import CompiledModel, Values
from cutset.runtime.results.result import Result
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.solvers import OF_ALL_EQUATIONS, STABILIZED
from cutset.runtime.targets.build import build

_AS_IT_IS = Options()
# The limit on attempts to find the parameters whose values must be part of the code.
_MOST_FOLDED = 3

M = TypeVar("M", bound="TranslatedModel")
T = TypeVar("T")


@dataclass(frozen=True)
class _Origin:
    """Translates a model again: the object `name` of the file, with these options. `texts` are those of its files,
    which count even if others write them."""

    path: Path
    name: str
    options: Options
    texts: Mapping[Path, str]

    def changed(self, kind: type[M], change: Options) -> M:
        """The model with this change."""
        options = self._changed(change)
        return kind._of(translated(self.path, self.name, options), self.path, options)

    def observe(self, listener: Listener, change: Options = _AS_IT_IS) -> None:
        """Translate it with a listener."""
        from cutset.api.translate.translation import observe_file

        observe_file(self.path, self.name, self._changed(change), [listener])

    def _changed(self, change: Options) -> Options:
        return as_translated(self.options.changed(change), self.texts)

    def again(self, kind: type[M], given: frozenset[str]) -> M:
        """The same model, with the parameters that runs gave."""
        model = self.changed(kind, _AS_IT_IS)
        model._given = given
        return model

    def anywhere(self) -> _Origin:
        """The same from any folder."""
        return self if self.options.text else replace(self, path=Path(os.path.abspath(self.path)))


class TranslatedModel:
    """What a model is without runs: its facts, its code for each target, and the same model translated otherwise. The
    other modules of this folder see a `Model` so. `_observe` translates it again with a listener."""

    # What `Model` adds: runs with settings by name; one run, whose failure is part of the result; `Mechanics`.
    simulate: Callable[..., Result]
    run: Callable[..., Result]
    steady: Callable[..., Result]
    mechanics: Callable[..., Any]

    def __init__(self, found: Translated, path: Path, options: Options) -> None:
        self.translated = found
        self._origin = origin = _Origin(path, found.info.name, options, found.texts)
        self.description, self._experiment = found.description, own_experiment(found.experiment)
        self.seconds = dict(found.seconds)
        self._observe, self._inspection = origin.observe, Inspection(origin.observe, found.info)
        self._built: dict[str, CompiledModel] = {}
        self._changed: dict[Options, Self] = {}
        self._specialized = Specialized()
        self._given: frozenset[str] = frozenset()  # parameters given by runs, which caused a new translation

    @classmethod
    def _of(cls, found: Translated, path: Path, options: Options) -> Self:
        self = cls.__new__(cls)
        TranslatedModel.__init__(self, found, path, options)
        return self

    @property
    def name(self) -> str:
        """The name of the model in the file."""
        return self.translated.info.name

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states; `evaluate` takes and returns arrays in this order. A state that a run chooses among
        several variables has a placeholder, such as `$states1.x(1)`."""
        return tuple(self.translated.info.states)

    @property
    def moving(self) -> tuple[str, ...]:
        """All variables that can be states: those of `states`, with every candidate in place of a placeholder."""
        info = self.translated.info
        among = {k: [name for name, _ in chosen] for k, chosen in info.picked}
        return tuple(dict.fromkeys(name for k, state in enumerate(info.states) for name in among.get(k, [state])))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs; `evaluate` takes them in this order."""
        return tuple(self.translated.info.inputs)

    @property
    def folded(self) -> dict[str, Any]:
        """Parameters, texts among them, whose values are part of the code. A run that changes one of them translates
        the model again."""
        return {**self.translated.info.folded, **self.translated.info.texts}

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters that a run can change, including the folded ones, with the values in the model, which are
        numbers and texts."""
        return self.values_with({}, "auto")

    @property
    def experiment(self) -> Experiment:
        """The settings of runs that the model gives, `experiment (stop=10, rtol=1e-8)`; the others have defaults. The
        arguments of `simulate`, `sweep` and `batch` replace them."""
        return self._experiment

    def build(self, target: str = "auto") -> CompiledModel:
        """Compile the model for a target: 'c', 'python', 'extended' (Python in extended precision), or 'auto' (C if a
        compiler is found). RunError if the C compiler is missing or fails."""
        if target in self._built:  # 'auto' too: the search for a compiler takes longer than a short run
            return self._built[target]
        requested, target = target, choose_target(target)
        if target not in self._built:
            observer = Observer()
            with collection_paused():
                files = observer("emit", self.translated.files(target))
                self._built[target] = observer("compile", build(files, target))
            self.seconds |= observer.seconds
        self._built[requested] = self._built[target]
        return self._built[target]

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[object, ...]]:
        """A pickle has the text of the file: the model is translated again, or taken from the disk cache."""
        return _Origin.again, (self._origin.anywhere(), type(self), self._given)

    def until(self, condition: str) -> Self:
        """The model with runs that end as soon as the condition holds: an expression of its variables, such as
        ``"ball.h < 0"``. The instant is that of an event; `Result.ending` tells the condition. ModelError for a wrong
        one."""
        return self.retranslated(stopping(condition))

    def for_problem(self, known: tuple[str, ...], find: tuple[str, ...]) -> Self:
        """The model translated for another problem: the scalars `known` are inputs, and those in `find` are found."""
        return self.retranslated(Options(known=known, find=find))

    def with_values(self, given: Mapping[str, Setting]) -> Self:
        """The model that a run with these parameter values needs: itself, or a new translation if a value is part of
        the code, decides on the structure of the model, or is the default of a start value (a given start value has
        priority). RunError E604 for a constant."""
        if not given:
            return self
        given = elements(self.translated.info, given)
        refuse_constants([name for name in given if name not in self.folded], self.translated.info, self._inspection)
        values = self.translated.numbers({name: value for name, value in given.items() if name in self.folded})
        changed = {name: value for name, value in values.items() if value != self.folded[name]}
        defaults = set(self.translated.info.default_starts) - self._given
        changed |= self.translated.numbers({name: value for name, value in given.items() if name in defaults})
        return self._changeable(changed).with_values(given) if changed else self

    def with_starts(self, initial: Iterable[str]) -> Self:
        """The model translated as if it had start values of these variables. RunError E621 for one that is not a state
        and whose start the model determines."""
        info = self.translated.info
        guessed = weakly_started(info, initial)
        try:
            return self.retranslated(Options(started=guessed)) if guessed else self
        except ModelError as error:
            computed = sorted(name for name in guessed if is_computed(info, name))
            if computed:
                raise start_determined(computed[0], [d.message for d in error.diagnostics]) from error
            return self

    def for_method(self, method: str) -> Self:
        """The model translated for this method: bdf and ggl need all equations and unknowns."""
        all_kept = method not in OF_ALL_EQUATIONS or self.translated.info.n_algebraic
        return self if all_kept else self.retranslated(Options(unreduced=True, stabilized=method == STABILIZED.name))

    def without_preferences(self) -> Self:
        """The model without those preferences (`state=prefer`, `state=avoid`) that would fix states which may cease to
        determine the other variables during a run."""
        return self.retranslated(Options(preferences=False))

    def _changeable(self, given: Mapping[str, float | str]) -> Self:
        """The model in which these parameters can change; structural ones take the given values."""
        names = frozenset(given)
        model = self.retranslated(Options(unfold=names))
        still = sorted(names & set(model.folded))
        structural = {name: number_or_text(f"the parameter '{name}'", given[name]) for name in still}
        if structural:
            model = self.retranslated(Options(unfold=names, structural=pairs(structural)))
        if any(model.folded.get(name, value) != value for name, value in structural.items()):
            raise FoldedParameter(sorted(structural))
        return model

    def unfolded(self, names: Iterable[str]) -> Self:
        """The model in which those of these parameters can change that do not decide on its equations."""
        folded = self.folded.keys() & frozenset(names)
        return self.retranslated(Options(unfold=frozenset(folded))) if folded else self

    def for_values(self, given: Mapping[str, float]) -> Self | None:
        """A translation specialized to these values, for a model that cannot run with them otherwise: a zero factor
        changes the choice of states. None if nothing changes, or if the model has an error with these values."""
        wrong = dict(self.undefined(given))
        if wrong:
            for change, other in self._changed.items():
                found = change.structural and change.unfold == given.keys() and not given.keys() & other.folded.keys()
                if found and not other.undefined(given):
                    return other
        elif not given:
            return None
        fold, other = frozenset[str](), self
        for _ in range(_MOST_FOLDED):
            try:
                other = self.retranslated(Options(unfold=frozenset(given), structural=pairs(given), fold=fold))
            except ModelError:
                other = self
            left = other.undefined(given)
            if wrong and not left:
                return other
            if not wrong or left.keys() <= fold:
                break
            # The given ones first: folded values of the text may make variables equal that start differently.
            fold = fold.union(left.keys() & given.keys() - fold or left)
        return None if wrong or equally_started(self.translated.info, other.translated.info) else other

    def undefined(self, given: Mapping[str, float]) -> Mapping[str, float]:
        """The parameters, with their values, in expressions of parameters that are not finite with the given ones."""
        try:
            self.build("python").bind(given)
        except NotFinite as error:
            return error.values
        return {}

    def bound(self, parameters: Mapping[str, Setting], target: str) -> tuple[Self, CompiledModel, Values]:
        """The model that these parameter values need, compiled for the target, with its values."""
        given = self._numbers(parameters)

        def bound(model: M) -> tuple[M, CompiledModel, Values]:
            compiled = model.build(target)
            return model, compiled, compiled.bind(given)

        return attempted(self.with_values(given), given, bound)

    def values_with(self, given: Mapping[str, Setting], target: str) -> dict[str, Any]:
        """All parameters, including the folded ones, with their values for these given ones. Errors as `bound`."""
        model, compiled, values = self.bound(given, target)
        return dict(zip(compiled.info.parameters, values.p.tolist(), strict=True)) | model.folded

    def _numbers(self, given: Mapping[str, Setting]) -> dict[str, float]:
        return self.translated.numbers(elements(self.translated.info, given)) if given else {}

    def signals(self, inputs: InputsOfRun) -> dict[str, InputSignal]:
        """A number or a function of time for each scalar input that is given; RunError as `input_signals`."""
        return input_signals(self.translated.info, inputs, self.translated.description.units)

    def settled(self, experiment: Experiment) -> Experiment:
        """The experiment with a number for each given scalar."""
        if not (experiment.parameters or experiment.inputs or experiment.initial):
            return experiment
        inputs = self.translated.numbers(self.signals(experiment.inputs))
        initial = self.translated.numbers(elements(self.translated.info, experiment.initial))
        return replace(experiment, parameters=self._numbers(experiment.parameters), inputs=inputs, initial=initial)

    def retranslated(self, change: Options) -> Self:
        """The translation with this change; the same change returns the same model."""
        if change not in self._changed:
            self._changed[change] = self._origin.changed(type(self), change)
            self._changed[change]._given = self._given | change.unfold
        return self._changed[change]


def attempted(model: M, given: Mapping[str, float], attempt: Callable[[M], T]) -> T:
    """The result of the attempt with the model, or with one translated for these values if it needs that."""
    try:
        return attempt(model)
    except RunError as error:
        other = model.for_values(given) if error.code in OF_VALUES else None
        if other is None:
            raise
        return attempt(other)
