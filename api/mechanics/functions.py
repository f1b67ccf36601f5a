"""Lists the functions of mechanics: what each computes, its arguments, shapes, and the `Function` that it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cutset.api.mechanics.mechanism import Mechanism
from cutset.compiler.function.definition import Function
from cutset.runtime.errors import RunError

Shapes = list[tuple[int, ...]]


@dataclass(frozen=True)
class Kind:
    """A function: what its results are, for comments in C, its arguments and results, the equations for the names of
    frames, and the shapes of the results from the mechanism, the number of frames (none for one), and the number of
    results over that of velocities."""

    about: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    define: Callable[[Mechanism, Sequence[str]], Function]
    shapes: Callable[[Mechanism, tuple[int, ...], int], Shapes]


def _n(mechanism: Mechanism) -> int:
    return len(mechanism.velocities)


def _of_forces(mechanism: Mechanism, several: tuple[int, ...], rows: int) -> Shapes:
    return [(_n(mechanism),)]


def _by_velocities(mechanism: Mechanism, several: tuple[int, ...], rows: int) -> Shapes:
    return [(rows, _n(mechanism))]


def _by_arguments(mechanism: Mechanism, several: tuple[int, ...], rows: int) -> Shapes:
    return [(_n(mechanism), rows)]


def _of_frames(mechanism: Mechanism, several: tuple[int, ...], rows: int) -> Shapes:
    return [(*several, 6, _n(mechanism))]


def _of_size(*shape: int) -> Callable[[Mechanism, tuple[int, ...], int], Shapes]:
    return lambda mechanism, several, rows: [shape]


def _of_accelerations(mechanism: Mechanism, names: Sequence[str]) -> Function:
    if mechanism.closing:
        what = "the derivatives of the accelerations of a mechanism with loops depend on the forces in these"
        raise RunError("E605", what, "take those of 'inverse', with the constraint Jacobian")
    return mechanism.derivatives("solved")


_Q, _QV, _QVA = ("q",), ("q", "v"), ("q", "v", "a")
FUNCTIONS = {
    "inverse": Kind(
        "tau: the forces that cause the accelerations a", _QVA, ("tau",), lambda m, _: m.inverse(), _of_forces
    ),
    "bias": Kind("h: the forces without acceleration", _QV, ("h",), lambda m, _: m.bias(), _of_forces),
    "forward": Kind(
        "a: the accelerations that the forces tau cause", ("q", "v", "tau"), ("a",),
        lambda m, _: m.forward(), _of_forces,
    ),
    "mass_matrix": Kind("M(q), symmetric", _Q, ("M",), lambda m, _: m.mass_matrix(), _by_velocities),
    "inverse_derivatives": Kind(
        "the derivatives of tau by q, v and a, side by side", _QVA, ("D",),
        lambda m, _: m.derivatives("tangents"), _by_arguments,
    ),
    "forward_derivatives": Kind(
        "the derivatives of a by q, v and tau, side by side", _QVA, ("D",), _of_accelerations, _by_arguments
    ),
    "regressor": Kind(
        "Y: Y*p is the part of the masses in tau", _QVA, ("Y",), lambda m, _: m.regressor(), _by_arguments
    ),
    "center_of_mass": Kind(
        "the position of the center of mass", _Q, ("r",), lambda m, _: m.of_masses("center"), _of_size(3)
    ),
    "momentum": Kind(
        "the angular momentum about the center of mass, and the linear momentum", _QV, ("P",),
        lambda m, _: m.of_masses("momentum"), _of_size(6),
    ),
    "momentum_matrix": Kind(
        "A: A*v is the momentum", _Q, ("A",), lambda m, _: m.of_masses("momentum", by_velocities=True), _by_velocities
    ),
    "energy": Kind(
        "the kinetic energy, and the potential energy in gravity", _QV, ("E",),
        lambda m, _: m.of_masses("energy"), _of_size(2),
    ),
    "velocity_transformation": Kind(
        "B: B*v has the velocities of all bodies, [angular velocity; velocity] each", _Q, ("B",),
        lambda m, _: m.jacobian(m.body_frames), _by_velocities,
    ),
    "constraint_jacobian": Kind(
        "G: loops stay closed if G*v = 0", _Q, ("G",), lambda m, _: m.constraints(), _by_velocities
    ),
    "constraint_rate": Kind(
        "the derivative of G by time", _QV, ("dG",), lambda m, _: m.constraints("rates"), _by_velocities
    ),
    "pose": Kind(
        "T, from the frame to the inertial frame, and the position r of its origin", _Q, ("T", "r"),
        lambda m, names: m.pose([*map(m.frame, names)]),
        lambda mechanism, several, rows: [(*several, 3, 3), (*several, 3)],
    ),
    "jacobian": Kind(
        "J: J*v is [angular velocity; velocity of the origin]", _Q, ("J",),
        lambda m, names: m.jacobian([*map(m.frame, names)]), _of_frames,
    ),
    "jacobian_rate": Kind(
        "the derivative of J by time", _QV, ("dJ",),
        lambda m, names: m.jacobian_rate([*map(m.frame, names)]), _of_frames,
    ),
}  # fmt: skip
