"""Describes the results of a model: instance tree -> `Description`. Computes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cutset.compiler.instantiate.instance import (
    Constant,
    Cut,
    CutVariable,
    Instance,
    Parameter,
    Variable,
    element_names,
)
from cutset.runtime.description import Description, Element, FrameNames


class Describer:
    """A listener that keeps the description of the model that is translated."""

    def __init__(self) -> None:
        self.description = Description()

    def __call__(self, stage: str, result: object) -> None:
        if stage == "instantiate":
            assert isinstance(result, Instance)
            self.description = description_of(result)


def description_of(root: Instance) -> Description:
    """Units and documentation of each scalar, and the elements with cut-frames."""
    units: dict[str, str] = {"time": "s"}
    documentation: dict[str, str] = {}
    for instance in root.walk():
        declared: tuple[Constant | Parameter | Variable, ...] = (
            *instance.constants,
            *instance.parameters,
            *instance.variables,
        )
        for each in declared:
            for name in element_names(each.name, each.value.shape):
                units |= {name: each.unit} if each.unit else {}
                documentation |= {name: each.documentation} if each.documentation else {}
    return Description(root.class_name, units, documentation, tuple(_elements(root)))


def _elements(root: Instance) -> Iterator[Element]:
    """The submodels to draw, without parts of others: the contents of an assembly are drawn instead of it, except for a
    bar with mass."""
    found: dict[str, Element] = {}
    solids = []
    for instance in root.walk():
        frames = tuple(frame for cut in instance.cuts if (frame := _frame(instance.path, cut)) is not None)
        kind = _kind(instance, len(frames))
        if frames and kind:
            found[instance.path] = Element(instance.path, kind, frames)
        elif {_own(p.name) for p in instance.parameters} >= _SOLID:
            solids.append(instance.path)
    around: set[str] = set()
    for name in found:
        while name and name.rpartition(".")[0] not in around:
            name = name.rpartition(".")[0]
            around.add(name)
    yield from (element for name, element in found.items() if name not in around)
    for name in solids:
        if f"{name}.body" in found:
            yield Element(name, "solid", found[f"{name}.body"].frames)


# Elements are recognized by their declarations, not by class names, so that subclasses are found too: parameters of
# elements with one frame, variables of those with two. The first set that is declared gives the kind.
_ONE = {"ground": {"ng1", "ng2", "ng3"}, "shape": {"solid", "length"}, "body": {"m"}}
_TWO = {"joint": {"n", "q", "qd"}, "line": {"s", "f", "F"}, "rod": {"f", "F", "r"}, "link": {"T", "r", "C"}}
_CUT_JOINT = {"T", "r", "F", "tau"}
_SOLID = {"r1", "r2", "r3", "l", "m", "density"}


def _kind(instance: Instance, frames: int) -> str:
    """The kind of an element with this number of frames; empty if it is not drawn, as a sensor."""
    declared = {_own(v.name) for v in instance.variables} | {_own(e.name) for e in instance.externals}
    if frames == 1:
        declared, kinds = {_own(p.name) for p in instance.parameters}, _ONE
    elif frames == 2:
        kinds = _TWO
    else:
        return "linkage" if frames else ""
    found = next((kind for kind, names in kinds.items() if names <= declared), "")
    return found or ("link" if frames == 2 and declared >= _CUT_JOINT else "")


def _own(name: str) -> str:
    return name.rpartition(".")[2]


def _frame(path: str, cut: Cut) -> FrameNames | None:
    """The cut as a cut-frame with (T(3,3), r(3), v(6), a(6) / f(6)) or (... / I(6,6), b(6)); else None."""
    across, through = _by_shape(cut.across, path), _by_shape(cut.through, path)
    turns, origins = across.get((3, 3), []), across.get((3,), [])
    if len(turns) != 1 or len(origins) != 1:
        return None
    motions, forces, factors = across.get((6,), []), through.get((6,), []), through.get((6, 6), [])
    force: tuple[str, ...] = ()
    if len(forces) == 1 and not factors:
        force = (forces[0],)
    elif len(forces) == 1 and len(factors) == 1 and len(motions) == 2:
        force = (factors[0], motions[1], forces[0])
    return FrameNames(cut.name, turns[0], origins[0], force)


def _by_shape(variables: Sequence[CutVariable] | None, path: str) -> dict[tuple[int, ...], list[str]]:
    found: dict[tuple[int, ...], list[str]] = {}
    for variable in variables or ():
        if variable.value is not None and variable.sign > 0:
            name = f"{path}.{variable.name}" if path else variable.name
            found.setdefault(tuple(variable.value.shape), []).append(name)
    return found
