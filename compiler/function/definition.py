"""Defines what a function of a mechanism is: which equations hold, what is given, what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple


class NotAFunction(Exception):
    """The outputs do not follow from the inputs; says why."""


class FrameMotion(NamedTuple):
    """What a function gives of the cut-frame `cut` of the submodel `instance`: its 'rotation' (the direction cosines
    row by row), the 'position' of its origin, or its 'velocity' (angular, then that of the origin), resolved in the
    inertial frame."""

    instance: str
    cut: str
    quantity: Literal["rotation", "position", "velocity"]


class MassMotion(NamedTuple):
    """What a function gives of all `masses`, their cut-frames, resolved in the inertial frame: their 'center', their
    'momentum' (angular about the center, then linear), or their 'energy' (kinetic, then potential in the gravity of the
    inertial system at the cut-frame `base`)."""

    masses: tuple[tuple[str, str], ...]
    base: tuple[str, str]
    quantity: Literal["center", "momentum", "energy"]


@dataclass(frozen=True)
class Function:
    """A function to translate instead of the whole model: outputs that follow from inputs by the equations of some of
    its submodels. All names are those of scalars.

    submodels    those whose equations hold; the connections between their cut-frames hold, too
    independent  positions and velocities: their derivatives are variables of their own
    open         forces: the model has no values of them for cuts that are not connected, and no defaults
    inputs       the arguments in order
    zeros        variables that are zero
    outputs      the results in order
    by           further inputs: the results are the derivatives of the outputs by these, row by row, and must not
                 depend on these themselves, unless they are arguments, too
    parameters   those of `by` that are parameters of the model, each with its value in the results
    change       'rates': the results are the derivatives of these derivatives by time; 'tangents': each row begins with
                 the derivatives along the motion of the positions that each velocity causes; 'solved': the same for the
                 accelerations at given forces, the last of the `by`, and then by the forces
    constraints  submodels with constraints: the left minus the right side of each follows the outputs, differentiated
                 by time if there is `by`
    """

    submodels: frozenset[str]
    independent: tuple[str, ...]
    open: tuple[str, ...]
    inputs: tuple[str, ...]
    zeros: tuple[str, ...] = ()
    outputs: tuple[str | FrameMotion | MassMotion, ...] = ()
    by: tuple[str, ...] = ()
    parameters: tuple[tuple[str, float], ...] = ()
    change: Literal["", "rates", "tangents", "solved"] = ""
    constraints: tuple[str, ...] = ()
