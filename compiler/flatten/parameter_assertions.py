"""Checks assertions on parameters at the values in the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cutset.compiler.diagnostics import Diagnostic, Span
from cutset.compiler.expressions.pool import TIME
from cutset.compiler.expressions.random_evaluation import RandomPoint
from cutset.compiler.flatten import messages
from cutset.compiler.instantiate.events.model import Assertion
from cutset.compiler.instantiate.instance import Parameter, parameter_numbers


def broken_assertions(
    assertions: Iterable[Assertion], parameters: Iterable[Parameter], places: Mapping[str, Span], model: str
) -> Iterator[Diagnostic]:
    """A diagnostic for each assertion that depends on parameters only, and is violated. `places` are the declarations
    of submodels."""
    numbers: RandomPoint | None = None
    for assertion in assertions:
        if assertion.terminates or assertion.condition.level == TIME:
            continue
        numbers = numbers or RandomPoint(parameter_numbers(parameters))
        if not numbers.value(assertion.condition):
            place = places.get(assertion.instance) if assertion.instance else None
            yield messages.parameters_do_not_fit(assertion.text, assertion.span, place, assertion.instance or model)
