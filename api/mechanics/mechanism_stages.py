"""Translates a model as far as its mechanism can be read: a listener and a library -> instance tree and FlatModel.

The joints of `mbsabs` are made of constraints and show no coordinates between their frames; those of the same text with
`mbs` do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cutset.api.mechanics.mechanism import library_of
from cutset.api.translate.listeners import Results
from cutset.compiler.diagnostics import ModelError
from cutset.compiler.flatten.model import FlatModel
from cutset.compiler.instantiate.instance import Instance
from cutset.compiler.options import Options
from cutset.runtime.errors import RunError

_LIBRARIES = frozenset({"mbs", "mbssim", "mbsmat", "mbsabs"})
# The library of constraints, and the one that solves any problem.
_CONSTRAINTS, GENERAL = "mbsabs", "mbs"
_AS_IT_IS = Options()


class Stages(NamedTuple):
    """The instance tree and the flat model of a model."""

    instance: Instance
    flat: FlatModel


def stages_of(observe: Callable[..., None], change: Options = _AS_IT_IS) -> Stages:
    """The stages of the model with a change. ModelError if it has errors with it."""
    results = Results("flatten")
    observe(results, change)
    return Stages(results.of(Instance), results.of(FlatModel))


def with_library(used: str, wanted: str) -> Options:
    """The change to the wanted library; none if the model has it, or if its cut-frames are of no library."""
    return Options() if used == wanted or used not in _LIBRARIES else Options(instead=((used, wanted),))


def with_joints(observe: Callable[..., None], own: Stages) -> Stages:
    """Those of the same model in which joints show their coordinates: with `mbs` if it has `mbsabs`. RunError E605 if
    it has errors with `mbs`."""
    if library_of(own.flat) != _CONSTRAINTS:
        return own
    try:
        return stages_of(observe, with_library(_CONSTRAINTS, GENERAL))
    except ModelError as error:
        first = error.diagnostics[0]
        what = f"the joints of {own.flat.name} follow from its text with mbs instead of mbsabs, which has errors"
        hint = "declare your own classes for frames with T and r only, as both libraries have them"
        raise RunError("E605", what, hint, [f"{first.code} {first.message}, at {first.span}"]) from error
