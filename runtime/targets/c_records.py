"""Gives ctypes the structures of C, which it reads from their headers, and addresses of arrays."""

from __future__ import annotations

import ctypes
import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from ctypes import CFUNCTYPE, POINTER, Structure, c_double, c_int, c_long, c_ssize_t, c_void_p
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cutset.runtime.targets.c_files import c_files

InputsCallback = CFUNCTYPE(None, c_double, POINTER(c_double))
ResidualsCallback = CFUNCTYPE(None, c_void_p, c_void_p)
StateCallback = CFUNCTYPE(None, c_void_p, c_double, c_void_p)
ScriptedCallback = CFUNCTYPE(None, c_int, c_double, POINTER(c_void_p), POINTER(c_int))
AgainCallback = CFUNCTYPE(None, c_double)
NoiseCallback = CFUNCTYPE(None, c_double, c_void_p, c_void_p, c_void_p)
ExternalCallback = CFUNCTYPE(None, c_int, POINTER(c_double), POINTER(c_double))

_HEADERS = ("driver.h", "jacobian.h", "solver.h", "python_calls.h", "lane_run.h", "scripted.h")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STRUCTURE = re.compile(r"^struct (cutset_\w+) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
_ENUM = re.compile(r"^enum (?:\w+ )?\{(.*?)\};", re.MULTILINE | re.DOTALL)
# The type and all names of a declaration without `const`; each with its stars and its number of elements.
_DECLARATION = re.compile(r"\s*(struct \w+|\w+)\s+(.*)", re.DOTALL)
_NAME = re.compile(r"(\**)\s*(\w+)(?:\[(\w+)\])?")
# Work memory: the type, the names, and the number of elements.
_SIZED = re.compile(r"^ *(double|long) ([^;]*); */\* \[(.+?)\]", re.MULTILINE)
_FUNCTION = re.compile(r"\(\*(\w+)\)")
_KINDS: dict[str, Any] = {"double": c_double, "long": c_long, "int": c_int, "ptrdiff_t": c_ssize_t}
_NAMES: dict[type[Structure], str] = {}
_Record = TypeVar("_Record", bound=type[Structure])


@functools.cache
def _declared() -> tuple[dict[str, str], dict[str, int]]:
    """The text within each structure of C, without comments; and the constants that are numbers."""
    text = "".join(_COMMENT.sub("", c_files()[name]) for name in _HEADERS)
    return dict(_STRUCTURE.findall(text)), {name: n for each in _ENUM.findall(text) for name, n in _numbered(each)}


def _numbered(names: str) -> Iterator[tuple[str, int]]:
    """The constants of an enum with their numbers."""
    number = -1
    for each in names.split(","):
        name, _, given = each.partition("=")
        number = int(given) if given else number + 1
        if name.strip():
            yield name.strip(), number


def constant(name: str) -> int:
    """The number of a constant of C in these headers."""
    return _declared()[1][name]


def _fields(structure: str) -> list[tuple[str, Any]]:
    """Names and types of its fields, in order; all pointers are addresses."""
    texts, constants = _declared()
    found: list[tuple[str, Any]] = []
    for member in texts[structure].replace("const ", "").split(";")[:-1]:
        function, declared = _FUNCTION.search(member), _DECLARATION.match(member)
        if function is not None:
            found.append((function[1], c_void_p))
            continue
        assert declared is not None, f"unknown declaration in {structure}: {member}"
        for stars, name, count in _NAME.findall(declared[2]):
            kind = c_void_p if stars else _kind(declared[1])
            found.append((name, kind * (constants[count] if count in constants else int(count)) if count else kind))
    return found


@functools.cache
def _kind(name: str) -> Any:
    """The type of ctypes for this one of C."""
    if name in _KINDS:
        return _KINDS[name]
    structure = name.removeprefix("struct ")
    record = type(structure, (Structure,), {"_fields_": _fields(structure)})
    _NAMES[record] = structure
    return record


def _as_in_c(structure: str) -> Callable[[_Record], _Record]:
    """The class gets the fields of this structure."""

    def complete(record: _Record) -> _Record:
        record._fields_ = _fields(structure)
        _KINDS[f"struct {structure}"], _NAMES[record] = record, structure
        return record

    return complete


@_as_in_c("cutset_library")
class Library(Structure):
    """The functions of SUNDIALS."""


@_as_in_c("cutset_slopes")
class Slopes(Structure):
    """The Jacobian of the right-hand side."""


@_as_in_c("cutset_history")
class HistoryData(Structure):
    """Delayed signals."""


@_as_in_c("cutset_data")
class Data(Structure):
    """The data of one run."""


@_as_in_c("cutset_tableau")
class TableauData(Structure):
    """An explicit Runge-Kutta method."""


@_as_in_c("cutset_sundials")
class Solver(Structure):
    """A solver of SUNDIALS."""


@_as_in_c("cutset_points")
class Points(Structure):
    """The points at which a function is computed."""


@_as_in_c("cutset_tally")
class Tally(Structure):
    """What a run counts."""


@_as_in_c("cutset_isolation")
class IsolationData(Structure):
    """Relations whose instants are found in advance."""


@_as_in_c("cutset_failure")
class FailureData(Structure):
    """Why a run in C has failed."""


@_as_in_c("cutset_events")
class EventData(Structure):
    """The data of a run with events."""


@_as_in_c("cutset_quantity")
class Quantity(Structure):
    """A quantity that many runs set or record."""


@_as_in_c("cutset_row")
class RowData(Structure):
    """A run that stands still between steps."""


@_as_in_c("cutset_rows")
class RowsData(Structure):
    """Runs that go on in steps."""


@_as_in_c("cutset_many")
class ManyData(Structure):
    """Many runs."""


@_as_in_c("cutset_lane_run")
class LaneRun(Structure):
    """The memory of several runs that advance together."""


Control, Limit, Written, Wanted, StartData, SignalsData, Search, Window, Call = (
    _kind(f"struct cutset_{name}")
    for name in ("control", "limit", "written", "wanted", "start", "signals", "search", "window", "call")
)


@functools.cache
def work_memory(structure: str) -> list[tuple[str, str, str]]:
    """The name, the type and the size of each array of work memory of this structure; the size is a sum of products of
    numbers and names."""
    (text,) = (text for file in _HEADERS for name, text in _STRUCTURE.findall(c_files()[file]) if name == structure)
    return [(name.strip("* "), kind, size) for kind, names, size in _SIZED.findall(text) for name in names.split(",")]


@functools.lru_cache(maxsize=256)
def _sizes_of(structure: str, sizes: tuple[tuple[str, int], ...]) -> dict[str, int]:
    numbers = dict(sizes)

    def number_of(product: str) -> int:
        return math.prod(int(factor) if factor.isdigit() else numbers[factor] for factor in product.split("*"))

    return {name: sum(map(number_of, size.split(" + "))) for name, _, size in work_memory(structure)}


def sizes_of(structure: str, sizes: Mapping[str, int]) -> Mapping[str, int]:
    """How many numbers each array of its work memory has."""
    return _sizes_of(structure, tuple(sizes.items()))


def place_memory(records: Iterable[Structure], sizes: Mapping[str, int]) -> NDArray[np.float64]:
    """Let the arrays of work memory that point to nothing point to parts of the array that is returned: keep it."""
    at, unset = [0], list[tuple[Structure, str]]()
    for record in records:
        for name, size in sizes_of(_NAMES[type(record)], sizes).items():
            if getattr(record, name) is None:
                unset.append((record, name))
                at.append(at[-1] + size)
    memory = np.zeros(at[-1])
    first = address(memory)
    for (record, name), k in zip(unset, at, strict=False):
        setattr(record, name, first + memory.itemsize * k)
    return memory


def numbers_at(place: int | None, count: int) -> NDArray[np.float64]:
    """A view of so many numbers there."""
    return np.frombuffer((c_double * count).from_address(place or 0)) if count else np.zeros(0)  # type: ignore[call-overload]


_NOTHING = ctypes.c_double()
_NO_NUMBERS = ctypes.addressof(_NOTHING)


def address(array: NDArray[Any]) -> int:
    """The address of the numbers of a contiguous array; the caller keeps the array alive. Not zero for an empty
    array."""
    if array.size == 0:  # ctypes refuses it, and the exception costs ten times as much
        return _NO_NUMBERS
    try:
        numbers: Any = array
        return ctypes.addressof(ctypes.c_char.from_buffer(numbers))
    except (TypeError, ValueError):  # a read-only array; slower
        pointer: int = array.__array_interface__["data"][0]
        return pointer
