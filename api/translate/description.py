"""Describes the results of a model: instance tree -> `Description`. Computes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cutset.compiler.codegen.lower import number_of
from cutset.compiler.codegen.statistics import Domain
from cutset.compiler.instantiate.instance import (
    Cut,
    CutVariable,
    Instance,
    element_names,
)
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.units.quantities import display_of
from cutset.contract.experiment_settings import Value
from cutset.contract.mesh_file import MeshFile
from cutset.contract.names import rpartition
from cutset.contract.tolerance import Tolerance
from cutset.runtime.description import Description, Element, FrameNames, Shown

# How many variables at a node a message names.
_MOST_AT_NODE = 3


class Describer:
    """A listener that keeps the description of the model that is translated, and the settings of runs that it gives."""

    def __init__(self) -> None:
        self.description = Description()
        self._meshes: tuple[MeshFile, ...] = ()
        self.experiment: Mapping[str, Value] = {}
        self.limits: dict[str, Domain] = {}

    def __call__(self, stage: str, result: object) -> None:
        if isinstance(result, Library):
            self._meshes = result.meshes.files
        elif stage == "instantiate":
            assert isinstance(result, Instance)
            self.description, self.experiment = description_of(result, self._meshes), result.experiment
            self.limits = _limits_of(result)


def _limits_of(root: Instance) -> dict[str, Domain]:
    """The limits of inputs and start values, where they are numbers."""
    found: dict[str, Domain] = {}
    for variable in (v for instance in root.walk() for v in instance.variables if v.minimum or v.maximum):
        kind = "input" if variable.kind == "input" and "." not in variable.name else "start value of"
        for k, name in enumerate(element_names(variable.name, variable.value.shape)):
            limits = number_of(variable.minimum, k), number_of(variable.maximum, k)
            found[name] = Domain((), *limits, False, str(variable.span), kind)
    return found


def description_of(root: Instance, meshes: tuple[MeshFile, ...] = ()) -> Description:
    """Units and documentation of each scalar, the elements with cut-frames, and the files of meshes."""
    units: dict[str, str] = {"time": "s"}
    documentation: dict[str, str] = {}
    displays: dict[str, Shown] = {}
    tolerances: dict[str, Tolerance] = {}
    for instance in root.walk():
        for each in instance.declared:
            display = Shown(*display_of(each.unit, each.display)) if each.display else None
            for name in element_names(each.name, each.value.shape):
                displays |= {name: display} if display else {}
                units |= {name: each.unit} if each.unit else {}
                documentation |= {name: each.documentation} if each.documentation else {}
        for own in instance.parameters:
            if (tolerance := own.tolerance) is not None:
                names = zip(element_names(own.name, own.value.shape), own.value.elements, strict=True)
                tolerances |= {str(e.data) if e.op == "parameter" else name: tolerance for name, e in names}
    of_names = units, documentation, tuple(_elements(root)), meshes, _nodes(root), displays, tolerances
    return Description(root.class_name, *of_names)


def _nodes(root: Instance) -> dict[str, tuple[str, ...]]:
    """For each node the first across variables of cuts that are connected with it."""
    cuts = {(instance.path, cut.name): cut for instance in root.walk() for cut in instance.cuts}
    found: dict[str, tuple[str, ...]] = {}
    for instance in root.walk():
        for join in instance.joins:
            for node, end in ((join.first, join.second), (join.second, join.first)):
                if node.side != "node":
                    continue
                name = f"{node.instance}.{node.name}" if node.instance else node.name
                cut = cuts.get((end.instance, end.name))
                across = _shapes(cut.across, end.instance)[:1] if cut is not None else []
                known = found.setdefault(name, ())
                found[name] = (*known, *(own for _, own in across if own and own not in known))[:_MOST_AT_NODE]
    return found


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
        while name and rpartition(name)[0] not in around:
            name = rpartition(name)[0]
            around.add(name)
    yield from (element for name, element in found.items() if name not in around)
    for name in solids:
        if f"{name}.body" in found:
            yield Element(name, "solid", found[f"{name}.body"].frames)


# Elements are recognized by their declarations, not by class names, so that subclasses are found too: parameters of
# elements with one frame, variables of those with two. The first set that is declared gives the kind.
_ONE = {"ground": {"ng1", "ng2", "ng3"}, "shape": {"solid", "length"}, "mesh": {"file", "scale1"}, "body": {"m"}}
_TWO = {
    "joint": {"n", "q", "qd"}, "line": {"s", "f", "F"}, "rod": {"f", "F", "r"}, "beam": {"particles"},
    "link": {"bTa", "arab", "C"},
}  # fmt: skip
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
    return rpartition(name)[2]


def _frame(path: str, cut: Cut) -> FrameNames | None:
    """The cut as a cut-frame that begins with (T(3,3), r(3), v(6), a(6) / f(6)) or (... / I(6,6), b(6)); else None. The
    shapes of further variables may be the same."""
    across, through = _shapes(cut.across, path), _shapes(cut.through, path)
    turn, origin = _first(across, (3, 3)), _first(across, (3,))
    if not turn or not origin:
        return None
    motions = [name for shape, name in across if shape == (6,)]
    force: tuple[str, ...] = ()
    if [shape for shape, _ in through[:1]] == [(6,)]:
        force = (through[0][1],)
    elif [shape for shape, _ in through[:2]] == [(6, 6), (6,)] and len(motions) == 2:
        force = (through[0][1], motions[1], through[1][1])
    return FrameNames(cut.name, turn, origin, force if all(force) else ())


def _shapes(variables: Sequence[CutVariable] | None, path: str) -> list[tuple[tuple[int, ...], str]]:
    """The shapes and full names of the variables of a cut; the name is empty for one with the opposite sign."""
    return [
        (tuple(v.value.shape), "" if v.sign < 0 else f"{path}.{v.name}" if path else v.name)
        for v in variables or ()
        if v.value is not None
    ]


def _first(variables: Sequence[tuple[tuple[int, ...], str]], shape: tuple[int, ...]) -> str:
    return next((name for found, name in variables if found == shape), "")
