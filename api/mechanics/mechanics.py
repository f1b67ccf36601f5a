"""Computes quantities of mechanics of a model: dynamics in both directions, mass matrix, Jacobians, poses.

Each is a function of its own that is translated on first use from the equations of bodies, joints and force elements:
those of `mbs`, which solves any problem, and those of `mbssim` for accelerations, where the number of operations grows
with the number of bodies only.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cutset.api.mechanics.constraint_forces import forces_of_constraints, solved
from cutset.api.mechanics.functions import FUNCTIONS
from cutset.api.mechanics.mechanism import JointVariables, Mechanism, library_of, mechanism_of
from cutset.api.mechanics.mechanism_stages import GENERAL, stages_of, with_joints, with_library
from cutset.api.translated_model import TranslatedModel
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.function.definition import Function, NotAFunction
from cutset.compiler.options import Options
from cutset.contract.names import partition
from cutset.runtime.errors import RunError
from cutset.runtime.targets.compiled_function import CompiledFunction

if TYPE_CHECKING:
    from cutset.api.translate.parameter_values import Setting
    from cutset.contract.metadata import SourceFiles
    from cutset.export.mechanics_folder import FunctionCode

# The library for accelerations from forces; that of all other functions is GENERAL.
_RECURSIVE = "mbssim"

Array = NDArray[np.float64]
_Arguments = list[tuple[str, int]]
_Shapes = list[tuple[int, ...]]


class Pose(NamedTuple):
    """Where a cut-frame is: `T`, shape (..., 3, 3), turns vectors from the frame into the inertial frame; `r`, shape
    (..., 3), is the position of its origin in m, resolved in the inertial frame."""

    T: Array
    r: Array


class Derivatives(NamedTuple):
    """The derivatives of forces or accelerations, shapes (..., n_v, n_v): by the positions, along the motion that each
    velocity causes (as positions and velocities of a joint may differ in number); by the velocities; and by the
    accelerations or the forces."""

    q: Array
    v: Array
    third: Array


# A frame, or several at once.
_Frames = str | tuple[str, ...]


class _Calls(dict[_Frames, "Callable[..., Any]"]):
    """Functions by their names, or by their frames, each made on first use."""

    def __init__(self, make: Callable[[Any], Callable[..., Any]]):
        self._make = make

    def __missing__(self, key: _Frames) -> Callable[..., Any]:
        self[key] = found = self._make(key)
        return found


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

    def __init__(self, mechanism: Mechanism, general: Options, recursive: Options, compilation: Compilation):
        """`general` and `recursive` change the library of the model."""
        self._mechanism, self._compilation = mechanism, compilation
        self._general, self._recursive = general, recursive
        self._functions: list[CompiledFunction] = []
        self._calls: Mapping[_Frames, Callable[..., Array]] = _Calls(self._call)
        names = "pose", "jacobian", "jacobian_rate"
        self._poses, self._jacobians, self._rates = (_Calls(partial(self._call, name)) for name in names)

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
    def inertial(self) -> tuple[str, ...]:
        """What `regressor` has a column for: the mass of each element, its mass times the place of its center of mass,
        and its inertia about the origin of its frame, by the names of the parameters m, r1 to r3, and I11 to I32."""
        return self._mechanism.inertial

    @property
    def path_matrix(self) -> NDArray[np.int64]:
        """1 in row i and column j if body j is between the inertial system and body i, or is body i; else 0."""
        return self._mechanism.topology.path_matrix

    # --- dynamics --------------------------------------------------------------------------------

    def inverse(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """The forces that cause these accelerations: shape (..., n_v)."""
        return self._calls["inverse"](q, v, a)

    def bias(self, q: ArrayLike, v: ArrayLike) -> Array:
        """h(q, v), the forces without acceleration: those against gravity, centrifugal and Coriolis forces, and forces
        of elements between frames. Shape (..., n_v)."""
        return self._calls["bias"](q, v)

    def forward(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Array:
        """The accelerations that these forces cause: shape (..., n_v). With loops, `constraint_forces` act too."""
        if not self._mechanism.closing:
            return self._calls["forward"](q, v, tau)
        forces = np.add(tau, self.constraint_forces(q, v, tau)) - self.bias(q, v)
        return np.asarray(solved(self.mass_matrix(q), forces[..., None])[..., 0], dtype=float)

    def constraint_forces(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Array:
        """G'*mu, the forces of the elements that keep loops closed, beside tau: M*a + h = tau + G'*mu, where G*a + dG*v
        is zero. They are those of the least multipliers if constraints are redundant. Shape (..., n_v)."""
        free, rate = np.asarray(tau, dtype=float) - self.bias(q, v), self._calls["constraint_rate"](q, v)
        opening = np.einsum("...ij,...j->...i", rate, np.asarray(v, dtype=float))
        return forces_of_constraints(self.mass_matrix(q), free, self.constraint_jacobian(q), opening)

    def mass_matrix(self, q: ArrayLike) -> Array:
        """M(q), symmetric: shape (..., n_v, n_v)."""
        return self._calls["mass_matrix"](q)

    def derivatives(self, function: str, q: ArrayLike, v: ArrayLike, third: ArrayLike) -> Derivatives:
        """The derivatives of `inverse`, whose third argument is a, or of `forward`, where it is tau, by all three
        arguments. RunError E605 for another function, and as for that one."""
        if function == "forward":
            third = self.forward(q, v, third)
        elif function != "inverse":
            raise RunError("E605", f"'{function}' has no derivatives", "take 'inverse' or 'forward'")
        found, n = self._calls[f"{function}_derivatives"](q, v, third), len(self.velocities)
        return Derivatives(*(found[..., k * n : (k + 1) * n] for k in range(3)))

    def regressor(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """Y(q, v, a): tau is Y @ p, and what springs need, for the values p of the inertial parameters; see `inertial`
        for these. Shape (..., n_v, n_inertial)."""
        return self._calls["regressor"](q, v, a)

    # --- sums over all masses --------------------------------------------------------------------

    def gravity(self, q: ArrayLike) -> Array:
        """The forces at rest, h(q, 0): those against gravity, and those of springs. Shape (..., n_v)."""
        return self.bias(q, np.zeros((*np.shape(q)[:-1], len(self.velocities))))

    def center_of_mass(self, q: ArrayLike) -> Array:
        """The position of the center of all masses that move, resolved in the inertial frame: shape (..., 3)."""
        return self._calls["center_of_mass"](q)

    def momentum(self, q: ArrayLike, v: ArrayLike) -> Array:
        """[angular momentum about the center of mass; linear momentum] of all masses, resolved in the inertial frame:
        shape (..., 6)."""
        return self._calls["momentum"](q, v)

    def momentum_matrix(self, q: ArrayLike) -> Array:
        """A(q): A @ v is the momentum; its last three rows over the mass are the Jacobian of the center of mass. Shape
        (..., 6, n_v)."""
        return self._calls["momentum_matrix"](q)

    def energy(self, q: ArrayLike, v: ArrayLike) -> Array:
        """[kinetic energy; potential energy in gravity, zero at the origin of the inertial system]: shape (..., 2)."""
        return self._calls["energy"](q, v)

    # --- kinematics ------------------------------------------------------------------------------

    def pose(self, frame: str | Sequence[str], q: ArrayLike) -> Pose:
        """Rotation and position of a cut-frame; of k frames with shapes (..., k, 3, 3) and (..., k, 3). RunError
        E602 if there is no such frame."""
        return self._poses[_key(frame)](q)  # type: ignore[no-any-return]

    def jacobian(self, frame: str | Sequence[str], q: ArrayLike) -> Array:
        """J(q): J @ v is [angular velocity; velocity of the origin] of a cut-frame, resolved in the inertial frame.
        Shape (..., 6, n_v), or (..., k, 6, n_v) for k frames. RunError E602 if there is no such frame."""
        return self._jacobians[_key(frame)](q)  # type: ignore[no-any-return]

    def jacobian_rate(self, frame: str | Sequence[str], q: ArrayLike, v: ArrayLike) -> Array:
        """The derivative of J by time, in its shape. J @ a + dJ @ v is the acceleration. RunError E602 if there is no
        such frame."""
        return self._rates[_key(frame)](q, v)  # type: ignore[no-any-return]

    def velocity_transformation(self, q: ArrayLike) -> Array:
        """B(q): B @ v stacks the velocities of all bodies, each [angular velocity; velocity], resolved in the inertial
        frame, of the frame in which its joint ends. Shape (..., 6*n_bodies, n_v). No, equation (11)."""
        return self._calls["velocity_transformation"](q)

    def constraint_jacobian(self, q: ArrayLike) -> Array:
        """G(q): G @ v = 0 holds for velocities that keep the loops closed; it has a row for each equation of the
        elements that close loops. Shape (..., n_constraints, n_v). The forces of the constraints are G' times their
        multipliers: M*a + h = tau + G'*mu."""
        return self._calls["constraint_jacobian"](q)

    # --- translated functions --------------------------------------------------------------------

    def code(self, function: str, frame: str = "", target: str = "c") -> SourceFiles:
        """The source files of a function, which is named as its method here, for a target: `derivatives` in them takes
        its arguments one after the other in u, and writes its results row by row. RunError E605 for an unknown
        function, E602 for an unknown frame."""
        return self._translated(function, frame)[0].translated.files(target)

    def export_c(
        self, folder: str | os.PathLike[str], functions: Iterable[str] = ("inverse", "bias", "forward", "mass_matrix")
    ) -> tuple[Path, ...]:
        """Write functions as C, with a header, an example and what compiles them, into `folder`, which is made: their
        names here, with that of the frame behind a colon, such as "pose:r6:b". Parameters are numbers in the code.

        RunError E605 for an unknown function, E602 for an unknown frame, E655 for a function that needs code of
        the model in Python or C; OSError if files cannot be written.
        """
        from cutset.api.files.exporting import written
        from cutset.export.mechanics_folder import mechanics_files

        codes: dict[str, FunctionCode] = {}
        for text in dict.fromkeys(functions):
            code = self._coded(*partition(text, ":")[::2])
            while code.name in codes:  # frames may differ in characters that C does not have
                code = replace(code, name=f"{code.name}_")
            codes[code.name] = code
        orders = [
            ("q", ", ".join(self.positions)),
            ("v, a", ", ".join(self.velocities)),
            ("tau", ", ".join(self.forces)),
        ]
        files = mechanics_files(self._mechanism.topology.model, tuple(codes.values()), orders)
        return written(Path(folder), files)

    def _coded(self, name: str, frame: str) -> FunctionCode:
        from cutset.export.c_folder import c_name
        from cutset.export.mechanics_folder import FunctionCode
        from cutset.export.refused import require_independence

        model, arguments, shapes = self._translated(name, frame)
        info = model.translated.info
        require_independence(info)
        if info.externals:
            raise RunError(
                "E655", f"{name} calls functions in C of the model", "write them as functions of the language"
            )
        _, _, values = model.bound(self._compilation.parameters, "python")  # which compiles nothing
        kind = FUNCTIONS[name]
        about = f"{kind.about}{f', for the frame {frame}' if frame else ''}"
        own = c_name(f"{self._mechanism.topology.model}_{name}" + (f"_{frame}" if frame else ""))
        sizes = tuple(zip(kind.results, map(math.prod, shapes), strict=True))
        return FunctionCode(own, about, tuple(arguments), sizes, info, model.translated.files("c")["model.c"],
                            tuple(values.c.tolist()), tuple(values.w[: info.n_guesses].tolist()))  # fmt: skip

    def _call(self, name: str, frame: _Frames = "") -> Callable[..., Any]:
        self._functions.append(self._compiled(name, frame))
        return self._functions[-1].call

    def _compiled(self, name: str, frame: _Frames) -> CompiledFunction:
        model, arguments, shapes = self._translated(name, frame)
        _, compiled, values = model.bound(self._compilation.parameters, self._compilation.target)
        return CompiledFunction(compiled, values, arguments, shapes, Pose if name == "pose" else None)

    def _translated(self, name: str, frame: _Frames) -> tuple[TranslatedModel, _Arguments, _Shapes]:
        """The function as a model, with the sizes of its arguments and the shapes of its results."""
        if name not in FUNCTIONS:
            raise RunError(
                "E605", f"there is no function '{name}' of mechanics", f"the functions are: {', '.join(FUNCTIONS)}"
            )
        names = (frame,) if isinstance(frame, str) else frame
        function = FUNCTIONS[name].define(self._mechanism, names)
        try:
            library = self._recursive if name == "forward" else self._general
            unfolded = frozenset(name for name, _ in function.parameters)
            model = self._with(replace(library, unfold=unfolded), function)
        except RunError:
            if name != "forward":
                raise
            model = self._with(self._general, function)
        n = len(self.velocities)
        kind, several = FUNCTIONS[name], () if isinstance(frame, str) else (len(frame),)
        rows = model.translated.info.n_outputs // n
        sizes = [(each, len(self.positions) if each == "q" else n) for each in kind.arguments]
        return model, sizes, kind.shapes(self._mechanism, several, rows)

    def _with(self, change: Options, function: Function) -> TranslatedModel:
        try:
            return self._compilation.translated(replace(change, function=function))
        except (NotAFunction, ModelError) as error:
            why = error.diagnostics[0].message if isinstance(error, ModelError) else str(error)
            name = self._mechanism.topology.model
            raise RunError("E605", f"{name} has no such function of its joints: {why}") from error

    def __repr__(self) -> str:
        sizes = f"{len(self.bodies)} bodies, n_q={len(self.positions)}, n_v={len(self.velocities)}"
        return f"<Mechanics of {self._mechanism.topology.model}: {sizes}>"


def _key(frame: str | Sequence[str]) -> _Frames:
    return frame if isinstance(frame, str) else tuple(frame)


@dataclass(frozen=True)
class Compilation:
    """How functions are compiled: a translation of the model with a change, values of parameters, and the target."""

    translated: Callable[[Options], TranslatedModel]
    parameters: Mapping[str, Setting]
    target: str


def mechanics_of(
    observe: Callable[..., None],
    translated: Callable[[Options], TranslatedModel],
    parameters: Mapping[str, Setting],
    target: str,
) -> Mechanics:
    """The mechanics of a model; `observe` translates it with a listener and a change."""
    own = stages_of(observe, Options())
    stages, used = with_joints(observe, own), library_of(own.flat)
    general, recursive = with_library(used, GENERAL), with_library(used, _RECURSIVE)
    if stages is own and general != Options():
        try:
            stages = stages_of(observe, general)
        except ModelError:  # it has classes of its own for the cut-frames of its library
            general = Options()
    return Mechanics(mechanism_of(*stages), general, recursive, Compilation(translated, parameters, target))
