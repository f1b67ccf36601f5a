"""Counts the unknowns that each component declares, and the equations that it contains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from cutset.compiler.diagnose.matrix import OPEN, WRITTEN, Matrix
from cutset.compiler.diagnose.wording import in_short
from cutset.compiler.instantiate.instance import CutVariable

_MOST_ROWS = 12


def table(matrix: Matrix, instances: Iterable[str]) -> str:
    """The counts of these components, of their connections and of all others together, as lines of text."""
    chosen = list(dict.fromkeys(instances))
    unknowns = Counter(matrix.owner)
    equations: Counter[str] = Counter()
    connections = []
    for i, e in enumerate(matrix.equation):
        if matrix.kind[i] in (WRITTEN, OPEN):
            equations[matrix.model.equations[e].instance] += 1
        else:
            connections.append(i)
    alike: dict[tuple[str, int, int], list[str]] = {}
    for path in chosen:
        alike.setdefault((matrix.model.classes[path], unknowns[path], equations[path]), []).append(path)
    rows = dict(list(alike.items())[:_MOST_ROWS])
    shown = {path for paths in rows.values() for path in paths}
    joined = sum(any(matrix.owner[j] in shown for j in matrix.rows[i]) for i in connections)
    joined_elsewhere = len(connections) - joined
    lines = [(_named(matrix, paths), str(n), str(m)) for (_, n, m), paths in rows.items()]
    if joined:
        lines.append(("their connections", "", str(joined)))
    others = [path for path in matrix.model.classes if path not in shown and (unknowns[path] or equations[path])]
    if others or joined_elsewhere:
        rest = sum(equations[path] for path in others) + joined_elsewhere
        lines.append(("all else", str(sum(unknowns[path] for path in others)), str(rest)))
    return _aligned([("component", "unknowns", "equations"), *lines])


def balance(matrix: Matrix, path: str) -> int | None:
    """The number of equations of a submodel above what it needs; None if its cuts do not determine that.

    If a cut has as many across as through variables, each connection contributes one equation per pair.
    """
    cuts = {name: cut for (instance, name), cut in matrix.model.cuts.items() if instance == path}
    if not cuts or any(size(cut.across) != size(cut.through) for cut in cuts.values()):
        return None
    inside = {
        end.name for s in matrix.model.sets for end in s.ends if end.instance == path and end.side == "inside"
    }  # fmt: skip
    pairs = sum((size(cut.across) + size(cut.carried)) * (2 if name in inside else 1) for name, cut in cuts.items())
    own = sum(
        1 for i, e in enumerate(matrix.equation)
        if matrix.kind[i] == WRITTEN and matrix.model.equations[e].instance == path
    )  # fmt: skip
    return own + pairs - matrix.owner.count(path)


def size(entries: tuple[CutVariable, ...] | None) -> int:
    """The number of scalars in the across or through variables of a cut."""
    return sum(len(entry.value.elements) for entry in entries or () if entry.value is not None)


def _named(matrix: Matrix, paths: list[str]) -> str:
    """Submodels of one class with equal counts."""
    if not paths[0]:
        return matrix.model.name
    return f"{in_short(paths)} ({matrix.model.classes[paths[0]]})" + (", each" if len(paths) > 1 else "")


def _aligned(lines: list[tuple[str, str, str]]) -> str:
    width = max(len(line[0]) for line in lines)
    return "\n".join(f"{name:<{width}}  {a:>8}  {b:>9}" for name, a, b in lines)
