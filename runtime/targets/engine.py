"""Defines what runs a model: a library in C with the loops and the functions of the model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass

if TYPE_CHECKING:
    from cutset.runtime.targets.c_functions import Functions
    from cutset.runtime.targets.controllers import Controllers

# Told of an exception that came in a function of the model in Python; ends the run.
Stop = Callable[[BaseException], None]


@dataclass(eq=False)
class Memories:
    """What runs leave for the next ones. `free` is memory that no run uses now: runs in several threads have one each;
    `solvers` are those of SUNDIALS, by family, and `layout` is that of their matrices."""

    free: list[Any] = field(default_factory=list)
    solvers: dict[str, list[Any]] = field(default_factory=dict)
    layout: Any = None


class Engine(ABC):
    """What runs a model in C: its metadata, the functions of the library, and the memories. The functions are called
    after `connect`, in the same thread. Functions of the model are in Python if it `calls_python`; several threads run
    it at the same time faster than one if it `has_threads`."""

    info: ModelInfo
    functions: Functions
    memories: Memories
    calls_python: bool
    has_threads: bool

    @abstractmethod
    def connect(self, controllers: Controllers | None = None, stop: Stop | None = None) -> None:
        """Let the library call the functions in Python of this model, the controllers, if given, and `stop`. Models
        share a library, so it is done before each call."""
