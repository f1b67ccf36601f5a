"""Finds the error in a model for which a stage has failed, from the most to the least specific.

Mechanisms are judged by their skeleton, everything else by the smallest sets of dependent equations and of undetermined
unknowns (`groups`). Does not guess: each hint rests on a fact of the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from cutset.compiler.diagnose.chains import explain_chains, massless, redundant_loops, without_inertia
from cutset.compiler.diagnose.frames import parts_of
from cutset.compiler.diagnose.groups import groups_of
from cutset.compiler.diagnose.matrix import matrix_of
from cutset.compiler.diagnose.networks import explain_group
from cutset.compiler.diagnose.wording import Wording, in_short
from cutset.compiler.diagnostics import Diagnostic
from cutset.compiler.expressions.dependent_rows import TooLong
from cutset.compiler.flatten.aliases import eliminated
from cutset.compiler.flatten.model import FlatModel

# The limit on independent sets; a class that is used often causes as many.
_MOST_GROUPS = 20
# The search visits all rows of the model for each set: in large models fewer sets are explained, but at least this
# many.
_MOST_ROWS, _FEWEST_GROUPS = 100_000, 3


def explain(
    model: FlatModel, reported: tuple[Diagnostic, ...], residuals: tuple[str, ...], not_searched: int = 0
) -> list[Diagnostic]:
    """The causes of what was `said` about single equations; empty if none is found. `residuals` are the remains of
    equations that cannot hold; `not_searched` is the number of equations that close loops if redundant ones were not
    searched. Raises TooLong if none is found and the search takes too long."""
    matrix = matrix_of(model, eliminated(model))
    words = Wording(matrix)
    parts = parts_of(matrix)
    found, faulty = explain_chains(words, parts, {d.instance for d in reported})
    if not found:
        found = [d for d in (without_inertia(words, parts, d) for d in reported) if d is not None]
    try:
        groups = groups_of(matrix)
    except TooLong:
        if not found:
            raise
        return found
    loops, blamed = redundant_loops(words, parts, groups, not_searched)
    found += loops
    faulty |= blamed
    if not found:
        # A variable that is in no equation says nothing about the motion of its submodel.
        used = {j for row in matrix.rows for j in row}
        related = [group for group in groups if group.rows or not used.isdisjoint(group.columns)]
        touched = {name for group in related for name in words.instances(group.rows, group.columns)}
        touched |= {d.instance for d in reported}
        # After differentiation, equations may be singular that are not as they are written.
        ends, blamed = massless(words, parts, touched or (set() if groups else set(model.classes)))
        found += ends
        faulty |= blamed
    if faulty:
        groups = [g for g in groups if not faulty & set(words.instances(g.rows, g.columns))]
    contradicting = [g for g in groups if g.equations]
    # If something is undetermined and something else is determined twice, a connection is wrong: the open end shows
    # which.
    most = max(_FEWEST_GROUPS, min(_MOST_GROUPS, _MOST_ROWS // max(1, len(matrix.rows))))
    for group in sorted(groups, key=lambda g: bool(g.equations))[:most]:
        only = len(contradicting) == 1 and group.equations
        found.append(explain_group(words, group, residuals if only else ()))
    found = together(found, model.classes)
    left = len(groups) - most
    if left > 0:
        more = f"{left} more sets of equations or unknowns have such an error: fix these first"
        found[-1] = replace(found[-1], notes=(*found[-1].notes, more))
    return found


# --- alike ----------------------------------------------------------------------------------------


def together(found: Iterable[Diagnostic], classes: Mapping[str, str]) -> list[Diagnostic]:
    """The first of those that differ only in the path of a submodel, in order; it names the others."""
    alike: dict[tuple[str, ...], list[tuple[Diagnostic, str]]] = {}
    for k, diagnostic in enumerate(found):
        path = _common(diagnostic.instance.split(", "))
        key = _text(diagnostic, path, classes[path]) if path in classes and path else (str(k),)
        alike.setdefault(key, []).append((diagnostic, path))
    return [_of_all(members) for members in alike.values()]


def _of_all(members: list[tuple[Diagnostic, str]]) -> Diagnostic:
    first, path = members[0]
    if len(members) == 1:
        return first
    paths = [other for _, other in members]
    note = f"the same holds for {in_short(paths[1:], 6)}; this message shows '{path}'"
    return replace(first, notes=(note, *first.notes))


def _common(paths: list[str]) -> str:
    """The submodel that contains all of them."""
    parts = [path.split(".") for path in paths]
    shared = 0
    while all(len(own) > shared and own[shared] == parts[0][shared] for own in parts):
        shared += 1
    return ".".join(parts[0][:shared])


def _text(diagnostic: Diagnostic, path: str, class_name: str) -> tuple[str, ...]:
    """The text without the path, and without the spaces that depend on its length in a table."""
    texts = (
        diagnostic.message,
        diagnostic.hint,
        diagnostic.instance,
        *diagnostic.notes,
        *(label.text for label in diagnostic.labels),
    )
    own = re.compile(rf"(?<![\w.)]){re.escape(path)}(?![\w(])")
    return class_name, diagnostic.code, *(" ".join(own.sub("*", text).split()) for text in texts)
