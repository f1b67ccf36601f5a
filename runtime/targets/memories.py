"""Keeps the memory and solvers of runs of a model in C that have ended, for the next ones."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from cutset.contract.quick_dataclass import dataclass


@dataclass(eq=False)
class Memories:
    """`free` are those that no run uses now: runs in several threads have one each; `solvers` are those of SUNDIALS, by
    family, and `layout` is that of their matrices."""

    free: list[Any] = field(default_factory=list)
    solvers: dict[str, list[Any]] = field(default_factory=dict)
    layout: Any = None
