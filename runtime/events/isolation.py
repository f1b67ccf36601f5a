"""Gives C what it needs to locate relations of time in advance: metadata -> tables and the memory of the search.

`c/isolate.h` does the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_long, sizeof
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutset.contract.metadata import ModelInfo, TimeCrossing
from cutset.runtime.events.interval_program import OPERATIONS, interval_program
from cutset.runtime.targets.c_records import IsolationData, Search, Window, address


@lru_cache(maxsize=64)
def isolation_tables(crossings: tuple[TimeCrossing, ...]) -> tuple[dict[str, list[int]], dict[str, list[float]]]:
    """The tables of integers and of other numbers, as ``struct cutset_isolation`` names them; `operations` has five
    integers for each of `numbers`."""
    integers: dict[str, list[int]] = {
        name: [] for name in ("operations", "tables", "firsts", "sides", "keys", "key_places")
    }
    numbers: dict[str, list[float]] = {"numbers": [], "points": []}
    for crossing in crossings:
        program, first = interval_program(crossing), len(numbers["numbers"])
        tables = len(integers["tables"]) // 3
        for each in program.operations:
            integers["operations"] += [OPERATIONS.index(each.op), *_arguments(each.op, each.args, first, tables)]
            if each.op in ("c", "m", "held"):
                integers["operations"][-4] = int(each.number)
            numbers["numbers"].append(each.number)
        for kind, *entry in program.tables:
            at, size = (entry[0], entry[1]) if kind == "points of c" else (len(numbers["points"]), len(entry[0]))
            integers["tables"] += [int(kind == "points of c"), at, size]
            numbers["points"] += [] if kind == "points of c" else [*entry[0], *entry[1]]
        ends = (0, program.values, program.slopes, len(program.operations))
        integers["firsts"] += [first + end for end in ends]
        integers["sides"] += [first + side if side >= 0 else -1 for side in program.sides]
        integers["keys"].append(len(integers["key_places"]))
        integers["key_places"] += sorted({int(each.number) for each in program.operations if each.op == "m"})
    integers["keys"].append(len(integers["key_places"]))
    return integers, numbers


def _arguments(op: str, args: Sequence[int], first: int, tables: int) -> list[int]:
    """Four arguments of an operation: operations from `first` on; the table is the third."""
    if op.startswith("interp1"):
        return [first + args[0], first, tables + args[1], first]
    return [*(first + k for k in args), *[first] * (4 - len(args))]


class Isolation:
    """The relations of `ModelInfo.isolated` and the functions of `ModelInfo.forcing` in one run. `data` is what C
    reads."""

    def __init__(self, info: ModelInfo):
        integers, numbers = isolation_tables((*info.isolated, *info.forcing))
        self._kept: list[NDArray[Any]] = []
        self.data = IsolationData(len(info.isolated), len(info.forcing))
        self._point_to({name: np.array(list_ or [0], dtype=c_long) for name, list_ in integers.items()})
        self._point_to({name: np.array(list_ or [0.0]) for name, list_ in numbers.items()})
        memory = {"results": 2 * len(numbers["numbers"]), "key_values": len(integers["key_places"]) or 1}
        n = len(info.forcing)
        memory |= {"searches": sizeof(Search) // 8 * (self.data.n + n), "windows": sizeof(Window) // 8 * n}
        self._point_to({name: np.zeros(n) for name, n in memory.items()})

    def _point_to(self, arrays: dict[str, NDArray[Any]]) -> None:
        for name, array in arrays.items():
            self._kept.append(array)
            setattr(self.data, name, address(array))
