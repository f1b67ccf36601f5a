"""Finds Python functions that a model names: beside the model, else where Python looks for modules.

A module beside the model is loaded anew for each translation that is built, under a name of its own: two models may
have modules of the same name.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from cutset.contract.metadata import External
from cutset.runtime.errors import RunError


def functions_of(externals: Sequence[External]) -> list[Callable[..., Any] | None]:
    """The functions or classes, None for those in C and for FMUs. RunError E624 if one does not exist, or if its module
    raises an exception."""
    loaded: dict[str, ModuleType] = {}
    return [None if external.is_c or external.is_fmu else _function(external, loaded) for external in externals]


def _function(external: External, packages: dict[str, ModuleType]) -> Callable[..., Any]:
    target = external.target.removeprefix("python:")
    module, _, name = target.rpartition(".")
    what = "controller" if external.is_controller else "external function"
    try:
        loaded = _beside(Path(external.path), module, packages) if external.path else importlib.import_module(module)
        function = getattr(loaded, name)
    except Exception as error:  # a module may raise any exception when it is imported
        root = module.partition(".")[0]
        raise RunError(
            "E624",
            f"the {what} '{external.name}' does not exist: {target}",
            f"check the name; put {root}.py into the folder of the model or of PYTHONPATH, or install its package",
            [f"{type(error).__name__}: {error}"],
        ) from error
    if not callable(function):
        raise RunError("E624", f"the {what} '{external.name}' does not exist: {target} is not a function")
    return function  # type: ignore[no-any-return]


def _beside(path: Path, module: str, packages: dict[str, ModuleType]) -> ModuleType:
    """The module of a file or package beside the model; `module` may name a part of the package. `packages` holds what
    is loaded, by its name."""
    is_package = path.name == "__init__.py"
    folder = str(path.parent.parent if is_package else path.parent)
    root, dot, inner = module.partition(".")
    own = f"cutset_of_{hashlib.sha256(folder.encode()).hexdigest()[:16]}_{root}"
    with _first_on_path(folder):
        if own not in packages:
            packages[own] = _loaded(own, path, is_package)
        return importlib.import_module(f"{own}.{inner}") if dot else packages[own]


def _loaded(own: str, path: Path, is_package: bool) -> ModuleType:
    for name in [each for each in sys.modules if each == own or each.startswith(f"{own}.")]:
        del sys.modules[name]
    inside = [str(path.parent)] if is_package else None
    spec = importlib.util.spec_from_file_location(own, path, submodule_search_locations=inside)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a module of Python")
    made = importlib.util.module_from_spec(spec)
    sys.modules[own] = made
    spec.loader.exec_module(made)
    return made


@contextmanager
def _first_on_path(folder: str) -> Iterator[None]:
    """Lets the module import others beside it."""
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
