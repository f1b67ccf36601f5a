"""What there is to say of the nonlinear systems of a model: in ``model.json`` and read from there. Solves nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple


class Closing(NamedTuple):
    """A nonlinear system: the names of its unknowns; the submodels of its equations, empty for one that says which
    variable is a state; and the variables with a start value that follow from it, each with whether the model or its
    run writes that."""

    unknowns: tuple[str, ...]
    instances: tuple[str, ...]
    started: tuple[tuple[str, bool], ...]


def closings_of(data: Iterable[Any]) -> tuple[Closing, ...]:
    """As they stand in ``model.json``."""
    return tuple(
        Closing(tuple(names), tuple(instances), tuple(map(tuple, started))) for names, instances, started in data
    )
