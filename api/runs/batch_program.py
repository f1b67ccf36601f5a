"""Does the runs of a batch in C: model, values -> outcomes, None if that needs the runtime in Python.

Runs in equal steps of a model without events go together, others one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.api.runs.batch_values import Given
from cutset.api.translate.target_choice import choose_target
from cutset.api.translated_model import TranslatedModel
from cutset.compiler.options import Options
from cutset.runtime.interface import Vector
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.many_runs import DONE, ENDED, LAST, Runs, many_runs
from cutset.runtime.solvers.tableaus import RK4
from cutset.runtime.targets.lanes import SOURCE, Lanes, has_vectors, lanes_of


@dataclass(frozen=True, eq=False)
class Outcomes:
    """`results` (n, n_times, n_kept), NaN where a run did not arrive; and whether each run `has_ended` (n,), by itself
    or by the model. The others must be done again."""

    results: Vector
    has_ended: NDArray[np.bool_]


def variant_for(model: TranslatedModel, given: Given) -> Any:
    """The model in which all given parameters can change: their values are not part of its code."""
    defaults = {n: float(v[0]) for n, v in given.parameters.items() if n in model.translated.info.default_starts}
    own: Any = model.with_values(defaults) if defaults else model
    folded = frozenset(name for name in given.parameters if name in own.folded)
    return own.retranslated(Options(unfold=folded)) if folded else own


def outcomes_in_c(
    variant: Any,
    experiment: Experiment,
    given: Given,
    names: tuple[str, ...],
    workers: int,
    progress: Callable[[int, int], None],
) -> Outcomes | None:
    """The outcomes of all runs of the `variant`; None for a model, method or input that C cannot do, and without a C
    compiler."""
    if given.signals or choose_target("auto") != "c":
        return None
    values = [*given.parameters.items(), *given.initial.items(), *given.inputs.items()]
    runs = Runs(given.runs, values, [(name, LAST) for name in names], has_trajectories=True)
    many = many_runs(variant.build("c"), given.of_run(0, experiment), runs, _lanes(variant, experiment, given))
    if many is None:
        return None
    done = 0
    with closing(many.done(workers)) as blocks:
        for first, end in blocks:
            done += end - first
            progress(done, given.runs)
    status = many.numbers.status
    return Outcomes(many.numbers.values, (status == DONE) | (status == ENDED))


def _lanes(model: Any, experiment: Experiment, given: Given) -> Lanes | None:
    """The form of the model in which runs go together, if there is one."""
    if experiment.method != RK4.name or not has_vectors():
        return None
    text = model.translated.files("lanes").get(SOURCE)
    one_for_all = all(len(values) == 1 for values in given.parameters.values())
    return None if text is None else lanes_of(text, constants_are_shared=one_for_all)
