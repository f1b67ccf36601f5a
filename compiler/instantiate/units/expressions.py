"""Evaluates a unit constraint (two expressions of one unit): infers units of its variables, or finds mismatches.

Upwards: the unit of each expression from the units of its variables. Downwards: the required unit of an expression
determines those of its unknown parts. Recursion is over the nesting of parentheses, which the parser limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from cutset.compiler.diagnostics import Diagnostic, Label, Span
from cutset.compiler.instantiate.names import meanings
from cutset.compiler.instantiate.units import messages
from cutset.compiler.instantiate.units.constraints import Constraint, Words
from cutset.compiler.instantiate.units.values import (
    EXPONENT,
    LITERAL,
    MIXED,
    RULES,
    TIME,
    UNKNOWN,
    Known,
    Rule,
    Signature,
    Value,
    call_value,
    common_value,
    derivative_value,
    gain_of,
    operands,
    power_value,
    product_value,
    quantity_of,
    remaining_unit,
    stacked_value,
)
from cutset.compiler.syntax import tree
from cutset.compiler.units.quantities import measure, mistaken
from cutset.compiler.units.suggestions import quotient
from cutset.compiler.units.symbols import OFFSETS
from cutset.compiler.units.unit import NUMBER, SECOND, Unit
from cutset.contract.functions import RELATIONS

_MOST_LABELS = 4
_SUM, _PRODUCT = ("+", "-"), ("*", "/")
Complaint = Callable[[Unit, Unit, Span, str, tuple[Label, ...]], Diagnostic]


class Reader:
    """Reads constraints in `words`; the units of some variables are `known`. With a list `complaints` mismatches are
    appended to it, and notes on gains; without one only units are computed, of gains only if these `determine`."""

    def __init__(
        self,
        words: Words,
        known: Mapping[str, Known],
        instance: str = "",
        complaints: list[Diagnostic] | None = None,
        determine: bool = True,
    ):
        self._names = words.names
        self._meaning = words.meaning
        self._signatures = words.signatures
        self._fixed = words.fixed
        self._known = known
        self._instance = instance
        self._complaints = complaints
        self._determine = determine
        self._values: dict[int, Value] = {}
        self._found: dict[str, Value] = {}
        self._sides: tuple[tree.Expression, tree.Expression] | None = None

    def check(self, constraint: Constraint) -> None:
        """Report each mismatch in the constraint and between its sides."""
        self._values = {}
        self._sides = constraint.left, constraint.right
        left, right = self._value(constraint.left), self._value(constraint.right)
        if not constraint.what and (
            self._gains_take(constraint.right, left) or self._gains_take(constraint.left, right)
        ):
            return
        if isinstance(left, Unit) and isinstance(constraint.right, tree.Matrix):
            self._check_entries(constraint, constraint.left, left, constraint.right)
        elif isinstance(right, Unit) and isinstance(constraint.left, tree.Matrix):
            self._check_entries(constraint, constraint.right, right, constraint.left)
        elif isinstance(left, Unit) and isinstance(right, Unit) and self._clash(constraint.left, constraint.right):
            self._complain(self._complaint(constraint), constraint.left, constraint.right)

    def infer(self, constraint: Constraint) -> dict[str, Value]:
        """The variables whose units follow from this constraint and are not yet known."""
        self._values, self._found = {}, {}
        left, right = self._value(constraint.left), self._value(constraint.right)
        self._expect(constraint.left, right if self._determine or self._gain(constraint.right) is None else UNKNOWN)
        self._expect(constraint.right, left if self._determine or self._gain(constraint.left) is None else UNKNOWN)
        return self._found

    # --- upwards ---------------------------------------------------------------------------------

    def _value(self, e: tree.Expression) -> Value:
        value: Value = MIXED
        match e:
            case tree.Number() | tree.Last():
                value = LITERAL
            case tree.Quantity():
                value = measure(e.unit).unit
            case tree.Reference():
                value = self._reference(e)
            case tree.Unary():
                operand = self._value(e.operand)
                value = MIXED if e.operator == "not" else operand
            case tree.Binary():
                value = self._binary(e)
            case tree.Conditional():
                for condition, _ in e.branches:
                    self._value(condition)
                value = self._common([*(branch for _, branch in e.branches), e.otherwise], messages.branches_in_units)
            case tree.Comprehension():
                value = self._value(e.sample)
            case tree.Matrix():
                value = stacked_value([self._value(entry) for row in e.rows for entry in row])
        self._values[id(e)] = value
        return value

    def _reference(self, e: tree.Reference) -> Value:
        arguments = e.parts[-1].arguments or ()
        match self._meaning(e):
            case meanings.Variable() | meanings.Member() if (slot := tree.dotted(e)) in self._names:
                self._check_indices(e)
                known = self._known.get(slot)
                return UNKNOWN if known is None else known.value
            case meanings.FunctionCall(function=function) if (
                signature := self._signatures.signature(function)
            ) is not None:
                return self._call_of_model(signature, arguments)
            case meanings.BuiltinCall() | meanings.EventCall() | meanings.Derivative():
                return self._call(e.parts[0], arguments)
            case (
                meanings.MathConstant()
                | meanings.CountCall()
                | meanings.NumberCall()
                | meanings.StreamCall()
                | meanings.MeshCall()
            ):
                return LITERAL
            case meanings.TableCall():
                return self._signatures.of_table(e.span)
            case meanings.Time():
                return TIME
        return MIXED

    def _call_of_model(self, signature: Signature, arguments: tuple[tree.Expression, ...]) -> Value:
        for argument, (name, wanted) in zip(arguments, signature.arguments, strict=False):
            found = self._value(argument)
            if self._complaints is None or not isinstance(found, Unit) or not isinstance(wanted, Unit):
                continue
            if found is not TIME and found.clashes(wanted):
                what, labels = f"'{name}' of '{signature.name}'", self._labels(argument)
                self._complaints.append(
                    messages.argument_in_unit(what, wanted, found, argument.span, self._instance, labels)
                )
        return signature.result

    def _binary(self, e: tree.Binary) -> Value:
        if e.operator in _SUM:
            return self._sum(e)
        if e.operator in _PRODUCT:
            factors = operands(e, _PRODUCT)
            self._check_temperatures(
                [f for _, f in factors if any(isinstance(each, tree.Number) for _, each in factors)], 0
            )
            return product_value([(operator, self._value(factor)) for operator, factor in factors])
        if e.operator == "^":
            base, exponent = self._value(e.left), self._value(e.right)
            if isinstance(exponent, Unit) and exponent is not TIME:
                self._check_argument("an exponent", e.right, EXPONENT)
            return power_value(base, e.right)
        if e.operator in RELATIONS:
            self._common([e.left, e.right], messages.compared_in_units)
            return MIXED
        for _, operand in operands(e, (e.operator,)):
            self._value(operand)
        return MIXED

    def _sum(self, e: tree.Binary) -> Value:
        """The unit of the terms other than gains; gains have what they need for it. Without other terms it is that of
        the gains, if they agree."""
        terms = [term for _, term in operands(e, _SUM)]
        for term in terms:  # here, as each further call shortens the nesting that Python allows
            self._value(term)
        self._check_temperatures([term for mark, term in operands(e, _SUM) if mark == "+"], 1)

        def complaint(one: Unit, other: Unit, span: Span, instance: str, labels: tuple[Label, ...]) -> Diagnostic:
            return messages.terms_in_units(one, other, span, instance, labels, self._gains(e, terms))

        value = self._common([term for term in terms if self._gain(term) is None], complaint)
        gains = [term for term in terms if self._gain(term) is not None]
        found = [self._values[id(term)] for term in gains]
        units = [unit for unit in found if isinstance(unit, Unit)]
        if not isinstance(value, Unit) and not units:
            return common_value([value, *found])
        if not isinstance(value, Unit):
            agree = self._determine and value is not MIXED and all(units[0].agrees(unit) for unit in units[1:])
            return common_value([value, *units]) if agree or value is MIXED else UNKNOWN
        for term in gains:
            unit = self._values[id(term)]
            if isinstance(unit, Unit) and value.clashes(unit) and not self._takes(term, value):
                self._complain(complaint, next(t for t in terms if isinstance(self._values[id(t)], Unit)), term)
        return value

    def _check_temperatures(self, together: list[tree.Expression], most: int) -> None:
        """Report the last of more than `most` temperatures, written as 20 degC, that are added or multiplied."""
        written = [each for term in together if (each := quantity_of(term)) is not None and each.unit in OFFSETS]
        if self._complaints is not None and len(written) > most:
            self._complaints.append(messages.no_difference(written[-1], self._instance))

    def _gain(self, term: tree.Expression) -> tree.Number | None:
        """The number of a gain; a product of parameters is a formula."""
        number = gain_of(term)
        if number is None:
            return None
        varies = any(tree.dotted(reference) not in self._fixed for reference in tree.references(term))
        return number if varies else None

    def _gains_take(self, side: tree.Expression, wanted: Value) -> bool:
        """True if the side is a gain, or a sum of gains, with other units than wanted, which thereby have what they
        need."""
        if not isinstance(wanted, Unit):
            return False
        is_sum = isinstance(side, tree.Binary) and side.operator in _SUM
        terms = [term for _, term in operands(side, _SUM)] if isinstance(side, tree.Binary) and is_sum else [side]
        measured = [(t, unit) for t in terms if isinstance(unit := self._values[id(t)], Unit) or unit is MIXED]
        if not measured or any(not isinstance(unit, Unit) or self._gain(t) is None for t, unit in measured):
            return False
        wrong = [t for t, unit in measured if isinstance(unit, Unit) and wanted.clashes(unit)]
        return bool(wrong) and all([self._takes(term, wanted) for term in wrong])

    def _takes(self, term: tree.Expression, wanted: Unit) -> bool:
        """True, with a note, if the number in the term has a unit that makes `wanted` of it; it does not convert
        between scales of one quantity."""
        number, unit = self._gain(term), self._unit(term)
        if number is None or unit.same_kind(wanted):
            return False
        if self._complaints is not None:
            self._complaints.append(messages.gain_in_unit(number, wanted, unit, self._instance))
        return True

    def _call(self, part: tree.Part, arguments: tuple[tree.Expression, ...]) -> Value:
        rule = RULES.get(part.name)
        counts = arguments[1:] if part.name == "der" else arguments if rule is None or rule.result is LITERAL else ()
        self._check_plain(counts, f"'{part.name}'")
        if rule is None or not arguments:
            return MIXED
        if rule.agree:
            self._common(list(arguments), messages.compared_in_units)
        if rule.result == "table" and len(arguments) == 3:
            self._common(list(arguments[:2]), messages.compared_in_units)
        if rule.result == "table of two" and len(arguments) == 5:
            for k in (0, 1):
                self._common([arguments[k], arguments[k + 2]], messages.compared_in_units)
        values = [self._values.get(id(a)) or self._value(a) for a in arguments]
        for argument in arguments[1:] if rule.others is not None else ():
            self._check_argument(f"'{part.name}'", argument, Rule(rule.result, rule.others))
        if rule.argument is not None:
            for argument in arguments:
                self._check_argument(f"'{part.name}'", argument, rule)
        if part.name == "der" and len(arguments) == 2 and isinstance(values[0], Unit):
            return derivative_value(values[0], arguments[1])
        return call_value(rule, values)

    def _common(self, terms: list[tree.Expression], complaint: Complaint) -> Value:
        values = [self._values.get(id(term)) or self._value(term) for term in terms]
        first: tree.Expression | None = None
        for term, value in zip(terms, values, strict=False):
            if not isinstance(value, Unit):
                continue
            if first is None:
                first = term
            elif self._clash(first, term):
                self._complain(complaint, first, term)
        return common_value(values)

    # --- complaints --------------------------------------------------------------------------------

    def _unit(self, e: tree.Expression) -> Unit:
        value = self._values[id(e)]
        assert isinstance(value, Unit)
        return value

    def _clash(self, first: tree.Expression, second: tree.Expression) -> bool:
        """True if their units differ, or if one of them is a number with the unit of the other but for 2 pi."""
        one, other = self._unit(first), self._unit(second)
        pairs = ((quantity_of(first), other), (quantity_of(second), one))
        return one.clashes(other) or any(number and mistaken(number.unit, unit) for number, unit in pairs)

    def _complaint(self, constraint: Constraint) -> Complaint:
        if not constraint.what:
            return messages.sides_in_units
        return partial(messages.value_in_unit, constraint.what)

    def _complain(self, complaint: Complaint, first: tree.Expression, second: tree.Expression) -> None:
        if self._complaints is not None:
            labels = self._labels(first, second)
            units = self._unit(first), self._unit(second)
            wrong = complaint(*units, second.span, self._instance, labels)
            if quantity_of(second) and units[0].same_kind(units[1]) and not units[0].agrees(units[1]):
                wrong = replace(wrong, hint=messages.scale_of_number(*units), notes=())
            self._complaints.append(wrong)

    def _gains(self, e: tree.Binary, terms: list[tree.Expression]) -> dict[str, str]:
        """The numbers that multiply terms of a sum, with the units that they need if the sum is a side of a constraint
        whose other side has a unit, otherwise ''."""
        left, right = self._sides or (None, None)
        other = self._values.get(id(left)) if e is right else None
        found: dict[str, str] = {}
        for term in terms:
            inner = term.operand if isinstance(term, tree.Unary) else term
            if not (isinstance(inner, tree.Binary) and inner.operator in _PRODUCT):
                continue
            factors = [f.operand if isinstance(f, tree.Unary) else f for _, f in operands(inner, _PRODUCT)]
            number = next((f for f in factors if isinstance(f, tree.Number)), None)
            value = self._values.get(id(term))
            if number is not None and isinstance(value, Unit):
                found[number.span.text] = quotient(str(other), str(value)) if isinstance(other, Unit) else ""
        return found

    def _check_argument(self, what: str, argument: tree.Expression, rule: Rule) -> None:
        value, wanted = self._values[id(argument)], rule.argument
        if self._complaints is None or wanted is None or not isinstance(value, Unit) or value is TIME:
            return
        if value.clashes(wanted):
            labels = self._labels(argument)
            self._complaints.append(
                messages.argument_in_unit(what, wanted, value, argument.span, self._instance, labels)
            )

    def _check_indices(self, e: tree.Reference) -> None:
        for part in e.parts:
            if part.arguments:
                self._check_plain(part.arguments, "an index")

    def _check_plain(self, arguments: tuple[tree.Expression, ...], what: str) -> None:
        """Numbers that count have no unit."""
        for argument in arguments:
            number = quantity_of(argument)
            if self._complaints is not None and number is not None:
                unit = measure(number.unit).unit
                self._complaints.append(
                    messages.argument_in_unit(what, NUMBER, unit, argument.span, self._instance, ())
                )

    def _check_entries(self, constraint: Constraint, side: tree.Expression, unit: Unit, matrix: tree.Matrix) -> None:
        """A variable has one unit for all its elements, so each entry must have it."""
        stack: list[tree.Expression] = [matrix]
        while stack:
            e = stack.pop()
            if isinstance(e, tree.Matrix):
                stack += [entry for row in reversed(e.rows) for entry in reversed(row)]
                continue
            value = self._values[id(e)]
            if isinstance(value, Unit) and unit.clashes(value):
                self._complain(self._complaint(constraint), side, e)

    def _labels(self, *sides: tree.Expression) -> tuple[Label, ...]:
        """The places where the units of the variables come from."""
        labels: dict[str, Label] = {}
        for reference in tree.references(*sides):
            slot = tree.dotted(reference)
            known = self._known.get(slot) if slot in self._names else None
            if known is not None and isinstance(known.value, Unit):
                labels.setdefault(slot, Label(known.span, f"'{slot}' in {known.value}: {known.how}"))
        return tuple(labels.values())[:_MOST_LABELS]

    # --- downwards ---------------------------------------------------------------------------------

    def _expect(self, e: tree.Expression, wanted: Value) -> None:
        """`e` must have the unit `wanted`, if that is a unit."""
        match e:
            case tree.Reference():
                self._expect_reference(e, wanted)
            case tree.Unary():
                self._expect(e.operand, UNKNOWN if e.operator == "not" else wanted)
            case tree.Binary():
                self._expect_binary(e, wanted)
            case tree.Conditional():
                for condition, branch in e.branches:
                    self._expect(condition, UNKNOWN)
                    self._expect(branch, self._either(e, wanted))
                self._expect(e.otherwise, self._either(e, wanted))
            case tree.Comprehension():
                self._expect(e.sample, wanted)
            case tree.Matrix():
                for row in e.rows:
                    for entry in row:
                        self._expect(entry, wanted if isinstance(wanted, Unit) else UNKNOWN)

    def _either(self, e: tree.Expression, wanted: Value) -> Value:
        """The required unit of parts with a common unit: that of one of them, or else the wanted one."""
        value = self._values[id(e)]
        return value if isinstance(value, Unit) or value is MIXED else wanted

    def _expect_reference(self, e: tree.Reference, wanted: Value) -> None:
        part = e.parts[-1]
        match self._meaning(e):
            case meanings.Variable() | meanings.Member() if (slot := tree.dotted(e)) in self._names:
                # An element does not determine the others.
                if part.arguments is None and slot not in self._known and (isinstance(wanted, Unit) or wanted is MIXED):
                    self._found.setdefault(slot, SECOND if wanted is TIME else wanted)
            case meanings.FunctionCall(function=function) if (
                signature := self._signatures.signature(function)
            ) is not None:
                for argument, (_, unit) in zip(part.arguments or (), signature.arguments, strict=False):
                    self._expect(argument, unit if isinstance(unit, Unit) else UNKNOWN)
            case meanings.BuiltinCall() | meanings.EventCall() | meanings.Derivative():
                if part.arguments and part.name in RULES:
                    self._expect_arguments(part.arguments, RULES[part.name], wanted)

    def _expect_arguments(self, arguments: tuple[tree.Expression, ...], rule: Rule, wanted: Value) -> None:
        inner: Value = UNKNOWN
        if rule.result == "table":
            self._expect_table(arguments, wanted)
            return
        if rule.result == "table of two":
            if len(arguments) == 5:
                x, y, xs, ys, table = arguments
                self._expect_table((x, xs, table), wanted)
                self._expect_table((y, ys, table), wanted)
            return
        if rule.others is not None:
            for argument in arguments[1:]:
                self._expect(argument, rule.others)
            arguments = arguments[:1]
        if rule.argument is not None:
            inner = rule.argument
        elif rule.agree:
            values = common_value([self._values[id(a)] for a in arguments])
            inner = values if isinstance(values, Unit) or rule.result != "same" else wanted
        elif isinstance(wanted, Unit) and rule.result == "same":
            inner = wanted
        elif isinstance(wanted, Unit) and rule.result == "root" and wanted is not TIME:
            inner = wanted.power(2)
        elif isinstance(wanted, Unit) and rule.result == "derivative" and len(arguments) == 1:
            inner = wanted * SECOND
        for argument in arguments:
            self._expect(argument, inner)

    def _expect_table(self, arguments: tuple[tree.Expression, ...], wanted: Value) -> None:
        """x and xs have one unit, ys and the result another."""
        if len(arguments) == 3:
            x, xs, ys = arguments
            self._expect(x, self._values[id(xs)])
            self._expect(xs, self._values[id(x)])
            self._expect(ys, wanted)

    def _expect_binary(self, e: tree.Binary, wanted: Value) -> None:
        if e.operator in _SUM:
            for _, term in operands(e, _SUM):
                self._expect(term, self._either(e, wanted))
        elif e.operator in _PRODUCT:
            self._expect_factors(operands(e, _PRODUCT), wanted)
        elif e.operator in RELATIONS:
            self._expect(e.left, self._values[id(e.right)])
            self._expect(e.right, self._values[id(e.left)])
        else:
            for operand in (x for _, x in operands(e, (e.operator,))):
                self._expect(operand, UNKNOWN)

    def _expect_factors(self, factors: list[tuple[str, tree.Expression]], wanted: Value) -> None:
        """The only unknown factor follows from the others, unless the product contains a literal, which may carry a
        unit."""
        values = [(operator, self._values[id(factor)]) for operator, factor in factors]
        unknown = [k for k, (_, value) in enumerate(values) if value is UNKNOWN]
        for k, (operator, factor) in enumerate(factors):
            inner: Unit | None = None
            if unknown == [k] and isinstance(wanted, Unit):
                inner = remaining_unit(wanted, operator, values[:k] + values[k + 1 :])
            self._expect(factor, inner or UNKNOWN)
