"""Says a model otherwise and compares: texts with the same meaning, and values in the text or given to a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import pi
from pathlib import Path
from random import Random

import numpy as np

from cutset.api.verify.comparison import Curves, Difference, compared_in_runs
from cutset.api.verify.given_states import NoValue
from cutset.api.verify.reference_motion import Elsewhere, ReferenceMotion
from cutset.api.verify.residuals import written_starts
from cutset.api.verify.restated.edits import Edit, naming_of
from cutset.api.verify.restated.smallest import smallest
from cutset.api.verify.restated.texts import Texts
from cutset.api.verify.subject import Subject
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.options import Options, pairs
from cutset.runtime.errors import RunError
from cutset.runtime.outcome import Outcome

# What values are multiplied by in the text and in a run, all together; values and factors one by one, and values of
# what may be an angle: those at which a coefficient vanishes are the worst pivots.
_TOGETHER, _VALUES, _FACTORS, _ANGLES = (1.1, 1.0), (0.0,), (1.1, 0.1, 10.0, -1.0), (pi, pi / 2)
# By how much a run changes a start value, and what it may miss; relative to it.
_STARTED, _MISSED = 0.01, 1e-6
# The limits on steps between two rows of a run with other values, all or one: with some a model moves very fast.
_STEPS, _STEPS_ALONE = 10_000, 100
# The most values that are given together: a zero, or a sign that changes, may hide what the others do.
_GROUP, _GROUP_OF_SIGNS = 8, 2
# The codes of a start value that the model determines, and of one of a variable that is no state.
_DETERMINED = "E621"
_NO_STATES = (_DETERMINED, "E604")
Failed = (ModelError, RunError, NoValue, Elsewhere)


@dataclass(frozen=True)
class Restated:
    """What one way to say the model otherwise found: the largest differences at points and in runs, why it failed
    (empty if it did not), the translation, and the smallest set of edits that shows the same."""

    way: str
    at_points: Difference | None = None
    in_runs: Difference | None = None
    problem: str = ""
    subject: Subject | None = None
    edits: tuple[Edit, ...] = ()

    @property
    def is_wrong(self) -> bool:
        """True if a number differs, or if it failed."""
        return bool(self.problem) or any(each is not None and each.is_wrong for each in (self.at_points, self.in_runs))


# What edits show.
Trial = Callable[[Sequence[Edit]], Restated]


@dataclass(frozen=True)
class Restating:
    """A model that is said otherwise. `translate` translates with options, `reason` tells an error in one line."""

    path: Path
    options: Options
    translate: Callable[[Options], Subject]
    motion: ReferenceMotion
    reference: Subject
    reason: Callable[[Exception], str]

    def wordings(self, seed: int, together: bool) -> Iterator[Restated]:
        """Texts with the same meaning: one with edits of all kinds, or one for each kind."""
        texts = self._texts
        of_kind = texts.wordings(seed)
        flat = self.reference.equations[0] if self.reference.equations else None
        numbers = {variable.name for variable in flat.variables if variable.type.kind == "Real"} if flat else set()
        if not together and (scaled := texts.scaled(numbers)):
            of_kind["in another unit"] = scaled
        if together:
            alone = {"wrapped into a class"}
            chosen = [edit for kind, edits in of_kind.items() if kind not in alone for edit in edits]
            of_kind = {"said otherwise": chosen} if chosen else {}
        for kind, edits in of_kind.items():
            yield self._with_smallest(kind, edits, partial(self._reworded, texts, kind))

    def values(self, seed: int, alone: int) -> Iterator[Restated]:
        """Values that are written in the text, or given to a run of the original text: all together, and `alone`
        others, a few at a time."""
        texts, model = self._texts, self.reference.model
        domains = model.translated.domains
        structural = {name for name, value in model.folded.items() if value not in (0.0, 1.0, -1.0)}
        structural |= dict(self.options.structural).keys()  # these replace what the text says
        free = {n: x for n, x in model.parameters.items() if n not in structural and not _is_special(domains.get(n))}
        states = {name for name in model.states if "$" not in name}
        for factor in _TOGETHER:
            edits = texts.given(free, states, partial(_times, factor))
            if edits:
                way = f"values given by a run (times {factor:g})" if factor != 1.0 else "values given by a run"
                found = self._with_smallest(way, edits, partial(self._given, texts, way))
                yield found
                if not alone and found.subject is not None:
                    break  # a large model: what ran with other values needs no second look at its own
        units = model.description.units
        angles = {name: value for name, value in free.items() if units.get(name, "") in ("", "rad")}
        changes = [partial(_times, factor) for factor in _FACTORS] + [partial(_equal, value) for value in _VALUES]
        tried = [edit for value in _ANGLES for edit in texts.given(angles, (), partial(_equal, value))]
        tried += [edit for change in changes for edit in texts.given(free, states, change)]
        chosen = Random(seed).sample(tried, min(alone, len(tried)))
        if chosen:
            yield self._in_groups(chosen)

    def starts(self, seed: int, number: int) -> Iterator[Restated]:
        """Start values that a run gives, some of the variables with a derivative one by one: it must start there, or
        say why it cannot."""
        reference, most = self.reference, Restated("start values given by a run")
        start = reference.run(self.motion.times[:1])
        derivatives = reference.equations[0].derivatives if reference.equations else ()
        names = [name for x in derivatives if (name := str(x.data)) in start and "$" not in name]
        system = reference.equations[1] if reference.equations else None
        written = written_starts(system) if system and not system.initial else {}
        for name in Random(seed).sample(names, min(number, len(names))):
            before = float(start[name][0])
            value = before + _STARTED * max(1.0, abs(before))
            try:
                found = replace(reference, initial={name: value}).run(self.motion.times[:1])[name]
            except Failed as error:
                is_determined = name in written and getattr(error, "code", "") == _DETERMINED
                if is_determined and self._may_start(name, value):
                    yield replace(most, problem=self.reason(error))
                    return
                continue
            apart = float(np.abs(found[[0, -1]] - value).min()) / (_MISSED * max(1.0, abs(value)))
            difference = Difference(
                name, f"at the start, of which a run gives {value:.9g}", apart, value, float(found[0])
            )
            if most.at_points is None or difference.size > most.at_points.size:
                most = replace(most, at_points=difference)
            if difference.is_wrong:
                break
        if most.at_points is not None:
            yield most

    def _may_start(self, name: str, value: float) -> bool:
        """True unless the text with this start value does not run, or says in a note that it starts elsewhere."""
        try:
            subject = self._edited(self._texts, self._texts.given({}, {name}, partial(_equal, value)))
            notes = (*subject.told, *subject.run(self.motion.times[:1]).notes)
        except Failed:
            return False
        return not any(f"'{name}'" in note for note in notes)

    def _in_groups(self, edits: Sequence[Edit]) -> Restated:
        """The first group of the edits that is wrong, with those of it that show the same, or the one that differs
        most. Groups grow while they can be compared; one that cannot, because a value stops the text, is divided."""
        most = Restated(way := f"{len(edits)} more values given by a run")
        given = partial(self._given, self._texts, way, steps=_STEPS_ALONE)
        signs = [edit for edit in edits if _changes_sign(edit, self.reference.model.parameters)]
        for left, limit in (([e for e in edits if e not in signs], _GROUP), (signs, _GROUP_OF_SIGNS)):
            size = limit
            while left:
                group = _of_different_values(left, size)
                found = self._with_smallest(way, group, given)
                if found.is_wrong:
                    return found
                if found.in_runs is None and len(group) > 1:
                    size = len(group) // 2
                    continue
                left = [edit for edit in left if edit not in group]
                size = min(2 * size, limit)
                if most.in_runs is None or (found.in_runs is not None and found.in_runs.size > most.in_runs.size):
                    most = found
        return most

    @cached_property
    def _texts(self) -> Texts:
        return Texts(self.path, self.reference.model.name, self.options)

    def _with_smallest(self, way: str, edits: Sequence[Edit], tried: Trial) -> Restated:
        found = tried(edits)
        if not found.is_wrong:
            return found
        few = smallest(edits, lambda some: tried(some).is_wrong)
        return replace(tried(few), way=way, edits=few)

    def _reworded(self, texts: Texts, way: str, edits: Sequence[Edit]) -> Restated:
        found = Restated(way)
        try:
            other = self._edited(texts, edits)
            found = replace(found, subject=other)
            found = replace(found, at_points=self.motion.at_points(other)[0])
            return replace(found, in_runs=self.motion.in_runs(other))
        except Failed as error:
            return replace(found, problem=self.reason(error))

    def _given(self, texts: Texts, way: str, edits: Sequence[Edit], steps: int = _STEPS) -> Restated:
        """The text with the values, beside a run that is given them. Not compared if the text does not run."""
        try:
            written = self._edited(texts, edits)
            exact = self._curves(written, self.motion.accurate, steps)
        except Failed:
            return Restated(way)
        given = dict(pair for edit in edits for pair in edit.given)
        started = dict(pair for edit in edits for pair in edit.initial)
        other = replace(self.reference, parameters=given, initial=started)
        found = Restated(way, subject=written)
        try:
            run = self._curves(other, self.motion.accurate, steps)
        except Failed as error:
            # With some values of parameters a variable that starts at a value in the text is no state.
            open_codes = {Outcome.TOO_MANY_STEPS.code, *(_NO_STATES if started else ())}
            is_open = isinstance(error, RunError) and error.code in open_codes
            return Restated(way) if is_open else replace(found, problem=self.reason(error))
        tolerance = self.reference.model.experiment.rtol
        compared = partial(compared_in_runs, found=[run], tolerance=tolerance, part=self.motion.accurate)
        found = replace(found, in_runs=compared((exact, exact)))
        if not found.is_wrong:
            return found
        try:  # what a run at another tolerance leaves open is not wrong
            coarse = self._curves(written, 0.1, steps)
        except Failed:
            return Restated(way)
        return replace(found, in_runs=compared((coarse, exact)))

    def _curves(self, subject: Subject, part: float, steps: int) -> Curves:
        """A run, whose steps need no bound, as both ways take the same."""
        run = self.motion.bounded(subject, part, max_steps=steps, max_step=None)
        return subject.curves(run, self.motion.times, self.reference).of(self.motion.determined)

    def _edited(self, texts: Texts, edits: Sequence[Edit]) -> Subject:
        unsaved = pairs(dict(self.options.unsaved) | texts.unsaved(edits))
        other = self.translate(replace(self.options, unsaved=unsaved))
        return replace(other, naming=naming_of(edits))


def _times(factor: float, name: str, value: float) -> float:
    """The value times the factor; of zero, one that differs from it as much as that factor from 1."""
    return value * factor if value else factor - 1.0


def _equal(chosen: float, name: str, value: float) -> float:
    return chosen


def _changes_sign(edit: Edit, parameters: Mapping[str, float]) -> bool:
    """True for an edit that writes zero, or a value of the other sign than that of the model."""
    return any(value * parameters.get(name, 1.0) <= 0.0 for name, value in (*edit.given, *edit.initial))


def _of_different_values(edits: Sequence[Edit], number: int) -> list[Edit]:
    """The first of the edits that write different values, so many at most."""
    of_name = dict[str, Edit]()
    for edit in edits:
        for name, _ in (*edit.given, *edit.initial):
            of_name.setdefault(name, edit)
    return list(of_name.values())[:number]


def _is_special(domain: object) -> bool:
    """True for a parameter that is an Integer, a Boolean or of an enumeration."""
    return domain is not None and bool(getattr(domain, "literals", ()) or getattr(domain, "is_whole", False))
