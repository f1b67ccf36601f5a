"""Stage 6a. SolvedSystem -> Program: what the derivatives do not need is left out, parameter expressions are
computed once, relations of time become modes, shared divisors become reciprocals.

Must not print, and must not change a formula other than by these rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cutset.compiler.codegen.domains import domains_of
from cutset.compiler.codegen.expression_origins import ExpressionOrigins
from cutset.compiler.codegen.program import (
    Assign,
    Function,
    Information,
    OriginText,
    Points,
    Program,
    Read,
    Slot,
    Statement,
    Statistics,
)
from cutset.compiler.codegen.routines import externals_of, lower_routines
from cutset.compiler.codegen.schedule import CHUNK, Numbering, Schedule
from cutset.compiler.codegen.start import Start, waiting_for_events
from cutset.compiler.expressions.linear import Nonlinear, linear_forms
from cutset.compiler.expressions.pool import CONSTANT, FUNCTIONS, PARAMETER, RELATIONS, TIME, Expr, Pool
from cutset.compiler.expressions.walk import reachable, rewrite, variables_of
from cutset.compiler.flatten.model import Origin
from cutset.compiler.sort.system import SolvedSystem



def lower(solved: SolvedSystem) -> Program:
    """The whole program; deterministic."""
    return _Lowering(solved).program()


class _Lowering:
    """Final expressions of everything, then places for them."""

    def __init__(self, solved: SolvedSystem):
        self._solved = solved
        self._sorted = solved.sorted_system
        self._system = self._sorted.system
        self._pool: Pool = solved.pool
        self._values = {a.unknown: a.value for a in solved.assignments}
        self._numbering = Numbering()
        self._events: dict[Expr, int] = {}
        self._instants: list[Expr] = []
        self._relations: list[Expr] = []
        roots = [*self._values.values(), *(a.value for a in self._system.aliases)]
        final = self._reciprocals(self._modes(roots))
        self._values = {v: final[e] for v, e in self._values.items()}
        self._parameter_index = self._number_parameters()
        self._rates = [self._values.get(d, d) for d in self._sorted.derivatives]
        self._start = Start(solved)
        self._starts = self._start.values
        nominal = {u.node: u.nominal for u in self._system.unknowns if u.nominal is not None}
        self._nominals = [nominal.get(s, self._pool.one) for s in self._sorted.states]
        self._names, self._outputs, self._origins = self._name_everything()
        self._constants, self._tables, self._known = self._parameter_expressions()

    def program(self) -> Program:
        work, names = Read("w", 0), self._numbering
        parameters = {leaf: Read("p", i) for leaf, i in self._parameter_index.items()} | self._numbers
        places = [(Read("c", i), e) for i, e in enumerate(self._constants)]
        constants = Schedule(places, parameters, names, Read("c", len(places)), self._tables)
        self._known |= {table: constants.points[table] for table in self._tables}
        derivatives = Schedule([(Read("dx", i), e) for i, e in enumerate(self._rates)], self._known, names, work)
        variables = Schedule([(Read("y", i), e) for i, e in enumerate(self._outputs)], self._known, names, work)
        starts = Schedule([(Read("x", i), e) for i, e in enumerate(self._starts)], self._known, names)
        nominals = Schedule([(Read("n", i), e) for i, e in enumerate(self._nominals)], self._known, names)
        instants = Schedule([(Read("te", i), e) for i, e in enumerate(self._instants)], self._known, names)
        modes = Schedule([(Read("m", i), e) for i, e in enumerate(self._relations)], self._known, names)
        full = ("t", "x", "u", "c", "m", "w")
        functions = (
            self._bindings(),
            Function("constants", ("p", "c"), constants.chunks()),
            Function("start", ("c", "x"), starts.chunks()),
            Function("nominals", ("c", "n"), nominals.chunks()),
            Function("event_times", ("c", "te"), instants.chunks()),
            Function("modes", ("t", "c", "m"), modes.chunks()),
            Function("derivatives", (*full, "dx"), derivatives.chunks()),
            Function("variables", (*full, "y"), variables.chunks()),
        )
        n_work = max(derivatives.free, variables.free)
        routines = lower_routines(names)
        information = self._information(n_work, constants)
        waiting = tuple(waiting_for_events(self._system, self._start.open))
        domains = domains_of(self._system)
        return Program(information, self._statistics(), functions, domains, self._table_numbers(), waiting, routines)

    # --- late rewriting ------------------------------------------------------------------------------

    def _modes(self, roots: Sequence[Expr]) -> dict[Expr, Expr]:
        """A relation of time alone keeps its value between events and changes at an instant known beforehand."""

        def rule(node: Expr, args: Sequence[Expr]) -> Expr | None:
            if node.op not in RELATIONS or node.data or node.level < TIME or variables_of(node):
                return None
            # What jumps at other instants crosses at instants that depend on those: met as that of a state is.
            if any(n.op == "mode" for n in reachable(args)):
                return None
            relation = self._pool.relation(node.op, args[0], args[1])
            try:
                (form,) = linear_forms(self._pool, [self._pool.sub(*args)], [self._pool.time])
            except Nonlinear:
                return None
            slope = form.coefficients.get(self._pool.time)
            # Where other instants decide about this one, it is not known beforehand.
            if slope is None or slope.level == TIME or form.rest.level == TIME:
                return None
            if relation not in self._events:
                self._events[relation] = len(self._relations)
                self._relations.append(relation)
                self._instants.append(self._pool.div(self._pool.neg(form.rest), slope))
            return self._pool.mode(self._events[relation])

        return rewrite(self._pool, roots, rule)

    def _reciprocals(self, values: dict[Expr, Expr]) -> dict[Expr, Expr]:
        """x/d and y/d share 1/d: a division costs as much as several products."""
        roots = list(dict.fromkeys(values.values()))
        divisors = Counter(n.args[1] for n in reachable(roots) if n.op == "div" and n.level == TIME)
        shared = {d for d, count in divisors.items() if count > 1}

        def rule(node: Expr, args: Sequence[Expr]) -> Expr | None:
            if node.op != "div" or node.args[1] not in shared or args[0] is self._pool.one:
                return None
            return self._pool.mul(args[0], self._pool.div(self._pool.one, args[1]))

        final = rewrite(self._pool, roots, rule)
        return {before: final[after] for before, after in values.items()}

    # --- names and places ------------------------------------------------------------------------------

    def _number_parameters(self) -> dict[Expr, int]:
        index: dict[Expr, int] = {}
        for parameter in self._system.parameters:
            for leaf in parameter.value.elements:
                if leaf.op == "parameter":
                    index.setdefault(leaf, len(index))
        return index

    def _name_everything(self) -> tuple[dict[str, Slot], list[Expr], list[OriginText]]:
        """Slots of all names; equal values share one y."""
        self._output_index: dict[Expr, int] = {}
        outputs: list[Expr] = []
        origins: list[OriginText] = []
        fixed = {s: Slot("x", i, 1) for i, s in enumerate(self._sorted.states)}
        fixed |= {u: Slot("u", i, 1) for i, u in enumerate(self._sorted.inputs)}
        fixed |= {d.node: Slot("d", i, 1) for i, d in enumerate(self._system.discrete)}
        fixed |= {p: Slot("p", i, 1) for p, i in self._parameter_index.items()}
        slots: dict[Expr, Slot] = dict(fixed)

        def slot(value: Expr, name: str, origin: Origin | None) -> Slot:
            sign = 1
            if value.op == "neg":
                value, sign = value.args[0], -1
            if value not in fixed and value not in self._output_index:
                self._output_index[value] = len(outputs)
                outputs.append(value)
                origins.append(self._origin(name, origin))
            found = fixed.get(value) or Slot("y", self._output_index[value], 1)
            return Slot(found.array, found.index, sign * found.sign)

        for a in self._solved.assignments:
            slots[a.unknown] = slot(self._values[a.unknown], str(a.unknown.data), a.equation.origin)
        names = {str(v.data): s for v, s in slots.items()}
        for alias in self._system.aliases:
            value, sign = alias.value, 1
            if value.op == "neg" and value.args[0].op == "variable":
                value, sign = value.args[0], -1
            found = slots[value] if value in slots else slot(value, alias.name, alias.origin)
            names[alias.name] = Slot(found.array, found.index, sign * found.sign)
        for name, number in self._system.folded.items():
            names[name] = slot(self._pool.constant(number), name, None)
        names |= {second: names[first] for second, first in self._system.second_names.items() if first in names}
        return names, outputs, origins

    def _origin(self, name: str, origin: Origin | None) -> OriginText:
        if origin is None:
            return OriginText(name, "", "", "")
        return OriginText(name, origin.span.text, str(origin.span), origin.instance or self._system.name)

    def _constant_tables(self) -> dict[Expr, Points]:
        """Where each table of numbers begins among all of them."""
        bindings = [e for parameter in self._system.parameters for e in parameter.binding.elements]
        found: dict[Expr, Points] = {}
        free = 0
        for node in reachable([*self._roots(), *bindings]):
            if node.op == "table" and node.level == CONSTANT:
                found[node] = Points("tables", free, node.data)
                free += 2 * node.data
        return found

    def _roots(self) -> list[Expr]:
        """All that is computed in a run."""
        return [*self._rates, *self._outputs, *self._starts, *self._nominals, *self._instants, *self._relations]

    def _table_numbers(self) -> tuple[float, ...]:
        return tuple(a.data for table in self._numbers for a in table.args)

    def _parameter_expressions(self) -> tuple[list[Expr], list[Expr], dict[Expr, Read | Points]]:
        """The largest expressions of parameters alone get a place in c, tables of parameters behind them; all leaves get
        theirs."""
        self._numbers = self._constant_tables()
        known: dict[Expr, Read | Points] = dict(self._numbers)
        known |= {s: Read("x", i) for i, s in enumerate(self._sorted.states)}
        known |= {u: Read("u", i) for i, u in enumerate(self._sorted.inputs)}
        known |= {d.node: Read("d", i) for i, d in enumerate(self._system.discrete)}
        known |= {d.node: Read("h", i) for i, d in enumerate(self._system.delays)}
        constants: dict[Expr, None] = {}
        tables = []
        for node in reachable(self._roots(), enter=lambda n: n.level == TIME):
            if node.level == PARAMETER and node.op == "table":
                tables.append(node)
            elif node.level == PARAMETER:
                constants[node] = None
        known |= {e: Read("c", i) for i, e in enumerate(constants)}
        return list(constants), tables, known

    # --- functions of parameters alone -----------------------------------------------------------------

    def _bindings(self) -> Function:
        """p in the order of the instances, where what a binding uses stands before it."""
        known = {leaf: Read("p", i) for leaf, i in self._parameter_index.items()} | self._numbers
        chunks: list[tuple[Statement, ...]] = []
        chunk: list[Statement] = []
        for parameter in self._system.parameters:
            # The mirrored elements of a symmetric matrix are one leaf.
            for leaf, binding in dict(zip(parameter.value.elements, parameter.binding.elements)).items():
                if leaf.op != "parameter":
                    continue
                i = self._parameter_index[leaf]
                ((*before, last),) = Schedule([(Read("p", i), binding)], known, self._numbering).chunks()
                assert isinstance(last, Assign)
                write = Assign(last.target, last.value, unless=Read("given", i))
                if before:  # its locals must not meet those of another binding
                    chunks += [tuple(chunk), (*before, write)]
                    chunk = []
                else:
                    chunk.append(write)
        chunks += [tuple(chunk[k : k + CHUNK]) for k in range(0, len(chunk), CHUNK)]
        return Function("bindings", ("p", "given"), tuple(c for c in chunks if c))

    # --- facts ---------------------------------------------------------------------------------------------

    def _information(self, n_work: int, constants: Schedule) -> Information:
        values = ((self._values[a.unknown], a.equation.origin) for a in self._solved.assignments)
        expressions = ExpressionOrigins(self._system, values, self._parameter_index)
        leaves = {i: str(leaf.data) for leaf, i in self._parameter_index.items()}
        return Information(
            name=self._system.name,
            states=tuple(str(s.data) for s in self._sorted.states),
            inputs=tuple(str(u.data) for u in self._sorted.inputs),
            parameters=tuple(leaves[i] for i in range(len(leaves))),
            names=self._names,
            origins=tuple(self._origins),
            folded=dict(self._system.folded),
            n_constants=constants.free,
            n_work=n_work,
            n_modes=len(self._relations),
            n_event_times=len(self._instants),
            n_variables=len(self._outputs),
            constant_origins=expressions.constants(self._roots(), self._constants, constants),
            parameter_origins=expressions.bindings(),
            faults=tuple(self._numbering.faults),
            externals=externals_of(self._numbering),
        )

    def _statistics(self) -> Statistics:
        nodes = [n for n in reachable(self._rates, enter=lambda n: n.level == TIME) if n.level == TIME]
        operations = Counter(n.op for n in nodes)
        # LU of n equations: n(n-1)(2n+5)/6 products and as many sums, n(n+1)/2 divisions, and the substitution.
        lu = sum(n.data * (n.data - 1) * (2 * n.data + 5) // 6 for n in nodes if n.op == "solve")
        divisions = sum(n.data * (n.data + 1) // 2 for n in nodes if n.op == "solve")
        return Statistics(
            equations=self._system.count,
            unknowns=len(self._system.unknowns) + len(self._system.aliases),
            states=len(self._sorted.states),
            aliases=len(self._system.aliases),
            blocks=len(self._sorted.blocks),
            linear_systems=tuple((t.size, t.torn) for t in self._solved.linear_systems),
            nonlinear_systems=(),
            mul_div=operations["mul"] + operations["div"] + lu + divisions,
            add_sub=operations["add"] + operations["sub"] + operations["neg"] + lu,
            functions=sum(count for op, count in operations.items() if op in FUNCTIONS or op == "apply"),
            differentiated_equations=self._sorted.differentiated,
            discrete=len(self._system.discrete),
            whens=len(self._system.events.whens),
            initial_equations=len(self._system.initial),
            assertions=len(self._system.events.assertions),
            delays=len(self._system.delays),
        )
