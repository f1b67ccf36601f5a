"""Reads how co-simulated FMUs are connected: their branches and variables, and cycles that no FMU can iterate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from cutset.compiler.expressions.pool import Expr
from cutset.compiler.expressions.walk import reachable
from cutset.compiler.flatten.model import EquationSystem
from cutset.compiler.sort.system import SolvedEvents
from cutset.contract.fmu_events import STEP
from cutset.contract.metadata import External

# The arguments of a controller before its own.
_BEFORE = 2

# The component and the name of an output of its FMU.
_Output = tuple[str, str]


class Connections:
    """The outputs of FMUs on which inputs depend at the same instant; `rounds` and `settled` as in `ModelInfo`."""

    def __init__(self, system: EquationSystem, events: SolvedEvents):
        self.rounds, self.settled = _rounds_of(system)
        calls = [(system.discrete[k].node, next(_calls(events.discrete[k]))) for k in self.settled]
        self._calls = {call.data.foreign.instance: call for _, call in calls}
        owner, numbers = dict[Expr, _Output](), Counter[str]()
        for node, call in calls:
            foreign = call.data.foreign
            number = numbers[foreign.instance]
            numbers[foreign.instance] += 1
            if number < len(foreign.names[2]):
                owner[node] = foreign.instance, foreign.names[2][number]
        self._uses = {name: _uses(call, owner) for name, call in self._calls.items()}

    def cyclic(self, external: External) -> External:
        """The FMU with the outputs that act on its own inputs."""
        mine = external.instance
        back = self._reaching(mine) if mine in self._uses else set[str]()
        used = {o for name in back for outputs in self._uses[name].values() for o in outputs if o[0] == mine}
        return replace(external, cyclic=tuple(o for o in external.names[2] if (mine, o) in used)) if used else external

    def _reaching(self, name: str) -> set[str]:
        """The FMUs whose outputs act on this one, and itself."""
        return {other for other in self._uses if other == name or other in self._sources(name, direct=False)}

    def _sources(self, name: str, direct: bool, first: str = "") -> set[str]:
        """The FMUs whose outputs act on this one, through its input `first` if that is given."""
        found, waiting = set[str](), [(name, first)]
        while waiting:
            at, only = waiting.pop()
            used = self._calls[at].data.foreign.names[3] if direct else tuple(self._uses[at])
            for each in (only,) if only else used:
                others = {instance for instance, _ in self._uses[at].get(each, ())} - found
                found |= others
                waiting += [(other, "") for other in others]
        return found

    def delayed(self) -> tuple[str, ...]:
        """A remark on each FMU that is in a cycle of direct dependences, and cannot repeat its steps."""
        found = []
        for name, call in self._calls.items():
            foreign = call.data.foreign
            late = [u for u in foreign.names[4] if name in self._sources(name, True, u)]
            if late:
                file = foreign.target.removeprefix("fmu:")
                found.append(
                    f"{name}: the input {late[0]} of {file} may depend on its outputs at the same instant, and these on"
                    f" {late[0]}, but it cannot repeat a step (canGetAndSetFMUState is false), so that {late[0]} is one"
                    " step late: use an FMU that can save its state, or model exchange"
                )
        return tuple(found)


def _rounds_of(system: EquationSystem) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The fields `rounds` and `settled`: an FMU is called for a step in the first branch of its `when`, and for rounds
    in the others."""
    if not system.pool.has_controllers:
        return (), ()
    places = {d.node: k for k, d in enumerate(system.discrete)}
    rounds, settled, number = list[int](), set[int](), 0
    for when in system.events.whens:
        for k, branch in enumerate(when.branches):
            called = [update.target for update in branch.updates if k and any(_calls(update.value))]
            if called:
                rounds.append(number)
                settled |= {places[target] for target in called}
            number += 1
    return tuple(rounds), tuple(sorted(settled))


def _calls(e: Expr) -> Iterator[Expr]:
    """The calls of FMUs that step."""
    for node in reachable([e]):
        if node.op == "apply" and node.data.name == STEP and node.data.foreign is not None and node.data.foreign.names:
            yield node


def _uses(call: Expr, owner: Mapping[Expr, _Output]) -> dict[str, set[_Output]]:
    """For each input the outputs on which it depends."""
    foreign, given = call.data.foreign, list(call.args[_BEFORE:])
    values = [given.pop(0) if c is None else None for constants in foreign.constants for c in constants]
    inputs = zip(foreign.names[1], values[len(values) - len(foreign.names[1]) :], strict=True)
    return {name: {owner[v] for v in reachable([e]) if v in owner} for name, e in inputs if e is not None}
