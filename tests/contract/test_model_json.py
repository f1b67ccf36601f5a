"""model.json: what is written is read back, by name; another version is refused."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args, get_type_hints

import pytest

from cutset.contract import metadata
from cutset.contract.metadata import ModelInfo
from cutset.contract.model_json import VERSION, model_info, model_json

EXPRESSION = metadata.ExpressionOrigin("a/b", (0,), (), "m.mo:2:5", "  x = a/b", 7, 3, "s")
EMPTY = ModelInfo(
    name="M",
    states=(),
    inputs=(),
    parameters=(),
    names={},
    origins=(),
    folded={},
    constant_origins=(),
    parameter_origins=(),
    limits=(),
    n_constants=0,
    n_work=0,
    n_variables=0,
    faults=(),
    open_systems=(),
    externals=(),
    iterations=(),
)
FULL = replace(
    EMPTY,
    states=("x", "$states1.1"),
    inputs=("u",),
    parameters=("a", "b"),
    names={"x": metadata.Slot("x", 0, 1), "y": metadata.Slot("y", 0, -1)},
    origins=(metadata.Origin("y", "y = 2*x", "m.mo:3:5", "s"),),
    folded={"n": 2.0},
    constant_origins=(EXPRESSION, None),
    parameter_origins=(None, replace(EXPRESSION, constants=(1,))),
    limits=(metadata.Limit(0, None, 2.5, "m.mo:1:3"),),
    n_constants=2,
    n_work=7,
    n_variables=1,
    n_watched=1,
    n_algebraic=2,
    n_slopes=1,
    n_multipliers=1,
    residual_origins=(metadata.Origin("z", "z = x", "m.mo:4:5", "s"),),
    outputs=("y",),
    n_outputs=2,
    sensitivities=("a",),
    faults=("f has no end",),
    open_systems=("the currents of a loop",),
    externals=(metadata.External("f", "p.q", ((), (2, 2)), ((None,), (1.0, None, 0.0, 1.0)), (3,)),),
    iterations=(2,),
    closings=(metadata.Closing(("y",), ("s",), (("y", True), ("z", False))),),
    guards=((0, "sqrt(x)"), (-1, "log(y)")),
    jacobian=((0, 1), (1,)),
    has_jacobian=True,
    delays=("d",),
    relations=(metadata.Relation("x > 0", ">", "state", "m.mo:4:5", "s", True),),
    discrete=("n",),
    equalities=((0, "x == 0"),),
    crossings=(0,),
    time_events=(0,),
    isolated=(metadata.TimeCrossing(0, 1, 0, (("number", 2.0), ("time",), ("points", (0.0, 1.0), (2.0, 3.0)))),),
    forcing=(metadata.TimeCrossing(-1, 2, 1, (("number", 2.0), ("time",), ("sin", 1))),),
    has_opaque_forcing=True,
    whens=(2,),
    when_places=("m.mo:4:3", ""),
    rounds=(1,),
    settled=(0,),
    jumps=(metadata.Jump(0, 1, "u = v", "m.mo:7:3", "s"),),
    n_before=1,
    competing_restarts=(metadata.CompetingRestart("n", 1, "m.mo:6:7", "s"),),
    assertions=(metadata.Assertion("x < 3", False, -1, "m.mo:5:5", "s", 1, True, True),),
    continuous=(0,),
    moving=(0,),
    picked=((1, (("x", 0),)),),
    start_checks=(metadata.StartCheck("y", "m.mo:7:5", (("x", "m.mo:8:5"),), (("x = 1", "m.mo:9:5"),)),),
    start_conditions=(metadata.StartCondition("y = 1", "m.mo:9:5", (("x = 1", "m.mo:8:5"),)),),
    choosing_starts=("y",),
    default_starts=("a",),
    weak_starts=("b",),
    given_starts=("y",),
    alternative_starts=((0, 1, 0, -1),),
    remarks=("y = 1 is left out",),
    texts={"mode": "fast"},
)


def test_every_field_is_read_back() -> None:
    assert model_info(model_json(EMPTY)) == EMPTY
    assert model_info(model_json(FULL)) == FULL
    same = {field.name for field in fields(ModelInfo) if getattr(FULL, field.name) == getattr(EMPTY, field.name)}
    assert same == {"name"}  # a new field needs a value in FULL


def test_every_record_of_the_metadata_has_names_in_the_text() -> None:
    """Reads the types of the fields: a new record that the text holds by position fails here."""
    data = json.loads(model_json(FULL))
    for name, of_field in get_type_hints(ModelInfo).items():
        records = [each for each in arguments_of(of_field) if is_dataclass(each)]
        assert bool(records) == (isinstance(data[name], dict) and "fields" in data[name]), name
        assert not records or data[name]["fields"] == [field.name for field in fields(records[0])]


def arguments_of(annotation: Any) -> set[Any]:
    found = {annotation}
    for each in get_args(annotation):
        found |= arguments_of(each)
    return found


def test_the_order_of_the_fields_of_a_record_is_of_no_concern() -> None:
    data = json.loads(model_json(FULL))
    for table in [each for each in data.values() if isinstance(each, dict) and "fields" in each]:
        rows = table["rows"]
        turned = [None if row is None else row[::-1] for row in (rows.values() if isinstance(rows, dict) else rows)]
        table["rows"] = dict(zip(rows, turned, strict=True)) if isinstance(rows, dict) else turned
        table["fields"].reverse()
    assert model_info(json.dumps(data)) == FULL


@pytest.mark.parametrize("version", [None, 0, VERSION + 1, str(VERSION)])
def test_another_version_is_refused(version: object) -> None:
    data = {**json.loads(model_json(EMPTY)), "version": version}
    with pytest.raises(ValueError, match=f"has version {version}, but this Cutset reads version {VERSION}: translate"):
        model_info(json.dumps(data))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"n_work"', '"n_werk"', "damaged: fields of the model are missing or unknown: n_werk, n_work"),
        ('"operator"', '"operators"', "fields of relations are missing or unknown: operator, operators"),
        ('"n_variables": 1', '"n_variables": 3', "one origin for each y"),
        ('"parameters": ["a", "b"]', '"parameters": ["a"]', "one parameter_origin for each p"),
        ('["x", 0, 1]', '["x", 0]', "damaged: zip"),
        ('"rows": [["f"', '"raws": [["f"', "damaged: 'rows'"),
    ],
)
def test_what_is_missing_or_unknown_is_named(old: str, new: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        model_info(model_json(FULL).replace(old, new, 1))


@pytest.mark.parametrize("text", ["[]", "1", "null", "{"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        model_info(text)
