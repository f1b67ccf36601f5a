"""Cutset compiles and simulates physical models that are written as equations.

    import cutset
    model = cutset.load("models/rc.mo")
    run = model.simulate(stop=2.0, parameters={"R.R": 50.0})
    run["C.u"]; run.to_csv("rc.csv"); run.plot("C.u")

load         translates a file into a Model
loads        translates a text into a Model
import_robot  turns a URDF file into the text of a model
import_netlist  turns a netlist of SPICE into the text of a model
measure      measures a result: rise times, rms values, harmonics
read         reads a result file; it is used like a Result
table        makes an input of data over time
sample       draws values of uncertain parameters, for sweeps and batches
uniform      a distribution for `sample`: all values in a range are equally likely
normal       a distribution for `sample`: the normal distribution
sobol_indices  shares of the variance of a quantity by uncertain values
morris_indices  effects of many uncertain values on a quantity, roughly
probability  the probability of an event, with its error
extremes     the least and the largest value of a quantity in a box
pareto       designs that no other one beats, with catalogues
Phase        a part of an optimal motion with constant modes, for Model.optimize
gymnasium    makes environments for reinforcement learning of a model
verify       computes a model in independent ways and compares them
Model        a translated model: simulate, steady, sweep, evaluate, inspect
Result       the trajectories of a run by name; writes files and plots
Experiment   the settings of a run, for Model.run
Sweep        a table of many runs, from Model.sweep
NotImported  a warning: what of a robot or a netlist could not be carried over
ModelError   the model is wrong; `diagnostics` gives the errors and their places
RunError     a run failed to start or to finish; `result` has the rows before that
Interrupted  Ctrl-C ended a run (a KeyboardInterrupt); `result` has the rows so far
UnknownName  a result has no variable of this name (a RunError and a KeyError)
__version__  the version of this package

Each name is loaded on first use, so `import cutset` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cutset.contract.version import __version__ as __version__

if TYPE_CHECKING:
    from cutset.api.files.input_tables import table as table
    from cutset.api.files.result_table import read as read
    from cutset.api.mechanics.robots import NotImported as NotImported
    from cutset.api.mechanics.robots import import_robot as import_robot
    from cutset.api.model import Model as Model
    from cutset.api.model import load as load
    from cutset.api.netlists import import_netlist as import_netlist
    from cutset.api.notebook.cells import Shell
    from cutset.api.runs.learning import gymnasium as gymnasium
    from cutset.api.runs.measures import measure as measure
    from cutset.api.runs.motion_problem import Phase as Phase
    from cutset.api.runs.sampling import normal as normal
    from cutset.api.runs.sampling import sample as sample
    from cutset.api.runs.sampling import uniform as uniform
    from cutset.api.runs.studies import extremes as extremes
    from cutset.api.runs.studies import morris_indices as morris_indices
    from cutset.api.runs.studies import pareto as pareto
    from cutset.api.runs.studies import probability as probability
    from cutset.api.runs.studies import sobol_indices as sobol_indices
    from cutset.api.show.sweep_table import Sweep as Sweep
    from cutset.api.texts import loads as loads
    from cutset.api.verify.verification import verify as verify
    from cutset.compiler.diagnostics import ModelError as ModelError
    from cutset.runtime.errors import Interrupted as Interrupted
    from cutset.runtime.errors import RunError as RunError
    from cutset.runtime.errors import UnknownName as UnknownName
    from cutset.runtime.results.result import Result as Result
    from cutset.runtime.runs.experiment import Experiment as Experiment

_HOME = {
    "load": "cutset.api.model",
    "loads": "cutset.api.texts",
    "read": "cutset.api.files.result_table",
    "import_robot": "cutset.api.mechanics.robots",
    "import_netlist": "cutset.api.netlists",
    "NotImported": "cutset.api.mechanics.robots",
    "measure": "cutset.api.runs.measures",
    "gymnasium": "cutset.api.runs.learning",
    **dict.fromkeys(
        ("sobol_indices", "morris_indices", "probability", "extremes", "pareto"), "cutset.api.runs.studies"
    ),
    "table": "cutset.api.files.input_tables",
    "sample": "cutset.api.runs.sampling",
    "uniform": "cutset.api.runs.sampling",
    "normal": "cutset.api.runs.sampling",
    "Phase": "cutset.api.runs.motion_problem",
    "verify": "cutset.api.verify.verification",
    "Model": "cutset.api.model",
    "Result": "cutset.runtime.results.result",
    "Experiment": "cutset.runtime.runs.experiment",
    "Sweep": "cutset.api.show.sweep_table",
    "ModelError": "cutset.compiler.diagnostics",
    "RunError": "cutset.runtime.errors",
    "Interrupted": "cutset.runtime.errors",
    "UnknownName": "cutset.runtime.errors",
}
__all__ = [
    "Experiment",
    "Interrupted",
    "Model",
    "ModelError",
    "NotImported",
    "Phase",
    "Result",
    "RunError",
    "Sweep",
    "UnknownName",
    "__version__",
    "extremes",
    "gymnasium",
    "import_netlist",
    "import_robot",
    "load",
    "loads",
    "measure",
    "morris_indices",
    "normal",
    "pareto",
    "probability",
    "read",
    "sample",
    "sobol_indices",
    "table",
    "uniform",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'cutset' has no attribute '{name}'")
    return getattr(import_module(_HOME[name]), name)


def load_ipython_extension(shell: Shell) -> None:
    """Called by IPython for ``%load_ext cutset``: cells that begin with ``%%cutset`` are models."""
    from cutset.api.notebook.cells import define

    define(shell)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
