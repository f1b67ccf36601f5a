"""Computes quantities of mechanics of a model: dynamics in both directions, mass matrix, Jacobians, poses.

Each is a function of its own that is translated on first use from the equations of bodies, joints and force elements:
those of `mbs`, which solves any problem, and those of `mbssim` for accelerations, where the number of operations grows
with the number of bodies only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.function.definition import Function, NotAFunction
from cutset.compiler.instantiate.instance import Instance
from cutset.mechanism import JointVariables, Mechanism, library_of, mechanism_of
from cutset.observer import Enough
from cutset.retranslation import Change
from cutset.runtime.compiled_function import CompiledFunction
from cutset.runtime.errors import RunError
from cutset.runtime.interface import CompiledModel, Values

# The library for all functions, and the one for accelerations from forces.
_GENERAL, _RECURSIVE = "mbs", "mbssim"
_LIBRARIES = frozenset({"mbs", "mbssim", "mbsmat", "mbsabs"})

_NAMES = {"q": "q", "v": "v", "a": "a", "t": "tau"}

Array = NDArray[np.float64]
# Compiles the model with a change.
Bound = Callable[[Change], tuple[CompiledModel, Values]]


class Pose(NamedTuple):
    """Where a cut-frame is: `T`, shape (..., 3, 3), turns vectors from the frame into the inertial frame; `r`, shape
    (..., 3), is the position of its origin in m, resolved in the inertial frame."""

    T: Array
    r: Array


class Mechanics:
    """The mechanics of a tree of bodies, made by `Model.mechanics`: M(q)*a + h(q, v) = tau.

    q, v, a and tau hold the positions, velocities, accelerations and forces of all joints, in the order of `joints`:
    shapes (..., n_q) and (..., n_v), with the same leading axes for all arguments of a call; units m, rad, s, N. A
    joint of one degree of freedom has its coordinate and its force lambda. `Spherical` has the Euler parameters p (of
    any length), the relative angular velocity w and the torque tau; `Free` has x and p, v and w, f and tau.

    What acts along the coordinates of joints (motors, gears, friction) and what surrounding models determine is left
    out: tau stands for it. Gravity and elements between frames, such as springs, are part of h. Elements that close
    loops are left out, too; `constraint_jacobian` gives their directions. Where a function has no value, the result is
    inf or nan. The methods raise ValueError for arrays of other shapes, and RunError E605 for a quantity that does not
    follow from its arguments. An object is not for several threads at one time.

    M. Otter, H. Elmqvist, F. E. Cellier: Modeling of Multibody Systems with the Object-Oriented Modeling Language
    Dymola, equations (6), (8), (10) and (16) to (19); M. No, Efficient vehicle dynamics simulation with C++ and
    symbolic computation, for `velocity_transformation` and `path_matrix`.
    """

    def __init__(self, name: str, mechanism: Mechanism, general: Change, recursive: Change, bound: Bound):
        """`general` and `recursive` change the library of the model, `bound` compiles it with a change."""
        self._name, self._mechanism, self._bound = name, mechanism, bound
        self._change, self._recursive = general, recursive
        self._functions: dict[str, CompiledFunction] = {}

    # --- names -----------------------------------------------------------------------------------

    @property
    def joints(self) -> tuple[JointVariables, ...]:
        """The joints in the order of the bodies that they carry, each with the names of its variables."""
        return self._mechanism.joints

    @property
    def positions(self) -> tuple[str, ...]:
        """The names of the elements of q."""
        return self._mechanism.positions

    @property
    def velocities(self) -> tuple[str, ...]:
        """The names of the elements of v."""
        return self._mechanism.velocities

    @property
    def forces(self) -> tuple[str, ...]:
        """The names of the elements of tau."""
        return self._mechanism.forces

    @property
    def frames(self) -> tuple[str, ...]:
        """The names of the cut-frames that `pose` and `jacobian` take, such as `r1:b`."""
        return tuple(self._mechanism.frames)

    @property
    def bodies(self) -> tuple[tuple[str, ...], ...]:
        """The elements with the mass of each body, in the order of `velocity_transformation` and `path_matrix`."""
        return tuple(body.masses for body in self._mechanism.topology.bodies)

    @property
    def path_matrix(self) -> NDArray[np.int64]:
        """1 in row i and column j if body j is between the inertial system and body i, or is body i; else 0."""
        return self._mechanism.topology.path_matrix

    # --- dynamics --------------------------------------------------------------------------------

    def inverse(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """The forces that cause these accelerations: shape (..., n_v)."""
        return self._inverse(q, v, a)

    def bias(self, q: ArrayLike, v: ArrayLike) -> Array:
        """h(q, v), the forces without acceleration: those against gravity, centrifugal and Coriolis forces, and forces
        of elements between frames. Shape (..., n_v)."""
        return self._bias(q, v)

    def forward(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Array:
        """The accelerations that these forces cause: shape (..., n_v). RunError E605 for a mechanism with loops."""
        return self._forward(q, v, tau)

    def mass_matrix(self, q: ArrayLike) -> Array:
        """M(q), symmetric: shape (..., n_v, n_v)."""
        return self._mass_matrix(q)

    # --- kinematics ------------------------------------------------------------------------------

    def pose(self, frame: str, q: ArrayLike) -> Pose:
        """Rotation and position of a cut-frame. RunError E602 if there is no such frame."""
        numbers = self._of_frame(self._pose, frame)(q)
        return Pose(numbers[..., :9].reshape(*numbers.shape[:-1], 3, 3), numbers[..., 9:])

    def jacobian(self, frame: str, q: ArrayLike) -> Array:
        """J(q): J @ v is [angular velocity; velocity of the origin] of a cut-frame, resolved in the inertial frame.
        Shape (..., 6, n_v). RunError E602 if there is no such frame."""
        return self._of_frame(self._jacobian, frame)(q)

    def velocity_transformation(self, q: ArrayLike) -> Array:
        """B(q): B @ v stacks the velocities of all bodies, each [angular velocity; velocity], resolved in the inertial
        frame, of the frame in which its joint ends. Shape (..., 6*n_bodies, n_v). No, equation (11)."""
        return self._velocity_transformation(q)

    def constraint_jacobian(self, q: ArrayLike) -> Array:
        """G(q): G @ v = 0 holds for velocities that keep the loops closed; it has a row for each equation of the
        elements that close loops. Shape (..., n_constraints, n_v). The forces of the constraints are G' times their
        multipliers: M*a + h = tau + G'*mu."""
        return self._constraint_jacobian(q)

    # --- compiled functions ----------------------------------------------------------------------

    @cached_property
    def _inverse(self) -> CompiledFunction:
        return self._compiled(self._mechanism.inverse(), "qva")

    @cached_property
    def _bias(self) -> CompiledFunction:
        return self._compiled(self._mechanism.bias(), "qv")

    @cached_property
    def _forward(self) -> CompiledFunction:
        if self._mechanism.closing:
            what = "the accelerations of a mechanism with loops depend on the forces that close these"
            raise RunError(
                "E605", what, "solve M*a + h = tau + G'*mu with the derivative of G*v = 0, or simulate the model"
            )
        try:
            return self._compiled(self._mechanism.forward(), "qvt", change=self._recursive)
        except RunError:
            return self._compiled(self._mechanism.forward(), "qvt")

    @cached_property
    def _mass_matrix(self) -> CompiledFunction:
        n = len(self.velocities)
        return self._compiled(self._mechanism.mass_matrix(), "q", (n, n))

    @cached_property
    def _velocity_transformation(self) -> CompiledFunction:
        frames = self._mechanism.body_frames
        return self._compiled(self._mechanism.jacobian(frames), "q", (6 * len(frames), len(self.velocities)))

    @cached_property
    def _constraint_jacobian(self) -> CompiledFunction:
        return self._compiled(self._mechanism.constraints(), "q", (-1, len(self.velocities)))

    def _pose(self, frame: str) -> CompiledFunction:
        return self._compiled(self._mechanism.pose(self._mechanism.frame(frame)), "q", (12,))

    def _jacobian(self, frame: str) -> CompiledFunction:
        return self._compiled(self._mechanism.jacobian((self._mechanism.frame(frame),)), "q", (6, len(self.velocities)))

    def _of_frame(self, make: Callable[[str], CompiledFunction], frame: str) -> CompiledFunction:
        key = f"{make.__name__} {frame}"
        if key not in self._functions:
            self._functions[key] = make(frame)
        return self._functions[key]

    def _compiled(
        self, function: Function, arguments: str, shape: tuple[int, ...] | None = None, change: Change | None = None
    ) -> CompiledFunction:
        """The function of arguments in `_NAMES`; its result has an element for each velocity if no shape is given."""
        try:
            compiled, values = self._bound(replace(change or self._change, function=function))
        except (NotAFunction, ModelError) as error:
            why = error.diagnostics[0].message if isinstance(error, ModelError) else str(error)
            raise RunError("E605", f"{self._name} has no such function of its joints: {why}") from error
        n, count = len(self.velocities), compiled.info.n_outputs
        whole = (n,) if shape is None else (count // n, n) if shape[0] < 0 else shape
        pairs = [(_NAMES[key], len(self.positions) if key == "q" else n) for key in arguments]
        return CompiledFunction(compiled, values, pairs, whole)

    def __repr__(self) -> str:
        sizes = f"{len(self.bodies)} bodies, n_q={len(self.positions)}, n_v={len(self.velocities)}"
        return f"<Mechanics of {self._name}: {sizes}>"


def mechanics_of(name: str, observe: Callable[..., None], bound: Bound) -> Mechanics:
    """The mechanics of the model `name`; `observe` translates it with a listener and a change."""
    used = library_of(_parts(observe, Change())[1])
    general, recursive = (_with_library(observe, used, wanted) for wanted in (_GENERAL, _RECURSIVE))
    return Mechanics(name, mechanism_of(*_parts(observe, general)), general, recursive, bound)


class _Parts:
    """Keeps the instance and the flat model, and ends the translation there."""

    def __init__(self) -> None:
        self.instances: list[Instance] = []
        self.flat: list[FlatModel] = []

    def __call__(self, stage: str, result: object) -> None:
        if isinstance(result, Instance):
            self.instances.append(result)
        if isinstance(result, FlatModel):
            self.flat.append(result)
            raise Enough


def _parts(observe: Callable[..., None], change: Change) -> tuple[Instance, FlatModel]:
    parts = _Parts()
    observe(parts, change)
    return parts.instances[0], parts.flat[0]


def _with_library(observe: Callable[..., None], used: str, wanted: str) -> Change:
    """The change to the wanted library; none if the model has it, or if it cannot be translated with it."""
    if used == wanted or used not in _LIBRARIES:
        return Change()
    change = Change(instead=((used, wanted),))
    try:
        _parts(observe, change)
    except ModelError:
        return Change()
    return change
