"""Defines how the class of an FMU for model exchange and the runtime tell each other of events.

An event of the FMU returns the number of its new discrete state, whether the FMU ends the run, whether it has a next
time event, the instant of this, its continuous states, and its discrete outputs. The signs of its indicators are binary
digits, the lowest first, which are 1 for positive indicators.
"""

from __future__ import annotations

# The elements before the states.
FIRST = 4
# The digits of a number.
DIGITS = 40
