"""Lists how a run can end: a closed set, each with its meaning and advice. Decides nothing; the solvers report."""

from enum import Enum


class Outcome(Enum):
    """The end of a run. The value is (code, message, advice); `RunError` has the same code."""

    COMPLETED = ("", "the run reached its end", "")
    TERMINATED = ("", "the model ended the run", "")
    STEP_TOO_SMALL = (
        "E611",
        "the step size became too small to reach the tolerance",
        "a solution may go to infinity here; otherwise loosen the tolerance, or try the method cvode-bdf or radau",
    )
    TOO_MANY_STEPS = (
        "E612",
        "too many steps between two output times",
        "the model may be stiff: try the method cvode-bdf; or allow more steps with --max-steps (in Python "
        "max_steps), or loosen the tolerance",
    )
    NOT_FINITE_AT_START = (
        "E613",
        "the derivatives have no finite value at the start",
        "check the start values and parameters in this equation",
    )
    NOT_FINITE = (
        "E614",
        "the derivatives have no finite value from here on",
        "check this equation: the model may reach a singular position, or leave the range of a function",
    )
    NO_CONVERGENCE = (
        "E615",
        "the equations of an implicit step could not be solved",
        "try a tighter or a looser tolerance, or the method dopri5 or radau",
    )
    VARIABLE_NOT_FINITE = (
        "E617",
        "a variable has no finite value, but the states have",
        "check this equation; variables that do not depend on it are correct",
    )
    INTERRUPTED = ("E616", "the run was interrupted", "")
    ASSERTION = (
        "E618",
        "an assertion of the model failed",
        "check the condition and the values in it; the result up to this time is kept",
    )
    PREFERENCE_SINGULAR = (
        "E618",
        "the states that the model prefers do not determine its motion",
        "remove state=... (or JointState); then the run selects the states",
    )
    EVENT_WITHOUT_END = (
        "E619",
        "event iteration does not converge",
        "let the equation of new(...) reach a fixed value, or put it in a 'when', which acts only once",
    )
    CHATTERING = (
        "E620",
        "events follow each other without end",
        "give the relation a hysteresis, put it in noevent(), or add a mode in which nothing moves",
    )
    BAD_SAMPLE = (
        "E622",
        "a sample has an invalid interval",
        "the interval dt of sample(t0, dt) must be greater than 0",
    )
    MOTION_JUMPS = (
        "E641",
        "a prescribed position jumps",
        "the jump would need more than an impulse: move there over some time, along a ramp or through a filter "
        "(SoftPosition)",
    )
    INPUT_FAILED = (
        "E649",
        "a function of an input failed",
        "call the function in Python with this time; the result up to this time is kept",
    )
    FUNCTION_FAILED = (
        "E625",
        "a function of the model failed at an event",
        "call the function with these values; the result up to this time is kept",
    )
    TWO_RESTARTS = (
        "E640",
        "two 'init' give one variable different values at one instant",
        "write one 'when', with 'elsewhen' for the second condition, or give the same value in both",
    )
    RELATIONS_CONTRADICT = (
        "E634",
        "no combination of values of these relations was found that agrees with the equations",
        "the solution contradicts each choice of true and false that was tried: check for a feedback loop with no "
        "consistent state, or for a missing delay",
    )
    NO_SENSITIVITY = (
        "E637",
        "there is no derivative by a parameter",
        "run without sensitivities, or with parameters that do not move this event",
    )
    NO_START = (
        "E635",
        "the initial equations have no finite solution",
        "check the initial equations and start values of these states",
    )

    @property
    def code(self) -> str:
        """The error code, such as 'E611'."""
        return self.value[0]

    @property
    def message(self) -> str:
        """What happened, in words."""
        return self.value[1]

    @property
    def advice(self) -> str:
        """What to try."""
        return self.value[2]
