"""Merges start values, preferences and nominal values of variables that become one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.flatten import messages
from cutset.compiler.flatten.model import FlatModel, Origin, bindings_of, parameters_under
from cutset.compiler.instantiate.events.model import Assertion
from cutset.compiler.instantiate.instance import Strength, Variable, parameter_numbers
from cutset.contract.names import rpartition

# Two start values of a run are equal if they agree to about three digits, as in runtime/given/given_starts.py.
DIFFERENT, NOTHING = 1e-3, 1e-9


class Attributes:
    """The attributes of variables, at first those in `declared`, by leaf. Start values that contradict each other are
    reported to `diagnostics`."""

    def __init__(self, model: FlatModel, declared: Mapping[Expr, Variable], diagnostics: list[Diagnostic]):
        self._model = model
        self._pool: Pool = model.pool
        self._declared = declared
        self._diagnostics = diagnostics
        self._start: dict[Expr, Expr] = {}
        self._strength: dict[Expr, Strength] = {}
        self._defaults: dict[Expr, tuple[str, ...]] = {}
        self._start_parameters: dict[Expr, tuple[str, ...]] = {}
        self._alternatives: dict[Expr, tuple[Expr, ...]] = {}
        self._bindings = bindings_of(model.parameters)
        self.conditions: list[Assertion] = []  # start values of a run for one quantity are equal
        self._giver: dict[Expr, Expr] = {}  # the origin of a start value that comes from another variable
        self._guessed: set[Expr] = set()
        self._preference: dict[Expr, int] = {}
        self._nominal: dict[Expr, Expr] = {}
        self._prescribed: set[Expr] = set()
        for variable in model.variables:
            self._declare(variable)
        for leaf, parameter in model.given_starts.items():
            self._give(leaf, parameter)
        self._forget_starts(model.prescribed)
        self._numbers = RandomPoint(parameter_numbers(model.parameters))

    def _declare(self, variable: Variable) -> None:
        leaves = variable.value.elements
        if variable.start is not None:
            for leaf, start in zip(leaves, variable.start.elements, strict=False):
                self._start.setdefault(leaf, start)
            self._strength |= dict(zip(leaves, variable.strengths, strict=False))
            if self._model.given:
                runs = [
                    leaf for leaf in leaves if not self._model.given.isdisjoint(self._parameters(self._start[leaf]))
                ]
                self._strength |= dict.fromkeys(runs, Strength.RUN)
            self._defaults |= dict.fromkeys(leaves, variable.defaults)
            if variable.fixed is False:
                self._guessed.update(leaves)
        if variable.nominal is not None:
            for leaf, nominal in zip(leaves, variable.nominal.elements, strict=False):
                self._nominal.setdefault(leaf, nominal)
        if variable.preference:
            self._preference |= dict.fromkeys(leaves, variable.preference)

    def _give(self, leaf: Expr, start: Expr) -> None:
        """The run gives it this start value."""
        self._start[leaf], self._strength[leaf] = start, Strength.RUN
        self._defaults.pop(leaf, None)
        self._guessed.discard(leaf)

    def _forget_starts(self, prescribed: Iterable[Expr]) -> None:
        """Start values of what a run prescribes have no effect, nor have those of its aliases."""
        for leaf in prescribed:
            self._start.pop(leaf, None)
            self._prescribed.add(leaf)
            slope = self._model.derivatives.get(leaf)
            while slope is not None:
                self._prescribed.add(slope)
                slope = self._model.derivatives.get(slope)

    def start(self, v: Expr) -> Expr | None:
        """The start value, None if there is none."""
        return self._start.get(v)

    def is_fixed(self, v: Expr) -> bool:
        """True if the start value is more than a guess."""
        return v not in self._guessed

    def strength(self, v: Expr) -> Strength:
        """The strength of its start value relative to others."""
        return self._strength.get(v, Strength.CLASS)

    def defaults(self, v: Expr) -> tuple[str, ...]:
        """The parameters whose defaults its start value uses."""
        return self._defaults.get(v, ())

    def start_parameters(self, v: Expr) -> tuple[str, ...]:
        """The parameters in start values of its aliases, and in its own if there are any."""
        return self._start_parameters.get(v, ())

    def alternatives(self, v: Expr) -> tuple[Expr, ...]:
        """Its start value and those of its aliases, if there are several."""
        return self._alternatives.get(v, ())

    def preference(self, v: Expr) -> int:
        """Its preference as a state."""
        return self._preference.get(v, 0)

    def nominal(self, v: Expr) -> Expr | None:
        """The nominal value, None if there is none."""
        return self._nominal.get(v)

    def merge(self, alias: Expr, root: Expr, sign: int, origin: Origin) -> None:
        """gone = sign*root: `root` receives the attributes of both."""
        if alias in self._start and root not in self._prescribed:
            start = self._start[alias] if sign > 0 else self._pool.neg(self._start[alias])
            if root in self._start:
                others = self.alternatives(alias) or (self._start[alias],)
                every = self.alternatives(root) or (self._start[root],)
                every += others if sign > 0 else tuple(map(self._pool.neg, others))
                self._alternatives[root] = tuple(dict.fromkeys(every))
            elif alias in self._alternatives:
                others = self.alternatives(alias)
                self._alternatives[root] = others if sign > 0 else tuple(map(self._pool.neg, others))
            self._merge_start(alias, root, start, origin)
        if alias in self._nominal:
            self._nominal.setdefault(root, self._nominal[alias])
        # The stronger preference counts; of equally strong ones, the one for the state.
        self._preference[root] = max(self.preference(root), self.preference(alias), key=lambda each: (abs(each), each))

    def _merge_start(self, alias: Expr, root: Expr, start: Expr, origin: Origin) -> None:
        """A value replaces a guess, a stronger value a weaker one; of equals the present one stays."""
        if root in self._start:
            found = dict.fromkeys(name for v in (root, alias) for name in (*self._named(v), *self.start_parameters(v)))
            self._start_parameters[root] = tuple(name for name in found if name not in self._model.given)
            if self.strength(alias) is self.strength(root) is Strength.RUN:
                self._require_equal(alias, root, start, origin)
                return
        ranks = [(v not in self._guessed, self.strength(v)) for v in (alias, root)]
        if root not in self._start or ranks[0] > ranks[1]:
            self._start[root] = start
            self._strength[root] = self.strength(alias)
            self._defaults[root] = self.defaults(alias)
            self._giver[root] = self._giver.get(alias, alias)
            (self._guessed.add if alias in self._guessed else self._guessed.discard)(root)
        elif alias not in self._guessed and ranks[0] == ranks[1] and not self._numbers.equal(self._start[root], start):
            self._start_conflict(alias, root, origin)

    def _named(self, v: Expr) -> list[str]:
        """The parameters in its start value, directly or through others."""
        return [*self.defaults(v), *self._parameters(self._start[v])]

    def _parameters(self, start: Expr) -> list[str]:
        return [str(leaf.data) for leaf in parameters_under(self._bindings, start)] if start.op != "constant" else []

    def _require_equal(self, alias: Expr, root: Expr, start: Expr, origin: Origin) -> None:
        """The run gives both."""
        pool, given = self._pool, self._start[root]
        away = pool.call("fabs", pool.sub(given, start))
        size = pool.call("max", pool.call("fabs", given), pool.call("fabs", start))
        most = pool.add(pool.mul(pool.constant(DIFFERENT), size), pool.constant(NOTHING))
        text = (
            f"the start values of '{self._giver.get(alias, alias).data}' and '{self._giver.get(root, root).data}' agree"
        )
        holds = pool.relation("<=", away, most, "noevent")
        self.conditions.append(Assertion(False, holds, text, origin.span, origin.instance))

    def _start_conflict(self, alias: Expr, root: Expr, origin: Origin) -> None:
        both = [self._giver.get(v, v) for v in (alias, root)]
        labels = tuple(self._start_label(v) for v in both if v in self._declared)
        names = str(both[0].data), str(both[1].data)
        instance = origin.instance or self._model.name
        self._diagnostics.append(messages.start_conflict(*names, origin.span, instance, labels))

    def _start_label(self, v: Expr) -> Label:
        value = f"'{v.data}' starts with {self._numbers.value(self._start[v]):g}"
        return Label(self.start_place(v) or self._declared[v].span, value)

    def start_place(self, v: Expr) -> Span | None:
        """The place of the start value: the submodel that gives the parameters, or the declaration; None if there is no
        declaration."""
        giver = self._giver.get(v, v)
        instance = rpartition(str(giver.data))[0]
        place = self._model.places.get(instance) if instance else None
        return place or (self._declared[giver].span if giver in self._declared else None)
