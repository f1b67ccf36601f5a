"""Writes shapes for the animation."""

from __future__ import annotations

from cutset.compiler.robots.numbers import number
from cutset.compiler.robots.robot import DrawnMesh, Pose, Shape
from cutset.compiler.robots.rotations import Triple, plus, transposed


def is_drawn(shape: Shape) -> bool:
    """True for a shape that animations can draw."""
    return shape.kind in ("box", "cylinder", "sphere") and all(size > 0 for size in shape.size)


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
    return ", ".join(values + _color(shape.color))


def mesh_text(mesh: DrawnMesh, pose: Pose) -> str:
    """The parameters of a MeshShape."""
    values = [f'file=mesh("{mesh.file}")', *_vector("r", pose.xyz)]
    if pose.angle:
        values += [*_vector("n", pose.axis), f"angle={pose.angle!r}"]
    if mesh.scale != (1.0, 1.0, 1.0):
        same = mesh.scale[0] == mesh.scale[1] == mesh.scale[2]
        values += [f"scale{k}={number(x)}" for k, x in enumerate(mesh.scale[:1] if same else mesh.scale, 1)]
    values += [] if mesh.own_colors else ["own_colors=false"]
    return ", ".join(values + _color(mesh.color))


def _color(color: tuple[float, ...]) -> list[str]:
    return [f"{name}={value:.4g}" for name, value in zip(("red", "green", "blue"), color, strict=False)]


def _vector(name: str, x: Triple) -> list[str]:
    return [f"{name}{k}={value:.9g}" for k, value in enumerate(x, 1) if abs(value) > 1e-12]
