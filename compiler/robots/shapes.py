"""Writes shapes for the animation."""

from __future__ import annotations

from pathlib import Path

from cutset.compiler.robots.robot import Shape
from cutset.compiler.robots.rotations import Triple, plus, transposed


def is_drawn(shape: Shape) -> bool:
    """True for a shape that animations can draw."""
    return shape.kind in ("box", "cylinder", "sphere") and all(size > 0 for size in shape.size)


def mesh_file(file: str, robot: Path) -> str:
    """The file of a mesh, relative to the folder of the robot if it belongs to a ROS package in which that is. Opens
    nothing."""
    package, _, inside = file.removeprefix("package://").partition("/")
    if not file.startswith("package://"):
        return file.removeprefix("file://")
    for level, folder in enumerate(robot.absolute().parents):
        if folder.name == package:
            return "../" * level + inside
        if folder.name == "share" and level > 0:
            return "../" * level + f"{package}/{inside}"
    return file


def shape_text(shape: Shape) -> str:
    """The parameters of a FixedShape: its length starts at r and goes along n."""
    x, y, z = transposed(shape.pose.turned)
    center = shape.pose.xyz
    if shape.kind == "sphere":
        diameter = 2 * shape.size[0]
        values = ["solid=Solid.Sphere", *_vector("r", center), f"length={diameter!r}", f"width={diameter!r}"]
    elif shape.kind == "cylinder":
        radius, length = shape.size
        start = plus(center, z, -length / 2)
        values = ["solid=Solid.Cylinder", *_vector("r", start), *_vector("n", z)]
        values += [f"length={length!r}", f"width={2 * radius!r}"]
    else:
        length, width, height = shape.size
        start = plus(center, x, -length / 2)
        values = [*_vector("r", start), *_vector("n", x), *_vector("w", y)]
        values += [f"length={length!r}", f"width={width!r}", f"height={height!r}"]
    if shape.color:
        values += [f"{name}={value:.4g}" for name, value in zip(("red", "green", "blue"), shape.color, strict=True)]
    return ", ".join(values)


def _vector(name: str, x: Triple) -> list[str]:
    return [f"{name}{k}={value:.9g}" for k, value in enumerate(x, 1) if abs(value) > 1e-12]
