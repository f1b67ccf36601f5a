"""Builds a runnable model from generated files, by their target."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from cutset.contract.metadata import UNREDUCED, ModelInfo, SourceFiles
from cutset.contract.model_json import model_info
from cutset.runtime.interface import CompiledModel

# The default is the first target that is available.
_PREFERRED = ("c", "python")


class Target(Protocol):
    """A module that runs the code of one target: one of `cutset.runtime.targets.names.TARGETS`."""

    SOURCE: str
    """The name of the file that holds the code."""

    def is_available(self) -> bool:
        """True if this machine can run the target."""

    def load(self, info: ModelInfo, files: SourceFiles, unreduced: CompiledModel | None = None) -> CompiledModel:
        """The model in these files, ready to run, beside the unreduced one. RunError or BuildError if it cannot be
        built."""


def target_named(name: str) -> Target:
    """The module of a target."""
    return cast(Target, import_module(f"cutset.runtime.targets.{name}_model"))


def preferred_target() -> str:
    """'c' if a compiler is found, otherwise 'python'. RunError E608 if CC names a compiler that does not exist."""
    return next(name for name in _PREFERRED if target_named(name).is_available())


def build(files: SourceFiles, target: str | None = None) -> CompiledModel:
    """The model in these files, ready to run. `files` may hold the code of several targets.

    `target` is one of `TARGETS`; None means the target of the files, the preferred one if there are several. RunError
    E608 if 'c' is required and no compiler is found, BuildError if the compiler fails, KeyError if the files lack the
    target's code.
    """
    module = target_named(target or _target_of(files))
    whole = {name.removeprefix(UNREDUCED): text for name, text in files.items() if name.startswith(UNREDUCED)}
    unreduced = module.load(model_info(whole["model.json"]), whole) if whole else None
    return module.load(model_info(files["model.json"]), files, unreduced)


def _target_of(files: SourceFiles) -> str:
    held = [name for name in _PREFERRED if target_named(name).SOURCE in files]
    return next((name for name in held if target_named(name).is_available()), held[0])
