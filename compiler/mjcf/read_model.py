"""Reads a robot from MuJoCo's compiled model of an MJCF file. Imports MuJoCo: call it in a process of its own."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.mjcf import messages
from cutset.compiler.mjcf.colliders import Colliding
from cutset.compiler.mjcf.files import Files
from cutset.compiler.mjcf.poses import four, pose_of, triple
from cutset.compiler.mjcf.read_actuators import actuators_of, tendons_of
from cutset.compiler.mjcf.read_bodies import Names, bodies_and_joints
from cutset.compiler.mjcf.shapes import References
from cutset.compiler.robots.names import counted
from cutset.compiler.robots.robot import HERE, Closure, Joint, Mimic, Pose, Robot


def read_model(path: Path, files: Files) -> Robot:
    """The robot of an MJCF file, whose elements are `files`. ModelError E156, E157, E159."""
    found = compiled(path, files)
    model, notes = found.model, found.notes
    off = _disabled(model)
    span = files.roots[0].span
    names = Names(model)
    links, joints = bodies_and_joints(model, names, off, span, found.references)
    closures, of_equalities = list[Closure](), list[str]()
    if "EQUALITY" not in off:
        joints, closures, of_equalities = equalities_of(model, names, joints)
    actuators, of_actuators = actuators_of(model, names, off)
    springs, of_tendons = tendons_of(model, names, off)
    colliding = Colliding(model, names.bodies, off)
    of_others = (*of_equalities, *of_actuators, *of_tendons, *colliding.notes)
    dropped = (*notes, *losses(model, files), *of_others)
    title = files.roots[0].attributes.get("model", "").strip() or path.stem
    gravity = (0.0, 0.0, 0.0) if "GRAVITY" in off else triple(model.opt.gravity)
    return Robot(
        title,
        names.bodies[0],
        links,
        tuple(joints),
        (),
        dropped,
        tuple(actuators + springs),
        tuple(closures),
        gravity,
        "body",
        tuple(colliding.colliders),
        tuple(colliding.pairs),
    )


def _disabled(model: Any) -> frozenset[str]:
    mujoco: Any = import_module("mujoco")

    found = {
        name.removeprefix("mjDSBL_")
        for name in dir(mujoco.mjtDisableBit)
        if name.startswith("mjDSBL_") and int(model.opt.disableflags) & int(getattr(mujoco.mjtDisableBit, name))
    }
    return frozenset(found | ({"EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT"} if "CONSTRAINT" in found else set()))


# --- read equalities ------------------------------------------------------------------------------


_CONNECT, _WELD, _JOINT = range(3)  # mjtEq
_SITE = 6  # mjtObj
_KINDS = ("connect", "weld", "joint", "tendon", "flex", "flexvert", "flexstrain", "distance")


def equalities_of(model: Any, names: Names, joints: Sequence[Joint]) -> tuple[list[Joint], list[Closure], list[str]]:
    """The joints with what they follow, the closed loops, and notes about the other constraints."""
    by_name = {joint.name: joint for joint in joints}
    closures, notes = [], list[str]()
    for k in range(int(model.neq)):
        kind = int(model.eq_type[k])
        name = model.eq(k).name or f"equality{k}"
        if not model.eq_active0[k]:
            notes.append(f"the constraint {name}: it is not active at the start")
        elif kind in (_CONNECT, _WELD):
            closures.append(Closure(name, *_ends(model, k, names), kind == _WELD))
        elif kind == _JOINT and not _followed(model, k, names, by_name):
            notes.append(f"the constraint {name}: its joint follows another one already, or has several coordinates")
        elif kind != _JOINT:
            notes.append(f"the constraint {name}, of the kind {_KINDS[kind] if kind < len(_KINDS) else kind}")
    return [by_name[joint.name] for joint in joints], closures, notes


def _ends(model: Any, k: int, names: Names) -> tuple[tuple[str, Pose], tuple[str, Pose]]:
    """The two frames that stay together, each with its body. MuJoCo fills in the data that the file leaves open."""
    data, numbers = model.eq_data[k], (int(model.eq_obj1id[k]), int(model.eq_obj2id[k]))
    if int(model.eq_objtype[k]) == _SITE:
        first, second = (
            (names.bodies[int(model.site_bodyid[s])], pose_of(model.site_pos[s], model.site_quat[s])) for s in numbers
        )
        return first, second
    bodies = [names.bodies[i] for i in numbers]
    if int(model.eq_type[k]) == _CONNECT:
        return (bodies[0], replace(HERE, xyz=triple(data[:3]))), (bodies[1], replace(HERE, xyz=triple(data[3:6])))
    return (bodies[0], pose_of(data[3:6], data[6:10])), (bodies[1], replace(HERE, xyz=triple(data[:3])))


def _followed(model: Any, k: int, names: Names, by_name: dict[str, Joint]) -> bool:
    """True if the first joint of the constraint follows now: the second one, or none, by a polynomial."""
    first, second = int(model.eq_obj1id[k]), int(model.eq_obj2id[k])
    joint = by_name[names.joints[first]]
    single = ("revolute", "prismatic")
    if joint.kind not in single or joint.mimic is not None or joint.locked:
        return False
    constant, *factors = (float(x) for x in model.eq_data[k][:5])
    offset = constant + float(model.qpos0[model.jnt_qposadr[first]])
    if second < 0:
        by_name[joint.name] = replace(joint, locked=True, start=offset)
        return True
    other = by_name[names.joints[second]]
    if other.kind not in single:
        return False
    start, higher = float(model.qpos0[model.jnt_qposadr[second]]), tuple(factors[1:])
    if not any(higher):
        mimic = Mimic(other.name, factors[0], offset - factors[0] * start)
    else:
        mimic = Mimic(other.name, factors[0], offset, start, higher)
    by_name[joint.name] = replace(joint, mimic=mimic)
    return True


# --- losses ---------------------------------------------------------------------------------------


# Elements whose children have no counterpart, by what a note calls the children.
_CHILDREN = {
    "sensor": ("sensor", "every variable of the model can be an output"),
    "keyframe": ("keyframe", "give start values to the run instead"),
    "deformable": ("deformable body", "models have rigid bodies"),
    "extension": ("plugin", "their code belongs to MuJoCo"),
}
_POLYNOMIALS = {"dof_dampingpoly": "nonlinear damping", "jnt_stiffnesspoly": "nonlinear stiffness"}


def losses(model: Any, files: Files) -> list[str]:
    """What is lost, a sentence each."""
    return [*_of_elements(files), *_of_physics(model)]


def _of_elements(files: Files) -> Iterator[str]:
    for name, (child, reason) in _CHILDREN.items():
        children = [each for element in files.all(name) for each in element.children]
        if children:
            span = children[0].span
            place = f"{Path(span.source.name).name}:{span.line}"
            yield f"{counted(len(children), child)} ({place}): {reason}"


def _of_physics(model: Any) -> Iterator[str]:
    if float(model.opt.density) or float(model.opt.viscosity):
        yield "forces of the fluid around the bodies (density, viscosity, wind)"
    if int(model.nmocap):
        yield f"motion of {counted(int(model.nmocap), 'mocap body')}: fixed where the file places it"
    if int(model.ngravcomp):
        yield f"gravity compensation of {counted(int(model.ngravcomp), 'body')}"
    limited = int((model.jnt_limited.astype(bool) & (model.jnt_type < 2)).sum())
    if limited:
        yield f"limits of {counted(limited, 'ball joint')}"
    forced = int(model.jnt_actfrclimited.sum())
    if forced:
        yield f"limits of the actuator force at {counted(forced, 'joint')}"
    free = model.jnt_type == 0
    if (model.jnt_stiffness[free] != 0).any():
        yield "springs of floating joints"
    lossy = int(((model.dof_frictionloss != 0) & (model.jnt_type[model.dof_jntid] < 2)).sum())
    if lossy:
        yield f"dry friction of {counted(lossy, 'degree')} of freedom of ball and floating joints"
    for key, what in _POLYNOMIALS.items():
        if hasattr(model, key) and (getattr(model, key) != 0).any():
            yield what
    if getattr(model, "nplastic", 0):
        yield "plastic deformation of springs"


# --- compiled -------------------------------------------------------------------------------------


_OLDEST = (3, 3, 7)


@dataclass(frozen=True)
class Compiled:
    """MuJoCo's `model` of a file (an MjModel), `notes`: missing meshes, warnings of MuJoCo, and the frames of meshes
    that refpos and refquat give."""

    model: Any
    notes: tuple[str, ...]
    references: References


def compiled(path: Path, files: Files) -> Compiled:
    """The model of the file. ModelError E156, E157, E159."""
    first = files.roots[0].span
    try:
        mujoco: Any = import_module("mujoco")
    except ImportError:
        raise ModelError([messages.no_mujoco(first)]) from None
    version = mujoco.__version__
    if tuple(int(part) for part in re.findall(r"\d+", version)[:3]) < _OLDEST:
        raise ModelError([messages.too_old(version, first)])
    with _quiet(mujoco) as notes:
        try:
            spec = mujoco.MjSpec.from_file(str(path.absolute()))
            spec.compiler.fusestatic = False  # before 4.0 fused inertias were wrong: google-deepmind/mujoco#2982
            _remove_textures(spec)
            notes += _remove_missing_meshes(spec, files, path)
            model = spec.compile()
        except (ValueError, mujoco.FatalError) as error:
            raise ModelError([_rejected(str(error), files)]) from None
    return Compiled(model, tuple(dict.fromkeys(notes)), _references(model, spec))


def _references(model: Any, spec: Any) -> References:
    given = {mesh.name: (triple(mesh.refpos), four(mesh.refquat)) for mesh in spec.meshes}
    numbers = {model.mesh(i).name: i for i in range(model.nmesh)}
    return {
        numbers[name]: (place, turn)
        for name, (place, turn) in given.items()
        if name in numbers and (any(place) or any(turn[1:]))
    }


@contextmanager
def _quiet(mujoco: Any) -> Iterator[list[str]]:
    """Collects MuJoCo's warnings: it prints them, and writes them into a file in the current folder, unless a function
    takes them; some versions issue them as warnings of Python, too."""
    found: list[str] = []
    texts: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(texts.append)
    try:
        with warnings.catch_warnings(record=True) as issued:
            warnings.simplefilter("always")
            yield found
    finally:
        mujoco.set_mju_user_warning(before)
    texts += [str(each.message) for each in issued]
    found += [f"MuJoCo warns: {' '.join(text.split())}" for text in texts]


def _rejected(text: str, files: Files) -> Diagnostic:
    """MuJoCo names a line, but no file."""
    line = re.search(r"line (\d+)", text)
    source = files.roots[0].span.source
    span = files.roots[0].span
    lines = source.text.splitlines()
    if line and len(files.roots) == 1 and 0 < int(line[1]) <= len(lines):
        number, found = int(line[1]), lines[int(line[1]) - 1]
        span = Span(source, number, len(found) - len(found.lstrip()) + 1, number, len(found.rstrip()) + 1)
    reason = " ".join(re.sub(r"^(XML )?Error: |\bElement name '', |, line \d+|line \d+", "", text).split())
    return messages.rejected(reason, span)


def _remove_textures(spec: Any) -> None:
    for material in spec.materials:
        for k in range(len(material.textures)):
            material.textures[k] = ""
    for texture in list(spec.textures):
        spec.delete(texture)


def _remove_missing_meshes(spec: Any, files: Files, path: Path) -> list[str]:
    """Remove geoms whose mesh files are missing, unless they determine inertias: ModelError E159."""
    names = {each.resolve() for each in files.named}
    missing = {}
    for mesh in spec.meshes:
        places = [path.absolute().parent / folder / mesh.file for folder in ("", spec.meshdir)]
        known = mesh.file in spec.assets or any(each.resolve() in names or each.is_file() for each in places)
        if mesh.file and not known:
            missing[mesh.name] = mesh
    if not missing:
        return []
    notes = []
    for geom in list(spec.geoms):
        if geom.meshname in missing:
            file = missing[geom.meshname].file
            if not geom.parent.explicitinertial and geom.parent.name != "world":
                span = next((e.span for e in files.all("mesh") if e.attributes.get("file") == file), None)
                raise ModelError([messages.no_mesh(file, geom.parent.name, span)])
            spec.delete(geom)
    for mesh in missing.values():
        notes.append(f"the mesh '{mesh.file}', which does not exist")
        spec.delete(mesh)
    return notes
