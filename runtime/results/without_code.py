"""Stands for the model of a result that was pickled: its metadata without its functions."""

from __future__ import annotations

from typing import Any

from cutset.contract.metadata import ModelInfo
from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.errors import RunError


@dataclass(frozen=True)
class WithoutCode:
    """A `CompiledModel` of which each function is refused with RunError E605."""

    info: ModelInfo

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        hint = "load the model, and continue from the state of this result: model.simulate(..., start_from=run.state())"
        raise RunError("E605", "this result was pickled: it has the values of its run, but not the model", hint)
