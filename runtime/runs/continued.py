"""Continues a run from its saved state: CompiledModel, Experiment, bytes -> Result.

States, discrete variables, modes, samples, delayed values and constant inputs are carried over, with what the method
remembers. The start is not repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cutset.runtime.description import Description
from cutset.runtime.errors import RunError
from cutset.runtime.given.inputs import InputSignal
from cutset.runtime.interface import CompiledModel
from cutset.runtime.results.result import Result
from cutset.runtime.runs import saved_state
from cutset.runtime.runs.experiment import Experiment
from cutset.runtime.runs.opened import bound_run
from cutset.runtime.runs.simulate import resumed
from cutset.runtime.solvers import OF_ALL_EQUATIONS
from cutset.runtime.solvers.method import NEAREST


def simulate_from(
    model: CompiledModel,
    experiment: Experiment,
    state: bytes,
    description: Description = Description(),
) -> Result:
    """Run the experiment from the state, whose time is its start. Inputs that are given replace those of the state.
    RunError E605 if the bytes are not a state of this model with these parameters, if start values are given, or if an
    input followed a function or a table and is not given again."""
    if experiment.method in OF_ALL_EQUATIONS or model.info.n_algebraic:
        hint = "take another method, such as cvode-bdf or ida"
        raise RunError("E605", "the method bdf cannot continue from a saved state", hint)
    if experiment.initial:
        raise RunError("E605", "a run that continues has no start values", "leave out either initial or start_from")
    fingerprint = saved_state.fingerprint(model.info)
    begin, constant, driven = saved_state.start_of(state, model.info, fingerprint)
    if experiment.start not in (0.0, begin):
        raise RunError("E605", f"the run starts at {begin!r}, the time of the state, not at {experiment.start!r}")
    changed, inputs = bool(experiment.inputs), _signals(constant, driven, experiment.inputs)
    experiment = replace(experiment, start=begin, inputs=inputs)
    run = bound_run(model, experiment)
    try:
        like = replace(run.snapshot(), nearest=NEAREST * (experiment.stop - begin))
        snapshot = saved_state.from_bytes(state, like, fingerprint)
    finally:
        run.free()
    return resumed(experiment, description, snapshot, experiment.inputs if changed else None)


def _signals(
    constant: Mapping[str, float], driven: tuple[str, ...], given: Mapping[str, InputSignal]
) -> dict[str, InputSignal]:
    missing = [name for name in driven if name not in given]
    if missing:
        what = f"the input '{missing[0]}' followed a function or a table, which is not part of the saved state"
        raise RunError("E605", what, f"give it again: inputs={{'{missing[0]}': ...}}")
    return {**constant, **given}
