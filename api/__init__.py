"""Cutset: physical models written as equations, translated and simulated.

    import cutset
    model = cutset.load("models/rc.mo")
    run = model.simulate(stop=2.0, parameters={"R.R": 50.0})
    run["C.u"]; run.to_csv("rc.csv"); run.plot("C.u")

The names are resolved when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cutset.compiler.diagnostics import ModelError as ModelError
    from cutset.model import Model as Model
    from cutset.model import load as load
    from cutset.runtime.errors import RunError as RunError
    from cutset.runtime.result import Result as Result

_HOME = {
    "load": "cutset.model",
    "Model": "cutset.model",
    "Result": "cutset.runtime.result",
    "ModelError": "cutset.compiler.diagnostics",
    "RunError": "cutset.runtime.errors",
}
__all__ = ["Model", "ModelError", "Result", "RunError", "load"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'cutset' has no attribute '{name}'")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
