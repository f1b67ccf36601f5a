"""Defines how the class of an FMU and the runtime tell each other of events.

An FMU for co-simulation returns its outputs, then what comes next at this instant, the number of its next call there,
and whether it ends the run. At a communication point it is called for the step, whose number is 0, and then in rounds,
until the outputs of all FMUs agree with the inputs that depend on them. While it is initialized, another function does
the same with the initial equations of the model; it returns the outputs and the number of its next call, and is called
with both.

An event of an FMU for model exchange returns the number of its new discrete state, whether the FMU ends the run,
whether it has a next time event, the instant of this, its continuous states, and its discrete outputs. The signs of its
indicators are binary digits, the lowest first, which are 1 for positive indicators.
"""

# What the classes for co-simulation and for model exchange declare beside the variables of the FMU; constants for units
# have numbers.
OF_STEPPING = frozenset({"step", "time_limit", "separate", "iterate", "outputs", "opened", "moved"})
OF_EXCHANGE = frozenset(
    {"time_limit", "separate", "states", "begin", "event", "current", "moved", "indicators", "signs", "seen"}
)
NUMBERED = ("unit_", "held_", "outputs_")
# The elements before the states.
FIRST = 4
# The digits of a number.
DIGITS = 40
# The function that gives the outputs of an FMU for co-simulation while it is initialized; and that which advances it,
# with what this returns after the outputs: nothing comes next, or a round; rounds alternate, so that each is a change.
OPEN, STEP = "fmu_open", "fmu"
REST, ODD_ROUND, EVEN_ROUND = 0, 1, 2
