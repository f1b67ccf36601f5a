"""Stage 2. Library and object name -> Instance: submodels made, parameters evaluated, names resolved, shapes and
units checked.

Must not connect anything and must not look at the equations' structure. Works through a list of submodels,
not by recursion; every mistake of the whole tree is collected before ModelError is raised.
"""

from __future__ import annotations

from cutset.compiler.diagnostics import Diagnostic, ModelError, Span
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.expressions.tensor import Tensor, shape_words
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.classes import Classes, ClassBody
from cutset.compiler.instantiate.declarations import declare_parameters, declare_variables, parameter_value
from cutset.compiler.instantiate.evaluate import evaluate
from cutset.compiler.instantiate.instance import Cut, CutVariable, Instance, TensorEquation
from cutset.compiler.instantiate.library import Library
from cutset.compiler.instantiate.points import joins_of
from cutset.compiler.instantiate.scope import Given, Node, Translation
from cutset.compiler.instantiate.units.check import check_units
from cutset.compiler.syntax import tree

_DEEPEST = 200


def instantiate(library: Library, name: str | None = None, unfold: frozenset[str] = frozenset()) -> Instance:
    """The object `name` of the library's file, or its last one. Parameters named in `unfold` are kept changeable
    even where their value is 0, 1 or -1."""
    declared = _choose(library, name)
    diagnostics: list[Diagnostic] = []
    classes = Classes(library, diagnostics)
    translation = Translation(Pool(), unfold, diagnostics)
    body = classes.body(declared)
    nodes: list[Node] = []
    if body is not None:
        root = Node("", body, declared.span, None, {}, translation)
        nodes = _make_all(root, classes)
        equations = [_equations(node) for node in nodes]
        joins = [joins_of(node) for node in nodes]
        diagnostics += check_units(nodes, [join for own in joins for join in own])
    if diagnostics:
        raise ModelError(_in_order(diagnostics))
    made: dict[str, Instance] = {}
    for node, own_equations, own_joins in reversed(list(zip(nodes, equations, joins))):
        made[node.path] = Instance(
            path=node.path,
            class_name=node.body.name,
            span=node.span,
            parameters=tuple(node.parameters),
            variables=tuple(node.variables),
            cuts=tuple(_cut(node, item) for item in node.body.cuts.values() if item.parts is None),
            equations=tuple(own_equations),
            joins=tuple(own_joins),
            children=tuple(made[child.path] for child in node.children.values()),
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
    while stack:
        node = stack.pop()
        nodes.append(node)
        declare_parameters(node)
        declare_variables(node)
        _make_children(node, classes)
        stack += reversed(node.children.values())
    return nodes


def _make_children(node: Node, classes: Classes) -> None:
    for name, (item, reference) in node.body.submodels.items():
        path = f"{node.path}.{name}" if node.path else name
        body = classes.find(reference, node.instance)
        if body is None or not _is_finite(node, body, item, reference):
            node.broken.add(name)
            continue
        node.children[name] = Node(path, body, item.span, node, _given(node, body, item), node.translation)


def _is_finite(node: Node, body: ClassBody, item: tree.SubmodelItem, reference: tree.ClassReference) -> bool:
    chain: list[str] = []
    above: Node | None = node
    while above is not None:
        chain.append(above.body.name)
        above = above.parent
    if body.name in chain:
        circle = list(reversed(chain[: chain.index(body.name) + 1])) + [body.name]
        node.report(messages.contains_itself(body.name, reference.span, circle, "contains"))
    elif len(chain) > _DEEPEST:
        node.report(messages.too_deep(item.name, item.span, node.instance))
    else:
        return True
    return False


def _given(node: Node, body: ClassBody, item: tree.SubmodelItem) -> dict[str, Given]:
    """The bindings of one submodel, evaluated where they are written."""
    given: dict[str, Given] = {}
    for binding in item.bindings:
        declared = body.variables.get(binding.name)
        if binding.name in given:
            node.report(messages.bound_twice(binding.name, binding.span, given[binding.name].span, node.instance))
        elif declared is None or declared.kind not in ("parameter", "constant"):
            known = [n for n, d in body.variables.items() if d.kind == "parameter"]
            node.report(messages.unknown_parameter(binding.name, body.name, binding.span, known, node.instance))
        elif declared.kind == "constant":
            node.report(
                messages.assigned_constant(binding.name, body.name, binding.span, declared.span, node.instance)
            )
        else:
            value = parameter_value(node, binding.value, f"the value of '{binding.name}'")
            given[binding.name] = Given(value, binding.span)
    return given


def _equations(node: Node) -> list[TensorEquation]:
    pool = node.translation.pool
    result = []
    for equation in node.body.equations:
        sides = []
        for written in (equation.left, equation.right):
            try:
                sides.append(evaluate(written, node, pool))
            except ModelError as error:
                node.report(*error.diagnostics)
        if len(sides) < 2:
            continue
        left, right = sides
        left, right = _spread_zero(pool, left, right, equation.left), _spread_zero(pool, right, left, equation.right)
        if left.shape != right.shape:
            words = shape_words(left.shape), shape_words(right.shape)
            node.report(messages.sides_differ(*words, equation.span, node.instance))
            continue
        result.append(TensorEquation(left, right, equation.span, node.path))
    return result


def _spread_zero(pool: Pool, side: Tensor, other: Tensor, written: tree.Expression) -> Tensor:
    if isinstance(written, tree.Number) and written.value == 0 and other.shape:
        return Tensor(other.shape, (pool.zero,) * len(other.elements))
    return side


def _cut(node: Node, item: tree.CutItem) -> Cut:
    if item.across is None and item.through is None:
        return Cut(item.name, None, None, item.span)
    return Cut(item.name, _positions(node, item.across or ()), _positions(node, item.through or ()), item.span)


def _positions(node: Node, entries: tuple[tree.CutEntry, ...]) -> tuple[CutVariable, ...]:
    return tuple(CutVariable(e.name, node.values[e.name] if e.name else None, e.sign) for e in entries)


def _in_order(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """In the order of the text, file by file; what several instances of a class have in common is said once."""
    once = {(d.code, d.message, _place(d.span)): d for d in reversed(diagnostics)}
    return sorted(once.values(), key=lambda d: _place(d.span))


def _place(span: Span | None) -> tuple[str, int, int]:
    return ("", 0, 0) if span is None else (span.source.name, span.line, span.column)
