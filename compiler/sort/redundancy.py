"""Removes redundant constraints (stage 4b): EquationSystem, Incidence -> the same system without them.

In a planar four-bar that is closed by a joint in space, a Bricard linkage, or two wheels on one axle, some of the
constraints follow from the others, by their structure (0 = 0 remains of them, or there are more equations than
variables) or numerically. Redundant ones are found where the constraints hold (`constraint_point`), at several points
of the motion, and removed, so that all later stages see a regular system. The forces of these constraints are then
undetermined: each removed constraint is replaced by an equation

    0 = 0*f1 + 0*f2 + ...

of all forces of the elements that close the loops, and a run uses the solution of least norm (`expressions.left_open`).
If the constraints contradict each other, or if there is another error, the system stays unchanged. Chooses no states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from cutset.compiler.diagnostics import Label
from cutset.compiler.expressions.open_factors import LeftOpen
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import EquationSystem, FlatModel, Origin, ScalarEquation
from cutset.compiler.instantiate.instance import CutVariable, leaves_of, parameter_numbers
from cutset.compiler.sort.constraint_point import Constraints, NotKnown, Orders
from cutset.compiler.sort.dependent_constraints import taken_out
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.sort.switching import listed
from cutset.compiler.structure.chains import NONE, lowest_members
from cutset.compiler.structure.dulmage_mendelsohn import find_singularity
from cutset.compiler.structure.matching import UNMATCHED, greedy_transversal, inverse, maximum_matching
from cutset.compiler.structure.pantelides import Differentiation, pantelides
from cutset.compiler.structure.plan import Incidence, StructurallySingular
from cutset.compiler.structure.union_find import UnionFind
from cutset.contract.names import rpartition
from cutset.contract.quick_dataclass import dataclass

# The limit on equations that close loops; a search among more of them takes longer than the rest of the translation.
_MOST_CLOSING = 300

# Elements that impose only some conditions on the motion of others, each with the elements of the loop that it closes.
Closing = Callable[[], Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True)
class Independent:
    """The system, remarks on its removed constraints, and the number of constraints before; `differentiation` is what
    Pantelides' algorithm finds for it, None if that is not known yet; `not_searched` is the number of equations that
    close loops if they are too many to be searched, otherwise 0."""

    system: EquationSystem
    incidence: Incidence
    notes: tuple[Label, ...] = ()
    redundant: int = 0
    differentiation: Differentiation | None = None
    not_searched: int = 0

    def __str__(self) -> str:
        return "\n".join(label.text for label in self.notes) or "no constraint is redundant"


def without_redundancy(flat: FlatModel, system: EquationSystem, incidence: Incidence, closing: Closing) -> Independent:
    """Remove redundant constraints. `closing` is called only if something may be redundant: most redundancy without a
    loop is an error of the model."""
    search = _Search(flat, system, incidence, closing)
    try:
        found = search.redundant()
        if found is None:
            return Independent(system, incidence, differentiation=search.regular)
        return _Removal(search, found).independent()
    except (NotKnown, StructurallySingular):
        return Independent(system, incidence, search.remarks(), not_searched=search.not_searched)


def with_solutions(found: Independent, closed: Callable[[EquationSystem], EquationSystem]) -> Independent:
    """The same with the solutions of loops that the model states instead of conditions of these loops: `closed` is the
    function that puts them there."""
    if not found.system.solutions:
        return found
    system = closed(found.system)
    return replace(found, system=system, incidence=incidence_of(system), differentiation=None)


class _Search:
    """Searches the redundant equations."""

    def __init__(self, flat: FlatModel, system: EquationSystem, incidence: Incidence, closing: Closing):
        self.flat, self.system, self.incidence, self.closing = flat, system, incidence, closing
        self.lowest = lowest_members(incidence.derivative)
        self.nodes = [u.node for u in system.unknowns]
        self.regular: Differentiation | None = None  # that of the system as it is
        self.bound: set[int] = set()  # variables that occur in constraints
        self.shares: dict[int, dict[int, float]] = {}  # shares of removed constraints that others take over
        self.not_searched = 0  # the number of closing equations, if there are too many

    @cached_property
    def rows(self) -> list[list[int]]:
        """The variables of each equation, derivatives as their variable."""
        return [sorted({self.lowest[v] for v in row}) for row in self.incidence.rows]

    @property
    def lost(self) -> int:
        """The number of equations that have become 0 = 0."""
        return len(set(self.lowest)) - len(self.incidence.rows)

    def redundant(self) -> tuple[int, ...] | None:
        """The positions of the redundant equations; None if there are none, and no other has become 0 = 0."""
        if self.lost < 0 or self.system.missing:
            return None
        try:
            regular = self.regular = None if self.lost else pantelides(self.incidence)
        except StructurallySingular:
            regular = None
        if regular is not None and not any(regular.orders):
            return None
        owner = [] if regular is not None else maximum_matching(self.rows, len(self.lowest))
        excess = [e for e, v in enumerate(inverse(owner, len(self.rows))) if v == UNMATCHED] if owner else []
        if excess and not self.closing():
            return None
        constraints, orders = self._constraints(excess, regular)
        self.bound = {v for e in constraints for v in self.rows[e]}
        rows = {e: [self.nodes[v] for v in self.incidence.rows[e]] for e in constraints}
        found = self._among(rows, orders, len(excess)) if rows else ()
        if len(found) < len(excess) or not (found or self.lost):
            return None
        return found

    def remarks(self) -> tuple[Label, ...]:
        """What the user should know if no search was made."""
        elements = list(dict.fromkeys(map(self.flat.written, self.closing()))) if self.not_searched else []
        if not elements:
            return ()
        text = (
            f"{self.not_searched} equations close the loops of {listed(elements)}; redundant conditions are searched "
            f"among up to {_MOST_CLOSING}: if the run does not start, replace joints that close loops in a plane by "
            "PlanarCutRevolute, or use mbs"
        )
        return (Label(self.system.places[elements[0]], text),)

    def _constraints(self, excess: Sequence[int], found: Differentiation | None) -> tuple[list[int], Orders]:
        """The equations that are differentiated or in excess, and the orders of the variables after the excess is
        removed."""
        out = set(excess)
        kept = [e for e in range(len(self.rows)) if e not in out]
        if found is None:
            rows = [self.incidence.rows[e] for e in kept]
            rows += [self._open_variables([self.rows[e] for e in kept])] * (len(set(self.lowest)) - len(kept))
            found = pantelides(replace(self.incidence, rows=tuple(map(tuple, rows))))
        highest = self._lengths(found.derivative)
        own = self._lengths(self.incidence.derivative, below=True)
        constraints = {e for e, order in zip(kept, found.orders, strict=False) if order}
        if excess:
            singular = find_singularity(self.rows, sorted(set(self.lowest)))
            constraints |= set(singular.over_equations) if singular else set()
        by_node = {node: highest[self.lowest[v]] for v, node in enumerate(self.nodes)}
        return sorted(constraints), Orders(
            by_node,
            {node: own[v] for v, node in enumerate(self.nodes)},
            {node: self.lowest[v] for v, node in enumerate(self.nodes)},
        )

    def _open_variables(self, rows: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """The variables that these equations leave undetermined."""
        singular = find_singularity(rows, sorted(set(self.lowest)))
        return singular.under_variables if singular else ()

    @staticmethod
    def _lengths(derivative: Sequence[int], below: bool = False) -> list[int]:
        """For each variable the order of the highest derivative of its chain; `below` is its own order."""
        order = [0] * len(derivative)
        targets = {d for d in derivative if d != NONE}
        for start in (v for v in range(len(derivative)) if v not in targets):
            chain = [start]
            while derivative[chain[-1]] != NONE:
                chain.append(derivative[chain[-1]])
            for k, v in enumerate(chain):
                order[v] = k if below else len(chain) - 1
        return order

    def _among(self, rows: Mapping[int, Sequence[Expr]], orders: Orders, least: int) -> tuple[int, ...]:
        """The constraints among these to remove, at least `least` of them. NotKnown if they contradict each other."""
        constraints = Constraints(self.system, rows, orders, parameter_numbers(self.system.parameters))
        closing = constraints.closing
        if not closing:
            return ()
        self.not_searched = len(closing) if len(closing) > _MOST_CLOSING else 0
        at = None if self.not_searched else constraints.place()
        if at is None:
            raise NotKnown
        if len(closing) - len(constraints.spanned(at).chosen) < max(1, least) or not self.closing():
            return ()
        places = constraints.motion(at)
        often = [constraints.order[e] for e in closing]
        found = taken_out(constraints.dependences(places), places.index(at), often)
        if found is None:
            raise NotKnown
        sizes = constraints.sizes
        for k, own in found.shares.items():
            self.shares[closing[k]] = {closing[d]: share * sizes[k] / sizes[d] for d, share in own.items()}
        return tuple(sorted(closing[i] for i in found.chosen))


class _Removal:
    """Builds the system without the redundant equations; equations of the forces that close loops replace them."""

    def __init__(self, search: _Search, chosen: Sequence[int]):
        self._search, self._chosen, self._closing = search, set(chosen), search.closing()
        self._system, self._pool = search.system, search.system.pool
        self._kept = [e for e in range(len(search.rows)) if e not in self._chosen]
        self._rows = [self._row(e) for e in self._kept]
        self._names = self._names_of_unknowns()
        self._motion = {name for (owner, _), cut in search.flat.cuts.items() for name in _leaves(cut.across)}

    def independent(self) -> Independent:
        """StructurallySingular if these forces do not determine the rest."""
        search, system = self._search, self._system
        rows = self._rows
        singular = find_singularity(rows, sorted(set(search.lowest)))
        open_variables = set(singular.under_variables) if singular else set()
        forces: dict[str, list[int]] = {}
        for instance in self._closing:
            own = self._forces(instance, open_variables)
            if own:
                forces[instance] = own
        equations = [self._with_share(e) for e in self._kept]
        notes: list[Label] = []
        for instances, count in self._together(forces, rows):
            text = self._text(instances, count)
            span = system.places[search.flat.written(instances[0])]
            notes.append(Label(span, text))
            unknowns = [search.nodes[v] for name in instances for v in forces[name]]
            left_open = LeftOpen(self._pool, text)
            for k in range(count):
                terms = self._pool.zero
                for j, unknown in enumerate(unknowns):
                    terms = self._pool.add(terms, self._pool.mul(left_open.factor(k, j), unknown))
                equations.append(ScalarEquation(terms, Origin(span, instances[0])))
        if len(equations) != len(set(search.lowest)):
            raise NotKnown
        smaller = replace(system, equations=tuple(equations))
        incidence = incidence_of(smaller)
        regular = pantelides(incidence)
        return Independent(smaller, incidence, tuple(notes), len(equations) - len(self._kept), regular)

    def _row(self, e: int) -> list[int]:
        """The unknowns of an equation, including those of the shares that it takes over."""
        taken = self._search.shares.get(e, ())
        return sorted({v for each in (e, *taken) for v in self._search.rows[each]})

    def _with_share(self, e: int) -> ScalarEquation:
        equation, pool = self._system.equations[e], self._pool
        residual = equation.residual
        for chosen, share in self._search.shares.get(e, {}).items():
            residual = pool.sub(residual, pool.mul(pool.constant(share), self._system.equations[chosen].residual))
        return ScalarEquation(residual, equation.origin)

    def _together(
        self, forces: Mapping[str, list[int]], rows: Sequence[Sequence[int]]
    ) -> Iterable[tuple[list[str], int]]:
        """Elements that share undetermined forces, and how many: by the equations that join their forces."""
        search = self._search
        moving = {search.lowest[v] for v, d in enumerate(search.incidence.derivative) if d != NONE}
        joined = UnionFind[int]()
        for row in rows:
            inner = [v for v in row if v not in moving]
            for v in inner[1:]:
                joined.unite(inner[0], v)
        groups: dict[int, list[str]] = {}
        for instance, own in forces.items():
            groups.setdefault(joined.root(own[0]), []).append(instance)
        owner = maximum_matching(rows, len(search.lowest))
        free = [v for v in sorted(set(search.lowest)) if owner[v] == UNMATCHED]
        if len(groups) == 1:
            return [(instances, len(free)) for instances in groups.values()]
        return self._dealt(list(groups.values()), forces, rows)

    def _dealt(
        self, groups: Sequence[list[str]], forces: Mapping[str, list[int]], rows: Sequence[Sequence[int]]
    ) -> list[tuple[list[str], int]]:
        """Assign each undetermined unknown to a group of elements that may contain it."""
        search = self._search
        counts = []
        # With as many further equations for the forces of a group as can be matched.
        so_far = [list(row) for row in rows]
        for instances in groups:
            own = sorted({v for name in instances for v in forces[name]})
            more = greedy_transversal([[*so_far[i]] for i in range(len(so_far))], range(len(search.lowest)))
            before = len(more)
            trial = so_far + [own] * len(own)
            after = len(search.lowest) - list(maximum_matching(trial, len(search.lowest))).count(UNMATCHED)
            count = after - before
            so_far += [own] * count
            counts.append((instances, count))
        return [(instances, count) for instances, count in counts if count]

    # --- forces -----------------------------------------------------------------------------------------

    def _names_of_unknowns(self) -> dict[int, list[str]]:
        """All names of each unknown."""
        index = {node: v for v, node in enumerate(self._search.nodes)}
        names: dict[int, list[str]] = {v: [str(node.data)] for node, v in index.items()}
        for alias in self._system.aliases:
            value = alias.value.args[0] if alias.value.op == "neg" else alias.value
            if value in index:
                names[index[value]].append(alias.name)
        return names

    def _forces(self, instance: str, open_variables: set[int]) -> list[int]:
        """The forces that the element leaves free: its undetermined unknowns that do not follow from others of them.
        Those with a name inside the element are preferred to those at its cuts."""
        at_cuts = self._at_cuts(instance)
        # A force at a cut binds no motion, although a constraint in excess may reach it through other equations.
        own = {
            v: [n for n in names if rpartition(n)[0] == instance]
            for v, names in self._names.items()
            if v in open_variables and (v not in self._search.bound or not at_cuts.isdisjoint(names))
        }
        own = {v: names for v, names in own.items() if names and not self._motion.intersection(self._names[v])}
        rows = [
            [v for v in self._search.rows[e] if v in own]
            for e in self._kept
            if self._system.equations[e].origin.instance == instance
        ]
        uses = {v: sum(v in row for row in rows) for v in own}

        def rank(v: int) -> tuple[int, int, int]:
            outside = sum(n in at_cuts for n in own[v])
            inside = len(own[v]) - outside
            return (0 if not inside else 1 if outside else 2), uses[v], v

        follow = greedy_transversal(rows, sorted(own, key=rank))
        return [v for v in sorted(own) if v not in follow]

    def _at_cuts(self, instance: str) -> set[str]:
        return {
            name
            for (owner, _), cut in self._search.flat.cuts.items()
            if owner == instance
            for name in _leaves(cut.through)
        }

    # --- messages ---------------------------------------------------------------------------------------

    def _text(self, instances: Sequence[str], count: int) -> str:
        conditions = "one condition" if count == 1 else f"{count} conditions"
        elements = list(dict.fromkeys(map(self._search.flat.written, instances)))
        loop = dict.fromkeys(name for instance in instances for name in self._closing[instance])
        if len(elements) == 1 and loop:
            are = "is" if count == 1 else "are"
            what = f"{conditions} of '{elements[0]}' {are} redundant in the loop of {listed(loop)}"
        else:
            what = (
                f"of the conditions of {listed(elements)} {'one follows' if count == 1 else f'{count} follow'} from "
                "the others"
            )
        return f"{what}: the motion does not depend on this; the run takes the smallest forces (least sum of squares)"


def _leaves(entries: Sequence[CutVariable] | None) -> Iterator[str]:
    """The names of the variables of a cut."""
    for leaf in leaves_of(entries):
        variable = leaf.args[0] if leaf.op == "neg" else leaf
        if variable.op == "variable":
            yield str(variable.data)
