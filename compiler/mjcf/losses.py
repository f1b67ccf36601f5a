"""Names what a model in MJCF contains that has no counterpart, with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cutset.compiler.mjcf.files import Files
from cutset.compiler.robots.names import counted

# Elements whose children have no counterpart, by what a note calls the children.
_CHILDREN = {
    "contact": ("contact pair", "contacts are not computed"),
    "sensor": ("sensor", "every variable of the model can be an output"),
    "keyframe": ("keyframe", "give start values to the run instead"),
    "deformable": ("deformable body", "models have rigid bodies"),
    "extension": ("plugin", "their code belongs to MuJoCo"),
}
_CONTACTS = "contacts are not computed"
_POLYNOMIALS = {"dof_dampingpoly": "nonlinear damping", "jnt_stiffnesspoly": "nonlinear stiffness"}


def losses(model: Any, files: Files, off: frozenset[str]) -> list[str]:
    """What is lost, a sentence each."""
    return [*_of_elements(files), *_of_physics(model, off)]


def _of_elements(files: Files) -> Iterator[str]:
    for name, (child, reason) in _CHILDREN.items():
        children = [each for element in files.all(name) for each in element.children]
        if children:
            span = children[0].span
            place = f"{Path(span.source.name).name}:{span.line}"
            yield f"{counted(len(children), child)} ({place}): {reason}"


def _of_physics(model: Any, off: frozenset[str]) -> Iterator[str]:
    colliding = int(((model.geom_contype != 0) | (model.geom_conaffinity != 0)).sum())
    if colliding and "CONTACT" not in off:
        yield f"collisions of {counted(colliding, 'geom')}: {_CONTACTS}"
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
