"""Calls the controllers of one run, each once at an instant, and keeps their states. Finds no functions.

A controller is a Python function or an object of a class with `__call__`, made anew for each run. An event may be
computed more than once: its passes repeat, or the loop in C leaves it to Python. Then the results of the first calls
are used again.
"""

from __future__ import annotations

import copy
import math
from array import array
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import Fault, FunctionFailure, RunError

if TYPE_CHECKING:
    from cutset.runtime.fmu.exchange import ExchangeFmus

# What has this number in the data is the state of the FMUs for model exchange.
_EXCHANGE = -1


class Implementation(Protocol):
    """The function or class of a controller; `has_state` is False for a function."""

    title: str
    size: int

    @property
    def has_state(self) -> bool:
        """True if each run has an object of its own."""

    def make(self, others: Sequence[Any]) -> Any:
        """What is called: the function, or a new object; `others` are those of the run that are made already, and its
        FMUs for model exchange. RunError E625 if it cannot be made."""

    def rest(self, made: Any) -> str:
        """Free what an object holds; its state can still be copied. What went wrong, '' if nothing."""

    def outcome(self, function: Any, given: Sequence[float]) -> tuple[list[float], Fault | None]:
        """The elements of the result for those of the arguments, and why it has none."""


@dataclass(frozen=True, slots=True)
class _Done:
    """A call: controller, time, the numbers of its arguments, and its outcome."""

    number: int
    time: float
    given: bytes
    result: list[float]
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class _Unsaved:
    """A state that could not be copied, and the reason."""

    reason: str


class Controllers:
    """The controllers of one run, by the numbers that their functions have in the model, and its FMUs for model
    exchange. RunError E625 if an object cannot be made."""

    def __init__(self, implementations: Mapping[int, Implementation], exchange: ExchangeFmus | None = None):
        self._of, self.exchange = implementations, exchange
        self._objects = dict[int, Any]()
        for k, each in implementations.items():
            self._objects[k] = each.make([*self._objects.values(), exchange])
        self._done: list[_Done] = []
        self._next = 0  # of `_done`, to be used again
        self._is_held = False

    def call(self, number: int, time: float, given: Sequence[float]) -> tuple[list[float], Fault | None]:
        """The outcome of a controller at this time for the elements of its arguments."""
        numbers = array("d", given).tobytes()
        known = self._known(number, time, numbers)
        if known is None and self._next < len(self._done):
            before = self._done[self._next]
            text = f"the controller {self._of[number].title} cannot be called again for an event that is repeated"
            notes = (f"at time {before.time!r} it was called with {list(array('d', before.given))}",)
            return [math.nan] * self._of[number].size, Fault("E625", text, notes)
        if known is None:
            if self._done and self._done[-1].time != time and not self._is_held:
                self._done.clear()
            result, fault = self._of[number].outcome(self._objects[number], given)
            known = _Done(number, time, numbers, result, fault)
            self._done.append(known)
            self._next = len(self._done)
        return known.result, known.fault

    def _known(self, number: int, time: float, given: bytes) -> _Done | None:
        """The equal call at this instant."""
        for k in range(min(self._next, len(self._done) - 1), -1, -1):
            done = self._done[k]
            if done.time != time and k < self._next:
                return None
            if (done.number, done.time, done.given) == (number, time, given):
                self._next = max(self._next, k + 1)
                return done
        return None

    def again_after(self, time: float) -> None:
        """All events after this time are computed again."""
        self._again(lambda done: done.time > time)

    def again_at(self, time: float) -> None:
        """The event at this time is computed again."""
        self._again(lambda done: done.time >= time)

    def _again(self, is_undone: Any) -> None:
        self._next = next((k for k, done in enumerate(self._done) if is_undone(done)), len(self._done))

    def hold(self) -> None:
        """Keep all calls from here on, until `release`: they belong to a step that may be done again."""
        self._done.clear()
        self._next, self._is_held = 0, True

    def release(self) -> None:
        """The step is done."""
        self._next, self._is_held = len(self._done), False

    def saved(self) -> dict[int, Any]:
        """Copies of the states, for `put_back`."""
        return {k: _copied_state(each) for k, each in self._objects.items() if self._of[k].has_state}

    def put_back(self, states: Mapping[int, Any]) -> None:
        """Give all controllers these states, and forget their calls. RunError E658 for one that could not be copied."""
        self._done.clear()
        self._next, self._is_held = 0, False
        for k, state in states.items():
            if isinstance(state, _Unsaved):
                raise self._error(k, "cannot be taken back to an earlier time", state.reason)
            _set_state(self._objects[k], state)

    def rest(self) -> list[str]:
        """Free what the controllers hold, such as processes; they can still be copied. What went wrong."""
        found = [self._of[k].rest(each) for k, each in self._objects.items()]
        found += [] if self.exchange is None else self.exchange.close()
        return [what for what in found if what]

    def copy(self) -> Controllers:
        """Controllers of another run with copies of the states. RunError E658 if a state cannot be copied."""
        try:
            made = Controllers(self._of, None if self.exchange is None else self.exchange.copy())
        except FunctionFailure as error:
            raise _not_saved(error) from error
        made.put_back(self.saved())
        return made

    def data(self) -> list[Any]:
        """The states as plain data. RunError E658 if one contains anything else."""
        found = []
        for k, each in self._objects.items():
            try:
                found.append([k, to_plain(each.__getstate__()) if self._of[k].has_state else None])
            except Exception as error:  # __getstate__ may raise anything
                reason = str(error) if isinstance(error, NotPlain) else f"{type(error).__name__}: {error}"
                raise self._error(k, "cannot be saved", reason) from error
        if self.exchange is not None:
            try:
                found.append([_EXCHANGE, to_plain(self.exchange.data())])
            except FunctionFailure as error:
                raise _not_saved(error) from error
        return found

    def with_data(self, data: Sequence[Any]) -> Controllers:
        """Controllers with the states of `data`. RunError E658 if a controller does not accept its state."""
        made = Controllers(self._of, self.exchange)
        for k, plain in data:
            try:
                if k == _EXCHANGE and self.exchange is not None:
                    self.exchange.restore(from_plain(plain))
                elif self._of[k].has_state:
                    _set_state(made._objects[k], from_plain(plain))
            except FunctionFailure as error:
                raise _not_saved(error) from error
            except Exception as error:  # __setstate__ may raise anything
                raise self._error(k, "cannot be restored", f"{type(error).__name__}: {error}") from error
        return made

    def _error(self, number: int, what: str, reason: str) -> RunError:
        hint = "define __getstate__ to return numbers, strings, lists, dictionaries or arrays, and __setstate__"
        return RunError("E658", f"the state of the controller {self._of[number].title} {what}", hint, [reason])


def _not_saved(error: FunctionFailure) -> RunError:
    return RunError("E658", str(error), "run the model from its start again, without saving or continuing it")


def _copied_state(controller: Any) -> Any:
    try:
        return copy.deepcopy(controller.__getstate__())
    except Exception as error:  # a part of the state may refuse to be copied with any exception
        return _Unsaved(f"{type(error).__name__}: {error}")


def _set_state(controller: Any, state: Any) -> None:
    """Set what `__getstate__` has returned, as pickle does."""
    if hasattr(controller, "__setstate__"):
        controller.__setstate__(copy.deepcopy(state))
        return
    own, slots = state if isinstance(state, tuple) else (state, None)
    if hasattr(controller, "__dict__"):
        controller.__dict__.clear()
        controller.__dict__.update(copy.deepcopy(own or {}))
    for name, value in (slots or {}).items():
        setattr(controller, name, copy.deepcopy(value))


# --- objects of Python as data for JSON; reading runs no code -------------------------------------

# Numbers, strings, None, lists, tuples, dictionaries, sets, deques and numpy arrays of numbers are plain.

_DEEPEST = 50


class NotPlain(Exception):
    """An object that is no plain data; the message names it and its place."""


def to_plain(value: Any, where: str = "its state", depth: int = 0) -> Any:
    """The value as data for JSON. NotPlain."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return {"array": value.ravel().tolist(), "shape": list(value.shape), "type": value.dtype.str}
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return value.item()
    if depth > _DEEPEST:
        raise NotPlain(f"{where} is nested deeper than {_DEEPEST} levels")
    if type(value) is dict:
        pairs = [
            [to_plain(key, f"a key of {where}", depth + 1), to_plain(item, f"{where}[{key!r}]", depth + 1)]
            for key, item in value.items()
        ]
        return {"dict": pairs}
    for kind in (list, tuple, set, deque):
        if type(value) is kind:
            items = [to_plain(item, f"{where}[{k}]", depth + 1) for k, item in enumerate(value)]
            most = {"most": value.maxlen} if isinstance(value, deque) else {}
            return {kind.__name__: items, **most}
    raise NotPlain(f"{where} is a {type(value).__name__}")


def from_plain(data: Any) -> Any:
    """What `to_plain` was given. Recursion is over its nesting, which JSON limits."""
    if not isinstance(data, dict):
        return data
    if "array" in data:
        return np.array(data["array"], dtype=data["type"]).reshape(data["shape"])
    if "dict" in data:
        return {from_plain(key): from_plain(item) for key, item in data["dict"]}
    name = next(iter(data))
    items = [from_plain(item) for item in data[name]]
    if name == "deque":
        return deque(items, data["most"])
    made: Any = {"list": list, "tuple": tuple, "set": set}[name](items)
    return made
