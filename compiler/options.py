"""Defines the options of a translation. Loads nothing of the compiler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from cutset.compiler.codegen.passes import LatePasses
from cutset.contract.quick_dataclass import dataclass

if TYPE_CHECKING:
    from cutset.compiler.function.definition import Function
    from cutset.compiler.syntax.cache import TreeCache

K = TypeVar("K", str, Path)
T = TypeVar("T")
Libraries: TypeAlias = tuple[tuple[str, str], ...]
Numbers: TypeAlias = tuple[tuple[str, float | str], ...]


def pairs(given: Mapping[K, T]) -> tuple[tuple[K, T], ...]:
    """Names or paths with their values, in their order."""
    return tuple(sorted(given.items(), key=lambda pair: str(pair[0])))


def _updated(own: Numbers, change: Numbers) -> Numbers:
    return pairs(dict(own) | dict(change))


def _exchanged(own: Libraries, change: Libraries) -> Libraries:
    """The libraries to use instead of included ones, with further replacements of the used ones."""
    libraries = dict(own)
    for used, other in change:
        included = [name for name, replacement in own if replacement == used]
        libraries |= dict.fromkeys(included or [used], other)
    return pairs(libraries)


_UNITED = {"add": frozenset.union}


@dataclass(frozen=True)
class Options:
    """The options of a translation. All but the cache decide on the result: `Options.changed` and the keys of the disk
    cache are made of the fields.

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
    sensitivities   the parameters by which variables have derivatives
    disturbed       signals to which further inputs are added, for what reads them
    draft           parameters without a value are 1, and constant assertions may fail: a picture of an unfinished model
                    needs no values
    perturbed       what of the text becomes inputs: 'ac', small signals; 'noise', these and sources of noise
    given           parameters that runs give, which do not follow from others: decides on derivatives only
    text            the text of the model, which is in no file; none if it is empty
    unsaved         the texts of files, by their resolved paths, that are used instead of those on the disk
    """

    unfold: frozenset[str] = field(default=frozenset(), metadata=_UNITED)
    library_path: tuple[Path, ...] = ()
    structural: Numbers = field(default=(), metadata={"add": _updated})
    fold: frozenset[str] = field(default=frozenset(), metadata=_UNITED)
    cache: TreeCache | None = field(default=None, compare=False)
    allow_external: bool = False
    passes: LatePasses = field(default=LatePasses(), metadata={"add": LatePasses.both})
    preferences: bool = True
    started: frozenset[str] = field(default=frozenset(), metadata=_UNITED)
    instead: Libraries = field(default=(), metadata={"add": _exchanged})
    solved: bool = True
    unreduced: bool = False
    stabilized: bool = False
    function: Function | None = None
    known: tuple[str, ...] = ()
    find: tuple[str, ...] = ()
    terminals: frozenset[str] | None = None
    until: str = ""
    sensitivities: tuple[str, ...] = ()
    disturbed: tuple[str, ...] = field(default=(), metadata={"add": tuple[str, ...].__add__})
    draft: bool = False
    perturbed: str = ""
    given: frozenset[str] = frozenset()
    text: str = ""
    unsaved: tuple[tuple[Path, str], ...] = ()

    @property
    def variant(self) -> str:
        """The name of the list of stages (`pipeline.VARIANTS`)."""
        if self.function is not None:
            return "function"
        if not self.solved:
            return "unreduced"
        return "model and stabilized" if self.stabilized else "model and unreduced" if self.unreduced else "model"

    def changed(self, change: Options) -> Options:
        """These options with those of the change that are not the defaults: they replace these, or are added to sets,
        values and libraries."""
        given = {}
        for f in fields(self):
            value = getattr(change, f.name)
            if value != f.default:
                given[f.name] = f.metadata["add"](getattr(self, f.name), value) if f.metadata else value
        return replace(self, **given)
