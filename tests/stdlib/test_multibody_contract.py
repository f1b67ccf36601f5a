"""mbs.mo, mbssim.mo and mbsmat.mo are exchanged by their include line alone: same classes, parameters and cuts by
name."""

from __future__ import annotations

from pathlib import Path

import pytest

import cutset.stdlib
from cutset.compiler.instantiate.names.library import load_library
from cutset.compiler.syntax import tree

STDLIB = Path(cutset.stdlib.__file__).parent
# Classes of a library for its own use.
INNER = {"mbssim": {"SymmetricInverse"}, "mbsmat": {"Mass"}}


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


def _cuts(name: str, classes: dict[str, tree.Class]) -> dict[str, bool]:
    """Those of the class and of its superclasses, and whether they are main cuts."""
    cuts: dict[str, bool] = {}
    waiting = [name]
    while waiting:
        item = classes[waiting.pop()]
        declarations = [m for m in item.members if isinstance(m, tree.CutDeclaration)]
        cuts |= {each.name: member.main for member in declarations for each in member.items}
        waiting += [reference.name for reference in item.supers if reference.name in classes]
    return cuts


@pytest.mark.parametrize("library", INNER)
def test_all_have_the_same_classes_with_the_same_parameters(library):
    theirs, ours = _classes("mbs"), _classes(library)
    assert len(theirs) > 50
    assert set(ours) - INNER[library] == set(theirs)
    for name in theirs:
        assert _parameters(ours[name]) == _parameters(theirs[name]), name
        assert _cuts(name, ours) == _cuts(name, theirs), name
