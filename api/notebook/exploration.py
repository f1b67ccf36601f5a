"""Prepares what `Model.explore` shows: a model, settings -> sliders, and the picture of each run. Knows no notebook."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cutset.api.translate.given_values import by_kind, elements, named
from cutset.api.translate.own_settings import completed
from cutset.api.translated_model import TranslatedModel
from cutset.compiler.diagnostics import ModelError, visible
from cutset.runtime.errors import RunError, require_names
from cutset.runtime.results.selection import select
from cutset.runtime.results.shown_rows import shown_curves

if TYPE_CHECKING:
    from cutset.compiler.codegen.statistics import Domain
    from cutset.runtime.results.result import Result

Sliders = Iterable[str] | Mapping[str, tuple[float, float]]

# More rows make no smoother motion; more names make a list in which nobody finds one.
_SCENE_ROWS, _MOST_NAMES, _PIXELS = 300, 4000, 800
_MOST_FIRST = 4  # curves, if the caller names none


class Exploration:
    """The runs of a model with the values of sliders.

    `rows` describe the sliders, as JSON: first the `n_first` that are shown at once, then all other parameters. `names`
    are the variables that can be plotted, `shown` those to plot at first; `run` is the result of the last run.
    """

    def __init__(
        self,
        model: TranslatedModel,
        plot: Iterable[str],
        sliders: Sliders,
        stop: float | None,
        settings: Mapping[str, Any],
    ):
        info = model.translated.info
        given: dict[str, Any] = {**settings, "stop": stop}
        given["parameters"] = model.translated.numbers(elements(info, settings.get("parameters") or {}))
        given["inputs"] = model.signals(settings.get("inputs") or {})
        self._model = model
        self._base = model.settled(completed(model.experiment, **given))
        self.stop = self._base.stop
        self.run: Result = model.run(self._base).completed()
        self.names = list(self.run)[:_MOST_NAMES]
        self.shown = list(select(plot, self.run) if plot else self._usual())
        self.rows, self.n_first = self._all_rows(sliders)

    def _usual(self) -> list[str]:
        """The states, else the first variables."""
        known = [name for name in self._model.moving if name in self.run] or list(self.run)
        return known[:_MOST_FIRST]

    def _all_rows(self, sliders: Sliders) -> tuple[list[dict[str, Any]], int]:
        values = {**self._model.parameters, **self._base.parameters}
        ranges = dict(sliders) if isinstance(sliders, Mapping) else dict.fromkeys(sliders)
        info = self._model.translated.info
        chosen = named(info, ranges.items())
        require_names("parameter, state or input", chosen, [*values, *info.states, *info.inputs])
        first = chosen or dict.fromkeys(name for name in values if "." not in name)
        rest = [name for name in values if name not in first]
        if not first:
            first, rest = dict.fromkeys(rest), []
        usual = {name: values[name] if name in values else float(self.run[name][0]) for name in [*first, *rest]}
        rows = [self._row(name, usual[name], first.get(name)) for name in [*first, *rest][:_MOST_NAMES]]
        return rows, min(len(first), len(rows))

    def _row(self, name: str, value: float, limits: tuple[float, float] | None) -> dict[str, Any]:
        description, domain = self._model.description, self._model.translated.domains.get(name)
        low, high = limits or _range(value, domain)
        unit = description.units.get(name, "")
        return {
            "name": name,
            "label": visible(name),
            "value": _finite(value),
            "low": _finite(low),
            "high": _finite(high),
            "unit": "" if unit == "1" else visible(unit),
            "documentation": visible(description.documentation.get(name, "")),
            "choices": list(domain.literals) if domain else [],
            "first": 0 if domain and domain.literals[:1] == ("false",) else 1,
            "whole": bool(domain and domain.is_whole),
            "slow": name in self._model.folded,
        }

    def again(self, values: Mapping[str, float], stop: float) -> str | None:
        """Run with these values; the message of a run that fails, whose rows up to the failure are kept."""
        try:
            base, given = self._base, by_kind(self._model.translated.info, values.items())
            experiment = replace(
                base, stop=stop, parameters={**base.parameters, **given["parameters"]},
                initial={**base.initial, **given["initial"]}, inputs={**base.inputs, **given["inputs"]},
            )  # fmt: skip
            result = self._model.run(self._model.settled(experiment))
        except (RunError, ModelError) as error:
            return visible(str(error))
        self.run = result
        return visible(str(result.failure.error())) if result.failure else None

    def picture(self, names: Iterable[str]) -> dict[str, Any]:
        """The curves of these variables, 64-bit numbers, and the animation as JSON, "" if there is none."""
        run = self.run
        known, (time, *columns) = shown_curves(run, names, _PIXELS)
        units = self._model.description.units
        return {
            "names": known,
            "labels": [visible(name) for name in known],
            "units": [visible(units.get(name, "")) for name in known],
            "time": time.astype("<f8").tobytes(),
            "columns": [column.astype("<f8").tobytes() for column in columns],
            "events": [event.time for event in run.events[:_MOST_NAMES]],
            "notes": [visible(str(note)) for note in run.notes],
            "scene": self._scene(),
        }

    def _scene(self) -> str:
        if not self._model.description.elements:
            return ""
        from cutset.runtime.animation.drawing import scene_of
        from cutset.runtime.animation.page import data_of

        try:
            return data_of(scene_of(self.run.description, self.run, _SCENE_ROWS, with_forces=False))
        except RunError:
            return ""  # a run that failed at its start may have no finite position


def _range(value: float, domain: Domain | None) -> tuple[float, float]:
    """The limits of a slider: those of the parameter, else from zero to twice its value."""
    low, high = (0.0, 2.0 * value) if value > 0.0 else (2.0 * value, 0.0) if value < 0.0 else (-1.0, 1.0)
    if domain is not None:
        low = low if domain.minimum is None else domain.minimum
        high = high if domain.maximum is None else domain.maximum
    return min(low, value), max(high, value)


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
