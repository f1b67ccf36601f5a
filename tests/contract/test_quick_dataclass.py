"""Quick dataclasses behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar

import pytest

from cutset.contract import quick_dataclass

MAKERS: tuple[Callable[..., Any], ...] = (dataclasses.dataclass, quick_dataclass.dataclass)
SETTINGS: tuple[dict[str, bool], ...] = (
    {},
    {"frozen": True},
    {"eq": False},
    {"frozen": True, "eq": False, "repr": False},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "kw_only": True},
)


def declared(made: Callable[..., Any], settings: dict[str, bool]) -> tuple[Any, Any]:
    """A class with fields of all kinds, and a subclass."""

    class Base:
        count: ClassVar[int] = 3
        x: float
        name: str = "no name"
        parts: list[int] = field(default_factory=list)
        hidden: int = field(default=7, repr=False, compare=False)
        total: int = field(init=False, default=0)
        seen: list[float] = field(init=False, default_factory=list)

        def __post_init__(self) -> None:
            self.seen.append(self.x)

    base = made(**settings)(Base)

    class More(base):  # type: ignore[misc, valid-type]
        y: float = 2.0
        last: Any = field(default=None, kw_only=True)

    return base, made(**settings)(More)


def outcome(action: Callable[[], object]) -> object:
    """The result, or the type and text of the exception without the names of functions."""
    try:
        return action()
    except (TypeError, AttributeError) as error:
        return type(error), str(error).rpartition("() ")[2]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_instances_behave_alike(settings: dict[str, bool]) -> None:
    told = []
    for made in MAKERS:
        for cls in declared(made, settings):
            one, same = cls(x=1.5, parts=[1]), cls(x=1.5, parts=[1], hidden=8)
            actions: list[Callable[[], object]] = [
                lambda cls=cls: cls(),  # type: ignore[misc]
                lambda cls=cls: cls(1.0, "a", [], 1).name,  # type: ignore[misc]
                lambda cls=cls: cls(x=1.0, seen=[]),  # type: ignore[misc]
                lambda one=one, same=same: (one == same, one != same, one == 3, one == copy.copy(one)),  # type: ignore[misc]
                lambda one=one: repr(one).partition("(")[2] if settings.get("repr", True) else "",  # type: ignore[misc]
                lambda cls=cls: hash(cls(x=1.0, parts=())) if settings.get("eq", True) else 0,  # type: ignore[misc]
                lambda one=one: (one.hidden, one.total, one.seen, one.count),  # type: ignore[misc]
                lambda one=one: [f.name for f in dataclasses.fields(one)],  # type: ignore[misc]
                lambda one=one: dataclasses.asdict(one),  # type: ignore[misc]
                lambda one=one: dataclasses.asdict(dataclasses.replace(one, x=9.0)),  # type: ignore[misc]
                lambda one=one: dataclasses.asdict(copy.copy(one)),  # type: ignore[misc]
                lambda cls=cls: (cls.__match_args__, hasattr(cls, "__dict__"), cls.__hash__ is None),  # type: ignore[misc]
                lambda one=one: hasattr(one, "__dict__"),  # type: ignore[misc]
                lambda one=one: setattr(one, "x", 2.0),  # type: ignore[misc]
                lambda one=one: setattr(one, "other", 2.0) if not settings.get("slots") else None,  # type: ignore[misc]
                lambda one=one: delattr(one, "x") if settings.get("frozen") else None,  # type: ignore[misc]
            ]
            told.append([outcome(action) for action in actions])
    assert told[:2] == told[2:]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_signatures_are_known_before_and_after_the_first_instance(settings: dict[str, bool]) -> None:
    def text(cls: Any) -> str:
        return str(inspect.signature(cls)).replace("<factory>", "MISSING").split(" ->")[0]

    theirs, ours = (declared(made, settings) for made in MAKERS)
    before = [text(cls).replace(str(dataclasses.MISSING), "MISSING") for cls in ours]
    assert before == [text(cls) for cls in theirs]
    for cls in ours:
        cls(x=1.0)
    assert [text(cls).replace(str(dataclasses.MISSING), "MISSING") for cls in ours] == before


@quick_dataclass.dataclass(frozen=True, slots=True)
class Point:
    """Two coordinates."""

    x: float
    y: float = 0.0


@quick_dataclass.dataclass(frozen=True)
class Chain:
    """Refers to itself."""

    parts: list[Any]

    def __hash__(self) -> int:
        return 5


def test_pickles_and_own_methods() -> None:
    point = pickle.loads(pickle.dumps(Point(1.0, 2.0)))
    assert point == Point(1.0, 2.0) and hash(point) == hash(Point(1.0, 2.0)) and repr(point) == "Point(x=1.0, y=2.0)"
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 3.0
    chain = Chain([])
    chain.parts.append(chain)
    assert repr(chain) == "Chain(parts=[...])" and hash(chain) == 5
    nan = float("nan")
    assert Point(nan) == Point(nan) and Point(nan) != Point(float("nan"))  # as tuples, identical values are equal


def test_a_subclass_without_fields_has_its_own_signature() -> None:
    class Plain(Point):
        def __init__(self) -> None:
            super().__init__(1.0)

    assert str(inspect.signature(Plain)) == "() -> 'None'" and Plain().x == 1.0
