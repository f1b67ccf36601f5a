"""Declares dataclasses without compiling methods for them: `dataclass` of the standard library, quicker to import.

The standard library compiles up to six methods for each class when its module is imported, which took nearly half of
the time in which a command translates a small model. Here one is compiled, `__init__`, when the first instance is made;
the others are closures. To type checkers this is `dataclasses.dataclass`, and `fields`, `replace` and `asdict` take its
instances. Its settings are those that our classes have, and `InitVar` is not supported. Subclasses are declared by it,
too.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, repr=True, eq=True, frozen=False, slots=False, kw_only=False):
        """The class with the methods of a dataclass; without a class, what makes them with these settings."""

        def made(cls):
            return _with_methods(cls, repr, eq, frozen, slots, kw_only)

        return made if cls is None else made(cls)


def _with_methods(cls: Any, has_repr: bool, has_eq: bool, frozen: bool, slots: bool, kw_only: bool) -> Any:
    own = dict(vars(cls))
    # Without a docstring the standard library would write one with the signature.
    cls.__doc__ = cls.__doc__ or ""
    cls = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    declared = dataclasses.fields(cls)
    compared = _values(tuple(f.name for f in declared if f.compare))
    if "__init__" not in own:
        cls.__init__, cls.__signature__ = _first_init(cls, frozen, slots), _Signature(cls)
    if has_repr and "__repr__" not in own:
        cls.__repr__ = _repr(tuple(f.name for f in declared if f.repr))
    if has_eq and "__eq__" not in own:
        cls.__eq__ = _eq(compared)
    if has_eq and own.get("__hash__") is None:
        cls.__hash__ = _hash(compared) if frozen else None
    if frozen:
        cls.__setattr__, cls.__delattr__ = _refusals(cls, frozenset(f.name for f in declared))
    if frozen and slots and "__getstate__" not in own:
        cls.__getstate__, cls.__setstate__ = _states(tuple(f.name for f in declared))
    return cls


def _values(names: tuple[str, ...]) -> Any:
    """A function from an instance to the values of its fields, in a tuple."""
    if not names:
        return lambda self: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda self: (get(self),)


def _repr(names: tuple[str, ...]) -> Any:
    @recursive_repr("...")
    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _eq(values: Any) -> Any:
    def __eq__(self: Any, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(values(self) == values(other))

    return __eq__


def _hash(values: Any) -> Any:
    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _refusals(cls: Any, names: frozenset[str]) -> tuple[Any, Any]:
    def __setattr__(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__


def _states(names: tuple[str, ...]) -> tuple[Any, Any]:
    """What pickles of instances with slots that cannot be set use."""

    def __getstate__(self: Any) -> list[object]:
        return [getattr(self, name) for name in names]

    def __setstate__(self: Any, state: list[object]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return __getstate__, __setstate__


class _Signature:
    """The signature of a class, for `inspect`; its subclasses have their own."""

    def __init__(self, owner: Any):
        self._owner = owner

    def __get__(self, instance: object, cls: Any) -> Any:
        import inspect

        if instance is not None or cls is not self._owner:
            raise AttributeError("__signature__")
        parameters = inspect.signature(_init(self._owner)).parameters.values()
        return inspect.Signature(list(parameters)[1:])


# The `__init__` of each class that has instances, and what it needs to be made.
_MADE: dict[Any, Any] = {}
_SETTINGS: dict[Any, tuple[bool, bool]] = {}


def _first_init(cls: Any, frozen: bool, slots: bool) -> Any:
    """An `__init__` that replaces itself by a compiled one when it is first called."""
    _SETTINGS[cls] = frozen, slots

    def __init__(self: Any, *arguments: object, **named: object) -> None:
        _init(cls)(self, *arguments, **named)

    return __init__


def _init(cls: Any) -> Any:
    """The compiled `__init__` of the class."""
    if cls not in _MADE:
        _MADE[cls] = cls.__init__ = _compiled_init(cls, *_SETTINGS[cls])
    return _MADE[cls]


def _compiled_init(cls: Any, frozen: bool, slots: bool) -> Any:
    names: dict[str, object] = {"MISSING": MISSING, "assign": object.__setattr__}
    given, named, body = ["self"], list[str](), list[str]()
    types: dict[str, object] = {}
    for f in dataclasses.fields(cls):
        default = f"default_{f.name}" if f.default is not MISSING or f.default_factory is not MISSING else ""
        value = f.name
        if f.default_factory is not MISSING:
            names[default] = f.default_factory
            value = f"{default}() if {f.name} is MISSING else {f.name}" if f.init else f"{default}()"
        elif default:
            names[default] = f.default
            value = f.name if f.init else default
        if f.init:
            shown = "" if not default else "=MISSING" if f.default_factory is not MISSING else f"={default}"
            (named if f.kw_only else given).append(f.name + shown)
            types[f.name] = f.type
        if f.init or f.default_factory is not MISSING or (default and slots):
            body.append(f"assign(self, {f.name!r}, {value})" if frozen else f"self.{f.name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join([*given, *(["*", *named] if named else [])])
    text = "\n ".join([f"def __init__({parameters}):", *(body or ["pass"])])
    exec(text, names)
    init: Any = names["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    init.__annotations__ = {**types, "return": None}
    return init
