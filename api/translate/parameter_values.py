"""Converts the values that a user gives into numbers, and checks their limits."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from cutset.compiler.codegen.statistics import Domain
from cutset.contract.names import rpartition
from cutset.runtime.errors import RunError

# A number, the numbers of a vector or a matrix, or the name of a value of the parameter's type.
Setting = float | str | Sequence[float] | Sequence[Sequence[float]]


def numbers(given: Mapping[str, Any], domains: Mapping[str, Domain]) -> dict[str, Any]:
    """The numbers for the runtime; signals stay as they are. RunError for a name that is not a value of the type, and
    for a value out of range."""
    return {name: _number(name, value, domains.get(name)) for name, value in given.items()}


def _number(name: str, value: Any, domain: Domain | None) -> Any:
    if domain is None:
        return value  # what is no number the runtime says
    if isinstance(value, str) and domain.literals:
        value = _of_literal(name, value, domain)
    if not isinstance(value, int | float):
        return value
    first = 0 if domain.literals[:1] == ("false",) else 1
    if domain.literals and value not in range(first, first + len(domain.literals)):
        raise RunError(
            "E605", f"the parameter '{name}' cannot be {value:g}", _values(domain), [f"declared at {domain.place}"]
        )
    if domain.is_whole and not float(value).is_integer():
        what = f"the parameter '{name}' is an Integer and cannot be {value:g}"
        raise RunError("E605", what, "give it a whole number", [f"declared at {domain.place}"])
    for word, limit, outside in (
        ("less than its min", domain.minimum, domain.minimum is not None and value < domain.minimum),
        ("more than its max", domain.maximum, domain.maximum is not None and value > domain.maximum),
    ):
        if outside:
            what = f"the {domain.kind} '{name}' cannot be {value:g}, which is {word}, {limit:g}"
            raise RunError("E605", what, "give it a value within its limits", [f"declared at {domain.place}"])
    return value


def _of_literal(name: str, value: str, domain: Domain) -> float:
    word = rpartition(value)[2]
    if word not in domain.literals:
        near = difflib.get_close_matches(word, domain.literals, n=1)
        hint = f"did you mean '{near[0]}'?" if near else _values(domain)
        raise RunError("E605", f"the parameter '{name}' cannot be '{value}'", hint, [f"declared at {domain.place}"])
    return domain.literals.index(word) + (0.0 if domain.literals[0] == "false" else 1.0)


def _values(domain: Domain) -> str:
    return f"its values are {', '.join(domain.literals)}"
