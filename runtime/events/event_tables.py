"""Lists what the loops of events in C know of a model: metadata -> tables of numbers, as c/driver.h names them."""

from __future__ import annotations

from collections.abc import Sequence

from cutset.contract.metadata import ModelInfo
from cutset.runtime.events.relations import truths_of_signs
from cutset.runtime.given.inputs import derivative_of
from cutset.runtime.targets.c_records import constant

# A relation chatters if being true makes it false and vice versa; it has Zeno behavior if infinitely many events happen
# in a finite time, as in a bouncing ball. More events of one relation in a row than this, each within this fraction of
# the run after the previous one, are without end; the last limit counts those in which it has not left its crossing.
_LIMITS = [20.0, 1e-9, 3.0, 1e-11, 5.0, 1e-3]
_KINDS = {
    "state": constant("OF_STATE"),
    "time": constant("OF_TIME"),
    "edge": constant("EDGE"),
    "sample": constant("SAMPLE"),
}
_DIRECTIONS = {"<": -1.0, "<=": -1.0, ">": 1.0, ">=": 1.0}


def integer_tables(info: ModelInfo) -> dict[str, Sequence[int]]:
    """The tables of integers in ``struct cutset_events`` that describe the model."""
    places = {k: j for j, k in enumerate(info.crossings)}
    restarted = list(dict.fromkeys(r.variable for r in info.competing_restarts))
    return {
        "kinds": [_KINDS[relation.kind] for relation in info.relations],
        "places": [places.get(k, -1) for k in range(len(info.relations))],
        "opposites": [relation.opposite for relation in info.relations],
        "timed": info.timed,
        "samples": [k for k, relation in enumerate(info.relations) if relation.kind == "sample"],
        "whens": info.whens,
        "branch_of": [assertion.branch for assertion in info.assertions],
        "terminates": [int(assertion.terminates) for assertion in info.assertions],
        "restarts": [n for r in info.competing_restarts for n in (restarted.index(r.variable), r.branch)],
        "continuous": info.continuous,
        "iterations": info.iterations,
        "moving": info.moving,
        **_of_rounds(info),
    }


def _of_rounds(info: ModelInfo) -> dict[str, Sequence[int]]:
    if not info.rounds:
        return {}
    branches, variables = range(sum(info.whens)), range(len(info.discrete))
    return {"rounds": [int(k in info.rounds) for k in branches], "settled": [int(k in info.settled) for k in variables]}


def jump_places(info: ModelInfo) -> list[int]:
    """The table of ``struct cutset_jumps``."""
    return [n for jump in info.jumps for n in (jump.offset, jump.rate)]


def steppable(info: ModelInfo) -> list[tuple[int, int]]:
    """The inputs whose derivative is an input too, but no further one, and that derivative, by number."""
    place = {name: k for k, name in enumerate(info.inputs)}
    slopes = [(k, derivative_of(name)) for k, name in enumerate(info.inputs)]
    return [(k, place[slope]) for k, slope in slopes if slope in place and derivative_of(slope) not in place]


def made_discrete(info: ModelInfo) -> list[int]:
    """For each discrete variable whether the compiler made it, to choose states."""
    return [int(name.startswith("$")) for name in info.discrete]


def number_tables(info: ModelInfo) -> dict[str, list[float]]:
    """The tables of other numbers."""
    return {
        "truths": truths_of_signs(info).ravel().tolist(),
        "directions": [_DIRECTIONS.get(relation.operator, 0.0) for relation in info.relations],
        "limits": _LIMITS,
    }
