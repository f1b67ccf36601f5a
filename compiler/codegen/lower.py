"""Stage 6a. SolvedSystem, Start, SolvedEvents -> Program: what a function does not need is left out of it, parameter
expressions are computed once, shared divisors become reciprocals.

Must not print, and must not change a formula other than by these rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from cutset.compiler.codegen.guards import guards_of, named_guards
from cutset.compiler.codegen.loop_rolling import rolled
from cutset.compiler.codegen.metadata import Lowered, model_info, statistics_of
from cutset.compiler.codegen.naming import Naming
from cutset.compiler.codegen.parameter_domains import domains_of
from cutset.compiler.codegen.passes import LatePasses
from cutset.compiler.codegen.program import (
    Assign,
    Function,
    Literal,
    Program,
    Read,
    Statement,
    TableRef,
    Value,
)
from cutset.compiler.codegen.statements import CHUNK, Numbering, Schedule
from cutset.compiler.codegen.time_tapes import Tapes, step_of
from cutset.compiler.codegen.user_functions import lower_user_functions
from cutset.compiler.codegen.watched_choices import watched_numbers
from cutset.compiler.expressions.jacobian import Jacobian
from cutset.compiler.expressions.pool import CONSTANT, PARAMETER, Expr, Pool
from cutset.compiler.expressions.walk import reachable, rewrite, varying
from cutset.compiler.flatten.model import Relation
from cutset.compiler.sort.system import SolvedEvents, SolvedSystem, Start
from cutset.contract.metadata import TimeCrossing

_LOOKED_FOR = ("<", "<=", ">", ">=")


def lower(solved: SolvedSystem, start: Start, events: SolvedEvents, passes: LatePasses = LatePasses()) -> Program:
    """The whole program; deterministic."""
    return _Lowering(solved, start, events, passes).program()


class _Lowering:
    """Final expressions of everything, then places for them."""

    def __init__(self, solved: SolvedSystem, start: Start, events: SolvedEvents, passes: LatePasses):
        self._passes = passes
        self._solved, self._start, self._events = solved, start, events
        self._sorted = solved.sorted_system
        self._system = self._sorted.system
        self._pool: Pool = solved.pool
        self._numbering = Numbering(passes)
        values = {a.unknown: a.value for a in solved.assignments}
        rates = [values.get(d, d) for d in self._sorted.derivatives]
        asked = list(self._asked())
        roots = [*values.values(), *(a.value for a in self._system.aliases), *rates, *asked]
        rivals = [self._pool.choose(self._pool.acting(branch), r.value, self._pool.zero) for r, branch in events.rivals]
        delayed = [e for delay in events.delays for e in (delay.value, delay.time)]
        begins = [*start.values, *(e for condition in start.conditions for e in (condition.rest, condition.size))]
        final = self._reciprocals(
            [*roots, *begins, *events.discrete, *events.states, *rivals, *self._instant_values(), *delayed]
        )
        self._rates = [final[e] for e in rates]
        jacobian = Jacobian(self._pool, self._rates, self._sorted.states)
        entries = jacobian.entries()
        self._slopes = [] if entries is None else [e for row in entries for e in row]
        self._pattern = jacobian.pattern
        self._parameter_index = self._number_parameters()
        self._naming = Naming(solved, final, self._parameter_index)
        self._results = [*self._naming.outputs, *(final[e] for e in asked)]
        self._sides = [(final[r.left], final[r.right]) for r in events.relations]
        looked_for = [k for k, r in enumerate(events.relations) if r.kind == "state" and r.operator in _LOOKED_FOR]
        differences = {k: final[self._difference(events.relations[k])] for k in looked_for}
        self._differences = list(differences.values())
        watching = all(events.relations[k].at_ends for k in looked_for)
        sides = [self._sides[k] for k in looked_for if events.relations[k].operator == ">"] if watching else []
        self._watched = watched_numbers(self._pool, sides)
        self._after = [final[e] for e in (*events.discrete, *events.states, *rivals)]
        self._instants = [final[e] for e in self._instant_values()]
        self._delayed = [final[e] for e in delayed]
        self._begins = [final[e] for e in begins]
        self._starts = [
            *start.given,
            *(d.start or self._pool.zero for d in self._system.discrete),
            *(c.value for c in start.checks),
        ]
        choosing = self._choosing_starts(values, final)
        self._choosing = tuple(choosing)
        self._starts += choosing.values()
        nominal = {u.node: u.nominal for u in self._system.unknowns if u.nominal is not None}
        self._nominals = [nominal.get(s, self._pool.one) for s in self._sorted.states]
        for node in varying(self._roots()) if self._pool.has_iterations else ():
            if node.op == "newton":
                self._numbering.iteration(node)
        self._starts += (u.start for node in self._numbering.guesses for u in node.data.started)
        for node in self._numbering.guesses:  # between the guesses and the nominal values is the orientation
            self._starts += [*node.data.guesses, self._pool.zero, *node.data.nominals]
        self._guards = guards_of(self._rates, [*self._results, *self._delayed])
        self._constants, self._tables, self._known = self._parameter_expressions()
        self._isolated = self._time_crossings(looked_for)
        self._crossings = [k for k in looked_for if k not in {crossing.relation for crossing in self._isolated}]
        self._differences = [differences[k] for k in self._crossings]

    def program(self) -> Program:
        names, c = self._numbering, Read("c", len(self._constants))
        parameters = {leaf: Read("p", i) for leaf, i in self._parameter_index.items()} | self._numbers
        places = [(Read("c", i), e) for i, e in enumerate(self._constants)]
        constants = Schedule(places, parameters, names, c, self._tables)
        self._known |= {table: constants.tables[table] for table in self._tables}
        point = ("t", "x", "u", "c", "m")
        scheduled = {
            "starts": self._function("starts", ("c", "s"), self._starts),
            "start": self._function("start", ("t", "u", "c", "m", "s", "w", "x"), self._begins),
            "nominals": self._function("nominals", ("c", "n"), self._nominals),
            "instants": self._function("instants", ("c", "m", "te"), self._instants),
            "derivatives": self._function("derivatives", (*point, "w", "dx"), self._rates),
            "jacobian": self._function("jacobian", (*point, "w", "j"), self._slopes),
            "crossings": self._function("crossings", (*point, "w", "g"), self._differences),
            "watch": self._function(
                "watch", ("c", "m", "w", "h"), [*self._differences, *self._watched.values()] if self._watched else []
            ),
            "variables": self._function("variables", (*point, "w", "y"), self._results),
            "updates": self._function("updates", (*point, "f", "w", "e"), self._after),
            "delayed": self._function("delayed", (*point, "w", "v"), self._delayed),
        }
        n_work = max(free for _, free in scheduled.values())
        functions = (
            self._bindings(),
            Function("constants", ("p", "c"), constants.chunks()),
            *(function for function, _ in scheduled.values()),
        )
        user_functions = lower_user_functions(names)  # those that all functions call, and in turn these
        domains = domains_of(self._system)
        lowered = Lowered(
            solved=self._solved,
            start=self._start,
            events=self._events,
            naming=self._naming,
            numbering=names,
            parameters=self._parameter_index,
            domains=domains,
            roots=self._roots(),
            constants=self._constants,
            schedule=constants,
            n_work=n_work,
            n_watched=len(self._watched),
            guards=named_guards(self._guards, self._naming.outputs),
            jacobian=self._pattern,
            has_jacobian=bool(self._slopes),
            crossings=tuple(self._crossings),
            isolated=self._isolated,
            choosing_starts=self._choosing,
        )
        return Program(
            model_info(lowered),
            statistics_of(self._solved, self._start, self._naming.final, self._evaluated()),
            functions,
            domains,
            tuple(a.data for table in self._numbers for a in table.args),
            user_functions,
        )

    def _function(self, name: str, arguments: tuple[str, ...], values: Sequence[Expr]) -> tuple[Function, int]:
        """The function that writes the values to its last argument, and how much of w it uses."""
        guesses = self._numbering.n_guesses
        watched = guesses + len(self._guards)
        scratch = Read("w", watched + len(self._watched)) if "w" in arguments else None
        known = self._known
        targets = [(Read(arguments[-1], i), e) for i, e in enumerate(values)]
        if name == "derivatives":
            targets += [(Read("w", guesses + i), e) for i, e in enumerate((*self._guards, *self._watched))]
        if name == "watch":  # from what the derivatives have left
            known = known | {e: Read("w", watched + i) for i, e in enumerate(self._watched)}
        schedule = Schedule(targets, known, self._numbering, scratch, within=name)
        return Function(name, arguments, schedule.chunks()), schedule.free

    def _evaluated(self) -> Sequence[Expr]:
        """What one evaluation is counted for: derivatives and outputs, or everything where the model has neither."""
        return [*self._rates, *self._naming.of(self._system.outputs)] or self._results

    # --- what is asked for -----------------------------------------------------------------------------

    def _asked(self) -> Iterator[Expr]:
        """What events need, behind the variables."""
        for relation in self._events.relations:
            yield from (relation.left, relation.right)
        yield from self._events.conditions
        yield from (assertion.condition for assertion, _ in self._events.assertions)

    def _choosing_starts(self, values: Mapping[Expr, Expr], final: Mapping[Expr, Expr]) -> dict[str, Expr]:
        """The start values of variables, by name, that hang on relations of states: their equations may have several
        solutions."""
        relations = {k for k, r in enumerate(self._events.relations) if r.kind == "state"}
        starts = {
            u.node: u.start for u in self._system.unknowns if relations and u.start is not None and u.node in values
        }
        hanging: set[Expr] = set()
        for node in varying([final[values[unknown]] for unknown in starts]):
            if (node.op == "mode" and node.data in relations) or not hanging.isdisjoint(node.args):
                hanging.add(node)
        found = {str(u.data): start for u, start in starts.items() if final[values[u]] in hanging}
        return {
            name: start
            for name, start in found.items()
            if name in self._naming.names and self._naming.names[name].array == "y"
        }

    def _time_crossings(self, looked_for: Sequence[int]) -> tuple[TimeCrossing, ...]:
        """Of the relations of states those that turn out to be of time alone, once what is solved is put in."""
        if not looked_for:
            return ()
        found = ((d.node, step_of(after)) for d, after in zip(self._system.discrete, self._after, strict=False))
        tapes = Tapes(self._sides, {node: step for node, step in found if step is not None}, self._known)
        return tuple(tape for k in looked_for if (tape := tapes.tape(k)) is not None)

    def _instant_values(self) -> Iterator[Expr]:
        for relation in self._events.relations:
            if relation.instant is not None and relation.slope is not None:
                yield from (relation.instant, relation.slope)

    def _difference(self, relation: Relation) -> Expr:
        return self._pool.sub(relation.left, relation.right)

    def _roots(self) -> list[Expr]:
        """All that is computed in a run."""
        return [*self._rates, *self._results, *self._starts, *self._begins, *self._instants, *self._differences,
            *self._after,
                *self._delayed, *self._nominals, *self._slopes, *self._watched, *self._watched.values()]  # fmt: skip

    # --- late rewriting ------------------------------------------------------------------------------

    def _reciprocals(self, values: Sequence[Expr]) -> dict[Expr, Expr]:
        """x/d and y/d share 1/d: a division costs as much as several products."""
        differences = [self._difference(r) for r in self._events.relations]
        roots = list(dict.fromkeys([*values, *differences]))
        divisors = Counter(n.args[1] for n in varying(roots) if n.op == "div")
        shared = {d for d, count in divisors.items() if count > 1} if self._passes.reciprocals else set()
        if not shared:
            return {e: e for e in roots}

        def rule(node: Expr, args: Sequence[Expr]) -> Expr | None:
            if node.op != "div" or node.args[1] not in shared or args[0] is self._pool.one:
                return None
            return self._pool.mul(args[0], self._pool.div(self._pool.one, args[1]))

        return rewrite(self._pool, roots, rule)

    # --- parameters and constants ----------------------------------------------------------------------

    def _number_parameters(self) -> dict[Expr, int]:
        index: dict[Expr, int] = {}
        for parameter in self._system.parameters:
            for leaf in parameter.value.elements:
                if leaf.op == "parameter":
                    index.setdefault(leaf, len(index))
        return index

    def _constant_tables(self) -> dict[Expr, TableRef]:
        """Where each table of numbers begins among all of them."""
        if not self._pool.has_tables:
            return {}
        bindings = [e for parameter in self._system.parameters for e in parameter.binding.elements]
        found: dict[Expr, TableRef] = {}
        free = 0
        for node in reachable([*self._roots(), *bindings]):
            if node.op == "table" and node.level == CONSTANT:
                found[node] = TableRef("tables", free, node.data)
                free += 2 * node.data
        return found

    def _parameter_expressions(self) -> tuple[list[Expr], list[Expr], dict[Expr, Read | TableRef]]:
        """The largest expressions of parameters alone get a place in c, tables of parameters behind them; all leaves
        get theirs."""
        self._numbers = self._constant_tables()
        first = len(self._system.relations)
        known: dict[Expr, Read | TableRef] = dict(self._numbers)
        known |= {s: Read("x", i) for i, s in enumerate(self._sorted.states)}
        known |= {u: Read("u", i) for i, u in enumerate(self._sorted.inputs)}
        known |= {d.node: Read("m", first + i) for i, d in enumerate(self._system.discrete)}
        inputs = len(self._sorted.inputs)
        known |= {d.node: Read("u", inputs + i) for i, d in enumerate(self._system.delays)}
        constants: dict[Expr, None] = {}
        tables: dict[Expr, None] = {}
        # Those of the derivatives come first: in loops over equal instances they stand in equal steps then.
        for node in (*_largest_of_parameters(self._rates), *_largest_of_parameters(self._roots())):
            (tables if node.op == "table" else constants)[node] = None
        known |= {e: Read("c", i) for i, e in enumerate(constants)}
        return list(constants), list(tables), known

    # --- functions of parameters alone -----------------------------------------------------------------

    def _bindings(self) -> Function:
        """p in the order of the instances, where what a binding uses stands before it."""
        known = {leaf: Read("p", i) for leaf, i in self._parameter_index.items()} | self._numbers
        chunks: list[tuple[Statement, ...]] = []
        chunk: list[Statement] = []
        for parameter in self._system.parameters:
            # The mirrored elements of a symmetric matrix are one leaf.
            for leaf, binding in dict(zip(parameter.value.elements, parameter.binding.elements, strict=False)).items():
                if leaf.op != "parameter":
                    continue
                i = self._parameter_index[leaf]
                before, value = self._binding(binding, known)
                write = Assign(Read("p", i), value, unless=Read("given", i))
                if before:  # its locals must not meet those of another binding
                    chunks += [*rolled(chunk, CHUNK, self._passes.loops), (*before, write)]
                    chunk = []
                else:
                    chunk.append(write)
        chunks += rolled(chunk, CHUNK, self._passes.loops)
        return Function("bindings", ("p", "given"), tuple(c for c in chunks if c))

    def _binding(self, binding: Expr, known: Mapping[Expr, Read | TableRef]) -> tuple[list[Statement], Value]:
        """Statements that come first, and the value. Most bindings are numbers."""
        if binding.op == "constant":
            return [], Literal(binding.data)
        if binding in known:
            return [], known[binding]
        ((*before, last),) = Schedule([(Read("p", 0), binding)], known, self._numbering).chunks()
        assert isinstance(last, Assign)
        return before, last.value


def _largest_of_parameters(roots: Sequence[Expr]) -> list[Expr]:
    """Under the roots what does not vary in time and depends on parameters, without what is below it, by age."""
    users = (node.args for node in varying(roots))
    found = {e for several in chain([roots], users) for e in several if e.level == PARAMETER}
    return sorted(found, key=lambda e: e.id)
