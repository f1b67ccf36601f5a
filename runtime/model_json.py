"""model.json -> ModelInfo, and back: one object with exactly the fields of `ModelInfo`.

A `Slot` is ``[array, index, sign]``, an `Origin` ``[variable, equation, place, instance]``, an `ExpressionOrigin` its
fields or null; tuples are lists, mappings are objects. A row of `jacobian` that has the first n states is the number n:
where all depends on all, rows are many and long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cutset.runtime.closings import closings_of
from cutset.runtime.interface import (
    Assertion,
    ExpressionOrigin,
    External,
    Limit,
    ModelInfo,
    Origin,
    Relation,
    Rival,
    Slot,
    StartCheck,
    StartCondition,
    TimeCrossing,
)

# Fields that are tuples of what JSON has itself.
_LISTS = (
    "states",
    "inputs",
    "parameters",
    "iterations",
    "faults",
    "open_systems",
    "discrete",
    "crossings",
    "instants",
    "whens",
    "delays",
    "continuous",
    "moving",
    "choosing_starts",
    "default_starts",
    "remarks",
)


def model_info(text: str) -> ModelInfo:
    """The metadata in the text of ``model.json``. ValueError where a field is missing, unknown or counted wrongly."""
    data = json.loads(text)
    fields = set(ModelInfo.__dataclass_fields__)
    if set(data) != fields:
        raise ValueError(f"model.json: fields that differ: {sorted(fields.symmetric_difference(data))}")
    info = ModelInfo(**{**data, **{name: tuple(data[name]) for name in _LISTS}, **_records(data)})
    if len(info.origins) != info.n_variables or len(info.constant_origins) != info.n_constants:
        raise ValueError("model.json: one origin for each y and one constant_origin for each c")
    if len(info.parameter_origins) != len(info.parameters):
        raise ValueError("model.json: one parameter_origin for each p")
    return info


def _records(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that hold records."""
    return {
        "names": {name: Slot(*slot) for name, slot in data["names"].items()},
        "origins": tuple(Origin(*origin) for origin in data["origins"]),
        "folded": {name: float(value) for name, value in data["folded"].items()},
        "constant_origins": tuple(map(_expression, data["constant_origins"])),
        "parameter_origins": tuple(map(_expression, data["parameter_origins"])),
        "limits": tuple(Limit(*limit) for limit in data["limits"]),
        "externals": tuple(_external(*external) for external in data["externals"]),
        "relations": tuple(Relation(*relation) for relation in data["relations"]),
        "rivals": tuple(Rival(*rival) for rival in data["rivals"]),
        "assertions": tuple(Assertion(*assertion) for assertion in data["assertions"]),
        "jacobian": _pattern(data["jacobian"]),
        "guards": tuple((variable, text) for variable, text in data["guards"]),
        "start_checks": tuple(
            StartCheck(name, place, tuple(states), tuple(map(tuple, others)))
            for name, place, states, others in data["start_checks"]
        ),
        "start_conditions": tuple(
            StartCondition(text, place, is_value, tuple(map(tuple, others)))
            for text, place, is_value, others in data["start_conditions"]
        ),
        "closings": closings_of(data["closings"]),
        "picked": tuple((k, tuple((name, number) for name, number in chosen)) for k, chosen in data["picked"]),
        "isolated": tuple(
            TimeCrossing(k, left, right, tuple(map(tuple, tape))) for k, left, right, tape in data["isolated"]
        ),
    }


def model_json(info: ModelInfo) -> str:
    """The text that `model_info` reads."""
    data: dict[str, Any] = {name: getattr(info, name) for name in ModelInfo.__dataclass_fields__}
    data["names"] = {name: (s.array, s.index, s.sign) for name, s in info.names.items()}
    data["origins"] = [(o.variable, o.equation, o.place, o.instance) for o in info.origins]
    for field in ("constant_origins", "parameter_origins"):
        data[field] = [None if origin is None else tuple(asdict(origin).values()) for origin in data[field]]
    data["limits"] = [tuple(asdict(limit).values()) for limit in info.limits]
    data["externals"] = [(e.name, e.target, e.shapes, e.constants, e.result) for e in info.externals]
    data["isolated"] = [(c.relation, c.left, c.right, c.tape) for c in info.isolated]
    data["relations"] = [tuple(asdict(r).values()) for r in info.relations]
    data["start_checks"] = [tuple(asdict(check).values()) for check in info.start_checks]
    data["start_conditions"] = [tuple(asdict(condition).values()) for condition in info.start_conditions]
    data["rivals"] = [tuple(asdict(r).values()) for r in info.rivals]
    data["assertions"] = [tuple(asdict(a).values()) for a in info.assertions]
    return json.dumps(data, indent=1)


def _pattern(rows: list[Any]) -> tuple[tuple[int, ...], ...]:
    whole = {n: tuple(range(n)) for n in rows if isinstance(n, int)}
    return tuple(whole[row] if isinstance(row, int) else tuple(row) for row in rows)


def _expression(origin: list[Any] | None) -> ExpressionOrigin | None:
    if origin is None:
        return None
    text, parameters, constants, *where = origin
    return ExpressionOrigin(text, tuple(parameters), tuple(constants), *where)


def _external(name: str, target: str, shapes: list[Any], constants: list[Any], result: list[int]) -> External:
    return External(name, target, tuple(map(tuple, shapes)), tuple(map(tuple, constants)), tuple(result))
