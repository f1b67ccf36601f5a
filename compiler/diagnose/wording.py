"""Translates rows, columns and submodels into the words of the model: places, texts of equations, names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import PurePath

from cutset.compiler.diagnose.matrix import EQUAL, OPEN, SUM, WRITTEN, Matrix
from cutset.compiler.diagnostics import Label, Span
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import variables_of
from cutset.compiler.instantiate.instance import InactiveBranches, around, leaves_of
from cutset.contract.abridged import abridged, quoted
from cutset.contract.names import rpartition

_MOST_SHOWN = 6
_MOST_VALUES = 4


class Wording:
    """The common data of messages about one model: facts about all its cuts and equations are computed once. `tried`
    tells for submodels of one class with the same open cuts whether connections there would fix something."""

    def __init__(self, matrix: Matrix):
        self.matrix = matrix
        self.model = matrix.model
        self.tried: dict[tuple[str, tuple[str, ...]], bool] = {}
        self._is_own: dict[str, bool] = {}

    def name(self, column: int) -> str:
        """The name of an unknown."""
        return str(self.matrix.columns[column].data)

    def instances(self, rows: Iterable[int], columns: Iterable[int] = ()) -> list[str]:
        """The submodels of written equations and unknowns, in the order of the text."""
        found = {self.matrix.owner[j] for j in columns}
        for i in rows:
            if self.matrix.kind[i] in (WRITTEN, OPEN):
                found |= {self.instance(i)} | {self.matrix.owner[j] for j in self.matrix.rows[i]}
        return [path for path in self.model.classes if path in found]

    def instance(self, row: int) -> str:
        """The submodel that contains an equation."""
        return self.model.equations[self.matrix.equation[row]].instance

    def known(self, instances: Iterable[str]) -> list[str]:
        """The submodels as the user knows them, each once: without those of which the library composes an element."""
        return list(dict.fromkeys(map(self.model.written, instances)))

    def called(self, instances: Iterable[str]) -> str:
        """'a', 'b' and 3 more; the object by its name if it is the only one."""
        return quoted([path for path in instances if path] or [self.model.name])

    def described(self, instances: Sequence[str]) -> str:
        """'a', 'b' (Class): names with their class if they have the same."""
        classes = {self.model.classes[path] for path in instances}
        return self.called(instances) + (f" ({classes.pop()})" if len(classes) == 1 else "")

    def places(self, instances: Iterable[str]) -> list[Label]:
        """The declarations of submodels, those of one class in one line together."""
        found: dict[tuple[object, int, str], list[str]] = {}
        for path in filter(None, instances):
            span = self.model.places[path]
            found.setdefault((span.source, span.line, self.model.classes[path]), []).append(path)
        return [
            Label(self._stretch(paths), f"{in_short(paths)} ({class_name})")
            for (_, _, class_name), paths in found.items()
        ]  # fmt: skip

    def _stretch(self, paths: Sequence[str]) -> Span:
        """From the first to the last of submodels declared in one line; only the first if others are between them."""
        spans = {self.model.places[path] for path in paths}
        first, last = min(spans, key=lambda s: s.column), max(spans, key=lambda s: s.column)
        between = {
            s for s in self.model.places.values()
            if s.source is first.source and s.line == first.line and first.column <= s.column <= last.column
        }  # fmt: skip
        return first.to(last) if between == spans else first

    def equations(self, rows: Iterable[int]) -> list[str]:
        """The written equations, each with its line and its submodels; elements of an array equation once."""
        return gathered(
            (f"{self.span(i).equation}  ({short(self.span(i))})", self.instance(i))
            for i in rows if self.matrix.kind[i] == WRITTEN
        )  # fmt: skip

    def equation_count(self, rows: Iterable[int]) -> int:
        """The number of written equations, counted in each submodel."""
        return len({(self.span(i), self.instance(i)) for i in rows if self.matrix.kind[i] == WRITTEN})

    def connections(self, rows: Iterable[int]) -> list[str]:
        """The connect statements of connection equations, preferably those that name the submodels of the equations."""
        joins: dict[tuple[Span, str], None] = {}
        for i in rows:
            if self.matrix.kind[i] in (EQUAL, SUM):
                owners = {self.matrix.owner[j] for j in self.matrix.rows[i]}
                every = self.model.sets[self.model.set_of[self.matrix.equation[i]]].joins
                own = [join for join in every if {join.first.instance, join.second.instance} & owners]
                joins.update(((join.span, join.instance), None) for join in own or every)
        return gathered((f"{s.text}  ({short(s)})", where) for s, where in joins)

    def reasons(self, rows: Iterable[int]) -> list[str]:
        """Explanations of equations that are not in the text."""
        found: dict[str, None] = {}
        for i in rows:
            if self.matrix.kind[i] == OPEN:
                equation = self.model.equations[self.matrix.equation[i]]
                names = sorted({str(e.data) for e in equation.left.elements})
                found[f"{equation.reason}, so {quoted(names, 3)} {'is' if len(names) == 1 else 'are'} zero"] = None
        return list(found)

    def put_in(self, rows: Iterable[int]) -> list[str]:
        """Equations after substituting values, if they contain less than the text shows."""
        found: dict[str, None] = {}
        for i in rows:
            left = self.matrix.folded[i]
            if left is not None:
                equation = self.model.equations[self.matrix.equation[i]]
                leaves = {v for e in (*equation.left.elements, *equation.right.elements) for v in variables_of(e)}
                values = {v: self.matrix.known.get(v, v) for v in sorted(leaves, key=lambda v: v.id)}
                given = [f"{v.data} = {text(value, 4)}" for v, value in values.items() if value.level < TIME]
                shown = ", ".join(given[:_MOST_VALUES]) + (", ..." if len(given) > _MOST_VALUES else "")
                where = f"with {shown}" if given else "combined with the others,"
                found[f"{where} this equation reduces to 0 = {text(left, 4)}  ({short(equation.span)})"] = None
        return list(found)

    def declared(self, columns: Iterable[int]) -> list[Label]:
        """The declarations of unknowns."""
        wanted = {self.matrix.columns[j] for j in columns}
        names: dict[Span, list[str]] = {}
        for variable in self.model.variables:
            if wanted & set(variable.value.elements):
                names.setdefault(variable.span, []).append(variable.name)
        return [Label(span, quoted(there, 2 if len(there) > 3 else 3)) for span, there in names.items()]

    def has_slope(self, row: int) -> bool:
        """True if the equation contains a derivative."""
        return not self.matrix.leaves[row].isdisjoint(self.model.derivatives.values())

    def span(self, row: int) -> Span:
        """The place of an equation."""
        return self.model.equations[self.matrix.equation[row]].span

    def is_own(self, span: Span) -> bool:
        """True if the file is in the folder of the object's file, or below it."""
        name = span.source.name
        if name not in self._is_own:
            self._is_own[name] = PurePath(name).is_relative_to(PurePath(self.model.places[""].source.name).parent)
        return self._is_own[name]

    def own_text(self, rows: Iterable[int]) -> list[Label]:
        """Equations in the file of the object itself."""
        source = self.model.places[""].source
        found: dict[Span, dict[str, None]] = {}
        for i in rows:
            if self.matrix.kind[i] == WRITTEN and self.span(i).source is source:
                found.setdefault(self.span(i), {})[self.instance(i) or self.model.name] = None
        return [Label(span, f"in {in_short([*paths])}") for span, paths in found.items()]

    def open_cuts(self, instances: Iterable[str]) -> list[str]:
        """Cuts without a connection from outside that the submodel does not determine itself."""
        found = [key for path in self._in_order(instances) for key in self._unconnected.get(path, ())]
        return [f"{i}:{n}" for i, n in found if not self._is_given(i, n)]

    def _in_order(self, instances: Iterable[str]) -> list[str]:
        """The submodels in the order of their cuts in the model."""
        return sorted(set(instances) - {""}, key=lambda path: self._position.get(path, -1))

    @cached_property
    def _position(self) -> dict[str, int]:
        return {path: k for k, path in enumerate(dict.fromkeys(path for path, _ in self.model.cuts))}

    @cached_property
    def _unconnected(self) -> dict[str, list[tuple[str, str]]]:
        """The unconnected cuts by submodel."""
        connected = {
            (end.instance, end.name) for s in self.model.sets if len(s.ends) > 1
            for end in s.ends if end.side == "outside"
        }  # fmt: skip
        found: dict[str, list[tuple[str, str]]] = {}
        for key in self.model.cuts:
            if key not in connected:
                found.setdefault(key[0], []).append(key)
        return found

    @cached_property
    def open_flows(self) -> set[Expr]:
        """Through and carried variables of cuts in the user's own classes that occur only in connections."""
        handed_on = {(end.instance, end.name) for s in self.model.sets for end in s.ends if end.side == "inside"}
        in_cuts = {
            leaf for key, cut in self.model.cuts.items() if key not in handed_on and self.is_own(cut.span)
            for leaf in leaves_of((*(cut.through or ()), *cut.carried))
        }  # fmt: skip
        return in_cuts.difference(
            *(leaves for leaves, kind in zip(self.matrix.leaves, self.matrix.kind, strict=False) if kind == WRITTEN)
        )

    @cached_property
    def not_silent(self) -> set[str]:
        """Submodels that have equations or submodels, or whose class is in a library."""
        model = self.model
        speaking = {
            equation.instance
            for equation, number in zip(model.equations, model.set_of, strict=False)
            if number < 0 and not equation.reason
        }
        outer = {rpartition(path)[0] for path in model.classes if path}
        return speaking | outer | {path for (path, _), cut in model.cuts.items() if not self.is_own(cut.span)}

    def _is_given(self, instance: str, cut: str) -> bool:
        """True if there is an equation `x = ...` for each across variable of a cut."""
        across = self.model.cuts[instance, cut].across or ()
        leaves = {self._root(e) for entry in across if entry.value for e in entry.value.elements}
        around = [""] + [instance[:k] for k, mark in enumerate(instance) if mark == "."] + [instance]
        return bool(leaves) and leaves <= {leaf for path in around for leaf in self._assigned.get(path, ())}

    @cached_property
    def _assigned(self) -> dict[str, set[Expr]]:
        """For each submodel the variables that are the left side of one of its equations."""
        found: dict[str, set[Expr]] = {}
        for e in {self.matrix.equation[i] for i, kind in enumerate(self.matrix.kind) if kind == WRITTEN}:
            equation = self.model.equations[e]
            found.setdefault(equation.instance, set()).update(
                self._root(v) for v in equation.left.elements if v.op == "variable"
            )
        return found

    def _root(self, variable: Expr) -> Expr:
        value = self.matrix.known.get(variable, variable)
        return value.args[0] if value.op == "neg" else value

    def inactive_branches(self, columns: Iterable[int]) -> list[InactiveBranches]:
        """The `if`s without a taken branch that contain these unknowns, or the submodels of these."""
        names = [self.name(j) for j in columns] if self.model.inactive_branches else []
        return [choice for choice in self.model.inactive_branches if any(mentions(choice, name) for name in names)]

    def quantity(self, columns: Iterable[int], role: str) -> str:
        """The name of across or through variables: by their unit, else by their names."""
        leaves = {self.matrix.columns[j] for j in columns if self.matrix.role[j] == role}
        known = {"across": _ACROSS, "through": _THROUGH}[role]
        for variable in self.model.variables:
            if leaves & set(variable.value.elements):
                return known.get(variable.unit, f"quantity '{rpartition(variable.name)[2]}'")
        return "quantity"


def mentions(choice: InactiveBranches, name: str) -> bool:
    """True if the branches contain an unknown, or the submodel that it belongs to."""
    path = f"{choice.instance}." if choice.instance else ""
    own = around(_INDICES.sub("", name.removeprefix(path)))
    return name.startswith(path) and not choice.names.isdisjoint(own)


_INDICES = re.compile(r"\([^()]*\)")
_ACROSS = {"V": "voltage", "rad": "angle", "m": "position", "K": "temperature", "Pa": "pressure", "rad/s": "speed"}
_THROUGH = {"A": "current", "N.m": "torque", "N": "force", "W": "heat flow"}


def gathered(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Remarks on submodels, each text once: `a: text`, or `text in a1, a2 and 7 more`."""
    where: dict[str, dict[str, None]] = {}
    for words, path in texts:
        where.setdefault(words, {})[path] = None
    lines = []
    for words, paths in where.items():
        first = next(iter(paths))
        one = f"{first}: {words}" if first else words
        lines.append(one if len(paths) == 1 else f"{words} in {in_short([path for path in paths if path])}")
    return lines


def in_short(paths: Sequence[str], most: int = 3) -> str:
    """`a1, a2, a3` or `a1, a2 and 7 more`."""
    return abridged(paths, most if len(paths) <= most else most - 1)


def short(span: Span) -> str:
    """File and line."""
    return f"{PurePath(span.source.name).name}:{span.line}"


def listed(title: str, lines: Sequence[str], most: int = _MOST_SHOWN) -> tuple[str, ...]:
    """A note with one line for each, none if the list is empty."""
    if not lines:
        return ()
    more = [f"and {len(lines) - most} more"] if len(lines) > most else []
    return ("\n".join([f"{title}:", *(f"  {line}" for line in [*lines[:most], *more])]),)
