"""Reads and writes ``model.json``: ModelInfo -> JSON text -> ModelInfo.

The text is one object: a ``version``, and the fields of `ModelInfo` by name. Records are tables, ``{"fields": [names],
"rows": [[values], ...]}``, so that field names are not repeated in each row. The rows of `names` are an object with the
names of the model as keys. A row is null where there is no record. Tuples are lists. A row of `jacobian` that contains
the first n states is written as the number n: dense rows are many and long. The fields in `_RARE` are written
unless they are 0 or empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from operator import attrgetter
from typing import Any

from cutset.contract import metadata
from cutset.contract.metadata import ModelInfo, Slot

# Increase it with each change of a field or a record, or of its meaning.
VERSION = 5

_RARE = (
    *("n_algebraic", "n_slopes", "n_multipliers", "n_outputs", "n_before", "has_opaque_forcing", "rounds", "settled"),
    *("equalities", "outputs", "alternative_starts", "residual_origins", "forcing", "jumps"),
    *("sensitivities", "texts"),
)
_FIELDS = tuple(field.name for field in fields(ModelInfo))


def _record_in(of_type: str) -> type[Any] | None:
    """The type of the records of which a tuple consists; None for one of other things."""
    found = re.match(r"tuple\[(\w+)", of_type)
    return getattr(metadata, found[1], None) if found else None


_RECORDS = {field.name: record for field in fields(ModelInfo) if (record := _record_in(str(field.type)))}


def model_json(info: ModelInfo) -> str:
    """The text that `model_info` reads."""
    data: dict[str, Any] = {"version": VERSION} | {name: getattr(info, name) for name in _FIELDS}
    for name in _RARE:
        if not data[name]:
            del data[name]
    for name, record in ((n, r) for n, r in _RECORDS.items() if n in data):
        data[name] = {"fields": _names(record), "rows": _rows(record, data[name])}
    data["names"] = {
        "fields": _names(Slot),
        "rows": dict(zip(info.names, _rows(Slot, info.names.values()), strict=True)),
    }
    data["jacobian"] = [len(row) if row and row[-1] == len(row) - 1 else row for row in info.jacobian]
    return json.dumps(data)


def model_info(text: str) -> ModelInfo:
    """The metadata in the text of ``model.json``. ValueError if the version differs, or if a field is missing, unknown
    or has the wrong number of values."""
    data = json.loads(text)
    version = data.pop("version", None) if isinstance(data, dict) else None
    if version != VERSION:
        raise ValueError(
            f"model.json has version {version}, but this Cutset reads version {VERSION}: translate the model again"
        )
    try:
        _check_fields("the model", {*_RARE, *data}, _FIELDS)
        info = ModelInfo(**{name: _field(name, value) for name, value in data.items()})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"model.json is damaged: {error}") from error
    if len(info.origins) != info.n_variables or len(info.constant_origins) != info.n_constants:
        raise ValueError("model.json: one origin for each y and one constant_origin for each c")
    if len(info.parameter_origins) != len(info.parameters):
        raise ValueError("model.json: one parameter_origin for each p")
    return info


def _field(name: str, value: Any) -> Any:
    """The value of a field as `ModelInfo` has it."""
    if name in _RECORDS:
        made = _records(name, _RECORDS[name], value["fields"], [row for row in value["rows"] if row is not None])
        return tuple(None if row is None else next(made) for row in value["rows"])
    if name == "names":
        places = list(map(tuple, value["rows"].values()))
        distinct = list(dict.fromkeys(places))  # aliases share them
        slots = dict(zip(distinct, _records(name, Slot, value["fields"], distinct), strict=True))
        return dict(zip(value["rows"], map(slots.__getitem__, places), strict=True))
    if name == "texts":
        return dict(value)
    if name == "folded":
        return {each: float(number) for each, number in value.items()}
    if name == "jacobian":
        first = {n: tuple(range(n)) for n in value if isinstance(n, int)}
        return tuple(first[row] if isinstance(row, int) else tuple(row) for row in value)
    return _tuples(value)


def _records(name: str, record: type[Any], written: list[str], rows: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """One record for each row; `written` names its values. Works column by column, since most time is spent here."""
    _check_fields(name, written, _names(record))
    columns = list(zip(*rows, strict=True)) or [()] * len(written)
    by_name = dict(zip(written, columns, strict=True))
    return map(record, *(_column(by_name[field.name], str(field.type)) for field in fields(record)))


def _column(values: Iterable[Any], of_type: str) -> Iterable[Any]:
    return map(_tuples, values) if "tuple" in of_type else values


def _check_fields(what: str, written: Iterable[str], known: tuple[str, ...]) -> None:
    differ = set(written).symmetric_difference(known)
    if differ:
        raise ValueError(f"fields of {what} are missing or unknown: {', '.join(sorted(differ))}")


def _names(record: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(record))


def _rows(record: type[Any], things: Iterable[Any]) -> list[Any]:
    values = attrgetter(*_names(record))
    return [None if thing is None else values(thing) for thing in things]


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
