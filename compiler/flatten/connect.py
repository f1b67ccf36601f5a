"""Turns connections into equations (stage 3a): Instance -> FlatModel. Ends that meet form sets.

In each set the across variables are equal and the through variables sum to zero; an end seen from outside counts +, and
one seen from inside (an own cut) counts - (Otter, Elmqvist and Cellier, section 2). Simplifies nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError, Span
from cutset.compiler.expressions.array import Array, shape_words
from cutset.compiler.expressions.pool import TIME, Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.cut_types import first_misfit, units_clash, variables_by_leaf
from cutset.compiler.flatten.given_starts import with_given_starts
from cutset.compiler.flatten.mixing import mixing_equations
from cutset.compiler.flatten.model import ConnectionSet, FlatModel
from cutset.compiler.flatten.single_cuts import crowded
from cutset.compiler.instantiate.events.model import Assertion, Events
from cutset.compiler.instantiate.instance import (
    ArrayEquation,
    Cut,
    CutClass,
    CutVariable,
    End,
    Instance,
    Join,
    Parameter,
    Variable,
    element_names,
    inflow_leaf,
    inflows,
    leaves_of,
    parameter_numbers,
)
from cutset.compiler.structure.union_find import UnionFind
from cutset.contract.names import partition, rpartition


def flatten(
    root: Instance,
    started: Collection[str] = (),
    given: frozenset[str] = frozenset(),
    terminals: frozenset[str] | None = None,
) -> FlatModel:
    """The flat model, with a parameter for the start value of each variable in `started`; `given` are the parameters
    that runs give, `terminals` the cuts of the model whose across variables come from outside, if the through variables
    of the others do. Raises ModelError if connected cuts do not fit."""
    outer = _with_inflows(root if terminals is None else _with_inputs(root, terminals), terminals or ())
    connector = _Connector(outer, terminals or ())
    return with_given_starts(replace(connector.flat_model(), given=given), started)


def connection_sets(joins: list[Join]) -> list[ConnectionSet]:
    """The sets of connected ends."""
    connected = UnionFind[End]()
    for join in joins:
        connected.unite(join.first, join.second)
    members: dict[End, list[Join]] = {}
    for join in joins:
        members.setdefault(connected.root(join.first), []).append(join)
    return [ConnectionSet(tuple(ends), tuple(members[root])) for root, ends in connected.groups().items()]


def fitting_ends(root: Instance, end: End, others: Iterable[End]) -> list[End]:
    """Those of the other ends to which this one may be connected: they are not yet, their cuts have the same class,
    shapes, types and units, and no single cut gets a second connection."""
    connector = _Connector(root)
    connector.shape_bodiless()
    return [other for other in others if connector.may_join(end, other)]


class _Connector:
    """Collects cuts by (instance, name); cuts without body take their shape from the cuts they meet."""

    def __init__(self, root: Instance, driven: Collection[str] = ()):
        self._root, self._driven = root, driven
        self._pool: Pool = root.pool
        self._instances = list(root.walk())
        self._cuts = {(i.path, c.name): c for i in self._instances for c in i.cuts}
        self._sets = connection_sets([j for i in self._instances for j in i.joins])
        self._variables = variables_by_leaf(self._instances)
        self._extra: dict[tuple[str, str], list[Variable]] = {}
        self._diagnostics: list[Diagnostic] = []
        self._inputs = {e for v in root.variables if v.kind == "input" for e in v.value.elements}
        self._zeroed: set[Expr] = set()

    def flat_model(self) -> FlatModel:
        self.shape_bodiless()
        self._diagnostics += crowded(self._sets, self._cuts, self._root.class_name)
        equations: list[ArrayEquation] = [e for i in self._instances for e in i.equations]
        set_of = [-1] * len(equations)
        for k, connection in enumerate(self._sets):
            made = self._set_equations(connection)
            equations += made
            set_of += [k] * len(made)
        zeros = self._unconnected()
        equations += zeros
        set_of += [-1] * len(zeros)
        events = Events.together(i.events for i in self._instances)
        parameters = tuple(p for i in self._instances for p in i.parameters)
        places = {i.path: i.span for i in self._instances}
        self._diagnostics += broken_assertions(events.assertions, parameters, places, self._root.class_name)
        if self._diagnostics:
            raise ModelError(self._diagnostics)
        return FlatModel(
            name=self._root.class_name,
            pool=self._pool,
            parameters=parameters,
            variables=tuple(v for i in self._instances for v in i.variables)
            + tuple(v for extra in self._extra.values() for v in extra),
            externals=tuple(e for i in self._instances for e in i.externals),
            equations=tuple(equations),
            derivatives=self._root.derivatives,
            folded=self._root.folded,
            places=places,
            events=events,
            initial=tuple(e for i in self._instances for e in i.initial),
            closed=tuple(e for i in self._instances for e in i.closed),
            after=self._root.after,
            inactive_branches=tuple(u for i in self._instances for u in i.inactive_branches),
            classes={i.path: i.class_name for i in self._instances},
            cuts=self._cuts,
            sets=tuple(self._sets),
            set_of=tuple(set_of),
            notes=self._root.notes,
        )

    def may_join(self, end: End, other: End) -> bool:
        """True if a connection of the two has no error."""
        own, its = (next((s for s in self._sets if e in s.ends), ConnectionSet((e,), ())) for e in (end, other))
        if end in its.ends:
            return False
        joins = Join(end, other, self._root.span, self._root.path), *own.joins, *its.joins
        united = ConnectionSet((*own.ends, *its.ends), joins)
        members = [(e, cut) for e in united.ends if (cut := self._cut(e)) is not None]
        bodies = _filled_up([(e, cut) for e, cut in members if _has_body(cut)])
        fits = self._of_one_class(members, united) and (not bodies or self._fits(bodies, united))
        clashes = units_clash(bodies, self._variables) or any(crowded([united], self._cuts, ""))
        return fits and not clashes

    # --- cuts without body ---------------------------------------------------------------------

    def shape_bodiless(self) -> None:
        """Give cuts without body the shapes of those that they meet."""
        """Propagate shapes from set to set through cuts without body until nothing changes. A cut that was shaped
        without the optional variables of a class takes the complete shape if it meets one."""
        touching: dict[tuple[str, str], list[ConnectionSet]] = {}
        for connection in self._sets:
            for end in connection.ends:
                touching.setdefault((end.instance, end.name), []).append(connection)
        bodiless = {key for key, cut in self._cuts.items() if not _has_body(cut)}
        own = {key: self._cuts[key].cut_class for key in bodiless}
        waiting = list(reversed(self._sets))
        while waiting:
            connection = waiting.pop()
            bodies = [c for c in map(self._cut, connection.ends) if c is not None and _has_body(c)]
            if not bodies:
                continue
            model = min(bodies, key=_leaves_out)
            for end in connection.ends:
                key = end.instance, end.name
                if key in bodiless and _completes(model, self._cuts[key]):
                    self._cuts[key] = self._shaped(end, self._cuts[key], model)
                    waiting += touching[key]
        for key, cut_class in own.items():
            if cut_class is not None:
                self._cuts[key] = replace(self._cuts[key], cut_class=cut_class)

    def _shaped(self, end: End, cut: Cut, model: Cut) -> Cut:
        """`cut` with its own variables, named and shaped like those of `model`."""
        prefix = f"{end.instance}.{cut.name}" if end.instance else cut.name
        self._extra.pop((end.instance, cut.name), None)  # of an incomplete shape
        variables = self._extra[end.instance, cut.name] = []

        def like(entry: CutVariable) -> CutVariable:
            if entry.value is None:
                return entry
            short = partition(entry.name, "(")[0]
            name = f"{prefix}.{short}"
            leaves: dict[Expr, Expr] = {}
            for e, own in zip(entry.value.elements, element_names(name, entry.value.shape), strict=True):
                leaves.setdefault(e, self._pool.variable(own))
            value = entry.value.map(leaves.__getitem__)
            variables.append(Variable(name, "cut", value, cut.span, documentation=cut.documentation))
            return CutVariable(short, value, 1)

        across, through, carried = (
            tuple(map(like, side or ())) for side in (model.across, model.through, model.carried)
        )
        variables += inflows(self._pool, [*variables], carried)
        # Without a class until a cut that has one shapes it: it may lack optional variables.
        cut_class = (cut.cut_class or model.cut_class) if model.cut_class is not None else None
        return replace(cut, across=across, through=through, carried=carried, cut_class=cut_class)

    def _cut(self, end: End) -> Cut | None:
        return None if end.side == "node" else self._cuts[end.instance, end.name]

    # --- equations -------------------------------------------------------------------------------

    def _set_equations(self, connection: ConnectionSet) -> list[ArrayEquation]:
        members = _filled_up(
            [(end, cut) for end in connection.ends if (cut := self._cut(end)) is not None and _has_body(cut)]
        )
        join = connection.joins[0]
        if not members or not self._fits(members, connection):
            return []
        equations = []
        first = members[0][1]
        for k in range(len(first.across or ())):
            values = [v for _, cut in members if (v := _at(cut.across, k)) is not None]
            for entry in values[1:]:
                left = _signed(self._pool, values[0])
                equations.append(ArrayEquation(left, _signed(self._pool, entry), join.span, join.instance))
        if len(connection.ends) > 1:
            equations += mixing_equations(self._pool, members, self._variables, join)
        if len(members) == 1:
            return equations  # a single cut at a node is an open terminal: no sum
        for k in range(len(first.through or ())):
            total = self._sum(members, k)
            if total is not None:
                zero = total.map(lambda e: self._pool.zero)
                equations.append(ArrayEquation(total, zero, join.span, join.instance))
        return equations

    def _sum(self, members: list[tuple[End, Cut]], k: int) -> Array | None:
        total: Array | None = None
        for end, cut in members:
            entry = _at(cut.through, k)
            if entry is None:
                continue
            inside = end.side == "inside"
            value = _signed(self._pool, entry if not inside else CutVariable(entry.name, entry.value, -entry.sign))
            if total is None:
                total = value
            else:
                total = Array(value.shape, tuple(map(self._pool.add, total.elements, value.elements)))
        return total

    def _fits(self, members: list[tuple[End, Cut]], connection: ConnectionSet) -> bool:
        if not self._of_one_class(members, connection):
            return False
        first_end, first = members[0]
        for end, cut in members[1:]:
            difference = _difference(first, cut)
            if difference:
                span, instance = self._join_at(end, connection)
                labels = Label(first.span, _declared(first_end)), Label(cut.span, _declared(end))
                fitting = [*self._fitting(end, first, span), *self._fitting(first_end, cut, span)]
                self._diagnostics.append(messages.cuts_differ(difference, span, *labels, instance, fitting))
                return False
        return self._of_one_type(members, connection)

    def _fitting(self, end: End, other: Cut, connect: Span) -> list[str]:
        """The cuts that a bare name could mean, if the cut of the path does not fit the other end."""
        name = rpartition(end.instance)[2]
        if end.side != "outside" or f"{name}:" in connect.text:
            return []
        own = [
            (cut_name, cut)
            for (path, cut_name), cut in self._cuts.items()
            if path == end.instance and cut_name != end.name
        ]
        kind = other.cut_class.span if other.cut_class else None
        return [
            f"{name}:{cut_name}" for cut_name, cut in sorted(own, key=lambda item: item[0])
            if cut.across and not _difference(other,
            cut) and (kind is None or cut.cut_class is None or cut.cut_class.span == kind)
        ]  # fmt: skip

    def _of_one_type(self, members: list[tuple[End, Cut]], connection: ConnectionSet) -> bool:
        misfit = first_misfit(members, self._variables)
        if misfit is not None:
            (_, one), (second, other) = misfit
            labels = (
                Label(one.span, f"'{one.name}' is {one.type}"),
                Label(other.span, f"'{other.name}' is {other.type}"),
            )
            span, instance = self._join_at(second, connection)
            self._diagnostics.append(messages.types_meet(str(one.type), str(other.type), span, labels, instance))
            return False
        return True

    def _of_one_class(self, members: list[tuple[End, Cut]], connection: ConnectionSet) -> bool:
        """True if the cuts may meet: a cut without class fits any, two different classes never fit."""
        first: tuple[End, Cut, CutClass] | None = None
        for end, cut in members:
            if cut.cut_class is None:
                continue
            first = first or (end, cut, cut.cut_class)
            if cut.cut_class.span != first[2].span:
                span, instance = self._join_at(end, connection)
                labels = Label(first[1].span, _declared(first[0])), Label(cut.span, _declared(end))
                self._diagnostics.append(messages.classes_differ(first[2], cut.cut_class, span, *labels, instance))
                return False
        return True

    def _join_at(self, end: End, connection: ConnectionSet) -> tuple[Span, str]:
        """The connect statement for the message: one that names the end."""
        join = next((j for j in connection.joins if end in (j.first, j.second)), connection.joins[0])
        return join.span, join.instance or self._root.class_name

    def _unconnected(self) -> list[ArrayEquation]:
        """Through variables of unconnected cuts are zero, including those of the object itself unless it declares them
        as input."""
        connected = {(e.instance, e.name) for s in self._sets if len(s.ends) > 1 for e in s.ends if e.side == "outside"}
        equations = []
        for instance in self._instances:
            for declared in instance.cuts:
                cut = self._cuts[instance.path, declared.name]
                if (instance.path, cut.name) in connected or (not instance.path and cut.declared_name in self._driven):
                    continue
                end = End(instance.path, cut.name, "outside")
                reason = f"the cut {_declared(end)} is not connected" + ("" if instance.path else " from outside")
                for entry in cut.through or ():
                    equations += self._zero(entry, cut, instance.path, reason)
                alone = mixing_equations(self._pool, [(end, cut)], self._variables, Join(end, end, cut.span, ""))
                kept = (e for e in alone if self._inputs.isdisjoint(e.left.elements))
                equations += (replace(e, instance=instance.path, reason=reason) for e in kept)
        return equations

    def _zero(self, entry: CutVariable, cut: Cut, instance: str, reason: str) -> list[ArrayEquation]:
        if entry.value is None or any(e in self._inputs or e in self._zeroed for e in entry.value.elements):
            return []
        self._zeroed.update(entry.value.elements)
        zero = entry.value.map(lambda e: self._pool.zero)
        return [ArrayEquation(entry.value, zero, cut.span, instance, reason)]


def _with_inputs(root: Instance, driven: Collection[str]) -> Instance:
    """The object whose cuts are connected from outside: their through variables are inputs, of the `driven` ones the
    across variables."""
    sides = [(cut.across if cut.declared_name in driven else cut.through) or () for cut in root.cuts]
    names = {partition(entry.name, "(")[0] for side in sides for entry in side if entry.value is not None}
    variables = (replace(v, kind="input") if v.name in names and v.kind != "output" else v for v in root.variables)
    return replace(root, variables=tuple(variables))


def _with_inflows(root: Instance, driven: Collection[str]) -> Instance:
    """The object whose flows from outside bring what they carry: where these are inputs, so is that."""
    given = {v.name for v in root.variables if v.kind == "input"}
    flows = ((cut, partition(cut.through[0].name, "(")[0]) for cut in root.cuts if cut.carried and cut.through)
    open_cuts = [cut for cut, flow in flows if cut.declared_name in driven or flow in given]
    names = {str(inflow_leaf(root.pool, leaf).data) for cut in open_cuts for leaf in leaves_of(cut.carried)}
    variables = (replace(v, kind="input") if v.name in names else v for v in root.variables)
    return replace(root, variables=tuple(variables)) if names else root


def _has_body(cut: Cut) -> bool:
    return cut.across is not None


def _leaves_out(cut: Cut) -> tuple[bool, int]:
    """Smaller for a cut that has more variables; a cut without class comes after all with one."""
    entries = cut.entries
    return cut.cut_class is None, -sum(entry.value is not None for entry in entries)


def _completes(model: Cut, cut: Cut) -> bool:
    """True if the model has what a cut without its own body lacks, and fits it."""
    if not _has_body(cut):
        return True
    return _leaves_out(model) < _leaves_out(cut) and not _difference(model, _padded_like(cut, model))


def _padded_like(cut: Cut, model: Cut) -> Cut:
    """The cut with empty places for variables that are optional in the class of the model."""
    across, through = model.cut_class.least if model.cut_class is not None else (0, 0)
    return replace(
        cut, across=_padded(cut.across, model.across, across), through=_padded(cut.through, model.through, through)
    )


def _filled_up(members: list[tuple[End, Cut]]) -> list[tuple[End, Cut]]:
    """The cuts; those without class have empty places for variables that are optional in the class of the others."""
    model = next((cut for _, cut in members if cut.cut_class is not None), None)
    if model is None or model.cut_class is None or all(cut.cut_class is not None for _, cut in members):
        return members
    return [(end, _padded_like(cut, model)) for end, cut in members]


def _padded(
    entries: tuple[CutVariable, ...] | None, general: tuple[CutVariable, ...] | None, least: int
) -> tuple[CutVariable, ...]:
    own, wanted = entries or (), len(general or ())
    return own + (CutVariable("", None, 1),) * (wanted - len(own)) if least <= len(own) < wanted else own


def _at(entries: tuple[CutVariable, ...] | None, k: int) -> CutVariable | None:
    """The k-th entry, if it has a variable."""
    entry = (entries or ())[k]
    return entry if entry.value is not None else None


def _signed(pool: Pool, entry: CutVariable) -> Array:
    assert entry.value is not None
    return entry.value if entry.sign > 0 else entry.value.map(pool.neg)


def _declared(end: End) -> str:
    return f"{end.instance}:{end.name}" if end.instance else end.name


def _difference(a: Cut, b: Cut) -> str:
    """The difference that keeps two cuts from being connected; empty if they fit."""
    for kind, first, second in (
        ("across", a.across or (), b.across or ()),
        ("through", a.through or (), b.through or ()),
        ("carried", a.carried, b.carried),
    ):
        if len(first) != len(second):
            return f"{len(first)} and {len(second)} {kind} variables"
        for x, y in zip(first, second, strict=False):
            if x.value is not None and y.value is not None and x.value.shape != y.value.shape:
                return f"'{x.name}' is {shape_words(x.value.shape)}, '{y.name}' is {shape_words(y.value.shape)}"
    return ""


# --- parameter assertions -------------------------------------------------------------------------


def broken_assertions(
    assertions: Iterable[Assertion], parameters: Iterable[Parameter], places: Mapping[str, Span], model: str
) -> Iterator[Diagnostic]:
    """A diagnostic for each assertion that depends on parameters only, and is violated. `places` are the declarations
    of submodels."""
    numbers: RandomPoint | None = None
    for assertion in assertions:
        if assertion.terminates or assertion.condition.level == TIME:
            continue
        numbers = numbers or RandomPoint(parameter_numbers(parameters))
        if not numbers.value(assertion.condition):
            place = places.get(assertion.instance) if assertion.instance else None
            yield messages.parameters_do_not_fit(assertion.text, assertion.span, place, assertion.instance or model)
