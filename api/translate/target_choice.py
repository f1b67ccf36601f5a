"""Resolves the option --target."""

from cutset.runtime.errors import RunError
from cutset.runtime.targets.build import preferred_target
from cutset.runtime.targets.names import TARGETS


def choose_target(target: str) -> str:
    """The target to use; 'auto' is C if a compiler is found, otherwise Python. RunError for an unknown name."""
    if target == "auto":
        return preferred_target()
    if target not in TARGETS:
        raise RunError(
            "E605", f"there is no target '{target}'", notes=["the targets are: " + ", ".join(("auto", *TARGETS))]
        )
    return target
