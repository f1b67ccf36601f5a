"""Defines the tree of submodels: a Node for each, the Tree of all, and the scope of the expressions written in one.

The first pass makes the nodes, parents before children. It evaluates the parameters of a submodel, which decide what it
consists of, and declares its variables. The second pass reads the statements, and changes nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import product
from operator import mul
from typing import NamedTuple, Protocol

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.expressions.array import Array, Shape, fitted, row, stack
from cutset.compiler.expressions.differentiate import derivative_name
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.instance import Constant, External, Parameter, Variable
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.classes import ClassBody
from cutset.compiler.instantiate.names.lookup import Functions, Scope
from cutset.compiler.instantiate.names.meanings import INDEX, Meaning
from cutset.compiler.instantiate.tree.translation import AfterUse, Translation
from cutset.compiler.instantiate.values.evaluate import Evaluator, evaluate
from cutset.compiler.syntax import tree
from cutset.contract.quick_dataclass import dataclass
from cutset.contract.random_numbers import stream_number

EARLY_KINDS = ("parameter", "constant", "external")  # values of parameters may use these
_OPEN_KINDS = ("terminal", "input", "output", "cut", "internal", *EARLY_KINDS)


class Given(NamedTuple):
    """A binding: its value (None after an error) and its place; it `is_written` if the model gives it, not the default
    of a surrounding parameter: then `defaults` are the names of those. `tolerance` is that of the value."""

    value: Array | None
    span: Span
    is_written: bool = True
    defaults: tuple[str, ...] = ()
    tolerance: tree.Number | tree.Quantity | None = None


class Nested(NamedTuple):
    """A binding for a parameter of a submodel inside, `motor.R = 0.3`: the names down to it, and where it stands."""

    path: tuple[str, ...]
    binding: tree.Binding
    here: Within
    record: ClassBody | None = None  # the class that has the value


class GivenClass(NamedTuple):
    """The class for a class parameter, None after an error; and its place."""

    body: ClassBody | None
    span: Span


def class_name(body: ClassBody, classes: Mapping[str, GivenClass]) -> str:
    """`Axis`, or with the classes for its class parameters `Axis(Control = PID)`."""
    given = [f"{name} = {wanted.body.name}" for name, wanted in classes.items() if wanted.body is not None]
    return f"{body.name}({', '.join(sorted(given))})" if given else body.name


class Declarations(NamedTuple):
    """What a submodel declares, in order."""

    parameters: tuple[Parameter, ...]
    constants: tuple[Constant, ...]
    externals: tuple[External, ...]
    variables: tuple[Variable, ...]


@dataclass(frozen=True, eq=False)
class Node:
    """A submodel. The object itself has no `parent` and no `item`, in which others are declared.

    `lengths` are those of its arrays of cuts, filled with its declarations; a wrong one is reported and missing.
    `given` and `classes` are the values and classes for its parameters, `nested` the values for those of its
    submodels. `values` holds every name that it declares, and
    `written` names the parameters whose value is not that of their class: its declarations fill them. One that
    `is_absent` has a class and no contents.
    """

    path: str
    body: ClassBody
    item: tree.SubmodelItem | None
    parent: Node | None
    given: Mapping[str, Given]
    classes: Mapping[str, GivenClass]
    nested: tuple[Nested, ...] = ()
    is_absent: bool = False
    values: dict[str, Array] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    lengths: dict[str, int] = field(default_factory=dict)

    @property
    def instance(self) -> str:
        """The path for messages."""
        return self.path or self.body.name

    @property
    def span(self) -> Span:
        """The place of its declaration."""
        return self.body.span if self.item is None else self.item.span

    @cached_property
    def class_name(self) -> str:
        """The name with the classes for class parameters: nodes with equal names have equal contents."""
        return class_name(self.body, self.classes)

    def full_name(self, name: str) -> str:
        """`name` with the path before it."""
        return f"{self.path}.{name}" if self.path else name

    def surrounding(self) -> Iterator[Node]:
        """The models that contain it, the nearest first."""
        above = self.parent
        while above is not None:
            yield above
            above = above.parent


@dataclass
class Tree:
    """The submodels that exist, parents before children, in the order of the text, with what they declare. `children`
    holds for a submodel and a name in it the nodes: one, those of an array row by row, or none after an error, and
    `shapes` the lengths of the array, none for a single submodel. The first pass fills it."""

    nodes: list[Node] = field(default_factory=list)
    declarations: list[Declarations] = field(default_factory=list)
    children: dict[tuple[Node, str], tuple[Node, ...]] = field(default_factory=dict)
    shapes: dict[tuple[Node, str], Shape] = field(default_factory=dict)

    def of_each_class(self) -> list[Node]:
        """The first submodel of each class."""
        first: dict[int, Node] = {}
        for node in self.nodes:
            first.setdefault(id(node.body), node)
        return list(first.values())

    def children_of(self, node: Node) -> list[Node]:
        """The submodels in it that exist, in order."""
        named = (self.children[node, name] for name in node.body.submodels)
        return [child for children in named for child in children if not child.is_absent]


class Stated(Protocol):
    """What the equations of a submodel state for its variables."""

    def in_terms_of(self, here: Within, value: Array, leaves: Collection[Expr], call: Span) -> Array:
        """The value as a function of these variables alone."""

    def simplest(self, here: Within, value: Array) -> Array:
        """The value with each part replaced by something simpler that is equal to it."""


@dataclass(frozen=True, slots=True)
class Within(Scope):
    """The scope of expressions that are written in a submodel, inside of `for` loops over the `indices`.

    In the second pass `known` are the numbers that equations assign to local variables, and `definitions` all that they
    state. In the first one both are None, and the values of other submodels cannot be used. `place` is the context of
    the expression: 'equation', 'initial', 'assertion', 'condition' (of a `when`), 'action' (a new value in a `when`),
    'branch' (a condition in its body) or 'event' (otherwise at events).
    """

    node: Node
    submodels: Tree
    translation: Translation
    known: KnownEntries | None = None
    indices: Mapping[str, Array] = field(default_factory=dict)
    place: str = "equation"
    definitions: Stated | None = None

    @property
    def instance(self) -> str:
        """The path for messages."""
        return self.node.path or self.node.body.name

    @property
    def pool(self) -> Pool:
        """The pool of all expressions."""
        return self.translation.pool

    @property
    def functions(self) -> Functions:
        """The functions of the model."""
        return self.translation.functions

    def report(self, *diagnostics: Diagnostic) -> None:
        """Collect diagnostics until the entire tree is processed."""
        self.translation.diagnostics.extend(diagnostics)

    def of_statements(self) -> Within:
        """The scope of the statements of the submodel, after all names are declared."""
        node, declared = self.node, self.node.body.variables
        known = known_entries(
            node.body.statements, node.values, lambda name: name in declared and declared[name].kind == "local"
        )
        return replace(self, known=known)

    def of(self, node: Node) -> Within:
        """The scope of another submodel, in the second pass."""
        return replace(self, node=node, indices={}, known=KnownEntries(), definitions=None)

    def meaning(self, e: tree.Reference) -> Meaning:
        """An index hides other meanings of its name."""
        if self.indices and len(e.parts) == 1 and e.parts[0].name in self.indices:
            return INDEX
        return self.node.body.meanings.of(e)

    def find(self, parts: tuple[tree.Part, ...]) -> Array:
        """The value of `a.b.x`; raises ModelError, without diagnostics if the error was reported before."""
        last = parts[-1]
        if len(parts) == 1 and last.name in self.indices:
            return self.indices[last.name]
        return self._found_in(self.node, parts)

    def _found_in(self, owner: Node, parts: tuple[tree.Part, ...]) -> Array:
        """The value of `a.b.x` in `owner`; of several elements of an array of submodels a row for each."""
        last = parts[-1]
        for k, part in enumerate(parts[:-1]):
            several, shape = self._several(owner, part)
            if several:
                values = [self._found_in(each, parts[k + 1 :]) for each in several]
                return self._matrix(values, shape, part, last) if len(shape) == 2 else stack([[row(v)] for v in values])
            owner = self.child(owner, part)
            if owner.is_absent:
                raise ModelError([messages.absent(owner.path, part.span, owner.span, self.instance)])
        declared = owner.body.variables.get(last.name)
        if declared is None:
            raise ModelError([self._unknown(owner, last)])
        if owner is not self.node and declared.kind not in _OPEN_KINDS and not last.span.source.sees_all:
            raise ModelError([messages.not_visible(last.name, owner.path, last.span, declared.span, self.instance)])
        value = owner.values.get(last.name)
        if value is None:
            is_early = len(self.submodels.declarations) < len(self.submodels.nodes) and declared.kind not in EARLY_KINDS
            wrong = [messages.not_parameter("this value", last.name, last.span, self.instance)] if is_early else []
            raise ModelError(wrong)
        return value

    def _unknown(self, owner: Node, last: tree.Part) -> Diagnostic:
        if owner is not self.node:
            known = [n for n, d in owner.body.variables.items() if d.kind in _OPEN_KINDS]
            return messages.unknown_member(last.name, owner.path, last.span, known, self.instance)
        if last.name in owner.body.class_parameters:
            place = owner.body.class_parameters[last.name].span
            return class_messages.class_as_value(last.name, last.span, place, self.instance)
        known = [*owner.body.variables, "time"]
        literals = owner.body.types.with_literal(last.name)
        hint = f"write {' or '.join(literals)}" if literals else ""
        return messages.unknown_name(last.name, last.span, known, self.instance, hint)

    def _several(self, owner: Node, part: tree.Part) -> tuple[list[Node], Shape]:
        """The elements of an array of submodels row by row, if the part names more than one: `c`, `c(:)`, `c(1..3, 2)`;
        and the shape of what is selected."""
        found, shape = self.submodels.children.get((owner, part.name)), self.submodels.shapes.get((owner, part.name))
        if self.known is None or not found or not shape:
            return [], ()
        if part.arguments is None:
            return [*found], shape
        evaluator = Evaluator(self)
        evaluator.arguments_of(part, shape)
        chosen = evaluator.indices(part, shape)
        places = [each if isinstance(each, range) else [k for k in (each,) if isinstance(k, int)] for each in chosen]
        numbers = (sum(map(mul, at, (*shape[1:], 1))) for at in product(*places))
        selected = tuple(len(each) for each in chosen if isinstance(each, range))
        return [found[k] for k in numbers] if selected else [], selected

    def _matrix(self, values: list[Array], shape: Shape, part: tree.Part, last: tree.Part) -> Array:
        """The values of a variable in submodels of two dimensions, which must be scalar."""
        if any(len(value.elements) > 1 for value in values):
            text = f"'{part.name}.{last.name}' has more than two dimensions"
            hint = f"take one row of the submodels: {part.name}(1,:).{last.name}"
            raise ModelError([messages.wrong_shape(text, last.span, self.instance, hint)])
        return Array(shape, tuple(value.elements[0] for value in values))

    def child(self, owner: Node, part: tree.Part) -> Node:
        """The submodel `c` or `c(k)` of `owner`; raises ModelError as above."""
        found = self.submodels.children.get((owner, part.name))
        if found == ():
            raise ModelError([])
        if part.name not in owner.body.submodels:
            hint = ""
            if part.name in owner.body.cuts:
                hint = f"'{part.name}' is a cut, which has no submodels; use the names of its variables directly"
            elif part.name in owner.body.variables:
                hint = f"'{part.name}' is a variable, which has no submodels"
            known = owner.body.submodels
            raise ModelError([messages.unknown_submodel(part.name, part.span, known, self.instance, hint)])
        if self.known is None or found is None:
            raise ModelError([messages.other_submodel(part.name, part.span, self.instance)])
        if shape := self.submodels.shapes[owner, part.name]:
            return found[Evaluator(self).number_of(part, shape)]
        if part.arguments is not None:
            what, hint = f"'{part.name}' is not an array", "remove the parentheses"
            raise ModelError([messages.bad_index(what, part.span, self.instance, hint)])
        return found[0]

    def with_numbers(self, value: Array) -> Array:
        """The value with known numbers substituted for variables, in equations only."""
        if self.known is None or self.place != "equation":
            return value
        outside = replace(self, indices={}) if self.indices else self
        return self.known.in_place_of_leaves(value, self.pool, lambda written: evaluate(written, outside))

    def number(self, value: Expr, what: str, span: Span) -> float:
        """As for a Translation."""
        return self.translation.number(value, what, span, self.instance)

    def group_size(self, group: str) -> int:
        """As for a Translation."""
        return self.translation.group_size(group)

    def random_stream(self, name: str) -> int:
        """The number of a random stream of this instance."""
        return stream_number(self.node.full_name(name))

    def derivative(self, variable: Expr) -> Expr:
        """The leaf of the derivative: that of `x` is called `der(x)`, that of der(x) `der(x,2)`."""
        known = self.translation.derivatives
        if variable not in known:
            known[variable] = self.pool.variable(derivative_name(str(variable.data)))
        return known[variable]

    def in_terms_of(self, value: Array, leaves: Collection[Expr], call: Span) -> Array:
        """As for Definitions."""
        if self.definitions is None:
            raise ModelError([messages.not_constant("this value", call, self.instance)])
        return self.definitions.in_terms_of(self, value, leaves, call)

    def simplest(self, e: tree.Expression, value: Array) -> Array:
        """The value, in its simplest form if it is that of a variable that follows from others."""
        is_wanted = self.definitions is not None and id(e) in self.node.body.followed
        return self.definitions.simplest(self, value) if self.definitions is not None and is_wanted else value

    def flow_of(self, name: str, leaf: Expr) -> tuple[Expr, int] | None:
        """The flow that carries this element of the variable, and its sign in the cut; None if none does."""
        flow = self.node.body.flows.get(name)
        if flow is None:
            return None
        flows, own = self.node.values[flow.name].elements, self.node.values[name].elements
        return flows[own.index(leaf) * len(flows) // len(own)], flow.sign

    def small_signal(self, amplitude: Expr, part: tree.Part) -> Expr:
        """As for Perturbations."""
        place = self._place(part)
        return self.translation.perturbations.small_signal(self.pool, self.node.path, place, amplitude)

    def white_noise(self, density: Expr, part: tree.Part) -> Expr:
        """As for Perturbations."""
        place = self._place(part)
        return self.translation.perturbations.white_noise(self.pool, self.node.path, place, density, part.span)

    def _place(self, part: tree.Part) -> tuple[object, ...]:
        """What distinguishes a call from all others."""
        span, indices = part.span, [value.scalar for value in self.indices.values()]
        return (self.node.path, span.source.name, span.line, span.column, *indices)

    def after(self, variable: Expr, part: tree.Part) -> Expr:
        """The leaf for the value of a variable after an event: `new(x)`."""
        known = self.translation.after
        if variable not in known:
            known[variable] = AfterUse(self.pool.variable(f"new({variable.data})"), part.span, self.instance)
        return known[variable].leaf


# --- known entries --------------------------------------------------------------------------------

# They are zeros of a matrix of direction cosines, or ones of a selection matrix. Products of matrices use them, so that
# terms that cancel in the end are not expanded. The equation itself and every other use of the variable is not changed.
# A definition is evaluated when a product first needs it, at most once.


@dataclass
class KnownEntries:
    """The known numbers of one submodel. `definitions` holds for each leaf of a local variable the right side of its
    equation until it is needed; `values` are the evaluated ones, by the identity of the expression."""

    definitions: dict[Expr, tuple[Array, tree.Expression]] = field(default_factory=dict)
    values: dict[int, Array] = field(default_factory=dict)
    _numbers: dict[Expr, Expr] = field(default_factory=dict)

    def in_place_of_leaves(self, value: Array, pool: Pool, evaluated: Callable[[tree.Expression], Array]) -> Array:
        """`value` with known numbers substituted for leaves and negated leaves."""
        found: list[Expr] = []
        for e in value.elements:
            leaf = e.args[0] if e.op == "neg" else e
            if leaf in self.definitions:
                self._look_up(leaf, evaluated)
            number = self._numbers.get(leaf)
            if number is None:
                found.append(e)
            else:
                found.append(pool.neg(number) if e.op == "neg" else number)
        return Array(value.shape, tuple(found))

    def _look_up(self, leaf: Expr, evaluated: Callable[[tree.Expression], Array]) -> None:
        variable, written = self.definitions[leaf]
        for element in variable.elements:  # before evaluation: definitions may be cyclic
            self.definitions.pop(element, None)
        try:
            value = evaluated(written)
        except ModelError:
            return  # it is reported with the equation
        self.values[id(written)] = value
        if fitted(value, variable.shape).shape == variable.shape:
            self._numbers |= {
                x: e for x, e in zip(variable.elements, value.elements, strict=False) if e.op == "constant"
            }


def known_entries(
    statements: Sequence[tree.Statement], variables: Mapping[str, Array], is_local: Callable[[str], bool]
) -> KnownEntries:
    """For the statements of a class and the variables of a submodel of it. Variables defined twice are omitted."""
    written: dict[str, list[tree.Expression]] = {}
    for member in statements:
        if isinstance(member, tree.Equation) and isinstance(member.left, tree.Reference) and not member.is_closed:
            (first, *others) = member.left.parts
            if not others and first.arguments is None and is_local(first.name):
                written.setdefault(first.name, []).append(member.right)
    known = KnownEntries()
    for name, sides in written.items():
        if len(sides) == 1 and name in variables:
            known.definitions |= dict.fromkeys(variables[name].elements, (variables[name], sides[0]))
    return known
