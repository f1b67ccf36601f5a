"""FlatModel -> the names of positions and of velocities, in which what has inertia cannot jump. Reads units alone."""

from __future__ import annotations

from cutset.compiler.flatten.model import FlatModel, Motions


def motions_of(model: FlatModel) -> Motions:
    """The scalars of these units whose derivative occurs in the model, in the order of their declaration."""

    def named(*units: str) -> tuple[str, ...]:
        return tuple(
            str(leaf.data) for variable in model.variables if variable.unit in units
            for leaf in variable.value.elements if leaf in model.derivatives
        )  # fmt: skip

    return Motions(named("m", "rad"), named("m/s", "rad/s"))
