"""Lists how a run can end: a closed set, each with its meaning and advice. Decides nothing; the solvers report."""

from __future__ import annotations

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
        "too many steps were needed between two points of output",
        "the model may be stiff: try the method cvode-bdf; or allow more steps with --max-steps (in Python "
        "max_steps), or loosen the tolerance",
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
    ASSERTION = (
        "E618",
        "an assertion of the model does not hold",
        "look at the condition and at the values that it uses; what was computed up to there is kept",
    )
    WISH_SINGULAR = (
        "E618",
        "the states that the model prefers do not determine its motion",
        "take state=... (or JointState) away, then they are chosen in the run",
    )
    EVENT_WITHOUT_END = (
        "E619",
        "the discrete variables of an event do not come to rest",
        "let the equation of new(...) come to rest, or put it into a 'when', which acts once",
    )
    CHATTERING = (
        "E620",
        "events follow each other without end",
        "give the relation a hysteresis, put it into noevent(), or add a mode in which nothing moves",
    )
    BAD_SAMPLE = (
        "E622",
        "a sample has no sensible interval",
        "the interval of sample(t0, dt) must be a time that is greater than 0",
    )
    MOTION_JUMPS = (
        "E641",
        "a prescribed position or velocity jumps",
        "what moves with it would need an infinite force: let it go there in a time of its own, by a ramp without a "
        "corner, or through a "
        "filter (SoftPosition, SoftSpeed); where a jump of the speed is meant, restart the states with init(...) in a "
        "'when'",
    )
    TWO_RESTARTS = (
        "E640",
        "two 'init' give one variable different values at one instant",
        "say in one 'when' what happens there, with 'elsewhen' for what comes second, or let both give the same value",
    )
    RELATIONS_CONTRADICT = (
        "E634",
        "no values of these relations agree with the equations",
        "each choice of true and false leads to equations that say otherwise: look for a feedback without a way out, "
        "or a delay "
        "that is missing",
    )
    NO_START = (
        "E635",
        "the initial equations have no finite solution",
        "look at the initial equations and start values of these states",
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
