"""The multibody libraries are exchanged by their include line alone: same classes, parameters, cuts by name and
terminals."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracles.common_names import differing, driven_tree

import cutset.stdlib
from cutset.compiler.instantiate.names.library import load_library
from cutset.compiler.syntax import tree

STDLIB = Path(cutset.stdlib.__file__).parent
# What a library has for its own use, besides.
INNER = {
    "mbssim": {"SymmetricInverse"},
    "mbsabs": {"CutPlane", "CutPerpendicular"},
    "mbsmat": {"Mass"},
}
# Superclasses that give relations of velocities.
LACKING = {
    "mbssim": set(),
    "mbsmat": set(),
    "mbsabs": {"Joint", "Rigid"},
}


def _classes(library: str) -> dict[str, tree.Class]:
    """The classes of a library, with those of a part that belongs to two libraries."""
    folders = {STDLIB / name for name in ("multibody", "mbs", *INNER)}
    names = load_library(STDLIB / f"{library}.mo").all_names.values()
    return {
        d.name: d
        for d in names
        if isinstance(d, tree.Class) and {(path := Path(d.span.source.name)).parent, path.with_suffix("")} & folders
    }


def _line(classes: dict[str, tree.Class], name: str) -> list[tree.Class]:
    """The class after its superclasses."""
    line = [classes[name]]
    for item in line:  # grows during the loop
        line += [classes[above.name] for above in item.supers if above.name in classes]
    return line[::-1]


def _parameters(classes: dict[str, tree.Class], name: str) -> dict[str, tuple[str, object]]:
    """Parameters with their unit and the text of their default."""
    found = {}
    for member in (member for item in _line(classes, name) for member in item.members):
        if isinstance(member, tree.VariableDeclaration) and member.kind == "parameter":
            for each in member.items:
                unit = next((a.value.span.text for a in each.attributes if a.name == "unit"), "")
                found[each.name] = unit, each.value.span.text if each.value is not None else None
    return found


def _cuts(classes: dict[str, tree.Class], name: str) -> dict[str, bool]:
    cuts = [m for item in _line(classes, name) for m in item.members if isinstance(m, tree.CutDeclaration)]
    return {each.name: member.main for member in cuts for each in member.items}


@pytest.mark.parametrize("library", INNER)
def test_same_classes_with_the_same_parameters(library):
    theirs, ours = _classes("mbs"), _classes(library)
    assert len(theirs) > 50
    assert {name for name in ours if not name.startswith("Mbs")} - INNER[library] == {
        name for name in theirs if not name.startswith("Mbs")
    } - LACKING[library]
    for name in set(theirs) & set(ours):
        mine, other = _parameters(ours, name), _parameters(theirs, name)
        # A class may have further ones that follow from these.
        assert {n: mine.get(n) for n in other} == other, name
        assert _cuts(ours, name) == _cuts(theirs, name), name


def test_variables_of_one_name_are_the_same_in_all_libraries(tmp_path):
    """Drive lines with a gear, a motion and friction; `python -m tests.oracles.common_names` runs hundreds."""
    path = tmp_path / "tree.mo"
    path.write_text(driven_tree(9), encoding="utf-8")
    shared, found = differing(path, target="python")
    assert shared > 1000
    assert found == []
