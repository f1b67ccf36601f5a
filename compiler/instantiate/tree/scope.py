"""Holds the data of a tree of submodels while it is built: one Node per submodel, one Translation for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import NamedTuple

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.expressions.array import Array
from cutset.compiler.expressions.differentiate import derivative_name
from cutset.compiler.expressions.pool import PARAMETER, Expr, Pool
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import Constant, External, InactiveBranches, Parameter, Variable
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.classes import ClassBody
from cutset.compiler.instantiate.names.lookup import Functions, Scope
from cutset.compiler.instantiate.names.meanings import INDEX, Meaning
from cutset.compiler.instantiate.values.evaluate import element_number, evaluate
from cutset.compiler.instantiate.values.known_entries import KnownEntries, known_entries
from cutset.compiler.observer import Observer
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass
from cutset.contract.random_numbers import stream_number

_OPEN_KINDS = ("terminal", "input", "output", "cut", "parameter", "constant", "internal", "external")


@dataclass
class Translation:
    """The data that all nodes of a tree share while it is built. `structural` names the parameters whose value decides
    what the model consists of: they are folded. `values` replace the model's values of parameters. `needed` collects
    parameters that turn out to be structural; `bindings` has the expression of each computed parameter's leaf. `counts`
    are the sizes of the groups of numbers in the last attempt, `numbered` those in this one, `counted` the groups whose
    count is used."""

    pool: Pool
    unfold: frozenset[str]
    structural: frozenset[str]
    diagnostics: list[Diagnostic]
    values: Mapping[str, float]
    functions: Functions
    observer: Observer
    counts: Mapping[str, int] = field(default_factory=dict)
    needed: set[str] = field(default_factory=set)
    bindings: dict[Expr, Expr] = field(default_factory=dict)
    derivatives: dict[Expr, Expr] = field(default_factory=dict)
    after: dict[Expr, AfterUse] = field(default_factory=dict)
    folded: dict[str, float] = field(default_factory=dict)
    submodels: int = 0
    is_full: bool = False  # too many submodels, which was reported: ignore the rest
    is_partial: bool = False  # the first attempt ended at the first parameters that turned out to be structural
    without_value: set[tuple[Span, Span]] = field(
        default_factory=set
    )  # parameters, and the submodels for which that was reported
    scalars: int = 0
    repetitions: int = 0
    numbered: dict[str, int] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)
    assumed: Iterator[float] | None = None  # for parameters of the root without a value, if it is a class

    def show_errors(self) -> None:
        """Give the observer the errors so far, unless another attempt is necessary."""
        if self.diagnostics and not (self.is_full or self.is_incomplete):
            self.observer.errors(self.diagnostics)

    def group_size(self, group: str) -> int:
        """How many numbers of the group the model has, at least 1; a guess until the entire tree was built once."""
        self.counted.add(group)
        return max(1, self.counts.get(group, 0))

    def take(self, group: str, size: int) -> range:
        """The next numbers of the group."""
        taken = self.numbered.get(group, 0)
        self.numbered[group] = taken + size
        return range(taken + 1, taken + size + 1)

    @property
    def is_incomplete(self) -> bool:
        """True if another attempt is necessary, with more structural parameters or other counts."""
        return bool(self.needed - self.structural) or self.is_miscounted

    @property
    def is_miscounted(self) -> bool:
        """True if a count was used that is not that of this tree."""
        return any(self.counts.get(group, 0) != self.numbered.get(group, 0) for group in self.counted)

    def number(self, value: Expr, what: str, span: Span, instance: str) -> float:
        """The number that a value has at translation. If it depends on parameters these become structural in the next
        attempt, so ModelError has no diagnostics; it has one if that cannot help."""
        if value.op == "constant":
            return float(value.data)
        parameters = self.parameters_under(value)
        if value.level > PARAMETER or parameters <= self.structural:
            raise ModelError([messages.not_constant(what, span, instance)])
        self.needed.update(parameters)
        raise ModelError([])

    def given_for_run(self) -> str:
        """The values of structural parameters that the run gives, for messages; empty if there are none."""
        given = [f"{name} = {value:g}" for name, value in self.values.items() if name in self.structural]
        return f" ({', '.join(given)} {'was' if len(given) == 1 else 'were'} set for this run)" if given else ""

    def parameters_under(self, value: Expr) -> set[str]:
        """The names of all parameters on which a value depends, directly or through bindings."""
        found: set[Expr] = set()
        waiting = [value]
        while waiting:
            leaves = {e for e in reachable(waiting) if e.op == "parameter"} - found
            found |= leaves
            waiting = [self.bindings[leaf] for leaf in leaves]
        return {str(leaf.data) for leaf in found}


class AfterUse(NamedTuple):
    """The leaf for the value of a variable after an event, and the first place that uses it."""

    leaf: Expr
    span: Span
    instance: str


class Given(NamedTuple):
    """A binding: its value (None after an error) and its place; it `is_written` if the model gives it, not the default
    of a surrounding parameter: then `defaults` are the names of those."""

    value: Array | None
    span: Span
    is_written: bool = True
    defaults: tuple[str, ...] = ()


class GivenClass(NamedTuple):
    """The class for a class parameter, None after an error; and its place."""

    body: ClassBody | None
    span: Span


def class_name(body: ClassBody, classes: Mapping[str, GivenClass]) -> str:
    """`Axis`, or with the classes for its class parameters `Axis(Control = PID)`."""
    given = [f"{name} = {wanted.body.name}" for name, wanted in classes.items() if wanted.body is not None]
    return f"{body.name}({', '.join(sorted(given))})" if given else body.name


@dataclass(eq=False)
class Node:
    """A submodel while it is built, and the scope of the expressions written in it.

    `values` holds every name declared so far, `broken` the names with errors. `children` of an array of submodels are
    called `c(1)`, `c(2)`, ...; `arrays` has its length under `c`. A child that `is_absent` has a class and no contents.
    `classes` are those for class parameters. `written` names the parameters whose value is not that of their class.
    """

    path: str
    body: ClassBody
    span: Span
    parent: Node | None
    given: dict[str, Given]
    translation: Translation
    classes: dict[str, GivenClass] = field(default_factory=dict)
    values: dict[str, Array] = field(default_factory=dict)
    children: dict[str, Node] = field(default_factory=dict)
    arrays: dict[str, int] = field(default_factory=dict)
    parameters: list[Parameter] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    variables: list[Variable] = field(default_factory=list)
    externals: list[External] = field(default_factory=list)
    inactive_branches: list[InactiveBranches] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    varies: bool = False  # time-varying variables are declared; parameters are evaluated before
    complete: bool = False  # all children exist; before that their values cannot be used
    is_absent: bool = False
    is_given_wrongly: bool = False  # a binding has an unknown name, which was reported: it may be the missing value
    documentation: str = ""
    constants: list[Constant] = field(default_factory=list)
    look = 1
    value_meant: str = ""  # `R = 10`, if the length of an array may be meant as a value

    @property
    def instance(self) -> str:
        """The path for messages."""
        return self.path or self.body.name

    @property
    def functions(self) -> Functions:
        """The functions of the model."""
        return self.translation.functions

    @cached_property
    def class_name(self) -> str:
        """The name with the classes for class parameters: nodes with equal names have equal contents."""
        return class_name(self.body, self.classes)

    def report(self, *diagnostics: Diagnostic) -> None:
        """Collect diagnostics until the entire tree is processed."""
        self.translation.diagnostics.extend(diagnostics)

    def meaning(self, e: tree.Reference) -> Meaning:
        """The meaning of a reference in its class."""
        return self.body.meanings.of(e)

    @property
    def place(self) -> str:
        """As for Within."""
        return "equation"

    def full_name(self, name: str) -> str:
        """`name` with the path before it."""
        return f"{self.path}.{name}" if self.path else name

    def find(self, parts: tuple[tree.Part, ...], span: Span) -> Array:
        """The value of `a.b.x`; raises ModelError, without diagnostics if the error was reported before."""
        return self.find_from(self, parts)

    def find_from(self, scope: Scope, parts: tuple[tree.Part, ...]) -> Array:
        """The same for a name whose indices are written in `scope`."""
        owner = self
        for part in parts[:-1]:
            owner = owner.child(part, scope)
            if owner.is_absent:
                raise ModelError([messages.absent(owner.path, part.span, owner.span, scope.instance)])
        last = parts[-1]
        declared = owner.body.variables.get(last.name)
        if declared is None:
            if owner is self and last.name in self.body.class_parameters:
                place = self.body.class_parameters[last.name].span
                raise ModelError([class_messages.class_as_value(last.name, last.span, place, self.instance)])
            if owner is self:
                known = [*self.body.variables, "time"]
                literals = self.body.types.with_literal(last.name)
                hint = f"write {' or '.join(literals)}" if literals else ""
                raise ModelError([messages.unknown_name(last.name, last.span, known, self.instance, hint)])
            known = [n for n, d in owner.body.variables.items() if d.kind in _OPEN_KINDS]
            raise ModelError([messages.unknown_member(last.name, owner.path, last.span, known, self.instance)])
        if owner is not self and declared.kind not in _OPEN_KINDS and not last.span.source.sees_all:
            raise ModelError([messages.not_visible(last.name, owner.path, last.span, declared.span, self.instance)])
        if (
            last.name not in owner.values
            and not owner.varies
            and declared.kind not in ("parameter", "constant", "external")
        ):
            raise ModelError([messages.not_parameter("this value", last.name, last.span, scope.instance)])
        if last.name not in owner.values:
            raise ModelError([])
        return owner.values[last.name]

    def index_may_vary(self) -> bool:
        """False: an index of a submodel is known at translation."""
        return False

    @cached_property
    def numbers(self) -> KnownEntries:
        """The numbers that equations assign to local variables; valid after all names are declared."""
        declared = self.body.variables
        return known_entries(
            self.body.statements, self.values, lambda name: name in declared and declared[name].kind == "local"
        )

    def with_numbers(self, value: Array) -> Array:
        """The value with known numbers substituted for variables, once all submodels exist."""
        if not self.complete:
            return value
        pool = self.translation.pool
        return self.numbers.in_place_of_leaves(value, pool, lambda written: evaluate(written, self, pool))

    def group_size(self, group: str) -> int:
        """As for a Translation."""
        return self.translation.group_size(group)

    def random_stream(self, name: str) -> int:
        """The number of a random stream of this instance."""
        return stream_number(f"{self.path}.{name}" if self.path else name)

    def number(self, value: Expr, what: str, span: Span) -> float:
        """As for a Translation."""
        return self.translation.number(value, what, span, self.instance)

    def child(self, part: tree.Part, scope: Scope) -> Node:
        """The submodel `c` or `c(k)`, written in `scope`; raises ModelError, without diagnostics as above."""
        if part.name in self.broken:
            raise ModelError([])
        if part.name not in self.body.submodels:
            known = self.body.submodels
            hint = ""
            if part.name in self.body.cuts:
                hint = f"'{part.name}' is a cut, which has no submodels; use the names of its variables directly"
            elif part.name in self.body.variables:
                hint = f"'{part.name}' is a variable, which has no submodels"
            raise ModelError([messages.unknown_submodel(part.name, part.span, known, scope.instance, hint)])
        if not self.complete:
            raise ModelError([messages.other_submodel(part.name, part.span, scope.instance)])
        if part.name in self.arrays:
            k = element_number(part, self.arrays[part.name], scope, self.translation.pool)
            return self.children[f"{part.name}({k})"]
        if part.arguments is not None:
            raise ModelError(
                [
                    messages.bad_index(
                        f"'{part.name}' is not an array", part.span, scope.instance, "remove the parentheses"
                    )
                ]
            )
        return self.children[part.name]

    def derivative(self, variable: Expr) -> Expr:
        """The leaf of the derivative: that of `x` is called `der(x)`, that of der(x) `der(x,2)`."""
        known = self.translation.derivatives
        if variable not in known:
            known[variable] = self.translation.pool.variable(derivative_name(str(variable.data)))
        return known[variable]

    def after(self, variable: Expr, part: tree.Part) -> Expr:
        """The leaf for the value of a variable after an event: `new(x)`."""
        known = self.translation.after
        if variable not in known:
            leaf = self.translation.pool.variable(f"new({variable.data})")
            known[variable] = AfterUse(leaf, part.span, self.instance)
        return known[variable].leaf


@dataclass(frozen=True, slots=True)
class Within:
    """The scope of an equation or connection: a submodel, and the indices of surrounding `for` loops with their values.

    `place` is the context of the expression: 'equation', 'initial', 'assertion', 'condition' (of a `when`), 'action' (a
    new value in a `when`), 'branch' (a condition in its body) or 'event' (otherwise at events).
    """

    node: Node
    indices: Mapping[str, Array]
    place: str = "equation"
    look = 1

    @property
    def instance(self) -> str:
        """The path for messages."""
        return self.node.instance

    @property
    def functions(self) -> Functions:
        """The functions of the model."""
        return self.node.functions

    def index_may_vary(self) -> bool:
        """False: an index in an equation is known at translation."""
        return False

    def with_numbers(self, value: Array) -> Array:
        """As for a Node, in equations only."""
        return self.node.with_numbers(value) if self.place == "equation" else value

    def meaning(self, e: tree.Reference) -> Meaning:
        """An index hides other meanings of its name."""
        if self.indices and len(e.parts) == 1 and e.parts[0].name in self.indices:
            return INDEX
        return self.node.body.meanings.of(e)

    def find(self, parts: tuple[tree.Part, ...], span: Span) -> Array:
        """As for a Node."""
        if len(parts) == 1 and parts[0].name in self.indices:
            return self.indices[parts[0].name]
        return self.node.find_from(self, parts)

    def derivative(self, variable: Expr) -> Expr:
        """As for a Node."""
        return self.node.derivative(variable)

    def after(self, variable: Expr, part: tree.Part) -> Expr:
        """As for a Node."""
        return self.node.after(variable, part)

    def group_size(self, group: str) -> int:
        """As for a Translation."""
        return self.node.group_size(group)

    def random_stream(self, name: str) -> int:
        """The number of a random stream of the instance."""
        return self.node.random_stream(name)

    def number(self, value: Expr, what: str, span: Span) -> float:
        """As for a Translation."""
        return self.node.number(value, what, span)
