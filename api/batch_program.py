"""Does the runs of a batch by a compiled program: model, values -> outcomes, None if that needs the runtime."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, Protocol

import numpy as np

from cutset.batch_values import Given
from cutset.contract.metadata import ModelInfo
from cutset.export.batch_files import batch_files, has_vectors, with_vectors
from cutset.export.batch_runs import AUTO, EXPLICIT, FIXED_STEPS, Outcomes, Runs, do_runs
from cutset.export.tables import sorted_names
from cutset.exporting import program_of, to_keep
from cutset.retranslation import Change
from cutset.runtime.errors import RunError
from cutset.runtime.experiment import Experiment, output_times_of
from cutset.runtime.interface import Vector
from cutset.runtime.result import Result
from cutset.runtime.solvers.method import FIXED_STEPS as LEAST_STEPS
from cutset.runtime.toolchain import find_compiler, shared_library


class Variants(Protocol):
    """A translated model and its variants: the part of `Model` used here."""

    @property
    def translated(self) -> Any:
        """The result of the translation."""
        ...

    @property
    def folded(self) -> dict[str, float]:
        """Parameters whose values are part of the code."""
        ...

    def retranslated(self, change: Change) -> Any:
        """The model translated with this change."""
        ...

    def with_values(self, given: Mapping[str, float]) -> Any:
        """The model for these parameter values."""
        ...

    def run(self, experiment: Experiment) -> Result:
        """One run; its failure is part of the result."""
        ...


_METHODS = {"auto": AUTO, "dopri5": EXPLICIT, "rk4": FIXED_STEPS}


def outcomes_in_c(
    model: Variants,
    experiment: Experiment,
    given: Given,
    names: tuple[str, ...],
    workers: int,
    progress: Callable[[int, int], None],
) -> Outcomes | None:
    """The outcomes of all runs; None for a model, method or input that such a program does not have, and without a C
    compiler."""
    method, compiler = _METHODS.get(experiment.method), find_compiler()
    has_longest = math.isfinite(experiment.max_step) and method != FIXED_STEPS
    if method is None or compiler is None or given.signals or has_longest:
        return None
    vectors = method == FIXED_STEPS and has_vectors(compiler)
    defaults = {n: float(v[0]) for n, v in given.parameters.items() if n in model.translated.info.default_starts}
    own: Any = model.with_values(defaults) if defaults else model
    try:
        change = Change(to_keep(own, [name for name in given.parameters if name in own.folded]))
        program, _ = program_of(own, change, "lanes" if vectors else "c")
    except RunError as error:
        if error.code != "E655":
            raise
        return None
    settable = _settable(program.info, given)
    if settable is None:
        return None
    lanes = own.retranslated(change).translated.files("lanes").get("lanes.c") if vectors else None
    if lanes is not None:
        one_for_all = all(len(values) == 1 for values in given.parameters.values())
        compiler = with_vectors(compiler, one_for_all)
    step = experiment.max_step
    if program.info.crossings:
        step = min(step, (experiment.stop - experiment.start) / LEAST_STEPS)
    number = {name: k for k, name in enumerate(sorted_names(program.info))}
    kept, variables = ([number[name] for name in each] for each in (names, settable))
    of_run = method, experiment.rtol, experiment.atol, step
    runs = Runs(given.runs, output_times_of(experiment), kept, variables, list(settable.values()), *of_run)
    with ExitStack() as scratch:
        library = scratch.enter_context(shared_library(batch_files(program, lanes), compiler))
        return do_runs(library, runs, workers, progress)


def _settable(info: ModelInfo, given: Given) -> dict[str, Vector] | None:
    """The values by name, if the program can set all of them: parameters that are no part of the code, start values of
    states, inputs."""
    found: dict[str, Vector] = {}
    for array, values in (("p", given.parameters), ("x", given.initial), ("u", given.inputs)):
        if any(name not in info.names or info.names[name].array != array for name in values):
            return None
        found |= values
    return {name: np.ascontiguousarray(values) for name, values in found.items()}
