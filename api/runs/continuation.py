"""Continues a run from a result, a file or a saved state: Model, Experiment, state -> Result."""

from __future__ import annotations

import os
from pathlib import Path

from cutset.api.files.input_tables import continuable
from cutset.api.translated_model import TranslatedModel
from cutset.runtime.errors import RunError
from cutset.runtime.results.result import STATE_MEMBER, Result
from cutset.runtime.runs.experiment import Experiment

# A result, the path of one that was written as .npz, or a saved state.
Before = Result | str | os.PathLike[str] | bytes


def continued(model: TranslatedModel, experiment: Experiment, target: str, before: Before) -> Result:
    """Run the experiment from the end of the run `before`. RunError E605 as `simulate_from`, or without a state."""
    from cutset.runtime.runs.continued import simulate_from

    state, experiment = state_of(before), model.settled(experiment)
    suited = model.with_values(experiment.parameters)
    return continuable(model.signals, simulate_from(suited.build(target), experiment, state, suited.description))


def state_of(before: Before) -> bytes:
    """The state at the end of a run. RunError E605 if there is none."""
    import zipfile

    if isinstance(before, bytes):
        return before
    if isinstance(before, Result):
        return before.state()
    if not isinstance(before, str | os.PathLike):
        raise RunError("E605", f"start_from must be a result, a file or a state, not {before!r}")
    path = Path(before)
    if path.suffix.lower() != ".npz":
        what = f"a run cannot continue from '{path}': only a result in an .npz file has the state of its run"
        raise RunError("E605", what, "write the result of the run before with -o FILE.npz, or to_npz")
    try:
        with zipfile.ZipFile(path) as archive:
            if STATE_MEMBER in archive.namelist():
                return archive.read(STATE_MEMBER)
    except OSError as error:
        raise RunError("E605", f"cannot read {path}: {error.strerror or error}") from error
    except zipfile.BadZipFile as error:
        raise RunError("E605", f"cannot read {path}: {error}") from error
    hint = "a run that failed, that a condition ended, or by the methods bdf and ggl leaves none"
    raise RunError("E605", f"'{path}' has no state of a run", hint)
