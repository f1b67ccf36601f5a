"""How a run can end: a closed set, each with what it means and what to try. Decides nothing; the solvers report."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """The value is (code, what happened, advice); the code is that of the `RunError` made from it."""

    COMPLETED = ("", "the run reached its end", "")
    STEP_TOO_SMALL = (
        "E611",
        "the step size became too small to reach the tolerance",
        "a solution may go to infinity here; otherwise loosen the tolerance, or try the method cvode-bdf or radau",
    )
    TOO_MANY_STEPS = (
        "E612",
        "too many steps were needed between two points of output",
        "the model may be stiff: try the method cvode-bdf; or raise max_steps, or loosen the tolerance",
    )
    NOT_FINITE_AT_START = (
        "E613",
        "the derivatives have no finite value at the start",
        "check the start values and parameters that the named equation uses",
    )
    NOT_FINITE = (
        "E614",
        "the derivatives have no finite value from here on",
        "the model reaches a singular position, or leaves the range of a function: see the named equation",
    )
    NO_CONVERGENCE = (
        "E615",
        "the equations of an implicit step could not be solved",
        "tighten the tolerance, or try the method dopri5 or radau",
    )
    VARIABLE_NOT_FINITE = (
        "E617",
        "a variable has no finite value, though the states have",
        "check the named equation; what does not depend on it is right",
    )
    INTERRUPTED = ("E616", "the run was interrupted", "")

    @property
    def code(self) -> str:
        return self.value[0]

    @property
    def message(self) -> str:
        return self.value[1]

    @property
    def advice(self) -> str:
        return self.value[2]
