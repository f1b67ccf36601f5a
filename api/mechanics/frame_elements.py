"""Finds the elements of a mechanism: instance tree -> `FrameElement` for each instance with cut-frames.

Elements are recognized by their declarations, as in `description`: an element with one frame has a mass or is the
inertial system; one with two frames is a joint if it has coordinates, closes a loop if it has a constraint force, and
is rigid if it has neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from cutset.compiler.instantiate.instance import Cut, Instance, element_names
from cutset.contract.names import rpartition

# What an element declares, in the order in which this is tested: a joint with a velocity for each coordinate, of three
# degrees of freedom, of six; an element that closes a loop; one that passes on motion, and so is rigid if it has no
# coordinates.
_FREE, _TURNING, _SINGLE = {"p", "w", "x", "v"}, {"p", "w"}, {"q", "qd"}
_LINK, _CLOSING = {"T", "r", "C"}, {"T", "r", "F", "tau"}
_BASE = {"ng1", "ng2", "ng3"}
# The parameters of gravity on a mass that another element has.
_ATTRACTED = {"m", "mu"}


class Frame(NamedTuple):
    """A cut-frame by the path of its element and the name of the cut."""

    instance: str
    cut: str


@dataclass(frozen=True)
class FrameElement:
    """An element with cut-frames. `kind`: base, mass, joint, rigid, closing, assembly (of more than two frames), or
    other."""

    instance: Instance
    kind: str
    frames: tuple[Frame, ...]
    coordinates: tuple[str, ...] = ()
    freedom: int = 0


def elements_of(root: Instance) -> Iterator[FrameElement]:
    """The elements with cut-frames, in the order of the text."""
    for instance in root.walk():
        frames = tuple(Frame(instance.path, cut.name) for cut in instance.cuts if direction_cosines(cut) is not None)
        if not frames:
            continue
        names = {rpartition(v.name)[2]: v for v in instance.variables}
        parameters = {rpartition(p.name)[2] for p in instance.parameters}
        if len(frames) == 1:
            is_mass = "m" in parameters and not parameters >= _ATTRACTED
            kind = "base" if parameters >= _BASE else "mass" if is_mass else "other"
            yield FrameElement(instance, kind, frames)
        elif len(frames) > 2:
            yield FrameElement(instance, "assembly", frames)
        elif (coordinates := _coordinates(set(names))) and set(names) >= _LINK:
            positions, freedom = coordinates
            found = tuple(n for v in positions for n in element_names(f"{instance.path}.{v}", names[v].value.shape))
            yield FrameElement(instance, "joint", frames, found, freedom or len(found))
        else:
            yield FrameElement(instance, _kind_without_coordinates(instance, set(names)), frames)


def _coordinates(names: set[str]) -> tuple[tuple[str, ...], int] | None:
    """The positions of a joint and the number of its velocities, zero if there is one for each position; None if the
    element is no joint."""
    if names >= _SINGLE:
        return ("q",), 0
    if names >= _FREE:
        return ("x", "p"), 6
    return (("p",), 3) if names >= _TURNING else None


def _kind_without_coordinates(instance: Instance, names: set[str]) -> str:
    turns = {turn for cut in instance.cuts if (turn := direction_cosines(cut)) is not None}
    if names >= _LINK or len(turns) == 1:
        return "rigid"
    return "closing" if names >= _CLOSING else "other"


def direction_cosines(cut: Cut) -> tuple[object, ...] | None:
    """The direction cosines of a cut-frame, row by row; None for another cut."""
    return next((e.value.elements for e in cut.across or () if e.value is not None and e.value.shape == (3, 3)), None)
