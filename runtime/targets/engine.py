"""Defines what runs a model: a library in C with the loops and the functions of the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from cutset.contract.metadata import ModelInfo

if TYPE_CHECKING:
    from cutset.runtime.targets.c_functions import Functions
    from cutset.runtime.targets.controllers import Controllers
    from cutset.runtime.targets.memories import Memories

# Told of an exception that came in a function of the model in Python; ends the run.
Stop = Callable[[BaseException], None]


class Engine(Protocol):
    """What runs a model in C. Its functions are called after `connect`, in the same thread."""

    @property
    def info(self) -> ModelInfo:
        """The metadata of the model."""
        ...

    @property
    def functions(self) -> Functions:
        """Those of the library."""
        ...

    @property
    def memories(self) -> Memories:
        """What runs leave for the next ones."""
        ...

    @property
    def calls_python(self) -> bool:
        """True if functions of the model are in Python."""
        ...

    @property
    def has_threads(self) -> bool:
        """True if several threads run the model at the same time faster than one."""
        ...

    def connect(self, controllers: Controllers | None = None, stop: Stop | None = None) -> None:
        """Let the library call the functions in Python of this model, the controllers, if given, and `stop`. Models
        share a library, so it is done before each call."""
        ...
