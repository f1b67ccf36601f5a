"""Rows, columns and submodels in the words of the model: places, texts of equations, names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import PurePath

from cutset.compiler.diagnose.matrix import EQUAL, OPEN, SUM, WRITTEN, Matrix
from cutset.compiler.diagnostics import Label, Span
from cutset.compiler.expressions.pool import TIME, Expr
from cutset.compiler.expressions.text import text
from cutset.compiler.expressions.walk import variables_of

_MOST_SHOWN = 6
_MOST_VALUES = 4


class Wording:
    """What the parts of a message have in common: one model."""

    def __init__(self, matrix: Matrix):
        self.matrix = matrix
        self.model = matrix.model

    def name(self, column: int) -> str:
        """The name of an unknown."""
        return str(self.matrix.columns[column].data)

    def instances(self, rows: Iterable[int], columns: Iterable[int] = ()) -> list[str]:
        """The submodels that equations of the text and unknowns belong to, in the order of the text."""
        found = {self.matrix.owner[j] for j in columns}
        for i in rows:
            if self.matrix.kind[i] in (WRITTEN, OPEN):
                found |= {self.instance(i)} | {self.matrix.owner[j] for j in self.matrix.rows[i]}
        return [path for path in self.model.classes if path in found]

    def instance(self, row: int) -> str:
        """Where an equation stands."""
        return self.model.equations[self.matrix.equation[row]].instance

    def called(self, instances: Iterable[str]) -> str:
        """'a', 'b' and 3 more; the object by its name where it is alone."""
        return some([path for path in instances if path] or [self.model.name])

    def described(self, instances: Sequence[str]) -> str:
        """'a', 'b' (Class): names with their class where it is one."""
        classes = {self.model.classes[path] for path in instances}
        return self.called(instances) + (f" ({classes.pop()})" if len(classes) == 1 else "")

    def places(self, instances: Iterable[str]) -> list[Label]:
        """Where submodels are declared."""
        return [
            Label(self.model.places[path], f"{path} ({self.model.classes[path]})") for path in instances if path
        ]

    def equations(self, rows: Iterable[int]) -> list[str]:
        """The equations of the text, each with its submodel and its line; elements of a matrix equation once."""
        lines = dict.fromkeys(
            f"{self._prefix(i)}{self.span(i).text}  ({short(self.span(i))})"
            for i in rows if self.matrix.kind[i] == WRITTEN
        )  # fmt: skip
        return list(lines)

    def connections(self, rows: Iterable[int]) -> list[str]:
        """The connect statements behind equations of connections, those that name what the equations are about."""
        joins: dict[tuple[Span, str], None] = {}
        for i in rows:
            if self.matrix.kind[i] in (EQUAL, SUM):
                owners = {self.matrix.owner[j] for j in self.matrix.rows[i]}
                every = self.model.sets[self.model.set_of[self.matrix.equation[i]]].joins
                own = [join for join in every if {join.first.instance, join.second.instance} & owners]
                joins.update(((join.span, join.instance), None) for join in own or every)
        texts = dict.fromkeys(f"{f'{where}: ' if where else ''}{s.text}  ({short(s)})" for s, where in joins)
        return list(texts)

    def reasons(self, rows: Iterable[int]) -> list[str]:
        """What equations nobody wrote say."""
        found: dict[str, None] = {}
        for i in rows:
            if self.matrix.kind[i] == OPEN:
                equation = self.model.equations[self.matrix.equation[i]]
                names = sorted({str(e.data) for e in equation.left.elements})
                found[f"{equation.reason}, so {some(names, 3)} {'is' if len(names) == 1 else 'are'} zero"] = None
        return list(found)

    def put_in(self, rows: Iterable[int]) -> list[str]:
        """What equations say once values are put in, where less is left of them than the text shows."""
        found: dict[str, None] = {}
        for i in rows:
            left = self.matrix.folded[i]
            if left is not None:
                equation = self.model.equations[self.matrix.equation[i]]
                leaves = {v for e in (*equation.left.elements, *equation.right.elements) for v in variables_of(e)}
                values = {v: self.matrix.known.get(v, v) for v in sorted(leaves, key=lambda v: v.id)}
                given = [f"{v.data} = {text(value, 4)}" for v, value in values.items() if value.level < TIME]
                shown = ", ".join(given[:_MOST_VALUES]) + (", ..." if len(given) > _MOST_VALUES else "")
                where = f"with {shown}" if given else "with all others put in"
                found[f"{where} this equation says 0 = {text(left, 4)}  ({short(equation.span)})"] = None
        return list(found)

    def declared(self, columns: Iterable[int]) -> list[Label]:
        """Where unknowns are declared."""
        wanted = {self.matrix.columns[j] for j in columns}
        return [Label(v.span, f"'{v.name}'") for v in self.model.variables if wanted & set(v.value.elements)]

    def has_slope(self, row: int) -> bool:
        """Does a derivative stand in the equation?"""
        return not self.matrix.leaves[row].isdisjoint(self.model.derivatives.values())

    def span(self, row: int) -> Span:
        """The place of an equation."""
        return self.model.equations[self.matrix.equation[row]].span

    def is_own(self, span: Span) -> bool:
        """Does it stand in a file beside that of the object, or in a folder below it?"""
        return PurePath(span.source.name).is_relative_to(PurePath(self.model.places[""].source.name).parent)

    def own_text(self, rows: Iterable[int]) -> list[Label]:
        """Equations that stand in the file of the object itself."""
        source = self.model.places[""].source
        found = {
            self.span(i): Label(self.span(i), f"in {self.instance(i) or self.model.name}")
            for i in rows if self.matrix.kind[i] == WRITTEN and self.span(i).source is source
        }  # fmt: skip
        return list(found.values())

    def open_cuts(self, instances: Iterable[str]) -> list[str]:
        """Cuts that nothing is connected to from outside and to which the submodel gives no value itself."""
        connected = {
            (end.instance, end.name) for s in self.model.sets if len(s.ends) > 1
            for end in s.ends if end.side == "outside"
        }  # fmt: skip
        wanted = set(instances) - {""}
        found = [key for key in self.model.cuts if key[0] in wanted and key not in connected]
        return [f"{i}:{n}" for i, n in found if not self._is_given(i, n)]

    def _is_given(self, instance: str, cut: str) -> bool:
        """Is there an equation `x = ...` for each across variable of a cut?"""
        across = self.model.cuts[instance, cut].across or ()
        leaves = {self._root(e) for entry in across if entry.value for e in entry.value.elements}
        return bool(leaves) and leaves <= self._assigned

    @cached_property
    def _assigned(self) -> set[Expr]:
        """What stands alone on the left of an equation of the text."""
        written = {self.matrix.equation[i] for i, kind in enumerate(self.matrix.kind) if kind == WRITTEN}
        return {self._root(v) for e in written for v in self.model.equations[e].left.elements if v.op == "variable"}

    def _root(self, variable: Expr) -> Expr:
        value = self.matrix.known.get(variable, variable)
        return value.args[0] if value.op == "neg" else value

    def quantity(self, columns: Iterable[int], role: str) -> str:
        """What across or through variables are called: by their unit, else by their name."""
        leaves = {self.matrix.columns[j] for j in columns if self.matrix.role[j] == role}
        known = {"across": _ACROSS, "through": _THROUGH}[role]
        for variable in self.model.variables:
            if leaves & set(variable.value.elements):
                return known.get(variable.unit, f"quantity '{variable.name.rpartition('.')[2]}'")
        return "quantity"

    def _prefix(self, row: int) -> str:
        return f"{self.instance(row)}: " if self.instance(row) else ""


_ACROSS = {"V": "voltage", "rad": "angle", "m": "position", "K": "temperature", "Pa": "pressure", "rad/s": "speed"}
_THROUGH = {"A": "current", "N.m": "torque", "N": "force", "W": "heat flow"}


def short(span: Span) -> str:
    """File and line."""
    return f"{PurePath(span.source.name).name}:{span.line}"


def some(names: Sequence[str], most: int = _MOST_SHOWN) -> str:
    """The first names in quotes, and how many more there are."""
    shown = ", ".join(f"'{n}'" for n in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def listed(title: str, lines: Sequence[str], most: int = _MOST_SHOWN) -> tuple[str, ...]:
    """A note with one line for each, none where there is nothing to list."""
    if not lines:
        return ()
    more = [f"and {len(lines) - most} more"] if len(lines) > most else []
    return ("\n".join([f"{title}:", *(f"  {line}" for line in [*lines[:most], *more])]),)
