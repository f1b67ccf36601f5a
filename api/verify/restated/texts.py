"""Reads the files that the user of a model wrote, and finds the edits that must change no number of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from random import Random

from cutset.api.verify.restated.edits import Edit, edited
from cutset.api.verify.restated.naming import names, wraps
from cutset.api.verify.restated.values import NewValue, constants, given, scaled
from cutset.api.verify.restated.wordings import orders, sides, turns, unrelated
from cutset.compiler.instantiate.names.library import Library
from cutset.compiler.options import Options
from cutset.compiler.pipeline import read_library
from cutset.compiler.syntax.parse import parse
from cutset.compiler.syntax.print import print_tree
from cutset.compiler.syntax.read import is_robot_file
from cutset.contract.names import partition

# Classes that number their instances in the order of the text, and numbers that depend on names.
_NUMBERED, _NAMED = 'number("', "random_stream("


class Texts:
    """The files of the object `name`, with their trees; without `libraries` those that the user wrote."""

    def __init__(self, path: Path, name: str, options: Options, libraries: bool = False):
        self._given = {partition(partition(each)[0], "(")[0] for each, _ in options.structural}
        self._library: Library = read_library(path, options)
        sources = [source for source in self._library.names if libraries or not source.shown]
        # A robot is no text of the language.
        self._trees = [parse(source) for source in sources if not is_robot_file(Path(source.name))]
        self._all = "".join(source.text for source in self._library.names)
        self._roots = [
            (each, contents)
            for contents in self._trees
            for each in contents.classes
            if each.is_object and each.name == name and contents.source is self._library.source
        ]

    def unsaved(self, edits: Iterable[Edit]) -> dict[Path, str]:
        """The texts of the files with the edits, by their resolved paths."""
        chosen = list(edits)
        of_files = {edit.span.source for edit in chosen}
        changed = [contents for contents in self._trees if contents.source in of_files]
        return {Path(each.source.name).resolve(): print_tree(edited(each, chosen)) for each in changed}

    def wordings(self, seed: int) -> dict[str, list[Edit]]:
        """The edits that leave all numbers alone, by kind."""
        rng, of_kind = Random(seed), dict[str, list[Edit]]()
        are_numbered = _NUMBERED in self._all
        of_kind["order"] = [edit for each in self._trees for edit in orders(each, are_numbered, rng)]
        of_kind["sides exchanged"] = [edit for each in self._trees for edit in sides(each)]
        of_kind["connections turned round"] = [edit for each in self._trees for edit in turns(each, self._library)]
        for root, contents in self._roots:
            if _NAMED not in self._all:
                renamed = names(root, self._library)
                of_kind["other names"] = [edit for edit in renamed if edit.names[0][0] not in self._given]
                of_kind["wrapped into a class"] = [] if self._given else list(wraps(root, contents))
            of_kind["a large number beside"] = list(unrelated(root))
            of_kind["constants as parameters"] = list(constants(root))
        return {kind: edits for kind, edits in of_kind.items() if edits}

    def given(self, parameters: Mapping[str, float], states: Collection[str], change: NewValue) -> list[Edit]:
        """The edits that write other values into the text."""
        found = (given(root, self._library, parameters, states, change) for root, _ in self._roots)
        return [edit for edits in found for edit in edits]

    def scaled(self, numbers: Collection[str]) -> list[Edit]:
        """The edits that write one of these variables in another unit."""
        return [edit for root, _ in self._roots for edit in scaled(root, numbers)]
