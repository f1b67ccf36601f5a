"""Reads the units and unit constraints of a class body, and infers units in it, for all instances at once.

Knows no instances: units from outside (through connections, from submodels) are passed in.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace

from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.instantiate.names.classes import ClassBody, Declared
from cutset.compiler.instantiate.names.meanings import EventCall
from cutset.compiler.instantiate.types.functions import FunctionVariable
from cutset.compiler.instantiate.types.messages import cut_class_differs
from cutset.compiler.instantiate.units.constraints import Constraint, Words, value_given
from cutset.compiler.instantiate.units.expressions import Reader
from cutset.compiler.instantiate.units.values import MIXED, Known, Signatures, Value, gain_of, quantity_of
from cutset.compiler.syntax import tree
from cutset.compiler.syntax.tree import mapped
from cutset.compiler.units.messages import misread
from cutset.compiler.units.parse import Misread, parse_unit
from cutset.compiler.units.unit import Unit
from cutset.contract.experiment_settings import SETTINGS
from cutset.contract.quick_dataclass import dataclass

_MEASURED = ("start", "min", "max", "nominal", "follows")


@dataclass(frozen=True)
class BodyUnits:
    """`words`: its names are the variables of the class and of its submodels (`sub.x`) that occur in it; `declared`:
    those with a unit; `open_names`: the others; `measured`: those that a constraint compares with a number with a unit;
    `contained`: the names in each constraint; `uses`: the constraints (by position) that contain a name; `has_gains`:
    some contain products with literal numbers; `wrong`: invalid units."""

    name: str
    words: Words
    declared: Mapping[str, Known]
    open_names: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    measured: frozenset[str]
    contained: tuple[tuple[str, ...], ...]
    uses: Mapping[str, tuple[int, ...]]
    has_gains: bool
    wrong: tuple[Diagnostic, ...]


def body_units(body: ClassBody, signatures: Signatures, elements: Mapping[str, str]) -> BodyUnits:
    """The units of one class; `signatures` are those of the functions of the model, `elements` the parameters that have
    the unit of a value for several: 'bar.r' -> 'r1'."""
    wrong: list[Diagnostic] = []
    declared = _declared_units(body, wrong)
    wrong += _not_of_class(body, declared)
    names: dict[str, None] = dict.fromkeys(body.variables)
    constraints = []
    for constraint in _with_flows(body, _constraints(body, elements)):
        references = tree.references(constraint.left, constraint.right)
        if references or quantity_of(constraint.right):
            constraints.append(constraint)
        for reference in references:
            if len(reference.parts) > 1 and reference.parts[0].name in body.submodels:
                names[tree.dotted(reference)] = None
    fixed = frozenset(name for name, d in body.variables.items() if d.kind in ("parameter", "constant"))
    words = Words(names, body.meanings.of, signatures, fixed)
    return constrained_units(body.name, words, declared, tuple(constraints), wrong)


def constrained_units(
    name: str,
    words: Words,
    declared: Mapping[str, Known],
    constraints: tuple[Constraint, ...],
    wrong: Iterable[Diagnostic] = (),
) -> BodyUnits:
    """The same for variables and constraints that are read already."""
    uses: dict[str, list[int]] = {}
    measured: set[str] = set()
    contained, has_gains = [], False
    for k, constraint in enumerate(constraints):
        parts = tree.within(constraint.left, constraint.right)
        slots = dict.fromkeys(tree.dotted(e) for e in parts if isinstance(e, tree.Reference))
        contained.append(tuple(slot for slot in slots if slot in words.names))
        for slot in contained[-1]:
            uses.setdefault(slot, []).append(k)
        if any(isinstance(e, tree.Quantity) for e in parts):
            measured.update(slots)
        has_gains = has_gains or any(isinstance(e, tree.Binary) and gain_of(e) for e in parts)
    open_names = tuple(n for n in words.names if n not in declared)
    used = {n: tuple(ks) for n, ks in uses.items()}
    found = frozenset(measured), tuple(contained), used, has_gains, tuple(wrong)
    return BodyUnits(name, words, declared, open_names, constraints, *found)


def infer_units(body: BodyUnits, given: Mapping[str, Known], determine: bool = True) -> dict[str, Known]:
    """All units that are declared, given or follow from these; known units never change. Products with literal numbers
    determine units only if asked to, after everything else: their numbers may have units."""
    known = {**body.declared, **given}
    waiting = deque(range(len(body.constraints)))
    queued = set(waiting)
    while waiting:
        k = waiting.popleft()
        queued.discard(k)
        if all(name in known for name in body.contained[k]):
            continue
        constraint = body.constraints[k]
        for name, value in Reader(body.words, known, determine=determine).infer(constraint).items():
            known[name] = Known(value, constraint.span, False)
            again = [j for j in body.uses.get(name, ()) if j not in queued]
            waiting += again
            queued.update(again)
    return known


def check_units_of_body(body: BodyUnits, known: Mapping[str, Known], instance: str) -> list[Diagnostic]:
    """The mismatches in the class, for `known` units of its variables."""
    complaints: list[Diagnostic] = []
    for constraint in body.constraints:
        Reader(body.words, known, instance, complaints).check(constraint)
    return complaints


# --- reading units -----------------------------------------------------------------------------


def _declared_units(body: ClassBody, wrong: list[Diagnostic]) -> dict[str, Known]:
    """The declared units by name; a variable of a cut may have its unit in any of its cuts."""
    written = {name: attribute for name, d in body.variables.items() if (attribute := _unit_attribute(d.attributes))}
    for cut in body.cuts.values():
        for entry in cut.entries:
            attribute = _unit_attribute(entry.attributes)
            if attribute is not None:
                written.setdefault(entry.name, attribute)
    return _known(written, body.name, wrong)


def declared_units(variables: Iterable[FunctionVariable], instance: str, wrong: list[Diagnostic]) -> dict[str, Known]:
    """The declared units of variables of a function."""
    return _known({v.name: a for v in variables if (a := _unit_attribute(v.attributes))}, instance, wrong)


def _known(written: Mapping[str, tree.Attribute], instance: str, wrong: list[Diagnostic]) -> dict[str, Known]:
    known = {}
    for name, attribute in written.items():
        value = _read(attribute, instance, wrong)
        if value is not None:
            known[name] = Known(value, attribute.span, True)
    return known


def _not_of_class(body: ClassBody, declared: Mapping[str, Known]) -> list[Diagnostic]:
    """Variables of cuts with another unit than that of the cut class."""
    found = []
    for name, cut_class in body.cut_classes.items():
        cut = body.cuts[name]
        own = cut.entries
        for entry, general in zip(own, cut_class.entries, strict=False):
            attribute, known = _unit_attribute(general.attributes), declared.get(entry.name)
            unit = None if attribute is None else _read(attribute, body.name, [])
            if known is None or not isinstance(unit, Unit) or not isinstance(known.value, Unit):
                continue
            if unit.clashes(known.value):
                what = f"'{entry.name}' is in {known.value}, but '{general.name}' of the class is in {unit}"
                wrong = cut_class_differs(what, cut_class.name, entry.span, general.span, body.name)
                found.append(replace(wrong, labels=(*wrong.labels, *_other_places(body, entry))))
    return found


def _other_places(body: ClassBody, entry: tree.CutEntry) -> list[Label]:
    """Other cuts that contain the variable, or its declaration: its unit may come from there."""
    entries = (e for cut in body.cuts.values() for e in cut.entries)
    others = [e.span for e in entries if e.name == entry.name and e.span != entry.span]
    declared = body.variables[entry.name]
    own = [declared.span] if declared.kind != "cut" else []
    return [Label(span, f"'{entry.name}' is {'declared' if span in own else 'used'} here") for span in (*own, *others)]


def _unit_attribute(attributes: tuple[tree.Attribute, ...]) -> tree.Attribute | None:
    return next((a for a in reversed(attributes) if a.name == "unit" and isinstance(a.value, tree.Text)), None)


def _read(attribute: tree.Attribute, instance: str, wrong: list[Diagnostic]) -> Value | None:
    """The unit, None for an empty string; an invalid one is reported and then checks nothing."""
    assert isinstance(attribute.value, tree.Text)
    text, span = attribute.value.value, attribute.value.span
    if not text.strip():
        return None
    try:
        return parse_unit(text)
    except Misread as error:
        wrong.append(misread(error, text, span, instance))
        return MIXED


def _of_behavior(body: ClassBody) -> list[Constraint]:
    """All equations and conditions, including all branches of an `if` or `when`, and those in a `for` once: its index
    is a number without a unit."""
    found: list[Constraint] = []
    for member in tree.with_inner(body.statements):
        match member:
            case tree.Equation():
                found.append(Constraint(member.left, member.right, member.span))
            case tree.If() | tree.When():
                found += [_of_condition(b.condition) for b in member.branches if b.condition is not None]
            case tree.Assertion():
                found.append(_of_condition(member.condition))
    return found


def _of_condition(condition: tree.Expression) -> Constraint:
    return Constraint(condition, tree.Number(condition.span, 1.0), condition.span)


def _constraints(body: ClassBody, elements: Mapping[str, str]) -> list[Constraint]:
    """Equations, defaults, start values and the like, values for submodels; literal numbers give no constraint."""
    found = _of_behavior(body) + _of_experiment(body)
    for declared in body.variables.values():
        found += _of_declaration(declared)
    for default in body.defaults.values():
        found += value_given(default.name, default.span, default.value)
    for item, _ in body.submodels.values():
        for binding in item.bindings:
            given = f"{item.name}.{binding.name}"
            parameter = f"{item.name}.{elements.get(given, binding.name)}"
            found += value_given(parameter, binding.span, binding.value, given)
            found += _of_tolerance(parameter, binding.span, binding.tolerance, given)
    return found


def _with_flows(body: ClassBody, constraints: list[Constraint]) -> list[Constraint]:
    """The constraints with carried(h) written as what it has the unit of, the product of h and its flow."""

    def product(node: tree.Node) -> tree.Node:
        if not isinstance(node, tree.Reference) or not isinstance(body.meanings.of(node), EventCall):
            return node
        name, arguments = tree.called(node)
        carried = arguments[0] if name == tree.CARRIED and arguments else None
        if not isinstance(carried, tree.Reference) or (flow := body.flows.get(carried.parts[0].name)) is None:
            return node
        return tree.Binary(node.span, "*", carried, tree.Reference(node.span, (tree.Part(node.span, flow.name),)))

    if not body.flows:
        return constraints
    return [replace(c, left=mapped(c.left, product), right=mapped(c.right, product)) for c in constraints]


def _of_experiment(body: ClassBody) -> list[Constraint]:
    found = []
    for name, setting in body.experiment.items():
        span = setting.value.span
        if name in SETTINGS and not isinstance(setting.value, tree.Number | tree.Text):
            time = tree.Reference(span, (tree.Part(span, "time"),))
            number = tree.Quantity(span, 1.0, "1", "1") if isinstance(setting.value, tree.Quantity) else None
            expected = time if SETTINGS[name].is_time else number or tree.Number(span, 1.0)
            found.append(Constraint(expected, setting.value, span, f"'{name}'"))
    return found


def _of_tolerance(name: str, at: Span, tolerance: tree.Expression | None, what: str) -> list[Constraint]:
    """A difference has the unit of the value; a share in % fits any."""
    is_share = isinstance(tolerance, tree.Quantity) and tolerance.unit == "%"
    return [] if is_share else value_given(name, at, tolerance, f"the tolerance of {what}")


def _of_declaration(declared: Declared) -> list[Constraint]:
    found = value_given(declared.name, declared.span, declared.default)
    found += _of_tolerance(declared.name, declared.span, declared.tolerance, declared.name)
    for attribute in declared.attributes:
        if attribute.name in _MEASURED:
            found += value_given(declared.name, declared.span, attribute.value)
    return found
