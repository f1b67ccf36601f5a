"""What a user may set about a translation. Loads nothing of the compiler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.compiler.codegen.passes import LatePasses

if TYPE_CHECKING:
    from cutset.compiler.syntax.cache import TreeCache


@dataclass(frozen=True)
class Options:
    """`unfold`: parameters to keep changeable though their value is 0, 1 or -1; `structural`: values of
    parameters, of structural ones above all, instead of the model's own; `library_path`: folders for includes; `cache`:
    where parsed files are kept; `allow_external`: the model may call functions in Python; `passes`: the late passes to
    be done; `wishes`: `state=prefer` and `state=avoid` settle choices of states that may become singular, which are
    made in the run without them."""

    unfold: frozenset[str] = frozenset()
    library_path: tuple[Path, ...] = ()
    structural: Mapping[str, float] = field(default_factory=dict)
    cache: TreeCache | None = None
    allow_external: bool = False
    passes: LatePasses = LatePasses()
    wishes: bool = True
