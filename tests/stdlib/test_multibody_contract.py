"""mbs.mo and mbssim.mo are exchanged by their include line alone: same classes, parameters, cuts by name and
terminals."""

from __future__ import annotations

from pathlib import Path

import cutset.stdlib
from cutset.compiler.instantiate.names.library import load_library
from cutset.compiler.syntax import tree

STDLIB = Path(cutset.stdlib.__file__).parent
# mbssim has one class for its own use.
INNER = {"SymmetricInverse"}


def _classes(library: str) -> dict[str, tree.Class]:
    own = {(STDLIB / f"{library}.mo").resolve(), *(path.resolve() for path in (STDLIB / library).glob("*.mo"))}
    names = load_library(STDLIB / f"{library}.mo").all_names.values()
    return {d.name: d for d in names if isinstance(d, tree.Class) and Path(d.span.source.name).resolve() in own}


def _parameters(item: tree.Class) -> dict[str, tuple[str, object]]:
    """Own parameters with their unit and the text of their default."""
    found = {}
    for member in item.members:
        if isinstance(member, tree.VariableDeclaration) and member.kind == "parameter":
            for each in member.items:
                unit = next((a.value.span.text for a in each.attributes if a.name == "unit"), "")
                found[each.name] = unit, each.value.span.text if each.value is not None else None
    return found


def _cuts(item: tree.Class) -> dict[str, bool]:
    cuts = [m for m in item.members if isinstance(m, tree.CutDeclaration)]
    return {each.name: member.main for member in cuts for each in member.items}


def test_both_have_the_same_classes_with_the_same_parameters():
    theirs, ours = _classes("mbs"), _classes("mbssim")
    assert len(theirs) > 50
    assert set(ours) - INNER == set(theirs)
    for name in theirs:
        mine, other = ours[name], theirs[name]
        assert _parameters(mine) == _parameters(other), name
        assert _cuts(mine) == _cuts(other), name
