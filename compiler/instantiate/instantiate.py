"""Builds the tree of submodels of a class (stage 2): Library, name of a class -> Instance.

In the result every name is resolved, every parameter evaluated and every shape known. Connects nothing and ignores the
structure of equations. Works through a list of submodels, not by recursion; all errors of the tree are collected before
ModelError is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from types import MappingProxyType

from cutset.compiler.diagnostics import Diagnostic, Label, ModelError, Span
from cutset.compiler.expressions.pool import Expr, Pool
from cutset.compiler.instantiate import messages
from cutset.compiler.instantiate.events.diagnose import after_leaves
from cutset.compiler.instantiate.experiment import experiment_of
from cutset.compiler.instantiate.functions.calls import DeclaredFunctions
from cutset.compiler.instantiate.instance import Cut, CutClass, CutVariable, Instance, around, inflows
from cutset.compiler.instantiate.names import class_messages
from cutset.compiler.instantiate.names.classes import Classes
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.instantiate.names.lookup import Functions
from cutset.compiler.instantiate.tree.claims import check_claims
from cutset.compiler.instantiate.tree.class_parameters import default_classes
from cutset.compiler.instantiate.tree.connection_points import check_points
from cutset.compiler.instantiate.tree.declarations import declare
from cutset.compiler.instantiate.tree.definitions import with_definitions
from cutset.compiler.instantiate.tree.perturbations import Perturbations
from cutset.compiler.instantiate.tree.scope import Node, Tree, Within
from cutset.compiler.instantiate.tree.statements import Statements, statements_of
from cutset.compiler.instantiate.tree.submodels import make_children
from cutset.compiler.instantiate.tree.terminals import default_equations
from cutset.compiler.instantiate.tree.translation import Translation
from cutset.compiler.instantiate.types.attributes import check_cut_shapes, limit_assertions, with_attributes
from cutset.compiler.instantiate.types.cut_classes import least
from cutset.compiler.instantiate.types.diagnose import check_types
from cutset.compiler.instantiate.types.functions import FunctionTypes
from cutset.compiler.instantiate.types.value_types import Types
from cutset.compiler.instantiate.units.diagnose import check_units
from cutset.compiler.instantiate.units.functions import FunctionUnits
from cutset.compiler.observer import Observer
from cutset.compiler.syntax import tree
from cutset.contract.experiment_settings import Value

# The limit on attempts in which the numbers of a group were not as many as in the attempt before.
_MOST_MISCOUNTS = 4


def instantiate(
    library: Library,
    name: str | None = None,
    unfold: frozenset[str] = frozenset(),
    values: Mapping[str, float | str] = MappingProxyType({}),
    allow_external: bool = False,
    fold: frozenset[str] = frozenset(),
    observer: Observer | None = None,
    perturbed: str = "",
    draft: bool = False,
) -> Instance:
    """Instantiate the object `name` of the library's file, or its last one. Parameters named in `unfold` stay
    changeable even if their value is 0, 1 or -1; `values` replace the model's own. Calls of Python functions are errors
    unless `allow_external`. The values of parameters named in `fold` become part of the code. The observer gets the
    errors so far, as soon as there are any, and its `pause` is called for each submodel. `perturbed` and
    `draft` are those of the options."""
    instance, diagnostics = attempt(
        library,
        chosen(library, name),
        unfold,
        values,
        (1.0,) if draft else (),
        allow_external,
        fold,
        observer,
        perturbed,
        draft,
    )
    if instance is None:
        raise ModelError(in_order(messages.for_replaced(diagnostics, library.instead), library.source.name))
    return replace(instance, notes=(*library.hidden, *instance.notes))


def attempt(
    library: Library,
    declared: tree.Class,
    unfold: frozenset[str] = frozenset(),
    values: Mapping[str, float | str] = MappingProxyType({}),
    assumed: Sequence[float] = (),
    allow_external: bool = False,
    structural: frozenset[str] = frozenset(),
    observer: Observer | None = None,
    perturbed: str = "",
    draft: bool = False,
) -> tuple[Instance | None, list[Diagnostic]]:
    """The instance, or None and the errors. Parameters of the object itself without a value take those of `assumed` in
    turn, if it has any; in a `draft` those of its submodels do, too."""
    counts: Mapping[str, int] = MappingProxyType({})
    miscounts = 0
    while True:
        turns = cycle(assumed) if assumed else None
        pool = Pool()
        diagnostics: list[Diagnostic] = []
        types = Types(library, diagnostics)
        functions = DeclaredFunctions(library, types, pool, allow_external)
        diagnostics += functions.diagnostics()
        shared = values, functions, observer or Observer(), counts, Perturbations(perturbed)
        translation = Translation(pool, unfold, structural, diagnostics, *shared, assumed=turns, draft=draft)
        instance = _attempt(Classes(library, types, diagnostics), types, declared, translation)
        if not translation.is_incomplete:
            return instance, translation.diagnostics
        is_partial = bool(translation.needed and not structural)
        structural |= translation.needed
        if translation.is_miscounted and not is_partial:
            miscounts += 1
            if miscounts > _MOST_MISCOUNTS:
                group = min(g for g in translation.counted)
                return None, [messages.counts_itself(group, declared.span, declared.name)]
            counts = translation.numbered


def check_alone(library: Library, allow_external: bool = False) -> list[Diagnostic]:
    """The errors in the types, cut classes and functions of the library, used or not: names, types and units of their
    bodies."""
    diagnostics: list[Diagnostic] = []
    types = Types(library, diagnostics)
    Classes(library, types, diagnostics)
    functions = DeclaredFunctions(library, types, Pool(), allow_external)
    diagnostics += functions.diagnostics()
    diagnostics += FunctionTypes(functions, types).diagnostics()
    return diagnostics + [d for d in FunctionUnits(functions, types).diagnostics() if d.severity == "error"]


def _attempt(classes: Classes, types: Types, declared: tree.Class, translation: Translation) -> Instance | None:
    """The instance, or None if there are errors or if a parameter must become structural."""
    submodels = _tree(classes, declared, translation)
    translation.show_errors()
    if submodels is None or translation.is_over:
        return None
    body = submodels.nodes[0].body
    translation.perturbations.avoid({*body.variables, *body.submodels, *body.nodes, *body.cuts})
    scopes = [with_definitions(Within(node, submodels, translation).of_statements()) for node in submodels.nodes]
    for node in submodels.of_each_class():
        check_points(scopes[0].of(node))
    statements = [statements_of(here) for here in scopes]
    for here in scopes:
        check_claims(here)
    defaults = default_equations(scopes, [(each.equations, each.joins) for each in statements])
    for here, own, each in zip(scopes, submodels.declarations, statements, strict=True):
        each.equations += defaults.get(here.node.path, ())
        each.assertions += limit_assertions(here, own)
    experiment = experiment_of(scopes[0])
    after = after_leaves(translation, statements, scopes[0].node.body.name)
    translation.show_errors()
    found = _of_types_and_units(types, submodels, statements, translation.functions)
    translation.diagnostics += [d for d in found if d.severity == "error"]
    if translation.diagnostics:
        return None
    notes = tuple(Label(d.span, d.message) for d in found if d.span is not None)
    made = translation.perturbations.added_to(_instance(scopes, statements, after, experiment))
    return replace(made, notes=notes)


def _tree(classes: Classes, declared: tree.Class, translation: Translation) -> Tree | None:
    """The first pass: the submodels with what they declare. None if the class cannot be read, or after the first
    structural parameters, which end the first attempt: most models have no others, and the next one finds them."""
    body = classes.body(declared)
    if body is None:
        return None
    result = Tree()
    stack = [Node("", body, None, None, {}, default_classes(body, (), "", None, classes))]
    while stack and not translation.is_full:
        if translation.needed and not translation.structural:
            return None
        here = Within(stack.pop(), result, translation)
        translation.observer.pause()
        result.nodes.append(here.node)
        own = declare(here)
        check_cut_shapes(here)
        result.declarations.append(with_attributes(here, own))
        stack += reversed(make_children(here, classes))
    return result


def _of_types_and_units(
    types: Types, submodels: Tree, statements: list[Statements], functions: Functions
) -> list[Diagnostic]:
    typed, measured = FunctionTypes(functions, types), FunctionUnits(functions, types)
    joins = [join for each in statements for join in each.joins]
    found = typed.diagnostics() + check_types(submodels, typed.signature)
    return found + measured.diagnostics() + check_units(submodels, joins, measured)


def _instance(
    scopes: list[Within], statements: list[Statements], after: Mapping[Expr, Expr], experiment: Mapping[str, Value]
) -> Instance:
    """The results of both passes, put together."""
    submodels, translation = scopes[0].submodels, scopes[0].translation
    made: dict[Node, Instance] = {}
    for node, declared, each in reversed([*zip(submodels.nodes, submodels.declarations, statements, strict=True)]):
        cuts = tuple(cut for item in node.body.cuts.values() if item.parts is None for cut in _cuts(node, item))
        inward = inflows(translation.pool, declared.variables, (entry for cut in cuts for entry in cut.carried))
        made[node] = Instance(
            path=node.path,
            class_name=node.body.name if node.item is None else node.class_name,
            span=node.span,
            **declared._replace(variables=(*declared.variables, *inward))._asdict(),
            cuts=cuts,
            equations=tuple(each.equations),
            joins=tuple(each.joins),
            children=tuple(made[child] for child in submodels.children_of(node)),
            pool=translation.pool,
            events=each.events,
            initial=tuple(each.initial),
            closed=tuple(each.closed),
            documentation="" if node.item is None else node.item.documentation,
            class_documentation=node.body.documentation,
            inactive_branches=tuple(each.inactive_branches),
            line=node.body.line,
        )
    root = made[submodels.nodes[0]]
    return replace(
        root, derivatives=translation.derivatives, folded=translation.folded, after=after, experiment=experiment
    )


def chosen(library: Library, name: str | None) -> tree.Class:
    """The object `name` of the library's file, or its last one. ModelError if there is none."""
    objects = {c.name: c for c in library.objects}
    if name is None:
        if not objects:
            raise ModelError([class_messages.no_object(library.source.name, None)])
        return library.objects[-1]
    if name not in objects:
        raise ModelError([class_messages.unknown_object(name, objects, library.source.name)])
    return objects[name]


def _cuts(node: Node, item: tree.CutItem) -> Iterator[Cut]:
    """The elements of an array of cuts, with their elements of the variables; else the cut itself."""
    whole = _cut(node, item)
    if not item.dimensions:
        yield whole
        return
    length = node.lengths[item.name]
    sides = (_of_elements(side, length) for side in (whole.across, whole.through, whole.carried))
    for k, (across, through, carried) in enumerate(zip(*sides, strict=True), start=1):
        yield replace(whole, name=f"{item.name}({k})", across=across, through=through, carried=carried or ())


def _of_elements(side: tuple[CutVariable, ...] | None, length: int) -> Sequence[tuple[CutVariable, ...] | None]:
    if not side:
        return [side] * length
    numbers = range(1, length + 1)
    columns = [
        [CutVariable(f"{e.name}({k})", part, e.sign) for k, part in zip(numbers, e.value.parts(), strict=True)]
        if e.value is not None
        else [e] * length
        for e in side
    ]
    return [*zip(*columns, strict=True)]


def _cut(node: Node, item: tree.CutItem) -> Cut:
    declared = node.body.cut_classes.get(item.name)
    cut_class = None if declared is None else _class_of(declared)
    single = item.name in node.body.single_cuts
    if item.across is None and item.through is None:
        return Cut(item.name, None, None, item.span, cut_class, item.documentation, single)
    across, (through, carried) = _positions(node, item.across or ()), _flows_and_carried(item.through or ())
    found = _positions(node, through), item.span, cut_class, item.documentation, single, _positions(node, carried)
    return Cut(item.name, across, *found)


def _class_of(declared: tree.CutClass) -> CutClass:
    needed = least(declared.across), least(_flows_and_carried(declared.through)[0])
    return CutClass(declared.name, declared.span, declared.documentation, needed)


def _flows_and_carried(through: tuple[tree.CutEntry, ...]) -> tuple[tuple[tree.CutEntry, ...], ...]:
    return tuple(e for e in through if not e.is_carried), tuple(e for e in through if e.is_carried)


def _positions(node: Node, entries: tuple[tree.CutEntry, ...]) -> tuple[CutVariable, ...]:
    return tuple(CutVariable(e.name, node.values[e.name] if e.name else None, e.sign) for e in entries)


def in_order(diagnostics: Iterable[Diagnostic], first: str) -> list[Diagnostic]:
    """The diagnostics in the order of the text, the file `first` before all others: errors in a library are
    consequences of it. Errors that several instances of a class share are told once, as are uses of one unknown name
    in connections; missing values in a submodel are omitted if an assertion rejects its parameters, and assertions in
    the submodels of such a one."""
    found = list(diagnostics)
    refused = {d.instance for d in found if d.code == "E340"}
    found = [d for d in found if d.code != "E228" or d.instance not in refused]
    found = [d for d in found if d.code != "E340" or refused.isdisjoint(around(d.instance)[:-1])]
    once = {(d.code, d.message, _place(d.span)): d for d in reversed(found)}
    ordered = sorted(once.values(), key=lambda d: (_place(d.span)[0] not in ("", first), _place(d.span), _assertion(d)))
    causes: dict[tuple[object, ...], Diagnostic] = {}
    for d in ordered:
        causes.setdefault(_cause(d), d)
    return list(causes.values())


def _assertion(d: Diagnostic) -> tuple[str, int, int]:
    """The place of an assertion of a library that a line of the user violates."""
    return _place(d.labels[0].span if d.code == "E340" and d.labels else None)


def _cause(d: Diagnostic) -> tuple[object, ...]:
    """Equal for diagnostics that one change of the text removes."""
    if d.code == "E230":
        return d.code, d.message, d.instance
    place = _place(d.span)
    if d.code == "E219":  # the length of an array of cuts is a dimension of their variables
        return d.code, place, d.instance
    return (d.code, place[:2]) if d.code == "E252" else (d.code, d.message, place)


def _place(span: Span | None) -> tuple[str, int, int]:
    return ("", 0, 0) if span is None else (span.source.name, span.line, span.column)
