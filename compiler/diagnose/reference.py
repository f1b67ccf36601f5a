"""Finds circuits without a reference potential: all their potentials can be shifted together.

An equation contains only differences of potentials if its slopes along all of them add up to zero. Otherwise it
determines a potential; it is no reference if it does so by a current of the same circuit, as the output of a sensor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cutset.compiler.diagnostics import Label
from cutset.compiler.expressions.finite_field_evaluation import PRIME, FieldPoint
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.flatten.scalarize import scalar_equations
from cutset.compiler.instantiate.instance import Cut, leaves_of
from cutset.compiler.structure.union_find import UnionFind
from cutset.contract.abridged import quoted

_UNIT = "V"


@dataclass
class _Circuit:
    """A circuit; `givers` are submodels with an equation that does not contain differences only."""

    potentials: set[Expr]
    givers: list[str] = field(default_factory=list)
    is_given: bool = False


def without_reference(model: FlatModel) -> list[Label]:
    """A remark for each such circuit, at the first of its components."""
    pins = _pins(model)
    potentials = {leaf for _, cut in pins for leaf in leaves_of(cut.across)}
    currents = {leaf for _, cut in pins for leaf in leaves_of(cut.through)}
    rows = list(_rows(model, potentials)) if pins else []
    circuits = _circuits(rows, potentials)
    point = FieldPoint({})
    for instance, residual, leaves in rows:
        slopes = point.gradient(residual)
        if sum(slope for v, slope in slopes.items() if v in potentials) % PRIME:
            circuit = circuits[next(v for v in leaves if v in potentials)]
            circuit.givers.append(instance)
            others = leaves - potentials
            circuit.is_given = circuit.is_given or not others or not others <= currents
    found = {id(circuit): circuit for circuit in circuits.values() if not circuit.is_given}
    return [_remark(model, pins, circuit) for circuit in found.values()]


def _pins(model: FlatModel) -> list[tuple[str, Cut]]:
    """The cuts with a potential and a current, and their submodels."""
    unit = {e: v.unit for v in model.variables for e in v.value.elements}
    kinds = {
        cut.cut_class.span for cut in model.cuts.values() if cut.cut_class and cut.through
        for entry in cut.across or () if entry.value and unit.get(entry.value.elements[0]) == _UNIT
    }  # fmt: skip
    return [(path, cut) for (path, _), cut in model.cuts.items() if cut.cut_class and cut.cut_class.span in kinds]


def _rows(model: FlatModel, potentials: set[Expr]) -> Iterator[tuple[str, Expr, set[Expr]]]:
    """The scalar equations that contain potentials, with their submodels and all their variables."""
    for equation, scalars in zip(model.equations, scalar_equations(model.pool, model.equations), strict=False):
        for scalar in scalars:
            leaves = set(variables_of(scalar.residual))
            if leaves & potentials:
                yield equation.instance, scalar.residual, leaves


def _circuits(rows: list[tuple[str, Expr, set[Expr]]], potentials: set[Expr]) -> dict[Expr, _Circuit]:
    """Each potential with the circuit that equations connect it to."""
    connected = UnionFind[Expr]()
    for _, _, leaves in rows:
        first, *others = [v for v in leaves if v in potentials]
        for v in (first, *others):
            connected.unite(first, v)
    found = [_Circuit(set(own)) for own in connected.groups().values()]
    return {v: circuit for circuit in found for v in circuit.potentials}


def _remark(model: FlatModel, pins: list[tuple[str, Cut]], circuit: _Circuit) -> Label:
    members = dict.fromkeys(path for path, cut in pins if path and {*leaves_of(cut.across)} & circuit.potentials)
    paths = [path for path in members if not any(other.startswith(f"{path}.") for other in members)]
    text = f"no potential is fixed in the circuit of {quoted(paths, 3)}, so its potentials have no reference"
    givers = list(dict.fromkeys(circuit.givers))
    if givers:
        text += f" ({quoted(givers, 2)} {'gives' if len(givers) == 1 else 'give'} one that depends on a current)"
    return Label(model.places[paths[0] if paths else ""], f"{text}: connect a Ground to it")
