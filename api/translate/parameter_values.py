"""Converts the values that a user gives into numbers, and checks their limits."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from cutset.compiler.codegen.statistics import Domain
from cutset.contract.names import rpartition
from cutset.runtime.errors import RunError
from cutset.runtime.targets.binding import beyond, finite_number

# A number, the numbers of a vector or a matrix, the name of a value of the parameter's type, or a text.
Setting = float | str | Sequence[float] | Sequence[Sequence[float]]


def numbers(
    given: Mapping[str, Any], domains: Mapping[str, Domain], units: Mapping[str, str], texts: Collection[str] = ()
) -> dict[str, Any]:
    """The numbers for the runtime; signals, and values for `texts`, stay as they are. A text such as "10 kOhm" becomes
    the number in the unit of its variable. RunError for a name that is not a value of the type, for a value out of
    range, and for a unit that does not fit."""
    return {
        name: _text(name, value) if name in texts else _number(name, in_own_unit(name, value, units), domains.get(name))
        for name, value in given.items()
    }


def number_or_text(what: str, value: float | str) -> float | str:
    """The value of a structural parameter; RunError for a number that is not finite."""
    return value if isinstance(value, str) else finite_number(what, value)


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    what = f"the parameter '{name}' is a text and cannot be {value:g}" if isinstance(value, int | float) else ""
    raise RunError(
        "E605", what or f"the parameter '{name}' is a text and cannot vary", f'give it a text: {name} = "..."'
    )


def may_be_quantity(value: Any) -> bool:
    """True for a text that may be a number with a unit."""
    return isinstance(value, str) and value[:1] in tuple("+-.0123456789")


def in_own_unit(name: str, value: Any, units: Mapping[str, str]) -> Any:
    """The number that a text with a unit is; any other value as it is. RunError for a unit that does not fit."""
    if not may_be_quantity(value):
        return value
    from cutset.compiler.units.quantities import Misfit, split_quantity, value_in

    if split_quantity(value) is None:
        return value
    try:
        return value_in(value, units.get(name, ""))
    except Misfit as error:
        hint = f"write the number in {units[name]}" if units.get(name) else f'declare it: {name} (unit="...")'
        raise RunError("E605", f"'{name}' cannot be '{value}': {error}", hint) from error


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
    if which := beyond(value, domain.minimum, domain.maximum):
        what = f"the {domain.kind} '{name}' cannot be {value:g}, which is {which}"
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
