"""Stage 2. Library and object name -> Instance: submodels made, parameters evaluated, names resolved, shapes and
units checked.

Must not connect anything and must not look at the equations' structure. Works through a list of submodels,
not by recursion; every mistake of the whole tree is collected before ModelError is raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError, Span
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.expressions.tensor import Tensor, shape_words
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.algorithms.calls import DeclaredFunctions
from cutset.compiler.instantiate.classes import Classes
from cutset.compiler.instantiate.connections import joins_of
from cutset.compiler.instantiate.declarations import declare_parameters, declare_variables
from cutset.compiler.instantiate.evaluate import evaluate
from cutset.compiler.instantiate.instance import Cut, CutClass, CutVariable, Instance, Join, TensorEquation
from cutset.compiler.instantiate.library import Library
from cutset.compiler.instantiate.repeat import written_in
from cutset.compiler.instantiate.scope import Node, Translation, Within
from cutset.compiler.instantiate.submodels import make_children
from cutset.compiler.instantiate.types.cut_shapes import check_cut_shapes
from cutset.compiler.instantiate.units.check import check_units
from cutset.compiler.instantiate.units.functions import FunctionUnits
from cutset.compiler.syntax import tree


def instantiate(
    library: Library,
    name: str | None = None,
    unfold: frozenset[str] = frozenset(),
    values: Mapping[str, float] = MappingProxyType({}),
    allow_external: bool = False,
) -> Instance:
    """The object `name` of the library's file, or its last one. Parameters named in `unfold` are kept changeable
    even where their value is 0, 1 or -1; structural ones named in `values` get these instead of the model's own. Calls of
    functions in Python are errors unless `allow_external`."""
    declared = _choose(library, name)
    structural: frozenset[str] = frozenset()
    while True:
        pool = Pool()
        functions = DeclaredFunctions(library.names, pool, allow_external)
        translation = Translation(pool, unfold, structural, functions.diagnostics(), values, functions)
        instance = _attempt(library, declared, translation)
        if not translation.needed - structural:
            break
        structural |= translation.needed
    if instance is None:
        raise ModelError(_in_order(translation.diagnostics))
    return instance


def _attempt(library: Library, declared: tree.Class, translation: Translation) -> Instance | None:
    """The instance, or None where something is wrong or a parameter has to become structural."""
    classes = Classes(library, translation.diagnostics)
    body = classes.body(declared)
    if body is None:
        return None
    nodes = _make_all(Node("", body, declared.span, None, {}, translation), classes)
    is_over = translation.is_full or bool(translation.needed - translation.structural)
    behaviour = [] if is_over else [_behaviour(node) for node in nodes]
    if behaviour:
        functions = translation.functions
        units = FunctionUnits(functions.all(), functions.find)
        translation.diagnostics += units.diagnostics()
        translation.diagnostics += check_units(nodes, [j for _, joins in behaviour for j in joins], units.called)
    if translation.diagnostics or not behaviour:
        return None
    made: dict[str, Instance] = {}
    for node, (equations, joins) in reversed(list(zip(nodes, behaviour))):
        made[node.path] = Instance(
            path=node.path,
            class_name=node.body.name,
            span=node.span,
            parameters=tuple(node.parameters),
            variables=tuple(node.variables),
            cuts=tuple(_cut(node, item) for item in node.body.cuts.values() if item.parts is None),
            equations=tuple(equations),
            joins=tuple(joins),
            children=tuple(made[child.path] for child in node.children.values() if not child.is_absent),
            pool=translation.pool,
            derivatives=translation.derivatives if node.parent is None else {},
            folded=translation.folded if node.parent is None else {},
        )
    return made[""]


def _choose(library: Library, name: str | None) -> tree.Class:
    objects = {c.name: c for c in library.objects}
    if name is None:
        if not objects:
            raise ModelError([messages.no_object(library.source.name, None)])
        return library.objects[-1]
    if name not in objects:
        raise ModelError([messages.unknown_object(name, objects, library.source.name)])
    return objects[name]


def _make_all(root: Node, classes: Classes) -> list[Node]:
    """All nodes, parents before children, in the order of the text."""
    nodes, stack = [], [root]
    while stack and not root.translation.is_full:
        node = stack.pop()
        nodes.append(node)
        declare_parameters(node)
        declare_variables(node)
        check_cut_shapes(node)
        make_children(node, classes)
        stack += reversed([child for child in node.children.values() if not child.is_absent])
    return nodes


def _behaviour(node: Node) -> tuple[list[TensorEquation], list[Join]]:
    """The equations and the joins of one submodel."""
    equations: list[TensorEquation] = []
    joins: list[Join] = []
    for here, member in written_in(node):
        if isinstance(member, tree.Connect):
            joins += joins_of(here, member)
        elif (equation := _equation(here, member)) is not None:
            equations.append(equation)
    return equations, joins


def _equation(here: Within, equation: tree.Equation) -> TensorEquation | None:
    node, pool = here.node, here.node.translation.pool
    sides = []
    for written in (equation.left, equation.right):
        try:
            sides.append(evaluate(written, here, pool))
        except ModelError as error:
            node.report(*[_placed(node, d) for d in error.diagnostics])
    if len(sides) < 2:
        return None
    left, right = sides
    left, right = _spread_zero(pool, left, right, equation.left), _spread_zero(pool, right, left, equation.right)
    if left.shape != right.shape:
        words = shape_words(left.shape), shape_words(right.shape)
        node.report(messages.sides_differ(*words, equation.span, node.instance))
        return None
    return TensorEquation(left, right, equation.span, node.path)


def _placed(node: Node, diagnostic: Diagnostic) -> Diagnostic:
    """What has no value has none because of parameters: the submodel that got them is shown too."""
    if diagnostic.code != "E228" or node.parent is None:
        return diagnostic
    return replace(diagnostic, labels=(*diagnostic.labels, Label(node.span, f"this is '{node.path}'")))


def _spread_zero(pool: Pool, side: Tensor, other: Tensor, written: tree.Expression) -> Tensor:
    if isinstance(written, tree.Number) and written.value == 0 and other.shape:
        return Tensor(other.shape, (pool.zero,) * len(other.elements))
    return side


def _cut(node: Node, item: tree.CutItem) -> Cut:
    declared = node.body.cut_classes.get(item.name)
    cut_class = None if declared is None else CutClass(declared.name, declared.span)
    if item.across is None and item.through is None:
        return Cut(item.name, None, None, item.span, cut_class)
    across, through = _positions(node, item.across or ()), _positions(node, item.through or ())
    return Cut(item.name, across, through, item.span, cut_class)


def _positions(node: Node, entries: tuple[tree.CutEntry, ...]) -> tuple[CutVariable, ...]:
    return tuple(CutVariable(e.name, node.values[e.name] if e.name else None, e.sign) for e in entries)


def _in_order(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """In the order of the text, file by file; what several instances of a class have in common is said once."""
    once = {(d.code, d.message, _place(d.span)): d for d in reversed(diagnostics)}
    return sorted(once.values(), key=lambda d: _place(d.span))


def _place(span: Span | None) -> tuple[str, int, int]:
    return ("", 0, 0) if span is None else (span.source.name, span.line, span.column)
