"""Does the runs of a batch in C: model, values -> outcomes, None if that needs the runtime.

Runs in equal steps of a model without events go together in a program that is compiled for them. Others go one by one
in the library of single runs or, for models that it cannot start, in such a program.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from typing import Any, Protocol

import numpy as np

from cutset.batch_values import Given
from cutset.contract.metadata import ModelInfo
from cutset.export.batch_files import batch_files, has_vectors, with_vectors
from cutset.export.batch_runs import AUTO, EXPLICIT, FIXED_STEPS, Outcomes, ProgramRuns, do_runs
from cutset.export.tables import sorted_names
from cutset.exporting import program_of, to_keep
from cutset.retranslation import Change
from cutset.runtime.errors import RunError
from cutset.runtime.experiment import Experiment, output_times_of
from cutset.runtime.interface import Vector
from cutset.runtime.many_runs import DONE, ENDED, LAST, Runs, many_runs
from cutset.runtime.result import Result
from cutset.runtime.solvers.method import FIXED_STEPS as LEAST_STEPS
from cutset.runtime.toolchain import Compiler, find_compiler, shared_library
from cutset.target_choice import choose_target


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
    """The outcomes of all runs; None for a model, method or input that C cannot do, and without a C compiler."""
    if given.signals:
        return None
    defaults = {n: float(v[0]) for n, v in given.parameters.items() if n in model.translated.info.default_starts}
    own: Any = model.with_values(defaults) if defaults else model
    folded = [name for name in given.parameters if name in own.folded]
    change, compiler, lanes = Change(to_keep(own, folded)), find_compiler(), None
    if experiment.method == "rk4" and compiler is not None and has_vectors(compiler):
        lanes = own.retranslated(change).translated.files("lanes").get("lanes.c")
    if lanes is None:
        one = own.retranslated(Change(frozenset(folded))) if folded else own
        found = _one_by_one(one, experiment, given, names, workers, progress)
        if found is not None:
            return found
    if compiler is None:
        return None
    return _by_program(own, change, compiler, lanes, experiment, given, names, workers, progress)


def _one_by_one(
    model: Any,
    experiment: Experiment,
    given: Given,
    names: tuple[str, ...],
    workers: int,
    progress: Callable[[int, int], None],
) -> Outcomes | None:
    """The outcomes of runs by the library of single runs; None if that cannot do them."""
    if choose_target("auto") != "c":
        return None
    values = [*given.parameters.items(), *given.initial.items(), *given.inputs.items()]
    runs = Runs(given.runs, values, [(name, LAST) for name in names], has_trajectories=True)
    many = many_runs(model.build("c"), given.of_run(0, experiment), runs)
    if many is None:
        return None
    done = 0
    with closing(many.done(workers)) as blocks:
        for first, end in blocks:
            done += end - first
            progress(done, given.runs)
    status = many.numbers.status
    return Outcomes(many.numbers.values, (status == DONE) | (status == ENDED))


def _by_program(
    own: Any,
    change: Change,
    compiler: Compiler,
    lanes: str | None,
    experiment: Experiment,
    given: Given,
    names: tuple[str, ...],
    workers: int,
    progress: Callable[[int, int], None],
) -> Outcomes | None:
    """The outcomes of runs by a program like exported ones, together if there are `lanes`; None if that cannot do
    them."""
    method = _METHODS.get(experiment.method)
    if method is None or (math.isfinite(experiment.max_step) and method != FIXED_STEPS):
        return None
    try:
        program, _ = program_of(own, change, "c" if lanes is None else "lanes")
    except RunError as error:
        if error.code != "E655":
            raise
        return None
    settable = _settable(program.info, given)
    if settable is None:
        return None
    if lanes is not None:
        one_for_all = all(len(values) == 1 for values in given.parameters.values())
        compiler = with_vectors(compiler, one_for_all)
    step = experiment.max_step
    if program.info.crossings:
        step = min(step, (experiment.stop - experiment.start) / LEAST_STEPS)
    number = {name: k for k, name in enumerate(sorted_names(program.info))}
    kept, variables = ([number[name] for name in each] for each in (names, settable))
    of_run = method, experiment.rtol, experiment.atol, step
    runs = ProgramRuns(given.runs, output_times_of(experiment), kept, variables, list(settable.values()), *of_run)
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
