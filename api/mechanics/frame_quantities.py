"""Finds the cut-frames of a mechanism: instance tree -> where a result has their motion and their cut-forces.

The multibody libraries resolve them in different frames and with different cuts, which are told apart by the shapes of
their variables. The quantities here are the same in all of them: rotation, position, velocities and accelerations of a
frame, force and torque into its element, resolved in the inertial frame. An acceleration is one against gravity, as a
body feels it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cutset.compiler.instantiate.instance import Cut, CutVariable, Instance
from cutset.contract.names import rpartition
from cutset.runtime.interface import Vector
from cutset.runtime.results.result import Result

# The shapes of the first across variables: direction cosines, position, velocity, acceleration; or direction cosines,
# Euler parameters, position, angular velocity in the frame.
_TWISTS, _EULER = ((3, 3), (3,), (6,), (6,)), ((3, 3), (4,), (3,), (3,))
# The shapes of the first through variables: a wrench; the factors of the acceleration in one; force and torque in the
# inertial frame.
_WRENCH, _FACTORS, _RESOLVED = ((6,),), ((6, 6), (6,)), ((3,), (3,))
_Arrays = list[NDArray[np.float64] | None]


@dataclass(frozen=True)
class _Elements:
    """The scalars of one array in a result, and its sign at the cut."""

    names: tuple[str, ...]
    shape: tuple[int, ...]
    sign: int

    def of(self, result: Result) -> NDArray[np.float64] | None:
        """The values, shape (rows, *shape); None if the result lacks one."""
        if any(name not in result for name in self.names):
            return None
        columns = [result[name] for name in self.names]
        return self.sign * np.stack(columns, axis=1).reshape(-1, *self.shape)


@dataclass(frozen=True)
class _Cut:
    """A cut of the element `instance`: its arrays by their places in the cut."""

    instance: str
    cut: str
    across: tuple[_Elements | None, ...]
    through: tuple[_Elements | None, ...]

    @property
    def name(self) -> str:
        """The element and the cut, as messages name it."""
        return f"{self.instance}:{self.cut}"


class CutFrame(_Cut):
    """A cut-frame."""

    def own(self) -> frozenset[str]:
        """The variables of the cut, which libraries resolve in different frames."""
        arrays = (*self.across, *self.through)
        return frozenset(name for each in arrays if each is not None for name in each.names)

    def quantities(self, result: Result) -> Iterator[tuple[str, Vector]]:
        """The quantities that the result has, each of shape (rows, n)."""
        across = _values(self.across, result)
        turns = len(across) > 3 and _shapes(self.across[:4]) == _TWISTS
        rotation, place = across[0], across[1 if turns else 2]
        if rotation is None or place is None:
            return
        yield "rotation", rotation.reshape(len(rotation), 9)
        yield "position", place
        for word, motion in zip(("velocity", "acceleration"), across[2:4] if turns else (), strict=False):
            if motion is not None:
                yield f"angular {word}", _turned(rotation, motion[:, :3])
                yield word, _turned(rotation, motion[:, 3:])
        if not turns and across[3] is not None:
            yield "angular velocity", _turned(rotation, across[3])
        yield from self._force(rotation, across[3], _values(self.through[:2], result))

    def _force(
        self, rotation: NDArray[np.float64], acceleration: NDArray[np.float64] | None, through: _Arrays
    ) -> Iterator[tuple[str, Vector]]:
        shapes, (first, *rest) = _shapes(self.through[:2]), through
        if first is None:
            return
        if shapes[:1] == _WRENCH:
            wrench = first
        elif not rest or rest[0] is None:
            return
        elif shapes == _RESOLVED:
            yield "force", first
            yield "torque", rest[0]
            return
        elif shapes == _FACTORS and acceleration is not None:
            wrench = np.einsum("nij,nj->ni", first, acceleration) + rest[0]
        else:
            return
        yield "force", _turned(rotation, wrench[:, 3:])
        yield "torque", _turned(rotation, wrench[:, :3])


class DriveCut(_Cut):
    """A cut of a joint or a drive line, with one coordinate."""

    def own(self) -> frozenset[str]:
        """The variables that only mean the same in all libraries when they are taken together."""
        return frozenset(each.names[0] for each in (*self.across[3:], *self.through) if each is not None)

    def quantities(self, result: Result) -> Iterator[tuple[str, Vector]]:
        """The force into the element, shape (rows, 1): in the direct problem a part of it is proportional to the
        acceleration, and another holds the coordinate."""
        (_, _, acceleration, hold), (force, inertia, held) = self._first(self.across, 4), self._first(self.through, 3)
        found = None if force is None else force.of(result)
        if found is None:
            return
        for factor, other, sign in ((inertia, acceleration, 1.0), (held, hold, -1.0)):
            one, two = (None if each is None else each.of(result) for each in (factor, other))
            if one is not None and two is not None:
                found = found + sign * one * two
        yield "drive force", found[:, None]

    @staticmethod
    def _first(arrays: tuple[_Elements | None, ...], number: int) -> tuple[_Elements | None, ...]:
        return (*arrays, *[None] * number)[:number]


Place = CutFrame | DriveCut


def places_of(instance: Instance) -> Mapping[str, Place]:
    """The cut-frames and the cuts of joints and drive lines of all elements, by name."""
    found: dict[str, Place] = {}
    for each in instance.walk():
        for cut in each.cuts:
            kind = CutFrame if is_frame(cut) else DriveCut if _is_drive(cut) else None
            if kind is not None:
                place = kind(each.path, cut.name, _arrays(cut.across or ()), _arrays(cut.through or ()))
                found[place.name] = place
    return found


def _is_drive(cut: Cut) -> bool:
    shapes = [() if v.value is None else v.value.shape for v in cut.entries]
    named = cut.cut_class is not None and rpartition(cut.cut_class.name)[2] == "DriveCut"
    return named and len(cut.across or ()) >= 3 and bool(cut.through) and not any(shapes)


def inner_paths(instance: Instance) -> frozenset[str]:
    """The paths of elements with cut-frames, and of cuts for frames of submodels: what is below differs from library to
    library."""
    cuts = [(each.path, cut) for each in instance.walk() for cut in each.cuts]
    classes = {cut.cut_class for _, cut in cuts if is_frame(cut)}
    bare = {f"{path}.{cut.name}".lstrip(".") for path, cut in cuts if cut.across is None and cut.cut_class in classes}
    return frozenset({path for path, cut in cuts if is_frame(cut)} | bare)


def is_frame(cut: Cut) -> bool:
    """True for a cut whose across variables are those of a cut-frame."""
    shapes = tuple(() if v.value is None else tuple(v.value.shape) for v in (cut.across or ())[:4])
    return shapes in (_TWISTS, _EULER)


def _shapes(arrays: tuple[_Elements | None, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(() if a is None else a.shape for a in arrays)


def _values(arrays: tuple[_Elements | None, ...], result: Result) -> _Arrays:
    return [None if a is None else a.of(result) for a in arrays]


def _arrays(variables: tuple[CutVariable, ...]) -> tuple[_Elements | None, ...]:
    return tuple(
        None
        if v.value is None or not all(leaf.op == "variable" for leaf in v.value.elements)
        else _Elements(tuple(str(leaf.data) for leaf in v.value.elements), tuple(v.value.shape), v.sign)
        for v in variables
    )


def _turned(rotation: NDArray[np.float64], vector: Vector) -> Vector:
    turned: Vector = np.einsum("nij,nj->ni", rotation, vector)
    return turned
