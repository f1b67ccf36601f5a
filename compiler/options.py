"""Defines the options of a translation. Loads nothing of the compiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cutset.compiler.codegen.passes import LatePasses

if TYPE_CHECKING:
    from cutset.compiler.function.definition import Function
    from cutset.compiler.syntax.cache import TreeCache


@dataclass(frozen=True)
class Options:
    """The options of a translation.

    unfold          parameters to keep changeable although their value is 0, 1 or -1
    structural      values that replace the model's, for structural parameters above all
    fold            parameters whose values become part of the code, whatever they are
    library_path    folders for includes
    cache           where parsed files are kept
    allow_external  the model may call Python functions
    passes          the late passes to run
    preferences     `state=prefer` and `state=avoid` select states that may become singular; without them these are
                    chosen dynamically
    started         variables whose start values are given by runs
    instead         included libraries to replace, each with the one to use
    solved          solve the equations for the unknowns, as all methods but bdf need
    unreduced       keep all unknowns and equations, too, for the method bdf; without `solved` only that is done
    stabilized      add multipliers to the unreduced equations instead of choosing states, for the method ggl
    function        translate this function instead of the model
    known           scalars that runs prescribe: they become inputs
    find            scalars to find instead, one for each known one; none: their conjugates in cuts, or the inputs
    terminals       the cuts of the model are connected from outside, where one of their sides is known: the through
                    variables, or in these cuts the across variables; None if nothing is outside
    until           a condition that ends runs, in one line; none if it is empty
    text            the text of the model, which is in no file; none if it is empty
    unsaved         the texts of files, by their resolved paths, that are used instead of those on the disk
    pause           called often during the first stages; an exception of it ends the translation
    """

    unfold: frozenset[str] = frozenset()
    library_path: tuple[Path, ...] = ()
    structural: Mapping[str, float] = field(default_factory=dict)
    fold: frozenset[str] = frozenset()
    cache: TreeCache | None = None
    allow_external: bool = False
    passes: LatePasses = LatePasses()
    preferences: bool = True
    started: frozenset[str] = frozenset()
    instead: Mapping[str, str] = field(default_factory=dict)
    solved: bool = True
    unreduced: bool = False
    stabilized: bool = False
    function: Function | None = None
    known: tuple[str, ...] = ()
    find: tuple[str, ...] = ()
    terminals: frozenset[str] | None = None
    until: str = ""
    text: str = ""
    unsaved: Mapping[Path, str] = field(default_factory=dict)
    pause: Callable[[], None] | None = None
