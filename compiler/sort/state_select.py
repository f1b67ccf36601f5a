"""Checks preferences for states (stage 4c): raises ModelError if `state=always` or `state=never` cannot be kept.

FlatModel, EquationSystem, StructuralPlan -> notes. The message names the equations that bind the variables to each
other. Chooses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError
from cutset.compiler.expressions.differentiate import derivative_name
from cutset.compiler.expressions.pool import Expr
from cutset.compiler.flatten.model import EquationSystem, FlatModel
from cutset.compiler.instantiate.instance import Variable, leaves_of
from cutset.compiler.sort import messages
from cutset.compiler.sort.incidence import incidence_of
from cutset.compiler.structure.binding import Binding, why_a_state, why_no_state
from cutset.compiler.structure.plan import StructuralPlan
from cutset.contract.names import rpartition

_ALWAYS, _PREFER, _NEVER = 2, 1, -2


def check_state_select(model: FlatModel, system: EquationSystem, plan: StructuralPlan) -> tuple[Label, ...]:
    """Notes on elements that prefer a state where no degree of freedom is left. Raises ModelError with all preferences
    that cannot be fulfilled."""
    firm = [(v, leaf) for v in model.variables if abs(v.preference) == _ALWAYS for leaf in v.value.elements]
    at_cuts = {leaf.data for leaf in _at_cuts(model)}
    weak = [v for v in model.variables if v.preference == _PREFER and v.name in at_cuts]
    if not (firm or weak):
        return ()
    check = _Check(system, plan)
    found = check.diagnostics(firm)
    if found:
        raise ModelError(found)
    return tuple(check.without_effect(model, weak))


def _at_cuts(model: FlatModel) -> Iterator[Expr]:
    """The across variables of cuts: a preference for one of these concerns the motion of other elements."""
    return (leaf for cut in model.cuts.values() for leaf in leaves_of(cut.across))


class _Check:
    def __init__(self, system: EquationSystem, plan: StructuralPlan):
        self._system, self._plan = system, plan
        self._incidence = incidence_of(system)
        self._states = set(plan.states)
        self._number = {u.node: k for k, u in enumerate(system.unknowns)}
        self._alias = {a.name: a for a in system.aliases}
        self._names = [str(u.node.data) for u in system.unknowns]
        self._names += [""] * (len(plan.derivative) - len(self._names))
        for v, d in enumerate(plan.derivative):  # a created one follows its integral
            if d >= len(system.unknowns):
                self._names[d] = derivative_name(self._names[v])

    def diagnostics(self, firm: list[tuple[Variable, Expr]]) -> list[Diagnostic]:
        """One for each variable, and one for each set of equations that several of them share."""
        numbers = [self._number_of(leaf) for _, leaf in firm]
        requested: dict[int, Variable] = {}
        wanted = {k for (v, _), k in zip(firm, numbers, strict=False) if k >= 0 and v.preference == _ALWAYS}
        found: list[Diagnostic] = []
        reported: set[Binding] = set()
        for (variable, leaf), k in zip(firm, numbers, strict=False):
            other = requested.setdefault(k, variable) if k >= 0 else variable
            if other.preference != variable.preference:
                found.append(messages.preferences_differ(self._label(other), self._label(variable), self._system.name))
            elif k < 0:
                if variable.preference == _ALWAYS:
                    found.append(self._not_a_candidate(variable, leaf))
            elif variable.preference == _ALWAYS and k not in self._states:
                found += self._no_state(variable, k, wanted, reported)
            elif variable.preference == _NEVER and k in self._states:
                found += self._a_state(variable, k, reported)
        return found

    def without_effect(self, model: FlatModel, weak: Sequence[Variable]) -> Iterator[Label]:
        """One for each element that prefers a state among variables that the constraints determine completely."""
        reported: set[str] = set()
        for variable in weak:
            k, owner = self._number_of(variable.value.elements[0]), rpartition(variable.name)[0]
            if k < 0 or k in self._states or self._plan.derivative[k] < 0 or owner in reported:
                continue
            binding = why_no_state(self._incidence, self._plan, k, {k})
            if binding.variables and not binding.free:
                reported.add(owner)
                text = (
                    f"'{owner}' prefers '{self._names[k]}' as a state, but the constraints leave it no freedom: it "
                    "cannot move on its own"
                )
                yield Label(model.places.get(owner) or variable.span, text)

    def _number_of(self, leaf: Expr) -> int:
        """The number of the unknown that represents the leaf, or -1 if there is none."""
        if leaf not in self._number and leaf.data in self._alias:
            value = self._alias[str(leaf.data)].value
            leaf = value.args[0] if value.op == "neg" else value
        return self._number.get(leaf, -1)

    def _not_a_candidate(self, variable: Variable, leaf: Expr) -> Diagnostic:
        alias = self._alias.get(str(leaf.data))
        label = Label(alias.origin.span, "this equation determines its value") if alias else None
        return messages.no_candidate(str(leaf.data), variable.span, self._system.name, label)

    def _no_state(self, variable: Variable, k: int, wanted: set[int], reported: set[Binding]) -> list[Diagnostic]:
        if self._plan.derivative[k] < 0:
            return [messages.no_candidate(self._names[k], variable.span, self._system.name, None)]
        binding = why_no_state(self._incidence, self._plan, k, wanted)
        if binding in reported:
            return []
        reported.add(binding)
        want = [self._names[v] for v in binding.variables if v in wanted]
        facts = messages.BindingFacts(*self._facts(binding), self._system.name)
        return [messages.always_not_kept(self._names[k], variable.span, want, binding.free, facts)]

    def _a_state(self, variable: Variable, k: int, reported: set[Binding]) -> list[Diagnostic]:
        binding = why_a_state(self._incidence, self._plan, k)
        if binding.equations and binding in reported:
            return []
        reported.add(binding)
        facts = messages.BindingFacts(*self._facts(binding), self._system.name)
        return [messages.never_not_kept(self._names[k], variable.span, binding.free, facts)]

    def _facts(self, binding: Binding) -> tuple[list[str], list[Label]]:
        labels = []
        for e in binding.equations:
            origin = self._system.equations[e].origin
            bound = [self._names[v] for v in binding.variables if v in self._closure(e)]
            labels.append(Label(origin.span, messages.binds(bound, origin.instance)))
        return [self._names[v] for v in binding.variables], labels

    def _closure(self, equation: int) -> set[int]:
        """The variables of an equation, with all their integrals and derivatives."""
        found: set[int] = set()
        pending = list(self._incidence.rows[equation])
        while pending:
            v = pending.pop()
            if v >= 0 and v not in found:
                found.add(v)
                pending.append(self._plan.derivative[v])
        return found

    def _label(self, variable: Variable) -> Label:
        word = "always" if variable.preference == _ALWAYS else "never"
        return Label(variable.span, f"'{variable.name}' has state={word}")
