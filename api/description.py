"""The submodels of a translation -> the `Description` of its results. Computes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cutset.compiler.instantiate.instance import Constant, Cut, CutVariable, Instance, Parameter, Variable, element_names
from cutset.runtime.description import Description, Element, FrameNames


class Describer:
    """A listener that keeps the description of what is translated."""

    def __init__(self) -> None:
        self.description = Description()

    def __call__(self, stage: str, result: object) -> None:
        if stage == "instantiate":
            assert isinstance(result, Instance)
            self.description = description_of(result)


def description_of(root: Instance) -> Description:
    """What is said of each scalar, and the elements with cut-frames."""
    units: dict[str, str] = {"time": "s"}
    documentation: dict[str, str] = {}
    for instance in root.walk():
        declared: tuple[Constant | Parameter | Variable, ...] = (*instance.constants, *instance.parameters, *instance.variables)
        for each in declared:
            for name in element_names(each.name, each.value.shape):
                units |= {name: each.unit} if each.unit else {}
                documentation |= {name: each.documentation} if each.documentation else {}
    return Description(root.class_name, units, documentation, tuple(_elements(root)))


def _elements(root: Instance) -> Iterator[Element]:
    """Those that are not made of others: what is inside an assembly is drawn instead of it."""
    found: dict[str, Element] = {}
    for instance in root.walk():
        frames = tuple(frame for cut in instance.cuts if (frame := _frame(instance.path, cut)) is not None)
        if frames and len(frames) <= 2:
            found[instance.path] = Element(instance.path, _kind(instance, len(frames)), frames)
    around: set[str] = set()
    for name in found:
        while name and name.rpartition(".")[0] not in around:
            name = name.rpartition(".")[0]
            around.add(name)
    yield from (element for name, element in found.items() if name not in around)


def _kind(instance: Instance, frames: int) -> str:
    """By what is declared rather than by the name of the class, so that subclasses are known, too."""
    parameters = {_own(p.name) for p in instance.parameters}
    variables = {_own(v.name) for v in (*instance.variables, *instance.externals)}
    if frames == 1:
        for kind, names in (("ground", {"ng1", "ng2", "ng3"}), ("shape", {"solid", "length"}), ("body", {"m"})):
            if names <= parameters:
                return kind
        return "link"
    if {"n", "q", "qd"} <= variables:
        return "joint"
    return "line" if {"s", "f", "F"} <= variables else "link"


def _own(name: str) -> str:
    return name.rpartition(".")[2]


def _frame(path: str, cut: Cut) -> FrameNames | None:
    """The cut as a cut-frame, which carries (T(3,3), r(3), v(6), a(6) / f(6)) or (... / I(6,6), b(6)); else None."""
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
    return FrameNames(turns[0], origins[0], force)


def _by_shape(variables: Sequence[CutVariable] | None, path: str) -> dict[tuple[int, ...], list[str]]:
    found: dict[tuple[int, ...], list[str]] = {}
    for variable in variables or ():
        if variable.value is not None and variable.sign > 0:
            name = f"{path}.{variable.name}" if path else variable.name
            found.setdefault(tuple(variable.value.shape), []).append(name)
    return found
