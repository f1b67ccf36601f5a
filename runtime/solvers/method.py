"""Defines the interface of an integration method: a tableau or a family, which C knows, or a function of a `Part`.

A method restarts at every event: everything that it allocates is freed when the function returns.
"""

from __future__ import annotations

from collections.abc import Callable

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.given.inputs import Inputs
from cutset.runtime.solvers.families import Family
from cutset.runtime.solvers.part import Part
from cutset.runtime.solvers.tableau import Tableau

# The end of a run that is too short to integrate, as a fraction of its length.
NEAREST = 1e-12
# The least number of steps of a fixed-step method in a run, if state events are watched.
FIXED_STEPS = 500
# The least number of steps in a run if a function without bounds drives the states: one in Python, or of the user.
OPAQUE_STEPS = 50


@dataclass(frozen=True)
class Method:
    """A named method. If it is not `adaptive` it ignores the tolerance. `order` is that of its errors if it is
    constant, and 5, which it may reach, if it varies. If it `is_explicit`, it takes short steps for a stiff model.

    `tableau` is that of an explicit method, or of the one that integrates until the model proves stiff, if it
    `detects_stiffness`; `family` is that of a method of SUNDIALS, or of the one that integrates from then on.
    `integrate` takes the steps of a method that is not in C, and returns how a part ended, as in driver.h."""

    name: str
    about: str
    integrate: Callable[[Part], int] | None = None
    adaptive: bool = True
    order: int = 5
    is_explicit: bool = False
    tableau: Tableau | None = None
    detects_stiffness: bool = False
    family: Family | None = None


def least_steps(info: ModelInfo, method: Method, inputs: Inputs) -> int:
    """The least number of steps in a run, 0 for any: without error control, only short steps resolve crossings between
    outputs; functions without bounds may hide pulses."""
    if info.crossings and not (method.adaptive and info.states):
        return FIXED_STEPS
    return OPAQUE_STEPS if info.has_opaque_forcing or inputs.scripted else 0
