"""Applies the start values that a run gives: names and numbers -> Values, and how messages name them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from cutset.contract.metadata import ModelInfo, start_parameter
from cutset.runtime.errors import RunError, unknown_name
from cutset.runtime.interface import CompiledModel, Values
from cutset.runtime.targets.binding import finite_number

_OF_THE_RUN = "given to the run"
# Two start values in a model are equal if they agree to about three digits.
_DIFFERENT, _NOTHING = 1e-3, 1e-9


def bound(model: CompiledModel, parameters: Mapping[str, float], initial: Mapping[str, float]) -> Values:
    """The values of a run with these parameters and start values. RunError for wrong names and values."""
    info = model.info
    check_names(info, initial)
    own = {start_parameter(name): value for name, value in initial.items() if name in info.given_starts}
    values = model.bind({**parameters, **own})
    s = values.s.copy()
    for name, value in initial.items():
        slot = info.names[name]
        if name not in info.given_starts:
            place = slot.index if slot.array == "x" else len(info.states) + slot.index - len(info.relations)
            s[place] = slot.sign * value
    return replace(values, s=s)


def check_names(info: ModelInfo, initial: Mapping[str, float]) -> None:
    """RunError for a name without a start value, a value that is not a number, and contradicting values."""
    known: dict[tuple[str, int], tuple[str, float]] = {}
    for name, value in initial.items():
        slot = info.names.get(name)
        if slot is None or (slot.array not in ("x", "m") and name not in info.given_starts):
            raise not_a_state(info, name, value)
        number = slot.sign * finite_number(f"the start value of '{name}'", value)
        other, first = known.setdefault((slot.array, slot.index), (name, number))
        if first != number:
            raise RunError(
                "E644",
                f"the start values of '{other}' and '{name}' contradict each other: they are the same quantity",
                "give only one of them, or values that agree",
                [f"{each} = {initial[each]!r} is {_OF_THE_RUN}" for each in (other, name)],
            )


def gives_all_states(info: ModelInfo, initial: Iterable[str]) -> bool:
    """True if these start values of a run determine each state that is integrated."""
    slots = {info.names[name] for name in initial}
    given = {slot.index for slot in slots if slot.array == "x"}
    integrated = range(len(info.states) - info.n_algebraic)
    return bool(integrated) and given.issuperset(integrated)


def differ(found: float, written: float) -> bool:
    """True if a start value is not the one that is written."""
    return abs(found - written) > _DIFFERENT * max(abs(found), abs(written)) + _NOTHING


def not_used(info: ModelInfo, values: Values, initial: Collection[str], starts: Callable[[str], float]) -> list[str]:
    """A note for each start value of the model that is not used because the run gives all states; `starts` are the
    values at which variables start."""
    if not gives_all_states(info, initial):
        return []
    first = len(info.states) + len(info.discrete)
    written = zip(info.start_checks, values.s[first:].tolist(), strict=False)
    return [
        f"the start value {value:.12g} of '{check.variable}' ({check.place}) is not used: the run gives all states"
        for check, value in written
        if check.variable not in initial and differ(starts(check.variable), value)
    ]


def not_a_state(info: ModelInfo, name: str, value: object) -> RunError:
    """The error for a start value of a variable that cannot have one."""
    slot = info.names.get(name)
    if name in info.folded or (slot is not None and slot.array == "p"):
        return RunError(
            "E604",
            f"'{name}' is not a state: it is a parameter",
            "give it with parameters={...}, or --set",
        )
    if slot is not None and slot.array == "u":
        return RunError(
            "E604",
            f"'{name}' is not a state: it is an input",
            "give its signal with inputs={...}, or --set for a constant",
        )
    among = {k: [name for name, _ in chosen] for k, chosen in info.picked}
    states = dict.fromkeys(each for k, state in enumerate(info.states) for each in among.get(k, [state]))
    if slot is None:
        return RunError("E602", *unknown_name("state", name, (*states, *info.discrete)))
    what = (
        "the run selects the states, and this is one of the candidates"
        if name in states
        else "the model computes it from others"
    )
    hint = f"write {name} = {value!r} between 'initial' and 'endinitial' in the model"
    if name in states and (f"{name}0" in info.parameters or f"{name}0" in info.folded):
        hint = f"give the parameter '{name}0', or {hint}"
    return RunError(
        "E604", f"'{name}' is not a state: {what}", hint, [f"the states are: {', '.join(states) or 'none'}"]
    )


def start_determined(name: str, notes: Iterable[str]) -> RunError:
    """The error for a start value of a run that the solution does not have."""
    return RunError(
        "E621",
        f"the start value of '{name}' cannot be given: the model determines it",
        "remove it, or remove what determines it: an initial equation, or the start value of another variable",
        list(notes),
    )


def place_in_run(info: ModelInfo, initial: Iterable[str], variable: str, place: str) -> str:
    """The place of a variable's start value for messages, `place` or the run, which gives start values to the variables
    `initial`."""
    slot = info.names.get(variable)
    for name in initial:
        found = info.names[name]
        if slot is not None and (found.array, found.index) == (slot.array, slot.index):
            return _OF_THE_RUN if name == variable else f"{_OF_THE_RUN} as '{name}'"
    return place
