"""Checks units of a tree of submodels: infers them class by class and over connections, then compares them.

Inference is repeated until nothing changes. Classes are read once, and inference within a class is done once for each
set of units from outside: a hundred bodies cost as much as one. An undetermined unit is no error. Evaluates nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from cutset.compiler.diagnostics import Diagnostic, Label
from cutset.compiler.instantiate.instance import End, External, Join
from cutset.compiler.instantiate.names.spelled_vectors import elements_named
from cutset.compiler.instantiate.tree.scope import Node, Tree
from cutset.compiler.instantiate.types.cut_classes import least
from cutset.compiler.instantiate.units import messages
from cutset.compiler.instantiate.units.bodies import BodyUnits, body_units, check_units_of_body, infer_units
from cutset.compiler.instantiate.units.values import Known, Signatures, Value
from cutset.compiler.syntax import tree
from cutset.compiler.units.unit import Unit
from cutset.contract.names import partition
from cutset.contract.quick_dataclass import dataclass

# The units that a class receives from outside, in the order of its open names.
_Given = tuple[Value | None, ...]


def check_units(submodels: Tree, joins: list[Join], signatures: Signatures) -> list[Diagnostic]:
    """Every mismatch of units in the tree and at its connections; `signatures` are those of the functions of the
    model."""
    checker = _Checker(submodels, joins, signatures)
    checker.infer()
    return checker.diagnostics()


@dataclass(frozen=True, slots=True)
class _Member:
    """A variable of a cut at a position of a connection set."""

    full_name: str
    end: End


_Group = list[_Member]


@dataclass(frozen=True, slots=True)
class _Measured:
    """A variable of a cut with its unit."""

    full_name: str
    end: End
    known: Known
    unit: Unit

    def __str__(self) -> str:
        return f"'{self.full_name}' in {self.unit}"


class _Checker:
    """`_units` holds the known units of all variables, by full name."""

    def __init__(self, submodels: Tree, joins: list[Join], signatures: Signatures):
        self._signatures = signatures
        self._tree = submodels
        self._nodes = {node.path: node for node in submodels.nodes}
        self._joins = joins
        self._bodies: dict[str, BodyUnits] = {}
        self._solved: dict[tuple[str, _Given], dict[str, Known]] = {}
        self._gains_determine = False
        self._units: dict[str, Known] = {}
        self._sets = [_groups(self._nodes, ends) for ends in _connected(joins)]
        self._group_of: dict[str, list[_Group]] = {}
        for group in (group for groups in self._sets for group in groups):
            for member in group:
                self._group_of.setdefault(member.full_name, []).append(group)
        pairs = zip(submodels.nodes, submodels.declarations, strict=True)
        self._externals = [(node, external) for node, declared in pairs for external in declared.externals]
        for node, external in self._externals:
            end = End(node.path, external.name, "node")
            pair = [_Member(external.internal, end), _Member(external.name, end)]
            for member in pair:
                self._group_of.setdefault(member.full_name, []).append(pair)
        self._settled: set[int] = set()  # groups whose unit has been spread, by their identity
        self._listeners: dict[str, list[str]] = {}
        for node in submodels.nodes:
            body = self._body(node)
            for name in body.open_names:
                self._listeners.setdefault(node.full_name(name), []).append(node.path)

    def infer(self) -> None:
        """Infer until nothing changes: in each class with its units from outside, over each connection; then once more
        with products of literal numbers, where there are any."""
        changed: list[str] = []
        for node in self._nodes.values():
            for name, known in self._body(node).declared.items():
                full = node.full_name(name)
                self._units[full] = known
                changed.append(full)
        self._spread(changed)
        self._infer(self._nodes)
        self._gains_determine = True
        self._solved = {key: known for key, known in self._solved.items() if not self._bodies[key[0]].has_gains}
        self._infer(path for path, node in self._nodes.items() if self._body(node).has_gains)

    def _infer(self, paths: Iterable[str]) -> None:
        waiting = deque(paths)
        queued = set(waiting)
        while waiting:
            path = waiting.popleft()
            queued.discard(path)
            own = self._solve_node(self._nodes[path])
            for position, full in enumerate(self._spread(own)):
                for listener in self._listeners.get(full, ()):
                    # An instance gains nothing from units that it inferred itself.
                    if listener not in queued and (listener != path or position >= len(own)):
                        queued.add(listener)
                        waiting.append(listener)

    def diagnostics(self) -> list[Diagnostic]:
        """The errors; a class is checked once for all instances with the same units."""
        found = [d for body in self._bodies.values() for d in body.wrong]
        if any(d.code == "E271" for d in found):  # the unit of a variable is ambiguous, and many errors follow from it
            return found
        seen: set[tuple[str, _Given]] = set()
        for node in self._nodes.values():
            body = self._body(node)
            key, given = self._given(node, body)
            if key not in seen:
                seen.add(key)
                found += check_units_of_body(body, {**body.declared, **given}, node.instance)
        for groups in self._sets:
            found += self._check_set(groups)
        found += [d for node, external in self._externals if (d := self._check_external(node, external)) is not None]
        # An error of a class is reported once, though instances may differ in the units that it mentions.
        return list({(d.code, d.span): d for d in reversed(found)}.values())[::-1]

    # --- inference -------------------------------------------------------------------------------

    def _body(self, node: Node) -> BodyUnits:
        name = node.body.name
        if name not in self._bodies:
            self._bodies[name] = body_units(node.body, self._signatures, _first_elements(self._tree, node))
        return self._bodies[name]

    def _given(self, node: Node, body: BodyUnits) -> tuple[tuple[str, _Given], dict[str, Known]]:
        units, prefix = self._units, f"{node.path}." if node.path else ""
        given = {name: known for name in body.open_names if (known := units.get(prefix + name)) is not None}
        arrays = {item.name for item, _ in node.body.submodels.values() if item.dimensions}
        for name in (name for name in body.open_names if arrays and name in body.measured):
            first, _, rest = partition(name)
            if first in arrays and (known := self._declared_in(self._tree.children[node, first], rest)) is not None:
                given[name] = known
        values = tuple(None if (known := given.get(name)) is None else known.value for name in body.open_names)
        return (body.name, values), given

    def _declared_in(self, elements: tuple[Node, ...], name: str) -> Known | None:
        """The declared unit of a variable in an array of submodels, with which numbers with units are compared.
        Without a declaration it may have another unit in each element."""
        first, _, rest = partition(name)
        if not elements:
            return None
        if not rest:
            return self._body(elements[0]).declared.get(name)
        return self._declared_in(self._tree.children.get((elements[0], first), ()), rest)

    def _solve_node(self, node: Node) -> list[str]:
        """The full names of variables whose units become known by this instance."""
        body = self._body(node)
        key, given = self._given(node, body)
        if key not in self._solved:
            self._solved[key] = infer_units(body, given, self._gains_determine)
        changed = []
        for name in body.open_names:
            known = self._solved[key].get(name)
            if known is not None and name not in given:
                self._units[node.full_name(name)] = known
                changed.append(node.full_name(name))
        return changed

    def _spread(self, changed: list[str]) -> list[str]:
        """Copy units to connected variables; returns all newly known names, including `changed`."""
        reached = list(changed)
        for full in reached:
            known = self._units[full]
            if not isinstance(known.value, Unit):
                continue
            for group in self._group_of.get(full, ()):
                if id(group) in self._settled:
                    continue
                self._settled.add(id(group))
                for member in group:
                    if member.full_name not in self._units:
                        self._units[member.full_name] = known
                        reached.append(member.full_name)
        return reached

    def _check_external(self, node: Node, external: External) -> Diagnostic | None:
        own, internal = self._units.get(external.name), self._units.get(external.internal)
        if own is None or internal is None or not isinstance(own.value, Unit) or not isinstance(internal.value, Unit):
            return None
        if not internal.value.clashes(own.value):
            return None
        labels = tuple(
            Label(known.span, f"'{name}' in {known.value}: {known.how}")
            for name, known in ((external.name, own), (external.internal, internal))
        )
        return messages.external_in_unit(external.name, own.value, internal.value, external.span, node.instance, labels)

    # --- connections -------------------------------------------------------------------------------

    def _check_set(self, groups: list[_Group]) -> list[Diagnostic]:
        """One message for cuts that do not fit, however many of their variables differ."""
        clashes = [clash for group in groups if (clash := self._clash(group)) is not None]
        found = (self._nodes[m.end.instance].body.cut_classes.get(m.end.name) for group in groups for m in group)
        if not clashes or len({cut_class.span for cut_class in found if cut_class}) > 1:
            return []  # that cuts of two classes meet is an error of the connection
        first, second = clashes[0]
        join = next(j for j in self._joins if _place(second.end) in (_place(j.first), _place(j.second)))
        instance = join.instance or self._nodes[""].instance
        labels = tuple(Label(m.known.span, f"{m}: {m.known.how}") for m in (first, second))
        more = tuple(f"{a}, {b}" for a, b in clashes[1:])
        return [
            messages.cuts_in_units(str(first), first.unit, str(second), second.unit, join.span, instance, labels, more)
        ]

    def _clash(self, group: _Group) -> tuple[_Measured, _Measured] | None:
        """The first two connected variables whose units differ."""
        first: _Measured | None = None
        for member in group:
            known = self._units.get(member.full_name)
            if known is None or not isinstance(known.value, Unit):
                continue
            measured = _Measured(member.full_name, member.end, known, known.value)
            if first is None:
                first = measured
            elif first.unit.clashes(measured.unit):
                return first, measured
        return None


def _first_elements(submodels: Tree, node: Node) -> dict[str, str]:
    """For each value of several parameters of a submodel the first of them: 'bar.r' -> 'r1'."""
    found = {}
    for item, _ in node.body.submodels.values():
        children = submodels.children[node, item.name]
        for binding in item.bindings if children and not item.dimensions else ():
            names = elements_named(children[0].body, binding.name)
            if names:
                found[f"{item.name}.{binding.name}"] = names[0][0]
    return found


def _place(end: End) -> tuple[str, str, bool]:
    """A cut is identified without its side: its variables are the same from inside and outside."""
    return end.instance, end.name, end.side == "node"


def _groups(nodes: dict[str, Node], ends: list[End]) -> list[_Group]:
    """The connected variables, position by position. A cut without body passes on the cuts connected to it. None if
    cuts do not fit: the connection is reported, and spreading units there would only add wrong ones."""
    groups: list[_Group] = []
    cuts = [(end, cut) for end in ends if (cut := _cut(nodes, end)) is not None]
    if not _fit(nodes, cuts):
        return []
    for sides in ([(end, cut.across or ()) for end, cut in cuts], [(end, cut.through or ()) for end, cut in cuts]):
        for k in range(max((len(entries) for _, entries in sides), default=0)):
            named = [(end, entries[k].name) for end, entries in sides if k < len(entries) and entries[k].name]
            values = [(end, nodes[end.instance].values.get(name)) for end, name in named]
            if len({value.shape[end.name.endswith(")") :] for end, value in values if value is not None}) > 1:
                return []
            groups.append([_Member(nodes[end.instance].full_name(name), end) for end, name in named])
    return [group for group in groups if len(group) > 1]


def _fit(nodes: dict[str, Node], cuts: list[tuple[End, tree.CutItem]]) -> bool:
    """True if the cuts have equally many variables, except for optional ones."""
    sizes = {(len(cut.across or ()), len(cut.through or ())) for _, cut in cuts}
    if len(sizes) < 2:
        return True
    classes = [nodes[end.instance].body.cut_classes.get(cut.name) for end, cut in cuts]
    of_class = next((c for c in classes if c is not None), None)
    if of_class is None:
        return False
    return all(
        least(of_class.across) <= across <= len(of_class.across)
        and least(of_class.through) <= through <= len(of_class.through)
        for across, through in sizes
    )


def _cut(nodes: dict[str, Node], end: End) -> tree.CutItem | None:
    """The elementary cut of an end; None for a node or a cut without body."""
    if end.side == "node":
        return None
    cut = nodes[end.instance].body.cut(end.name)
    return None if cut.across is None and cut.through is None else cut


def _connected(joins: list[Join]) -> list[list[End]]:
    """The ends that are connected, in the order of the text; chains of ends are traversed in a loop."""
    neighbors: dict[tuple[str, str, bool], list[End]] = {}
    ends: dict[tuple[str, str, bool], End] = {}
    for join in joins:
        for end, other in ((join.first, join.second), (join.second, join.first)):
            ends.setdefault(_place(end), end)
            neighbors.setdefault(_place(end), []).append(other)
    seen: set[tuple[str, str, bool]] = set()
    sets = []
    for place, end in ends.items():
        if place in seen:
            continue
        seen.add(place)
        members = [end]
        for member in members:
            for other in neighbors[_place(member)]:
                if _place(other) not in seen:
                    seen.add(_place(other))
                    members.append(other)
        sets.append(members)
    return sets
