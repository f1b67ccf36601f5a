"""Finds and loads SUNDIALS from the scikit-sundae wheel; gives C the addresses of its functions. Integrates nothing.

Needs no headers and no linking: c/driver.h has the functions of SUNDIALS 7 (user guides of CVODE and IDA).
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
from collections.abc import Sequence
from ctypes import c_void_p
from pathlib import Path
from typing import Any

from cutset.contract.quick_dataclass import dataclass
from cutset.runtime.targets.c_records import Library

# The direct solver for sparse matrices is a library of its own that some wheels lack, and so is that of its threads.
_OPTIONAL = ("SuperLUMT", "omp_")
_PREFIXES = ("CVode", "IDA")


@dataclass(frozen=True)
class Sundials:
    """The loaded libraries: the core, and those of CVODE and IDA by their prefix."""

    by_prefix: dict[str, Library]
    kept: Sequence[Any]

    def functions(self, prefix: str) -> Library:
        """The functions that C calls, with this prefix: CVode or IDA."""
        return self.by_prefix[prefix]


@functools.cache
def locate() -> tuple[Path, Path, Path] | None:
    """The files of the core, of CVODE and of IDA, which also contain the serial vector and the matrices; None if
    absent."""
    spec = importlib.util.find_spec("sksundae")
    if spec is None or not spec.submodule_search_locations:
        return None
    package = Path(spec.submodule_search_locations[0])
    # auditwheel, delocate and delvewheel each use another folder for libraries.
    for folder in (package.parent / "scikit_sundae.libs", package / ".dylibs"):
        files = [sorted(folder.glob(f"*sundials_{name}[.-]*")) for name in ("core", "cvode", "ida")]
        if all(files):
            core, cvode, ida = (found[0] for found in files)
            return core, cvode, ida
    return None


def load() -> Sundials | None:
    """SUNDIALS ready to call; None if it is absent or of an unknown version."""
    paths = locate()
    return _load(*paths) if paths else None


@functools.cache
def _load(*paths: Path) -> Sundials | None:
    try:
        # Not RTLD_GLOBAL: another package may load another SUNDIALS into the process.
        core, *solvers = (ctypes.CDLL(str(path)) for path in paths)
        sparse = _sparse(paths[0])
        made = {
            prefix: _functions([core, own, *sparse], prefix) for prefix, own in zip(_PREFIXES, solvers, strict=True)
        }
    except (OSError, AttributeError):
        return None
    return Sundials(made, [core, *solvers, *sparse])


def _sparse(core: Path) -> list[Any]:
    """The libraries of the direct solver and of its threads, if they are there."""
    found = [path for name in ("sundials_sunlinsolsuperlumt", "gomp") for path in core.parent.glob(f"*{name}[.-]*")]
    try:
        return [ctypes.CDLL(str(path)) for path in sorted(found)]
    except OSError:
        return []


def _functions(libraries: Sequence[Any], prefix: str) -> Library:
    """The addresses of all functions. AttributeError if one is missing without which no method works."""
    made = Library()
    for name, *_ in made._fields_:
        places = [(each, own) for each in libraries for own in (name, prefix + name) if hasattr(each, own)]
        is_of_other = name.startswith(_PREFIXES) and not name.startswith(prefix)
        if places and not is_of_other:
            setattr(made, name, ctypes.cast(getattr(*places[0]), c_void_p).value)
        elif not is_of_other and not any(word in name for word in _OPTIONAL):
            raise AttributeError(name)
    return made
