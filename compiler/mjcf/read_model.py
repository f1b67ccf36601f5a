"""Reads a robot from MuJoCo's compiled model of an MJCF file. Imports MuJoCo: call it in a process of its own."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from cutset.compiler.mjcf.compiled import compiled
from cutset.compiler.mjcf.files import Files
from cutset.compiler.mjcf.losses import losses
from cutset.compiler.mjcf.poses import triple
from cutset.compiler.mjcf.read_actuators import actuators_of, tendons_of
from cutset.compiler.mjcf.read_bodies import Names, bodies_and_joints
from cutset.compiler.mjcf.read_equalities import equalities_of
from cutset.compiler.robots.robot import Closure, Robot


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
    dropped = (*notes, *losses(model, files, off), *of_equalities, *of_actuators, *of_tendons)
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
    )


def _disabled(model: Any) -> frozenset[str]:
    mujoco: Any = import_module("mujoco")

    found = {
        name.removeprefix("mjDSBL_")
        for name in dir(mujoco.mjtDisableBit)
        if name.startswith("mjDSBL_") and int(model.opt.disableflags) & int(getattr(mujoco.mjtDisableBit, name))
    }
    return frozenset(found | ({"EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT"} if "CONSTRAINT" in found else set()))
