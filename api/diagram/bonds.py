"""Turns connections into bonds: a junction for each node, the direction of power, and who computes effort and flow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from cutset.api.diagram.causality import Sources
from cutset.api.diagram.parts import EQUATIONS, OWN, Bond, Net, Part, Port
from cutset.api.diagram.wiring import role_among, role_of
from cutset.compiler.expressions.array import Shape
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.flatten.cut_types import variables_by_leaf
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import ArrayEquation, Cut, CutVariable, End, Instance, Variable
from cutset.compiler.sort.system import SolvedSystem
from cutset.compiler.units.parse import parse_unit
from cutset.compiler.units.unit import Unit
from cutset.contract.names import rpartition

_POWER, _WORK, _FORCES = parse_unit("W"), parse_unit("J"), (parse_unit("N"), parse_unit("N.m"))


@dataclass(frozen=True, slots=True)
class _Power:
    """The two variables of a cut whose product is the power into it, element by element. `highest` is the last across
    variable of their shape: the derivative of the flow, if a cut has it."""

    across: CutVariable
    through: CutVariable
    is_mechanical: bool
    highest: CutVariable

    @property
    def effort(self) -> CutVariable:
        """The force of a mechanical cut, else the across variable."""
        return self.through if self.is_mechanical else self.across

    @property
    def flow(self) -> CutVariable:
        """The velocity of a mechanical cut, else the through variable."""
        return self.across if self.is_mechanical else self.through


def bond_graph(model: Part, root: Instance, flat: FlatModel, solved: SolvedSystem) -> Part:
    """The model with a bond for each connection between two cuts, and a junction for each one of more; equations
    between submodels are not shown."""
    return _Graph(root, flat, solved).of(model)


class _Graph:
    def __init__(self, root: Instance, flat: FlatModel, solved: SolvedSystem):
        instances = list(root.walk())
        self._instances = {instance.path: instance for instance in instances}
        variables = variables_by_leaf(instances)
        self._sources = Sources(flat, solved)
        self._joined = flat.sets
        self._sets = {end: number for number, joined in enumerate(flat.sets) for end in joined.ends}
        self._integrals = {derivative: variable for variable, derivative in flat.derivatives.items()}
        self._powers: dict[str, dict[str, _Power]] = {}
        for (path, name), cut in flat.cuts.items():
            if (power := _power_of(cut, variables)) is not None:
                self._powers.setdefault(path, {})[name] = power

    def of(self, model: Part) -> Part:
        """The model and all within as a bond graph; what is outermost keeps its box."""
        made: dict[str, Part] = {}
        waiting = [model]
        for part in waiting:
            waiting += part.parts
        for part in reversed(waiting):
            inner = replace(part, parts=tuple(made[child.path] for child in part.parts))
            made[part.path] = self._drawn(inner) if part.parts or part is model else self._element(inner)
        return made[model.path]

    def _element(self, part: Part) -> Part:
        junction = self._junction_kind(part.path)
        if junction:
            return replace(part, name=junction, class_name="", style="junction")
        return replace(part, name=f"{part.class_name}: {part.name}", class_name="", style="element")

    def _junction_kind(self, path: str) -> str:
        """0 or 1 for an element of three cuts or more that all share one variable, else nothing."""
        powers = self._powers.get(path, {}).values()
        for kind in ("effort", "flow"):
            leaves = {tuple(_leaves(getattr(power, kind))) for power in powers}
            if len(powers) > 2 and len(leaves) == 1:
                return "0" if kind == "effort" else "1"
        return ""

    def _drawn(self, model: Part) -> Part:
        """The model with bonds instead of nets."""
        parts, nets = list(model.parts), list[Net]()
        for net in model.nets:
            if net.kind == EQUATIONS:
                continue
            if any(self._power(model, port) is None for port in net.ports):
                nets.append(net)
            elif len(net.ports) == 2:
                nets.append(self._bond(model, net, net.ports))
            elif len(net.ports) > 2:
                number = len(parts)
                power = self._power(model, net.ports[0])
                name = "1" if power is not None and power.is_mechanical else "0"
                bonds = list(self._at_junction(model, net, number))
                cuts = tuple(port.cut for bond in bonds for port in bond.ports if port.part == number)
                path = f"{model.path}.".removeprefix(".") + f"junction {number}"
                about = ", ".join(net.nodes)
                parts.append(Part(name, path, "", about, cuts, (), (), 0, "junction"))
                nets += bonds
        return replace(model, parts=tuple(parts), nets=tuple(nets))

    def _at_junction(self, model: Part, net: Net, number: int) -> Iterator[Net]:
        """The bonds between a junction and the ports of a net, those of power into it first."""
        for k, port in enumerate(net.ports):
            outside = self._outwards(model, port) > 0
            joint = Port(number, f"{'in' if outside else 'out'}{k + 1}")
            yield self._bond(model, net, (port, joint) if outside else (joint, port))

    def _bond(self, model: Part, net: Net, ports: tuple[Port, ...]) -> Net:
        """The bond between two ports, from where the power flows if it is positive."""
        tail, head = ports
        known = [port for port in ports if port.part < len(model.parts)]
        if len(known) == 2 and self._outwards(model, head) > self._outwards(model, tail):
            tail, head = head, tail
        port = next(port for port in (tail, head) if port in known)
        power = self._power(model, port)
        assert power is not None
        pairs = list(zip(_leaves(power.highest), _leaves(power.through), strict=True))
        varying = [pair for pair in pairs if any(self._sources.varies(str(leaf.data)) for leaf in pair)]
        gives = [self._gives_effort(model, port, *pair, power.is_mechanical) for pair in varying or pairs]
        # The stroke is where the effort acts, and the flow answers.
        at_head = sum(effort == (port != head) for effort in gives if effort is not None)
        strokes = sum(effort is not None for effort in gives) - at_head, at_head
        path = self._key(model, port)[0]
        effort, flow = (".".join(filter(None, (path, entry.name))) for entry in (power.effort, power.flow))
        bond = Bond(effort, flow, len(_leaves(power.effort)), strokes)
        return replace(net, ports=(tail, head), bond=bond)

    def _gives_effort(self, model: Part, port: Port, across: Expr, through: Expr, is_mechanical: bool) -> bool | None:
        """True if the effort comes from what is at the port, False if the flow does; None if neither is known."""
        end = End(*self._key(model, port), "inside" if port.part == OWN else "outside")
        both = (str(through.data), is_mechanical), (str(across.data), not is_mechanical)
        for name, is_effort in sorted(both, key=lambda pair: self._sources.is_iterated(pair[0])):
            source = self._sources.of(name)
            if source is not None:
                return (source != self._sets.get(end)) == is_effort
        return None

    def _key(self, model: Part, port: Port) -> tuple[str, str]:
        path = model.path if port.part == OWN else model.parts[port.part].path
        inner, _, name = rpartition(port.cut, ":")
        return ".".join(filter(None, (path, inner))), name

    def _power(self, model: Part, port: Port) -> _Power | None:
        path, name = self._key(model, port)
        return self._powers.get(path, {}).get(name)

    def _outwards(self, model: Part, port: Port) -> int:
        """Positive if power leaves what is at the port, by the sign of its through variable, its path or its laws."""
        if port.part == OWN:
            return 1 if role_of(model, port.cut) <= 0 else -1
        path, name = self._innermost(*self._key(model, port))
        power = self._powers[path][name]
        if power.through.sign < 0:
            return 2
        if len(self._powers[path]) > 1:
            return role_among(list(self._powers[path]), name)
        return 2 if self._is_source(self._instances[path], power) else -2

    def _innermost(self, path: str, cut: str) -> tuple[str, str]:
        """The cut within a submodel that its cut is connected to, if there is only one."""
        while (number := self._sets.get(End(path, cut, "inside"))) is not None:
            inner = [end for end in self._joined[number].ends if end.side == "outside"]
            if len(inner) != 1 or inner[0].name not in self._powers.get(inner[0].instance, {}):
                break
            path, cut = inner[0].instance, inner[0].name
        return path, cut

    def _is_source(self, instance: Instance, power: _Power) -> bool:
        """True if an equation gives effort or flow, and nothing else in it depends on the other one."""
        effort, flow = set(_leaves(power.effort)), set(_leaves(power.flow))
        held = [] if instance.children else [self._contained(equation) for equation in instance.equations]
        for given, other in ((effort, flow), (flow, effort)):
            laws = [found for found in held if not (found & effort and found & flow)]
            reached, known = next((found for found in laws if found & given), other), -1
            while len(reached) > known:
                known = len(reached)
                reached = reached.union(*(found for found in laws if found & (reached - given)))
            if not reached & other:
                return True
        return False

    def _contained(self, equation: ArrayEquation) -> set[Expr]:
        """The variables of an equation; a derivative counts as its variable."""
        found = {v for side in (equation.left, equation.right) for e in side.elements for v in variables_of(e)}
        return {self._integrals.get(v, v) for v in found}


def _leaves(entry: CutVariable) -> list[Expr]:
    """The scalar variables of a place in a cut."""
    return [leaf.args[0] if leaf.op == "neg" else leaf for leaf in entry.value.elements] if entry.value else []


def _power_of(cut: Cut, variables: Mapping[Expr, Variable]) -> _Power | None:
    """The first through variable with the across variable that makes a power of it: by the units, else the first one of
    its shape."""
    for through in cut.through or ():
        if leaves := _leaves(through):
            force = _unit(leaves[0], variables)
            fitting = [a for a in cut.across or () if _leaves(a) and _shape(a) == _shape(through)]
            ranked = sorted(fitting, key=lambda a: _rank(_unit(_leaves(a)[0], variables), force))
            if ranked:
                is_force = force is not None and any(map(force.agrees, _FORCES))
                return _Power(ranked[0], through, cut.is_frame or is_force, fitting[-1])
    return None


def _shape(entry: CutVariable) -> Shape:
    return entry.value.shape if entry.value else ()


def _unit(leaf: Expr, variables: Mapping[Expr, Variable]) -> Unit | None:
    variable = variables.get(leaf)
    return parse_unit(variable.unit) if variable is not None and variable.unit else None


def _rank(across: Unit | None, through: Unit | None) -> int:
    """0 if the product is a power, 1 if that is not known, 2 if it is work, as for a position and a force."""
    if across is None or through is None:
        return 1
    return next((k for k, kind in ((0, _POWER), (2, _WORK)) if (across * through).same_kind(kind)), 3)
