"""Collects the statements of one submodel: equations, connections, events, initial equations, assertions.

Does not look at other submodels, nor decide which variables are discrete: events/diagnose.py does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import partial

from cutset.compiler.diagnostics import Span
from cutset.compiler.expressions.array import scalar
from cutset.compiler.expressions.pool import CONSTANT, TIME, Expr, Pool
from cutset.compiler.expressions.text import text
from cutset.compiler.instantiate import messages as general
from cutset.compiler.instantiate.events import messages
from cutset.compiler.instantiate.events.model import Assertion, Events, Restart, Update, When, WhenBranch
from cutset.compiler.instantiate.instance import ArrayEquation, InactiveBranches, Join
from cutset.compiler.instantiate.names import meanings
from cutset.compiler.instantiate.tree.bindings import binding_places
from cutset.compiler.instantiate.tree.class_parameters import has_unknown_binding
from cutset.compiler.instantiate.tree.connections import joins_of
from cutset.compiler.instantiate.tree.control_flow import Unrolled, chosen, iterations, unrolled, varies
from cutset.compiler.instantiate.tree.equations import array_equation, value_of
from cutset.compiler.instantiate.tree.scope import Node, Within
from cutset.compiler.instantiate.tree.terminals import bound_terminals
from cutset.compiler.syntax import tree
from cutset.contract.names import filled
from cutset.contract.quick_dataclass import dataclass


@dataclass
class Statements:
    """All statements, kind by kind; `closed` are those of loops, `initial` the initial equations."""

    equations: list[ArrayEquation] = field(default_factory=list)
    closed: list[ArrayEquation] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)
    whens: list[When] = field(default_factory=list)
    assertions: list[Assertion] = field(default_factory=list)
    initial: list[ArrayEquation] = field(default_factory=list)
    inactive_branches: list[InactiveBranches] = field(default_factory=list)

    @property
    def events(self) -> Events:
        """The events, and the assertions."""
        return Events(tuple(self.updates), tuple(self.whens), tuple(self.assertions))


def statements_of(here: Within) -> Statements:
    """The statements of a submodel; those with errors are reported and omitted."""
    here.translation.observer.pause()
    result = Statements()
    for inner, member in unrolled(here, here.node.body.statements):
        _take(result, inner, member)
    result.equations += bound_terminals(here)
    return result


def _take(result: Statements, here: Within, member: Unrolled) -> None:
    match member:
        case InactiveBranches():
            result.inactive_branches.append(member)
        case tree.If():
            varying_choice(result, here, member)
        case tree.Connect():
            result.joins += joins_of(here, member)
        case tree.When():
            result.whens += read_when(here, member)
        case tree.Initial():
            result.initial += initial_equations(replace(here, place="initial"), member.members)
        case tree.Assertion():
            result.assertions += assertion_of(replace(here, place="assertion"), member)
        case tree.Equation():
            form = special_form(here, member.left)
            if form == "new":
                result.updates += [Update(*given) for given in _given(replace(here, place="event"), member, "new")]
            elif form == "init":
                result.initial += read_restart_at_start(here, member)
            elif (equation := array_equation(here, member)) is not None:
                (result.closed if member.is_closed else result.equations).append(equation)


# --- choices of equations by a run ----------------------------------------------------------------


def varying_choice(result: Statements, here: Within, choice: tree.If) -> None:
    """An `if` whose conditions vary: the k-th equations of its branches are one, and its assertions hold where their
    branch is chosen."""
    pool, not_yet = here.pool, here.pool.one
    conditions: list[Expr] = []
    branches: list[list[ArrayEquation]] = []
    reported = len(here.translation.diagnostics)
    for branch in choice.branches:
        condition = pool.one if branch.condition is None else _condition(here, branch.condition, "'if'")
        inner = Statements()
        for within, member in unrolled(here, branch.members):
            _take(inner, within, member)
        if condition is not None:
            guard = pool.logical("and", not_yet, condition)
            not_yet = pool.logical("and", not_yet, pool.logical("not", condition))
            result.assertions += [_where(pool, guard, a) for a in inner.assertions]
            conditions.append(condition)
            branches.append(inner.equations)
    counts = [sum(len(e.left.elements) for e in equations) for equations in branches]
    counts += [0] if choice.branches[-1].condition is not None else []
    if len(here.translation.diagnostics) > reported:
        return
    if len(set(counts)) > 1:
        here.report(messages.uneven_branches(counts, choice.span, here.instance))
    else:
        result.equations += _chosen_equations(pool, conditions, branches)


def _chosen_equations(
    pool: Pool, conditions: Sequence[Expr], branches: Sequence[Sequence[ArrayEquation]]
) -> Iterator[ArrayEquation]:
    """One equation for those in the same place of each branch: `left = if c then .. else ..` if the left sides are the
    same, else the difference of the sides of the chosen one is zero."""
    for several in zip(*(_by_left(equations, branches[0]) for equations in branches), strict=True):
        first = several[0]
        is_same = all(left is several[0].left.elements[0] for e in several for left in e.left.elements)
        values = [
            e.right.elements[0] if is_same else pool.sub(e.left.elements[0], e.right.elements[0]) for e in several
        ]
        value = values[-1]
        for condition, other in zip(conditions[-2::-1], values[-2::-1], strict=True):
            value = pool.choose(condition, other, value)
        yield replace(first, left=first.left if is_same else scalar(pool.zero), right=scalar(value))


def _by_left(equations: Sequence[ArrayEquation], first: Sequence[ArrayEquation]) -> list[ArrayEquation]:
    """The scalar equations in the order of those with the same left sides in `first`, if there are such for all."""
    own, wanted = list(_scalars(equations)), list(_scalars(first))
    by_left = {e.left.elements[0]: e for e in own}
    ordered = [by_left[e.left.elements[0]] for e in wanted if e.left.elements[0] in by_left]
    return ordered if len(set(map(id, ordered))) == len(own) else own


def _scalars(equations: Sequence[ArrayEquation]) -> Iterator[ArrayEquation]:
    for e in equations:
        for left, right in zip(e.left.elements, e.right.elements, strict=True):
            yield replace(e, left=scalar(left), right=scalar(right))


# --- events ---------------------------------------------------------------------------------------

# diagnose.py checks them together. Recursion is over the nesting of blocks, which the parser limits.


_CLOSED_KINDS = ("parameter", "constant", "input", "external")


def special_form(here: Within, left: tree.Expression) -> str:
    """'new' or 'init' if the left side of an equation is new(...) or init(...), else ''."""
    if isinstance(left, tree.Reference) and len(left.parts) == 1:
        part = left.parts[0]
        if part.name in ("new", "init") and isinstance(here.meaning(left), meanings.EventCall):
            return part.name
    return ""


def read_restart_at_start(here: Within, member: tree.Equation) -> list[ArrayEquation]:
    """`init(x) = e` outside of `when`."""
    at_start = replace(here, place="initial")
    argument = _argument(at_start, member.left)
    equation = argument and array_equation(at_start, replace(member, left=argument))
    return [equation] if equation else []


def read_when(here: Within, member: tree.When) -> list[When]:
    """A `when` with its branches; those with errors are omitted."""
    branches = []
    for k, branch in enumerate(member.branches):
        assert branch.condition is not None
        word = "'elsewhen'" if k else "'when'"
        condition = _condition(replace(here, place="condition"), branch.condition, word)
        if condition is not None and condition.level < TIME and not varies(here, branch.condition):
            here.report(messages.never_true(branch.condition.span, here.instance))
        actions = _read_actions(replace(here, place="action"), branch.members)
        if condition is not None:
            updates, restarts = tuple(actions.updates.values()), tuple(actions.restarts.values())
            branches.append(WhenBranch(condition, updates, restarts, tuple(actions.assertions), branch.span))
    return [When(tuple(branches), here.node.path)] if branches else []


# --- initial ---------------------------------------------------------------------------------


def initial_equations(here: Within, members: Sequence[tree.Statement]) -> Iterator[ArrayEquation]:
    """The equations of `initial ... endinitial`."""
    for member in members:
        match member:
            case tree.For():
                for inner in iterations(here, member.index):
                    yield from initial_equations(inner, member.members)
            case tree.If():
                taken = chosen(here, member) or ()
                if isinstance(taken, tree.If):
                    result = Statements()
                    varying_choice(result, here, taken)
                    yield from result.equations
                else:
                    yield from initial_equations(here, taken)
            case tree.Equation():
                if special_form(here, member.left) == "init":
                    yield from read_restart_at_start(here, member)
                elif (equation := array_equation(here, member)) is not None:
                    yield equation


# --- when ------------------------------------------------------------------------------------


@dataclass
class _Actions:
    """The actions of the statements in a branch; each element is assigned once."""

    updates: dict[Expr, Update] = field(default_factory=dict)
    restarts: dict[Expr, Restart] = field(default_factory=dict)
    assertions: list[Assertion] = field(default_factory=list)

    def take(self, here: Within, form: str, action: Update | Restart) -> None:
        """Adds an action; reports an element that has a value already."""
        known: dict[Expr, Update] | dict[Expr, Restart] = self.updates if form == "new" else self.restarts
        first = known.get(action.target)
        if first is not None:
            name = str(action.target.data)
            here.report(messages.given_twice(form, name, action.span, first.span, here.instance))
        elif isinstance(action, Update):
            self.updates[action.target] = action
        else:
            self.restarts[action.target] = action


def _read_actions(here: Within, members: Sequence[tree.Statement]) -> _Actions:
    actions = _Actions()
    _read_into(actions, here, members)
    return actions


def _read_into(actions: _Actions, here: Within, members: Sequence[tree.Statement]) -> None:
    for member in members:
        match member:
            case tree.For():
                for inner in iterations(here, member.index):
                    _read_into(actions, inner, member.members)
            case tree.If():
                _read_choice(actions, here, member)
            case tree.Assertion():
                actions.assertions += assertion_of(replace(here, place="branch"), member)
            case tree.Equation():
                form = special_form(here, member.left)
                if not form:
                    here.report(messages.not_an_action(_lone_name(member.left), member.left.span, here.instance))
                for target, value, span, instance in _given(here, member, form) if form else ():
                    kind = Update if form == "new" else Restart
                    actions.take(here, form, kind(target, value, span, instance))


def _read_choice(actions: _Actions, here: Within, choice: tree.If) -> None:
    """An `if` in a `when`: elements that the true branch does not assign keep their values."""
    pool, not_yet = here.pool, here.pool.one
    pieces: list[tuple[Expr, _Actions]] = []
    for branch in choice.branches:
        condition = (
            pool.one
            if branch.condition is None
            else _condition(replace(here, place="branch"), branch.condition, "'if'")
        )
        inner = _read_actions(here, branch.members)
        if condition is None:
            continue
        pieces.append((condition, inner))
        guard, not_yet = (
            pool.logical("and", not_yet, condition),
            pool.logical("and", not_yet, pool.logical("not", condition)),
        )
        actions.assertions += [_where(pool, guard, a) for a in inner.assertions]
    updates = {target: u for _, inner in pieces for target, u in inner.updates.items()}
    for target, update in updates.items():
        value = _chosen_value(pool, target, [(c, inner.updates.get(target)) for c, inner in pieces])
        actions.take(here, "new", replace(update, value=value))
    restarts = {target: r for _, inner in pieces for target, r in inner.restarts.items()}
    for target, restart in restarts.items():
        value = _chosen_value(pool, target, [(c, inner.restarts.get(target)) for c, inner in pieces])
        actions.take(here, "init", replace(restart, value=value))


def _chosen_value(pool: Pool, target: Expr, given: Sequence[tuple[Expr, Update | Restart | None]]) -> Expr:
    value = target
    for condition, action in reversed(given):
        value = pool.choose(condition, target if action is None else action.value, value)
    return value


def _where(pool: Pool, guard: Expr, assertion: Assertion) -> Assertion:
    """The assertion, evaluated only if the guard is true."""
    if assertion.terminates:
        return replace(assertion, condition=pool.logical("and", guard, assertion.condition))
    return replace(assertion, condition=pool.logical("or", pool.logical("not", guard), assertion.condition))


# --- the parts of a statement ----------------------------------------------------------------


def _given(here: Within, member: tree.Equation, form: str) -> list[tuple[Expr, Expr, Span, str]]:
    """For new(x) = e or init(x) = e: target, value, place and instance, element by element."""
    argument = _argument(here, member.left)
    if argument is None or (form == "new" and not _is_own_variable(here, argument)):
        return []
    equation = array_equation(here, replace(member, left=argument))
    if equation is None:
        return []
    if any(e.op != "variable" for e in equation.left.elements):
        wrong = messages.bad_target if form == "new" else messages.bad_restart
        here.report(wrong("this expression: it is not a variable", argument.span, here.instance))
        return []
    pairs = zip(equation.left.elements, equation.right.elements, strict=False)
    return [(target, value, member.span, here.node.path) for target, value in pairs]


def _argument(here: Within, left: tree.Expression) -> tree.Expression | None:
    assert isinstance(left, tree.Reference)
    arguments = left.parts[0].arguments or ()
    if len(arguments) == 1:
        return arguments[0]
    here.report(general.wrong_arguments(left.parts[0].name, 1, len(arguments), left.span, here.instance))
    return None


def _is_own_variable(here: Within, argument: tree.Expression) -> bool:
    """True for a variable of the class that contains the equation that may be discrete."""
    if not isinstance(argument, tree.Reference):
        here.report(messages.bad_target("this expression: it is not a variable", argument.span, here.instance))
        return False
    if len(argument.parts) != 1:
        name = ".".join(part.name for part in argument.parts)
        here.report(messages.bad_target(f"'{name}': it belongs to a submodel", argument.span, here.instance))
        return False
    declared = here.node.body.variables.get(argument.parts[0].name)
    if declared is None or declared.kind not in _CLOSED_KINDS:
        return True  # an unknown name is reported where it is evaluated
    article = "an" if declared.kind[0] in "aeio" else "a"
    what = f"'{declared.name}': it is declared as {article} {declared.kind}"
    here.report(messages.bad_target(what, argument.span, here.instance, declared.span))
    return False


def _condition(here: Within, condition: tree.Expression, what: str) -> Expr | None:
    """A condition, which must be scalar; None after a diagnostic. The type check ensures that it is Boolean."""
    value = value_of(here, condition)
    if value is None:
        return None
    if value.shape:
        here.report(messages.not_a_condition(what, condition.span, here.instance))
        return None
    return value.elements[0]


def assertion_of(here: Within, member: tree.Assertion) -> list[Assertion]:
    """`assert c, "message"` and `terminate c, "message"`; none if it can never act."""
    condition = _condition(here, member.condition, "'terminate'" if member.terminates else "'assert'")
    if condition is None:
        return []
    words = filled(member.text, partial(_value_in_text, here, member))
    if condition.level == CONSTANT and here.place != "branch":
        is_wrong = condition.data == 0 and not here.translation.draft
        if not member.terminates and is_wrong and not _has_unknown_binding(here.node):
            submodel = None if here.node.item is None else here.node.span
            given = binding_places(here.node, member.condition)
            here.report(messages.fails_always(words, member.condition.span, submodel, given, here.instance))
        if member.terminates == (condition.data == 0):
            return []
    return [Assertion(member.terminates, condition, words, member.span, here.node.path)]


def _value_in_text(here: Within, member: tree.Assertion, written: str) -> str | None:
    """What stands for `{h}` in the text of an assertion: the full name in braces, whose value the run fills in, or a
    number that is known. None for what is no name of a variable."""
    from cutset.compiler.syntax.parse import parsed_reference  # with lark; a file that was parsed before needs none

    reference = parsed_reference(written, member.span)
    value = None if reference is None else value_of(here, reference)
    if value is None:
        return None
    shown = {"constant": text, "text": lambda e: e.data[0]}
    words = [shown[e.op](e) if e.op in shown else f"{{{e.data}}}" for e in value.elements]
    return f"[{', '.join(words)}]" if value.shape else words[0]


def _has_unknown_binding(node: Node) -> bool:
    """True if a binding of this submodel or a surrounding one has a wrong name. Then errors in its values are a
    consequence."""
    items = ((each.body, each.item) for each in (node, *node.surrounding()))
    return any(item is not None and has_unknown_binding(body, item) for body, item in items)


def _lone_name(left: tree.Expression) -> str:
    return left.span.text if isinstance(left, tree.Reference) and left.parts[-1].arguments is None else ""
